"""Runs a Textual app on a guest's terminal, many in one process, and keeps it off the host's machine."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import nullcontext
from types import FunctionType
from typing import Any, TypeVar

from rich.console import Console
from textual.app import App, SystemCommand
from textual.cache import LRUCache
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import ANSIToTruecolor
from textual.screen import Screen
from textual.widget import Widget

from net.ssh.server.terminal import Terminal
from tui.serve.colours import Colours, FitColours, colours_of
from tui.serve.driver import ServedDriver
from tui.serve.turn_queue import Demand, TurnQueue

SHUTDOWN_TIMEOUT = 5.0
"""Seconds for an app's widgets to close; one that hangs may not keep the host from closing."""
ENDED_FOR = 1.0
"""Seconds after which an ended screen is taken apart, if nothing waits that might look at it once more."""
R = TypeVar("R")


class SharedStyles:
    """The rules in the style sheets of many apps, parsed once: each app would hold its own, and parse them anew.

    Apps that share may be of different classes, but none may change Textual's theme, of which rules are made.
    """

    def __init__(self) -> None:
        self._rules: LRUCache[Any, Any] = LRUCache(256)

    def share_with(self, app: App[Any]) -> None:
        """Let an app that does not run yet take part."""
        app.stylesheet._parse_cache = self._rules


async def run_served(
    make_app: "Callable[[], Servable[R]]",
    terminal: Terminal,
    *,
    styles: SharedStyles | None = None,
    turns: TurnQueue | None = None,
    demand: Demand | None = None,
    on_ready: Callable[[], Awaitable[None]] | None = None,
) -> R | None:
    """Run one app on a terminal, in this task, until it exits or the terminal ends; return its result.

    `turns` are those of all sessions together, `demand` is this one's. `on_ready` is awaited once the app has its
    first screen; an app that breaks before that does not come so far. The terminal is given back as it was, also
    after a crash; an exception that ended the app is raised here and printed nowhere. Other apps, sys.stdout, signals
    and the loop's task factory are left alone.
    """
    if terminal.ended:
        return None
    app = make_app()
    app.settle(terminal)
    app.turns, app.demand = turns, demand
    if styles is not None:
        styles.share_with(app)
    # What App.run_async does, but for the loop's task factory: from Python 3.12 on that would make every task
    # of the host eager, the tables' too.
    app._thread_init()  # type: ignore[no-untyped-call]
    app._loop = asyncio.get_running_loop()
    with app._context():
        try:
            await app._process_messages(ready_callback=on_ready, terminal_size=terminal.size)
        finally:
            parts = _parts(app._registry)
            async with asyncio.timeout(SHUTDOWN_TIMEOUT):
                await app._shutdown()
            app._loop = None
            app._thread_id = 0
            _dispose(parts)
            app._screen_stacks.clear()
            app._driver = None
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError  # Textual's loop takes a cancellation for an exit and says nothing
    if app._exception is not None:
        raise app._exception
    return app.return_value


def _parts(nodes: Iterable[DOMNode]) -> list[DOMNode]:
    """Return nodes with what Textual hangs on them out of sight: scroll bars, and bearers of styles."""
    parts: list[DOMNode] = []
    for node in nodes:
        parts.append(node)
        if isinstance(node, Widget):
            parts += [
                *node._get_virtual_dom(),
                *filter(None, (styles.node for styles in node._component_styles.values())),
            ]
    return parts


def _dispose(parts: Iterable[DOMNode]) -> None:
    """Cut what holds ended screens together, so that counting references frees most of it at once.

    Else only a full collection would, which stops everybody; each screen is some 100 KiB, and each app a MiB.
    """
    for part in parts:
        part.__dict__.clear()


def fit_colours(app: App[Any], colours: Colours) -> None:
    """Have an app show no colour that a terminal lacks, before it runs."""
    ours = [each for each in app._filters if isinstance(each, ANSIToTruecolor)]
    app._filters = [*ours, FitColours(colours)]


