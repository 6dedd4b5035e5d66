"""What a host and its gateways tell each other. Both are this program, started by the host, on one machine."""

from typing import Any

import msgspec
from msgspec import Struct

from net.host.access import DenialReason
from net.host.metrics import SessionKind
from net.host.presence import Visitor
from net.limits import Limits
from net.wire.codec import frame


class _Said(Struct, frozen=True, tag=True, array_like=True):
    """Something that one end says. Connections have the numbers that the host gave them, guests those that their
    gateway did.
    """


class Begin(_Said, frozen=True):
    """The first that a gateway hears: all that it must know of the host. `keys` and `log_file` may be empty."""

    number: int
    software: str
    theme: str
    pictures: bool
    host_key: str
    log_file: str
    invite: str
    keys: str
    limits: Limits


class ToGuest(_Said, frozen=True):
    """A message of the server to a guest, packed."""

    guest: int
    payload: bytes


class EndGuest(_Said, frozen=True):
    """The server has closed a guest's link."""

    guest: int


class Took(_Said, frozen=True):
    """The server has taken some messages of a guest, who may send as many more."""

    guest: int
    count: int


class Judged(_Said, frozen=True):
    """The answer to `CheckCode` and `ClaimSession`."""

    question: int
    allowed: bool
    reason: DenialReason | None = None
    """Why nothing more is looked at, if so."""


class Deny(_Said, frozen=True):
    """Close a connection, with a reason; without one, cut it."""

    connection: int
    reason: DenialReason | None = None


class Moved(_Said, frozen=True):
    """A move was made at some table: what can wait lets it pass."""


class Close(_Said, frozen=True):
    """The host closes: let everybody leave, then end."""


class Ready(_Said, frozen=True):
    """The gateway takes connections from now on."""


class State(_Said, frozen=True):
    """How far a connection has come."""

    connection: int
    reading: bool
    exchanged: bool
    user: str = ""
    key: str | None = None
    port: int = 0
    authenticated: bool = False


class Gone(_Said, frozen=True):
    """A connection is over."""

    connection: int


class CheckCode(_Said, frozen=True):
    """Is this invitation code right?"""

    question: int
    connection: int
    text: str


class ClaimSession(_Said, frozen=True):
    """May a connection open one more session?"""

    question: int
    connection: int


class ReleaseSession(_Said, frozen=True):
    """A session that was claimed is over."""

    connection: int


class OpenGuest(_Said, frozen=True):
    """A guest has come over a link."""

    guest: int
    visitor: Visitor


class FromGuest(_Said, frozen=True):
    """A message of a guest, packed."""

    guest: int
    payload: bytes


class GuestGone(_Said, frozen=True):
    """A guest's link is over; `fault` says what was wrong with what came, if anything was."""

    guest: int
    fault: str = ""


class Counted(_Said, frozen=True):
    """What a gateway has counted. It says so at least once a second, which also tells that it is alive."""

    unsent: int | None = None
    """Bytes that wait for slow readers, where it has looked."""
    opened: SessionKind | None = None
    closed: SessionKind | None = None
    turned_away: DenialReason | None = None
    repaints: tuple[float, ...] = ()
    """Seconds."""


ToGateway = Begin | ToGuest | EndGuest | Took | Judged | Deny | Moved | Close
FromGateway = (
    Ready | State | Gone | CheckCode | ClaimSession | ReleaseSession | OpenGuest | FromGuest | GuestGone | Counted
)
_encode = msgspec.msgpack.Encoder().encode
DECODERS: dict[Any, Any] = {kind: msgspec.msgpack.Decoder(kind) for kind in (ToGateway, FromGateway)}


def framed(said: ToGateway | FromGateway) -> bytes:
    """Return a message as it is sent."""
    return frame(_encode(said))
