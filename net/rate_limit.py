"""Rate limits: token buckets, alone and by key. The caller passes the time."""

from collections import OrderedDict
from collections.abc import Hashable

from msgspec import Struct
from msgspec.structs import replace


class Allowance(Struct, frozen=True):
    """A token bucket as a value: allows `burst` at once and `rate` per second in the long run."""

    rate: float
    """Per second."""
    burst: float
    """At least 1, or nothing would ever pass."""
    left: float
    at: float | None = None
    """When `left` was last worked out, in seconds of any one clock; None before the first time."""

    @classmethod
    def of(cls, rate: float, burst: float) -> "Allowance":
        """Return a full one."""
        return cls(rate, burst, float(burst))

    def refilled(self, now: float) -> "Allowance":
        """Return it as it is at this time."""
        if self.at is None:
            return replace(self, at=now)
        if now <= self.at:  # a clock that steps back gives nothing, and takes nothing
            return self
        return replace(self, left=min(self.burst, self.left + (now - self.at) * self.rate), at=now)

    def spent(self, much: float, now: float) -> "Allowance":
        """Return it after something has passed, even if that was more than there was left."""
        after = self.refilled(now)
        return replace(after, left=after.left - much)

    def taken(self, now: float) -> "Allowance | None":
        """Return it after one more has passed, or None if nothing may pass now."""
        after = self.refilled(now)
        return None if after.left < 1 else replace(after, left=after.left - 1)


class Bucket:
    """One token bucket."""

    __slots__ = ("_now",)

    def __init__(self, rate: float, burst: float) -> None:
        """`rate` is per second; `burst` at least 1, or nothing would ever pass. It begins full."""
        self._now = Allowance.of(rate, burst)

    def take(self, now: float) -> bool:
        """Return whether one more may pass now, and count it if so. `now` is in seconds of any one clock."""
        after = self._now.taken(now)
        self._now = after or self._now.refilled(now)
        return after is not None

    def spend(self, much: float, now: float) -> None:
        """Count what has already passed, even if it is more than was left."""
        self._now = self._now.spent(much, now)

    def drain(self, now: float, debt: float = 0.0) -> None:
        """Leave nothing that may pass now, nor before so much more has come in as the `debt` is."""
        self.spend(max(0.0, self._now.refilled(now).left + debt), now)

    def empty(self, now: float) -> bool:
        """Whether nothing may pass now; counts nothing."""
        self._now = self._now.refilled(now)
        return self._now.left < 1

    def full(self, now: float) -> bool:
        """Whether it is like new, and so may be forgotten."""
        self._now = self._now.refilled(now)
        return self._now.left >= self._now.burst


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
        return self._bucket(key, now).take(now)

    def drain(self, key: Hashable, now: float, debt: float = 0.0) -> None:
        """Leave nothing of this key that may pass now, nor before so much more has come in as the `debt` is."""
        self._bucket(key, now).drain(now, debt)

    def empty(self, key: Hashable, now: float) -> bool:
        """Whether nothing of this key may pass now; remembers nothing."""
        bucket = self._of.get(key)
        return bucket is not None and bucket.empty(now)

    def _bucket(self, key: Hashable, now: float) -> Bucket:
        """That of a key, a new one if need be; it is remembered longer than all others."""
        bucket = self._of.get(key)
        if bucket is None:
            if len(self._of) >= self._most:
                self._forget_one(now)
            bucket = self._of[key] = Bucket(self._rate, self._burst)
        self._of.move_to_end(key)
        return bucket

    def _forget_one(self, now: float) -> None:
        oldest = next(iter(self._of))
        for key, _ in zip(self._of, range(self._LOOKED_AT), strict=False):
            if self._of[key].full(now):
                oldest = key
                break
        del self._of[oldest]
