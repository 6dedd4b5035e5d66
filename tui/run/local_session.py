"""A session on the terminal of this process: one app after the other on one full screen."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
)
from io import StringIO
from typing import TYPE_CHECKING, TypeVar

from net.scheduler import Unlimited
from tui.model.look import Look, look_for_terminal
from tui.pictures import can_paint
from tui.run.exiting import SignalExit
from tui.solo import ClientSession
from tui.terminal.local import QUERY_TIMEOUT, Device, LocalTerminal

if TYPE_CHECKING:
    from tui.lessons import Tutor
    from tui.screens.base import DrawnScreen
    from tui.terminal.app import TerminalApp

R = TypeVar("R")


class LocalSession:
    """Runs apps on the local terminal."""

    def __init__(
        self,
        terminal: LocalTerminal,
        look: Look,
        on_look_changed: Callable[[Look], None] | None,
        release_signals: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.terminal = terminal
        self.release_signals = release_signals
        """Leaves the signals to a block, such as a host that is run in the session."""
        self.look = look
        """The look of the next app."""
        self._on_look_changed = on_look_changed

    def use_look(self, look: Look) -> None:
        """Use a look that the player has chosen for the next apps."""
        self.look = look
        if self._on_look_changed is not None:
            self._on_look_changed(look)

    async def show(self, make_app: "Callable[[], TerminalApp[R]]") -> R | None:
        """Run an app until it ends; return its result, None if the terminal is gone."""
        from tui.terminal.app import run_app  # noqa: PLC0415 - the terminal is queried before Textual is loaded

        return await run_app(make_app, self.terminal, owner=Unlimited(), budget=Unlimited())

    async def show_screen(self, screen: "DrawnScreen[R | None]") -> R | None:
        """Run an app with one screen; return the screen's result."""
        from tui.screens.base import SingleScreenApp  # noqa: PLC0415 - see `show`

        return await self.show(lambda: SingleScreenApp(screen))

    async def play(self, client_session: ClientSession, tutor: "Tutor | None" = None, leave_text: str = "") -> str:
        """Run a client until its player leaves; return the last message, if any.

        `tutor` gives a lesson; `leave_text` is the `leave_text` of `BoneyardApp`.
        """
        from net.host.reviewing import Coach  # noqa: PLC0415 - see `show`
        from tui.app import BoneyardApp  # noqa: PLC0415
        from tui.run.settings import remember_bell, remembered_bell  # noqa: PLC0415
        from tui.text.notices import Bell  # noqa: PLC0415

        def make_app() -> BoneyardApp:
            app = BoneyardApp(
                client_session.client,
                self.look,
                table_request=client_session.table_request,
                name=client_session.name,
                converse=client_session.converse,
                thinkers=client_session.thinkers,
                review_worker=Coach(client_session.thinkers.workers).compute,
                on_look_changed=self.use_look,
                is_match_kept=client_session.saver.can_resume,
                tutor=tutor,
                terminal=self.terminal.name,
                bell=Bell(remembered_bell(), remember_bell),
                leave_text=leave_text,
                records=client_session.records,
            )
            client_session.saver.set_output(app.tell)
            return app

        try:
            return await self.show(make_app) or ""
        finally:  # before a signal kills the process
            client_session.client.goodbye()  # so that the bot does not wait for a player who wants to leave
            await client_session.saver.close()


@asynccontextmanager
async def local_session(
    look: Look,
    on_look_changed: Callable[[Look], None] | None = None,
    *,
    pictures: bool = True,
    handles_signals: bool = True,
) -> AsyncIterator[LocalSession]:
    """Open the terminal of this process for a session, and restore it at the end.

    First query the terminal, with `pictures` also for images, and fit `look` to its answers. `on_look_changed` is
    called with newly chosen colours. Signals end the session and then kill the process, unless the caller handles
    them itself (`handles_signals` is False). Raises OSError if there is no terminal.
    """
    pictures = pictures and can_paint()
    terminal = LocalTerminal(Device(), ascii=look.ascii, pictures=pictures)
    signals = SignalExit(terminal.end, give_back=terminal.give_back_now)
    with signals if handles_signals else nullcontext(), _buffer_output(), terminal.take_over():
        query = asyncio.create_task(terminal.ask(QUERY_TIMEOUT, pictures=pictures))
        await asyncio.sleep(0)  # sends the query before the screens are imported
        import tui.app  # noqa: F401, PLC0415

        await query
        fitted_look = look_for_terminal(
            terminal.name, terminal.env, look.name, ascii=terminal.ascii, cell=terminal.cell, moves=look.moves
        )
        yield LocalSession(terminal, fitted_look, on_look_changed, signals.release)


@contextmanager
def _buffer_output() -> Iterator[None]:
    """Buffer what is printed while the full screen is open, and print it afterwards."""
    out, err = StringIO(), StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            yield
    finally:
        for stream, buffer in ((sys.stdout, out), (sys.stderr, err)):
            stream.write(buffer.getvalue())
            stream.flush()
