"""Guests for a benchmark: SSH clients in this process, each with a terminal, that type and read the answers."""

import asyncio
import contextlib
import re
import time
from codecs import getincrementaldecoder
from collections.abc import Mapping
from typing import Any

import asyncssh
from asyncssh.constants import MSG_IGNORE

_TOKEN = re.compile(
    r"\x1b\[(?P<row>\d*)(?:;(?P<column>\d*))?H"
    r"|\x1b\[(?P<right>\d+)C"
    r"|(?P<wiped>\x1b\[2?J)"
    r"|(?P<other>\x1b(?:\[[ -?]*[@-~]|[PX^_\]][^\x1b\x07]*(?:\x1b\\|\x07)|[^\[PX^_\]]))"
    r"|(?P<move>[\r\n])|(?P<bell>\x07)"
    r"|(?P<text>[^\x07\x1b\r\n]+)"
)


class Screen:
    """The rows of a terminal. All letters count as one cell wide, as those of a table are."""

    def __init__(self, width: int, height: int) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._width = width
        self._rows = [" " * width] * height
        self._x = self._y = 0
        self._unread = ""
        """The beginning of a sequence of which the rest has not come."""

    @property
    def text(self) -> str:
        """All rows."""
        return "\n".join(self._rows)

    def feed(self, data: bytes) -> None:
        """Process output of the host."""
        text, at = self._unread + self._decoder.decode(data), 0
        while token := _TOKEN.match(text, at):
            at = token.end()
            match token.lastgroup:
                case "row" | "column":
                    self._y, self._x = int(token["row"] or 1) - 1, int(token["column"] or 1) - 1
                case "right":
                    self._x += int(token["right"])
                case "wiped":
                    self._rows = [" " * self._width] * len(self._rows)
                case "move" if token[0] == "\r":
                    self._x = 0
                case "move":
                    self._y += 1
                case "text":
                    self._write(token["text"])
        self._unread = text[at:]

    def _write(self, text: str) -> None:
        if self._y < len(self._rows):
            row = self._rows[self._y]
            self._rows[self._y] = (row[: self._x] + text + row[self._x + len(text) :])[: self._width]
        self._x += len(text)


RIGHT, DOWN, ENTER = b"\x1b[C", b"\x1b[B", b"\r"
_TIMEOUT = 5.0
_KEY_INTERVAL = 0.06
_SETTLE_TIME = 0.2
_QUIET_TIME = 0.1
_ENTER = re.compile(r"Enter:? (\w+?)s?\b")
_TURN = re.compile(r"▶ *(guest[0-9]+)")
"""The name that the head of the table marks as on turn."""
_TERMINAL_QUERY = b"\x1b[c"
"""The end of the query that a host sends to a terminal without COLORTERM; every terminal answers it at once."""


async def log_in(name: str, **connect_options: Any) -> asyncssh.SSHClientConnection:
    """Log in without a key; `connect_options` are the rest of asyncssh's arguments."""
    connection = await asyncssh.connect(
        username=name,
        known_hosts=None,
        config=None,
        client_keys=None,
        agent_path=None,
        preferred_auth=["keyboard-interactive"],
        client_factory=Anonymous,
        **connect_options,
    )
    omit_empty_packets(connection)
    return connection


