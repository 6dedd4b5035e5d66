"""What may be laid at once in Tien Gow, and what beats what (`docs/rules` §C.6)."""

from itertools import combinations
from typing import Literal, NamedTuple

from core.tiles import CIVIL, Hand, Tile, hand, in_order

Kind = Literal["civil", "military", "civil_pair", "military_pair", "supreme", "mixed"]
RANKS = {tile: rank for rank, tile in enumerate(reversed(in_order("6|6 1|1 4|4 3|1 5|5 3|3 2|2 6|5 6|4 6|1 5|1")))}
"""The civil tiles, the lowest first; military ones rank by their pips."""
SUPREME = hand("4|2 2|1")
"""The pair that nothing beats, and that beats nothing."""
FAMILIES = dict(zip(in_order("6|6 1|1 4|4 3|1"), (9, 8, 7, 5), strict=True))
"""Which military tiles go with Heaven, Earth, Man and Goose, by their pips."""
MOST = 4
"""Tiles laid at once."""


class Class(NamedTuple):
    """What some tiles are when they are laid together: only the same is compared."""

    kind: Kind
    civil: int
    """How many of them are civil."""
    military: int


class Worth(NamedTuple):
    """A class, and the rank within it."""

    of: Class
    rank: int

    def beats(self, other: "Worth") -> bool:
        """Whether tiles of this worth beat others; equal ones do not."""
        return self.of == other.of and self.rank > other.rank


def worth_of(tiles: Hand, *, mixed: bool = True) -> Worth | None:
    """Return what some tiles are worth together, in whatever order; None if they may not be laid together.

    Without `mixed`, civil and military tiles never go together.
    """
    civil = [tile for tile in tiles if tile in CIVIL]
    military = [tile for tile in tiles if tile not in CIVIL]
    of = len(civil), len(military)
    alike = len(set(civil)) <= 1 and len({tile.pips for tile in military}) <= 1
    if tuple(sorted(tiles)) == SUPREME:
        return Worth(Class("supreme", *of), 0)
    if not alike or not tiles or max(of) > 2:
        return None
    if not military:
        return Worth(Class("civil" if len(civil) == 1 else "civil_pair", *of), RANKS[civil[0]])
    if not civil:
        return Worth(Class("military" if len(military) == 1 else "military_pair", *of), military[0].pips)
    if mixed and FAMILIES.get(civil[0]) == military[0].pips:
        return Worth(Class("mixed", *of), RANKS[civil[0]])
    return None


def parts(tiles: Hand, size: int) -> tuple[Hand, ...]:
    """Return every choice of so many tiles of a hand, equal ones once."""
    return tuple(dict.fromkeys(combinations(tiles, size)))


def leads(tiles: Hand, *, mixed: bool = True) -> tuple[Hand, ...]:
    """Return all that may be led from a hand, few tiles first."""
    return tuple(
        [part for size in range(1, MOST + 1) for part in parts(tiles, size) if worth_of(part, mixed=mixed)],
    )


def beating(tiles: Hand, best: Hand, *, mixed: bool = True) -> tuple[Hand, ...]:
    """Return all of a hand that beats the tiles that are best so far."""
    least = worth_of(best, mixed=mixed)
    if least is None:
        return ()
    return tuple(
        [part for part in parts(tiles, len(best)) if (worth := worth_of(part, mixed=mixed)) and worth.beats(least)]
    )


def is_supreme(tiles: tuple[Tile, ...]) -> bool:
    """Whether these are the supreme pair."""
    return tuple(sorted(tiles)) == SUPREME
