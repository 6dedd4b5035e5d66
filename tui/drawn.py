"""A widget that shows rows drawn elsewhere by pure functions, and repaints only what changed."""

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui.board.canvas import Hit, Picture, Run, Style

_BLANK = Strip([])


@lru_cache(maxsize=4096)
def rich_style(style: Style) -> RichStyle:
    """Turn our style into one that Textual paints."""
    return RichStyle(color=style.fg, bgcolor=style.bg, bold=style.bold)


class Drawn(Widget):
    """Rows of runs on the line API: no layout of children, no markup, nothing parsed."""

    can_focus = False

    class Clicked(Message):
        """The mouse was pressed on something that a picture marks as answering to it."""

        def __init__(self, drawn: "Drawn", hit: Hit) -> None:
            super().__init__()
            self.drawn = drawn
            self.hit = hit

        @property
        def control(self) -> "Drawn":
            """The widget that was clicked."""
            return self.drawn

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.picture = Picture((), "")
        self._strips: list[Strip] = []

    def show(self, picture: Picture) -> None:
        """Show a picture of this widget's size; rows that stay the same are not painted again."""
        old = self.picture.rows
        if picture.rows == old:
            self.picture = picture
            return
        width = self.size.width
        changed = [
            y for y, row in enumerate(picture.rows) if y >= len(old) or y >= len(self._strips) or row != old[y]
        ]
        strips = self._strips[: len(picture.rows)]
        for y in changed:
            strip = _strip(picture.rows[y])
            if y < len(strips):
                strips[y] = strip
            else:
                strips.append(strip)
        self._strips = strips
        self.picture = picture
        if len(changed) == len(picture.rows) or len(old) != len(picture.rows):
            self.refresh()
        else:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        """Return one row."""
        return self._strips[y] if y < len(self._strips) else _BLANK

    def on_mouse_down(self, event: "object") -> None:
        """Tell the screen what was clicked."""
        x, y = getattr(event, "x", -1), getattr(event, "y", -1)
        hit = self.picture.hit(x, y)
        if hit is not None:
            self.post_message(self.Clicked(self, hit))


def _strip(row: tuple[Run, ...]) -> Strip:
    return Strip([Segment(text, rich_style(style)) for text, style in row])
