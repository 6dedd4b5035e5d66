"""Keeper of a host's tables in a cluster: takes over orphans, gives up tables that others own, and publishes its
list.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Set

import msgspec
from msgspec import Struct

from core.records import RecordError
from core.words import Refusal
from net.cluster.database import ClusterError, Database
from net.cluster.database_directory import forget_closed
from net.cluster.directory import DirectoryEntry
from net.cluster.membership import HEARTBEAT, TABLES, Membership
from net.cluster.store import ClusterStore, FencingToken
from net.host.server import Server
from net.logs import fields
from net.loop import Tasks, run_forever, wait_at_most
from net.players.accounts import Banned
from net.storage.sqlite import QuarantinedTable
from net.table.persistence import decode_snapshot
from net.table.table import Table

_encode = msgspec.msgpack.Encoder().encode
_INSERT_ENTRIES = """
INSERT INTO listed (number, listed)
SELECT given.number, given.listed FROM unnest($2::bigint[], $3::bytea[]) AS given (number, listed)
    JOIN tables ON tables.number = given.number AND tables.owner = $1
ON CONFLICT (number) DO UPDATE SET listed = excluded.listed, changed = pg_current_xact_id()
RETURNING number
"""


class Announcer:
    """Publishes the tables of one host to the gateways."""

    def __init__(
        self,
        database: Database,
        tables: Callable[[], Mapping[int, Table]],
        clock: Callable[[], float],
        opening_address: Callable[[int], str] = lambda _number: "",
    ) -> None:
        """`clock` returns the time of the tables, in seconds; `opening_address` the address from which a table was
        opened.
        """
        self._database = database
        self._tables = tables
        self._clock = clock
        self._opening_address = opening_address
        self._changed_tables: set[int] = set()
        self._published_entries: dict[int, bytes] = {}

    def mark_changed(self, numbers: Iterable[int]) -> None:
        """Mark tables that may have changed."""
        self._changed_tables.update(numbers)

    def forget(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._changed_tables.discard(number)
            self._published_entries.pop(number, None)

    async def announce(self, owner: int, node: str) -> bool:
        """Publish all changes; return True if any were written. Tables that were not are published the next time.

        Raises ClusterError.
        """
        tables, now = self._tables(), self._clock()
        changed_tables, self._changed_tables = self._changed_tables, set()
        new_entries = {
            number: _encode(directory_entry(tables[number], node, now, self._opening_address(number)))
            for number in changed_tables
            if number in tables
        }
        new_entries = {
            number: entry for number, entry in new_entries.items() if entry != self._published_entries.get(number)
        }
        if not new_entries:
            return False
        try:
            rows = await self._database.fetch(_INSERT_ENTRIES, owner, list(new_entries), list(new_entries.values()))
        except ClusterError:
            self._changed_tables |= new_entries.keys()
            raise
        written_numbers = {number for (number,) in rows}
        self._published_entries |= {number: new_entries[number] for number in written_numbers}
        self._changed_tables |= new_entries.keys() - written_numbers  # not saved yet
        return bool(written_numbers)


def directory_entry(table: Table, node: str, now: float, address: str = "") -> DirectoryEntry:
    """Return a table's entry for the directory; `address` is where it was opened from."""
    return DirectoryEntry(
        table.info(now), node, tuple(chair.token for chair in table.seats.chairs), table.maker, address
    )


TAKEOVER_BATCH = 50
"""Tables that a host takes over in one batch: it has to referee their matches, some 20 ms for a long one."""
_IS_ORPHAN = "unresumed = '' AND NOT EXISTS (SELECT FROM hosts WHERE id = tables.owner)"
_ORPHANS = f"SELECT number FROM tables WHERE {_IS_ORPHAN} ORDER BY number"
_CLAIM = f"""
WITH orphans AS (
    SELECT number FROM tables WHERE number = ANY ($2::bigint[]) AND ({_IS_ORPHAN} OR owner = $1)
        AND EXISTS (SELECT FROM hosts WHERE id = $1)
    ORDER BY number LIMIT $3 FOR UPDATE OF tables SKIP LOCKED
)
UPDATE tables SET owner = $1, epoch = epoch + 1, changed = pg_current_xact_id()
FROM orphans WHERE tables.number = orphans.number
RETURNING tables.number, epoch, sequence, match, kept
"""
_LINES = """
SELECT "table", line FROM lines JOIN unnest($1::bigint[], $2::integer[]) AS given (number, match)
    ON lines."table" = given.number AND lines.match = given.match
ORDER BY "table", lines.number
"""


