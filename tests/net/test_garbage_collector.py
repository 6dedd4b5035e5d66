"""When a host collects garbage, which stops everybody."""

import asyncio
import gc

import pytest

from net.hosting import garbage_collector as module
from net.hosting.garbage_collector import GROWTH, GROWTH_IN_PLAY, RESTLESS, GarbageCollector
from net.loop import LoopScheduler


@pytest.fixture
def collected(monkeypatch):
    """One entry for each full collection."""
    collections = []
    monkeypatch.setattr(gc, "collect", lambda generation=2: collections.append(("young", "", "full")[generation]))
    monkeypatch.setattr("net.scheduler.COLLECTED_EVERY", 1e-9)
    monkeypatch.setattr(module, "LOOK_EVERY", 0)
    return collections


async def turns(count):
    for _ in range(count):
        await asyncio.sleep(0)


async def test_garbage_is_collected_when_the_last_guest_has_left(collected):
    garbage_collector = GarbageCollector(LoopScheduler())
    with garbage_collector.session():
        with garbage_collector.session():
            await turns(3)
        await turns(3)
        assert "full" not in collected
    await turns(5)

    assert collected.count("full") == 1


async def test_who_comes_and_goes_again_and_again_stops_nobody_each_time(collected, monkeypatch):
    monkeypatch.setattr(module, "LOOK_EVERY", 3600)
    garbage_collector = GarbageCollector(LoopScheduler())
    for _ in range(10):
        with garbage_collector.session():
            await turns(3)
        await turns(3)
    assert "full" not in collected

    monkeypatch.setattr(module, "LOOK_EVERY", 0)
    await turns(3)
    assert collected.count("full") == 1


async def test_garbage_does_not_grow_for_ever_while_people_come_and_go(collected):
    size = 0
    garbage_collector = GarbageCollector(LoopScheduler(), lambda: size)
    with garbage_collector.session():
        for size in (GROWTH, GROWTH + 1):  # noqa: B007 - the collector reads it
            await turns(2)
        with garbage_collector.session():
            for size in (2 * GROWTH, 2 * GROWTH + 2):  # noqa: B007
                await turns(2)

        assert collected.count("full") == 2


async def test_nor_does_it_while_the_same_people_play_on_but_what_play_keeps_stops_nobody(collected):
    size = 0
    garbage_collector = GarbageCollector(LoopScheduler(), lambda: size)
    with garbage_collector.session():
        size = GROWTH + 1
        await turns(2)
        collected.clear()
        size += GROWTH_IN_PLAY
        await turns(2)
        assert "full" not in collected

        size += 1
        await turns(2)
        assert collected.count("full") == 1


async def test_the_young_are_looked_at_a_few_at_a_time_while_anybody_is_here(collected):
    garbage_collector = GarbageCollector(LoopScheduler())
    with garbage_collector.session():
        await turns(5)
        assert collected.count("young") > 2
    await turns(3)
    looks = collected.count("young")
    await turns(5)

    assert collected.count("young") == looks


async def test_while_nobody_comes_or_goes_there_is_nothing_young_to_collect(collected, monkeypatch):
    garbage_collector = GarbageCollector(LoopScheduler())
    with garbage_collector.session():
        await turns(3)
        garbage_collector._restless_until -= RESTLESS
        await turns(1)
        collected.clear()
        await turns(5)
        assert "young" not in collected
        with garbage_collector.session():
            await turns(3)
            assert "young" in collected


async def test_while_nobody_comes_or_goes_the_host_is_woken_only_now_and_then(collected, monkeypatch):
    scheduler = LoopScheduler()
    garbage_collector = GarbageCollector(scheduler)
    with garbage_collector.session():
        garbage_collector._restless_until -= RESTLESS
        monkeypatch.setattr(module, "LOOK_EVERY", 3600)
        await turns(2)
        assert not scheduler.waits(garbage_collector._turns)
    assert scheduler.waits(garbage_collector._turns)  # somebody went


async def test_a_closing_host_collects_no_more(collected):
    garbage_collector = GarbageCollector(LoopScheduler())
    with garbage_collector.session():
        garbage_collector.stop()
    collected.clear()
    await turns(5)

    assert not collected


async def test_a_host_begins_with_what_it_has_frozen_and_python_collects_nothing_by_itself(monkeypatch):
    calls = []
    monkeypatch.setattr(gc, "freeze", lambda: calls.append("frozen"))
    try:
        GarbageCollector(LoopScheduler(), enabled=False).begin()
        assert (gc.isenabled(), calls) == (True, [])

        GarbageCollector(LoopScheduler()).begin()
        assert (gc.isenabled(), calls) == (False, ["frozen"])
    finally:
        gc.enable()


async def test_what_has_survived_is_left_out_of_collections_until_everything_is_collected(monkeypatch):
    monkeypatch.setattr("net.scheduler.COLLECTED_EVERY", 1e-9)
    monkeypatch.setattr(module, "LOOK_EVERY", 0)
    size, frozen = 0, gc.get_freeze_count()
    garbage_collector = GarbageCollector(LoopScheduler(), lambda: size)
    try:
        with garbage_collector.session():
            size = GROWTH + 1
            await turns(2)
            assert gc.get_freeze_count() > frozen
            monkeypatch.setattr(module, "EVERYTHING_EVERY", 0)
            thawed = []
            monkeypatch.setattr(gc, "unfreeze", lambda: thawed.append(True))
            size = 2 * GROWTH + GROWTH_IN_PLAY
            await turns(2)
            assert thawed
    finally:
        monkeypatch.undo()
        gc.unfreeze()
