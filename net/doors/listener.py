"""Listens on a port for any protocol, and admits connections one by one, also through a proxy."""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
import struct
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct

from net.doors.connections import Admissions
from net.host.access import DenialReason, canonical_address
from net.limits import DENIED_AT_ONCE, DENIED_FOR, PROXY_HEADER_TIMEOUT, PROXY_HEADERS, WEB_CONNECTION_COST
from net.logs import fields
from net.loop import Tasks, log_failures, run_forever

MAX_HEADER_BYTES = 2048
"""Bytes of a header, including all fields that a proxy may add after the addresses; the protocol allows 64 KiB."""
_V2_SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
"""Signature of version 2."""
_V2_HEAD_BYTES = 16
"""Bytes of version 2 before the addresses."""
_V1_MAX_BYTES = 107
"""Bytes of the longest line of version 1, with its end."""
_V1_PREFIX = b"PROXY "
_V1_END = b"\r\n"
_ADDRESS_BYTES = {0x11: 4, 0x21: 16}
"""Version 2: bytes of an address, for TCP over IPv4 and IPv6. A header has two addresses and two ports."""
_NO_ADDRESS = (0x00, 0x31)
"""Version 2: the source is unknown, or a Unix socket."""


class HeaderError(ValueError):
    """The data is not a header of the PROXY protocol."""


def bytes_missing(data: bytes) -> int:
    """Return the least number of bytes still missing from a header that begins with `data`; 0 if it is complete.

    Raises HeaderError.
    """
    if _is_line(data):
        return _bytes_missing_in_line(data)
    if not _V2_SIGNATURE.startswith(data[: len(_V2_SIGNATURE)]):
        raise HeaderError("it begins like neither version")
    if len(data) < _V2_HEAD_BYTES:
        return (len(_V2_SIGNATURE) if len(data) < len(_V2_SIGNATURE) else _V2_HEAD_BYTES) - len(data)
    header_bytes = _V2_HEAD_BYTES + int.from_bytes(data[14:16], "big")
    if header_bytes > MAX_HEADER_BYTES:
        raise HeaderError(f"it has {header_bytes} bytes")
    return max(0, header_bytes - len(data))


def source_address(data: bytes) -> str:
    """Return the address in a complete header; empty if the connection is the proxy's own or unknown.

    Raises HeaderError.
    """
    return _address_in_line(data) if _is_line(data) else _address_in_block(data)


def _is_line(data: bytes) -> bool:
    return bool(data) and _V1_PREFIX.startswith(data[: len(_V1_PREFIX)])


def _bytes_missing_in_line(data: bytes) -> int:
    if data.endswith(_V1_END):
        return 0
    if len(data) >= _V1_MAX_BYTES or _V1_END in data:
        raise HeaderError("its line does not end")
    if len(data) < len(_V2_SIGNATURE):
        return len(_V2_SIGNATURE) - len(data)  # the shortest line is longer
    return 1 if data.endswith(b"\r") or len(data) == _V1_MAX_BYTES - 1 else 2


def _address_in_line(data: bytes) -> str:
    fields = data.removesuffix(_V1_END).split(b" ")
    if len(fields) > 1 and fields[1] == b"UNKNOWN":
        return ""
    versions = {b"TCP4": 4, b"TCP6": 6}
    if len(fields) != 6 or fields[1] not in versions:
        raise HeaderError("its line does not have four numbers of TCP")
    addresses = [_parse_address(word) for word in fields[2:4]]
    if any(address.version != versions[fields[1]] for address in addresses):
        raise HeaderError("its addresses are of another kind")
    if not all(port.isdigit() and len(port) <= 5 and int(port) < 2**16 for port in fields[4:]):
        raise HeaderError("its ports are none")
    return str(addresses[0])


def _parse_address(word: bytes) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        text = word.decode("ascii")
        if "%" in text:
            raise ValueError(text)
        return ipaddress.ip_address(text)
    except ValueError:
        raise HeaderError("its addresses are none") from None


def _address_in_block(data: bytes) -> str:
    if len(data) < _V2_HEAD_BYTES or data[12] not in (0x20, 0x21):
        raise HeaderError("its version or its command is unknown")
    if data[12] == 0x20 or data[13] in _NO_ADDRESS:  # LOCAL: a health check of the proxy itself
        return ""
    size = _ADDRESS_BYTES.get(data[13])
    if size is None or len(data) < _V2_HEAD_BYTES + 2 * size + 4:
        raise HeaderError("it has no address of TCP")
    return str(ipaddress.ip_address(data[_V2_HEAD_BYTES : _V2_HEAD_BYTES + size]))


Network = ipaddress.IPv4Network | ipaddress.IPv6Network
log = logging.getLogger(__name__)