class Servable(App[R]):
    """An app that shows itself on its own terminal by `run()`, and on a guest's by `run_served`.

    `terminal` is the guest's, and None when it runs locally. Served, it writes no files, opens no browser,
    never suspends the process and never touches sys.stdout.
    """

    terminal: Terminal | None = None
    turns: TurnQueue | None = None
    demand: Demand | None = None

    def settle(self, terminal: Terminal) -> None:
        """Fit colours and size to a guest's terminal, not to the host's environment, before the run."""
        self.terminal = terminal
        colours = colours_of(terminal.name, terminal.env)
        self.no_color = colours.grey or colours.system is None
        fit_colours(self, colours)
        width, height = terminal.size
        self.console = Console(
            color_system="truecolor",  # FitColours says why
            file=self.console.file,
            width=width,
            height=height,
            force_terminal=True,
            highlight=False,
            emoji=False,
            legacy_windows=False,
            safe_box=False,
            soft_wrap=False,
            _environ={"TERM": terminal.name},
        )

    def _build_driver(self, headless: bool, inline: bool, mouse: bool, size: tuple[int, int] | None) -> Driver:
        if self.terminal is None:
            return super()._build_driver(headless, inline, mouse, size)
        self._driver = ServedDriver(self, self.terminal, mouse=mouse, turns=self.turns, demand=self.demand)
        return self._driver

    async def _process_messages(self, *args: Any, **kwargs: Any) -> None:
        if self.terminal is None:
            await super()._process_messages(*args, **kwargs)
        else:
            await _process_quietly(self, *args, **kwargs)

    def _fatal_error(self) -> None:
        if self.terminal is None:
            super()._fatal_error()
        else:  # run_served raises it; a rendered traceback costs everybody 100 ms and would be printed here
            self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        if self.terminal is None:
            super()._print_error_renderables()
        else:
            self._exit_renderables.clear()

    async def _replace_screen(self, screen: Screen[Any]) -> Screen[Any]:
        parts = _parts(screen.walk_children(with_self=True))
        await super()._replace_screen(screen)
        if self.terminal is not None and not screen.is_attached:
            asyncio.get_running_loop().call_later(ENDED_FOR, self._release_parts, parts)
        return screen

    def _release_parts(self, parts: list[DOMNode]) -> None:
        """Take an ended screen apart, once nothing waits any more that might look at it.

        A screen hands what it still has to do to the next one, and on a busy host that may take a while.
        """
        screens = self._screen_stacks.get(self._current_mode, ())  # none once the session has ended
        pumps = [pump for pump in (self, *screens, *parts) if pump._running]
        if any(pump._next_callbacks or pump.message_queue_size or getattr(pump, "_callbacks", ()) for pump in pumps):
            asyncio.get_running_loop().call_later(ENDED_FOR, self._release_parts, parts)
        else:
            _dispose(parts)

    def _set_pointer_shape(self, shape: str) -> None:
        if self.terminal is None:  # a served mouse reports no motion, and old consoles print the sequence
            super()._set_pointer_shape(shape)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the palette's commands; served, without the one that would write a file."""
        for command in super().get_system_commands(screen):
            if self.terminal is None or command.title != "Screenshot":
                yield command

    def save_screenshot(self, *args: Any, **kwargs: Any) -> str:
        """Save a screenshot; served, raise PermissionError."""
        if self.terminal is None:
            return super().save_screenshot(*args, **kwargs)
        raise PermissionError("A served session writes no files.")


def _seeing(function: Any, **names: object) -> Any:
    """Return the same function, which sees other values behind some of its module's names."""
    return FunctionType(
        function.__code__,
        {**function.__globals__, **names},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


# Textual's loop of an app redirects sys.stdout and sys.stderr for the whole process, and puts back what it
# found. Apps that end in another order than they began leave a dead one's capture there, for every `print`
# and log to vanish in. There is no switch for it, so a served app runs the same loop with redirections that
# do nothing.
_process_quietly = _seeing(App._process_messages, redirect_stdout=nullcontext, redirect_stderr=nullcontext)
