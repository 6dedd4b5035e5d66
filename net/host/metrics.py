"""Counts what happens on a host, and where the time of a key or a move goes: for Prometheus, on request."""

import errno
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from enum import StrEnum
from itertools import accumulate
from time import perf_counter
from typing import Any, TypeVar

from msgspec import Struct

from net.scheduler import Work, WorkMetrics

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


class StageSpread(Struct, frozen=True):
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


class Stages(WorkMetrics):
    """Measures stages that run in one thread, one within the other, and notes the numbers of the scheduler.

    This one counts nothing: nobody looks.
    """

    def of(self, stage: Stage) -> AbstractContextManager[object]:  # noqa: ARG002
        """Measure a block without an `await` in it, less the stages that run within it."""
        return _NOTHING

    def took(self, stage: Stage, seconds: float) -> None:
        """Count what was measured otherwise."""

    def add(self, spreads: Iterable[StageSpread]) -> None:
        """Count what another process has counted."""


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
        return _StageTimer(self, stage)

    def took(self, stage: Stage, seconds: float) -> None:
        self._note(Measure.STAGE, stage, seconds)

    def waited(self, work: Work, seconds: float) -> None:
        self._note(Measure.WAIT, work, seconds)

    def cost(self, work: Work, seconds: float) -> None:
        self._note(Measure.COST, work, seconds)

    def _note(self, measure: Measure, of: str, seconds: float) -> None:
        self._counts[measure, of][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[measure, of] += seconds

    def __iter__(self) -> Iterator[StageSpread]:
        for (measure, of), counts in self._counts.items():
            yield StageSpread(measure, of, tuple(counts), self._seconds[measure, of])

    def add(self, spreads: Iterable[StageSpread]) -> None:
        for spread in spreads:
            what = spread.measure, spread.of
            self._counts[what] = [
                ours + theirs for ours, theirs in zip(self._counts[what], spread.counts, strict=True)
            ]
            self._seconds[what] += spread.seconds

    def take(self) -> tuple[StageSpread, ...]:
        """Return what was counted since the last call."""
        taken = tuple(spread for spread in self if any(spread.counts))
        for spread in taken:
            self._counts[spread.measure, spread.of] = [0] * len(spread.counts)
            self._seconds[spread.measure, spread.of] = 0.0
        return taken


class _StageTimer:
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


T = TypeVar("T")
REPAINTS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper bounds of the buckets for repaint times, in seconds. Players notice 50 ms, and 200 ms annoy them."""
_PULLED = {
    "unauthenticated": "Connections that have not logged in yet.",
    "unsent_bytes": "Bytes waiting for slow readers.",
    "tables": "Open tables.",
    "pending_saves": "Actions waiting for the disk.",
}


_MEASURES = (
    (Measure.STAGE, "stage", "How long each stage on the way of a key or a move took."),
    (Measure.WAIT, "work", "How long work of each class waited for its turn."),
    (Measure.COST, "work", "How long work of each class took."),
)


class MetricsError(Exception):
    """The metrics cannot be served; the sentence says why."""


class SessionKind(StrEnum):
    """What a session is: a terminal or a link."""

    TERMINAL = "terminal"
    LINK = "link"


def _nothing(*_: object) -> None:
    """Count nothing."""


class Metrics:
    """Metrics that count nothing, for a host that nobody watches. Every call is cheap."""

    address = ""
    """Where the numbers are served, if anywhere."""
    stages: Stages = UNWATCHED
    """Measures where the time of a key or a move goes."""

    session_opened: Callable[[SessionKind], None] = staticmethod(_nothing)
    """Counts a session in."""
    session_closed: Callable[[SessionKind], None] = staticmethod(_nothing)
    """Counts it out."""
    turned_away: Callable[[str], None] = staticmethod(_nothing)
    """Counts a connection that was refused, for one of the few reasons of `net.host.access.DenialReason`."""
    acted: Callable[[], None] = staticmethod(_nothing)
    """Counts an action that a table took."""
    saved: Callable[[], None] = staticmethod(_nothing)
    """Counts a batch of actions that is on disk."""
    refused: Callable[[], None] = staticmethod(_nothing)
    """Counts a message that was refused in words."""
    repainted: Callable[[float], None] = staticmethod(_nothing)
    """Notes how long a screen took from a key to the first byte of the answer."""

    def pulls(self, **values: Callable[[], float]) -> None:
        """Tell what to ask whenever somebody looks: `unauthenticated`, `unsent_bytes`, `tables` or
        `pending_saves`.

        Each function is called on the thread of the event loop: it must be short and change nothing.
        """

    def health(self, wrong: Callable[[], str]) -> None:
        """Tell what to ask whenever somebody wants to know whether all is well: an empty text, or what is wrong.

        It is called as those of `pulls`.
        """


class PrometheusMetrics(Metrics):
    """Counts for Prometheus, in a registry of its own."""

    def __init__(self) -> None:
        import prometheus_client as prometheus  # noqa: PLC0415 - who plays alone need not pay for it

        self.registry = prometheus.CollectorRegistry()
        self._wrong: Callable[[], str] = lambda: ""
        self._values: dict[str, Callable[[], float]] = {}

        def new(kind: Callable[..., T], name: str, words: str, **more: Any) -> T:
            return kind(name, words, namespace="boneyard", registry=self.registry, **more)

        sessions = new(prometheus.Gauge, "sessions", "Open sessions.", labelnames=["kind"])
        of_kind = {kind: sessions.labels(kind.value) for kind in SessionKind}
        self.session_opened = lambda kind: of_kind[kind].inc()
        self.session_closed = lambda kind: of_kind[kind].dec()
        turned = new(prometheus.Counter, "connections_refused", "Connections refused.", labelnames=["reason"])
        self.turned_away = lambda reason: turned.labels(str(reason)).inc()
        self.acted = new(prometheus.Counter, "actions", "Actions played at tables.").inc
        self.saved = new(prometheus.Counter, "saves", "Batches of actions written to the disk.").inc
        self.refused = new(prometheus.Counter, "refusals", "Messages answered with a refusal.").inc
        self.repainted = new(
            prometheus.Histogram, "repaint_seconds", "From a key to the first byte of the answer.", buckets=REPAINTS
        ).observe
        self.stages = stages = CountedStages()
        self.registry.register(_StageCollector(stages))
        self._pulled = {name: new(prometheus.Gauge, name, words) for name, words in _PULLED.items()}
        prometheus.ProcessCollector(registry=self.registry)

    def health(self, wrong: Callable[[], str]) -> None:
        self._wrong = wrong

    def pulls(self, **values: Callable[[], float]) -> None:
        self._values |= values

    def look(self) -> str:
        """Ask for the numbers that are pulled; return what is wrong, if anything."""
        for name, value in self._values.items():
            self._pulled[name].set(value())
        return self._wrong()


class _StageCollector:
    """Tells Prometheus how long stages took, and how long work waited and took."""

    def __init__(self, stages: CountedStages) -> None:
        self._stages = stages

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import HistogramMetricFamily  # noqa: PLC0415

        spreads = list(self._stages)
        for measure, label, words in _MEASURES:
            metric = HistogramMetricFamily(f"boneyard_{measure}_seconds", words, labels=[label])
            for spread in spreads:
                if spread.measure is measure:
                    metric.add_metric([spread.of], buckets=spread.buckets, sum_value=spread.seconds)
            yield metric


@contextmanager
def published(port: int | None) -> Iterator[Metrics]:
    """Count for the length of the block, and serve the numbers on this port of 127.0.0.1 (0 takes a free one).

    `/healthz` beside them answers 200, or 503 and what is wrong. Within an event loop, its thread is asked for what
    is told. Without a port nothing is counted and nothing served. Raises MetricsError.
    """
    if port is None:
        yield Metrics()
        return
    from net.host.metrics_server import serving  # noqa: PLC0415

    metrics = PrometheusMetrics()
    with ExitStack() as stack:
        try:
            open_port = stack.enter_context(serving(port, metrics.registry, metrics.look))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise MetricsError(f"Another program is already using port {port} of 127.0.0.1.") from None
            raise MetricsError(f"Cannot serve metrics on port {port}: {error.strerror or error}.") from None
        metrics.address = f"http://127.0.0.1:{open_port}/metrics"
        yield metrics
