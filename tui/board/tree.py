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
from tui.board.lanes import TITLES, Lane, lanes, lanes_of, row_counts
from tui.board.line import alternating_layout, prefixes, usual_length
from tui.board.marks import BoardPlan, Caption, Mark, lies_across, place_all

CROSS_SIDES = ((0, Direction.LEFT), (1, Direction.RIGHT), (2, Direction.UP), (3, Direction.DOWN))
LOW = 20
"""Rows of a table below which the first tiles have two rows at most."""
AHEAD = 2
"""Tiles for which a vertical arm should have room; otherwise it turns early."""
SPARE = (2, 1)
"""Tiles for which new bends should leave room at every end, by preference."""
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

    def take(self, box: Box) -> None:
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
        own = ((1 << parent.w) - 1) << parent.x
        above = ((1 << box.w) - 1) << box.x
        beside = ((1 << (box.w + 2)) - 1) << (box.x - 1)
        for y in range(max(0, box.y - 1), min(self.area.h, box.bottom + 1)):
            taken = self.rows[y]
            mask = beside if box.y <= y < box.bottom else above
            if parent.y <= y < parent.bottom:
                taken &= ~own
            if taken & mask:
                return False
        return not box.meets(parent)


class Attempt(NamedTuple):
    """A way to lay a tile."""

    box: Box
    heading: Direction
    standing: bool


class Ground(NamedTuple):
    """The table, the face and the shape of a layout."""

    area: Size
    face: Face
    arms: int
    """Number of arms of a double at the root."""
    branches: tuple[int, ...]
    """The sides at which every other double may have arms."""


class Tree(NamedTuple):
    """The places of a layout, possibly incomplete."""

    places: tuple[TilePlace, ...]
    whole: bool = True
    """True if all tiles have a place; otherwise the next tile has none."""


def lay_tree(layout: Layout, ground: Ground, bends: Bends = (), known: Sequence[TilePlace] = ()) -> Tree:
    """Return the places of the tiles, up to the first tile without room; `known` are places that were computed
    before.
    """
    area, face, arms, branches = ground
    if area.w < 4 * face.lying.w or area.h < face.standing.h:
        return Tree((), whole=False)
    occupied = OccupiedCells(area, top=face.lying.h > 1)  # the players stand above the table
    places: list[TilePlace] = []
    kept: dict[tuple[int, int], Box] = {}
    turns = dict(bends)
    for index, placed in enumerate(layout):
        kept.pop((placed.on, placed.side), None)
        if index < len(known):
            place = known[index]
        elif placed.on < 0:
            place = _first_place(
                lies_across(layout, index), area, face, arms, face.lying.w + 2 if 4 in branches else 1
            )
        else:
            parent = places[placed.on]
            own = hub(parent) if placed.on == 0 else parent.box
            tries = _attempts(parent, placed.side, lies_across(layout, index), occupied, face)
            first = turns.get(index, 0) % len(tries)
            next_place = _choose_place(tries[first:] + tries[:first], occupied, face, list(kept.values()), own)
            if next_place is None:
                return Tree(tuple(places), whole=False)
            place = next_place
            if placed.tile.is_double and branches:
                toes = 4 in branches and place.across
                place = place._replace(ports=_toes(place, face) if toes else _arms(place, branches))
        if index == 0 and not Box(0, 0, *area).holds(hub(place)):
            return Tree((), whole=False)
        places.append(place)
        occupied.take(place.box if index else hub(place))
        # In a cross, only the first double is sure to branch.
        sure = place.ports if placed.on < 0 or 4 in branches else place.ports[:1]
        for port in sure:
            kept[index, port.side] = port.spot.beside(_tile_size(port.direction, face), port.direction)
    return Tree(tuple(places))


@lru_cache(maxsize=256)
def _lay_cached(layout: Layout, ground: Ground, bends: Bends) -> Tree:
    """Return the places of the tiles. Memoized: every key press draws the same layout."""
    return lay_tree(layout, ground, bends)


def _arms(place: TilePlace, branches: tuple[int, ...]) -> tuple[Port, ...]:
    """Return the ports of a double in a cross, or of a foot whose toes do not fit otherwise."""
    return tuple(Port(side, place.heading.turned(QUARTERS[side]), place.box) for side in branches)


def _toes(place: TilePlace, face: Face) -> tuple[Port, ...]:
    """Return the ports of a double's toes: all continue in the arm's direction, one cell apart."""
    box, direction = place.box, place.heading
    size = _tile_size(direction, face)
    middle = box.beside(size, direction)
    ports = []
    for side, apart in TOES.items():
        if direction.upright:
            spot = Box(middle.x + apart * (size.w + 1), box.y, size.w, box.h)
        else:
            spot = Box(box.x, middle.y + apart * (size.h + 1), box.w, size.h)
        ports.append(Port(side, direction, spot))
    return tuple(ports)


