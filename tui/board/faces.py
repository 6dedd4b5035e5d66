"""The faces of tiles: how large one is drawn, what stands on its halves, and how its cells name a picture of it."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Literal, NamedTuple, get_args

from msgspec import Struct

from core.tiles import STAR
from themes import HIGHEST, Theme
from themes.numbers import darker
from tui.board.canvas import PART, BoardForm, Box, Canvas, Direction, FaceName, Size, Stamp, Style, cells

Tone = Literal["ivory", "ivory_shade", "glow", "greyed", "back"]
"""The colour of a tile, by the name of the theme's field; the one of a back is a ghost's."""
Pose = Literal["lying", "standing", "half"]
"""How a tile lies; half a tile stands for a double in a narrow lane."""

_TONES: tuple[Tone, ...] = get_args(Tone)
_POSES: tuple[Pose, ...] = get_args(Pose)
_MARKS = (
    "\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352\u0357\u035b\u0363"
)
"""What marks the rows and columns from nought on."""
_CELLS = tuple(tuple(PART + row + column for column in _MARKS) for row in _MARKS[:8])
"""By row and column, the cell that shows this part of whatever picture."""
_FIRST = 0x800000
"""Where the numbers of our pictures begin; those of other programs are seldom as high."""


class TileImage(NamedTuple):
    """What a picture shows."""

    columns: int
    rows: int
    pose: Pose
    tone: Tone
    first: int
    """The number of the left or upper half; less than nought is the star, and above the highest that any domino has
    come the halves of Chinese tiles, from one on."""
    second: int

    @property
    def number(self) -> int:
        """The number of its picture, in 24 bits; it says all that is shown, so it is the same in every session."""
        tone, pose = _TONES.index(self.tone), _POSES.index(self.pose)
        number = (self.columns << 18) + (self.rows << 15) + (tone << 12) + (pose << 10)
        return _FIRST + number + (self.first + 1 << 5) + self.second + 1

    @property
    def ink(self) -> str:
        """The colour that says its number."""
        return f"#{self.number:06x}"


def part_of(marks: str) -> tuple[int, int]:
    """Return the row and the column of a picture that a cell with these marks shows."""
    return _MARKS.index(marks[0]), _MARKS.index(marks[1])


def piece_of(ink: str) -> TileImage:
    """Return what the picture of a marked cell shows, by the cell's colour."""
    number = int(ink[1:], 16)
    return TileImage(
        number >> 18 & 31,
        number >> 15 & 7,
        _POSES[number >> 10 & 3],
        _TONES[number >> 12 & 7],
        (number >> 5 & 31) - 1,
        (number & 31) - 1,
    )


@lru_cache(maxsize=1024)
def parts(piece: TileImage, ground: str) -> tuple[Stamp, ...]:
    """Return the marked cells of a tile, row by row; the ground is seen round its corners."""
    style = Style(piece.ink, ground)
    return tuple(
        Stamp(
            _CELLS[row][: piece.columns],
            (style,) * piece.columns,
            (0, piece.columns),
        )
        for row in range(piece.rows)
    )


_ONE = ("#", "#", "#", "#", "#")
_DIGITS = (
    ("###", "#.#", "#.#", "#.#", "###"),
    (".#.", "##.", ".#.", ".#.", "###"),
    ("###", "..#", "###", "#..", "###"),
    ("###", "..#", ".##", "..#", "###"),
    ("#.#", "#.#", "###", "..#", "..#"),
    ("###", "#..", "###", "..#", "###"),
    ("###", "#..", "###", "#.#", "###"),
    ("###", "..#", "..#", ".#.", ".#."),
    ("###", "#.#", "###", "#.#", "###"),
)
"""The second figure of 10 to 18, five rows of three dots."""
_HALVES = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
# The dots of each row of a Braille cell, left and right, as bits of its code point.
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def drawable(number: int) -> bool:
    """Whether a number has a figure."""
    return 10 <= number < 10 + len(_DIGITS)


