"""Layouts in lanes: the first tile is at the left, and each arm has a row from it to the right, up to its open end.

A lane that is too long for its row omits its oldest tiles, several together, and shows how many they are; its open
end is always in view. Doubles lie crosswise where all rows are far enough apart.

A branching double continues in its row. Its other arms take the next free rows, each pair behind a head with the
numbers of the double, so no row moves for them. Where there are no more rows, they take the right halves of rows,
from the bottom up.
"""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

from core.layout.state import Layout, PlacedTile
from tui.board.canvas import Box, Direction, Size, TilePlace, around, cells, columns, plain
from tui.board.faces import Face
from tui.board.marks import BoardPlan, Caption, Colour, Label, Labels, Mark, children, halves, lies_across


class Lane(NamedTuple):
    """A lane: its tiles, and where it begins and ends."""

    start_tile: int
    """Tile at which it begins; 0 is the hub."""
    side: int
    """Side of the tile at which it begins; that of the second lane of a double is odd."""
    tiles: tuple[int, ...]
    tip: tuple[int, int]
    """Tile and side at which it ends."""


def lanes_of(layout: Layout, marks: Sequence[Mark], arms: int) -> list[Lane]:
    """Return `arms` lanes for the arms of the first tile, the last arm first, then two for each branching double.

    With `arms` 0, an arm has a lane once it has a tile or a mark. A double has its lanes once one of them has.
    """
    children_by_end = children(layout)
    occupied_ends = sorted({*children_by_end, *((mark.at, mark.side) for mark in marks)})
    starts = (
        [(0, side) for side in (arms - 1, *range(arms - 1))]
        if arms
        else [end for end in occupied_ends if end[0] == 0]
    )
    doubles = sorted({(on, side - side % 2) for on, side in occupied_ends if on > 0 and side > 1})
    starts += [(on, side + n) for on, side in doubles for n in (0, 1)]
    return [_lane(on, side, children_by_end) for on, side in starts]


def _lane(start_tile: int, side: int, children_by_end: dict[tuple[int, int], int]) -> Lane:
    tiles: list[int] = []
    tip = start_tile, side
    while tip in children_by_end:
        tiles.append(children_by_end[tip])
        tip = tiles[-1], 1
    return Lane(start_tile, side, tuple(tiles), tip)


def row_counts(area: Size, face: Face) -> list[int]:
    """Return the numbers of rows of a full table: with free rows between all of them, between pairs, and without."""
    tile_height = face.lying.h
    return [
        (area.h - tile_height) // (tile_height + 1) + 1,
        2 * area.h // (2 * tile_height + 1),
        area.h // tile_height,
    ]


RAIL_WIDTH = 3
"""Columns from the hub to a lane's first tile, with room for the number of omitted tiles."""
LABEL_WIDTH = 6
"""Columns of the label of a chosen end: pointers, key, blank and two digits."""
STATE_WIDTH = 8
"""Columns for the state of a train beside its end. A longer one is dropped where it does not fit."""
MAX_TITLE_WIDTH = 16
"""Maximum width of a lane's title."""
FREED_SHARE = 2 / 3
"""Share of a full lane that is freed at once by omitting its oldest tiles: the others then seldom move, and only the
end matters.
"""
MIN_VISIBLE_TILES = 5
"""Number of tiles that a lane in a face must show: with fewer it is too short to be read."""


class Tip(NamedTuple):
    """The content at a lane's end."""

    label: str = ""
    text: str = ""
    """Dropped if it does not fit."""
    colour: Colour = "dim"
    """Colour of the text."""

    def caption(self, x: int, y: int) -> Caption:
        """Return the text as a caption at `x`, `y`."""
        return Caption(x, y, self.text, self.colour, bold=self.colour == "warning")


class Slot(NamedTuple):
    """A row, or half of one, for a lane."""

    begin: int
    """Column of the first tile."""
    y: int
    """Top of the lying tiles."""
    right: int
    """Column before which everything ends."""


