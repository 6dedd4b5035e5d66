"""What gateways and table hosts tell each other about guests, besides what those say themselves."""

from typing import Any

import msgspec

from net.host.presence import Visitor
from net.lines.line import Beats
from net.lines.messages import EndGuest, FromGuest, GuestGone, Said, ToGuest, Took


class Bring(Said, frozen=True):
    """A guest of a gateway, who now goes to a table; to their `home` they come as soon as they are at the gateway."""

    guest: int
    visitor: Visitor
    name: str
    token: str


ToFront = ToGuest | EndGuest | Took
ToTables = Bring | FromGuest | GuestGone
FRONT_BEATS = Beats(GuestGone(0), Took(0, 0))
TABLES_BEATS = Beats(Took(0, 0), GuestGone(0))
"""There is no guest 0, so that nodes of older versions hear these and do nothing."""
DECODERS: dict[Any, Any] = {kind: msgspec.msgpack.Decoder(kind) for kind in (ToFront, ToTables)}
