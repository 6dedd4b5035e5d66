"""Branching layouts: a spinner's cross, a chicken foot, a star; in the largest face with which everything fits.

The first tile lies in the middle of the table and every other beside its parent: straight on while there is room,
otherwise around a corner, towards the side with more room. Space is reserved for the first tile of every arm that has
not begun. A place depends on the table, the face, the bends and the tiles laid before, so laying a tile moves no
other. If a tile finds no place, other bends of the arms are tried.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from core.layout.state import Layout, PlacedTile
from core.tiles import Tile
from core.words import Shape
from tui.board.canvas import Bends, Box, Direction, FaceName, Port, Size, TilePlace, around
from tui.board.faces import Face, faces_up_to
from tui.board.lanes import MAX_TITLE_WIDTH, Lane, lanes, lanes_of, row_counts
from tui.board.line import alternating_layout, prefixes, usual_length
from tui.board.marks import BoardPlan, Caption, Mark, lies_across, place_all

CROSS_SIDES = ((0, Direction.LEFT), (1, Direction.RIGHT), (2, Direction.UP), (3, Direction.DOWN))
LOW_TABLE = 20
"""Rows of a table below which the first tiles have two rows at most."""
TILES_AHEAD = 2
"""Tiles for which a vertical arm should have room; otherwise it turns early."""
SPARE_TILES = (2, 1)
"""Numbers of tiles for which new bends leave room at every end, in order of preference."""
SPARE_ROWS = 4
"""Free rows with which lanes begin: those of two doubles."""
QUARTERS = {1: 0, 2: -1, 3: 1, 4: -1, 5: 1}
"""Quarter turns from a later double's own arm to another, by the side at which that begins."""
TOES = {1: 0, 4: -1, 5: 1}
"""Position of a toe relative to the middle one, by the side of a double across its arm."""


class OccupiedCells:
    """The occupied cells of a table: a number for each row, a bit for each column."""

    def __init__(self, area: Size, top: int) -> None:
        """The rows above `top` stay free."""
        self.area = area
        self.top = top
        self.rows = [0] * area.h

    def occupy(self, box: Box) -> None:
        """Mark cells as occupied."""
        mask = ((1 << box.w) - 1) << box.x
        for y in range(box.y, box.bottom):
            self.rows[y] |= mask

    def is_free(self, box: Box, parent: Box) -> bool:
        """Return True if a tile may lie here: on the table, and touching no tile but its parent, except at a
        corner.
        """
        w, h = self.area
        if box.x < 1 or box.y < self.top or box.right > w - 1 or box.bottom > h:
            return False
        parent_mask = ((1 << parent.w) - 1) << parent.x
        column_mask = ((1 << box.w) - 1) << box.x
        widened_mask = ((1 << (box.w + 2)) - 1) << (box.x - 1)
        for y in range(max(0, box.y - 1), min(self.area.h, box.bottom + 1)):
            row = self.rows[y]
            checked_mask = widened_mask if box.y <= y < box.bottom else column_mask
            if parent.y <= y < parent.bottom:
                row &= ~parent_mask
            if row & checked_mask:
                return False
        return not box.meets(parent)


class Attempt(NamedTuple):
    """A candidate place for a tile."""

    box: Box
    heading: Direction
    standing: bool


class TreeSpec(NamedTuple):
    """Parameters of a layout in one face."""

    area: Size
    face: Face
    arms: int
    """Number of arms of a double at the root."""
    branches: tuple[int, ...]
    """The sides at which every other double may have arms."""


class Tree(NamedTuple):
    """The places of a layout, possibly incomplete."""

    places: tuple[TilePlace, ...]
    is_complete: bool = True
    """True if all tiles have a place; otherwise the next tile has none."""


