"""Draws the table: the largest tiles with which everything fits, the marks of ends, and the click targets."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from msgspec.structs import replace

from core.layout.state import Layout, PlacedTile
from core.tiles import WILD
from core.words import Shape
from themes import Theme
from tui.board.canvas import Box, Canvas, ClickTarget, Direction, FaceName, Picture, Size, Style, TilePlace, around
from tui.board.faces import USUAL_HIGHEST, Face, Tone, draw_spot, draw_tile
from tui.board.line import LineTable, line_frame, line_places
from tui.board.marks import BoardPlan, Label, Labels, Mark, halves, label_beside, place_all, place_labels
from tui.board.tree import ShapeTable, plan_shape

ENDLESS = 10_000
"""Rows of a table that pans: more than any layout needs."""
TABLES = 256
"""Number of cached boards, and of those without labels: one for each table of a full host, or every key would draw
all tiles anew.
"""
MAX_CACHED_CELLS = 140 * 45
"""Maximum size of a cached board in cells. All of this size take 20 MiB; those of huge, rare windows would
take 140.
"""
EVERYBODY = -1
"""Seat for a board that looks the same to everybody."""
NO_LABELS = Labels((), extent=Box(0, 0, 0, 0))


class Slide(NamedTuple):
    """A step of the animation that moves laid tiles to new places."""

    tiles: int
    """Number of tiles that lay on the table before."""
    share: float
    """Share of the distance that the tiles have moved, from 0 to 1."""


class _Board(NamedTuple):
    """Parameters of a board; see `draw_board`."""

    placed: Layout
    marks: tuple[Mark, ...]
    area: Size
    theme: Theme
    largest: FaceName | None
    ascii: bool
    glow: int | None
    highest: int
    shape: Shape
    titles: tuple[str, ...]
    own_side: int
    sides: tuple[int, ...]
    ghost: PlacedTile | None
    rival: PlacedTile | None
    slide: Slide | None


def draw_board(
    placed: Layout,
    marks: Sequence[Mark],
    width: int,
    height: int,
    theme: Theme,
    *,
    largest: FaceName | None = None,
    sides: Sequence[int] = (),
    ascii: bool = False,
    glow: int | None = None,
    highest: int = USUAL_HIGHEST,
    shape: Shape = "line",
    titles: Sequence[str] = (),
    own_side: int = -1,
    ghost: PlacedTile | None = None,
    rival: PlacedTile | None = None,
    slide: Slide | None = None,
) -> Picture:
    """Draw the tiles and their ends on a table of `width` by `height` cells.

    `shape` is that of the view: a `line`, also `inline`; a `cross`, `feet` or a `star`, which become lanes if they do
    not fit; or `lanes`. `titles` are those of the lanes, by the side of the first tile at which each begins;
    `own_side` is the viewer's. Arms begin at `sides` of the first tile, by default those of a line or a cross.

    Sizes and places depend on the order of the tiles alone: a layout keeps those of the layout without its last tile
    while there is room, in tiles up to the `largest` size. If even the smallest do not fit, the table pans: the
    chosen end, or else the last tile, is in view, and arrows point to what is not. `glow` is the tile just laid;
    `highest` the highest number of the set, for which the faces make room. `ghost` is the tile that would be laid at
    the chosen mark: it is drawn if it covers nothing. `rival` is a tile to compare with it, at another end: it is
    drawn in the colour of warnings, if there is room. During a `slide`, tiles that change their places are on their
    way, and ends have no numbers.
    """
    area = Size(width, height)
    own_side = own_side if titles else EVERYBODY
    if theme.pictures or shape == "lanes":  # images have at most 7 rows; a lane needs room for many tiles
        largest = largest or "large"
    sides = tuple(sides) or ((0, 1) if shape in ("line", "inline") else (0, 1, 2, 3))
    board = _Board(
        placed, tuple(marks), area, theme, largest, ascii, glow, highest, shape, tuple(titles), own_side, sides,
        ghost, rival, slide,
    )  # fmt: skip
    return _draw(board) if area.w * area.h <= MAX_CACHED_CELLS else _draw.__wrapped__(board)


@lru_cache(maxsize=TABLES)
def _draw(board: _Board) -> Picture:
    """Draw a board. Cached, because all players who are not on turn see the same board."""
    placed, marks, area, ghost = board.placed, board.marks, board.area, board.ghost
    plan, fits = _plan(board)
    if board.slide and fits and (sliding_places := _places_during_slide(plan, board, board.slide)) != plan.places:
        plan = plan._replace(places=sliding_places, labels=NO_LABELS, ghost=None)
    dx, dy = (0, 0) if fits else _pan(plan, _box_to_show(plan, marks), area)
    plan = with_ghost(plan, area, (dx, dy), ascii=board.ascii)
    plan, rival_place = _with_rival(plan, board, (dx, dy))
    unlabelled_plan = plan._replace(labels=NO_LABELS, ghost=None)
    draw = _draw_laid if area.w * area.h <= MAX_CACHED_CELLS else _draw_laid.__wrapped__
    canvas = draw(area, unlabelled_plan, placed, (dx, dy), board.theme, glow=board.glow).copy()
    for label in plan.labels.labels:
        _erase_shadow(canvas, label, plan, (dx, dy))
    if plan.ghost and ghost:
        draw_ghost(canvas, plan.ghost, plan.face, ghost, (dx, dy), board.theme)
    if rival_place and board.rival:
        theme = replace(board.theme, accent=board.theme.warning)
        draw_ghost(canvas, rival_place, plan.face, board.rival, (dx, dy), theme)
    for label in plan.labels.labels:
        _draw_label(canvas, label, (dx, dy), board.theme, ascii=board.ascii)
    if not fits:
        _draw_arrows(canvas, plan.labels.extent.moved(dx, dy), board.theme, ascii=board.ascii)
    return Picture(canvas.rows(), partial(_click_targets, plan, placed, marks, (dx, dy)))


@lru_cache(maxsize=TABLES)
def _draw_laid(
    area: Size, plan: BoardPlan, placed: Layout, offset: tuple[int, int], theme: Theme, *, glow: int | None
) -> Canvas:
    """Draw everything but the labels, which is the same for every choice and for all guests at a table."""
    canvas = Canvas(*area, Style(theme.text, theme.felt))
    if placed:
        _draw_shadows(canvas, plan, offset, theme)
    for caption in plan.captions:
        style = Style(getattr(theme, caption.fg), getattr(theme, caption.bg), caption.bold)
        canvas.put(caption.x + offset[0], caption.y + offset[1], caption.text, style)
    if placed:
        _draw_tiles(canvas, plan, placed, offset, theme, glow=glow)
    elif plan.places[0]:
        draw_spot(canvas, plan.places[0].box.moved(*offset), theme, ascii=plan.face.ascii)
    canvas.rows()  # caches the rows, which copies then share
    return canvas


def _plan(board: _Board) -> tuple[BoardPlan, bool]:
    """Return the plan of a board, and whether all of it is in view at once."""
    if not board.placed or board.shape in ("line", "inline"):
        return _plan_line(board)
    table = ShapeTable(
        board.area, board.highest, board.ascii, board.shape, board.sides, bool(board.titles), board.largest
    )
    return plan_shape(board.placed, board.marks, table, board.titles, board.own_side, board.ghost)


def _places_during_slide(plan: BoardPlan, board: _Board, slide: Slide) -> tuple[TilePlace | None, ...]:
    """Return the places of the tiles during a slide: each centre has moved the same share of its way."""
    old_places = _plan(board._replace(placed=board.placed[: slide.tiles], marks=(), ghost=None, slide=None))[0].places
    places = list(plan.places)
    for index, (old_place, new_place) in enumerate(zip(old_places, plan.places, strict=False)):
        if old_place and new_place and index < slide.tiles:
            remaining_share = 1 - slide.share
            dx = round(
                remaining_share * (old_place.box.x + old_place.box.w / 2 - new_place.box.x - new_place.box.w / 2)
            )
            dy = round(
                remaining_share * (old_place.box.y + old_place.box.h / 2 - new_place.box.y - new_place.box.h / 2)
            )
            places[index] = new_place._replace(box=new_place.box.moved(dx, dy))
    return tuple(places)


def _with_rival(plan: BoardPlan, board: _Board, offset: tuple[int, int]) -> tuple[BoardPlan, TilePlace | None]:
    """Return the plan with the rival's label, and the rival's place; without a rival or room, `plan` and None."""
    rival = board.rival
    if rival is None:
        return plan, None
    end = rival.on, rival.side
    marks = tuple(replace(mark, chosen=(mark.at, mark.side) == end) for mark in board.marks)
    rival_plan = with_ghost(
        _plan(board._replace(marks=marks, ghost=rival, rival=None))[0], board.area, offset, ascii=board.ascii
    )
    label = next((label for label in rival_plan.labels.labels if label.mark.chosen), None)
    labels = [label for label in plan.labels.labels if (label.mark.at, label.mark.side) != end]
    obstacles = [label.box for label in labels] + ([plan.ghost.box] if plan.ghost else [])
    if not rival_plan.ghost or not label or rival_plan.places != plan.places:
        return plan, None
    if any(box.meets(part) for box in obstacles for part in (rival_plan.ghost.box, label.box)):
        return plan, None
    return plan._replace(labels=plan.labels._replace(labels=[*labels, label])), rival_plan.ghost


def _plan_line(board: _Board) -> tuple[BoardPlan, bool]:
    """Return the plan of a line, and whether all of it is in view at once."""
    placed, area, ghost = board.placed, board.area, board.ghost
    sides = board.sides if board.placed else (0, 1)
    table = LineTable(area, board.highest, board.ascii, sides, board.shape == "inline", board.largest)
    frame = line_frame(placed, table)
    face = frame.face
    if not frame.fits:
        table = table._replace(area=Size(max(area.w, 2 * face.lying.w), ENDLESS))
        frame = frame._replace(x=(table.area.w - face.lying.w) // 2, y=ENDLESS // 2)
    places = line_places(placed, frame, table)
    ghost_place = line_places((*placed, ghost), frame, table)[-1] if ghost else None
    places = places or (TilePlace(Box(frame.x, frame.y, *face.lying), Direction.RIGHT, standing=False),)
    labels = place_all(board.marks, places, table.area, ascii=face.ascii)
    if labels is None:
        labels = place_labels(board.marks, places, table.area, ascii=face.ascii)
    return BoardPlan(face, places, labels, ghost=ghost_place), frame.fits


def _box_to_show(plan: BoardPlan, marks: Sequence[Mark]) -> Box:
    chosen = next((mark for mark in marks if mark.chosen), None)
    boxes = [label.box for label in plan.labels.labels if label.mark is chosen]
    place = plan.places[-1 if chosen is None else max(chosen.at, 0)]
    if place is not None and not (plan.fixed and boxes):
        boxes.append(place.box)
    return around(boxes or [plan.labels.extent])


def _pan(plan: BoardPlan, target: Box, area: Size) -> tuple[int, int]:
    extent = plan.labels.extent
    return (
        _pan_distance(extent.x, extent.right, target.x, target.right, area.w),
        _pan_distance(extent.y, extent.bottom, target.y, target.bottom, area.h),
    )


def _pan_distance(start: int, end: int, low: int, high: int, length: int) -> int:
    """Return how far to move the range from `start` to `end`, so that `low` to `high` is in the middle of `length`.

    If the range is longer than `length`, no room is wasted beyond its ends; if not, it moves only as far as needed to
    fit.
    """
    if end - start <= length:
        return max(-start, min(0, length - end))
    centred = (length - low - high) // 2
    return max(length - end, min(centred, -start))


def _draw_tiles(
    canvas: Canvas, plan: BoardPlan, layout: Layout, offset: tuple[int, int], theme: Theme, *, glow: int | None
) -> None:
    dx, dy = offset
    is_shaded: list[bool] = []
    boxes_by_top: dict[int, list[Box]] = {}
    for box in [place.box for place in plan.places if place]:
        boxes_by_top.setdefault(box.y, []).append(box)
    for index, (piece, place) in enumerate(zip(layout, plan.places, strict=True)):
        if place is None:
            is_shaded.append(False)
            continue
        parent = plan.places[piece.on] if piece.on >= 0 else None
        stacked = parent is not None and _are_stacked(parent.box, place.box)
        if plan.fixed:
            is_shaded.append(index in plan.shaded)
        else:
            is_shaded.append((stacked or place.heading.upright) and not (stacked and is_shaded[piece.on]))
        tone: Tone = "glow" if index == glow else "ivory_shade" if is_shaded[-1] else "ivory"
        inner, outer = halves(layout, index)
        if place.heading in (Direction.LEFT, Direction.UP):
            inner, outer = outer, inner
        background = theme.bar if index == 0 and plan.captions else ""
        box = place.box.moved(dx, dy)
        has_seam = any(_are_stacked(place.box, below) for below in boxes_by_top.get(place.box.bottom, ()))
        draw_tile(
            canvas, box, plan.face, (inner, outer), theme=theme, tone=tone, background=background, seam=has_seam
        )


def _draw_shadows(canvas: Canvas, plan: BoardPlan, offset: tuple[int, int], theme: Theme) -> None:
    """Draw a shadow half a row high under each tile, or its rim if the theme has one; a tile below covers it."""
    if plan.face.ascii or theme.pictures or plan.is_dense:
        return  # an image has its own
    style = Style(theme.rim or theme.bar, theme.felt)
    left, right = "▀▀" if theme.rim else "▝▘"
    for index, place in enumerate(plan.places):
        if place is not None and not (index == 0 and plan.captions):
            x, y, w, h = place.box.moved(*offset)
            canvas.put(x, y + h, left + "▀" * (w - 2) + right, style)


def _are_stacked(tile: Box, other: Box) -> bool:
    """Return True if one of the tiles lies directly on top of the other."""
    return (tile.bottom == other.y or other.bottom == tile.y) and tile.x < other.right and other.x < tile.right


def _draw_label(canvas: Canvas, label: Label, offset: tuple[int, int], theme: Theme, *, ascii: bool) -> None:
    x, y = label.box.moved(*offset)[:2]
    if not label.mark.chosen:
        fg = theme.warning if label.mark.owed else theme.accent if label.mark.open else theme.dim
        canvas.put(x, y, label.text, Style(fg, theme.felt))
        return
    chosen_style = Style(theme.accent, theme.felt, True)
    canvas.put(x, y, label.text, chosen_style)
    if not ascii:
        canvas.put(x + 1, y, label.text[1:-1], Style(theme.felt, theme.accent, True))


def _erase_shadow(canvas: Canvas, label: Label, plan: BoardPlan, offset: tuple[int, int]) -> None:
    """Erase the shadow of a tile beside the number right under it."""
    place, y = plan.places[max(label.mark.at, 0)], label.box.y
    if place is None or place.box.bottom != y:
        return
    below = [other.box for other in plan.places if other and other.box.y <= y < other.box.bottom]
    for x in range(place.box.x, place.box.right):
        if not any(box.x <= x < box.right for box in below):
            canvas.put(x + offset[0], y + offset[1], " ", canvas.background)


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


def _click_targets(
    plan: BoardPlan, layout: Layout, marks: Sequence[Mark], offset: tuple[int, int]
) -> tuple[ClickTarget, ...]:
    dx, dy = offset
    hits = [ClickTarget(*label.box.moved(dx, dy), label.mark.at, label.mark.side) for label in plan.labels.labels]
    for mark in marks:
        place = plan.places[max(mark.at, 0)]
        if place is not None and not (plan.fixed and mark.at == 0):
            hits.append(ClickTarget(*_cells_of_end(place, mark).moved(dx, dy), mark.at, mark.side))
    for index, place in enumerate(plan.places[: len(layout)]):
        if place is not None:
            hits.append(ClickTarget(*place.box.moved(dx, dy), index, -1))
    return tuple(hits)


def _cells_of_end(place: TilePlace, mark: Mark) -> Box:
    """Return the cells of a tile that belong to one of its ends: half its length, or all if the mark is at no end."""
    direction, port = place.outward(mark.side), place.port(mark.side)
    if mark.at < 0:
        return place.box
    if not port and (not place.across or direction.upright):
        return place.half(mark.side)
    x, y, w, h = port.spot if port else place.box
    if direction.upright:
        return Box(x, y if direction is Direction.UP else y + h - h // 2, w, max(1, h // 2))
    return Box(x if direction is Direction.LEFT else x + w - w // 2, y, w // 2, h)


def with_ghost(plan: BoardPlan, area: Size, offset: tuple[int, int], *, ascii: bool) -> BoardPlan:
    """Return the plan with the label of the ghost beside it.

    Where its place is taken or out of view, the ghost lies in the nearest free cells beside the end: the layout moves
    once the tile is laid. If there are no free cells, the plan has no ghost.
    """
    labels = plan.labels.labels
    chosen = next((label for label in labels if label.mark.chosen), None)
    if plan.ghost is None or chosen is None:
        return plan._replace(ghost=None)
    if plan.fixed:
        return plan  # in a lane, the label is beside it already
    others = [label for label in labels if label is not chosen]
    obstacles = [place.box for place in plan.places if place and chosen.mark.at >= 0] + [
        label.box for label in others
    ]
    inside = Box(-offset[0], -offset[1], *area)
    for ghost in (plan.ghost, *_places_beside(plan, chosen.mark)):
        if inside.holds(ghost.box) and not any(ghost.box.meets(box) for box in obstacles):
            label = label_beside(chosen.mark, ghost, [*obstacles, ghost.box], inside, ascii=ascii)
            if label:
                return plan._replace(ghost=ghost, labels=plan.labels._replace(labels=[*others, label]))
    return plan._replace(ghost=None)


def _places_beside(plan: BoardPlan, mark: Mark) -> Iterator[TilePlace]:
    """Yield places beside an end, the best first: straight on, then to either side."""
    place = plan.places[max(mark.at, 0)]
    if place is None or mark.at < 0:
        return
    direction, half = place.outward(mark.side), place.half(mark.side)
    for heading in (direction, direction.turned(1), direction.turned(-1)):
        size = plan.face.standing if heading.upright else plan.face.lying
        for flush in (
            (None, direction, direction.back)
            if heading is not direction
            else (None, direction.turned(1), direction.turned(-1))
        ):
            yield TilePlace(half.beside(size, heading, flush), heading, heading.upright and plan.face.stands)


def draw_ghost(
    canvas: Canvas, place: TilePlace, face: Face, ghost: PlacedTile, offset: tuple[int, int], theme: Theme
) -> None:
    """Draw the tile that Enter would lay: its pips in the accent colour on the colour of a tile's back."""
    inner, outer = halves((ghost,), 0) if ghost.on < 0 else (ghost.tile.other(ghost.out), ghost.out)
    if ghost.on >= 0 and ghost.tile.wild_halves == 1:
        inner, outer = (WILD, ghost.out) if ghost.out == ghost.tile.high else (ghost.tile.high, WILD)
    if place.heading in (Direction.LEFT, Direction.UP):
        inner, outer = outer, inner
    ghost_theme = replace(theme, pips=(theme.accent,) * len(theme.pips), edge=theme.band)
    draw_tile(canvas, place.box.moved(*offset), face, (inner, outer), theme=ghost_theme, tone="back")
