"""The base of all our screens: one picture that fills the window, of which only the changed cells are repainted."""

import os
from collections.abc import Callable
from functools import lru_cache, partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from msgspec.structs import replace
from rich.color import ColorSystem
from rich.style import Style as RichStyle
from textual import events
from textual.await_complete import AwaitComplete

from net.doors.terminal_queries import read_seconds
from net.host.metrics import Stage
from tui.board.canvas import ClickTarget, Picture, Style, over_the_bottom
from tui.board.diff import Ink, Inks, diff_pictures, ink_of
from tui.draw.panels import draw_page, draw_text
from tui.draw.typed_text import draw_typed_line
from tui.draw.window_layout import MIN_WINDOW, draw_too_small
from tui.i18n import _, pgettext
from tui.model.keys import MOVES, Button, Key, map_key, name_of_label, row_after
from tui.model.look import Look
from tui.model.text_input import LineInput, TextInput
from tui.pictures.uploads import upload_missing
from tui.terminal.app import TerminalApp
from tui.terminal.colours import Colours, fit
from tui.terminal.contract import FrontScreen, Output
from tui.terminal.textual_private import key_of

R = TypeVar("R")
A = TypeVar("A")


class PictureScreen(FrontScreen[R], Generic[R]):
    """A screen that writes one picture to the terminal itself: no widgets, no markup, nothing parsed."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = Picture(())

    if TYPE_CHECKING:
        app: TerminalApp[Any]
        """The app that shows this screen; no other class of apps shows one."""

    @property
    def output(self) -> Output | None:
        """The terminal; None before the app runs."""
        return self.app.output

    @property
    def is_front(self) -> bool:
        """True while the screen is in front."""
        return self.is_attached and self.is_active

    def show(self, picture: Picture) -> None:
        """Paint a picture of this screen's size; cells that are as in the one before are not written."""
        if (output := self.output) is None or not self.is_front:
            self.forget()
            return
        previous, self.picture = self.picture, picture
        if escape_sequences := diff_pictures(previous if previous.size == picture.size else None, picture, self.inks):
            output.paint(escape_sequences)

    def on_unmount(self) -> None:
        """Break the ended screen's cycles."""
        self.app.on_screen_closed(self)

    def disable_clicks(self) -> None:
        """Remove all click targets: the picture on the terminal is out of date."""
        self.picture = self.picture.with_targets(())

    def forget(self) -> None:
        """Release the picture, some 100 KiB, until the next one is shown."""
        self.picture = Picture(())

    @property
    def inks(self) -> Inks:
        """The escape sequences by which the terminal writes each style."""
        return cached_inks(self.app.colours)


@lru_cache(maxsize=16)
def cached_inks(colours: Colours) -> Inks:
    """Return the inks that all sessions with the same colours share: one set takes 10 KiB."""
    return Inks(partial(_ink, colours=colours))


def _ink(style: Style, colours: Colours) -> Ink:
    rendered = fit(_rich_style(style), colours).render("x", color_system=ColorSystem.TRUECOLOR)
    return ink_of(rendered.partition("x")[0].removeprefix("\x1b[").removesuffix("m"))


@lru_cache(maxsize=4096)
def _rich_style(style: Style) -> RichStyle:
    return RichStyle(color=style.fg, bgcolor=style.bg, bold=style.bold, underline=style.underlined or None)


