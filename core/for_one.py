"""What is done and what happens in games for one, beside what they share with other families (`docs/rules` §C.8)."""

from msgspec import Struct

from core.bounds import SeatNumber
from core.tiles import Tile


class Take(Struct, frozen=True, array_like=True, tag="take", gc=False):
    """Take tiles off the table."""

    tiles: tuple[Tile, ...]
    """In the order in which they lie."""


class Fill(Struct, frozen=True, array_like=True, tag="fill", gc=False):
    """Move the bottom tile of a column to the first empty one."""

    tile: Tile


class GiveUp(Struct, frozen=True, array_like=True, tag="give_up"):
    """End the game before its end."""


class Removed(Struct, frozen=True, array_like=True, tag="removed"):
    """A seat took tiles off the table."""

    seat: SeatNumber
    tiles: tuple[Tile, ...]


class Moved(Struct, frozen=True, array_like=True, tag="moved"):
    """A seat moved a tile to an empty column."""

    seat: SeatNumber
    tile: Tile


class Turned(Struct, frozen=True, array_like=True, tag="turned"):
    """Tiles of the boneyard were laid on the table face up."""

    seat: SeatNumber
    tiles: tuple[Tile, ...]


ActionForOne = Take | Fill | GiveUp
EventForOne = Removed | Moved | Turned
