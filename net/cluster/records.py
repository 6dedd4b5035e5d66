"""Writes the records of matches that are over from a cluster's database to files, as one host has them."""

from pathlib import Path

from net.cluster.database import Database
from net.storage.atomic import write_whole
from net.storage.database import in_words

_OVER = """
SELECT to_char(matches.began AT TIME ZONE 'UTC', 'YYYYMMDD-HH24MISS-US') AS began, matches."table", matches.match,
    matches.game, (SELECT count(*) FROM lines WHERE lines."table" = matches."table" AND lines.match = matches.match)
FROM matches WHERE over IS NOT NULL ORDER BY matches.began
"""
_LINES = 'SELECT line FROM lines WHERE "table" = $1 AND match = $2 ORDER BY number'


async def write_records(database: Database, folder: Path) -> int:
    """Write every record that the folder does not have whole; return how many. Raises StoreError."""
    written = 0
    with in_words(folder):
        async with database.borrowed() as db:
            for began, table, match, game, count in await db.fetch(_OVER):
                file = folder / f"{began}-{game}-{table}.jsonl"
                if count != _lines_in(file):
                    lines = [line for (line,) in await db.fetch(_LINES, table, match)]
                    write_whole(file, "".join(f"{line}\n" for line in lines))
                    written += 1
    return written


def _lines_in(file: Path) -> int:
    """How many lines a record has; its folder is there then."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return len(file.read_bytes().splitlines()) if file.exists() else 0
