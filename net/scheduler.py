"""Scheduler of one process: decides which piece of work runs next, by its class, its owner and its cost.

Classes are served in order of priority; within a class, the owner who has used the least goes first. Budgets of
owners and of whole classes are token buckets. This module knows no event loop: callers pass the time or a clock;
`net/loop.py` connects it to asyncio. docs/decisions/027-scheduler.md has the reasons and the figures.
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
    """A token bucket as an immutable value: allows `burst` at once and `rate` per second in the long run."""

    rate: float
    """Tokens per second."""
    burst: float
    """At least 1, or nothing would ever pass."""
    tokens: float
    """Tokens left at `refilled_at`; below zero if the bucket is overdrawn."""
    refilled_at: float | None = None
    """In seconds of any one clock; None before the first use."""

    @classmethod
    def of(cls, rate: float, burst: float) -> "Allowance":
        """Return a full bucket."""
        return cls(rate, burst, float(burst))

    def refill(self, now: float) -> "Allowance":
        """Return the bucket as it is at `now`."""
        if self.refilled_at is None:
            return replace(self, refilled_at=now)
        if now <= self.refilled_at:  # a clock that steps back neither adds nor takes tokens
            return self
        return replace(
            self, tokens=min(self.burst, self.tokens + (now - self.refilled_at) * self.rate), refilled_at=now
        )

    def spend(self, tokens: float, now: float) -> "Allowance":
        """Return the bucket after taking `tokens`, even if fewer are left."""
        refilled = self.refill(now)
        return replace(refilled, tokens=refilled.tokens - tokens)

    def try_spend(self, now: float, tokens: float = 1.0) -> "Allowance | None":
        """Return the bucket after taking `tokens`, or None if fewer are left."""
        refilled = self.refill(now)
        return None if refilled.tokens < tokens else replace(refilled, tokens=refilled.tokens - tokens)


class Bucket:
    """A token bucket."""

    __slots__ = ("_allowance",)

    def __init__(self, rate: float, burst: float) -> None:
        """`rate` is per second; `burst` at least 1, or nothing would ever pass. The bucket begins full."""
        self._allowance = Allowance.of(rate, burst)

    def _refill(self, now: float) -> float:
        self._allowance = self._allowance.refill(now)
        return self._allowance.tokens

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Take `tokens` if there are enough; return True if they were taken. `now` is in seconds of any one clock."""
        remaining = self._allowance.try_spend(now, tokens)
        self._allowance = remaining or self._allowance
        return remaining is not None

    def spend(self, tokens: float, now: float) -> None:
        """Take `tokens` even if fewer are left."""
        self._allowance = self._allowance.spend(tokens, now)

    def drain(self, now: float, debt: float = 0.0) -> None:
        """Empty the bucket and take it `debt` tokens below zero."""
        self.spend(max(0.0, self._refill(now) + debt), now)

    def is_empty(self, now: float) -> bool:
        """Return True if there is less than one token; takes none."""
        return self._refill(now) < 1

    def used_tokens(self, now: float) -> float:
        """Return the tokens that were used and are not refilled yet."""
        return self._allowance.burst - self._refill(now)

    def empty_until(self, now: float) -> float:
        """Return the time at which there will be one token."""
        return now + max(0.0, 1 - self._refill(now)) / self._allowance.rate

    def is_overdrawn(self, now: float) -> bool:
        """Return True if the bucket is below zero."""
        return self._refill(now) < 0

    def is_full(self, now: float) -> bool:
        """Return True if the bucket is full, and so can be replaced by a new one."""
        return self._refill(now) >= self._allowance.burst


class Unlimited(Bucket):
    """Null object: the budget of the operator."""

    def __init__(self) -> None:
        super().__init__(1, 1)

    def take(self, now: float, tokens: float = 1.0) -> bool:  # noqa: ARG002
        """Return True."""
        return True

    def spend(self, tokens: float, now: float) -> None:
        """Take nothing."""