def in_blocks(number: int) -> tuple[str, ...]:
    """Return the figure in five columns and three rows, of half blocks."""
    dots = [*_raster(number), "....."]
    return tuple(
        "".join(_HALVES[upper + lower] for upper, lower in zip(*dots[row : row + 2], strict=True))
        for row in (0, 2, 4)
    )


def in_braille(number: int) -> tuple[str, ...]:
    """Return the figure in three columns and two rows, of Braille dots."""
    first, second, third, fourth, fifth = _raster(number)
    dots = [row + "." for row in (".....", first, second, second, third, fourth, fourth, fifth)]
    cells = [[0x2800] * 3 for _ in range(2)]
    for y, row in enumerate(dots):
        for x, dot in enumerate(row):
            cells[y // 4][x // 2] |= _BRAILLE[y % 4][x % 2] * (dot == "#")
    return tuple("".join(map(chr, row)).replace("\u2800", " ") for row in cells)


def _raster(number: int) -> list[str]:
    return [f"{one}.{digit}" for one, digit in zip(_ONE, _DIGITS[number - 10], strict=True)]


Segment = tuple[str, int]
"""Some characters of a tile, and the number they belong to, or `MARGIN` or `GROOVE`."""

USUAL_HIGHEST = 9
"""The highest number that still fits one cell: sets up to here are drawn alike."""

NARROW_HIGHEST = 6
"""The highest number whose pips have room in the narrow face; above it, there are digits."""

MARGIN = -11
GROOVE = -12


class Face(Struct, frozen=True):
    """One way to draw a tile: the size of a half, and the function that fills it."""

    name: FaceName
    half: Size
    halves: Callable[[int, Size, Direction], tuple[str, ...]]
    """From a number, the size of a half, and the way to the other half, to the rows of this half."""
    stands: bool = True
    """Whether tiles of this face may be stood up; else all of them lie."""
    groove: int = 1
    """Rows between the halves of a standing tile."""
    ascii: bool = False

    @property
    def lying(self) -> Size:
        """The size of a tile whose halves are side by side."""
        return Size(2 * self.half.w + 3, self.half.h)

    @property
    def standing(self) -> Size:
        """The size of a tile whose halves are one above the other."""
        return Size(self.half.w + 2, 2 * self.half.h + self.groove) if self.stands else self.lying


@lru_cache(maxsize=8)
def faces(highest: int, *, ascii: bool = False) -> tuple[Face, ...]:
    """Return the faces for a set whose highest number is `highest`, the smallest first."""
    digits = len(str(highest))
    number = partial(_digits, star="*" if ascii else "★")
    narrow = Face("narrow", Size(2, 2), _braille, groove=0)
    medium = Face("medium", Size(3, 2), _braille, groove=0)
    if ascii:
        narrow = Face("narrow", Size(2, 1), number, ascii=True)
        medium = Face("medium", Size(3, 1), number, ascii=True)
    dots = partial(_dots, dot="o" if ascii else "●")
    return (
        Face("line", Size(digits, 1), number, stands=False, ascii=ascii),
        Face("small", Size(digits, 1), number, ascii=ascii),
        *[narrow] * (highest <= USUAL_HIGHEST),
        medium,
        Face("tall", Size(3, 3), dots, ascii=ascii),
        Face("large", Size(5, 3), dots, ascii=ascii),
    )


def largest(sizes: tuple[Face, ...], fits: Callable[[int, int], bool]) -> Face:
    """Return the largest face whose lying tile `fits`, by its columns and rows; the smallest where none does."""
    return next((face for face in reversed(sizes) if fits(*face.lying)), sizes[0])


def kept(sizes: tuple[Face, ...], form: BoardForm | None) -> tuple[Face, ...]:
    """Return the faces up to that of the last picture, so that tiles never grow while it is kept; all without one."""
    names = [face.name for face in sizes]
    return sizes[: names.index(form.face) + 1] if form and form.face in names else sizes


# Where the pips of a number lie: on a grid of three by three, row by row.
GRIDS = (
    "... ... ...",
    "... .o. ...",
    "o.. ... ..o",
    "o.. .o. ..o",
    "o.o ... o.o",
    "o.o .o. o.o",
    "o.o o.o o.o",
    "o.o ooo o.o",
    "ooo o.o ooo",
    "ooo ooo ooo",
)


def _digits(pips: int, size: Size, other: Direction, star: str = "★") -> tuple[str, ...]:
    """The number in digits, in the middle of a half.

    Where the middle is between two columns, digits lean towards the other half; where it is between two rows,
    the digits of both halves stand in opposite corners of the tile.
    """
    text = str(pips) if pips >= 0 else star
    spare = size.w - len(text)
    middle = " " * ((spare + (other is not Direction.LEFT)) // 2) + text
    row = size.h // 2 if other in (Direction.LEFT, Direction.UP) else (size.h - 1) // 2
    return tuple(middle.ljust(size.w) if y == row else " " * size.w for y in range(size.h))


def _dots(pips: int, size: Size, other: Direction, dot: str) -> tuple[str, ...]:
    """Pips as large dots, one column apart where there is room; figures above nine."""
    wide = size.w > 3
    if dot != "o" and drawable(pips) and wide:
        return in_blocks(pips)
    if not 0 <= pips < len(GRIDS):
        return _digits(pips, size, other, "*" if dot == "o" else "★")
    apart = " " * wide
    return tuple(apart.join(dot if cell == "o" else " " for cell in row) for row in GRIDS[pips].split())


def _braille(pips: int, size: Size, other: Direction) -> tuple[str, ...]:
    """Pips of two by two Braille dots, of one by two where three stand in a row; figures above nine.

    Six by eight dots hold the grid: columns 0, 2 and 4, rows 0, 3 and 6. In four by eight, pips are one by two, and
    three have no room in a row.
    """
    narrow = size.w < len(_COLUMNS)
    if drawable(pips) and not narrow:
        return in_braille(pips)
    if not 0 <= pips < (NARROW_HIGHEST + 1 if narrow else len(GRIDS)):
        return _digits(pips, size, other)
    columns = _NARROW if narrow else _COLUMNS if pips < 7 else _THREE
    cells = [[0] * size.w for _ in range(size.h)]
    for grid_row, row in enumerate(GRIDS[pips].split()):
        for marks, cell in zip(columns, row, strict=True):
            if cell == "o":
                for y in (3 * grid_row, 3 * grid_row + 1):
                    for x in marks:
                        cells[y // 4][x // 2] |= _BRAILLE[y % 4][x % 2]
    return tuple("".join(chr(0x2800 + dots) if dots else " " for dots in row) for row in cells)


_COLUMNS = ((0, 1), (2, 3), (4, 5))
"""The columns of dots of each column of pips."""
_THREE = ((0,), (2,), (4,))
_NARROW = ((0,), (1, 2), (3,))


@lru_cache(maxsize=4096)
def segments(face: Face, first: int, second: int, standing: bool) -> tuple[tuple[Segment, ...], ...]:
    """Return the rows of a tile; `first` is its left or upper half."""
    left, right, upright, level = "[]|-" if face.ascii else "▐▌│─"
    one = face.halves(first, face.half, Direction.DOWN if standing else Direction.RIGHT)
    other = face.halves(second, face.half, Direction.UP if standing else Direction.LEFT)
    if not standing:
        return tuple(
            ((left, MARGIN), (a, first), (upright, GROOVE), (b, second), (right, MARGIN))
            for a, b in zip(one, other, strict=True)
        )
    rows = [(a, first) for a in one]
    rows += [(level * face.half.w, GROOVE)] * face.groove
    rows += [(b, second) for b in other]
    return tuple(((left, MARGIN), row, (right, MARGIN)) for row in rows)


@lru_cache(maxsize=256)
def _half_segments(face: Face, number: int) -> tuple[tuple[Segment, ...], ...]:
    """Return the rows of half a tile, which stands for a double where there is no room for all of it."""
    left, right = "[]" if face.ascii else "▐▌"
    return tuple(
        ((left, MARGIN), (row, number), (right, MARGIN)) for row in face.halves(number, face.half, Direction.RIGHT)
    )


def draw_tile(
    canvas: Canvas,
    box: Box,
    face: Face,
    halves: tuple[int, int],
    *,
    theme: Theme,
    tone: Tone = "ivory",
    ground: str = "",
    seam: bool = False,
) -> None:
    """Draw a tile in one of the theme's colours for tiles, on the canvas's ground if no other is given.

    Its `halves` are left and right, or upper and lower if it stands; half a tile shows the second. A `seam` parts it
    from the tile below, where it has no pips.
    """
    standing = box.h > face.lying.h
    half = box.w < face.lying.w and not standing
    ground = ground or canvas.ground.bg
    if theme.pictures and not face.ascii:
        pose: Pose = "standing" if standing else "half" if half else "lying"
        # Numbers above the highest of any set stand for the halves of Chinese tiles.
        first, second = (number + HIGHEST if theme.chinese else max(STAR.low, number) for number in halves)
        stamps = parts(TileImage(box.w, box.h, pose, tone, second if half else first, second), ground)
    else:
        ivory, sewn = getattr(theme, tone), seam and not face.ascii
        stamps = _stamps(face, halves, standing, half, theme.pips, theme.edge, ivory, ground, sewn, theme.chinese)
    for y, stamp in enumerate(stamps, box.y):
        canvas.stamp(box.x, y, stamp)


def draw_spot(canvas: Canvas, box: Box, theme: Theme, *, ascii: bool) -> None:
    """Draw where a tile will lie: a little lighter than the felt."""
    left, right = "[]" if ascii else "▐▌"
    for y in range(box.y, box.bottom):
        canvas.put(box.x, y, left, Style(theme.band, theme.felt))
        canvas.put(box.x + 1, y, " " * (box.w - 2), Style(theme.band, theme.band))
        canvas.put(box.right - 1, y, right, Style(theme.band, theme.felt))


def _sewn(cell: str, style: Style) -> Style:
    """How a cell looks at a seam: under pips a line would look like a part of them."""
    return style if cell == "●" or "\u2800" < cell <= "\u28ff" else style._replace(underlined=True)


@lru_cache(maxsize=1024)
def _stamps(
    face: Face,
    halves: tuple[int, int],
    standing: bool,
    half: bool,
    pips: tuple[str, ...],
    edge: str,
    ivory: str,
    ground: str,
    seam: bool,
    whole: bool,
) -> tuple[Stamp, ...]:
    """Return the rows of a tile; a screen has many of them, and most were drawn before."""
    stamps = []
    rows = _half_segments(face, halves[1]) if half else segments(face, *halves, standing)
    for number, row in enumerate(rows):
        if standing and not face.groove and number == face.half.h:
            # Without a groove the lower half lies in the shade, or two sixes would read as a twelve.
            ivory = darker(ivory)
        # Brackets belong to the tile; half blocks are half tile, half ground.
        margin = Style(pips[0], ivory) if face.ascii else Style(ivory, ground)
        line: list[str] = []
        styles: list[Style] = []
        cuts = [0]
        for text, what in row:
            if what == GROOVE and whole:
                text = " " * len(text)  # noqa: PLW2901 - nothing parts the halves
            if what == MARGIN:
                style = margin
            elif what == GROOVE:
                style = Style(pips[0] if face.ascii else edge, ivory)
            else:
                style = Style(pips[what % len(pips)], ivory, True)
            line += cells(text)
            if seam and number == len(rows) - 1 and what != MARGIN:
                blank = Style(edge, style.bg, underlined=True)
                styles += [blank if cell == " " else _sewn(cell, style) for cell in cells(text)]
                cuts += range(len(line) - len(text) + 1, len(line))
            else:
                styles += [style] * len(text)
            cuts.append(len(line))
        stamps.append(Stamp(tuple(line), tuple(styles), tuple(cuts)))
    return tuple(stamps)
