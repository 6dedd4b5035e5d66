"""A gateway counts with the others while the database answers, alone while it does not, and then together again."""

import asyncio
from collections import Counter

import pytest

from net.cluster import cluster_counters
from net.cluster.cluster_counters import ClusterCounters
from net.cluster.database import ConnectionLostError
from net.limits import Limits
from tests.waiting import until


class SharedCounts:
    """The database's counts, in memory; `fails` and `hangs` simulate an outage."""

    def __init__(self, max_sessions=3):
        self.max_sessions = max_sessions
        self.sessions = Counter()
        self.codes = Counter()
        self.fails = self.hangs = False

    async def _answer(self):
        await asyncio.sleep(3600 if self.hangs else 0)
        if self.fails:
            raise ConnectionLostError("gone")

    async def claim_session(self, key, host):
        await self._answer()
        if sum(count for (session_key, _), count in self.sessions.items() if session_key == key) >= self.max_sessions:
            return False
        self.sessions[key, host] += 1
        return True

    async def release_session(self, key, host):
        await self._answer()
        self.sessions[key, host] -= 1

    async def put_sessions(self, sessions, host):
        await self._answer()
        for session in [session for session in self.sessions if session[1] == host]:
            del self.sessions[session]
        self.sessions |= {(key, host): count for key, count in sessions.items()}

    async def try_code(self, network):
        await self._answer()
        self.codes[network] += 1
        return self.codes[network] <= 2

    async def forgive_code(self, network):
        self.codes[network] -= 1

    async def forget_forgiven(self):
        pass


@pytest.fixture
def shared():
    return SharedCounts()


@pytest.fixture
def north(shared):
    return ClusterCounters(shared, Limits(sessions_per_key=3), lambda: 1)


@pytest.fixture
def south(shared):
    return ClusterCounters(shared, Limits(sessions_per_key=3), lambda: 2)


async def test_two_gateways_count_one_key_together(north, south):
    claimed = await asyncio.gather(*((north, south)[number % 2].claim_session("key") for number in range(8)))
    assert claimed.count(True) == 3
    assert await south.claim_session("another key")


async def test_a_refused_session_is_not_counted(north, south, shared):
    assert [await north.claim_session("key") for _ in range(4)] == [True, True, True, False]
    assert not await south.claim_session("key")
    north.release_session("key")
    await until(lambda: shared.sessions["key", 1] == 2)
    assert await south.claim_session("key")


async def test_without_an_answer_each_counts_alone_without_waiting(north, shared, monkeypatch):
    monkeypatch.setattr(cluster_counters, "DATABASE_TIMEOUT", 0.05)
    shared.hangs = True
    assert await asyncio.wait_for(north.claim_session("key"), 30)
    assert north.degraded
    monkeypatch.setattr(cluster_counters, "DATABASE_TIMEOUT", 60)
    claimed = await asyncio.wait_for(asyncio.gather(*(north.claim_session("key") for _ in range(5))), 30)
    assert claimed.count(True) == 2, "three in all: its own limit holds"
    assert await asyncio.wait_for(north.try_code("10.0.0.1"), 30)


async def test_once_there_is_an_answer_all_is_counted_together_again(north, south, shared, monkeypatch):
    monkeypatch.setattr(cluster_counters, "RESYNC_INTERVAL", 0.01)
    keeping = asyncio.ensure_future(north.run())
    assert await north.claim_session("released")
    shared.fails = True
    assert [await north.claim_session("key") for _ in range(4)] == [True, True, True, False]
    north.release_session("released")
    await asyncio.sleep(0.05)
    assert north.degraded
    shared.fails = False
    await until(lambda: not north.degraded)
    assert shared.sessions == {("key", 1): 3}
    assert not await south.claim_session("key")
    keeping.cancel()


async def test_a_count_that_changes_during_a_write_is_written_again(north, shared):
    north.degrade()
    assert await north.claim_session("key")
    writing = asyncio.ensure_future(north.resync())
    await asyncio.sleep(0)
    assert await north.claim_session("key")
    await writing
    assert north.degraded
    await north.resync()
    assert not north.degraded
    assert shared.sessions["key", 1] == 2


async def test_a_session_that_ends_while_it_is_counted_is_corrected_later(north, shared):
    shared.hangs = True
    asking = asyncio.ensure_future(north.claim_session("key"))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    shared.hangs = False
    assert north.degraded, "it may have been counted or not"
    await north.resync()
    assert not shared.sessions


async def test_codes_are_tried_together(north, south, shared):
    assert [await north.try_code("net"), await south.try_code("net"), await south.try_code("net")] == [
        True,
        True,
        False,
    ]
    north.forgive_code("another")
    await until(lambda: shared.codes["another"] == -1)


async def test_a_gateway_that_ends_releases_its_last_sessions_first(north, south, shared):
    assert [await north.claim_session("key") for _ in range(3)] == [True] * 3
    for _ in range(3):
        north.release_session("key")
    await north.flush()
    assert shared.sessions["key", 1] == 0
    assert await south.claim_session("key")


async def test_a_gateway_ends_though_the_database_does_not_answer(north, shared, monkeypatch):
    monkeypatch.setattr(cluster_counters, "DATABASE_TIMEOUT", 0.05)
    assert await north.claim_session("key")
    shared.hangs = True
    north.release_session("key")
    await asyncio.wait_for(north.flush(), 30)
    assert north.degraded
