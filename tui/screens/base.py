"""What all our screens are made of: one picture that fills the window; only what changed is painted again."""

import os
from collections.abc import Callable
from functools import lru_cache, partial
from time import monotonic
from typing import ClassVar, Generic, NamedTuple, TypeVar

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.actions import parse
from textual.await_complete import AwaitComplete
from textual.color import Color
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Region
from textual.strip import Strip

from net.doors.answers import seconds_in
from net.host.metrics import UNWATCHED, Stage
from tui.board.canvas import Hit, Picture, Style, columns, over_the_bottom
from tui.board.diff import Ink, Inks, changes, ink_of, repainted
from tui.draw.look import Look
from tui.draw.panels import draw_page, draw_text, draw_typed_line
from tui.draw.rows import NEEDED, draw_too_small
from tui.i18n import _
from tui.model.keys import Key, bindings, meant
from tui.model.typed import Typed, TypedLine
from tui.pictures.uploads import supply
from tui.terminal.app import TerminalApp
from tui.terminal.driver import TerminalDriver, fast_of
from tui.terminal.textual_private import HookedScreen, binds, driver_of, key_of, shows_nothing

R = TypeVar("R")
A = TypeVar("A")
_UNUSED = Color(0, 0, 0)
"""The colour under a row, for filters that mix colours with it; ours do not."""


class PictureScreen(HookedScreen[R], Generic[R]):
    """A screen that is one picture on the line API: no widgets, no markup, nothing parsed."""

    DEFAULT_CSS = "PictureScreen { overflow: hidden; }"

    def __init__(self) -> None:
        super().__init__()
        self.picture = Picture(())
        self._owed = True
        """Whether Textual has been asked to paint and has not done so yet: then it must paint what follows, too."""

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
        if not fast_of(self.app).paint or not isinstance(driver, TerminalDriver):
            return False
        if self.app.screen is not self or not driver.fits(self.size):
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


