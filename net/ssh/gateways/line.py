"""The line between a host and one of its gateways: messages both ways, and sockets from the host to the gateway."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable
from typing import Any, cast

import msgspec

from net.limits import MAX_FRAME
from net.logs import fields
from net.ssh.gateways.messages import DECODERS, FromGateway, ToGateway, framed
from net.wire.codec import Unframer, WireError

_HEAD = 1024
"""Bytes that a message may be longer than what it carries."""
_SOCKETS_AT_ONCE = 16
"""Connections taken in one turn of the loop."""
log = logging.getLogger(__name__)


class Line(asyncio.Protocol):
    """One end. `heard` is called with each message, `ended` once at the end of the line."""

    def __init__(self, hears: Any, heard: Callable[[Any], None], ended: Callable[[], None]) -> None:
        """`hears` is the union of messages that come: `ToGateway` or `FromGateway`."""
        self._decode = DECODERS[hears].decode
        self._heard = heard
        self._ended = ended
        self._unframer = Unframer(MAX_FRAME + _HEAD)
        self._transport: asyncio.Transport | None = None

    @property
    def unsent(self) -> int:
        """Bytes that the other end has not taken yet."""
        return self._transport.get_write_buffer_size() if self._transport else 0

    def say(self, said: ToGateway | FromGateway) -> None:
        """Send a message and return at once; at the end of the line this does nothing."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(framed(said))

    def close(self) -> None:
        """End the line once everything is sent."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Hear what came. What makes no sense ends the line: one of the two programs is at fault."""
        try:
            for payload in self._unframer.feed(data):
                self._heard(self._decode(payload))
        except (WireError, msgspec.DecodeError) as error:
            log.error("line-broken", extra=fields(error=error))
            if self._transport is not None:
                self._transport.abort()

    def connection_lost(self, _exc: Exception | None) -> None:
        """Say that the line is over."""
        self._ended()


async def opened(line: Line, end: socket.socket) -> None:
    """Begin to hear and say something over a connected stream socket, which belongs to the line from now on."""
    await asyncio.get_running_loop().create_connection(lambda: line, sock=end)


def line_pair() -> tuple[tuple[socket.socket, socket.socket], tuple[socket.socket, socket.socket]]:
    """Return what a host keeps and what a gateway gets: a stream for messages, and datagrams for sockets."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    giving, taking = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    giving.setblocking(False)
    taking.setblocking(False)
    return (here, giving), (there, taking)


def give(giving: socket.socket, number: int, connection: socket.socket) -> bool:
    """Hand over a connection under a number; return whether there was room for it on the way."""
    try:
        socket.send_fds(giving, [number.to_bytes(8, "big")], [connection.fileno()])
    except OSError:
        return False
    return True


def take_all(taking: socket.socket, take: Callable[[int, socket.socket], None]) -> None:
    """Call `take` with each number and connection that was handed over, whenever one comes."""

    def ready() -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(_SOCKETS_AT_ONCE):
                data, descriptors, _flags, _address = socket.recv_fds(taking, 8, 1)
                for descriptor in descriptors:
                    connection = socket.socket(fileno=descriptor)
                    connection.setblocking(False)
                    take(int.from_bytes(data, "big"), connection)

    asyncio.get_running_loop().add_reader(taking, ready)
