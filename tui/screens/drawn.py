"""What all our screens have in common: one picture that fills the window, drawn anew when something changed."""

from typing import Generic, TypeVar

from textual.app import ComposeResult
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

from tui.board.canvas import Picture
from tui.drawn import Drawn
from tui.scene import NEEDED, Look, draw_too_small
from tui.screens.line import Line

LEAVING = ("leave", "close", "cancel", "quit")
"""What our screens call the actions that leave them; they work in the smallest window."""
R = TypeVar("R")


class DrawnScreen(Screen[R], Generic[R]):
    """A screen that is one picture. Heirs say in `paint` how it looks in a window of a given size."""

    DEFAULT_CSS = "DrawnScreen > Drawn { width: 1fr; height: 1fr; }"
    AUTO_FOCUS = None

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._canvas = Drawn()

    def compose(self) -> ComposeResult:
        """Yield the one widget."""
        yield self._canvas

    @property
    def too_small(self) -> bool:
        """Whether the window has no room for the picture."""
        return self.size.width < NEEDED[0] or self.size.height < NEEDED[1]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let no key do what cannot be seen, or what a line being typed did not use, but for those that leave."""
        if (self.too_small or self.query(Line)) and action not in LEAVING:
            return False
        return super().check_action(action, parameters)

    def paint(self, width: int, height: int) -> Picture:
        """Return the picture for a window of at least `NEEDED` cells."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Show how things are now; harmless before the screen is up."""
        if not self.is_attached or not self.size:
            return
        width, height = self.size
        self._canvas.show(draw_too_small(width, height, self.look) if self.too_small else self.paint(width, height))

    def on_resize(self) -> None:
        """Fit the picture to the window."""
        self.redraw()

    def render_lines(self, crop: Region) -> list[Strip]:  # noqa: ARG002
        """Paint nothing: the picture lies over all of the screen."""
        return []

    def on_screen_suspend(self) -> None:
        """Forget the picture while another screen is in front."""
        self._canvas.forget()

    def on_screen_resume(self) -> None:
        """Catch up with what happened while another screen was in front."""
        self.redraw()
