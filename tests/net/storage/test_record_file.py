"""The file of `--record`: every match replaces the one before, and a full disk ends the recording only."""

import errno
from pathlib import Path

import pytest

from net.storage.solo_storage import RecordFile
from net.table.persistence import Batch, Change

FULL_DEVICE = Path("/dev/full")
needs_full_device = pytest.mark.skipif(not FULL_DEVICE.exists(), reason="there is no /dev/full")


def save(record, *lines, **change):
    """Save some lines; return the results."""
    results = []
    record.save(Batch([Change(1, None, lines, **change)]), results.append)
    return results


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


def test_every_line_is_in_the_file_once_it_is_saved(path):
    record = RecordFile(path)

    assert save(record, "one", "two", begins=True) == [None]
    assert path.read_text() == "one\ntwo\n"
    save(record, "“three”")
    assert path.read_text(encoding="utf-8") == "one\ntwo\n“three”\n"


def test_a_new_match_takes_the_place_of_the_one_before(path):
    record = RecordFile(path)
    save(record, "a", "long", "match", begins=True)
    save(record, "new", begins=True)

    assert path.read_text() == "new\n"


def test_a_change_without_lines_writes_nothing(path):
    record = RecordFile(path)
    save(record, "one", begins=True)
    save(record)

    assert path.read_text() == "one\n"


def test_a_file_that_cannot_be_written_is_refused_at_once(tmp_path):
    with pytest.raises(OSError, match="Is a directory"):
        RecordFile(tmp_path)


@needs_full_device
def test_a_full_disk_ends_the_record_and_not_the_game():
    record = RecordFile(FULL_DEVICE)

    assert save(record, "one", begins=True) == [None]
    assert record.problem.errno == errno.ENOSPC
    assert save(record, "two") == [None]


@needs_full_device
def test_after_a_failure_the_next_match_has_its_record_again(path, monkeypatch):
    record = RecordFile(path)
    save(record, "one", begins=True)
    monkeypatch.setattr(record, "_file", FULL_DEVICE.open("w", encoding="utf-8"))
    save(record, "two")
    assert record.problem
    save(record, "new", begins=True)

    assert record.problem is None
    assert path.read_text() == "new\n"


def test_a_closed_record_accepts_no_lines_and_may_be_closed_twice(path):
    record = RecordFile(path)
    save(record, "one", begins=True)
    record.close()
    record.close()

    assert save(record, "two") == [None]
    assert path.read_text() == "one\n"


def test_changes_are_saved_in_a_second_store_which_alone_confirms_them(path):
    class SecondStore:
        saved = []

        def save(self, batch, done):
            self.saved.append((batch, done))

    results = []
    record = RecordFile(path, SecondStore())
    batch = Batch([Change(1, None, ("one",), begins=True)])
    record.save(batch, results.append)

    assert (path.read_text(), results) == ("one\n", [])
    assert SecondStore.saved == [(batch, results.append)]
