"""Membership of a node: it renews its lease by heartbeats in the database, and removes nodes whose lease has expired.

Every node has an id that is never reused. It holds an advisory lock under that id, which PostgreSQL releases when the
node's process or machine is gone, and sends a heartbeat every `HEARTBEAT` seconds. Only the database's clock counts.
No stored data depends on the lease: a node that is removed while it runs finds its tables fenced, and rejoins under
another id.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping

import asyncpg
from msgspec import Struct

from net.cluster.database import ClusterError, ConnectionLostError, Database, translate_errors
from net.logs import fields
from net.loop import Listeners, run_forever, wait_at_most

HEARTBEAT = 0.25
"""Seconds between two heartbeats."""
LEASE_WITHOUT_LOCK = 0.4
"""Lease of a node without its lock, in seconds of the database's clock: more than a heartbeat, so that a node may
lose a connection and open another.
"""
SUSPECT_HEARTBEAT = 0.05
"""Seconds between two heartbeats while another node is late, or without its lock."""
LEASE = 2.0
"""Lease of a node with its lock, in seconds: when it expires, the node hangs, or its machine does."""
MIN_OBSERVATION = 3.0
"""Seconds for which a connection must have lasted before its node removes a node that it has not seen alive over it:
after a restart of PostgreSQL or a failover, all nodes need a moment to reconnect.
"""
HEARTBEAT_TIMEOUT = 1.5
"""Seconds to wait for the answer to a heartbeat."""
LOCKS = 0x426F6E65
"""Upper half of the keys of the nodes' locks; the lower half is the id."""
CHANNEL = "boneyard"
TABLES = "tables"
"""Notice that lists of tables have changed."""
log = logging.getLogger(__name__)

_IS_LOCKED = f"""EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid::bigint = {LOCKS} AND objid::bigint = hosts.id
)"""
_IS_EXPIRED = f"""(
    hosts.seen < clock_timestamp() - interval '{LEASE} s'
    OR hosts.seen < clock_timestamp() - interval '{LEASE_WITHOUT_LOCK} s' AND NOT {_IS_LOCKED}
)"""
_IS_SETTLED = f"""(
    SELECT backend_start < clock_timestamp() - interval '{MIN_OBSERVATION} s' FROM pg_stat_activity
    WHERE pid = pg_backend_pid()
)"""
_MAY_DELETE = f"({_IS_EXPIRED} AND (id = ANY ($4::bigint[]) OR {_IS_SETTLED}))"
_TRY_LOCK = f"SELECT pg_try_advisory_lock({LOCKS}::bigint << 32 | $1)"
_SEND_HEARTBEAT = f"""
WITH here AS (
    UPDATE hosts SET seen = clock_timestamp(), tables = $2, draining = $3 WHERE id = $1 RETURNING id
)
SELECT id, node, role, address, tables, draining, id <> $1 AND {_MAY_DELETE} AS expired,
    EXISTS (SELECT FROM here) AS alive,
    id = $1 OR hosts.seen > clock_timestamp() - interval '{LEASE_WITHOUT_LOCK} s' AND {_IS_LOCKED} AS well
FROM hosts ORDER BY id
"""
_DELETE_EXPIRED = f"DELETE FROM hosts WHERE id = ANY ($1::bigint[]) AND {_IS_EXPIRED} RETURNING node"
_INSERT_NODE = """
INSERT INTO hosts (id, node, role, address, software, seen) VALUES ($1, $2, $3, $4, $5, clock_timestamp())
ON CONFLICT (node) DO NOTHING RETURNING id
"""
_DELETE_EXPIRED_NAMESAKE = f"DELETE FROM hosts WHERE node = $1 AND {_IS_EXPIRED}"


class Peer(Struct, frozen=True):
    """A living node, as of the last heartbeat."""

    id: int
    node: str
    role: str
    address: str
    """Address where it accepts trunks; empty for a gateway."""
    tables: int
    draining: bool

    @property
    def is_table_host(self) -> bool:
        """True if it runs tables."""
        return bool(self.address)


class NameTakenError(ClusterError):
    """Another living node has this node's name."""


