"""Guests for a benchmark: SSH clients in this process, each with a terminal, who type and note what comes back."""

import asyncio
import re
import time
from typing import Any

import asyncssh
from asyncssh.constants import MSG_IGNORE

RIGHT, DOWN, UP, ENTER = b"\x1b[C", b"\x1b[B", b"\x1b[A", b"\r"
_PATIENCE = 5.0
_BETWEEN_KEYS = 0.06
_SETTLED = 0.2
_ENTER = re.compile(rb"Enter (\w+)")
_TAIL = 200
"""Bytes kept of what came, so that words cut by a packet are still found."""


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
    """One guest: a connection, a terminal of 80×24, and whether he is on turn, and has tiles to choose from."""

    def __init__(self) -> None:
        self.on_turn = False
        self.chooses = False
        self.over = False
        """Whether he looks at the result of a round or of a match."""
        self.enter = b""
        """What Enter does now, as the first word of the sentence has it: `plays`, `passes`; empty when nothing."""
        self.bytes = 0
        self.lost = False
        """Whether the host hung up on him."""
        self._tail = b""
        self._news = asyncio.Event()
        self._asked = 0.0
        self._answer: asyncio.Future[float] | None = None
        self._connection: asyncssh.SSHClientConnection
        self._channel: asyncssh.SSHClientChannel[bytes]

    def connection_lost(self, _exc: Exception | None) -> None:
        """Take note of it."""
        self.lost = True

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        """Note the time, then read as much as a player would."""
        now = time.perf_counter()
        answers = self._answer is not None and not self._answer.done()
        if self._answer is not None and answers:
            self._answer.set_result(now - self._asked)
        self.bytes += len(data)
        seen = self._tail + data
        yours, others = seen.rfind(b"your turn"), seen.rfind(b"is to play")
        if yours != others:
            self.on_turn = yours > others
            self.chooses = self.on_turn and b"Nothing fits" not in seen[yours:]
        if yours != others or b" is over" in seen:
            self.over = seen.rfind(b" is over") > max(yours, others)
            self.on_turn = self.on_turn and not self.over
        if found := _ENTER.search(data):
            self.enter = found[1]
        elif answers:
            self.enter = b""
        self._tail = seen[-_TAIL:] if yours == others else b""
        self._seen = seen
        self._news.set()

    async def come(self, port: int, name: str, address: str = "127.0.0.1") -> tuple[float, float]:
        """Connect, from one of this machine's addresses, of which a host takes so many guests and no more.

        Returns the seconds to the first paint, from the first packet and from the session's opening.
        """
        start = time.perf_counter()
        self._connection = await log_in(name, host="127.0.0.1", port=port, local_addr=(address, 0))
        opened = time.perf_counter()
        self._channel, _ = await self._connection.create_session(
            lambda: self, term_type="xterm-256color", term_size=(80, 24), encoding=None
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
        """Type keys like a quick person, and let the host finish what the last one asked."""
        for key in keys:
            self._channel.write(key)
            await asyncio.sleep(_BETWEEN_KEYS)
        await asyncio.sleep(_SETTLED)

    async def press(self, key: bytes) -> float:
        """Press a key; return the seconds from its being written to the first byte that comes back."""
        answer = self.expects()
        self._channel.write(key)
        async with asyncio.timeout(_PATIENCE):
            return await answer

    def expects(self) -> asyncio.Future[float]:
        """Return what will be the seconds from now to the first byte that comes."""
        self._answer = asyncio.get_running_loop().create_future()
        self._news.clear()
        self._asked = time.perf_counter()
        return self._answer

    def go(self) -> None:
        """Hang up."""
        self._connection.abort()


def quiet(connection: Any) -> None:
    """Send no empty packet before each one that says something: asyncssh does, OpenSSH does not."""
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