class Buckets:
    """A bucket for each key, in an LRU cache of `limit` entries.

    Full buckets are evicted before the least recently used one, since a new one is no different.
    """

    _EVICTION_CANDIDATES = 16
    """Oldest entries that are searched for a full bucket; the bound keeps a flood of new keys cheap."""

    def __init__(self, rate: float, burst: float, limit: int) -> None:
        self._rate = rate
        self._burst = burst
        self._limit = limit
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: Hashable, now: float, tokens: float = 1.0) -> bool:
        """Take `tokens` of this key if there are enough; return True if they were taken."""
        return self.of(key, now).take(now, tokens)

    def drain(self, key: Hashable, now: float, debt: float = 0.0) -> None:
        """Empty the bucket of this key and take it `debt` tokens below zero."""
        self.of(key, now).drain(now, debt)

    def is_empty(self, key: Hashable, now: float) -> bool:
        """Return True if the bucket of this key is empty; creates none."""
        bucket = self._buckets.get(key)
        return bucket is not None and bucket.is_empty(now)

    def of(self, key: Hashable, now: float) -> Bucket:
        """Return the bucket of a key, created if need be, and mark it as most recently used."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self._limit:
                self._evict_one(now)
            bucket = self._buckets[key] = Bucket(self._rate, self._burst)
        self._buckets.move_to_end(key)
        return bucket

    def _evict_one(self, now: float) -> None:
        oldest = next(iter(self._buckets))
        for key, _ in zip(self._buckets, range(self._EVICTION_CANDIDATES), strict=False):
            if self._buckets[key].is_full(now):
                oldest = key
                break
        del self._buckets[oldest]


class Work(StrEnum):
    """Classes of work, in order of priority."""

    MOVE = "move"
    """Message of a player. It never waits for a turn: other classes wait for it."""
    KEY = "key"
    """Typed input of one session, or a new size of its window."""
    ANSWER = "answer"
    """Handling of what a host has sent to one session, and drawing it."""
    LIST = "list"
    """Message of a guest who does not play: in the lobby, or as a spectator."""
    OPENING = "opening"
    """First screen of a session."""
    INPUT = "input"
    """Reading from a connection that sends more than others."""
    STRANGER = "stranger"
    """SSH handshake or key re-exchange."""
    COLLECTING = "collecting"
    """Garbage collection, which stops everything else."""


class WorkMetrics:
    """Records the waiting time and the cost of work. This base is a null object: it records nothing."""

    def record_wait(self, work: Work, seconds: Seconds) -> None:
        """Record for how long a piece has waited."""

    def record_cost(self, work: Work, seconds: Seconds) -> None:
        """Record the CPU seconds of a piece."""


BUSY_BURST = 20
"""Pieces of a session in one burst: a key held for a second or two. A busier one waits for those that ask less."""
BUSY_PAUSE = 0.05
"""Seconds for which busy sessions pause after a key of one, which takes up to 5 ms."""
RETRY_DELAY = 0.05
"""Seconds before a turn or a piece that failed is tried again."""
KEY_COST = 0.005
"""CPU seconds that one key may take. A key that takes more counts as several."""
CPU_UNIT = 1e-3
"""Seconds of CPU for one token of a share. A handshake is charged one in its turn, before its cost is known."""
HANDSHAKES_AT_ONCE = 8
"""Handshakes in one burst: friends who connect at the same moment."""
CPU_AT_ONCE = 0.2
"""Seconds of CPU for handshakes in one burst: about fifty of them."""
OPENING_TIMEOUT = 2.0
"""Seconds after which a screen that is still being opened no longer holds up the others."""
COLLECTED_EVERY = 0.025
"""Seconds between two generation-0 collections: docs/decisions/011-collecting.md."""
_REFILL_TIME = 60.0
"""Seconds in which an address gets back the budget for one opening, or for 60 ms of handshakes."""
_MIN_DELAY = 1e-6
"""Shortest delay when nothing could run: rounding may make a bucket fill a moment later than computed."""
_MOVES_AT_ONCE = 4
"""Moves in one burst, for example at a table where everybody plays quickly."""


class Rule(Struct, frozen=True):
    """Limits of one class of work."""

    max_wait: Seconds = 0.0
    """Seconds after which a piece also runs in a turn that a higher class has used."""
    ends_turn: bool = True
    """True if the next piece of any class waits for the next turn."""
    owner: tuple[PerSecond, float] = (BUSY_PER_SECOND, BUSY_BURST)
    """Budget of each owner: tokens per second, and in one burst."""
    start_rate: tuple[PerSecond, float] | None = None
    """Pieces of all owners that may begin: per second, and in one burst."""
    share: tuple[Share, Seconds] | None = None
    """CPU that the class may use: as a share, and in one burst."""
    paces_busy: bool = False
    """True if owners beyond their budget pause after each piece and wait for moves."""
    waits_for_moves: bool = False
    """True if the whole class waits for moves."""
    exclusive_for: Seconds = 0.0
    """Seconds for which a piece holds up its class, unless `cancel` comes first; 0: only its own turn."""
    unit: Seconds = 0.0
    """CPU seconds that one token covers; a longer piece costs more. 0: not measured."""
    max_waiting: float = inf
    """Pieces that may wait. Unbounded classes have at most one for each session or connection."""


def new_owner() -> Bucket:
    """Return a new budget for a session."""
    return Bucket(BUSY_PER_SECOND, BUSY_BURST)


def work_rules(limits: Limits) -> dict[Work, Rule]:
    """Return the limits of each class."""
    network_budget = 1 / _REFILL_TIME, 1.0
    cpu_budget = 1.0, 1.0
    return {
        Work.KEY: Rule(paces_busy=True, unit=KEY_COST),
        Work.ANSWER: Rule(max_wait=0.008, paces_busy=True),
        Work.LIST: Rule(max_wait=0.01, waits_for_moves=True),
        Work.OPENING: Rule(
            max_wait=0.02,
            owner=network_budget,
            start_rate=(OPENINGS_PER_SECOND, OPENINGS_AT_ONCE),
            exclusive_for=OPENING_TIMEOUT,
            max_waiting=OPENINGS_WAITING,
        ),
        Work.INPUT: Rule(
            max_wait=0.05, owner=cpu_budget, share=(limits.busy_share, CPU_AT_ONCE), waits_for_moves=True
        ),
        Work.STRANGER: Rule(
            max_wait=0.05,
            owner=cpu_budget,
            start_rate=(limits.handshakes_in_all, HANDSHAKES_AT_ONCE),
            share=(limits.strangers_share, CPU_AT_ONCE),
            waits_for_moves=True,
        ),
        Work.COLLECTING: Rule(ends_turn=False, start_rate=(1 / COLLECTED_EVERY, 1), unit=COLLECTED_EVERY),
    }


class Outcome(Enum):
    """Result of the turn of a piece."""

    DONE = "done"
    MORE = "more"
    """It did one thing and has more to do."""
    GONE = "gone"
    """Its caller is gone; another piece may use the turn."""


class FullError(Exception):
    """The queue of this class is full."""


def _skip() -> Outcome:
    return Outcome.GONE


def _ignore_refusal() -> None:
    pass


class Piece:
    """A piece of work that may be queued repeatedly."""

    __slots__ = ("begins", "owner", "refuse", "request_number", "retry_at", "run", "waiting_since", "weight", "work")

    def __init__(
        self,
        work: Work,
        owner: Bucket,
        run: Callable[[], Outcome],
        *,
        begins: bool = True,
        refuse: Callable[[], None] = _ignore_refusal,
    ) -> None:
        """`run` does one thing. `begins` counts it against `Rule.start_rate`. `refuse` is called when the piece is
        evicted from a full queue.
        """
        self.work, self.owner, self.run, self.begins, self.refuse = work, owner, run, begins, refuse
        self.weight = 1.0
        """Cost of the last piece, in tokens of the owner's budget."""
        self.request_number = 0  # of the last `submit`: tells whether the piece was queued again while it ran
        self.waiting_since = 0.0
        self.retry_at = 0.0
        """Earliest time of the next try after a failure."""

    def close(self) -> None:
        """Drop the callbacks: they are usually methods of an object that holds this piece."""
        self.run, self.refuse = _skip, _ignore_refusal


