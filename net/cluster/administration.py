"""The operator's commands at any node of a cluster. Commands for all nodes travel as notices of the database."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from core.layout.state import NOBODY
from core.words import words
from net.cluster.database import ClusterError, Database
from net.cluster.directory import Directory, DirectoryEntry
from net.cluster.gateway_server import GatewayServer
from net.cluster.membership import CHANNEL, Membership
from net.cluster.store import write_entry
from net.host.access import canonical_address
from net.host.admin import (
    BAN_CHECK_INTERVAL,
    KINDS,
    NO_BANS,
    AdminError,
    Target,
    TargetError,
    ban_line,
    ban_period,
    bannable,
    guest_line,
    maintenance_line,
    maintenance_message,
    not_stored,
    notice_line,
    perform,
    refuse_address,
    seats_line,
    still_stored_at,
    target_of,
    until_words,
)
from net.host.presence import Presence
from net.host.server import Server
from net.limits import CHAT_LENGTH
from net.logs import fields
from net.players.accounts import MOMENT, BanLifted, Banned, Entry, Forgotten, Notice
from net.players.text import clean, is_keyless, quantity
from net.wire.messages import Said

_COMMAND_PREFIX = "order "
"""Prefix of commands among the notices of nodes."""
_ACCOUNT_OF_NAME = "SELECT token FROM names WHERE name = $1 ORDER BY host NULLS FIRST LIMIT 1"
_KEYS = """
WITH accounts AS (SELECT given, coalesce((SELECT token FROM bound WHERE key = given), given) AS token
    FROM unnest($1::text[]) AS given)
SELECT token FROM accounts UNION SELECT key FROM bound JOIN accounts USING (token)
"""
"""Selects all keys of the accounts to which these keys belong."""
_STORED_NAME = "SELECT token, name FROM names WHERE token = ANY ($1) AND host IS NULL"
_BANS = """
SELECT who, why, since, coalesce(
    (SELECT name FROM names WHERE token = coalesce((SELECT token FROM bound WHERE key = who), who)), '')
