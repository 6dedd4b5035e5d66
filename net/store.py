"""What a host keeps between starts, in SQLite: names, bans, and every table with the lines of its match."""

import asyncio
import fcntl
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Self

import msgspec
from msgspec import Struct

from net.kept import Batch, Change, Kept
from net.logs import fields
from net.register import Banned, Entry, Named, Pardoned

NAME = "boneyard.sqlite"
"""The database within the data directory; records lie beside it."""
LOCK = "host.lock"
"""Held by the host that runs; the system lets go of it when that dies, however it dies."""
VERSION = 1
APPLICATION = 0x426F6E65
"""Tells our files from other programs'."""
BUSY_TIMEOUT = 2.0
"""Seconds to wait for another program that holds the database, before saying so."""

_SCHEMA = (
    "CREATE TABLE names (token TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE bans (who TEXT PRIMARY KEY, why TEXT NOT NULL, since TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE tables (
        id INTEGER PRIMARY KEY AUTOINCREMENT, kept BLOB NOT NULL, began TEXT NOT NULL DEFAULT '',
        unpublished INTEGER NOT NULL DEFAULT 0
    )""",
    """CREATE TABLE lines (
        "table" INTEGER NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY ("table", number)
    ) WITHOUT ROWID""",
)
# From each version to the next. Version 0 is the first release's, which kept names alone.
_MIGRATIONS = (
    (
        "ALTER TABLE names RENAME TO old",
        *_SCHEMA,
        "INSERT INTO names SELECT token, name FROM old WHERE token NOT LIKE '%@%'",
        "DROP TABLE old",
    ),
)
_decode = msgspec.json.Decoder(Kept).decode
log = logging.getLogger(__name__)


class StoreError(Exception):
    """The data cannot be used, or not be written; the sentence says why and what to do."""


class Loaded(Struct):
    """All that a host had kept."""

    people: list[Entry]
    tables: list[tuple[Kept, list[str]]]
    last_table: int
    """The highest number that a table ever had."""


class Store:
    """The database of one host, and the only one who writes to it: in a thread, a batch at a time.

    What `keep` has confirmed survives the process and, as far as the disk keeps its word, the machine.
    """

    def __init__(self, data: Path) -> None:
        """Open `data`/boneyard.sqlite, made or brought up to date if need be.

        Raises StoreError when that cannot be done; the file is then as it was.
        """
        self.path = data / NAME
        self._records = data / "records"
        with _in_words(self.path):
            self._records.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(data)
            try:
                self._db = _opened(self.path)
            except BaseException:
                self._lock.close()
                raise
        self._thread = ThreadPoolExecutor(1, "boneyard-store")

    def load(self) -> Loaded:
        """Read everything. Raises StoreError."""
        with _in_words(self.path):
            people: list[Entry] = [Named(*row) for row in self._db.execute("SELECT token, name FROM names")]
            people += [Banned(*row) for row in self._db.execute("SELECT who, why, since FROM bans")]
            tables = []
            for number, kept in self._db.execute("SELECT id, kept FROM tables ORDER BY id").fetchall():
                try:
                    tables.append((_decode(kept), self._lines(number)))
                except msgspec.DecodeError as error:
                    log.error("table-unreadable", extra=fields(table=number, error=error))
            last = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'tables'").fetchone()
            self._publish()
        return Loaded(people, tables, last[0] if last else 0)

    def keep(self, batch: Batch, done: Callable[[Exception | None], None]) -> None:
        """Write a batch in one transaction; `done` hears on the running event loop how it went."""
        loop = asyncio.get_running_loop()

        def finished(future: Future[None]) -> None:
            if not loop.is_closed():
                error = future.exception()
                loop.call_soon_threadsafe(done, error if isinstance(error, Exception) else None)

        self._thread.submit(self.write, batch).add_done_callback(finished)

    def write(self, batch: Batch) -> None:
        """Write a batch in one transaction, and publish the records of matches that are over. Raises StoreError."""
        with _in_words(self.path):
            with _transaction(self._db):
                for entry in batch.people:
                    self._write_entry(entry)
                for change in batch.tables:
                    self._write_change(change)
            if any(change.ends for change in batch.tables):
                self._publish()

    def close(self) -> None:
        """Finish what was handed over, and close the file."""
        self._thread.shutdown()
        self._db.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write_entry(self, entry: Entry) -> None:
        match entry:
            case Named(token=token, name=name):
                self._db.execute("REPLACE INTO names VALUES (?, ?)", (token, name))
            case Banned(who=who, why=why, since=since):
                self._db.execute("REPLACE INTO bans VALUES (?, ?, ?)", (who, why, since))
            case Pardoned(who=who):
                self._db.execute("DELETE FROM bans WHERE who = ?", (who,))

    def _write_change(self, change: Change) -> None:
        number = change.table
        if change.kept is None:
            self._publish_table(number)
            self._db.execute('DELETE FROM lines WHERE "table" = ?', (number,))
            self._db.execute("DELETE FROM tables WHERE id = ?", (number,))
            return
        self._db.execute(
            "INSERT INTO tables (id, kept) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET kept = excluded.kept",
            (number, msgspec.json.encode(change.kept)),
        )
        if change.begins:
            self._publish_table(number)
            self._db.execute('DELETE FROM lines WHERE "table" = ?', (number,))
            began = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
            self._db.execute("UPDATE tables SET began = ? WHERE id = ?", (began, number))
        if change.lines:
            (first,) = self._db.execute('SELECT COUNT(*) FROM lines WHERE "table" = ?', (number,)).fetchone()
            rows = [(number, first + n, line) for n, line in enumerate(change.lines)]
            self._db.executemany("INSERT INTO lines VALUES (?, ?, ?)", rows)
        if change.ends:
            self._db.execute("UPDATE tables SET unpublished = 1 WHERE id = ?", (number,))

    def _lines(self, number: int) -> list[str]:
        rows = self._db.execute('SELECT line FROM lines WHERE "table" = ? ORDER BY number', (number,))
        return [line for (line,) in rows]

    # Publishing: the lines of a match become a file once it is over. Until then they are in the database alone,
    # where no player can come near them.

    def _publish(self) -> None:
        for (number,) in self._db.execute("SELECT id FROM tables WHERE unpublished").fetchall():
            self._publish_table(number)
            self._db.execute("UPDATE tables SET unpublished = 0 WHERE id = ?", (number,))

    def _publish_table(self, number: int) -> None:
        """Write the record of a table's match, whole or not at all; harmless if that was done already."""
        row = self._db.execute("SELECT began, kept FROM tables WHERE id = ?", (number,)).fetchone()
        lines = self._lines(number)
        if not row or not lines:
            return
        path = self._records / f"{row[0]}-{_decode(row[1]).game}-{number}.jsonl"
        if not path.exists():
            write_whole(path, "".join(f"{line}\n" for line in lines))


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all, whatever happens meanwhile. Raises OSError."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def locked(data: Path) -> bool:
    """Say whether a host runs on this data directory."""
    try:
        with (data / LOCK).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _lock(data: Path) -> BinaryIO:
    """Keep other hosts off this data directory for as long as the file is open. Raises StoreError."""
    file = (data / LOCK).open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(f"Another host is running on {data}; stop it, or choose another --data.") from None
    return file


