"""Messages as bytes, and the link that carries them both ways: its interface, one in memory, one over a stream."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

import msgpack
import msgspec

from net.limits import MAX_BYTES, MAX_DEPTH, MAX_FRAME, MAX_ITEMS, MAX_KEYS, MAX_TEXT, MAX_UNREAD, MAX_UNSENT

_LENGTH_BYTES = 4


class WireError(Exception):
    """The other end sent something invalid; the sentence says what."""


def frame(payload: bytes) -> bytes:
    """Put the 4-byte big-endian length before a payload."""
    return len(payload).to_bytes(_LENGTH_BYTES, "big") + payload


class Unframer:
    """Splits a stream of bytes into payloads; `feed` takes what arrives, in pieces of any size."""

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self._limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Take some bytes and return the payloads that they complete.

        Raises WireError at the first length above the limit, before any of that frame is stored.
        """
        self._buffer += data
        payloads = []
        while len(self._buffer) >= _LENGTH_BYTES:
            length = int.from_bytes(self._buffer[:_LENGTH_BYTES], "big")
            if length > self._limit:
                raise WireError(f"A frame of {length} bytes is longer than the {self._limit} allowed.")
            if len(self._buffer) < _LENGTH_BYTES + length:
                break
            payloads.append(bytes(self._buffer[_LENGTH_BYTES : _LENGTH_BYTES + length]))
            del self._buffer[: _LENGTH_BYTES + length]
        return payloads


class Packed(bytes):
    """A payload that was made in this process: a receiver of this very object need not unpack and check it."""

    message: msgspec.Struct


def _plain(value: object) -> bytes:
    """Return the bytes of a payload within a message, which one end of a trunk passes on."""
    if isinstance(value, Packed):
        return bytes(value)
    raise TypeError(f"A message holds no {type(value).__name__}.")


encode = msgspec.msgpack.Encoder(enc_hook=_plain).encode
"""Turns any message into bytes."""


def pack(message: msgspec.Struct) -> bytes:
    """Turn a message into the payload of a frame."""
    payload = Packed(encode(message))
    payload.message = message
    return payload


def unpack(payload: bytes, kind: Any, *, map_text: Callable[[str], str] | None = None) -> Any:
    """Turn a payload into a message of `kind`, a Struct or a union of them, with every type checked.

    `map_text` may change every text in it except the lines of a record, which are data and are not shown.
    Raises WireError if the payload is not MessagePack, nests too deep or is not a message of that kind.
    """
    if isinstance(payload, Packed) and map_text is None and isinstance(payload.message, kind):
        return payload.message
    try:
        value = msgpack.unpackb(
            payload,
            max_str_len=MAX_TEXT,
            max_bin_len=MAX_BYTES,
            max_array_len=MAX_ITEMS,
            max_map_len=MAX_KEYS,
            max_ext_len=0,
            strict_map_key=True,
        )
        if len(payload) > MAX_DEPTH:  # each level takes a byte at least
            _check_depth(value)
        if map_text is not None and not (isinstance(value, dict) and value.get("type") == "record"):
            value = _map_strings(value, map_text)
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        raise WireError(f"That is no message of ours: {error}.") from error
    except WireError:
        raise
    except (ValueError, RecursionError, msgpack.UnpackException) as error:
        raise WireError("Those bytes are not MessagePack.") from error


def _map_strings(value: Any, map_text: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return map_text(value)
    if isinstance(value, dict):
        return {_map_strings(key, map_text): _map_strings(item, map_text) for key, item in value.items()}
    return [_map_strings(item, map_text) for item in value] if isinstance(value, list) else value


def _check_depth(value: Any) -> None:
    values = [value]
    for _ in range(MAX_DEPTH + 1):
        values = [container for container in values if type(container) is list or type(container) is dict]
        if not values:
            return
        values = [
            inner for container in values for inner in (container.values() if type(container) is dict else container)
        ]
    raise WireError(f"A message nests deeper than {MAX_DEPTH}.")


class LineLost(Exception):  # noqa: N818 - an end, for which the guest is not to blame
    """The trunk between two processes of the host that carried a guest has ended."""


class Link(Protocol):
    """An end of a connection. Its opener closes it; closing one end ends the other."""

    def send(self, frame: bytes) -> None:
        """Queue one frame and return at once. On a closed link this does nothing."""

    async def receive(self) -> bytes | None:
        """Return the next frame, or None once the link is closed and nothing is left.

        Raises WireError for bytes that cannot be a frame, and LineLost if a trunk ended.
        """

    def close(self) -> None:
        """Close both directions; harmless when already closed."""


class MemoryLink:
    """A link within the same process; `memory_pair` makes both ends."""

    def __init__(self, inbox: "asyncio.Queue[bytes | None]", outbox: "asyncio.Queue[bytes | None]") -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._closed = False

    def send(self, frame: bytes) -> None:
        if not self._closed:
            self._outbox.put_nowait(frame)

    async def receive(self) -> bytes | None:
        frame = await self._inbox.get()
        if frame is None:
            self._inbox.put_nowait(None)
        return frame

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._outbox.put_nowait(None)
            self._inbox.put_nowait(None)


def memory_pair() -> tuple[MemoryLink, MemoryLink]:
    """Return the two ends of a link within one process."""
    to_second: asyncio.Queue[bytes | None] = asyncio.Queue()
    to_first: asyncio.Queue[bytes | None] = asyncio.Queue()
    return MemoryLink(to_first, to_second), MemoryLink(to_second, to_first)


_FRAME_COST = 64
"""Bytes that a queued frame counts for besides its payload, so that empty frames count, too."""


class Transport(Protocol):
    """Channel of bytes to the other end. No method waits or raises, whether it is open or closed."""

    def write(self, data: bytes) -> None:
        """Send bytes, or buffer them until they can be sent."""

    def pause_reading(self) -> None:
        """Receive no bytes until `resume_reading`."""

    def resume_reading(self) -> None:
        """Receive bytes again."""

    def finish(self) -> None:
        """End the stream once everything is sent."""

    def hang_up(self) -> None:
        """Close the connection now, without sending what is queued."""


class StreamLink:
    """A `Link` over a transport.

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
        if not self._closed:
            for payload in self._outbox:
                self._transport.write(frame(payload))
            self.end()
            self._transport.finish()

    def feed(self, data: bytes) -> None:
        """Take bytes from the other end."""
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
        """Handle the end of the other end's stream; the other end may still read."""
        self._inbox.put_nowait(None)

    def pause(self) -> None:
        """Stop writing: the transport is full."""
        self._paused = True

    def resume(self) -> None:
        """Continue writing: the transport has room again."""
        self._paused = False
        payloads, self._outbox, self._unsent = self._outbox, [], 0
        for payload in payloads:  # this may pause the transport again; then `send` queues the rest in order
            self.send(payload)

    def end(self) -> None:
        """Handle the loss of the transport; harmless when called twice."""
        if not self._closed:
            self._closed = True
            self._outbox.clear()
            self._inbox.put_nowait(None)
