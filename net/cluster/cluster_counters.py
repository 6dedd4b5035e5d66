"""Counters that all gateways of a cluster share: sessions of one key, and wrong invitation codes of one network.

While the database does not answer, a gateway is degraded: it counts alone.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from net.cluster.database import Database
from net.host.access import Quotas
from net.limits import Limits
from net.logs import fields
from net.loop import Tasks, run_forever

# The lock serialises gateways that claim a session of the same key at once.
_CLAIM = """
WITH alone AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('session ' || $1, 0)))
INSERT INTO sessions (key, host, count) SELECT $1, $2, 1 FROM alone
ON CONFLICT (key, host) DO UPDATE SET count = sessions.count + 1
"""
_COUNT_SESSIONS = "SELECT coalesce(sum(count), 0) FROM sessions WHERE key = $1"
_RELEASE = """
WITH fewer AS (UPDATE sessions SET count = count - 1 WHERE key = $1 AND host = $2 AND count > 1 RETURNING 1)
DELETE FROM sessions WHERE key = $1 AND host = $2 AND NOT EXISTS (SELECT FROM fewer)
"""
_INSERT_SESSIONS = """
INSERT INTO sessions (key, host, count)
SELECT given.key, $1, given.count FROM unnest($2::text[], $3::int[]) AS given (key, count)
"""
_UNFORGIVEN = "greatest(0, wrong_codes.wrong - extract(epoch FROM clock_timestamp() - wrong_codes.at) / $2::float8)"
"""Wrong codes that are not forgiven yet."""
_TRY_CODE = f"""
INSERT INTO wrong_codes (network, wrong, at) VALUES ($1, 1, clock_timestamp())
ON CONFLICT (network) DO UPDATE SET at = clock_timestamp(), wrong = 1 + {_UNFORGIVEN}
    WHERE {_UNFORGIVEN} <= $3::float8 - 1
