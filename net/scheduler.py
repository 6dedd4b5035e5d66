"""Says what runs next in the process, and how much of it: a piece of work has a class, an owner and a cost.

Classes go in their order, and within a class whoever has had least. Budgets of owners and of whole classes are token
buckets. Nothing here knows of an event loop: whoever uses it passes the time, or says how to tell it; `net/loop.py`
does that for asyncio. docs/decisions/027-scheduler.md has the reasons and the figures.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from enum import Enum, StrEnum
from itertools import count
from math import inf
from time import thread_time
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from net.limits import (
    ADDRESSES_REMEMBERED,
    BUSY_PER_SECOND,
    MOVE_AHEAD,
    MOVE_SHARE,
    OPENINGS_AT_ONCE,
    OPENINGS_PER_SECOND,
    OPENINGS_WAITING,
    Limits,
    PerSecond,
    Seconds,
    Share,
)


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

    def taken(self, now: float, much: float = 1.0) -> "Allowance | None":
        """Return it after so much more has passed, or None if that may not pass now."""
        after = self.refilled(now)
        return None if after.left < much else replace(after, left=after.left - much)


class Bucket:
    """One token bucket."""

    __slots__ = ("_allowance",)

    def __init__(self, rate: float, burst: float) -> None:
        """`rate` is per second; `burst` at least 1, or nothing would ever pass. It begins full."""
        self._allowance = Allowance.of(rate, burst)

    def _refilled(self, now: float) -> float:
        self._allowance = self._allowance.refilled(now)
        return self._allowance.left

    def take(self, now: float, much: float = 1.0) -> bool:
        """Return whether so much more may pass now, and count it if so. `now` is in seconds of any one clock."""
        after = self._allowance.taken(now, much)
        self._allowance = after or self._allowance
        return after is not None

    def spend(self, much: float, now: float) -> None:
        """Count what has already passed, even if it is more than was left."""
        self._allowance = self._allowance.spent(much, now)

    def drain(self, now: float, debt: float = 0.0) -> None:
        """Leave nothing that may pass now, nor before so much more has come in as the `debt` is."""
        self.spend(max(0.0, self._refilled(now) + debt), now)

    def empty(self, now: float) -> bool:
        """Whether nothing may pass now; counts nothing."""
        return self._refilled(now) < 1

    def used(self, now: float) -> float:
        """How much has passed of late: less what has come in since."""
        return self._allowance.burst - self._refilled(now)

    def empty_until(self, now: float) -> float:
        """When one more may pass."""
        return now + max(0.0, 1 - self._refilled(now)) / self._allowance.rate

    def overdrawn(self, now: float) -> bool:
        """Whether more has passed than may."""
        return self._refilled(now) < 0

    def full(self, now: float) -> bool:
        """Whether it is like new, and so may be forgotten."""
        return self._refilled(now) >= self._allowance.burst


class Unlimited(Bucket):
    """Null object: the budget of the person who runs the process."""

    def __init__(self) -> None:
        super().__init__(1, 1)

    def take(self, now: float, much: float = 1.0) -> bool:  # noqa: ARG002
        """Let it pass."""
        return True

    def spend(self, much: float, now: float) -> None:
        """Count nothing."""


class Buckets:
    """A bucket for each key, of which at most `most` are remembered.

    The longest unused are forgotten first, but full ones before all others, since a new one is no different.
    """

    _LOOKED_AT = 16
    """Old ones that are checked for a full one, so that each of many new keys costs the same."""

    def __init__(self, rate: float, burst: float, limit: int) -> None:
        self._rate = rate
        self._burst = burst
        self._limit = limit
        self._of: OrderedDict[Hashable, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._of)

    def take(self, key: Hashable, now: float, much: float = 1.0) -> bool:
        """Return whether so much more of this key may pass now, and count it if so."""
        return self.of(key, now).take(now, much)

    def drain(self, key: Hashable, now: float, debt: float = 0.0) -> None:
        """Leave nothing of this key that may pass now, nor before so much more has come in as the `debt` is."""
        self.of(key, now).drain(now, debt)

    def empty(self, key: Hashable, now: float) -> bool:
        """Whether nothing of this key may pass now; remembers nothing."""
        bucket = self._of.get(key)
        return bucket is not None and bucket.empty(now)

    def of(self, key: Hashable, now: float) -> Bucket:
        """That of a key, a new one if need be; it is remembered longer than all others."""
        bucket = self._of.get(key)
        if bucket is None:
            if len(self._of) >= self._limit:
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


class Work(StrEnum):
    """The classes of work, in the order in which they go."""

    MOVE = "move"
    """A message of somebody who plays. It never waits: others wait for it."""
    KEY = "key"
    """What is typed in one session, or the new size of its window."""
    ANSWER = "answer"
    """What a host has sent to one session is taken in, and shown."""
    LIST = "list"
    """A message of somebody who does not play: in the lobby, or looking on."""
    OPENING = "opening"
    """The first screen of a session."""
    INPUT = "input"
    """Reading from a connection that sends more than others."""
    STRANGER = "stranger"
    """A handshake, or an exchange of new keys."""
    COLLECTING = "collecting"
    """Garbage is collected, and everybody waits."""


class WorkMetrics:
    """Takes note of how long work waits, and what it costs. This one counts nothing: nobody looks."""

    def waited(self, work: Work, seconds: Seconds) -> None:
        """Note how long a piece has waited."""

    def cost(self, work: Work, seconds: Seconds) -> None:
        """Note what it took."""


BUSY_BURST = 20
"""A session that has asked for so many things of late, more than it earned by waiting, is busy: it waits for those
that ask less. Holding a key for a second or two reaches this, and is slowed down only if others are as busy."""
BUSY_PAUSE = 0.05
"""Seconds of rest after a key of any busy session, for all of them: a key and what follows take up to 5 ms. Also
those until a piece that failed is tried again."""
KEY_COST = 0.005
"""Seconds of CPU that one key may take. One that takes more counts as several."""
CPU_UNIT = 1e-3
"""The CPU of handshakes is counted in so many seconds. One is charged at its turn, before the cost is known."""
HANDSHAKES_AT_ONCE = 8
"""Handshakes in one burst: friends who connect at the same moment."""
CPU_AT_ONCE = 0.2
"""Seconds of CPU for handshakes in one burst: about fifty of them."""
OPENING_TIMEOUT = 2.0
"""Seconds after which a screen that is still being opened holds up nobody any more."""
COLLECTED_EVERY = 0.025
"""Seconds between collections of the young: docs/decisions/011-collecting.md."""
_FORGIVEN = 60.0
"""Seconds after which an address is forgiven one opening, or 60 ms of handshakes."""
_SOON = 1e-6
"""Seconds until the next look at least, if nothing was to do: a bucket may fill a rounding error later."""
_MOVES_AT_ONCE = 4
"""Moves in one burst, for example at a table where everybody plays quickly."""


class Rule(Struct, frozen=True):
    """How the work of one class is limited."""

    max_wait: Seconds = 0.0
    """After so long a piece goes on beside work of classes before it."""
    alone: bool = True
    """Whether the next piece of any class waits for the next turn of the loop."""
    owner: tuple[PerSecond, float] = (BUSY_PER_SECOND, BUSY_BURST)
    """The budget of each owner, per second and at once."""
    start_rate: tuple[PerSecond, float] | None = None
    """How many begin, of all owners together."""
    share: tuple[Share, Seconds] | None = None
    """How much CPU they may take together, and how much of it at once."""
    paces_busy: bool = False
    """Whether owners who have had more than their budget rest between their pieces, and wait for moves."""
    after_moves: bool = False
    """Whether all of them wait for moves."""
    exclusive_for: Seconds = 0.0
    """Only one is at work until it is said to be over, at most for so long; 0 for a piece that ends with its turn."""
    unit: Seconds = 0.0
    """What is done within the turn is measured, and counts as more than one if it takes longer; 0 for what is not."""
    max_waiting: float = inf
    """How many may wait. Without a limit there is at most one of each session or connection, which have their own."""


def new_owner() -> Bucket:
    """The budget of a session."""
    return Bucket(BUSY_PER_SECOND, BUSY_BURST)


def rules(limits: Limits) -> dict[Work, Rule]:
    """How much of each class there may be."""
    network = 1 / _FORGIVEN, 1.0
    cpu = 1.0, 1.0
    return {
        Work.KEY: Rule(paces_busy=True, unit=KEY_COST),
        Work.ANSWER: Rule(max_wait=0.008, paces_busy=True),
        Work.LIST: Rule(max_wait=0.01, after_moves=True),
        Work.OPENING: Rule(
            max_wait=0.02,
            owner=network,
            start_rate=(OPENINGS_PER_SECOND, OPENINGS_AT_ONCE),
            exclusive_for=OPENING_TIMEOUT,
            max_waiting=OPENINGS_WAITING,
        ),
        Work.INPUT: Rule(max_wait=0.05, owner=cpu, share=(limits.busy_share, CPU_AT_ONCE), after_moves=True),
        Work.STRANGER: Rule(
            max_wait=0.05,
            owner=cpu,
            start_rate=(limits.handshakes_in_all, HANDSHAKES_AT_ONCE),
            share=(limits.strangers_share, CPU_AT_ONCE),
            after_moves=True,
        ),
        Work.COLLECTING: Rule(alone=False, start_rate=(1 / COLLECTED_EVERY, 1), unit=COLLECTED_EVERY),
    }


class Outcome(Enum):
    """What became of a piece of work in its turn."""

    DONE = "done"
    MORE = "more"
    """It did one thing and has more to do."""
    GONE = "gone"
    """Whoever asked for it is gone; the turn is somebody else's."""


