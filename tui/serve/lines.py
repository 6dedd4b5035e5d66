"""Plain lines on a guest's terminal: whole sentences for those who have only ssh."""

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial

from net.client.client import Client
from net.client.in_process import InProcess, LinkInTurns
from net.doors.terminal import Terminal
from net.host.guest_server import CLOSED, GuestServer
from net.host.presence import Visitor
from net.limits import LINES_AT_ONCE, LINES_PER_SECOND, LINES_WAITING
from net.loop import LoopScheduler
from net.scheduler import Bucket, Work, new_owner
from net.wire.messages import MakeTable, Sit, Watch
from tui.board.canvas import plain, printable
from tui.i18n import spoken
from tui.plain.conversation import Conversation
from tui.plain.editor import LineEditor
from tui.plain.running import Runner

SLOW_LINE = 2.0
"""A line costs as much as so many keys."""


class TerminalLines:
    """The lines that a guest types, each in its turn, and the sentences that they read."""

    def __init__(self, terminal: Terminal, scheduler: LoopScheduler, owner: Bucket) -> None:
        self._terminal, self._scheduler, self._owner = terminal, scheduler, owner
        self.ended: Callable[[], None] | None = None
        """What to do when the terminal is gone, or asked to leave."""
        self._editor = LineEditor(typed=terminal.pty, utf8=terminal.utf8)
        self._lines: deque[str] = deque()
        self._over = False
        self._bucket = Bucket(LINES_PER_SECOND, LINES_AT_ONCE)
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._held = False

    def say(self, sentence: str) -> None:
        """Write a sentence in a line of its own."""
        end = "\r\n" if self._terminal.pty else "\n"
        begun = end if self._editor.begun else ""
        self._terminal.write(begun + plain(printable(sentence), not self._terminal.utf8) + end)

    # What the terminal tells.

    def on_data(self, data: bytes) -> None:
        """Take what was typed."""
        if self._over:
            return
        typed = self._editor.feed(data)
        self._lines.extend(typed.lines)
        self._over = typed.over
        if typed.echo and self._terminal.echo and not self._terminal.paused:
            self._terminal.write(typed.echo)
        if len(self._lines) > LINES_WAITING and not self._held:
            self._held = True
            self._terminal.pause_reading()
        self._news.set()

    def on_resize(self, _columns: int, _rows: int) -> None:
        """A line has no size."""

    def on_pause(self) -> None:
        """Nothing is read while nothing can be written: see `__anext__`."""

    def on_resume(self) -> None:
        """Go on."""
        self._news.set()

    def on_end(self) -> None:
        """Stop now."""
        self._over = True
        self._lines.clear()
        self._news.set()
        if self.ended:
            self.ended()

    # What the conversation reads.

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        """Return the next line, no faster than a session may type."""
        while self._terminal.paused or not self._lines:
            if self._over and not self._lines:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        if self._bucket.empty(self._loop.time()):
            await asyncio.sleep(1 / LINES_PER_SECOND)
        self._bucket.spend(1, self._loop.time())
        await self._scheduler.come(Work.KEY, self._owner)
        self._owner.spend(SLOW_LINE, self._loop.time())
        if not self._lines:  # the terminal has gone meanwhile
            raise StopAsyncIteration
        line = self._lines.popleft()
        if self._held and len(self._lines) <= LINES_WAITING // 2:
            self._held = False
            self._terminal.resume_reading()
        return line


async def serve_lines(
    server: GuestServer,
    visitor: Visitor,
    terminal: Terminal,
    *,
    software: str,
    port: int,
    places: tuple[tuple[str, int], ...],
    scheduler: LoopScheduler,
    goes_to: MakeTable | Sit | Watch | None = None,
) -> None:
    """Converse with a guest until they leave: a client like any other, on a link in memory.

    One who `goes_to` a table does so as soon as they have a name.
    """
    owner = new_owner()
    lines = TerminalLines(terminal, scheduler, owner)
    async with InProcess(server, visitor, lambda link: LinkInTurns(link, scheduler, owner)) as here:
        client = Client(here.link, software, entropy=secrets.token_bytes)
        client.port, client.places, client.goes_to = port, places, goes_to
        talk = Conversation(client, lines.say, thinkers=server.thinkers)
        runner = Runner(talk, client, lines, patient=not terminal.pty)
        lines.ended = runner.exit
        terminal.attach(lines)
        reason, more = await runner.run(partial(here.converse, client))
    for line in [reason or (spoken(CLOSED) if server.closed else ""), *more]:
        if line:
            lines.say(line)
    terminal.detach()
