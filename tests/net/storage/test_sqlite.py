"""The store: sent changes are on disk, and a disk error is reported and changes nothing."""

import fcntl
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from random import Random

import pytest
from msgspec.structs import replace

from core.records import referee
from net.storage.permissions import LOCK_FILE, StoreError, is_locked
from net.storage.sqlite import DATABASE_FILE, Store, open_database
from net.table.persistence import Batch
from net.wire.messages import Leave, MakeTable, Pause, Ready, Say, Sit, Update
from tests.net.party import Party
from tests.net.stored_party import StoredParty, begin_match


def test_a_killed_host_resumes_table_seats_scores_and_deal(host):
    table = begin_match(host)
    while not any(host.update(1).match.scores):
        turn = host.on_turn(1, 2)
        host.play(turn) if turn > 0 else [host.say(n, Ready()) for n in (1, 2)]
    before = [host.update(n) for n in (1, 2)]

    again = host.kill_and_resume()
    again.come(3, "ada", "key A")
    assert again.received[3][-1].yours == table
    again.say(3, Sit(table))
    again.come(4, "bela", "key B")
    again.say(4, Sit(table))

    for number, was in zip((3, 4), before, strict=True):
        now = again.update(number)
        assert replace(now.match, history=()) == was.match
        first = next(message for message in again.received[number] if isinstance(message, Update))
        assert first.match.history == host.get_table(table).match.view(now.seat).history
        assert now.seat == was.seat
        assert now.number > was.number, "numbers never go back"
    again.disk.close()


@pytest.mark.parametrize(
    ("table", "column", "row"),
    [
        ("lines", "line", '"table" = 1 AND number = 0'),
        ("tables", "kept", "id = 1"),
        ("names", "name", "token = 'key A'"),
    ],
)
def test_a_flipped_bit_in_one_row_ends_at_most_its_table(host, table, column, row):
    first = begin_match(host)
    host.come(3, "cora", "key C")
    host.say(3, MakeTable("draw", 2))
    other = host.update(3).table.id
    host.disk.close()
    rng = Random(7)
    for _ in range(25):
        with closing(sqlite3.connect(host.data / DATABASE_FILE, isolation_level=None)) as db:
            sound, kind = db.execute(
                f"SELECT CAST({column} AS BLOB), typeof({column}) FROM {table} WHERE {row}"
            ).fetchone()
            damaged = bytearray(sound)
            damaged[rng.randrange(len(sound))] ^= rng.choice((0x80, 0x80, 0x01, 0x10))
            change = f"UPDATE {table} SET {column} = CAST(? AS {kind}) WHERE {row}"
            db.execute(change, (bytes(damaged),))
            with Store(host.data) as store:
                loaded = store.load()
                for lost in loaded.unreadable:
                    store.quarantine(lost)
            db.execute(change, (sound,))
        come_up = {snapshot.id for snapshot, _ in loaded.tables}
        assert other in come_up
        assert come_up | {lost.table for lost in loaded.unreadable} == {first, other}


def test_a_match_goes_on_after_any_number_of_deaths_and_its_record_holds(host):
    table = begin_match(host)
    for life in range(6):
        for _ in range(5 + life):
            turn = host.on_turn(1, 2)
            host.play(turn) if turn > 0 else [host.say(n, Ready()) for n in (1, 2)]
        host = host.kill_and_resume()
        host.come(1, "ada", "key A")
        host.say(1, Sit(table))
        host.come(2, "bela", "key B")
        host.say(2, Sit(table))
    host.play_out(1, 2)

    (record,) = (host.data / "records").glob("*.jsonl")
    lines = record.read_text().splitlines()
    assert list(referee(lines))[-1].match.over
    assert json.loads(lines[-2])["secret"] == b"first secret".hex()
    host.disk.close()


def test_saved_changes_are_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.undo()  # other tests do not wait for it
    with closing(open_database(tmp_path / DATABASE_FILE)) as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_chat_code_limits_and_pause_survive_a_crash(host):
    table = begin_match(host, private=True, turn_time=60, match_time=600, hints=True, take_back=True)
    host.say(1, Say("hello"))
    host.time += 20
    host.say(1, Pause(True))
    before = host.update(2)

    again = host.kill_and_resume()
    again.come(3, "bela", "key B")
    again.say(3, Sit(table))
    now = again.update(3)
    assert now.table.phase == "paused"
    assert now.code == before.code
    assert now.times == before.times
    assert now.table.hints
    assert now.table.take_back
    assert any(getattr(message, "text", "") == "hello" for message in again.received[3])
    again.disk.close()


