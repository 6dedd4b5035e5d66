"""What a host remembers between starts: names by key, in SQLite. Records are files beside it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Self


class StoreError(Exception):
    """The data directory cannot be used; the sentence says why and what to do."""


class Store:
    """Names by key in `boneyard.sqlite` within the data directory; `:memory:` for a house of one evening."""

    def __init__(self, path: Path | None = None) -> None:
        """Raises StoreError when the file cannot be opened or is none of ours."""
        self._where = path or ":memory:"
        try:
            self._db = sqlite3.connect(self._where, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS names (token TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT UNIQUE)"
            )
        except sqlite3.Error as error:
            raise StoreError(f"The names in {self._where} cannot be read: {error}.") from error

    def name_of(self, token: str) -> str:
        """The name that goes with a token; empty when it is unknown."""
        return self._one("SELECT name FROM names WHERE token = ?", token)

    def owner_of(self, name: str) -> str:
        """The token that a name belongs to, whatever its case; empty when it is free."""
        return self._one("SELECT token FROM names WHERE folded = ?", name.casefold())

    def remember(self, token: str, name: str) -> None:
        """Keep a name for a token, in place of an earlier one."""
        self._db.execute("REPLACE INTO names VALUES (?, ?, ?)", (token, name, name.casefold()))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _one(self, query: str, value: str) -> str:
        with closing(self._db.execute(query, (value,))) as rows:
            row = rows.fetchone()
        return str(row[0]) if row else ""
