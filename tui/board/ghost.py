"""The ghost: the chosen tile, where Enter would lay it."""

from msgspec.structs import replace

from core.layout.placed import Placed
from core.tiles import WILD
from themes import Theme
from tui.board.canvas import Canvas
from tui.board.faces import Face, draw_tile
from tui.board.marks import label_beside
from tui.board.places import Box, Place, Size, Way
from tui.board.plan import Plan, halves


def with_ghost(plan: Plan, room: Size, by: tuple[int, int], *, ascii: bool) -> Plan:
    """Return the plan with the mark of the ghost beside it; without a ghost if it has no room in view."""
    ghost, labels = plan.ghost, plan.labels.labels
    chosen = next((label for label in labels if label.mark.chosen), None)
    if ghost is None or chosen is None:
        return plan._replace(ghost=None)
    if plan.fixed:
        return plan  # a lane has its mark beside it already
    others = [label for label in labels if label is not chosen]
    taken = [place.box for place in plan.places if place and chosen.mark.at >= 0] + [label.box for label in others]
    inside = Box(-by[0], -by[1], *room)
    if not inside.holds(ghost.box) or any(ghost.box.meets(box) for box in taken):
        return plan._replace(ghost=None)
    label = label_beside(chosen.mark, ghost, [*taken, ghost.box], inside, ascii=ascii)
    if label is None:
        return plan._replace(ghost=None)
    return plan._replace(labels=plan.labels._replace(labels=[*others, label]))


def draw_ghost(canvas: Canvas, place: Place, face: Face, ghost: Placed, by: tuple[int, int], theme: Theme) -> None:
    """The tile that Enter would lay: its pips in the accent colour on the colour of a tile's back."""
    inner, outer = halves((ghost,), 0) if ghost.on < 0 else (ghost.tile.other(ghost.out), ghost.out)
    if ghost.on >= 0 and ghost.tile.wild_halves == 1:
        inner, outer = (WILD, ghost.out) if ghost.out == ghost.tile.high else (ghost.tile.high, WILD)
    if place.heads in (Way.LEFT, Way.UP):
        inner, outer = outer, inner
    faint = replace(theme, pips=(theme.accent,) * len(theme.pips), edge=theme.band)
    draw_tile(canvas, place.box.moved(*by), face, (inner, outer), theme=faint, tone="back")
