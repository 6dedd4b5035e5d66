"""Lines of tiles: rows that turn at the sides of the table, in a frame that stays while the open ends have room.

The first tile lies in the middle. Where a row ends, a standing tile beside the last one turns the corner, flush with
the row's outer edge, and the next row lies right beyond it, so rows are one standing tile apart. The right arm turns
down, the left arm up. A double lies crosswise, unless it would leave the table or touch the next row.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import cycle, islice
from typing import NamedTuple

from core.layout.state import Layout, PlacedTile
from core.tiles import Tile
from tui.board.canvas import Box, Direction, FaceName, Size, TilePlace
from tui.board.faces import Face, faces_up_to
from tui.board.marks import Mark, place_all

EDGE = 1
"""Columns that stay free at both sides of the table."""
MAX_COUNTED_TILES = 20
"""Maximum number of tiles by which the room at an end is measured."""
RECURSION_DEPTH = 50
"""Tiles of a line that are laid in one recursion."""


class LineTable(NamedTuple):
    """Parameters of a line that are the same throughout a round."""

    area: Size
    highest: int
    """Highest number of the set."""
    ascii: bool
    sides: tuple[int, ...] = (0, 1)
    """Sides of the first tile at which the line grows."""
    inline: bool = False
    """True if doubles lie like all other tiles."""
    largest: FaceName | None = None
    """The largest face to use; None for any."""

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces that may be used, the smallest first."""
        return faces_up_to(self.largest, self.highest, ascii=self.ascii)

    def top(self, face: Face) -> int:
        """Return the first row for tiles: none of several rows touches the text above the table."""
        return int(face.lying.h > 1 or face.stands)

    def holds(self, box: Box, face: Face) -> bool:
        """Return True if a tile may lie here."""
        w, h = self.area
        return box.x >= EDGE and box.right <= w - EDGE and box.y >= self.top(face) and box.bottom <= h


class LineFrame(NamedTuple):
    """A face, and the column and row at which a first tile would lie."""

    face: Face
    x: int
    y: int
    fits: bool = True
    """False if even with the smallest tiles some are out of view."""


class Arm(NamedTuple):
    """An open end of a line."""

    last: TilePlace
    heading: Direction
    """Direction of the row: left or right. A corner tile belongs to the row after it."""
    row: int
    """Top of the lying tiles in the row."""
    bend: Direction
    """Direction in which the arm bends: up or down."""
    side: int
    """Side of the first tile at which the arm begins."""
    cornered: bool = False
    """True if the last tile is a corner tile."""


Arms = dict[tuple[int, int], Arm]
"""The open arms, by the tile and the side at which each continues."""


