"""An end of a trunk: typed messages both ways over a stream, in frames of bounded size.

A trunk multiplexes guests: `AttachGuest` opens a link, `FromGuest` and `ToGuest` carry it, `GuestGone` or
`CloseGuest` ends it, and `Credit` limits what is in flight.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any, cast

import msgspec
from msgspec import Struct

from net.host.presence import Visitor
from net.limits import MAX_FRAME
from net.logs import fields
from net.loop import DeferredCall, log_failures
from net.wire.link import Unframer, WireError, encode, frame


class TrunkMessage(Struct, frozen=True, array_like=True):
    """A message of one end. Guests have the numbers of the gateway that they are connected to.

    Subclasses state their tag: it is sent between nodes of different versions, and stays when the class is renamed.
    """


class ToGuest(TrunkMessage, frozen=True, tag="ToGuest"):
    """A packed message of the server to a guest."""

    guest: int
    payload: bytes


class CloseGuest(TrunkMessage, frozen=True, tag="EndGuest"):
    """Sent by the table host: it has closed a guest's link."""

    guest: int


class Credit(TrunkMessage, frozen=True, tag="Took"):
    """Sent by the table host: it has consumed `count` messages of a guest, who may send as many more."""

    guest: int
    count: int


class FromGuest(TrunkMessage, frozen=True, tag="FromGuest"):
    """A packed message of a guest."""

    guest: int
    payload: bytes


class GuestGone(TrunkMessage, frozen=True, tag="GuestGone"):
    """A guest's link has ended; `fault` is the error if a message could not be decoded."""

    guest: int
    fault: str = ""


class AttachGuest(TrunkMessage, frozen=True, tag="Bring"):
    """A guest of a gateway goes to a table; a `home` gets this as soon as they connect to the gateway."""

    guest: int
    visitor: Visitor
    name: str
    token: str


class HeartbeatPair(Struct, frozen=True):
    """The heartbeats of the two ends: messages without any other use."""

    ours: TrunkMessage
    theirs: TrunkMessage


ToFront = ToGuest | CloseGuest | Credit
ToTables = AttachGuest | FromGuest | GuestGone
FRONT_HEARTBEATS = HeartbeatPair(GuestGone(0), Credit(0, 0))
TABLES_HEARTBEATS = HeartbeatPair(Credit(0, 0), GuestGone(0))
"""There is no guest 0, so nodes of older versions ignore these messages."""
DECODERS: dict[Any, Any] = {kind: msgspec.msgpack.Decoder(kind) for kind in (ToFront, ToTables)}


def frame_message(message: TrunkMessage) -> bytes:
    """Return a message as it is sent."""
    return frame(encode(message))


HEARTBEAT = 1.0
"""Seconds between two heartbeats."""
MISSED_HEARTBEATS = 3
"""Heartbeats of this end since anything was received; then the other end hangs. A process that was suspended itself
is safe: it counted none meanwhile, and reads its backlog first.
"""
_MAX_OVERHEAD = 1024
"""Bytes by which a message may exceed its payload."""
_DECODING_ERRORS = (WireError, msgspec.DecodeError, UnicodeDecodeError, RecursionError)
log = logging.getLogger(__name__)


