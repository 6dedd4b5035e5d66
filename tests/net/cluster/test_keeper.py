"""Hosts of a cluster: when one dies, hangs or drains, others resume its tables; no announced change is lost or
doubled.
"""

import asyncio
import contextlib

import pytest

from core.records import referee
from net.cluster.database import ClusterError, Database
from net.wire.messages import Left, MakeTable, Update
from tests.net.cluster.cutting_line import CuttingLine
from tests.net.cluster.nodes import Node
from tests.waiting import until

SHORT = {"target": 50}


@pytest.fixture
async def nodes(database):
    started = []

    async def node(name, node_database=database):
        started.append(await Node(node_database, name).start())
        return started[-1]

    yield node
    for node in started:
        await node.stop()
        with contextlib.suppress(ClusterError):
            await node.keeper.aclose()


async def seat_pair(node, number=0):
    """Seat two guests at a table of this node: a new one, or the table `number`."""
    ada, bela = await node.add_guest("ada"), await node.add_guest("bela")
    if number:
        ada.client.sit(number)
    else:
        ada.client.make_table(MakeTable("draw", 2, SHORT))
    await until(lambda: ada.latest(Update))
    bela.client.sit(ada.latest(Update).table.id)
    await until(lambda: all(guest.latest(Update) and guest.latest(Update).match for guest in (ada, bela)))
    return ada, bela


async def play(guests, moves):
    """Let the guests on turn act `moves` times, and wait until all see the same layout."""

    async def any_acts():
        return any([await guest.act() for guest in guests])

    for _ in range(moves):
        await until(any_acts)
    await until(lambda: len({len(guest.layout) for guest in guests}) == 1)


async def record_lines(database, number):
    async with database.pooled_connection() as db:
        rows = await db.fetch('SELECT line FROM lines WHERE "table" = $1 ORDER BY match, number', number)
    return [line for (line,) in rows]


async def test_a_killed_host_loses_nothing_and_another_continues_within_a_second(nodes, database):
    north, south = await nodes("north"), await nodes("south")
    guests = await seat_pair(north)
    number = guests[0].latest(Update).table.id
    await play(guests, 5)
    update_before = max((guest.latest(Update) for guest in guests), key=lambda update: update.number)
    await north.die()
    await until(lambda: number in south.tables, 1.0)

    guests = await seat_pair(south, number)
    update_after = guests[0].latest(Update)
    layout = update_before.match.play.layout
    assert update_after.match.play.layout[: len(layout)] == layout, "stored moves that were not announced may follow"
    assert update_after.number > update_before.number
    async with asyncio.timeout(60):
        while not guests[0].latest(Update).match.over:
            await play(guests, 1)
    lines = await record_lines(database, number)
    assert list(referee(lines))[-1].match.over
    async with database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM matches WHERE over IS NOT NULL") == 1


async def test_a_host_that_hangs_is_fenced_when_it_wakes_up_and_sends_no_change(nodes, database):
    north, south = await nodes("north"), await nodes("south")
    guests = await seat_pair(north)
    number = guests[0].latest(Update).table.id
    await play(guests, 3)
    layout = guests[0].layout
    await north.hang()
    await until(lambda: number in south.tables)
    lines = await record_lines(database, number)

    mover = next(guest for guest in guests if guest.latest(Update).match.play.legal)
    count = len(mover.received)
    mover.client.act(mover.latest(Update).match.play.legal[0])
    await until(lambda: len(mover.received) > count)
    assert all(guest.is_sent_away() for guest in guests)
    assert guests[0].layout == guests[1].layout == layout
    assert await record_lines(database, number) == lines
    assert number not in north.tables
    assert number in south.tables


async def test_a_host_whose_lease_expired_starts_anew_and_may_take_over_again(nodes, database):
    north, south = await nodes("north"), await nodes("south")
    guests = await seat_pair(north)
    number = guests[0].latest(Update).table.id
    expired_id = north.keeper.member.id
    await north.hang()
    await until(lambda: number in south.tables)
    north.keeping = asyncio.ensure_future(north.keeper.run())

    await until(lambda: north.keeper.member.id != expired_id)
    await until(lambda: number not in north.tables)
    assert all(guest.is_sent_away() for guest in guests)
    await until(lambda: south.keeper.member.id in north.keeper.member._seen_alive)
    await south.die()
    await until(lambda: number in north.tables)
    returned_guests = await seat_pair(north, number)
    await play(returned_guests, 3)


async def test_all_tables_of_a_dead_host_are_taken_over_by_live_hosts(nodes):
    north = await nodes("north")
    for number in range(12):
        guest = await north.add_guest(f"guest {'abcdefghijkl'[number]}")
        guest.client.make_table(MakeTable("draw", 2, SHORT))
        await until(lambda guest=guest: guest.latest(Update))
    await until(lambda: len(north.tables) == 12)
    survivors = [await nodes(name) for name in ("south", "west")]
    await until(lambda: all(len(survivor.keeper.member.peers) == 3 for survivor in survivors))
    await north.die()
    await until(lambda: sum(len(survivor.tables) for survivor in survivors) == 12)


