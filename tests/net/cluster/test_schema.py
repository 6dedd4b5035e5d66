"""The first node creates the tables, once; those of a newer program are refused unless they allow older ones."""

import asyncio

import asyncpg
import pytest

from net.cluster import database
from net.cluster.database import ClusterError, Database
from tests.databases import query_database, run_statements
from tests.waiting import until


async def open_and_read_version(url):
    async with Database(url) as database, database.pooled_connection() as db:
        return await db.fetchrow("SELECT version, oldest FROM version")


async def test_the_first_node_makes_the_tables_and_later_ones_find_them(empty_database):
    assert tuple(await open_and_read_version(empty_database)) == (database.VERSION, database.OLDEST)
    assert tuple(await open_and_read_version(empty_database)) == (database.VERSION, database.OLDEST)


async def test_of_many_nodes_that_start_at_once_one_creates_the_tables(empty_database):
    versions = await asyncio.gather(*(open_and_read_version(empty_database) for _ in range(8)))

    assert {tuple(row) for row in versions} == {(database.VERSION, database.OLDEST)}
    assert query_database(empty_database, lambda db: db.fetchval("SELECT count(*) FROM boneyard.version")) == 1


async def test_a_node_waits_longer_than_for_a_row_while_another_makes_the_tables(empty_database, monkeypatch):
    waits_query = (
        "SELECT clock_timestamp() - query_start > '0.3s' FROM pg_stat_activity WHERE wait_event = 'advisory'"
    )
    monkeypatch.setitem(database._SETTINGS, "lock_timeout", "100")
    migrating, observer = [await asyncpg.connect(empty_database) for _ in range(2)]
    async with migrating.transaction():
        await migrating.execute("SELECT pg_advisory_xact_lock($1)", database.MIGRATING)
        opening = asyncio.create_task(open_and_read_version(empty_database))
        await until(lambda: opening.done() or observer.fetchval(waits_query))
    assert tuple(await opening) == (database.VERSION, database.OLDEST)
    for db in (migrating, observer):
        await db.close()


async def test_older_tables_are_migrated_and_a_step_that_fails_changes_nothing(empty_database, monkeypatch):
    await open_and_read_version(empty_database)
    monkeypatch.setattr(database, "VERSION", len(database.MIGRATIONS) + 2)
    steps = (
        *database.MIGRATIONS,
        "ALTER TABLE boneyard.bans ADD COLUMN who_did text",
        "ALTER TABLE nowhere ADD a text",
    )
    monkeypatch.setattr(database, "MIGRATIONS", steps)

    with pytest.raises(ClusterError, match="nowhere"):
        await open_and_read_version(empty_database)
    monkeypatch.setattr(database, "MIGRATIONS", (*steps[:-1], "ALTER TABLE boneyard.bans ADD COLUMN undone text"))
    assert (await open_and_read_version(empty_database))["version"] == len(steps)


async def test_tables_one_version_newer_are_fine_as_long_as_they_say_so(empty_database, monkeypatch):
    await open_and_read_version(empty_database)
    newer = f"UPDATE boneyard.version SET version = {database.VERSION + 1}, oldest = "
    query_database(empty_database, lambda db: db.execute(newer + str(database.VERSION)))
    assert (await open_and_read_version(empty_database))["version"] == database.VERSION + 1

    query_database(empty_database, lambda db: db.execute(newer + str(database.VERSION + 1)))
    with pytest.raises(ClusterError, match=f"have version {database.VERSION + 1}, but this Boneyard supports up to"):
        await open_and_read_version(empty_database)


async def test_tables_without_a_version_are_not_touched(empty_database):
    await open_and_read_version(empty_database)
    query_database(empty_database, lambda db: db.execute("DELETE FROM boneyard.version"))

    with pytest.raises(ClusterError, match="have no version; restore a backup"):
        await open_and_read_version(empty_database)


async def test_an_old_postgresql_is_refused(empty_database, monkeypatch):
    monkeypatch.setattr(database, "OLDEST_SERVER", 1000)

    with pytest.raises(ClusterError, match="Boneyard needs 1000 or newer"):
        await open_and_read_version(empty_database)


async def test_other_objects_in_the_database_are_left_alone(postgres, empty_database):
    name = empty_database.rpartition("/")[2]
    run_statements(postgres, "CREATE TABLE tables (theirs text)", "INSERT INTO tables VALUES ('x')", database=name)
    await open_and_read_version(empty_database)

    assert query_database(empty_database, lambda db: db.fetchval("SELECT theirs FROM public.tables")) == "x"
