"""Publishing is separate from storing: records that the disk refuses wait, delay nothing, and stay intact."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys

import pytest

from core.records import referee
from net.storage.check import examine
from net.storage.sqlite import DATABASE_FILE, Publisher, Store, open_database, write_row
from net.table.persistence import Batch, Change
from net.wire.messages import Leave, Ready
from tests.net.stored_party import StoredParty, begin_match


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data").mkdir(mode=0o700)
    return tmp_path / "data"


@pytest.fixture
def host(data):
    host = StoredParty(data, new_secret=iter([bytes([n]) for n in range(100)]).__next__)
    yield host
    host.disk.close()


def record_batches(host):
    """Return a list to which every batch written from now on is added, and the function that writes one."""
    batches, write = [], host.disk.write

    def record_and_write(batch):
        batches.append(batch)
        write(batch)

    host.disk.write = record_and_write
    return batches, write


def published(data):
    return [path.read_text().splitlines() for path in sorted((data / "records").glob("*.jsonl"))]


def problems(data):
    return [finding.sentence for finding in examine(data) if not finding.is_fine]


def test_every_batch_of_two_matches_can_be_written_again_and_again(host, data):
    write = host.disk.write

    def write_thrice(batch):
        for _ in range(3):
            write(batch)

    host.disk.write = write_thrice
    table = begin_match(host)
    host.play_out(1, 2)
    for number in (1, 2):
        host.say(number, Ready())
    host.play_out(1, 2)
    for number in (1, 2):
        host.say(number, Leave())
    host.deliver(host.lobby.close(table))

    assert len(published(data)) == 2
    assert all(list(referee(lines))[-1].match.over for lines in published(data))


def test_lines_keep_their_numbers_from_the_batch(host):
    """Repeating a batch whose number was already discarded changes nothing."""
    batches, write = record_batches(host)
    table = begin_match(host)
    for _ in range(5):
        host.play(host.on_turn(1, 2))
    lines_before = host.disk._read_lines(table)
    for batch in batches[-3:]:
        write(Batch(batch.tables, batch.account_entries))

    assert host.disk._read_lines(table) == lines_before == list(host.lobby.tables[table].recorded.lines)


def test_a_batch_retried_after_its_commit_publishes_no_running_match(host, data):
    batches, write = record_batches(host)
    begin_match(host)
    host.play_out(1, 2)
    for number in (1, 2):
        host.say(number, Ready())
    (first_batch,) = [batch for batch in batches[-3:] if any(change.begins for change in batch.tables)]
    write(first_batch)

    assert len(published(data)) == 1


@pytest.fixture
def immediate_retries(monkeypatch):
    """Make every event retry the refused work."""
    monkeypatch.setattr("net.storage.sqlite.Publisher.RETRY_AFTER", 0.0)


def test_a_missing_folder_or_a_file_in_its_place_only_delays_publishing(host, data, immediate_retries):
    shutil.rmtree(data / "records")
    (data / "records").write_text("in the way")
    begin_match(host)
    host.play_out(1, 2)
    assert host.update(1).match.over, "the players have the end"
    for number in (1, 2):
        host.say(number, Ready())
    host.play_out(1, 2)
    assert any(
        "could not be written to records/ yet" in sentence and "1 more" in sentence for sentence in problems(data)
    )

    (data / "records").unlink()
    host.say(1, Leave())
    assert len(published(data)) == 2
    assert all(list(referee(lines))[-1].match.over for lines in published(data))
    assert problems(data) == []


def test_unpublished_records_are_published_at_the_next_start(host, data):
    (data / "records").rmdir()
    (data / "records").write_text("in the way")
    begin_match(host)
    host.play_out(1, 2)
    (data / "records").unlink()

    resumed = host.kill_and_resume()
    assert len(published(data)) == 1
    assert [table.match.over for table in resumed.lobby.tables.values()] == [True]
    resumed.disk.close()


def test_a_folder_without_write_permission_does_not_prevent_the_host_from_opening(host, data, monkeypatch):
    (data / "records").rmdir()
    (data / "records").write_text("in the way")
    begin_match(host)
    host.play_out(1, 2)
    (data / "records").unlink()
    host.disk.close()
    monkeypatch.setattr("net.storage.sqlite.write_atomically", raise_disk_full)

    with Store(data) as store:
        assert len(store.load().tables) == 1
    assert len(problems(data)) == 1


def raise_disk_full(path, text):
    raise OSError(28, "No space left on device", str(path))


async def test_publishing_is_retried_while_the_host_is_idle(data, monkeypatch):
    monkeypatch.setattr("net.storage.sqlite.Publisher.RETRY_AFTER", 0.0)
    written = asyncio.Event()
    loop = asyncio.get_running_loop()
    attempts = []

    def fail_twice(path, text):
        attempts.append(path)
        if len(attempts) < 3:
            raise_disk_full(path, text)
        loop.call_soon_threadsafe(written.set)

    monkeypatch.setattr("net.storage.sqlite.write_atomically", fail_twice)
    host = StoredParty(data)
    begin_match(host)
    batches = []
    host.disk.write = batches.append
    host.play_out(1, 2)
    del host.disk.write
    results = []
    for batch in batches:
        host.disk.save(batch, results.append)
    async with asyncio.timeout(30):
        await written.wait()
    host.disk.close()
    assert len(attempts) == 3
    assert results == [None] * len(batches), "all was acknowledged"


def test_a_record_that_was_published_and_moved_away_does_not_come_back(host, data):
    table = begin_match(host)
    host.play_out(1, 2)
    (record,) = (data / "records").iterdir()
    record.rename(data / "archived.jsonl")
    host.disk.write(Batch([Change(table, None)]))

    assert published(data) == []


def mount_small_disk(folder):
    """Mount a file system of 4 KiB; return True if this user may."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", folder], capture_output=True, check=False
    )
    return mounted.returncode == 0


