"""A moment of a game for one player, and the view of it."""

from msgspec import Struct

from core.actions import Action, RoundOver
from core.layout.state import NOBODY, PlainState
from core.tiles import Count, Hand, Pips, SeatNumber, Tile
from core.words import Spread

Piles = tuple[tuple[Tile, ...], ...]


class Tableau(Struct, frozen=True):
    """The places of all tiles in a game for one player."""

    piles: Piles
    """The open tiles: columns from the top down, or a row, a grid or a line in reading order."""
    boneyard: tuple[Tile, ...] = ()
    """In the order in which it will be drawn."""
    hand: Hand = ()

    @property
    def line(self) -> tuple[Tile, ...]:
        """The only pile of a game that has one."""
        return self.piles[0]


class PatienceState(PlainState, frozen=True):
    """A moment of a game. `legal` is never empty before the end, and always empty after it."""

    laid: Tableau
    legal: tuple[Action, ...] = ()
    result: RoundOver | None = None
    turn: int = 0
    leader: int = 0

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hand of the only seat."""
        return (self.laid.hand,)


class PatienceView(Struct, frozen=True, tag="patience"):
    """The visible part of a game, built field by field; seat -1 is a spectator, who does not see the hand."""

    seat: SeatNumber
    hand: Hand
    counts: tuple[Count, ...]
    """For the only seat, the number of tiles left: its score if it stopped now."""
    turn: SeatNumber
    """The seat to act; -1 once the game is over."""
    piles: Piles
    """The open tiles; see `Tableau`."""
    boneyard: Count
    """Tiles left in the boneyard."""
    spread: Spread
    """Arrangement of the open tiles: `columns`, of which only the bottom tiles are free, a `row`, a `grid` or a
    `line`.
    """
    legal: tuple[Action, ...]
    """Actions of this seat now: empty unless it is its turn."""
    result: RoundOver | None
    aside: Count = 0
    """Number of the last piles that lie beside the columns."""
    highest: Pips = 6
    """The highest number of the set."""

    @property
    def facts(self) -> tuple[object, ...]:
        """Tiles and turn: the facts that must agree with a record."""
        return self.hand, self.piles, self.boneyard, self.turn


def ends_of(line: tuple[Tile, ...]) -> tuple[int, int]:
    """Return the numbers at the two ends of a line of tiles that were laid number to number."""
    halves = [half for tile in orient_tiles(line) for half in tile]
    return (halves[0], halves[-1]) if halves else (NOBODY, NOBODY)


def orient_tiles(line: tuple[Tile, ...]) -> list[tuple[int, int]]:
    """Return the tiles of a line with their halves from left to right, so that equal numbers meet.

    A single tile shows its higher number on the left.
    """
    if len(line) < 2:
        return [(tile.high, tile.low) for tile in line]
    shared_number = next(half for half in line[0] if half in line[1])
    placed = [(line[0].other(shared_number), shared_number)]
    for tile in line[1:]:
        placed.append((placed[-1][1], tile.other(placed[-1][1])))
    return placed
