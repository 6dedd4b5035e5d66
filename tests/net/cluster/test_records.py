"""Records of a cluster become files like those of one host, each once and complete; deep links work before that."""

import json
from datetime import timedelta

import pytest

from core.records import referee
from net.cluster.database_directory import RECORD, StoredDirectory
from net.cluster.importing import write_records
from net.cluster.store import ClusterStore
from net.storage.permissions import StoreError
from net.storage.record_index import LINK_LENGTH
from net.table.persistence import Batch
from tests.net.party import Party
from tests.net.stored_party import begin_match

_COUNT = 'SELECT count(*) FROM lines WHERE "table" = $1'


@pytest.fixture
async def matches(database, join_node):
    """Store a match that was played to its end, and another that is running."""
    north, party = await join_node("north"), Party()
    store = ClusterStore(database, lambda: north.id, pytest.fail)
    begin_match(party)
    party.play_out(1, 2)
    party.come(3, "cleo", "key C")
    party.make_table(3, bots=1, players=2)
    await store.write(Batch(party.changes))
    yield
    await store.aclose()


@pytest.mark.usefixtures("matches")
async def test_a_match_that_is_over_becomes_a_file_that_can_be_verified(database, tmp_path):
    assert await write_records(database, tmp_path / "records") == 1
    (record,) = (tmp_path / "records").iterdir()
    assert record.name.endswith("-draw-1.jsonl")
    assert len(record.name.split("-")) == 5
    assert list(referee(record.read_text().splitlines()))[-1].match.over


@pytest.mark.usefixtures("matches")
async def test_a_record_is_written_again_only_if_it_has_become_longer(database, tmp_path):
    await write_records(database, tmp_path)
    assert await write_records(database, tmp_path) == 0
    async with database.pooled_connection() as db:
        await db.execute(
            """INSERT INTO lines SELECT "table", match, number + 1, 'a witness' FROM lines
                ORDER BY "table", number DESC LIMIT 1"""
        )
    assert await write_records(database, tmp_path) == 1
    (record,) = tmp_path.iterdir()
    assert record.read_text().endswith("\na witness\n")


@pytest.mark.usefixtures("matches")
async def test_old_finished_matches_leave_the_database_once_they_are_files(database, tmp_path):
    async with database.pooled_connection() as db:
        await db.execute("UPDATE matches SET over = over - interval '10 days'")
        await write_records(database, tmp_path, timedelta(days=11))
        matches, lines = await db.fetchval("SELECT count(*) FROM matches"), await db.fetchval(_COUNT, 1)
        assert (matches, lines > 0) == (2, True), "not old enough"

        await db.execute("UPDATE tables SET match = 2 WHERE number = 1")  # the next match has begun
        await write_records(database, tmp_path, timedelta(days=9))

        assert await db.fetchval("SELECT count(*) FROM matches") == 1
        assert await db.fetchval(_COUNT, 1) == 0
        assert await db.fetchval(_COUNT, 2) > 0, "the running match stays"
    (record,) = tmp_path.iterdir()
    assert list(referee(record.read_text().splitlines()))[-1].match.over
    await write_records(database, tmp_path, timedelta(days=9))
    assert list(tmp_path.iterdir()) == [record]


@pytest.mark.usefixtures("matches")
async def test_the_last_match_of_a_table_stays_for_the_next_owner(database, tmp_path):
    async with database.pooled_connection() as db:
        await db.execute("UPDATE matches SET over = over - interval '10 days'")
        await write_records(database, tmp_path, timedelta(days=9))
        assert await db.fetchval(_COUNT, 1) > 0


@pytest.mark.usefixtures("matches")
async def test_a_folder_that_cannot_be_written_is_an_error(database, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        await write_records(database, tmp_path / "file" / "records")


@pytest.mark.usefixtures("matches")
async def test_a_link_leads_any_gateway_to_the_match_with_its_seal(database, join_node, monkeypatch):
    directory = StoredDirectory(database, await join_node("gateway", role="gateway"))
    async with database.pooled_connection() as db:
        stored = [line for (line,) in await db.fetch('SELECT line FROM lines WHERE "table" = 1 ORDER BY number')]
    *_, seal = (json.loads(line) for line in stored if '"type":"seal"' in line)
    link = seal["chain"][:LINK_LENGTH]
    assert await directory.record(link, 0) == tuple(stored)
    assert await directory.record(link, len(stored)) == ()
    for unknown_link in ("", link[1:], "0" * LINK_LENGTH, "%", "\0"):
        assert await directory.record(unknown_link, 0) == ()

    monkeypatch.setattr("net.cluster.database_directory._RECORD_CHUNK", 10)
    lines_read = []
    while chunk := await directory.record(link, len(lines_read)):
        lines_read += chunk
    assert lines_read == stored


async def test_a_link_is_looked_up_in_an_index(database):
    async with database.pooled_connection() as db:
        await db.execute("SET enable_seqscan = off")  # the table is empty
        plan = "\n".join(line for (line,) in await db.fetch(f"EXPLAIN {RECORD}", "0" * LINK_LENGTH, 0, 10))
    assert "lines_link" in plan
