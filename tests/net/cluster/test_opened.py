"""How many tables somebody has in the whole cluster, those that are not listed yet among them."""

import pytest

from core.words import Illegal
from net.cluster.directory import Listed
from net.cluster.opened import UNLISTED, Opened
from net.host.presence import Presence, Visitor
from net.table.seats import Guest
from tests.net.cluster.memory import MemoryDirectory
from tests.tui.plain.test_conversation import FREE


def presence(token="ada", address="192.0.2.1"):
    return Presence(Visitor(address=address), guest=Guest(1, token, token))


@pytest.fixture
def directory():
    return MemoryDirectory()


@pytest.fixture
def opened(directory, monkeypatch):
    monkeypatch.setattr("net.host.room.TABLES_PER_PLAYER", 2)
    monkeypatch.setattr("net.host.room.TABLES_PER_ADDRESS", 3)
    opened = Opened(directory, lambda: opened.time)
    opened.time = 0.0
    return opened


def put(directory, number, maker, address=""):
    directory.tables[number] = Listed(FREE, "north", maker=maker, address=address)


def test_what_is_listed_and_what_is_not_yet_count_once(directory, opened):
    put(directory, 1, "ada")
    opened.check(presence())
    opened.note(1, presence())
    opened.check(presence())
    opened.note(2, presence())
    with pytest.raises(Illegal, match="You already have 2 tables"):
        opened.check(presence())
    opened.check(presence("bela"))


def test_what_is_never_listed_was_closed(opened):
    for number in (1, 2):
        opened.note(number, presence())
    opened.time = UNLISTED
    opened.check(presence())


def test_tables_from_one_address_count_whoever_opened_them(directory, opened):
    for number, maker in enumerate(("ada", "bela"), 1):
        put(directory, number, maker, "192.0.2.1")
    opened.check(presence("cid"))
    opened.note(3, presence("cid"))
    with pytest.raises(Illegal, match="from your address"):
        opened.check(presence("dan"))
    opened.check(presence("dan", "192.0.2.2"))
    opened.check(presence("dan", ""))