async def test_a_host_that_drains_hands_over_its_tables_and_claims_none(nodes):
    north, south = await nodes("north"), await nodes("south")
    guests = await seat_pair(north)
    number = guests[0].latest(Update).table.id
    await play(guests, 3)
    layout = guests[0].layout
    await until(lambda: len(north.keeper.member.peers) == 2)

    assert await north.keeper.drain() == 1
    await until(lambda: number in south.tables)
    assert north.tables == {}
    assert all(isinstance(guest.received[-1], Left) for guest in guests)
    assert (await seat_pair(south, number))[0].layout[: len(layout)] == layout
    await south.die()
    await asyncio.sleep(1.5)
    assert north.tables == {}


async def test_an_action_behind_a_save_is_stored_and_sent_before_its_table_is_handed_over(
    nodes, database, monkeypatch
):
    north, south = await nodes("north"), await nodes("south")
    guests = await seat_pair(north)
    number = guests[0].latest(Update).table.id
    await play(guests, 3)
    lines_before = await record_lines(database, number)
    await until(lambda: north.keeper.other_table_hosts)
    write = north.keeper.store.write

    async def write_slowly(batch):
        await asyncio.sleep(0.2)
        return await write(batch)

    monkeypatch.setattr(north.keeper.store, "write", write_slowly)
    mover = next(guest for guest in guests if guest.latest(Update).match.play.legal)
    count = len(mover.received)
    mover.client.say("first")  # which is saved while the key is pressed
    mover.client.pause(True)
    mover.client.pause(False)
    mover.client.act(mover.latest(Update).match.play.legal[0])
    await until(lambda: north.server.pending_tables == {number})

    await north.keeper.drain()
    await until(lambda: number in south.tables)
    assert len(await record_lines(database, number)) == len(lines_before) + 1
    assert all(guest.is_sent_away() for guest in guests)
    assert any(message.events for message in mover.received[count:] if isinstance(message, Update))


async def test_a_guest_who_joins_a_table_in_transit_waits_for_it(nodes, monkeypatch):
    north, south = await nodes("north"), await nodes("south")
    guests = await seat_pair(north)
    number = guests[0].latest(Update).table.id
    claim, may_finish = south.keeper._claims.claim, asyncio.Event()

    async def claim_slowly(owner, hosts):
        claimed = await claim(owner, hosts)
        if claimed:
            await may_finish.wait()
        return claimed

    monkeypatch.setattr(south.keeper._claims, "claim", claim_slowly)
    ada = await south.add_guest("ada")
    await north.die()
    await until(lambda: south.keeper._is_taking_over)
    ada.client.sit(number)
    await asyncio.sleep(0.3)
    assert ada.refusals() == []
    may_finish.set()
    await until(lambda: ada.latest(Update))
    ada.client.sit(number + 1000)
    await until(ada.refusals)


async def test_the_last_host_does_not_drain(nodes):
    north = await nodes("north")
    with pytest.raises(ClusterError, match="nobody to hand them over to"):
        await north.keeper.drain()
    assert not north.keeper.member.draining


async def test_a_cluster_that_was_switched_off_comes_back_with_all_tables(nodes):
    north = await nodes("north")
    guests = await seat_pair(north)
    number = guests[0].latest(Update).table.id
    await play(guests, 3)
    layout = guests[0].layout
    await north.die()

    restarted = await nodes("north")
    await until(lambda: number in restarted.tables)
    assert (await seat_pair(restarted, number))[0].layout[: len(layout)] == layout
    newcomer = await restarted.add_guest("cleo")
    newcomer.client.make_table(MakeTable("draw", 2, SHORT))
    await until(lambda: newcomer.latest(Update))
    assert newcomer.latest(Update).table.id != number


async def test_the_players_of_a_quarantined_table_are_informed(nodes, database):
    north = await nodes("north")
    guests = await seat_pair(north)
    number = guests[0].latest(Update).table.id
    await play(guests, 3)
    await north.die()
    async with database.pooled_connection() as db:
        await db.execute('UPDATE lines SET line = \'{"type":"nonsense"}\' WHERE number = 2')
    south = await nodes("south")
    await until(lambda: number in south.keeper.lobby.quarantined_tables.tables)

    ada = await south.add_guest("ada")
    await until(lambda: ada.latest(Left))
    assert "could not be resumed" in str(ada.latest(Left).reason)
    west = await nodes("west")
    assert number in west.keeper.lobby.quarantined_tables.tables


async def test_play_stops_while_the_database_is_unreachable_and_then_continues(nodes, url, monkeypatch, join_node):
    monkeypatch.setattr("net.cluster.store.SAVE_TIMEOUT", 0.2)
    monkeypatch.setattr("net.host.server.RETRY_AFTER", 0.2)
    async with CuttingLine(url) as line, Database(line.url) as cut_database:
        north = await nodes("north", cut_database)
        guests = await seat_pair(north)
        await play(guests, 3)
        layout = guests[0].layout
        line.refuse = True
        line.cut_all()
        mover = next(guest for guest in guests if guest.latest(Update).match.play.legal)
        mover.client.act(mover.latest(Update).match.play.legal[0])
        await until(lambda: all(guest.refusals() for guest in guests))
        assert "cannot save right now" in guests[0].refusals()[0]
        assert guests[0].layout == layout

        line.refuse = False
        await until(lambda: guests[0].layout != layout)
        await until(lambda: north.server.storage_error is None)
        await play(guests, 3)
        await north.stop()
        await north.keeper.aclose()
