"""Files of a host belong to its user alone, whatever the permissions of the folder were."""

import errno
import fcntl
import os
import stat
from pathlib import Path

import pytest

from net.storage.atomic import write_atomically
from net.storage.check import examine
from net.storage.permissions import StoreError, is_locked, make_private, own_files
from net.storage.sqlite import DATABASE_FILE, Store, back_up


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def careless_data(tmp_path):
    """Return a data directory with careless permissions, with all files of a host in it."""
    data = tmp_path / "data"
    umask_before = os.umask(0)
    with Store(data):
        pass
    os.umask(umask_before)
    for name in ("boneyard.sqlite-wal", "boneyard.sqlite-shm", "boneyard.sqlite.version-1", "host_key", "admin.sock"):
        (data / name).write_bytes(b"")
    (data / "records" / "20260101-draw-1.jsonl").write_text("")
    (data / "theirs.txt").write_text("")
    for path in (data, *data.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    (data / DATABASE_FILE).chmod(0o644)
    return data


def test_files_of_the_host_become_private_and_no_others(careless_data):
    make_private(careless_data)

    files = [path for path in own_files(careless_data) if path.is_file()]
    assert len(files) == 8
    assert {mode(path) for path in files} == {0o600}
    assert mode(careless_data) == mode(careless_data / "records") == 0o700
    assert mode(careless_data / "theirs.txt") == 0o666


def test_a_check_names_open_files_until_they_are_private(careless_data):
    def notes():
        return [
            finding.sentence
            for finding in examine(careless_data)
            if finding.is_note and "open to" in finding.sentence
        ]

    careless_data.chmod(0o700)
    assert notes() == ["admin.sock and 7 more are open to other users of this machine; the next start fixes that."]
    careless_data.chmod(0o755)
    assert (
        notes()[0]
        == f"{careless_data} is open to other users of this machine; the next start fixes that, or run chmod 700."
    )

    make_private(careless_data)
    assert notes() == []


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_new_files_are_private_for_any_umask(tmp_path, umask):
    umask_before = os.umask(umask)
    try:
        with Store(tmp_path / "data"):
            back_up(tmp_path / "data", tmp_path / "copy")
            write_atomically(tmp_path / "data" / "records" / "one.jsonl", "")
            modes = {path.name: mode(path) for path in (tmp_path / "data", *(tmp_path / "data").rglob("*"))}
    finally:
        os.umask(umask_before)

    assert {name for name in modes if modes[name] == 0o700} == {"data", "records"}
    assert {name for name in modes if modes[name] == 0o600} == {
        "boneyard.sqlite", "boneyard.sqlite-wal", "boneyard.sqlite-shm", "host.lock", "one.jsonl",
    }  # fmt: skip
    assert len(modes) == 7
    assert mode(tmp_path / "copy") == 0o600


def test_a_check_says_of_anothers_open_folder_that_no_host_starts_on_it(careless_data, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: careless_data.stat().st_uid + 1)

    assert f"{careless_data} is open to other users of this machine; change its owner, or no host can start." in [
        finding.sentence for finding in examine(careless_data) if not finding.is_fine
    ]


def refuse_chmod(path, _mode):
    raise PermissionError(1, "Operation not permitted", str(path))


@pytest.mark.parametrize(
    "chmod", [refuse_chmod, lambda _path, _mode: None], ids=["another's", "a disk without modes"]
)
def test_a_folder_that_cannot_be_shut_is_refused_in_one_sentence(careless_data, monkeypatch, chmod):
    monkeypatch.setattr(Path, "chmod", chmod)

    with pytest.raises(StoreError) as error:
        Store(careless_data)
    assert str(error.value) == (
        f"{careless_data} is open to other users of this machine, and its mode cannot be changed "
        "(Operation not permitted); change its owner, or choose another --data."
    )


def test_a_file_that_cannot_be_shut_in_a_folder_that_is_shut_is_logged(careless_data, monkeypatch, caplog):
    careless_data.chmod(0o700)
    monkeypatch.setattr(Path, "chmod", refuse_chmod)

    make_private(careless_data)

    assert {record.message for record in caplog.records} == {"open-to-others"}
    assert len(caplog.records) == 9


@pytest.mark.parametrize("error_number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL])
def test_a_file_system_without_locks_is_named_with_the_remedy(careless_data, monkeypatch, error_number):
    def flock(_file, _operation):
        raise OSError(error_number, os.strerror(error_number))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(StoreError, match="file system without locks") as error:
        Store(careless_data)
    assert str(error.value).endswith("choose a --data on a local disk.")
    assert not is_locked(careless_data), "no host runs there"
    assert str(error.value) in [finding.sentence for finding in examine(careless_data) if not finding.is_fine]
