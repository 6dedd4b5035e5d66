"""Which shape the tiles on the table have, and in which face: the largest with which everything fits."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from core.layout.state import Layout, Placed
from core.vocabulary import Shape
from tui.board.canvas import Bends, Form, Place, Size
from tui.board.faces import Face, kept
from tui.board.lanes import lanes
from tui.board.marks import Mark, Plan, Written, place_all
from tui.board.tree import Ground, hub, laid

TRIES = 60
"""How many plans of a layout are made before it is said to have no room."""
PATIENCE = 20
"""How many of them bring no further tile onto the table before that is said earlier."""
NEAR = 8
"""How many tiles back from one without a place its arm may bend in another way."""
WAYS = 6
"""More than the ways there are to lay most tiles."""


class Bent(NamedTuple):
    """Bends with which everything has a place."""

    bends: Bends
    places: tuple[Place, ...]
    """Of the tiles."""


def bent(layout: Layout, marks: Sequence[Mark], ground: Ground, bends: Bends) -> Bent | None:
    """Return bends with which all tiles and marks have a place, these `bends` if they do; None if none are found.

    Which marks are chosen, open or owed makes no difference, so all who look at a table share what is found.
    """
    return _bent(layout, tuple(Mark(mark.at, mark.side, mark.pips, "m") for mark in marks), ground, bends)


@lru_cache(maxsize=256)
def _bent(layout: Layout, marks: tuple[Mark, ...], ground: Ground, bends: Bends) -> Bent | None:
    """Try one plan after the other; the chance in that is the same every time.

    Near the first tile that has no place, tiles are laid in other ways; what brings no fewer tiles onto the table is
    where it goes on from.
    """
    room, face = ground.room, ground.face
    found, tried = laid(layout, ground, bends), bends
    best, known, reached, vain, chance = bends, found.places, -1, 0, Random(len(layout))
    for _ in range(TRIES):
        if found.whole and place_all(marks, found.places, room, ascii=face.ascii) is not None:
            return Bent(tried, found.places)
        on_table = max(0, len(found.places) - found.whole)
        vain = vain + 1 if on_table <= reached else 0
        if vain > PATIENCE or not on_table:
            break
        if on_table >= reached:
            best, known, reached = tried, found.places, on_table
        tried, first = _other(layout, best, reached, chance)
        found = laid(layout, ground, tried, known[:first])
    return None


def _other(layout: Layout, bends: Bends, stuck: int, chance: Random) -> tuple[Bends, int]:
    """Change how a few tiles are laid: of the arm that is stuck, or of any that may be in its way.

    Also returns the first tile that is laid in another way.
    """
    arm = [stuck]
    while layout[arm[-1]].on > 0 and len(arm) < NEAR:
        arm.append(layout[arm[-1]].on)
    changed = dict(bends)
    first = stuck
    for _ in range(chance.choice((1, 1, 2, 3))):
        index = chance.choice(arm) if chance.random() < 0.6 else chance.randint(1, stuck)
        changed[index] = chance.randrange(WAYS)
        first = min(first, index)
    return tuple(sorted((index, way) for index, way in changed.items() if way)), first


BRANCHES: dict[Shape, tuple[int, ...]] = {"cross": (2, 3), "feet": (1, 4, 5)}
"""By the shape: the sides where a later double may have arms."""


def plan_shape(
    placed: Layout,
    marks: Sequence[Mark],
    room: Size,
    sizes: tuple[Face, ...],
    form: Form | None,
    shape: Shape,
    names: Sequence[str],
    own: int,
    ghost: Placed | None = None,
) -> tuple[Plan, bool]:
    """Return the plan of a shape, or of lanes where it has no room, and whether all of it is in view.

    What was in lanes in the last picture stays in lanes. The `ghost` is a tile that might be laid next.
    """
    smaller = kept(sizes, form)
    if shape != "lanes" and not (form and form.lanes):
        for face in reversed(smaller):
            bends = form.bends if form and form.face == face.name else ()
            tree_plan = _tree(placed, marks, room, face, shape, bends, ghost)
            if tree_plan:
                return tree_plan, True
        smaller = sizes
    for face in reversed(smaller):
        plan, fits = lanes(placed, marks, room, face, titles=names, own=own, ghost=ghost)
        if fits:
            return plan, True
    return plan, False


def arms_of(placed: Layout, marks: Sequence[Mark]) -> int:
    """How many arms the first tile has, or will have."""
    sides = [mark.side for mark in marks if mark.at == 0] + [piece.side for piece in placed if piece.on == 0]
    return next((arms for arms in (4, 5, 6) if arms > max(sides, default=0)), 8)


def _tree(
    placed: Layout,
    marks: Sequence[Mark],
    room: Size,
    face: Face,
    shape: Shape,
    bends: Bends,
    ghost: Placed | None,
) -> Plan | None:
    """Return the plan of a shape that branches; None where it has no room in this face."""
    ground = Ground(room, face, arms_of(placed, marks), BRANCHES.get(shape, ()))
    found = bent(placed, marks, ground, bends)
    if found is None:
        return None
    places = found.places
    labels = place_all(marks, places, room, ascii=face.ascii)
    if labels is None:
        return None
    x, y, w, h = hub(places[0])
    piece = [Written(x, row, " " * w, "text", "bar") for row in range(y, y + h) if ground.arms > 4]
    next_place = None
    if ghost:
        grown = laid((*placed, ghost), ground, found.bends, places)
        next_place = grown.places[-1] if grown.whole else None
    return Plan(face, places, labels, tuple(piece), tree=True, bends=found.bends, ghost=next_place)
