"""A cluster's database: connections, their errors as sentences, and its tables, by version."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Self

import asyncpg

from net.storage.permissions import StoreError


class ClusterError(StoreError, OSError):
    """The cluster's database cannot carry out a request."""


class ConnectionLostError(ClusterError):
    """No answer came, or none for now: the statement may have been executed or not, and a retry may help."""


@contextmanager
def translate_errors(place: str) -> Iterator[None]:
    """Translate every exception of asyncpg to a ClusterError; `place` names the database, without its password."""
    try:
        yield
    except ClusterError:
        raise
    except asyncpg.PostgresError as error:
        raise _refusal(error, place) from error
    except (OSError, asyncpg.InterfaceError, asyncpg.InternalClientError, asyncio.IncompleteReadError) as error:
        reason = _brief(error)
        if isinstance(error, TimeoutError):
            reason = "it does not answer in time"
        elif isinstance(error, asyncpg.InternalClientError):  # its text has numbers of asyncpg's states
            reason = "a statement was interrupted, and its connection was closed"
        raise ConnectionLostError(f"PostgreSQL at {place} cannot be reached: {reason}.") from error


def _refusal(error: asyncpg.PostgresError, place: str) -> ClusterError:
    """Return the error for a refusal by PostgreSQL, according to its SQLSTATE."""
    state = str(getattr(error, "sqlstate", None) or "")
    match state:
        case "28P01" | "28000":
            return ClusterError(f"PostgreSQL at {place} refuses the user or the password: {_brief(error)}.")
        case "3D000":
            name = place.rpartition("/")[2]
            return ClusterError(f"There is no database {name} at {place}; create it with: createdb {name}")
        case "42501":
            return ClusterError(f"The user may not do that at {place}: {_brief(error)}.")
        case "53300":
            return ConnectionLostError(f"PostgreSQL at {place} has no connection left; raise its max_connections.")
        case "53100":
            return ConnectionLostError(f"The disk of PostgreSQL at {place} is full; free some space.")
        case "23503":  # names and sessions reference a living node
            return ConnectionLostError(
                f"This node's lease has expired at {place}; it joins the cluster again by itself."
            )
        case _ if state.startswith("53"):
            return ConnectionLostError(f"PostgreSQL at {place} has no room left: {_brief(error)}.")
        case _ if state.startswith(("25006", "08", "57P")):  # also a standby that was the primary a moment ago
            return ConnectionLostError(f"PostgreSQL at {place} takes no writes now: {_brief(error)}.")
        case _ if state.startswith(("40", "55", "57")):  # deadlock, lock not available, time limit
            return ConnectionLostError(f"PostgreSQL at {place} is too busy: {_brief(error)}.")
    return ClusterError(f"PostgreSQL at {place} fails: {_brief(error)} ({state or 'no code'}).")


def _brief(error: BaseException) -> str:
    """Return the first line of an error, without the stop at its end."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


CONNECT_TIMEOUT = 3.0
"""Seconds to wait for a connection; within one building it takes some milliseconds."""
STATEMENT_TIMEOUT = 5.0
"""Seconds to wait for the answer to one statement."""
POOL_SIZE = 4
"""Connections in the pool, for rare work. Saving and heartbeats have connections of their own."""
_SETTINGS = {
    "search_path": "boneyard",
    "application_name": "boneyard",
    "jit": "off",  # compiling a plan takes longer than any statement here
    "idle_in_transaction_session_timeout": "2000",  # milliseconds: a suspended process must not keep its locks
    "lock_timeout": "4000",
    "tcp_keepalives_idle": "2",  # seconds: the locks of a dead machine are released soon
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
}


class Database:
    """A PostgreSQL database; once open, its tables have the right version."""

    def __init__(self, url: str) -> None:
        """`url` is a libpq URL: postgresql://USER:PASSWORD@HOST:PORT/DATABASE, also with several hosts."""
        self._url = url
        self.place = redacted_address(url)
        """Name of the database in sentences: without user and password."""
        self._pool: asyncpg.Pool | None = None

    async def __aenter__(self) -> Self:
        """Connect, and create or migrate the tables. Raises ClusterError."""
        with translate_errors(self.place):
            db = await self.connect()
            try:
                await migrate(db, self.place)
            finally:
                await db.close()
            self._pool = await asyncpg.create_pool(min_size=0, max_size=POOL_SIZE, **self._connection_options({}))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.terminate()

    async def connect(self, **settings: str) -> asyncpg.Connection:
        """Open a separate connection; `settings` are PostgreSQL's. Raises ClusterError."""
        with translate_errors(self.place):
            try:
                return await asyncpg.connect(**self._connection_options(settings))
            except ValueError as error:
                raise ClusterError(
                    f"“{self.place}” is not the address of a PostgreSQL database ({_brief(error)}); "
                    "write postgresql://USER:PASSWORD@HOST:PORT/DATABASE."
                ) from error

    @asynccontextmanager
    async def pooled_connection(self) -> AsyncIterator[asyncpg.Connection]:
        """Borrow a connection of the pool for the block. Raises ClusterError."""
        if self._pool is None:
            raise ClusterError(f"The connection to {self.place} is not open.")
        with translate_errors(self.place):
            async with self._pool.acquire(timeout=CONNECT_TIMEOUT) as db:
                yield db

    async def execute(self, statement: str, *values: object) -> None:
        """Execute a statement over a pooled connection, as do `fetch` and `fetchval`. Raises ClusterError."""
        async with self.pooled_connection() as db:
            await db.execute(statement, *values)

    async def fetch(self, statement: str, *values: object) -> list[asyncpg.Record]:
        """Return the rows of a statement."""
        async with self.pooled_connection() as db:
            return list(await db.fetch(statement, *values))

    async def fetchval(self, statement: str, *values: object) -> Any:
        """Return the first value of the first row; None without one."""
        async with self.pooled_connection() as db:
            return await db.fetchval(statement, *values)

    def _connection_options(self, settings: dict[str, str]) -> dict[str, Any]:
        return {
            "dsn": self._url,
            "timeout": CONNECT_TIMEOUT,
            "command_timeout": STATEMENT_TIMEOUT,
            "server_settings": {**_SETTINGS, **settings},
        }


