"""The screen that shows a picture drawn elsewhere by pure functions, and repaints only what changed."""

from functools import lru_cache, partial
from typing import Generic, TypeVar

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.color import Color
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Region
from textual.strip import Strip

from tui.board.canvas import Picture, Style, columns
from tui.board.diff import Ink, Inks, changes, ink_of, repainted
from tui.serve.driver import ServedDriver, fast_of
from tui.serve.textual_private import HookedScreen, driver_of, shows_nothing

R = TypeVar("R")
_UNUSED = Color(0, 0, 0)
"""The colour under a row, for filters that mix colours with it; ours do not."""


class PictureScreen(HookedScreen[R], Generic[R]):
    """A screen that is one picture on the line API: no widgets but a line to type in, no markup, nothing parsed."""

    DEFAULT_CSS = "PictureScreen { overflow: hidden; }"

    def __init__(self) -> None:
        super().__init__()
        self.picture = Picture(())
        self._owed = True
        """Whether Textual has been asked to paint and has not done so yet: then it must paint what follows, too."""

    @property
    def typing(self) -> bool:
        """Whether there is a line to type in, which only Textual may paint."""
        return False

    def show(self, picture: Picture) -> None:
        """Show a picture of this screen's size; what stays the same is not painted again."""
        old, self.picture = self.picture, picture
        if picture.size != old.size:
            self._owed = True
            self.refresh()
        elif self._owed or not self._write(old):
            self._owed = True
            rows = enumerate(zip(old.rows, picture.rows, strict=True))
            spans = [(y, *span) for y, (was, row) in rows if was != row for span in changes(was, row, self.inks)]
            if spans:
                self.refresh(*(Region(x, y, sum(columns(text) for text, _ in runs), 1) for y, x, runs in spans))

    def _write(self, old: Picture | None) -> bool:
        """Write what changed to the terminal past Textual, if nothing lies over it; from None, everything."""
        driver = driver_of(self.app)
        if not fast_of(self.app).paint or not isinstance(driver, ServedDriver):
            return False
        if self.typing or self.app.screen is not self or not driver.fits(self.size):
            return False
        if written := repainted(old, self.picture, self.inks):
            driver.paint(written)
        return True

    def paints_itself(self) -> bool:
        """Write the whole picture, if it fits."""
        if self.picture.size != self.size or not self._write(None):
            return False
        self._owed = False
        return True

    def outdate(self) -> None:
        """Let nothing be clicked any more: how things are now is not shown yet."""
        self.picture = self.picture.answering(())

    def forget(self) -> None:
        """Release the picture, which is some 100 KiB, until the next is shown."""
        self.picture = Picture(())

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return what Textual asks for, which paints all that was owed."""
        self._owed = shows_nothing(self.app)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Return one row; Textual fits its colours to the terminal."""
        row = self.picture.rows[y] if y < self.picture.height else ()
        return Strip([Segment(text, _rich(style)) for text, style in row])

    @property
    def inks(self) -> Inks:
        """How this session's terminal is told to write in each style: ours name no colours to be resolved first."""
        return _inks_through(tuple(each for each in self.get_line_filters() if not isinstance(each, ANSIToTruecolor)))


@lru_cache(maxsize=16)
def _inks_through(filters: tuple[LineFilter, ...]) -> Inks:
    """Return the inks of all sessions whose terminals show the same colours: each of its own would be 10 KiB."""
    return Inks(partial(_ink_through, filters=filters))


def _ink_through(style: Style, filters: tuple[LineFilter, ...]) -> Ink:
    segments = [Segment("x", _rich(style))]
    for each in filters:
        segments = each.apply(segments, _UNUSED)
    written = (segments[0].style or RichStyle()).render("x", color_system=ColorSystem.TRUECOLOR)
    return ink_of(written.partition("x")[0].removeprefix("\x1b[").removesuffix("m"))


@lru_cache(maxsize=4096)
def _rich(style: Style) -> RichStyle:
    return RichStyle(color=style.fg, bgcolor=style.bg, bold=style.bold, underline=style.underlined or None)
