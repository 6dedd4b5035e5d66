"""A grid of cells to draw on, the picture made from it, and places in cells."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache
from operator import add
from typing import Literal, NamedTuple
from unicodedata import normalize

from rich.cells import cell_len


class Style(NamedTuple):
    """The look of a cell: colours as `#rrggbb`, weight, and an underline."""

    fg: str
    bg: str
    bold: bool = False
    underlined: bool = False


Run = tuple[str, Style]
"""Neighbouring cells of one style."""
Row = tuple[Run, ...]


def printable(text: str) -> str:
    """Return a text in one line, without control characters, so that untrusted text cannot control a terminal."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else " " * character.isspace() for character in text)


_ASCII = str.maketrans(
    dict(zip("…·×–−“”’→„‘«»★", '~-x--""\'>"\'""*', strict=True))
    | {"±": "+-", "½": "1/2", "ß": "ss", "¿": "", "¡": ""}
)


def plain(text: str, ascii: bool) -> str:
    """Return a text for a terminal that may not support more than ASCII."""
    if not ascii:
        return text
    bare = (normalize("NFD", letter)[0] for letter in text.translate(_ASCII))  # é as e
    return "".join(bare).encode("ascii", "replace").decode()


@lru_cache(maxsize=2048)
def cells(text: str) -> tuple[str, ...]:
    """Return the cells of a text: a wide character takes two, of which the second is empty.

    All text passes through here, which removes everything that could control a terminal.
    """
    line: list[str] = []
    for character in printable(text):
        width = cell_len(character)
        if width:
            line += [character] + [""] * (width - 1)
        elif line:
            line[-1] += character
    return tuple(line)


PART = "\U0010eeee"
"""First character of each cell that shows a part of an image (`tui.board.faces`). Text on a canvas never contains it:
it is not printable.
"""