class LaneGrid(NamedTuple):
    """Lanes in one face: all that is known before the visible tiles are counted."""

    layout: Layout
    face: Face
    rows: Sequence[Lane]
    slots: Sequence[Slot]
    """Place of each lane."""
    overhang: int
    """Rows by which a crosswise double exceeds its row, above and below; 0 if doubles lie along the row."""
    marks_by_end: dict[tuple[int, int], Mark]
    """The marks, by tile and side."""
    ghost: int
    """Index of the tile that would be laid at the chosen mark, the last of `layout`; -1 without one."""
    state_width: int
    """Columns for the state of a train beside its end; 0 where it stands above."""
    titles: Sequence[str]
    """Titles above the lanes, each followed by the text of its tip; empty if titles stand beside the lanes."""
    own_side: int
    """Side of the player's own lane, whose title is bold."""

    def tile_columns(self, slot: Slot) -> int:
        """Return the number of columns for a lane's tiles; the ghost, a label and the text of any tip fit after them.

        It is the same for all ends and choices, or tiles would come and go.
        """
        return slot.right - self.face.lying.w - LABEL_WIDTH - self.state_width - slot.begin

    def lies_crosswise(self, index: int) -> bool:
        """Return True if a tile lies crosswise."""
        return self.overhang > 0 and index > 0 and lies_across(self.layout, index)

    def width(self, index: int) -> int:
        """Return the columns of a tile."""
        return (self.face.standing if self.lies_crosswise(index) else self.face.lying).w

    def heading_captions(self, lane: Lane, tip: Tip, slot: Slot) -> Iterator[Caption]:
        """Yield a lane's title, and after it the text of its tip, if it fits."""
        y = slot.y - self.overhang - 1
        title = _shorten_title(self.titles[lane.side], MAX_TITLE_WIDTH)
        yield _title_caption(title, lane.side == self.own_side, slot.begin, y)
        caption = tip.caption(slot.begin + columns(title) + 2, y)
        if caption.text and caption.x + columns(caption.text) <= slot.right:
            yield caption

    def box(self, x: int, y: int, width: int) -> Box:
        """Return `width` columns of a row from column `x`, as high as a lying tile."""
        return Box(x, y, width, self.face.lying.h)


class Placement(NamedTuple):
    """The places of everything in the rows."""

    boxes: dict[int, Box]
    """Cells by index of the tile; a crosswise tile is only as high as the others here."""
    labels: list[Label]
    captions: list[Caption]
    capacities: list[int]
    """Number of tiles that fit into each lane that has a title or the state of a train, or omits tiles."""

    @property
    def text_boxes(self) -> list[Box]:
        """Cells with text."""
        return [label.box for label in self.labels] + [
            Box(caption.x, caption.y, columns(caption.text), 1) for caption in self.captions
        ]


