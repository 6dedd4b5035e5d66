"""A page of text to scroll through."""

from typing import NamedTuple

from tui.board.canvas import Picture
from tui.draw.lists import draw_page, draw_text
from tui.draw.look import Look
from tui.i18n import _
from tui.model.keys import Key
from tui.screens.base import DrawnScreen

PAGE = 15
SCROLLING = (
    Key("scroll(-1)", "up,k"),
    Key("scroll(1)", "down,j"),
    Key(f"scroll(-{PAGE})", "pageup,left"),
    Key(f"scroll({PAGE})", "pagedown,right,space"),
    Key("scroll(-10000)", "home"),
    Key("scroll(10000)", "end"),
)


class Page(NamedTuple):
    """What stands on a page."""

    title: str
    """In the bar above it."""
    text: str
    status: str
    """In the bar below it."""


class PageScreen(DrawnScreen[None]):
    """Subclasses give the page, and add the keys that close it to `SCROLLING`."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._top = self._most = 0

    def page(self, width: int) -> Page:
        """Return what is on the page now, in a window of this many columns."""
        raise NotImplementedError

    def paint(self, width: int, height: int) -> Picture:
        """Show the part of the text that fits."""
        title, text, status = self.page(width)
        body, self._most = draw_text(text, self._top, width, height - 3, self.look)
        self._top = min(self._top, self._most)
        hints = [("Up" if self.look.ascii else "↑↓", _("scroll")), ("q", _("close"))]
        return draw_page(title, body, "", hints, status, width, self.look)

    def action_scroll(self, lines: int) -> None:
        """Move through the text."""
        self._top = max(0, min(self._most, self._top + lines))
        self.redraw()

    def on_mouse_scroll_down(self) -> None:
        """Scroll down by the wheel."""
        self.action_scroll(3)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up by the wheel."""
        self.action_scroll(-3)

    def action_close(self) -> None:
        """Go back to the screen below."""
        self.dismiss()
