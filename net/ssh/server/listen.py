"""Opens the SSH door: on one port a plain `ssh` gets a terminal, and the subsystem `boneyard` frames."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh
from msgspec import Struct

from net.host.access import Doorman
from net.host.metrics import Metrics
from net.limits import Limits
from net.moves_first import MovesFirst
from net.ssh.keys import KeyFileError, keep_key
from net.ssh.server.connection import Visit
from net.ssh.server.connections import House
from net.ssh.server.handshake_cost import KEY_EXCHANGES
from net.ssh.server.terminal import Identity, Terminal
from net.wire.link import Link

_WAITING = 512
"""Connections that may wait in the kernel to be taken. More are dropped, and ask again by themselves."""

_REST = 0.005
"""Seconds without a newcomer after one who was turned away."""


class HostError(Exception):
    """The door cannot be opened; the sentence says why."""


class Server(Struct, frozen=True):
    """An open door: `port` is the real one, `fingerprint` what a careful guest compares.

    `expel` cuts the lines of a key or an address, for whoever has just banned it; it returns how many.
    """

    port: int
    fingerprint: str
    expel: Callable[[str], int]


@asynccontextmanager
async def serve(
    bind: str,
    port: int,
    host_key: Path,
    on_terminal: Callable[[Identity, Terminal], Awaitable[None]],
    on_link: Callable[[Identity, Link], Awaitable[None]],
    *,
    doorman: Doorman | None = None,
    limits: Limits | None = None,
    metrics: Metrics | None = None,
    expects: Callable[[Identity], bool] | None = None,
    moves: MovesFirst | None = None,
) -> AsyncIterator[Server]:
    """Serve both doors on one port (0 takes a free one) until the block ends; then nothing of it runs any
    more.

    `on_terminal` and `on_link` are awaited once per session and end it by returning; a crash of one is logged
    and ends that session alone. `doorman` says who may enter; without one everybody. `expects` says for
    whom a seat is kept, who then comes in also when the house is full. On the way out every
    session is asked to leave (`Listener.on_end`, a closed link), then cancelled. Raises HostError.
    """
    try:
        key = keep_key(host_key, "boneyard host")
    except KeyFileError as error:
        raise HostError(str(error)) from None
    failure: Exception | None = None
    async with asyncio.TaskGroup() as group:
        limits = limits or Limits()
        doorman = doorman or Doorman(limits=limits)
        house = House(group, on_terminal, on_link, doorman, limits, metrics or Metrics(), expects, moves)
        try:
            acceptor = await _listen(bind, port, key, house)
        except HostError as error:
            failure = error
        else:
            try:
                yield Server(acceptor.get_port(), key.get_fingerprint(), house.expel)
            except Exception as error:  # kept from the group, which would dress it up as an ExceptionGroup
                failure = error
            finally:
                acceptor.close()
                try:
                    await house.close()
                finally:
                    house.abort()
            await acceptor.wait_closed()
    if failure is not None:
        raise failure


def _free_port() -> int:
    """One that is free on every address: left to the kernel, each address would get another one."""
    with socket.create_server(("", 0)) as probe:
        return int(probe.getsockname()[1])


async def _listen(bind: str, port: int, key: asyncssh.SSHKey, house: House) -> asyncssh.SSHAcceptor:
    limits = house.limits
    where = f"port {port}" + (f" of {bind}" if bind else "")
    try:
        acceptor = await asyncssh.listen(
            bind,
            port or _free_port(),
            backlog=1,  # taken in each turn of the loop, lest a flood of them stop everybody; more wait below
            server_factory=lambda: Visit(house),
            server_host_keys=[key],
            server_version="Boneyard",
            config=None,
            kex_algs=KEY_EXCHANGES,
            login_timeout=limits.login_timeout,
            keepalive_interval=limits.keepalive_interval,
            keepalive_count_max=limits.keepalive_count,
            window=limits.window,
            encoding=None,
            line_editor=False,  # a full screen gets its keys raw
            compression_algs=None,  # a few bytes that unpack to gigabytes; and our frames are small
            gss_host=None,  # Kerberos would look up our own name in the DNS, waiting
            password_auth=True,  # where there is an invitation; see `Visit`
            host_based_auth=False,
            x509_trusted_certs=None,  # a second kind of proof, which `Visit` would not be asked about
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
        )
        _guard(acceptor, house)
        return acceptor
    except socket.gaierror:
        raise HostError(f"This machine does not have the address {bind}.") from None
    except OSError as error:
        match error.errno:
            case errno.EADDRINUSE:
                raise HostError(f"Another program is already using {where}; choose another port.") from None
            case errno.EACCES:
                raise HostError(f"This user may not open {where}; choose one above 1023.") from None
            case errno.EADDRNOTAVAIL | None:  # Python 3.13 has no number for it
                raise HostError(f"This machine does not have the address {bind}.") from None
        raise HostError(f"Cannot open {where}: {error.strerror or error}.") from None
    except OverflowError:
        raise HostError(f"There is no {where}; choose one from 1 to 65535.") from None


def _guard(acceptor: asyncssh.SSHAcceptor, house: House) -> None:
    """Turn away at the socket who is not to come in, before anything is made for him.

    asyncio makes a transport and asyncssh a connection before anybody can ask who is there: ten times the work, and
    somebody who knocks as fast as he can took a third of the core so.
    """
    loop: Any = asyncio.get_running_loop()

    def rest(listening: socket.socket) -> None:
        """Take nobody for a moment: who is turned away comes back at once, and again, and waits in the kernel now."""
        number = listening.fileno()
        reader = loop._selector.get_key(number).data[0]
        callback, args = reader._callback, reader._args
        loop._remove_reader(number)

        def take_again() -> None:
            if listening.fileno() == number:  # else it is closed
                loop._add_reader(number, callback, *args)

        loop.call_later(_REST, take_again)

    class Guarded(socket.socket):
        __slots__ = ()

        def accept(self) -> tuple[socket.socket, Any]:
            connection, peer = super().accept()
            turned = house.knock(str(peer[0]))
            if turned is None:
                return connection, peer
            with connection, contextlib.suppress(OSError):
                connection.setblocking(False)
                # RFC 4253 allows lines before the version; `ssh -v` shows them.
                connection.send(f"{turned.sentence}\r\n".encode())
            rest(self)
            raise BlockingIOError  # nobody is there; asyncio looks again in the next turn of the loop

    for listening in acceptor.sockets:
        listening._sock.__class__ = Guarded
        listening._sock.listen(_WAITING)  # in the kernel, until their turn comes