class DrawnScreen(PictureScreen[R], Generic[R]):
    """A screen that is one picture. Subclasses draw it in `draw`, for a window of a given size."""

    KEYS: ClassVar[tuple[Key, ...]] = ()
    """The actions of this screen, with their keys."""
    SETTLE_SECONDS: ClassVar[float] = read_seconds(os.environ, "BONEYARD_SETTLES", 0.7)
    """Time for which keys and clicks are dropped after the screen changed by itself: they meant the old one."""
    _keys: ClassVar[dict[str, Key]] = {}

    def __init_subclass__(cls, **kwargs: bool) -> None:
        """Bind the keys of a screen."""
        cls._keys = {name: key for key in cls.KEYS for name in key.names}
        super().__init_subclass__(**kwargs)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._close_callbacks: list[Callable[[], None]] = []
        self._settling_until = 0.0
        self.line: LineInput | None = None
        """The line that is being typed at the bottom of the window."""
        self._on_line: Callable[[str], object] = str
        """Called with the finished line."""
        self._is_text_needed = True

    def on_close(self, callback: Callable[[], None]) -> None:
        """Call `callback` when this screen closes."""
        self._close_callbacks.append(callback)

    def on_unmount(self) -> None:
        """Run the callbacks of `on_close`."""
        for callback in self._close_callbacks:
            callback()

    def settle(self) -> None:
        """Drop keys and clicks for `SETTLE_SECONDS`: they were meant for the screen before it changed by itself."""
        self._settling_until = monotonic() + self.SETTLE_SECONDS

    @property
    def is_settling(self) -> bool:
        """True while keys and clicks are dropped because the screen has just changed; typing goes on."""
        return monotonic() < self._settling_until and self.line is None

    @property
    def is_too_small(self) -> bool:
        """True if the window has no room for the screen."""
        width, height = self.size
        return width < MIN_WINDOW[0] or height < MIN_WINDOW[1]

    @property
    def text_input(self) -> TextInput | None:
        """The text input that takes all keys; None while keys are actions."""
        return self.line

    def on_text_changed(self) -> None:
        """Redraw after a key was typed; once the line is finished, close it and pass its text to the callback."""
        line = self.line
        if line and line.done:
            self.close_line()
            if (text := line.text.strip()) or not self._is_text_needed:
                self._on_line(text)
        else:
            self.redraw()

    def receive_key(self, key: events.Key) -> None:
        """Type a key into the text input; without one, do the key's action."""
        if self.text_input is None:  # letters are read by their place on an English keyboard
            name, character = map_key(key.key, key.character)
            key = key if name == key.key else key_of(name, character)
        elif self.text_input.handle_key(key.key, key.character):
            self.on_text_changed()
            return
        if self.is_settling or self.handle_unbound_key(key):
            return
        match key.key:
            case "ctrl+c":  # goes back, as Escape does
                if "escape" in self._keys:
                    self.act(self._keys["escape"])
            case "ctrl+q":
                self.app.exit()
            case "ctrl+z":
                self.app.terminal.suspend()
            case name if name in self._keys:
                self.act(self._keys[name])

    def act(self, key: Key) -> None:
        """Do the action of a key, if it is allowed now."""
        if self.is_key_active(key):
            getattr(self, key.method.__name__)(*key.args)  # by name: a subclass may override the method

    def is_key_active(self, key: Key) -> bool:
        """Return True if a key may act now: only keys that leave do while the window is too small or a line is typed.

        After the screen was left, no key acts.
        """
        if not self.is_attached or self.is_settling:
            return False
        return key.leaves_screen or not (self.is_too_small or self.line)

    def paste(self, text: str) -> None:
        """Insert pasted text into the text input."""
        if self.text_input is not None:
            self.text_input.add(text)
            self.on_text_changed()

    def handle_unbound_key(self, key: events.Key) -> bool:  # noqa: ARG002
        """Handle a key that no table lists; return whether it did something."""
        return False

    def draw(self, width: int, height: int) -> Picture:
        """Return the picture for a window of at least `MIN_WINDOW` cells."""
        raise NotImplementedError

    def dismiss(self, result: R | None = None) -> AwaitComplete:
        """Close this screen if it is in front, as it is not for the second of two keys that arrive together."""
        return super().dismiss(result) if self.is_attached and self.app.screen is self else AwaitComplete()

    def ask(self, screen: "DrawnScreen[A | None]", on_answer: Callable[[A], object]) -> None:
        """Show a screen that asks for a choice; call `on_answer` with the answer, unless it is None."""

        def pass_answer(answer: A | None) -> None:
            if answer is not None:
                on_answer(answer)

        self.app.push_screen(screen, pass_answer)

    def type_line(self, line: LineInput, on_line: Callable[[str], object], *, is_text_needed: bool = True) -> None:
        """Let the player type a line, and call `on_line` with it, unless `is_text_needed` and it is empty."""
        if self.line is None:  # otherwise a click would delete what is typed
            self.line, self._on_line, self._is_text_needed = line, on_line, is_text_needed
            self.redraw()

    def close_line(self) -> None:
        """Close the input line."""
        self.line = None
        self.redraw()

    def withdraw(self) -> None:
        """Undo a preview: something other than the player closes this screen."""

    def apply_look(self, look: Look) -> None:
        """Redraw in other colours."""
        self.look = look
        self.redraw()

    def redraw(self) -> None:
        """Draw and paint the current state, unless the screen is not up yet or behind another."""
        if not self.is_front or (output := self.output) is None:
            return
        if output.is_dropping_frames and self.picture.height:
            self.disable_clicks()
            return  # back-pressure: the driver has it drawn when the terminal has caught up
        width, height = self.size
        theme = self.look.theme
        with output.stages.of(Stage.DRAW):
            picture = draw_too_small(width, height, self.look) if self.is_too_small else self.draw(width, height)
            if self.line:
                picture = over_the_bottom(picture, draw_typed_line(self.line, width, self.look))
        with output.stages.of(Stage.ENCODE):
            if theme.pictures:
                upload_missing(output, picture, theme)
            self.show(picture)
        if self.look.touched:
            output.offer(self._named_keys(), self.buttons(), takes_text=self.text_input is not None)

    def _words_in_picture(self) -> dict[str, str]:
        """Return the words of the keys that the picture names, by label."""
        return {hit.key: hit.words for hit in self.picture.hits if hit.words}

    def _named_keys(self) -> tuple[Key, ...]:
        """Return the keys of this screen; keys without words of their own get those of the picture."""
        words_by_name = {
            name_of_label(label): words_by_key for label, words_by_key in self._words_in_picture().items()
        }
        words_by_key = [
            key.words() or next((words_by_name[words] for words in key.names if words in words_by_name), "")
            for key in self.KEYS
        ]
        return tuple(
            replace(key, words=partial(str, words))
            for key, words in zip(self.KEYS, words_by_key, strict=True)
            if words
        )

    def buttons(self) -> tuple[Button, ...]:
        """Return the buttons that matter now: the choices of the typed line, or else the keys that the picture names.

        Keys for movement and help have none.
        """
        if self.line:
            choices = [Button(key, words) for key, words in self.line.choices]
            return (*choices, Button("Esc", pgettext("a line", "cancel"), "idle"))
        words_by_label = self._words_in_picture()
        labels = sorted(words_by_label, key=lambda label: (label != self.look.enter, label in ("Esc", "q")))
        buttons = [
            Button(label, words_by_label[label])
            for label in labels
            if name_of_label(label) not in KEYS_WITHOUT_BUTTON
        ]
        if not buttons:
            return ()
        return (buttons[0]._replace(kind="main"), *buttons[1 : MAX_BUTTONS - 1], *buttons[MAX_BUTTONS - 1 :][-1:])

    def repaint(self) -> None:
        """Draw the screen and write all its cells."""
        self.forget()
        self.redraw()

    def receive_mouse(self, event: events.MouseEvent) -> None:
        """Handle a click or the wheel, unless it was meant for the screen before the last change."""
        match event:
            case events.MouseScrollDown():
                self.handle_scroll(1)
            case events.MouseScrollUp():
                self.handle_scroll(-1)
            case _ if self.is_attached and not self.is_settling and (hit := self.picture.hit(event.x, event.y)):
                if hit.key:
                    self.press(hit.key)
                else:
                    self.handle_click(hit)

    def press(self, label: str) -> None:
        """Handle the key with this label as if it was pressed."""
        name = name_of_label(label)
        self.receive_key(key_of(name, "\r" if name == "enter" else label if len(label) == 1 else ""))

    def handle_scroll(self, step: int) -> None:
        """Handle the wheel: `step` is 1 for down, -1 for up; most screens ignore it."""

    def handle_click(self, hit: ClickTarget) -> None:
        """Handle a click on a target of the picture; most screens ignore it."""

    def on_screen_suspend(self) -> None:
        """Release the picture while another screen is in front."""
        self.forget()

    def on_screen_resume(self) -> None:
        """Redraw: much may have changed while another screen was in front."""
        self.redraw()
        self.app.on_screen_opened()


