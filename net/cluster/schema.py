"""The tables of a cluster's database: making them, and from each version to the next."""

import asyncpg

from net.cluster.errors import ClusterError

VERSION = 6
"""Of the tables that this program makes and knows."""
OLDEST = 1
"""The oldest program that can work with them, so that nodes are upgraded one after the other."""
OLDEST_SERVER = 13
"""The PostgreSQL that the statements need."""
MIGRATING = 0x426F6E6579617264
"""The advisory lock of whoever makes or changes the tables."""

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
-- unresumed: why it could not be restored, and tokens: who had a seat there then.
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
MIGRATIONS = (_FIRST, _KEYS, _OPENINGS, _BOUND, _PEOPLE, _LINKS)
"""From version 0, an empty database, to 1, and so on. All after the first only add, so that older nodes go on."""


async def migrate(db: asyncpg.Connection, where: str) -> None:
    """Make the tables, or bring them to this version, unless somebody has. Raises ClusterError, asyncpg's errors."""
    if (server := db.get_server_version()).major < OLDEST_SERVER:
        raise ClusterError(
            f"PostgreSQL at {where} has version {server.major}, but Boneyard needs {OLDEST_SERVER} or newer."
        )
    if await _version(db, where) >= VERSION:
        return
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", MIGRATING)
        version = await _version(db, where)  # another node may have been first
        for step in MIGRATIONS[version:]:
            await db.execute(step)
        if version < VERSION:
            await db.execute("DELETE FROM boneyard.version")
            await db.execute("INSERT INTO boneyard.version VALUES ($1, $2)", VERSION, OLDEST)


async def _version(db: asyncpg.Connection, where: str) -> int:
    """The version of the tables; 0 when there are none. Raises ClusterError if they are too new for this program."""
    if not await db.fetchval("SELECT 1 FROM pg_tables WHERE schemaname = 'boneyard' AND tablename = 'version'"):
        return 0
    row = await db.fetchrow("SELECT version, oldest FROM boneyard.version")
    if row is None:
        raise ClusterError(f"The tables at {where} have no version; restore a backup.")
    version, oldest = int(row[0]), int(row[1])
    if oldest > VERSION:
        raise ClusterError(
            f"The tables at {where} have version {version}, but this Boneyard supports up to {VERSION}; "
            "use a newer Boneyard."
        )
    return version