def lay_tree(layout: Layout, spec: TreeSpec, bends: Bends = (), known_places: Sequence[TilePlace] = ()) -> Tree:
    """Return the places of the tiles, up to the first tile without room.

    `known_places` are places of the first tiles that an earlier call returned.
    """
    area, face, arms, branches = spec
    if area.w < 4 * face.lying.w or area.h < face.standing.h:
        return Tree((), is_complete=False)
    occupied = OccupiedCells(area, top=face.lying.h > 1)  # the players stand above the table
    places: list[TilePlace] = []
    reserved: dict[tuple[int, int], Box] = {}
    bend_by_index = dict(bends)
    for index, placed in enumerate(layout):
        reserved.pop((placed.on, placed.side), None)
        if index < len(known_places):
            place = known_places[index]
        elif placed.on < 0:
            place = _first_place(
                lies_across(layout, index), area, face, arms, face.lying.w + 2 if 4 in branches else 1
            )
        else:
            parent = places[placed.on]
            parent_box = hub_box(parent) if placed.on == 0 else parent.box
            attempts = _attempts(parent, placed.side, lies_across(layout, index), occupied, face)
            preferred_index = bend_by_index.get(index, 0) % len(attempts)
            next_place = _choose_place(
                attempts[preferred_index:] + attempts[:preferred_index],
                occupied,
                face,
                list(reserved.values()),
                parent_box,
            )
            if next_place is None:
                return Tree(tuple(places), is_complete=False)
            place = next_place
            if placed.tile.is_double and branches:
                has_toes = 4 in branches and place.across
                place = place._replace(ports=_toe_ports(place, face) if has_toes else _arm_ports(place, branches))
        if index == 0 and not Box(0, 0, *area).holds(hub_box(place)):
            return Tree((), is_complete=False)
        places.append(place)
        occupied.occupy(place.box if index else hub_box(place))
        # In a cross, only the first double is sure to branch.
        certain_ports = place.ports if placed.on < 0 or 4 in branches else place.ports[:1]
        for port in certain_ports:
            reserved[index, port.side] = port.spot.beside(_tile_size(port.direction, face), port.direction)
    return Tree(tuple(places))


@lru_cache(maxsize=256)
def _lay_cached(layout: Layout, spec: TreeSpec, bends: Bends) -> Tree:
    """Return the places of the tiles. Memoized: every key press draws the same layout."""
    return lay_tree(layout, spec, bends)


def _arm_ports(place: TilePlace, branches: tuple[int, ...]) -> tuple[Port, ...]:
    """Return the ports of a double in a cross, or of a foot whose toes do not fit otherwise."""
    return tuple(Port(side, place.heading.turned(QUARTERS[side]), place.box) for side in branches)


def _toe_ports(place: TilePlace, face: Face) -> tuple[Port, ...]:
    """Return the ports of a double's toes: all continue in the arm's direction, one cell apart."""
    box, direction = place.box, place.heading
    size = _tile_size(direction, face)
    middle = box.beside(size, direction)
    ports = []
    for side, offset in TOES.items():
        if direction.upright:
            spot = Box(middle.x + offset * (size.w + 1), box.y, size.w, box.h)
        else:
            spot = Box(box.x, middle.y + offset * (size.h + 1), box.w, size.h)
        ports.append(Port(side, direction, spot))
    return tuple(ports)


def _first_place(across: bool, area: Size, face: Face, arms: int, gap: int) -> TilePlace:
    if not across or arms > 4:
        box = _middle(face.lying, area)
        return TilePlace(box, Direction.RIGHT, False, _hub_ports(box, face, arms, gap) if across else ())
    box = _middle(face.standing, area)
    return TilePlace(box, Direction.RIGHT, True, tuple(Port(side, direction, box) for side, direction in CROSS_SIDES))