class ClaimedTable(Struct, frozen=True):
    """A table that this host has taken over, as it was last saved."""

    number: int
    token: FencingToken
    snapshot: str
    lines: tuple[str, ...]


class OrphanClaims:
    """Takes over orphans for one host."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unconfirmed: set[int] = set()
        """Tables that a claim without an answer may have made this host's."""

    async def claim(self, owner: int, hosts: int) -> list[ClaimedTable]:
        """Take over this host's share of the orphans, if `hosts` share them; return an empty list when there are
        none.

        Raises ClusterError.
        """
        async with self._database.pooled_connection() as db:
            orphans = {number for (number,) in await db.fetch(_ORPHANS)}
            claimable = orphans | self._unconfirmed
            if not claimable:
                return []
            share = min(TAKEOVER_BATCH, -(-len(claimable) // max(1, hosts)))
            self._unconfirmed = claimable
            async with db.transaction():
                rows = sorted(await db.fetch(_CLAIM, owner, sorted(claimable), share))
                lines: dict[int, list[str]] = {row["number"]: [] for row in rows}
                for number, line in await db.fetch(
                    _LINES, [row["number"] for row in rows], [row["match"] for row in rows]
                ):
                    lines[number].append(line)
            self._unconfirmed = set()
        return [
            ClaimedTable(number, FencingToken(epoch, sequence, match), snapshot, tuple(lines[number]))
            for number, epoch, sequence, match, snapshot in rows
        ]

    async def release(self, owner: int, numbers: Iterable[int]) -> None:
        """Release these tables to other hosts. Raises ClusterError."""
        async with self._database.pooled_connection() as db:
            await db.execute(
                "UPDATE tables SET owner = 0 WHERE owner = $1 AND number = ANY ($2::bigint[])", owner, sorted(numbers)
            )
            await db.execute("SELECT pg_notify('boneyard', 'orphans')")

    async def quarantine(self, owner: int, quarantined: QuarantinedTable) -> None:
        """Quarantine a table of this host that cannot be resumed; its lines remain a record. Raises ClusterError."""
        async with self._database.pooled_connection() as db, db.transaction():
            await db.execute(
                """UPDATE tables SET unresumed = $3, owner = 0, tokens = $4, changed = pg_current_xact_id()
                    WHERE number = $2 AND owner = $1""",
                owner,
                quarantined.table,
                quarantined.reason,
                list(quarantined.tokens),
            )
            await db.execute(
                """UPDATE matches SET over = coalesce(matches.over, clock_timestamp()) FROM tables
                    WHERE number = $1 AND matches."table" = number AND matches.match = tables.match
                        AND unresumed <> ''""",
                quarantined.table,
            )

    async def quarantined(self) -> list[QuarantinedTable]:
        """Return all quarantined tables of the cluster. Raises ClusterError."""
        rows = await self._database.fetch(
            "SELECT number, unresumed, tokens FROM tables WHERE unresumed <> '' ORDER BY number"
        )
        return [QuarantinedTable(number, reason, tuple(tokens)) for number, reason, tokens in rows]


ORPHANS = "orphans"
"""Notice that tables were released."""
ORPHAN_SCAN_EVERY = 8
"""Iterations after which orphans are searched for even without a notice."""
DRAIN_BATCH = 20
"""Tables that a draining host releases in one batch: others have to referee their matches."""
STORAGE_POLL_INTERVAL = 0.1
"""Seconds between two polls of whether this host can save."""
FAIR_SHARE_DELAY = 0.1
"""Seconds in which other hosts take their share of the orphans before one takes more than its own."""
DRAIN_POLL_INTERVAL = 0.01
"""Seconds until a draining host polls again for tables without unsaved changes."""
log = logging.getLogger(__name__)


class TableNumberPool:
    """Table numbers reserved for this host, in blocks."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._numbers: list[int] = []

    @property
    def next(self) -> int:
        return self._numbers[0] if self._numbers else 0

    def take(self) -> int:
        return self._numbers.pop(0)

    def skip(self, number: int) -> None:
        """Do nothing: in a cluster, no other table can get a number that is in use."""

    async def reserve(self) -> None:
        """Refill the pool if it is low. Raises ClusterError."""
        while len(self._numbers) < LOW_WATER_MARK:
            first_number = int(await self._database.fetchval("SELECT nextval('table_numbers')"))
            self._numbers += range(first_number, first_number + BLOCK)


class Keeper:
    """Tables of one host, kept alive by `run` until it is cancelled."""

    def __init__(
        self,
        database: Database,
        member: Callable[[Callable[[], int]], Membership],
        server: Callable[[ClusterStore, TableNumberPool], Server],
    ) -> None:
        """`member` creates this node's membership, given a function that counts its tables; `server` the server of
        the tables, given their store and their numbers.
        """
        self.numbers = TableNumberPool(database)
        self.member = member(lambda: len(self.lobby.tables))
        self.store = ClusterStore(database, lambda: self.member.id, self._give_up)
        self.server = server(self.store, self.numbers)
        self.lobby = lobby = self.server.lobby
        self._database = database
        self._claims = OrphanClaims(database)
        self._announcer = Announcer(database, lambda: lobby.tables, lobby.clock, lobby.opening_address)
        self._wake = asyncio.Event()
        self._may_have_orphans = True
        """True if there may be orphans."""
        self._bans_changed = True
        self._iterations = 0
        self._last_error: Exception | None = None
        self._is_taking_over = False
        self._table_taken = asyncio.Event()
        """Set whenever a table was taken over, and then replaced."""
        self.server.on_touch = lambda number: self._announcer.mark_changed([number])
        self.server.before_join = self._wait_for_takeover
        self.member.notices.add(self._on_notice)
        self.member.on_expired.add(self._give_up_all)

    @property
    def problem(self) -> str:
        """Problem that keeps this host from working; empty if there is none."""
        error = self.member.error or self._last_error
        return str(error) if error else ""

    async def open(self) -> None:
        """Join the cluster, and take over the first tables. Raises ClusterError."""
        await self.member.join()
        await self.numbers.reserve()
        for quarantined in await self._claims.quarantined():
            self.lobby.quarantined_tables.add(quarantined.table, quarantined.tokens)
        await self._take_over()

    async def run(self) -> None:
        """Work forever. Raises ClusterError when this node cannot be a member any more."""
        async with Tasks() as tasks:
            tasks.start(run_forever(self._work_once, "work-failed"), "work-failed")
            await self.member.run()

    async def drain(self) -> int:
        """Hand all tables over to other hosts, and take no more; return their number. Raises ClusterError."""
        if not self.other_table_hosts:
            raise ClusterError("No other host of this cluster takes tables, so there is nobody to hand them over to.")
        self.member.draining = True
        count = 0
        while self.lobby.tables:
            # Skip tables with unsaved changes. Clients repeat later requests at the next host.
            numbers = sorted(self.lobby.tables.keys() - self.server.pending_tables)[:DRAIN_BATCH]
            if not numbers:
                await asyncio.sleep(DRAIN_POLL_INTERVAL)
                continue
            self._give_up(set(numbers))
            await self.store.wait_settled()
            await self._claims.release(self.member.id, numbers)
            count += len(numbers)
            await asyncio.sleep(HEARTBEAT)
        log.info("drained", extra=fields(tables=count))
        return count

    async def aclose(self) -> None:
        """Finish pending writes, and leave the cluster."""
        await self.store.aclose()
        await self.member.leave()

    async def _work_once(self) -> None:
        await wait_at_most(HEARTBEAT, self._wake.wait())
        self._wake.clear()
        self._iterations += 1
        is_done = False
        try:
            await self.numbers.reserve()
            if self._bans_changed:
                self._bans_changed = False
                # all bans of the cluster: its operator may work from this node
                rows = await self._database.fetch("SELECT who, why, since FROM bans")
                self.lobby.accounts.bans = {who: Banned(who, why, since) for who, why, since in rows}
            if self._may_have_orphans or self._iterations % ORPHAN_SCAN_EVERY == 0:
                self._may_have_orphans = False
                await self._take_over()
            if await self._announcer.announce(self.member.id, self.member.node):
                self.member.notify(TABLES)
            if self._iterations % 1000 == 0:
                await forget_closed(self._database)
            self._last_error, is_done = None, True
        except ClusterError as error:
            if self._last_error is None:
                log.error("cannot-keep-up", extra=fields(error=error))
            self._last_error = error
        finally:
            if not is_done:
                self._may_have_orphans = self._bans_changed = True

    def _on_notice(self, notice: str) -> None:
        self._bans_changed = self._bans_changed or notice in {"", "bans"}
        if notice in {"", "hosts", "bans", ORPHANS}:
            self._may_have_orphans = True
            self._wake.set()

    @property
    def other_table_hosts(self) -> int:
        """Number of other hosts that take tables."""
        return sum(
            peer.is_table_host and not peer.draining
            for peer in self.member.peers.values()
            if peer.id != self.member.id
        )

    # Taking over

    async def _take_over(self) -> None:
        """Take over this host's share of the orphans until there are none. Raises ClusterError."""
        self._is_taking_over = True
        try:
            while not self.member.draining and self.server.storage_error is None:
                claimed_tables = await self._claims.claim(self.member.id, self.other_table_hosts + 1)
                if not claimed_tables:
                    return
                self.member.notify(TABLES, at_once=True)  # guests return while their tables are being resumed
                for claimed in claimed_tables:
                    await self._resume_table(claimed)
                    self._wake_waiting_guests()
                    await asyncio.sleep(0)  # let others play: refereeing a long match takes 20 ms
                log.info("took-over", extra=fields(tables=len(claimed_tables)))
                if self.other_table_hosts and len(claimed_tables) < TAKEOVER_BATCH:
                    await asyncio.sleep(FAIR_SHARE_DELAY)
        finally:
            self._is_taking_over = False
            self._wake_waiting_guests()

    async def _wait_for_takeover(self, number: int) -> None:
        """Wait until a table has been taken over, as gateways may know its new owner before, and until all changes
        are saved.

        Otherwise a returning guest would get a notice in the lobby that is meant for the table.
        """
        while self._is_taking_over and number not in self.lobby.tables:
            await self._table_taken.wait()
        while self.server.storage_error is not None:  # noqa: ASYNC110 - it is rarely polled
            await asyncio.sleep(STORAGE_POLL_INTERVAL)

    def _wake_waiting_guests(self) -> None:
        self._table_taken.set()
        self._table_taken = asyncio.Event()

    async def _resume_table(self, claimed_table: ClaimedTable) -> None:
        """Resume a table, or quarantine it for the operator if that fails. Raises ClusterError."""
        tokens: tuple[str, ...] = ()
        try:
            snapshot = decode_snapshot(claimed_table.snapshot)
            tokens = tuple(chair.token for chair in snapshot.chairs if chair.token)
            self.lobby.resume(snapshot, claimed_table.lines)
        except Exception as error:  # one broken table must not stop the others
            is_expected = isinstance(error, RecordError | Refusal | msgspec.DecodeError)
            quarantined = QuarantinedTable(
                claimed_table.number, str(error) if is_expected else f"a bug in Boneyard, {error!r}", tokens
            )
            log.error("table-not-resumed", extra=fields(table=quarantined.table, error=quarantined.reason))
            await self._claims.quarantine(self.member.id, quarantined)
            self.lobby.quarantined_tables.add(quarantined.table, quarantined.tokens)
            return
        self.store.take(claimed_table.number, claimed_table.token)
        self.server.apply_effects(self.lobby.save([claimed_table.number]))

    # Giving up

    def _give_up_all(self) -> None:
        self._give_up(set(self.lobby.tables) | set(self.store.tokens))
        self._may_have_orphans = True

    def _give_up(self, numbers: Set[int]) -> None:
        """Drop tables that other hosts own now, or are about to."""
        self.server.forget(numbers)
        self.store.drop(numbers)
        self._announcer.forget(numbers)


BLOCK = 100
"""Numbers in a block, the increment of the sequence in the database."""
LOW_WATER_MARK = 50
"""Free numbers below which another block is reserved."""
