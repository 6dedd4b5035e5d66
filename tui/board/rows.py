"""Which lanes a layout falls into: rows of tiles, each read from where it begins to its open end."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.layout.state import Layout
from tui.board.marks import Mark
from tui.board.plan import children


class Lane(NamedTuple):
    """A lane: the tiles in it, and what it begins at."""

    tiles: tuple[int, ...]
    side: int
    """The side of the tile that it begins at."""
    on: int
    """The tile that it begins at."""
    tip: tuple[int, int]
    """The tile and the side where it ends."""
    above: int = -1
    """The row which that tile is in; -1 is the hub."""


def rows_of(layout: Layout, marks: Sequence[Mark], arms: int) -> list[Lane]:
    """Return the rows from the top: with `arms` one for each arm of the first tile, the last of them first.

    Without, an arm has a row once it has a tile or an open end.
    """
    kids = children(layout)
    ends = {(mark.at, mark.side) for mark in marks}
    outs: dict[int, list[int]] = {}
    for index, side in sorted({*kids, *ends}):
        outs.setdefault(index, []).append(side)
    rows: list[Lane] = []

    def grow(on: int, side: int, above: int) -> None:
        tiles: list[int] = []
        at, out = on, side
        while (at, out) in kids:
            at = kids[at, out]
            tiles.append(at)
            out = outs[at][0] if at in outs else 1
        mine = len(rows)
        rows.append(Lane(tuple(tiles), side, on, (at, out), above))
        for tile in reversed(tiles):
            for other in outs.get(tile, [])[1:]:
                grow(tile, other, mine)

    first = [arms - 1, *range(arms - 1)] if arms else outs.get(0, [0])
    for side in first:
        grow(0, side, -1)
    return rows


def gaps_above(rows: Sequence[Lane], height: int) -> list[int]:
    """How many empty rows are above each: one before every arm, or one after the first, or none at all."""
    begins = [row.above < 0 for row in rows]
    spare = height - len(rows)
    if spare >= sum(begins) - 1:
        return [sum(begins[1 : n + 1]) for n in range(len(rows))]
    return [int(spare > 0 and any(begins[1 : n + 1])) for n in range(len(rows))]


def parts_of(tiles: Sequence[int], branching: set[int]) -> Iterator[list[int]]:
    """A lane in parts: each ends with a double that branches, but for the last."""
    part: list[int] = []
    for tile in tiles:
        part.append(tile)
        if tile in branching:
            yield part
            part = []
    if part:
        yield part
