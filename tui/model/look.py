"""The look of a session: theme, colours and cell size of its terminal."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from core.combos.state import ComboView
from core.layout.state import LayoutView
from core.variant import AnyView
from themes import DEFAULT_THEME, Depth, Theme, current_name, load_theme
from themes.numbers import depth_of, wants_grey

if TYPE_CHECKING:
    from tui.board.canvas import FaceName

GREY = "mono"
"""The theme of users who want no colours, whatever theme they choose."""
USUAL_WINDOW = (80, 24)
"""Columns and rows that suffice for every part; a smaller window has less around the board."""


def is_narrow(width: int) -> bool:
    """Return True if a window has fewer columns than usual."""
    return width < USUAL_WINDOW[0]


class Look(Struct, frozen=True):
    """Theme, colours and cell size of a terminal."""

    theme: Theme
    """The theme, with only the colours that this terminal can show."""
    ascii: bool = False
    """True for terminals that may not support more than ASCII."""
    name: str = DEFAULT_THEME
    """The name of the theme."""
    depth: Depth = Depth.ALL
    """Colour depth of the terminal."""
    grey: bool = False
    """True if no colours are wanted."""
    cell: tuple[int, int] | None = None
    """Width and height of a cell in pixels, if tiles are drawn as images."""
    largest: "FaceName | None" = None
    """The largest size of tiles on a table; None for any."""
    moves: bool = False
    """True if short animations are allowed: a newly laid tile glows."""

    touched: bool = False
    """True if the player has only a finger: a bar with buttons stands below, so no keys are named."""

    @property
    def enter(self) -> str:
        """Name of the Enter key."""
        return "Enter" if self.ascii else "↵"

    @property
    def glowing(self) -> "Look":
        """The look while a newly laid tile glows; the same look if animations are off.

        Images do not glow: a terminal has each of them in one colour.
        """
        if not self.moves or self.grey or self.theme.pictures:
            return self
        return replace(self, theme=replace(self.theme, glow=self.theme.accent))

    def for_tiles(self, view: AnyView | None) -> "Look":
        """Return the look for the tiles of a view: dominoes, or Chinese tiles."""
        chinese = isinstance(view, LayoutView | ComboView) and view.faces == "chinese"
        return replace(self, theme=self.theme.of_chinese_tiles) if chinese else self

    def with_theme(self, name: str) -> "Look":
        """Return the look of the same terminal in another theme. Raises `themes.BadTheme`."""
        theme = load_theme(GREY if self.grey else name, self.depth)
        plain = self.ascii or self.grey or name == GREY or self.depth is not Depth.ALL
        pictures = self.cell is not None and not plain
        return replace(self, theme=replace(theme, pictures=pictures), name=current_name(name))


def look_for_terminal(
    terminal: str,
    env: Mapping[str, str],
    name: str,
    *,
    ascii: bool = False,
    cell: tuple[int, int] | None = None,
    moves: bool = False,
    touched: bool = False,
) -> Look:
    """Return the look of a theme on a terminal with this name and environment. Raises `themes.BadTheme`.

    `cell` is the size of a cell in pixels, if the terminal shows images. `moves` is False on slow connections.
    `touched` is True on a page that is touched.
    """
    theme = load_theme(name)  # loaded even if it is replaced by grey, so that a bad theme is reported
    look = Look(
        theme, ascii, depth=depth_of(terminal, env), grey=wants_grey(env), cell=cell, moves=moves, touched=touched
    )
    return look.with_theme(name)
