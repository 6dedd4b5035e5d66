"""What all our screens have in common: one picture that fills the window, drawn anew when something changed."""

from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.actions import parse
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.geometry import Region
from textual.strip import Strip

from net.host.stages import UNWATCHED, Stage
from tui.board.canvas import Hit, Picture, Style
from tui.draw.look import Look
from tui.draw.rows import NEEDED
from tui.draw.too_small import draw_too_small
from tui.draw.widget import Drawn
from tui.model.keys import Key, bindings
from tui.pictures.uploads import supply
from tui.screens.line import Line
from tui.serve.driver import ServedDriver
from tui.serve.textual_private import HookedScreen, binds, driver_of

R = TypeVar("R")


class _Whole(Drawn):
    """The picture that fills a screen."""

    @property
    def bare(self) -> bool:
        """Whether it alone is seen: no line to type in, no other screen."""
        screen = self.screen
        return isinstance(screen, DrawnScreen) and self.app.screen is screen and not screen.typing


class DrawnScreen(HookedScreen[R], Generic[R]):
    """A screen that is one picture. Subclasses say in `paint` how it looks in a window of a given size."""

    DEFAULT_CSS = "DrawnScreen > Drawn { width: 1fr; height: 1fr; }"
    KEYS: ClassVar[tuple[Key, ...]] = ()
    """What can be done here, and by which keys."""
    BINDINGS = [("ctrl+c", "interrupt", "")]
    AUTO_FOCUS = None
    _keys: ClassVar[dict[str, Key]] = {}

    def __init_subclass__(cls, **kwargs: bool) -> None:
        """Bind the keys of a screen."""
        cls._keys = {name: key for key in cls.KEYS for name in key.names}
        cls.BINDINGS = bindings(cls.KEYS)
        super().__init_subclass__(**kwargs)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._canvas = _Whole()

    def compose(self) -> ComposeResult:
        """Yield the one widget."""
        yield self._canvas

    def on_mount(self) -> None:
        """Watch for when the shell has stopped Boneyard and lets it go on: the terminal has forgotten the picture."""
        self.app.app_resume_signal.subscribe(self, lambda _app: self.paint_again())

    def paint_again(self) -> None:
        """Paint everything again."""
        self._canvas.forget()
        self.redraw()

    @property
    def too_small(self) -> bool:
        """Whether the window has no room for the picture."""
        return self.size.width < NEEDED[0] or self.size.height < NEEDED[1]

    @property
    def typing(self) -> bool:
        """Whether there is a line to type in."""
        return any(isinstance(child, Line) for child in self.children)

    def answer(self, key: events.Key) -> bool:
        """Do what a key asks if that needs nothing of Textual; return whether it is done. Most keys ask for nothing.

        Textual takes a key through two queues, four looks at all bindings and a timer before anything is painted.
        """
        if self.typing or self.focused:
            return False
        bound = self._keys.get(key.key)
        if bound and bound.at_once:
            _, name, parameters = parse(bound.action)
            if self.check_action(name, parameters):
                getattr(self, f"action_{name}")(*parameters)
                return True
        return not binds(self, key.key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow only keys that leave while the window is too small or a line is typed.

        A screen that has been left does nothing any more.
        """
        if not self.is_attached:
            return False
        if (self.too_small or self.typing) and not self._leaves(action):
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

    def withdraw(self) -> None:
        """Undo what was only shown to be looked at: this screen is being closed without its player's doing."""

    def wear(self, look: Look) -> None:
        """Show everything in other colours from now on."""
        self.look = look
        self.redraw()

    def redraw(self) -> None:
        """Show how things are now; harmless before the screen is up."""
        if not self.is_attached or not self.size:
            return
        driver = driver_of(self.app)
        if isinstance(driver, ServedDriver) and driver.dropping and self._canvas.picture.rows:
            self._canvas.outdate()
            return  # nobody would see it; the driver has it drawn when the terminal has caught up
        width, height = self.size
        theme = self.look.theme
        self._canvas.set_ground(Style(theme.text, theme.felt))
        stages = driver.stages if isinstance(driver, ServedDriver) else UNWATCHED
        with stages.of(Stage.DRAW):
            picture = draw_too_small(width, height, self.look) if self.too_small else self.paint(width, height)
        with stages.of(Stage.ENCODE):
            supply(driver, picture.rows, theme)
            self._canvas.show(picture)

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        """Do what a click means, if what was clicked is still there: it may have been found on the picture before."""
        if self.is_attached and event.hit in event.drawn.picture.hits:
            self.clicked(event.hit)

    def clicked(self, hit: Hit) -> None:
        """Do what a click on a part of the picture means; on most screens nothing."""

    def on_resize(self) -> None:
        """Fit the picture to the window."""
        self.redraw()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint felt where the picture does not reach: in a window that just grew, or where a line comes or goes."""
        return [self._canvas.blank(crop.width)] * crop.height

    async def action_interrupt(self) -> None:
        """Do for Ctrl-C what Escape does here; Textual would copy text, or say that another key leaves."""
        if "escape" in self._keys:
            await self.run_action(self._keys["escape"].action)

    def on_screen_suspend(self) -> None:
        """Forget the picture while another screen is in front."""
        self._canvas.forget()

    def on_screen_resume(self) -> None:
        """Catch up with what happened while another screen was in front."""
        self.redraw()
