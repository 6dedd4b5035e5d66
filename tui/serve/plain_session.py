"""Plain text on a guest's terminal: sentences instead of screens, for a guest who has only `ssh`."""

import asyncio
import secrets
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import NamedTuple

from net.client.client import Client
from net.doors.terminal import Terminal
from net.host.guest_server import CLOSED, GuestServer, InProcessGuest, ScheduledLink
from net.host.presence import Visitor
from net.limits import LINES_AT_ONCE, LINES_PER_SECOND, LINES_WAITING, MAX_LINE
from net.loop import LoopScheduler
from net.scheduler import Bucket, Outcome, Piece, Work, new_owner
from net.wire.messages import MakeTable, Sit, Watch
from tui.board.canvas import columns, plain, printable
from tui.i18n import translate
from tui.plain.conversation import Conversation
from tui.plain.runner import Runner
from tui.streams import TYPED

_ERASE_COLUMN = "\b \b"


class Input(NamedTuple):
    """Effect of some bytes on a `LineEditor`."""

    lines: list[str]
    """Lines completed by them."""
    echo: str
    """Text to write back."""
    has_ended: bool = False
    """True once the input has ended."""


class LineEditor:
    """Editing of a line with Enter, Backspace, Ctrl-U, Ctrl-C and Ctrl-D; other keys without a character do
    nothing.
    """

    def __init__(self, *, is_typed: bool, utf8: bool = True) -> None:
        """`is_typed`: a person types on a terminal in raw mode; otherwise lines are taken as they are."""
        self._is_typed = is_typed
        self._decoder = getincrementaldecoder("utf-8" if utf8 else "latin-1")(TYPED)
        self._line: list[str] = []
        self._escape = ""
        self._after_return = False

    @property
    def has_open_line(self) -> bool:
        """True while an incomplete line is on the terminal."""
        return self._is_typed and bool(self._line)

    def feed(self, data: bytes) -> Input:
        """Decode bytes of the terminal; return the lines that they complete, and their echo."""
        lines: list[str] = []
        echo: list[str] = []
        for char in self._decoder.decode(data):
            if char in "\x03\x04" and self._is_end(char):
                if self._line and not self._is_typed:  # the last line of a pipe needs no line end
                    lines.append(self._take_line())
                return Input(lines, "".join([*echo, "\r\n"]) if self._is_typed else "", has_ended=True)
            if self._escape:
                self._escape = _open_sequence(self._escape + char)
            elif char == "\x1b":
                self._escape = char
            elif char in "\r\n":
                if char == "\r" or not self._after_return:
                    lines.append(self._take_line())
                    echo.append("\r\n")
            else:
                echo.append(self._add_character(char))
            self._after_return = char == "\r"
        return Input(lines, "".join(echo) if self._is_typed else "")

    def _is_end(self, char: str) -> bool:
        """Return True if a control character ends the input; Ctrl-D does so only on an empty line."""
        return not (self._is_typed and char == "\x04" and self._line)

    def _take_line(self) -> str:
        line = "".join(self._line)
        self._line.clear()
        return line

    def _add_character(self, char: str) -> str:
        """Add a character to the line; return its echo."""
        if char in "\x7f\b":
            return self._erase(1)
        if char == "\x15":
            return self._erase(len(self._line))
        if char == "\t":
            char = " "
        if not char.isprintable() or len(self._line) >= MAX_LINE:
            return ""
        self._line.append(char)
        return char

    def _erase(self, count: int) -> str:
        erased = [self._line.pop() for _ in range(min(count, len(self._line)))]
        return _ERASE_COLUMN * columns("".join(reversed(erased)))


def _open_sequence(sequence: str) -> str:
    """Return the incomplete escape sequence of a key; empty once it is complete."""
    if len(sequence) == 2:
        return sequence if sequence[1] in "[O" else ""
    return "" if "@" <= sequence[-1] <= "~" or len(sequence) > 32 else sequence


SLOW_LINE = 2.0
"""Cost of a line, in keys."""
PORTION_BYTES = 256
"""Bytes read in one turn, which cost as much as one key."""