def _middle(size: Size, area: Size) -> Box:
    return Box((area.w - size.w) // 2, (area.h - size.h) // 2, *size)


def _hub_ports(box: Box, face: Face, arms: int, gap: int) -> tuple[Port, ...]:
    """Return the ports around the hub in which the first tile lies: one at either end, one to three above and below.

    The `gap` between those is wider if doubles have toes.
    """
    width = face.standing.w
    columns = 3 if arms > 6 else 2
    total_width = columns * width + (columns - 1) * gap
    left_x = box.x + (box.w - total_width) // 2
    hub = Box(min(left_x, box.x) - 1, box.y, max(total_width, box.w) + 2, box.h)
    spots = [Box(left_x + column * (width + gap), box.y, width, box.h) for column in range(columns)]
    if arms == 5:
        starts = [
            (Direction.UP, box),
            (Direction.RIGHT, hub),
            (Direction.DOWN, spots[1]),
            (Direction.DOWN, spots[0]),
            (Direction.LEFT, hub),
        ]
    else:
        starts = [(Direction.LEFT, hub), (Direction.RIGHT, hub)]
        starts += [(direction, spot) for direction in (Direction.UP, Direction.DOWN) for spot in spots]
    return tuple(Port(side, direction, spot) for side, (direction, spot) in enumerate(starts))


def hub_box(root: TilePlace) -> Box:
    """Return the cells of the first tile, including the hub around it if it has many arms."""
    return around([root.box, *(port.spot for port in root.ports)])


def _tile_size(direction: Direction, face: Face) -> Size:
    return face.standing if direction.upright else face.lying


def _choose_place(
    attempts: Sequence[Attempt], occupied: OccupiedCells, face: Face, reserved: Sequence[Box], parent_box: Box
) -> TilePlace | None:
    """Return the first place that is free, clear of reserved cells and lets the arm continue; else the first free
    one.

    None if all are taken. `parent_box` are the cells that the tile may touch.
    """
    fallback = None
    for attempt in attempts:
        if not occupied.is_free(attempt.box, parent_box):
            continue
        place = TilePlace(attempt.box, attempt.heading, attempt.standing)
        if not any(attempt.box.meets(box) for box in reserved) and _can_continue(place, parent_box, occupied, face):
            return place
        fallback = fallback or place
    return fallback


def _can_continue(place: TilePlace, parent_box: Box, occupied: OccupiedCells, face: Face) -> bool:
    """Return True if the arm can continue with another tile after this place."""
    direction = place.heading
    attempts = [_straight_attempt(place.box, direction, face)]
    for turn in (direction.turned(1), direction.turned(-1)):
        attempts += _corner_attempts(place, 1, direction, turn, face)
    return any(occupied.is_free(attempt.box, place.box) and not attempt.box.meets(parent_box) for attempt in attempts)


def _attempts(parent: TilePlace, side: int, across: bool, occupied: OccupiedCells, face: Face) -> list[Attempt]:
    """Return the candidate places for a tile, the best first."""
    direction, port = parent.outward(side), parent.port(side)
    spot = port.spot if port else parent.box
    attempts = []
    if across:
        size = face.lying if direction.upright else face.standing
        for flush in (None, direction.turned(-1), direction.turned(1)):
            attempts.append(Attempt(spot.beside(size, direction, flush), direction, not direction.upright))
    turns = [direction.turned(1), direction.turned(-1)]
    distances = [_free_distance(spot, turn, occupied) for turn in turns]
    if distances[1] > distances[0]:
        turns.reverse()
    corners = [attempt for turn in turns for attempt in _corner_attempts(parent, side, direction, turn, face)]
    straight = _straight_attempt(spot, direction, face)
    turns_early = (
        direction.upright
        and not port
        and max(distances) > 2 * TILES_AHEAD * face.standing.h > _free_distance(spot, direction, occupied)
    )
    return [*attempts, *corners, straight] if turns_early else [*attempts, straight, *corners]


def _straight_attempt(spot: Box, direction: Direction, face: Face) -> Attempt:
    return Attempt(spot.beside(_tile_size(direction, face), direction), direction, direction.upright)


def _corner_attempts(
    parent: TilePlace, side: int, direction: Direction, turn: Direction, face: Face
) -> list[Attempt]:
    """Return the candidate places with which the arm turns at the tile."""
    size, port = _tile_size(turn, face), parent.port(side)
    spot = port.spot if port else parent.box
    corner = Attempt(spot.beside(size, direction, flush=turn.back), turn, turn.upright)
    beside = Attempt(spot.beside(size, turn, flush=direction), turn, turn.upright)
    return [corner] if parent.across or port else [corner, beside] if direction.upright else [beside, corner]


def _free_distance(box: Box, direction: Direction, occupied: OccupiedCells) -> int:
    """Return the number of free cells from a tile to the next one, or to the edge, in a direction; rows count
    double.
    """
    x = max(0, box.x)
    box = Box(x, box.y, max(0, box.right - x), box.h)  # a toe may begin beyond the edge
    if direction.upright:
        rows = range(box.y - 2, -1, -1) if direction is Direction.UP else range(box.bottom + 1, occupied.area.h)
        mask = ((1 << box.w) - 1) << box.x
        return 2 * next((n for n, y in enumerate(rows) if occupied.rows[y] & mask), len(rows))
    columns = 0
    for y in range(max(0, box.y - 1), min(occupied.area.h, box.bottom + 1)):
        columns |= occupied.rows[y]
    if direction is Direction.RIGHT:
        columns_ahead = columns >> (box.right + 1)
        return (columns_ahead & -columns_ahead).bit_length() - 1 if columns_ahead else occupied.area.w - box.right
    columns_behind = columns & ((1 << max(0, box.x - 1)) - 1)
    return box.x - columns_behind.bit_length()


MAX_PLANS = 60
"""Plans that are tried before a layout counts as too large for its table."""
MAX_SPARE_PLANS = 20
"""Plans that are tried for a layout with room to spare."""
MAX_FUTILE_PLANS = 20
"""Number of consecutive plans without progress after which the search ends."""
NEARBY_TILES = 8
"""Number of tiles before the one without a place whose bends may be changed."""
ATTEMPT_LIMIT = 6
"""Exclusive upper bound of the random index of a candidate place; most tiles have fewer candidates."""


class BendPlan(NamedTuple):
    """Bends with which everything has a place."""

    bends: Bends
    places: tuple[TilePlace, ...]
    """Places of the tiles."""


def find_bends(
    layout: Layout, marks: Sequence[Mark], spec: TreeSpec, bends: Bends, max_plans: int = MAX_PLANS
) -> BendPlan | None:
    """Return bends with which all tiles and marks have a place, preferably `bends`.

    None if `max_plans` plans fail, or `MAX_FUTILE_PLANS` in a row make no progress.

    The result does not depend on which marks are chosen, open or owed, so all guests at a table share it.
    """
    return _search_bends(
        layout, tuple(Mark(mark.at, mark.side, mark.pips, "m") for mark in marks), spec, bends, max_plans
    )


@lru_cache(maxsize=256)
def _search_bends(
    layout: Layout, marks: tuple[Mark, ...], spec: TreeSpec, bends: Bends, max_plans: int
) -> BendPlan | None:
    """Try one plan after the other, with a random generator of fixed seed; return the first in which everything fits.

    Bends near the first tile without a place are changed; the next plan starts from the best one so far. None after
    `max_plans` plans, or after `MAX_FUTILE_PLANS` without progress.
    """
    area, face = spec.area, spec.face
    tree, current_bends = _lay_cached(layout, spec, bends), bends
    best_bends, best_places, best_count, futile_plans, rng = bends, tree.places, -1, 0, Random(len(layout))
    for _ in range(max_plans):
        if tree.is_complete and place_all(marks, tree.places, area, ascii=face.ascii) is not None:
            return BendPlan(current_bends, tree.places)
        placed_count = max(0, len(tree.places) - tree.is_complete)
        futile_plans = futile_plans + 1 if placed_count <= best_count else 0
        if futile_plans > MAX_FUTILE_PLANS or not placed_count:
            break
        if placed_count >= best_count:
            best_bends, best_places, best_count = current_bends, tree.places, placed_count
        current_bends, unchanged_count = _vary_bends(layout, best_bends, best_count, rng)
        tree = lay_tree(layout, spec, current_bends, best_places[:unchanged_count])
    return None


def _vary_bends(layout: Layout, bends: Bends, stuck_index: int, rng: Random) -> tuple[Bends, int]:
    """Change a few of the bends, in the arm that is stuck or in any that may block it.

    `stuck_index` is that of the first tile without a place. Also return the first index whose bend changes.
    """
    arm_tiles = [stuck_index]
    while layout[arm_tiles[-1]].on > 0 and len(arm_tiles) < NEARBY_TILES:
        arm_tiles.append(layout[arm_tiles[-1]].on)
    changed = dict(bends)
    first_changed = stuck_index
    for _ in range(rng.choice((1, 1, 2, 3))):
        # A change in the arm that is stuck helps more often than one elsewhere.
        index = rng.choice(arm_tiles) if rng.random() < 0.6 else rng.randint(1, stuck_index)
        changed[index] = rng.randrange(ATTEMPT_LIMIT)
        first_changed = min(first_changed, index)
    return tuple(sorted((index, attempt) for index, attempt in changed.items() if attempt)), first_changed


BRANCHES: dict[Shape, tuple[int, ...]] = {"cross": (2, 3), "feet": (1, 4, 5)}
"""Sides at which a later double may have arms, by shape."""


class ShapeTable(NamedTuple):
    """Parameters of a branching layout that are the same throughout a round."""

    area: Size
    highest: int
    """Highest number of the set."""
    ascii: bool
    shape: Shape
    sides: tuple[int, ...]
    """Sides of the first tile at which arms begin."""
    has_titles: bool = False
    """True if lanes have titles."""
    largest: FaceName | None = None
    """The largest face to use; None for any."""

    @property
    def is_crowded(self) -> bool:
        """True if a round lays more tiles than a tree has room for: with toes, or with more than four arms, which
        seldom block.
        """
        return self.shape == "feet" or len(self.sides) > 4

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces that may be used, the smallest first."""
        return faces_up_to(self.largest, self.highest, ascii=self.ascii)[1:]

    def tree_spec(self, face: Face) -> TreeSpec:
        """Return the parameters of a tree in this face."""
        arms = next((arms for arms in (4, 5, 6) if arms > max(self.sides, default=0)), 8)
        return TreeSpec(self.area, face, arms, BRANCHES.get(self.shape, ()))


class ShapeFrame(NamedTuple):
    """A face, and either the bends of the arms or the rows of lanes."""

    face: Face
    bends: Bends = ()
    rows: int = 0
    """Number of rows of lanes; 0 if arms bend."""


def shape_frame(layout: Layout, table: ShapeTable) -> ShapeFrame:
    """Return the frame of a branching layout: that of the layout without its last tile, as long as it has room.

    It depends on nothing but the table and the order of the tiles; see `tui.board.line.line_frame`.
    """
    return [_frame(prefix, table) for prefix in prefixes(layout)][-1]


@lru_cache(maxsize=2048)
def _frame(layout: Layout, table: ShapeTable) -> ShapeFrame:
    if not layout:
        return ShapeFrame(_first_face(table))
    previous = _frame(layout[:-1], table)
    tips, faces = certain_tips(layout, table), table.faces[: table.faces.index(previous.face) + 1]
    if table.shape != "lanes" and not previous.rows:
        if find_bends(layout, tips, table.tree_spec(previous.face), previous.bends, max_plans=1):
            return previous
        if frame := _roomiest_frame(layout, tips, faces[-1:] if table.is_crowded else faces, previous, table):
            return frame
    rows = lanes_of(layout, tips, len(table.sides) * table.has_titles)
    if previous.rows and _fits(layout, tips, rows, previous, table):
        return previous
    is_branching = table.shape in BRANCHES
    frames = [
        ShapeFrame(face, rows=count)
        for face in reversed(faces)
        for count in (row_counts(table.area, face) if is_branching else [len(rows)])
    ]
    for spare_rows in (SPARE_ROWS * is_branching, 0):
        for frame in frames:
            if frame.rows >= len(rows) + spare_rows and _fits(layout, tips, rows, frame, table):
                return frame
    return frames[-1]


def _fits(layout: Layout, tips: Sequence[Mark], rows: Sequence[Lane], frame: ShapeFrame, table: ShapeTable) -> bool:
    """Return True if all lanes fit, and are long enough to be read."""
    titles = ("x" * MAX_TITLE_WIDTH,) * len(table.sides) * table.has_titles
    return lanes(layout, tips, table.area, frame.face, rows, frame.rows, titles=titles)[1]


def _roomiest_frame(
    layout: Layout, tips: Sequence[Mark], faces: Sequence[Face], previous: ShapeFrame, table: ShapeTable
) -> ShapeFrame | None:
    """Return the frame with the largest of `faces` that has room for `SPARE_TILES[0]` more tiles at every end.

    If none has, fewer tiles must fit. Return None if no bends are found for any number of them.
    """
    for spare in SPARE_TILES:
        extended = _extend_ends(layout, tips, spare)
        marks = certain_tips(extended, table)
        for face in reversed(faces):
            bends = previous.bends if face == previous.face else ()
            if plan := find_bends(extended, marks, table.tree_spec(face), bends, MAX_SPARE_PLANS):
                return ShapeFrame(
                    face, tuple((index, attempt) for index, attempt in plan.bends if index < len(layout))
                )
    return None


def _extend_ends(layout: Layout, tips: Sequence[Mark], count: int) -> Layout:
    """Return the layout with `count` more tiles at each end."""
    tiles = list(layout)
    for tip in tips:
        neighbour, side = tip.at, tip.side
        for _ in range(count):
            tiles.append(PlacedTile(Tile(0, 1), neighbour, side, 1, -1))
            neighbour, side = len(tiles) - 1, 1
    return tuple(tiles)


@lru_cache(maxsize=64)
def _first_face(table: ShapeTable) -> Face:
    """Return the largest face with room for the tiles of most rounds, if the arms share them equally.

    On a table of few rows, the face is at most of medium size, because the arms turn early there.
    """
    faces = table.faces
    if table.shape == "lanes":
        return faces[-1]
    arms = 6 if table.shape == "feet" else max(4, len(table.sides))  # toes take the room of two more arms
    length = usual_length(table.highest) * arms // 4
    layout = alternating_layout(Tile(0, 0), table.sides, length - length % len(table.sides))
    tips = certain_tips(layout, table)
    max_height = 3 if table.area.h >= LOW_TABLE else 2
    fitting = [
        face for face in faces if face.lying.h <= max_height and find_bends(layout, tips, table.tree_spec(face), ())
    ]
    return fitting[-1] if fitting else faces[0]


def certain_tips(layout: Sequence[PlacedTile], table: ShapeTable) -> list[Mark]:
    """Return a mark for each end that the layout certainly has, even if the rules close it for a while."""
    used = {(placed.on, placed.side) for placed in layout}
    toes = tuple(TOES) if table.shape == "feet" else (1,)
    ends = [(0, side) for side in table.sides]
    for index, placed in enumerate(layout[1:], 1):
        ends += [(index, side) for side in (toes if placed.tile.is_double else (1,))]
    return [Mark(at, side, table.highest, "m") for at, side in ends if (at, side) not in used]


def plan_shape(
    layout: Layout,
    marks: Sequence[Mark],
    table: ShapeTable,
    names: Sequence[str],
    own_side: int,
    ghost: PlacedTile | None = None,
) -> tuple[BoardPlan, bool]:
    """Return the plan of a shape, or of lanes if it does not fit, and whether all of it is in view.

    `ghost` is a tile that might be laid next.
    """
    frame = shape_frame(layout, table)
    if not frame.rows and (tree_plan := _plan_tree(layout, marks, table.tree_spec(frame.face), frame.bends, ghost)):
        return tree_plan, True
    rows = lanes_of(layout, [*marks, *certain_tips(layout, table)], len(names))
    count = frame.rows or row_counts(table.area, frame.face)[-1]
    return lanes(layout, marks, table.area, frame.face, rows, count, titles=names, own_side=own_side, ghost=ghost)


def _plan_tree(
    layout: Layout, marks: Sequence[Mark], spec: TreeSpec, bends: Bends, ghost: PlacedTile | None
) -> BoardPlan | None:
    """Return the plan of a branching shape; None if not all of its marks have a place."""
    area, face = spec.area, spec.face
    tree = _lay_cached(layout, spec, bends)
    labels = place_all(marks, tree.places, area, ascii=face.ascii) if tree.is_complete else None
    if labels is None:
        plan = find_bends(layout, marks, spec, bends)
        labels = place_all(marks, plan.places, area, ascii=face.ascii) if plan else None
        if plan is None or labels is None:
            return None
        tree, bends = Tree(plan.places), plan.bends
    x, y, w, h = hub_box(tree.places[0])
    bar_captions = [Caption(x, row, " " * w, "text", "bar") for row in range(y, y + h) if spec.arms > 4]
    places_with_ghost = lay_tree((*layout, ghost), spec, bends, tree.places).places if ghost else ()
    return BoardPlan(
        face, tree.places, labels, tuple(bar_captions), ghost=places_with_ghost[-1] if places_with_ghost else None
    )
