"""The operator's commands at any node of a cluster: what concerns all of it reaches all nodes over the database."""

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from core.words import words
from net.cluster.database import ClusterError, Database
from net.cluster.directory import Directory, Listed
from net.cluster.gateway_server import GatewayServer
from net.cluster.membership import CHANNEL, Membership
from net.cluster.store import enter
from net.host.access import canonical_address
from net.host.admin import KINDS, AdminError, NoTarget, Target, bannable, guest_line, perform, seats_line, target_of
from net.host.presence import Presence
from net.host.server import Server
from net.limits import CHAT_LENGTH
from net.logs import fields
from net.loop import Tasks
from net.players.accounts import Banned, Entry, Pardoned
from net.players.text import by_code, clean, counted

_ORDER = "order "
"""What an order to all nodes begins with, among what they tell each other."""
_WHO = "SELECT token FROM names WHERE name = $1 ORDER BY host NULLS FIRST LIMIT 1"
_KEYS = """
WITH accounts AS (SELECT given, coalesce((SELECT token FROM bound WHERE key = given), given) AS token
    FROM unnest($1::text[]) AS given)
SELECT token FROM accounts UNION SELECT key FROM bound JOIN accounts USING (token)
"""
"""All keys of the accounts to which these belong."""
_UNBIND = """
WITH parted AS (
    DELETE FROM bound WHERE key = $1 OR token = (SELECT token FROM names WHERE name = $1 AND host IS NULL LIMIT 1)
    RETURNING key, token
), withdrawn AS (
    DELETE FROM offers WHERE token IN (SELECT token FROM parted)
)
SELECT key FROM parted
"""
log = logging.getLogger(__name__)


class Order(Struct, frozen=True):
    """What every node is to do, each with whom or what it has."""

    do: str
    """One of `kick`, `ban`, `close` and `say`."""
    kind: str = ""
    value: str = ""
    """Who, the number of a table, or what to say."""
    why: str = ""


class _People(Struct, frozen=True):
    """Who is connected to this node, and whose a name is."""

    present: Mapping[int, Presence]
    name: str = ""
    token: str = ""

    @property
    def accounts(self) -> "_People":
        return self

    def key_of(self, name: str) -> str:
        return self.token if name == self.name else ""


