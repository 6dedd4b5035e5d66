"""The operator's commands to a running host, over a socket in the data directory: requests and answers in JSON."""

import asyncio
import contextlib
import ipaddress
import json
import logging
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, NoReturn, Protocol

from msgspec import Struct

from core.layout.state import NOBODY
from core.words import Words, words
from net.host.access import canonical_address
from net.host.guest_server import KEY_UNBOUND
from net.host.presence import Presence
from net.host.server import Server
from net.limits import CHAT_LENGTH
from net.logs import fields
from net.loop import Tasks, run_forever
from net.players.accounts import MOMENT, Banned
from net.players.text import clean, quantity
from net.wire.maintenance import CALLED_OFF, announcement
from net.wire.messages import Said, SeatInfo

KINDS = ("name", "key", "address")
_KEY = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
"""A fingerprint as OpenSSH prints it: 256 bits in base64, without the padding."""


class TargetError(Exception):
    """The target matches nobody, or several kinds; the sentence says what to write."""


class KeyLookup(Protocol):
    """Lookup of the key of a name."""

    def key_of(self, name: str) -> str:
        """Return the key that last entered under exactly this name; empty if there is none."""


class GuestLookup(Protocol):
    """Lookup of guests, by connection and by name; for example a lobby."""

    @property
    def present(self) -> Mapping[int, Presence]:
        """All connections, by number."""

    @property
    def accounts(self) -> KeyLookup:
        """Owners of stored names."""


class Target(Struct, frozen=True):
    """Target of a request: `kind` is one of `KINDS`."""

    kind: str
    value: str

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"


def target_of(guests: GuestLookup, text: str, kind: str = "") -> Target:
    """Return the target that a word names, of the given `kind` or of the only one that fits. Raises TargetError."""
    targets = [
        Target(candidate_kind, value)
        for candidate_kind in KINDS
        if (value := _canonical_target(guests, candidate_kind, text)) and kind in ("", candidate_kind)
    ]
    if len(targets) == 1:
        return targets[0]
    if targets:
        kinds = " and ".join("an address" if target.kind == "address" else f"a {target.kind}" for target in targets)
        options = " or ".join(f"--{target.kind}" for target in targets)
        raise TargetError(f"“{text}” is {kinds}; use {options}.")
    match kind:
        case "key":
            raise TargetError(f"“{text}” is not a key fingerprint: SHA256: and 43 characters, as in `admin guests`.")
        case "address":
            raise TargetError(f"“{text}” is not an IP address.")
        case "name":
            raise TargetError(f"Nobody called “{text}” is connected or known.")
    raise TargetError(f"“{text}” is not an address, a key (SHA256:…), or the name of anybody connected or known.")


def bannable(guests: GuestLookup, target: Target) -> list[Target]:
    """Return the keys or addresses to ban for a target; for a name, those of its guest."""
    if target.kind != "name":
        return [target]
    targets: dict[Target, None] = {}
    for presence in guests.present.values():
        if presence.guest and presence.guest.name == target.value:
            visitor = presence.visitor
            address = canonical_address(visitor.address)
            targets[Target("key", visitor.key) if visitor.key else Target("address", address)] = None
    if not targets and (key := guests.accounts.key_of(target.value)):
        targets[Target("key", key)] = None
    return list(targets)


def _canonical_target(guests: GuestLookup, kind: str, text: str) -> str:
    """Return a word as a target of one kind, in canonical form; empty if it cannot be one."""
    match kind:
        case "key":
            return text if _KEY.fullmatch(text) else ""
        case "address":
            try:
                ipaddress.ip_address(text.partition("%")[0])
            except ValueError:
                return ""
            return canonical_address(text)
    is_present = any(presence.guest and presence.guest.name == text for presence in guests.present.values())
    return text if is_present or (text and guests.accounts.key_of(text)) else ""


SOCKET_NAME = "admin.sock"
MAX_REQUEST = 64 * 1024
"""Bytes of one request; the longest honest one is a chat message."""
ANSWER_TIMEOUT = 5.0
"""Seconds for a running host to answer; with 200 players it is busy for some milliseconds at most."""
DISCONNECT_DELAY = 1.0
"""Seconds for the goodbye to arrive before the connection of a banned guest is closed."""
Disconnect = Callable[[str], object]
log = logging.getLogger(__name__)


def _disconnect_nobody(_who: str) -> None:
    """Do nothing, for a server without SSH connections."""


