"""What is said on every line on which guests are: whom a gateway brings, what they say, and what is said to them."""

from typing import Any

import msgspec
from msgspec import Struct

from net.host.presence import Visitor
from net.wire.link import encode, frame


class Said(Struct, frozen=True, tag=True, array_like=True):
    """Something that one end of a line says. Guests have the numbers that the end gave them at which they came in."""


class ToGuest(Said, frozen=True):
    """A message of the server to a guest, packed."""

    guest: int
    payload: bytes


class EndGuest(Said, frozen=True):
    """The other end has closed a guest's link."""

    guest: int


class Took(Said, frozen=True):
    """The other end has taken some messages of a guest, who may send as many more."""

    guest: int
    count: int


class FromGuest(Said, frozen=True):
    """A message of a guest, packed."""

    guest: int
    payload: bytes


class GuestGone(Said, frozen=True):
    """A guest's link is over; `fault` says what was wrong with what came, if anything was."""

    guest: int
    fault: str = ""


class Bring(Said, frozen=True):
    """A guest of a gateway, who now goes to a table; to their `home` they come as soon as they are at the gateway."""

    guest: int
    visitor: Visitor
    name: str
    token: str


class Beats(Struct, frozen=True):
    """What the two ends say to show that they are alive, and what nobody else says."""

    ours: Said
    theirs: Said


ToFront = ToGuest | EndGuest | Took
ToTables = Bring | FromGuest | GuestGone
FRONT_BEATS = Beats(GuestGone(0), Took(0, 0))
TABLES_BEATS = Beats(Took(0, 0), GuestGone(0))
"""There is no guest 0, so that nodes of older versions hear these and do nothing."""
DECODERS: dict[Any, Any] = {kind: msgspec.msgpack.Decoder(kind) for kind in (ToFront, ToTables)}


def framed(said: Said) -> bytes:
    """Return a message as it is sent."""
    return frame(encode(said))
