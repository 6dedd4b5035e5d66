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
from core.words import Shape
from tui.board.canvas import Bends, BoardForm, Box, Direction, Port, Size, TilePlace, around
from tui.board.faces import Face, kept
from tui.board.lanes import lanes
from tui.board.marks import BoardPlan, Caption, Mark, lies_across, place_all

CROSS_SIDES = ((0, Direction.LEFT), (1, Direction.RIGHT), (2, Direction.UP), (3, Direction.DOWN))
AHEAD = 2
"""Tiles for which a vertical arm should have room; otherwise it turns early."""
QUARTERS = {1: 0, 2: -1, 3: 1, 4: -1, 5: 1}
"""Quarter turns from a later double's own arm to another, by the side at which that begins."""
TOES = {1: 0, 4: -1, 5: 1}
"""Position of a toe relative to the middle one, by the side of a double across its arm."""


class OccupiedCells:
    """The occupied cells of a table: a number for each row, a bit for each column."""

    def __init__(self, room: Size, top: int) -> None:
        """The rows above `top` stay free."""
        self.room = room
        self.top = top
        self.rows = [0] * room.h

    def take(self, box: Box) -> None:
        """Mark cells as occupied."""
        mask = ((1 << box.w) - 1) << box.x
        for y in range(box.y, box.bottom):
            self.rows[y] |= mask

    def free(self, box: Box, parent: Box) -> bool:
        """Return True if a tile may lie here: on the table, and touching no tile but its parent, except at a
        corner.
        """
        w, h = self.room
        if box.x < 1 or box.y < self.top or box.right > w - 1 or box.bottom > h:
            return False
        own = ((1 << parent.w) - 1) << parent.x
        above = ((1 << box.w) - 1) << box.x
        beside = ((1 << (box.w + 2)) - 1) << (box.x - 1)
        for y in range(max(0, box.y - 1), min(self.room.h, box.bottom + 1)):
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
    heads: Direction
    standing: bool


class Ground(NamedTuple):
    """The table, the face and the shape of a layout."""

    room: Size
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


def laid(layout: Layout, ground: Ground, bends: Bends = (), known: Sequence[TilePlace] = ()) -> Tree:
    """Return the places of the tiles up to the first without one; those of the first tiles may be `known`."""
    room, face, arms, branches = ground
    if room.w < 4 * face.lying.w or room.h < face.standing.h:
        return Tree((), whole=False)
    occupied = OccupiedCells(room, top=face.lying.h > 1)  # the players stand above the table
    places: list[TilePlace] = []
    kept: dict[tuple[int, int], Box] = {}
    turns = dict(bends)
    for index, placed in enumerate(layout):
        kept.pop((placed.on, placed.side), None)
        if index < len(known):
            place = known[index]
        elif placed.on < 0:
            place = _first(lies_across(layout, index), room, face, arms, face.lying.w + 2 if 4 in branches else 1)
        else:
            parent = places[placed.on]
            own = hub(parent) if placed.on == 0 else parent.box
            tries = _tries(parent, placed.side, lies_across(layout, index), occupied, face)
            first = turns.get(index, 0) % len(tries)
            next_place = _next(tries[first:] + tries[:first], occupied, face, list(kept.values()), own)
            if next_place is None:
                return Tree(tuple(places), whole=False)
            place = next_place
            if placed.tile.is_double and branches:
                toes = 4 in branches and place.across
                place = place._replace(ports=_toes(place, face) if toes else _arms(place, branches))
        if index == 0 and not Box(0, 0, *room).holds(hub(place)):
            return Tree((), whole=False)
        places.append(place)
        occupied.take(place.box if index else hub(place))
        # In a cross, only the first double is sure to branch.
        sure = place.ports if placed.on < 0 or 4 in branches else place.ports[:1]
        for port in sure:
            kept[index, port.side] = port.spot.beside(_along(port.way, face), port.way)
    return Tree(tuple(places))


def _arms(place: TilePlace, branches: tuple[int, ...]) -> tuple[Port, ...]:
    """Return the ports of a double in a cross, or of a foot whose toes do not fit otherwise."""
    return tuple(Port(side, place.heads.turned(QUARTERS[side]), place.box) for side in branches)


def _toes(place: TilePlace, face: Face) -> tuple[Port, ...]:
    """Return the ports of a double's toes: all continue in the arm's direction, one cell apart."""
    box, way = place.box, place.heads
    size = _along(way, face)
    middle = box.beside(size, way)
    ports = []
    for side, apart in TOES.items():
        if way.upright:
            spot = Box(middle.x + apart * (size.w + 1), box.y, size.w, box.h)
        else:
            spot = Box(box.x, middle.y + apart * (size.h + 1), box.w, size.h)
        ports.append(Port(side, way, spot))
    return tuple(ports)


