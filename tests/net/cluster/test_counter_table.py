"""Limits per key and network count over all gateways, exactly, and recover with time."""

import asyncio

import pytest
from msgspec.structs import replace

from net.cluster.cluster_counters import CounterTable
from net.limits import Limits

LIMITS = replace(Limits(), sessions_per_key=3, wrong_invitations=2, wrong_invitation_forgiven=1000)


@pytest.fixture
def limits(database):
    return CounterTable(database, LIMITS)


async def test_the_session_limit_of_a_key_counts_all_gateways(limits, join_node):
    north, south = await join_node("north"), await join_node("south")
    claimed = await asyncio.gather(
        *(limits.claim_session("key A", (north, south)[number % 2].id) for number in range(10))
    )
    assert claimed.count(True) == 3
    assert await limits.claim_session("key B", north.id)

    host = (north, south)[claimed.index(True) % 2]
    await limits.release_session("key A", host.id)
    assert await limits.claim_session("key A", south.id)
    assert not await limits.claim_session("key A", south.id)


async def test_the_sessions_of_a_gateway_go_with_it(limits, join_node):
    north, south = await join_node("north"), await join_node("south")
    for _ in range(3):
        assert await limits.claim_session("key A", north.id)
    assert not await limits.claim_session("key A", south.id)
    await north.leave()
    assert await limits.claim_session("key A", south.id)


async def test_releasing_a_session_that_is_not_held_raises_no_limit(limits, join_node):
    north = await join_node("north")
    await limits.release_session("key A", north.id)
    await limits.release_session("key A", north.id)
    for _ in range(3):
        assert await limits.claim_session("key A", north.id)
    assert not await limits.claim_session("key A", north.id)


async def test_the_counts_of_a_gateway_are_corrected(limits, join_node):
    north, south = await join_node("north"), await join_node("south")
    assert await limits.claim_session("key A", north.id)
    assert await limits.claim_session("key B", south.id)
    await limits.put_sessions({"key B": 2}, north.id)
    assert not await limits.claim_session("key B", south.id)
    assert all([await limits.claim_session("key A", south.id) for _ in range(3)])
    await limits.put_sessions({}, north.id)
    assert await limits.claim_session("key B", south.id)


async def test_a_network_may_try_two_codes_also_when_they_come_at_once(limits):
    assert [await limits.try_code("10.0.0.1") for _ in range(4)] == [True, True, False, False]

    simultaneous = await asyncio.gather(*(limits.try_code("2001:db8::/64") for _ in range(9)))
    assert simultaneous.count(True) == 2


async def test_a_forgiven_code_does_not_count(limits):
    assert await limits.try_code("10.0.0.2")
    await limits.forgive_code("10.0.0.2")

    assert [await limits.try_code("10.0.0.2") for _ in range(3)] == [True, True, False]


async def test_wrong_codes_expire_one_by_one(limits, database):
    assert [await limits.try_code("10.0.0.1") for _ in range(3)] == [True, True, False]
    await age_wrong_codes(database, "1100 s")

    assert [await limits.try_code("10.0.0.1") for _ in range(2)] == [True, False]


async def test_expired_counts_are_deleted_and_others_stay(limits, database):
    assert await limits.try_code("10.0.0.1")
    await limits.forget_forgiven()
    assert await count_rows(database) == 1

    await age_wrong_codes(database, "1 day")
    await limits.forget_forgiven()
    assert await count_rows(database) == 0


async def age_wrong_codes(database, interval):
    """Let all wrong codes be older by an interval, as PostgreSQL writes it."""
    async with database.pooled_connection() as db:
        await db.execute(f"UPDATE wrong_codes SET at = at - interval '{interval}'")


async def count_rows(database):
    async with database.pooled_connection() as db:
        return await db.fetchval("SELECT count(*) FROM wrong_codes")
