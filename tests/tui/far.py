"""A terminal without SSH, an app for it, and a player for the app."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from net.doors.terminal import Terminal
from tui.board.canvas import Picture, Style
from tui.screens.base import PictureScreen, SingleScreenApp
from tui.terminal.app import run_app

TIMEOUT = 30
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


class EchoScreen(PictureScreen):
    """A screen that shows the last event, in colour, and the size of the window."""

    def __init__(self):
        super().__init__()
        self.message = "ready"

    def say(self, words):
        self.message = words
        self.repaint()

    def redraw(self):
        width, height = self.size
        text = [*(self.message[at : at + width] for at in range(0, len(self.message), width)), f"{width} by {height}"]
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


class EchoApp(SingleScreenApp):
    """An app with an `EchoScreen`."""

    def __init__(self):
        super().__init__(EchoScreen())

    def say(self, words):
        self.screen.say(words)


class FarEnd:
    """Far end of a terminal without SSH: a connection, and a simple player."""

    def __init__(self, name="xterm-256color", size=(40, 6), **env):
        self.sent = b""
        self.is_reading = True
        self.is_cut = False
        self._change = asyncio.Event()
        self.terminal = Terminal(self, name, size, env)

    def write(self, data):
        self.sent += data
        self._change.set()

    def pause_reading(self):
        self.is_reading = False

    def resume_reading(self):
        self.is_reading = True
        self._change.set()

    def finish(self):
        pass

    def hang_up(self):
        self.is_cut = True

    async def wait_for_output(self, wanted):
        try:
            async with asyncio.timeout(TIMEOUT):
                while wanted not in self.sent:
                    self._change.clear()
                    await self._change.wait()
        except TimeoutError:
            pytest.fail(f"never got {wanted!r}, but {self.sent!r}")

    async def wait_until_reading(self):
        """Wait until input is accepted again."""
        async with asyncio.timeout(TIMEOUT):
            while not self.is_reading:
                self._change.clear()
                await self._change.wait()

    async def type(self, data, answer):
        self.sent = b""
        self.terminal.feed(data)
        await self.wait_for_output(answer)


@asynccontextmanager
async def running_app(make_app=EchoApp, far=None, scheduler=None):
    """Run an app on a far terminal for the length of a block; yield both."""
    far = far or FarEnd()
    app = make_app()
    task = asyncio.create_task(run_app(lambda: app, far.terminal, scheduler=scheduler))
    await far.wait_for_output(b"ready")
    try:
        yield app, far
    finally:
        far.terminal.end()
        async with asyncio.timeout(TIMEOUT):
            await asyncio.wait([task])
        if not task.cancelled():
            task.exception()


async def wait_until_handled(app):
    """Wait until the app has handled all earlier calls."""
    done = asyncio.Event()
    app.call_later(done.set)
    async with asyncio.timeout(TIMEOUT):
        await done.wait()
