"""Scribes write the records of matches to files, one JSON line after the other (`docs/records.md`)."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from core.records import EndLine, Line, MatchLine, write

log = logging.getLogger(__name__)


class RecordFile:
    """All matches of one table into one file, each replacing the one before, as `--record FILE` asks."""

    def __init__(self, path: Path) -> None:
        """Raises OSError when the file cannot be written."""
        self.problem: OSError | None = None
        """Why the record ends before the match does, if it does."""
        self._path = path
        self._file: TextIO | None = path.open("w", encoding="utf-8")

    def write(self, _table: int, lines: list[Line]) -> None:
        """Append lines; a new match starts the file anew. A full disk ends the record, not the game."""
        for line in lines:
            try:
                if isinstance(line, MatchLine):
                    self.close()
                    self.problem = None
                    self._file = self._path.open("w", encoding="utf-8")
                if self._file:
                    self._file.write(write(line) + "\n")
                    self._file.flush()
            except OSError as error:
                self.close()
                self.problem = error

    def close(self) -> None:
        """Close the file."""
        file, self._file = self._file, None
        if file:
            try:
                file.close()
            except OSError as error:
                self.problem = error


class RecordFolder:
    """One file for each match in a folder, named by date, game and table."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError when the folder cannot be made."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._files: dict[int, TextIO] = {}

    def write(self, table: int, lines: list[Line]) -> None:
        """Append lines to the record of a table's match. A full disk is logged and ends that record only."""
        for line in lines:
            try:
                if isinstance(line, MatchLine):
                    self._begin(table, line.game)
                file = self._files.get(table)
                if file is None:
                    continue
                file.write(write(line) + "\n")
                file.flush()
            except OSError as error:
                log.error("the record of table %d cannot be written: %s", table, error)
                self._end(table)
            if isinstance(line, EndLine):
                self._end(table)

    def close(self) -> None:
        """Close all files."""
        for table in list(self._files):
            self._end(table)

    def _begin(self, table: int, game: str) -> None:
        self._end(table)
        now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        self._files[table] = (self._folder / f"{now}-{game}-{table}.jsonl").open("x", encoding="utf-8")

    def _end(self, table: int) -> None:
        file = self._files.pop(table, None)
        if file:
            try:
                file.close()
            except OSError as error:
                log.error("the record of table %d cannot be closed: %s", table, error)
