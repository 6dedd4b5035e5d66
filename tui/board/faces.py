"""The faces of tiles: sizes, the content of the halves, and the cells that refer to an image of a tile."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Literal, NamedTuple, get_args

from msgspec import Struct

from core.tiles import STAR
from themes import HIGHEST, Theme
from themes.numbers import darker
from tui.board.canvas import PART, Box, Canvas, Direction, FaceName, Size, Stamp, Style, cells

Tone = Literal["ivory", "ivory_shade", "glow", "greyed", "back"]
"""Colour of a tile, as the name of the theme's field; `back` is that of a ghost."""
Pose = Literal["lying", "standing", "half"]
"""Orientation of a tile; `half` is a first tile in lanes whose rows are fewer than its own."""

_TONES: tuple[Tone, ...] = get_args(Tone)
_POSES: tuple[Pose, ...] = get_args(Pose)
_DIACRITICS = (
    "\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352\u0357\u035b\u0363"
)
"""Diacritics that stand for the rows and columns 0, 1, 2 …"""
_CELLS = tuple(tuple(PART + row + column for column in _DIACRITICS) for row in _DIACRITICS[:8])
"""By row and column, the cell that shows this part of an image."""
_FIRST_IMAGE_NUMBER = 0x800000
"""First number of our images: other programs rarely use numbers this high."""


class TileImage(NamedTuple):
    """Everything that an image of a tile shows."""

    columns: int
    rows: int
    pose: Pose
    tone: Tone
    first: int
    """Number of the left or upper half. -1 is the star; the halves of Chinese tiles, from 1, follow the highest
    number of any domino.
    """
    second: int

    @property
    def number(self) -> int:
        """Number of the image, in 24 bits. It encodes all the fields, so it is the same in every session."""
        tone, pose = _TONES.index(self.tone), _POSES.index(self.pose)
        number = (self.columns << 18) + (self.rows << 15) + (tone << 12) + (pose << 10)
        return _FIRST_IMAGE_NUMBER + number + (self.first + 1 << 5) + self.second + 1

    @property
    def ink(self) -> str:
        """The number as a colour."""
        return f"#{self.number:06x}"


def image_cell_of(diacritics: str) -> tuple[int, int]:
    """Return the row and column of the image part that a cell with these diacritics shows."""
    return _DIACRITICS.index(diacritics[0]), _DIACRITICS.index(diacritics[1])


def tile_image_of(ink: str) -> TileImage:
    """Return the image that a cell refers to, given the cell's colour."""
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
def image_rows(tile_image: TileImage, background: str) -> tuple[Stamp, ...]:
    """Return the cells of a tile's image, row by row; the background is visible around its corners."""
    style = Style(tile_image.ink, background)
    return tuple(
        Stamp(
            _CELLS[row][: tile_image.columns],
            (style,) * tile_image.columns,
            (0, tile_image.columns),
        )
        for row in range(tile_image.rows)
    )


