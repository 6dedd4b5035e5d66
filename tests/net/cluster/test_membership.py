"""Nodes register, are seen by all, expire when they die, and never consider themselves alive once others removed
them.
"""

import asyncio
import contextlib
from time import monotonic

import pytest

from net.cluster import membership
from net.cluster.database import Database
from net.cluster.keeper import OrphanClaims
from net.cluster.membership import HEARTBEAT, LEASE, Membership, NameTakenError
from tests.net.cluster.cutting_line import CuttingLine
from tests.waiting import until


@contextlib.asynccontextmanager
async def send_heartbeats(*members):
    """Let members send heartbeats; yield their tasks."""
    tasks = [asyncio.ensure_future(member.run()) for member in members]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def seen_nodes(member):
    return sorted(peer.node for peer in member.peers.values())


async def test_all_nodes_see_each_other_and_their_descriptions(join_node):
    north, south = await join_node("north", tables=lambda: 7), await join_node("south", role="gateway", address="")
    north.draining = True
    async with send_heartbeats(north, south):
        await until(lambda: seen_nodes(south) == ["north", "south"] and south.peers[north.id].draining)

        assert south.peers[north.id].tables == 7
        assert south.peers[north.id].draining
        assert south.peers[north.id].is_table_host
        assert not south.peers[south.id].is_table_host


async def test_a_node_that_leaves_is_gone_at_once(join_node):
    north, south = await join_node("north"), await join_node("south")
    async with send_heartbeats(south):
        await until(lambda: seen_nodes(south) == ["north", "south"])
        await north.leave()
        await until(lambda: seen_nodes(south) == ["south"], 1.0)


async def test_a_node_that_dies_expires_within_a_second(join_node):
    north, south = await join_node("north"), await join_node("south")
    async with send_heartbeats(south):
        async with send_heartbeats(north):
            await until(lambda: seen_nodes(south) == ["north", "south"])
        north._db.terminate()  # as the system does for a process that is killed
        await until(lambda: seen_nodes(south) == ["south"], 1.0)


async def test_a_new_node_detects_at_once_the_death_of_a_node_that_it_has_seen(join_node):
    north, south = await join_node("north"), await join_node("south")
    async with send_heartbeats(south):
        async with send_heartbeats(north):
            await until(lambda: seen_nodes(south) == ["north", "south"] and north.id in south._seen_alive)
        north._db.terminate()
        await until(lambda: seen_nodes(south) == ["south"], 0.9)
        async with south._database.pooled_connection() as db:
            assert await db.fetchval("SELECT count(*) FROM hosts") == 1, "no other node counts it as alive"


async def test_an_urgent_notice_is_sent_at_once(join_node, monkeypatch):
    monkeypatch.setattr(membership, "HEARTBEAT", 120.0)
    north, south = await join_node("north"), await join_node("south")
    notices = []
    south.notices.add(notices.append)
    async with send_heartbeats(north, south):
        await until(lambda: seen_nodes(north) == seen_nodes(south) == ["north", "south"])
        north.notify("tables", at_once=True)
        await until(lambda: "tables" in notices)


async def test_a_node_that_hangs_expires_and_starts_anew_when_it_wakes_up(join_node):
    north, south = await join_node("north"), await join_node("south")
    expired_ids, id_before = [], north.id
    north.on_expired.add(lambda: expired_ids.append(north.id))
    async with send_heartbeats(south):
        async with send_heartbeats(north):
            await until(lambda: seen_nodes(south) == ["north", "south"])
        await until(lambda: seen_nodes(south) == ["south"], LEASE + 1)  # its connection and lock still exist
        async with send_heartbeats(north):
            await until(lambda: north.id != id_before)
            await until(lambda: seen_nodes(south) == ["north", "south"])
    assert expired_ids == [id_before]


async def test_a_connection_that_breaks_is_reopened_before_the_node_expires(url, join_node):
    south = await join_node("south")
    async with CuttingLine(url) as line, Database(line.url) as cut_database:
        north = Membership(cut_database, "north", role="tables", address="x", software="", tables=lambda: 0)
        await north.join()
        id_before, notices = north.id, []
        north.notices.add(notices.append)
        async with send_heartbeats(north, south):
            await until(lambda: seen_nodes(south) == ["north", "south"])
            for _ in range(3):
                north._db.terminate()
                await asyncio.sleep(3 * HEARTBEAT)
                assert seen_nodes(south) == ["north", "south"]
            assert north.id == id_before
            assert notices.count("") == 3, "it may have missed something each time"
        await north.leave()