FROM bans ORDER BY since, who
"""
_EXPIRED_BANS = "SELECT who FROM bans WHERE split_part(since, '/', 2) BETWEEN '0' AND $1"
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


class NodeCommand(Struct, frozen=True):
    """A command that all nodes carry out for those guests or tables that they have."""

    do: str
    """`kick`, `close` or `say`."""
    kind: str = ""
    """For `kick`, one of `KINDS`; for `say`, `lobby` if only the lobby gets it."""
    value: str = ""
    """Guest, table number, or text."""
    maintenance: float | None = None
    """For `say`, as in `Said`."""


class _NodeGuests(Struct, frozen=True):
    """Guests of this node, and the owner of one name."""

    present: Mapping[int, Presence]
    name: str = ""
    token: str = ""

    @property
    def accounts(self) -> "_NodeGuests":
        return self

    def key_of(self, name: str) -> str:
        return self.token if name == self.name else ""


class Administration:
    """The operator's interface on one node. `perform` answers requests as `net.host.admin.perform` does."""

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
        member.notices.add(self._on_notice)

    async def perform(self, request: object) -> list[str]:
        """Carry out a request, and return the answer. Raises AdminError."""
        if not isinstance(request, dict):
            raise AdminError("That is not a request.")
        try:
            return await self._perform({str(name): str(value).strip() for name, value in request.items()})
        except ClusterError as error:
            raise AdminError(str(error)) from error

    async def _perform(self, request: dict[str, str]) -> list[str]:
        target_text = request.get("who", "")
        match request.get("do", ""):
            case "status":
                return self._status()
            case "tables" if self._directory is not None and self._server is None:
                return [_table_line(number, table) for number, table in sorted(self._directory.tables.items())] or [
                    "No tables are open."
                ]
            case "guests" if self._front is not None:
                return [guest_line(*guest) for guest in self._front.present.items()] or ["Nobody is connected here."]
            case "bans":
                rows = await self._database.fetch(_BANS)
                return [
                    ban_line(Banned(target_text, why, since), name) for target_text, why, since, name in rows
                ] or [NO_BANS]
            case "ban" | "kick" | "pardon" | "unbind":
                return await self._moderate(request)
            case "close":
                return await self._close(target_text)
            case "export" | "forget":
                return [await self._export_person(target_text, forget=request["do"] == "forget")]
            case "maintenance":
                message = maintenance_message(request.get("minutes", ""))
                await self._broadcast_command(NodeCommand("say", value=message.text, maintenance=message.maintenance))
                return [maintenance_line(message)]
            case "announce" | "notice":
                text = clean(request.get("text", ""), CHAT_LENGTH)
                return [await self._announce(text, is_notice=request["do"] == "notice")]
            case "drain":
                return [self._drain()]
            case _ if self._server is not None:
                return perform(self._server, request)
        raise AdminError(f"There is no command “{request.get('do', '')}”.")

    def _status(self) -> list[str]:
        lines = []
        if self._front is not None:
            lines.append(f"{quantity(len(self._front.present), 'guest is', 'guests are')} connected to this gateway.")
        if self._server is not None:
            lines += perform(self._server, {"do": "status"})
        if self._member.error:
            lines.append(f"THE DATABASE CANNOT BE REACHED: {self._member.error}")
        for peer in sorted(self._member.peers.values(), key=lambda peer: peer.node):
            tables = f"  {quantity(peer.tables, 'table', 'tables')}" if peer.is_table_host else ""
            lines.append(f"{peer.node}  {peer.role}{tables}{'  draining' if peer.draining else ''}")
        return lines

    async def _close(self, number_text: str) -> list[str]:
        number = (
            int(number_text) if number_text.isascii() and number_text.isdecimal() and len(number_text) < 18 else 0
        )
        is_quarantined = await self._database.fetchval("SELECT unresumed <> '' FROM tables WHERE number = $1", number)
        if is_quarantined is None:
            raise AdminError(f"There is no table {number_text}.")
        await self._broadcast_command(NodeCommand("close", value=str(number)))
        if is_quarantined:
            return [f"Table {number}, which could not be resumed, is dropped; its record so far is kept."]
        return [f"Table {number} is closed; its record so far is kept."]

    async def _announce(self, text: str, *, is_notice: bool) -> str:
        """Send the host's message to everybody. With `is_notice`, it becomes the notice, for the lobby alone."""
        if is_notice:
            await self._write_entries([Notice(text)])
        if text:
            await self._broadcast_command(NodeCommand("say", "lobby" if is_notice else "", text))
        return notice_line(text) if is_notice else "Sent to the lobby and to every table of the cluster."

    # Targets and bans

    async def _moderate(self, request: dict[str, str]) -> list[str]:
        target_text, kind, why = (
            request.get("who", ""),
            request.get("kind", ""),
            clean(request.get("why", ""), CHAT_LENGTH),
        )
        match request["do"]:
            case "ban":
                since = ban_period(request.get("for", ""))
                return await self._ban(await self._target(target_text, kind), why, since)
            case "kick":
                target = (await self._target(target_text, kind))[0]
                await self._broadcast_command(NodeCommand("kick", target.kind, target.value))
                return [f"All connections with the {target} are disconnected, at every gateway."]
            case "pardon":
                return await self._pardon(target_text, kind)
        return await self._unbind(target_text)

    async def _target(self, target_text: str, kind: str) -> tuple[Target, _NodeGuests]:
        present = self._front.present if self._front else self._server.lobby.present if self._server else {}
        guests = _NodeGuests(
            present, target_text, str(await self._database.fetchval(_ACCOUNT_OF_NAME, target_text) or "")
        )
        if kind not in ("", *KINDS):
            raise AdminError(f"“{kind}” is none of {', '.join(KINDS)}.")
        try:
            return target_of(guests, target_text, kind), guests
        except TargetError as error:
            raise AdminError(str(error)) from None

    async def _ban(self, target_and_guests: tuple[Target, _NodeGuests], why: str, since: str) -> list[str]:
        """Ban an address, or all keys of the account that a key or a name belongs to. Raises AdminError."""
        target, guests = target_and_guests
        targets = [ban for ban in bannable(guests, target) if not is_keyless(ban.value)]
        if not targets:  # only their own gateway knows their address
            raise AdminError(
                f"{target.value} has no key, and is not at this gateway: "
                "`boneyard admin guests` at their own shows their address; ban that with --address."
            )
        if target.kind == "name" and (addresses := [ban.value for ban in targets if ban.kind == "address"]):
            refuse_address(guests, target.value, addresses[0])
        values = [ban.value for ban in targets]
        keys = [key for (key,) in await self._database.fetch(_KEYS, values)]
        targets += [Target("key", key) for key in keys if key not in values]  # all keys of their accounts
        await self._write_entries(Banned(ban.value, why, since) for ban in targets)
        owner_words = f" of {target.value}" if target.kind == "name" else ""
        return [f"The {ban}{owner_words} is banned at every gateway{until_words(since)}." for ban in targets]

    async def _unbind(self, target_text: str) -> list[str]:
        """Make a key an account of its own again; a name stands for all keys that have joined its account."""
        unbound = [key for (key,) in await self._database.fetch(_UNBIND, target_text)]
        if not unbound:
            raise AdminError(f"{target_text} has joined no account, and no key has joined theirs.")
        for key in unbound:  # until they reconnect they keep the old account
            await self._broadcast_command(NodeCommand("kick", "key", key))
        return [f"{key} has an account of its own again." for key in unbound]

    async def _export_person(self, target_text: str, *, forget: bool) -> str:
        """Return the stored data of the account of a name or a key, as JSON; with `forget`, delete it. Raises
        AdminError.
        """
        known_token = await self._database.fetchval(_ACCOUNT_OF_NAME, target_text)
        keys = [key for (key,) in await self._database.fetch(_KEYS, [known_token or target_text])]
        rows = await self._database.fetch(_STORED_NAME, keys)
        if not rows:
            raise not_stored(target_text)
        token, name = rows[0]
        bans = await self._database.fetch("SELECT who, since, why FROM bans WHERE who = ANY ($1)", keys)
        tables = await self._database.fetch(
            "SELECT number FROM tables WHERE strpos(kept, $1) > 0 ORDER BY number", str(token)
        )
        export = {
            "name": name,
            "keys": sorted(keys, key=lambda key: key != token),
            "bans": [{"key": key, "since": since, "why": why} for key, since, why in bans],
            "tables": [{"table": number} for (number,) in tables],
        }
        if forget:
            if tables:
                raise still_stored_at(name, [number for (number,) in tables])
            for key in keys:
                await self._broadcast_command(NodeCommand("kick", "key", key))
            await self._write_entries([Forgotten(str(token))])
        return json.dumps(export, ensure_ascii=False)

    async def _pardon(self, target_text: str, kind: str) -> list[str]:
        """Lift the ban of an address, or of all keys of the account that a key or a name belongs to."""
        token = await self._database.fetchval(_ACCOUNT_OF_NAME, target_text) if kind in ("", "name") else None
        keys = [key for (key,) in await self._database.fetch(_KEYS, [token or target_text])]
        banned = await self._database.fetch(
            "SELECT who FROM bans WHERE who = ANY ($1) ORDER BY who", [*keys, canonical_address(target_text)]
        )
        if not banned:
            raise AdminError(f"{target_text} is not banned.")
        await self._write_entries(BanLifted(str(key)) for (key,) in banned)
        return [f"{key} is no longer banned." for (key,) in banned]

    async def end_bans(self) -> None:
        """Lift expired bans, then sleep until the next check. Every node does so; lifting a ban twice is harmless."""
        now = datetime.now(UTC).strftime(MOMENT)
        try:
            for (who,) in await self._database.fetch(_EXPIRED_BANS, now):
                await self._write_entries([BanLifted(str(who))])
                log.info("ban-ended", extra=fields(who=who))
        except ClusterError as error:
            log.warning("bans-not-ended", extra=fields(error=error))
        await asyncio.sleep(BAN_CHECK_INTERVAL)

    async def _write_entries(self, entries: Iterable[Entry]) -> None:
        async with self._database.pooled_connection() as db, db.transaction():
            for entry in entries:
                await write_entry(db, entry)

    # Commands to all nodes

    async def _broadcast_command(self, command: NodeCommand) -> None:
        """Send a command to all nodes, including this one. Raises ClusterError."""
        await self._database.execute(
            "SELECT pg_notify($1, $2)", CHANNEL, _COMMAND_PREFIX + msgspec.json.encode(command).decode()
        )

    def _on_notice(self, notice: str) -> None:
        if notice.startswith(_COMMAND_PREFIX):
            try:
                self._carry_out(msgspec.json.decode(notice.removeprefix(_COMMAND_PREFIX), type=NodeCommand))
            except msgspec.DecodeError as error:  # from a node of a newer version
                log.warning("no-order", extra=fields(error=error))

    def _carry_out(self, command: NodeCommand) -> None:
        match command:
            case NodeCommand(do="kick", kind=kind, value=value) if self._front is not None and kind in KINDS:
                self._front.remove_players(kind, value, words("The operator of the server disconnected you."))
            case NodeCommand(do="close", value=number) if self._server is not None and number.isdecimal():
                lobby = self._server.lobby
                if int(number) in lobby.tables:
                    self._server.apply_effects(lobby.close(int(number)))
                elif int(number) in lobby.quarantined_tables.tables:
                    self._server.apply_effects(lobby.drop_quarantined(int(number)))
            case NodeCommand(do="say", kind=audience, value=text, maintenance=maintenance):
                for server in filter(None, (self._server, self._front)):
                    server.announce(Said("", NOBODY, text, maintenance), at_tables=audience != "lobby")


def _table_line(number: int, entry: DirectoryEntry) -> str:
    info = entry.info
    seats = seats_line(info.seats)
    return f"{number}  {info.game}  {info.phase}  {seats}  {info.watchers} watching  {entry.host or 'nowhere now'}"
