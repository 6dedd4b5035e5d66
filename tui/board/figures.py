"""Figures for the numbers above nine, which have no pips that a half of a tile could hold: from ten to eighteen."""

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
    dots = [*_dots(number), "....."]
    return tuple(
        "".join(_HALVES[upper + lower] for upper, lower in zip(*dots[row : row + 2], strict=True))
        for row in (0, 2, 4)
    )


def in_braille(number: int) -> tuple[str, ...]:
    """Return the figure in three columns and two rows, of Braille dots."""
    first, second, third, fourth, fifth = _dots(number)
    dots = [row + "." for row in (".....", first, second, second, third, fourth, fourth, fifth)]
    cells = [[0x2800] * 3 for _ in range(2)]
    for y, row in enumerate(dots):
        for x, dot in enumerate(row):
            cells[y // 4][x // 2] |= _BRAILLE[y % 4][x % 2] * (dot == "#")
    return tuple("".join(map(chr, row)).replace("\u2800", " ") for row in cells)


def _dots(number: int) -> list[str]:
    return [f"{one}.{digit}" for one, digit in zip(_ONE, _DIGITS[number - 10], strict=True)]
