"""Textual's driver for the terminal here, with its pictures, and its late answers kept from what is typed."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from textual.events import Resize
from textual.message import Message
from textual.messages import InBandWindowResize

from tui.pictures import pictures_of
from tui.run.terminal import Asked, asked_here
from tui.serve.textual_private import HookedLinuxDriver, KeyParser

_AMBIGUOUS = 0.05
"""Seconds after which an Esc is one that was typed, while an answer may still come."""


class TypedParser(KeyParser):
    """Parses what is typed, from before there was a screen on."""

    def __init__(self, asked: Asked, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._asked = asked
        self._heard_at = 0.0

    def feed(self, data: str) -> Iterator[Message]:
        """Parse what came, without answers."""
        answers = self._asked.answers
        if data and not answers.complete:
            self._heard_at = self._clock()
            data = answers.take(data.encode()).decode(errors="replace")
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
            yield from super().feed(typed.decode(errors="replace"))
        yield from super().tick()


class HomeDriver(HookedLinuxDriver):
    """The driver of the terminal at this machine."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        answers = asked_here().answers
        self.uploads = pictures_of(answers.cell, answers.sixel)
        self._ahead = ""

    def make_parser(self) -> KeyParser:
        """Return what parses what is typed."""
        return TypedParser(asked_here())

    def process_message(self, message: Message) -> None:
        """Hear what was typed, but nothing of the window's size: the system tells it, and any number may be typed."""
        if not isinstance(message, Resize | InBandWindowResize):
            super().process_message(message)

    def give(self, pictures: str, _count: int) -> None:
        """Send pictures with what is written next."""
        self._ahead += pictures

    def write(self, data: str) -> None:
        """Write. Pictures are no writes of their own: on a terminal that has gone, Textual takes only so many."""
        ahead, self._ahead = self._ahead, ""
        super().write(self.uploads.shown(ahead + data))

    def stop_application_mode(self) -> None:
        """Give the terminal back, without our pictures."""
        self._ahead += self.uploads.farewell()
        super().stop_application_mode()
