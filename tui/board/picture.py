"""Draws the table: the largest tiles with which everything fits, the marks of ends, and the click targets."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from core.layout.state import Layout, PlacedTile
from core.tiles import WILD
from core.words import Shape
from themes import Theme
from tui.board.canvas import BoardForm, Box, Canvas, ClickTarget, Direction, Picture, Size, Style, TilePlace, around
from tui.board.faces import USUAL_HIGHEST, Face, Tone, draw_spot, draw_tile, faces, kept
from tui.board.marks import BoardPlan, Label, Labels, Mark, halves, label_beside, place_labels
from tui.board.tree import plan_shape

MARGIN = 4
"""Columns reserved at both ends of a row: enough for the marks of most ends; others stand below or above."""


class Arm(Struct, frozen=True):
    """An end of the chain."""

    last: TilePlace
    heads: Direction
    """Direction of the row: left or right. A corner tile belongs to the row after it."""
    row: Box
    """A lying tile in the row before the corner; only its top and bottom matter."""
    turns: Direction
    """Direction in which the arm bends: up or down."""
    cornered: bool = False
    """True if the last tile is a corner tile."""


def snake(
    layout: Layout, width: int, face: Face, *, inline: bool = False, start: int | None = None
) -> tuple[TilePlace, ...]:
    """Return the place of every tile of a chain; the first is in row 0, the table's left edge is column 0.

    The first tile lies in the middle, or at the column `start`. Rows may be negative and beyond the table's height.
    On a table narrower than four tiles, columns may be beyond its sides. With `inline`, doubles lie like all other
    tiles.
    """
    return _snake(layout, width, face, inline, (width - face.lying.w) // 2 if start is None else start)[0]


@lru_cache(maxsize=512)
def _snake(
    layout: Layout, width: int, face: Face, inline: bool, start: int
) -> tuple[tuple[TilePlace, ...], dict[tuple[int, int], Arm]]:
    """Return the places, and the arms by tile and side. Memoized by layout, so that one more tile adds one place."""
    if not layout:
        return (), {}
    places, arms = _snake(layout[:-1], width, face, inline, start)
    index, placed = len(places), layout[-1]
    double = placed.tile.is_double and not inline
    if placed.on < 0:
        arm = _first(double, start, face)
        arms = {**arms, (index, 0): Arm(arm.last, Direction.LEFT, arm.row, Direction.UP), (index, 1): arm}
    else:
        arm = _next(arms[placed.on, placed.side], double, width, face)
        arms = {**arms, (index, 1): arm}
    return (*places, arm.last), arms


def starts(layout: Layout, width: int, face: Face, kept: int | None, *, inline: bool = False) -> Iterator[int]:
    """Yield the columns at which the first tile of a chain may lie, the best first.

    A chain that fits into one row is centred; to avoid moving it, it may be off by less than a tile. A longer chain
    fills its first row.
    """
    low, high = _reach(layout, face, inline)
    left, right = MARGIN - low, width - MARGIN - high
    centre, middle = (left + right) // 2, (width - face.lying.w) // 2
    if left <= right:
        yield kept if kept is not None and left <= kept <= right and abs(kept - centre) < face.lying.w else centre
        return
    if kept is not None:
        yield kept
    full = min(middle, left) if left < middle else max(middle, right)
    yield full
    yield from (
        column for column in (left, right) if column != full and MARGIN <= column <= width - MARGIN - face.lying.w
    )


@lru_cache(maxsize=256)
def _reach(layout: Layout, face: Face, inline: bool) -> tuple[int, int]:
    """Return the left and right end of a chain without bends, if its first tile lies at column 0."""
    low, high = 0, face.lying.w
    leftward: set[tuple[int, int]] = set()
    for index, placed in enumerate(layout):
        w = (face.standing if placed.tile.is_double and not inline else face.lying).w
        if placed.on < 0:
            low, high = (face.lying.w - w) // 2, (face.lying.w - w) // 2 + w
            leftward.add((index, 0))
        elif (placed.on, placed.side) in leftward:
            low -= w
            leftward.add((index, 1))
        else:
            high += w
    return low, high


def _first(double: bool, start: int, face: Face) -> Arm:
    size = face.standing if double else face.lying
    box = Box(start + (face.lying.w - size.w) // 2, (face.lying.h - size.h) // 2, *size)
    row = Box(box.x, 0, *face.lying)
    return Arm(TilePlace(box, Direction.RIGHT, double and face.stands), Direction.RIGHT, row, Direction.DOWN)


def _next(arm: Arm, double: bool, width: int, face: Face) -> Arm:
    heads, turns = arm.heads, arm.turns
    if arm.cornered:
        # Below a standing corner tile; below the outward half of a lying one.
        over = arm.last.box if face.stands else arm.last.half(1)
        row = over.beside(face.lying, turns, flush=heads.back)
        return Arm(TilePlace(row, heads, standing=False), heads, row, turns)
    size = face.standing if double else face.lying
    box = arm.last.box.beside(size, heads)
    # The corner tile after a double needs columns of its own; any other lies below or above the tile before it.
    reserve = face.standing.w if double and face.stands else 0
    if _fits(box, heads, reserve, width):
        return Arm(TilePlace(box, heads, double and face.stands), heads, arm.row, turns)
    return Arm(_corner(arm, face), heads.back, arm.row, turns, cornered=True)


def _fits(box: Box, heads: Direction, reserve: int, width: int) -> bool:
    if heads is Direction.RIGHT:
        return box.right + reserve <= width - MARGIN
    return box.x - reserve >= MARGIN


def _corner(arm: Arm, face: Face) -> TilePlace:
    if not face.stands:
        return TilePlace(arm.last.box.beside(face.lying, arm.turns), arm.heads.back, standing=False)
    box = arm.last.box.beside(face.standing, arm.turns, flush=arm.heads)
    if arm.last.across:
        # Beside a double, as low as under a lying tile, so that all rows have the same distance.
        beside = arm.last.box.beside(face.standing, arm.heads)
        box = Box(beside.x, arm.row.beside(face.standing, arm.turns).y, *face.standing)
    return TilePlace(box, arm.turns, standing=True)


ENDLESS = 10_000
"""Rows of a table that pans: more than any layout needs."""
TABLES = 256
"""Number of cached boards, and of those without labels: one for each table of a full host, or each key press would
draw all tiles anew.
"""
REMEMBERED = 140 * 45
"""Maximum size of a cached board in cells. All of this size take 20 MiB; those of huge, rare windows would
take 140.
"""
EVERYBODY = -1
"""Seat for a board that looks the same to everybody."""
NO_LABELS = Labels((), complete=True, extent=Box(0, 0, 0, 0))


class _Board(NamedTuple):
    """Parameters of a board; see `draw_board`."""

    placed: Layout
    marks: tuple[Mark, ...]
    room: Size
    theme: Theme
    form: BoardForm | None
    ascii: bool
    glow: int | None
    highest: int
    shape: Shape
    names: tuple[str, ...]
    own: int
    ghost: PlacedTile | None


def draw_board(
    placed: Layout,
    marks: Sequence[Mark],
    width: int,
    height: int,
    theme: Theme,
    *,
    form: BoardForm | None = None,
    ascii: bool = False,
    glow: int | None = None,
    highest: int = USUAL_HIGHEST,
    shape: Shape = "line",
    names: Sequence[str] = (),
    own: int = -1,
    ghost: PlacedTile | None = None,
) -> Picture:
    """Draw the tiles and their ends on a table of `width` by `height` cells.

    `shape` is that of the view: a `line`, also `inline`; a `cross`, `feet` or a `star`, which become lanes if they do
    not fit; or `lanes`. `names` are the titles of the lanes, by the side of the first tile at which each begins;
    `own` is that of the player who looks.

    The tiles keep the `form` of the last picture while everything fits, and otherwise take the largest form that
    fits. If even the smallest does not, the table pans: the chosen end, or else the last tile, is in view, and arrows
    point to what is not. `glow` is the tile just laid; `highest` the highest number of the set, for which the faces
    make room. `ghost` is the tile that would be laid at the chosen mark: it is drawn if it covers nothing.
    """
    room = Size(width, height)
    own = own if names else EVERYBODY
    board = _Board(placed, tuple(marks), room, theme, form, ascii, glow, highest, shape, tuple(names), own, ghost)
    return _draw(board) if room.w * room.h <= REMEMBERED else _draw.__wrapped__(board)


@lru_cache(maxsize=TABLES)
def _draw(board: _Board) -> Picture:
    """Draw a board. Cached, because all who are not on turn see it alike."""
    placed, marks, room, form, ghost = board.placed, board.marks, board.room, board.form, board.ghost
    sizes = faces(board.highest, ascii=board.ascii)
    if not placed or board.shape in ("line", "inline"):
        plan, fits = _choose(placed, marks, room, sizes, form, inline=board.shape == "inline", ghost=ghost)
    else:
        plan, fits = plan_shape(placed, marks, room, sizes[1:], form, board.shape, board.names, board.own, ghost)
    if fits:
        dx, dy = 0, 0 if plan.fixed or plan.tree else _settle(plan, room.h, form)
    else:
        dx, dy = _pan(plan, _target(plan, marks), room)
    down = None if plan.fixed or plan.tree or not fits else dy
    plan = with_ghost(plan, room, (dx, dy), ascii=board.ascii)
    laid = plan._replace(labels=NO_LABELS, ghost=None)
    draw = _draw_laid if room.w * room.h <= REMEMBERED else _draw_laid.__wrapped__
    canvas = draw(room, laid, placed, (dx, dy), board.theme, glow=board.glow).copy()
    if plan.ghost and ghost:
        draw_ghost(canvas, plan.ghost, plan.face, ghost, (dx, dy), board.theme)
    for label in plan.labels.labels:
        _draw_label(canvas, label, plan, (dx, dy), board.theme, ascii=board.ascii)
    if not fits:
        _draw_arrows(canvas, plan.labels.extent.moved(dx, dy), board.theme, ascii=board.ascii)
    return Picture(
        canvas.rows(),
        BoardForm(plan.face.name, plan.fixed, plan.bends, down, plan.start),
        partial(_hits, plan, placed, marks, (dx, dy)),
    )


@lru_cache(maxsize=TABLES)
def _draw_laid(
    room: Size, plan: BoardPlan, placed: Layout, by: tuple[int, int], theme: Theme, *, glow: int | None
) -> Canvas:
    """Draw everything but the labels, which is the same for every choice and for all guests at a table."""
    canvas = Canvas(*room, Style(theme.text, theme.felt))
    if placed:
        _draw_shadows(canvas, plan, by, theme)
    for words in plan.written:
        style = Style(getattr(theme, words.fg), getattr(theme, words.bg), words.bold)
        canvas.put(words.x + by[0], words.y + by[1], words.text, style)
    if placed:
        _draw_tiles(canvas, plan, placed, by, theme, glow=glow)
    else:
        draw_spot(canvas, _spot(canvas.width, plan.face).box.moved(*by), theme, ascii=plan.face.ascii)
    canvas.rows()  # caches the rows, which copies then share
    return canvas


def _choose(
    placed: Layout,
    marks: Sequence[Mark],
    room: Size,
    sizes: tuple[Face, ...],
    form: BoardForm | None,
    *,
    inline: bool,
    ghost: PlacedTile | None,
) -> tuple[BoardPlan, bool]:
    """Return the plan of a line, and whether all of it is in view at once."""
    # An empty table after one in lanes has no form to keep.
    for face in reversed(sizes if form and form.lanes else kept(sizes, form)):
        before, spare = form.start if form and form.face == face.name else None, face is not sizes[0]
        for start in starts(placed, room.w, face, before, inline=inline):
            places = snake(placed, room.w, face, inline=inline, start=start) or (_spot(room.w, face),)
            if around([place.box for place in places]).h + spare > room.h:
                continue
            plan = _line(placed, marks, room, face, start, inline=inline, ghost=ghost)
            if plan.labels.complete and _inside(plan, room, spare=spare):
                return plan, True
    endless = Size(max(room.w, face.lying.w), ENDLESS)
    return _line(placed, marks, endless, face, start, inline=inline, ghost=None), False


def _line(
    placed: Layout,
    marks: Sequence[Mark],
    room: Size,
    face: Face,
    start: int,
    *,
    inline: bool,
    ghost: PlacedTile | None,
) -> BoardPlan:
    places = snake(placed, room.w, face, inline=inline, start=start) if placed else (_spot(room.w, face),)
    after = snake((*placed, ghost), room.w, face, inline=inline, start=start)[-1] if ghost else None
    labels = place_labels(marks, places, room, ascii=face.ascii)
    return BoardPlan(face, tuple(places), labels, ghost=after, start=start)


def _spot(width: int, face: Face) -> TilePlace:
    """Return the place of the first tile."""
    return TilePlace(Box((width - face.lying.w) // 2, 0, *face.lying), Direction.RIGHT, standing=False)


def _inside(plan: BoardPlan, room: Size, *, spare: bool) -> bool:
    """Return True if all is in view; with `spare`, a row is left so that no tile touches what stands above
    the table.
    """
    extent = plan.labels.extent
    # A double may come first and stand upright.
    tallest = max(extent.h, plan.face.standing.h)
    return extent.x >= 0 and extent.right <= room.w and tallest + spare <= room.h


def _settle(plan: BoardPlan, height: int, form: BoardForm | None) -> int:
    """Return how far to move the picture down: as before, or such that the tiles are centred as far as
    labels allow.
    """
    extent, tiles = plan.labels.extent, around([place.box for place in plan.places if place])
    top, bottom = int(extent.h < height), int(extent.h + 2 <= height)
    middle = (height - tiles.h) // 2 - tiles.y
    before = form.down if form and form.face == plan.face.name else None
    near = before is not None and abs(before - middle) <= plan.face.lying.h
    if before is not None and near and extent.y + before >= top and extent.bottom + before <= height:
        return before
    return max(top - extent.y, min(middle, height - bottom - extent.bottom))


def _target(plan: BoardPlan, marks: Sequence[Mark]) -> Box:
    wanted = next((mark for mark in marks if mark.chosen), None)
    boxes = [label.box for label in plan.labels.labels if label.mark is wanted]
    place = plan.places[-1 if wanted is None else max(wanted.at, 0)]
    if place is not None and not (plan.fixed and boxes):
        boxes.append(place.box)
    return around(boxes or [plan.labels.extent])


def _pan(plan: BoardPlan, target: Box, room: Size) -> tuple[int, int]:
    extent = plan.labels.extent
    return (
        _slide(extent.x, extent.right, target.x, target.right, room.w),
        _slide(extent.y, extent.bottom, target.y, target.bottom, room.h),
    )


def _slide(start: int, end: int, low: int, high: int, length: int) -> int:
    """Return how far to move the range from `start` to `end`, so that `low` to `high` is in the middle of `length`.

    While the range is longer than `length`, no room is wasted beyond its ends.
    """
    if end - start <= length:
        return max(-start, min(0, length - end))
    centred = (length - low - high) // 2
    return max(length - end, min(centred, -start))


def _draw_tiles(
    canvas: Canvas, plan: BoardPlan, placed: Layout, by: tuple[int, int], theme: Theme, *, glow: int | None
) -> None:
    dx, dy = by
    shaded: list[bool] = []
    tops: dict[int, list[Box]] = {}
    for box in [place.box for place in plan.places if place]:
        tops.setdefault(box.y, []).append(box)
    for index, (piece, place) in enumerate(zip(placed, plan.places, strict=True)):
        if place is None:
            shaded.append(False)
            continue
        parent = plan.places[piece.on] if piece.on >= 0 else None
        stacked = parent is not None and _stacked(parent.box, place.box)
        if plan.fixed:
            shaded.append(index in plan.shaded)
        else:
            shaded.append((stacked or place.heads.upright) and not (stacked and shaded[piece.on]))
        tone: Tone = "glow" if index == glow else "ivory_shade" if shaded[-1] else "ivory"
        inner, outer = halves(placed, index)
        if place.heads in (Direction.LEFT, Direction.UP):
            inner, outer = outer, inner
        ground = theme.bar if index == 0 and plan.written else ""
        box = place.box.moved(dx, dy)
        seam = any(_stacked(place.box, below) for below in tops.get(place.box.bottom, ()))
        draw_tile(canvas, box, plan.face, (inner, outer), theme=theme, tone=tone, ground=ground, seam=seam)


def _draw_shadows(canvas: Canvas, plan: BoardPlan, by: tuple[int, int], theme: Theme) -> None:
    """Draw a shadow under each tile, half a row high; a tile below covers it."""
    if plan.face.ascii or theme.pictures or plan.close:
        return  # an image has its own
    style = Style(theme.bar, theme.felt)
    for index, place in enumerate(plan.places):
        if place is not None and not (index == 0 and plan.written):
            x, y, w, h = place.box.moved(*by)
            canvas.put(x, y + h, "▝" + "▀" * (w - 2) + "▘", style)


def _stacked(tile: Box, other: Box) -> bool:
    """Return True if one of the tiles lies directly on top of the other."""
    return (tile.bottom == other.y or other.bottom == tile.y) and tile.x < other.right and other.x < tile.right


def _draw_label(
    canvas: Canvas, label: Label, plan: BoardPlan, by: tuple[int, int], theme: Theme, *, ascii: bool
) -> None:
    x, y = label.box.moved(*by)[:2]
    _clear(canvas, label, plan, by)
    if not label.mark.chosen:
        fg = theme.warning if label.mark.owed else theme.accent if label.mark.open else theme.dim
        canvas.put(x, y, label.text, Style(fg, theme.felt))
        return
    tip = Style(theme.accent, theme.felt, True)
    canvas.put(x, y, label.text, tip)
    if not ascii:
        canvas.put(x + 1, y, label.text[1:-1], Style(theme.felt, theme.accent, True))


def _clear(canvas: Canvas, label: Label, plan: BoardPlan, by: tuple[int, int]) -> None:
    """Erase the shadow of a tile beside the number right under it."""
    place, y = plan.places[max(label.mark.at, 0)], label.box.y
    if place is None or place.box.bottom != y:
        return
    below = [other.box for other in plan.places if other and other.box.y <= y < other.box.bottom]
    for x in range(place.box.x, place.box.right):
        if not any(box.x <= x < box.right for box in below):
            canvas.put(x + by[0], y + by[1], " ", canvas.ground)


def _draw_arrows(canvas: Canvas, extent: Box, theme: Theme, *, ascii: bool) -> None:
    up, down, left, right = "^v<>" if ascii else "▲▼◀▶"
    style = Style(theme.accent, theme.felt, True)
    # Vertical arrows stand in the margin of the rows, where no tile lies.
    margin, centre = canvas.width - 2, canvas.height // 2
    if extent.y < 0:
        canvas.put(margin, 0, up, style)
    if extent.bottom > canvas.height:
        canvas.put(margin, canvas.height - 1, down, style)
    if extent.x < 0:
        canvas.put(0, centre, left, style)
    if extent.right > canvas.width:
        canvas.put(canvas.width - 1, centre, right, style)


def _hits(plan: BoardPlan, placed: Layout, marks: Sequence[Mark], by: tuple[int, int]) -> tuple[ClickTarget, ...]:
    dx, dy = by
    hits = [ClickTarget(*label.box.moved(dx, dy), label.mark.at, label.mark.side) for label in plan.labels.labels]
    for mark in marks:
        place = plan.places[max(mark.at, 0)]
        if place is not None and not (plan.fixed and mark.at == 0):
            hits.append(ClickTarget(*_near(place, mark).moved(dx, dy), mark.at, mark.side))
    for index, place in enumerate(plan.places[: len(placed)]):
        if place is not None:
            hits.append(ClickTarget(*place.box.moved(dx, dy), index, -1))
    return tuple(hits)


def _near(place: TilePlace, mark: Mark) -> Box:
    """Return the cells of a tile that belong to one of its ends; of a crosswise tile, half its length."""
    way, port = place.outward(mark.side), place.port(mark.side)
    if mark.at < 0:
        return place.box
    if not port and (not place.across or way.upright):
        return place.half(mark.side)
    x, y, w, h = port.spot if port else place.box
    if way.upright:
        return Box(x, y if way is Direction.UP else y + h - h // 2, w, max(1, h // 2))
    return Box(x if way is Direction.LEFT else x + w - w // 2, y, w // 2, h)


def with_ghost(plan: BoardPlan, room: Size, by: tuple[int, int], *, ascii: bool) -> BoardPlan:
    """Return the plan with the label of the ghost beside it; without the ghost if it does not fit in view."""
    ghost, labels = plan.ghost, plan.labels.labels
    chosen = next((label for label in labels if label.mark.chosen), None)
    if ghost is None or chosen is None:
        return plan._replace(ghost=None)
    if plan.fixed:
        return plan  # in a lane, the label is beside it already
    others = [label for label in labels if label is not chosen]
    taken = [place.box for place in plan.places if place and chosen.mark.at >= 0] + [label.box for label in others]
    inside = Box(-by[0], -by[1], *room)
    if not inside.holds(ghost.box) or any(ghost.box.meets(box) for box in taken):
        return plan._replace(ghost=None)
    label = label_beside(chosen.mark, ghost, [*taken, ghost.box], inside, ascii=ascii)
    if label is None:
        return plan._replace(ghost=None)
    return plan._replace(labels=plan.labels._replace(labels=[*others, label]))


def draw_ghost(
    canvas: Canvas, place: TilePlace, face: Face, ghost: PlacedTile, by: tuple[int, int], theme: Theme
) -> None:
    """Draw the tile that Enter would lay: its pips in the accent colour on the colour of a tile's back."""
    inner, outer = halves((ghost,), 0) if ghost.on < 0 else (ghost.tile.other(ghost.out), ghost.out)
    if ghost.on >= 0 and ghost.tile.wild_halves == 1:
        inner, outer = (WILD, ghost.out) if ghost.out == ghost.tile.high else (ghost.tile.high, WILD)
    if place.heads in (Direction.LEFT, Direction.UP):
        inner, outer = outer, inner
    faint = replace(theme, pips=(theme.accent,) * len(theme.pips), edge=theme.band)
    draw_tile(canvas, place.box.moved(*by), face, (inner, outer), theme=faint, tone="back")
