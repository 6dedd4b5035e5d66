"""Counts events of a host, and measures where the time of a key or a move goes: for Prometheus, on request."""

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
    """Stages of handling a key or a move, in this order."""

    READ = "read"
    """Bytes wait in the kernel while the loop does other work: an upper bound."""
    DECRYPT = "decrypt"
    """asyncssh decrypts the input, and a terminal parses the keys in it."""
    DECIDE = "decide"
    """A screen maps a key; lobby, table and rules handle a message."""
    SAVE = "save"
    """A batch of moves waits for the disk."""
    DRAW = "draw"
    """A screen draws its picture."""
    ENCODE = "encode"
    """The picture is compared with the former one, and the difference encoded."""
    SEND = "send"
    """asyncssh encrypts the output and gives it to the kernel."""


class Measure(StrEnum):
    """Kind of measurement; the name of a metric, without its unit."""

    STAGE = "stage"
    """Seconds of each stage of handling a key or a move."""
    WAIT = "wait"
    """Seconds for which work waited for its turn."""
    COST = "cost"
    """Seconds of CPU that work took."""


class StageSpread(Struct, frozen=True):
    """Histogram of one duration over some time."""

    measure: Measure
    of: str
    """The stage, or the class of work."""
    counts: tuple[int, ...]
    """Counts by bucket: one for each of `BOUNDS`, and one for longer durations."""
    seconds: float
    """Sum of all durations."""

    @property
    def buckets(self) -> list[tuple[str, float]]:
        """Cumulative counts by upper bound, as Prometheus requires."""
        names = [*map(str, BOUNDS), "+Inf"]
        return list(zip(names, map(float, accumulate(self.counts)), strict=True))


class Stages(WorkMetrics):
    """Measures nested stages in one thread, and records the measurements of the scheduler.

    This base is a null object: it records nothing.
    """

    def of(self, stage: Stage) -> AbstractContextManager[object]:  # noqa: ARG002
        """Measure a block without an `await` in it, less the stages that run within it."""
        return _NOTHING

    def record_duration(self, stage: Stage, seconds: float) -> None:
        """Record a duration that was measured elsewhere."""

    def add(self, spreads: Iterable[StageSpread]) -> None:
        """Add the histograms of another process."""


_NOTHING = nullcontext()
UNMEASURED = Stages()


_MEASURED: tuple[tuple[Measure, str], ...] = (
    *((Measure.STAGE, stage) for stage in Stage),
    *((measure, work) for measure in (Measure.WAIT, Measure.COST) for work in Work),
)


