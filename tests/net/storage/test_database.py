"""The file of the database: every problem is reported in one sentence, and the file is left as it was."""

import re
import sqlite3
from contextlib import closing

import pytest

from net.storage import sqlite
from net.storage.permissions import StoreError
from net.storage.sqlite import (
    APPLICATION_ID,
    DATABASE_FILE,
    SCHEMA_VERSION,
    QuarantinedTable,
    Store,
    back_up,
    damaged_rows,
    open_database,
    write_row,
)
from net.wire.messages import Ready
from tests.net.stored_party import begin_match


def opening_error(data):
    """Return the sentence with which the store in `data` is refused."""
    with pytest.raises(StoreError) as error:
        Store(data)
    return str(error.value)


@pytest.mark.parametrize("content", [b"no database" * 1000, b"SQLite format 3\x00" + b"\xff" * 4096])
def test_a_damaged_file_is_refused_and_left_as_it_is(data, content):
    (data / DATABASE_FILE).write_bytes(content)
    assert "is damaged" in opening_error(data)
    assert (data / DATABASE_FILE).read_bytes() == content


def test_damage_in_the_middle_is_found_at_the_start(host, data):
    begin_match(host)
    for _ in range(60):
        turn = host.on_turn(1, 2)
        host.play(turn) if turn > 0 else [host.say(number, Ready()) for number in (1, 2)]
    host.disk.close()
    file = data / DATABASE_FILE
    damaged = bytearray(file.read_bytes())
    damaged[4096 : 4096 * 3] = b"\xee" * 8192
    file.write_bytes(damaged)

    assert "is damaged" in opening_error(data)
    assert file.read_bytes() == bytes(damaged)


def test_another_programs_file_is_refused(data):
    with sqlite3.connect(data / DATABASE_FILE) as db:
        db.execute("CREATE TABLE recipes (name)")
    db.close()

    assert "is not a Boneyard file" in opening_error(data)


def test_a_file_of_a_newer_version_is_refused(data):
    Store(data).close()
    with sqlite3.connect(data / DATABASE_FILE) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()

    assert f"has version {SCHEMA_VERSION + 1}" in opening_error(data)


def test_the_first_releases_names_are_taken_over_and_the_old_file_is_kept(data):
    with sqlite3.connect(data / DATABASE_FILE) as db:
        db.execute("CREATE TABLE names (token TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT UNIQUE)")
        db.execute("INSERT INTO names VALUES ('SHA256:x', 'Ada', 'ada')")
    db.close()

    with Store(data) as store:
        assert [(entry.token, entry.name) for entry in store.load().account_entries] == [("SHA256:x", "Ada")]
    with sqlite3.connect(data / f"{DATABASE_FILE}.version-0") as old_db:
        assert old_db.execute("SELECT name FROM names").fetchall() == [("Ada",)]
    old_db.close()
    with sqlite3.connect(data / DATABASE_FILE) as new_db:
        assert new_db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    new_db.close()


def test_a_migration_that_fails_changes_nothing(data):
    with sqlite3.connect(data / DATABASE_FILE) as db:
        db.execute("CREATE TABLE names (token TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT UNIQUE)")
        db.execute("CREATE TABLE tables (oops)")
    db.close()

    assert "nothing was changed" in opening_error(data)
    with sqlite3.connect(data / DATABASE_FILE) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (0,)
        assert len(db.execute("PRAGMA table_info(names)").fetchall()) == 3
    db.close()


def test_a_backup_of_a_running_host_holds_the_running_match(host, data, tmp_path):
    table = begin_match(host)
    host.play(host.on_turn(1, 2))
    copy = tmp_path / "copy.sqlite"
    back_up(data, copy)

    (tmp_path / "restored").mkdir()
    copy.rename(tmp_path / "restored" / DATABASE_FILE)
    with Store(tmp_path / "restored") as store:
        ((snapshot, lines),) = store.load().tables
    assert (snapshot.id, len(lines)) == (table, 3)


def test_a_backup_never_writes_over_a_file(host, data, tmp_path):
    copy = tmp_path / "copy"
    copy.write_text("mine")

    with pytest.raises(StoreError, match="already exists"):
        back_up(data, copy)
    assert copy.read_text() == "mine"


def test_a_file_that_cannot_be_written_is_refused_at_the_start(data, monkeypatch):
    Store(data).close()
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda path, **options: connect(f"file:{path}?mode=ro", uri=True, **options)
    )
    assert "cannot write to" in opening_error(data)


def test_a_first_start_on_a_full_disk_removes_the_empty_database(data, monkeypatch):
    with monkeypatch.context() as full_disk:
        full_disk.setattr(sqlite, "_SCHEMA", ("INSERT INTO no_room VALUES (1)",))
        with pytest.raises(StoreError):
            Store(data)
    assert not list(data.glob("boneyard.sqlite*"))
    Store(data).close()


def test_an_empty_file_is_called_empty_and_left_alone(data):
    data.mkdir(mode=0o700, exist_ok=True)
    (data / DATABASE_FILE).touch()
    assert (
        opening_error(data)
        == f"{data / DATABASE_FILE} is empty; restore a backup, or remove it if no host has ever run on it."
    )
    assert (data / DATABASE_FILE).stat().st_size == 0


def test_a_match_whose_first_line_is_damaged_still_becomes_a_record(host, data):
    table = begin_match(host)
    host.disk.close()
    with closing(sqlite3.connect(data / DATABASE_FILE)) as db, db:
        db.execute("DROP TRIGGER tables_began_update")  # damage of the disk does not fire it
        db.execute("UPDATE tables SET began = replace(began, '-', '/')")
        assert damaged_rows(db) == [("tables.began", str(table))]
    with Store(data) as store:
        store.load()
        store.quarantine(QuarantinedTable(table, "it is a test", ()))
        assert store.published
    (record,) = (data / "records").glob("unresumed-*.jsonl")
    assert re.fullmatch(rf"unresumed-\d{{8}}-\d{{6}}-\d{{6}}-{table}\.jsonl", record.name)


def test_a_start_logs_a_row_that_is_damaged_and_goes_on(tmp_path, caplog):
    with closing(open_database(tmp_path / DATABASE_FILE)) as db:
        write_row(db, "names", "key A", "ada")
        db.execute("DROP TRIGGER names_update")  # damage of the disk does not fire it
        db.execute("UPDATE names SET name = 'adb'")
    with closing(open_database(tmp_path / DATABASE_FILE)):
        (record,) = [record for record in caplog.records if record.getMessage() == "row-damaged"]
        assert record.fields == {"path": tmp_path / DATABASE_FILE, "table": "names", "key": "key A"}
