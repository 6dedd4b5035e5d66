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
def open_house(tmp_path):
    """Return a data directory with careless permissions, with all files of a host in it."""
    data = tmp_path / "data"
    before = os.umask(0)
    with Store(data):
        pass
    os.umask(before)
    for name in ("boneyard.sqlite-wal", "boneyard.sqlite-shm", "boneyard.sqlite.version-1", "host_key", "admin.sock"):
        (data / name).write_bytes(b"")
    (data / "records" / "20260101-draw-1.jsonl").write_text("")
    (data / "theirs.txt").write_text("")
    for path in (data, *data.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    (data / DATABASE_FILE).chmod(0o644)
    return data


def test_files_of_the_host_become_private_and_no_others(open_house):
    make_private(open_house)

    files = [path for path in own_files(open_house) if path.is_file()]
    assert len(files) == 8
    assert {mode(path) for path in files} == {0o600}
    assert mode(open_house) == mode(open_house / "records") == 0o700
    assert mode(open_house / "theirs.txt") == 0o666


def test_a_check_names_open_files_until_they_are_private(open_house):
    def notes():
        return [
            finding.sentence for finding in examine(open_house) if finding.is_note and "open to" in finding.sentence
        ]

    open_house.chmod(0o700)
    assert notes() == ["admin.sock and 7 more are open to other users of this machine; the next start fixes that."]
    open_house.chmod(0o755)
    assert (
        notes()[0]
        == f"{open_house} is open to other users of this machine; the next start fixes that, or run chmod 700."
    )

    make_private(open_house)
    assert notes() == []


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_new_files_are_private_for_any_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        with Store(tmp_path / "data"):
            back_up(tmp_path / "data", tmp_path / "copy")
            write_atomically(tmp_path / "data" / "records" / "one.jsonl", "")
            made = {path.name: mode(path) for path in (tmp_path / "data", *(tmp_path / "data").rglob("*"))}
    finally:
        os.umask(before)

    assert {name for name in made if made[name] == 0o700} == {"data", "records"}
    assert {name for name in made if made[name] == 0o600} == {
        "boneyard.sqlite", "boneyard.sqlite-wal", "boneyard.sqlite-shm", "host.lock", "one.jsonl",
    }  # fmt: skip
    assert len(made) == 7
    assert mode(tmp_path / "copy") == 0o600


def test_a_check_says_of_anothers_open_folder_that_no_host_starts_on_it(open_house, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: open_house.stat().st_uid + 1)

    assert f"{open_house} is open to other users of this machine; change its owner, or no host can start." in [
        finding.sentence for finding in examine(open_house) if not finding.is_fine
    ]


def refuse(path, _mode):
    raise PermissionError(1, "Operation not permitted", str(path))


@pytest.mark.parametrize("chmod", [refuse, lambda _path, _mode: None], ids=["another's", "a disk without modes"])
def test_a_folder_that_cannot_be_shut_is_refused_in_one_sentence(open_house, monkeypatch, chmod):
    monkeypatch.setattr(Path, "chmod", chmod)

    with pytest.raises(StoreError) as refused:
        Store(open_house)
    assert str(refused.value) == (
        f"{open_house} is open to other users of this machine, and its mode cannot be changed "
        "(Operation not permitted); change its owner, or choose another --data."
    )


def test_a_file_that_cannot_be_shut_in_a_folder_that_is_shut_is_logged(open_house, monkeypatch, caplog):
    open_house.chmod(0o700)
    monkeypatch.setattr(Path, "chmod", refuse)

    make_private(open_house)

    assert {record.message for record in caplog.records} == {"open-to-others"}
    assert len(caplog.records) == 9


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL])
def test_a_file_system_without_locks_is_named_with_the_remedy(open_house, monkeypatch, number):
    def flock(_file, _operation):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(StoreError, match="file system without locks") as refused:
        Store(open_house)
    assert str(refused.value).endswith("choose a --data on a local disk.")
    assert not is_locked(open_house), "no host runs there"
    assert str(refused.value) in [finding.sentence for finding in examine(open_house) if not finding.is_fine]
