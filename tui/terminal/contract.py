"""What a screen and the driver of its terminal ask of each other; nothing else passes between them."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from textual import events

from net.host.metrics import Stages
from tui.model.keys import Key
from tui.pictures.uploads import TerminalImages
from tui.terminal.textual_private import SelfPaintedScreen

R = TypeVar("R")


class Output(Protocol):
    """The terminal, as a screen sees it."""

    uploads: TerminalImages | None
    """Pictures that the terminal has been given; None if it shows none."""
    stages: Stages
    wants_mouse: bool
    """Whether the terminal reports the mouse."""

    @property
    def dropping(self) -> bool:
        """Whether the terminal lags behind. Nothing need be drawn then: all is, once it has caught up."""

    def paint(self, written: str) -> None:
        """Send a frame at once."""

    def upload_images(self, pictures: str, count: int) -> None:
        """Send `count` pictures before the next frame."""

    def offer(self, keys: Sequence[Key], *, text: bool) -> None:
        """Tell a page which keys the screen offers, and whether it takes text."""

    def take_mouse(self, taken: bool) -> None:
        """Have the terminal report the mouse, or leave it to the terminal."""


class FrontScreen(SelfPaintedScreen[R]):
    """A screen, as the driver sees it. All input goes to the screen in front, past Textual's queues and timers."""

    def receive_key(self, key: events.Key) -> None:
        """Do what a key asks."""

    def paste(self, text: str) -> None:
        """Take pasted text."""

    def point(self, event: events.MouseEvent) -> None:
        """Do what a button or the wheel of the mouse asks."""

    def repaint(self) -> None:
        """Draw the screen and write all of it: the terminal has another size, or shows something else."""
