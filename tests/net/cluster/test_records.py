"""Records of a cluster become files like those of one host, each once and whole."""

import pytest

from core.records import referee
from net.cluster.records import write_records
from net.cluster.store import ClusterStore
from net.storage.database import StoreError
from net.table.snapshot import Batch
from tests.net.party import Party
from tests.net.stored_party import began


@pytest.fixture
async def played(database, joins):
    """A match that was played to its end and stored, and another that goes on."""
    north, party = await joins("north"), Party()
    store = ClusterStore(database, lambda: north.id, pytest.fail)
    began(party)
    party.play_out(1, 2)
    party.come(3, "cleo", "key C")
    party.table(3, bots=1, players=2)
    await store.write(Batch(party.changes))
    yield
    await store.aclose()


@pytest.mark.usefixtures("played")
async def test_a_match_that_is_over_becomes_a_file_that_can_be_verified(database, tmp_path):
    assert await write_records(database, tmp_path / "records") == 1
    (record,) = (tmp_path / "records").iterdir()
    assert record.name.endswith("-draw-1.jsonl")
    assert len(record.name.split("-")) == 5
    assert list(referee(record.read_text().splitlines()))[-1].match.over


@pytest.mark.usefixtures("played")
async def test_what_is_there_stays_and_what_is_longer_now_is_written_again(database, tmp_path):
    await write_records(database, tmp_path)
    assert await write_records(database, tmp_path) == 0
    async with database.borrowed() as db:
        await db.execute(
            """INSERT INTO lines SELECT "table", match, number + 1, 'a witness' FROM lines
                ORDER BY "table", number DESC LIMIT 1"""
        )
    assert await write_records(database, tmp_path) == 1
    (record,) = tmp_path.iterdir()
    assert record.read_text().endswith("\na witness\n")


@pytest.mark.usefixtures("played")
async def test_a_folder_that_cannot_be_written_is_said(database, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        await write_records(database, tmp_path / "file" / "records")
