"""The announced maintenance of a host, before which no new match begins; for the host and its clients."""

from collections.abc import Callable
from math import ceil

from core.layout.state import NOBODY
from core.words import Illegal, several_words, words
from net.wire.messages import Said

CALLED_OFF = Said("", NOBODY, "There will be no maintenance; new matches can begin.", -1)
"""The message to everybody once the operator has called the maintenance off."""
REMINDERS = (600, 300, 120, 60, 0)
"""Seconds before the maintenance at which everybody is reminded of it."""


class Maintenance:
    """The time at which the host goes down, if the operator has announced it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` returns the time in seconds."""
        self._clock = clock
        self._starts_at: float | None = None

    def follow(self, message: Said) -> None:
        """Apply the announcement that a message of the host may contain."""
        if message.maintenance is not None and not message.name:
            self._starts_at = None if message.maintenance < 0 else self._clock() + message.maintenance

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the host goes down; None if no maintenance is announced."""
        return None if self._starts_at is None else max(0.0, self._starts_at - self._clock())

    @property
    def next_reminder(self) -> float | None:
        """Seconds until the next reminder; None if there is none."""
        left = self.seconds_left or 0.0
        return next((left - reminder for reminder in REMINDERS if reminder < left), None)

    @property
    def message(self) -> Said | None:
        """The announcement, for everybody here and for each guest who enters; None if there is none."""
        return None if (left := self.seconds_left) is None else announcement(left)

    def check_new_match(self) -> None:
        """Raise Illegal if a match may not begin now."""
        if (left := self.seconds_left) is None:
            return
        if not (minutes := ceil(left / 60)):
            raise Illegal(words("The server goes down for maintenance now; no new match begins."))
        raise Illegal(
            several_words(
                "The server goes down for maintenance in {count} minute; no new match begins before that.",
                "The server goes down for maintenance in {count} minutes; no new match begins before that.",
                minutes,
            )
        )


def announcement(seconds: float) -> Said:
    """Return the message that announces the maintenance; the text is for clients that do not know `maintenance`."""
    minutes = ceil(seconds / 60)
    when = "now" if not minutes else f"in {minutes} minute{'s' * (minutes != 1)}"
    text = f"Maintenance {when}: no new match begins, and seats are kept."
    return Said("", NOBODY, text, seconds)
