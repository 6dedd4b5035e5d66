"""What fits where: a game's `Meets`, asked once for each number that ends show, and from then on looked up."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from core.layout.placed import End
from core.tiles import Tile

Meets = Callable[[Tile, End], tuple[int, ...]]
"""The numbers that a tile can turn outward when laid on an end; none when it does not fit. They may depend on the
number that the end shows, and on whether it is an end of the first tile; on nothing else."""
Fitting = dict[Tile, tuple[int, ...]]
"""The tiles that fit on an end, with the numbers that each can turn outward there."""
Ways = dict[Tile, tuple[tuple[int, int], ...]]
"""The tiles that fit on one of two ends, with every way to lay each: on which of them, and what it turns outward."""


class OnEnd(dict[tuple[int, bool], Fitting]):
    """What fits on an end, by the number that it shows and whether it is an end of the first tile."""

    def __init__(self, meets: Meets, tiles: tuple[Tile, ...]) -> None:
        super().__init__()
        self._meets, self._tiles = meets, tiles

    def __missing__(self, shown: tuple[int, bool]) -> Fitting:
        pips, first = shown
        end = End(0 if first else 1, 1, pips)
        self[shown] = fitting = {tile: outs for tile in self._tiles if (outs := self._meets(tile, end))}
        return fitting


class OnLine(dict[tuple[int, bool, int, bool], Ways]):
    """What fits on the two ends of a line, by what both show: one look for a tile instead of two."""

    def __init__(self, on_end: OnEnd) -> None:
        super().__init__()
        self._on_end = on_end

    def __missing__(self, shown: tuple[int, bool, int, bool]) -> Ways:
        ways: Ways = {}
        for place, end in enumerate((shown[:2], shown[2:])):
            for tile, outs in self._on_end[end].items():
                ways[tile] = (*ways.get(tile, ()), *((place, out) for out in outs))
        self[shown] = ways
        return ways


class Fits(NamedTuple):
    """What fits on single ends, and on lines."""

    on_end: OnEnd
    on_line: OnLine


KEPT = 32
"""Tables kept at a time: more than our games need, and few should a game make its `meets` anew for each match. A
table fills up to 0.3 MiB for double-six, and to about 4 for double-eighteen."""


@lru_cache(KEPT)
def fits_of(meets: Meets, tiles: tuple[Tile, ...]) -> Fits:
    """Return the tables for a set, which all matches share whose games have the same `meets`."""
    on_end = OnEnd(meets, tiles)
    return Fits(on_end, OnLine(on_end))
