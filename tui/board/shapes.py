"""Which shape the tiles on the table have, and in which face: the largest with which everything fits."""

from collections.abc import Sequence

from core.layout.placed import Layout, Placed
from core.vocabulary import Shape
from tui.board.bends import bent
from tui.board.canvas import Bends, Form
from tui.board.faces import Face, kept
from tui.board.lanes import lanes
from tui.board.marks import Mark, place_all
from tui.board.places import Size
from tui.board.plan import Plan, Written
from tui.board.tree import Ground, hub, laid

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
