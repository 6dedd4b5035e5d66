"""What is said on every line on which guests are: what they say, and what is said to them."""

import msgspec
from msgspec import Struct

from net.wire.link import frame


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


_encode = msgspec.msgpack.Encoder().encode


def framed(said: Said) -> bytes:
    """Return a message as it is sent."""
    return frame(_encode(said))
