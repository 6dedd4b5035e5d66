"""The number of tables that a player has in the whole cluster, including those about to be opened."""

import asyncio

import pytest

from core.words import Illegal
from net.cluster import database_directory as module
from net.cluster.database import Database
from net.cluster.database_directory import OpenTableQuota, StoredDirectory, forget_closed
from net.cluster.directory import DirectoryEntry
from tests.net.cluster.test_database_directory import TableNode
from tests.tui.plain.test_conversation import FREE

ADDRESS = "192.0.2.1"


@pytest.fixture(autouse=True)
def limits(monkeypatch):
    monkeypatch.setattr("net.host.table_host.TABLES_PER_PLAYER", 2)
    monkeypatch.setattr("net.host.table_host.TABLES_PER_ADDRESS", 3)


@pytest.fixture
def quota(database):
    return OpenTableQuota(database)


@pytest.fixture
async def node(database, join_node):
    """Register a table host with the tables 1, 2 and 3."""
    node = TableNode(database, await join_node("north"))
    await node.announce()
    return node


def listed_table(number, maker, address=""):
    return {number: DirectoryEntry(FREE, "north", maker=maker, address=address)}


async def claim_at_once(quota, *requests):
    """Claim tables at the same time; return the results in any order."""
    return await asyncio.gather(*(quota.claim(*request, {}) for request in requests), return_exceptions=True)


async def test_the_table_limit_of_a_player_holds_for_simultaneous_requests_everywhere(url, database):
    async with Database(url) as other_database:
        results = await claim_at_once(OpenTableQuota(database), *[("ada", ADDRESS)] * 4) + await claim_at_once(
            OpenTableQuota(other_database), *[("ada", "")] * 4
        )
        simultaneous = await asyncio.gather(
            *(
                claim_at_once(OpenTableQuota(store), *[("bela", f"192.0.2.{number}")] * 3)
                for number, store in ((7, database), (8, other_database))
            )
        )

    for answers in (results, [result for part in simultaneous for result in part]):
        assert sum(isinstance(answer, int) for answer in answers) == 2
        assert all("You already have 2 tables" in str(answer) for answer in answers if isinstance(answer, Illegal))


async def test_tables_from_one_address_count_for_all_its_players(url, database):
    async with Database(url) as other_database:
        parts = await asyncio.gather(
            *(
                claim_at_once(
                    OpenTableQuota(store), *((f"{store is other_database} {number}", ADDRESS) for number in range(5))
                )
                for store in (database, other_database)
            )
        )

    results = [result for part in parts for result in part]
    assert sum(isinstance(result, int) for result in results) == 3
    assert all("from your address" in str(result) for result in results if isinstance(result, Illegal))
    assert await OpenTableQuota(database).claim("dan", "192.0.2.2", {})
    assert await OpenTableQuota(database).claim("dan", "", {})


async def test_a_table_that_is_listed_and_claimed_counts_once(quota, node):
    await quota.note(await quota.claim("ada", ADDRESS, {}), 1)
    assert await quota.claim("ada", ADDRESS, listed_table(1, "ada", ADDRESS))
    with pytest.raises(Illegal, match="You already have 2 tables"):
        await quota.claim("ada", ADDRESS, listed_table(1, "ada", ADDRESS))


async def test_tables_of_older_programs_count_as_listed(quota):
    older = listed_table(1, "ada") | listed_table(2, "ada")
    with pytest.raises(Illegal, match="You already have 2 tables"):
        await quota.claim("ada", ADDRESS, older)
    assert await quota.claim("bela", ADDRESS, older)


async def test_a_table_counts_until_it_is_closed(quota, node):
    for number in (1, 2):
        await quota.note(await quota.claim("ada", ADDRESS, {}), number)
    with pytest.raises(Illegal):
        await quota.claim("ada", ADDRESS, {})
    effects = node.party.lobby.close(1)
    await node.announce(*effects.changes)
    assert await quota.claim("ada", ADDRESS, {})


async def test_a_claim_that_is_given_up_does_not_count(quota, node):
    for _ in range(3):
        await quota.release(await quota.claim("ada", ADDRESS, {}))
    for _ in range(3):
        await quota.note(await quota.claim("ada", ADDRESS, {}), 77)  # it is closed already
    assert await quota.claim("ada", ADDRESS, {})


async def test_a_claim_without_a_result_expires_and_can_still_be_noted(quota, node, monkeypatch):
    expired_claims = [await quota.claim("ada", ADDRESS, {}) for _ in range(2)]
    monkeypatch.setattr(module, "CLAIM_TTL", 0.0)
    await quota.note(expired_claims[0], 1)
    assert await quota.claim("ada", ADDRESS, {})
    await quota.note(expired_claims[1], 2)
    with pytest.raises(Illegal):
        await quota.claim("ada", ADDRESS, {})


async def test_claims_that_ended_are_forgotten(quota, database, monkeypatch):
    monkeypatch.setattr(module, "CLAIM_TTL", 0.0)
    await quota.claim("ada", ADDRESS, {})
    await forget_closed(database)
    async with database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM openings") == 0


async def test_a_quarantined_table_does_not_count_towards_the_limit(quota, database, node):
    for number in (1, 2):
        await quota.note(await quota.claim("ada", ADDRESS, {}), number)
    async with database.pooled_connection() as db:
        await db.execute("UPDATE tables SET unresumed = 'damaged' WHERE number = 1")
    assert await quota.claim("ada", ADDRESS, {})


async def test_without_the_database_a_gateway_counts_listed_tables(url, join_node):
    async with Database(url) as database:
        directory = StoredDirectory(database, await join_node("west", role="gateway"))
    directory.tables = listed_table(1, "ada")
    assert await directory.claim_table("ada", ADDRESS) == 0
    directory.tables = listed_table(1, "ada") | listed_table(2, "ada")
    with pytest.raises(Illegal):
        await directory.claim_table("ada", ADDRESS)