def _first_place(across: bool, area: Size, face: Face, arms: int, gap: int) -> TilePlace:
    if not across or arms > 4:
        box = _middle(face.lying, area)
        return TilePlace(box, Direction.RIGHT, False, _hub(box, face, arms, gap) if across else ())
    box = _middle(face.standing, area)
    return TilePlace(box, Direction.RIGHT, True, tuple(Port(side, direction, box) for side, direction in CROSS_SIDES))


def _middle(size: Size, area: Size) -> Box:
    return Box((area.w - size.w) // 2, (area.h - size.h) // 2, *size)


def _hub(box: Box, face: Face, arms: int, gap: int) -> tuple[Port, ...]:
    """Return the ports around the hub in which the first tile lies: one at either end, one to three above and below.

    The `gap` between those is wider if doubles have toes.
    """
    wide = face.standing.w
    columns = 3 if arms > 6 else 2
    across = columns * wide + (columns - 1) * gap
    left = box.x + (box.w - across) // 2
    piece = Box(min(left, box.x) - 1, box.y, max(across, box.w) + 2, box.h)
    spots = [Box(left + n * (wide + gap), box.y, wide, box.h) for n in range(columns)]
    if arms == 5:
        ways = [
            (Direction.UP, box),
            (Direction.RIGHT, piece),
            (Direction.DOWN, spots[1]),
            (Direction.DOWN, spots[0]),
            (Direction.LEFT, piece),
        ]
    else:
        ways = [(Direction.LEFT, piece), (Direction.RIGHT, piece)]
        ways += [(direction, spot) for direction in (Direction.UP, Direction.DOWN) for spot in spots]
    return tuple(Port(side, direction, spot) for side, (direction, spot) in enumerate(ways))


def hub(root: TilePlace) -> Box:
    """Return the cells of the first tile, including the hub around it if it has many arms."""
    return around([root.box, *(port.spot for port in root.ports)])


def _tile_size(direction: Direction, face: Face) -> Size:
    return face.standing if direction.upright else face.lying


def _choose_place(
    tries: Sequence[Attempt], occupied: OccupiedCells, face: Face, kept: Sequence[Box], own: Box
) -> TilePlace | None:
    """Return the first place that is free, clear of reserved cells and lets the arm continue; else the first free
    one.

    None if all are taken. `own` are the cells that the tile may touch, `kept` the reserved ones.
    """
    fallback = None
    for attempt in tries:
        if not occupied.is_free(attempt.box, own):
            continue
        place = TilePlace(attempt.box, attempt.heading, attempt.standing)
        if not any(attempt.box.meets(box) for box in kept) and _can_continue(place, own, occupied, face):
            return place
        fallback = fallback or place
    return fallback


def _can_continue(place: TilePlace, own: Box, occupied: OccupiedCells, face: Face) -> bool:
    """Return True if another tile has room after the tile at this place."""
    direction = place.heading
    ways = [_straight(place.box, direction, face)]
    for turn in (direction.turned(1), direction.turned(-1)):
        ways += _round_corner(place, 1, direction, turn, face)
    return any(occupied.is_free(after.box, place.box) and not after.box.meets(own) for after in ways)


def _attempts(parent: TilePlace, side: int, across: bool, occupied: OccupiedCells, face: Face) -> list[Attempt]:
    """Return the ways to lay a tile, the best first."""
    direction, port = parent.outward(side), parent.port(side)
    spot = port.spot if port else parent.box
    tries = []
    if across:
        size = face.lying if direction.upright else face.standing
        for flush in (None, direction.turned(-1), direction.turned(1)):
            tries.append(Attempt(spot.beside(size, direction, flush), direction, not direction.upright))
    turns = [direction.turned(1), direction.turned(-1)]
    distances = [_free_distance(spot, turn, occupied) for turn in turns]
    if distances[1] > distances[0]:
        turns.reverse()
    corners = [attempt for turn in turns for attempt in _round_corner(parent, side, direction, turn, face)]
    straight = _straight(spot, direction, face)
    early = (
        direction.upright
        and not port
        and max(distances) > 2 * AHEAD * face.standing.h > _free_distance(spot, direction, occupied)
    )
    return [*tries, *corners, straight] if early else [*tries, straight, *corners]


def _straight(spot: Box, direction: Direction, face: Face) -> Attempt:
    return Attempt(spot.beside(_tile_size(direction, face), direction), direction, direction.upright)


def _round_corner(parent: TilePlace, side: int, direction: Direction, turn: Direction, face: Face) -> list[Attempt]:
    """Return the ways to lay a tile so that the arm turns there."""
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
    taken = 0
    for y in range(max(0, box.y - 1), min(occupied.area.h, box.bottom + 1)):
        taken |= occupied.rows[y]
    if direction is Direction.RIGHT:
        ahead = taken >> (box.right + 1)
        return (ahead & -ahead).bit_length() - 1 if ahead else occupied.area.w - box.right
    behind = taken & ((1 << max(0, box.x - 1)) - 1)
    return box.x - behind.bit_length()


TRIES = 60
"""Plans that are tried before a layout counts as too large for its table."""
SPARE_TRIES = 20
"""Plans that are tried for a layout with room to spare."""
FUTILE_TRIES = 20
"""Consecutive plans without progress after which the search ends early."""
NEAR = 8
"""Number of tiles before one without a place whose bends may be changed."""
WAYS = 6
"""Upper bound of the random index of a way to lay a tile; most tiles have fewer ways."""


class BendPlan(NamedTuple):
    """Bends with which everything has a place."""

    bends: Bends
    places: tuple[TilePlace, ...]
    """Of the tiles."""


def find_bends(
    layout: Layout, marks: Sequence[Mark], ground: Ground, bends: Bends, tries: int = TRIES
) -> BendPlan | None:
    """Return bends with which all tiles and marks have a place, preferably `bends`; None if `tries` plans fail, or
    `FUTILE_TRIES` in a row are no progress.

    The result does not depend on which marks are chosen, open or owed, so all guests at a table share it.
    """
    return _search_bends(
        layout, tuple(Mark(mark.at, mark.side, mark.pips, "m") for mark in marks), ground, bends, tries
    )


@lru_cache(maxsize=256)
def _search_bends(
    layout: Layout, marks: tuple[Mark, ...], ground: Ground, bends: Bends, tries: int
) -> BendPlan | None:
    """Try one plan after the other, with a random generator of fixed seed; return the first in which everything fits.

    Bends near the first tile without a place are changed; the next plan starts from the best one so far. None after
    `tries` plans, or after `FUTILE_TRIES` without progress.
    """
    area, face = ground.area, ground.face
    tree, tried = _lay_cached(layout, ground, bends), bends
    best, known, reached, vain, chance = bends, tree.places, -1, 0, Random(len(layout))
    for _ in range(tries):
        if tree.whole and place_all(marks, tree.places, area, ascii=face.ascii) is not None:
            return BendPlan(tried, tree.places)
        on_table = max(0, len(tree.places) - tree.whole)
        vain = vain + 1 if on_table <= reached else 0
        if vain > FUTILE_TRIES or not on_table:
            break
        if on_table >= reached:
            best, known, reached = tried, tree.places, on_table
        tried, first = _vary_bends(layout, best, reached, chance)
        tree = lay_tree(layout, ground, tried, known[:first])
    return None


def _vary_bends(layout: Layout, bends: Bends, stuck: int, chance: Random) -> tuple[Bends, int]:
    """Return bends of which a few are changed, in the arm that is stuck or in any that may block it.

    Also return the index of the first tile that is laid in another way. `stuck` is the first tile without a place.
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
    return tuple(sorted((index, attempt) for index, attempt in changed.items() if attempt)), first


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
    titled: bool = False
    """True if lanes have titles."""
    largest: FaceName | None = None
    """The largest face to use; None for any."""

    @property
    def crowded(self) -> bool:
        """True if a round lays more tiles than a tree has room for: with toes, or with more than four arms, which
        seldom block.
        """
        return self.shape == "feet" or len(self.sides) > 4

    @property
    def sizes(self) -> tuple[Face, ...]:
        """The faces that may be used, the smallest first."""
        return faces_up_to(self.largest, self.highest, ascii=self.ascii)[1:]

    def ground(self, face: Face) -> Ground:
        """Return the ground for tiles of a face."""
        arms = next((arms for arms in (4, 5, 6) if arms > max(self.sides, default=0)), 8)
        return Ground(self.area, face, arms, BRANCHES.get(self.shape, ()))


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
    before = _frame(layout[:-1], table)
    tips, smaller = certain_tips(layout, table), table.sizes[: table.sizes.index(before.face) + 1]
    if table.shape != "lanes" and not before.rows:
        if find_bends(layout, tips, table.ground(before.face), before.bends, tries=1):
            return before
        if frame := _roomiest(layout, tips, smaller[-1:] if table.crowded else smaller, before, table):
            return frame
    rows = lanes_of(layout, tips, len(table.sides) * table.titled)
    if before.rows and _fits(layout, tips, rows, before, table):
        return before
    branching = table.shape in BRANCHES
    frames = [
        ShapeFrame(face, rows=count)
        for face in reversed(smaller)
        for count in (row_counts(table.area, face) if branching else [len(rows)])
    ]
    for spare in (SPARE_ROWS * branching, 0):
        for frame in frames:
            if frame.rows >= len(rows) + spare and _fits(layout, tips, rows, frame, table):
                return frame
    return frames[-1]


def _fits(layout: Layout, tips: Sequence[Mark], rows: Sequence[Lane], frame: ShapeFrame, table: ShapeTable) -> bool:
    """Return True if all lanes fit, and are long enough to be read."""
    titles = ("x" * TITLES,) * len(table.sides) * table.titled
    return lanes(layout, tips, table.area, frame.face, rows, frame.rows, titles=titles)[1]


def _roomiest(
    layout: Layout, tips: Sequence[Mark], sizes: Sequence[Face], before: ShapeFrame, table: ShapeTable
) -> ShapeFrame | None:
    """Return a frame of a tree with room for the most `SPARE` tiles at every end, then with the largest of `sizes`.

    None if no bends are found.
    """
    for spare in SPARE:
        grown = _grown(layout, tips, spare)
        marks = certain_tips(grown, table)
        for face in reversed(sizes):
            bends = before.bends if face == before.face else ()
            if plan := find_bends(grown, marks, table.ground(face), bends, SPARE_TRIES):
                return ShapeFrame(
                    face, tuple((index, attempt) for index, attempt in plan.bends if index < len(layout))
                )
    return None


def _grown(layout: Layout, tips: Sequence[Mark], count: int) -> Layout:
    """Return a layout with `count` more tiles at each end."""
    tiles = list(layout)
    for tip in tips:
        on, side = tip.at, tip.side
        for _ in range(count):
            tiles.append(PlacedTile(Tile(0, 1), on, side, 1, -1))
            on, side = len(tiles) - 1, 1
    return tuple(tiles)


@lru_cache(maxsize=64)
def _first_face(table: ShapeTable) -> Face:
    """Return the largest face with room for the tiles of most rounds, if the arms share them equally.

    On a table of few rows, the face is at most of medium size, because the arms turn early there.
    """
    sizes = table.sizes
    if table.shape == "lanes":
        return sizes[-1]
    arms = 6 if table.shape == "feet" else max(4, len(table.sides))  # toes take the room of two more arms
    length = usual_length(table.highest) * arms // 4
    layout = alternating_layout(Tile(0, 0), table.sides, length - length % len(table.sides))
    tips = certain_tips(layout, table)
    high = 3 if table.area.h >= LOW else 2
    fitting = [face for face in sizes if face.lying.h <= high and find_bends(layout, tips, table.ground(face), ())]
    return fitting[-1] if fitting else sizes[0]


def certain_tips(layout: Sequence[PlacedTile], table: ShapeTable) -> list[Mark]:
    """Return a mark for each end that the layout certainly has, even if the rules close it for a while."""
    used = {(placed.on, placed.side) for placed in layout}
    toes = tuple(TOES) if table.shape == "feet" else (1,)
    ends = [(0, side) for side in table.sides]
    for index, placed in enumerate(layout[1:], 1):
        ends += [(index, side) for side in (toes if placed.tile.is_double else (1,))]
    return [Mark(at, side, table.highest, "m") for at, side in ends if (at, side) not in used]


def plan_shape(
    placed: Layout,
    marks: Sequence[Mark],
    table: ShapeTable,
    names: Sequence[str],
    own: int,
    ghost: PlacedTile | None = None,
) -> tuple[BoardPlan, bool]:
    """Return the plan of a shape, or of lanes if it does not fit, and whether all of it is in view.

    `ghost` is a tile that might be laid next.
    """
    frame = shape_frame(placed, table)
    if not frame.rows and (tree_plan := _tree(placed, marks, table.ground(frame.face), frame.bends, ghost)):
        return tree_plan, True
    rows = lanes_of(placed, [*marks, *certain_tips(placed, table)], len(names))
    count = frame.rows or row_counts(table.area, frame.face)[-1]
    return lanes(placed, marks, table.area, frame.face, rows, count, titles=names, own=own, ghost=ghost)


def _tree(
    placed: Layout, marks: Sequence[Mark], ground: Ground, bends: Bends, ghost: PlacedTile | None
) -> BoardPlan | None:
    """Return the plan of a branching shape; None if not all of its marks have a place."""
    area, face = ground.area, ground.face
    tree = _lay_cached(placed, ground, bends)
    labels = place_all(marks, tree.places, area, ascii=face.ascii) if tree.whole else None
    if labels is None:
        plan = find_bends(placed, marks, ground, bends)
        labels = place_all(marks, plan.places, area, ascii=face.ascii) if plan else None
        if plan is None or labels is None:
            return None
        tree, bends = Tree(plan.places), plan.bends
    x, y, w, h = hub(tree.places[0])
    piece = [Caption(x, row, " " * w, "text", "bar") for row in range(y, y + h) if ground.arms > 4]
    grown = lay_tree((*placed, ghost), ground, bends, tree.places).places if ghost else ()
    return BoardPlan(face, tree.places, labels, tuple(piece), ghost=grown[-1] if grown else None)