def _first(across: bool, room: Size, face: Face, arms: int, gap: int) -> TilePlace:
    if not across or arms > 4:
        box = _middle(face.lying, room)
        return TilePlace(box, Direction.RIGHT, False, _hub(box, face, arms, gap) if across else ())
    box = _middle(face.standing, room)
    return TilePlace(box, Direction.RIGHT, True, tuple(Port(side, way, box) for side, way in CROSS_SIDES))


def _middle(size: Size, room: Size) -> Box:
    return Box((room.w - size.w) // 2, (room.h - size.h) // 2, *size)


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
        ways += [(way, spot) for way in (Direction.UP, Direction.DOWN) for spot in spots]
    return tuple(Port(side, way, spot) for side, (way, spot) in enumerate(ways))


def hub(root: TilePlace) -> Box:
    """Return the cells of the first tile, including the hub around it if it has many arms."""
    return around([root.box, *(port.spot for port in root.ports)])


def _along(way: Direction, face: Face) -> Size:
    return face.standing if way.upright else face.lying


def _next(
    tries: Sequence[Attempt], occupied: OccupiedCells, face: Face, kept: Sequence[Box], own: Box
) -> TilePlace | None:
    """Return the first place from which the arm can continue and which is clear of reserved cells; else any free one.

    `own` are the cells that the tile may touch.
    """
    fallback = None
    for attempt in tries:
        if not occupied.free(attempt.box, own):
            continue
        place = TilePlace(attempt.box, attempt.heads, attempt.standing)
        if not any(attempt.box.meets(box) for box in kept) and _goes_on(place, own, occupied, face):
            return place
        fallback = fallback or place
    return fallback


def _goes_on(place: TilePlace, own: Box, occupied: OccupiedCells, face: Face) -> bool:
    """Return True if another tile can follow."""
    way = place.heads
    ways = [_straight(place.box, way, face)]
    for turn in (way.turned(1), way.turned(-1)):
        ways += _round_corner(place, 1, way, turn, face)
    return any(occupied.free(after.box, place.box) and not after.box.meets(own) for after in ways)


def _tries(parent: TilePlace, side: int, across: bool, occupied: OccupiedCells, face: Face) -> list[Attempt]:
    """Return the ways to lay a tile, the best first."""
    way, port = parent.outward(side), parent.port(side)
    spot = port.spot if port else parent.box
    tries = []
    if across:
        size = face.lying if way.upright else face.standing
        for flush in (None, way.turned(-1), way.turned(1)):
            tries.append(Attempt(spot.beside(size, way, flush), way, not way.upright))
    turns = [way.turned(1), way.turned(-1)]
    room = [_run(spot, turn, occupied) for turn in turns]
    if room[1] > room[0]:
        turns.reverse()
    bent = [attempt for turn in turns for attempt in _round_corner(parent, side, way, turn, face)]
    straight = _straight(spot, way, face)
    early = way.upright and not port and max(room) > 2 * AHEAD * face.standing.h > _run(spot, way, occupied)
    return [*tries, *bent, straight] if early else [*tries, straight, *bent]


def _straight(spot: Box, way: Direction, face: Face) -> Attempt:
    return Attempt(spot.beside(_along(way, face), way), way, way.upright)


def _round_corner(parent: TilePlace, side: int, way: Direction, turn: Direction, face: Face) -> list[Attempt]:
    """Return the ways to lay a tile so that the arm turns there."""
    size, port = _along(turn, face), parent.port(side)
    spot = port.spot if port else parent.box
    corner = Attempt(spot.beside(size, way, flush=turn.back), turn, turn.upright)
    if parent.across or way.upright or port:
        return [corner]
    return [Attempt(spot.beside(size, turn, flush=way), turn, turn.upright), corner]


def _run(box: Box, way: Direction, occupied: OccupiedCells) -> int:
    """Return the distance in which the table is free from a tile in a direction, in cells of equal length."""
    x = max(0, box.x)
    box = Box(x, box.y, max(0, box.right - x), box.h)  # a toe may begin beyond the edge
    if way.upright:
        rows = range(box.y - 2, -1, -1) if way is Direction.UP else range(box.bottom + 1, occupied.room.h)
        mask = ((1 << box.w) - 1) << box.x
        return 2 * next((n for n, y in enumerate(rows) if occupied.rows[y] & mask), len(rows))
    taken = 0
    for y in range(max(0, box.y - 1), min(occupied.room.h, box.bottom + 1)):
        taken |= occupied.rows[y]
    if way is Direction.RIGHT:
        ahead = taken >> (box.right + 1)
        return (ahead & -ahead).bit_length() - 1 if ahead else occupied.room.w - box.right
    behind = taken & ((1 << max(0, box.x - 1)) - 1)
    return box.x - behind.bit_length()


TRIES = 60
"""Plans that are tried before a layout is said not to fit."""
FUTILE_TRIES = 20
"""Consecutive plans without progress after which the search ends early."""
NEAR = 8
"""Tiles back from one without a place whose bends may be changed."""
WAYS = 6
"""Larger than the number of ways to lay most tiles."""


class BendPlan(NamedTuple):
    """Bends with which everything has a place."""

    bends: Bends
    places: tuple[TilePlace, ...]
    """Of the tiles."""


def bent(layout: Layout, marks: Sequence[Mark], ground: Ground, bends: Bends) -> BendPlan | None:
    """Return bends with which all tiles and marks have a place, if possible `bends`; None if none are found.

    The result does not depend on which marks are chosen, open or owed, so all guests at a table share it.
    """
    return _bent(layout, tuple(Mark(mark.at, mark.side, mark.pips, "m") for mark in marks), ground, bends)


@lru_cache(maxsize=256)
def _bent(layout: Layout, marks: tuple[Mark, ...], ground: Ground, bends: Bends) -> BendPlan | None:
    """Try one plan after the other, with a random generator of fixed seed.

    Bends near the first tile without a place are changed; a plan that places no fewer tiles is the start of the next.
    """
    room, face = ground.room, ground.face
    tree, tried = laid(layout, ground, bends), bends
    best, known, reached, vain, chance = bends, tree.places, -1, 0, Random(len(layout))
    for _ in range(TRIES):
        if tree.whole and place_all(marks, tree.places, room, ascii=face.ascii) is not None:
            return BendPlan(tried, tree.places)
        on_table = max(0, len(tree.places) - tree.whole)
        vain = vain + 1 if on_table <= reached else 0
        if vain > FUTILE_TRIES or not on_table:
            break
        if on_table >= reached:
            best, known, reached = tried, tree.places, on_table
        tried, first = _other(layout, best, reached, chance)
        tree = laid(layout, ground, tried, known[:first])
    return None


def _other(layout: Layout, bends: Bends, stuck: int, chance: Random) -> tuple[Bends, int]:
    """Change how a few tiles are laid: in the arm that is stuck, or in any that may be in its way.

    Also return the first tile that is laid in another way.
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
"""Sides at which a later double may have arms, by shape."""


def plan_shape(
    placed: Layout,
    marks: Sequence[Mark],
    room: Size,
    sizes: tuple[Face, ...],
    form: BoardForm | None,
    shape: Shape,
    names: Sequence[str],
    own: int,
    ghost: PlacedTile | None = None,
) -> tuple[BoardPlan, bool]:
    """Return the plan of a shape, or of lanes if it does not fit, and whether all of it is in view.

    Lanes of the last picture stay lanes. `ghost` is a tile that might be laid next.
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
    """Return the number of arms that the first tile has, or will have."""
    sides = [mark.side for mark in marks if mark.at == 0] + [piece.side for piece in placed if piece.on == 0]
    return next((arms for arms in (4, 5, 6) if arms > max(sides, default=0)), 8)


def _tree(
    placed: Layout,
    marks: Sequence[Mark],
    room: Size,
    face: Face,
    shape: Shape,
    bends: Bends,
    ghost: PlacedTile | None,
) -> BoardPlan | None:
    """Return the plan of a branching shape; None if it does not fit in this face."""
    ground = Ground(room, face, arms_of(placed, marks), BRANCHES.get(shape, ()))
    plan = bent(placed, marks, ground, bends)
    if plan is None:
        return None
    places = plan.places
    labels = place_all(marks, places, room, ascii=face.ascii)
    if labels is None:
        return None
    x, y, w, h = hub(places[0])
    piece = [Caption(x, row, " " * w, "text", "bar") for row in range(y, y + h) if ground.arms > 4]
    next_place = None
    if ghost:
        grown = laid((*placed, ghost), ground, plan.bends, places)
        next_place = grown.places[-1] if grown.whole else None
    return BoardPlan(face, places, labels, tuple(piece), tree=True, bends=plan.bends, ghost=next_place)
