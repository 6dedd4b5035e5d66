"""The store of a table host: a batch is one statement, and tables that another host has taken over are fenced.

A batch has one row for each table, regardless of the number of changes. A name and all its lookalikes belong to one
token, whichever node claims it first.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any

import asyncpg
from msgspec import Struct
from msgspec.structs import replace

from net.cluster.database import ConnectionLostError, Database, translate_errors
from net.limits import MAX_CLUSTER_NAMES
from net.logs import fields
from net.players.accounts import BanLifted, Banned, Entry, Forgotten, KeyBound, NameAssigned, Notice
from net.players.names_in_use import skeletons
from net.table.persistence import Batch, Change, Snapshot, encode_snapshot

MAX_CLAIMS = 10
"""Tries to claim a name, each repeated if another token claims a lookalike at the same moment."""
_CLAIM = """
WITH taken AS (
    SELECT token FROM skeletons WHERE skeleton = ANY ($3::text[]) AND token <> $1 ORDER BY skeleton LIMIT 1
), free AS (
    SELECT WHERE NOT EXISTS (SELECT FROM taken)
), named AS (
    INSERT INTO names (token, name, host) SELECT $1, $2, $4 FROM free
    ON CONFLICT (token) DO UPDATE SET name = excluded.name, host = excluded.host
), dropped AS (
    DELETE FROM skeletons USING free WHERE token = $1 AND skeleton <> ALL ($3::text[])
), added AS (
    INSERT INTO skeletons (skeleton, token) SELECT given, $1 FROM unnest($3::text[]) AS given, free
    WHERE NOT EXISTS (SELECT FROM skeletons WHERE skeleton = given AND token = $1)
)
SELECT coalesce((SELECT token FROM taken), '')
"""
_HAS_ROOM = """
SELECT EXISTS (SELECT FROM names WHERE token = $1 AND host IS NULL)
    OR (SELECT reltuples < $2 FROM pg_class WHERE oid = 'names'::regclass)
"""


class ClusterNames:
    """The names of all guests in the cluster."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, token: str, name: str, host: int | None) -> str:
        """Give a token this name unless another owns it; return that owner's token, or an empty text if the name was
        given.

        With a `host`, the name is released at the latest when that node's lease expires. Raises ClusterError.
        """
        async with self._database.pooled_connection() as db:
            for _ in range(MAX_CLAIMS - 1):
                try:
                    return str(await db.fetchval(_CLAIM, token, name, sorted(skeletons(name)), host))
                except (asyncpg.UniqueViolationError, asyncpg.DeadlockDetectedError):
                    continue
            return str(await db.fetchval(_CLAIM, token, name, sorted(skeletons(name)), host))

    async def has_room(self, token: str) -> bool:
        """Return True if a token has a stored name, or another name can be stored, by the database's own statistics.

        Raises ClusterError.
        """
        return bool(await self._database.fetchval(_HAS_ROOM, token, MAX_CLUSTER_NAMES))

    async def release(self, token: str, host: int) -> None:
        """Release a name that was claimed through this node for its lifetime. Raises ClusterError."""
        await self._database.execute("DELETE FROM names WHERE token = $1 AND host = $2", token, host)

    async def name_of(self, token: str) -> str:
        """Return the stored name of a token; empty if there is none. Raises ClusterError."""
        return str(
            await self._database.fetchval("SELECT name FROM names WHERE token = $1 AND host IS NULL", token) or ""
        )


async def remember(db: asyncpg.Connection, token: str, name: str, *, keeps_stored_name: bool = False) -> None:
    """Store the name of a token, even if another token has a lookalike: that stays reserved for its first owner.

    With `keeps_stored_name`, the name that a token already has is not replaced.
    """
    stored_name = await db.fetchval(
        """INSERT INTO names (token, name) VALUES ($1, $2)
            ON CONFLICT (token) DO UPDATE SET name = CASE WHEN $3 THEN names.name ELSE excluded.name END, host = NULL
            RETURNING name""",
        token,
        name,
        keeps_stored_name,
    )
    await db.execute("DELETE FROM skeletons WHERE token = $1", token)
    await db.execute(
        "INSERT INTO skeletons (skeleton, token) SELECT unnest($2::text[]), $1 ON CONFLICT DO NOTHING",
        token,
        sorted(skeletons(stored_name)),
    )


class FencingToken(Struct, frozen=True):
    """Proof that a host owns the row of a table: a write with an older token fails."""

    epoch: int
    sequence: int
    match: int
    """Number of the table's last match; 0 before the first."""


NEW = FencingToken(1, 0, 0)
"""Token of a table that is not in the database yet."""


class TableRow(Struct):
    """The change of one table."""

    number: int
    token: FencingToken
    snapshot: Snapshot | None
    match: int

    @property
    def next_token(self) -> FencingToken | None:
        """Fencing token once this is written; None when the table is closed."""
        return replace(self.token, sequence=self.token.sequence + 1, match=self.match) if self.snapshot else None


