"""The directory of a gateway: the database's list of all tables, cached in memory, with callbacks for changes.

Also the quota of open tables, which holds when several gateways claim one at once.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Set
from functools import reduce
from operator import add

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.layout.state import NOBODY
from net.cluster.database import ClusterError, Database
from net.cluster.directory import DirectoryEntry, TableHostInfo
from net.cluster.membership import CHANNEL, TABLES, Membership
from net.cluster.store import ClusterNames
from net.host.presence import Roster
from net.host.table_host import check_open_table_limits
from net.limits import BIND_WITHIN, KEYS_PER_ACCOUNT, MAX_CLUSTER_NAMES
from net.logs import fields
from net.loop import Listeners, run_forever, wait_at_most
from net.players.accounts import Banned
from net.players.text import BIND_CODE_LENGTH, new_code, normalize_code
from net.storage.record_index import is_link, part_of
from net.wire.messages import Said

CLAIM_TTL = 10.0
"""Seconds for which the claim of a table counts: by then the table is noted, or listed, or will never be opened."""
# The lock serialises gateways that claim a table of one player or address at once.
_LOCK = """
SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended('tables of ' || whose, 0) AS key FROM unnest($1::text[]) AS whose ORDER BY key
) AS keys
"""
_OPEN_TABLES = """
SELECT coalesce("table", -id), maker = $1, address = $2 AND address <> '' FROM openings
WHERE (maker = $1 OR address = $2) AND CASE WHEN "table" IS NULL
    THEN at > clock_timestamp() - $3::float8 * interval '1 s'
    ELSE EXISTS (SELECT FROM tables WHERE number = "table" AND unresumed = '') END
"""
_CLAIM = "INSERT INTO openings (maker, address) VALUES ($1, $2) RETURNING id"
_NOTE = """
WITH there AS (SELECT number FROM tables WHERE number = $2 FOR KEY SHARE)
UPDATE openings SET "table" = there.number FROM there WHERE id = $1
"""
_RELEASE = 'DELETE FROM openings WHERE id = $1 AND "table" IS NULL'
_FORGET = """
DELETE FROM openings WHERE "table" IS NULL AND at < clock_timestamp() - 60 * $1::float8 * interval '1 s'
"""


class OpenTableQuota:
    """Quota of tables that are open or about to be, by opener and address. All methods raise ClusterError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, maker: str, address: str, entries: Mapping[int, DirectoryEntry]) -> int:
        """Count another table of a player, opened from an address; return the number of the claim.

        Tables in `entries` count, too: older programs do not store the address in the database. Raises Illegal when a
        limit is reached.
        """
        by_player, from_address = tables_by_origin(maker, address, entries)
        async with self._database.pooled_connection() as db, db.transaction():
            await db.execute(_LOCK, [maker, address] if address else [maker])
            for number, is_by_player, is_from_address in await db.fetch(_OPEN_TABLES, maker, address, CLAIM_TTL):
                by_player |= {number} if is_by_player else set()
                from_address |= {number} if is_from_address else set()
            check_open_table_limits(0, len(by_player), len(from_address))  # the host checks its total
            return int(await db.fetchval(_CLAIM, maker, address))

    async def note(self, claim: int, number: int) -> None:
        """Record that the table is open; it counts until it is closed."""
        async with self._database.pooled_connection() as db, db.transaction():
            await db.execute(_NOTE, claim, number)
            await db.execute(_RELEASE, claim)  # in case it is closed already

    async def release(self, claim: int) -> None:
        """Delete the claim: no table is opened after all."""
        await self._database.execute(_RELEASE, claim)

    async def delete_expired_claims(self) -> None:
        """Delete expired claims, for which no table was opened and which were not released."""
        await self._database.execute(_FORGET, CLAIM_TTL)


def tables_by_origin(maker: str, address: str, entries: Mapping[int, DirectoryEntry]) -> tuple[set[int], set[int]]:
    """Return the numbers of the listed tables that a player opened, and of those opened from an address."""
    by_player = {number for number, table in entries.items() if table.maker == maker}
    from_address = {number for number, table in entries.items() if address and table.address == address}
    return by_player, from_address


