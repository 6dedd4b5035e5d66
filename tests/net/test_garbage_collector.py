"""The times at which a host collects garbage, which stops all guests."""

import gc

import pytest

from net.hosting import garbage_collector as module
from net.hosting.garbage_collector import CHURN_PERIOD, EXCESS_BYTES, SESSION_BYTES, GarbageCollector
from net.loop import LoopScheduler
from tests.waiting import run_loop


@pytest.fixture
def collected(monkeypatch):
    """Return the list of the collected generations, with "trimmed" for each return of memory to the system."""
    collections = []
    monkeypatch.setattr(gc, "collect", lambda generation=2: collections.append(generation))
    monkeypatch.setattr(module, "trim_heap", lambda: collections.append("trimmed"))
    monkeypatch.setattr("net.scheduler.COLLECTED_EVERY", 1e-9)
    monkeypatch.setattr(module, "CHURN_INTERVAL", 0)
    return collections


async def test_everything_is_collected_once_the_last_guest_has_left(collected):
    garbage_collector = GarbageCollector(LoopScheduler())
    with garbage_collector.count_session():
        with garbage_collector.count_session():
            await run_loop(3)
        await run_loop(3)
        assert 2 not in collected
    await run_loop(5)
    assert collected.count(2) == 1
    assert collected[-1] == "trimmed"


async def test_all_generations_are_collected_once_for_short_visits(collected, monkeypatch):
    monkeypatch.setattr(module, "CHURN_INTERVAL", 3600)
    garbage_collector = GarbageCollector(LoopScheduler())
    for _ in range(10):
        with garbage_collector.count_session():
            await run_loop(3)
        await run_loop(3)
    assert 2 not in collected

    monkeypatch.setattr(module, "CHURN_INTERVAL", 0)
    await run_loop(3)
    assert collected.count(2) == 1


async def test_all_generations_are_collected_for_staying_guests_beyond_usual_sessions(collected):
    size = 0
    garbage_collector = GarbageCollector(LoopScheduler(), lambda: size)
    with garbage_collector.count_session():
        size = EXCESS_BYTES + SESSION_BYTES
        await run_loop(3)
        assert 2 not in collected
        size += 1
        await run_loop(3)
        assert collected.count(2) == 1
        with garbage_collector.count_session():
            size += EXCESS_BYTES + 2 * SESSION_BYTES
            await run_loop(3)
            assert collected.count(2) == 1


async def test_generation_0_is_collected_while_guests_come_and_go(collected, monkeypatch):
    monkeypatch.setattr(module, "CHURN_INTERVAL", 3600)
    garbage_collector = GarbageCollector(LoopScheduler())
    with garbage_collector.count_session():
        await run_loop(5)
        assert set(collected) == {0}
        assert len(collected) > 2
        monkeypatch.setattr(module, "CHURN_INTERVAL", 0)
        await run_loop(3)
        assert 1 in collected


async def test_an_idle_host_is_rarely_woken(collected):
    scheduler = LoopScheduler()
    garbage_collector = GarbageCollector(scheduler)
    with garbage_collector.count_session():
        with garbage_collector.count_session():
            await run_loop(3)
        assert "trimmed" not in collected
        garbage_collector._churn_until -= CHURN_PERIOD
        await run_loop(2)
        assert collected[-2:] == [1, "trimmed"]
        assert not scheduler.is_waiting(garbage_collector._piece)
        collected.clear()
        await run_loop(5)
        assert not collected
    await run_loop(2)  # a guest left
    assert collected


async def test_a_closing_host_collects_no_more(collected):
    garbage_collector = GarbageCollector(LoopScheduler())
    with garbage_collector.count_session():
        garbage_collector.stop()
    collected.clear()
    await run_loop(5)
    assert not collected


async def test_a_host_begins_with_a_frozen_heap_and_disables_automatic_collection(monkeypatch):
    calls = []
    monkeypatch.setattr(gc, "freeze", lambda: calls.append("frozen"))
    try:
        GarbageCollector(LoopScheduler()).begin()
        assert (gc.isenabled(), calls) == (False, ["frozen"])
    finally:
        gc.enable()
