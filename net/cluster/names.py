"""Names in a whole cluster: each belongs to one token, with all its lookalikes, whichever gateway asks first."""

import asyncpg

from net.cluster.database import Database
from net.limits import MAX_CLUSTER_NAMES
from net.players.names_in_use import skeletons

TRIES = 10
"""How often a name is claimed anew when somebody else claimed a lookalike at the very moment."""
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


class Names:
    """The names of everybody in the cluster."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, token: str, name: str, host: int | None) -> str:
        """Give a token this name unless it belongs to another, whose token is returned; empty when it is theirs now.

        With a `host` the name is theirs as long as that node is alive, at most. Raises ClusterError.
        """
        async with self._database.borrowed() as db:
            for _ in range(TRIES - 1):
                try:
                    return str(await db.fetchval(_CLAIM, token, name, sorted(skeletons(name)), host))
                except (asyncpg.UniqueViolationError, asyncpg.DeadlockDetectedError):
                    continue
            return str(await db.fetchval(_CLAIM, token, name, sorted(skeletons(name)), host))

    async def has_room(self, token: str) -> bool:
        """Whether a token has a remembered name, or one more can be remembered, by the database's own statistics.

        Raises ClusterError.
        """
        async with self._database.borrowed() as db:
            return bool(await db.fetchval(_HAS_ROOM, token, MAX_CLUSTER_NAMES))

    async def release(self, token: str, host: int) -> None:
        """Give back a name that was claimed through this node for as long as it lives. Raises ClusterError."""
        async with self._database.borrowed() as db:
            await db.execute("DELETE FROM names WHERE token = $1 AND host = $2", token, host)

    async def of(self, token: str) -> str:
        """The name that is remembered for a token; empty for none. Raises ClusterError."""
        async with self._database.borrowed() as db:
            return str(await db.fetchval("SELECT name FROM names WHERE token = $1 AND host IS NULL", token) or "")


async def remember(db: asyncpg.Connection, token: str, name: str, *, first: bool = False) -> None:
    """Store a name that a token has, whosoever has a lookalike; of those, the first keeps what they look like.

    With `first`, a token that has a name already keeps that.
    """
    known = await db.fetchval(
        """INSERT INTO names (token, name) VALUES ($1, $2)
            ON CONFLICT (token) DO UPDATE SET name = CASE WHEN $3 THEN names.name ELSE excluded.name END, host = NULL
            RETURNING name""",
        token,
        name,
        first,
    )
    await db.execute("DELETE FROM skeletons WHERE token = $1", token)
    await db.execute(
        "INSERT INTO skeletons (skeleton, token) SELECT unnest($2::text[]), $1 ON CONFLICT DO NOTHING",
        token,
        sorted(skeletons(known)),
    )