class Proxies:
    """Addresses of a host's proxies. Connections from them must begin with a header, others must not."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        """`networks` are networks like 10.0.0.0/8, or single addresses. Raises ValueError for anything else."""
        self._networks: list[Network] = [ipaddress.ip_network(text) for text in networks]
        self._waiting = 0

    def __contains__(self, address: str) -> bool:
        if not self._networks:
            return False
        try:
            ip = ipaddress.ip_address(canonical_address(address))
        except ValueError:
            return False
        return any(ip in network for network in self._networks)

    def guest_address(self, hops: Sequence[str]) -> str:
        """Return the address of the guest whose request has passed these hops, the nearest last; empty if unclear.

        It is the nearest hop that is no proxy of this host: the guest may have invented the hops before it. If all
        hops are proxies, it is the first.
        """
        address = ""
        for hop in reversed(hops):
            address = hop_address(hop)
            if address not in self:
                break
        return address

    async def read_source(self, connection: socket.socket, proxy: str) -> str:
        """Read the header of a connection, and no byte more; return the source address, empty if it is unclear.

        A connection that the proxy opened for itself has the proxy's address.
        """
        if self._waiting >= PROXY_HEADERS:
            log.warning("no-proxy-header", extra=fields(address=proxy, error="too many are waited for"))
            return ""
        self._waiting += 1
        try:
            async with asyncio.timeout(PROXY_HEADER_TIMEOUT):
                return source_address(await _read_header(connection)) or proxy
        except (OSError, HeaderError) as error:
            log.warning("no-proxy-header", extra=fields(address=proxy, error=str(error) or "it does not come"))
            return ""
        finally:
            self._waiting -= 1


def hop_address(hop: str) -> str:
    """Return the address of a hop in X-Forwarded-For or Forwarded; empty if it has none, like `unknown`.

    Load balancers add ports, brackets around IPv6 and quotes (RFC 7239, section 6).
    """
    text = hop.strip().strip('"')
    if text.startswith("["):
        text, bracket, port = text[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            return ""
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return canonical_address(str(_parse_address(text.encode(errors="replace"))))
    except HeaderError:
        return ""


async def _read_header(connection: socket.socket) -> bytes:
    loop, data = asyncio.get_running_loop(), b""
    while missing_bytes := bytes_missing(data):
        chunk = await loop.sock_recv(connection, missing_bytes)
        if not chunk:
            raise HeaderError("the connection ends before it")
        data += chunk
    return data


_BACKLOG = 512
"""Backlog of the port in the kernel. More connections are dropped, and clients retry by themselves."""

_ACCEPT_PAUSE = 0.005
"""Seconds without accepting another connection after one was denied."""

_EXHAUSTION_ERRORS = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Errors after which no connection can be accepted until something else is closed."""

_EXHAUSTION_PAUSE = 1.0
"""Seconds until the next try."""

_LAST_PORT = 65535

ConnectionHandler = Callable[[socket.socket, str], None]
"""Handler for an admitted connection from this address."""


class Kind(NamedTuple):
    """Protocol on the connections of a port."""

    denial: Callable[[str], bytes]
    """Returns the bytes to send on a denied connection, for the sentence with the reason."""
    cost: float = 1.0
    """Cost of a connection, as a share of an SSH handshake."""


def _ssh_denial(sentence: str) -> bytes:
    """Return a version and SSH_MSG_DISCONNECT, which clients show even before a key exchange (RFC 4253, 11.1)."""
    text = sentence.encode()
    payload = struct.pack(">BII", 1, 11, len(text)) + text + bytes(4)  # by application; no language
    padding = 4 + -(5 + len(payload) + 4) % 8  # at least 4 bytes; the packet is a multiple of 8 (RFC 4253, 6)
    packet = struct.pack(">IB", 1 + len(payload) + padding, padding) + payload + bytes(padding)
    return b"SSH-2.0-Boneyard\r\n" + packet


def _http_denial(sentence: str) -> bytes:
    head = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    return f"{head}{sentence}\r\n".encode()


SSH = Kind(_ssh_denial)
HTTP = Kind(_http_denial, WEB_CONNECTION_COST)


class HostError(Exception):
    """The port cannot be opened; the sentence says why."""


class ListeningPort(Struct, frozen=True):
    """A listening port: its actual number, and a function that stops accepting connections."""

    port: int
    refuse: Callable[[], None]


@asynccontextmanager
async def accept_connections(
    bind: str,
    port: int,
    admissions: Admissions[Any],
    handler: ConnectionHandler,
    proxied_by: Sequence[str] = (),
    kind: Kind = SSH,
    uncounted: Proxies | None = None,
) -> AsyncIterator[ListeningPort]:
    """Listen on a port until the block ends, and pass every admitted connection to `handler`. Raises HostError.

    Connections from `proxied_by` begin with a header of the PROXY protocol; `kind` is the protocol after it.
    Connections from `uncounted` addresses are admitted: their proxy names the client later, in each request.
    """
    sockets = await _listen(bind, port)
    acceptor = _Acceptor(admissions, handler, Proxies(proxied_by), kind, uncounted or Proxies())
    tasks = Tasks()
    for port_socket in sockets:
        tasks.start(run_forever(partial(_accept, port_socket, acceptor), "accepting-failed"), "accepting-failed")

    def refuse() -> None:
        tasks.cancel()
        for port_socket in sockets:
            with contextlib.suppress(OSError):
                port_socket.shutdown(socket.SHUT_RDWR)  # at once; its number must stay until the task has ended

    try:
        yield ListeningPort(sockets[0].getsockname()[1], refuse)
    finally:
        refuse()
        await tasks.aclose()
        await acceptor.aclose()
        for port_socket in sockets:
            port_socket.close()


