"""Where tiles lie: directions, rectangles of cells, and laying one tile beside another."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple


class Way(Enum):
    """A direction on the table."""

    RIGHT = "right"
    DOWN = "down"
    LEFT = "left"
    UP = "up"

    @property
    def back(self) -> "Way":
        """The opposite direction."""
        return _BACK[self]

    @property
    def upright(self) -> bool:
        """Whether this leads up or down."""
        return self is Way.UP or self is Way.DOWN

    def turned(self, quarters: int) -> "Way":
        """The direction after so many quarter turns clockwise."""
        return _CLOCKWISE[(_CLOCKWISE.index(self) + quarters) % 4]


_CLOCKWISE = (Way.UP, Way.RIGHT, Way.DOWN, Way.LEFT)
_BACK = {Way.RIGHT: Way.LEFT, Way.DOWN: Way.UP, Way.LEFT: Way.RIGHT, Way.UP: Way.DOWN}


class Size(NamedTuple):
    """Columns and rows."""

    w: int
    h: int


class Box(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column beyond."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row beyond."""
        return self.y + self.h

    def moved(self, dx: int, dy: int) -> "Box":
        """Return the same rectangle elsewhere."""
        return Box(self.x + dx, self.y + dy, self.w, self.h)

    def meets(self, other: "Box") -> bool:
        """Whether the two share a cell."""
        x, y, w, h = self
        left, top, wide, high = other
        return x < left + wide and left < x + w and y < top + high and top < y + h

    def holds(self, other: "Box") -> bool:
        """Whether all cells of the other are cells of this one."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.bottom <= self.bottom

    def beside(self, size: Size, way: Way, flush: Way | None = None) -> "Box":
        """Return a rectangle of `size` that touches this one on its side towards `way`.

        It stands centred on that side, or, with `flush`, level with the edge in that direction.
        """
        w, h = size
        if way is Way.RIGHT:
            x = self.x + self.w
        elif way is Way.LEFT:
            x = self.x - w
        elif flush is Way.LEFT:
            x = self.x
        elif flush is Way.RIGHT:
            x = self.x + self.w - w
        else:
            x = self.x + (self.w - w) // 2
        if way is Way.DOWN:
            y = self.y + self.h
        elif way is Way.UP:
            y = self.y - h
        elif flush is Way.UP:
            y = self.y
        elif flush is Way.DOWN:
            y = self.y + self.h - h
        else:
            y = self.y + (self.h - h) // 2
        return Box(x, y, w, h)


class Port(NamedTuple):
    """Where an arm begins at a tile that branches."""

    side: int
    way: Way
    """The direction in which the arm sets out."""
    spot: Box
    """The cells that the arm's first tile touches."""


class Place(NamedTuple):
    """Where one tile lies, and how."""

    box: Box
    heads: Way
    """Where the arm goes on from here; side 1 of the tile looks that way, unless it lies crosswise."""
    standing: bool
    """Whether its halves are one above the other."""
    ports: tuple[Port, ...] = ()
    """The sides of a tile that branches; others have none."""

    def port(self, side: int) -> Port | None:
        """Return where the arm at this side begins, if the tile branches there."""
        return next((port for port in self.ports if port.side == side), None)

    @property
    def across(self) -> bool:
        """Whether the tile lies crosswise to its arm, so that a whole long side looks each way."""
        return self.standing != self.heads.upright

    def outward(self, side: int) -> Way:
        """Return the direction that a side of the tile looks in; sides are those of `core.layout.state`."""
        port = self.port(side)
        return port.way if port else self.heads if side else self.heads.back

    def half(self, side: int) -> Box:
        """Return the cells of the half at a side; of a tile that lies crosswise, all its cells."""
        port = self.port(side)
        if port:
            return port.spot
        if self.across:
            return self.box
        x, y, w, h = self.box
        way = self.outward(side)
        if self.standing:
            part = h // 2
            return Box(x, y if way is Way.UP else y + h - part, w, part)
        part = w // 2
        return Box(x if way is Way.LEFT else x + w - part, y, part, h)


def around(boxes: Sequence[Box]) -> Box:
    """Return the smallest rectangle that holds all of these, at least one."""
    x = min(box.x for box in boxes)
    y = min(box.y for box in boxes)
    return Box(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)