def columns(text: str) -> int:
    """Return the number of cells that a text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    return cell_len(text) if PART in text else len(cells(text))


def fit(text: str, width: int) -> str:
    """Cut a text to a number of columns; an ellipsis marks the cut."""
    line = cells(text)
    if len(line) <= width:
        return text
    visible_cells = line[: max(0, width - 1)]
    if visible_cells and line[len(visible_cells)] == "":  # half a wide character
        visible_cells = visible_cells[:-1]
    return "".join(visible_cells) + "…" if width > 0 else ""


NO_TILE = -2
"""Index of no tile."""


class ClickTarget(NamedTuple):
    """Clickable cells: an end's mark, a tile, or the name of a key."""

    x: int
    y: int
    w: int
    h: int
    at: int
    """Index of the tile on the table or in the hand; -1 on an empty table."""
    side: int
    """Side of the tile at which the end is; -1 for the tile as a whole."""
    key: str = ""
    """Label of the key that a click presses; the target is then no tile."""
    words: str = ""
    """Words for the effect of that key; empty if it is named elsewhere."""

    @classmethod
    def of_key(cls, x: int, y: int, w: int, key: str, words: str = "") -> "ClickTarget":
        """Return the target of a key's name in one row; if there is no room for the name, it covers no cell."""
        return cls(x, y, w, 1, NO_TILE, NO_TILE, key, words)

    def covers(self, x: int, y: int) -> bool:
        """Return True if the cell at `x`, `y` belongs to the target."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h


FaceName = Literal["line", "small", "narrow", "medium", "tall", "large", "huge"]
"""The sizes of tiles, the smallest first."""


Bends = tuple[tuple[int, int], ...]
"""Tiles that are not laid at the first candidate place, each with the index of the candidate to try first."""


class Picture:
    """A grid of cells, as returned by drawing functions: rows, or other pictures that fill it.

    Drawing functions cache their pictures, and composition keeps the parts. So parts that two pictures share are the
    same objects, and a diff need not compare their cells.
    """

    __slots__ = ("_hits", "_rows", "height", "parts", "shape", "width")

    def __init__(
        self,
        rows: tuple[Row, ...],
        hits: tuple[ClickTarget, ...] | Callable[[], tuple[ClickTarget, ...]] = (),
    ) -> None:
        """The texts of each row together fill the width. `hits` may be a function, called at the first click."""
        self.width = sum(columns(text) for text, _ in rows[0]) if rows else 0
        self.height = len(rows)
        self.parts: tuple[Part, ...] = ()
        self.shape: tuple[tuple[int, int, int, int], ...] = ()
        """Position and size of each part."""
        self._rows: tuple[Row, ...] | None = rows
        self._hits: tuple[ClickTarget, ...] | Callable[[], tuple[ClickTarget, ...]] | None = hits

    @classmethod
    def of(
        cls,
        parts: Sequence["Part"],
        size: tuple[int, int],
        hits: tuple[ClickTarget, ...] | None = None,
    ) -> "Picture":
        """Return a picture of `size` columns and rows, composed of `parts`, which fill each row from left to right.

        By default, the click targets are those of the parts.
        """
        picture = cls(())
        picture.width, picture.height = size
        picture.parts, picture._rows, picture._hits = tuple(parts), None, hits
        picture.shape = tuple([(x, y, part.width, part.height) for x, y, part in parts])
        return picture

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.width, self.height

    @property
    def rows(self) -> tuple[Row, ...]:
        """Complete rows."""
        if self._rows is None:
            rows: list[list[Run]] = [[] for _ in range(self.height)]
            for _, y, part in self.parts:
                for row, runs in zip(rows[y:], part.rows, strict=False):
                    row.extend(runs)
            self._rows = tuple(map(tuple, rows))
        return self._rows

    @property
    def hits(self) -> tuple[ClickTarget, ...]:
        """Click targets; the first that covers a cell wins."""
        if callable(self._hits):
            self._hits = self._hits()
        elif self._hits is None:
            self._hits = tuple(
                hit._replace(x=hit.x + left, y=hit.y + top) for left, top, part in self.parts for hit in part.hits
            )
        return self._hits

    def with_targets(self, hits: tuple[ClickTarget, ...]) -> "Picture":
        """Return the same picture with other click targets."""
        return Picture.of(((0, 0, self),), self.size, hits)

    def hit(self, x: int, y: int) -> ClickTarget | None:
        """Return the click target at a cell, if there is one."""
        return next((hit for hit in self.hits if hit.covers(x, y)), None)

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in row).rstrip() for row in self.rows)


Part = tuple[int, int, Picture]
"""Column and row of a picture within another, and the picture."""


class Stamp(NamedTuple):
    """Cells prepared for being put repeatedly."""

    cells: tuple[str, ...]
    styles: tuple[Style, ...]
    """The style of each cell."""
    cuts: tuple[int, ...]
    """Columns at which a style begins, and the end of the last one."""


class Canvas:
    """A grid of cells. Text beyond its edges is cut off."""

    def __init__(self, width: int, height: int, background: Style) -> None:
        self.width = max(0, width)
        self.height = max(0, height)
        self.background = background
        # Rows without text stay None: most of a board is empty.
        self._chars: list[list[str] | None] = [None] * self.height
        self._styles: list[list[Style]] = [[] for _ in range(self.height)]
        # Columns where a text began or ended: only there can the style of a row change.
        self._cuts: list[set[int]] = [set() for _ in range(self.height)]
        self._rows: list[Row | None] = [None] * self.height
        """Cached output of each row, until something is put on it."""

    def copy(self) -> "Canvas":
        """Return a copy."""
        other = Canvas(self.width, self.height, self.background)
        other._chars = [chars and chars.copy() for chars in self._chars]
        other._styles = [styles.copy() for styles in self._styles]
        other._cuts = [cuts.copy() for cuts in self._cuts]
        other._rows = self._rows.copy()
        return other

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        """Write `text` to the right from `x`, `y`."""
        if not 0 <= y < self.height:
            return
        line = cells(text)
        if x < 0 or x + len(line) > self.width:
            line = _cut(line, max(0, -x), self.width - x)
            x = max(0, x)
        if not line:
            return
        end = x + len(line)
        self._row(y, x, end)[x:end] = line
        self._styles[y][x:end] = [style] * len(line)
        self._cuts[y].update((x, end))

    def put_centred(self, y: int, text: str, style: Style) -> None:
        """Write `text` in the middle of row `y`."""
        self.put((self.width - columns(text)) // 2, y, text, style)

    def stamp(self, x: int, y: int, stamp: Stamp) -> None:
        """Put a stamp to the right from `x`, `y`."""
        if x < 0 or x + len(stamp.cells) > self.width:
            stamp = _clipped(stamp, max(0, -x), self.width - x)
            x = max(0, x)
        if not stamp.cells or not 0 <= y < self.height:
            return
        end = x + len(stamp.cells)
        self._row(y, x, end)[x:end] = stamp.cells
        self._styles[y][x:end] = stamp.styles
        self._cuts[y].update([x + cut for cut in stamp.cuts])

    def _row(self, y: int, start: int, end: int) -> list[str]:
        """Return the cells of a row, prepared for text from `start` to `end`."""
        self._rows[y] = None
        chars = self._chars[y]
        if chars is None:
            chars = self._chars[y] = [" "] * self.width
            self._styles[y] = [self.background] * self.width
        # blank the half of a wide character that would remain
        elif chars[start] == "" or (end < self.width and chars[end] == ""):
            chars[start - (chars[start] == "")] = " "
            if end < self.width:
                chars[end] = chars[end] or " "
        return chars

    def rows(self) -> tuple[Row, ...]:
        """Return every row."""
        felt = ((" " * self.width, self.background),) if self.width else ()
        rows = tuple(
            row or (felt if chars is None else _runs(chars, styles, cuts))
            for row, chars, styles, cuts in zip(self._rows, self._chars, self._styles, self._cuts, strict=True)
        )
        self._rows[:] = rows
        return rows


@lru_cache(maxsize=512)
def blank(width: int, height: int, style: Style) -> Picture:
    """Return an empty picture."""
    return Picture((((" " * width, style),) if width > 0 else (),) * height)


def stack(*pictures: Picture) -> Picture:
    """Compose pictures of one width below each other, skipping empty ones."""
    parts: list[Part] = []
    down = 0
    for picture in pictures:
        if picture.height:
            parts.append((0, down, picture))
            down += picture.height
    return Picture.of(parts, (parts[0][2].width if parts else 0, down))


def over_the_bottom(picture: Picture, other: Picture) -> Picture:
    """Lay `other`, of the same width, over the last rows of `picture`."""
    height = picture.height - other.height
    hits = tuple(hit for hit in picture.hits if hit.y + hit.h <= height)
    return stack(Picture(picture.rows[:height], hits=hits), other)


def beside(*pictures: Picture) -> Picture:
    """Compose pictures of one height side by side, skipping empty ones."""
    parts: list[Part] = []
    left = 0
    for picture in pictures:
        if picture.width:
            parts.append((left, 0, picture))
            left += picture.width
    return Picture.of(parts, (left, parts[0][2].height if parts else 0))


def _cut(line: tuple[str, ...], start: int, stop: int) -> tuple[str, ...]:
    """Return the cells from `start` to `stop`; half a wide character becomes a space."""
    visible_cells = line[start : max(start, stop)]
    if visible_cells and visible_cells[0] == "":
        visible_cells = (" ", *visible_cells[1:])
    if visible_cells and line[start + len(visible_cells) : start + len(visible_cells) + 1] == ("",):
        visible_cells = (*visible_cells[:-1], " ")
    return visible_cells


def _clipped(stamp: Stamp, start: int, stop: int) -> Stamp:
    """Return the part of a stamp from `start` to `stop`."""
    stop = max(start, stop)
    cuts = {min(max(cut, start), stop) - start for cut in stamp.cuts}
    return Stamp(_cut(stamp.cells, start, stop), stamp.styles[start:stop], tuple(sorted(cuts)))


def _runs(chars: list[str], styles: list[Style], cuts: set[int]) -> Row:
    runs = []
    start, current = 0, styles[0]
    for x in sorted(cuts - {len(chars)}):
        style = styles[x]
        if style != current:
            runs.append(("".join(chars[start:x]), current))
            start, current = x, style
    runs.append(("".join(chars[start:]), current))
    return tuple(runs)


class Direction(Enum):
    """A direction on the table."""

    RIGHT = "right"
    DOWN = "down"
    LEFT = "left"
    UP = "up"

    @property
    def back(self) -> "Direction":
        """The opposite direction."""
        return _BACK[self]

    @property
    def upright(self) -> bool:
        """True for up and down."""
        return self is Direction.UP or self is Direction.DOWN

    def turned(self, quarters: int) -> "Direction":
        """Return the direction after a number of quarter turns clockwise."""
        return _CLOCKWISE[(_CLOCKWISE.index(self) + quarters) % 4]


_CLOCKWISE = (Direction.UP, Direction.RIGHT, Direction.DOWN, Direction.LEFT)
_BACK = {
    Direction.RIGHT: Direction.LEFT,
    Direction.DOWN: Direction.UP,
    Direction.LEFT: Direction.RIGHT,
    Direction.UP: Direction.DOWN,
}


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
        """First column to the right of the box."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """First row below the box."""
        return self.y + self.h

    def moved(self, dx: int, dy: int) -> "Box":
        """Return the rectangle moved by `dx` columns and `dy` rows."""
        return Box(self.x + dx, self.y + dy, self.w, self.h)

    def meets(self, other: "Box") -> bool:
        """Return True if the two share a cell."""
        x, y, w, h = self
        left, top, wide, high = other
        return x < left + wide and left < x + w and y < top + high and top < y + h

    def holds(self, other: "Box") -> bool:
        """Return True if `other` lies inside."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.bottom <= self.bottom

    def beside(self, size: Size, direction: Direction, flush: Direction | None = None) -> "Box":
        """Return a rectangle of `size` that touches this one on its side towards `direction`.

        It is centred on that side or, with `flush`, aligned with the edge in that direction.
        """
        w, h = size
        x = _aligned_start(self.x, self.w, w, (Direction.LEFT, Direction.RIGHT), direction, flush)
        y = _aligned_start(self.y, self.h, h, (Direction.UP, Direction.DOWN), direction, flush)
        return Box(x, y, w, h)


