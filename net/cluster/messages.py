"""What gateways and table hosts tell each other about guests, besides what those say themselves."""

from typing import Any

import msgspec

from net.host.presence import Visitor
from net.lines.messages import EndGuest, FromGuest, GuestGone, Said, ToGuest, Took


class Bring(Said, frozen=True):
    """A guest of a gateway, who has a name there and now goes to a table."""

    guest: int
    visitor: Visitor
    name: str
    token: str


ToFront = ToGuest | EndGuest | Took
ToTables = Bring | FromGuest | GuestGone
DECODERS: dict[Any, Any] = {kind: msgspec.msgpack.Decoder(kind) for kind in (ToFront, ToTables)}
