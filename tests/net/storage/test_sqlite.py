"""The store: what was told is on disk, and whatever is wrong with the disk is said and changes nothing."""

import asyncio
import json
import sqlite3
import subprocess
import sys

import pytest

from core.records import referee
from net.host.lobby import Lobby, Visitor
from net.host.server import RETRY_AFTER, House
from net.players.accounts import Register
from net.storage.database import APPLICATION, NAME, VERSION, StoreError, back_up
from net.storage.sqlite import Store, locked
from net.table.snapshot import Batch
from net.wire.messages import PROTOCOL, Act, Enter, Hello, Leave, MakeTable, Pause, Ready, Say, Sit
from tests.net.kept import Kept, began
from tests.net.party import Party


@pytest.fixture
def house(tmp_path):
    house = Kept(tmp_path / "data", seeds=iter([b"first secret", b"second secret"] + [b"more"] * 100).__next__)
    yield house
    house.disk.close()


@pytest.fixture(autouse=True)
def data(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_a_killed_house_comes_back_with_table_seats_scores_and_deal(house):
    table = began(house)
    while not any(house.update(1).match.scores):
        turn = house.on_turn(1, 2)
        house.play(turn) if turn > 0 else [house.say(n, Ready()) for n in (1, 2)]
    before = [house.update(n) for n in (1, 2)]

    again = house.killed()
    again.come(3, "ada", "key A")
    assert again.heard[3][-1].yours == table
    again.say(3, Sit(table))
    again.come(4, "bela", "key B")
    again.say(4, Sit(table))

    for number, was in zip((3, 4), before, strict=True):
        now = again.update(number)
        assert now.match == was.match
        assert now.seat == was.seat
        assert now.number > was.number, "numbers never go back"
    again.disk.close()


def test_a_match_goes_on_after_any_number_of_deaths_and_its_record_holds(house):
    table = began(house)
    for life in range(6):
        for _ in range(5 + life):
            turn = house.on_turn(1, 2)
            house.play(turn) if turn > 0 else [house.say(n, Ready()) for n in (1, 2)]
        house = house.killed()
        house.come(1, "ada", "key A")
        house.say(1, Sit(table))
        house.come(2, "bela", "key B")
        house.say(2, Sit(table))
    house.play_out(1, 2)

    (record,) = (house.data / "records").glob("*.jsonl")
    lines = record.read_text().splitlines()
    assert list(referee(lines))[-1].match.over
    assert json.loads(lines[-2])["secret"] == b"first secret".hex()
    house.disk.close()


def test_talk_codes_limits_and_a_stopped_table_come_back(house):
    table = began(house, private=True, turn_time=60, match_time=600)
    house.say(1, Say("hello"))
    house.time += 20
    house.say(1, Pause(True))
    before = house.update(2)

    again = house.killed()
    again.come(3, "bela", "key B")
    again.say(3, Sit(table))
    now = again.update(3)
    assert now.table.phase == "paused"
    assert now.code == before.code
    assert now.times == before.times
    assert any(getattr(m, "text", "") == "hello" for m in again.heard[3])
    again.disk.close()


def test_names_and_bans_come_back(house):
    house.come(1, "ada", "key A")
    house.lobby.register.ban("10.0.0.7", "floods", "2026-11-20")
    house.lobby.register.ban("10.0.0.8", "", "2026-11-20")
    house.lobby.register.pardon("10.0.0.8")
    house.deliver([])

    again = house.killed()
    assert again.lobby.register.name_of("key A") == "ada"
    assert again.lobby.register.bans["10.0.0.7"].why == "floods"
    assert not again.lobby.register.banned("10.0.0.8")
    again.disk.close()


def test_a_table_that_was_closed_does_not_come_back_and_no_number_is_used_twice(house):
    table = began(house)
    house.say(1, Leave())
    house.say(2, Leave())
    house.deliver(house.lobby.close(house.lobby.tables[table]))

    again = house.killed()
    assert again.lobby.tables == {}
    again.come(1, "ada", "key A")
    assert again.table(1, players=2) == table + 1
    assert [path.name.endswith(f"draw-{table}.jsonl") for path in (again.data / "records").iterdir()] == [True]
    again.disk.close()


def test_no_record_of_a_running_match_lies_about(house):
    began(house)
    house.play(house.on_turn(1, 2))

    assert list((house.data / "records").iterdir()) == []


def test_a_second_host_on_the_same_data_is_refused(house, data):
    assert locked(data)
    with pytest.raises(StoreError, match="Another host is running"):
        Store(data)


def sentence(data):
    with pytest.raises(StoreError) as caught:
        Store(data)
    return str(caught.value)


@pytest.mark.parametrize("content", [b"no database" * 1000, b"", b"SQLite format 3\x00" + b"\xff" * 4096])
def test_a_damaged_file_is_refused_and_left_as_it_is(data, content):
    (data / NAME).write_bytes(content)
    if content:
        assert "is damaged" in sentence(data)
    else:
        assert "is not Boneyard's" in sentence(data)
    assert (data / NAME).read_bytes() == content


def test_damage_in_the_middle_is_found_at_the_start(house, data):
    began(house)
    for _ in range(60):
        turn = house.on_turn(1, 2)
        house.play(turn) if turn > 0 else [house.say(n, Ready()) for n in (1, 2)]
    house.disk.close()
    file = data / NAME
    raw = bytearray(file.read_bytes())
    raw[4096 : 4096 * 3] = b"\xee" * 8192
    file.write_bytes(raw)

    assert "is damaged" in sentence(data)
    assert file.read_bytes() == bytes(raw)


def test_another_programs_file_is_refused(data):
    with sqlite3.connect(data / NAME) as db:
        db.execute("CREATE TABLE recipes (name)")
    db.close()

    assert "is not Boneyard's" in sentence(data)


def test_a_file_of_a_newer_version_is_refused(data):
    Store(data).close()
    with sqlite3.connect(data / NAME) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()

    assert f"of version {VERSION + 1}" in sentence(data)


def test_the_first_releases_names_are_taken_over_and_the_old_file_is_kept(data):
    with sqlite3.connect(data / NAME) as db:
        db.execute("CREATE TABLE names (token TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT UNIQUE)")
        db.execute("INSERT INTO names VALUES ('SHA256:x', 'Ada', 'ada')")
    db.close()

    with Store(data) as store:
        assert [(entry.token, entry.name) for entry in store.load().people] == [("SHA256:x", "Ada")]
    with sqlite3.connect(data / f"{NAME}.version-0") as old:
        assert old.execute("SELECT name FROM names").fetchall() == [("Ada",)]
    old.close()
    with sqlite3.connect(data / NAME) as new:
        assert new.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    new.close()


def test_a_migration_that_fails_changes_nothing(data):
    with sqlite3.connect(data / NAME) as db:
        db.execute("CREATE TABLE names (token TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT UNIQUE)")
        db.execute("CREATE TABLE tables (oops)")
    db.close()

    assert "nothing was changed" in sentence(data)
    with sqlite3.connect(data / NAME) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (0,)
        assert len(db.execute("PRAGMA table_info(names)").fetchall()) == 3
    db.close()


def test_a_database_that_another_program_holds_is_told_and_nothing_is_half_written(house, data):
    table = began(house)
    other = sqlite3.connect(data / NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    change = house.lobby.tables[table].take()

    with pytest.raises(StoreError, match="held by another program"):
        house.disk.write(Batch([change]))
    other.execute("ROLLBACK")
    other.close()
    house.disk.write(Batch([change]))


FULL = """
import resource, signal, sys
sys.dont_write_bytecode = True
from pathlib import Path
from tests.net.kept import Kept, began
from net.storage.database import StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
house = Kept(Path(sys.argv[1]))
began(house)
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
acted = 0
try:
    while True:
        turn = house.on_turn(1, 2)
        house.play(turn)
        acted += 1
except StoreError as error:
    print(error)
    print(len(house.update(1).match.play.layout))
"""


def test_a_full_disk_is_told_where_it_happens_and_what_was_told_is_safe(tmp_path, data):
    run = subprocess.run([sys.executable, "-c", FULL, str(data)], capture_output=True, text=True, timeout=60)

    said, told = run.stdout.splitlines()
    assert "disk" in said
    with Store(data) as store:
        ((_, lines),) = store.load().tables
    assert sum('"play"' in line for line in lines) >= int(told)


def test_a_backup_of_a_running_house_holds_the_running_match(house, data, tmp_path):
    table = began(house)
    house.play(house.on_turn(1, 2))
    copy = tmp_path / "copy.sqlite"
    back_up(data, copy)

    (tmp_path / "restored").mkdir()
    copy.rename(tmp_path / "restored" / NAME)
    with Store(tmp_path / "restored") as store:
        ((kept, lines),) = store.load().tables
    assert (kept.id, len(lines)) == (table, 3)


def test_a_backup_never_writes_over_a_file(house, data, tmp_path):
    copy = tmp_path / "copy"
    copy.write_text("mine")

    with pytest.raises(StoreError, match="exists already"):
        back_up(data, copy)
    assert copy.read_text() == "mine"


class Slow:
    """A keeper that keeps when it is told to."""

    def __init__(self):
        self.waiting = []
        self.asked = asyncio.Event()

    def keep(self, batch, done):
        self.waiting.append((batch, done))
        self.asked.set()


class Ears:
    """A link that remembers what it was sent."""

    def __init__(self):
        self.sent = []

    def send(self, frame):
        self.sent.append(frame)

    def close(self):
        pass


def slow_house():
    keeper = Slow()
    house = House(Lobby(Register(), seeds=lambda: b"seed", software="test"), keeper)
    ears = house._links[1] = Ears()
    party = Party()
    return house, keeper, ears, party


async def test_nobody_hears_of_an_action_before_it_is_kept():
    house, keeper, ears, _ = slow_house()
    house.lobby.arrive(1, Visitor("ada", "key A"))
    for message in (Hello(PROTOCOL, "test"), Enter("ada"), MakeTable("draw", 2, {}, bots=1)):
        house._hear(1, message)
    assert len(ears.sent) == 1, "the greeting; the name is being kept"
    assert len(keeper.waiting) == 1

    keeper.waiting.pop()[1](None)
    assert len(ears.sent) == 3, "now the name and the tables"
    (batch, done) = keeper.waiting.pop()
    assert batch.tables[0].begins
    done(None)
    assert len(ears.sent) == 4, "and the table"
    house.close()


async def test_a_house_that_cannot_save_stands_still_says_so_and_goes_on_when_it_can(monkeypatch):
    monkeypatch.setattr("net.host.server.RETRY_AFTER", 0.0)
    house, keeper, ears, _ = slow_house()
    house.lobby.arrive(1, Visitor("ada", "key A"))
    for message in (Hello(PROTOCOL, "test"), Enter("ada"), MakeTable("draw", 2, {}, bots=1)):
        house._hear(1, message)
    keeper.waiting.pop()[1](None)
    (batch, done) = keeper.waiting.pop()

    done(StoreError("The disk is full."))
    assert b"stands still" in ears.sent[-1]
    told = len(ears.sent)
    table = house.lobby.tables[1]
    before = table.match
    house._hear(1, Act(1, before.legal[0] if before.legal else None))
    assert b"stands still" in ears.sent[-1]
    assert table.match is before, "nothing happens meanwhile"
    assert len(ears.sent) == told + 1

    keeper.asked.clear()
    await keeper.asked.wait()
    again, done = keeper.waiting.pop()
    assert again is batch
    done(None)
    assert house.trouble is None
    assert b"update" in ears.sent[-1]
    house.close()
    assert RETRY_AFTER > 0