class AdminError(Exception):
    """A request cannot be carried out; the sentence says why."""


@asynccontextmanager
async def serve_admin(server: Server, data: Path, disconnect: Disconnect = _disconnect_nobody) -> AsyncIterator[None]:
    """Answer the operator's requests while the block runs, from every user who may write in the data directory.

    `disconnect` closes the connections of a key or an address, over which a banned guest could otherwise enter again.
    """

    async def perform_request(request: object) -> list[str]:
        return perform(server, request, disconnect)

    async with Tasks() as tasks, serve_admin_socket(data, perform_request):
        tasks.start(run_forever(partial(_end_bans, server), "bans-not-ended"), "bans-not-ended")
        yield


@asynccontextmanager
async def serve_admin_socket(
    data: Path, perform_request: Callable[[object], Awaitable[list[str]]]
) -> AsyncIterator[None]:
    """Answer the operator's requests with the result of `perform_request`, or the AdminError that it raises.

    If the socket cannot be created, the host continues without it and logs that.
    """
    path = data / SOCKET_NAME
    # left by a host that was killed; the lock of the data directory excludes a second host
    path.unlink(missing_ok=True)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT - 1):
                    lines = await perform_request(json.loads(await reader.readline()))
                reply: dict[str, object] = {"lines": lines}
            except AdminError as error:
                reply = {"error": str(error)}
            except TimeoutError:
                reply = {"error": "The host could not do that in time; ask again."}
            writer.write(json.dumps(reply).encode() + b"\n")
            await writer.drain()
        writer.close()

    try:
        listener = await asyncio.start_unix_server(answer, path, limit=MAX_REQUEST)
        path.chmod(0o600)
    except OSError as error:  # mostly a path longer than 108 bytes
        log.warning("no-admin-socket", extra=fields(path=path, error=error))
        yield
        return
    try:
        yield
    finally:
        listener.close()
        path.unlink(missing_ok=True)


def ask(data: Path, request: dict[str, str]) -> list[str]:
    """Send a request to the host that runs on this data directory, and return its answer. Raises AdminError."""
    path = data / SOCKET_NAME
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_TIMEOUT)
            connection.connect(str(path))
            connection.sendall(json.dumps(request).encode() + b"\n")
            answer = json.loads(connection.makefile("rb").readline() or b"{}")
    except (FileNotFoundError, ConnectionRefusedError):
        raise AdminError(f"No host is running on {data}.") from None
    except (OSError, ValueError) as error:
        raise AdminError(f"Cannot ask the host on {data}: {error}.") from error
    if "lines" not in answer:
        raise AdminError(answer.get("error", "The host closed the connection."))
    return [str(line) for line in answer["lines"]]


def perform(server: Server, request: object, disconnect: Disconnect = _disconnect_nobody) -> list[str]:
    """Carry out an operator's request and return the answer. Raises AdminError."""
    if not isinstance(request, dict):
        raise AdminError("That is not a request.")
    command, target_text = str(request.get("do", "")), str(request.get("who", "")).strip()
    match command:
        case "status":
            return _status(server)
        case "tables":
            return [_table_line(server, number) for number in sorted(server.lobby.tables)] or ["No tables are open."]
        case "guests":
            return [guest_line(*guest) for guest in server.lobby.present.items()] or ["Nobody is connected."]
        case "bans":
            accounts = server.lobby.accounts
            bans = accounts.bans.values()
            return [ban_line(ban, accounts.name_of(accounts.account_of(ban.who))) for ban in bans] or [NO_BANS]
        case "ban" | "kick" | "pardon" | "unbind":
            return _moderate(server, {str(name): str(value) for name, value in request.items()}, disconnect)
        case "export" | "forget":
            return [_export_person(server, target_text, forget=command == "forget")]
        case "close":
            return _close_table(server, target_text)
        case "drain":
            raise AdminError("This host is alone, so nobody can take its tables; stop it instead.")
        case "maintenance":
            message = maintenance_message(str(request.get("minutes", "")))
            server.announce(message)
            return [maintenance_line(message)]
        case "announce" | "notice":
            return [
                _announce(server, clean(str(request.get("text", "")), CHAT_LENGTH), is_notice=command == "notice")
            ]
    raise AdminError(f"There is no command “{command}”.")