class Administration:
    """What the operator can do from one node. `perform` answers requests as `net.host.admin.perform` does."""

    def __init__(
        self,
        database: Database,
        member: Membership,
        drain: Callable[[], str],
        *,
        front: GatewayServer | None = None,
        directory: Directory | None = None,
        server: Server | None = None,
    ) -> None:
        """A gateway has a `front` and a `directory`, a table host a `server`; `drain` empties this node."""
        self._database = database
        self._member = member
        self._drain = drain
        self._front = front
        self._directory = directory
        self._server = server
        self._tasks = Tasks()
        member.notices.add(self._hear)

    async def perform(self, request: object) -> list[str]:
        """Carry out a request, and return the answer. Raises AdminError."""
        if not isinstance(request, dict):
            raise AdminError("That is not a request.")
        try:
            return await self._perform({str(name): str(value).strip() for name, value in request.items()})
        except ClusterError as error:
            raise AdminError(str(error)) from error

    async def _perform(self, asked: dict[str, str]) -> list[str]:
        who, why = asked.get("who", ""), clean(asked.get("why", ""), CHAT_LENGTH)
        match asked.get("do", ""):
            case "status":
                return self._status()
            case "tables" if self._directory is not None and self._server is None:
                return [_table(number, each) for number, each in sorted(self._directory.tables.items())] or [
                    "No tables are open."
                ]
            case "guests" if self._front is not None:
                return [guest_line(*each) for each in self._front.present.items()] or ["Nobody is connected here."]
            case "bans":
                rows = await self._database.fetch("SELECT who, since, why FROM bans ORDER BY since, who")
                lines = ["  ".join((who, f"since {since}", why)).rstrip() for who, since, why in rows]
                return lines or ["Nobody is banned."]
            case "ban":
                return await self._ban(await self._target(who, asked.get("kind", "")), why)
            case "pardon":
                return await self._pardon(who)
            case "unbind":
                return await self._unbind(who)
            case "kick":
                target = (await self._target(who, asked.get("kind", "")))[0]
                await self._tell(Order("kick", target.kind, target.value))
                return [f"Whoever is connected with the {target}, at any gateway, is disconnected."]
            case "close":
                return await self._close(who)
            case "say":
                await self._tell(Order("say", value=clean(asked.get("text", ""), CHAT_LENGTH)))
                return ["Sent to every table of the cluster."]
            case "drain":
                return [self._drain()]
            case _ if self._server is not None:
                return perform(self._server, asked)
        raise AdminError(f"There is no command “{asked.get('do', '')}”.")

    def _status(self) -> list[str]:
        lines = []
        if self._front is not None:
            lines.append(f"{counted(len(self._front.present), 'guest is', 'guests are')} connected to this gateway.")
        if self._server is not None:
            lines += perform(self._server, {"do": "status"})
        if self._member.error:
            lines.append(f"THE DATABASE CANNOT BE REACHED: {self._member.error}")
        for peer in sorted(self._member.peers.values(), key=lambda peer: peer.node):
            tables = f"  {counted(peer.tables, 'table', 'tables')}" if peer.keeps_tables else ""
            lines.append(f"{peer.node}  {peer.role}{tables}{'  draining' if peer.draining else ''}")
        return lines

    async def _close(self, who: str) -> list[str]:
        number = int(who) if who.isascii() and who.isdecimal() and len(who) < 18 else 0
        lost = await self._database.fetchval("SELECT unresumed <> '' FROM tables WHERE number = $1", number)
        if lost is None:
            raise AdminError(f"There is no table {who}.")
        await self._tell(Order("close", value=str(number)))
        what = f"Table {number}, which could not be restored, is dropped" if lost else f"Table {number} is closed"
        return [f"{what}; its record so far is kept."]

    # Who is meant, and bans

    async def _target(self, who: str, kind: str) -> tuple[Target, _People]:
        present = self._front.present if self._front else self._server.lobby.present if self._server else {}
        people = _People(present, who, str(await self._database.fetchval(_WHO, who) or ""))
        if kind not in ("", *KINDS):
            raise AdminError(f"“{kind}” is none of {', '.join(KINDS)}.")
        try:
            return target_of(people, who, kind), people
        except NoTarget as error:
            raise AdminError(str(error)) from None

    async def _ban(self, meant: tuple[Target, _People], why: str) -> list[str]:
        """Ban a key or an address; a name means the key of who has it, or their address if they have none."""
        target, people = meant
        found = [each for each in bannable(people, target) if not by_code(each.value)]
        if not found:  # they are at another gateway, which alone knows their address
            await self._tell(Order("ban", target.kind, target.value, why))
            return [f"The address of {target.value} is banned by the gateway where they are."]
        values = [each.value for each in found]
        keys = [key for (key,) in await self._database.fetch(_KEYS, values)]
        found += [Target("key", key) for key in keys if key not in values]  # all keys of their accounts
        await self._write(_banned(found, why))
        whose = f" of {target.value}" if target.kind == "name" else ""
        return [f"The {each}{whose} is banned at every gateway." for each in found]

    async def _unbind(self, who: str) -> list[str]:
        """Give a key an account of its own again; a name means all keys that have joined the account of that name."""
        unbound = [key for (key,) in await self._database.fetch(_UNBIND, who)]
        if not unbound:
            raise AdminError(f"{who} has joined no account, and no key has joined theirs.")
        for key in unbound:  # until they come in again, they are who they were
            await self._tell(Order("kick", "key", key))
        return [f"{key} has an account of its own again." for key in unbound]

    async def _pardon(self, who: str) -> list[str]:
        banned = await self._database.fetchval(
            "SELECT who FROM bans WHERE who = ANY ($1)", [who, canonical_address(who)]
        )
        if not banned:
            raise AdminError(f"{who} is not banned.")
        await self._write([Pardoned(str(banned))])
        return [f"{banned} is no longer banned."]

    async def _write(self, entries: Iterable[Entry]) -> None:
        async with self._database.borrowed() as db, db.transaction():
            for entry in entries:
                await enter(db, entry)

    # Orders

    async def _tell(self, order: Order) -> None:
        """Tell all nodes what to do, this one among them. Raises ClusterError."""
        await self._database.execute(
            "SELECT pg_notify($1, $2)", CHANNEL, _ORDER + msgspec.json.encode(order).decode()
        )

    def _hear(self, what: str) -> None:
        if what.startswith(_ORDER):
            try:
                self._obey(msgspec.json.decode(what.removeprefix(_ORDER), type=Order))
            except msgspec.DecodeError as error:  # of a node that is newer than this one
                log.warning("no-order", extra=fields(error=error))

    def _obey(self, order: Order) -> None:
        match order:
            case Order(do="kick", kind=kind, value=value) if self._front is not None and kind in KINDS:
                self._front.remove_players(kind, value, words("The host's operator disconnected you."))
            case Order(do="ban", kind="name", value=name, why=why) if self._front is not None:
                found = bannable(_People(self._front.present), Target("name", name))
                self._tasks.start(self._write_all(_banned(found, why)), "ban-not-written")
            case Order(do="close", value=number) if self._server is not None and number.isdecimal():
                lobby = self._server.lobby
                if int(number) in lobby.tables:
                    self._server.carry_out(lobby.close(int(number)))
                elif int(number) in lobby.lost_tables.tables:
                    self._server.carry_out(lobby.drop_lost(int(number)))
            case Order(do="say", value=text) if self._server is not None:
                self._server.carry_out(self._server.lobby.announce(text))

    async def _write_all(self, entries: Iterable[Entry]) -> None:
        try:
            await self._write(entries)
        except ClusterError as error:
            log.error("not-banned", extra=fields(error=error))


def _banned(found: Iterable[Target], why: str) -> list[Banned]:
    since = datetime.now(UTC).date().isoformat()
    return [Banned(each.value, why, since) for each in found]


def _table(number: int, listed: Listed) -> str:
    info = listed.info
    seats = seats_line(info.seats)
    return f"{number}  {info.game}  {info.phase}  {seats}  {info.watchers} watching  {listed.host or 'nowhere now'}"
