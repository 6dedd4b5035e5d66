"""Imports a standalone host's SQLite database into a cluster, and exports a cluster's finished matches to files."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path

import asyncpg
from msgspec import Struct
from msgspec.structs import replace

from net.cluster.database import Database
from net.cluster.store import remember, write_entry
from net.players.accounts import Banned, NameAssigned
from net.players.text import quantity
from net.storage.atomic import write_atomically
from net.storage.permissions import StoreError
from net.storage.sqlite import DATABASE_FILE, MAX_LINES_AFTER_END, Store, StoredData, translate_errors
from net.table.persistence import Snapshot, encode_snapshot

MOVED_NAME = f"{DATABASE_FILE}.moved"
"""Name of the host's database after the import, so that no host starts with it by mistake."""
_END_LINE = '{"type":"end"'


class ImportCounts(Struct, frozen=True):
    """Numbers of imported items."""

    names: int
    bans: int
    tables: Mapping[int, int]
    """Number in the cluster, by number on the host."""
    unreadable: int
    """Tables that could not be read; their lines stay in the old database."""


async def import_data(data: Path, database: Database) -> ImportCounts:
    """Import a data directory whose host is stopped, completely or not at all. Raises StoreError.

    A host of the cluster takes the tables over at once.
    """
    if not (data / DATABASE_FILE).exists():
        raise StoreError(f"There is nothing to move: {data / DATABASE_FILE} does not exist.")
    with Store(data) as store:
        stored = store.load()
        async with database.pooled_connection() as db, db.transaction():
            tables = await _import_rows(db, stored)
            await db.execute("SELECT pg_notify('boneyard', 'orphans'), pg_notify('boneyard', 'bans')")
    with translate_errors(data / DATABASE_FILE):
        (data / DATABASE_FILE).rename(data / MOVED_NAME)
    names = sum(isinstance(entry, NameAssigned) for entry in stored.account_entries)
    return ImportCounts(
        names, sum(isinstance(entry, Banned) for entry in stored.account_entries), tables, len(stored.unreadable)
    )


async def _import_rows(db: asyncpg.Connection, stored: StoredData) -> dict[int, int]:
    for entry in stored.account_entries:
        if isinstance(entry, NameAssigned):
            await remember(db, entry.token, entry.name, keeps_stored_name=True)
        else:
            await write_entry(db, entry)
    numbers = await _assign_numbers(db, [snapshot.id for snapshot, _ in stored.tables], stored.last_table)
    for snapshot, lines in stored.tables:
        await _insert_table(db, replace(snapshot, id=numbers[snapshot.id]), lines)
    return numbers


async def _assign_numbers(db: asyncpg.Connection, old_numbers: Iterable[int], last_number: int) -> dict[int, int]:
    """Return the tables' numbers in the cluster: unchanged, unless the cluster has already assigned numbers of its
    own.
    """
    if not await db.fetchval("SELECT is_called FROM table_numbers"):
        await db.fetchval("SELECT setval('table_numbers', $1)", max(last_number, 1))
        return {number: number for number in old_numbers}
    return {number: int(await db.fetchval("SELECT nextval('table_numbers')")) for number in old_numbers}


async def _insert_table(db: asyncpg.Connection, snapshot: Snapshot, lines: list[str]) -> None:
    await db.execute(
        "INSERT INTO tables (number, owner, epoch, sequence, kept, match) VALUES ($1, 0, 1, 1, $2, $3)",
        snapshot.id,
        encode_snapshot(snapshot).decode(),
        int(bool(lines)),
    )
    if not lines:
        return
    is_over = any(line.startswith(_END_LINE) for line in lines[-MAX_LINES_AFTER_END:])
    await db.execute(
        """INSERT INTO matches ("table", match, game, over)
            VALUES ($1, 1, $2, CASE WHEN $3 THEN clock_timestamp() END)""",
        snapshot.id,
        snapshot.game,
        is_over,
    )
    await db.executemany(
        'INSERT INTO lines ("table", match, number, line) VALUES ($1, 1, $2, $3)',
        [(snapshot.id, number, line) for number, line in enumerate(lines)],
    )


async def import_into(url: str, data: Path) -> list[str]:
    """Import a data directory into a cluster; return the lines to print. Raises StoreError."""
    async with Database(url) as database:
        counts = await import_data(data, database)
    lines = [
        f"{quantity(counts.names, 'name', 'names')}, {quantity(counts.bans, 'ban', 'bans')} and "
        f"{quantity(len(counts.tables), 'table', 'tables')} are in the cluster; "
        f"the old database is now {data / MOVED_NAME}."
    ]
    lines += [f"Table {old} is now table {new}." for old, new in counts.tables.items() if old != new]
    if counts.unreadable:
        lines.append(
            f"{quantity(counts.unreadable, 'table', 'tables')} could not be read and stay in the old database."
        )
    return lines


_FINISHED_MATCHES = """
SELECT to_char(matches.began AT TIME ZONE 'UTC', 'YYYYMMDD-HH24MISS-US') AS began, matches."table", matches.match,
    matches.game, (SELECT count(*) FROM lines WHERE lines."table" = matches."table" AND lines.match = matches.match)
FROM matches WHERE over IS NOT NULL ORDER BY matches.began
"""
_LINES = 'SELECT line FROM lines WHERE "table" = $1 AND match = $2 ORDER BY number'
# keep a table's last match: a host that takes the table over reads it
_FORGET = """
WITH old AS (
    DELETE FROM matches WHERE "table" = $1 AND match = $2
        AND over < clock_timestamp() - $3::interval
        AND NOT EXISTS (SELECT FROM tables WHERE number = $1 AND tables.match = $2)
    RETURNING 1
)
DELETE FROM lines WHERE "table" = $1 AND match = $2 AND EXISTS (SELECT FROM old)
"""


async def write_records(database: Database, folder: Path, forget: timedelta | None = None) -> int:
    """Write every record that the folder does not have completely; return their number. Raises StoreError.

    Matches that ended more than `forget` ago are deleted from the database.
    """
    written_count = 0
    with translate_errors(folder):
        async with database.pooled_connection() as db:
            for began, table, match, game, count in await db.fetch(_FINISHED_MATCHES):
                file = folder / f"{began}-{game}-{table}.jsonl"
                if count != _count_lines(file):
                    lines = [line for (line,) in await db.fetch(_LINES, table, match)]
                    write_atomically(file, "".join(f"{line}\n" for line in lines))
                    written_count += 1
                if forget is not None:
                    await db.execute(_FORGET, table, match, forget)
    return written_count


async def export_records(url: str, folder: Path, forget: int | None) -> str:
    """Write the records of a cluster's finished matches to files; return the line to print. Raises StoreError.

    Matches that ended more than `forget` days ago are deleted from the database.
    """
    async with Database(url) as database:
        count = await write_records(database, folder, None if forget is None else timedelta(days=forget))
    return f"{quantity(count, 'record is', 'records are')} new in {folder}."


def _count_lines(file: Path) -> int:
    """Return the number of lines of a record; create its folder if necessary."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return len(file.read_bytes().splitlines()) if file.exists() else 0
