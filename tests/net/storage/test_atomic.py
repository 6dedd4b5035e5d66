"""A file exists completely or not at all, and is readable by its owner alone."""

import os
import stat

import pytest

from net.storage.atomic import replace_atomically, write_atomically


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "file"


def test_a_written_file_is_whole_and_leaves_nothing_beside_it(file):
    write_atomically(file, "“6|4”\n" * 10_000)

    assert file.read_text(encoding="utf-8") == "“6|4”\n" * 10_000
    assert list(file.parent.iterdir()) == [file]


def test_a_new_file_takes_the_place_of_the_old_one(file):
    file.write_text("old and longer")
    write_atomically(file, "new")

    assert file.read_text() == "new"


def test_a_new_file_is_private_even_if_the_old_one_was_readable_by_all(file):
    file.write_text("old")
    file.chmod(0o666)
    umask = os.umask(0)
    try:
        write_atomically(file, "new")
    finally:
        os.umask(umask)

    assert mode(file) == 0o600


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_no_part_of_the_new_one(file, monkeypatch, step):
    def raise_disk_full(*_args):
        raise OSError(28, "No space left on device")

    file.write_text("old")
    monkeypatch.setattr(
        *(("os.fsync", raise_disk_full) if step == "fsync" else ("pathlib.Path.replace", raise_disk_full))
    )

    with pytest.raises(OSError, match="No space left"):
        write_atomically(file, "new")
    assert file.read_text() == "old"
    assert list(file.parent.iterdir()) == [file]


def test_a_part_that_a_crash_left_is_replaced(file):
    file.with_name(".file.part").write_text("half of an old write that is longer")

    write_atomically(file, "new")

    assert file.read_text() == "new"
    assert list(file.parent.iterdir()) == [file]


def test_a_symbolic_link_in_place_of_the_part_is_replaced_not_followed(file):
    target = file.with_name("other")
    target.write_text("untouched")
    file.with_name(".file.part").symlink_to(target)

    write_atomically(file, "new")

    assert target.read_text() == "untouched"
    assert not file.is_symlink()


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        write_atomically(tmp_path / "none" / "file", "new")


def write(path, text, before_replacing, **options):
    """Write a file with `replace_atomically`, and call `before_replacing` at the end of its block."""
    with replace_atomically(path, **options) as part:
        assert mode(part) == 0o600
        part.write_text(text)
        before_replacing()


def test_a_block_that_fails_leaves_the_old_file_and_nothing_beside_it(file):
    def raise_error():
        raise LookupError

    file.write_text("old")
    with pytest.raises(LookupError):
        write(file, "new", raise_error)
    assert file.read_text() == "old"
    assert list(file.parent.iterdir()) == [file]


def test_of_two_simultaneous_writers_of_a_file_one_wins_and_the_other_gets_an_error(file):
    def write_first():
        write(file, "first", lambda: None, overwrite=False)

    with pytest.raises(FileExistsError):
        write(file, "second", write_first, overwrite=False)
    assert file.read_text() == "first"
    assert list(file.parent.iterdir()) == [file]
