"""One moment of a game of combinations, and what a seat may know of it."""

from msgspec import Struct

from core.actions import Action, RoundOver
from core.bounds import Amount, Count, Index, Pips, SeatNumber
from core.layout.placed import NOBODY
from core.layout.state import Before
from core.plain_state import PlainState
from core.tiles import Hand, Tile
from core.vocabulary import Faces


class Put(Struct, frozen=True, array_like=True):
    """What a seat has laid to a trick."""

    seat: SeatNumber
    tiles: Hand
    """Empty where they lie face down and somebody else looks."""
    up: bool
    """Whether they lie face up: they were led, or beat what was best."""


class ComboTrick(Struct, frozen=True, array_like=True):
    """What was laid to a trick, in order, and who took it."""

    puts: tuple[Put, ...]
    winner: SeatNumber

    @property
    def size(self) -> int:
        """How many tiles each seat laid: for so many tricks it counts."""
        return len(self.puts[0].tiles)


class ComboState(PlainState, frozen=True):
    """One moment of a round. `legal` is never empty before the end, and always empty after it."""

    hands: tuple[Hand, ...]
    banker: int
    turn: int
    before: Before
    in_a_row: int = 1
    """For how many rounds in a row the banker has been one."""
    trick: tuple[Put, ...] = ()
    """The trick being played."""
    tricks: tuple[ComboTrick, ...] = ()
    legal: tuple[Action, ...] = ()
    result: RoundOver | None = None

    @property
    def leader(self) -> int:
        """Who led the round."""
        return self.banker

    @property
    def down(self) -> tuple[Hand, ...]:
        """By seat, what it has laid face down, in ascending order."""
        return down_of((*self.tricks, ComboTrick(self.trick, NOBODY)), len(self.hands))


class ComboView(Struct, frozen=True, tag="combos"):
    """What one seat may know of a round, built field by field; seat -1 is a spectator."""

    seat: SeatNumber
    hand: Hand
    counts: tuple[Count, ...]
    """Tiles in each seat's hand."""
    banker: SeatNumber
    in_a_row: Amount
    """For how many rounds in a row the banker has been one."""
    turn: SeatNumber
    """The seat to act; -1 when the round is over."""
    trick: tuple[Put, ...]
    """The trick being played."""
    tricks: tuple[ComboTrick, ...]
    """The tricks that were taken; what lies face down in them is known to who laid it, and to all after the round."""
    legal: tuple[Action, ...]
    """What this seat may do now: empty unless it is its turn."""
    result: RoundOver | None
    bound: bool = False
    """Whether this seat must lay face down in this trick, since it is the last one and it has taken nothing."""
    highest: Pips = 6
    """The highest number of the set."""
    faces: Faces = "chinese"
    """What the tiles look like."""

    @property
    def facts(self) -> tuple[object, ...]:
        """Tiles and turn: what a record must agree with, without words that may differ in another version."""
        return self.hand, self.counts, self.banker, self.trick, self.tricks, self.turn


def down_of(tricks: tuple[ComboTrick, ...], seats: int) -> tuple[Hand, ...]:
    """Return by seat what is known to lie face down in some tricks, in ascending order."""
    down: list[list[Tile]] = [[] for _ in range(seats)]
    for trick in tricks:
        for put in trick.puts:
            if not put.up:
                down[put.seat] += put.tiles
    return tuple(tuple(sorted(tiles)) for tiles in down)


def best_of(trick: tuple[Put, ...]) -> Put:
    """Return what takes a trick so far: what was laid face up last."""
    return [put for put in trick if put.up][-1]


def taken(tricks: tuple[ComboTrick, ...], seats: int) -> tuple[int, ...]:
    """Return for how many tricks each seat has taken: one of several tiles counts as so many."""
    return tuple(sum(trick.size for trick in tricks if trick.winner == seat) for seat in range(seats))


def cut_trick(puts: tuple[Put, ...], seat: int, *, over: bool) -> tuple[Put, ...]:
    """Return what a seat may know of what was laid to a trick."""
    return tuple(put if put.up or over or put.seat == seat else Put(put.seat, (), False) for put in puts)


def unseen_in(view: ComboView, tiles: tuple[Tile, ...]) -> list[Tile]:
    """Return the tiles of the set that the seat does not see: what others hold, or have laid face down."""
    left = list(tiles)
    for seen in (
        view.hand,
        *(put.tiles for trick in (*view.tricks, ComboTrick(view.trick, 0)) for put in trick.puts),
    ):
        for tile in seen:
            left.remove(tile)
    return left


def size_of(view: ComboView) -> Index:
    """Return how many tiles each seat lays to this trick; 0 while none was led."""
    return len(view.trick[0].tiles) if view.trick else 0