def test_a_full_disk_under_the_records_stops_neither_host_nor_match(data, tmp_path):
    (data / "records").mkdir()
    if not mount_small_disk(data / "records"):
        pytest.skip("this user may not mount a small disk")
    try:
        host = StoredParty(data)
        begin_match(host)
        host.play_out(1, 2)
        assert host.update(1).match.over
        assert "No space left" in str(host.disk._publisher.error)
        assert list((data / "records").iterdir()) == [], "no half of a file is left"
        host.disk.close()
        assert any("could not be written" in sentence for sentence in problems(data))
    finally:
        subprocess.run(["umount", data / "records"], check=True)
    with Store(data) as store:
        store.load()
    (lines,) = published(data)
    assert list(referee(lines))[-1].match.over


QUOTA = """
import resource, sys
from pathlib import Path
import net.storage.sqlite
from tests.net.stored_party import StoredParty, begin_match
write = net.storage.sqlite.write_atomically
def limited(path, text):
    soft = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, soft[1]))
    try:
        write(path, text)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, soft)
net.storage.sqlite.write_atomically = limited
house = StoredParty(Path(sys.argv[1]))
begin_match(house)
house.play_out(1, 2)
print(house.update(1).match.over, house.disk._publisher.error)
"""


def test_a_limit_on_the_size_of_files_stops_neither_host_nor_match(data):
    run = subprocess.run([sys.executable, "-c", QUOTA, str(data)], capture_output=True, text=True, timeout=60)

    assert run.stdout.startswith("True [Errno"), run.stdout + run.stderr
    assert os.listdir(data / "records") == []
    with Store(data) as store:
        store.load()
    (lines,) = published(data)
    assert list(referee(lines))[-1].match.over


def test_publishing_twice_writes_the_same(tmp_path):
    db = open_database(tmp_path / DATABASE_FILE)
    publisher = Publisher(db, tmp_path / "new")
    for _ in range(2):
        write_row(db, "outbox", "a", "1\n2\n")
        publisher.publish()

    assert (tmp_path / "new" / "a").read_text() == "1\n2\n"
    assert db.execute("SELECT * FROM outbox").fetchall() == []
    db.close()


def test_a_database_of_the_previous_version_is_migrated_with_a_waiting_match(host, data):
    """The previous version leaves this when it dies between the end of a match and its record."""
    begin_match(host)
    host.play_out(1, 2)
    host.disk.close()
    (record,) = (data / "records").iterdir()
    record.unlink()
    with sqlite3.connect(data / DATABASE_FILE) as db:
        for statement in (
            "DROP TABLE outbox",
            "DROP TABLE last_batch",
            "ALTER TABLE tables DROP COLUMN unresumed",
            "ALTER TABLE tables RENAME COLUMN published TO unpublished",
            "UPDATE tables SET unpublished = 1",
            "PRAGMA user_version = 1",
        ):
            db.execute(statement)
    db.close()

    with Store(data) as store:
        store.load()
    assert len(published(data)) == 1
    with Store(data) as store:
        store.load()
    assert len(published(data)) == 1
