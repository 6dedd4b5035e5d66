"""The themes' colours as terminals with 256 and with 16 colours show them, chosen by hand.

The nearest of 256 colours to a dark green is a teal, and that to two shades of one green is one colour: the band goes
teal and the bars vanish. Of 16 the nearest to felt is grey.
"""

from functools import cache
from typing import NamedTuple

from rich.color import Color

from themes import load_theme

PIPS_256 = (233, 25, 28, 160, 94, 20, 130, 125, 23, 92, 166, 64, 239, 127, 24, 89, 54, 58, 22)
PIPS_16 = tuple((0, 4, 5, 1)[pips % 4] for pips in range(19))
"""The four that can be read on white; neighbouring numbers differ."""

GROUNDS = ("felt", "band", "bar", "back", "ivory", "ivory_shade", "glow", "edge", "greyed")
WORDS = ("accent", "warning", "text", "quiet", "dim")

# In the order of GROUNDS, then of WORDS.
_256 = {
    "dark": ((22, 236, 233, 233, 230, 255, 231, 180, 144), (222, 217, 194, 158, 151)),
    "light": ((151, 188, 108, 65, 231, 230, 229, 137, 180), (52, 53, 233, 236, 238)),
}
_16 = {
    "dark": ((2, 0, 4, 4, 15, 15, 15, 8, 7), (11, 9, 15, 7, 7)),
    "light": ((2, 6, 7, 4, 15, 15, 15, 8, 7), (0, 0, 0, 0, 0)),
}
_LIGHT = frozenset({2, 3, 6, 7, 9, 10, 11, 13, 14, 15})
"""Of 16, the grounds on which black is read best, on every terminal's own idea of them."""
BLACK, WHITE = 0, 15


class Shade(NamedTuple):
    """One colour of a theme: what it is for, and its number among 256 and among 16."""

    word: bool
    of_256: int
    of_16: int


@cache
def shades() -> dict[str, Shade]:
    """All colours of all themes by their `#rrggbb`; a colour that is in two themes is one."""
    found: dict[str, Shade] = {}
    for name, (grounds, words) in _256.items():
        theme = load_theme(name)
        small_grounds, small_words = _16[name]
        for field, many, few in zip(GROUNDS, grounds, small_grounds, strict=True):
            found[getattr(theme, field)] = Shade(False, many, few)
        for field, many, few in zip(WORDS, words, small_words, strict=True):
            found[getattr(theme, field)] = Shade(True, many, few)
        for colour, many, few in zip(theme.pips, PIPS_256, PIPS_16, strict=True):
            found[colour] = Shade(False, many, few)
    return found


def shade_of(colour: Color | None) -> Shade | None:
    """What stands for a colour; None for one of no theme, such as Textual's own."""
    return shades().get(colour.triplet.hex) if colour is not None and colour.triplet is not None else None


def ink_of_16(ink: Shade, paper: Shade | None) -> int:
    """The number of an ink among 16: words are black on a light ground, whatever they are elsewhere."""
    if paper is None or not (ink.word or paper.word):
        return ink.of_16
    if paper.of_16 in _LIGHT:
        return BLACK
    return ink.of_16 if ink.word else WHITE
