"""Limits that hold for a whole cluster: sessions of one key, and wrong invitation codes from one network."""

from collections.abc import Mapping

from net.cluster.database import Database
from net.limits import Limits

# Of two gateways that ask at once for one key, one waits for the other.
_CLAIM = """
WITH alone AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('session ' || $1, 0)))
INSERT INTO sessions (key, host, count) SELECT $1, $2, 1 FROM alone
ON CONFLICT (key, host) DO UPDATE SET count = sessions.count + 1
"""
_COUNT = "SELECT coalesce(sum(count), 0) FROM sessions WHERE key = $1"
_RELEASE = """
WITH fewer AS (UPDATE sessions SET count = count - 1 WHERE key = $1 AND host = $2 AND count > 1 RETURNING 1)
DELETE FROM sessions WHERE key = $1 AND host = $2 AND NOT EXISTS (SELECT FROM fewer)
"""
_COUNTED = """
INSERT INTO sessions (key, host, count)
SELECT given.key, $1, given.count FROM unnest($2::text[], $3::int[]) AS given (key, count)
"""
_LEFT = "greatest(0, wrong_codes.wrong - extract(epoch FROM clock_timestamp() - wrong_codes.at) / $2::float8)"
"""Wrong codes that are not forgiven by now."""
_TRY = f"""
INSERT INTO wrong_codes (network, wrong, at) VALUES ($1, 1, clock_timestamp())
ON CONFLICT (network) DO UPDATE SET at = clock_timestamp(), wrong = 1 + {_LEFT} WHERE {_LEFT} <= $3::float8 - 1
RETURNING wrong
"""
_FORGIVE = "UPDATE wrong_codes SET wrong = greatest(0, wrong - 1) WHERE network = $1"
_FORGIVEN = "DELETE FROM wrong_codes WHERE wrong < extract(epoch FROM clock_timestamp() - at) / $1::float8"


class SharedLimits:
    """What the database of a cluster counts of all its gateways together."""

    def __init__(self, database: Database, limits: Limits) -> None:
        self._database = database
        self._limits = limits

    async def claim_session(self, key: str, host: int) -> bool:
        """Count one more session of a key at this node, unless it has as many as it may. Raises ClusterError."""
        async with self._database.borrowed() as db:
            transaction = db.transaction()
            await transaction.start()
            await db.execute(_CLAIM, key, host)
            if await db.fetchval(_COUNT, key) > self._limits.sessions_per_key:
                await transaction.rollback()
                return False
            await transaction.commit()
            return True

    async def release_session(self, key: str, host: int) -> None:
        """Count it out. Raises ClusterError."""
        async with self._database.borrowed() as db:
            await db.execute(_RELEASE, key, host)

    async def put_sessions(self, sessions: Mapping[str, int], host: int) -> None:
        """Note the sessions of all keys at this node, whatever was noted before. Raises ClusterError."""
        async with self._database.borrowed() as db, db.transaction():
            await db.execute("DELETE FROM sessions WHERE host = $1", host)
            await db.execute(_COUNTED, host, list(sessions), list(sessions.values()))

    async def try_code(self, network: str) -> bool:
        """Count a try at a code, unless there were too many wrong ones from a network. Raises ClusterError."""
        forgiven, most = self._limits.wrong_invitation_forgiven, self._limits.wrong_invitations
        async with self._database.borrowed() as db:
            return await db.fetchval(_TRY, network, forgiven, most) is not None

    async def forgive_code(self, network: str) -> None:
        """Note that the code was right, so that the try does not count. Raises ClusterError."""
        async with self._database.borrowed() as db:
            await db.execute(_FORGIVE, network)

    async def forget_forgiven(self) -> None:
        """Forget networks all of whose wrong codes are forgiven by now. Raises ClusterError."""
        async with self._database.borrowed() as db:
            await db.execute(_FORGIVEN, self._limits.wrong_invitation_forgiven)