POLL_INTERVAL = 1.0
"""Seconds after which the database is polled even without a notice."""
CLOSED_TTL = 600.0
"""Seconds for which the database remembers that a table was closed."""
_RECORD_CHUNK = 500
"""Maximal number of lines of a record in one read."""
_CHAT_PREFIX = "said "
"""Prefix of lobby chat among the notices of nodes."""
log = logging.getLogger(__name__)
_decode = msgspec.msgpack.Decoder(DirectoryEntry).decode
# A change that is committed late has an older number than changes already seen. So each poll starts at the oldest
# transaction that was still uncommitted at the last poll.
_OFFER = """
WITH past AS (DELETE FROM offers WHERE until < clock_timestamp() OR token = $2)
INSERT INTO offers VALUES ($1, $2, clock_timestamp() + $3::float8 * interval '1 s')
"""
# An account that joins another takes its keys along, if the other has room. The codes of accounts that a key leaves
# are deleted: the owner of the key may have requested them.
_BIND = """
WITH offered AS (
    DELETE FROM offers WHERE code = $1 RETURNING token, until
), good AS (
    SELECT token FROM offered WHERE until > clock_timestamp() AND token <> $2
        AND 2 + (SELECT count(*) FROM bound WHERE bound.token IN (offered.token, $2) AND key <> $2) <= $3
        AND (EXISTS (SELECT FROM bound WHERE key = $2)
            OR (SELECT reltuples < $4 FROM pg_class WHERE oid = 'bound'::regclass))
), withdrawn AS (
    DELETE FROM offers USING good
    WHERE code <> $1 AND offers.token IN ($2, (SELECT bound.token FROM bound WHERE key = $2))
), moved AS (
    UPDATE bound SET token = good.token FROM good WHERE bound.token = $2
), joined AS (
    INSERT INTO bound SELECT $2, token FROM good ON CONFLICT (key) DO UPDATE SET token = excluded.token
)
SELECT token FROM good
"""
_UNBIND = """
WITH parted AS (
    DELETE FROM bound WHERE key = $1 RETURNING token
), withdrawn AS (
    DELETE FROM offers USING parted WHERE offers.token = parted.token
)
SELECT 1 FROM parted
"""
# The condition must match that of an index (`database.py`) literally.
RECORD = """
WITH sealed AS (
    SELECT "table", match FROM lines WHERE line LIKE '{"type":"seal"%'
        AND substring(line from '"chain":"([0-9a-f]{32})') = $1 LIMIT 1
)
SELECT line FROM lines JOIN sealed USING ("table", match) ORDER BY number OFFSET $2 LIMIT $3
"""
_OLDEST_TRANSACTION = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text"
_CHANGED_TABLES = """
WITH fresh AS (
    SELECT number FROM tables WHERE changed >= $1::text::xid8 UNION
    SELECT number FROM listed WHERE changed >= $1::text::xid8
)
SELECT number, owner, listed FROM fresh JOIN tables USING (number) JOIN listed USING (number) WHERE unresumed = ''
"""
_GONE_TABLES = """
SELECT number FROM closed WHERE changed >= $1::text::xid8 UNION
SELECT number FROM tables WHERE changed >= $1::text::xid8 AND unresumed <> ''
"""
_PUT_ROSTER = """
INSERT INTO people (host, names, count) SELECT id, $2::text[], $3::integer FROM hosts WHERE id = $1
ON CONFLICT (host) DO UPDATE SET names = excluded.names, count = excluded.count
"""
_ALL_TABLES = "SELECT number, owner, listed FROM tables JOIN listed USING (number) WHERE unresumed = ''"


class _LobbyMessage(Struct, frozen=True):
    """A chat message in the lobby of a gateway; it travels to all nodes, including its own."""

    node: str
    name: str
    text: str


