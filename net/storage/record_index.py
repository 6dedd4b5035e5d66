"""The records of finished matches in a host's directory: found by their seals, and read in parts."""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from threading import Lock

from net.limits import MAX_TABLES

_CHAIN = re.compile(rb'"chain":"([0-9a-f]{64})"')
_TAIL_BYTES = 16 * 1024
"""Bytes at the end of a record that contain its seal: only witness lines may follow it."""
LINK_LENGTH = 32
"""Hexadecimal digits of a chain in a deep link: 128 bits, too many to guess."""
_LINK_PATTERN = re.compile(rf"[0-9a-f]{{{LINK_LENGTH}}}")
PART_BYTES = 128 * 1024
"""Bytes of a record that are read at once, and cross a trunk between processes."""
_MAX_RECORDS = 20 * MAX_TABLES
"""Maximum number of records that deep links lead to: the newest."""


class RecordIndex:
    """Finds a record by the beginning of its chain, which only guests of the table and receivers of the link know."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read_names: set[str] = set()
        self._names: dict[str, str] = {}
        self._lock = Lock()
        """Guards both sets of names: several threads may call `lines`."""

    def lines(self, link: str, start: int) -> tuple[str, ...]:
        """Return a part of the lines of a record from `start`; nothing at its end, and for an unknown record.

        Reads new files, so it may take a while.
        """
        path = self._find(link) if is_link(link) else None
        if path is None:
            return ()
        with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
            return part_of(line.removesuffix("\n") for line in islice(file, start, None))

    def _find(self, link: str) -> Path | None:
        with self._lock:
            if link not in self._names and self._folder.is_dir():
                names = sorted(path.name for path in self._folder.glob("*.jsonl"))
                for name in names[-_MAX_RECORDS:]:
                    if name not in self._read_names:
                        self._read_chain(name)
            name = self._names.get(link, "")
        return self._folder / name if name else None

    def _read_chain(self, name: str) -> None:
        self._read_names.add(name)
        try:
            with (self._folder / name).open("rb") as file:
                file.seek(0, 2)
                file.seek(max(0, file.tell() - _TAIL_BYTES))
                chains = _CHAIN.findall(file.read())
        except OSError:
            return
        if chains:
            self._names[chains[-1].decode()[:LINK_LENGTH]] = name


def is_link(text: str) -> bool:
    """Return True if a text may lead to a record; no other text is looked up."""
    return bool(_LINK_PATTERN.fullmatch(text))


def part_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the first lines of a record, up to the size that is read at once."""
    part: list[str] = []
    length = 0
    for line in lines:
        length += len(line.encode())
        if part and length > PART_BYTES:
            break
        part.append(line)
    return tuple(part)
