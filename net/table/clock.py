"""The clock of a table: what time each player has left. The host's own clock rules; it is passed in."""

from collections.abc import Sequence

from core.layout.placed import NOBODY


class Clock:
    """Runs for one seat at a time, or for none. All times are in seconds; a limit of 0 is no limit."""

    def __init__(self, turn: int, match: int, seats: int) -> None:
        self.turn = turn
        self.match = match
        self._turn_left = float(turn)
        self._match_left = [float(match)] * seats
        self._seat = NOBODY
        self._since = 0.0

    @property
    def limited(self) -> bool:
        """Whether there is any limit at all."""
        return bool(self.turn or self.match)

    @property
    def running(self) -> bool:
        """Whether somebody's time is running."""
        return self._seat != NOBODY

    def run(self, seat: int, now: float, *, fresh: bool = False) -> None:
        """Let a seat's time run from now on, or nobody's (-1); a `fresh` turn has its whole time again."""
        if self._seat != NOBODY:
            spent = max(0.0, now - self._since)
            self._turn_left = max(0.0, self._turn_left - spent)
            self._match_left[self._seat] = max(0.0, self._match_left[self._seat] - spent)
        self._seat, self._since = seat, now
        if fresh:
            self._turn_left = float(self.turn)

    def begin(self) -> None:
        """Give everybody the time for a new match."""
        self._turn_left = float(self.turn)
        self._match_left = [float(self.match)] * len(self._match_left)

    def left(self, seat: int, now: float) -> float | None:
        """Seconds until this seat, which is on turn, is out of time; None where there is no limit."""
        spent = now - self._since if seat == self._seat else 0.0
        limits = ([self._turn_left] if self.turn else []) + ([self._match_left[seat]] if self.match else [])
        return max(0.0, min(limits) - spent) if limits else None

    def shown(self, now: float) -> tuple[float, tuple[float, ...]]:
        """The seconds left for this turn, and by seat for the match, as they are now."""
        if self._seat != NOBODY:
            self.run(self._seat, now)
        return round(self._turn_left, 1), tuple(round(left, 1) for left in self._match_left)

    def set(self, turn_left: float, match_left: Sequence[float]) -> None:
        """Take up what was left when a host stopped. Nothing runs yet."""
        self._turn_left, self._match_left = turn_left, list(match_left)
