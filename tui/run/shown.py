"""Shows a client on this terminal: on screens, or in plain lines."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from net.client.client import Client
from net.host.thinkers import Thinkers
from net.wire.messages import Bye, MakeTable
from tui.draw.look import Look

Converse = Callable[[], Awaitable[Bye | None]]


class Show(Protocol):
    """Shows a client until its player leaves; returns the last word, if any."""

    def __call__(
        self, client: Client, converse: Converse, thinkers: Thinkers, *, wish: MakeTable | None = None, name: str = ""
    ) -> Awaitable[str]:
        """Show it; `converse` runs the client, a `wish` is the table to make at once, a `name` is not asked for."""


class Ending(Protocol):
    """What can be ended."""

    def exit(self) -> None:
        """End it soon."""


@contextmanager
def ended_in_order(shown: Ending, *others: int) -> Iterator[None]:
    """Let SIGTERM and SIGHUP end what is shown while the block runs: first the terminal is given back, then they
    kill. The `others` end it too, but do not kill.
    """
    loop = asyncio.get_running_loop()
    caught: list[int] = []

    def end(number: int) -> None:
        caught.append(number)
        shown.exit()

    numbers = (signal.SIGTERM, signal.SIGHUP, *others)
    for number in numbers:
        loop.add_signal_handler(number, end, number)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
        if caught and caught[0] not in others:
            signal.raise_signal(caught[0])


def on_screens(look: Look, looked: Callable[[Look], None] | None = None) -> Show:
    """Show it on full screens; `looked` is told when other colours were chosen."""

    async def show(
        client: Client, converse: Converse, thinkers: Thinkers, *, wish: MakeTable | None = None, name: str = ""
    ) -> str:
        from tui.app import BoneyardApp  # noqa: PLC0415 - plain lines need no Textual
        from tui.run.reviewing import Coach  # noqa: PLC0415
        from tui.run.terminal import at_home  # noqa: PLC0415

        find = Coach(thinkers.workers).find
        app = BoneyardApp(
            client, look, wish=wish, name=name, converse=converse, thinkers=thinkers, find=find, looked=looked
        )
        with ended_in_order(at_home(app)):
            last_word = await app.run_async() or ""
            client.goodbye()  # also after a signal: the bot need not wait for a player who wants to leave
        return last_word

    return show


def in_lines(*, ascii: bool) -> Show:
    """Show it in whole sentences, one in a line."""

    async def show(
        client: Client, converse: Converse, thinkers: Thinkers, *, wish: MakeTable | None = None, name: str = ""
    ) -> str:
        from tui.plain.conversation import Conversation  # noqa: PLC0415 - screens need no sentences
        from tui.plain.local import Printer, local_lines  # noqa: PLC0415
        from tui.plain.running import Runner  # noqa: PLC0415

        printer = Printer(ascii=ascii)
        talk = Conversation(client, printer.say, wish=wish, name=name, thinkers=thinkers)
        runner = Runner(talk, client, local_lines(), patient=not sys.stdin.isatty())
        printer.on_broken = runner.exit
        with ended_in_order(runner, signal.SIGINT):
            reason, lines = await runner.run(converse)
            client.goodbye()
        for line in lines:
            printer.say(line)
        return "" if printer.broken else reason

    return show
