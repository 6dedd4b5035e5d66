"""A gateway counts with the others while the database answers, alone while it does not, and then together again."""

import asyncio
from collections import Counter

import pytest

from net.cluster import cluster_counters
from net.cluster.cluster_counters import ClusterCounters
from net.cluster.database import ConnectionLostError
from net.limits import Limits
from tests.waiting import until


class Shared:
    """The database's counts, in memory; `fails` and `hangs` simulate an outage."""

    def __init__(self, most=3):
        self.most = most
        self.sessions = Counter()
        self.codes = Counter()
        self.fails = self.hangs = False

    async def _answers(self):
        await asyncio.sleep(3600 if self.hangs else 0)
        if self.fails:
            raise ConnectionLostError("gone")

    async def claim_session(self, key, host):
        await self._answers()
        if sum(count for (who, _), count in self.sessions.items() if who == key) >= self.most:
            return False
        self.sessions[key, host] += 1
        return True

    async def release_session(self, key, host):
        await self._answers()
        self.sessions[key, host] -= 1

    async def put_sessions(self, sessions, host):
        await self._answers()
        for session in [session for session in self.sessions if session[1] == host]:
            del self.sessions[session]
        self.sessions |= {(key, host): count for key, count in sessions.items()}

    async def try_code(self, network):
        await self._answers()
        self.codes[network] += 1
        return self.codes[network] <= 2

    async def forgive_code(self, network):
        self.codes[network] -= 1

    async def forget_forgiven(self):
        pass


@pytest.fixture
def shared():
    return Shared()


@pytest.fixture
def first(shared):
    return ClusterCounters(shared, Limits(sessions_per_key=3), lambda: 1)


@pytest.fixture
def other(shared):
    return ClusterCounters(shared, Limits(sessions_per_key=3), lambda: 2)


async def test_two_gateways_count_one_key_together(first, other):
    claimed = await asyncio.gather(*((first, other)[n % 2].claim_session("key") for n in range(8)))
    assert claimed.count(True) == 3
    assert await other.claim_session("another key")


async def test_a_refused_session_is_not_counted(first, other, shared):
    assert [await first.claim_session("key") for _ in range(4)] == [True, True, True, False]
    assert not await other.claim_session("key")
    first.release_session("key")
    await until(lambda: shared.sessions["key", 1] == 2)
    assert await other.claim_session("key")


async def test_without_an_answer_each_counts_alone_without_waiting(first, shared, monkeypatch):
    monkeypatch.setattr(cluster_counters, "DATABASE_TIMEOUT", 0.05)
    shared.hangs = True
    assert await asyncio.wait_for(first.claim_session("key"), 30)
    assert first.degraded
    monkeypatch.setattr(cluster_counters, "DATABASE_TIMEOUT", 60)
    claimed = await asyncio.wait_for(asyncio.gather(*(first.claim_session("key") for _ in range(5))), 30)
    assert claimed.count(True) == 2, "three in all: its own limit holds"
    assert await asyncio.wait_for(first.try_code("10.0.0.1"), 30)


async def test_once_there_is_an_answer_all_is_counted_together_again(first, other, shared, monkeypatch):
    monkeypatch.setattr(cluster_counters, "RESYNC_INTERVAL", 0.01)
    keeping = asyncio.ensure_future(first.run())
    assert await first.claim_session("kept")
    shared.fails = True
    assert [await first.claim_session("key") for _ in range(4)] == [True, True, True, False]
    first.release_session("kept")
    await asyncio.sleep(0.05)
    assert first.degraded
    shared.fails = False
    await until(lambda: not first.degraded)
    assert shared.sessions == {("key", 1): 3}
    assert not await other.claim_session("key")
    keeping.cancel()


async def test_a_count_that_changes_during_a_write_is_written_again(first, shared):
    first.degrade()
    assert await first.claim_session("key")
    writing = asyncio.ensure_future(first.resync())
    await asyncio.sleep(0)
    assert await first.claim_session("key")
    await writing
    assert first.degraded
    await first.resync()
    assert not first.degraded
    assert shared.sessions["key", 1] == 2


async def test_a_session_that_ends_while_it_is_counted_is_corrected_later(first, shared):
    shared.hangs = True
    asking = asyncio.ensure_future(first.claim_session("key"))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    shared.hangs = False
    assert first.degraded, "it may have been counted or not"
    await first.resync()
    assert not shared.sessions


async def test_codes_are_tried_together(first, other, shared):
    assert [await first.try_code("net"), await other.try_code("net"), await other.try_code("net")] == [
        True,
        True,
        False,
    ]
    first.forgive_code("another")
    await until(lambda: shared.codes["another"] == -1)


async def test_a_gateway_that_ends_releases_its_last_sessions_first(first, other, shared):
    assert [await first.claim_session("key") for _ in range(3)] == [True] * 3
    for _ in range(3):
        first.release_session("key")
    await first.flush()
    assert shared.sessions["key", 1] == 0
    assert await other.claim_session("key")


async def test_a_gateway_ends_though_the_database_does_not_answer(first, shared, monkeypatch):
    monkeypatch.setattr(cluster_counters, "DATABASE_TIMEOUT", 0.05)
    assert await first.claim_session("key")
    shared.hangs = True
    first.release_session("key")
    await asyncio.wait_for(first.flush(), 30)
    assert first.degraded
