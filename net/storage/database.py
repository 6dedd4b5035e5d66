"""The database file of a host: creating, checking, copying and migrating it, and errors in words."""

import logging
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from zlib import crc32

from net.logs import fields
from net.storage.atomic import whole

NAME = "boneyard.sqlite"
"""The database within the data directory; records lie beside it."""
VERSION = 2
APPLICATION = 0x426F6E65
"""Tells our files from other programs'."""
BUSY_TIMEOUT = 2.0
"""Seconds to wait for another program that holds the database, before saying so."""

_SCHEMA = (
    "CREATE TABLE names (token TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE bans (who TEXT PRIMARY KEY, why TEXT NOT NULL, since TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE tables (
        id INTEGER PRIMARY KEY AUTOINCREMENT, kept BLOB NOT NULL, began TEXT NOT NULL DEFAULT '',
        published INTEGER NOT NULL DEFAULT 0, unresumed TEXT NOT NULL DEFAULT ''
    )""",
    """CREATE TABLE lines (
        "table" INTEGER NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY ("table", number)
    ) WITHOUT ROWID""",
    # Files that are still to be written, as long as the disk or the folder refuses them.
    "CREATE TABLE outbox (name TEXT PRIMARY KEY, text TEXT NOT NULL)",
    "CREATE TABLE last_batch (id TEXT NOT NULL)",
)
# From each version to the next. Version 0 is the first release's, which kept names alone.
_MIGRATIONS = (
    (
        "ALTER TABLE names RENAME TO old",
        *_SCHEMA[:2],
        """CREATE TABLE tables (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kept BLOB NOT NULL, began TEXT NOT NULL DEFAULT '',
            unpublished INTEGER NOT NULL DEFAULT 0
        )""",
        _SCHEMA[3],
        "INSERT INTO names SELECT token, name FROM old WHERE token NOT LIKE '%@%'",
        "DROP TABLE old",
    ),
    (
        *_SCHEMA[4:],
        "ALTER TABLE tables RENAME COLUMN unpublished TO published",
        "ALTER TABLE tables ADD COLUMN unresumed TEXT NOT NULL DEFAULT ''",
        # From a flag for unpublished lines to the number of published lines.
        """UPDATE tables SET published = CASE published WHEN 1 THEN 0
            ELSE (SELECT COUNT(*) FROM lines WHERE "table" = id AND EXISTS
                (SELECT 1 FROM lines WHERE "table" = id AND line LIKE '{"type":"end",%')) END""",
    ),
)
_KEYS = {"names": "token", "bans": "who", "outbox": "name", "bound": "key"}
"""The tables whose rows have checksums beside them, and their keys. Snapshots of tables have theirs within."""
# Not in the version, as they came later: older programs do not mind them.
_ADDED = ("CREATE TABLE IF NOT EXISTS bound (key TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID",)
# Not in the version: older programs do not mind, and a row that they write loses its checksum.
_CHECKSUMS = (
    """CREATE TABLE IF NOT EXISTS checksums (
        of TEXT NOT NULL, "key" TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (of, "key")
    ) WITHOUT ROWID""",
    *(
        f"""CREATE TRIGGER IF NOT EXISTS {table}_{event.lower()} AFTER {event} ON {table} BEGIN
            DELETE FROM checksums WHERE of = '{table}' AND "key" = {row}.{key}; END"""  # noqa: S608
        for table, key in _KEYS.items()
        for event, row in (("INSERT", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD"))
    ),
)
log = logging.getLogger(__name__)


class StoreError(Exception):
    """The data cannot be read or written; the sentence says why and what to do."""


def back_up(data: Path, target: Path) -> None:
    """Copy the database to a file for this user alone, also while a host runs; never over an existing file.

    Raises StoreError.
    """
    source = data / NAME
    with in_words(source):
        if not source.exists():
            raise StoreError(f"There is nothing to back up: {source} does not exist.")
        try:
            with (
                whole(target, overwrite=False) as part,
                closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT)) as db,
                closing(sqlite3.connect(part)) as copy,
            ):
                db.backup(copy)
        except FileExistsError:
            raise StoreError(f"{target} already exists; name a new file.") from None


def opened(path: Path) -> sqlite3.Connection:
    """Open the database; make, check or migrate it. Raises StoreError, sqlite3.Error."""
    fresh = not path.exists()
    if fresh:
        path.touch(mode=0o600, exist_ok=False)  # SQLite gives the files beside it the same mode
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    db.text_factory = damaged_text
    try:
        version = 0 if fresh else _checked(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if fresh:
            with transaction(db):
                for statement in (*_SCHEMA, *_ADDED, *_CHECKSUMS):
                    db.execute(statement)
                _stamp(db)
            return db
        if version < VERSION:
            _migrate(db, path, version)
        with transaction(db):  # one that cannot be written is refused here, not with the first move
            _add_checksums(db)
            _stamp(db)
        for table, key in damaged_rows(db):
            log.warning("row-damaged", extra=fields(path=path, table=table, key=key))
    except BaseException:
        db.close()
        raise
    return db


def damaged_text(data: bytes) -> str:
    """Decode a text. One damaged byte must not keep a host from all other rows, nor from publishing this one."""
    return data.decode(errors="replace")


def _checked(db: sqlite3.Connection, path: Path) -> int:
    """The version of the database. Raises StoreError if it is another program's or newer, sqlite3.Error."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    named = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'names'").fetchone()
    if application != APPLICATION and not (version == 0 and named):
        raise StoreError(f"{path} is not a Boneyard file; move it away, or choose another --data.")
    if version > VERSION:
        raise StoreError(
            f"{path} has version {version}, but this Boneyard supports up to {VERSION}; use a newer Boneyard."
        )
    (state,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state)
    return int(version)


