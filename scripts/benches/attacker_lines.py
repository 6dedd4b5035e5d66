"""How an attacker of `attackers.py` connects: from an address of its own, in a terminal or over a link."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import asyncssh
from guests import log_in

from net.wire.link import frame, pack
from net.wire.messages import PROTOCOL, Enter, Hello

COUNTS: Counter[str] = Counter()
"""What all attackers of this process have done, by what it is called in the report."""


class Line(asyncssh.SSHClientSession[bytes]):
    """One channel, a terminal's or a link's, that notes how much came and when it ended."""

    def __init__(self, heard: Callable[[bytes], None] = lambda _: None) -> None:
        self.ended = asyncio.Event()
        self.room = asyncio.Event()
        self.room.set()
        self._heard = heard

    def connection_made(self, chan: Any) -> None:
        """Take the channel."""
        self.chan = chan

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        """Count it."""
        COUNTS["bytes read"] += len(data)
        self._heard(data)

    def connection_lost(self, _exc: Exception | None) -> None:
        """Note the end."""
        self.ended.set()
        self.room.set()

    def pause_writing(self) -> None:
        """Wait."""
        self.room.clear()

    def resume_writing(self) -> None:
        """Go on."""
        self.room.set()


@asynccontextmanager
async def browses(port: int, address: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Open the WebSocket of a page."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0))
    headers = {"Origin": f"http://127.0.0.1:{port}"}
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.ws_connect(f"http://127.0.0.1:{port}/ws", headers=headers, compress=15, max_msg_size=0) as socket,
    ):
        yield socket


async def dial(port: int, address: str, narrow: bool = False) -> socket.socket:
    """Open a TCP connection from one of this machine's addresses; a narrow one has a small receive buffer."""
    sock = socket.socket()
    try:
        sock.setblocking(False)
        if narrow:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.bind((address, 0))
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    except BaseException:
        sock.close()
        raise
    return sock


async def login(port: int, address: str, name: str, narrow: bool = False) -> asyncssh.SSHClientConnection:
    """Come in without a key."""
    return await log_in(name, sock=await dial(port, address, narrow), login_timeout=20)


async def terminal(connection: asyncssh.SSHClientConnection) -> Line:
    """Open a terminal."""
    line = Line()
    await connection.create_session(lambda: line, term_type="xterm-256color", term_size=(80, 24), encoding=None)
    return line


async def link(connection: asyncssh.SSHClientConnection, name: str) -> Line:
    """Open a link and enter."""
    line = Line()
    await connection.create_session(lambda: line, subsystem="boneyard", encoding=None)
    line.chan.write(frame(pack(Hello(PROTOCOL, "attack"))) + frame(pack(Enter(name))))
    return line


def deafen(connection: asyncssh.SSHClientConnection) -> None:
    """Read nothing more from the socket, for good."""
    connection._transport.pause_reading()  # type: ignore[union-attr]