class FullError(Exception):
    """So much work of this class waits that no more is taken."""


def _gone() -> Outcome:
    return Outcome.GONE


def _refused() -> None:
    pass


class Piece:
    """A piece of work that may ask for a turn, again and again."""

    __slots__ = ("asked", "begins", "later", "owner", "refuse", "run", "since", "weight", "work")

    def __init__(
        self,
        work: Work,
        owner: Bucket,
        run: Callable[[], Outcome],
        *,
        begins: bool = True,
        refuse: Callable[[], None] = _refused,
    ) -> None:
        """`run` does one thing. `begins` counts it among those that may begin in a second. `refuse` is called when
        there is no room for it any more.
        """
        self.work, self.owner, self.run, self.begins, self.refuse = work, owner, run, begins, refuse
        self.weight = 1.0
        """How much the last thing took, in what the owner's budget counts."""
        self.asked = 0
        self.since = 0.0
        self.later = 0.0
        """Not before this: it has failed."""

    def close(self) -> None:
        """Drop the callbacks: they are usually methods of an object that holds this piece."""
        self.run, self.refuse = _gone, _refused


class Waker(Protocol):
    """Calls the scheduler."""

    def schedule(self, seconds: Seconds) -> None:
        """Call `go_on` in so many seconds or before that, 0 for the next turn of the loop."""

    @property
    def soon(self) -> bool:
        """Whether the call comes with the next turn of the loop."""

    @property
    def turn(self) -> int | None:
        """The number of this turn of the loop; None if nobody counts them."""


