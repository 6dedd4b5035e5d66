"""Keeps what a host stores from the other users of its machine: no mode of what is its own lets them in."""

import contextlib
import errno
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from net.logs import fields

OTHERS = 0o077
"""What a mode may allow to a file's group and to everybody."""
_OURS = ("boneyard.sqlite*", "host_key", "host.lock", "admin.sock", "records", "records/*.jsonl", "records/.*.part")

log = logging.getLogger(__name__)


class NotPrivateError(Exception):
    """The data directory is open to others and stays so; the sentence says what to do."""


def keep_private() -> None:
    """Let this process make no file that others may read, whatever umask it was started with."""
    os.umask(OTHERS)


def make_private(data: Path) -> None:
    """Take from others what the modes of the data directory, and of all in it that is ours, allow them.

    Raises NotPrivateError when the directory itself stays open. A file in it that stays so is only logged: nobody
    gets as far as that.
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
    """Whether the mode of a file lets others do anything with it; not so when there is none."""
    with contextlib.suppress(FileNotFoundError):
        return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)
    return False


def ours(data: Path) -> Iterator[Path]:
    """All that a host has in its data directory; what else lies there is none of its business."""
    for pattern in _OURS:
        yield from data.glob(pattern)


def _make_private(path: Path) -> None:
    if open_to_others(path):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)
        if open_to_others(path):  # on a disk that keeps no modes
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path))
