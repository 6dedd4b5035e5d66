"""The store of a table host: fenced once another takes over, and certain of what a lost connection has stored."""

import asyncio
import contextlib

import asyncpg
import pytest

from net.cluster.database import ClusterError, ConnectionLostError, Database
from net.cluster.keeper import OrphanClaims
from net.cluster.store import ClusterStore
from net.table.persistence import Batch, Change, Snapshot, decode_snapshot
from tests.net.cluster.cutting_line import CuttingLine


def change(number, *lines, first=0, begins=False, ends=False, name="ada"):
    snapshot = Snapshot(number, name, "key A", "draw", {}, (), b"", (), True, 0, 0)
    return Change(number, snapshot, lines, begins, ends, first)


async def fetch(database, query, *values):
    async with database.pooled_connection() as db:
        return [tuple(row) for row in await db.fetch(query, *values)]


async def lines_of(database, number):
    return [
        line for (line,) in await fetch(database, 'SELECT line FROM lines WHERE "table" = $1 ORDER BY number', number)
    ]


async def save(store, batch):
    """Save a batch; return the result that the server receives."""
    result = asyncio.get_running_loop().create_future()
    store.save(batch, result.set_result)
    return await result


class Host:
    """A table host as far as its store is concerned."""

    def __init__(self, database, member):
        self.database = database
        self.member = member
        self.received = []
        self.store = ClusterStore(database, lambda: member.id, lambda numbers: self.received.append(sorted(numbers)))

    async def die(self):
        async with self.database.pooled_connection() as db:
            await db.execute("DELETE FROM hosts WHERE id = $1", self.member.id)

    async def claim(self):
        claims = await OrphanClaims(self.database).claim(self.member.id, 1)
        for claim in claims:
            self.store.take(claim.number, claim.token)
        return claims


@pytest.fixture
async def pair(database, join_node):
    """Yield two table hosts."""
    hosts = [Host(database, await join_node(name)) for name in ("north", "south")]
    yield hosts
    for host in hosts:
        await host.store.aclose()


async def test_a_zombie_cannot_write_to_a_table_of_another_host(pair, database):
    north, south = pair
    assert await north.store.write(Batch([change(1, "a", begins=True), change(2, "x", begins=True)])) == set()
    await north.die()
    assert {claim.number for claim in await south.claim()} == {1, 2}
    await south.store.write(Batch([change(1, "b", first=1)]))

    zombies = Batch([change(1, "unsent", first=1), change(2, "unsent too", first=1)])
    assert await save(north.store, zombies) is None
    assert north.received == [[1, 2]]
    assert north.store.tokens == {}
    assert await lines_of(database, 1) == ["a", "b"]
    assert await lines_of(database, 2) == ["x"]


async def test_a_zombie_writes_the_tables_that_it_still_owns_and_is_fenced_from_the_rest(pair, database):
    north, south = pair
    await north.store.write(Batch([change(number, "a", begins=True) for number in (1, 2, 3)]))
    await north.die()
    async with database.pooled_connection() as db:
        await db.execute("UPDATE tables SET owner = $1, epoch = epoch + 1 WHERE number = 2", south.member.id)

    assert await north.store.write(Batch([change(number, "b", first=1) for number in (1, 2, 3)])) == {2}
    assert [await lines_of(database, number) for number in (1, 2, 3)] == [["a", "b"], ["a"], ["a", "b"]]
    assert sorted(north.store.tokens) == [1, 3]


async def test_a_zombie_opens_no_table_and_closes_none(pair, database):
    north, south = pair
    await north.store.write(Batch([change(1, "a", begins=True)]))
    await north.die()
    await south.claim()

    assert await north.store.write(Batch([change(7, "b", begins=True), Change(1, None)])) == {1, 7}
    assert await fetch(database, "SELECT number FROM tables") == [(1,)]
    assert await lines_of(database, 7) == []
    assert await fetch(database, "SELECT over FROM matches") == [(None,)]


async def test_a_table_claimed_again_by_its_host_is_not_the_one_it_held_before(pair):
    """The owner is the same again, but the epoch is not."""
    north, _ = pair
    await north.store.write(Batch([change(1, "a", begins=True)]))
    old_tokens = dict(north.store.tokens)
    await OrphanClaims(north.database).release(north.member.id, [1])
    assert len(await north.claim()) == 1

    north.store.tokens = old_tokens
    assert await north.store.write(Batch([change(1, "b", first=1)])) == {1}


async def test_two_hosts_that_claim_at_once_share_the_orphans(pair, database):
    north, south = pair
    for number in range(1, 21):
        await north.store.write(Batch([change(number, "a", begins=True)]))
    await OrphanClaims(database).release(north.member.id, range(1, 21))
    claims_by_host = await asyncio.gather(
        *(OrphanClaims(database).claim(host.member.id, 2) for host in (north, south))
    )

    north_tables, south_tables = ({claim.number for claim in claims} for claims in claims_by_host)
    assert north_tables
    assert south_tables
    assert len(north_tables | south_tables) == len(north_tables) + len(south_tables) <= 20
    remaining_tables = {
        claim.number for _ in range(5) for claim in await OrphanClaims(database).claim(south.member.id, 2)
    }
    assert north_tables | south_tables | remaining_tables == set(range(1, 21))