class _Queue:
    """The pieces of one class that wait."""

    def __init__(self, rule: Rule) -> None:
        self.waiting: dict[Piece, None] = {}
        self.at = 0.0
        """When to look again, if `next` had none."""
        self.rests_until = self.failed_until = 0.0
        self.holder: Piece | None = None
        self._held_until = 0.0
        self.owners = Buckets(*rule.owner, ADDRESSES_REMEMBERED)
        self.set(rule)

    def set(self, rule: Rule) -> None:
        """Go by a rule from now on."""
        self.rule = rule
        self.starts = Bucket(*rule.start_rate) if rule.start_rate else None
        self.share: Bucket | None = None
        if rule.share:
            share, at_once = rule.share
            self.share = Bucket(share / CPU_UNIT, max(1.0, at_once / CPU_UNIT))

    def hold(self, piece: Piece, now: float) -> None:
        """Let nobody else begin until this piece is over."""
        self.holder, self._held_until = piece, now + self.rule.exclusive_for

    def next(self, now: float, moving_until: float, *, late: bool) -> Piece | None:
        """Return whose turn it is; with `late`, only such as have waited for long."""
        rule, self.at = self.rule, now
        if rule.after_moves and now < moving_until:
            self.at = moving_until
        if self.holder is not None:
            self.at = max(self.at, self._held_until)
        if self.share is not None and self.share.empty(now):
            self.at = max(self.at, self.share.empty_until(now))
        if self.at > now:
            return None
        ready = list(self.waiting)
        if self.starts is not None and self.starts.empty(now):
            self.at = self.starts.empty_until(now)
            ready = [piece for piece in ready if not piece.begins]
        if self.failed_until > now:
            self.at = self.failed_until
            ready = [piece for piece in ready if piece.later <= now]
        if rule.paces_busy and ready:
            calm = [piece for piece in ready if not piece.owner.overdrawn(now)]
            self.at = max(self.rests_until, moving_until)
            ready = calm or (ready if self.at <= now else [])
        if late:
            ready = [piece for piece in ready if piece.since + rule.max_wait < now]
        return _least_served(ready, now) if ready else None

    def evict_for(self, piece: Piece) -> None:
        """Refuse the last piece of the owner who has most of them here, or this one. Raises FullError."""
        held: dict[Bucket, list[Piece]] = {}
        for each in self.waiting:
            held.setdefault(each.owner, []).append(each)
        most = max(held.values(), key=len)
        if len(most) <= len(held.get(piece.owner, ())) + 1:
            raise FullError
        del self.waiting[most[-1]]
        most[-1].refuse()