def usual_length(highest: int) -> int:
    """Return the number of tiles of a set that are laid in most rounds: 18 of 28."""
    set_size = (highest + 1) * (highest + 2) // 2
    return max(1, set_size * 18 // 28)


def prefixes(layout: Layout) -> Iterator[Layout]:
    """Yield the layout after every `RECURSION_DEPTH` tiles, and last the whole layout.

    A memoized function that calls itself with the layout without its last tile is called with each in turn, so that
    its recursion is never deeper than `RECURSION_DEPTH`.
    """
    for length in range(RECURSION_DEPTH, len(layout), RECURSION_DEPTH):
        yield layout[:length]
    yield layout


def line_frame(layout: Layout, table: LineTable) -> LineFrame:
    """Return the frame of a line: that of the line without its last tile, as long as every end has room.

    A frame depends on nothing but the table and the order of the tiles, so a reload, a replay and all viewers with
    tables of one size draw a line alike.
    """
    return [_frame(prefix, table) for prefix in prefixes(layout)][-1]


@lru_cache(maxsize=2048)
def _frame(layout: Layout, table: LineTable) -> LineFrame:
    if not layout:
        return _first_frame(table)
    previous = _frame(layout[:-1], table)
    if previous.fits and _fits(layout, previous, table):
        return previous
    faces = table.faces
    for face in reversed(faces[: faces.index(previous.face) + 1]):
        if frame := _roomiest_frame(layout, face, table, previous):
            return frame
    return LineFrame(faces[0], previous.x, previous.y, fits=False)


@lru_cache(maxsize=64)
def _first_frame(table: LineTable) -> LineFrame:
    """Return the frame of an empty table.

    Its face is the largest with room for the tiles of most rounds, laid at the ends in turn. If no face has, room for
    half as many is enough, then for a quarter, and so on.
    """
    length = usual_length(table.highest)
    while length:
        layout = alternating_layout(Tile(0, 1), table.sides[::-1], length - 1)
        for face in reversed(table.faces[1:]):
            frame = _middle_frame(face, table)
            if _fits(layout, frame, table) or _roomiest_frame(layout, face, table, frame):
                return frame
        length //= 2
    return _middle_frame(table.faces[0], table)


def alternating_layout(first: Tile, sides: Sequence[int], count: int) -> Layout:
    """Return a layout of a `first` tile and `count` more, laid at its `sides` in turn."""
    last_by_side = dict.fromkeys(sides, 0)
    tiles = [PlacedTile(first, -1, 0, first.high, -1)]
    for number, side in enumerate(islice(cycle(sides), count), 1):
        tiles.append(PlacedTile(Tile(0, 1), last_by_side[side], 1 if last_by_side[side] else side, 1, -1))
        last_by_side[side] = number
    return tuple(tiles)


def _middle_frame(face: Face, table: LineTable) -> LineFrame:
    """Return the frame with the first tile in the middle, in the row of a full table that is nearest to it."""
    middle = (table.area.h - face.lying.h) // 2
    row = min(_row_tops(face, table), key=lambda y: abs(y - middle))
    return LineFrame(face, (table.area.w - face.lying.w) // 2, row)


def _row_tops(face: Face, table: LineTable) -> range:
    """Return the top of each row of a table that has as many rows as possible."""
    pitch = face.standing.h if face.stands else 2 * face.lying.h
    first = table.top(face)
    spare_rows = max(0, table.area.h - first - face.lying.h)
    first += spare_rows % pitch // 2
    return range(first, first + spare_rows // pitch * pitch + 1, pitch)


def _roomiest_frame(layout: Layout, face: Face, table: LineTable, previous: LineFrame) -> LineFrame | None:
    """Return the frame in which the ends have most room, preferably near `previous`; None if none fits."""
    candidates = [frame for frame in _candidate_frames(face, table) if _fits(layout, frame, table)]

    def rank(frame: LineFrame) -> tuple[int, int, int]:
        room_by_end = _room_at_ends(layout, frame, table)
        return min(room_by_end), sum(room_by_end), -abs(frame.x - previous.x) - 2 * abs(frame.y - previous.y)

    return max(candidates, key=rank, default=None)


def _candidate_frames(face: Face, table: LineTable) -> Iterator[LineFrame]:
    """Yield the frames to try: every row of a full table, at steps of half a tile from the middle."""
    width, step = table.area.w, max(1, face.lying.w // 2)
    middle = (width - face.lying.w) // 2
    for y in _row_tops(face, table):
        for x in range(EDGE + (middle - EDGE) % step, width - EDGE - face.lying.w + 1, step):
            yield LineFrame(face, x, y)


def _room_at_ends(layout: Layout, frame: LineFrame, table: LineTable) -> list[int]:
    """Return the number of tiles by which each end can grow."""
    room_by_end = []
    for arm in _growing_arms(layout, frame, table).values():
        count, extended_arm = -1, arm
        while count < MAX_COUNTED_TILES and table.holds(extended_arm.last.box, frame.face):
            count, extended_arm = count + 1, _extend(extended_arm, frame.face, table)
        room_by_end.append(count)
    return room_by_end


def _growing_arms(layout: Layout, frame: LineFrame, table: LineTable) -> Arms:
    """Return the arms at which the line may grow, by the end at which each continues."""
    arms = _lay_tiles(layout, frame, table)[1]
    return {end: arm for end, arm in arms.items() if arm.side in table.sides}


def _fits(layout: Layout, frame: LineFrame, table: LineTable) -> bool:
    """Return True if all tiles are on the table, and the mark of each end has room."""
    face, places = frame.face, line_places(layout, frame, table)
    if not all(table.holds(place.box, face) for place in places):
        return False
    marks = [Mark(at, side, table.highest, key="m") for at, side in _growing_arms(layout, frame, table)]
    return place_all(marks, places, table.area, ascii=table.ascii) is not None


def line_places(layout: Layout, frame: LineFrame, table: LineTable) -> tuple[TilePlace, ...]:
    """Return the place of every tile on the table."""
    return [_lay_tiles(prefix, frame, table) for prefix in prefixes(layout)][-1][0]


@lru_cache(maxsize=4096)
def _lay_tiles(layout: Layout, frame: LineFrame, table: LineTable) -> tuple[tuple[TilePlace, ...], Arms]:
    """Return the places of the tiles, and the open arms. Memoized by layout, so that one more tile adds one place."""
    if not layout:
        return (), {}
    places, arms = _lay_tiles(layout[:-1], frame, table)
    index, placed, face = len(places), layout[-1], frame.face
    is_crosswise = placed.tile.is_double and not table.inline and face.stands
    if placed.on < 0:
        first = _first_place(is_crosswise, frame, table)
        left = Arm(first, Direction.LEFT, frame.y, Direction.UP, 0)
        right = Arm(first, Direction.RIGHT, frame.y, Direction.DOWN, 1)
        return (*places, first), {(index, 0): left, (index, 1): right}
    open_arms = dict(arms)
    arm = _extend(open_arms.pop((placed.on, placed.side)), face, table, is_crosswise=is_crosswise, places=places)
    return (*places, arm.last), {**open_arms, (index, 1): arm}


def _first_place(is_crosswise: bool, frame: LineFrame, table: LineTable) -> TilePlace:
    face = frame.face
    box = _crosswise(frame.x + (face.lying.w - face.standing.w) // 2, frame.y, face)
    is_crosswise = is_crosswise and table.holds(box, face)
    return TilePlace(box if is_crosswise else Box(frame.x, frame.y, *face.lying), Direction.RIGHT, is_crosswise)


def _crosswise(x: int, row: int, face: Face) -> Box:
    """Return the cells of a crosswise double in a row."""
    return Box(x, row - (face.standing.h - face.lying.h) // 2, *face.standing)


def _extend(
    arm: Arm, face: Face, table: LineTable, *, is_crosswise: bool = False, places: Sequence[TilePlace] = ()
) -> Arm:
    """Return the arm with one more tile, crosswise if `is_crosswise` and it touches none of the laid `places`."""
    heading, bend, last = arm.heading, arm.bend, arm.last.box
    if arm.cornered:
        # beyond a standing corner tile; beyond the outward half of a lying one
        corner_box = last if face.stands else arm.last.half(1)
        box = corner_box.beside(face.lying, bend, flush=heading.back)
        return arm._replace(last=TilePlace(box, heading, standing=False), row=box.y, cornered=False)
    right = heading is Direction.RIGHT
    if is_crosswise:
        box = _crosswise(last.right if right else last.x - face.standing.w, arm.row, face)
        if (
            _has_corner_room(box, heading, face, table)
            and table.holds(box, face)
            and _is_clear(box, arm.last, places)
        ):
            return arm._replace(last=TilePlace(box, heading, standing=True))
    box = Box(last.right if right else last.x - face.lying.w, arm.row, *face.lying)
    if _has_corner_room(box, heading, face, table):
        return arm._replace(last=TilePlace(box, heading, standing=False))
    return arm._replace(last=_corner(arm, face), heading=heading.back, cornered=True)


def _has_corner_room(box: Box, heading: Direction, face: Face, table: LineTable) -> bool:
    """Return True if a corner tile has room beside a tile."""
    corner = face.standing.w if face.stands else 0
    return box.right + corner <= table.area.w - EDGE if heading is Direction.RIGHT else box.x - corner >= EDGE


def _is_clear(box: Box, last: TilePlace, places: Sequence[TilePlace]) -> bool:
    """Return True if a crosswise double touches no tile above or below it."""
    surroundings = Box(box.x, box.y - 1, box.w, box.h + 2)
    return not any(surroundings.meets(place.box) for place in places if place is not last)


def _corner(arm: Arm, face: Face) -> TilePlace:
    """Return the place of a tile that turns the corner."""
    last = arm.last.box
    if not face.stands:
        return TilePlace(last.beside(face.lying, arm.bend), arm.heading.back, standing=False)
    x = last.right if arm.heading is Direction.RIGHT else last.x - face.standing.w
    y = arm.row if arm.bend is Direction.DOWN else arm.row + face.lying.h - face.standing.h
    return TilePlace(Box(x, y, *face.standing), arm.bend, standing=True)
