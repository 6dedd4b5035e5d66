"""Layouts in lanes: the first tile is at the left, and each arm has a row from it to the right, up to its open end.

A lane that is too long for its row omits its oldest tiles, several together, and shows how many they are; its open
end is always in view. Doubles lie crosswise where all rows are far enough apart. At a branching double, the first
arm continues in the same row, the others begin rows of their own below.
"""

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from core.layout.state import Layout, PlacedTile
from tui.board.canvas import Box, Direction, Size, TilePlace, around, cells, columns, plain
from tui.board.faces import Face
from tui.board.marks import BoardPlan, Caption, Colour, Label, Labels, Mark, children, lies_across


class Lane(NamedTuple):
    """A lane: its tiles, and where it begins and ends."""

    tiles: tuple[int, ...]
    side: int
    """Side of the tile at which it begins."""
    on: int
    """Tile at which it begins."""
    tip: tuple[int, int]
    """Tile and side at which it ends."""
    above: int = -1
    """Row of the tile at which it begins; -1 is the hub."""


def rows_of(layout: Layout, marks: Sequence[Mark], arms: int) -> list[Lane]:
    """Return the rows from the top: `arms` rows for the arms of the first tile, the last arm first.

    With `arms` 0, an arm has a row once it has a tile or an open end.
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
    """Return the number of empty rows above each row: one before every arm, one after the first arm only, or none."""
    begins = [row.above < 0 for row in rows]
    spare = height - len(rows)
    if spare >= sum(begins) - 1:
        return [sum(begins[1 : n + 1]) for n in range(len(rows))]
    return [int(spare > 0 and any(begins[1 : n + 1])) for n in range(len(rows))]


def parts_of(tiles: Sequence[int], branching: Set[int]) -> Iterator[list[int]]:
    """Yield the parts of a lane: each but the last ends with a branching double."""
    part: list[int] = []
    for tile in tiles:
        part.append(tile)
        if tile in branching:
            yield part
            part = []
    if part:
        yield part


RAIL = 3
"""Columns from the hub to a lane's first tile, with room for the number of omitted tiles."""
LABEL = 6
"""Columns of the label of a chosen end: pointers, key, blank and two digits."""
STATE = 8
"""Columns for the state of a train beside its end. A longer one is dropped where it does not fit."""
TITLES = 16
"""Maximum width of a lane's title."""
FREED = 2 / 3
"""Share of a full lane that its oldest tiles free together: its other tiles move seldom, and only its end matters."""
ENOUGH = 5
"""Tiles of a lane that should fit in a face."""
STEPS = (None, 8, 6, 4, 3, 2, 1)
"""Limits to try for the number of tiles before a branching double, None for all; the first with which all fits is
used.
"""


class Tip(NamedTuple):
    """The content at a lane's end."""

    label: str = ""
    words: str = ""
    """Dropped if they do not fit."""
    colour: Colour = "dim"
    """Colour of the words."""

    def written(self, x: int, y: int) -> Caption:
        """Return the words as a caption at `x`, `y`."""
        return Caption(x, y, self.words, self.colour, bold=self.colour == "warning")


class LaneGrid(NamedTuple):
    """Lanes in one face: everything that is fixed before the number of visible tiles is known."""

    layout: Layout
    face: Face
    room: Size
    rows: Sequence[Lane]
    branching: frozenset[int]
    """Doubles at which lanes begin."""
    ys: Sequence[int]
    """Top of each row."""
    over: int
    """Rows by which a crosswise double stands out of its row, above and below; 0 if doubles lie along the row."""
    begin: int
    """Column at which the lanes from the hub begin."""
    tips: dict[tuple[int, int], Mark]
    """The marks, by tile and side."""
    ghost: int
    """Index of the tile that would be laid at the chosen mark, the last of `layout`; -1 without one."""
    state: int
    """Columns for the state of a train beside its end; 0 where it stands above."""
    titles: Sequence[str]
    """Titles above the lanes, each followed by the words of its tip; empty if titles stand beside the lanes."""
    own: int

    @property
    def end(self) -> int:
        """Column at which a full lane ends: the ghost, the label and the words of any end have room after it.

        It is the same for all ends and choices, or tiles would come and go.
        """
        return self.room.w - self.face.lying.w - LABEL - self.state

    def crosswise(self, index: int) -> bool:
        """Return True if a tile lies crosswise."""
        return self.over > 0 and index > 0 and lies_across(self.layout, index)

    def width(self, index: int) -> int:
        """Return the columns of a tile."""
        return (self.face.standing if self.crosswise(index) else self.face.lying).w

    def heading(self, row: Lane, tip: Tip, y: int) -> Iterator[Caption]:
        """Yield a lane's title, and after it the words of its tip, if they fit."""
        title = _cut(self.titles[row.side], TITLES)
        yield _title(title, row.side == self.own, self.begin, y)
        caption = tip.written(self.begin + columns(title) + 2, y)
        if caption.text and caption.x + columns(caption.text) <= self.room.w:
            yield caption

    def box(self, x: int, y: int, width: int) -> Box:
        """Return `width` columns of a row from column `x`, as high as a lying tile."""
        return Box(x, y, width, self.face.lying.h)