class DrawnScreen(PictureScreen[R], Generic[R]):
    """A screen that is one picture. Subclasses say in `paint` how it looks in a window of a given size."""

    KEYS: ClassVar[tuple[Key, ...]] = ()
    """What can be done here, and by which keys."""
    BINDINGS = [("ctrl+c", "interrupt", ""), ("ctrl+z", "app.suspend_process", "")]
    AUTO_FOCUS = ""  # nothing takes it, and Textual would look for what does
    SETTLES: ClassVar[float] = seconds_in(os.environ, "BONEYARD_SETTLES", 0.7)
    """Seconds for which keys and clicks are dropped after the screen changed by itself: they were meant for what was
    there before."""
    _keys: ClassVar[dict[str, Key]] = {}

    def __init_subclass__(cls, **kwargs: bool) -> None:
        """Bind the keys of a screen."""
        cls._keys = {name: key for key in cls.KEYS for name in key.names}
        cls.BINDINGS = bindings(cls.KEYS)
        super().__init_subclass__(**kwargs)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._dress(look)
        self._ends: list[Callable[[], None]] = []
        self._settled_at = 0.0
        self.line: TypedLine | None = None
        """What is typed at the bottom of the window."""
        self._typed_for: Callable[[str], object] = str
        """What the line is for."""
        self._needed = True

    def on_mount(self) -> None:
        """Watch for when the shell has stopped Boneyard and lets it go on: the terminal has forgotten the picture."""
        self.app.app_resume_signal.subscribe(self, lambda _app: self.paint_again())

    def until_closed(self, end: Callable[[], None]) -> None:
        """Have something ended together with this screen."""
        self._ends.append(end)

    def on_unmount(self) -> None:
        """End what goes on only as long as the screen is there."""
        for end in self._ends:
            end()

    def paint_again(self) -> None:
        """Paint everything again."""
        self.forget()
        self.redraw()

    def settle(self) -> None:
        """Drop the keys that come now: the screen has just changed without its player's doing."""
        self._settled_at = monotonic() + self.SETTLES

    @property
    def settling(self) -> bool:
        """Whether what is pressed now was meant for what stood here before; typing goes on."""
        return monotonic() < self._settled_at and self.line is None

    @property
    def too_small(self) -> bool:
        """Whether the window has no room for the picture."""
        width, height = self.size
        return width < NEEDED[0] or height < NEEDED[1]

    @property
    def typed(self) -> Typed | None:
        """What is typed into the picture, where it takes text and no key stands for anything else."""
        return self.line

    def wrote(self) -> None:
        """Show what was typed into the picture; do what a line is for that is done."""
        line = self.line
        if line and line.done:
            self.close_line()
            if (text := line.text.strip()) or not self._needed:
                self._typed_for(text)
        else:
            self.redraw()

    def meant(self, key: events.Key) -> events.Key:
        """Return the key that counts: where no text is typed, the one at the same place of an English keyboard."""
        if self.typed is not None:
            return key
        name, character = meant(key.key, key.character)
        return key if name == key.key else key_of(name, character)

    def answer(self, key: events.Key) -> bool:
        """Do what a key asks, if it is ours; return whether it is done. Most keys ask for nothing.

        Textual takes a key through two queues, four looks at all bindings and a timer before anything is painted.
        """
        if self._writes(key) or self.settling or self.pressed(key):
            return True
        bound = self._keys.get(key.key)
        if bound:
            _, name, parameters = parse(bound.action)
            if self.check_action(name, parameters):
                getattr(self, f"action_{name}")(*parameters)
                return True
        return not binds(self, key.key)

    def on_key(self, event: events.Key) -> None:
        """Write what is typed into the picture, or do what a key means that is bound to nothing."""
        if self._writes(event):
            event.stop()
            event.prevent_default()
        elif not self.settling and self.pressed(event):
            event.stop()

    def _writes(self, key: events.Key) -> bool:
        if self.typed is None or not self.typed.takes(key.key, key.character):
            return False
        self.wrote()
        return True

    def on_paste(self, event: events.Paste) -> None:
        """Write what is pasted into the picture."""
        if self.typed is not None:
            event.stop()
            self.typed.add(event.text)
            self.wrote()

    def pressed(self, key: events.Key) -> bool:  # noqa: ARG002
        """Do what a key means that is bound to nothing; return whether it means anything."""
        return False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow only keys that leave while the window is too small or a line is typed.

        A screen that has been left does nothing any more.
        """
        if not self.is_attached or self.settling:
            return False
        if (self.too_small or self.line) and not self._leaves(action):
            return False
        return super().check_action(action, parameters)

    def _leaves(self, action: str) -> bool:
        return action == "interrupt" or any(key.leaves and key.name == action for key in self.KEYS)

    def paint(self, width: int, height: int) -> Picture:
        """Return the picture for a window of at least `NEEDED` cells."""
        raise NotImplementedError

    def dismiss(self, result: R | None = None) -> AwaitComplete:
        """Close this screen, once: the second of two keys or clicks that came together finds another in front."""
        return super().dismiss(result) if self.is_attached and self.app.screen is self else AwaitComplete()

    def ask(self, screen: "DrawnScreen[A | None]", then: Callable[[A], object]) -> None:
        """Show a screen that asks for something; do `then` with what it is, unless nothing was chosen."""

        def answered(answer: A | None) -> None:
            if answer is not None:
                then(answer)

        self.app.push_screen(screen, answered)

    def type_line(self, line: TypedLine, then: Callable[[str], object], *, needed: bool = True) -> None:
        """Let the player type a line at the bottom; do `then` with it, if it has a letter or none is `needed`."""
        if self.line is None:  # else a click would take what is typed away
            self.line, self._typed_for, self._needed = line, then, needed
            self.redraw()

    def close_line(self) -> None:
        """Take the line away."""
        self.line = None
        self.redraw()

    def withdraw(self) -> None:
        """Undo what was only shown to be looked at: this screen is being closed without its player's doing."""

    def _dress(self, look: Look) -> None:
        self.look = look
        self.styles.background = look.theme.felt  # seen where the picture does not reach

    def wear(self, look: Look) -> None:
        """Show everything in other colours from now on."""
        self._dress(look)
        self.redraw()

    def redraw(self) -> None:
        """Show how things are now; not before the screen is up, nor while another is in front."""
        if not self.is_attached or not self.is_current or not (size := self.size):
            return
        driver = driver_of(self.app)
        if isinstance(driver, TerminalDriver) and driver.dropping and self.picture.height:
            self.outdate()
            return  # nobody would see it; the driver has it drawn when the terminal has caught up
        width, height = size
        theme = self.look.theme
        stages = driver.stages if isinstance(driver, TerminalDriver) else UNWATCHED
        with stages.of(Stage.DRAW):
            picture = draw_too_small(width, height, self.look) if self.too_small else self.paint(width, height)
            if self.line:
                picture = over_the_bottom(picture, draw_typed_line(self.line, width, self.look))
        with stages.of(Stage.ENCODE):
            if theme.pictures:
                supply(driver, picture, theme)
            self.show(picture)
        self.offer()

    def offer(self) -> None:
        """Tell a page, where there is one, which keys there are."""
        driver = driver_of(self.app)
        if isinstance(driver, TerminalDriver):
            driver.offer(self.KEYS, text=self.typed is not None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Do what is meant by a click on the picture, unless it was meant for what stood here before."""
        if self.is_attached and not self.settling and (hit := self.picture.hit(event.x, event.y)):
            self.clicked(hit)

    def clicked(self, hit: Hit) -> None:
        """Do what a click on a part of the picture means; on most screens nothing."""

    def on_resize(self) -> None:
        """Fit the picture to the window, unless it does: Textual tells of the first size, too."""
        if self.picture.size != self.size:
            self.redraw()

    async def action_interrupt(self) -> None:
        """Do for Ctrl-C what Escape does here; Textual would copy text, or say that another key leaves."""
        if "escape" in self._keys:
            await self.run_action(self._keys["escape"].action)

    def on_screen_suspend(self) -> None:
        """Forget the picture while another screen is in front."""
        self.forget()

    def on_screen_resume(self) -> None:
        """Catch up with what happened while another screen was in front."""
        self.redraw()


class OneScreen(TerminalApp[R], Generic[R]):
    """Shows one screen, and is over with what that is dismissed with."""

    def __init__(self, screen: DrawnScreen[R | None]) -> None:
        super().__init__()
        self._screen = screen

    def on_mount(self) -> None:
        """Open the screen."""
        self.push_screen(self._screen, self.exit)


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
    """Subclasses give the page; the key that opened it may close it, too."""

    KEYS = (*SCROLLING, Key("close", "escape,q,enter,question_mark,f1", leaves=True))

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


class ToldScreen(PageScreen):
    """Tells what came of something, what something means, or how to do it."""

    def __init__(self, look: Look, title: str, text: str | Callable[[int], str], status: str = "") -> None:
        """The text may depend on the columns that there are for it."""
        super().__init__(look)
        self._title, self._told, self._status = title, text, status

    def page(self, width: int) -> Page:
        """Return what is told."""
        return Page(self._title, self._told if isinstance(self._told, str) else self._told(width - 4), self._status)
