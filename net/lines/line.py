"""One end of a line: messages both ways over a stream, in frames of bounded size, every type checked.

On every line on which guests are, it is said whom a gateway brings, what they say, and what is said to them.
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
    """A message of one end. A guest's number is given by the end at which they came in.

    Subclasses state their tag: it goes over the line, between nodes of different versions, whatever the class is
    called.
    """


class ToGuest(TrunkMessage, frozen=True, tag="ToGuest"):
    """A message of the server to a guest, packed."""

    guest: int
    payload: bytes


class CloseGuest(TrunkMessage, frozen=True, tag="EndGuest"):
    """The other end has closed a guest's link."""

    guest: int


class Credit(TrunkMessage, frozen=True, tag="Took"):
    """The other end has taken some messages of a guest, who may send as many more."""

    guest: int
    count: int


class FromGuest(TrunkMessage, frozen=True, tag="FromGuest"):
    """A message of a guest, packed."""

    guest: int
    payload: bytes


class GuestGone(TrunkMessage, frozen=True, tag="GuestGone"):
    """A guest's link is over; `fault` says what was wrong with what came, if anything was."""

    guest: int
    fault: str = ""


class AttachGuest(TrunkMessage, frozen=True, tag="Bring"):
    """A guest of a gateway, who now goes to a table; to their `home` they come as soon as they are at the gateway."""

    guest: int
    visitor: Visitor
    name: str
    token: str


class HeartbeatPair(Struct, frozen=True):
    """What the two ends say to show that they are alive, and what nobody else says."""

    ours: TrunkMessage
    theirs: TrunkMessage


ToFront = ToGuest | CloseGuest | Credit
ToTables = AttachGuest | FromGuest | GuestGone
FRONT_HEARTBEATS = HeartbeatPair(GuestGone(0), Credit(0, 0))
TABLES_HEARTBEATS = HeartbeatPair(Credit(0, 0), GuestGone(0))
"""There is no guest 0, so that nodes of older versions hear these and do nothing."""
DECODERS: dict[Any, Any] = {kind: msgspec.msgpack.Decoder(kind) for kind in (ToFront, ToTables)}


def framed(said: TrunkMessage) -> bytes:
    """Return a message as it is sent."""
    return frame(encode(said))


HEARTBEAT = 1.0
"""Seconds between two beats."""
MISSED_HEARTBEATS = 3
"""Beats of one end after which the other, of which nothing came meanwhile, is taken to hang. An end that has hung
itself has not beaten meanwhile, and hears first what has come."""
_HEAD = 1024
"""Bytes that a message may be longer than what it carries."""
_NONSENSE = (WireError, msgspec.DecodeError, UnicodeDecodeError, RecursionError)
log = logging.getLogger(__name__)


class Trunk(asyncio.Protocol):
    """One end. `heard` is called with each message, `ended` once at the end of the line."""

    def __init__(
        self,
        decode: Callable[[bytes], Any],
        on_message: Callable[[Any], None],
        on_end: Callable[[], None],
        on_failure: Callable[[Any], None] = lambda _said: None,
        heartbeats: HeartbeatPair | None = None,
    ) -> None:
        """`decode` turns what comes into a message, or raises `msgspec.DecodeError`.

        `failed` is called with a message for which `heard` raised: it may end one guest, but the line goes on.
        With `beats` it ends as soon as the other end hangs, if that has ever beaten: older versions do not.
        """
        self._decode = decode
        self._on_message = on_message
        self._on_end = on_end
        self._on_failure = on_failure
        self._unframer = Unframer(MAX_FRAME + _HEAD)
        self._transport: asyncio.Transport | None = None
        self._heartbeats = heartbeats
        self._due = DeferredCall(self.send_heartbeat, "line-not-watched")
        self._peer_has_heartbeats = False
        """Whether the other end beats."""
        self._quiet = 0
        """Beats of this end since something came."""
        self._carrier: Trunk | None = None
        self._carried: Trunk | None = None
        self._kinds: tuple[type[TrunkMessage], ...] = ()
        """What the carried one hears."""

    @property
    def unsent(self) -> int:
        """Bytes that the other end has not taken yet."""
        return self._transport.get_write_buffer_size() if self._transport else 0

    def send(self, said: TrunkMessage) -> None:
        """Send a message and return at once; at the end of the line this does nothing."""
        if self._carrier is not None:
            self._carrier.send(said)
        elif self._transport is not None and not self._transport.is_closing():
            self._transport.write(framed(said))

    def multiplex(self, other: "Trunk", *kinds: type[TrunkMessage]) -> None:
        """Let another line, which is not open, say all that it says over this one, and hear these kinds of messages.

        It ends when this one does.
        """
        self._carried, self._kinds, other._carrier = other, kinds, self

    def close(self) -> None:
        """End the line once everything is sent."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """End the line now, whatever is not sent."""
        if self._transport is not None:
            self._transport.abort()

    def send_heartbeat(self) -> None:
        """Say that this end is alive, or end the line if the other is not."""
        if self._heartbeats is None:
            return
        if self._peer_has_heartbeats and self._quiet >= MISSED_HEARTBEATS:
            log.warning("line-silent")
            self.abort()
            return
        self._quiet += 1
        self.send(self._heartbeats.ours)
        self._due.schedule(HEARTBEAT)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.send_heartbeat()

    def data_received(self, data: bytes) -> None:
        """Hear what came. What makes no sense ends the line: one of the two programs is at fault."""
        self._quiet = 0
        try:
            for payload in self._unframer.feed(data):
                said = self._decode(payload)
                if self._heartbeats is not None and said == self._heartbeats.theirs:
                    self._peer_has_heartbeats = True
                    continue
                self._handle(said)
        except _NONSENSE as error:
            log.error("line-broken", extra=fields(error=error))
            if self._transport is not None:
                self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._due.cancel()
        if self._carried is not None:
            self._carried.connection_lost(exc)
        self._on_end()

    def _handle(self, said: TrunkMessage) -> None:
        if self._carried is not None and isinstance(said, self._kinds):
            self._carried._handle(said)
            return
        with log_failures("message-failed", but=_NONSENSE) as hearing:
            self._on_message(said)
        if hearing.failed:
            self._on_failure(said)


async def open_trunk(line: Trunk, end: socket.socket) -> None:
    """Begin to hear and say something over a connected stream socket, which belongs to the line from now on."""
    await asyncio.get_running_loop().create_connection(lambda: line, sock=end)


class _MemoryTransport(asyncio.Transport):
    """One end of a line within one process: what is written arrives in a later turn of the loop."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self.other: _MemoryTransport | None = None
        self._protocol = protocol
        self._over = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.other is not None and not self._over:
            asyncio.get_running_loop().call_soon(self.other.take, bytes(data))

    def take(self, data: bytes) -> None:
        if not self._over:
            self._protocol.data_received(data)

    def is_closing(self) -> bool:
        return self._over

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        if not self._over and self.other is not None:
            self._over = True
            loop = asyncio.get_running_loop()
            loop.call_soon(self.other.close)
            loop.call_soon(self._protocol.connection_lost, None)

    abort = close


def connect_in_memory(line: Trunk, other: Trunk) -> None:
    """Make two ends within one process one line."""
    one, two = _MemoryTransport(line), _MemoryTransport(other)
    one.other, two.other = two, one
    line.connection_made(one)
    other.connection_made(two)
