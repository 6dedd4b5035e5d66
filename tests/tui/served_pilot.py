"""Textual's pilot for an app on a guest's terminal: every key goes through the served driver."""

import asyncio
from contextlib import asynccontextmanager

from tests.tui.far import TIMEOUT, FarEnd
from tests.waiting import until
from tui.board.canvas import columns
from tui.terminal.app import run_app

BYTES = {
    "enter": b"\r",
    "tab": b"\t",
    "space": b" ",
    "backspace": b"\x7f",
    "escape": b"\x1b[27u",  # a lone Esc would be the beginning of a sequence for a tenth of a second
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "right": b"\x1b[C",
    "left": b"\x1b[D",
    "home": b"\x1b[H",
    "end": b"\x1b[F",
    "pageup": b"\x1b[5~",
    "pagedown": b"\x1b[6~",
    "slash": b"/",
    "f5": b"\x1b[15~",
    "delete": b"\x1b[3~",
    "ctrl+c": b"\x03",
    "ctrl+p": b"\x10",
    "ctrl+u": b"\x15",
    "ctrl+w": b"\x17",
    "plus": b"+",
    "minus": b"-",
    "colon": b":",
    "full_stop": b".",
    "exclamation_mark": b"!",
    "left_square_bracket": b"[",
    "right_square_bracket": b"]",
    "question_mark": b"?",
}
QUIET = 5
"""Idle iterations of the loop after which an app is at rest."""


def is_busy(app):
    """Return True while input or messages are pending, or not painted yet."""
    if app._driver is None or not app.screen_stack:
        return False
    screen = app.screen
    parts = [app, screen, *screen.walk_children()]
    return bool(app._driver._events or app._driver._may_read or not screen.is_mounted) or any(
        part.message_queue_size or part._next_callbacks for part in parts
    )


def _drawn(screen):
    rows = screen.picture.rows
    return sum(columns(text) for text, _ in rows[0]), len(rows)


class ServedPilot:
    """A player who types at the far end of a terminal."""

    def __init__(self, app, far):
        self.app = app
        self._far = far

    async def press(self, *keys):
        """Type keys by their names or characters, each when the app is at rest, as Textual's own pilot does."""
        await self.pause()
        for key in keys:
            self._far.terminal.feed(BYTES.get(key) or key.encode())
            await self.pause()

    async def pause(self):
        """Wait until the app has been at rest for some iterations of the loop."""
        async with asyncio.timeout(TIMEOUT):
            quiet = 0
            while quiet < QUIET and self.app._driver:
                await asyncio.sleep(0)
                quiet = 0 if is_busy(self.app) else quiet + 1

    async def click(self, offset):
        """Press and release the mouse."""
        x, y = offset
        self._far.terminal.feed(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m".encode())
        await self.pause()

    async def resize_terminal(self, width, height):
        """Give the window another size, and wait until it is filled: Textual waits for more sizes first."""
        self._far.terminal.resize(width, height)
        await until(lambda: _drawn(self.app.screen) == (width, height))
        await self.pause()


@asynccontextmanager
async def served(app, size, *, is_local=False):
    """Run an app on a far terminal for the length of a block; with `is_local`, on the local terminal of its host."""
    far = FarEnd("xterm-kitty", size)
    far.terminal.is_local = is_local
    async with running(app, far, b"\x1b[?1049h"):
        pilot = ServedPilot(app, far)
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def running(app, far, ready):
    """Serve an app to a far terminal, from the moment when that has received `ready` to the end of the block."""
    task = asyncio.create_task(run_app(lambda: app, far.terminal))
    await far.wait_for_output(ready)
    try:
        yield
    finally:
        far.terminal.end()
        async with asyncio.timeout(TIMEOUT):
            await task
