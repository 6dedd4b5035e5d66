"""Protects a host's data: from other users of the machine, by file modes, and from other hosts, by a lock."""

import contextlib
import errno
import fcntl
import logging
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from net.logs import fields

OTHERS_MODE = 0o077
"""The mode bits of a file's group and of all other users."""
_OWN_FILES = (
    "boneyard.sqlite*",
    "host_key",
    "host.lock",
    "admin.sock",
    "records",
    "records/*.jsonl",
    "records/.*.part",
)

LOCK_FILE = "host.lock"
"""Locked by the running host; the system removes the lock when that process ends, however it ends."""
LOCK_RETRY_DELAYS = (0.01, 0.05, 0.0)
"""Seconds to wait after each attempt to lock: `is_locked`, in another process, may hold the lock for a moment."""
_HELD_ERRORS = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
"""Errors of `flock` for a lock that another process holds; NFS reports EACCES."""
log = logging.getLogger(__name__)


class StoreError(Exception):
    """The data cannot be read or written; the sentence says why and what to do."""


def keep_private() -> None:
    """Make this process create only files that others cannot read, whatever its umask was."""
    os.umask(OTHERS_MODE)


def make_private(data: Path) -> None:
    """Remove the access of others from the data directory and our files in it.

    Raises StoreError if the directory itself stays open. A file that stays open is only logged, because others cannot
    reach it in a closed directory.
    """
    try:
        _make_private(data)
    except OSError as error:
        raise StoreError(
            f"{data} is open to other users of this machine, and its mode cannot be changed ({error.strerror}); "
            "change its owner, or choose another --data."
        ) from error
    for path in own_files(data):
        try:
            _make_private(path)
        except FileNotFoundError:
            pass
        except OSError as error:
            log.warning("open-to-others", extra=fields(path=path, error=error))


def lock(data: Path) -> BinaryIO:
    """Lock the data directory against other hosts while the file is open. Raises StoreError, OSError."""
    (data / LOCK_FILE).touch(mode=0o600)
    file = (data / LOCK_FILE).open("ab")
    for pause in LOCK_RETRY_DELAYS:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except OSError as error:
            if error.errno not in _HELD_ERRORS:
                file.close()
                raise StoreError(_no_locks_sentence(data, error)) from None
            time.sleep(pause)
    file.close()
    raise StoreError(f"Another host is running on {data}; stop it, or choose another --data.")


def is_locked(data: Path) -> bool:
    """Return True if a host runs on this data directory; False where the file system has no locks."""
    try:
        with (data / LOCK_FILE).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in _HELD_ERRORS
    return False


def lock_problem(data: Path) -> str:
    """Return the reason why the directory cannot be locked, and the remedy; empty if it can be."""
    folder = os.open(data, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return "" if error.errno in _HELD_ERRORS else _no_locks_sentence(data, error)
    finally:
        os.close(folder)
    return ""


def _no_locks_sentence(data: Path, error: OSError) -> str:
    return (
        f"{data} is on a file system without locks ({error.strerror or error}), "
        "such as NFS without its lock service, or SMB: choose a --data on a local disk."
    )


def is_open_to_others(path: Path) -> bool:
    """Return True if the mode of a file gives others any access; False if there is no file."""
    with contextlib.suppress(FileNotFoundError):
        return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS_MODE)
    return False


def own_files(data: Path) -> Iterator[Path]:
    """Yield a host's own files in its data directory; the host leaves all other files there alone."""
    for pattern in _OWN_FILES:
        yield from data.glob(pattern)


def _make_private(path: Path) -> None:
    if is_open_to_others(path):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS_MODE)
        if is_open_to_others(path):  # on a disk without modes
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path))