class TerminalLines:
    """Lines that a guest types, read in the turns of their session, and sentences written to the guest."""

    def __init__(self, terminal: Terminal, scheduler: LoopScheduler, owner: Bucket) -> None:
        self._terminal, self._scheduler, self._owner = terminal, scheduler, owner
        self.on_ended: Callable[[], None] | None = None
        """Called when the terminal is closed or asked to leave."""
        self._editor = LineEditor(is_typed=terminal.pty, utf8=terminal.utf8)
        self._lines: deque[str] = deque()
        self._unread_bytes = b""
        self._read_piece = Piece(Work.KEY, owner, self._read_portion)
        self._has_ended = False
        self._bucket = Bucket(LINES_PER_SECOND, LINES_AT_ONCE)
        self._wake_up = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def say(self, sentence: str) -> None:
        """Write a sentence on a line of its own."""
        end = "\r\n" if self._terminal.pty else "\n"
        line_break = end if self._editor.has_open_line else ""
        self._terminal.write(line_break + plain(printable(sentence), not self._terminal.utf8) + end)

    # Called by the terminal.

    def on_data(self, data: bytes) -> None:
        """Buffer typed bytes until this session's turn."""
        self._unread_bytes += data
        self._schedule()

    def _schedule(self) -> None:
        """Request a turn if input can be read; stop reading from the terminal while too much is buffered."""
        if self._may_read and not self._scheduler.is_waiting(self._read_piece):
            self._scheduler.submit(self._read_piece)
        self._terminal.hold_back(len(self._unread_bytes), PORTION_BYTES)

    @property
    def _may_read(self) -> bool:
        return bool(self._unread_bytes) and len(self._lines) <= LINES_WAITING and not self._has_ended

    def _read_portion(self) -> Outcome:
        """Read a portion of the input, and write the echo."""
        if not self._may_read:
            return Outcome.GONE
        portion, self._unread_bytes = self._unread_bytes[:PORTION_BYTES], self._unread_bytes[PORTION_BYTES:]
        self._owner.spend(1, self._loop.time())
        result = self._editor.feed(portion)
        self._lines.extend(result.lines)
        self._has_ended = result.has_ended
        if self._has_ended:
            self._unread_bytes = b""
        if result.echo and self._terminal.echo and not self._terminal.paused:
            self._terminal.write(result.echo)
        self._schedule()
        self._wake_up.set()
        return Outcome.MORE if self._may_read else Outcome.DONE

    def on_resize(self, _columns: int, _rows: int) -> None:
        """Do nothing: plain text has no size."""

    def on_pause(self) -> None:
        """Do nothing: `__anext__` waits while output is blocked."""

    def on_resume(self) -> None:
        """Let `__anext__` continue."""
        self._wake_up.set()

    def on_end(self) -> None:
        """Drop all input, and end the session."""
        self._has_ended = True
        self._unread_bytes = b""
        self._lines.clear()
        self._schedule()
        self._wake_up.set()
        if self.on_ended:
            self.on_ended()

    def on_stop(self) -> None:
        """Do nothing: a guest's terminal is never stopped."""

    on_continue = on_stop

    def close(self) -> None:
        """Detach from the terminal, and cancel the requested turn."""
        self._terminal.detach()
        self._scheduler.cancel(self._read_piece)
        self._read_piece.close()
        self.on_ended = None

    # Called by the conversation.

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        """Return the next line, no faster than `LINES_PER_SECOND` after a burst. Raises StopAsyncIteration at the
        end.
        """
        while self._terminal.paused or not self._lines:
            if self._has_ended and not self._lines:
                raise StopAsyncIteration
            self._wake_up.clear()
            await self._wake_up.wait()
        if self._bucket.is_empty(self._loop.time()):
            await asyncio.sleep(1 / LINES_PER_SECOND)
        self._bucket.spend(1, self._loop.time())
        await self._scheduler.wait_for_turn(Work.KEY, self._owner)
        self._owner.spend(SLOW_LINE, self._loop.time())
        if not self._lines:  # the terminal was closed meanwhile
            raise StopAsyncIteration
        line = self._lines.popleft()
        self._schedule()
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
    target: MakeTable | Sit | Watch | None = None,
) -> None:
    """Converse with a guest until they leave, through an ordinary client on a link in memory.

    `target`: table that the guest joins as soon as they have a name.
    """
    owner = new_owner()
    lines = TerminalLines(terminal, scheduler, owner)
    async with InProcessGuest(server, visitor, lambda link: ScheduledLink(link, scheduler, owner)) as guest:
        client = Client(guest.link, software, entropy=secrets.token_bytes)
        client.port, client.places, client.destination = port, places, target
        conversation = Conversation(client, lines.say, thinkers=server.thinkers)
        runner = Runner(conversation, client, lines, piped=not terminal.pty)
        lines.on_ended = runner.exit
        terminal.attach(lines)
        reason, last_lines = await runner.run(partial(guest.converse, client))
    for line in [reason or (translate(CLOSED) if server.closed else ""), *last_lines]:
        if line:
            lines.say(line)
    lines.close()
