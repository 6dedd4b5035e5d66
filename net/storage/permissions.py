"""Closes a host's data to the other users of its machine, by the modes of its files."""

import contextlib
import errno
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from net.logs import fields

OTHERS = 0o077
"""The bits of a mode for a file's group and for everybody."""
_OURS = ("boneyard.sqlite*", "host_key", "host.lock", "admin.sock", "records", "records/*.jsonl", "records/.*.part")

log = logging.getLogger(__name__)


class NotPrivateError(Exception):
    """The data directory is open to others and stays so; the sentence says what to do."""


def keep_private() -> None:
    """Have this process make only files that others cannot read, whatever umask it was started with."""
    os.umask(OTHERS)


def make_private(data: Path) -> None:
    """Remove the access of others from the data directory and our files in it.

    Raises NotPrivateError if the directory itself stays open. A file that stays open is only logged, since others
    cannot reach it in a closed directory.
    """
    try:
        _make_private(data)
    except OSError as error:
        raise NotPrivateError(
            f"{data} is open to other users of this machine, and its mode cannot be changed ({error.strerror}); "
            "change its owner, or choose another --data."
        ) from error
    for path in ours(data):
        try:
            _make_private(path)
        except FileNotFoundError:
            pass
        except OSError as error:
            log.warning("open-to-others", extra=fields(path=path, error=error))


def open_to_others(path: Path) -> bool:
    """Whether the mode of a file gives others any access; False if there is no file."""
    with contextlib.suppress(FileNotFoundError):
        return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)
    return False


def ours(data: Path) -> Iterator[Path]:
    """A host's own files in its data directory; it leaves all other files there alone."""
    for pattern in _OURS:
        yield from data.glob(pattern)


def _make_private(path: Path) -> None:
    if open_to_others(path):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)
        if open_to_others(path):  # on a disk that keeps no modes
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path))
