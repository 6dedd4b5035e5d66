"""The operator's way into a running host: a socket in the data directory, one request and one answer in JSON."""

import asyncio
import contextlib
import json
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from core.words import words
from net.host.access import plain
from net.host.server import House
from net.host.targets import NoTarget, Target, bannable, target_of
from net.limits import CHAT_LENGTH
from net.logs import fields
from net.players.text import clean, counted
from net.wire.messages import Bye

NAME = "admin.sock"
MAX_REQUEST = 64 * 1024
"""Bytes of one request; the longest honest one is something to say."""
PATIENCE = 5.0
"""Seconds for a running host to answer; it is busy with 200 players for some milliseconds at the most."""
LAST_WORD = 1.0
"""Seconds for a goodbye to arrive before the line of a banned one is cut."""
Expel = Callable[[str], object]
log = logging.getLogger(__name__)


def _nobody(_who: str) -> None:
    """Of a house without a door."""


class AdminError(Exception):
    """The operator's wish cannot be done; the sentence says why."""


@asynccontextmanager
async def administered(house: House, data: Path, expel: Expel = _nobody) -> AsyncIterator[None]:
    """Take the operator's requests for the length of the block, from whoever may write in the data directory.

    `expel` cuts the lines of a key or an address, on which a banned one could else come in once more.
    Where no such socket can be made the host goes on without one, and says so in its log.
    """
    path = data / NAME
    path.unlink(missing_ok=True)  # of a host that was killed; two at once are kept apart by the store's lock

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
            try:
                async with asyncio.timeout(PATIENCE):
                    lines = perform(house, json.loads(await reader.readline()), expel)
                reply: dict[str, object] = {"lines": lines}
            except AdminError as error:
                reply = {"error": str(error)}
            writer.write(json.dumps(reply).encode() + b"\n")
            await writer.drain()
        writer.close()

    try:
        server = await asyncio.start_unix_server(answer, path, limit=MAX_REQUEST)
        path.chmod(0o600)
    except OSError as error:  # above all a path longer than 108 bytes
        log.warning("no-admin-socket", extra=fields(path=path, error=error))
        yield
        return
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def ask(data: Path, request: dict[str, str]) -> list[str]:
    """Send a request to the host that runs on this data directory, and return its answer. Raises AdminError."""
    path = data / NAME
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            line.connect(str(path))
            line.sendall(json.dumps(request).encode() + b"\n")
            answer = json.loads(line.makefile("rb").readline() or b"{}")
    except (FileNotFoundError, ConnectionRefusedError):
        raise AdminError(f"No host is running on {data}.") from None
    except (OSError, ValueError) as error:
        raise AdminError(f"Cannot ask the host on {data}: {error}.") from error
    if "lines" not in answer:
        raise AdminError(answer.get("error", "The host closed the connection."))
    return [str(line) for line in answer["lines"]]


def perform(house: House, request: object, expel: Expel = _nobody) -> list[str]:
    """Do what an operator wants, and return what he is told. Raises AdminError."""
    if not isinstance(request, dict):
        raise AdminError("That is not a request.")
    wish, who = str(request.get("do", "")), str(request.get("who", "")).strip()
    kind = str(request.get("kind", ""))
    match wish:
        case "status":
            return _status(house)
        case "tables":
            return [_table(house, number) for number in sorted(house.lobby.tables)] or ["No tables are open."]
        case "guests":
            return _guests(house) or ["Nobody is connected."]
        case "bans":
            bans = house.lobby.register.bans.values()
            return [f"{ban.who}  since {ban.since}  {ban.why}".rstrip() for ban in bans] or ["Nobody is banned."]
        case "ban":
            return _ban(house, _target(house, who, kind), str(request.get("why", "")), expel)
        case "pardon":
            return _pardon(house, who)
        case "kick":
            target = _target(house, who, kind)
            gone = _show_out(house, target, "The host's operator disconnected you.")
            if not gone:
                raise AdminError(f"Nobody is connected with the {target}.")
            return [f"With the {target}: {_sent_away(gone)}."]
        case "close":
            return _close(house, who)
        case "say":
            text = clean(str(request.get("text", "")), CHAT_LENGTH)
            house.deliver(house.lobby.announce(text))
            return ["Sent to every table."]
    raise AdminError(f"There is no command “{wish}”.")


