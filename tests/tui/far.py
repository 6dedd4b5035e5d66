"""A terminal without SSH, an app to show on it, and a way to play the one on the other."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from textual.widgets import Static

from net.doors.terminal import Terminal
from tui.terminal.app import TerminalApp, run_app

PATIENCE = 30
TABLE_KEYS = {
    "right": b"\x1b[C",
    "left": b"\x1b[D",
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "go": b"\r",
    "draw": b"x",
    "pass": b"p",
    "look": b"v",
    "colours": b"y",
    "help": b"?",
    "talk": b"t",
    "third tile": b"3",
    "first end": b"a",
    "no key": b"\x1b[19~",
}
"""What is typed at a table, and its bytes."""


class Board(TerminalApp[str]):
    """Says what happened last, in colour."""

    CSS = "Static { color: #ff8000; background: #123456; height: 1; }"

    def compose(self):
        yield Static("ready", id="said", markup=False)
        yield Static("size", id="size")

    def say(self, words):
        self.query_one("#said", Static).update(words)

    def on_resize(self, event):
        self.query_one("#size", Static).update(f"{event.size.width} by {event.size.height}")

    def on_key(self, event):
        self.say(f"key {event.key} {event.character!r}")
        if event.key == "q":
            self.exit("left")
        if event.key == "exclamation_mark":
            raise RuntimeError("the spinner spun off")
        if event.key == "p":
            print("printed by an app")

    def on_paste(self, event):
        self.say(f"paste {event.text}")

    def on_click(self, event):
        self.say(f"click {event.x} {event.y}")


class Far:
    """The far end of a terminal without SSH: a line, and a player of sorts."""

    def __init__(self, name="xterm-256color", size=(40, 6), **env):
        self.sent = b""
        self.reading = True
        self.cut = False
        self._news = asyncio.Event()
        self.terminal = Terminal(self, name, size, env)

    def write(self, data):
        self.sent += data
        self._news.set()

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True
        self._news.set()

    def finish(self):
        pass

    def hang_up(self):
        self.cut = True

    async def gets(self, wanted):
        try:
            async with asyncio.timeout(PATIENCE):
                while wanted not in self.sent:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            pytest.fail(f"never got {wanted!r}, but {self.sent!r}")

    async def listens(self):
        """Wait until input is not held back any more."""
        async with asyncio.timeout(PATIENCE):
            while not self.reading:
                self._news.clear()
                await self._news.wait()

    async def types(self, data, answer):
        self.sent = b""
        self.terminal.feed(data)
        await self.gets(answer)


@asynccontextmanager
async def played(make_app=Board, far=None, scheduler=None):
    """Run an app on a far terminal for the length of a block; yield both."""
    far = far or Far()
    app = make_app()
    task = asyncio.create_task(run_app(lambda: app, far.terminal, scheduler=scheduler))
    await far.gets(b"ready")
    try:
        yield app, far
    finally:
        far.terminal.end()
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([task])
        if not task.cancelled():
            task.exception()


async def painted(app):
    """Wait until the app has done what it was asked and repainted."""
    done = asyncio.Event()
    app.call_after_refresh(done.set)
    async with asyncio.timeout(PATIENCE):
        await done.wait()


def paint_now(app):
    """Have Textual paint the whole screen, as its timer for frames may ask in any turn of the loop."""
    if app._running and app._screen_stack and app.screen.is_mounted:
        app.screen.refresh()
        app.screen._on_timer_update()
