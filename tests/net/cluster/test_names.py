"""A name belongs to one token, with all its lookalikes, also when two gateways are asked at the same moment."""

import asyncio

import pytest

from net.cluster.store import ClusterNames


@pytest.fixture
def names(database):
    return ClusterNames(database)


async def test_a_name_belongs_to_its_first_claimant(names):
    assert await names.claim("key A", "Ada", None) == ""
    assert await names.claim("key A", "Ada", None) == ""
    assert await names.claim("key B", "Ada", None) == "key A"
    assert await names.claim("key B", "АDА", None) == "key A", "in Cyrillic letters"
    assert await names.name_of("key A") == "Ada"
    assert await names.name_of("key B") == ""


async def test_claiming_another_name_frees_the_old_one(names):
    await names.claim("key A", "Ada", None)
    assert await names.claim("key A", "Eve", None) == ""
    assert await names.claim("key B", "Ada", None) == ""
    assert await names.claim("key B", "Eve", None) == "key A"
    assert await names.name_of("key B") == "Ada"


async def test_a_refused_name_leaves_the_old_one(names):
    await names.claim("key A", "Ada", None)
    await names.claim("key B", "Eve", None)
    assert await names.claim("key B", "Ada", None) == "key A"

    assert await names.name_of("key B") == "Eve"
    assert await names.claim("key C", "Eve", None) == "key B"


async def test_a_guests_name_goes_with_the_guest_or_with_the_node(names, join_node, database):
    north, south = await join_node("north"), await join_node("south")
    await names.claim("code 1", "Ada", north.id)
    await names.claim("code 2", "Bela", north.id)
    assert await names.name_of("code 1") == ""
    await names.release("code 1", south.id)  # the guest is now at another gateway
    assert await names.claim("key C", "Ada", None) == "code 1"

    await names.release("code 1", north.id)
    assert await names.claim("key C", "Ada", None) == ""
    await north.leave()
    assert await names.claim("key D", "Bela", None) == ""


@pytest.mark.parametrize("lookalike", ["Ada Lovelace", "Ada Lоvеlаcе"])
async def test_of_many_simultaneous_claims_exactly_one_wins(names, lookalike):
    tokens = [f"key {number}" for number in range(12)]
    owners = await asyncio.gather(
        *(names.claim(token, ("Ada Lovelace", lookalike)[number % 2], None) for number, token in enumerate(tokens))
    )

    (winner,) = [token for token, owner in zip(tokens, owners, strict=True) if owner == ""]
    assert {owner for owner in owners if owner} == {winner}


async def test_beyond_the_limit_of_names_the_cluster_stores_no_more(names, database, monkeypatch):
    async def update_statistics():
        """Let PostgreSQL count the names now, as it does every few minutes by itself."""
        async with database.pooled_connection() as db:
            await db.execute("ANALYZE names")

    monkeypatch.setattr("net.cluster.store.MAX_CLUSTER_NAMES", 2)
    await update_statistics()
    for token in ("key A", "key B"):
        assert await names.has_room(token)
        await names.claim(token, token[-1], None)
    await update_statistics()

    assert await names.has_room("key A"), "its name is one of them"
    assert not await names.has_room("key C")