def back_up(data: Path, target: Path) -> None:
    """Copy the database to a file, also while a host runs. Raises StoreError; never over an existing file."""
    source = data / NAME
    with _in_words(source):
        if not source.exists():
            raise StoreError(f"There is nothing to back up: {source} does not exist.")
        if target.exists():
            raise StoreError(f"{target} exists already; name a new file.")
        part = target.with_name(f".{target.name}.part")
        try:
            with closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT)) as db, closing(sqlite3.connect(part)) as copy:
                db.backup(copy)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def _opened(path: Path) -> sqlite3.Connection:
    """Open the database; make, check or migrate it."""
    fresh = not path.exists()
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    try:
        version = 0 if fresh else _checked(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if fresh:
            with _transaction(db):
                for statement in _SCHEMA:
                    db.execute(statement)
                _stamp(db)
            return db
        if version < VERSION:
            _migrate(db, path, version)
    except BaseException:
        db.close()
        raise
    return db


def _checked(db: sqlite3.Connection, path: Path) -> int:
    """The version of a file that is ours and whole. Raises StoreError for another's or a newer one, sqlite3.Error."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    named = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'names'").fetchone()
    if application != APPLICATION and not (version == 0 and named):
        raise StoreError(f"{path} is not Boneyard's; move it away, or choose another --data.")
    if version > VERSION:
        raise StoreError(
            f"{path} is of version {version}; this Boneyard knows none after {VERSION}, so a newer one is needed."
        )
    (state,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state)
    return int(version)


def _migrate(db: sqlite3.Connection, path: Path, version: int) -> None:
    """Bring a file of an older version up to date, after a copy of it was put beside it."""
    copy = path.with_name(f"{path.name}.version-{version}")
    if not copy.exists():
        back_up(path.parent, copy)
    with _transaction(db):
        for step in _MIGRATIONS[version:]:
            for statement in step:
                db.execute(statement)
        _stamp(db)
    log.info("migrated", extra=fields(path=path, old=version, new=VERSION, backup=copy))


def _stamp(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Turn what can go wrong with the disk into one sentence for the operator."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_sentence(error, path)) from error
    except OSError as error:
        where = error.filename or path
        raise StoreError(f"{where} cannot be written: {error.strerror or error}.") from error


def _sentence(error: sqlite3.Error, path: Path) -> str:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return f"The disk that holds {path} is full; make room."
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"{path} is held by another program; close it."
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return f"{path} cannot be written by this user; change its owner or its mode."
        case sqlite3.SQLITE_IOERR:
            return f"The disk that holds {path} fails: {error}."
    return f"{path} is damaged ({error}); nothing was changed. Restore a backup, or move the file away."
