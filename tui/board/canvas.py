"""A grid of cells to draw on, and the picture that comes off it."""

from functools import lru_cache
from typing import Literal, NamedTuple

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
"""Begins each cell that shows a part of a picture (`tui.board.pieces`). Text on a canvas never has it: it is not
printable."""


def columns(text: str) -> int:
    """How many cells a text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    return cell_len(text) if PART in text else len(cells(text))


class Hit(NamedTuple):
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


FaceName = Literal["line", "small", "medium", "large"]
"""The sizes in which tiles are drawn, the smallest first."""


Bends = tuple[tuple[int, int], ...]
"""Tiles that are not laid in the first of the ways there are to lay them; with each, which way comes first."""


class Form(NamedTuple):
    """How the tiles of a picture are drawn, to be kept in the next one."""

    face: FaceName
    lanes: bool = False
    """Whether they lie in lanes."""
    bends: Bends = ()
    """Where the arms of a shape that branches bend in another way than usual."""
    down: int | None = None
    """How far down the tiles were moved, where they were all in view."""


class Picture(NamedTuple):
    """What a drawing function answers with."""

    rows: tuple[tuple[Run, ...], ...]
    """Every row whole: the texts of its runs together fill the picture's width."""
    form: Form | None = None
    """None where no tiles are drawn whose form could be kept."""
    hits: tuple[Hit, ...] = ()
    """Where a click means something; the first that covers a cell wins."""

    def hit(self, x: int, y: int) -> Hit | None:
        """Return what a click on this cell means, if anything."""
        return next((hit for hit in self.hits if hit.covers(x, y)), None)

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in row).rstrip() for row in self.rows)


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
        self._runs: list[tuple[Run, ...] | None] = [None] * self.height
        """What came off each row on which nothing has been put since."""

    def copy(self) -> "Canvas":
        """Return another with the same on it."""
        other = Canvas(self.width, self.height, self.ground)
        other._chars = [chars and chars.copy() for chars in self._chars]
        other._styles = [styles.copy() for styles in self._styles]
        other._cuts = [cuts.copy() for cuts in self._cuts]
        other._runs = self._runs.copy()
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
        self._runs[y] = None
        chars = self._chars[y]
        if chars is None:
            chars = self._chars[y] = [" "] * self.width
            self._styles[y] = [self.ground] * self.width
        elif chars[start] == "" or (end < self.width and chars[end] == ""):  # half of a wide character goes
            chars[start - (chars[start] == "")] = " "
            if end < self.width:
                chars[end] = chars[end] or " "
        return chars

    def rows(self) -> tuple[tuple[Run, ...], ...]:
        """Return every row as runs."""
        felt = ((" " * self.width, self.ground),) if self.width else ()
        rows = tuple(
            runs or (felt if chars is None else _runs(chars, styles, cuts))
            for runs, chars, styles, cuts in zip(self._runs, self._chars, self._styles, self._cuts, strict=True)
        )
        self._runs[:] = rows
        return rows


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


def _runs(chars: list[str], styles: list[Style], cuts: set[int]) -> tuple[Run, ...]:
    runs = []
    start, current = 0, styles[0]
    for x in sorted(cuts - {len(chars)}):
        style = styles[x]
        if style != current:
            runs.append(("".join(chars[start:x]), current))
            start, current = x, style
    runs.append(("".join(chars[start:]), current))
    return tuple(runs)
