"""A widget that shows rows drawn elsewhere by pure functions, and repaints only what changed."""

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.color import Color
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui.board.canvas import Hit, Picture, Run, Style, columns

Row = tuple[Run, ...]

_UNUSED = Color(0, 0, 0)
"""What is under a row, for filters that mix colours with it; ours have solid ones."""


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
        self._styles: dict[Style, RichStyle | None] = {}

    def show(self, picture: Picture) -> None:
        """Show a picture of this widget's size; what stays the same is not painted again."""
        old, self.picture = self.picture.rows, picture
        if picture.rows == old:
            return
        if len(picture.rows) != len(old):
            self._strips = [self._strip(row) for row in picture.rows]
            self.refresh()
            return
        regions = []
        for y, (before, row) in enumerate(zip(old, picture.rows, strict=True)):
            if row != before:
                self._strips[y] = self._strip(row)
                x, end = changed(before, row)
                regions.append(Region(x, y, end - x, 1))
        self.refresh(*regions)

    def forget(self) -> None:
        """Let go of the picture, which is some 100 KiB, until the next is shown."""
        self.picture = Picture((), "")
        self._strips = []

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return some rows, ready to be sent.

        A picture has no border, padding or links, so nothing of what Textual does to the lines of a widget
        is needed, and no memory of it either: that was more than half of a session's.
        """
        width = self.size.width
        rows = [self.render_line(y) for y in crop.line_range]
        rows = [row if row.cell_length == width else row.adjust_cell_length(width) for row in rows]
        return rows if crop.width == width else [row.crop(crop.x, crop.right) for row in rows]

    def render_line(self, y: int) -> Strip:
        """Return one row."""
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    def _strip(self, row: Row) -> Strip:
        return Strip([Segment(text, self._fitting(style)) for text, style in row])

    def _fitting(self, style: Style) -> RichStyle | None:
        """Return a style as this session's terminal can show it; a row has many segments and few styles."""
        if style not in self._styles:
            segments = [Segment(" ", RichStyle(color=style.fg, bgcolor=style.bg, bold=style.bold))]
            for each in self.get_line_filters():
                segments = each.apply(segments, _UNUSED)
            self._styles[style] = segments[0].style
        return self._styles[style]

    def on_mouse_down(self, event: "object") -> None:
        """Tell the screen what was clicked."""
        x, y = getattr(event, "x", -1), getattr(event, "y", -1)
        hit = self.picture.hit(x, y)
        if hit is not None:
            self.post_message(self.Clicked(self, hit))


def changed(old: Row, new: Row) -> tuple[int, int]:
    """Return the columns between which a row differs from one of the same width, run by run."""
    pairs = list(zip(old, new, strict=False))
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), len(pairs))
    tails = list(zip(reversed(old[same:]), reversed(new[same:]), strict=False))
    same_tail = next((n for n, (a, b) in enumerate(tails) if a != b), len(tails))
    start = sum(columns(text) for text, _ in new[:same])
    return start, start + sum(columns(text) for text, _ in new[same : len(new) - same_tail])
