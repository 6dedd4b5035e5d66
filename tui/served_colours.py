"""The colours of a served session: what a terminal can show, and the filter that fits every style to it."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter, monochrome_style

_DIRECT = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "iterm2")
"""Terminals that always have 16 million colours, though ssh seldom sends their COLORTERM."""
_MONO = ("vt", "dumb", "unknown")


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

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
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
    ink, paper = style.color, style.bgcolor
    return style + Style(
        color=None if ink is None else ink.downgrade(colours.system),
        bgcolor=None if paper is None else paper.downgrade(colours.system),
    )
