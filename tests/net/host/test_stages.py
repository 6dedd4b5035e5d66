"""The stages of a key or a move, and the time of each, as a host measures them."""

import asyncio
import selectors
from contextlib import suppress

import pytest

from net.doors.terminal import Terminal
from net.host import metrics as module
from net.host.metrics import BOUNDS, UNMEASURED, CountedStages, Metrics, Stage, publish_metrics
from net.loop import input_delay, run_on_background_loop
from net.scheduler import Work
from tests.net.host.test_metrics import read
from tests.net.ssh_room import Pipe


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that advances only when `clock[0]` is changed."""
    now = [100.0]
    monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    return now


def counts(stages):
    return {spread.of: (sum(spread.counts), round(spread.seconds, 9)) for spread in stages if any(spread.counts)}


def test_a_stage_excludes_the_stages_within_it(clock):
    stages = CountedStages()
    with stages.of(Stage.DECIDE):
        clock[0] += 1
        with stages.of(Stage.DRAW):
            clock[0] += 10
        with stages.of(Stage.ENCODE):
            clock[0] += 100
            with stages.of(Stage.SEND):
                clock[0] += 1000
        clock[0] += 2
    with stages.of(Stage.DECIDE):
        clock[0] += 5
    assert counts(stages) == {"decide": (2, 8), "draw": (1, 10), "encode": (1, 100), "send": (1, 1000)}


def test_a_stage_that_fails_is_counted_like_any_other(clock):
    stages = CountedStages()
    with stages.of(Stage.DECIDE):
        with suppress(ValueError), stages.of(Stage.DRAW):
            clock[0] += 3
            raise ValueError
        clock[0] += 1
    assert counts(stages) == {"decide": (1, 1), "draw": (1, 3)}


def test_counts_of_another_process_are_added_once(clock):
    here, there = CountedStages(), CountedStages()
    for stages in (here, there, there):
        stages.record_wait(Work.KEY, 0.003)
    here.add(there.take())
    here.add(there.take())
    assert counts(here) == {"key": (3, 0.009)}
    assert counts(there) == {}


def test_each_stage_is_a_histogram_of_the_metrics():
    with publish_metrics(0) as metrics:
        metrics.stages.record_duration(Stage.SAVE, BOUNDS[3])
        metrics.stages.record_duration(Stage.SAVE, 2 * BOUNDS[-1])
        metrics.stages.record_cost(Work.OPENING, 0.03)
        numbers = read(metrics)
    assert numbers["stage_seconds_bucket", str(BOUNDS[2]), "save"] == 0
    assert numbers["stage_seconds_bucket", str(BOUNDS[3]), "save"] == 1
    assert numbers["stage_seconds_bucket", str(BOUNDS[-1]), "save"] == 1
    assert numbers["stage_seconds_count", "save"] == numbers["stage_seconds_bucket", "+Inf", "save"] == 2
    assert numbers["stage_seconds_count", "draw"] == 0
    assert numbers["cost_seconds_count", "opening"] == 1
    assert numbers["wait_seconds_count", "opening"] == 0


def test_output_to_a_terminal_is_counted_as_sent():
    stages = CountedStages()
    Terminal(Pipe(), "xterm", (80, 24), {}, stages=stages).write("painted")
    assert [spread.of for spread in stages if any(spread.counts)] == [Stage.SEND]


def test_a_host_without_metrics_measures_nothing():
    assert Metrics().stages is UNMEASURED
    assert UNMEASURED.of(Stage.DRAW) is UNMEASURED.of(Stage.SEND)


def test_the_delay_of_input_excludes_the_time_in_which_the_loop_is_idle(monkeypatch):
    now, idle_seconds = [100.0], [0.0]
    monkeypatch.setattr("net.loop.perf_counter", lambda: now[0])

    def select_nothing(self, timeout=None):
        now[0] += idle_seconds[0]
        return []

    async def main():
        selector = asyncio.get_running_loop().selector
        with monkeypatch.context() as patched:
            patched.setattr(selectors.DefaultSelector, "select", select_nothing)
            selector.select(0)
            now[0] += 5  # work in this turn
            selector.select(0)
            now[0] += 1
            busy_delay, idle_seconds[0] = input_delay(), 7.0
            selector.select(0)
            now[0] += 1
            return busy_delay, input_delay()

    assert run_on_background_loop(main()) == (6, 1)
