"""Textual at the terminal here: its driver, with its pictures, and its late answers kept from what is typed."""

import os
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any, TextIO, TypeVar

from rich.color import ColorSystem
from textual.app import App
from textual.events import Key, Resize
from textual.message import Message
from textual.messages import InBandWindowResize

from tui.pictures import pictures_of
from tui.run.terminal import NO_MOUSE, Asked, asked_here
from tui.streams import TYPED
from tui.terminal.app import fit_colours
from tui.terminal.colours import colours_of
from tui.terminal.driver import CLEAR, catch_up, meant
from tui.terminal.textual_private import HookedLinuxDriver, KeyParser, make_console

A = TypeVar("A", bound=App[Any])
_AMBIGUOUS = 0.05
"""Seconds after which an Esc is one that was typed, while an answer may still come."""
BEHIND = 256 * 1024
"""Characters that wait for a terminal which takes no more, before frames are dropped."""
_LAST_WORDS = 1.0
"""Seconds in which a terminal takes what is written at the end; one that has stopped takes nothing."""


class TypedParser(KeyParser):
    """Parses what is typed, from before there was a screen on."""

    def __init__(self, asked: Asked, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._asked = asked
        self._heard_at = 0.0

    def feed(self, data: str) -> Iterator[Message]:
        answers = self._asked.answers
        if data and not answers.complete:
            self._heard_at = self._clock()
            data = answers.take(data.encode()).decode(errors=TYPED)
            if not data:
                return
        yield from super().feed(data)

    def tick(self) -> Iterator[Message]:
        """Note that time has passed: what was held back as the beginning of an answer may have been typed."""
        typed, self._asked.typed = self._asked.typed, b""
        answers = self._asked.answers
        if answers.may_be_typed and self._clock() - self._heard_at > _AMBIGUOUS:
            typed += answers.give_up()
        if typed:
            yield from super().feed(typed.decode(errors=TYPED))
        yield from super().tick()


class Writer(Thread):
    """Writes to the terminal, so that nobody else waits for it. What is written once it has gone is lost."""

    def __init__(self, fd: int, caught_up: Callable[[], None]) -> None:
        """`caught_up` is called, in this thread, when the terminal has taken everything after it was behind."""
        super().__init__(daemon=True, name="terminal-writer")
        self._fd = fd
        self._caught_up = caught_up
        self._texts: SimpleQueue[str | None] = SimpleQueue()
        self._put = self._taken = 0  # each is changed by one thread alone

    @property
    def behind(self) -> bool:
        return self._put - self._taken > BEHIND

    def write(self, text: str) -> None:
        """Have a text written."""
        self._put += len(text)
        self._texts.put(text)

    def stop(self) -> None:
        """Have the rest written, as far as the terminal takes it."""
        self._texts.put(None)
        self.join(_LAST_WORDS)

    def run(self) -> None:
        """Write what comes; this is the thread."""
        while (text := self._texts.get()) is not None:
            data = text.encode(errors="replace")
            try:
                while data:
                    data = data[os.write(self._fd, data) :]
            except OSError:  # whoever watches the terminal ends the app
                pass
            behind = self.behind
            self._taken += len(text)
            if behind and not self.behind:
                self._caught_up()


class HomeDriver(HookedLinuxDriver):
    """The driver of the terminal at this machine."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["mouse"] = kwargs.get("mouse", True) and not os.environ.get(NO_MOUSE)
        super().__init__(*args, **kwargs)
        answers = asked_here().answers
        self.uploads = pictures_of(answers.cell, answers.sixel)
        self._ahead = ""
        self._writer: Writer | None = None
        self._ending = False

    def make_parser(self) -> KeyParser:
        return TypedParser(asked_here())

    def process_message(self, message: Message) -> None:
        """Hear what was typed, but nothing of the window's size: the system tells it, and any number may be typed."""
        if isinstance(message, Key):
            message = meant(self.app, message)
        if not isinstance(message, Resize | InBandWindowResize):
            super().process_message(message)

    def make_writer(self, file: TextIO) -> Writer:
        self._ending = False
        self._writer = Writer(file.fileno(), self._caught_up)
        return self._writer

    def give(self, pictures: str, _count: int) -> None:
        """Send pictures with what is written next."""
        self._ahead += pictures

    def write(self, data: str) -> None:
        """Write, unless the terminal is behind: then a frame is dropped, and everything is painted later."""
        if self._writer is not None and self._writer.behind and not self._ending:
            return
        ahead, self._ahead = self._ahead, ""
        super().write(self.uploads.shown(ahead + data) if self.uploads else ahead + data)

    def stop_application_mode(self) -> None:
        """Give the terminal back, without our pictures."""
        self._ending = True
        self._ahead += self.uploads.farewell() if self.uploads else ""
        self.write(CLEAR)
        super().stop_application_mode()

    def _caught_up(self) -> None:
        """Paint what was dropped; this runs in the writer's thread."""
        if not self._ending:
            self.loop.call_soon_threadsafe(self.app.call_later, catch_up, self.app)


def at_home(app: A) -> A:
    """Fit an app to the terminal here, and return it; where colours are not wanted Textual sees to that."""
    app.driver_class = HomeDriver
    colours = colours_of(os.environ.get("TERM", ""), os.environ)
    if not colours.grey and colours.system is not ColorSystem.TRUECOLOR:
        fit_colours(app, colours)
    elif asked_here().answers.cell and app.console.color_system != "truecolor":
        # Rich knows fewer names of terminals; and a picture's number is a colour.
        app.console = make_console(app.console, os.environ, app.console.size)
    return app