def _migrate(db: sqlite3.Connection, path: Path, version: int) -> None:
    """Migrate a file of an older version, after copying it to a file beside it."""
    copy = path.with_name(f"{path.name}.version-{version}")
    if not copy.exists():
        back_up(path.parent, copy)
    with transaction(db):
        upgrade(db, version)
        _stamp(db)
    log.info("migrated", extra=fields(path=path, old=version, new=VERSION, backup=copy))


def upgrade(db: sqlite3.Connection, version: int) -> None:
    """Bring the tables of an older version to this one, in the open transaction. Raises sqlite3.Error."""
    for step in _MIGRATIONS[version:]:
        for statement in step:
            db.execute(statement)


def write_row(db: sqlite3.Connection, table: str, *row: str) -> None:
    """Write a row of names, bans or outbox with its checksum, in place of one with its key. Raises sqlite3.Error."""
    db.execute(f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
    db.execute("REPLACE INTO checksums VALUES (?, ?, ?)", (table, row[0], _checksum(row)))


def damaged_rows(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the tables and keys of rows that are not as they were written, or are missing. Raises sqlite3.Error."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'checksums'").fetchone():
        return []
    found = []
    for table, key, kept in db.execute('SELECT of, "key", sum FROM checksums ORDER BY of, "key"').fetchall():
        column = _KEYS.get(table)
        row = db.execute(f"SELECT * FROM {table} WHERE {column} = ?", (key,)).fetchone() if column else None  # noqa: S608
        if row is None or _checksum(row) != kept:
            found.append((str(table), str(key)))
    return found


def _add_checksums(db: sqlite3.Connection) -> None:
    """Give those rows their checksum that have none, as an older version wrote them."""
    for statement in (*_ADDED, *_CHECKSUMS):
        db.execute(statement)
    for table, key in _KEYS.items():
        missing = f"""SELECT * FROM {table} WHERE NOT EXISTS
            (SELECT 1 FROM checksums WHERE of = '{table}' AND "key" = {table}.{key})"""  # noqa: S608
        for row in db.execute(missing).fetchall():
            db.execute("INSERT INTO checksums VALUES (?, ?, ?)", (table, row[0], _checksum(row)))


def _checksum(row: Iterable[object]) -> int:
    return crc32("\0".join(map(str, row)).encode("utf-8", "replace"))


def _stamp(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit everything that is written in the block, or nothing."""
    if db.in_transaction:  # left open by a failure between the two lines below
        db.execute("ROLLBACK")
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn errors of the disk into a StoreError with one sentence for the operator."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # also a message of SQLite may quote what is damaged
        raise StoreError(_sentence(error, path)) from error
    except OSError as error:
        where = error.filename or path
        raise StoreError(f"{where} cannot be written: {error.strerror or error}.") from error


def _sentence(error: Exception, path: Path) -> str:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return f"The disk with {path} is full; free some space."
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"Another program is using {path}; close it."
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return f"This user cannot write to {path}; change its owner or mode."
        case sqlite3.SQLITE_IOERR:
            return f"The disk with {path} is failing: {error}."
    return f"{path} is damaged ({error}); nothing was changed. Restore a backup, or move the file away."
