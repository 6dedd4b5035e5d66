"""An evening that began on one host continues in a cluster."""

import pytest

from net.cluster.database_directory import StoredDirectory
from net.cluster.importing import MOVED_NAME, import_data
from net.storage.permissions import StoreError
from net.storage.sqlite import DATABASE_FILE, Store
from tests.net.cluster.nodes import Node
from tests.net.stored_party import StoredParty, begin_match


@pytest.fixture
def data(tmp_path):
    """Return the data of a host: two players in a match, a banned one, and a table without a match."""
    host = StoredParty(tmp_path, new_secret=lambda: b"secret")
    begin_match(host)
    for _ in range(3):
        host.play(host.on_turn(1, 2))
    host.come(3, "cleo", "key C")
    host.make_table(3, players=2)
    host.deliver(host.lobby.ban("10.0.0.7", "floods", "2026-11-20"))
    host.disk.close()
    return tmp_path


async def test_names_bans_and_tables_go_on_and_the_old_database_is_put_away(data, database, join_node):
    with Store(data) as store:
        tables_before = {snapshot.id: (snapshot, lines) for snapshot, lines in store.load().tables}
    imported = await import_data(data, database)
    assert (imported.names, imported.bans, imported.unreadable) == (3, 1, 0)
    assert imported.tables == {1: 1, 2: 2}
    assert not (data / DATABASE_FILE).exists()
    assert (data / MOVED_NAME).exists()

    north = await Node(database, "north").start()
    assert set(north.tables) == {1, 2}
    assert north.tables[1].recorded.lines == tuple(tables_before[1][1])
    directory = StoredDirectory(database, north.keeper.member)
    await directory.open()
    assert directory.bans["10.0.0.7"].why == "floods"
    assert await directory.claim_name("key X", "ada", remember=True) == "key A"
    assert north.keeper.numbers.next > 2
    await north.stop()
    await north.keeper.aclose()


async def test_in_a_cluster_with_tables_imports_are_renumbered_and_names_keep_owners(data, database):
    north = await Node(database, "north").start()
    async with database.pooled_connection() as db:
        await db.execute("INSERT INTO names (token, name) VALUES ('key C', 'Carla')")
    moved = await import_data(data, database)
    assert len(set(moved.tables.values())) == 2
    assert min(moved.tables.values()) > 100
    async with database.pooled_connection() as db:
        assert await db.fetchval("SELECT name FROM names WHERE token = 'key C'") == "Carla"
    await north.stop()
    await north.keeper.aclose()


async def test_an_incomplete_import_is_refused(data, database):
    async with database.pooled_connection() as db:
        await db.execute("ALTER TABLE lines ADD CHECK (number < 3)")
    with pytest.raises(StoreError):
        await import_data(data, database)
    assert (data / DATABASE_FILE).exists()
    async with database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM tables") == 0
        assert await db.fetchval("SELECT count(*) FROM names") == 0


async def test_a_running_host_is_not_moved_away_from_under_its_guests(data, database):
    with Store(data), pytest.raises(StoreError, match="Another host is running"):
        await import_data(data, database)
    with pytest.raises(StoreError, match="nothing to move"):
        await import_data(data / "elsewhere", database)