def _moderate(server: Server, request: dict[str, str], disconnect: Disconnect) -> list[str]:
    target_text, kind = request.get("who", "").strip(), request.get("kind", "")
    match request["do"]:
        case "ban":
            since = ban_period(request.get("for", ""))
            return _ban(server, _target(server, target_text, kind), request.get("why", ""), since, disconnect)
        case "kick":
            return _kick(server, _target(server, target_text, kind))
        case "pardon":
            return _pardon(server, target_text, kind)
    return _unbind(server, target_text)


def _status(server: Server) -> list[str]:
    playing = sum(table.recorded.in_progress for table in server.lobby.tables.values())
    lines = [
        f"{quantity(len(server.lobby.present), 'connection', 'connections')},"
        f" {quantity(len(server.lobby.tables), 'table', 'tables')}, {playing} playing.",
        f"Waiting for the disk: {quantity(server.pending_messages, 'message', 'messages')}.",
    ]
    if (seconds_left := server.maintenance.seconds_left) is not None:
        lines.append(f"MAINTENANCE in {quantity(ceil(seconds_left / 60), 'minute', 'minutes')}: no new match begins.")
    return (
        [*lines, f"NOTHING CAN BE SAVED: {server.storage_error}"]
        if server.storage_error
        else [*lines, "Everything is saved."]
    )


def _table_line(server: Server, number: int) -> str:
    table = server.lobby.tables[number]
    seats = seats_line(table.seats.info(0.0, over=table.over))
    return f"{number}  {table.variant.id}  {table.phase}  {seats}  {len(table.seats.watchers)} watching"


def seats_line(seats: Iterable[SeatInfo]) -> str:
    """Return the players of a table, for the operator."""
    return ", ".join(
        "free"
        if seat.free
        else f"{seat.name} (bot)"
        if seat.bot
        else f"{seat.name} (away)"
        if seat.away
        else seat.name
        for seat in seats
    )


def guest_line(connection: int, presence: Presence) -> str:
    """Return a line about a guest and their location, for the operator."""
    visitor, name = presence.visitor, presence.guest.name if presence.guest else "(logging in)"
    location = f"table {presence.table}" if presence.table else "lobby"
    return f"{connection}  {name}  {visitor.address or '-'}  {visitor.key or 'no key'}  {location}"


def _target(server: Server, target_text: str, kind: str) -> Target:
    try:
        return target_of(server.lobby, target_text, kind)
    except TargetError as error:
        raise AdminError(str(error)) from None


def _announce(server: Server, text: str, *, is_notice: bool) -> str:
    """Send the host's message to everybody. With `is_notice`, it becomes the notice, for the lobby alone."""
    if is_notice:
        server.apply_effects(server.lobby.set_notice(text))
    if text:
        server.announce(Said("", NOBODY, text), at_tables=not is_notice)
    return notice_line(text) if is_notice else "Sent to the lobby and to every table."


