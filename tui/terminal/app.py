"""Runs a Textual app on a guest's terminal, many in one process, and keeps it off the host's machine."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, TypeVar
from weakref import ref

from textual.app import App
from textual.dom import DOMNode
from textual.driver import Driver

from net.doors.terminal import Terminal
from net.loop import LoopScheduler
from net.scheduler import Bucket
from tui.terminal.colours import Colours, colours_of, filter_of
from tui.terminal.driver import FAST, PLAIN, Fast, TerminalDriver
from tui.terminal.textual_private import (
    HookedApp,
    Rules,
    driver_of,
    make_console,
    set_filters,
    share_rules,
    take_apart,
)

SHUTDOWN_TIMEOUT = 5.0
"""Seconds for an app's widgets to close; one that hangs must not keep the host from closing."""
ENDED_FOR = 1.0
"""Seconds after which an ended screen is taken apart, if nothing waits that might look at it once more."""
_VARIABLES: dict[str, dict[str, str]] = {}
"""Colours by the name of a theme of Textual's."""
R = TypeVar("R")


class SharedStyles:
    """The rules in the style sheets of many apps, parsed once; otherwise each app would parse and hold its own.

    Apps that share may be of different classes, but none may change Textual's theme, of which rules are made.
    """

    def __init__(self) -> None:
        self._rules = Rules(256)

    def share_with(self, app: App[Any]) -> None:
        """Let an app that does not run yet take part."""
        share_rules(app, self._rules)


async def run_app(
    make_app: "Callable[[], TerminalApp[R]]",
    terminal: Terminal,
    *,
    styles: SharedStyles | None = None,
    scheduler: LoopScheduler | None = None,
    owner: Bucket | None = None,
    fast: Fast = FAST,
    on_ready: Callable[[], Awaitable[None]] | None = None,
) -> R | None:
    """Run one app on a terminal, in this task, until it exits or the terminal ends; return its result.

    `scheduler` gives turns to all sessions, `owner` is the budget of this one, and `fast` is what it does for speed
    alone. `on_ready` is awaited once the app has its first screen; an app that breaks before that does not come so
    far. The terminal is given back as it was, also after a crash; an exception that ended the app is raised here and
    printed nowhere. Other apps, sys.stdout, signals and the loop's task factory are left alone.
    """
    if terminal.ended:
        return None
    app = make_app()
    app.settle(terminal)
    app.scheduler, app.owner, app.fast = scheduler, owner, fast
    if styles is not None and fast.styles:
        styles.share_with(app)
    return await app.run_in_task(terminal.size, on_ready, SHUTDOWN_TIMEOUT, releases=fast.release)


def fit_colours(app: App[Any], colours: Colours) -> None:
    """Have an app show no colour that a terminal lacks, before it runs."""
    set_filters(app, filter_of(colours))


def release_parts(app: "ref[TerminalApp[Any]]", parts: list[DOMNode]) -> None:
    """Take an ended screen apart; later, while its app runs and anything waits there that might look at it."""
    running = app()
    if running is not None and driver_of(running) and running.may_be_looked_at(parts):
        asyncio.get_running_loop().call_later(ENDED_FOR, release_parts, app, parts)
    else:
        take_apart(parts)


class TerminalApp(HookedApp[R]):
    """An app that shows itself on its own terminal by `run()`, and on a guest's by `run_app`.

    `terminal` is the guest's, and None when it runs locally. Served, it writes no files, opens no browser,
    never suspends the process and never touches sys.stdout.
    """

    ENABLE_COMMAND_PALETTE = False
    terminal: Terminal | None = None
    scheduler: LoopScheduler | None = None
    owner: Bucket | None = None
    fast: Fast = PLAIN
    OPENS_LATER: ClassVar[bool] = False
    """Whether its first screen comes with what a host says; what is typed until then waits for it."""

    @property
    def is_served(self) -> bool:
        """Whether it is shown on a guest's terminal."""
        return self.terminal is not None

    def settle(self, terminal: Terminal) -> None:
        """Fit colours and size to a guest's terminal, not to the host's environment, before the run."""
        self.terminal = terminal
        colours = colours_of(terminal.name, terminal.env)
        self.no_color = colours.grey or colours.system is None
        fit_colours(self, colours)  # `FitColours` says why the console has true colours
        self.console = make_console(self.console, {"TERM": terminal.name}, terminal.size)

    def get_css_variables(self) -> dict[str, str]:
        """Return the colours of Textual's theme, worked out once for all apps."""
        if (known := _VARIABLES.get(self.theme)) is None:
            known = _VARIABLES[self.theme] = super().get_css_variables()
        self.theme_variables = dict(known)
        return dict(known)

    def make_driver(self, *, mouse: bool) -> Driver:
        """Return the driver for the guest's terminal."""
        if self.terminal is None:
            raise RuntimeError("An app needs a terminal before it can be served.")
        return TerminalDriver(
            self,
            self.terminal,
            mouse=mouse and self.terminal.mouse,
            scheduler=self.scheduler,
            owner=self.owner,
            fast=self.fast,
            waits=self.OPENS_LATER,
        )

    def screen_hears(self) -> None:
        """Let what was typed ahead be heard."""
        driver = driver_of(self)
        if isinstance(driver, TerminalDriver):
            driver.hear()

    def screen_ended(self, parts: list[DOMNode]) -> None:
        """Take an ended screen apart a little later."""
        if self.fast.release:
            asyncio.get_running_loop().call_later(ENDED_FOR, release_parts, ref(self), parts)

    def save_screenshot(self, *args: Any, **kwargs: Any) -> str:
        """Save a screenshot; served, raise PermissionError."""
        if self.terminal is None:
            return super().save_screenshot(*args, **kwargs)
        raise PermissionError("A served session writes no files.")
