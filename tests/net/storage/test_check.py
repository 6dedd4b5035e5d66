"""The findings of `boneyard host --check`, which changes nothing."""

import json
import sqlite3
from contextlib import closing
from random import Random

from net.storage.check import examine
from net.storage.permissions import lock
from net.storage.sqlite import DATABASE_FILE, Store, damaged_rows
from net.wire.messages import MakeTable
from tests.net.stored_party import StoredParty, begin_match


def findings(data):
    return {finding.sentence: finding.is_fine for finding in examine(data)}


def test_a_check_of_a_new_folder_finds_no_problem_and_creates_nothing(tmp_path):
    assert all(findings(tmp_path / "new").values())
    assert not (tmp_path / "new").exists()


def test_a_check_says_whether_a_host_is_using_the_folder(tmp_path):
    tmp_path.chmod(0o700)
    with Store(tmp_path):
        results = findings(tmp_path)
    assert all(results.values())
    assert "A host is using it." in results
    assert "No host is using it." in findings(tmp_path)


def test_a_check_counts_names_bans_and_tables(tmp_path):
    tmp_path.chmod(0o700)
    with Store(tmp_path):
        pass
    assert any("0 names, 0 bans, 0 tables" in sentence for sentence in findings(tmp_path))


def test_a_damaged_database_is_a_problem_and_open_permissions_beside_it_are_notes(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "boneyard.sqlite").write_bytes(b"no database" * 1000)
    (tmp_path / "boneyard.sqlite").chmod(0o600)
    (tmp_path / "host_key").write_text("key")
    (tmp_path / "host_key").chmod(0o644)

    results = list(examine(tmp_path))
    (problem,) = [finding.sentence for finding in results if finding.mark == "WRONG"]
    assert "cannot be read" in problem
    notes = [finding.sentence for finding in results if finding.mark == "note"]
    assert len(notes) == 2, "the folder and the key"
    assert all("the next start fixes that" in note for note in notes)


def test_problems_that_the_next_start_repairs_are_notes(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "host_key").write_text("key")
    (tmp_path / "host_key").chmod(0o644)
    (tmp_path / "boneyard.sqlite-wal").touch(0o644)

    notes = [finding.sentence for finding in examine(tmp_path) if finding.mark == "note"]
    assert len(notes) == 3
    assert all("the next start fixes that" in note for note in notes)
    assert all(findings(tmp_path).values())


def test_a_check_counts_matches_and_leftovers_of_tables_separately(tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "records").mkdir()
    for name in ("20260101-120000-000000-draw-1", "unresumed-20260101-120000-000000-2"):
        (tmp_path / "records" / f"{name}.jsonl").touch(0o600)

    (records,) = [finding for finding in examine(tmp_path) if finding.sentence.startswith("records/")]
    assert records.mark == "note"
    assert records.sentence.startswith("records/ has 1 match. Besides, 1 file has the lines")


def test_a_file_in_place_of_the_folder_is_a_problem(tmp_path):
    (tmp_path / "file").write_text("")

    (problem,) = [sentence for sentence, is_fine in findings(tmp_path / "file").items() if not is_fine]
    assert "is not a directory" in problem


def test_a_check_of_a_nodes_folder_says_where_its_tables_are(tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "cluster.pem").touch(0o600)
    with lock(tmp_path):
        results = findings(tmp_path)
    assert all(results.values())
    assert "A host is using it." in results
    assert any("PostgreSQL" in sentence for sentence in results)


def content(file):
    """Return the data of a host on people, tables and matches, from its database alone."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        db.text_factory = bytes
        tables = ("SELECT token, name FROM names", "SELECT * FROM bans", "SELECT id, kept, began FROM tables")
        return [db.execute(query).fetchall() for query in (*tables, "SELECT * FROM lines", "SELECT * FROM outbox")]


def is_changed(file, content_before):
    """Return True if the data of a host differ from `content_before` or cannot be read."""
    try:
        return content(file) != content_before
    except (sqlite3.Error, UnicodeDecodeError):
        return True


def test_a_check_finds_every_flipped_bit_in_names_bans_tables_and_matches(data):
    host = StoredParty(data)
    begin_match(host)
    host.run()
    host.play(max(1, host.on_turn(1, 2)))
    host.deliver(host.lobby.ban("SHA256:" + "b" * 43, "cheated", "2026-01-31"))
    host.disk.close()
    file, rng = data / DATABASE_FILE, Random(32)
    sound, content_before = file.read_bytes(), content(file)
    assert all(findings(data).values())
    damaging_flips = 0
    for _ in range(600):
        position = rng.randrange(len(sound))
        file.write_bytes(sound[:position] + bytes([sound[position] ^ 1 << rng.randrange(8)]) + sound[position + 1 :])
        if is_changed(file, content_before):
            damaging_flips += 1
            assert not all(findings(data).values()), position
    assert damaging_flips > 40, "of 600: most bits are in unused bytes of the file"


def test_a_check_names_the_guest_whose_key_or_name_is_damaged(data):
    host = StoredParty(data)
    begin_match(host)
    host.disk.close()
    with closing(sqlite3.connect(data / DATABASE_FILE)) as db, db:
        db.execute("DROP TRIGGER names_update")  # damage of the disk does not fire it
        db.execute("UPDATE names SET token = 'key C' WHERE token = 'key A'")
        db.execute("UPDATE names SET name = 'belb' WHERE token = 'key B'")

    problems = [sentence for sentence, is_fine in findings(data).items() if not is_fine]
    assert [sentence.split(" is damaged")[0] for sentence in problems] == ["The name of key A", "The name of key B"]


def test_rows_of_an_older_version_lose_their_checksum_and_are_accepted(data):
    host = StoredParty(data)
    number = begin_match(host)
    host.disk.close()
    with closing(sqlite3.connect(data / DATABASE_FILE)) as db, db:
        (snapshot_text,) = db.execute("SELECT kept FROM tables").fetchone()
        old_snapshot = json.loads(snapshot_text)
        del old_snapshot["checksum"], old_snapshot["sum"]
        db.execute("UPDATE tables SET kept = ?", (json.dumps(old_snapshot).encode(),))
        db.execute("REPLACE INTO names VALUES ('key A', 'adele')")
        assert db.execute("SELECT COUNT(*) FROM checksums").fetchone() == (2,), "of bela, and of when the match began"

    assert all(findings(data).values())
    with Store(data) as store:
        assert [snapshot.id for snapshot, _ in store.load().tables] == [number]
    with closing(sqlite3.connect(data / DATABASE_FILE)) as db:
        assert db.execute("SELECT COUNT(*) FROM checksums").fetchone() == (3,)
        assert damaged_rows(db) == []


def test_a_check_replays_every_table_and_names_those_that_cannot_be_resumed(data):
    host = StoredParty(data)
    number = begin_match(host)
    host.come(3, "cora", "key C")
    host.say(3, MakeTable("block", 2, {}, bots=1))
    host.disk.close()
    with closing(sqlite3.connect(data / DATABASE_FILE)) as db, db:
        db.execute("""UPDATE lines SET line = replace(line, '"ada"', '"adb"') WHERE "table" = ?""", (number,))
    bytes_before = (data / DATABASE_FILE).read_bytes()

    results = findings(data)
    (problem,) = [sentence for sentence, is_fine in results.items() if not is_fine]
    assert problem.startswith(f"Table {number} cannot be resumed: line")
    assert "1 of 2 tables can be resumed at the next start." in results
    assert (data / DATABASE_FILE).read_bytes() == bytes_before