class Trunk(asyncio.Protocol):
    """An end of a trunk. `on_message` is called with each message, `on_end` once when the trunk ends."""

    def __init__(
        self,
        decode: Callable[[bytes], Any],
        on_message: Callable[[Any], None],
        on_end: Callable[[], None],
        on_failure: Callable[[Any], None] = lambda _message: None,
        heartbeats: HeartbeatPair | None = None,
    ) -> None:
        """`decode` decodes a message, or raises `msgspec.DecodeError`.

        `on_failure` is called with a message for which `on_message` raised: it may end one guest, but the trunk goes
        on. With `heartbeats` the trunk ends when the other end hangs, if that has ever sent a heartbeat: older
        versions do not.
        """
        self._decode = decode
        self._on_message = on_message
        self._on_end = on_end
        self._on_failure = on_failure
        self._unframer = Unframer(MAX_FRAME + _MAX_OVERHEAD)
        self._transport: asyncio.Transport | None = None
        self._heartbeats = heartbeats
        self._heartbeat_timer = DeferredCall(self.send_heartbeat, "line-not-watched")
        self._peer_has_heartbeats = False
        """True if the other end sends heartbeats."""
        self._unanswered_heartbeats = 0
        """Heartbeats of this end since anything was received."""
        self._carrier: Trunk | None = None
        self._carried: Trunk | None = None
        self._carried_types: tuple[type[TrunkMessage], ...] = ()
        """Types of messages for the carried trunk."""

    @property
    def unsent(self) -> int:
        """Bytes in the write buffer."""
        return self._transport.get_write_buffer_size() if self._transport else 0

    def send(self, message: TrunkMessage) -> None:
        """Send a message without waiting; a no-op once the trunk has ended."""
        if self._carrier is not None:
            self._carrier.send(message)
        elif self._transport is not None and not self._transport.is_closing():
            self._transport.write(frame_message(message))

    def multiplex(self, other: "Trunk", *kinds: type[TrunkMessage]) -> None:
        """Carry another, unopened trunk: all its messages are sent over this one, which passes it the messages of the
        types `kinds`.

        The other trunk ends when this one does.
        """
        self._carried, self._carried_types, other._carrier = other, kinds, self

    def close(self) -> None:
        """Close the trunk once the buffer is sent."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Close the trunk now and discard the buffer."""
        if self._transport is not None:
            self._transport.abort()

    def send_heartbeat(self) -> None:
        """Send a heartbeat, or abort the trunk if the other end hangs."""
        if self._heartbeats is None:
            return
        if self._peer_has_heartbeats and self._unanswered_heartbeats >= MISSED_HEARTBEATS:
            log.warning("line-silent")
            self.abort()
            return
        self._unanswered_heartbeats += 1
        self.send(self._heartbeats.ours)
        self._heartbeat_timer.schedule(HEARTBEAT)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.send_heartbeat()

    def data_received(self, data: bytes) -> None:
        """Receive messages. An invalid one aborts the trunk: one of the two programs has a bug."""
        self._unanswered_heartbeats = 0
        try:
            for payload in self._unframer.feed(data):
                message = self._decode(payload)
                if self._heartbeats is not None and message == self._heartbeats.theirs:
                    self._peer_has_heartbeats = True
                    continue
                self._handle(message)
        except _DECODING_ERRORS as error:
            log.error("line-broken", extra=fields(error=error))
            if self._transport is not None:
                self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heartbeat_timer.cancel()
        if self._carried is not None:
            self._carried.connection_lost(exc)
        self._on_end()

    def _handle(self, message: TrunkMessage) -> None:
        if self._carried is not None and isinstance(message, self._carried_types):
            self._carried._handle(message)
            return
        with log_failures("message-failed", raises=_DECODING_ERRORS) as handling:
            self._on_message(message)
        if handling.failed:
            self._on_failure(message)


async def open_trunk(trunk: Trunk, sock: socket.socket) -> None:
    """Open a trunk over a connected stream socket, which it owns from now on."""
    await asyncio.get_running_loop().create_connection(lambda: trunk, sock=sock)


class _MemoryTransport(asyncio.Transport):
    """An end of a trunk within a process: written data arrives in a later iteration of the loop."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self.other: _MemoryTransport | None = None
        self._protocol = protocol
        self._is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.other is not None and not self._is_closed:
            asyncio.get_running_loop().call_soon(self.other.receive, bytes(data))

    def receive(self, data: bytes) -> None:
        if not self._is_closed:
            self._protocol.data_received(data)

    def is_closing(self) -> bool:
        return self._is_closed

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        if not self._is_closed and self.other is not None:
            self._is_closed = True
            loop = asyncio.get_running_loop()
            loop.call_soon(self.other.close)
            loop.call_soon(self._protocol.connection_lost, None)

    abort = close


def connect_in_memory(trunk: Trunk, other: Trunk) -> None:
    """Connect two ends within this process."""
    transport, other_transport = _MemoryTransport(trunk), _MemoryTransport(other)
    transport.other, other_transport.other = other_transport, transport
    trunk.connection_made(transport)
    other.connection_made(other_transport)
