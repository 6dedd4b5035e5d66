"""Connections that come through a proxy, such as HAProxy: who is really at the other end, its header says."""

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Iterable

from net.host.access import canonical_address
from net.limits import PROXY_HEADER_TIMEOUT, PROXY_HEADERS
from net.logs import fields
from net.ssh.server.proxy_header import HeaderError, missing, source

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
