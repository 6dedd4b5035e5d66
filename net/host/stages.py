"""Where the time goes: how long stages of a key or a move take, and how long work waits for its turn and takes."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from itertools import accumulate
from time import perf_counter

from msgspec import Struct

from net.scheduler import Numbers, Work

BOUNDS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper bounds of the buckets, in seconds."""


class Stage(StrEnum):
    """What is done with a key or a move, in this order."""

    READ = "read"
    """Bytes wait in the kernel while the loop does other work: at most so long."""
    DECRYPT = "decrypt"
    """asyncssh takes in what has come, and a terminal finds the keys in it."""
    DECIDE = "decide"
    """A screen decides what a key means; lobby, table and rules take in a message."""
    SAVE = "save"
    """A batch of moves waits for the disk."""
    DRAW = "draw"
    """A screen draws its picture."""
    ENCODE = "encode"
    """It finds what has changed, and how that is written."""
    SEND = "send"
    """asyncssh encrypts it and gives it to the kernel."""


class Measure(StrEnum):
    """What is measured; the name of a metric, without its unit."""

    STAGE = "stage"
    """How long each stage on the way of a key or a move took."""
    WAIT = "wait"
    """How long work waited for its turn."""
    COST = "cost"
    """How long work took."""


class Spread(Struct, frozen=True):
    """How long one thing took, as counted for some time."""

    measure: Measure
    of: str
    """Which stage, or which class of work."""
    counts: tuple[int, ...]
    """By bucket: one for each of `BOUNDS`, and one for what took longer."""
    seconds: float
    """All of it together."""

    @property
    def buckets(self) -> list[tuple[str, float]]:
        """As Prometheus wants them: how often it took no longer than each bound."""
        names = [*map(str, BOUNDS), "+Inf"]
        return list(zip(names, map(float, accumulate(self.counts)), strict=True))


class Stages(Numbers):
    """Measures stages that run in one thread, one within the other, and notes the numbers of the scheduler.

    This one counts nothing: nobody looks.
    """

    def of(self, stage: Stage) -> AbstractContextManager[object]:  # noqa: ARG002
        """Measure a block without an `await` in it, less the stages that run within it."""
        return _NOTHING

    def took(self, stage: Stage, seconds: float) -> None:
        """Count what was measured otherwise."""


_NOTHING = nullcontext()
UNWATCHED = Stages()


_MEASURED: tuple[tuple[Measure, str], ...] = (
    *((Measure.STAGE, stage) for stage in Stage),
    *((measure, work) for measure in (Measure.WAIT, Measure.COST) for work in Work),
)


class CountedStages(Stages):
    """Counts how long each stage takes, and what the scheduler says."""

    def __init__(self) -> None:
        self._counts = {what: [0] * (len(BOUNDS) + 1) for what in _MEASURED}
        self._seconds = dict.fromkeys(_MEASURED, 0.0)
        self.within = 0.0
        """Seconds of the stages that have run within the one that runs now."""

    def of(self, stage: Stage) -> AbstractContextManager[object]:
        """Measure a block without an `await` in it, less the stages that run within it."""
        return _Measured(self, stage)

    def took(self, stage: Stage, seconds: float) -> None:
        """Count what was measured otherwise."""
        self._note(Measure.STAGE, stage, seconds)

    def waited(self, work: Work, seconds: float) -> None:
        """Count how long a piece of work has waited."""
        self._note(Measure.WAIT, work, seconds)

    def cost(self, work: Work, seconds: float) -> None:
        """Count what it took."""
        self._note(Measure.COST, work, seconds)

    def _note(self, measure: Measure, of: str, seconds: float) -> None:
        self._counts[measure, of][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[measure, of] += seconds

    def __iter__(self) -> Iterator[Spread]:
        """Yield what was counted of each."""
        for (measure, of), counts in self._counts.items():
            yield Spread(measure, of, tuple(counts), self._seconds[measure, of])

    def add(self, spreads: Iterable[Spread]) -> None:
        """Count what another process has counted."""
        for spread in spreads:
            what = spread.measure, spread.of
            self._counts[what] = [
                ours + theirs for ours, theirs in zip(self._counts[what], spread.counts, strict=True)
            ]
            self._seconds[what] += spread.seconds

    def take(self) -> tuple[Spread, ...]:
        """Return what was counted since the last call."""
        taken = tuple(spread for spread in self if any(spread.counts))
        for spread in taken:
            self._counts[spread.measure, spread.of] = [0] * len(spread.counts)
            self._seconds[spread.measure, spread.of] = 0.0
        return taken


class _Measured:
    """One block of a stage."""

    __slots__ = ("_before", "_begun", "_stage", "_stages")

    def __init__(self, stages: CountedStages, stage: Stage) -> None:
        self._stages = stages
        self._stage = stage

    def __enter__(self) -> None:
        self._before, self._stages.within = self._stages.within, 0.0
        self._begun = perf_counter()

    def __exit__(self, *_error: object) -> None:
        took = perf_counter() - self._begun
        self._stages.took(self._stage, took - self._stages.within)
        self._stages.within = self._before + took