def _free_port() -> int:
    """Return a port that is free on every address: left to the kernel, each address would get another one."""
    with socket.create_server(("", 0)) as probe:
        return int(probe.getsockname()[1])


async def _listen(bind: str, port: int) -> list[socket.socket]:
    """Listen on a port of an address, or of all addresses."""
    description = f"port {port}" + (f" of {bind}" if bind else "")
    if not 0 <= port <= _LAST_PORT:
        raise HostError(f"There is no {description}; choose one from 1 to {_LAST_PORT}.")
    port_sockets: list[socket.socket] = []
    try:
        loop = asyncio.get_running_loop()
        flags = socket.AI_PASSIVE
        address_infos = await loop.getaddrinfo(
            bind or None, port or _free_port(), type=socket.SOCK_STREAM, flags=flags
        )
        for family, *_, address in dict.fromkeys(address_infos):
            try:
                port_sockets.append(socket.create_server(address[:2], family=family, backlog=_BACKLOG))
            except OSError as error:
                if bind or error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise  # an address family that the machine knows but has no address of
    except socket.gaierror:
        raise HostError(f"This machine does not have the address {bind}.") from None
    except OSError as error:
        for port_socket in port_sockets:
            port_socket.close()
        match error.errno:
            case errno.EADDRINUSE:
                raise HostError(f"Another program is already using {description}; choose another port.") from None
            case errno.EACCES:
                raise HostError(f"This user may not open {description}; choose one above 1023.") from None
            case errno.EADDRNOTAVAIL:
                raise HostError(f"This machine does not have the address {bind}.") from None
        raise HostError(f"Cannot open {description}: {error.strerror or error}.") from None
    for port_socket in port_sockets:
        port_socket.setblocking(False)
    return port_sockets


class _Acceptor:
    """Admits connections one by one, or once a proxy has sent its header."""

    def __init__(
        self,
        admissions: Admissions[Any],
        handler: ConnectionHandler,
        proxies: Proxies,
        kind: Kind,
        uncounted: Proxies,
    ) -> None:
        self._uncounted = uncounted
        self._kind = kind
        self._admissions = admissions
        self._handler = handler
        self._proxies = proxies
        self._header_tasks = Tasks()

    def receive(self, connection: socket.socket, address: str) -> bool:
        """Admit a connection, or wait for its proxy's header; return False if it is denied."""
        if address not in self._proxies:
            return self._admit(connection, address)
        self._header_tasks.start(self._admit_proxied(connection, address), "proxy-header-failed", address=address)
        return True

    async def aclose(self) -> None:
        await self._header_tasks.aclose()

    async def _admit_proxied(self, connection: socket.socket, proxy: str) -> None:
        address = ""
        try:
            address = await self._proxies.read_source(connection, proxy)
        finally:
            if not address:
                connection.close()
        if address:
            self._admit(connection, address)

    def _admit(self, connection: socket.socket, address: str) -> bool:
        with log_failures("admission-failed", address=address) as admission:
            is_relayed = address in self._uncounted
            admissions = self._admissions
            reason = admissions.admit_relayed() if is_relayed else admissions.admit_socket(address, self._kind.cost)
            if reason is None:
                self._handler(connection, address)
                return True
            deny_socket(connection, reason, self._kind)
        if admission.failed:
            connection.close()
        return False


async def _accept(port_socket: socket.socket, acceptor: _Acceptor) -> None:
    """Accept a connection, or deny it at once; then yield to the loop.

    A denied connection gets no transport and no SSH connection: these are ten times the work, and a client that
    connects as fast as it can would take a third of the core. After a denial, nothing is accepted for a moment: such
    a client retries at once, and then waits in the kernel.
    """
    pause = 0.0
    try:
        connection, peer = await asyncio.get_running_loop().sock_accept(port_socket)
    except OSError as error:
        if error.errno in _EXHAUSTION_ERRORS:
            log.error("cannot-accept", extra=fields(error=error))
            pause = _EXHAUSTION_PAUSE
    else:
        pause = 0.0 if acceptor.receive(connection, str(peer[0])) else _ACCEPT_PAUSE
    await asyncio.sleep(pause)


_denied: deque[socket.socket] = deque()
"""Denied connections that are not closed yet."""


def deny_socket(connection: socket.socket, reason: DenialReason, kind: Kind) -> None:
    """Close a connection on which nothing was sent yet, with a reason.

    The socket stays open for a moment: closing it while the client still sends would reset the connection, and the
    client would drop the reason unread.
    """
    try:
        connection.send(kind.denial(reason.sentence))
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        connection.close()
        return
    _denied.append(connection)
    if len(_denied) > DENIED_AT_ONCE:
        _denied.popleft().close()
    asyncio.get_running_loop().call_later(DENIED_FOR, _close_denied, connection)


def _close_denied(connection: socket.socket) -> None:
    connection.close()
    with contextlib.suppress(ValueError):  # evicted before
        _denied.remove(connection)
