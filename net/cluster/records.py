"""Writes the records of matches that are over from a cluster's database to files, as one host has them."""

from datetime import timedelta
from pathlib import Path

from net.cluster.database import Database
from net.players.text import counted
from net.storage.atomic import write_whole
from net.storage.sqlite import in_words

_OVER = """
SELECT to_char(matches.began AT TIME ZONE 'UTC', 'YYYYMMDD-HH24MISS-US') AS began, matches."table", matches.match,
    matches.game, (SELECT count(*) FROM lines WHERE lines."table" = matches."table" AND lines.match = matches.match)
FROM matches WHERE over IS NOT NULL ORDER BY matches.began
"""
_LINES = 'SELECT line FROM lines WHERE "table" = $1 AND match = $2 ORDER BY number'
# A table's last match stays, as a host that takes the table over reads it.
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
    """Write every record that the folder does not have whole; return how many. Raises StoreError.

    With `forget`, the database no longer has those that have been over for so long.
    """
    written = 0
    with in_words(folder):
        async with database.borrowed() as db:
            for began, table, match, game, count in await db.fetch(_OVER):
                file = folder / f"{began}-{game}-{table}.jsonl"
                if count != _lines_in(file):
                    lines = [line for (line,) in await db.fetch(_LINES, table, match)]
                    write_whole(file, "".join(f"{line}\n" for line in lines))
                    written += 1
                if forget is not None:
                    await db.execute(_FORGET, table, match, forget)
    return written


async def records_to(url: str, folder: Path, forget: int | None) -> str:
    """Write the records of a cluster's finished matches to files; return what to say. Raises StoreError.

    Matches that have been over for `forget` days leave the database.
    """
    async with Database(url) as database:
        count = await write_records(database, folder, None if forget is None else timedelta(days=forget))
    return f"{counted(count, 'record is', 'records are')} new in {folder}."


def _lines_in(file: Path) -> int:
    """How many lines a record has; its folder is there then."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return len(file.read_bytes().splitlines()) if file.exists() else 0