def _status(house: House) -> list[str]:
    playing = sum(bool(table.match and not table.match.over) for table in house.lobby.tables.values())
    lines = [
        f"{counted(len(house.lobby.present), 'connection', 'connections')},"
        f" {counted(len(house.lobby.tables), 'table', 'tables')}, {playing} playing.",
        f"Waiting for the disk: {counted(house.waiting, 'message', 'messages')}.",
    ]
    return [*lines, f"NOTHING CAN BE SAVED: {house.trouble}"] if house.trouble else [*lines, "Everything is saved."]


def _table(house: House, number: int) -> str:
    info = house.lobby.tables[number].info()
    seats = ", ".join(
        "free" if s.free else f"{s.name} (bot)" if s.bot else f"{s.name} (away)" if s.away else s.name
        for s in info.seats
    )
    return f"{number}  {info.game}  {info.phase}  {seats}  {info.watchers} watching"


def _guests(house: House) -> list[str]:
    lines = []
    for connection, presence in house.lobby.present.items():
        visitor, name = presence.visitor, presence.guest.name if presence.guest else "(logging in)"
        where = f"table {presence.table.id}" if presence.table else "lobby"
        lines.append(f"{connection}  {name}  {visitor.address or '-'}  {visitor.key or 'no key'}  {where}")
    return lines


def _target(house: House, who: str, kind: str) -> Target:
    try:
        return target_of(house.lobby, who, kind)
    except NoTarget as error:
        raise AdminError(str(error)) from None


def _ban(house: House, target: Target, why: str, expel: Expel) -> list[str]:
    """Ban a key or an address; a name stands for the key of whoever has it, or without one for their address."""
    since = datetime.now(UTC).date().isoformat()
    lines = []
    for each in bannable(house.lobby, target):
        house.lobby.register.ban(each.value, clean(why, CHAT_LENGTH), since)
        gone = _show_out(house, each, "You are banned from this host.")
        asyncio.get_running_loop().call_later(LAST_WORD, expel, each.value)
        whose = f" of {target.value}" if target.kind == "name" else ""
        lines.append(f"The {each}{whose} is banned; {_sent_away(gone)}.")
    return lines


def _pardon(house: House, who: str) -> list[str]:
    banned = next((each for each in (who, plain(who)) if house.lobby.register.banned(each)), "")
    if not banned:
        raise AdminError(f"{who} is not banned.")
    house.lobby.register.pardon(banned)
    house.deliver([])
    return [f"{banned} is no longer banned."]


def _show_out(house: House, target: Target, sentence: str) -> list[str]:
    """Send everybody away who is meant; return their names."""
    out = house.lobby.show_out(target.kind, target.value, words("{sentence}", sentence=sentence))
    guests = [house.lobby.present[connection].guest for connection, message in out if isinstance(message, Bye)]
    house.deliver(out)
    return [guest.name if guest else "(logging in)" for guest in guests]


def _sent_away(names: list[str]) -> str:
    return f"{len(names)} disconnected" + (f": {', '.join(names)}" if names else "")


def _close(house: House, who: str) -> list[str]:
    number = int(who) if who.isdecimal() and who.isascii() else 0
    if number in house.lobby.missed.tables:
        house.drop(number)
        return [f"Table {number}, which could not be restored, is dropped; its record so far is kept."]
    table = house.lobby.tables.get(number)
    if table is None:
        raise AdminError(f"There is no table {who}.")
    house.deliver(house.lobby.close(table))
    return [f"Table {who} is closed; its record so far is kept."]
