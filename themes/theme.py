"""The colours of a table, as values."""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from themes.numbers import contrast

HIGHEST = 18
"""The highest number on any domino that is sold."""
SURFACE_COLOURS = ("felt", "band", "bar", "back", "ivory", "ivory_shade", "glow", "edge", "greyed")
"""The colours of surfaces."""
WORD_COLOURS = ("accent", "warning", "text", "quiet", "dim")
"""The colours of words on felt, band and bar."""


Numbers = dict[str, int | tuple[int, ...]]
"""Numbered colours by the fields of a theme."""


class BadTheme(Exception):  # noqa: N818 - its message is for players
    """A theme that does not exist or cannot be read; the message is a sentence."""


class Theme(Struct, frozen=True, cache_hash=True):
    """The colours of the table, each as `#rrggbb`."""

    felt: str
    """The table."""
    band: str
    """The background of the hand, slightly different from the felt."""
    bar: str
    """Title and status bars."""
    back: str
    """The back of a tile."""
    ivory: str
    ivory_shade: str
    """Every second tile of a vertical stack."""
    glow: str
    """The tile just laid."""
    edge: str
    """The groove between the halves of a tile."""
    greyed: str
    """A tile of the hand that does not fit now."""
    accent: str
    warning: str
    text: str
    quiet: str
    """Less important words."""
    dim: str
    """Closed ends."""
    pips: tuple[str, ...]
    """A hue for each number from 0 to `HIGHEST`."""
    pictures: bool = False
    """True if tiles are images in these colours, not drawn with characters."""
    chinese: bool = False
    """True for Chinese tiles, which have no groove."""

    @property
    def rim(self) -> str:
        """Colour of the edge of every tile, if ivory hardly stands out from the felt; otherwise empty."""
        return _rim_of(self)

    @property
    def of_chinese_tiles(self) -> "Theme":
        """The theme for Chinese tiles: ones and fours are red, all other pips dark."""
        return _of_chinese_tiles(self)


RIM_CONTRAST = 3.0
"""Contrast of ivory and felt below which tiles have a rim."""


@lru_cache(maxsize=64)
def _rim_of(theme: Theme) -> str:
    return theme.dim if contrast(theme.ivory, theme.felt) < RIM_CONTRAST else ""


RED_ONES = (1, 4)
"""The numbers with red pips on Chinese tiles."""


@lru_cache(maxsize=64)
def _of_chinese_tiles(theme: Theme) -> Theme:
    dark, red = theme.pips[0], max(theme.pips, key=_redness)
    pips = tuple(red if number in RED_ONES else dark for number in range(HIGHEST + 1))
    return replace(theme, pips=pips, chinese=True)


def _redness(colour: str) -> int:
    """Return by how much red exceeds the other two components of a colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red - max(green, blue)


MONO = Theme(
    felt="#000000",
    band="#000001",
    bar="#fffffa",
    back="#010000",
    ivory="#ffffff",
    ivory_shade="#fffffe",
    glow="#fffffd",
    edge="#000002",
    greyed="#000003",
    accent="#fffffc",
    warning="#fffffb",
    text="#000004",
    quiet="#000005",
    dim="#000006",
    pips=tuple(f"#0001{number:02x}" for number in range(HIGHEST + 1)),
)
"""The theme of terminals without colours: light surfaces are reversed, the accent bold, a warning underlined."""