class Membership:
    """This node's place in the cluster. `run` sends heartbeats until it is cancelled."""

    def __init__(
        self, database: Database, node: str, *, role: str, address: str, software: str, tables: Callable[[], int]
    ) -> None:
        """`address` is where a table host accepts trunks; `tables` returns the number of tables of this node."""
        self.id = 0
        """Id of this node; it changes if its lease expires."""
        self.node = node
        self.draining = False
        self.peers: Mapping[int, Peer] = {}
        """All living nodes by id, including this one."""
        self._database = database
        self._identity = (node, role, address, software)
        self._tables = tables
        self._db: asyncpg.Connection | None = None
        self._has_lock = False
        self._connection_lock = asyncio.Lock()
        """Held while the connection is in use."""
        self._seen_alive: set[int] = set()
        """Nodes that were seen alive over this connection to the database."""
        self._is_suspicious = False
        self._wake = asyncio.Event()
        """Set to send the next heartbeat at once."""
        self.error: Exception | None = None
        """Reason why heartbeats fail at the moment."""
        self.notices = Listeners[str]("notice-not-told")
        """Called with each notice of other nodes, and with an empty text when some may have been missed."""
        self.on_expired = Listeners[()]("burial-not-told")
        """Called when others have removed this node: it owns none of its tables any more."""
        self._unsent_notices: set[str] = set()

    def notify(self, notice: str, *, at_once: bool = False) -> None:
        """Notify all nodes, with the next heartbeat or, if `at_once`, with a heartbeat now."""
        self._unsent_notices.add(notice)
        if at_once:
            self._wake.set()

    async def join(self) -> None:
        """Register this node. Raises ClusterError; NameTakenError if another living node has this name."""
        deadline = asyncio.get_running_loop().time() + LEASE + 2 * HEARTBEAT
        while True:
            try:
                await self._register()
                await self._send_heartbeat()
                return
            except NameTakenError:  # perhaps this node's own former id, whose lease runs out
                if asyncio.get_running_loop().time() > deadline:
                    raise
                await asyncio.sleep(HEARTBEAT / 5)

    async def run(self) -> None:
        """Send heartbeats forever. Raises ClusterError when this node cannot be a member any more."""
        await run_forever(self._heartbeat_or_reconnect, "beat-failed", raises=(ClusterError,))

    async def _heartbeat_or_reconnect(self) -> None:
        try:
            async with self._connection_lock:
                if self._db is None:
                    await self._reconnect()
                await self._send_heartbeat()
            if self.error:
                log.warning("beating-again")
            self.error = None
        except ConnectionLostError as error:
            self._close_connection()
            if self.error is None:
                log.error("cannot-beat", extra=fields(error=error))
                self._wake.set()  # reconnect at once the first time
            self.error = error
        await wait_at_most(SUSPECT_HEARTBEAT if self._is_suspicious else HEARTBEAT, self._wake.wait())
        self._wake.clear()

    async def leave(self) -> None:
        """Unregister this node, so that the others need not wait for its lease; harmless without a connection."""
        async with self._connection_lock:
            if self._db is not None and not self._db.is_closed():
                try:
                    with translate_errors(self._database.place):
                        await self._db.execute("DELETE FROM hosts WHERE id = $1", self.id)
                        await self._db.execute("SELECT pg_notify($1, 'hosts')", CHANNEL)
                except ClusterError as error:
                    log.warning("left-silently", extra=fields(error=error))
            self._close_connection()

    async def _register(self) -> None:
        """Register under a new id, and under this node's name unless a living node has it."""
        db = await self._connect()
        try:
            with translate_errors(self._database.place):
                node_id = int(await db.fetchval("SELECT nextval('host_ids')"))
                self._has_lock = bool(await db.fetchval(_TRY_LOCK, node_id))
                async with db.transaction():
                    await db.execute(_DELETE_EXPIRED_NAMESAKE, self.node)
                    if not await db.fetchval(_INSERT_NODE, node_id, *self._identity):
                        raise NameTakenError(
                            f"Another node of this cluster is called {self.node}; give this one another --node."
                        )
        except BaseException:
            db.terminate()
            raise
        self._close_connection()
        self._db, self.id = db, node_id
        self.notices.notify("")

    async def _reconnect(self) -> None:
        """Reconnect under the same id."""
        self._db = await self._connect()
        self._has_lock = False
        self.notices.notify("")

    async def _connect(self) -> asyncpg.Connection:
        # a heartbeat that is lost in a crash does no harm
        db = await self._database.connect(synchronous_commit="off")
        with translate_errors(self._database.place):
            await db.add_listener(CHANNEL, lambda _db, _pid, _channel, notice: self.notices.notify(notice))
            db.add_termination_listener(lambda _db: self._wake.set())
        self._seen_alive = set()
        return db

    async def _send_heartbeat(self) -> None:
        if self._db is None:
            return
        with translate_errors(self._database.place):
            if not self._has_lock:
                self._has_lock = bool(await self._db.fetchval(_TRY_LOCK, self.id, timeout=HEARTBEAT_TIMEOUT))
            seen_alive = sorted(self._seen_alive)
            rows = await self._db.fetch(
                _SEND_HEARTBEAT, self.id, self._tables(), self.draining, seen_alive, timeout=HEARTBEAT_TIMEOUT
            )
            if not rows or not rows[0]["alive"]:
                await self._rejoin()
                return
            self._seen_alive |= {row["id"] for row in rows if row["well"]}
            self._is_suspicious = not all(row["well"] for row in rows)
            if expired := [row["id"] for row in rows if row["expired"]]:
                for (node,) in await self._db.fetch(_DELETE_EXPIRED, expired, timeout=HEARTBEAT_TIMEOUT):
                    log.warning("expired-node-removed", extra=fields(node=node))
                    self._unsent_notices.add("hosts")
            notices, self._unsent_notices = self._unsent_notices, set()
            if notices:
                await self._db.execute(
                    "SELECT pg_notify($1, what) FROM unnest($2::text[]) AS what", CHANNEL, [*notices]
                )
        peers = {
            row["id"]: Peer(*(row[name] for name in Peer.__struct_fields__)) for row in rows if not row["expired"]
        }
        if peers.keys() != self.peers.keys():
            self.peers = peers
            self.notices.notify("hosts")
        self.peers = peers

    async def _rejoin(self) -> None:
        """Rejoin under a new id: others have removed this node, and have its tables or will."""
        log.error("was-taken-for-dead")  # the formatter adds the node
        self.on_expired.notify()
        await self._register()
        self._wake.set()  # list the other nodes at once

    def _close_connection(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.terminate()
