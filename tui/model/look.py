"""How a session shows things."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from core.combos.state import ComboView
from core.layout.state import LayoutView
from core.variant import AnyView
from themes import DEFAULT_THEME, Depth, Theme, load_theme, proper_name
from themes.numbers import depth_of, wants_grey

GREY = "mono"
"""The theme of those who want no colours, whatever theme they name."""
USUAL = (80, 24)
"""Columns and rows that every part has room in; in a smaller window there is less around the board."""


def narrow(width: int) -> bool:
    """Whether a window has fewer columns than usual."""
    return width < USUAL[0]


class Look(Struct, frozen=True):
    """How a session shows things."""

    theme: Theme
    """The colours, as this terminal can show them."""
    ascii: bool = False
    """For terminals that may not know more than ASCII."""
    name: str = DEFAULT_THEME
    """The name of the theme."""
    depth: Depth = Depth.ALL
    """How many colours the terminal shows."""
    grey: bool = False
    """Whether no colours are wanted."""
    cell: tuple[int, int] | None = None
    """The width and height of a cell in pixels, where tiles are shown as pictures."""
    moves: bool = False
    """Whether something may move for a moment: a tile that is laid glows."""

    @property
    def enter(self) -> str:
        """What the Enter key is called."""
        return "Enter" if self.ascii else "↵"

    @property
    def glowing(self) -> "Look":
        """The look at the moment in which a tile is laid; the same where nothing moves.

        Pictures stay as they are: a terminal knows each of them in one colour.
        """
        if not self.moves or self.grey or self.theme.pictures:
            return self
        return replace(self, theme=replace(self.theme, glow=self.theme.accent))

    def for_tiles(self, view: AnyView | None) -> "Look":
        """The look of a table with the tiles that a view has: dominoes, or Chinese tiles."""
        chinese = isinstance(view, LayoutView | ComboView) and view.faces == "chinese"
        return replace(self, theme=self.theme.of_chinese_tiles) if chinese else self

    def with_theme(self, name: str) -> "Look":
        """Return the look of the same terminal in another theme. Raises `themes.BadTheme`."""
        theme = load_theme(GREY if self.grey else name, self.depth)
        plain = self.ascii or self.grey or name == GREY or self.depth is not Depth.ALL
        pictures = self.cell is not None and not plain
        return replace(self, theme=replace(theme, pictures=pictures), name=proper_name(name))


def look_for_terminal(
    terminal: str,
    env: Mapping[str, str],
    name: str,
    *,
    ascii: bool = False,
    cell: tuple[int, int] | None = None,
    moves: bool = False,
) -> Look:
    """Return the look of a theme on a terminal of some name and environment. Raises `themes.BadTheme`.

    A terminal that shows pictures says how many pixels a `cell` has. Nothing `moves` where a line may be slow.
    """
    theme = load_theme(name)  # also where it is not shown, so that a bad one is told
    return Look(theme, ascii, depth=depth_of(terminal, env), grey=wants_grey(env), cell=cell, moves=moves).with_theme(
        name
    )
