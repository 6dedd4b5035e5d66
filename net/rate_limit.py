"""Rate limits: token buckets, alone and by key. The caller passes the time."""

from collections import OrderedDict
from collections.abc import Hashable


class Bucket:
    """Allows `burst` at once and `rate` per second in the long run."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        """`rate` is per second; `burst` at least 1, or nothing would ever pass. It starts full."""
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._at: float | None = None

    def take(self, now: float) -> bool:
        """Return whether one more may pass now, and count it if so. `now` is in seconds of any one clock."""
        self._refill(now)
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def spend(self, much: float, now: float) -> None:
        """Count what has already passed, even if it is more than was left."""
        self._refill(now)
        self._left -= much

    def empty(self, now: float) -> bool:
        """Whether nothing may pass now; counts nothing."""
        self._refill(now)
        return self._left < 1

    def full(self, now: float) -> bool:
        """Whether it is like new, and so may be forgotten."""
        self._refill(now)
        return self._left >= self._burst

    def _refill(self, now: float) -> None:
        if self._at is None:
            self._at = now
        if now > self._at:  # a clock that steps back gives nothing, and takes nothing
            self._left = min(self._burst, self._left + (now - self._at) * self._rate)
            self._at = now


class Buckets:
    """A bucket for each key, of which at most `most` are remembered.

    The longest unused are forgotten first, but full ones before all others, since a new one is no different.
    """

    _LOOKED_AT = 16
    """Old ones that are checked for a full one, so that each of many new keys costs the same."""

    def __init__(self, rate: float, burst: float, most: int) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._of: OrderedDict[Hashable, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._of)

    def take(self, key: Hashable, now: float) -> bool:
        """Return whether one more of this key may pass now, and count it if so."""
        bucket = self._of.get(key)
        if bucket is None:
            if len(self._of) >= self._most:
                self._forget_one(now)
            bucket = self._of[key] = Bucket(self._rate, self._burst)
        self._of.move_to_end(key)
        return bucket.take(now)

    def empty(self, key: Hashable, now: float) -> bool:
        """Whether nothing of this key may pass now; remembers nothing."""
        bucket = self._of.get(key)
        return bucket is not None and bucket.empty(now)

    def _forget_one(self, now: float) -> None:
        oldest = next(iter(self._of))
        for key, _ in zip(self._of, range(self._LOOKED_AT), strict=False):
            if self._of[key].full(now):
                oldest = key
                break
        del self._of[oldest]
