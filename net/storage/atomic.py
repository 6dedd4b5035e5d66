"""Writes a file so that a crash at any moment leaves the old one or the new one, never a part."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replace_atomically(path: Path, *, overwrite: bool = True) -> Iterator[Path]:
    """Yield a new empty file beside `path`, for this user alone; leaving the block puts it at `path`.

    If the block raises, `path` stays as it was. Raises OSError; without `overwrite`, FileExistsError if `path` exists
    by then. Of several that write the same path without `overwrite` at the same time, one succeeds.
    """
    suffix = "" if overwrite else f".{secrets.token_hex(8)}"
    temporary_file = path.with_name(f".{path.name}{suffix}.part")
    temporary_file.unlink(missing_ok=True)  # left by a crash, or by another user in a shared folder
    temporary_file.touch(mode=0o600, exist_ok=False)
    try:
        yield temporary_file
        _sync(temporary_file)
        if overwrite:
            temporary_file.replace(path)
        else:
            path.hardlink_to(temporary_file)
        _sync(path.parent)
    finally:
        temporary_file.unlink(missing_ok=True)


def write_atomically(path: Path, text: str) -> None:
    """Write a text file whole or not at all, for this user alone. Raises OSError."""
    with replace_atomically(path) as temporary_file:
        temporary_file.write_text(text, encoding="utf-8")


def _sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
