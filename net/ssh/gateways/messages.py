"""What a host and its gateways tell each other. Both are this program, started by the host, on one machine.

Connections have the numbers that the host gave them.
"""

from typing import Any

import msgspec

from net.host.access import DenialReason
from net.host.metrics import SessionKind
from net.host.presence import Visitor
from net.host.stages import Spread
from net.hosting.options import DoorOptions
from net.lines.messages import EndGuest, FromGuest, GuestGone, Said, ToGuest, Took


class Begin(Said, frozen=True):
    """The first that a gateway hears: all that it must know of the host. Texts may be empty."""

    number: int
    software: str
    host_key: str
    log_file: str
    node: str
    """Of a cluster, for the log."""
    door: DoorOptions


class Judged(Said, frozen=True):
    """The answer to `CheckCode` and `ClaimSession`."""

    question: int
    allowed: bool
    reason: DenialReason | None = None
    """Why nothing more is looked at, if so."""


class Deny(Said, frozen=True):
    """Close a connection, with a reason; without one, cut it."""

    connection: int
    reason: DenialReason | None = None


class Moved(Said, frozen=True):
    """A move was made at some table: what can wait lets it pass."""


class Close(Said, frozen=True):
    """The host closes: let everybody leave, then end."""


class Ready(Said, frozen=True):
    """The gateway takes connections from now on."""


class State(Said, frozen=True):
    """How far a connection has come."""

    connection: int
    reading: bool
    exchanged: bool
    user: str = ""
    key: str | None = None
    port: int = 0
    authenticated: bool = False


class Gone(Said, frozen=True):
    """A connection is over."""

    connection: int


class CheckCode(Said, frozen=True):
    """Is this invitation code right?"""

    question: int
    connection: int
    text: str


class ClaimSession(Said, frozen=True):
    """May a connection open one more session?"""

    question: int
    connection: int


class ReleaseSession(Said, frozen=True):
    """A session that was claimed is over."""

    connection: int


class OpenGuest(Said, frozen=True):
    """A guest has come over a link."""

    guest: int
    visitor: Visitor


class Counted(Said, frozen=True):
    """What a gateway has counted. It says so at least once a second, which also tells that it is alive."""

    unsent: int | None = None
    """Bytes that wait for slow readers, where it has looked."""
    opened: SessionKind | None = None
    closed: SessionKind | None = None
    turned_away: DenialReason | None = None
    repaints: tuple[float, ...] = ()
    """Seconds."""
    stages: tuple[Spread, ...] = ()
    floods: str = ""
    """An address from which keys were exchanged too often."""


ToGateway = Begin | ToGuest | EndGuest | Took | Judged | Deny | Moved | Close
FromGateway = (
    Ready | State | Gone | CheckCode | ClaimSession | ReleaseSession | OpenGuest | FromGuest | GuestGone | Counted
)
DECODERS: dict[Any, Any] = {kind: msgspec.msgpack.Decoder(kind) for kind in (ToGateway, FromGateway)}