def lanes(
    layout: Layout,
    marks: Sequence[Mark],
    area: Size,
    face: Face,
    rows: Sequence[Lane],
    row_count: int,
    *,
    titles: Sequence[str] = (),
    own_side: int = -1,
    ghost: PlacedTile | None = None,
) -> tuple[BoardPlan, bool]:
    """Return the lanes in this face, and whether all of them fit and are long enough to be read.

    `rows` are the lanes from the top. The table is divided into `row_count` rows.

    `titles` are the names of the first tile's arms, by side; that of `own_side` is bold. Titles stand above the lanes
    if there are rows for them, otherwise beside the first tile. `ghost` is the tile that would be laid at the chosen
    mark.
    """
    arms = sum(lane.start_tile == 0 for lane in rows)
    raster = _raster(len(rows), arms, row_count, area, face, has_titles=bool(titles))
    titles_above, overhang, row_tops = raster.titles_above, raster.overhang, raster.row_tops
    marks_by_end = {(mark.at, mark.side): mark for mark in marks}
    titles = [plain(title, face.ascii) for title in titles]
    hub_x, title_captions = _place_titles(() if titles_above else titles, own_side, rows, row_tops, face, area.w // 3)
    begin, state_width = hub_x + face.standing.w + 2 + RAIL_WIDTH, STATE_WIDTH if titles and not titles_above else 0
    layout_with_ghost, ghost_index = ((*layout, ghost), len(layout)) if ghost else (layout, -1)
    head_titles = titles if titles_above else ()
    slots = [Slot(begin, row_tops[row], area.w) for row in raster.row_by_lane]
    grid = LaneGrid(
        layout_with_ghost, face, rows, slots, overhang, marks_by_end, ghost_index, state_width, head_titles, own_side
    )
    surplus_lanes = raster.row_by_lane[-1] + 1 - row_count
    if (
        0 < surplus_lanes <= len(rows) - surplus_lanes
        and grid.tile_columns(Slot(begin, 0, area.w // 2)) >= face.lying.w
    ):
        grid = grid._replace(slots=_share_rows(slots, surplus_lanes, area.w // 2))
    placement = _place_lanes(grid)
    hub, bar_captions = _hub(grid.slots[:arms], hub_x, face)
    placement.boxes[0] = hub
    places = _places(grid, placement)
    ghost_place = places.pop() if ghost else None
    extent = around([*(place.box for place in places if place), *placement.text_boxes])
    shaded_tops = row_tops[1::2] if raster.pitch == face.lying.h else ()
    shaded = frozenset(
        tile for lane, slot in zip(rows, grid.slots, strict=True) if slot.y in shaded_tops for tile in lane.tiles
    )
    labels = Labels(placement.labels, extent)
    plan = BoardPlan(
        face,
        tuple(places),
        labels,
        (*title_captions, *bar_captions, *placement.captions),
        True,
        shaded,
        ghost=ghost_place,
    )
    plan = plan._replace(is_dense=raster.pitch <= face.lying.h + titles_above)
    is_inside = extent.x >= 0 and extent.right <= area.w and extent.y >= 0 and extent.bottom <= area.h
    return plan, is_inside and (
        min(placement.capacities, default=MIN_VISIBLE_TILES) >= MIN_VISIBLE_TILES or face.lying.h == 1
    )


class Raster(NamedTuple):
    """Rows into which the table is divided."""

    row_tops: Sequence[int]
    """Top of the lying tiles in each row."""
    row_by_lane: Sequence[int]
    """Row of each lane."""
    pitch: int
    """Distance between the tops of neighbouring rows, without the gaps between groups."""
    overhang: int
    """Rows by which a crosswise double exceeds its row, above and below; 0 if doubles lie along the row."""
    titles_above: bool
    """True if titles stand above the lanes."""


def _raster(lane_count: int, arms: int, row_count: int, area: Size, face: Face, *, has_titles: bool) -> Raster:
    """Divide the table into `row_count` rows.

    The lanes of doubles are below the first tile. An even number of rows is left for them, so both lanes of a double
    are neighbours.
    """
    tile_height, overhang = face.lying.h, (face.standing.h - face.lying.h) // 2
    clearance = (
        overhang
        if has_titles and (tile_height > 1 or row_count * (tile_height + overhang) + overhang <= area.h)
        else 0
    )
    pitch = (area.h - tile_height - 2 * clearance) // max(1, row_count - 1)
    pitch = max(tile_height + clearance, min(pitch, face.standing.h + 1))
    first_branch_row = max(arms, 1 + ceil((face.standing.h - tile_height) / pitch))
    first_branch_row += (row_count - first_branch_row) % 2
    row_by_lane = [*range(arms), *range(first_branch_row, first_branch_row + lane_count - arms)]
    # In tight rows, a free row is before each pair of lanes, or after the first of the trains.
    rows = range(max(row_count, row_by_lane[-1] + 1))
    gaps_above = [int(row > 0) if has_titles else max(0, (row - first_branch_row) // 2 + 1) for row in rows]
    height = (row_count - 1) * pitch + tile_height
    gap_height = int(pitch == tile_height and height + gaps_above[row_count - 1] <= area.h)
    height += gap_height * gaps_above[row_count - 1]
    titles_above = has_titles and pitch > tile_height and height < area.h
    has_crosswise_doubles = (
        face.stands and pitch >= face.standing.h + titles_above and height + 2 * overhang + titles_above <= area.h
    )
    overhang = (
        overhang if has_crosswise_doubles else 0
    )  # doubles lie crosswise only where all of them can, or tiles would move
    top = max(overhang + titles_above, min(area.h - height - overhang, (area.h - height + titles_above) // 2))
    return Raster(
        [top + row * pitch + gap_height * gaps_above[row] for row in rows], row_by_lane, pitch, overhang, titles_above
    )


def _share_rows(slots: Sequence[Slot], right_count: int, half_width: int) -> list[Slot]:
    """Return the slots of all lanes: for the last `right_count`, the right halves of rows, from the bottom up."""
    left_slots, right_slots = list(slots[: len(slots) - right_count]), []
    for number in range(right_count):
        # Rows are taken by twos, so both lanes of a double stay neighbours, the first above the second.
        row = len(left_slots) - 2 * (number // 2 + 1) + number % 2
        right_slots.append(left_slots[row]._replace(begin=left_slots[row].begin + half_width))
        left_slots[row] = left_slots[row]._replace(right=half_width)
    return left_slots + right_slots


def _place_titles(
    titles: Sequence[str], own_side: int, rows: Sequence[Lane], row_tops: Sequence[int], face: Face, limit: int
) -> tuple[int, list[Caption]]:
    """Place the titles in at most `limit` columns at the left; return the column of the hub, and their captions."""
    if not titles:
        return 1, []
    width = min(MAX_TITLE_WIDTH, limit, max(columns(title) for title in titles))
    captions = []
    for lane, y in zip(rows, row_tops, strict=True):
        title = _shorten_title(titles[lane.side], width)
        captions.append(_title_caption(title, lane.side == own_side, 2, y + face.lying.h // 2))
    return 2 + width + 2, captions


def _title_caption(title: str, is_own: bool, x: int, y: int) -> Caption:
    """Return a title as a caption, bold if it is the player's own."""
    return Caption(x, y, title, "text" if is_own else "quiet", bold=is_own)


def _shorten_title(title: str, width: int) -> str:
    """Cut a title to `width` columns, after the first word if that fits."""
    line = cells(title)
    if len(line) <= width:
        return title
    words = title.split()
    return words[0] if words and columns(words[0]) <= width else "".join(line[:width])


def _hub(slots: Sequence[Slot], hub_x: int, face: Face) -> tuple[Box, list[Caption]]:
    """Return the place of the first tile, and the bar around it, where its lanes begin."""
    top, bottom = slots[0].y, slots[-1].y + face.lying.h
    size = face.standing if bottom - top + 2 >= face.standing.h else Size(face.standing.w, face.lying.h)
    box = Box(hub_x + 1, max(0, (top + bottom - size.h) // 2), *size)
    bar_captions = [
        Caption(hub_x, y, " " * (size.w + 2), "text", "bar") for y in range(min(top, box.y), max(bottom, box.bottom))
    ]
    return box, bar_captions


def _place_lanes(grid: LaneGrid) -> Placement:
    placement = Placement({}, [], [], [])
    middle_row = grid.face.lying.h // 2
    for number, (lane, slot) in enumerate(zip(grid.rows, grid.slots, strict=True)):
        mark = grid.marks_by_end.get(lane.tip)
        tip = _tip(mark, grid.face, beside=not grid.titles)
        placement.captions.extend(_rail_captions(grid, number))
        if grid.titles:
            placement.captions.extend(grid.heading_captions(lane, tip, slot))
        x, y = _place_tiles(grid, placement, lane, slot), slot.y + middle_row
        if mark and mark.chosen:
            x = _place_ghost(grid, placement, x, slot, columns(tip.label))
        if mark and tip.label:
            placement.labels.append(Label(mark, tip.label, Box(x, y, columns(tip.label), 1)))
            x += columns(tip.label)
        if tip.text and not grid.titles and x + 1 + columns(tip.text) <= slot.right:
            placement.captions.append(tip.caption(x + 1, y))
    return placement


def _rail_captions(grid: LaneGrid, number: int) -> Iterator[Caption]:
    """Yield the line that leads to a lane, from the hub or from a head with the numbers of its double."""
    lane, slot, face = grid.rows[number], grid.slots[number], grid.face
    y, (vertical, corner, fork, horizontal) = slot.y + face.lying.h // 2, "|`+-" if face.ascii else "│└┬─"
    rail = horizontal * RAIL_WIDTH
    if lane.start_tile and lane.side % 2:
        rail = corner + rail
        for rows_up in range(1, slot.y - grid.slots[number - 1].y):
            yield Caption(slot.begin - len(rail), y - rows_up, vertical, "dim")
    elif lane.start_tile:
        rail = horizontal + fork + rail
        text = plain(
            "|".join("★" if pips < 0 else str(pips) for pips in halves(grid.layout, lane.start_tile)), face.ascii
        )
        yield Caption(slot.begin - len(rail) - columns(text), y, text, "quiet")
    yield Caption(slot.begin - len(rail), y, rail, "dim")


def _place_tiles(grid: LaneGrid, placement: Placement, lane: Lane, slot: Slot) -> int:
    """Place the tiles of a lane, and on the rail before them the number of those omitted; return the next column."""
    x, tile_columns = slot.begin, grid.tile_columns(slot)
    hidden = _omitted_count([grid.width(index) for index in lane.tiles], tile_columns)
    if hidden:
        text = f"{'+' if grid.face.ascii else '…'}{hidden}"
        placement.captions.append(Caption(x - len(text), slot.y + grid.face.lying.h // 2, text, "dim"))
    if hidden or grid.titles or grid.state_width:
        placement.capacities.append(tile_columns // grid.face.lying.w)
    for index in lane.tiles[hidden:]:
        placement.boxes[index] = grid.box(x, slot.y, grid.width(index))
        x += grid.width(index)
    return x


def _place_ghost(grid: LaneGrid, placement: Placement, x: int, slot: Slot, reserved_columns: int) -> int:
    """Place the ghost, if there is one and it leaves `reserved_columns` columns free; return the next free column."""
    if grid.ghost < 0:
        return x
    width = grid.width(grid.ghost)
    if x + width + reserved_columns > slot.right:
        return x
    placement.boxes[grid.ghost] = grid.box(x, slot.y, width)
    return x + width


def _omitted_count(widths: Sequence[int], space: int) -> int:
    """Return the number of oldest tiles to omit: whenever the lane is full, enough to free `FREED_SHARE` of it.

    The newest tile always stays.
    """
    first = used_columns = 0
    for count, width in enumerate(widths):
        used_columns += width
        if used_columns > space:
            while used_columns > space * (1 - FREED_SHARE) and first < count:
                used_columns -= widths[first]
                first += 1
    return first


def _tip(mark: Mark | None, face: Face, *, beside: bool) -> Tip:
    """Return the content of an end, its note only `beside` the lane: text above must not depend on the choice."""
    if mark is None:
        return Tip()
    label = mark.text(short=True, ascii=face.ascii)
    flag = "" if face.ascii or not mark.flag else "⚑ "
    state = mark.note if mark.owed else flag + mark.state if mark.state else ""
    text = plain(state or (mark.note if beside else ""), face.ascii)
    colour: Colour = "warning" if mark.owed else "accent" if not state else "quiet" if mark.flag else "dim"
    return Tip(label, text, colour)


def _places(grid: LaneGrid, placement: Placement) -> list[TilePlace | None]:
    """Return the places of the tiles, with doubles crosswise where rows are far enough apart."""
    places: list[TilePlace | None] = []
    for index in range(len(grid.layout)):
        box = placement.boxes.get(index)
        crosswise = grid.lies_crosswise(index)
        if box and crosswise:
            box = Box(box.x, box.y - grid.overhang, *grid.face.standing)
        direction = Direction.RIGHT if index else Direction.DOWN
        places.append(TilePlace(box, direction, index == 0 or crosswise) if box else None)
    return places
