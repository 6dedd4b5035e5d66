"""Frames over a stream of bytes: the link that a joined player and the host share."""

import asyncio

from net.doors.terminal import Transport
from net.limits import MAX_UNREAD, MAX_UNSENT
from net.wire.link import Unframer, WireError, frame

_FRAME_COST = 64
"""Bytes that a queued frame counts for besides its payload, so that empty frames count, too."""


class StreamLink:
    """A `net.wire.link.Link` over a transport.

    The owner of the transport calls `feed`, `eof`, `pause`, `resume` and `end`. For bytes that are not a frame,
    `receive` raises WireError, after it has returned all frames before them.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._unframer = Unframer()
        self._inbox: asyncio.Queue[bytes | WireError | None] = asyncio.Queue()
        self._unread = 0
        self._outbox: list[bytes] = []
        self._unsent = 0
        self._paused = False
        self._closed = False
        self._invalid = False

    @property
    def unsent(self) -> int:
        """Bytes held for the other end until it reads."""
        return self._unsent

    def send(self, payload: bytes) -> None:
        """Queue one frame and return at once; a reader who is MAX_UNSENT behind loses the link."""
        if self._closed:
            return
        if not self._paused:
            self._transport.write(frame(payload))
            return
        self._outbox.append(payload)
        self._unsent += len(payload) + _FRAME_COST
        if self._unsent > MAX_UNSENT:
            self.end()
            self._transport.hang_up()

    async def receive(self) -> bytes | None:
        """Return the next frame, or None at the end; raises WireError, then and ever after, for no frame."""
        payload = await self._inbox.get()
        if not isinstance(payload, bytes):
            self._inbox.put_nowait(payload)  # the end stays the end, for every later reader
            if payload is not None:
                raise payload
            return None
        self._unread -= len(payload) + _FRAME_COST
        if self._unread <= MAX_UNREAD // 2:
            self._transport.resume_reading()
        return payload

    def close(self) -> None:
        """Close both directions once everything is sent; harmless when already closed."""
        if not self._closed:
            for payload in self._outbox:
                self._transport.write(frame(payload))
            self.end()
            self._transport.finish()

    def feed(self, data: bytes) -> None:
        """Take in bytes from the other end."""
        if self._closed or self._invalid:
            return
        try:
            payloads = self._unframer.feed(data)
        except WireError as error:
            self._invalid = True  # and not closed: the reader still sends a last message
            self._inbox.put_nowait(error)
            return
        for payload in payloads:
            self._unread += len(payload) + _FRAME_COST
            self._inbox.put_nowait(payload)
        if self._unread > MAX_UNREAD:
            self._transport.pause_reading()

    def eof(self) -> None:
        """Take note that the other end sends no more, but may still read what it asked for."""
        self._inbox.put_nowait(None)

    def pause(self) -> None:
        """Take note that the transport is full."""
        self._paused = True

    def resume(self) -> None:
        """Take note that the transport has room again, and fill it."""
        self._paused = False
        waiting, self._outbox, self._unsent = self._outbox, [], 0
        for payload in waiting:  # this may pause the transport again; then `send` puts the rest back in order
            self.send(payload)

    def end(self) -> None:
        """Take note that the transport is gone; harmless when said twice."""
        if not self._closed:
            self._closed = True
            self._outbox.clear()
            self._inbox.put_nowait(None)
