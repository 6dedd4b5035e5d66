"""Gateways are notified of changes of a host's tables, once these are saved, and of each change once."""

import pytest

from net.cluster.keeper import Announcer, directory_entry
from net.cluster.store import ClusterStore
from net.table.persistence import Batch
from net.wire.messages import MakeTable, Watch
from tests.net.party import Party


@pytest.fixture
def party():
    party = Party()
    party.come(1, "ada", "key A")
    party.come(2, "bela", "key B")
    party.say(1, MakeTable("draw", 2, {}))
    return party


async def test_a_table_is_announced_when_it_is_saved_and_again_when_its_entry_changes(party, join_node, database):
    north = await join_node("north")
    announcer = Announcer(database, lambda: party.lobby.tables, lambda: 0.0)
    announcer.mark_changed([1])
    assert not await announcer.announce(north.id, "north"), "it is not in the database yet"

    store = ClusterStore(database, lambda: north.id, pytest.fail)
    await store.write(Batch(list(party.lobby.save_all().changes)))
    assert await announcer.announce(north.id, "north")
    announcer.mark_changed([1])
    assert not await announcer.announce(north.id, "north"), "nothing has changed"
    party.say(2, Watch(1))
    announcer.mark_changed([1, 99])
    assert await announcer.announce(north.id, "north")
    await store.aclose()


async def test_tables_of_another_host_are_not_announced(party, join_node, database):
    north, south = await join_node("north"), await join_node("south")
    store = ClusterStore(database, lambda: south.id, pytest.fail)
    await store.write(Batch(list(party.lobby.save_all().changes)))
    announcer = Announcer(database, lambda: party.lobby.tables, lambda: 0.0)
    announcer.mark_changed([1])
    assert not await announcer.announce(north.id, "north")
    announcer.forget([1])
    assert not await announcer.announce(south.id, "south")
    await store.aclose()


def test_an_announcement_has_the_facts_that_a_gateway_needs(party):
    entry = directory_entry(party.lobby.tables[1], "north", 0.0)

    assert (entry.info.id, entry.info.game, entry.host) == (1, "draw", "north")
    assert entry.tokens == ("key A", "")
    assert entry.maker == "key A"