_FIRST_DIGIT = ("#", "#", "#", "#", "#")
_SECOND_DIGITS = (
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
"""Second digit of 10 to 18, in five rows of three dots."""
_HALF_BLOCKS = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
# Bits of a Braille code point for the left and right dot of each row.
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def has_figure(number: int) -> bool:
    """Return True if `figure_rows` can draw a number: one of two digits that a tile may have."""
    return 10 <= number < 10 + len(_SECOND_DIGITS)


def figure_rows(number: int) -> tuple[str, ...]:
    """Return a number of two digits in half blocks: three rows of five columns."""
    dots = [*_dot_rows(number), "....."]
    return tuple(
        "".join(_HALF_BLOCKS[upper + lower] for upper, lower in zip(*dots[row : row + 2], strict=True))
        for row in (0, 2, 4)
    )


def _dot_rows(number: int) -> list[str]:
    return [f"{first}.{digit}" for first, digit in zip(_FIRST_DIGIT, _SECOND_DIGITS[number - 10], strict=True)]


Segment = tuple[str, int]
"""Characters of a tile, and the number they belong to, or `MARGIN` or `GROOVE`."""

USUAL_HIGHEST = 9
"""Highest number with one digit: all sets up to it are drawn alike."""

NARROW_HIGHEST = 6
"""Highest number whose pips fit into the narrow face; above it, there are digits."""

MARGIN = -11
GROOVE = -12


class Face(Struct, frozen=True):
    """A way to draw a tile: the size of a half, and the function that fills the half."""

    name: FaceName
    half: Size
    halves: Callable[[int, Size, Direction], tuple[str, ...]]
    """Return the rows of a half, given its number, its size and the direction of the other half."""
    stands: bool = True
    """True if tiles of this face may stand; otherwise all of them lie."""
    groove: int = 1
    """Rows between the halves of a standing tile."""
    ascii: bool = False

    @property
    def lying(self) -> Size:
        """Size of a tile whose halves are side by side."""
        return Size(2 * self.half.w + 3, self.half.h)

    @property
    def standing(self) -> Size:
        """Size of a tile with one half above the other."""
        return Size(self.half.w + 2, 2 * self.half.h + self.groove) if self.stands else self.lying


@lru_cache(maxsize=8)
def faces(highest: int, *, ascii: bool = False) -> tuple[Face, ...]:
    """Return the faces for a set whose highest number is `highest`, the smallest first."""
    digits = len(str(highest))
    number, dots = _NUMBERS[ascii], _DOTS[ascii]
    narrow = Face("narrow", Size(2, 2), _braille, groove=0)
    medium = Face("medium", Size(3, 2), _braille, groove=0)
    if ascii:
        narrow = Face("narrow", Size(2, 1), number, ascii=True)
        medium = Face("medium", Size(3, 1), number, ascii=True)
    return (
        Face("line", Size(digits, 1), number, stands=False, ascii=ascii),
        Face("small", Size(digits, 1), number, ascii=ascii),
        *[narrow] * (highest <= USUAL_HIGHEST),
        medium,
        Face("tall", Size(3, 3), dots, ascii=ascii),
        Face("large", Size(5, 3), dots, ascii=ascii),
    )


def largest_fitting(faces: tuple[Face, ...], fits: Callable[[int, int], bool]) -> Face:
    """Return the largest face whose lying tile `fits`, given its columns and rows; the smallest if none does."""
    return next((face for face in reversed(faces) if fits(*face.lying)), faces[0])


@lru_cache(maxsize=64)
def faces_up_to(largest: FaceName | None, highest: int, *, ascii: bool = False) -> tuple[Face, ...]:
    """Return the faces for tiles on the table, the smallest first, up to the `largest`; None means all.

    The table has one more than hands: on the largest windows the others leave most of it empty.
    """
    all_faces = faces(highest, ascii=ascii)
    all_faces = (*all_faces, Face("huge", Size(7, 5), all_faces[-1].halves, ascii=ascii))
    names = [face.name for face in all_faces]
    return all_faces[: names.index(largest) + 1] if largest in names else all_faces


# Pips of each number on a grid of three by three, row by row.
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


def _digits(pips: int, size: Size, other_half: Direction, star: str = "★") -> tuple[str, ...]:
    """Return a half with its number in digits.

    If the middle is between two columns, digits lean towards the other half. If it is between two rows, the digits of
    both halves stand in opposite corners of the tile.
    """
    text = str(pips) if pips >= 0 else star
    spare_columns = size.w - len(text)
    text_row = " " * ((spare_columns + (other_half is not Direction.LEFT)) // 2) + text
    row = size.h // 2 if other_half in (Direction.LEFT, Direction.UP) else (size.h - 1) // 2
    return tuple(text_row.ljust(size.w) if y == row else " " * size.w for y in range(size.h))


def _dots(pips: int, size: Size, other_half: Direction, dot: str) -> tuple[str, ...]:
    """Return a half with pips as large dots, a column and a row apart if there is room; from 10 on, digits."""
    is_wide, is_tall = size.w > 3, size.h > 3
    if dot != "o" and has_figure(pips) and is_wide:
        return _centred(figure_rows(pips), size)
    if not 0 <= pips < len(GRIDS):
        return _digits(pips, size, other_half, "*" if dot == "o" else "★")
    gap = " " * is_wide
    rows = [gap.join(dot if cell == "o" else " " for cell in row) for row in GRIDS[pips].split()]
    return _centred([row for line in rows for row in (line, "")][:-1] if is_tall else rows, size)


def _centred(rows: Sequence[str], size: Size) -> tuple[str, ...]:
    """Return the rows of a half with blanks around them."""
    margin = (size.h - len(rows)) // 2
    rows = ["", *rows, ""] if margin else rows
    return tuple(row.center(size.w) for row in rows)


# By `ascii`. Each exists once: a partial object equals no other, and neither would two faces with their own.
_NUMBERS = (partial(_digits, star="★"), partial(_digits, star="*"))
_DOTS = (partial(_dots, dot="●"), partial(_dots, dot="o"))


def _braille(pips: int, size: Size, other_half: Direction) -> tuple[str, ...]:
    """Return a half with pips of 2×2 Braille dots, or 1×2 where three stand in a row; from 10 on, digits.

    A half of 6×8 dots has the grid in columns 0, 2 and 4 and rows 0, 3 and 6. In one of 4×8, pips are 1×2, and three
    do not fit in a row.
    """
    narrow = size.w < len(_DOT_COLUMNS)
    if not 0 <= pips < (NARROW_HIGHEST + 1 if narrow else len(GRIDS)):
        return _digits(pips, size, other_half)
    columns = _NARROW_DOT_COLUMNS if narrow else _DOT_COLUMNS if pips < 7 else _DOT_COLUMNS_OF_THREE
    cells = [[0] * size.w for _ in range(size.h)]
    for grid_row, row in enumerate(GRIDS[pips].split()):
        for dot_columns, cell in zip(columns, row, strict=True):
            if cell == "o":
                for y in (3 * grid_row, 3 * grid_row + 1):
                    for x in dot_columns:
                        cells[y // 4][x // 2] |= _BRAILLE[y % 4][x % 2]
    return tuple("".join(chr(0x2800 + dots) if dots else " " for dots in row) for row in cells)


_DOT_COLUMNS = ((0, 1), (2, 3), (4, 5))
"""Columns of dots for each column of pips."""
_DOT_COLUMNS_OF_THREE = ((0,), (2,), (4,))
_NARROW_DOT_COLUMNS = ((0,), (1, 2), (3,))


@lru_cache(maxsize=4096)
def segments(face: Face, first: int, second: int, standing: bool) -> tuple[tuple[Segment, ...], ...]:
    """Return the rows of a tile; `first` is its left or upper half."""
    left, right, vertical, horizontal = "[]|-" if face.ascii else "▐▌│─"
    first_rows = face.halves(first, face.half, Direction.DOWN if standing else Direction.RIGHT)
    second_rows = face.halves(second, face.half, Direction.UP if standing else Direction.LEFT)
    if not standing:
        return tuple(
            ((left, MARGIN), (first_text, first), (vertical, GROOVE), (second_text, second), (right, MARGIN))
            for first_text, second_text in zip(first_rows, second_rows, strict=True)
        )
    rows = [(first_text, first) for first_text in first_rows]
    rows += [(horizontal * face.half.w, GROOVE)] * face.groove
    rows += [(second_text, second) for second_text in second_rows]
    return tuple(((left, MARGIN), row, (right, MARGIN)) for row in rows)


@lru_cache(maxsize=256)
def _half_segments(face: Face, number: int) -> tuple[tuple[Segment, ...], ...]:
    """Return the rows of half a tile: a first tile in lanes whose rows are fewer than its own."""
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
    background: str = "",
    seam: bool = False,
) -> None:
    """Draw a tile in one of the theme's tile colours, on the canvas's background by default.

    `halves` are left and right, or upper and lower if the tile stands; half a tile shows the second. `seam`
    underlines its last row, except under pips, to separate it from the tile below.
    """
    standing = box.h > face.lying.h
    is_half = box.w < face.lying.w and not standing
    background = background or canvas.background.bg
    if theme.pictures and not face.ascii:
        pose: Pose = "standing" if standing else "half" if is_half else "lying"
        # Numbers above the highest of any set are the halves of Chinese tiles.
        first, second = (number + HIGHEST if theme.chinese else max(STAR.low, number) for number in halves)
        stamps = image_rows(TileImage(box.w, box.h, pose, tone, second if is_half else first, second), background)
    else:
        tile_colour, has_seam = getattr(theme, tone), seam and not face.ascii
        rim = theme.rim if tone != "back" else ""
        stamps = _stamps(
            face,
            halves,
            standing,
            is_half,
            theme.pips,
            theme.edge,
            tile_colour,
            background,
            has_seam,
            theme.chinese,
            rim,
        )
    for y, stamp in enumerate(stamps, box.y):
        canvas.stamp(box.x, y, stamp)


def draw_spot(canvas: Canvas, box: Box, theme: Theme, *, ascii: bool) -> None:
    """Draw the empty place of the next tile, a little lighter than the background."""
    left, right = "[]" if ascii else "▐▌"
    for y in range(box.y, box.bottom):
        canvas.put(box.x, y, left, Style(theme.band, theme.felt))
        canvas.put(box.x + 1, y, " " * (box.w - 2), Style(theme.band, theme.band))
        canvas.put(box.right - 1, y, right, Style(theme.band, theme.felt))


def _seam_style(cell: str, style: Style) -> Style:
    """Return the style of a cell at a seam: no underline below pips, where it would look like a part of them."""
    return style if cell == "●" or "\u2800" < cell <= "\u28ff" else style._replace(underlined=True)


@lru_cache(maxsize=1024)
def _stamps(
    face: Face,
    halves: tuple[int, int],
    standing: bool,
    is_half: bool,
    pips: tuple[str, ...],
    edge: str,
    tile_colour: str,
    background: str,
    seam: bool,
    grooveless: bool,
    rim: str,
) -> tuple[Stamp, ...]:
    """Return the rows of a tile. Memoized: most tiles of a screen were drawn before."""
    stamps = []
    rows = _half_segments(face, halves[1]) if is_half else segments(face, *halves, standing)
    for row_number, row in enumerate(rows):
        if standing and not face.groove and row_number == face.half.h:
            # Without a groove, shade the lower half, or two sixes would read as a twelve.
            tile_colour = darker(tile_colour)
        # Brackets belong to the tile; half blocks are half tile, half background or rim.
        margin = Style(pips[0], tile_colour) if face.ascii else Style(tile_colour, rim or background)
        line: list[str] = []
        styles: list[Style] = []
        cuts = [0]
        for text, number_or_gap in row:
            if number_or_gap == GROOVE and grooveless:
                text = " " * len(text)  # noqa: PLW2901 - no line between the halves
            if number_or_gap == MARGIN:
                style = margin
            elif number_or_gap == GROOVE:
                style = Style(pips[0] if face.ascii else edge, tile_colour)
            else:
                style = Style(pips[number_or_gap % len(pips)], tile_colour, True)
            line += cells(text)
            if seam and row_number == len(rows) - 1 and number_or_gap != MARGIN:
                blank = Style(edge, style.bg, underlined=True)
                styles += [blank if cell == " " else _seam_style(cell, style) for cell in cells(text)]
                cuts += range(len(line) - len(text) + 1, len(line))
            else:
                styles += [style] * len(text)
            cuts.append(len(line))
        stamps.append(Stamp(tuple(line), tuple(styles), tuple(cuts)))
    return tuple(stamps)
