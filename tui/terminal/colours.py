"""The colours of a session: those that a terminal can show, and the nearest ones for every style."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from rich.color import Color, ColorSystem
from rich.style import Style
from textual.filter import monochrome_style

from themes import MONO, Depth
from themes.numbers import (
    BLACK,
    LIGHT_BACKGROUNDS,
    WHITE,
    depth_of,
    luminance,
    number_of_16,
    number_of_256,
    wants_grey,
)

_SYSTEMS = {
    Depth.ALL: ColorSystem.TRUECOLOR,
    Depth.MANY: ColorSystem.EIGHT_BIT,
    Depth.FEW: ColorSystem.STANDARD,
    Depth.NONE: None,
}
_FIRST_BRIGHT = 8
"""The first bright colour among 16. Many terminals show a bold dark colour as bright, so bold black as grey."""
_MIN_LIGHT_LUMINANCE = 0.5
"""Luminance above which a background is reversed on a terminal without colours."""


class Colours(Struct, frozen=True):
    """The abilities of a terminal: its colour system, None for no colours at all, and whether greys are wanted."""

    system: ColorSystem | None
    uses_grey: bool = False


def colours_of(name: str, env: Mapping[str, str]) -> Colours:
    """Return the colours of a terminal, by its TERM and environment; NO_COLOR turns colours into greys."""
    return Colours(_SYSTEMS[depth_of(name, env)], wants_grey(env))


@lru_cache(maxsize=4096)
def fit(style: Style, colours: Colours) -> Style:
    """Return the nearest style that uses only `colours`. Memoized for all sessions."""
    if colours.system is None:
        return _uncoloured(style)
    if colours.uses_grey and not (_is_grey(style.color) and _is_grey(style.bgcolor)):
        style = monochrome_style(style)
    if colours.system is ColorSystem.TRUECOLOR:
        return style
    ink, paper = _hex_of(style.color), _hex_of(style.bgcolor)
    if colours.system is ColorSystem.EIGHT_BIT:
        return style + _numbered_style(ink and number_of_256(ink), paper and number_of_256(paper))
    fitted = style + _numbered_style(ink and _ink_of_16(ink, paper), paper and number_of_16(paper)[0])
    is_dark = fitted.color is not None and (fitted.color.number or 0) < _FIRST_BRIGHT
    return fitted + Style(bold=False) if fitted.bold and is_dark else fitted


def _hex_of(colour: Color | None) -> str:
    """Return a colour as `#rrggbb`; empty for none, and for the terminal's named colours."""
    return colour.triplet.hex if colour is not None and colour.triplet is not None else ""


def _is_grey(colour: Color | None) -> bool:
    """Return True if a colour is grey, or off by one: the theme's stand-in for a word is."""
    return colour is None or colour.triplet is None or max(colour.triplet) - min(colour.triplet) <= 1


def _numbered_style(ink: int | str, paper: int | str) -> Style:
    """Return a style of numbered colours; an empty text stands for no colour."""
    return Style(
        color=Color.from_ansi(ink) if isinstance(ink, int) else None,
        bgcolor=Color.from_ansi(paper) if isinstance(paper, int) else None,
    )


def _ink_of_16(ink: str, paper: str) -> int:
    """Return the number of `ink` on `paper` among 16: a word on a light paper is black, whatever its own colour."""
    number, is_word = number_of_16(ink)
    background, is_paper_of_word = number_of_16(paper) if paper else (BLACK, False)
    if not is_word and not is_paper_of_word:
        return number
    if background in LIGHT_BACKGROUNDS:
        return BLACK
    return number if is_word and number in LIGHT_BACKGROUNDS else WHITE


def _uncoloured(style: Style) -> Style:
    """Return a style without colours: light surfaces are reversed, the accent is bold, a warning underlined."""
    ink, paper = _hex_of(style.color), _hex_of(style.bgcolor)
    plain_style = style.without_color
    if paper and luminance(paper) > _MIN_LIGHT_LUMINANCE:
        plain_style += Style(reverse=not style.reverse)
    if ink in (MONO.accent, MONO.warning):
        plain_style += Style(bold=True)
    return plain_style + Style(underline=True) if ink == MONO.warning or paper == MONO.ivory_shade else plain_style