class ListScreen(DrawnScreen[R], Generic[R]):
    """A screen with a cursor in a list, which the keys `MOVES` and the wheel move."""

    @property
    def count(self) -> int:
        """Number of rows."""
        raise NotImplementedError

    @property
    def row(self) -> int:
        """The row under the cursor."""
        raise NotImplementedError

    def go(self, row: int) -> None:
        """Move the cursor to `row`."""
        raise NotImplementedError

    def action_move(self, step: int) -> None:
        """Move the cursor by `step` rows."""
        if count := self.count:
            self.go(row_after(self.row, step, count))

    def handle_scroll(self, step: int) -> None:
        """Move the cursor by the wheel, which stops at the first and the last row."""
        if self.is_key_active(MOVES[0]) and 0 <= self.row + step < self.count:
            self.go(self.row + step)


class SingleScreenApp(TerminalApp[R], Generic[R]):
    """Shows one screen; exits with the screen's result."""

    def __init__(self, screen: DrawnScreen[R | None]) -> None:
        super().__init__()
        self._screen = screen

    def on_mount(self) -> None:
        """Open the screen."""
        self.push_screen(self._screen, self.exit)


MAX_BUTTONS = 4
"""Maximum number of buttons, beside the one for all keys."""
KEYS_WITHOUT_BUTTON = {"up", "down", "left", "right", "question_mark"}
"""Keys that need no button: rows are touched, and the help is among all keys."""
PAGE_LINES = 15
"""Lines that a page key scrolls."""