class Waker(Protocol):
    """Calls `Scheduler.run_turn`."""

    def schedule(self, seconds: Seconds) -> None:
        """Call within `seconds`; 0 for the next iteration of the loop."""

    @property
    def is_imminent(self) -> bool:
        """True if the call comes in the next iteration of the loop."""

    @property
    def iteration(self) -> int | None:
        """Number of this iteration of the loop; None if they are not counted."""


class _Queue:
    """Waiting pieces of one class."""

    def __init__(self, rule: Rule) -> None:
        self.waiting: dict[Piece, None] = {}
        self.next_poll = 0.0
        """Time of the next poll, if `next` returned None."""
        self.paused_until = self.failed_until = 0.0
        self.holder: Piece | None = None
        self._held_until = 0.0
        self.owners = Buckets(*rule.owner, ADDRESSES_REMEMBERED)
        self.set_rule(rule)

    def set_rule(self, rule: Rule) -> None:
        """Apply a rule from now on."""
        self.rule = rule
        self.start_budget = Bucket(*rule.start_rate) if rule.start_rate else None
        self.cpu_budget: Bucket | None = None
        if rule.share:
            share, at_once = rule.share
            self.cpu_budget = Bucket(share / CPU_UNIT, max(1.0, at_once / CPU_UNIT))

    def hold(self, piece: Piece, now: float) -> None:
        """Let no other piece begin until this one is over."""
        self.holder, self._held_until = piece, now + self.rule.exclusive_for

    def next(self, now: float, moving_until: float, *, overdue_only: bool) -> Piece | None:
        """Return the piece whose turn it is; with `overdue_only`, one that has waited beyond `Rule.max_wait`."""
        rule, self.next_poll = self.rule, now
        if rule.waits_for_moves and now < moving_until:
            self.next_poll = moving_until
        if self.holder is not None:
            self.next_poll = max(self.next_poll, self._held_until)
        if self.cpu_budget is not None and self.cpu_budget.is_empty(now):
            self.next_poll = max(self.next_poll, self.cpu_budget.empty_until(now))
        if self.next_poll > now:
            return None
        ready = list(self.waiting)
        if self.start_budget is not None and self.start_budget.is_empty(now):
            self.next_poll = self.start_budget.empty_until(now)
            ready = [piece for piece in ready if not piece.begins]
        if self.failed_until > now:
            self.next_poll = self.failed_until
            ready = [piece for piece in ready if piece.retry_at <= now]
        if rule.paces_busy and ready:
            within_budget = [piece for piece in ready if not piece.owner.is_overdrawn(now)]
            self.next_poll = max(self.paused_until, moving_until)
            ready = within_budget or (ready if self.next_poll <= now else [])
        if overdue_only:
            ready = [piece for piece in ready if piece.waiting_since + rule.max_wait < now]
        return _least_served(ready, now) if ready else None

    def evict_for(self, piece: Piece) -> None:
        """Evict the last piece of the owner with the most, if they have at least two more. Raises FullError."""
        pieces_by_owner: dict[Bucket, list[Piece]] = {}
        for other in self.waiting:
            pieces_by_owner.setdefault(other.owner, []).append(other)
        most_pieces = max(pieces_by_owner.values(), key=len)
        if len(most_pieces) <= len(pieces_by_owner.get(piece.owner, ())) + 1:
            raise FullError
        del self.waiting[most_pieces[-1]]
        most_pieces[-1].refuse()


