"""Places in cells, a grid of cells to draw on, and the picture that comes off it."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache
from operator import add
from typing import Literal, NamedTuple
from unicodedata import normalize

from rich.cells import cell_len


class Style(NamedTuple):
    """How a cell looks: colours as `#rrggbb`, weight, and a line at its foot."""

    fg: str
    bg: str
    bold: bool = False
    underlined: bool = False


Run = tuple[str, Style]
"""Neighbouring cells of one style."""
Row = tuple[Run, ...]


def printable(text: str) -> str:
    """Return a text in one line, without anything that a terminal would obey, whoever wrote it."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else " " * character.isspace() for character in text)


_ASCII = str.maketrans(
    dict(zip("…·×–−“”’→„‘«»", '~-x--""\'>"\'""', strict=True)) | {"±": "+-", "½": "1/2", "ß": "ss", "¿": "", "¡": ""}
)


def plain(text: str, ascii: bool) -> str:
    """The same text for a terminal that may not know more than ASCII."""
    if not ascii:
        return text
    bare = (normalize("NFD", letter)[0] for letter in text.translate(_ASCII))  # é as e
    return "".join(bare).encode("ascii", "replace").decode()


@lru_cache(maxsize=2048)
def cells(text: str) -> tuple[str, ...]:
    """Return a text cell by cell: a wide character takes two, of which the second is empty.

    What is drawn goes through here, so that nothing is left in it that a terminal would obey.
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
"""Begins each cell that shows a part of a picture (`tui.board.faces`). Text on a canvas never has it: it is not
printable."""


def columns(text: str) -> int:
    """How many cells a text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    return cell_len(text) if PART in text else len(cells(text))


def fit(text: str, width: int) -> str:
    """Cut a text to a number of columns, with an ellipsis when something is lost."""
    line = cells(text)
    if len(line) <= width:
        return text
    kept = line[: max(0, width - 1)]
    if kept and line[len(kept)] == "":  # half a wide character
        kept = kept[:-1]
    return "".join(kept) + "…" if width > 0 else ""


