"""Real browsers, in which players open the page of a host and see its terminal."""

import asyncio

import pytest
from playwright.async_api import Error

from tests.real.programs import TIMEOUT

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
_WATCH = """async (last) => {
  const {term} = await import(document.querySelector("script[type=module]").src.replace("main.js", "terminal.js"));
  const rows = () => Array.from({length: term.rows}, (_, row) =>
    (term.buffer.active.getLine(row)?.translateToString(false, 0, term.cols) ?? "").padEnd(term.cols));
  const same = () => JSON.stringify(rows()) === JSON.stringify(last);
  if (last && same()) await new Promise((resolve) => {
    const watch = term.onRender(() => same() || (watch.dispose(), resolve()));
  });
  return rows();
}"""
"""JavaScript that returns the rows of the terminal, as soon as they differ from `last`."""


class Visitor:
    """A browser's tab with the page of a host."""

    def __init__(self, page, url):
        self.page = page
        self.url = url
        self.rows = []
        self.complaints = []
        """Errors and policy violations on the browser's console; a good page has none."""
        self.typed = b""
        """All bytes that its terminal has sent."""
        self.line = None
        """Its WebSocket."""
        page.on("websocket", self._opened)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._console)

    def _opened(self, line):
        self.line = line
        line.on("framesent", self._sent)

    def _sent(self, frame):
        if frame[:1] == b"\0":
            self.typed += frame[1:]

    def _console(self, message):
        if message.type == "error" and "WebSocket" not in message.text and "ERR_" not in message.text:
            self.complaints.append(message.text)

    @property
    def text(self):
        return "\n".join(self.rows)

    async def open(self, path="/"):
        await self.page.goto(self.url + path)

    async def wait_for(self, text_or_check):
        """Wait until the terminal shows a text, or a function of its text is true."""
        check = text_or_check if callable(text_or_check) else lambda player: text_or_check in player.text
        self.rows = []
        try:
            async with asyncio.timeout(TIMEOUT):
                while not self.rows or not check(self):
                    try:
                        self.rows = await self.page.evaluate(_WATCH, self.rows or None)
                    except Error as error:  # of a page that is just being reloaded
                        if "context" not in str(error) and "navigat" not in str(error):
                            raise
        except TimeoutError:
            pytest.fail(f"The page never showed {text_or_check!r}; it shows:\n{self.text}\n{self.complaints}")
        return self.text

    async def type(self, *keys):
        """Press keys by the names that browsers give them."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def type_text(self, text):
        await self.page.keyboard.type(text)

    async def at(self, text):
        """Return the middle of a text on the terminal, in CSS pixels."""
        row, line = next((row, line) for row, line in enumerate(self.rows) if text in line)
        box = await self.page.locator(".xterm-screen").bounding_box()
        column = line.index(text) + len(text) / 2
        return (
            box["x"] + column * box["width"] / len(line),
            box["y"] + (row + 0.5) * box["height"] / len(self.rows),
        )