class Placement(NamedTuple):
    """The places of everything in the rows."""

    boxes: dict[int, Box]
    """By tile; a crosswise one is as high as the others here."""
    gaps: dict[int, Box]
    """By omitted tile, the cells of the number that stands for it."""
    labels: list[Label]
    written: list[Caption]
    capacities: list[int]
    """Numbers of tiles that fit into lanes: into all that have titles, and into all that are cut."""

    @property
    def words(self) -> list[Box]:
        """The cells with text."""
        return [label.box for label in self.labels] + [Box(w.x, w.y, columns(w.text), 1) for w in self.written]


def lanes(
    layout: Layout,
    marks: Sequence[Mark],
    room: Size,
    face: Face,
    *,
    titles: Sequence[str] = (),
    own: int = -1,
    ghost: PlacedTile | None = None,
) -> tuple[BoardPlan, bool]:
    """Return the lanes in this face, and whether all of them fit and are long enough to be read.

    `titles` are the names of the first tile's arms, by side; with them, every arm has a lane, the last one first, and
    that of `own` is bold. Otherwise an arm has a lane once it has a tile or an open end. Titles stand above the lanes
    if there are rows for them, otherwise beside the first tile. `ghost` is the tile that would be laid at the chosen
    mark.
    """
    rows = rows_of(layout, marks, len(titles))
    over = (face.standing.h - face.lying.h) // 2
    needed = (len(rows) - 1) * (face.lying.h + over) + face.lying.h + 2 * over
    smallest = face.lying.h == 1
    pitch = face.lying.h + over
    if needed > room.h and smallest:
        pitch, over = (2 if 2 * len(rows) - 1 <= room.h else 1), 0
    else:
        spare = (room.h - face.lying.h - 2 * over) // max(1, len(rows) - 1)
        pitch = max(pitch, min(spare, face.standing.h + 1))
    gaps = gaps_above(rows, room.h) if pitch == 1 else [0] * len(rows)
    height = (len(rows) - 1) * pitch + face.lying.h + gaps[-1]
    above = bool(titles) and pitch > face.lying.h and height < room.h
    fits = face.stands and pitch >= face.standing.h + above and height + 2 * over + above <= room.h
    over = over if fits else 0  # doubles lie crosswise only where all of them can, or tiles would move
    top = max(over + above, min(room.h - height - over, (room.h - height + above) // 2))
    ys = [top + n * pitch + gap for n, gap in enumerate(gaps)]
    tips = {(mark.at, mark.side): mark for mark in marks}
    titles = [plain(title, face.ascii) for title in titles]
    start, before = _head(() if above else titles, own, rows, ys, face, room.w // 3)
    begin, state = start + face.standing.w + 2 + RAIL, STATE if titles and not above else 0
    grown, ghost_index = ((*layout, ghost), len(layout)) if ghost else (layout, -1)
    branching = frozenset(row.on for row in rows if row.above >= 0)
    heads = titles if above else ()
    grid = LaneGrid(grown, face, room, rows, branching, ys, over, begin, tips, ghost_index, state, heads, own)
    laid = _lay(grid)
    hub, bar = _hub(rows, ys, start, height, face)
    laid.boxes[0] = hub
    places = _places(grid, laid)
    ghost_place = places.pop() if ghost else None
    extent = around([*(place.box for place in places if place), *laid.words])
    tight = frozenset(tile for row in rows[1::2] for tile in row.tiles) if pitch == face.lying.h else frozenset()
    labels = Labels(laid.labels, extent)
    plan = BoardPlan(face, tuple(places), labels, (*before, *bar, *laid.written), True, tight, ghost=ghost_place)
    plan = plan._replace(close=pitch <= face.lying.h + above)
    inside = extent.x >= 0 and extent.right <= room.w and extent.y >= 0 and extent.bottom <= room.h
    return plan, inside and (min(laid.capacities, default=ENOUGH) >= ENOUGH or smallest)


def _head(
    titles: Sequence[str], own: int, rows: Sequence[Lane], ys: Sequence[int], face: Face, limit: int
) -> tuple[int, list[Caption]]:
    """Place the titles in at most `limit` columns at the left; return the column of the hub, and their captions."""
    if not titles:
        return 1, []
    width = min(TITLES, limit, max(columns(title) for title in titles))
    written = []
    for row, y in zip(rows, ys, strict=True):
        if row.above < 0:
            title = _cut(titles[row.side], width)
            written.append(_title(title, row.side == own, 2, y + face.lying.h // 2))
    return 2 + width + 2, written


def _title(title: str, own: bool, x: int, y: int) -> Caption:
    """Return a title, bold if it is the player's own."""
    return Caption(x, y, title, "text" if own else "quiet", bold=own)


def _cut(title: str, width: int) -> str:
    """Cut a title to `width` columns, after the first word if that fits."""
    line = cells(title)
    if len(line) <= width:
        return title
    words = title.split()
    return words[0] if words and columns(words[0]) <= width else "".join(line[:width])


def _hub(rows: Sequence[Lane], ys: Sequence[int], start: int, height: int, face: Face) -> tuple[Box, list[Caption]]:
    """Return the place of the first tile, and the bar around it from which the lanes begin."""
    size = face.standing if height + 2 >= face.standing.h else Size(face.standing.w, face.lying.h)
    middle = ys[0] + height // 2
    box = Box(start + 1, max(0, middle - size.h // 2), *size)
    top, bottom = min(ys[0], box.y), max(ys[0] + height, box.bottom)
    bar = [Caption(start, y, " " * (size.w + 2), "text", "bar") for y in range(top, bottom)]
    rail = "-" if face.ascii else "─"
    for row, y in zip(rows, ys, strict=True):
        if row.above < 0:
            bar.append(Caption(start + size.w + 2, y + face.lying.h // 2, rail * RAIL, "dim"))
    return box, bar


def _lay(grid: LaneGrid) -> Placement:
    for limit in STEPS:
        placement = _try(grid, limit)
        if all(label.box.right <= grid.room.w for label in placement.labels):
            break
    return placement


def _try(grid: LaneGrid, limit: int | None) -> Placement:
    """Lay out all rows, with at most `limit` tiles before a branching double."""
    rows, high = grid.rows, grid.face.lying.h
    laid = Placement({}, {}, [], [], [])
    under: dict[int, int] = {}
    """By branching double: the row from which its next connecting line goes down."""
    for number, (row, y) in enumerate(zip(rows, grid.ys, strict=True)):
        x, middle = grid.begin, y + high // 2
        if row.above >= 0:
            joint = laid.boxes.get(row.on) or laid.gaps[row.on]
            x = joint.right
            more = any(other.on == row.on for other in rows[number + 1 :])
            laid.written.extend(_branch(joint, under.get(row.on, grid.ys[row.above] + high), middle, more, grid.face))
            under[row.on] = max(middle + 1, grid.ys[row.above] + high)
        mark = grid.tips.get(row.tip)
        tip = _tip(mark, grid.face, beside=not grid.titles)
        if grid.titles:
            laid.written.extend(grid.heading(row, tip, y - grid.over - 1))
        if grid.titles or grid.state:
            laid.capacities.append((grid.end - x) // grid.face.lying.w)
        x = _place_tiles(grid, laid, row, x, y, limit)
        if mark and mark.chosen:
            x = _place_ghost(grid, laid, x, y, columns(tip.label))
        if mark and tip.label:
            laid.labels.append(Label(mark, tip.label, Box(x, middle, columns(tip.label), 1)))
            x += columns(tip.label)
        if tip.words and not grid.titles and x + 1 + columns(tip.words) <= grid.room.w:
            laid.written.append(tip.written(x + 1, middle))
    return laid


def _place_tiles(grid: LaneGrid, laid: Placement, row: Lane, x: int, y: int, limit: int | None) -> int:
    """Place the tiles of a lane from column `x`, and the numbers of omitted tiles; return the next free column.

    The number of omitted tiles stands on the rail, or, in a lane from a branching double, before the other tiles.
    """
    middle, dots = y + grid.face.lying.h // 2, "+" if grid.face.ascii else "…"
    for first, part in enumerate(parts_of(row.tiles, grid.branching)):
        if part[-1] in grid.branching:
            fit = min(limit or len(part), len(part))
        else:
            fit = len(part) - _omitted([grid.width(index) for index in part], grid.end - x)
            if fit < len(part):
                laid.capacities.append((grid.end - x) // grid.face.lying.w)
        hidden = part[: len(part) - fit]
        if hidden:
            text = f"{dots}{len(hidden)}"
            if row.above < 0 and not first:
                x -= len(text)
            else:
                text += " "
            laid.written.append(Caption(x, middle, text, "dim"))
            laid.gaps.update(dict.fromkeys(hidden, grid.box(x, y, len(text))))
            x += len(text)
        for index in part[len(hidden) :]:
            laid.boxes[index] = grid.box(x, y, grid.width(index))
            x += grid.width(index)
    return x


def _place_ghost(grid: LaneGrid, laid: Placement, x: int, y: int, after: int) -> int:
    """Place the ghost, if there is one and it leaves `after` columns free; return the next free column."""
    if grid.ghost < 0:
        return x
    width = grid.width(grid.ghost)
    if x + width + after > grid.room.w:
        return x
    laid.boxes[grid.ghost] = grid.box(x, y, width)
    return x + width


def _omitted(widths: Sequence[int], space: int) -> int:
    """Return the number of a lane's oldest tiles that are omitted: enough to free `FREED` of it whenever it is full.

    The newest tile stays.
    """
    first = used = 0
    for count, width in enumerate(widths):
        used += width
        if used > space:
            while used > space * (1 - FREED) and first < count:
                used -= widths[first]
                first += 1
    return first


def _tip(mark: Mark | None, face: Face, *, beside: bool) -> Tip:
    """Return the content of an end. Its note is included only `beside` the lane; above, words must not depend on the
    choice.
    """
    if mark is None:
        return Tip()
    label = mark.text(short=True, ascii=face.ascii)
    flag = "" if face.ascii or not mark.flag else "⚑ "
    state = mark.note if mark.owed else flag + mark.state if mark.state else ""
    words = plain(state or (mark.note if beside else ""), face.ascii)
    colour: Colour = "warning" if mark.owed else "accent" if not state else "quiet" if mark.flag else "dim"
    return Tip(label, words, colour)


def _branch(joint: Box, upper: int, row: int, more: bool, face: Face) -> list[Caption]:
    """Return the line from a double down to a row that begins there."""
    down, knee, fork, level = "|`|-" if face.ascii else "│└├─"
    x = joint.x + joint.w // 2
    lines = [Caption(x, y, down, "dim") for y in range(upper, row)]
    lines.append(Caption(x, row, (fork if more else knee) + level * (joint.right - x - 1), "dim"))
    return lines


def _places(grid: LaneGrid, laid: Placement) -> list[TilePlace | None]:
    """Return the places of the tiles, with doubles crosswise where rows are far enough apart."""
    places: list[TilePlace | None] = []
    for index in range(len(grid.layout)):
        box = laid.boxes.get(index)
        crosswise = grid.crosswise(index)
        if box and crosswise:
            box = Box(box.x, box.y - grid.over, *grid.face.standing)
        way = Direction.RIGHT if index else Direction.DOWN
        places.append(TilePlace(box, way, index == 0 or crosswise) if box else None)
    return places
