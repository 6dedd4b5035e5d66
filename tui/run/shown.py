"""Shows a client on this terminal: on screens, or in plain lines."""

import asyncio
import os
import select
import signal
import sys
import termios
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Struct, field

from net.client.client import Client
from net.host.thinkers import Thinkers
from net.wire.messages import Bye, MakeTable, Sit
from tui.draw.look import Look

if TYPE_CHECKING:
    from textual.app import App

    from tui.lessons import Tutor

R = TypeVar("R")
ENDING = 1.5
"""Seconds after a signal in which everything is saved and everybody is told; what takes longer is given up."""
WATCHING = 0.5
"""Seconds between two looks whether the terminal is still there."""
Converse = Callable[[], Awaitable[Bye | None]]


class Keeping:
    """How a match alone is kept, for whoever shows it."""

    def __init__(self) -> None:
        self._untold: list[str] = []
        self._tell: Callable[[str], None] | None = None

    def keeps(self) -> bool:
        """Whether the match is kept when it is left now."""
        return False

    async def close(self) -> None:
        """Keep it as it is now; nothing is played any more."""

    def tell(self, sentence: str) -> None:
        """Tell the player something, as soon as somebody shows the match."""
        if self._tell:
            self._tell(sentence)
        else:
            self._untold.append(sentence)

    def told_by(self, tell: Callable[[str], None]) -> None:
        """Whoever shows the match tells the player from now on."""
        self._tell = tell
        while self._untold:
            tell(self._untold.pop(0))


class Visit(Struct, frozen=True):
    """A client that is shown to its player."""

    client: Client
    converse: Converse
    """Runs the client."""
    thinkers: Thinkers
    wish: MakeTable | Sit | None = None
    """The table to go to at once."""
    name: str = ""
    """The player's; if it is empty they are asked."""
    keeping: Keeping = field(default_factory=Keeping)
    records: Path | None = None
    """The folder for the player's records."""


Show = Callable[[Visit], Awaitable[str]]
"""Shows a client until its player leaves; returns the last word, if any."""


class Ending(Protocol):
    """What can be ended."""

    def exit(self) -> None:
        """End it soon."""


@contextmanager
def ended_in_order(shown: Ending, *others: int) -> Iterator[None]:
    """Let SIGTERM, SIGHUP and the end of the terminal end what is shown while the block runs: first the terminal is
    given back, then they kill, at the latest after `ENDING`. The `others` end it too, but do not kill.
    """
    loop = asyncio.get_running_loop()
    caught: list[int] = []
    before = _attributes()

    def end(number: int) -> None:
        caught.append(number)
        shown.exit()
        if number not in others and len(caught) == 1:
            late = threading.Timer(ENDING, _end_now, (number, before))
            late.daemon = True
            late.start()

    numbers = (signal.SIGTERM, signal.SIGHUP, *others)
    for number in numbers:
        loop.add_signal_handler(number, end, number)
    try:
        with watched_terminal(partial(end, signal.SIGHUP)):
            yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
        if caught and caught[0] not in others:
            signal.raise_signal(caught[0])


@contextmanager
def watched_terminal(gone: Callable[[], None]) -> Iterator[None]:
    """Call a function once if the window of the terminal is closed while the block runs.

    The system sends SIGHUP as well, but not to everybody, and it may be ignored.
    """
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None
    poll = select.poll()

    def watch() -> None:
        nonlocal timer
        if any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0)):
            gone()
        else:
            timer = loop.call_later(WATCHING, watch)

    if sys.stdin.isatty():
        poll.register(sys.stdin, 0)
        watch()
    try:
        yield
    finally:
        if timer:
            timer.cancel()


def _attributes() -> list[Any] | None:
    """How the terminal is set; None where there is none."""
    with suppress(termios.error, ValueError):
        return termios.tcgetattr(sys.stdin)
    return None


def _end_now(number: int, before: list[Any] | None) -> None:
    """End the process, whatever it still waits for, and give its terminal back if that was not done yet."""
    if before is not None and _attributes() != before:
        from tui.terminal.driver import LEAVE  # noqa: PLC0415 - a screen is shown, so that it is there

        with suppress(OSError, termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
            # The terminal may take nothing any more; only who opens it anew need not wait for it.
            terminal = os.open(os.ttyname(sys.stdin.fileno()), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
            os.write(terminal, f"\x1b[?1003l\x1b[?1015l\x1b[<u{LEAVE}".encode())
    os._exit(128 + number)  # as shells know it


async def shown_here(app: "App[R]") -> R | None:
    """Show an app at the terminal here until it ends; return its result."""
    from tui.run.home_driver import at_home  # noqa: PLC0415 - plain lines need no Textual

    with ended_in_order(at_home(app)):
        return await app.run_async()


def on_screens(
    look: Look,
    looked: Callable[[Look], None] | None = None,
    tutor: "Tutor | None" = None,
    *,
    pictures: bool = False,
    leaves: str = "",
) -> Show:
    """Show it on full screens; `looked` is told when other colours were chosen. A `tutor` explains what happens.

    The terminal is first asked what it can show, with `pictures` also whether it shows them.
    `leaves` is as of `BoneyardApp`.
    """

    async def show(visit: Visit) -> str:
        from tui.app import BoneyardApp  # noqa: PLC0415 - plain lines need no Textual
        from tui.run.home_driver import at_home  # noqa: PLC0415
        from tui.run.reviewing import Coach  # noqa: PLC0415
        from tui.run.settings import bell_wanted, remember_bell  # noqa: PLC0415
        from tui.run.terminal import look_here  # noqa: PLC0415
        from tui.text.notices import Bell  # noqa: PLC0415

        app = BoneyardApp(
            visit.client,
            look_here(look, pictures=pictures),
            wish=visit.wish,
            name=visit.name,
            converse=visit.converse,
            thinkers=visit.thinkers,
            find=Coach(visit.thinkers.workers).find,
            looked=looked,
            keeps=visit.keeping.keeps,
            tutor=tutor,
            terminal=os.environ.get("TERM", ""),
            bell=Bell(bell_wanted(), remember_bell),
            leaves=leaves,
            records=visit.records,
        )
        visit.keeping.told_by(app.tell)
        with ended_in_order(at_home(app)):
            try:
                last_word = await app.run_async() or ""
            finally:  # before a signal has its way
                visit.client.goodbye()  # the bot need not wait for a player who wants to leave
                await visit.keeping.close()
        return last_word

    return show


def in_lines(*, ascii: bool, tutor: "Tutor | None" = None) -> Show:
    """Show it in whole sentences, one in a line. A `tutor` explains what happens."""

    async def show(visit: Visit) -> str:
        from tui.plain.conversation import Conversation  # noqa: PLC0415 - screens need no sentences
        from tui.plain.local import Printer, local_lines  # noqa: PLC0415
        from tui.plain.running import Runner  # noqa: PLC0415

        printer = Printer(ascii=ascii)
        talk = Conversation(
            visit.client,
            printer.say,
            wish=visit.wish,
            name=visit.name,
            thinkers=visit.thinkers,
            keeps=visit.keeping.keeps,
            tutor=tutor,
        )
        visit.keeping.told_by(printer.say)
        runner = Runner(talk, visit.client, local_lines(), patient=not sys.stdin.isatty())
        printer.on_broken = runner.exit
        with ended_in_order(runner, signal.SIGINT):
            try:
                reason, lines = await runner.run(visit.converse)
            finally:  # before a signal has its way
                visit.client.goodbye()
                await visit.keeping.close()
        for line in lines:
            printer.say(line)
        return "" if printer.broken else reason

    return show