class BenchGuest(asyncssh.SSHClientSession[bytes]):
    """A guest: a connection, a terminal, and the state that its screen shows."""

    def __init__(
        self,
        *,
        terminal: str = "xterm-256color",
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
        answer: bytes = b"\x1b[?62c",
        timeout: float = _TIMEOUT,
    ) -> None:
        """`answer` is the terminal's reply to the query for its device attributes."""
        self._terminal, self._size, self._terminal_answer, self._timeout = terminal, size, answer, timeout
        self._env = dict(env or {})
        self._screen = Screen(*size)
        self.on_turn = False
        self.can_choose = False
        self.over = False
        """True while the screen shows the result of a round or of a match."""
        self.ready = False
        """True while the guest waits for others to continue after a result."""
        self.enter = ""
        """The effect of Enter now, by the first word of the sentence: `play`, `pass`; empty if there is none."""
        self.bytes = 0
        self.lost = False
        """True once the host has closed the connection."""
        self._received = asyncio.Event()
        self._pressed_at = 0.0
        self._answer: asyncio.Future[float] | None = None
        self._turn = ""
        """The player on turn, according to this screen."""
        self._waits_for_turn = False
        """True if only another turn, or a result, counts as the answer."""
        self.name: str
        self._connection: asyncssh.SSHClientConnection
        self._channel: asyncssh.SSHClientChannel[bytes]

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        """Store the channel."""
        self._channel = chan

    def connection_lost(self, _exc: Exception | None) -> None:
        """Record that the connection is lost."""
        self.lost = True

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        """Record the time, then read the screen as a player would."""
        now = time.perf_counter()
        self.bytes += len(data)
        if _TERMINAL_QUERY in data:
            self._channel.write(self._terminal_answer)
        self._screen.feed(data)
        text = self._screen.text
        turn_mark, enter_word = _TURN.search(text), _ENTER.search(text)
        turn, self.enter = turn_mark[1] if turn_mark else "", enter_word[1] if enter_word else ""
        self.over = " is over" in text
        self.ready = self.over and "Waiting for" in text
        # the short form, if a sentence needs the room
        is_asked = "your turn" in text or text.rpartition("\n")[2].startswith(" ▶")
        self.on_turn = is_asked and not self.over
        self.can_choose = self.on_turn and "Nothing fits" not in text
        has_moved, self._turn = turn != self._turn or self.over, turn
        if self._answer is not None and not self._answer.done() and (has_moved or not self._waits_for_turn):
            self._answer.set_result(now - self._pressed_at)
        self._received.set()

    async def come(self, port: int, name: str, address: str = "127.0.0.1") -> tuple[float, float]:
        """Connect from one of this machine's addresses; a host limits the guests of each address.

        Returns the seconds to the first paint, from the first packet and from the session's opening.
        """
        self.name = name
        start = time.perf_counter()
        self._connection = await log_in(name, host="127.0.0.1", port=port, local_addr=(address, 0))
        opened = time.perf_counter()
        await self._connection.create_session(
            lambda: self, term_type=self._terminal, term_size=self._size, encoding=None, env=self._env
        )
        await self.wait_for_text("BONEYARD")
        painted = time.perf_counter()
        return painted - start, painted - opened

    async def wait_for_text(self, word: str) -> None:
        """Wait until the screen shows a word."""
        try:
            async with asyncio.timeout(self._timeout):
                while word not in self._screen.text:
                    self._received.clear()
                    await self._received.wait()
        except TimeoutError:
            raise TimeoutError(f"“{word}” never came, but:\n{self._screen.text}") from None

    async def press_until(self, key: bytes, word: str) -> None:
        """Press a key and wait until the screen shows a word."""
        self._channel.write(key)
        await self.wait_for_text(word)

    async def type_keys(self, *keys: bytes) -> None:
        """Type keys like a quick person, each after the answer to the one before."""
        for key in keys:
            self._channel.write(key)
            await asyncio.sleep(_KEY_INTERVAL)
        await asyncio.sleep(_SETTLE_TIME)

    async def sit_down(self, opener: str) -> None:
        """Sit down at the table of `opener`, which must be the only one with free seats."""
        await self.press_until(b"f", f"▶ {opener}'s table")
        await self.press_until(ENTER, "BONEYARD  Block")

    async def open_table(self, seats: int) -> None:
        """Open a table of Block."""
        await self.press_until(b"n", "a new table")
        await self.press_until(RIGHT, "◀ Block ▶")
        await self.press_until(DOWN, "◀ 2 players ▶")
        for players in range(3, seats + 1):
            await self.press_until(RIGHT, f"◀ {players} players ▶")
        await self.press_until(ENTER, "BONEYARD  Block")

    async def press(self, key: bytes, *, turn: bool = False) -> float:
        """Press a key; return the seconds from its being written to the first byte that comes back.

        With `turn`, to the first packet that shows another turn, or a result.
        """
        answer = self.expect_answer(turn=turn)
        self._channel.write(key)
        async with asyncio.timeout(_TIMEOUT):
            return await answer

    async def wait_until_quiet(self) -> None:
        """Wait until the output stops: the effect of a key is painted by then."""
        with contextlib.suppress(TimeoutError):
            while True:
                self._received.clear()
                async with asyncio.timeout(_QUIET_TIME):
                    await self._received.wait()

    def expect_answer(self, *, turn: bool = False) -> asyncio.Future[float]:
        """Return a future of the seconds from now to the first byte, or with `turn` to another turn."""
        self._waits_for_turn = turn
        self._answer = asyncio.get_running_loop().create_future()
        self._received.clear()
        self._pressed_at = time.perf_counter()
        return self._answer

    def go(self) -> None:
        """Hang up."""
        self._connection.abort()


def omit_empty_packets(connection: Any) -> None:
    """Leave out the empty packet before each full one: asyncssh sends it, OpenSSH does not."""
    send = connection.send_packet

    def send_packet(kind: int, *parts: bytes, handler: Any = None) -> None:
        if kind != MSG_IGNORE:
            send(kind, *parts, handler=handler)

    connection.send_packet = send_packet


class Anonymous(asyncssh.SSHClient):
    """Logs in without a key, by a dialogue without questions."""

    def kbdint_auth_requested(self) -> str:
        """Accept the dialogue."""
        return ""

    def kbdint_challenge_received(self, *_: object) -> list[str]:
        """Answer nothing."""
        return []
