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

HERE = "192.0.2.1"


@pytest.fixture(autouse=True)
def limits(monkeypatch):
    monkeypatch.setattr("net.host.table_host.TABLES_PER_PLAYER", 2)
    monkeypatch.setattr("net.host.table_host.TABLES_PER_ADDRESS", 3)


@pytest.fixture
def opened(database):
    return OpenTableQuota(database)


@pytest.fixture
async def node(database, join_node):
    """Register a table host with the tables 1, 2 and 3."""
    node = TableNode(database, await join_node("north"))
    await node.announce()
    return node


def listed(number, maker, address=""):
    return {number: DirectoryEntry(FREE, "north", maker=maker, address=address)}


async def claims(opened, *asked):
    """Claim tables at the same time; return the results in any order."""
    return await asyncio.gather(*(opened.claim(*request, {}) for request in asked), return_exceptions=True)


async def test_the_table_limit_of_a_player_holds_for_simultaneous_requests_everywhere(url, database):
    async with Database(url) as other:
        results = await claims(OpenTableQuota(database), *[("ada", HERE)] * 4) + await claims(
            OpenTableQuota(other), *[("ada", "")] * 4
        )
        at_once = await asyncio.gather(
            *(
                claims(OpenTableQuota(store), *[("bela", f"192.0.2.{number}")] * 3)
                for number, store in ((7, database), (8, other))
            )
        )

    for answers in (results, [result for part in at_once for result in part]):
        assert sum(isinstance(answer, int) for answer in answers) == 2
        assert all("You already have 2 tables" in str(answer) for answer in answers if isinstance(answer, Illegal))


async def test_tables_from_one_address_count_for_all_its_players(url, database):
    async with Database(url) as other:
        parts = await asyncio.gather(
            *(
                claims(OpenTableQuota(store), *((f"{store is other} {n}", HERE) for n in range(5)))
                for store in (database, other)
            )
        )

    results = [result for part in parts for result in part]
    assert sum(isinstance(result, int) for result in results) == 3
    assert all("from your address" in str(result) for result in results if isinstance(result, Illegal))
    assert await OpenTableQuota(database).claim("dan", "192.0.2.2", {})
    assert await OpenTableQuota(database).claim("dan", "", {})


async def test_a_table_that_is_listed_and_claimed_counts_once(opened, node):
    await opened.note(await opened.claim("ada", HERE, {}), 1)
    assert await opened.claim("ada", HERE, listed(1, "ada", HERE))
    with pytest.raises(Illegal, match="You already have 2 tables"):
        await opened.claim("ada", HERE, listed(1, "ada", HERE))


async def test_tables_of_older_programs_count_as_listed(opened):
    older = listed(1, "ada") | listed(2, "ada")
    with pytest.raises(Illegal, match="You already have 2 tables"):
        await opened.claim("ada", HERE, older)
    assert await opened.claim("bela", HERE, older)


async def test_a_table_counts_until_it_is_closed(opened, node):
    for number in (1, 2):
        await opened.note(await opened.claim("ada", HERE, {}), number)
    with pytest.raises(Illegal):
        await opened.claim("ada", HERE, {})
    effects = node.party.lobby.close(1)
    await node.announce(*effects.changes)
    assert await opened.claim("ada", HERE, {})


async def test_a_claim_that_is_given_up_does_not_count(opened, node):
    for _ in range(3):
        await opened.release(await opened.claim("ada", HERE, {}))
    for _ in range(3):
        await opened.note(await opened.claim("ada", HERE, {}), 77)  # it is closed already
    assert await opened.claim("ada", HERE, {})


async def test_a_claim_without_a_result_expires_and_can_still_be_noted(opened, node, monkeypatch):
    late = [await opened.claim("ada", HERE, {}) for _ in range(2)]
    monkeypatch.setattr(module, "CLAIM_TTL", 0.0)
    await opened.note(late[0], 1)
    assert await opened.claim("ada", HERE, {})
    await opened.note(late[1], 2)
    with pytest.raises(Illegal):
        await opened.claim("ada", HERE, {})


async def test_claims_that_ended_are_forgotten(opened, database, monkeypatch):
    monkeypatch.setattr(module, "CLAIM_TTL", 0.0)
    await opened.claim("ada", HERE, {})
    await forget_closed(database)
    async with database.pooled_connection() as db:
        assert await db.fetchval("SELECT count(*) FROM openings") == 0


async def test_a_quarantined_table_does_not_count_towards_the_limit(opened, database, node):
    for number in (1, 2):
        await opened.note(await opened.claim("ada", HERE, {}), number)
    async with database.pooled_connection() as db:
        await db.execute("UPDATE tables SET unresumed = 'damaged' WHERE number = 1")
    assert await opened.claim("ada", HERE, {})


async def test_without_the_database_a_gateway_counts_listed_tables(url, join_node):
    async with Database(url) as database:
        directory = StoredDirectory(database, await join_node("west", role="gateway"))
    directory.tables = listed(1, "ada")
    assert await directory.claim_table("ada", HERE) == 0
    directory.tables = listed(1, "ada") | listed(2, "ada")
    with pytest.raises(Illegal):
        await directory.claim_table("ada", HERE)
