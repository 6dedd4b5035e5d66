"""When a host collects garbage, which stops everybody."""

import asyncio
import gc

import pytest

from tui.serve.garbage_collector import GROWTH, GarbageCollector


@pytest.fixture
def collected(monkeypatch):
    """One entry for each full collection."""
    collections = []
    monkeypatch.setattr(gc, "collect", lambda generation=2: collections.append(("young", "", "full")[generation]))
    return collections


async def test_garbage_is_collected_when_the_last_guest_has_left(collected):
    garbage_collector = GarbageCollector()
    with garbage_collector.session():
        with garbage_collector.session():
            pass
        await asyncio.sleep(0)
        assert "full" not in collected
    for _ in range(3):
        await asyncio.sleep(0)

    assert collected.count("full") == 1


async def test_who_comes_and_goes_again_and_again_stops_nobody_each_time(collected):
    swept_again = asyncio.Event()
    garbage_collector = GarbageCollector(
        lambda: swept_again.set() if collected.count("full") == 2 else 0, empty_every=0.2
    )
    for _ in range(10):
        with garbage_collector.session():
            pass
        for _ in range(3):
            await asyncio.sleep(0)
    assert collected.count("full") == 1
    await asyncio.wait_for(swept_again.wait(), 30)


async def test_garbage_does_not_grow_for_ever_in_a_house_that_is_never_empty(collected, monkeypatch):
    monkeypatch.setattr("tui.serve.garbage_collector.YOUNG_EVERY", 0)
    monkeypatch.setattr("tui.serve.garbage_collector.MEASURED_EVERY", 0)
    size = 0
    garbage_collector = GarbageCollector(lambda: size)
    with garbage_collector.session():
        for size in (GROWTH, GROWTH + 1, 2 * GROWTH, 2 * GROWTH + 2):  # noqa: B007 - the collector reads it
            await asyncio.sleep(0)

        assert collected.count("full") == 2


async def test_the_young_are_looked_at_a_few_at_a_time_while_anybody_is_here(collected, monkeypatch):
    monkeypatch.setattr("tui.serve.garbage_collector.YOUNG_EVERY", 0)
    garbage_collector = GarbageCollector()
    with garbage_collector.session():
        for _ in range(5):
            await asyncio.sleep(0)
        assert collected.count("young") > 2
    for _ in range(3):
        await asyncio.sleep(0)
    looks = collected.count("young")
    for _ in range(5):
        await asyncio.sleep(0)

    assert collected.count("young") == looks


async def test_what_has_survived_is_left_out_of_collections_until_everything_is_collected(monkeypatch):
    monkeypatch.setattr("tui.serve.garbage_collector.YOUNG_EVERY", 0)
    monkeypatch.setattr("tui.serve.garbage_collector.MEASURED_EVERY", 0)
    size, frozen = 0, gc.get_freeze_count()
    garbage_collector = GarbageCollector(lambda: size)
    try:
        with garbage_collector.session():
            size = GROWTH + 1
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert gc.get_freeze_count() > frozen
            monkeypatch.setattr("tui.serve.garbage_collector.EVERYTHING_EVERY", 0)
            thawed = []
            monkeypatch.setattr(gc, "unfreeze", lambda: thawed.append(True))
            size = 3 * GROWTH
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert thawed
    finally:
        monkeypatch.undo()
        gc.unfreeze()