class StoredDirectory:
    """A `net.cluster.directory.Directory` in the database. `keep` copies changes from it until it is cancelled."""

    home = ""

    def __init__(self, database: Database, member: Membership) -> None:
        self.tables: Mapping[int, DirectoryEntry] = {}
        self.hosts: Mapping[str, TableHostInfo] = {}
        self.bans: Mapping[str, Banned] = {}
        self.roster = Roster()
        self.changes = Listeners[Set[int]]("change-not-told")
        self.chat = Listeners[Said]("lobby-not-told")
        self._database = database
        self._member = member
        self._names = ClusterNames(database)
        self._table_quota = OpenTableQuota(database)
        self._temporary_names: dict[str, str] = {}
        """Names of guests here without an account, by token."""
        self._owners: dict[int, int] = {}
        """Ids of the nodes that run the tables, by table."""
        self.notice = ""
        self._own_roster = Roster()
        """Roster of this gateway."""
        self._other_rosters = Roster()
        """Roster of all others."""
        self._stored_roster = 0, Roster()
        """Roster of this gateway in the database, and the id of this node that it is stored under."""
        self._unsent_chat: list[Said] = []
        """Chat messages to send to the others."""
        self._oldest_transaction = ""
        """Transaction at which the next poll starts; empty to read everything."""
        self._poll_now = asyncio.Event()
        self._must_reclaim_names = False
        self._error: Exception | None = None
        member.notices.add(self._on_notice)
        member.on_expired.add(self._mark_names_lost)

    def publish_roster(self, roster: Roster) -> None:
        """Set the roster of this gateway; the others see it after one of their next polls."""
        self._own_roster = roster
        self.roster = self._own_roster + self._other_rosters

    def say(self, message: Said) -> None:
        self._unsent_chat.append(message)
        self._poll_now.set()

    async def claim_name(self, token: str, name: str, *, remember: bool, guest: int = 0) -> str:  # noqa: ARG002
        remember = remember and await self._names.has_room(token)
        owner = await self._names.claim(token, name, None if remember else self._member.id)
        if not owner and not remember:
            self._temporary_names[token] = name
        return owner

    async def release_name(self, token: str) -> None:
        """Release a name that was claimed without `remember`; if this fails, it expires with this node's lease."""
        if self._temporary_names.pop(token, None) is None:
            return
        try:
            await self._names.release(token, self._member.id)
        except ClusterError as error:
            log.warning("name-not-released", extra=fields(error=error))

    async def name_of(self, token: str) -> str:
        return await self._names.name_of(token)

    async def account_of(self, key: str) -> str:
        return str(await self._database.fetchval("SELECT token FROM bound WHERE key = $1", key) or key)

    async def offer(self, token: str) -> str:
        code = new_code(BIND_CODE_LENGTH)
        await self._database.execute(_OFFER, code, token, BIND_WITHIN)
        return code

    async def bind(self, key: str, code: str) -> str:
        return str(
            await self._database.fetchval(_BIND, normalize_code(code), key, KEYS_PER_ACCOUNT, MAX_CLUSTER_NAMES) or ""
        )

    async def unbind(self, key: str) -> bool:
        return bool(await self._database.fetchval(_UNBIND, key))

    async def record(self, link: str, start: int = 0) -> tuple[str, ...]:
        if not is_link(link):
            return ()
        return part_of(line for (line,) in await self._database.fetch(RECORD, link, start, _RECORD_CHUNK))

    async def claim_table(self, maker: str, address: str) -> int:
        try:
            return await self._table_quota.claim(maker, address, self.tables)
        except ClusterError as error:  # an opened table cannot be saved either until the database answers
            log.warning("table-not-claimed", extra=fields(error=error))
        by_player, from_address = tables_by_origin(maker, address, self.tables)
        check_open_table_limits(0, len(by_player), len(from_address))
        return 0

    async def note_table(self, claim: int, number: int) -> None:
        try:
            await self._table_quota.note(claim, number)
        except ClusterError as error:
            log.warning("table-not-noted", extra=fields(table=number, error=error))

    async def release_table(self, claim: int) -> None:
        try:
            await self._table_quota.release(claim)
        except ClusterError as error:
            log.warning("table-not-released", extra=fields(error=error))

    async def open(self) -> None:
        """Read everything. Raises ClusterError."""
        await self._read_changes()

    async def keep(self) -> None:
        """Follow the database forever."""
        await run_forever(self._poll_once, "directory-not-followed")

    async def _poll_once(self) -> None:
        await wait_at_most(POLL_INTERVAL, self._poll_now.wait())
        self._poll_now.clear()
        messages, self._unsent_chat = self._unsent_chat, []
        try:
            await self._read_changes()
            await self._publish(messages)
            self._error = None
        except ClusterError as error:
            if self._error is None:
                log.error("cannot-look", extra=fields(error=error))
            self._error = error

    def _on_notice(self, notice: str) -> None:
        if notice in {"", "bans", "hosts", "orphans", TABLES}:
            self._poll_now.set()
        elif notice.startswith(_CHAT_PREFIX):
            self._receive_chat(notice.removeprefix(_CHAT_PREFIX))

    def _receive_chat(self, payload: str) -> None:
        try:
            message = msgspec.json.decode(payload, type=_LobbyMessage)
        except msgspec.DecodeError as error:
            log.warning("talk-not-read", extra=fields(error=error))
            return
        if message.node != self._member.node:
            self.chat.notify(Said(message.name, NOBODY, message.text))

    async def _publish(self, messages: Iterable[Said]) -> None:
        """Write the roster if it has changed, and send chat messages. Raises ClusterError."""
        number, roster = own_entry = self._member.id, self._own_roster
        if own_entry == self._stored_roster and not messages:
            return
        async with self._database.pooled_connection() as db:
            if own_entry != self._stored_roster:
                await db.execute(_PUT_ROSTER, number, roster.names, roster.count)
                self._stored_roster = own_entry
            for message in messages:
                payload = msgspec.json.encode(_LobbyMessage(self._member.node, message.name, message.text)).decode()
                await db.execute("SELECT pg_notify($1, $2)", CHANNEL, _CHAT_PREFIX + payload)

    def _mark_names_lost(self) -> None:
        self._must_reclaim_names = True

    async def _read_changes(self) -> None:
        """Read all changes, and notify the listeners. Raises ClusterError."""
        since = self._oldest_transaction
        async with (
            self._database.pooled_connection() as db,
            db.transaction(isolation="repeatable_read", readonly=True),
        ):
            oldest = await db.fetchval(_OLDEST_TRANSACTION)
            rows = await (db.fetch(_CHANGED_TABLES, since) if since else db.fetch(_ALL_TABLES))
            gone_tables = {number for (number,) in await db.fetch(_GONE_TABLES, since)} if since else set()
            bans = {who: Banned(who, why, day) for who, why, day in await db.fetch("SELECT * FROM bans")}
            notice = str(await db.fetchval("SELECT text FROM notice") or "")
            other_rows = await db.fetch(
                "SELECT names, count FROM people WHERE host <> $1 ORDER BY host", self._member.id
            )
        if self._must_reclaim_names:
            await self._claim_all()
        changed_tables = {
            number: table for number, _, packed in rows if (table := _decode_listed(number, packed)) is not None
        }
        self._owners = {**(self._owners if since else {}), **{number: owner for number, owner, _ in rows}}
        for number in gone_tables:
            self._owners.pop(number, None)
        known_tables = {number: table for number, table in self.tables.items() if number in self._owners}
        nodes = {peer.id: peer.node for peer in self._member.peers.values()}
        tables = {
            number: table
            if table.host == (node := nodes.get(self._owners[number], ""))
            else replace(table, host=node)
            for number, table in {**known_tables, **changed_tables}.items()
        }
        hosts = {
            peer.node: TableHostInfo(peer.address, peer.tables, peer.draining)
            for peer in self._member.peers.values()
            if peer.is_table_host
        }
        changed_numbers = frozenset(
            number for number in {*tables, *self.tables} if tables.get(number) != self.tables.get(number)
        )
        other_rosters = reduce(add, (Roster(tuple(names), count) for names, count in other_rows), Roster())
        has_other_changes = (hosts, bans, notice, other_rosters) != (
            self.hosts,
            self.bans,
            self.notice,
            self._other_rosters,
        )
        self.tables, self.hosts, self.bans, self._oldest_transaction = tables, hosts, bans, oldest
        self.notice = notice
        if other_rosters != self._other_rosters:
            self._other_rosters, self.roster = other_rosters, self._own_roster + other_rosters
        if changed_numbers or has_other_changes:
            self.changes.notify(changed_numbers)

    async def _claim_all(self) -> None:
        """Claim the names of guests here under this node's new id. Raises ClusterError."""
        for token, name in list(self._temporary_names.items()):
            if await self._names.claim(token, name, self._member.id):
                log.warning("name-lost", extra=fields(name=name))
        self._must_reclaim_names = False


def _decode_listed(number: int, packed: bytes) -> DirectoryEntry | None:
    """Decode a table as its host lists it; None for invalid data, which must not hide all other tables."""
    try:
        return _decode(packed)
    except msgspec.DecodeError as error:
        log.error("table-not-listed", extra=fields(table=number, error=error))
        return None


async def forget_closed(database: Database) -> None:
    """Purge tables that were closed long ago, and expired claims. Raises ClusterError."""
    await OpenTableQuota(database).delete_expired_claims()
    await database.execute(
        "DELETE FROM closed WHERE at < clock_timestamp() - $1::float8 * interval '1 s'", CLOSED_TTL
    )