def _least_served(pieces: list[Piece], now: float) -> Piece:
    """Return the piece of the owner who has used the least; of several, the one that has waited longest."""
    return min(pieces, key=lambda piece: piece.owner.used_tokens(now)) if len(pieces) > 1 else pieces[0]


class Scheduler:
    """Gives turns to the work of one process. In each turn, one piece of the first class that has any runs.

    A piece that has waited longer than `Rule.max_wait` of its class also runs in that turn. A piece that fails is
    tried again after `RETRY_DELAY` seconds. After each move, classes that wait for moves get no turn for `MOVE_AHEAD`
    seconds.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        waker: Waker,
        on_failure: Callable[[Exception], object],
        meter: Callable[[], float] = thread_time,
    ) -> None:
        """`clock` returns the time, `meter` the CPU seconds used; `on_failure` gets the exception of a piece."""
        self.metrics = WorkMetrics()
        self._clock, self._waker, self._on_failure, self._meter = clock, waker, on_failure, meter
        self._queues = {work: _Queue(rule) for work, rule in work_rules(Limits()).items()}
        self._moving_until = 0.0
        self._moves = Bucket(MOVE_SHARE / MOVE_AHEAD, _MOVES_AT_ONCE)
        self._request_numbers = count(1)
        self._closed: set[Work] = set()
        self._is_running = False
        self._last_iteration: int | None = None
        """Iteration of the loop in which a piece ran last."""

    def set_limits(self, limits: Limits) -> None:
        """Apply these limits of handshakes and busy connections."""
        for work in (Work.INPUT, Work.STRANGER):
            self._queues[work].set_rule(work_rules(limits)[work])

    def owner(self, work: Work, name: Hashable) -> Bucket:
        """Return the budget of a named owner, such as a network."""
        return self._queues[work].owners.of(name, self._clock())

    def note_move(self) -> None:
        """Note a move, for which other work waits; beyond `MOVE_SHARE` of the time moves have no such effect."""
        now = self._clock()
        if self._moves.take(now):
            self._moving_until = now + MOVE_AHEAD

    @property
    def move_pause(self) -> Seconds:
        """Seconds for which other work still waits for a move; 0 if there is none."""
        return max(0.0, self._moving_until - self._clock()) if self._moving_until else 0.0

    def submit(self, piece: Piece) -> None:
        """Queue a piece; `run` is called in its turn: at once if no other waits. Raises FullError."""
        queue, now = self._queues[piece.work], self._clock()
        if piece.work in self._closed:
            return
        if piece not in queue.waiting and len(queue.waiting) >= queue.rule.max_waiting:
            queue.evict_for(piece)
        piece.waiting_since, piece.request_number = now, next(self._request_numbers)
        queue.waiting[piece] = None
        self._run_or_schedule()

    def is_waiting(self, piece: Piece) -> bool:
        """Return True if a piece is queued."""
        return piece in self._queues[piece.work].waiting

    def cancel(self, piece: Piece) -> None:
        """Remove a piece from its queue and end its turn; harmless if it has neither."""
        queue = self._queues[piece.work]
        queue.waiting.pop(piece, None)
        if queue.holder is piece:
            queue.holder = None
            if queue.waiting:
                self._run_or_schedule()

    def close(self, *classes: Work) -> None:
        """Give these classes no more turns."""
        self._closed |= set(classes)
        for work in classes:
            self._queues[work].waiting.clear()

    def is_exhausted(self, work: Work) -> bool:
        """Return True if a class has used up its share of the CPU for now."""
        cpu_budget = self._queues[work].cpu_budget
        return cpu_budget is not None and cpu_budget.is_empty(self._clock())

    def charge(self, work: Work, owner: Bucket, seconds: Seconds) -> None:
        """Charge CPU seconds that work has cost outside its turn."""
        now, queue = self._clock(), self._queues.get(work)
        if queue is not None and queue.cpu_budget is not None:
            queue.cpu_budget.spend(seconds / CPU_UNIT, now)
        owner.spend(seconds / CPU_UNIT, now)
        self.metrics.record_cost(work, seconds)

    def _run_or_schedule(self) -> None:
        """Run a turn; in the next iteration of the loop if one ran in this."""
        if self._is_running or self._waker.is_imminent:
            return
        if self._last_iteration is not None and self._last_iteration == self._waker.iteration:
            self._waker.schedule(0)
        else:
            self.run_turn()

    def run_turn(self) -> None:
        """Run a turn, and schedule the next call if there is more."""
        self._is_running, delay = True, RETRY_DELAY
        try:
            delay = self._give_turns()
        finally:
            self._is_running = False
            if delay < inf:
                self._waker.schedule(delay)

    def _give_turns(self) -> Seconds:
        """Run the next pieces; return the delay until the next poll: 0 if any ran, so that turns stay short."""
        now, is_turn_used, next_poll = self._clock(), False, inf
        for queue in self._queues.values():
            while queue.waiting:
                piece = queue.next(now, self._moving_until, overdue_only=is_turn_used)
                if piece is None:
                    next_poll = min(next_poll, queue.next_poll)
                    break
                if self._run_piece(queue, piece, now):
                    is_turn_used |= queue.rule.ends_turn
                    if queue.start_budget and queue.waiting:
                        next_poll = min(next_poll, queue.start_budget.empty_until(now))
                    break
        if not is_turn_used:
            return max(_MIN_DELAY, next_poll - now)
        self._last_iteration = self._waker.iteration
        has_waiting = self._last_iteration is None or any(queue.waiting for queue in self._queues.values())
        return 0 if has_waiting else inf

    def _run_piece(self, queue: _Queue, piece: Piece, now: float) -> bool:
        """Give a piece its turn; return True if it used it."""
        rule, request_number = queue.rule, piece.request_number
        wait_seconds, is_busy = now - piece.waiting_since, piece.owner.is_overdrawn(now)
        outcome, cpu_start = Outcome.MORE, self._meter()
        try:
            outcome = piece.run()
        except Exception as error:  # a failing piece must not affect the others
            piece.retry_at = queue.failed_until = now + RETRY_DELAY
            self._on_failure(error)
        cpu_seconds = self._meter() - cpu_start
        if outcome is Outcome.MORE:
            piece.waiting_since = now
        elif piece.request_number == request_number:  # not earlier: a piece that failed stays queued
            queue.waiting.pop(piece, None)
        if outcome is Outcome.GONE:
            return False
        self._charge_piece(queue, piece, now, cpu_seconds)
        if rule.exclusive_for and piece.retry_at <= now:
            queue.hold(piece, now)
        if rule.paces_busy and is_busy:
            queue.paused_until = now + BUSY_PAUSE * max(piece.weight, cpu_seconds / rule.unit if rule.unit else 0.0)
        self.metrics.record_wait(piece.work, wait_seconds)
        return True

    def _charge_piece(self, queue: _Queue, piece: Piece, now: float, cpu_seconds: Seconds) -> None:
        """Charge a piece to the budgets."""
        rule = queue.rule
        if queue.start_budget is not None and piece.begins:
            queue.start_budget.take(now)
        if rule.start_rate or rule.share:
            piece.owner.spend(1, now)
        if rule.unit:
            if (extra_tokens := cpu_seconds / rule.unit - piece.weight) > 0:
                piece.owner.spend(extra_tokens, now)
            self.metrics.record_cost(piece.work, cpu_seconds)
