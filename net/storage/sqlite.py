"""A host's SQLite database: the file and its versions; names, bans, and every table with its match."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self
from zlib import crc32

import msgspec
from msgspec import Struct

from core.records import RecordError
from core.words import Refusal
from net.logs import fields
from net.players.accounts import BanLifted, Banned, Entry, Forgotten, KeyBound, NameAssigned, Notice
from net.storage.atomic import replace_atomically, write_atomically
from net.storage.permissions import StoreError, lock, make_private
from net.table.persistence import Batch, Change, Snapshot, decode_snapshot, encode_snapshot

DATABASE_FILE = "boneyard.sqlite"
"""The database within the data directory; records lie beside it."""
SCHEMA_VERSION = 2
APPLICATION_ID = 0x426F6E65
"""Distinguishes our files from those of other programs."""
BUSY_TIMEOUT = 2.0
"""Seconds to wait for another program that locks the database, before an error."""
SYNCHRONOUS = "FULL"
"""A confirmed batch is on the disk, and survives a power cut."""

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
    # Files that are still to be written, while the disk or the folder refuses them.
    "CREATE TABLE outbox (name TEXT PRIMARY KEY, text TEXT NOT NULL)",
    "CREATE TABLE last_batch (id TEXT NOT NULL)",
)
# From each version to the next. Version 0 is the first release's, which stored names only.
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
_KEYS = {"names": "token", "bans": "who", "outbox": "name", "bound": "key", "notice": "name"}
"""The tables whose rows have checksums beside them, and their keys. Snapshots of tables have theirs within."""
_BEGAN_ROW = "tables.began"
"""The name in `checksums` for `began` of a table, which the snapshot and its checksum do not cover."""
_CHECKSUMMED_ROWS = {
    **{table: (table, key, "*") for table, key in _KEYS.items()},
    _BEGAN_ROW: ("tables", "id", "id, began"),
}
"""By name in `checksums`: the table, its key, and the columns that the checksum covers, the key first."""
# Added without a new version: older programs ignore them.
_ADDED_TABLES = (
    "CREATE TABLE IF NOT EXISTS bound (key TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS notice (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
)
# Added without a new version: older programs ignore them, and a row that they write loses its checksum.
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
    *(
        f"""CREATE TRIGGER IF NOT EXISTS tables_began_{event[:6].lower()} AFTER {event} ON tables BEGIN
            DELETE FROM checksums WHERE of = '{_BEGAN_ROW}' AND "key" = OLD.id; END"""  # noqa: S608
        for event in ("UPDATE OF began", "DELETE")
    ),
)
log = logging.getLogger(__name__)


def back_up(data: Path, target: Path) -> None:
    """Copy the database to a file for this user alone, also while a host runs; never over an existing file.

    Raises StoreError.
    """
    source = data / DATABASE_FILE
    with translate_errors(source):
        if not source.exists():
            raise StoreError(f"There is nothing to back up: {source} does not exist.")
        try:
            with (
                replace_atomically(target, overwrite=False) as temporary_file,
                closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT)) as db,
                closing(sqlite3.connect(temporary_file)) as copy,
            ):
                db.backup(copy)
        except FileExistsError:
            raise StoreError(f"{target} already exists; name a new file.") from None


def open_database(path: Path) -> sqlite3.Connection:
    """Open the database; create, check or migrate it. Raises StoreError, sqlite3.Error."""
    is_new = not path.exists()
    if is_new:
        path.touch(mode=0o600, exist_ok=False)  # SQLite gives the files beside it the same mode
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
    db.text_factory = decode_text
    try:
        version = 0 if is_new else _check_version(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        db.execute("PRAGMA secure_delete = ON")  # deleted data are overwritten; Debian's SQLite does so anyway
        if is_new:
            with transaction(db):
                for statement in (*_SCHEMA, *_ADDED_TABLES, *_CHECKSUMS):
                    db.execute(statement)
                _stamp(db)
            return db
        if version < SCHEMA_VERSION:
            _migrate(db, path, version)
        with transaction(db):  # a read-only file is refused here, not at the first move
            _add_checksums(db)
            _stamp(db)
        for table, key in damaged_rows(db):
            log.warning("row-damaged", extra=fields(path=path, table=table, key=key))
    except BaseException:
        db.close()
        if is_new:  # the next start would take an empty file for a damaged one
            for file in path.parent.glob(f"{path.name}*"):
                if file.name.removeprefix(path.name) in ("", "-wal", "-shm", "-journal"):
                    file.unlink(missing_ok=True)
        raise
    return db


def decode_text(data: bytes) -> str:
    """Decode a text. A damaged byte must not hide all other rows, nor stop the publication of this one."""
    return data.decode(errors="replace")


def _check_version(db: sqlite3.Connection, path: Path) -> int:
    """Return the version of the database. Raises StoreError if it is another program's or newer, sqlite3.Error."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    has_names_table = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'names'").fetchone()
    if version == application == 0 and not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StoreError(f"{path} is empty; restore a backup, or remove it if no host has ever run on it.")
    if application != APPLICATION_ID and not (version == 0 and has_names_table):
        raise StoreError(f"{path} is not a Boneyard file; move it away, or choose another --data.")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} has version {version}, but this Boneyard supports up to {SCHEMA_VERSION}; use a newer Boneyard."
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
    log.info("migrated", extra=fields(path=path, old=version, new=SCHEMA_VERSION, backup=copy))


