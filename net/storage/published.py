"""The records of finished matches in a host's directory: found by what seals them, and read in parts."""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from threading import Lock

from net.limits import MAX_TABLES

_CHAIN = re.compile(rb'"chain":"([0-9a-f]{64})"')
_TAIL = 16 * 1024
"""Bytes at the end of a record in which its seal is: only the words of witnesses may follow."""
LINK = 32
"""Hexadecimal digits of a chain that a link has: 128 bits, which nobody guesses."""
_LINK = re.compile(rf"[0-9a-f]{{{LINK}}}")
PART = 128 * 1024
"""Bytes of a record that are read at once, and go over a line between processes."""
_MOST = 20 * MAX_TABLES
"""Records that links lead to: the newest."""


class RecordIndex:
    """Finds a record by the beginning of its chain. Whoever knows that was at the table, or was sent the link."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._looked_at: set[str] = set()
        self._names: dict[str, str] = {}
        self._looking = Lock()
        """Several threads may look."""

    def lines(self, link: str, start: int) -> tuple[str, ...]:
        """The lines of a record from `start`, as many as are read at once; none at its end, and for no such record.

        Looks at files that are new, and so may take a while.
        """
        path = self._find(link) if is_link(link) else None
        if path is None:
            return ()
        with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
            return part_of(line.removesuffix("\n") for line in islice(file, start, None))

    def _find(self, link: str) -> Path | None:
        with self._looking:
            if link not in self._names and self._folder.is_dir():
                names = sorted(path.name for path in self._folder.glob("*.jsonl"))
                for name in names[-_MOST:]:
                    if name not in self._looked_at:
                        self._look_at(name)
            name = self._names.get(link, "")
        return self._folder / name if name else None

    def _look_at(self, name: str) -> None:
        self._looked_at.add(name)
        try:
            with (self._folder / name).open("rb") as file:
                file.seek(0, 2)
                file.seek(max(0, file.tell() - _TAIL))
                chains = _CHAIN.findall(file.read())
        except OSError:
            return
        if chains:
            self._names[chains[-1].decode()[:LINK]] = name


def is_link(text: str) -> bool:
    """Whether a text may lead to a record; nothing is looked up for any other."""
    return bool(_LINK.fullmatch(text))


def part_of(lines: Iterable[str]) -> tuple[str, ...]:
    """The first lines of a record, as many as are read at once."""
    part: list[str] = []
    length = 0
    for line in lines:
        length += len(line.encode())
        if part and length > PART:
            break
        part.append(line)
    return tuple(part)
