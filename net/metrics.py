"""What can be counted in a house: nothing by default, and numbers for Prometheus if they are asked for."""

from collections.abc import Callable
from enum import StrEnum


class Door(StrEnum):
    """By which door a session came."""

    TERMINAL = "terminal"
    LINK = "link"


class Metrics:
    """Takes everything in and keeps nothing: what a house has that nobody watches. Every call is cheap."""

    def session_opened(self, door: Door) -> None:
        """Count a session in."""

    def session_closed(self, door: Door) -> None:
        """Count it out."""

    def turned_away(self, reason: str) -> None:
        """Count a connection that was refused; `reason` is one of the few of `net.doorman.Turned`."""

    def acted(self) -> None:
        """Count an action that a table took."""

    def refused(self) -> None:
        """Count a message that was refused in words."""

    def repainted(self, seconds: float) -> None:
        """Note how long one screen took from the first change to the bytes of its frame."""

    def pulls(self, **values: Callable[[], float]) -> None:
        """Tell what to ask whenever somebody looks: `unauthenticated`, `unsent`, `tables` or `pending_saves`.

        Each function is called from another thread: it must be short and change nothing.
        """