def upgrade(db: sqlite3.Connection, version: int) -> None:
    """Upgrade the tables of an older version to this one, in the open transaction. Raises sqlite3.Error."""
    for step in _MIGRATIONS[version:]:
        for statement in step:
            db.execute(statement)


def write_row(db: sqlite3.Connection, table: str, *row: str) -> None:
    """Write a row of names, bans or outbox with its checksum, replacing one with its key. Raises sqlite3.Error."""
    db.execute(f"REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
    db.execute("REPLACE INTO checksums VALUES (?, ?, ?)", (table, row[0], _checksum(row)))


def damaged_rows(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the tables and keys of rows that are damaged or missing. Raises sqlite3.Error."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'checksums'").fetchone():
        return []
    damaged = []
    for table, key, stored_sum in db.execute('SELECT of, "key", sum FROM checksums ORDER BY of, "key"').fetchall():
        source, column, columns = _CHECKSUMMED_ROWS.get(table, ("", "", ""))
        query = f"SELECT {columns} FROM {source} WHERE {column} = ?"  # noqa: S608
        row = db.execute(query, (key,)).fetchone() if source else None
        if row is None or _checksum(row) != stored_sum:
            damaged.append((str(table), str(key)))
    return damaged


def _add_checksums(db: sqlite3.Connection) -> None:
    """Add a checksum to rows of an older version."""
    for statement in (*_ADDED_TABLES, *_CHECKSUMS):
        db.execute(statement)
    for checksum_name, (table, key, columns) in _CHECKSUMMED_ROWS.items():
        query = f"""SELECT {columns} FROM {table} WHERE NOT EXISTS
            (SELECT 1 FROM checksums WHERE of = '{checksum_name}' AND "key" = CAST({table}.{key} AS TEXT))"""  # noqa: S608
        for row in db.execute(query).fetchall():
            db.execute("INSERT INTO checksums VALUES (?, ?, ?)", (checksum_name, row[0], _checksum(row)))


def _checksum(row: Iterable[object]) -> int:
    return crc32("\0".join(map(str, row)).encode("utf-8", "replace"))


def _stamp(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit everything written in the block, or nothing."""
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
def translate_errors(path: Path) -> Iterator[None]:
    """Turn errors of the disk into a StoreError with one sentence for the operator."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite's message may also quote damaged text
        raise StoreError(_error_sentence(error, path)) from error
    except OSError as error:
        place = error.filename or path
        raise StoreError(f"{place} cannot be written: {error.strerror or error}.") from error


def _error_sentence(error: Exception, path: Path) -> str:
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


RECORDS = "records"
"""The folder of the files of finished matches in a data directory."""
_decode = msgspec.json.Decoder(Snapshot).decode
UNRESUMED = "unresumed-"
"""Prefix of the names of files with the lines of a table that could not be resumed."""
_BEGAN_FORMAT = "%Y%m%d-%H%M%S-%f"
MAX_LINES_AFTER_END = 12
"""Lines that may follow the end of a match: its seal, and a witness for each seat."""


class Publisher:
    """Writes files from the table `outbox` to a folder; each is written whole, so writing one twice does no harm."""

    RETRY_AFTER = 30.0
    """Seconds after which files that could not be written are tried again."""

    def __init__(self, db: sqlite3.Connection, folder: Path) -> None:
        self._db = db
        self._folder = folder
        self._tried_at = 0.0
        self.error: Exception | None = None
        """Why files could not be written."""

    def publish(self) -> None:
        """Write the queued files. It never raises: a failure is logged, and retried after RETRY_AFTER seconds at the
        earliest.
        """
        if self.error is not None and time.monotonic() - self._tried_at < self.RETRY_AFTER:
            return
        try:
            for (name,) in self._db.execute("SELECT name FROM outbox ORDER BY name").fetchall():
                (text,) = self._db.execute("SELECT text FROM outbox WHERE name = ?", (name,)).fetchone()
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_atomically(self._folder / name, text)
                self._db.execute("DELETE FROM outbox WHERE name = ?", (name,))
        except (OSError, sqlite3.Error) as error:
            self._tried_at = time.monotonic()
            if self.error is None:
                log.error("cannot-publish", extra=fields(folder=self._folder, error=error))
            self.error = error
        else:
            if self.error is not None:
                log.warning("publishing-again")
            self.error = None


class QuarantinedTable(Struct, frozen=True):
    """A table that cannot be resumed."""

    table: int
    reason: str
    tokens: tuple[str, ...]
    """Tokens of the players who had a seat there, as far as they can be read."""

    @classmethod
    def of(cls, snapshot: Snapshot, error: Exception) -> "QuarantinedTable":
        """Return the entry for a table whose snapshot is readable, with the reason why it cannot be resumed."""
        reason = str(error) if isinstance(error, RecordError | Refusal) else f"a bug in Boneyard, {error!r}"
        return cls(snapshot.id, reason, tuple(chair.token for chair in snapshot.chairs if chair.token))


class StoredData(Struct):
    """Everything that a host stored."""

    account_entries: list[Entry]
    tables: list[tuple[Snapshot, list[str]]]
    unreadable: list[QuarantinedTable]
    last_table: int
    """The highest table number so far."""


class Store:
    """The database of one host, with one thread that writes it, a batch at a time.

    A batch that `save` has confirmed survives a crash of the process and, if the disk really writes, of the machine.
    """

    def __init__(self, data: Path, records: Path | None = None, label: str = "") -> None:
        """Open `data`/boneyard.sqlite, create or migrate it if necessary, and close `data` to other users.

        Finished matches become files in `records`, by default in `data`/records; `label` ends their names instead of
        the number of the table. Raises StoreError if that is impossible; the file is then unchanged.
        """
        self.path = data / DATABASE_FILE
        self._label = label
        with translate_errors(self.path):
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
            make_private(data)
            if records is None:
                records = data / RECORDS
                records.mkdir(mode=0o700, exist_ok=True)
            self._lock = lock(data)
            try:
                self._db = open_database(self.path)
            except BaseException:
                self._lock.close()
                raise
        self._publisher = Publisher(self._db, records)
        self._thread = ThreadPoolExecutor(1, "boneyard-store")
        self._retry: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def published(self) -> bool:
        """True if the record of every finished match is a file."""
        return self._publisher.error is None

    def load(self) -> StoredData:
        """Return all that is stored, and publish finished records that a crash kept back. Raises StoreError."""
        with translate_errors(self.path):
            entries: list[Entry] = [NameAssigned(*row) for row in self._db.execute("SELECT token, name FROM names")]
            entries += [KeyBound(*row) for row in self._db.execute("SELECT key, token FROM bound")]
            entries += [Banned(*row) for row in self._db.execute("SELECT who, why, since FROM bans")]
            entries += [Notice(*row) for row in self._db.execute("SELECT text FROM notice")]
            tables, unreadable = stored_tables(self._db)
            sequence_row = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'tables'").fetchone()
            with transaction(self._db):  # an older version may have crashed before it queued the record
                for snapshot, lines in tables:
                    if any(line.startswith('{"type":"end"') for line in lines[-MAX_LINES_AFTER_END:]):
                        self._queue_record(snapshot.id)
        self._publisher.publish()
        return StoredData(entries, tables, unreadable, sequence_row[0] if sequence_row else 0)

    def quarantine(self, table: QuarantinedTable) -> None:
        """Record that a table cannot be resumed: its lines stay, and are also published. Raises StoreError."""
        with translate_errors(self.path), transaction(self._db):
            row = self._db.execute("SELECT unresumed FROM tables WHERE id = ?", (table.table,)).fetchone()
            self._db.execute("UPDATE tables SET unresumed = ? WHERE id = ?", (table.reason, table.table))
            if row == ("",):
                self._db.execute("UPDATE tables SET published = 0 WHERE id = ?", (table.table,))
                self._queue_record(table.table)
        self._publisher.publish()

    def save(self, batch: Batch, on_done: Callable[[Exception | None], None]) -> None:
        """Write a batch in one transaction; `on_done` gets the result on the running event loop."""
        loop = asyncio.get_running_loop()

        def on_written(future: Future[None]) -> None:
            if not loop.is_closed():
                error = future.exception()
                if error is not None and not isinstance(error, Exception):
                    error = StoreError(f"Writing was ended: {error!r}.")
                loop.call_soon_threadsafe(on_done, error)
                loop.call_soon_threadsafe(self._schedule_retry, loop)

        self._thread.submit(self.write, batch).add_done_callback(on_written)

    def write(self, batch: Batch) -> None:
        """Write a batch in one transaction, unless it has been written already. Raises StoreError.

        Then publish the records of finished matches, or queue them if that is impossible now.
        """
        with translate_errors(self.path), transaction(self._db):
            if not self._db.execute("SELECT 1 FROM last_batch WHERE id = ?", (batch.id,)).fetchone():
                for entry in batch.account_entries:
                    self._write_entry(entry)
                for change in batch.tables:
                    self._write_change(change)
                self._db.execute("DELETE FROM last_batch")
                self._db.execute("INSERT INTO last_batch VALUES (?)", (batch.id,))
        self._publisher.publish()

    def close(self) -> None:
        """Finish the queued batches, and close the file."""
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()
        self._thread.shutdown()
        self._db.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write_entry(self, entry: Entry) -> None:
        match entry:
            case NameAssigned(token=token, name=name):
                write_row(self._db, "names", token, name)
            case Banned(who=who, why=why, since=since):
                write_row(self._db, "bans", who, why, since)
            case KeyBound(key=key, token=""):
                self._db.execute("DELETE FROM bound WHERE key = ?", (key,))
            case KeyBound(key=key, token=token):
                write_row(self._db, "bound", key, token)
            case Forgotten(token=token):
                self._db.execute("DELETE FROM names WHERE token = ?", (token,))
                self._db.execute("DELETE FROM bound WHERE ? IN (token, key)", (token,))
            case Notice(text=""):
                self._db.execute("DELETE FROM notice")
            case Notice(text=text):
                write_row(self._db, "notice", "lobby", text)
            case BanLifted(who=who):
                self._db.execute("DELETE FROM bans WHERE who = ?", (who,))

    def _write_change(self, change: Change) -> None:
        table_number = change.table
        if change.snapshot is None:
            self._queue_record(table_number)
            self._db.execute('DELETE FROM lines WHERE "table" = ?', (table_number,))
            self._db.execute("DELETE FROM tables WHERE id = ?", (table_number,))
            return
        self._db.execute(
            """INSERT INTO tables (id, kept) VALUES (?, ?)
                ON CONFLICT (id) DO UPDATE SET kept = excluded.kept, unresumed = ''""",
            (table_number, encode_snapshot(change.snapshot)),
        )
        if change.begins:
            self._queue_record(table_number)
            self._db.execute('DELETE FROM lines WHERE "table" = ?', (table_number,))
            (former_began,) = self._db.execute("SELECT began FROM tables WHERE id = ?", (table_number,)).fetchone()
            began = _moment_after(former_began, datetime.now(UTC).strftime(_BEGAN_FORMAT))
            self._db.execute("UPDATE tables SET began = ?, published = 0 WHERE id = ?", (began, table_number))
            checksum = _checksum((table_number, began))
            self._db.execute("REPLACE INTO checksums VALUES (?, ?, ?)", (_BEGAN_ROW, table_number, checksum))
        rows = [(table_number, change.first + index, line) for index, line in enumerate(change.lines)]
        self._db.executemany("REPLACE INTO lines VALUES (?, ?, ?)", rows)
        if change.ends:
            self._queue_record(table_number)

    def _read_lines(self, table_number: int) -> list[str]:
        rows = self._db.execute('SELECT line FROM lines WHERE "table" = ? ORDER BY number', (table_number,))
        return [line for (line,) in rows]

    def _queue_record(self, table_number: int) -> None:
        """Queue the record of a table's match for publication, unless all of it is published.

        Until a match is over, its lines are only in the database, where no player can read them.
        """
        lines = self._read_lines(table_number)
        query = "SELECT began, kept, unresumed FROM tables WHERE id = ? AND published != ?"
        row = self._db.execute(query, (table_number, len(lines))).fetchone()
        if row is None:
            return
        began, snapshot, unresumed_reason = row
        began = began if _is_moment(began) else datetime.now(UTC).strftime(_BEGAN_FORMAT)  # may be damaged
        if unresumed_reason:
            name = f"{UNRESUMED}{began}-{table_number}"
        else:
            name = f"{began}-{_decode(snapshot).game}-{self._label or table_number}"
        write_row(self._db, "outbox", f"{name}.jsonl", "".join(f"{line}\n" for line in lines))
        self._db.execute("UPDATE tables SET published = ? WHERE id = ?", (len(lines), table_number))

    def _schedule_retry(self, loop: asyncio.AbstractEventLoop) -> None:
        """Retry the publication until it succeeds, even if no batch arrives."""
        if self._publisher.error is None or self._retry is not None or self._closed:
            return

        def on_published(_: Future[None]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._schedule_retry, loop)

        def retry() -> None:
            self._retry = None
            self._thread.submit(self._publisher.publish).add_done_callback(on_published)

        self._retry = loop.call_later(Publisher.RETRY_AFTER, retry)


def stored_tables(db: sqlite3.Connection) -> tuple[list[tuple[Snapshot, list[str]]], list[QuarantinedTable]]:
    """Return the tables with the lines of their matches, and those that cannot be read. Raises sqlite3.Error."""
    tables, unreadable = [], []
    for number, snapshot in db.execute("SELECT id, kept FROM tables ORDER BY id").fetchall():
        try:
            tables.append((_decode_snapshot(number, snapshot), _intact_lines(db, number)))
        except (msgspec.DecodeError, ValueError, TypeError) as error:
            reason = f"what was kept of it cannot be read: {error}"
            unreadable.append(QuarantinedTable(number, reason, _readable_tokens(snapshot)))
    return tables, unreadable


def _intact_lines(db: sqlite3.Connection, table: int) -> list[str]:
    """Return the lines of a table. Raises ValueError if one is missing, or is not text."""
    rows = db.execute('SELECT number, CAST(line AS BLOB) FROM lines WHERE "table" = ? ORDER BY number', (table,))
    lines: list[str] = []
    for number, line in rows:
        if number != len(lines):
            raise ValueError(f"line {len(lines) + 1} is missing")
        lines.append(line.decode())
    return lines


def _moment_after(former_began: str, now: str) -> str:
    """Return `now` as the start of a match; if the clock went back, the moment after the match before began."""
    if now > former_began or not _is_moment(former_began):
        return now
    return (datetime.strptime(former_began, _BEGAN_FORMAT).replace(tzinfo=UTC) + timedelta(microseconds=1)).strftime(
        _BEGAN_FORMAT
    )


def _is_moment(text: str) -> bool:
    """Return True if a text is a moment as in the names of records."""
    try:
        return datetime.strptime(text, _BEGAN_FORMAT).strftime(_BEGAN_FORMAT) == text
    except ValueError:
        return False


def _decode_snapshot(number: int, snapshot: bytes) -> Snapshot:
    """Return the snapshot of a table. Raises ValueError or msgspec.DecodeError if it is damaged."""
    table_snapshot = decode_snapshot(snapshot)
    if table_snapshot.id != number:
        raise ValueError(f"it is said to be of table {table_snapshot.id}")
    return table_snapshot


def _readable_tokens(snapshot: bytes) -> tuple[str, ...]:
    """Return the tokens of the players at an unreadable table, as far as they can be read."""
    try:
        chairs = msgspec.json.decode(snapshot)["chairs"]
        return tuple(token for _name, token, *_ in chairs if isinstance(token, str) and token)
    except (msgspec.DecodeError, ValueError, LookupError, TypeError):
        return ()
