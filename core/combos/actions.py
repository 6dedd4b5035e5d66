"""What a seat may do in a game of combinations, and what then happened."""

from msgspec import Struct

from core.bounds import Count, SeatNumber
from core.tiles import Hand


class Lead(Struct, frozen=True, array_like=True, tag="lead"):
    """Lead some tiles together."""

    tiles: Hand


class Beat(Struct, frozen=True, array_like=True, tag="beat"):
    """Beat the best tiles of a trick with as many of the same class that rank higher."""

    tiles: Hand


class Hide(Struct, frozen=True, array_like=True, tag="hide"):
    """Lay as many tiles face down, any ones."""

    tiles: Hand
    """Empty where it is told to others, who may not know which."""


class Matched(Struct, frozen=True, array_like=True, tag="matched"):
    """A seat led some tiles together, or beat the best ones with them."""

    seat: SeatNumber
    tiles: Hand
    beats: bool = False


class Hid(Struct, frozen=True, array_like=True, tag="hid"):
    """A seat laid `count` tiles face down; which ones only that seat is told before the round is over."""

    seat: SeatNumber
    count: Count
    tiles: Hand = ()


ComboAction = Lead | Beat | Hide
ComboEvent = Matched | Hid
