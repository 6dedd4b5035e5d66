"""Colour depths of terminals, the 256 or 16 numbered colours, and their stand-ins in a theme.

A theme has only colours of the form `#rrggbb`, so a stand-in represents each numbered colour. Of the 256, those from
16 on look the same on every terminal: they stand for themselves. Each terminal has its own first 16, for which
xterm's are the stand-ins. The stand-in of a word differs from that of a surface in the last bit of its blue, because
only words may be changed to black or white for contrast.
"""

from collections.abc import Mapping
from enum import Enum
from functools import cache

XTERM = (
    *("#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5"),
    *("#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"),
)
"""The 16 colours of xterm."""
VGA = (
    *("#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa"),
    *("#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff"),
)
"""The 16 colours of a console."""
LIGHT_BACKGROUNDS = frozenset({2, 3, 6, 7, 9, 10, 11, 13, 14, 15})
"""Backgrounds among the 16 colours on which black is most readable, whatever the terminal's exact colours."""
BLACK, WHITE = 0, 15
FIRST_FIXED = 16
"""First of the 256 colours that look the same everywhere."""
_CUBE_LEVELS = (0, 95, 135, 175, 215, 255)
"""Intensities of red, green and blue in the cube of 6×6×6 colours that begins at `FIRST_FIXED`."""
_FIRST_GREY = 232
"""First of the 24 greys after the cube."""


def colour_of_256(number: int) -> str:
    """Return the stand-in of one of 256 colours, from `FIRST_FIXED` on: the colour itself."""
    if number >= _FIRST_GREY:
        return "#" + f"{8 + 10 * (number - _FIRST_GREY):02x}" * 3
    red, green, blue = (number - FIRST_FIXED) // 36, (number - FIRST_FIXED) // 6 % 6, (number - FIRST_FIXED) % 6
    return "#" + "".join(f"{_CUBE_LEVELS[level]:02x}" for level in (red, green, blue))


def colour_of_16(number: int, *, is_word: bool = False) -> str:
    """Return the stand-in of one of 16 colours, for a word if `is_word`, else for a surface."""
    colour = XTERM[number]
    return f"{colour[:5]}{int(colour[5:], 16) ^ is_word:02x}"


_NUMBERS_OF_256 = {colour_of_256(number): number for number in reversed(range(FIRST_FIXED, 256))}
_NUMBERS_OF_16 = {
    colour_of_16(number, is_word=is_word): (number, is_word) for number in range(16) for is_word in (False, True)
}


@cache
def number_of_256(colour: str) -> int:
    """Return the number of a stand-in among 256, or of the most similar colour if `colour` is no stand-in.

    A colour whose darker shade is `colour` is never returned: the halves of a tile would look the same.
    """
    if colour in _NUMBERS_OF_256:
        return _NUMBERS_OF_256[colour]
    return nearest(colour, {n: c for c, n in _NUMBERS_OF_256.items() if darker(c) != colour})


@cache
def number_of_16(colour: str) -> tuple[int, bool]:
    """Return the number of a stand-in among 16, and True if it is for a word; of another colour, the most similar and
    False.
    """
    return _NUMBERS_OF_16[colour] if colour in _NUMBERS_OF_16 else (nearest(colour, dict(enumerate(XTERM))), False)


def nearest(colour: str, choices: dict[int, str]) -> int:
    """Return the number of the most similar colour.

    Distances are those of Oklab, in which equal steps look equal. A different hue is worse than a different
    lightness: a dark green may become lighter, but not teal.
    """
    return min(choices, key=lambda number: distance(colour, choices[number], hue=4))


def distance(colour: str, other: str, hue: float = 1) -> float:
    """Return the visible difference of two colours: 0.02 is visible if they touch. `hue` is the weight of hues."""
    lightness, a, b = (first - second for first, second in zip(_oklab(colour), _oklab(other), strict=True))
    return float((lightness**2 + hue * (a**2 + b**2)) ** 0.5)


@cache
def darker(colour: str) -> str:
    """Return a slightly darker colour, for the lower half of a tile without a groove."""
    return "#" + "".join(f"{int(colour[i : i + 2], 16) * 15 // 16:02x}" for i in (1, 3, 5))


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2.1, from 1 to 21."""
    dark, light = sorted((luminance(colour), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@cache
def luminance(colour: str) -> float:
    """Return the relative luminance of a colour by WCAG 2.1."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue on a linear scale."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return red, green, blue


@cache
def _oklab(colour: str) -> tuple[float, float, float]:
    """Return lightness, green to red, and blue to yellow (Ottosson 2020)."""
    red, green, blue = linear(colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


_TRUE_COLOUR_TERMINALS = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "iterm2")
"""Terminals with 16 million colours, although ssh rarely forwards their COLORTERM."""
_COLOURLESS_TERMINALS = ("vt", "dumb", "unknown")


class Depth(Enum):
    """Number of colours that a terminal shows."""

    ALL = "16 million"
    MANY = "256"
    FEW = "16"
    NONE = "none"


def depth_of(name: str, env: Mapping[str, str]) -> Depth:
    """Return the colour depth of a terminal, by its TERM and environment."""
    if name.startswith(_COLOURLESS_TERMINALS) or name.endswith(("-m", "-mono")):
        return Depth.NONE
    if (
        env.get("COLORTERM", "").lower() in ("truecolor", "24bit")
        or name.startswith(_TRUE_COLOUR_TERMINALS)
        or name.endswith("-direct")
    ):
        return Depth.ALL
    return Depth.MANY if "256color" in name + env.get("COLORTERM", "") else Depth.FEW


def wants_grey(env: Mapping[str, str]) -> bool:
    """Return True if NO_COLOR is set and not empty, as specified by no-color.org: then colours become greys."""
    return bool(env.get("NO_COLOR"))
