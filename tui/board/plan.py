"""What a layout function answers with: tiles, marks and words, each in its place, not yet in colour."""

from typing import Literal, NamedTuple

from core.layout.state import Layout
from core.tiles import STAR, WILD
from tui.board.canvas import Bends
from tui.board.faces import Face
from tui.board.marks import Labels
from tui.board.places import Place

Colour = Literal["felt", "bar", "text", "quiet", "dim", "accent", "warning"]
"""A colour of the theme, by the name of its field."""


class Written(NamedTuple):
    """Some words on the table, or a strip of colour."""

    x: int
    y: int
    text: str
    fg: Colour
    bg: Colour = "felt"
    bold: bool = False


class Plan(NamedTuple):
    """A face, and where everything lies in it before it is moved into view."""

    face: Face
    places: tuple[Place | None, ...]
    """None for a tile that is scrolled away."""
    labels: Labels
    written: tuple[Written, ...] = ()
    fixed: bool = False
    """Whether this is in lanes, whose rows are those of the table."""
    shaded: frozenset[int] = frozenset()
    """In lanes, the tiles that touch others above them."""
    tree: bool = False
    """Whether this is a shape that branches, whose rows are those of the table as well."""
    bends: Bends = ()
    """Where its arms bend in another way than usual."""
    ghost: Place | None = None
    """Where the chosen tile would lie, if there is room for it."""


def lies_across(layout: Layout, index: int) -> bool:
    """Whether a tile is a double, or a star that says the same number on both sides or stands for one."""
    placed = layout[index]
    return placed.tile.is_double or (
        placed.tile == STAR and (placed.on < 0 or 0 <= placed.out == layout[placed.on].out)
    )


def halves(layout: Layout, index: int) -> tuple[int, int]:
    """The numbers of a tile: inward, outward."""
    placed = layout[index]
    if placed.tile == STAR:
        return STAR.low, placed.out
    if placed.tile.wild_halves == 1:
        on = placed.tile.high == layout[placed.on].out
        return (placed.tile.high, WILD) if on else (WILD, placed.tile.high)
    outer = placed.tile.high if placed.on < 0 else placed.out
    return placed.tile.other(outer), outer


def children(layout: Layout) -> dict[tuple[int, int], int]:
    """Which tile lies at a side of another."""
    return {(placed.on, placed.side): index for index, placed in enumerate(layout) if placed.on >= 0}