def redacted_address(url: str) -> str:
    """Return a database's address without user, password and parameters."""
    return url.partition("://")[2].partition("?")[0].rpartition("@")[2] or "no address"


VERSION = 7
"""Version of the tables that this program creates."""
OLDEST = 1
"""Oldest program version that can use them, so that nodes can be upgraded one by one."""
OLDEST_SERVER = 13
"""Oldest PostgreSQL that supports the statements."""
MIGRATING = 0x426F6E6579617264
"""Advisory lock of the node that creates or migrates the tables."""
MIGRATION_TIMEOUT = 60
"""Seconds for creating or migrating the tables, and to wait for another node that does: nodes start together."""

_FIRST = """
CREATE SCHEMA IF NOT EXISTS boneyard;
CREATE TABLE boneyard.version (version integer NOT NULL, oldest integer NOT NULL);

-- Nodes that are alive, or were a moment ago. A node that starts again has another id.
CREATE SEQUENCE boneyard.host_ids;
CREATE TABLE boneyard.hosts (
    id bigint PRIMARY KEY, node text NOT NULL UNIQUE, role text NOT NULL, address text NOT NULL,
    software text NOT NULL, seen timestamptz NOT NULL, tables integer NOT NULL DEFAULT 0,
    draining boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- Names of keys, and while their node is alive (host) names of guests without one.
CREATE TABLE boneyard.names (
    token text PRIMARY KEY, name text NOT NULL, host bigint REFERENCES boneyard.hosts ON DELETE CASCADE
);
CREATE INDEX names_host ON boneyard.names (host) WHERE host IS NOT NULL;
CREATE TABLE boneyard.skeletons (
    skeleton text PRIMARY KEY, token text NOT NULL REFERENCES boneyard.names ON DELETE CASCADE
);
CREATE INDEX skeletons_token ON boneyard.skeletons (token);
CREATE TABLE boneyard.bans (who text PRIMARY KEY, why text NOT NULL, since text NOT NULL);

-- owner: the id of the host that runs the table, 0 for nobody; epoch: how often it was taken over;
-- sequence: how often it was saved; match: which of its matches is the last; changed: when the owner was another.
-- unresumed: why it could not be resumed, and tokens: who had a seat there then.
CREATE SEQUENCE boneyard.table_numbers INCREMENT BY 100;
CREATE TABLE boneyard.tables (
    number bigint PRIMARY KEY, owner bigint NOT NULL, epoch bigint NOT NULL, sequence bigint NOT NULL,
    kept text NOT NULL, match integer NOT NULL, unresumed text NOT NULL DEFAULT '',
    tokens text[] NOT NULL DEFAULT '{}', changed xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (fillfactor = 70);
CREATE INDEX tables_owner ON boneyard.tables (owner);
CREATE INDEX tables_changed ON boneyard.tables (changed);

-- Tables as gateways show them, and the numbers of those that are gone.
CREATE TABLE boneyard.listed (
    number bigint PRIMARY KEY, listed bytea NOT NULL, changed xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX listed_changed ON boneyard.listed (changed);
CREATE TABLE boneyard.closed (
    number bigint PRIMARY KEY, changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX closed_changed ON boneyard.closed (changed);

-- The lines of a match are its record; once it is over, everybody may read them.
CREATE TABLE boneyard.matches (
    "table" bigint NOT NULL, match integer NOT NULL, game text NOT NULL,
    began timestamptz NOT NULL DEFAULT clock_timestamp(), over timestamptz, PRIMARY KEY ("table", match)
);
CREATE INDEX matches_over ON boneyard.matches (over) WHERE over IS NOT NULL;
CREATE TABLE boneyard.lines (
    "table" bigint NOT NULL, match integer NOT NULL, number integer NOT NULL, line text NOT NULL,
    PRIMARY KEY ("table", match, number)
);

-- What one key or one network may do in the whole cluster.
CREATE TABLE boneyard.sessions (
    key text NOT NULL, host bigint NOT NULL REFERENCES boneyard.hosts ON DELETE CASCADE, count integer NOT NULL,
    PRIMARY KEY (key, host)
);
CREATE INDEX sessions_host ON boneyard.sessions (host);
CREATE TABLE boneyard.wrong_codes (
    network text PRIMARY KEY, wrong double precision NOT NULL, at timestamptz NOT NULL
);
"""
_KEYS = """
-- The fingerprints of what all nodes must have: cluster.pem and host_key.
CREATE TABLE boneyard.keys (name text PRIMARY KEY, fingerprint text NOT NULL);
"""
_OPENINGS = """
-- Tables by who opened them and from where; without a number, those that are about to be opened.
CREATE TABLE boneyard.openings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, maker text NOT NULL, address text NOT NULL,
    "table" bigint REFERENCES boneyard.tables ON DELETE CASCADE, at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX openings_maker ON boneyard.openings (maker);
CREATE INDEX openings_address ON boneyard.openings (address);
CREATE INDEX openings_table ON boneyard.openings ("table");
"""
_BOUND = """
-- Keys that have joined the account of another, and codes with which one more may do so until then.
CREATE TABLE boneyard.bound (key text PRIMARY KEY, token text NOT NULL);
CREATE INDEX bound_token ON boneyard.bound (token);
CREATE TABLE boneyard.offers (code text PRIMARY KEY, token text NOT NULL, until timestamptz NOT NULL);
"""
_PEOPLE = """
-- Who is at a gateway, as far as lobbies name them, and how many they are.
CREATE TABLE boneyard.people (
    host bigint PRIMARY KEY REFERENCES boneyard.hosts ON DELETE CASCADE, names text[] NOT NULL, count integer NOT NULL
);
"""
_LINKS = """
-- Records by what links to them have: the first digits of the chain in their seal.
CREATE INDEX lines_link ON boneyard.lines (substring(line from '"chain":"([0-9a-f]{32})'))
    WHERE line LIKE '{"type":"seal"%';
"""
_NOTICE = """
-- The text that everybody reads on entering, in a single row.
CREATE TABLE boneyard.notice (single boolean PRIMARY KEY DEFAULT true CHECK (single), text text NOT NULL);
"""
MIGRATIONS = (_FIRST, _KEYS, _OPENINGS, _BOUND, _PEOPLE, _LINKS, _NOTICE)
"""Migrations from version 0, an empty database, to 1, and so on. All after the first only add, so that older nodes
continue to work.
"""


