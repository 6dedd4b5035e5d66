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
        host.play(turn) if turn > 0 else [host.say(number, Ready()) for number in (1, 2)]
    updates_before = [host.update(number) for number in (1, 2)]

    resumed = host.kill_and_resume()
    resumed.come(3, "ada", "key A")
    assert resumed.received[3][-1].yours == table
    resumed.say(3, Sit(table))
    resumed.come(4, "bela", "key B")
    resumed.say(4, Sit(table))

    for number, update_before in zip((3, 4), updates_before, strict=True):
        update = resumed.update(number)
        assert replace(update.match, history=()) == update_before.match
        first_update = next(message for message in resumed.received[number] if isinstance(message, Update))
        assert first_update.match.history == host.get_table(table).match.view(update.seat).history
        assert update.seat == update_before.seat
        assert update.number > update_before.number, "numbers never go back"
    resumed.disk.close()


@pytest.mark.parametrize(
    ("table", "column", "row"),
    [
        ("lines", "line", '"table" = 1 AND number = 0'),
        ("tables", "kept", "id = 1"),
        ("names", "name", "token = 'key A'"),
    ],
)
def test_a_flipped_bit_in_one_row_ends_at_most_its_table(host, table, column, row):
    first_table = begin_match(host)
    host.come(3, "cora", "key C")
    host.say(3, MakeTable("draw", 2))
    second_table = host.update(3).table.id
    host.disk.close()
    rng = Random(7)
    for _ in range(25):
        with closing(sqlite3.connect(host.data / DATABASE_FILE, isolation_level=None)) as db:
            sound, sql_type = db.execute(
                f"SELECT CAST({column} AS BLOB), typeof({column}) FROM {table} WHERE {row}"
            ).fetchone()
            damaged = bytearray(sound)
            damaged[rng.randrange(len(sound))] ^= rng.choice((0x80, 0x80, 0x01, 0x10))
            change = f"UPDATE {table} SET {column} = CAST(? AS {sql_type}) WHERE {row}"
            db.execute(change, (bytes(damaged),))
            with Store(host.data) as store:
                loaded = store.load()
                for unreadable_table in loaded.unreadable:
                    store.quarantine(unreadable_table)
            db.execute(change, (sound,))
        resumed_tables = {snapshot.id for snapshot, _ in loaded.tables}
        assert second_table in resumed_tables
        assert resumed_tables | {unreadable_table.table for unreadable_table in loaded.unreadable} == {
            first_table,
            second_table,
        }


def test_a_match_goes_on_after_any_number_of_deaths_and_its_record_holds(host):
    table = begin_match(host)
    for life in range(6):
        for _ in range(5 + life):
            turn = host.on_turn(1, 2)
            host.play(turn) if turn > 0 else [host.say(number, Ready()) for number in (1, 2)]
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
    update_before = host.update(2)

    resumed = host.kill_and_resume()
    resumed.come(3, "bela", "key B")
    resumed.say(3, Sit(table))
    update = resumed.update(3)
    assert update.table.phase == "paused"
    assert update.code == update_before.code
    assert update.times == update_before.times
    assert update.table.hints
    assert update.table.take_back
    assert any(getattr(message, "text", "") == "hello" for message in resumed.received[3])
    resumed.disk.close()


def test_names_and_bans_survive_a_restart(host):
    host.come(1, "ada", "key A")
    host.deliver(host.lobby.ban("10.0.0.7", "floods", "2026-11-20"))
    host.deliver(host.lobby.ban("10.0.0.8", "", "2026-11-20"))
    host.deliver(host.lobby.pardon("10.0.0.8"))

    resumed = host.kill_and_resume()
    assert resumed.lobby.accounts.name_of("key A") == "ada"
    assert resumed.lobby.accounts.bans["10.0.0.7"].why == "floods"
    assert "10.0.0.8" not in resumed.lobby.accounts.bans
    resumed.disk.close()


def test_a_forgotten_account_stays_forgotten_after_a_restart(host):
    host.come(1, "ada", "key A")
    host.come(2, "bela", "key B")
    host.lobby.accounts.bind("key B", host.lobby.accounts.offer("key A", 0.0), 0.0)
    host.deliver(host.lobby.forget_account("key A"))
    resumed = host.kill_and_resume()
    assert resumed.lobby.accounts.name_of("key A") == ""
    assert resumed.lobby.accounts.account_of("key B") == "key B"
    assert resumed.lobby.accounts.name_of("key B") == "bela"
    resumed.disk.close()


def test_a_notice_survives_restarts_until_it_is_ended(host):
    host.deliver(host.lobby.set_notice("Cup on Friday"))
    resumed = host.kill_and_resume()
    assert resumed.lobby.accounts.notice == "Cup on Friday"
    resumed.deliver(resumed.lobby.set_notice(""))
    resumed_again = resumed.kill_and_resume()
    assert resumed_again.lobby.accounts.notice == ""
    resumed_again.disk.close()


def test_a_table_that_was_closed_does_not_come_back_and_no_number_is_used_twice(host):
    table = begin_match(host)
    host.say(1, Leave())
    host.say(2, Leave())
    host.deliver(host.lobby.close(table))

    resumed = host.kill_and_resume()
    assert resumed.lobby.tables == {}
    resumed.come(1, "ada", "key A")
    assert resumed.make_table(1, players=2) == table + 1
    assert [path.name.endswith(f"draw-{table}.jsonl") for path in (resumed.data / "records").iterdir()] == [True]
    resumed.disk.close()


def test_a_running_match_has_no_record(host):
    begin_match(host)
    host.play(host.on_turn(1, 2))

    assert list((host.data / "records").iterdir()) == []


def test_a_second_host_on_the_same_data_is_refused(host, data):
    assert is_locked(data)
    with pytest.raises(StoreError, match="Another host is running"):
        Store(data)


def test_a_locked_database_is_reported_and_nothing_is_half_written(host, data):
    table = begin_match(host)
    other_program = sqlite3.connect(data / DATABASE_FILE, isolation_level=None)
    other_program.execute("BEGIN IMMEDIATE")
    change = host.lobby.tables[table].change_since(host.lobby.tables[table], host.time)

    with pytest.raises(StoreError, match="Another program is using"):
        host.disk.write(Batch([change]))
    other_program.execute("ROLLBACK")
    other_program.close()
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

    sentence, laid_tiles = run.stdout.splitlines()
    assert "disk" in sentence
    with Store(data) as store:
        ((_, lines),) = store.load().tables
    assert sum('"play"' in line for line in lines) >= int(laid_tiles)


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


def test_a_program_that_only_checks_the_lock_does_not_keep_a_host_from_starting(data, monkeypatch):
    with Store(data):
        pass
    with (data / LOCK_FILE).open("rb") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_SH)
        monkeypatch.setattr("time.sleep", lambda _pause: fcntl.flock(lock_file, fcntl.LOCK_UN))
        Store(data).close()
