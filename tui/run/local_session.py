"""A session on the terminal of this process: one app after the other, on one full screen from start to end."""

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
from tui.run.exiting import SignalExit
from tui.solo import ClientSession
from tui.terminal.local import ANSWERS_WITHIN, Device, LocalTerminal

if TYPE_CHECKING:
    from tui.lessons import Tutor
    from tui.screens.base import DrawnScreen
    from tui.terminal.app import TerminalApp

R = TypeVar("R")


class LocalSession:
    """Shows apps on the local terminal."""

    def __init__(
        self,
        terminal: LocalTerminal,
        look: Look,
        looked: Callable[[Look], None] | None,
        signals_released: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.terminal = terminal
        self.signals_released = signals_released
        """Leaves the signals to a block, such as a host that is run in the session."""
        self.look = look
        """The look of the app that is opened next."""
        self._looked = looked

    def take_look(self, look: Look) -> None:
        """Show what is opened from now on in these colours, as the player has chosen."""
        self.look = look
        if self._looked is not None:
            self._looked(look)

    async def show(self, make_app: "Callable[[], TerminalApp[R]]") -> R | None:
        """Show an app until it ends; return its result, None if the terminal has gone."""
        from tui.terminal.app import run_app  # noqa: PLC0415 - the terminal is asked before Textual is loaded

        return await run_app(make_app, self.terminal, owner=Unlimited(), budget=Unlimited())

    async def show_screen(self, screen: "DrawnScreen[R | None]") -> R | None:
        """Show one screen; return the value with which it is dismissed."""
        from tui.screens.base import SingleScreenApp  # noqa: PLC0415 - see `show`

        return await self.show(lambda: SingleScreenApp(screen))

    async def play(self, visit: ClientSession, tutor: "Tutor | None" = None, leaves: str = "") -> str:
        """Show a client until its player leaves; return the last word, if any.

        A `tutor` explains what happens; `leaves` is as of `BoneyardApp`.
        """
        from net.host.reviewing import Coach  # noqa: PLC0415 - see `show`
        from tui.app import BoneyardApp  # noqa: PLC0415
        from tui.run.settings import bell_wanted, remember_bell  # noqa: PLC0415
        from tui.text.notices import Bell  # noqa: PLC0415

        def make_app() -> BoneyardApp:
            app = BoneyardApp(
                visit.client,
                self.look,
                wish=visit.wish,
                name=visit.name,
                converse=visit.converse,
                thinkers=visit.thinkers,
                review_worker=Coach(visit.thinkers.workers).find,
                on_look_changed=self.take_look,
                keeps=visit.keeping.can_resume,
                tutor=tutor,
                terminal=self.terminal.name,
                bell=Bell(bell_wanted(), remember_bell),
                leave_text=leaves,
                records=visit.records,
            )
            visit.keeping.set_output(app.tell)
            return app

        try:
            return await self.show(make_app) or ""
        finally:  # before a signal has its way
            visit.client.goodbye()  # the bot need not wait for a player who wants to leave
            await visit.keeping.close()


@asynccontextmanager
async def local_session(
    look: Look,
    looked: Callable[[Look], None] | None = None,
    *,
    pictures: bool = True,
    heeds_signals: bool = True,
) -> AsyncIterator[LocalSession]:
    """Open the terminal of this process for a session, and give it back at the end.

    It is first asked for what it shows, with `pictures` also whether it shows them; `look` is fitted to its answers.
    `looked` is told when the player has chosen other colours. Signals end the session and then kill the process,
    unless whoever opens it `heeds_signals` themselves. Raises OSError if there is no terminal.
    """
    terminal = LocalTerminal(Device(), ascii=look.ascii, pictures=pictures)
    signals = SignalExit(terminal.end, give_back=terminal.give_back_now)
    with signals if heeds_signals else nullcontext(), _kept_output(), terminal.opened():
        asking = asyncio.create_task(terminal.ask(ANSWERS_WITHIN, pictures=pictures))
        await asyncio.sleep(0)  # the question is on its way while the screens are loaded
        import tui.app  # noqa: F401, PLC0415

        await asking
        fitted = look_for_terminal(
            terminal.name, terminal.env, look.name, ascii=terminal.ascii, cell=terminal.cell, moves=look.moves
        )
        yield LocalSession(terminal, fitted, looked, signals.released)


@contextmanager
def _kept_output() -> Iterator[None]:
    """Keep what is printed while the full screen is shown, and print it afterwards."""
    out, err = StringIO(), StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            yield
    finally:
        for stream, kept in ((sys.stdout, out), (sys.stderr, err)):
            stream.write(kept.getvalue())
            stream.flush()
