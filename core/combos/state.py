"""A moment of a game of combinations, the tiles that may be laid in it, and the view of a seat."""

from itertools import combinations
from typing import Literal, NamedTuple

from msgspec import Struct

from core.actions import Action, RoundOver
from core.layout.state import NOBODY, PlainState, RoundContext
from core.tiles import CIVIL, Amount, Count, Hand, Index, Pips, SeatNumber, Tile, hand, in_order
from core.words import Faces

Kind = Literal["civil", "military", "civil_pair", "military_pair", "supreme", "mixed"]
RANKS = {tile: rank for rank, tile in enumerate(reversed(in_order("6|6 1|1 4|4 3|1 5|5 3|3 2|2 6|5 6|4 6|1 5|1")))}
"""The civil tiles, the lowest first; military ones rank by their pips."""
SUPREME = hand("4|2 2|1")
"""The pair that nothing beats, and that beats nothing."""
FAMILIES = dict(zip(in_order("6|6 1|1 4|4 3|1"), (9, 8, 7, 5), strict=True))
"""The military tiles that go with Heaven, Earth, Man and Goose, by their pips."""
MAX_COMBO = 4
"""Maximum number of tiles laid at once."""


class Class(NamedTuple):
    """The class of tiles laid together: only tiles of the same class are compared."""

    kind: Kind
    civil: int
    """Number of civil tiles."""
    military: int


class Worth(NamedTuple):
    """A class, and the rank within it."""

    tile_class: Class
    rank: int

    def can_beat(self, other: "Worth") -> bool:
        """Return True if tiles of this worth beat others; equal ones do not."""
        return self.tile_class == other.tile_class and self.rank > other.rank


def worth_of(tiles: Hand, *, mixed: bool = True) -> Worth | None:
    """Return the worth of tiles laid together, in any order; None if they may not be laid together.

    Without `mixed`, civil and military tiles never go together.
    """
    civil = [tile for tile in tiles if tile in CIVIL]
    military = [tile for tile in tiles if tile not in CIVIL]
    sizes = len(civil), len(military)
    is_uniform = len(set(civil)) <= 1 and len({tile.pips for tile in military}) <= 1
    if tuple(sorted(tiles)) == SUPREME:
        return Worth(Class("supreme", *sizes), 0)
    if not is_uniform or not tiles or max(sizes) > 2:
        return None
    if not military:
        return Worth(Class("civil" if len(civil) == 1 else "civil_pair", *sizes), RANKS[civil[0]])
    if not civil:
        return Worth(Class("military" if len(military) == 1 else "military_pair", *sizes), military[0].pips)
    if mixed and FAMILIES.get(civil[0]) == military[0].pips:
        return Worth(Class("mixed", *sizes), RANKS[civil[0]])
    return None


def hand_parts(tiles: Hand, size: int) -> tuple[Hand, ...]:
    """Return every combination of `size` tiles of a hand, without duplicates."""
    return tuple(dict.fromkeys(combinations(tiles, size)))


def leads(tiles: Hand, *, mixed: bool = True) -> tuple[Hand, ...]:
    """Return every legal lead from a hand, few tiles first."""
    return tuple(
        [part for size in range(1, MAX_COMBO + 1) for part in hand_parts(tiles, size) if worth_of(part, mixed=mixed)],
    )


def winning_combos(tiles: Hand, best: Hand, *, mixed: bool = True) -> tuple[Hand, ...]:
    """Return every combination of tiles from a hand that beats `best`."""
    worth_to_beat = worth_of(best, mixed=mixed)
    if worth_to_beat is None:
        return ()
    return tuple(
        [
            part
            for part in hand_parts(tiles, len(best))
            if (worth := worth_of(part, mixed=mixed)) and worth.can_beat(worth_to_beat)
        ]
    )


def is_supreme(tiles: tuple[Tile, ...]) -> bool:
    """Return True for the supreme pair."""
    return tuple(sorted(tiles)) == SUPREME


class LaidCombo(Struct, frozen=True, array_like=True):
    """Tiles that a seat has laid to a trick."""

    seat: SeatNumber
    tiles: Hand
    """Empty if they lie face down and another seat looks."""
    up: bool
    """True if they lie face up: they were led, or beat the best before them."""


