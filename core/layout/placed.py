"""The layout on the table: a tree of placed tiles for the screens, and the open ends that the rules read.

Sides of a placed tile. The first tile of a line has side 0 at its low half and side 1 at its high half. Every
later tile touches its parent with side 0 and turns side 1 outward. A double that branches has its two short
ends at sides 2 and 3.
"""

from msgspec import Struct

from core.bounds import Index, Pips, SeatNumber, TileSide
from core.tiles import Tile

NOBODY = -1
"""Stands for no seat."""


class Placed(Struct, frozen=True, array_like=True, gc=False):
    """One tile on the table, named by its index in the layout: tiles are listed as they were laid."""

    tile: Tile
    on: Index
    """Index of the tile that this one was laid on; -1 for the first."""
    side: TileSide
    """The side of that tile that this one touches."""
    out: Pips
    """The number turned outward, at side 1."""
    seat: SeatNumber
    """Who laid it; -1 when it lay there from the start."""


class End(Struct, frozen=True, array_like=True, gc=False):
    """A place where a tile may be laid: a side of a placed tile, and the number shown there."""

    at: Index
    """Index of the placed tile; -1 is the empty table before the first tile."""
    side: TileSide
    pips: Pips
    owner: SeatNumber = NOBODY
    """Whose train this is, where trains have owners."""


Layout = tuple[Placed, ...]


def end_at(ends: tuple[End, ...], at: int, side: int) -> End:
    """The one of these ends that is a certain side of a certain tile."""
    for end in ends:
        if end.at == at and end.side == side:
            return end
    raise LookupError(f"Nothing is open at side {side} of tile {at}.")


def carried_on(ends: tuple[End, ...], placed: Placed, index: int) -> tuple[End, ...]:
    """The ends once a tile, which is now the one at an index, carries on the end that it was laid on."""
    on, side = placed.on, placed.side
    return tuple([End(index, 1, placed.out, end.owner) if end.at == on and end.side == side else end for end in ends])


def bearing(layout: Layout, pips: int) -> int:
    """How many tiles with this number are on the table."""
    return sum([pips in placed.tile for placed in layout])
