"""What lies between a host and one of its gateways: a line for messages, and a way for sockets to the gateway."""

import asyncio
import contextlib
import socket
from collections.abc import Callable

_SOCKETS_AT_ONCE = 16
"""Connections taken in one turn of the loop."""
_ADDRESS = 80
"""Bytes of an address, at most; one of IPv6 with its zone is the longest."""


def line_pair() -> tuple[tuple[socket.socket, socket.socket], tuple[socket.socket, socket.socket]]:
    """Return what a host keeps and what a gateway gets: a stream for messages, and datagrams for sockets."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    giving, taking = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    giving.setblocking(False)
    taking.setblocking(False)
    return (here, giving), (there, taking)


def give(giving: socket.socket, number: int, connection: socket.socket, address: str, *, web: bool) -> bool:
    """Hand over a connection under a number, from an address, maybe of a browser; return whether there was room for
    it on the way.
    """
    try:
        head = number.to_bytes(8, "big") + bytes([web])
        socket.send_fds(giving, [head + address.encode()], [connection.fileno()])
    except OSError:
        return False
    return True


def take_all(taking: socket.socket, take: Callable[[int, socket.socket, str, bool], None]) -> None:
    """Call `take` with each number, connection and address that was handed over, whenever one comes, and with whether
    it is of a browser.
    """

    def ready() -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(_SOCKETS_AT_ONCE):
                data, descriptors, _flags, _address = socket.recv_fds(taking, 9 + _ADDRESS, 1)
                for descriptor in descriptors:
                    connection = socket.socket(fileno=descriptor)
                    connection.setblocking(False)
                    take(int.from_bytes(data[:8], "big"), connection, data[9:].decode(), data[8] != 0)

    asyncio.get_running_loop().add_reader(taking, ready)