class ComboTrick(Struct, frozen=True, array_like=True):
    """The tiles laid to a trick, in order, and the seat that took it."""

    puts: tuple[LaidCombo, ...]
    winner: SeatNumber

    @property
    def size(self) -> int:
        """Number of tiles that each seat laid; the trick counts as this number of tricks."""
        return len(self.puts[0].tiles)


class ComboState(PlainState, frozen=True):
    """A moment of a round. `legal` is never empty before the end, and always empty after it."""

    hands: tuple[Hand, ...]
    banker: int
    turn: int
    before: RoundContext
    in_a_row: int = 1
    """Number of rounds in a row for the same banker."""
    trick: tuple[LaidCombo, ...] = ()
    """The trick being played."""
    tricks: tuple[ComboTrick, ...] = ()
    legal: tuple[Action, ...] = ()
    result: RoundOver | None = None

    @property
    def leader(self) -> int:
        """The seat that led the round."""
        return self.banker

    @property
    def down(self) -> tuple[Hand, ...]:
        """By seat, the tiles that it has laid face down, in ascending order."""
        return face_down_tiles((*self.tricks, ComboTrick(self.trick, NOBODY)), len(self.hands))


class ComboView(Struct, frozen=True, tag="combos"):
    """The part of a round that one seat may know, built field by field; seat -1 is a spectator."""

    seat: SeatNumber
    hand: Hand
    counts: tuple[Count, ...]
    """Tiles in each seat's hand."""
    banker: SeatNumber
    in_a_row: Amount
    """Number of rounds in a row for the same banker."""
    turn: SeatNumber
    """The seat to act; -1 once the round is over."""
    trick: tuple[LaidCombo, ...]
    """The trick being played."""
    tricks: tuple[ComboTrick, ...]
    """The tricks taken; only the seat that laid tiles face down sees them, and all seats after the round."""
    legal: tuple[Action, ...]
    """Actions of this seat now: empty unless it is its turn."""
    result: RoundOver | None
    bound: bool = False
    """True if this seat must lay face down in this trick, because it is the last one and it has taken nothing."""
    highest: Pips = 6
    """The highest number of the set."""
    faces: Faces = "chinese"
    """The look of the tiles."""

    @property
    def facts(self) -> tuple[object, ...]:
        """Tiles and turn: the facts that must agree with a record, without words that depend on the version."""
        return self.hand, self.counts, self.banker, self.trick, self.tricks, self.turn


def face_down_tiles(tricks: tuple[ComboTrick, ...], seats: int) -> tuple[Hand, ...]:
    """Return by seat the known tiles that lie face down in `tricks`, in ascending order."""
    down: list[list[Tile]] = [[] for _ in range(seats)]
    for trick in tricks:
        for put in trick.puts:
            if not put.up:
                down[put.seat] += put.tiles
    return tuple(tuple(sorted(tiles)) for tiles in down)


def best_of(trick: tuple[LaidCombo, ...]) -> LaidCombo:
    """Return the tiles that take a trick so far: the last ones laid face up."""
    return [put for put in trick if put.up][-1]


def tricks_taken(tricks: tuple[ComboTrick, ...], seats: int) -> tuple[int, ...]:
    """Return the number of tricks taken by each seat: a trick of several tiles counts as several."""
    return tuple(sum(trick.size for trick in tricks if trick.winner == seat) for seat in range(seats))


def cut_trick(puts: tuple[LaidCombo, ...], seat: int, *, is_over: bool) -> tuple[LaidCombo, ...]:
    """Return the tiles laid to a trick without those that a seat may not know."""
    return tuple(put if put.up or is_over or put.seat == seat else LaidCombo(put.seat, (), False) for put in puts)


def unseen_in_combos(view: ComboView, tiles: tuple[Tile, ...]) -> list[Tile]:
    """Return the tiles of the set that the seat does not see: those that others hold or have laid face down."""
    unseen = list(tiles)
    for seen in (
        view.hand,
        *(put.tiles for trick in (*view.tricks, ComboTrick(view.trick, 0)) for put in trick.puts),
    ):
        for tile in seen:
            unseen.remove(tile)
    return unseen


def size_of(view: ComboView) -> Index:
    """Return the number of tiles that each seat lays to this trick; 0 before the lead."""
    return len(view.trick[0].tiles) if view.trick else 0
