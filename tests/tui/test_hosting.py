"""When a host collects garbage, which stops everybody."""

import asyncio
import gc

import pytest

from tui.hosting import UNSWEPT, Sweeper


@pytest.fixture
def collected(monkeypatch):
    """One entry for each full collection."""
    collections = []
    monkeypatch.setattr(gc, "collect", lambda: collections.append("full"))
    return collections


async def test_garbage_is_collected_when_the_last_guest_has_left(collected):
    sweeper = Sweeper()
    with sweeper.session():
        with sweeper.session():
            pass
        await asyncio.sleep(0)
        assert collected == []
    await asyncio.sleep(0)

    assert collected == ["full"]


async def test_garbage_does_not_grow_for_ever_in_a_house_that_is_never_empty(collected):
    sweeper = Sweeper()
    with sweeper.session():
        for _ in range(2 * UNSWEPT):
            with sweeper.session():
                pass
        await asyncio.sleep(0)

        assert collected == ["full", "full"]
