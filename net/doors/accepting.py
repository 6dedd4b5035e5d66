"""Listens on a port, whatever is spoken there, and lets connections in one after the other."""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct

from net.doors.admissions import Admissions
from net.doors.proxied import Proxies
from net.host.access import DenialReason
from net.limits import WEB_CONNECTION_COST
from net.logs import fields
from net.loop import Tasks, contained, for_ever

_WAITING = 512
"""Connections that may wait in the kernel to be taken. More are dropped, and ask again by themselves."""

_ACCEPT_PAUSE = 0.005
"""Seconds without another connection after one that was denied."""

_NOTHING_LEFT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Nothing can be accepted until something else is closed."""

_NOTHING_LEFT_REST = 1.0
"""Seconds until it is tried again."""

_LAST_PORT = 65535

log = logging.getLogger(__name__)
Take = Callable[[socket.socket, str], None]
"""What is done with a connection that was accepted and may come in, from this address."""


class Kind(NamedTuple):
    """What is spoken on the connections of a port."""

    denial: str
    """What is sent on one that is denied, with the sentence that says why in the place of {}."""
    cost: float = 1.0
    """What one costs a host, as a share of an SSH handshake."""


SSH = Kind("{}\r\n")
"""RFC 4253 allows lines before the version; `ssh -v` shows them."""
HTTP = Kind(
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n{}\r\n",
    WEB_CONNECTION_COST,
)


class HostError(Exception):
    """The port cannot be opened; the sentence says why."""


class Listening(Struct, frozen=True):
    """A port that is listened on: its real number, and what stops accepting connections."""

    port: int
    refuse: Callable[[], None]


@asynccontextmanager
async def accepting(
    bind: str,
    port: int,
    admissions: Admissions[Any],
    take: Take,
    proxied_by: Sequence[str] = (),
    kind: Kind = SSH,
    uncounted: Proxies | None = None,
) -> AsyncIterator[Listening]:
    """Listen on a port until the block ends, and `take` every connection that may come in. Raises HostError.

    From `proxied_by` come connections with a header of the PROXY protocol; `kind` is what is spoken on them. Those
    from addresses that are `uncounted` are let in: their proxy says later where they come from.
    """
    sockets = await _listen(bind, port)
    door = _Door(admissions, take, Proxies(proxied_by), kind, uncounted or Proxies())
    accepting = Tasks()
    for each in sockets:
        accepting.start(_accept(each, door), "accepting-failed")

    def refuse() -> None:
        accepting.cancel()
        for each in sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)  # at once; its number must stay until the task has ended

    try:
        yield Listening(sockets[0].getsockname()[1], refuse)
    finally:
        refuse()
        await accepting.aclose()
        await door.aclose()
        for each in sockets:
            each.close()


def _free_port() -> int:
    """One that is free on every address: left to the kernel, each address would get another one."""
    with socket.create_server(("", 0)) as probe:
        return int(probe.getsockname()[1])


async def _listen(bind: str, port: int) -> list[socket.socket]:
    """Listen on a port of an address, or of all addresses."""
    where = f"port {port}" + (f" of {bind}" if bind else "")
    if not 0 <= port <= _LAST_PORT:
        raise HostError(f"There is no {where}; choose one from 1 to {_LAST_PORT}.")
    listening: list[socket.socket] = []
    try:
        loop = asyncio.get_running_loop()
        flags = socket.AI_PASSIVE
        found = await loop.getaddrinfo(bind or None, port or _free_port(), type=socket.SOCK_STREAM, flags=flags)
        for family, *_, address in dict.fromkeys(found):
            try:
                listening.append(socket.create_server(address[:2], family=family, backlog=_WAITING))
            except OSError as error:
                if bind or error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise  # the machine knows IPv6 addresses but has none
    except socket.gaierror:
        raise HostError(f"This machine does not have the address {bind}.") from None
    except OSError as error:
        for opened in listening:
            opened.close()
        match error.errno:
            case errno.EADDRINUSE:
                raise HostError(f"Another program is already using {where}; choose another port.") from None
            case errno.EACCES:
                raise HostError(f"This user may not open {where}; choose one above 1023.") from None
            case errno.EADDRNOTAVAIL:
                raise HostError(f"This machine does not have the address {bind}.") from None
        raise HostError(f"Cannot open {where}: {error.strerror or error}.") from None
    for opened in listening:
        opened.setblocking(False)
    return listening


class _Door:
    """Where connections come in: one after the other, or as soon as a proxy has said where they come from."""

    def __init__(
        self, admissions: Admissions[Any], take: Take, proxies: Proxies, kind: Kind, uncounted: Proxies
    ) -> None:
        self._uncounted = uncounted
        self._kind = kind
        self._admissions = admissions
        self._take = take
        self._proxies = proxies
        self._waiting = Tasks()

    def comes(self, connection: socket.socket, address: str) -> bool:
        """Let a connection in, or wait for its proxy's header; return False if it is turned away."""
        if address not in self._proxies:
            return self._enters(connection, address)
        self._waiting.start(self._comes_through(connection, address), "proxy-header-failed", address=address)
        return True

    async def aclose(self) -> None:
        """Wait for no header any more."""
        await self._waiting.aclose()

    async def _comes_through(self, connection: socket.socket, proxy: str) -> None:
        address = ""
        try:
            address = await self._proxies.source(connection, proxy)
        finally:
            if not address:
                connection.close()
        if address:
            self._enters(connection, address)

    def _enters(self, connection: socket.socket, address: str) -> bool:
        with contained("admission-failed", address=address) as admission:
            relayed = address in self._uncounted
            come = self._admissions
            reason = come.admit_relayed() if relayed else come.admit_socket(address, self._kind.cost)
            if reason is None:
                self._take(connection, address)
                return True
            turn_away(connection, reason, self._kind)
        if admission.failed:
            connection.close()
        return False


async def _accept(listening: socket.socket, door: _Door) -> None:
    """Accept connections, one in each turn of the loop, and deny some of them at once.

    A denied connection gets no transport and no SSH connection: that is ten times the work, and a client that
    connects as fast as it can would take a third of the core. After a denied one, no other is accepted for a moment:
    such a client tries again at once, and then waits in the kernel.
    """
    await for_ever(partial(_accept_one, listening, door), "accepting-failed")


async def _accept_one(listening: socket.socket, door: _Door) -> None:
    pause = 0.0
    try:
        connection, peer = await asyncio.get_running_loop().sock_accept(listening)
    except OSError as error:
        if error.errno in _NOTHING_LEFT:
            log.error("cannot-accept", extra=fields(error=error))
            pause = _NOTHING_LEFT_REST
    else:
        pause = 0.0 if door.comes(connection, str(peer[0])) else _ACCEPT_PAUSE
    await asyncio.sleep(pause)


def turn_away(connection: socket.socket, reason: DenialReason, kind: Kind) -> None:
    """Close a connection on which nothing was said yet, with a reason."""
    with connection, contextlib.suppress(OSError):
        connection.send(kind.denial.format(reason.sentence).encode())
