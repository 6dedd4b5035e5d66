"""The layouts that branch: a spinner's cross, a chicken foot, a star.

The first tile lies in the middle of the table and every other beside the one it was laid on: straight on
while there is room, else round a corner, towards the side with more room. Room is kept for the first tile of
every arm that has not begun. A place depends on the table, the face and what was laid before, so no tile
moves when another is laid. Where a tile finds no place at all, neither has the shape.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from core.layout.placed import Layout
from tui.board.faces import Face
from tui.board.places import Box, Place, Port, Size, Way, around
from tui.board.plan import lies_across

CROSS_SIDES = ((0, Way.LEFT), (1, Way.RIGHT), (2, Way.UP), (3, Way.DOWN))
Turning = Literal["roomy", "narrow", "clockwise"]
TURNINGS: tuple[Turning, ...] = ("roomy", "narrow", "clockwise")
"""Which way an arm turns first at a corner: to the side with more room, or with less, or always clockwise."""
QUARTERS = {1: 0, 2: -1, 3: 1, 4: -1, 5: 1}
"""By the side of a later double that branches: how far it turns away from where the arm goes."""


class OccupiedCells:
    """Which cells of a table are occupied: a number per row, a bit per column."""

    def __init__(self, room: Size) -> None:
        self.room = room
        self.rows = [0] * room.h

    def take(self, box: Box) -> None:
        """Mark these cells."""
        mask = ((1 << box.w) - 1) << box.x
        for y in range(box.y, box.bottom):
            self.rows[y] |= mask

    def free(self, box: Box, parent: Box) -> bool:
        """Whether a tile may lie here: on the table, and touch no tile but its parent, save at a corner."""
        w, h = self.room
        if box.x < 1 or box.y < 0 or box.right > w - 1 or box.bottom > h:
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


class Try(NamedTuple):
    """One way to lay a tile."""

    box: Box
    heads: Way
    standing: bool


@lru_cache(maxsize=128)
def tree(
    layout: Layout, room: Size, face: Face, arms: int, branches: tuple[int, ...], turning: Turning = "roomy"
) -> tuple[Place, ...] | None:
    """Return the place of every tile, or None where the shape has no room.

    A double at the root has so many `arms`; every other may have arms at the sides in `branches`. In the larger
    faces an arm sets out straight and bends once, on a high table twice: a clear shape is better than large tiles.
    """
    if room.w < 4 * face.lying.w or room.h < face.standing.h:
        return None
    occupied = OccupiedCells(room)
    places: list[Place] = []
    kept: dict[tuple[int, int], Box] = {}
    bends: list[int] = []
    most_bends = 1 if room.h < 6 * face.standing.h else 2
    for index, placed in enumerate(layout):
        across = lies_across(layout, index)
        if placed.on < 0:
            place = _first(across, room, face, arms, face.lying.w + 2 if 4 in branches else 1)
            bends.append(0)
        else:
            kept.pop((placed.on, placed.side), None)
            parent = places[placed.on]
            own = hub(parent) if placed.on == 0 else parent.box
            found = _next(parent, placed.side, across, occupied, face, list(kept.values()), own, turning)
            if found is None:
                return None
            place = found
            bent = place.heads is not parent.outward(placed.side)
            bends.append(bends[placed.on] + bent)
            if face.name != "small" and (bends[-1] > most_bends or (bent and parent.ports)):
                return None
            if placed.tile.is_double and branches:
                ways = [(side, place.heads.turned(QUARTERS[side])) for side in branches]
                place = place._replace(ports=tuple(Port(side, way, place.box) for side, way in ways))
        places.append(place)
        occupied.take(place.box if index else hub(place))
        # Of doubles in a cross only the first is sure to branch.
        sure = place.ports if placed.on < 0 or 4 in branches else place.ports[:1]
        for port in sure:
            kept[index, port.side] = port.spot.beside(_along(port.way, face), port.way)
    return tuple(places)


def _first(across: bool, room: Size, face: Face, arms: int, gap: int) -> Place:
    if not across or arms > 4:
        box = _middle(face.lying, room)
        return Place(box, Way.RIGHT, False, _hub(box, face, arms, gap) if across else ())
    box = _middle(face.standing, room)
    return Place(box, Way.RIGHT, True, tuple(Port(side, way, box) for side, way in CROSS_SIDES))


def _middle(size: Size, room: Size) -> Box:
    return Box((room.w - size.w) // 2, (room.h - size.h) // 2, *size)


def _hub(box: Box, face: Face, arms: int, gap: int) -> tuple[Port, ...]:
    """Arms round a piece that the first tile lies in: one at either end, one to three above and below.

    The `gap` between those is wider where doubles have toes.
    """
    wide = face.standing.w
    columns = 3 if arms > 6 else 2
    across = columns * wide + (columns - 1) * gap
    left = box.x + (box.w - across) // 2
    piece = Box(min(left, box.x) - 1, box.y, max(across, box.w) + 2, box.h)
    spots = [Box(left + n * (wide + gap), box.y, wide, box.h) for n in range(columns)]
    if arms == 5:
        ways = [(Way.UP, box), (Way.RIGHT, piece), (Way.DOWN, spots[1]), (Way.DOWN, spots[0]), (Way.LEFT, piece)]
    else:
        ways = [(Way.LEFT, piece), (Way.RIGHT, piece)]
        ways += [(way, spot) for way in (Way.UP, Way.DOWN) for spot in spots]
    return tuple(Port(side, way, spot) for side, (way, spot) in enumerate(ways))


def hub(root: Place) -> Box:
    """Return the cells of the first tile, with those of the piece that it lies in where it has many arms."""
    return around([root.box, *(port.spot for port in root.ports)])


def _along(way: Way, face: Face) -> Size:
    return face.standing if way.upright else face.lying


def _next(
    parent: Place,
    side: int,
    across: bool,
    occupied: OccupiedCells,
    face: Face,
    kept: Sequence[Box],
    own: Box,
    turning: Turning,
) -> Place | None:
    """Return the best place beside `parent`: one from where the arm can go on, clear of what others need.

    `own` are the cells that the tile may touch.
    """
    fallback = None
    for found in _tries(parent, side, across, occupied, face, turning):
        if not occupied.free(found.box, own):
            continue
        place = Place(found.box, found.heads, found.standing)
        if not any(found.box.meets(box) for box in kept) and _goes_on(place, own, occupied, face):
            return place
        fallback = fallback or place
    return fallback


def _goes_on(place: Place, own: Box, occupied: OccupiedCells, face: Face) -> bool:
    """Whether another tile can follow."""
    return any(
        occupied.free(after.box, place.box) and not after.box.meets(own)
        for after in _tries(place, 1, False, occupied, face, "clockwise")
    )


def _tries(
    parent: Place, side: int, across: bool, occupied: OccupiedCells, face: Face, turning: Turning
) -> Iterator[Try]:
    way, port = parent.outward(side), parent.port(side)
    spot = port.spot if port else parent.box
    if across:
        size = face.lying if way.upright else face.standing
        sides = (way.turned(-1), way.turned(1))
        for flush in (None, *sides):
            yield Try(spot.beside(size, way, flush), way, not way.upright)
    yield Try(spot.beside(_along(way, face), way), way, way.upright)
    turns = [way.turned(1), way.turned(-1)]
    if turning != "clockwise" and _run(spot, turns[1], occupied) > _run(spot, turns[0], occupied):
        turns.reverse()
    if turning == "narrow":
        turns.reverse()
    for turn in turns:
        size = _along(turn, face)
        if not parent.across and not way.upright and port is None:
            yield Try(spot.beside(size, turn, flush=way), turn, turn.upright)
        yield Try(spot.beside(size, way, flush=turn.back), turn, turn.upright)


def _run(box: Box, way: Way, occupied: OccupiedCells) -> int:
    """How far the table is free from a tile towards a way, in cells of equal length."""
    if way.upright:
        rows = range(box.y - 2, -1, -1) if way is Way.UP else range(box.bottom + 1, occupied.room.h)
        mask = ((1 << box.w) - 1) << box.x
        return 2 * next((n for n, y in enumerate(rows) if occupied.rows[y] & mask), len(rows))
    taken = 0
    for y in range(max(0, box.y - 1), min(occupied.room.h, box.bottom + 1)):
        taken |= occupied.rows[y]
    if way is Way.RIGHT:
        ahead = taken >> (box.right + 1)
        return (ahead & -ahead).bit_length() - 1 if ahead else occupied.room.w - box.right
    behind = taken & ((1 << max(0, box.x - 1)) - 1)
    return box.x - behind.bit_length()
