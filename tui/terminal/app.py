"""Runs Textual apps on terminals, many in one process, isolated from the process's own terminal and files."""

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
"""Seconds for an app's widgets to close, so that one that hangs does not keep the host from closing."""
RELEASE_DELAY = 1.0
"""Seconds until the cycles of an ended screen are broken, if no pending callback refers to it."""
_VARIABLES: dict[str, dict[str, str]] = {}
"""Colours of Textual's themes, by name."""
_RULES = Rules(256)
"""Rules of style sheets, parsed once for all apps. They depend on Textual's theme, which no app may change."""
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
    screen, unless it crashes before. The terminal is restored, also after a crash; an exception that ended the app is
    raised here and not printed. Other apps, sys.stdout, signals and the loop's task factory are left alone.
    """
    if terminal.ended:
        return None
    app = make_app()
    app.terminal, app.scheduler, app.owner, app.budget = terminal, scheduler, owner, budget
    app.colours = colours_of(terminal.name, terminal.env)
    share_rules(app, _RULES)
    with terminal.hold_screen():
        return await app.run_in_task(terminal.size, on_ready, SHUTDOWN_TIMEOUT)


def release_nodes(app_reference: "ref[TerminalApp[Any]]", nodes: list[DOMNode]) -> None:
    """Break the cycles of an ended screen; retry later while its app runs and a pending callback may refer to it."""
    running_app = app_reference()
    if running_app is not None and running_app.output and running_app.is_referenced(nodes):
        asyncio.get_running_loop().call_later(RELEASE_DELAY, release_nodes, app_reference, nodes)
    else:
        break_cycles(nodes)


class TerminalApp(HookedApp[R]):
    """An app that `run_app` runs on a terminal. It writes no files and leaves sys.stdout alone."""

    ENABLE_COMMAND_PALETTE = False
    terminal: Terminal
    colours: Colours
    scheduler: LoopScheduler | None = None
    owner: Bucket | None = None
    budget: Bucket | None = None
    output: TerminalDriver | None = None
    """The driver of the terminal, once the app runs."""

    @property
    def size(self) -> Size:
        """Columns and rows of the terminal."""
        return Size(*self.terminal.size)

    def get_default_screen(self) -> Screen[None]:
        """Return the screen under all others, which is never visible."""
        return SelfPaintedScreen(id="_default")

    def get_css_variables(self) -> dict[str, str]:
        """Return the colours of Textual's theme, cached for all apps."""
        if (variables := _VARIABLES.get(self.theme)) is None:
            variables = _VARIABLES[self.theme] = super().get_css_variables()
        self.theme_variables = dict(variables)
        return dict(variables)

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

    def on_screen_opened(self) -> None:
        """Read the input typed ahead, now that there is a screen."""
        if self.output is not None:
            self.output.release_input()

    def on_screen_closed(self, screen: Screen[Any]) -> None:
        """Break the cycles of an ended screen a little later; at the end of the app, `run_in_task` does that."""
        if is_exiting(self):
            return
        nodes: list[DOMNode] = [screen]
        # an empty context: the caller's refers to the app
        asyncio.get_running_loop().call_later(RELEASE_DELAY, release_nodes, ref(self), nodes, context=Context())
