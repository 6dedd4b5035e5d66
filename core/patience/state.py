"""One moment of a game for one, and what may be seen of it."""

from msgspec import Struct

from core.actions import Action, RoundOver
from core.layout.state import NOBODY, PlainState
from core.tiles import Count, Hand, Pips, SeatNumber, Tile
from core.words import Spread

Piles = tuple[tuple[Tile, ...], ...]


class Tableau(Struct, frozen=True):
    """Where the tiles of a game for one are: what its deal makes of the shuffled set, and each move of that."""

    piles: Piles
    """What lies open: columns from the top down, or a row, a grid or a line in reading order."""
    boneyard: tuple[Tile, ...] = ()
    """In the order in which it will be drawn."""
    hand: Hand = ()

    @property
    def line(self) -> tuple[Tile, ...]:
        """The only pile of a game that has one."""
        return self.piles[0]


class PatienceState(PlainState, frozen=True):
    """One moment of a game. `legal` is never empty before the end, and always empty after it."""

    laid: Tableau
    legal: tuple[Action, ...] = ()
    result: RoundOver | None = None
    turn: int = 0
    leader: int = 0

    @property
    def hands(self) -> tuple[Hand, ...]:
        """What the only seat holds."""
        return (self.laid.hand,)


class PatienceView(Struct, frozen=True, tag="patience"):
    """What may be seen of a game, built field by field; seat -1 is a spectator, who does not see the hand."""

    seat: SeatNumber
    hand: Hand
    counts: tuple[Count, ...]
    """For the only seat, the tiles that are left: its score, if it stopped now."""
    turn: SeatNumber
    """The seat to act; -1 when the game is over."""
    piles: Piles
    """What lies open; see `Laid`."""
    boneyard: Count
    """Tiles left in the boneyard."""
    spread: Spread
    """How the open tiles lie: `columns`, of which only the bottom tiles are free, a `row`, a `grid` or a `line`."""
    legal: tuple[Action, ...]
    """What this seat may do now: empty unless it is its turn."""
    result: RoundOver | None
    aside: Count = 0
    """How many of the last piles lie beside the columns."""
    highest: Pips = 6
    """The highest number of the set."""

    @property
    def facts(self) -> tuple[object, ...]:
        """Tiles and turn: what a record must agree with."""
        return self.hand, self.piles, self.boneyard, self.turn


def ends_of(line: tuple[Tile, ...]) -> tuple[int, int]:
    """The numbers at the two ends of a line of tiles that were laid number to number."""
    shown = [half for tile in facing(line) for half in tile]
    return (shown[0], shown[-1]) if shown else (NOBODY, NOBODY)


def facing(line: tuple[Tile, ...]) -> list[tuple[int, int]]:
    """The tiles of a line with their halves from left to right, so that equal numbers meet; the first shows its
    higher number on the left.
    """
    if len(line) < 2:
        return [(tile.high, tile.low) for tile in line]
    meets = next(half for half in line[0] if half in line[1])
    shown = [(line[0].other(meets), meets)]
    for tile in line[1:]:
        shown.append((shown[-1][1], tile.other(shown[-1][1])))
    return shown