async def test_a_claimed_table_is_as_it_was_saved(pair):
    north, south = pair
    await north.store.write(Batch([change(1, "old", begins=True)]))
    await north.store.write(Batch([change(1, "a", "b", begins=True, name="eve")]))
    await north.die()
    (claimed,) = await south.claim()

    assert decode_snapshot(claimed.snapshot).name == "eve"
    assert claimed.lines == ("a", "b")
    assert (claimed.token.epoch, claimed.token.match) == (2, 2)


@pytest.mark.parametrize("operation", ["update", "open", "close"])
@pytest.mark.parametrize("is_committed", [True, False])
async def test_a_connection_that_is_lost_during_commit_leaves_no_doubt(
    url, join_node, database, operation, is_committed
):
    """The connection is cut before the COMMIT reaches PostgreSQL, or before its answer arrives."""
    batches = {
        "open": Batch([change(1, "a", begins=True)]),
        "update": Batch([change(1, "b", first=1), change(2, "y", first=1)]),
        "close": Batch([Change(1, None), change(2, "y", first=1)]),
    }
    async with CuttingLine(url) as line, Database(line.url) as cut_database:
        host = Host(cut_database, await join_node("north"))
        await host.store.write(Batch([change(9)]))  # it is connected
        if operation != "open":
            await host.store.write(Batch([change(1, "a", begins=True), change(2, "x", begins=True)]))
        line.cut_next(after=is_committed)

        assert await save(host.store, batches[operation]) is None
        assert line.cuts == 1
        assert host.received == []
        assert await lines_of(database, 1) == {"open": ["a"], "update": ["a", "b"], "close": ["a"]}[operation]
        sequences = dict(await fetch(database, "SELECT number, sequence FROM tables"))
        assert sequences == {"open": {1: 1, 9: 1}, "update": {1: 2, 2: 2, 9: 1}, "close": {2: 2, 9: 1}}[operation]
        assert await host.store.write(Batch([change(9)])) == set()
        await host.store.aclose()


async def test_a_batch_that_failed_may_come_again_later_and_is_written_once(url, join_node, database, monkeypatch):
    monkeypatch.setattr("net.cluster.store.SAVE_TIMEOUT", 0.1)
    async with CuttingLine(url) as line, Database(line.url) as cut_database:
        host = Host(cut_database, await join_node("north"))
        await host.store.write(Batch([change(1, "a", begins=True)]))
        line.cut_next(after=True)
        line.refuse = True
        batch = Batch([change(1, "b", first=1)])

        assert isinstance(await save(host.store, batch), ConnectionLostError)
        line.refuse = False
        assert await save(host.store, batch) is None
        assert host.received == []
        assert await lines_of(database, 1) == ["a", "b"]
        assert host.store.tokens[1].sequence == 2
        await host.store.aclose()


async def test_a_full_database_is_reported_and_the_batch_written_once_there_is_room(pair, database):
    """On a full disk, PostgreSQL fails the statement with SQLSTATE 53100 and stores nothing of it."""
    north, _ = pair
    await north.store.write(Batch([change(1, "a", begins=True)]))
    async with database.pooled_connection() as db:
        await db.execute(
            """CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
                $$BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END$$"""
        )
        await db.execute("CREATE TRIGGER full_disk BEFORE INSERT ON lines EXECUTE FUNCTION full_disk()")
    batch = Batch([change(1, "b", first=1)])

    error = await save(north.store, batch)
    assert isinstance(error, ClusterError)
    assert "is full; free some space" in str(error)
    assert await fetch(database, "SELECT sequence FROM tables") == [(1,)]
    async with database.pooled_connection() as db:
        await db.execute("DROP TRIGGER full_disk ON lines")
    assert await save(north.store, batch) is None
    assert await lines_of(database, 1) == ["a", "b"]


async def test_every_failure_is_reported_to_the_server(pair, monkeypatch):
    async def fail(*_):
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr(ClusterStore, "write", fail)
    assert str(await save(pair[0].store, Batch([change(1)]))) == "a fault of the program"


async def test_the_statement_that_writes_a_batch_finds_its_rows_by_the_index(pair, database):
    """With plans made for small tables, the slowest saves of a large cluster took a third of a second."""
    north, _ = pair
    await north.store.write(Batch([change(1, "a", begins=True)]))
    writer = north.store._writer
    plan = await writer.db.fetch(
        "EXPLAIN EXECUTE "
        + writer.statement.get_name()
        + "(1, '{1}', '{1}', '{1}', '{x}', '{1}', '{}', '{}', '{}', '{}', '{}', '{1}', '{1}', '{1}', '{x}')"
    )
    text = "\n".join(row[0] for row in plan)

    assert "Seq Scan on tables" not in text
    assert "Seq Scan on matches" not in text
    assert "tables_pkey" in text


async def test_a_batch_that_waits_for_a_lock_is_not_lost(pair, database):
    north, _ = pair
    await north.store.write(Batch([change(1, "a", begins=True)]))
    async with database.pooled_connection() as db:
        transaction = db.transaction()
        await transaction.start()
        await db.execute("SELECT FROM tables WHERE number = 1 FOR UPDATE")
        writing = asyncio.ensure_future(north.store.write(Batch([change(1, "b", first=1)])))
        await asyncio.sleep(0.1)
        assert not writing.done()
        await transaction.rollback()
    assert await writing == set()


async def test_closing_a_store_waits_for_its_pending_write(pair, database):
    north, _ = pair
    results = []
    north.store.save(Batch([change(1, "a", begins=True)]), results.append)
    await north.store.aclose()

    assert results == [None]
    assert await lines_of(database, 1) == ["a"]
    with contextlib.suppress(asyncpg.PostgresError):
        await north.store.aclose()
