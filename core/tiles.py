"""Tiles, sets and hands, their text form, and the bounds of all numbers that come from outside."""

from functools import cache
from typing import Annotated, NamedTuple

from msgspec import Meta

HIGHEST = 18
"""The highest number of the largest set; it has 190 tiles."""
MOST_SEATS = 8
MOST_TILES = 400
"""Tiles of the largest set, twice over."""
LARGE = 10**6
"""More than any score, round or second."""

Pips = Annotated[int, Meta(ge=-1, le=HIGHEST)]
"""A number on a tile; -1 for a star's, or for none."""
Suit = Annotated[int, Meta(ge=-1, le=HIGHEST + 1)]
"""The suit that a trick asks for: a number, or one more than the highest for doubles; -1 if there is none."""
SeatNumber = Annotated[int, Meta(ge=-1, le=MOST_SEATS - 1)]
"""A seat, from 0; -1 for nobody's."""
SeatCount = Annotated[int, Meta(ge=1, le=MOST_SEATS)]
"""A number of seats or sides."""
Side = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)]
"""A side that keeps a score, from 0: seats that play together."""
TileSide = Annotated[int, Meta(ge=0, le=MOST_SEATS + 1)]
"""A side of a placed tile; see `core.layout.state`."""
Index = Annotated[int, Meta(ge=-1, le=MOST_TILES - 1)]
"""A placed tile, by its place in the layout; -1 if there is none."""
Count = Annotated[int, Meta(ge=0, le=MOST_TILES)]
"""A number of tiles."""
Number = Annotated[int, Meta(ge=-LARGE, le=LARGE)]
"""A number that a player types; out of its range it is refused with a sentence."""
Points = Number
"""A score, or a part of one."""
Amount = Annotated[int, Meta(ge=0, le=LARGE)]
"""A count of rounds, seconds, guests …, or the number of a table."""


class Tile(NamedTuple):
    """A domino: its two halves in pips, the smaller first (`docs/rules` §0).

    >>> str(Tile(4, 6)), Tile(4, 6).pips, Tile(3, 3).is_double ('6|4', 10, True)
    """

    low: Pips
    high: Pips

    @property
    def pips(self) -> int:
        """The pips of both halves together; a wild half has none."""
        return self.low + self.high if self.low >= 0 else max(self.high, 0)

    @property
    def wild_halves(self) -> int:
        """Number of halves that stand for any number."""
        return (self.low < 0) + (self.high < 0)

    @property
    def is_double(self) -> bool:
        """True if both halves show the same number."""
        return self.low == self.high >= 0

    def other(self, pips: int) -> int:
        """Return the half that is not `pips`; for a double, `pips` again."""
        return self.low + self.high - pips

    def __str__(self) -> str:
        if self.low >= 0:
            return f"{self.high}|{self.low}"
        return f"{self.high}|*" if self.high >= 0 else "*"


STAR = Tile(-1, -1)
"""A wildstar, which stands for any tile (`docs/rules` §2.8, §C.14)."""
WILD = -1
"""A half that stands for any number; the other half of a half-wild tile is the higher one."""
Hand = tuple[Tile, ...]
"""Tiles in ascending order."""


def tile(text: str) -> Tile:
    """Parse `6|4` or `4-6` into a tile; `*` is a wildstar, and `7|*` has one wild half.

    Raises ValueError, with a sentence, if the text is not a tile.
    """
    if text.strip() == "*":
        return STAR
    halves = text.strip().replace("-", "|").split("|")
    if len(halves) != 2 or not all(half.isdecimal() or half == "*" for half in halves):
        raise ValueError(f"“{text}” is not a tile; write two numbers like 6|4.")
    low, high = sorted(WILD if half == "*" else int(half) for half in halves)
    return Tile(low, high)


def hand(text: str) -> Hand:
    """Parse tiles separated by spaces or commas into a sorted hand: `6|4 1|1`."""
    return tuple(sorted(tile(word) for word in text.replace(",", " ").split()))


def in_order(text: str) -> tuple[Tile, ...]:
    """Parse tiles separated by spaces or commas and keep their order, as in a boneyard."""
    return tuple(tile(word) for word in text.replace(",", " ").split())


@cache
def full_set(highest: int) -> tuple[Tile, ...]:
    """Every tile of the double-`highest` set, ascending: 28 for double-six, 55 for double-nine."""
    return tuple(Tile(low, high) for low in range(highest + 1) for high in range(low, highest + 1))


DOUBLES = frozenset(Tile(number, number) for number in range(HIGHEST + 1))
"""Every double of every set."""
CIVIL = hand("6|6 1|1 4|4 3|1 5|5 3|3 2|2 6|5 6|4 6|1 5|1")
"""Tiles that the Chinese set has twice (`docs/rules` §C.5)."""
MILITARY = hand("6|3 5|4 6|2 5|3 5|2 4|3 4|2 4|1 3|2 2|1")
"""Tiles that the Chinese set has once."""
CHINESE_SET = tuple(sorted((*CIVIL, *CIVIL, *MILITARY)))
"""All 32 Chinese tiles, ascending: no blanks, and 227 pips."""


def weight(a_tile: Tile) -> tuple[int, int]:
    """Sort key that puts the heaviest tile last: most pips, then the largest half (`docs/rules` §0)."""
    return a_tile.pips, a_tile.high


def pips(tiles: tuple[Tile, ...]) -> int:
    """Return the sum of the pips on `tiles`."""
    return sum(map(sum, tiles))
