"""The line layout: a chain that grows both ways from its first tile and bends where the table ends.

The right arm bends down, the left arm up. A row ends while there is still room for a double and a corner
tile, so that a double need not turn the corner. The corner tile stands under (over) the outward half of the
row's last tile, and the next row begins under (over) the corner tile. A place depends on the width, the face
and what was laid before on the same arm, so no tile moves when another one is laid.
"""

from functools import lru_cache

from msgspec import Struct

from core.layout.state import Layout
from tui.board.faces import Face
from tui.board.places import Box, Place, Way

MARGIN = 4
"""Columns kept free at both ends of a row: with the room of a corner tile, enough for the mark of an end."""


class Arm(Struct, frozen=True):
    """One end of the chain."""

    last: Place
    heads: Way
    """Where the row goes: left or right. A corner tile belongs to the row after it."""
    row: Box
    """A lying tile in the row before the corner; only its top and bottom matter."""
    turns: Way
    """Where the arm bends: up or down."""
    cornered: bool = False
    """Whether the last tile is a corner tile."""


@lru_cache(maxsize=256)
def snake(layout: Layout, width: int, face: Face, *, inline: bool = False) -> tuple[Place, ...]:
    """Return the place of every tile of a chain; the first is in row 0, the table's left edge is column 0.

    Tiles may lie any number of rows above and below. On a table narrower than four tiles they may lie beyond
    its sides. With `inline`, doubles lie like all the others.
    """
    places: list[Place] = []
    arms: dict[tuple[int, int], Arm] = {}
    for index, placed in enumerate(layout):
        double = placed.tile.is_double and not inline
        if placed.on < 0:
            arm = _first(double, width, face)
            arms[index, 0] = Arm(arm.last, Way.LEFT, arm.row, Way.UP)
        else:
            arm = _next(arms[placed.on, placed.side], double, width, face)
        arms[index, 1] = arm
        places.append(arm.last)
    return tuple(places)


def _first(double: bool, width: int, face: Face) -> Arm:
    size = face.standing if double else face.lying
    box = Box((width - size.w) // 2, (face.lying.h - size.h) // 2, *size)
    row = Box(box.x, 0, *face.lying)
    return Arm(Place(box, Way.RIGHT, double and face.stands), Way.RIGHT, row, Way.DOWN)


def _next(arm: Arm, double: bool, width: int, face: Face) -> Arm:
    heads, turns = arm.heads, arm.turns
    if arm.cornered:
        # Under a standing corner tile; under the outward half of one that lies.
        over = arm.last.box if face.stands else arm.last.half(1)
        row = over.beside(face.lying, turns, flush=heads.back)
        return Arm(Place(row, heads, standing=False), heads, row, turns)
    size = face.standing if double else face.lying
    box = arm.last.box.beside(size, heads)
    # Where tiles only lie, the corner tile needs no columns of its own.
    reserve = face.standing.w * (1 if double else 2) if face.stands else 0
    if _fits(box, heads, reserve, width):
        return Arm(Place(box, heads, double and face.stands), heads, arm.row, turns)
    return Arm(_corner(arm, face), heads.back, arm.row, turns, cornered=True)


def _fits(box: Box, heads: Way, reserve: int, width: int) -> bool:
    if heads is Way.RIGHT:
        return box.right + reserve <= width - MARGIN
    return box.x - reserve >= MARGIN


def _corner(arm: Arm, face: Face) -> Place:
    if not face.stands:
        return Place(arm.last.box.beside(face.lying, arm.turns), arm.heads.back, standing=False)
    box = arm.last.box.beside(face.standing, arm.turns, flush=arm.heads)
    if arm.last.across:
        # Beside a double, and as low as under a lying tile: so all rows have the same distance.
        beside = arm.last.box.beside(face.standing, arm.heads)
        box = Box(beside.x, arm.row.beside(face.standing, arm.turns).y, *face.standing)
    return Place(box, arm.turns, standing=True)
