"""The directory of a cluster, as every implementation must behave; here the one in memory."""

import pytest

from net.cluster.directory import DirectoryEntry, TableHostInfo
from net.wire.messages import SeatInfo, TableInfo
from tests.net.cluster.memory import MemoryDirectory

TABLE = TableInfo(7, "ada", "draw", {}, (SeatInfo("ada"), SeatInfo()), 0, "waiting")


@pytest.fixture
def directory():
    return MemoryDirectory()


async def test_of_two_guests_who_want_one_name_one_gets_it_and_the_other_learns_the_owner(directory):
    assert await directory.claim_name("SHA256:ada", "Ada", remember=True) == ""
    assert await directory.claim_name("code bela", "Bela", remember=False) == ""

    assert await directory.claim_name("SHA256:eve", "Adа", remember=True) == "SHA256:ada", "with a Cyrillic letter"
    assert await directory.claim_name("SHA256:eve", "bela", remember=True) == "code bela"
    assert await directory.claim_name("SHA256:ada", "Ada", remember=True) == "", "again"


async def test_a_name_is_remembered_for_a_key_and_given_back_by_a_guest_without_one(directory):
    await directory.claim_name("SHA256:ada", "Ada", remember=True)
    await directory.claim_name("code bela", "Bela", remember=False)

    await directory.release_name("code bela")
    await directory.release_name("SHA256:ada")

    assert await directory.name_of("SHA256:ada") == "Ada"
    assert await directory.name_of("code bela") == ""
    assert await directory.claim_name("SHA256:eve", "Bela", remember=True) == ""
    assert await directory.claim_name("SHA256:eve", "Ada", remember=True) == "SHA256:ada"


async def test_a_listener_is_notified_of_changed_tables_until_it_stops(directory):
    changes = []
    stop = directory.changes.add(changes.append)

    directory.put_host("here", TableHostInfo("127.0.0.1:1"))
    directory.put(DirectoryEntry(TABLE, "here", ("SHA256:ada", ""), "SHA256:ada"))
    directory.put_host("here", None)
    assert directory.tables[7] == DirectoryEntry(TABLE, "", ("SHA256:ada", ""), "SHA256:ada")
    directory.drop(7)
    stop()
    directory.ban("SHA256:eve")

    assert changes == [set(), {7}, {7}, {7}]
    assert set(directory.bans) == {"SHA256:eve"}
