"""One end of a line: messages both ways over a stream, in frames of bounded size, every type checked."""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any, cast

import msgspec

from net.limits import MAX_FRAME
from net.lines.messages import Said, framed
from net.logs import fields
from net.wire.codec import Unframer, WireError

_HEAD = 1024
"""Bytes that a message may be longer than what it carries."""
log = logging.getLogger(__name__)


class Line(asyncio.Protocol):
    """One end. `heard` is called with each message, `ended` once at the end of the line."""

    def __init__(
        self, decode: Callable[[bytes], Any], heard: Callable[[Any], None], ended: Callable[[], None]
    ) -> None:
        """`decode` turns what comes into a message, or raises `msgspec.DecodeError`."""
        self._decode = decode
        self._heard = heard
        self._ended = ended
        self._unframer = Unframer(MAX_FRAME + _HEAD)
        self._transport: asyncio.Transport | None = None

    @property
    def unsent(self) -> int:
        """Bytes that the other end has not taken yet."""
        return self._transport.get_write_buffer_size() if self._transport else 0

    def say(self, said: Said) -> None:
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
