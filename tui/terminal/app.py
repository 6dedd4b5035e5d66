"""Runs a Textual app on a terminal, many in one process, and keeps it off the machine of the process."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Any, TypeVar
from weakref import ref

from textual.dom import DOMNode
from textual.driver import Driver
from textual.geometry import Size
from textual.screen import Screen

from net.doors.terminal import Terminal
from net.loop import LoopScheduler
from net.scheduler import Bucket
from tui.terminal.colours import Colours, colours_of
from tui.terminal.driver import TerminalDriver
from tui.terminal.textual_private import (
    HookedApp,
    Rules,
    SelfPaintedScreen,
    break_cycles,
    is_exiting,
    share_rules,
)

SHUTDOWN_TIMEOUT = 5.0
"""Seconds for an app's widgets to close; one that hangs must not keep the host from closing."""
RELEASE_DELAY = 1.0
"""Seconds after which an ended screen is taken apart, if nothing waits that might look at it once more."""
_VARIABLES: dict[str, dict[str, str]] = {}
"""Colours by the name of a theme of Textual's."""
_RULES = Rules(256)
"""Rules of style sheets, parsed once for all apps. No app may change Textual's theme, of which rules are made."""
R = TypeVar("R")


async def run_app(
    make_app: "Callable[[], TerminalApp[R]]",
    terminal: Terminal,
    *,
    scheduler: LoopScheduler | None = None,
    owner: Bucket | None = None,
    budget: Bucket | None = None,
    on_ready: Callable[[], Awaitable[None]] | None = None,
) -> R | None:
    """Run one app on a terminal, in this task, until it exits or the terminal ends; return its result.

    `scheduler`, `owner` and `budget` are those of `TerminalDriver`. `on_ready` is awaited once the app has its first
    screen; an app that breaks before that does not come so far. The terminal is given back as it was, also after a
    crash; an exception that ended the app is raised here and printed nowhere. Other apps, sys.stdout, signals and the
    loop's task factory are left alone.
    """
    if terminal.ended:
        return None
    app = make_app()
    app.terminal, app.scheduler, app.owner, app.budget = terminal, scheduler, owner, budget
    app.colours = colours_of(terminal.name, terminal.env)
    share_rules(app, _RULES)
    with terminal.hold_screen():
        return await app.run_in_task(terminal.size, on_ready, SHUTDOWN_TIMEOUT)


def release_parts(app: "ref[TerminalApp[Any]]", parts: list[DOMNode]) -> None:
    """Take an ended screen apart; later, while its app runs and anything waits there that might look at it."""
    running = app()
    if running is not None and running.output and running.is_referenced(parts):
        asyncio.get_running_loop().call_later(RELEASE_DELAY, release_parts, app, parts)
    else:
        break_cycles(parts)


class TerminalApp(HookedApp[R]):
    """An app that `run_app` shows on a terminal. It writes no files, and leaves sys.stdout alone."""

    ENABLE_COMMAND_PALETTE = False
    terminal: Terminal
    colours: Colours
    scheduler: LoopScheduler | None = None
    owner: Bucket | None = None
    budget: Bucket | None = None
    output: TerminalDriver | None = None
    """The driver of its terminal, once it runs."""

    @property
    def size(self) -> Size:
        """Columns and rows of the terminal."""
        return Size(*self.terminal.size)

    def get_default_screen(self) -> Screen[None]:
        """Return the screen under all others; nobody sees it."""
        return SelfPaintedScreen(id="_default")

    def get_css_variables(self) -> dict[str, str]:
        """Return the colours of Textual's theme, worked out once for all apps."""
        if (known := _VARIABLES.get(self.theme)) is None:
            known = _VARIABLES[self.theme] = super().get_css_variables()
        self.theme_variables = dict(known)
        return dict(known)

    def make_driver(self, *, mouse: bool) -> Driver:
        """Return the driver for the terminal."""
        self.output = TerminalDriver(
            self,
            self.terminal,
            mouse=mouse and self.terminal.mouse,
            scheduler=self.scheduler,
            owner=self.owner,
            budget=self.budget,
        )
        return self.output

    def screen_opened(self) -> None:
        """Read what was typed ahead, now that there is a screen to hear it."""
        if self.output is not None:
            self.output.release_input()

    def on_screen_closed(self, screen: Screen[Any]) -> None:
        """Take an ended screen apart a little later. At the end of the app, `run_in_task` does that."""
        if is_exiting(self):
            return
        parts: list[DOMNode] = [screen]
        # In an empty context: that of the caller holds the app.
        asyncio.get_running_loop().call_later(RELEASE_DELAY, release_parts, ref(self), parts, context=Context())