RETURNING wrong
"""
_FORGIVE = "UPDATE wrong_codes SET wrong = greatest(0, wrong - 1) WHERE network = $1"
_DELETE_FORGIVEN = "DELETE FROM wrong_codes WHERE wrong < extract(epoch FROM clock_timestamp() - at) / $1::float8"


class CounterTable:
    """The shared counters in the database."""

    def __init__(self, database: Database, limits: Limits) -> None:
        self._database = database
        self._limits = limits

    async def claim_session(self, key: str, host: int) -> bool:
        """Count a session of a key at this node, unless the key has reached its limit; return True if
        it was counted. Raises ClusterError.
        """
        async with self._database.pooled_connection() as db:
            transaction = db.transaction()
            await transaction.start()
            await db.execute(_CLAIM, key, host)
            if await db.fetchval(_COUNT_SESSIONS, key) > self._limits.sessions_per_key:
                await transaction.rollback()
                return False
            await transaction.commit()
            return True

    async def release_session(self, key: str, host: int) -> None:
        """Count the session out. Raises ClusterError."""
        await self._database.execute(_RELEASE, key, host)

    async def put_sessions(self, sessions: Mapping[str, int], host: int) -> None:
        """Replace the counts of all sessions at this node. Raises ClusterError."""
        async with self._database.pooled_connection() as db, db.transaction():
            await db.execute("DELETE FROM sessions WHERE host = $1", host)
            await db.execute(_INSERT_SESSIONS, host, list(sessions), list(sessions.values()))

    async def try_code(self, network: str) -> bool:
        """Count a try at a code, unless its network has sent too many wrong ones; return True if
        it was counted. Raises ClusterError.
        """
        forgiven, limit = self._limits.wrong_invitation_forgiven, self._limits.wrong_invitations
        return await self._database.fetchval(_TRY_CODE, network, forgiven, limit) is not None

    async def forgive_code(self, network: str) -> None:
        """Uncount the try: the code was right. Raises ClusterError."""
        await self._database.execute(_FORGIVE, network)

    async def forget_forgiven(self) -> None:
        """Delete networks all of whose wrong codes are forgiven. Raises ClusterError."""
        await self._database.execute(_DELETE_FORGIVEN, self._limits.wrong_invitation_forgiven)


DATABASE_TIMEOUT = 1.0
"""Seconds for the database to answer. Then this gateway admits the guest and is degraded."""
RESYNC_INTERVAL = 0.5
"""Seconds between two tries to resynchronise."""
PURGE_EVERY = 120
"""Every 120th of these iterations purges forgiven codes."""
log = logging.getLogger(__name__)


class ClusterCounters(Quotas):
    """Quotas that all gateways of a cluster share. `run` resynchronises the counts until it is cancelled."""

    def __init__(self, shared: CounterTable, limits: Limits, host: Callable[[], int]) -> None:
        """`host` returns the id of this node."""
        super().__init__(limits)
        self.degraded = False
        """True while degraded: the counts here may be missing in the database, which is therefore not asked."""
        self._shared = shared
        self._host = host
        self._pending_queries = 0
        """Number of unanswered queries."""
        self._iterations = 0
        self._tasks = Tasks()

    async def claim_session(self, key: str) -> bool:
        if not await super().claim_session(key):  # count now: another session may be requested meanwhile
            return False
        allowed = False
        try:
            allowed = await self._query(lambda: self._shared.claim_session(key, self._host()))
        finally:
            if not allowed:
                super().release_session(key)
        return allowed

    def release_session(self, key: str) -> None:
        super().release_session(key)
        self._update(lambda: self._shared.release_session(key, self._host()))

    async def try_code(self, network: str) -> bool:
        if not await super().try_code(network):
            return False
        if not (allowed := await self._query(lambda: self._shared.try_code(network))):
            self.lock_out(network)
        return allowed

    def forgive_code(self, network: str) -> None:
        super().forgive_code(network)
        self._update(lambda: self._shared.forgive_code(network))

    def degrade(self, error: object = None) -> None:
        """Become degraded: the database does not answer, or has lost the counts of this gateway."""
        if not self.degraded:
            log.warning("counts-alone", extra=fields(error=error))
        self.degraded = True

    async def run(self) -> None:
        """Resynchronise with the other gateways whenever that is possible, forever."""
        await run_forever(self._resync_or_purge, "counts-not-kept")

    async def _resync_or_purge(self) -> None:
        await asyncio.sleep(RESYNC_INTERVAL)
        self._iterations += 1
        try:
            if self.degraded and not self._pending_queries:
                await self.resync()
            elif self._iterations % PURGE_EVERY == 0:
                await self._shared.forget_forgiven()
        except OSError as error:
            self.degrade(error)

    async def flush(self) -> None:
        """Wait until all changes have reached the database, or failed after `DATABASE_TIMEOUT` seconds."""
        while self._tasks:
            await self._tasks.wait()

    async def resync(self) -> None:
        """Write the counts of this gateway to the database. Raises OSError."""
        sessions = dict(self._sessions)
        async with asyncio.timeout(DATABASE_TIMEOUT):
            await self._shared.put_sessions(sessions, self._host())
        if sessions == self._sessions:  # else retry with the next iteration
            self.degraded = False
            log.warning("counts-together")

    async def _query(self, query: Callable[[], Coroutine[Any, Any, bool]]) -> bool:
        """Return the database's answer. If there is none, return True: then the local count decides."""
        if self.degraded:
            return True
        self._pending_queries += 1
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT):
                return await query()
        except OSError as error:
            self.degrade(error)
            return True
        except asyncio.CancelledError:
            self.degrade("cancelled")  # the database may have counted it or not
            raise
        finally:
            self._pending_queries -= 1

    def _update(self, call: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async def query() -> bool:
            await call()
            return True

        self._tasks.start(self._query(query), "not-counted-together", on_failure=self.degrade)
