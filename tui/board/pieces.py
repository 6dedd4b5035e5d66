"""Marks the cells of a tile that is shown as a picture: which tile it is, and which part of it each cell shows.

Cells are marked as kitty's Unicode placeholders are: a character of its own with two marks, for row and column, in a
colour that is the number of the picture. So a tile stays text to everything that moves, compares or clips cells.
"""

from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from tui.board.canvas import PART, Stamp, Style

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


class Piece(NamedTuple):
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


def piece_of(ink: str) -> Piece:
    """Return what the picture of a marked cell shows, by the cell's colour."""
    number = int(ink[1:], 16)
    return Piece(
        number >> 18 & 31,
        number >> 15 & 7,
        _POSES[number >> 10 & 3],
        _TONES[number >> 12 & 7],
        (number >> 5 & 31) - 1,
        (number & 31) - 1,
    )


@lru_cache(maxsize=1024)
def parts(piece: Piece, ground: str) -> tuple[Stamp, ...]:
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
