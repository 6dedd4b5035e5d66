"""The interface between a screen and the driver of its terminal."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from textual import events

from net.host.metrics import Stages
from tui.model.keys import Button, Key
from tui.pictures.uploads import TerminalImages
from tui.terminal.textual_private import SelfPaintedScreen

R = TypeVar("R")


class Output(Protocol):
    """The terminal, as a screen sees it."""

    uploads: TerminalImages | None
    """Images that were sent to the terminal; None if it shows none."""
    stages: Stages
    wants_mouse: bool
    """True if the terminal reports the mouse."""

    @property
    def is_dropping_frames(self) -> bool:
        """True while frames are dropped because the terminal is slow. Drawing is pointless then: everything is
        redrawn later.
        """

    def paint(self, data: str) -> None:
        """Send a frame at once."""

    def upload_images(self, sequences: str, count: int) -> None:
        """Send `count` images by their escape `sequences` before the next frame."""

    def offer(self, keys: Sequence[Key], buttons: Sequence[Button], *, takes_text: bool) -> None:
        """Notify the web page of the screen's keys and the buttons that matter now.

        `takes_text` is True while the screen takes text.
        """

    def take_mouse(self, wants_mouse: bool) -> None:
        """Turn mouse reports of the terminal on or off."""


class FrontScreen(SelfPaintedScreen[R]):
    """A screen, as the driver sees it. All input goes to the screen in front, bypassing Textual's queues and
    timers.
    """

    def receive_key(self, key: events.Key) -> None:
        """Handle a key."""

    def paste(self, text: str) -> None:
        """Handle pasted text."""

    def receive_mouse(self, event: events.MouseEvent) -> None:
        """Handle a mouse button or the wheel."""

    def repaint(self) -> None:
        """Draw the screen and write all its cells: the terminal has a new size, or shows something else."""