class MatchRow(Struct):
    """A match that begins or ends, or both."""

    table: int
    match: int
    game: str
    begins: bool
    over: bool


class BatchRows(Struct):
    """All rows of a batch, with each table, match and line once."""

    tables: dict[int, TableRow] = {}
    matches: dict[tuple[int, int], MatchRow] = {}
    lines: dict[tuple[int, int, int], str] = {}

    def columns(self) -> list[list[Any]]:
        """Return the arguments of `STATEMENT` after the first, column by column."""
        tables, matches = self.tables.values(), self.matches.values()
        return [
            [row.number for row in tables],
            [row.token.epoch for row in tables],
            [row.token.sequence for row in tables],
            [None if row.snapshot is None else encode_snapshot(row.snapshot).decode() for row in tables],
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


def build_rows(changes: Iterable[Change], tokens: Mapping[int, FencingToken]) -> BatchRows:
    """Return the rows to write for some changes, in the order in which they happened."""
    rows = BatchRows()
    for change in changes:
        row = rows.tables.get(change.table)
        if row is None:
            token = tokens.get(change.table, NEW)
            row = rows.tables[change.table] = TableRow(change.table, token, change.snapshot, token.match)
        row.snapshot = change.snapshot
        if change.begins or change.snapshot is None:
            _end_match(rows, row)
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
            _end_match(rows, row)
    return rows


def _end_match(rows: BatchRows, row: TableRow) -> None:
    """Mark the last match of a table, if any, as over, also if it was broken off."""
    if row.match:
        match_row = rows.matches.setdefault(
            (row.number, row.match), MatchRow(row.number, row.match, "", begins=False, over=True)
        )
        match_row.over = True


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
"""Writes a batch of the host $1; returns the tables that were written. Nothing is written of any other: it is fenced.

A retry after a lost COMMIT writes nothing: the sequence numbers have advanced.
"""
STORED = """
SELECT given.number FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
    AS given (number, epoch, sequence, closed)
LEFT JOIN tables ON tables.number = given.number
WHERE CASE WHEN given.closed THEN tables.number IS NULL
    ELSE tables.owner = $1 AND tables.epoch = given.epoch AND tables.sequence = given.sequence + 1 END
"""
"""Returns those of these tables of which an earlier try to write the same batch was committed after all."""
SYNC_STATEMENT = "SELECT pg_logical_emit_message(true, 'boneyard', '')"
"""Commits again, so that earlier commits are on every disk that a COMMIT waits for."""


SAVE_TIMEOUT = 1.0
"""Seconds for which a lost connection is retried before the host stops all play: longer than a restart of PostgreSQL.
"""
RETRY_DELAYS = (0.0, 0.02, 0.05, 0.1)
"""Seconds before each retry of the connection; the last value applies to all further ones."""
_PLANNER_SETTINGS = {
    # A batch has few rows, and the tables are large: always use the index, also before the first statistics.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}
log = logging.getLogger(__name__)
OnFenced = Callable[[Set[int]], None]
"""Called with the tables that another host owns: messages that wait for them to be saved must not be sent."""


class ClusterStore:
    """The `net.table.persistence.Storage` of one table host, the only writer of the tables that it holds.

    Batches are written one after the other, in the order of the calls of `save`.
    """

    def __init__(self, database: Database, owner: Callable[[], int], on_fenced: OnFenced) -> None:
        """`owner` returns the current id of the host in the cluster."""
        self.tokens: dict[int, FencingToken] = {}
        """Fencing tokens of the tables of this host, by number."""
        self._dropped_tables: set[int] = set()
        self._database = database
        self._owner = owner
        self._on_fenced = on_fenced
        self._writer: _Writer | None = None
        self._task: asyncio.Task[None] | None = None
        self._write_lock = asyncio.Lock()
        self._last_batch_id = ""
        """Id of the last batch that was written; the same batch may come again."""

    def save(self, batch: Batch, on_done: Callable[[Exception | None], None]) -> None:
        """Write a batch; `on_done` gets the result on the running event loop, after `on_fenced` if tables
        are fenced.
        """
        self._task = asyncio.get_running_loop().create_task(self._save(batch, on_done))

    async def write(self, batch: Batch) -> Set[int]:
        """Write a batch, and retry if a lost connection leaves it in doubt; return the tables that are fenced.

        Raises ClusterError if the batch may not be written; the caller may then call this again with the batch.
        """
        rows = build_rows(
            (change for change in batch.tables if change.table not in self._dropped_tables), self.tokens
        )
        owner = self._owner()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + SAVE_TIMEOUT
        for attempt in range(1_000_000):
            try:
                written = await self._write_once(rows, batch.account_entries, owner)
                break
            except ConnectionLostError as error:
                await self._close_connection()
                if loop.time() > deadline:
                    raise
                log.info("writing-again", extra=fields(error=error))
                await asyncio.sleep(RETRY_DELAYS[min(attempt, len(RETRY_DELAYS) - 1)])
        # skip tables that were dropped or taken over again meanwhile
        owned_rows = {number: row for number, row in rows.tables.items() if self.tokens.get(number, NEW) == row.token}
        for number, row in owned_rows.items():
            if number not in written or row.next_token is None:
                self.tokens.pop(number, None)
            else:
                self.tokens[number] = row.next_token
        return owned_rows.keys() - written

    def take(self, number: int, token: FencingToken) -> None:
        """Add a table that this host owns from now on."""
        self.tokens[number] = token
        self._dropped_tables.discard(number)

    def drop(self, numbers: Iterable[int]) -> None:
        """Discard tables that this host no longer owns. Their unsaved changes are not written."""
        for number in numbers:
            self.tokens.pop(number, None)
            self._dropped_tables.add(number)

    async def wait_settled(self) -> None:
        """Wait until the last batch is written, or has failed."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def aclose(self) -> None:
        """Wait for the last batch, and disconnect."""
        await self.wait_settled()
        await self._close_connection()

    async def _save(self, batch: Batch, on_done: Callable[[Exception | None], None]) -> None:
        fenced: Set[int] = frozenset()
        try:
            async with self._write_lock:
                if batch.id != self._last_batch_id:
                    fenced = await self.write(batch)
                    self._last_batch_id = batch.id
        except Exception as error:  # whatever the error: no message may be sent, and `on_done` must be called
            on_done(error)
            return
        if fenced:
            log.warning("fenced", extra=fields(tables=",".join(map(str, sorted(fenced)))))
            self._on_fenced(fenced)
        on_done(None)

    async def _write_once(self, rows: BatchRows, account_entries: Iterable[Entry], owner: int) -> Set[int]:
        """Write once; return the tables that are written, now or by an earlier try. Raises ClusterError."""
        if self._writer is None:
            self._writer = await _Writer.open(self._database)
        with translate_errors(self._database.place):
            return await self._writer.write(rows, account_entries, owner)

    async def _close_connection(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.db.terminate()


class _Writer(Struct):
    """A connection with the statement prepared."""

    db: asyncpg.Connection
    statement: asyncpg.prepared_stmt.PreparedStatement

    @classmethod
    async def open(cls, database: Database) -> "_Writer":
        db = await database.connect(**_PLANNER_SETTINGS)
        with translate_errors(database.place):
            return cls(db, await db.prepare(STATEMENT))

    async def write(self, rows: BatchRows, account_entries: Iterable[Entry], owner: int) -> set[int]:
        if not account_entries:
            return await self._write_tables(rows, owner)
        async with self.db.transaction():
            for entry in account_entries:
                await write_entry(self.db, entry)
            return await self._write_tables(rows, owner)

    async def _write_tables(self, rows: BatchRows, owner: int) -> set[int]:
        if not rows.tables:
            return set()
        written = {number for (number,) in await self.statement.fetch(owner, *rows.columns())}
        unwritten = [row for number, row in rows.tables.items() if number not in written]
        if unwritten:
            stored = await self.db.fetch(
                STORED,
                owner,
                [row.number for row in unwritten],
                [row.token.epoch for row in unwritten],
                [row.token.sequence for row in unwritten],
                [row.snapshot is None for row in unwritten],
            )
            if stored:
                await self.db.execute(SYNC_STATEMENT)
            written.update(number for (number,) in stored)
        return written


async def write_entry(db: asyncpg.Connection, entry: Entry) -> None:
    """Write an entry of the accounts: a name, a ban, a bound key, a notice …"""
    match entry:
        case NameAssigned(token=token, name=name):
            await remember(db, token, name)
        case Banned(who=who, why=why, since=since):
            await db.execute(
                """INSERT INTO bans VALUES ($1, $2, $3)
                    ON CONFLICT (who) DO UPDATE SET why = excluded.why, since = excluded.since""",
                who,
                why,
                since,
            )
            await db.execute("SELECT pg_notify('boneyard', 'bans')")
        case KeyBound(key=key, token=token):
            await db.execute("DELETE FROM bound WHERE key = $1", key)
            if token:
                await db.execute("INSERT INTO bound VALUES ($1, $2)", key, token)
        case Forgotten(token=token):
            await db.execute("DELETE FROM names WHERE token = $1", token)
            await db.execute("DELETE FROM bound WHERE $1 IN (token, key)", token)
            await db.execute("DELETE FROM offers WHERE token = $1", token)
        case Notice(text=text):
            await db.execute("DELETE FROM notice")
            if text:
                await db.execute("INSERT INTO notice (text) VALUES ($1)", text)
            await db.execute("SELECT pg_notify('boneyard', 'bans')")
        case BanLifted(who=who):
            await db.execute("DELETE FROM bans WHERE who = $1", who)
            await db.execute("SELECT pg_notify('boneyard', 'bans')")
