"""A process with a simulated clock: the arrival of work, and its waiting time with or without a scheduler."""

from collections import defaultdict, deque
from heapq import heappop, heappush
from itertools import count

from net.scheduler import FullError, Outcome, Piece, Scheduler, new_owner


class Fifo:
    """First come, first served: the behaviour without a scheduler."""

    def __init__(self, clock, waker, on_failure, meter):
        self._waker, self._waiting = waker, deque()

    def submit(self, piece):
        self._waiting.append(piece)
        if not self._waker.is_imminent:
            self.run_turn()

    def run_turn(self):
        if self._waiting:
            self._waker.schedule(0)
            self._waiting.popleft().run()

    def owner(self, work, name):
        return new_owner()

    def charge(self, work, owner, seconds):
        pass

    def cancel(self, piece):
        pass

    def note_move(self):
        pass


class Process:
    """A core on which each piece of work takes a given time. It is the waker of its scheduler."""

    def __init__(self, scheduler_type=Scheduler):
        self.now, self.due = 1000.0, None
        self.waits = defaultdict(list)
        """Waiting times of honest guests, by class."""
        self.order, self.failures = [], []
        self._events, self._count = [], count()
        self.scheduler = scheduler_type(self.clock, self, self.failures.append, self.clock)
        self.sessions = defaultdict(new_owner)
        self._arrived = None
        self.strangers = 0
        """Number of waiting strangers."""

    iteration = None
    """The iterations of its loop are not counted."""

    def clock(self):
        return self.now

    def schedule(self, seconds):
        if self.due is None or self.now + seconds < self.due:
            self.due = self.now + seconds

    @property
    def is_imminent(self):
        return self.due is not None and self.due <= self.now

    def call_later(self, seconds, call):
        """Call a function after `seconds`."""
        heappush(self._events, (self.now + seconds, next(self._count), call))

    def call_every(self, seconds, call, until, begin=0.0):
        """Call a function every `seconds` from `begin` to `until`."""
        for number in range(int((until - begin) / seconds)):
            self.call_later(begin + number * seconds, call)

    def submit_work(self, work, name, cost, *, honest=False, begins=True, then=None):
        """Submit a piece of work, which takes `cost` seconds once it has its turn."""
        asked_at = self.now if self._arrived is None else self._arrived
        network = work in ("opening", "input", "stranger", "collecting")
        owner = self.scheduler.owner(work, name) if network else self.sessions[name]
        if work == "key":
            owner.spend(1, self.now)

        self.strangers += work == "stranger"

        def run():
            self.strangers -= work == "stranger"
            if honest:
                self.waits[work].append(self.now - asked_at)
            self.order.append((work, name))
            self.now += cost
            if work in ("stranger", "input"):
                self.scheduler.charge(work, owner, cost)
            if work == "opening":
                self.call_later(0, lambda: self.scheduler.cancel(piece))
            if then:
                self.call_later(0, then)
            return Outcome.DONE

        piece = Piece(work, owner, run, begins=begins, refuse=lambda: self.order.append(("refused", name)))
        try:
            self.scheduler.submit(piece)
        except FullError:
            self.order.append(("refused", name))
        return piece

    def run(self, seconds):
        """Advance the clock by `seconds`."""
        end = self.now + seconds
        while True:
            next_arrival = self._events[0][0] if self._events else end
            due = end if self.due is None else max(self.due, self.now)
            if min(next_arrival, due) >= end:
                self.now = max(self.now, end)
                return
            if next_arrival <= due:
                self._arrived, self.now = next_arrival, max(self.now, next_arrival)  # the core may have been at work
                heappop(self._events)[2]()
                self._arrived = None
            else:
                self.now, self.due = due, None
                self.scheduler.run_turn()
