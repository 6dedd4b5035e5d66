"""Guests for a benchmark: SSH clients in this process, each with a terminal, that type and note what comes back."""

import asyncio
import contextlib
import re
import time
from typing import Any

import asyncssh
import pyte
from asyncssh.constants import MSG_IGNORE

RIGHT, DOWN, UP, ENTER = b"\x1b[C", b"\x1b[B", b"\x1b[A", b"\r"
_PATIENCE = 5.0
_BETWEEN_KEYS = 0.06
_SETTLED = 0.2
_QUIET = 0.1
_ENTER = re.compile(rb"Enter (\w+)")
_TURN = re.compile("▶(?:\x1b\\[[0-9;]*m| )*(guest[0-9]+)".encode())
"""The name that the head of the table marks as on turn."""
_TAIL = 200
"""Bytes kept of what came, so that words cut by a packet are still found."""
_ASKS_WHAT_IT_IS = b"\x1b[c"
"""The end of what a host asks a terminal without COLORTERM; every terminal answers it at once."""


async def log_in(name: str, **way: Any) -> asyncssh.SSHClientConnection:
    """Come in without a key; `way` is the rest of what asyncssh wants to know."""
    connection = await asyncssh.connect(
        username=name,
        known_hosts=None,
        config=None,
        client_keys=None,
        agent_path=None,
        preferred_auth=["keyboard-interactive"],
        client_factory=Anonymous,
        **way,
    )
    quiet(connection)
    return connection


class Guest(asyncssh.SSHClientSession[bytes]):
    """One guest: a connection, a terminal, and whether they are on turn and have tiles to choose from."""

    def __init__(
        self,
        *,
        shown: bool = False,
        terminal: str = "xterm-256color",
        size: tuple[int, int] = (80, 24),
        answer: bytes = b"\x1b[?62c",
    ) -> None:
        """With `shown`, it reads the whole screen and knows exactly what Enter does; else it uses the last text.

        The `answer` is what the terminal says of itself.
        """
        self._terminal, self._size, self._says = terminal, size, answer
        self._screen = pyte.Screen(80, 24) if shown else None
        self._unshown = b""
        self.on_turn = False
        self.chooses = False
        self.over = False
        """Whether the screen shows the result of a round or of a match."""
        self._enter = b""
        self.bytes = 0
        self.lost = False
        """Whether the host closed the connection."""
        self._tail = b""
        self._news = asyncio.Event()
        self._asked = 0.0
        self._answer: asyncio.Future[float] | None = None
        self._turn = b""
        """Who is on turn, according to this screen."""
        self._of_turn = False
        """Whether only what shows another turn, or a result, is the answer."""
        self._connection: asyncssh.SSHClientConnection
        self._channel: asyncssh.SSHClientChannel[bytes]

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        """Take the channel."""
        self._channel = chan

    def connection_lost(self, _exc: Exception | None) -> None:
        """Note the channel."""
        self.lost = True

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        """Note the time, then read as much as a player would."""
        now = time.perf_counter()
        self.bytes += len(data)
        if _ASKS_WHAT_IT_IS in data:
            self._channel.write(self._says)
        seen = self._tail + data
        turns, is_over = _TURN.findall(seen), b" is over" in seen
        moved = is_over or bool(turns and turns[-1] != self._turn)
        self._turn = b"" if is_over else turns[-1] if turns else self._turn
        answers = self._answer is not None and not self._answer.done() and (moved or not self._of_turn)
        if self._answer is not None and answers:
            self._answer.set_result(now - self._asked)
        yours, others = seen.rfind(b"your turn"), seen.rfind(b"is to play")
        if yours != others:
            self.on_turn = yours > others
            self.chooses = self.on_turn and b"Nothing fits" not in seen[yours:]
        if yours != others or is_over:
            self.over = seen.rfind(b" is over") > max(yours, others)
            self.on_turn = self.on_turn and not self.over
        if found := _ENTER.search(data):
            self._enter = found[1]
        self._tail = b"" if turns or is_over or yours != others else seen[-_TAIL:]
        self._seen = seen
        if self._screen:
            self._unshown += data
        self._news.set()

    @property
    def enter(self) -> bytes:
        """What Enter does now, by the first word of the sentence: `plays`, `passes`; empty for nothing."""
        if self._screen is None:
            return self._enter
        pyte.ByteStream(self._screen).feed(self._unshown)  # here, as it takes longer than what is measured
        self._unshown = b""
        found = _ENTER.search("\n".join(self._screen.display).encode())
        return found[1] if found else b""

    async def come(self, port: int, name: str, address: str = "127.0.0.1") -> tuple[float, float]:
        """Connect, from one of this machine's addresses, of which a host takes so many guests and no more.

        Returns the seconds to the first paint, from the first packet and from the session's opening.
        """
        start = time.perf_counter()
        self._connection = await log_in(name, host="127.0.0.1", port=port, local_addr=(address, 0))
        opened = time.perf_counter()
        await self._connection.create_session(
            lambda: self, term_type=self._terminal, term_size=self._size, encoding=None
        )
        await self.sees(b"BONEYARD")
        painted = time.perf_counter()
        return painted - start, painted - opened

    async def sees(self, word: bytes) -> None:
        """Wait until a packet with a word has come; call it before anything else happens."""
        async with asyncio.timeout(_PATIENCE):
            while True:
                await self._news.wait()
                self._news.clear()
                if word in self._seen:
                    return

    async def types(self, *keys: bytes) -> None:
        """Type keys like a quick person, each after the answer to the one before."""
        for key in keys:
            self._channel.write(key)
            await asyncio.sleep(_BETWEEN_KEYS)
        await asyncio.sleep(_SETTLED)

    async def press(self, key: bytes, *, turn: bool = False) -> float:
        """Press a key; return the seconds from its being written to the first byte that comes back.

        With `turn` that of the first packet that shows another turn, or a result.
        """
        answer = self.expects(turn=turn)
        self._enter = b""
        self._channel.write(key)
        async with asyncio.timeout(_PATIENCE):
            return await answer

    async def settles(self) -> None:
        """Wait until nothing more comes: what a key has changed is painted by then."""
        with contextlib.suppress(TimeoutError):
            while True:
                self._news.clear()
                async with asyncio.timeout(_QUIET):
                    await self._news.wait()

    def expects(self, *, turn: bool = False) -> asyncio.Future[float]:
        """Return what will be the seconds from now to the first byte that comes, or with `turn` to another turn."""
        self._of_turn = turn
        self._answer = asyncio.get_running_loop().create_future()
        self._news.clear()
        self._asked = time.perf_counter()
        return self._answer

    def go(self) -> None:
        """Hang up."""
        self._connection.abort()


def quiet(connection: Any) -> None:
    """Leave out the empty packet before each full one: asyncssh sends it, OpenSSH does not."""
    send = connection.send_packet

    def send_packet(kind: int, *parts: bytes, handler: Any = None) -> None:
        if kind != MSG_IGNORE:
            send(kind, *parts, handler=handler)

    connection.send_packet = send_packet


class Anonymous(asyncssh.SSHClient):
    """Comes in without a key, by a dialogue in which nothing is asked."""

    def kbdint_auth_requested(self) -> str:
        """Agree to it."""
        return ""

    def kbdint_challenge_received(self, *_: object) -> list[str]:
        """Answer nothing."""
        return []
