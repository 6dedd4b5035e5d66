"""The clock of a table: how much time each player has left; and that of a host, by which all its tables go."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from core.layout.state import NOBODY

SAVED_SOON = 0.5
"""Seconds that saving may take of a player's time; what it takes beyond is nobody's."""


class HostClock:
    """The time of a host, in seconds: it stands still while something cannot be saved, and so is not told either."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` never stands still."""
        self._clock = clock
        self._stood = 0.0
        self._saving_since: float | None = None

    def __call__(self) -> float:
        """Tell the time."""
        return self._clock() - self._stood - self._stands_for()

    @property
    def stands(self) -> bool:
        """Whether it stands still."""
        return self._stands_for() > 0

    def save(self) -> None:
        """Note that something is to be saved from now on."""
        if self._saving_since is None:
            self._saving_since = self._clock()

    def saved(self) -> bool:
        """Note that it is saved; return whether the clock stood still meanwhile."""
        stood = self._stands_for()
        self._stood += stood
        self._saving_since = None
        return stood > 0

    def _stands_for(self) -> float:
        return 0.0 if self._saving_since is None else max(0.0, self._clock() - self._saving_since - SAVED_SOON)


class Clock(Struct, frozen=True):
    """Runs for one seat at a time, or for none. All times are in seconds; a limit of 0 is no limit."""

    turn: int
    """The limit for one turn."""
    match: int
    """The limit of one player for a match."""
    turn_left: float
    match_left: tuple[float, ...]
    """By seat."""
    seat: int = NOBODY
    """The seat whose time is running."""
    ended: tuple[float, ...] = ()
    """By seat, what was left of its last turn when that ended."""
    since: float = 0.0
    """When what is left was last worked out."""

    @classmethod
    def of(cls, turn: int, match: int, seats: int) -> "Clock":
        """Return the clock of a new match, which runs for nobody."""
        return cls(turn, match, float(turn), (float(match),) * seats, ended=(float(turn),) * seats)

    @property
    def limited(self) -> bool:
        """Whether there is any limit at all."""
        return bool(self.turn or self.match)

    @property
    def running(self) -> bool:
        """Whether the time of any seat is running."""
        return self.seat != NOBODY

    def run(self, seat: int, now: float, *, fresh: bool = False) -> "Clock":
        """Let a seat's time run from now on, or nobody's (-1); a `fresh` turn has its whole time again."""
        after = replace(self._at(now), seat=seat)
        if not fresh:
            return after
        ended = tuple(after.turn_left if n == self.seat else left for n, left in enumerate(self.ended))
        return replace(after, turn_left=float(self.turn), ended=ended)

    def back(self, seat: int, now: float) -> "Clock":
        """Return to the last turn of a seat, which ended; the time that it took then is not given back."""
        at = self._at(now)
        left = min(self.ended[seat], at.turn_left if seat == self.seat else self.ended[seat])
        return replace(at, seat=NOBODY, turn_left=left)

    def begin(self) -> "Clock":
        """Give everybody the time for a new match."""
        return replace(self, turn_left=float(self.turn), match_left=(float(self.match),) * len(self.match_left))

    def left(self, seat: int, now: float) -> float | None:
        """Seconds until this seat, which is on turn, is out of time; None where there is no limit."""
        at = self._at(now) if seat == self.seat else self
        limits = ([at.turn_left] if self.turn else []) + ([at.match_left[seat]] if self.match else [])
        return min(limits, default=None)

    def shown(self, now: float) -> tuple[float, tuple[float, ...]]:
        """The seconds left for this turn, and by seat for the match, as they are now."""
        at = self._at(now)
        return round(at.turn_left, 1), tuple(round(left, 1) for left in at.match_left)

    def _at(self, now: float) -> "Clock":
        """Return it with the time worked out that has been spent by now."""
        if self.seat == NOBODY:
            return replace(self, since=now)
        spent = max(0.0, now - self.since)
        match_left = tuple(max(0.0, left - spent * (n == self.seat)) for n, left in enumerate(self.match_left))
        return replace(self, turn_left=max(0.0, self.turn_left - spent), match_left=match_left, since=now)