async def migrate(db: asyncpg.Connection, place: str) -> None:
    """Create the tables, or migrate them to this version, if necessary. Raises ClusterError, asyncpg's errors."""
    if (server := db.get_server_version()).major < OLDEST_SERVER:
        raise ClusterError(
            f"PostgreSQL at {place} has version {server.major}, but Boneyard needs {OLDEST_SERVER} or newer."
        )
    if await _version(db, place) >= VERSION:
        return
    async with db.transaction():
        await db.execute(f"SET LOCAL lock_timeout = '{MIGRATION_TIMEOUT}s'")
        await db.execute("SELECT pg_advisory_xact_lock($1)", MIGRATING, timeout=MIGRATION_TIMEOUT)
        version = await _version(db, place)  # another node may have been first
        for step in MIGRATIONS[version:]:
            await db.execute(step, timeout=MIGRATION_TIMEOUT)
        if version < VERSION:
            await db.execute("DELETE FROM boneyard.version")
            await db.execute("INSERT INTO boneyard.version VALUES ($1, $2)", VERSION, OLDEST)


async def _version(db: asyncpg.Connection, place: str) -> int:
    """Return the version of the tables; 0 when there are none. Raises ClusterError if they are too new for this
    program.
    """
    if not await db.fetchval("SELECT 1 FROM pg_tables WHERE schemaname = 'boneyard' AND tablename = 'version'"):
        return 0
    row = await db.fetchrow("SELECT version, oldest FROM boneyard.version")
    if row is None:
        raise ClusterError(f"The tables at {place} have no version; restore a backup.")
    version, oldest = int(row[0]), int(row[1])
    if oldest > VERSION:
        raise ClusterError(
            f"The tables at {place} have version {version}, but this Boneyard supports up to {VERSION}; "
            "use a newer Boneyard."
        )
    return version


async def check_keys(database: Database, fingerprints: Mapping[Path, str]) -> None:
    """Compare the key files of a node, by path, with those of the cluster; the first node sets them.

    PostgreSQL stores only fingerprints, from which no key can be derived. Raises ClusterError for a file that
    differs, so that a node with another secret or host key cannot join.
    """
    async with database.pooled_connection() as db, db.transaction():
        for path, fingerprint in sorted(fingerprints.items()):
            await db.execute(
                "INSERT INTO keys (name, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING", path.name, fingerprint
            )
            cluster_fingerprint = await db.fetchval("SELECT fingerprint FROM keys WHERE name = $1", path.name)
            if cluster_fingerprint != fingerprint:
                raise ClusterError(
                    f"{path} is {fingerprint}, but that of this cluster is {cluster_fingerprint}; "
                    "copy it from another node."
                )