def test_names_and_bans_come_back(host):
    host.come(1, "ada", "key A")
    host.deliver(host.lobby.ban("10.0.0.7", "floods", "2026-11-20"))
    host.deliver(host.lobby.ban("10.0.0.8", "", "2026-11-20"))
    host.deliver(host.lobby.pardon("10.0.0.8"))

    again = host.kill_and_resume()
    assert again.lobby.accounts.name_of("key A") == "ada"
    assert again.lobby.accounts.bans["10.0.0.7"].why == "floods"
    assert "10.0.0.8" not in again.lobby.accounts.bans
    again.disk.close()


def test_a_forgotten_account_stays_forgotten_after_a_restart(host):
    host.come(1, "ada", "key A")
    host.come(2, "bela", "key B")
    host.lobby.accounts.bind("key B", host.lobby.accounts.offer("key A", 0.0), 0.0)
    host.deliver(host.lobby.forget_account("key A"))
    again = host.kill_and_resume()
    assert again.lobby.accounts.name_of("key A") == ""
    assert again.lobby.accounts.account_of("key B") == "key B"
    assert again.lobby.accounts.name_of("key B") == "bela"
    again.disk.close()


def test_a_notice_survives_restarts_until_it_is_ended(host):
    host.deliver(host.lobby.set_notice("Cup on Friday"))
    again = host.kill_and_resume()
    assert again.lobby.accounts.notice == "Cup on Friday"
    again.deliver(again.lobby.set_notice(""))
    last = again.kill_and_resume()
    assert last.lobby.accounts.notice == ""
    last.disk.close()


def test_a_table_that_was_closed_does_not_come_back_and_no_number_is_used_twice(host):
    table = begin_match(host)
    host.say(1, Leave())
    host.say(2, Leave())
    host.deliver(host.lobby.close(table))

    again = host.kill_and_resume()
    assert again.lobby.tables == {}
    again.come(1, "ada", "key A")
    assert again.make_table(1, players=2) == table + 1
    assert [path.name.endswith(f"draw-{table}.jsonl") for path in (again.data / "records").iterdir()] == [True]
    again.disk.close()


def test_no_record_of_a_running_match_lies_about(host):
    begin_match(host)
    host.play(host.on_turn(1, 2))

    assert list((host.data / "records").iterdir()) == []


def test_a_second_host_on_the_same_data_is_refused(host, data):
    assert is_locked(data)
    with pytest.raises(StoreError, match="Another host is running"):
        Store(data)


def test_a_locked_database_is_reported_and_nothing_is_half_written(host, data):
    table = begin_match(host)
    other = sqlite3.connect(data / DATABASE_FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    change = host.lobby.tables[table].change_since(host.lobby.tables[table], host.time)

    with pytest.raises(StoreError, match="Another program is using"):
        host.disk.write(Batch([change]))
    other.execute("ROLLBACK")
    other.close()
    host.disk.write(Batch([change]))


FULL = """
import resource, signal, sys
sys.dont_write_bytecode = True
from pathlib import Path
from tests.net.stored_party import StoredParty, begin_match
from net.storage.permissions import StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
house = StoredParty(Path(sys.argv[1]))
begin_match(house)
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


def test_a_full_disk_is_reported_at_once_and_sent_changes_are_safe(tmp_path, data):
    run = subprocess.run([sys.executable, "-c", FULL, str(data)], capture_output=True, text=True, timeout=60)

    said, count = run.stdout.splitlines()
    assert "disk" in said
    with Store(data) as store:
        ((_, lines),) = store.load().tables
    assert sum('"play"' in line for line in lines) >= int(count)


def test_records_can_be_elsewhere_under_names_that_end_in_a_label(data, tmp_path):
    records = tmp_path / "records"
    with Store(data, records, "alone") as store:
        assert not (data / "records").exists()
        assert store.published
        host = StoredParty.__new__(StoredParty)
        Party.__init__(host)
        host.data, host.disk = data, store
        begin_match(host)
        host.play_out(1, 2)

    (record,) = records.iterdir()
    assert record.name.endswith("-draw-alone.jsonl")


def test_a_look_at_the_lock_does_not_keep_a_host_from_starting(data, monkeypatch):
    with Store(data):
        pass
    with (data / LOCK_FILE).open("rb") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        monkeypatch.setattr("time.sleep", lambda _pause: fcntl.flock(looking, fcntl.LOCK_UN))
        Store(data).close()
