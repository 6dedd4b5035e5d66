"""What a host keeps between starts, in SQLite: names, bans, and every table with the lines of its match."""

import asyncio
import fcntl
import logging
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO, Self

import msgspec
from msgspec import Struct

from core.records import RecordError
from core.words import Refusal
from net.logs import fields
from net.players.accounts import Banned, Bound, Entry, NameAssigned, Pardoned
from net.storage.atomic import write_whole
from net.storage.database import NAME, StoreError, in_words, opened, transaction, write_row
from net.storage.permissions import NotPrivateError, make_private
from net.table.snapshot import Batch, Change, Snapshot, decoded, encoded

PUBLISH_AGAIN = 30.0
"""Seconds after which files that could not be written are tried again."""
log = logging.getLogger(__name__)


class Publisher:
    """Writes files from the table `outbox` to a folder; each is written whole, so writing one twice does no harm."""

    def __init__(self, db: sqlite3.Connection, folder: Path) -> None:
        self._db = db
        self._folder = folder
        self._tried = 0.0
        self.error: Exception | None = None
        """Why files could not be written."""

    def enqueue(self, name: str, lines: list[str]) -> None:
        """Queue a file in the open transaction; it replaces one of the same name. Raises sqlite3.Error."""
        write_row(self._db, "outbox", name, "".join(f"{line}\n" for line in lines))

    def publish(self) -> None:
        """Write the queued files. It never raises: a failure is logged and tried again, but not at once."""
        if self.error is not None and time.monotonic() - self._tried < PUBLISH_AGAIN:
            return
        try:
            for (name,) in self._db.execute("SELECT name FROM outbox ORDER BY name").fetchall():
                (text,) = self._db.execute("SELECT text FROM outbox WHERE name = ?", (name,)).fetchone()
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_whole(self._folder / name, text)
                self._db.execute("DELETE FROM outbox WHERE name = ?", (name,))
        except (OSError, sqlite3.Error) as error:
            self._tried = time.monotonic()
            if self.error is None:
                log.error("cannot-publish", extra=fields(folder=self._folder, error=error))
            self.error = error
        else:
            if self.error is not None:
                log.warning("publishing-again")
            self.error = None


RECORDS = "records"
"""The folder of the files of finished matches in a data directory."""
LOCK = "host.lock"
"""Locked by the running host; the system removes the lock when that process ends, however it ends."""

LOCK_AGAIN = (0.01, 0.05, 0.0)
"""Seconds to wait after each try to lock: `locked`, in another process, may be looking at that very moment."""

_decode = msgspec.json.Decoder(Snapshot).decode
_BEGAN = "%Y%m%d-%H%M%S-%f"
MOST_AFTER_END = 12
"""Lines that may follow the end of a match: its seal, and a witness for each seat."""


class Unresumed(Struct, frozen=True):
    """A table that cannot be restored."""

    table: int
    reason: str
    tokens: tuple[str, ...]
    """The tokens of the players who had a seat there, as far as they can be read."""

    @classmethod
    def of(cls, snapshot: Snapshot, error: Exception) -> "Unresumed":
        """Return why a table that was read could not be taken up."""
        reason = str(error) if isinstance(error, RecordError | Refusal) else f"a fault of the program, {error!r}"
        return cls(snapshot.id, reason, tuple(chair.token for chair in snapshot.chairs if chair.token))


class Loaded(Struct):
    """Everything that a host stored."""

    people: list[Entry]
    tables: list[tuple[Snapshot, list[str]]]
    unreadable: list[Unresumed]
    last_table: int
    """The highest number that a table ever had."""


