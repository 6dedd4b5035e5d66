"""A terminal without SSH, an app for it, and a player for the app."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from net.doors.terminal import Terminal
from tui.board.canvas import Picture, Style
from tui.screens.base import PictureScreen, SingleScreenApp
from tui.terminal.app import run_app

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
"""Keys of a player at a table, as bytes."""


STYLE = Style("#ff8000", "#123456")


class BoardScreen(PictureScreen):
    """A screen with the last event, in colour, and the size of the window."""

    def __init__(self):
        super().__init__()
        self.said = "ready"

    def say(self, words):
        self.said = words
        self.repaint()

    def redraw(self):
        width, height = self.size
        text = [*(self.said[at : at + width] for at in range(0, len(self.said), width)), f"{width} by {height}"]
        rows = [line.ljust(width) for line in text[:height]] + [" " * width] * (height - len(text))
        self.show(Picture(tuple(((row, STYLE),) for row in rows)))

    def repaint(self):
        self.forget()
        self.redraw()

    def on_screen_resume(self):
        self.redraw()
        self.app.on_screen_opened()

    def receive_key(self, key):
        if key.key == "exclamation_mark":
            raise RuntimeError("the spinner spun off")
        if key.key == "p":
            print("printed by an app")
        self.say(f"key {key.key} {key.character!r}")
        if key.key in ("q", "ctrl+q"):
            self.app.exit("left")

    def paste(self, text):
        self.say(f"paste {text}")

    def receive_mouse(self, event):
        self.say(f"click {event.x} {event.y}")


class Board(SingleScreenApp):
    """An app with such a screen."""

    def __init__(self):
        super().__init__(BoardScreen())

    def say(self, words):
        self.screen.say(words)


class Far:
    """The far end of a terminal without SSH: a connection, and a simple player."""

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
        """Wait until input is accepted again."""
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


async def paint_tile(app):
    """Wait until the app has handled all earlier calls."""
    done = asyncio.Event()
    app.call_later(done.set)
    async with asyncio.timeout(PATIENCE):
        await done.wait()
