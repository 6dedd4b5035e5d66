"""Listens for SSH on one port: a plain `ssh` gets a terminal, the subsystem `boneyard` exchanges frames."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import asyncssh
from msgspec import Struct

from net.doors.connections import Admissions, Connections, ReservedSeatCheck
from net.doors.listener import ConnectionHandler, HostError, ListeningPort, accept_connections
from net.doors.terminal import Identity, Terminal
from net.host.access import Access, Quotas
from net.host.metrics import Metrics
from net.limits import Limits, Seconds
from net.loop import LoopScheduler, release_frames
from net.ssh.asyncssh_private import known_ciphers, known_exchanges, known_macs
from net.ssh.keys import KeyFileError, derive_ecdsa_key, load_or_create_key
from net.ssh.server.connection import Connection, client_address
from net.wire.link import Link

KEY_EXCHANGES = known_exchanges(
    ("mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256")
)
"""These cost the host 2 ms. By default, asyncssh offers others that cost up to 40 ms, and the client chooses."""

CIPHERS = known_ciphers(
    (
        "aes256-gcm@openssh.com",
        "aes128-gcm@openssh.com",
        "aes256-ctr",
        "aes192-ctr",
        "aes128-ctr",
    )
)
"""No cipher in CBC mode: `watch_exchanges` leaves out the packets that protect those. No ChaCha20, which clients
prefer: it takes five times as long (docs/decisions/030-ciphers.md). OpenSSH has all of these since 6.2 (2013).
"""

MACS = known_macs(
    ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512")
)
"""For the ciphers in CTR mode; the others need none. OpenSSH has the last two since 5.9 (2011)."""

log = logging.getLogger(__name__)


class OpenPort(Struct, frozen=True):
    """A listening port: its actual number, and the `fingerprint` of the host key.

    `ecdsa` is the fingerprint of the key for clients that do not support ed25519; empty if there is none.
    `disconnect` closes the connections of a key or an address that was banned, and returns their number. `refuse`
    stops accepting connections. `web` is the port for browsers; 0 if there is none.
    """

    port: int
    fingerprint: str
    ecdsa: str
    disconnect: Callable[[str], int]
    refuse: Callable[[], None]
    web: int = 0


OpenSecondDoor = Callable[[Connections, str], AbstractAsyncContextManager[int]]
"""Opens a second door, and yields its port."""


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
    has_reserved_seat: ReservedSeatCheck | None = None,
    scheduler: LoopScheduler | None = None,
    quotas: Quotas | None = None,
    proxied_by: Sequence[str] = (),
    second_door: OpenSecondDoor | None = None,
) -> AsyncIterator[OpenPort]:
    """Serve terminals and links on one port (0 takes a free one) until the block ends.

    - `on_terminal` and `on_link` are awaited once per session and end it by returning; a crash of one is logged
      and ends only that session.
    - `access` decides who may enter; by default, everybody.
    - `has_reserved_seat` tells if a seat is reserved for a guest, who may then enter even if the host is full.
    - `quotas` may be shared with other gateways.
    - `proxied_by` are the networks of proxies, whose PROXY headers name the clients' addresses.
    - `second_door` opens another door, whose connections count among the same; it gets the fingerprint of the key.

    At the end, every session is asked to leave (`Listener.on_end`, a closed link), then cancelled. Raises HostError.
    """
    key = host_key_at(host_key)
    limits = limits or Limits()
    access = access or Access(limits=limits)
    connections: Connections = Connections(
        on_terminal, on_link, access, limits, metrics or Metrics(), has_reserved_seat, scheduler, quotas
    )
    handler = ssh_handler(key, connections)
    async with second_door(connections, key.get_fingerprint()) if second_door else nullcontext(0) as web:
        try:
            async with accept_connections(bind, port, connections, handler, proxied_by) as port_info:
                yield open_port(port_info, key, connections, web)
        finally:
            await connections.close()


def host_key_at(path: Path) -> asyncssh.SSHKey:
    """Return the host's key, created if there is none. Raises HostError."""
    try:
        return load_or_create_key(path, "boneyard host")
    except KeyFileError as error:
        raise HostError(str(error)) from None


def open_port(listening: ListeningPort, key: asyncssh.SSHKey, admissions: Admissions[Any], web: int) -> OpenPort:
    """Describe an SSH port with this host key, and the port of the `web`."""
    ecdsa = ecdsa_key.get_fingerprint() if (ecdsa_key := derive_ecdsa_key(key)) else ""
    return OpenPort(listening.port, key.get_fingerprint(), ecdsa, admissions.disconnect, listening.refuse, web)


def ssh_handler(key: asyncssh.SSHKey, connections: Connections) -> ConnectionHandler:
    """Return a function that serves SSH on a connection, in a task of `connections`."""
    options = _server_options(key, connections)

    def handle(connection: socket.socket, address: str) -> None:
        connections.start_login(_serve(connection, address, options, 2 * connections.limits.login_timeout), address)

    return handle


def _server_options(key: asyncssh.SSHKey, connections: Connections) -> asyncssh.SSHServerConnectionOptions:
    limits = connections.limits
    return asyncssh.SSHServerConnectionOptions(
        server_factory=lambda: Connection(connections),
        server_host_keys=[key, *filter(None, [derive_ecdsa_key(key)])],
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
        compression_algs=None,  # a few bytes could unpack to gigabytes; and our frames are small
        gss_host=None,  # Kerberos would block on a DNS lookup of our own name
        password_auth=True,  # with an invitation; see `Connection`
        host_based_auth=False,
        x509_trusted_certs=None,  # another kind of proof, which would bypass `Connection`
        agent_forwarding=False,
        x11_forwarding=False,
        allow_scp=False,
    )


async def _serve(
    connection: socket.socket, address: str, options: asyncssh.SSHServerConnectionOptions, seconds: Seconds
) -> None:
    """Run the SSH handshake and login on a connection from an address; `Connection` does the rest.

    asyncssh ends a login that takes too long, but not one whose `Connection` could not be created: that ends after
    these seconds.
    """
    client_address.set(address)
    try:
        async with asyncio.timeout(seconds):
            await asyncssh.run_server(connection, config=None, options=options)
    except Exception as error:  # asyncssh raises undocumented errors on invalid bytes; logged by `log_broken`
        release_frames(error)  # they hold the connection, which holds the error