class Store:
    """The database of one host, with one thread that writes it, a batch at a time.

    What `save` has confirmed survives a crash of the process and, if the disk really writes, of the machine.
    """

    def __init__(self, data: Path, records: Path | None = None, label: str = "") -> None:
        """Open `data`/boneyard.sqlite, create or migrate it if necessary, and close `data` to other users.

        Finished matches become files in `records`, by default in `data`/records; a `label` ends their names instead
        of the number of the table. Raises StoreError if that is impossible; the file is then unchanged.
        """
        self.path = data / NAME
        self._label = label
        with in_words(self.path):
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make_private(data)
            if records is None:
                records = data / RECORDS
                records.mkdir(mode=0o700, exist_ok=True)
            self._lock = lock(data)
            try:
                self._db = opened(self.path)
            except BaseException:
                self._lock.close()
                raise
        self._publisher = Publisher(self._db, records)
        self._thread = ThreadPoolExecutor(1, "boneyard-store")
        self._again: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def published(self) -> bool:
        """Whether the record of every finished match has become a file."""
        return self._publisher.error is None

    def load(self) -> Loaded:
        """Read everything. Raises StoreError."""
        with in_words(self.path):
            people: list[Entry] = [NameAssigned(*row) for row in self._db.execute("SELECT token, name FROM names")]
            people += [Bound(*row) for row in self._db.execute("SELECT key, token FROM bound")]
            people += [Banned(*row) for row in self._db.execute("SELECT who, why, since FROM bans")]
            tables, unreadable = stored_tables(self._db)
            last = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'tables'").fetchone()
            with transaction(self._db):  # an older version may have died before it could
                for number, lines in ((snapshot.id, lines) for snapshot, lines in tables):
                    if any(line.startswith('{"type":"end"') for line in lines[-MOST_AFTER_END:]):
                        self._post(number)
        self._publisher.publish()
        return Loaded(people, tables, unreadable, last[0] if last else 0)

    def set_aside(self, lost: Unresumed) -> None:
        """Note that a table cannot be restored: its lines stay, and are also published. Raises StoreError."""
        with in_words(self.path), transaction(self._db):
            row = self._db.execute("SELECT unresumed FROM tables WHERE id = ?", (lost.table,)).fetchone()
            self._db.execute("UPDATE tables SET unresumed = ? WHERE id = ?", (lost.reason, lost.table))
            if row == ("",):
                self._db.execute("UPDATE tables SET published = 0 WHERE id = ?", (lost.table,))
                self._post(lost.table)
        self._publisher.publish()

    def save(self, batch: Batch, done: Callable[[Exception | None], None]) -> None:
        """Write a batch in one transaction; `done` gets the result on the running event loop."""
        loop = asyncio.get_running_loop()

        def finished(future: Future[None]) -> None:
            if not loop.is_closed():
                error = future.exception()
                if error is not None and not isinstance(error, Exception):
                    error = StoreError(f"Writing was ended: {error!r}.")
                loop.call_soon_threadsafe(done, error)
                loop.call_soon_threadsafe(self._look_again, loop)

        self._thread.submit(self.write, batch).add_done_callback(finished)

    def write(self, batch: Batch) -> None:
        """Write a batch in one transaction, unless it has been written already. Raises StoreError.

        Then publish the records of finished matches, or queue them if that is impossible now.
        """
        with in_words(self.path), transaction(self._db):
            if not self._db.execute("SELECT 1 FROM last_batch WHERE id = ?", (batch.id,)).fetchone():
                for entry in batch.people:
                    self._write_entry(entry)
                for change in batch.tables:
                    self._write_change(change)
                self._db.execute("DELETE FROM last_batch")
                self._db.execute("INSERT INTO last_batch VALUES (?)", (batch.id,))
        self._publisher.publish()

    def close(self) -> None:
        """Finish what was handed over, and close the file."""
        self._closed = True
        if self._again is not None:
            self._again.cancel()
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
            case Bound(key=key, token=""):
                self._db.execute("DELETE FROM bound WHERE key = ?", (key,))
            case Bound(key=key, token=token):
                write_row(self._db, "bound", key, token)
            case Pardoned(who=who):
                self._db.execute("DELETE FROM bans WHERE who = ?", (who,))

    def _write_change(self, change: Change) -> None:
        number = change.table
        if change.snapshot is None:
            self._post(number)
            self._db.execute('DELETE FROM lines WHERE "table" = ?', (number,))
            self._db.execute("DELETE FROM tables WHERE id = ?", (number,))
            return
        self._db.execute(
            """INSERT INTO tables (id, kept) VALUES (?, ?)
                ON CONFLICT (id) DO UPDATE SET kept = excluded.kept, unresumed = ''""",
            (number, encoded(change.snapshot)),
        )
        if change.begins:
            self._post(number)
            self._db.execute('DELETE FROM lines WHERE "table" = ?', (number,))
            (before,) = self._db.execute("SELECT began FROM tables WHERE id = ?", (number,)).fetchone()
            began = _later(before, datetime.now(UTC).strftime(_BEGAN))
            self._db.execute("UPDATE tables SET began = ?, published = 0 WHERE id = ?", (began, number))
        rows = [(number, change.first + n, line) for n, line in enumerate(change.lines)]
        self._db.executemany("REPLACE INTO lines VALUES (?, ?, ?)", rows)
        if change.ends:
            self._post(number)

    def _lines(self, number: int) -> list[str]:
        rows = self._db.execute('SELECT line FROM lines WHERE "table" = ? ORDER BY number', (number,))
        return [line for (line,) in rows]

    def _post(self, number: int) -> None:
        """Queue the record of a table's match for publication, unless all of it is published.

        Until a match is over, its lines are only in the database, where no player can read them.
        """
        row = self._db.execute(
            "SELECT began, kept, published, unresumed FROM tables WHERE id = ?", (number,)
        ).fetchone()
        lines = self._lines(number)
        if row is None or len(lines) == row[2]:
            return
        name = (
            f"unresumed-{row[0]}-{number}" if row[3] else f"{row[0]}-{_decode(row[1]).game}-{self._label or number}"
        )
        self._publisher.enqueue(f"{name}.jsonl", lines)
        self._db.execute("UPDATE tables SET published = ? WHERE id = ?", (len(lines), number))

    def _look_again(self, loop: asyncio.AbstractEventLoop) -> None:
        """Try again to publish, even if nothing else happens."""
        if self._publisher.error is None or self._again is not None or self._closed:
            return

        def published(_: Future[None]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._look_again, loop)

        def again() -> None:
            self._again = None
            self._thread.submit(self._publisher.publish).add_done_callback(published)

        self._again = loop.call_later(PUBLISH_AGAIN, again)


