"""The colours of a served session: what a terminal can show, and the filter that fits every style to it."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from rich.color import Color, ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Background
from textual.filter import LineFilter, monochrome_style

from tui.serve.palettes import ink_of_16, shade_of

_DIRECT = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "iterm2")
"""Terminals that always have 16 million colours, though ssh seldom sends their COLORTERM."""
_MONO = ("vt", "dumb", "unknown")
_BRIGHT = 8
"""The first bright colour among 16. Many terminals show a bold dark colour as bright, so bold black as grey."""


class Colours(Struct, frozen=True):
    """What one terminal shows: a colour system, None for no colours at all, and whether greys are wanted."""

    system: ColorSystem | None
    grey: bool = False


def colours_of(name: str, env: Mapping[str, str]) -> Colours:
    """Tell from TERM and the variables a terminal sent what it shows; NO_COLOR turns colours into greys."""
    grey = bool(env.get("NO_COLOR"))  # set and not empty, as no-color.org has it
    if name.startswith(_MONO) or name.endswith(("-m", "-mono")):
        return Colours(None, grey)
    if (
        env.get("COLORTERM", "").lower() in ("truecolor", "24bit")
        or name.startswith(_DIRECT)
        or name.endswith("-direct")
    ):
        return Colours(ColorSystem.TRUECOLOR, grey)
    if "256color" in name:
        return Colours(ColorSystem.EIGHT_BIT, grey)
    return Colours(ColorSystem.STANDARD, grey)


class FitColours(LineFilter):
    """Turns every style into one that holds no colour beyond the terminal's.

    Textual would leave that to the console's colour system; but a rich Style remembers its first rendering,
    and styles are shared by all apps of a process: the second session would get the colours of the first. So
    every console says true colour, and the styles themselves are made fit.
    """

    def __init__(self, colours: Colours) -> None:
        super().__init__()
        self._colours = colours

    def apply(self, segments: list[Segment], background: Background) -> list[Segment]:  # noqa: ARG002
        """Return the segments with fitting styles."""
        colours = self._colours
        return [
            Segment(text, None if style is None else fit(style, colours), control)
            for text, style, control in segments
        ]


@lru_cache(maxsize=4096)
def fit(style: Style, colours: Colours) -> Style:
    """Return a style like this one that holds no colour beyond `colours`; only the memory of it is shared."""
    if colours.system is None:
        return style.without_color
    if colours.grey:
        style = monochrome_style(style)
    if colours.system is ColorSystem.TRUECOLOR:
        return style
    ink, paper = shade_of(style.color), shade_of(style.bgcolor)
    if colours.system is ColorSystem.STANDARD:
        fitted = style + _style(style, ink and ink_of_16(ink, paper), paper and paper.of_16, colours.system)
        dark = fitted.color is not None and (fitted.color.number or 0) < _BRIGHT
        return fitted + Style(bold=False) if fitted.bold and dark else fitted
    return style + _style(style, ink and ink.of_256, paper and paper.of_256, colours.system)


def _style(style: Style, ink: int | None, paper: int | None, system: ColorSystem) -> Style:
    """Return a style of the numbered colours; a colour without a number becomes the nearest one."""
    return Style(
        color=Color.from_ansi(ink) if ink is not None else style.color and style.color.downgrade(system),
        bgcolor=Color.from_ansi(paper) if paper is not None else style.bgcolor and style.bgcolor.downgrade(system),
    )
