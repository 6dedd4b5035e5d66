"""Writes the record of a local table to a file, one JSON line after the other (`docs/records.md`)."""

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from net.table.snapshot import Batch, Storage


class RecordFile:
    """A `net.table.snapshot.Storage` for `--record FILE`: all matches of one table, each replacing the one before."""

    def __init__(self, path: Path, storage: Storage | None = None) -> None:
        """Everything is also saved in `storage`. Raises OSError when the file cannot be written."""
        self.problem: OSError | None = None
        """Why the record ends before the match does, if it does."""
        self._path = path
        self._storage = storage
        self._file: TextIO | None = path.open("w", encoding="utf-8")

    def save(self, batch: Batch, done: Callable[[Exception | None], None]) -> None:
        """Append lines; a new match replaces the file. A full disk ends the record, not the game."""
        for change in batch.tables:
            try:
                if change.begins:
                    self.close()
                    self.problem = None
                    self._file = self._path.open("w", encoding="utf-8")
                if self._file and change.lines:
                    self._file.writelines(f"{line}\n" for line in change.lines)
                    self._file.flush()
            except OSError as error:
                self.close()
                self.problem = error
        if self._storage:
            self._storage.save(batch, done)
        else:
            done(None)

    def close(self) -> None:
        """Close the file."""
        file, self._file = self._file, None
        if file:
            try:
                file.close()
            except OSError as error:
                self.problem = error