class ClickTarget(NamedTuple):
    """Cells that answer to the mouse: an end's mark or a tile."""

    x: int
    y: int
    w: int
    h: int
    at: int
    """Index of the tile, on the table or in the hand; -1 is the empty table."""
    side: int
    """The side that an end is at; -1 for a tile as such."""

    def covers(self, x: int, y: int) -> bool:
        """Whether the cell at `x`, `y` is one of these."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h


FaceName = Literal["line", "small", "narrow", "medium", "tall", "large"]
"""The sizes in which tiles are drawn, the smallest first."""


Bends = tuple[tuple[int, int], ...]
"""Tiles that are not laid in the first of the ways there are to lay them; with each, which way comes first."""


class BoardForm(NamedTuple):
    """How the tiles of a picture are drawn, to be kept in the next one."""

    face: FaceName
    lanes: bool = False
    """Whether they lie in lanes."""
    bends: Bends = ()
    """Where the arms of a shape that branches bend in another way than usual."""
    down: int | None = None
    """How far down the tiles were moved, where they were all in view."""
    start: int | None = None
    """The column of the first tile of a line."""


class Picture:
    """What a drawing function answers with: rows, or other pictures that fill it.

    Drawing functions remember what they drew, and those that put pictures together leave them as they are. So the
    parts that two pictures have in common are the same objects, and nobody has to look at their cells.
    """

    __slots__ = ("_hits", "_rows", "form", "height", "parts", "shape", "width")

    def __init__(
        self,
        rows: tuple[Row, ...],
        form: BoardForm | None = None,
        hits: tuple[ClickTarget, ...] | Callable[[], tuple[ClickTarget, ...]] = (),
    ) -> None:
        """The texts of each row fill the width together. `hits` may be worked out when somebody clicks."""
        self.width = sum(columns(text) for text, _ in rows[0]) if rows else 0
        self.height = len(rows)
        self.form = form
        """None where no tiles are drawn whose form could be kept."""
        self.parts: tuple[Part, ...] = ()
        self.shape: tuple[tuple[int, int, int, int], ...] = ()
        """Where the parts begin, and how large they are."""
        self._rows: tuple[Row, ...] | None = rows
        self._hits: tuple[ClickTarget, ...] | Callable[[], tuple[ClickTarget, ...]] | None = hits

    @classmethod
    def of(
        cls,
        parts: Sequence["Part"],
        size: tuple[int, int],
        form: BoardForm | None = None,
        hits: tuple[ClickTarget, ...] | None = None,
    ) -> "Picture":
        """Return a picture of so many columns and rows that others fill, in each row from left to right.

        Without `hits`, a click means what it means in the part.
        """
        picture = cls((), form)
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
        """Every row whole."""
        if self._rows is None:
            rows: list[list[Run]] = [[] for _ in range(self.height)]
            for _, y, part in self.parts:
                for row, runs in zip(rows[y:], part.rows, strict=False):
                    row.extend(runs)
            self._rows = tuple(map(tuple, rows))
        return self._rows

    @property
    def hits(self) -> tuple[ClickTarget, ...]:
        """Where a click means something; the first that covers a cell wins."""
        if callable(self._hits):
            self._hits = self._hits()
        elif self._hits is None:
            self._hits = tuple(
                hit._replace(x=hit.x + left, y=hit.y + top) for left, top, part in self.parts for hit in part.hits
            )
        return self._hits

    def answering(self, hits: tuple[ClickTarget, ...]) -> "Picture":
        """Return the same picture with other cells that answer to the mouse."""
        return Picture.of(((0, 0, self),), self.size, self.form, hits)

    def hit(self, x: int, y: int) -> ClickTarget | None:
        """Return what a click on this cell means, if anything."""
        return next((hit for hit in self.hits if hit.covers(x, y)), None)

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in row).rstrip() for row in self.rows)


Part = tuple[int, int, Picture]
"""The column and the row at which a picture begins in another, and the picture."""


class Stamp(NamedTuple):
    """Neighbouring cells made ready to be put again and again."""

    cells: tuple[str, ...]
    styles: tuple[Style, ...]
    """The style of each cell."""
    cuts: tuple[int, ...]
    """Where a style begins, and where the last one ends."""


class Canvas:
    """A grid of cells. Whatever is put beyond its edges is cut off."""

    def __init__(self, width: int, height: int, ground: Style) -> None:
        self.width = max(0, width)
        self.height = max(0, height)
        self.ground = ground
        # A row that nobody drew on stays None: most of a board is felt.
        self._chars: list[list[str] | None] = [None] * self.height
        self._styles: list[list[Style]] = [[] for _ in range(self.height)]
        # Where something was put, and where it ended: a row changes its style nowhere else.
        self._cuts: list[set[int]] = [set() for _ in range(self.height)]
        self._rows: list[Row | None] = [None] * self.height
        """What came off each row on which nothing has been put since."""

    def copy(self) -> "Canvas":
        """Return another with the same on it."""
        other = Canvas(self.width, self.height, self.ground)
        other._chars = [chars and chars.copy() for chars in self._chars]
        other._styles = [styles.copy() for styles in self._styles]
        other._cuts = [cuts.copy() for cuts in self._cuts]
        other._rows = self._rows.copy()
        return other

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        """Write `text` from `x`, `y` to the right."""
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
        """Put cells from `x`, `y` to the right."""
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
        """Return the cells of a row on which something is about to be put from `start` to `end`."""
        self._rows[y] = None
        chars = self._chars[y]
        if chars is None:
            chars = self._chars[y] = [" "] * self.width
            self._styles[y] = [self.ground] * self.width
        elif chars[start] == "" or (end < self.width and chars[end] == ""):  # half of a wide character goes
            chars[start - (chars[start] == "")] = " "
            if end < self.width:
                chars[end] = chars[end] or " "
        return chars

    def rows(self) -> tuple[Row, ...]:
        """Return every row."""
        felt = ((" " * self.width, self.ground),) if self.width else ()
        rows = tuple(
            row or (felt if chars is None else _runs(chars, styles, cuts))
            for row, chars, styles, cuts in zip(self._rows, self._chars, self._styles, self._cuts, strict=True)
        )
        self._rows[:] = rows
        return rows


@lru_cache(maxsize=512)
def blank(width: int, height: int, style: Style) -> Picture:
    """Return nothing but ground."""
    return Picture((((" " * width, style),) if width > 0 else (),) * height)


def stack(*pictures: Picture, form: BoardForm | None = None) -> Picture:
    """Put pictures of one width below each other; any may have no rows."""
    parts: list[Part] = []
    down = 0
    for picture in pictures:
        if picture.height:
            parts.append((0, down, picture))
            down += picture.height
    return Picture.of(parts, (parts[0][2].width if parts else 0, down), form)


def over_the_bottom(picture: Picture, other: Picture) -> Picture:
    """Lay another picture of the same width over the last rows of one."""
    height = picture.height - other.height
    hits = tuple(hit for hit in picture.hits if hit.y + hit.h <= height)
    return stack(Picture(picture.rows[:height], hits=hits), other, form=picture.form)


def beside(*pictures: Picture) -> Picture:
    """Put pictures of one height side by side; any may be empty. The form is that of the first."""
    parts: list[Part] = []
    left = 0
    for picture in pictures:
        if picture.width:
            parts.append((left, 0, picture))
            left += picture.width
    return Picture.of(parts, (left, parts[0][2].height if parts else 0), pictures[0].form)


def _cut(line: tuple[str, ...], start: int, stop: int) -> tuple[str, ...]:
    """Keep the cells from `start` to `stop`; half a wide character becomes a space."""
    kept = line[start : max(start, stop)]
    if kept and kept[0] == "":
        kept = (" ", *kept[1:])
    if kept and line[start + len(kept) : start + len(kept) + 1] == ("",):
        kept = (*kept[:-1], " ")
    return kept


def _clipped(stamp: Stamp, start: int, stop: int) -> Stamp:
    """Keep the cells from `start` to `stop`."""
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
        """Whether this leads up or down."""
        return self is Direction.UP or self is Direction.DOWN

    def turned(self, quarters: int) -> "Direction":
        """The direction after so many quarter turns clockwise."""
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

    def beside(self, size: Size, way: Direction, flush: Direction | None = None) -> "Box":
        """Return a rectangle of `size` that touches this one on its side towards `way`.

        It stands centred on that side, or, with `flush`, level with the edge in that direction.
        """
        w, h = size
        x = _placed(self.x, self.w, w, (Direction.LEFT, Direction.RIGHT), way, flush)
        y = _placed(self.y, self.h, h, (Direction.UP, Direction.DOWN), way, flush)
        return Box(x, y, w, h)


def _placed(
    at: int, long: int, size: int, ways: tuple[Direction, Direction], way: Direction, flush: Direction | None
) -> int:
    """Where something begins that touches a side of another thing, or is level with it or centred on it."""
    if way in ways:
        return at - size if way is ways[0] else at + long
    if flush in ways:
        return at if flush is ways[0] else at + long - size
    return at + (long - size) // 2


class Port(NamedTuple):
    """Where an arm begins at a tile that branches."""

    side: int
    way: Direction
    """The direction in which the arm sets out."""
    spot: Box
    """The cells that the arm's first tile touches."""


class TilePlace(NamedTuple):
    """Where one tile lies, and how."""

    box: Box
    heads: Direction
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

    def outward(self, side: int) -> Direction:
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
            return Box(x, y if way is Direction.UP else y + h - part, w, part)
        part = w // 2
        return Box(x if way is Direction.LEFT else x + w - part, y, part, h)


def around(boxes: Sequence[Box]) -> Box:
    """Return the smallest rectangle that holds all of these, at least one."""
    lefts, tops, widths, heights = zip(*boxes, strict=True)
    x, y = min(lefts), min(tops)
    return Box(x, y, max(map(add, lefts, widths)) - x, max(map(add, tops, heights)) - y)