class CountedStages(Stages):
    """Records the durations of stages, and the measurements of the scheduler."""

    def __init__(self) -> None:
        self._counts = {key: [0] * (len(BOUNDS) + 1) for key in _MEASURED}
        self._seconds = dict.fromkeys(_MEASURED, 0.0)
        self.nested_seconds = 0.0
        """Seconds of the stages that have run within the current one."""

    def of(self, stage: Stage) -> AbstractContextManager[object]:
        return _StageTimer(self, stage)

    def record_duration(self, stage: Stage, seconds: float) -> None:
        self._record(Measure.STAGE, stage, seconds)

    def record_wait(self, work: Work, seconds: float) -> None:
        self._record(Measure.WAIT, work, seconds)

    def record_cost(self, work: Work, seconds: float) -> None:
        self._record(Measure.COST, work, seconds)

    def _record(self, measure: Measure, subject: str, seconds: float) -> None:
        self._counts[measure, subject][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[measure, subject] += seconds

    def __iter__(self) -> Iterator[StageSpread]:
        for (measure, subject), counts in self._counts.items():
            yield StageSpread(measure, subject, tuple(counts), self._seconds[measure, subject])

    def add(self, spreads: Iterable[StageSpread]) -> None:
        for spread in spreads:
            key = spread.measure, spread.of
            self._counts[key] = [
                own_count + other_count
                for own_count, other_count in zip(self._counts[key], spread.counts, strict=True)
            ]
            self._seconds[key] += spread.seconds

    def take(self) -> tuple[StageSpread, ...]:
        """Return and reset the counts since the last call."""
        spreads = tuple(spread for spread in self if any(spread.counts))
        for spread in spreads:
            self._counts[spread.measure, spread.of] = [0] * len(spread.counts)
            self._seconds[spread.measure, spread.of] = 0.0
        return spreads


class _StageTimer:
    """Measures one block of a stage."""

    __slots__ = ("_outer_nested_seconds", "_stage", "_stages", "_started_at")

    def __init__(self, stages: CountedStages, stage: Stage) -> None:
        self._stages = stages
        self._stage = stage

    def __enter__(self) -> None:
        self._outer_nested_seconds, self._stages.nested_seconds = self._stages.nested_seconds, 0.0
        self._started_at = perf_counter()

    def __exit__(self, *_error: object) -> None:
        seconds = perf_counter() - self._started_at
        self._stages.record_duration(self._stage, seconds - self._stages.nested_seconds)
        self._stages.nested_seconds = self._outer_nested_seconds + seconds


T = TypeVar("T")
REPAINT_BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper bounds of the buckets for repaint times, in seconds. Players notice 50 ms, and 200 ms annoy them."""
_GAUGES = {
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
    """Kind of a session: a terminal or a link."""

    TERMINAL = "terminal"
    LINK = "link"


def _count_nothing(*_: object) -> None:
    """Count nothing."""


class Metrics:
    """Null object: metrics of a host without monitoring. Every call is cheap."""

    address = ""
    """URL at which the metrics are served, if they are."""
    stages: Stages = UNMEASURED
    """Measures where the time of a key or a move goes."""

    add_session: Callable[[SessionKind], None] = staticmethod(_count_nothing)
    """Counts a session in."""
    remove_session: Callable[[SessionKind], None] = staticmethod(_count_nothing)
    """Counts a session out."""
    count_denial: Callable[[str], None] = staticmethod(_count_nothing)
    """Counts a denied connection, by `net.host.access.DenialReason`."""
    count_action: Callable[[], None] = staticmethod(_count_nothing)
    """Counts an action at a table."""
    count_save: Callable[[], None] = staticmethod(_count_nothing)
    """Counts a batch of actions that is on disk."""
    count_refusal: Callable[[], None] = staticmethod(_count_nothing)
    """Counts a refused message."""
    record_repaint: Callable[[float], None] = staticmethod(_count_nothing)
    """Records the seconds from a key to the first byte of the answer."""

    def set_sources(self, **values: Callable[[], float]) -> None:
        """Set functions that return current values: `unauthenticated`, `unsent_bytes`, `tables` or `pending_saves`.

        Each function is called on the thread of the event loop: it must be short and change nothing.
        """

    def set_health_check(self, find_problem: Callable[[], str]) -> None:
        """Set the health check: `find_problem` returns the problem, or an empty text.

        It is called like the functions of `set_sources`.
        """


class PrometheusMetrics(Metrics):
    """Counts for Prometheus, in a registry of its own."""

    def __init__(self) -> None:
        import prometheus_client as prometheus  # noqa: PLC0415 - only hosts with metrics need it

        self.registry = prometheus.CollectorRegistry()
        self._health_check: Callable[[], str] = lambda: ""
        self._values: dict[str, Callable[[], float]] = {}

        def register(kind: Callable[..., T], name: str, description: str, **options: Any) -> T:
            return kind(name, description, namespace="boneyard", registry=self.registry, **options)

        sessions = register(prometheus.Gauge, "sessions", "Open sessions.", labelnames=["kind"])
        gauges = {kind: sessions.labels(kind.value) for kind in SessionKind}
        self.add_session = lambda kind: gauges[kind].inc()
        self.remove_session = lambda kind: gauges[kind].dec()
        denials = register(prometheus.Counter, "connections_refused", "Connections refused.", labelnames=["reason"])
        self.count_denial = lambda reason: denials.labels(str(reason)).inc()
        self.count_action = register(prometheus.Counter, "actions", "Actions played at tables.").inc
        self.count_save = register(prometheus.Counter, "saves", "Batches of actions written to the disk.").inc
        self.count_refusal = register(prometheus.Counter, "refusals", "Messages answered with a refusal.").inc
        self.record_repaint = register(
            prometheus.Histogram,
            "repaint_seconds",
            "From a key to the first byte of the answer.",
            buckets=REPAINT_BOUNDS,
        ).observe
        self.stages = stages = CountedStages()
        self.registry.register(_StageCollector(stages))
        self._gauges = {name: register(prometheus.Gauge, name, description) for name, description in _GAUGES.items()}
        prometheus.ProcessCollector(registry=self.registry)

    def set_health_check(self, find_problem: Callable[[], str]) -> None:
        self._health_check = find_problem

    def set_sources(self, **values: Callable[[], float]) -> None:
        self._values |= values

    def refresh(self) -> str:
        """Update the current values; return the problem of the health check, empty if there is none."""
        for name, value in self._values.items():
            self._gauges[name].set(value())
        return self._health_check()


class _StageCollector:
    """Exports the durations of stages, and the waiting time and cost of work, to Prometheus."""

    def __init__(self, stages: CountedStages) -> None:
        self._stages = stages

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import HistogramMetricFamily  # noqa: PLC0415

        spreads = list(self._stages)
        for measure, label, description in _MEASURES:
            metric = HistogramMetricFamily(f"boneyard_{measure}_seconds", description, labels=[label])
            for spread in spreads:
                if spread.measure is measure:
                    metric.add_metric([spread.of], buckets=spread.buckets, sum_value=spread.seconds)
            yield metric


@contextmanager
def publish_metrics(port: int | None) -> Iterator[Metrics]:
    """Count for the length of the block, and serve the metrics on this port of 127.0.0.1 (0 takes a free one).

    `/healthz` on the same port answers 200, or 503 with the problem. Within an event loop, values are read on its
    thread. Without a port nothing is counted and nothing served. Raises MetricsError.
    """
    if port is None:
        yield Metrics()
        return
    from net.host.metrics_server import serve_metrics  # noqa: PLC0415

    metrics = PrometheusMetrics()
    with ExitStack() as stack:
        try:
            open_port = stack.enter_context(serve_metrics(port, metrics.registry, metrics.refresh))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise MetricsError(f"Another program is already using port {port} of 127.0.0.1.") from None
            raise MetricsError(f"Cannot serve metrics on port {port}: {error.strerror or error}.") from None
        metrics.address = f"http://127.0.0.1:{open_port}/metrics"
        yield metrics