def _aligned_start(
    start: int,
    length: int,
    size: int,
    axis: tuple[Direction, Direction],
    direction: Direction,
    flush: Direction | None,
) -> int:
    """Return the first row or column of a rectangle of `size` beside another, which has `length` cells from `start`.

    `axis` are the two directions along which this coordinate runs. If `direction` is on it, the rectangles touch;
    otherwise they are aligned at the edge `flush`, or centred.
    """
    if direction in axis:
        return start - size if direction is axis[0] else start + length
    if flush in axis:
        return start if flush is axis[0] else start + length - size
    return start + (length - size) // 2


class Port(NamedTuple):
    """The beginning of an arm at a branching tile."""

    side: int
    direction: Direction
    """Direction of the arm."""
    spot: Box
    """Cells that the arm's first tile touches."""


class TilePlace(NamedTuple):
    """Place and orientation of a tile."""

    box: Box
    heading: Direction
    """Direction in which the arm continues; side 1 of the tile faces it, unless the tile lies crosswise."""
    standing: bool
    """True if one half is above the other."""
    ports: tuple[Port, ...] = ()
    """Ports of a branching tile; empty for others."""

    def port(self, side: int) -> Port | None:
        """Return the port of a side, if the tile branches there."""
        return next((port for port in self.ports if port.side == side), None)

    @property
    def across(self) -> bool:
        """True if the tile lies crosswise to its arm, so that its long sides face along it."""
        return self.standing != self.heading.upright

    def outward(self, side: int) -> Direction:
        """Return the direction that a side of the tile faces; `core.layout.state` numbers the sides."""
        port = self.port(side)
        return port.direction if port else self.heading if side else self.heading.back

    def half(self, side: int) -> Box:
        """Return the cells of the half at a side; all cells of a crosswise tile."""
        port = self.port(side)
        if port:
            return port.spot
        if self.across:
            return self.box
        x, y, w, h = self.box
        direction = self.outward(side)
        if self.standing:
            part = h // 2
            return Box(x, y if direction is Direction.UP else y + h - part, w, part)
        part = w // 2
        return Box(x if direction is Direction.LEFT else x + w - part, y, part, h)


def around(boxes: Sequence[Box]) -> Box:
    """Return the smallest rectangle that contains `boxes`, of which there is at least one."""
    lefts, tops, widths, heights = zip(*boxes, strict=True)
    x, y = min(lefts), min(tops)
    return Box(x, y, max(map(add, lefts, widths)) - x, max(map(add, tops, heights)) - y)
