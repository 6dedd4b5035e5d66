"""A table that cannot be resumed is reported to its players and its operator."""

import sqlite3

import pytest

from core.records import NO_SIGNING
from net.host.admin import perform
from net.host.presence import Visitor
from net.host.server import Server
from net.hosting.parts import resume_lobby
from net.options import HostOptions
from net.players.text import token_of
from net.storage.check import examine
from net.storage.sqlite import DATABASE_FILE, Store
from net.table.table import INSTANT
from net.wire.messages import PROTOCOL, Enter, Entered, Hello, Left, MakeTable, Refused, Sit, Tables
from tests.net.stored_party import StoredParty, begin_match

SENTENCE = "Table 1 could not be resumed when the server restarted; the operator has its record."


@pytest.fixture
def data(tmp_path):
    """Return the data of a host that stopped during a match between ada and bela, who have keys."""
    (tmp_path / "data").mkdir(mode=0o700)
    host = StoredParty(tmp_path / "data")
    begin_match(host)
    for _ in range(6):
        host.play(host.on_turn(1, 2))
    host.disk.close()
    return tmp_path / "data"


def spoil(data, statement):
    with sqlite3.connect(data / DATABASE_FILE) as db:
        db.execute(statement)
    db.close()


SPOILED = {
    "a line": """UPDATE lines SET line = '{"type":"action","seat":0,"action":["pass"]}' WHERE number = 3""",
    "a game": "UPDATE tables SET kept = CAST(replace(CAST(kept AS TEXT), '\"draw\"', '\"drow\"') AS BLOB)",
    "a field": "UPDATE tables SET kept = CAST(replace(CAST(kept AS TEXT), '\"secret\":', '\"secrat\":') AS BLOB)",
}


class Host:
    """A host after its next start, and its messages to a guest who enters."""

    def __init__(self, data):
        self.store = Store(data)
        self.lobby = resume_lobby(self.store, HostOptions(data=data, software="test", pace=INSTANT), NO_SIGNING)

    def come(self, number, visitor, name, code=""):
        self.lobby.front.connect(number, visitor)
        self.lobby.receive(number, Hello(PROTOCOL, "test", code))
        return [message for _, message in self.lobby.receive(number, Enter(name)).messages]


@pytest.fixture
def start_host(data):
    hosts = []

    def start():
        for before in hosts:
            before.store.close()
        hosts[:] = [Host(data)]
        return hosts[0]

    yield start
    for last in hosts:
        last.store.close()


@pytest.mark.parametrize("spoiled", SPOILED)
def test_players_of_a_table_that_cannot_resume_are_informed_once(data, start_host, spoiled):
    spoil(data, SPOILED[spoiled])
    host = start_host()
    assert host.lobby.tables == {}

    entered, tables, left = host.come(1, Visitor("ada", "key A"), "ada")
    assert isinstance(entered, Entered)
    assert tables == Tables(())
    assert isinstance(left, Left)
    assert str(left.reason) == SENTENCE
    assert len(host.come(2, Visitor("ada", "key A"), "ada")) == 2, "once is enough"
    assert len(host.come(3, Visitor("carol", "key C"), "carol")) == 2, "it was not theirs"
    assert str(host.come(4, Visitor("bela", "key B"), "bela")[-1].reason) == SENTENCE


def test_a_request_to_sit_at_a_lost_table_is_refused_with_the_reason(data, start_host):
    spoil(data, SPOILED["a line"])
    host = start_host()
    host.come(1, Visitor("ada", "key A"), "ada")

    ((_, refused),) = host.lobby.receive(1, Sit(1)).messages
    assert isinstance(refused, Refused)
    assert str(refused.reason) == SENTENCE


def test_a_guest_without_a_key_is_identified_by_their_code(data, start_host):
    spoil(
        data,
        f"UPDATE tables SET kept = CAST(replace(CAST(kept AS TEXT), 'key A', '{token_of('k7qx2m9fh3tw')}') AS BLOB)",
    )
    spoil(data, SPOILED["a line"])
    host = start_host()

    assert str(host.come(1, Visitor("anna"), "anna", "k7qx2m9fh3tw")[-1].reason) == SENTENCE
    assert len(host.come(2, Visitor("anton"), "anton", "another code")) == 2


@pytest.mark.parametrize("spoiled", SPOILED)
def test_lines_of_a_lost_table_become_a_file_that_the_check_names(data, start_host, spoiled):
    spoil(data, SPOILED[spoiled])
    for _ in range(2):  # the second start finds it as the first did
        host = start_host()
        (file,) = (data / "records").iterdir()
        assert file.name.startswith("unresumed-")
        assert len(file.read_text().splitlines()) == 8
        assert len(host.store._read_lines(1)) == 8
        (wrong,) = [finding.sentence for finding in examine(data) if not finding.is_fine]
        assert wrong.startswith("Table 1 could not be resumed: ")
        assert file.name in wrong
    file.unlink()
    start_host()
    assert list((data / "records").iterdir()) == [], "what its operator has taken away stays away"


def test_a_mended_table_is_resumed_at_the_next_start(data, start_host):
    spoil(data, SPOILED["a game"])
    start_host()
    spoil(data, SPOILED["a game"].replace("draw", "x").replace("drow", "draw").replace('"x"', '"drow"'))
    host = start_host()

    assert list(host.lobby.tables) == [1]
    assert len(host.come(1, Visitor("ada", "key A"), "ada")) == 2


def test_no_new_table_gets_the_number_of_a_lost_one(data, start_host):
    spoil(data, SPOILED["a field"])

    host = start_host()
    host.come(1, Visitor("ada", "key A"), "ada")
    host.lobby.receive(1, MakeTable("draw", 2))

    assert list(host.lobby.tables) == [2]


async def test_the_operator_can_drop_a_lost_table(data, start_host):
    spoil(data, SPOILED["a line"])
    host = start_host()
    kept = Server(host.lobby, host.store)

    (answer,) = perform(kept, {"do": "close", "who": "1"})
    await kept.flush()
    assert "dropped" in answer
    assert [finding.sentence for finding in examine(data) if not finding.is_fine] == []
    assert len(list((data / "records").iterdir())) == 1
    assert len(host.come(1, Visitor("ada", "key A"), "ada")) == 2
    kept.close()