def stored_tables(db: sqlite3.Connection) -> tuple[list[tuple[Snapshot, list[str]]], list[Unresumed]]:
    """Return the tables with the lines of their matches, and those that cannot be read. Raises sqlite3.Error."""
    tables, unreadable = [], []
    for number, snapshot in db.execute("SELECT id, kept FROM tables ORDER BY id").fetchall():
        try:
            tables.append((_kept_of(number, snapshot), _sound_lines(db, number)))
        except (msgspec.DecodeError, ValueError, TypeError) as error:
            reason = f"what was kept of it cannot be read: {error}"
            unreadable.append(Unresumed(number, reason, _tokens(snapshot)))
    return tables, unreadable


def _sound_lines(db: sqlite3.Connection, table: int) -> list[str]:
    """The lines of a table. Raises ValueError if one of them is missing, or no text."""
    rows = db.execute('SELECT number, CAST(line AS BLOB) FROM lines WHERE "table" = ? ORDER BY number', (table,))
    lines: list[str] = []
    for number, line in rows:
        if number != len(lines):
            raise ValueError(f"line {len(lines) + 1} is missing")
        lines.append(line.decode())
    return lines


def _later(before: str, now: str) -> str:
    """When a match began, for the name of its record; always later than the match before, whatever the clock says."""
    if now > before:
        return now
    return (datetime.strptime(before, _BEGAN).replace(tzinfo=UTC) + timedelta(microseconds=1)).strftime(_BEGAN)


def _kept_of(number: int, snapshot: bytes) -> Snapshot:
    """What was kept of a table. Raises ValueError or msgspec.DecodeError if it is damaged."""
    kept = decoded(snapshot)
    if kept.id != number:
        raise ValueError(f"it is said to be of table {kept.id}")
    return kept


def _tokens(snapshot: bytes) -> tuple[str, ...]:
    """The tokens of the players at an unreadable table, as far as they can be read."""
    try:
        chairs = msgspec.json.decode(snapshot)["chairs"]
        return tuple(token for _name, token, *_ in chairs if isinstance(token, str) and token)
    except (msgspec.DecodeError, ValueError, LookupError, TypeError):
        return ()


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


def _make_private(data: Path) -> None:
    try:
        make_private(data)
    except NotPrivateError as error:
        raise StoreError(str(error)) from error


def lock(data: Path) -> BinaryIO:
    """Lock the data directory against other hosts as long as the file is open. Raises StoreError, OSError."""
    (data / LOCK).touch(mode=0o600)
    file = (data / LOCK).open("ab")
    for pause in LOCK_AGAIN:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except OSError:
            time.sleep(pause)
    file.close()
    raise StoreError(f"Another host is running on {data}; stop it, or choose another --data.")
