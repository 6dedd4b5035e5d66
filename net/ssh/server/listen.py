"""Listens for SSH: on one port a plain `ssh` gets a terminal, and the subsystem `boneyard` frames."""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import asyncssh
from msgspec import Struct

from net.contained import Tasks, contained, for_ever, release_frames
from net.host.access import Access, DenialReason, Elsewhere
from net.host.metrics import Metrics
from net.limits import Limits, Seconds
from net.logs import fields
from net.loop import LoopScheduler
from net.ssh.asyncssh_private import known_ciphers, known_macs
from net.ssh.keys import KeyFileError, ecdsa_beside, keep_key
from net.ssh.server.admissions import Admissions
from net.ssh.server.connection import Connection, came_from
from net.ssh.server.connections import Connections
from net.ssh.server.handshake_cost import KEY_EXCHANGES
from net.ssh.server.proxied import Proxies
from net.ssh.server.terminal import Identity, Terminal
from net.wire.link import Link

_WAITING = 512
"""Connections that may wait in the kernel to be taken. More are dropped, and ask again by themselves."""

_ACCEPT_PAUSE = 0.005
"""Seconds without another connection after one that was denied."""

_NOTHING_LEFT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Nothing can be accepted until something else is closed."""

_NOTHING_LEFT_REST = 1.0
"""Seconds until it is tried again."""

_LAST_PORT = 65535

CIPHERS = known_ciphers(
    (
        "aes256-gcm@openssh.com",
        "aes128-gcm@openssh.com",
        "aes256-ctr",
        "aes192-ctr",
        "aes128-ctr",
    )
)
"""Never one in CBC mode: `watch_exchanges` leaves out the packets that protect those. Nor ChaCha20, which clients
prefer: it takes five times as long (docs/decisions/030-ciphers.md). OpenSSH has all of these since 6.2 (2013)."""

MACS = known_macs(
    ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512")
)
"""For the ciphers in CTR mode; the others need none. OpenSSH has the last two since 5.9 (2011)."""

log = logging.getLogger(__name__)


class HostError(Exception):
    """The port cannot be opened; the sentence says why."""


class OpenPort(Struct, frozen=True):
    """A port that is listened on: `port` is the real one, `fingerprint` that of the host key.

    `ecdsa` is the fingerprint of the key for clients that do not know ed25519; empty if there is none.
    `disconnect` closes the connections of a key or an address that was banned, and returns how many.
    `refuse` stops accepting connections.
    """

    port: int
    fingerprint: str
    ecdsa: str
    disconnect: Callable[[str], int]
    refuse: Callable[[], None]


Take = Callable[[socket.socket, str], None]
"""What is done with a connection that was accepted and may come in, from this address."""


@asynccontextmanager
async def serve(
    bind: str,
    port: int,
    host_key: Path,
    on_terminal: Callable[[Identity, Terminal], Awaitable[None]],
    on_link: Callable[[Identity, Link], Awaitable[None]],
    *,
    access: Access | None = None,
    limits: Limits | None = None,
    metrics: Metrics | None = None,
    expects: Callable[[Identity], bool] | None = None,
    scheduler: LoopScheduler | None = None,
    elsewhere: Elsewhere | None = None,
    proxied_by: Sequence[str] = (),
) -> AsyncIterator[OpenPort]:
    """Serve terminals and links on one port (0 takes a free one) until the block ends; then nothing of it runs any
    more.

    `on_terminal` and `on_link` are awaited once per session and end it by returning; a crash of one is logged
    and ends that session alone. `access` says who may enter; without it, everybody. `expects` says whether a seat
    is kept for somebody, who may then enter even if the host is full. `elsewhere` counts what counts in other places
    as well. `proxied_by` are the networks of proxies, which say where their connections come from.
    At the end, every session is asked to leave
    (`Listener.on_end`, a closed link), then cancelled. Raises HostError.
    """
    key = host_key_at(host_key)
    limits = limits or Limits()
    access = access or Access(limits=limits)
    connections: Connections[Connection] = Connections(
        on_terminal, on_link, access, limits, metrics or Metrics(), expects, scheduler, elsewhere
    )
    speak = speaking(key, connections)
    try:
        async with accepting(bind, port, key, connections, speak, proxied_by) as open_port:
            yield open_port
    finally:
        await connections.close()


def host_key_at(path: Path) -> asyncssh.SSHKey:
    """Return the host's key, made if there is none. Raises HostError."""
    try:
        return keep_key(path, "boneyard host")
    except KeyFileError as error:
        raise HostError(str(error)) from None


