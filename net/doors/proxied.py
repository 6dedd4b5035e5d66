"""Connections that come through a proxy, such as HAProxy: who is really at the other end, its header says."""

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Iterable

from net.host.access import canonical_address
from net.limits import PROXY_HEADER_TIMEOUT, PROXY_HEADERS
from net.logs import fields

MOST = 2048
"""Bytes of a header, with everything that a proxy may add behind the addresses; they say up to 64 KiB."""
_MARK = b"\r\n\r\n\0\r\nQUIT\n"
"""How version 2 begins."""
_HEAD = 16
"""Bytes of version 2 before the addresses."""
_LINE = 107
"""Bytes of the longest line of version 1, with its end."""
_WORD = b"PROXY "
_END = b"\r\n"
_ADDRESS = {0x11: 4, 0x21: 16}
"""Version 2: the bytes of an address, for TCP over IPv4 and IPv6. A header has two addresses and two ports."""
_NOWHERE = (0x00, 0x31)
"""Version 2: nothing is known, or the proxy's client came over a Unix socket."""


class HeaderError(ValueError):
    """That is no header of the PROXY protocol."""


def missing(data: bytes) -> int:
    """How many more bytes surely belong to the header that begins with `data`; 0 for none. Raises HeaderError."""
    if _is_line(data):
        return _missing_of_line(data)
    if not _MARK.startswith(data[: len(_MARK)]):
        raise HeaderError("it begins like neither version")
    if len(data) < _HEAD:
        return (len(_MARK) if len(data) < len(_MARK) else _HEAD) - len(data)
    whole = _HEAD + int.from_bytes(data[14:16], "big")
    if whole > MOST:
        raise HeaderError(f"it has {whole} bytes")
    return max(0, whole - len(data))


def source(data: bytes) -> str:
    """The address in a complete header; empty where the proxy speaks for itself or knows none. Raises HeaderError."""
    return _of_line(data) if _is_line(data) else _of_block(data)


def _is_line(data: bytes) -> bool:
    return bool(data) and _WORD.startswith(data[: len(_WORD)])


def _missing_of_line(data: bytes) -> int:
    if data.endswith(_END):
        return 0
    if len(data) >= _LINE or _END in data:
        raise HeaderError("its line does not end")
    if len(data) < len(_MARK):
        return len(_MARK) - len(data)  # the shortest line is longer
    return 1 if data.endswith(b"\r") or len(data) == _LINE - 1 else 2


def _of_line(data: bytes) -> str:
    words = data.removesuffix(_END).split(b" ")
    if len(words) > 1 and words[1] == b"UNKNOWN":
        return ""
    versions = {b"TCP4": 4, b"TCP6": 6}
    if len(words) != 6 or words[1] not in versions:
        raise HeaderError("its line does not have four numbers of TCP")
    addresses = [_parsed(word) for word in words[2:4]]
    if any(address.version != versions[words[1]] for address in addresses):
        raise HeaderError("its addresses are of another kind")
    if not all(port.isdigit() and len(port) <= 5 and int(port) < 2**16 for port in words[4:]):
        raise HeaderError("its ports are none")
    return str(addresses[0])


def _parsed(word: bytes) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        text = word.decode("ascii")
        if "%" in text:
            raise ValueError(text)
        return ipaddress.ip_address(text)
    except ValueError:
        raise HeaderError("its addresses are none") from None


def _of_block(data: bytes) -> str:
    if len(data) < _HEAD or data[12] not in (0x20, 0x21):
        raise HeaderError("its version or its command is unknown")
    if data[12] == 0x20 or data[13] in _NOWHERE:  # LOCAL: the proxy itself, to see whether we are there
        return ""
    size = _ADDRESS.get(data[13])
    if size is None or len(data) < _HEAD + 2 * size + 4:
        raise HeaderError("it has no address of TCP")
    return str(ipaddress.ip_address(data[_HEAD : _HEAD + size]))


Network = ipaddress.IPv4Network | ipaddress.IPv6Network
log = logging.getLogger(__name__)


class Proxies:
    """The proxies of a host, by their addresses. From them, a header is needed; from others, it is none."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        """`networks` are as in 10.0.0.0/8, or single addresses. Raises ValueError for what is neither."""
        self._networks: list[Network] = [ipaddress.ip_network(text) for text in networks]
        self._waiting = 0

    def __contains__(self, address: str) -> bool:
        """Whether this is the address of a proxy."""
        if not self._networks:
            return False
        try:
            found = ipaddress.ip_address(canonical_address(address))
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    async def source(self, connection: socket.socket, proxy: str) -> str:
        """Read the header of a connection, and not a byte more; return where it comes from, or nothing if unclear.

        A proxy that speaks for itself is where its connection comes from.
        """
        if self._waiting >= PROXY_HEADERS:
            log.warning("no-proxy-header", extra=fields(address=proxy, error="too many are waited for"))
            return ""
        self._waiting += 1
        try:
            async with asyncio.timeout(PROXY_HEADER_TIMEOUT):
                return source(await _header(connection)) or proxy
        except (OSError, HeaderError) as error:
            log.warning("no-proxy-header", extra=fields(address=proxy, error=str(error) or "it does not come"))
            return ""
        finally:
            self._waiting -= 1


async def _header(connection: socket.socket) -> bytes:
    loop, data = asyncio.get_running_loop(), b""
    while more := missing(data):
        read = await loop.sock_recv(connection, more)
        if not read:
            raise HeaderError("the connection ends before it")
        data += read
    return data
