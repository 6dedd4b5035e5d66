"""Counts what happens on a host: nothing by default, and metrics for Prometheus on request."""

import errno
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from typing import Any, TypeVar

from net.host.stages import UNWATCHED, CountedStages, Measure, Spread, Stages

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


class Metrics:
    """Metrics that count nothing, for a host that nobody watches. Every call is cheap."""

    address = ""
    """Where the numbers are served, if anywhere."""
    stages: Stages = UNWATCHED
    """Measures where the time of a key or a move goes."""

    def session_opened(self, kind: SessionKind) -> None:
        """Count a session in."""

    def session_closed(self, kind: SessionKind) -> None:
        """Count it out."""

    def turned_away(self, reason: str) -> None:
        """Count a connection that was refused; `reason` is one of the few of `net.host.access.DenialReason`."""

    def acted(self) -> None:
        """Count an action that a table took."""

    def saved(self) -> None:
        """Count a batch of actions that is on disk."""

    def refused(self) -> None:
        """Count a message that was refused in words."""

    def repainted(self, seconds: float) -> None:
        """Note how long a screen took from a key to the first byte of the answer."""

    def add_stages(self, spreads: Iterable[Spread]) -> None:
        """Add what another process has measured of the stages."""

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
        self._sessions = {kind: sessions.labels(kind.value) for kind in SessionKind}
        self._turned = new(prometheus.Counter, "connections_refused", "Connections refused.", labelnames=["reason"])
        self._actions = new(prometheus.Counter, "actions", "Actions played at tables.")
        self._saves = new(prometheus.Counter, "saves", "Batches of actions written to the disk.")
        self._refusals = new(prometheus.Counter, "refusals", "Messages answered with a refusal.")
        self._repaints = new(
            prometheus.Histogram, "repaint_seconds", "From a key to the first byte of the answer.", buckets=REPAINTS
        )
        self.stages = self._counted_stages = CountedStages()
        self.registry.register(_StageCollector(self._counted_stages))
        self._pulled = {name: new(prometheus.Gauge, name, words) for name, words in _PULLED.items()}
        prometheus.ProcessCollector(registry=self.registry)

    def session_opened(self, kind: SessionKind) -> None:
        self._sessions[kind].inc()

    def session_closed(self, kind: SessionKind) -> None:
        self._sessions[kind].dec()

    def turned_away(self, reason: str) -> None:
        self._turned.labels(str(reason)).inc()

    def acted(self) -> None:
        self._actions.inc()

    def saved(self) -> None:
        self._saves.inc()

    def refused(self) -> None:
        self._refusals.inc()

    def repainted(self, seconds: float) -> None:
        self._repaints.observe(seconds)

    def add_stages(self, spreads: Iterable[Spread]) -> None:
        self._counted_stages.add(spreads)

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
        """Yield the three metrics; called from another thread."""
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