NO_BANS = "Nobody is banned."
_SPAN = re.compile(r"([1-9]\d{0,4}) ?([mhdw])")
_SECONDS = {"m": 60, "h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600}


def ban_period(span: str) -> str:
    """Return the `Banned.since` of a ban that begins now; its `span` is like 30m, 12h, 7d or 4w, or empty for no end.

    Raises AdminError.
    """
    now = datetime.now(UTC)
    day = now.date().isoformat()
    if not span:
        return day
    if (parts := _SPAN.fullmatch(span.strip().lower())) is None:
        raise AdminError(f"“{span}” is not a duration; write minutes, hours, days or weeks, like 30m, 12h, 7d or 4w.")
    end = now + timedelta(seconds=int(parts[1]) * _SECONDS[parts[2]], minutes=1)  # the minute that has begun
    return f"{day}/{end.strftime(MOMENT)}"


def ban_line(ban: Banned, name: str) -> str:
    """Return a ban as a line for the operator; `name` is the name of the key's account, empty if it has none."""
    end_words = f"until {ban.until}" if ban.until else ""
    return "  ".join(filter(None, (ban.who, name, f"since {ban.since.partition('/')[0]}", end_words, ban.why)))


def notice_line(text: str) -> str:
    """Return the answer to a new notice."""
    return "The lobby reads it now, and everybody else on entering." if text else "There is no notice any more."


MAX_MAINTENANCE_MINUTES = 24 * 60


def maintenance_message(minutes: str) -> Said:
    """Return the message that announces a maintenance in `minutes`; for `off`, the one that calls it off.

    Raises AdminError.
    """
    if minutes == "off":
        return CALLED_OFF
    count = int(minutes) if minutes.isascii() and minutes.isdecimal() and len(minutes) < 6 else 0
    if not 1 <= count <= MAX_MAINTENANCE_MINUTES:
        raise AdminError(
            f"“{minutes}” is not a time until the maintenance; write 1 to {MAX_MAINTENANCE_MINUTES} minutes, or off."
        )
    return announcement(count * 60.0)


def maintenance_line(message: Said) -> str:
    """Return the answer to an announced maintenance."""
    if message == CALLED_OFF:
        return "The maintenance is called off; new matches can begin."
    return (
        f"Everybody sees a countdown of {quantity(round((message.maintenance or 0) / 60), 'minute', 'minutes')},"
        " and no new match begins. Restart the server when it ends; seats are kept."
    )


def not_stored(target_text: str) -> AdminError:
    """Return the error for a name or a key about which nothing is stored."""
    return AdminError(f"No name is stored for “{target_text}”; names of guests without a key are not stored.")


def still_stored_at(name: str, tables: Iterable[int]) -> AdminError:
    """Return the error for a player who cannot be forgotten while these tables are stored."""
    numbers = ", ".join(map(str, tables))
    return AdminError(
        f"{name} is still part of table {numbers}, which keeps the name until it is closed; "
        "close it first: boneyard admin close TABLE"
    )


def refuse_address(guests: GuestLookup, name: str, address: str) -> NoReturn:
    """Raise AdminError instead of banning everybody at the address of a guest without a key."""
    neighbours = (
        presence.guest for presence in guests.present.values() if presence.is_identified_by("address", address)
    )
    others = len({guest.token for guest in neighbours if guest is not None and guest.name != name})
    others_words = (
        "Nobody else is connected from there now"
        if not others
        else (
            f"{quantity(others, 'other guest is', 'other guests are')} connected from there, and would be banned too"
        )
    )
    raise AdminError(
        f"{name} has no key, only the address {address}. {others_words}. Ban the address with "
        f"`boneyard admin ban --address {address}`, or disconnect {name} with `boneyard admin kick --name {name}`."
    )


def _ban(server: Server, target: Target, why: str, since: str, disconnect: Disconnect) -> list[str]:
    """Ban an address, or all keys of the account that a key or a name belongs to. Raises AdminError."""
    lines = []
    accounts = server.lobby.accounts
    targets = bannable(server.lobby, target)
    if target.kind == "name" and (addresses := [ban.value for ban in targets if ban.kind == "address"]):
        refuse_address(server.lobby, target.value, addresses[0])
    owners = [accounts.account_of(ban.value) for ban in targets if ban.kind == "key"]
    keys = [Target("key", key) for owner in owners for key in accounts.keys_of(owner)]
    for ban in dict.fromkeys([*targets, *keys]):
        server.apply_effects(server.lobby.ban(ban.value, clean(why, CHAT_LENGTH), since))
        disconnected_names = _remove_players(server, ban, words("You are banned from this server."))
        asyncio.get_running_loop().call_later(DISCONNECT_DELAY, disconnect, ban.value)
        owner_words = f" of {target.value}" if target.kind == "name" else ""
        lines.append(
            f"The {ban}{owner_words} is banned{until_words(since)}; {_disconnected_line(disconnected_names)}."
        )
    return lines


def until_words(since: str) -> str:
    """Return the end of a ban as part of a sentence; empty if it has none."""
    end = since.partition("/")[2]
    return f" until {end}" if end else ""


def _kick(server: Server, target: Target) -> list[str]:
    disconnected_names = _remove_players(server, target, words("The operator of the server disconnected you."))
    if not disconnected_names:
        raise AdminError(f"Nobody is connected with the {target}.")
    return [f"With the {target}: {_disconnected_line(disconnected_names)}."]


def _pardon(server: Server, target_text: str, kind: str) -> list[str]:
    """Lift the ban of an address, or of all keys of the account that a key or a name belongs to."""
    accounts = server.lobby.accounts
    key = (
        target_text
        if kind != "name" and _KEY.fullmatch(target_text)
        else accounts.key_of(target_text)
        if kind in ("", "name")
        else ""
    )
    targets = accounts.keys_of(accounts.account_of(key)) if key else []
    if kind in ("", "address"):
        targets.append(canonical_address(target_text))
    banned = [key for key in dict.fromkeys(targets) if key in accounts.bans]
    if not banned:
        raise AdminError(f"{target_text} is not banned.")
    for key in banned:
        server.apply_effects(server.lobby.pardon(key))
    return [f"{key} is no longer banned." for key in banned]


BAN_CHECK_INTERVAL = 20.0
"""Seconds between two checks for expired bans."""


async def _end_bans(server: Server) -> None:
    """Lift expired bans."""
    for who in server.lobby.accounts.ended_bans(datetime.now(UTC).strftime(MOMENT)):
        server.apply_effects(server.lobby.pardon(who))
        log.info("ban-ended", extra=fields(who=who))
    await asyncio.sleep(BAN_CHECK_INTERVAL)


def _unbind(server: Server, target_text: str) -> list[str]:
    """Separate a key, or all keys that have joined the account of a name, from that account; return the answer."""
    accounts = server.lobby.accounts
    token = accounts.key_of(target_text)
    keys = accounts.keys_of(token)[1:] if token else [target_text]
    unbound = [key for key in keys if accounts.unbind(key)]
    server.apply_effects(server.lobby.save(()))
    if not unbound:
        raise AdminError(f"{target_text} has joined no account, and no key has joined theirs.")
    for key in unbound:  # until they reconnect they keep the old account
        _remove_players(server, Target("key", key), KEY_UNBOUND)
    return [f"{key} has an account of its own again." for key in unbound]


def _export_person(server: Server, target_text: str, *, forget: bool) -> str:
    """Return the stored data of the account of a name or a key, as JSON; with `forget`, delete it. Raises AdminError.

    A player who sits, has talked or was removed at an open table is deleted only once it is closed, and so is a
    player of a quarantined table.
    """
    accounts = server.lobby.accounts
    key = target_text if _KEY.fullmatch(target_text) else accounts.key_of(target_text)
    token = accounts.account_of(key)
    name = accounts.name_of(token)
    if not name:
        raise not_stored(target_text)
    keys = accounts.keys_of(token)
    bans = [accounts.bans[banned] for banned in keys if banned in accounts.bans]
    tables: list[dict[str, Any]] = []
    for number, table in sorted(server.lobby.tables.items()):
        snapshot = table.snapshot(0.0)
        seats = [seat for seat, chair in enumerate(snapshot.chairs) if chair.token == token]
        chat = [line.text for line in snapshot.said if line.name == name]
        roles = {"opened": snapshot.maker == token, "removed": token in snapshot.removed}
        if seats or chat or any(roles.values()):
            tables.append({"table": number, "game": snapshot.game, "seats": seats, "said": chat, **roles})
    quarantined = server.lobby.quarantined_tables.tables
    tables += [
        {"table": number, "restored": False} for number, tokens in sorted(quarantined.items()) if token in tokens
    ]
    export = {
        "name": name,
        "keys": keys,
        "bans": [{"key": ban.who, "since": ban.since, "why": ban.why} for ban in bans],
        "tables": tables,
    }
    if forget:
        if tables:
            raise still_stored_at(name, [table["table"] for table in tables])
        for key in keys:
            _remove_players(server, Target("key", key), words("The operator of the server disconnected you."))
        server.apply_effects(server.lobby.forget_account(token))
    return json.dumps(export, ensure_ascii=False)


def _remove_players(server: Server, target: Target, reason: Words) -> list[str]:
    """Remove the guests that a target names; return their names."""
    effects = server.lobby.remove_players(target.kind, target.value, reason)
    guests = [server.lobby.present[connection].guest for connection, _ in effects.messages]
    server.apply_effects(effects)
    return [guest.name if guest else "(logging in)" for guest in guests]


def _disconnected_line(names: list[str]) -> str:
    return f"{len(names)} disconnected" + (f": {', '.join(names)}" if names else "")


def _close_table(server: Server, table: str) -> list[str]:
    number = int(table) if table.isdecimal() and table.isascii() else 0
    if number in server.lobby.quarantined_tables.tables:
        server.apply_effects(server.lobby.drop_quarantined(number))
        return [
            f"Table {number}, which could not be resumed, is dropped; its record so far is kept, "
            "as unresumed-… in records/."
        ]
    if number not in server.lobby.tables:
        raise AdminError(f"There is no table {table}.")
    server.apply_effects(server.lobby.close(number))
    return [f"Table {table} is closed; its record so far is kept."]