async def test_after_a_restart_of_postgresql_nodes_have_time_to_return_before_they_expire(join_node):
    """All connections are new then, and all locks are free; here the other node never returns."""
    north, south = await join_node("north"), await join_node("south")
    async with send_heartbeats(north, south):
        await until(lambda: seen_nodes(south) == ["north", "south"])
    for node in (north, south):
        node._db.terminate()
    async with send_heartbeats(south):
        await asyncio.sleep(1.0)
        assert seen_nodes(south) == ["north", "south"], "their trunks stay open, since both may return"
        async with south._database.pooled_connection() as db:
            assert await db.fetchval("SELECT count(*) FROM hosts") == 2


async def test_a_second_node_of_the_same_name_is_refused(join_node, monkeypatch):
    north = await join_node("north")
    async with send_heartbeats(north):
        with pytest.raises(NameTakenError, match="Another node of this cluster is called north"):
            await join_node("north")


async def test_a_node_that_was_killed_takes_its_own_place_again(join_node):
    north = await join_node("north")
    north._db.terminate()
    restarted = await join_node("north")

    assert restarted.id != north.id
    with pytest.raises(NameTakenError):
        await asyncio.wait_for(north.run(), 30)


async def test_notices_reach_all_nodes_in_a_few_batches_a_second(join_node):
    north, south = await join_node("north"), await join_node("south")
    notices, started_at = [], monotonic()
    south.notices.add(notices.append)
    async with send_heartbeats(north, south):
        for _ in range(100):
            north.notify("tables")
            await asyncio.sleep(0.005)
        await until(lambda: "tables" in notices)
        await asyncio.sleep(2 * HEARTBEAT)
    assert 1 <= notices.count("tables") <= 2 + (monotonic() - started_at) / HEARTBEAT


async def test_a_database_that_hangs_is_waited_for(url, join_node, monkeypatch):
    monkeypatch.setattr("net.cluster.membership.HEARTBEAT_TIMEOUT", 0.2)
    async with CuttingLine(url) as line, Database(line.url) as cut_database:
        north = Membership(cut_database, "north", role="tables", address="x", software="", tables=lambda: 0)
        await north.join()
        async with send_heartbeats(north) as (task,):
            line.refuse = True
            north._db.terminate()
            await until(lambda: north.error is not None)
            assert not task.done()
            line.refuse = False
            await until(lambda: north.error is None)
        await north.leave()


async def test_a_full_disk_expires_no_node(join_node, database):
    north, south = await join_node("north"), await join_node("south")
    ids_before = north.id, south.id
    async with send_heartbeats(north, south) as tasks, database.pooled_connection() as db:
        await db.execute(
            """CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
            CREATE TRIGGER full_disk BEFORE UPDATE ON hosts EXECUTE FUNCTION full_disk()"""
        )
        await until(lambda: north.error and south.error)
        assert "The disk of PostgreSQL" in str(north.error)
        await asyncio.sleep(LEASE + HEARTBEAT)  # by the clock of the database, all are late now
        await db.execute("DROP TRIGGER full_disk ON hosts")
        await until(lambda: not (north.error or south.error))
        await asyncio.sleep(3 * HEARTBEAT)

        assert not any(task.done() for task in tasks)
        assert (north.id, south.id) == ids_before
        assert seen_nodes(north) == seen_nodes(south) == ["north", "south"]


async def test_orphans_go_to_live_nodes_only(join_node, database):
    north = await join_node("north")
    async with database.pooled_connection() as db:
        await db.execute(
            "INSERT INTO tables (number, owner, epoch, sequence, kept, match) VALUES (1, 0, 1, 1, '{}', 0)"
        )
    dead_id = north.id + 1000
    assert await OrphanClaims(database).claim(dead_id, 1) == []
    assert len(await OrphanClaims(database).claim(north.id, 1)) == 1