class Page(NamedTuple):
    """The text of a page and its bars."""

    title: str
    """Text in the bar above."""
    text: str
    status: str
    """Text in the bar below."""


class PageScreen(DrawnScreen[None]):
    """Text to scroll through, from a subclass's `page`; the key that opened it may close it, too."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._top = self._last_top = 0

    def page(self, width: int) -> Page:
        """Return the current page for a window of `width` columns."""
        raise NotImplementedError

    def draw(self, width: int, height: int) -> Picture:
        """Draw the part of the text that fits."""
        title, text, status = self.page(width)
        body, self._last_top = draw_text(text, self._top, width, height - 3, self.look)
        self._top = min(self._top, self._last_top)
        hints = [("Up" if self.look.ascii else "↑↓", _("scroll")), ("q", pgettext("a page", "close"))]
        return draw_page(title, body, "", hints, status, width, self.look)

    def action_scroll(self, lines: int) -> None:
        """Scroll by a number of lines."""
        self._top = max(0, min(self._last_top, self._top + lines))
        self.redraw()

    def handle_scroll(self, step: int) -> None:
        """Scroll by the wheel."""
        self.action_scroll(3 * step)

    def action_close(self) -> None:
        """Go back to the screen below."""
        self.dismiss()

    SCROLLING = (
        Key(action_scroll, "up,k", args=(-1,)),
        Key(action_scroll, "down,j", args=(1,)),
        Key(action_scroll, "pageup,left", args=(-PAGE_LINES,)),
        Key(action_scroll, "pagedown,right,space", args=(PAGE_LINES,)),
        Key(action_scroll, "home,g", args=(-10_000,)),
        Key(action_scroll, "end,G", args=(10_000,)),
    )
    KEYS = (*SCROLLING, Key(action_close, "escape,q,enter,question_mark,f1", leaves_screen=True))


class MessageScreen(PageScreen):
    """Shows a message: a result, or an explanation."""

    def __init__(self, look: Look, title: str, text: str | Callable[[int], str], status: str = "") -> None:
        """`text` may be a function of the columns available."""
        super().__init__(look)
        self._title, self._text, self._status = title, text, status

    def page(self, width: int) -> Page:
        """Return the message."""
        return Page(self._title, self._text if isinstance(self._text, str) else self._text(width - 4), self._status)