def _least_served(pieces: list[Piece], now: float) -> Piece:
    """That of the owner who has had least; of several, who has waited longest."""
    return min(pieces, key=lambda piece: piece.owner.used(now)) if len(pieces) > 1 else pieces[0]


class Scheduler:
    """Gives turns to the work of one process: in each, something of the first class that has any.

    What has waited longer than the patience of its class goes on in the same turn. A piece that fails has another
    turn a little later. A move is on its way for a moment, in which other work that can wait does.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        alarm: Waker,
        failed: Callable[[Exception], object],
        meter: Callable[[], float] = thread_time,
    ) -> None:
        """`clock` tells the time, and `meter` the CPU that was used; `failed` hears why a piece has failed."""
        self.numbers = WorkMetrics()
        self._clock, self._alarm, self._failed, self._meter = clock, alarm, failed, meter
        self._queues = {work: _Queue(rule) for work, rule in rules(Limits()).items()}
        self._moving_until = 0.0
        self._moves = Bucket(MOVE_SHARE / MOVE_AHEAD, _MOVES_AT_ONCE)
        self._asked = count(1)
        self._closed: set[Work] = set()
        self._at_work = False
        self._did_in: int | None = None
        """The turn of the loop in which something was done last."""

    def set_limits(self, limits: Limits) -> None:
        """Take these limits of handshakes and busy connections."""
        for work in (Work.INPUT, Work.STRANGER):
            self._queues[work].set(rules(limits)[work])

    def owner(self, work: Work, name: Hashable) -> Bucket:
        """The budget of an owner that is known by its name, such as a network."""
        return self._queues[work].owners.of(name, self._clock())

    def note_move(self) -> None:
        """Note a move; with very many moves, other work still gets its share of the time."""
        now = self._clock()
        if self._moves.take(now):
            self._moving_until = now + MOVE_AHEAD

    @property
    def moving(self) -> Seconds:
        """Seconds for which a move is still on its way; 0 for none."""
        return max(0.0, self._moving_until - self._clock()) if self._moving_until else 0.0

    def submit(self, piece: Piece) -> None:
        """Have `run` called in its turn: at once if nobody waits. Whoever waits need not ask again.

        Raises FullError.
        """
        queue, now = self._queues[piece.work], self._clock()
        if piece.work in self._closed:
            return
        if piece not in queue.waiting and len(queue.waiting) >= queue.rule.max_waiting:
            queue.evict_for(piece)
        piece.since, piece.asked = now, next(self._asked)
        queue.waiting[piece] = None
        self._look()

    def is_waiting(self, piece: Piece) -> bool:
        """Whether a piece has asked for a turn and not had it yet."""
        return piece in self._queues[piece.work].waiting

    def cancel(self, piece: Piece) -> None:
        """Give it no turn any more, and others the one it has; harmless when it did not wait."""
        queue = self._queues[piece.work]
        queue.waiting.pop(piece, None)
        if queue.holder is piece:
            queue.holder = None
            if queue.waiting:
                self._look()

    def close(self, *classes: Work) -> None:
        """Give no turns to these classes any more."""
        self._closed |= set(classes)
        for work in classes:
            self._queues[work].waiting.clear()

    def exhausted(self, work: Work) -> bool:
        """Whether a class has used up its share of the CPU for now."""
        share = self._queues[work].share
        return share is not None and share.empty(self._clock())

    def charge(self, work: Work, owner: Bucket, seconds: Seconds) -> None:
        """Count CPU seconds that work has cost outside its turn."""
        now, queue = self._clock(), self._queues.get(work)
        if queue is not None and queue.share is not None:
            queue.share.spend(seconds / CPU_UNIT, now)
        owner.spend(seconds / CPU_UNIT, now)
        self.numbers.cost(work, seconds)

    def _look(self) -> None:
        """Do what is next; in the next turn of the loop if something was done in this one."""
        if self._at_work or self._alarm.soon:
            return
        if self._did_in is not None and self._did_in == self._alarm.turn:
            self._alarm.schedule(0)
        else:
            self.run_turn()

    def run_turn(self) -> None:
        """Do what is next, and see to it that this is called again when there is more."""
        self._at_work, again = True, BUSY_PAUSE
        try:
            again = self._give_turns()
        finally:
            self._at_work = False
            if again < inf:
                self._alarm.schedule(again)

    def _give_turns(self) -> Seconds:
        """Do what is next; return when to look again: at once if anything was done, so that turns stay short."""
        now, did, at = self._clock(), False, inf
        for queue in self._queues.values():
            while queue.waiting:
                found = queue.next(now, self._moving_until, late=did)
                if found is None:
                    at = min(at, queue.at)
                    break
                if self._do(queue, found, now):
                    did |= queue.rule.alone
                    at = min(at, queue.starts.empty_until(now) if queue.starts and queue.waiting else inf)
                    break
        if not did:
            return max(_SOON, at - now)
        self._did_in = self._alarm.turn
        waits = self._did_in is None or any(queue.waiting for queue in self._queues.values())
        return 0 if waits else inf

    def _do(self, queue: _Queue, piece: Piece, now: float) -> bool:
        """Give a piece its turn; return whether it took it."""
        rule, asked, waited, busy = queue.rule, piece.asked, now - piece.since, piece.owner.overdrawn(now)
        outcome, begun = Outcome.MORE, self._meter()
        try:
            outcome = piece.run()
        except Exception as error:  # the turn of one is nobody else's fault
            piece.later = queue.failed_until = now + BUSY_PAUSE
            self._failed(error)
        took = self._meter() - begun
        if outcome is Outcome.MORE:
            piece.since = now
        elif piece.asked == asked:  # not earlier: what fails before this has its turn again
            queue.waiting.pop(piece, None)
        if outcome is Outcome.GONE:
            return False
        self._count(queue, piece, now, took)
        if rule.exclusive_for and piece.later <= now:
            queue.hold(piece, now)
        if rule.paces_busy and busy:
            queue.rests_until = now + BUSY_PAUSE * max(piece.weight, took / rule.unit if rule.unit else 0.0)
        self.numbers.waited(piece.work, waited)
        return True

    def _count(self, queue: _Queue, piece: Piece, now: float, took: Seconds) -> None:
        """Count a piece against the budgets."""
        rule = queue.rule
        if queue.starts is not None and piece.begins:
            queue.starts.take(now)
        if rule.start_rate or rule.share:
            piece.owner.spend(1, now)
        if rule.unit:
            if (more := took / rule.unit - piece.weight) > 0:
                piece.owner.spend(more, now)
            self.numbers.cost(piece.work, took)
