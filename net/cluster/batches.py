"""A batch as rows of one statement: what is to be written of each table, once, however much has happened there."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from net.table.snapshot import Change, Snapshot, encoded


class Held(Struct, frozen=True):
    """What a host knows of the row of a table that it runs, by which it is told from everybody who ran it before."""

    epoch: int
    sequence: int
    match: int
    """Which of its matches is the last; 0 before the first."""


NEW = Held(1, 0, 0)
"""A table that is not in the database yet."""


class TableRow(Struct):
    """What is to become of one table."""

    number: int
    held: Held
    snapshot: Snapshot | None
    match: int

    @property
    def after(self) -> Held | None:
        """How the row is held once this is written; None when the table is closed."""
        return replace(self.held, sequence=self.held.sequence + 1, match=self.match) if self.snapshot else None


class MatchRow(Struct):
    """A match that begins, or is over, or both."""

    table: int
    match: int
    game: str
    begins: bool
    over: bool


class Rows(Struct):
    """All rows of one batch. Each table is there once, and so is each match and each line."""

    tables: dict[int, TableRow] = {}
    matches: dict[tuple[int, int], MatchRow] = {}
    lines: dict[tuple[int, int, int], str] = {}

    def columns(self) -> list[list[Any]]:
        """The arguments of `STATEMENT` after the first, column by column."""
        tables, matches = self.tables.values(), self.matches.values()
        return [
            [row.number for row in tables],
            [row.held.epoch for row in tables],
            [row.held.sequence for row in tables],
            [None if row.snapshot is None else encoded(row.snapshot).decode() for row in tables],
            [row.match for row in tables],
            [row.table for row in matches],
            [row.match for row in matches],
            [row.game for row in matches],
            [row.begins for row in matches],
            [row.over for row in matches],
            [table for table, _, _ in self.lines],
            [match for _, match, _ in self.lines],
            [number for _, _, number in self.lines],
            list(self.lines.values()),
        ]


def rows_of(changes: Iterable[Change], held: Mapping[int, Held]) -> Rows:
    """Return what is to be written of some changes, in the order in which they happened."""
    rows = Rows()
    for change in changes:
        row = rows.tables.get(change.table)
        if row is None:
            now = held.get(change.table, NEW)
            row = rows.tables[change.table] = TableRow(change.table, now, change.snapshot, now.match)
        row.snapshot = change.snapshot
        if change.begins or change.snapshot is None:
            _end(rows, row)
        if change.snapshot is None:
            continue
        if change.begins:
            row.match += 1
            rows.matches[row.number, row.match] = MatchRow(
                row.number, row.match, change.snapshot.game, begins=True, over=False
            )
        for number, line in enumerate(change.lines, change.first):
            rows.lines[row.number, row.match, number] = line
        if change.ends:
            _end(rows, row)
    return rows


def _end(rows: Rows, row: TableRow) -> None:
    """Note that the last match of a table, if there was one, is over; also where it was broken off."""
    if row.match:
        begun = rows.matches.setdefault(
            (row.number, row.match), MatchRow(row.number, row.match, "", begins=False, over=True)
        )
        begun.over = True


STATEMENT = """
WITH given AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::integer[])
        AS given (number, epoch, sequence, kept, match)
), changed AS (
    UPDATE tables SET sequence = tables.sequence + 1, kept = given.kept, match = given.match
    FROM given WHERE tables.number = given.number AND given.kept IS NOT NULL AND given.sequence > 0
        AND tables.owner = $1 AND tables.epoch = given.epoch AND tables.sequence = given.sequence
    RETURNING tables.number
), made AS (
    INSERT INTO tables (number, owner, epoch, sequence, kept, match)
    SELECT number, $1, epoch, 1, kept, match FROM given WHERE kept IS NOT NULL AND sequence = 0
        AND EXISTS (SELECT FROM hosts WHERE id = $1)
    ON CONFLICT DO NOTHING RETURNING number
), ended AS (
    DELETE FROM tables USING given WHERE tables.number = given.number AND given.kept IS NULL AND (
        tables.unresumed <> ''
        OR tables.owner = $1 AND tables.epoch = given.epoch AND tables.sequence = given.sequence
    ) RETURNING tables.number
), unlisted AS (
    DELETE FROM listed USING ended WHERE listed.number = ended.number
), gone AS (
    INSERT INTO closed (number) SELECT number FROM ended ON CONFLICT DO NOTHING
), brief AS (  -- opened and closed in one batch
    SELECT number FROM given WHERE kept IS NULL AND sequence = 0
        AND NOT EXISTS (SELECT FROM tables WHERE tables.number = given.number)
), held AS MATERIALIZED (
    SELECT number FROM changed UNION ALL SELECT number FROM made
    UNION ALL SELECT number FROM ended UNION ALL SELECT number FROM brief
), mine AS MATERIALIZED (
    SELECT coalesce(array_agg(number), '{}') AS numbers FROM held
), begun AS (
    INSERT INTO matches ("table", match, game, over)
    SELECT number, match, game, CASE WHEN over THEN clock_timestamp() END
    FROM unnest($7::bigint[], $8::integer[], $9::text[], $10::boolean[], $11::boolean[])
        AS given (number, match, game, begins, over)
    WHERE begins AND number = ANY ((SELECT numbers FROM mine)::bigint[]) ON CONFLICT DO NOTHING
), over AS (
    UPDATE matches SET over = coalesce(matches.over, clock_timestamp())
    FROM unnest($7::bigint[], $8::integer[], $10::boolean[]) AS given (number, match, begins)
    WHERE matches."table" = given.number AND matches.match = given.match AND NOT given.begins
        AND given.number = ANY ((SELECT numbers FROM mine)::bigint[])
), written AS (
    INSERT INTO lines ("table", match, number, line)
    SELECT * FROM unnest($12::bigint[], $13::integer[], $14::integer[], $15::text[])
        AS given ("table", match, number, line)
    WHERE "table" = ANY ((SELECT numbers FROM mine)::bigint[])
    ON CONFLICT ("table", match, number) DO UPDATE SET line = excluded.line
)
SELECT number FROM held
"""
"""Writes a batch of the host $1; returns the tables of which it was written. Of any other nothing was: it is fenced.

A retry after a lost COMMIT writes nothing: the sequences have gone on.
"""
STORED = """
SELECT given.number FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
    AS given (number, epoch, sequence, closed)
LEFT JOIN tables ON tables.number = given.number
WHERE CASE WHEN given.closed THEN tables.number IS NULL
    ELSE tables.owner = $1 AND tables.epoch = given.epoch AND tables.sequence = given.sequence + 1 END
"""
"""Of these tables, returns those of which an earlier try to write the same batch was committed after all."""
ON_DISK = "SELECT pg_logical_emit_message(true, 'boneyard', '')"
"""Commits once more, so that what was committed before is on every disk that a COMMIT waits for."""