@asynccontextmanager
async def accepting(
    bind: str,
    port: int,
    key: asyncssh.SSHKey,
    admissions: Admissions[Any],
    take: Take,
    proxied_by: Sequence[str] = (),
) -> AsyncIterator[OpenPort]:
    """Listen on a port until the block ends, and `take` every connection that may come in. Raises HostError."""
    sockets = await _listen(bind, port)
    door = _Door(admissions, take, Proxies(proxied_by))
    accepting = Tasks()
    for each in sockets:
        accepting.start(_accept(each, door), "accepting-failed")

    def refuse() -> None:
        accepting.cancel()
        for each in sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)  # at once; its number must stay until the task has ended

    try:
        ecdsa = other.get_fingerprint() if (other := ecdsa_beside(key)) else ""
        yield OpenPort(sockets[0].getsockname()[1], key.get_fingerprint(), ecdsa, admissions.disconnect, refuse)
    finally:
        refuse()
        await accepting.aclose()
        await door.aclose()
        for each in sockets:
            each.close()


def speaking(key: asyncssh.SSHKey, connections: Connections[Connection]) -> Take:
    """Return what speaks SSH on a connection, in a task of the connections."""
    options = _options(key, connections)

    def speak(connection: socket.socket, address: str) -> None:
        connections.start_login(_serve(connection, address, options, 2 * connections.limits.login_timeout), address)

    return speak


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


def _options(key: asyncssh.SSHKey, connections: Connections[Connection]) -> asyncssh.SSHServerConnectionOptions:
    limits = connections.limits
    return asyncssh.SSHServerConnectionOptions(
        server_factory=lambda: Connection(connections),
        server_host_keys=[key, *filter(None, [ecdsa_beside(key)])],
        server_version="Boneyard",
        config=None,
        kex_algs=KEY_EXCHANGES,
        encryption_algs=CIPHERS,
        mac_algs=MACS,
        login_timeout=limits.login_timeout,
        keepalive_interval=limits.keepalive_interval,
        keepalive_count_max=limits.keepalive_count,
        window=limits.window,
        encoding=None,
        line_editor=False,  # a full screen gets its keys raw
        compression_algs=None,  # a few bytes that unpack to gigabytes; and our frames are small
        gss_host=None,  # Kerberos would look up our own name in the DNS, waiting
        password_auth=True,  # where there is an invitation; see `Connection`
        host_based_auth=False,
        x509_trusted_certs=None,  # a second kind of proof, which `Connection` would not be asked about
        agent_forwarding=False,
        x11_forwarding=False,
        allow_scp=False,
    )


class _Door:
    """Where connections come in: one after the other, or as soon as a proxy has said where they come from."""

    def __init__(self, admissions: Admissions[Any], take: Take, proxies: Proxies) -> None:
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
            reason = self._admissions.admit_socket(address)
            if reason is None:
                self._take(connection, address)
                return True
            turn_away(connection, reason)
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


def turn_away(connection: socket.socket, reason: DenialReason) -> None:
    """Close a connection on which nothing was said yet, with a reason."""
    with connection, contextlib.suppress(OSError):
        # RFC 4253 allows lines before the version; `ssh -v` shows them.
        connection.send(f"{reason.sentence}\r\n".encode())


async def _serve(
    connection: socket.socket, address: str, options: asyncssh.SSHServerConnectionOptions, within: Seconds
) -> None:
    """Speak SSH on a connection from an address until its login is over; `Connection` does the rest.

    asyncssh ends a login that takes too long, but not one whose `Connection` could not be made: that ends `within`.
    """
    came_from.set(address)
    try:
        async with asyncio.timeout(within):
            await asyncssh.run_server(connection, config=None, options=options)
    except Exception as error:  # asyncssh raises more than it documents over a stranger's bytes; logged by `broken`
        release_frames(error)  # they hold the connection, which holds the error
