"""What the commands do for a cluster: run a table host of it, and move what one host had into it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from datetime import timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from net.cluster.tls import NAME, Secret, SecretError
from net.contained import Tasks
from net.host.admin import AdminError, answering
from net.host.lobby import Lobby
from net.host.metrics import published
from net.host.server import Server
from net.host.table_numbers import TableNumbers
from net.host.thinkers import Thinkers
from net.lines.line import Line, join
from net.logs import log_to
from net.moves_first import MovesFirst
from net.players.accounts import Accounts
from net.players.confusables import skeletons
from net.players.text import clean_name, counted
from net.ssh.server.listen import HostError, host_key_at
from net.storage.database import StoreError
from net.storage.permissions import keep_private, make_private
from net.storage.sqlite import lock
from net.table.snapshot import Storage
from net.table.table import Pace
from tui.run.alone import seeds, shut_down
from tui.run.cluster_gateway import Door, OpenDoor, open_door
from tui.run.hosted import prepare, signing_with, stopped_by_signals, wrong

if TYPE_CHECKING:
    from net.cluster.database import Database
    from net.cluster.keeper import Keeper
    from net.cluster.membership import Membership

MISSING = "A cluster needs the package asyncpg; install it with: pip install asyncpg"
HAND_OVER = 30.0
"""Seconds to hand all tables over before the host ends anyway; the others take over what is left."""


GRACE = 10.0
"""Seconds from when a gateway lets nobody in any more until those who are there must come in elsewhere."""


class Node(Struct, frozen=True):
    """What one node of a cluster is told when it starts."""

    url: str
    """Of the cluster's database."""
    name: str
    address: str
    """Where gateways reach this node's tables: where it listens, and what it tells them."""
    port: int


async def run_tables(
    node: Node,
    *,
    data: Path,
    pace: Pace,
    house_rules: dict[str, dict[str, str | int]],
    log_file: Path | None,
    metrics: int | None,
    software: str,
    say: Callable[[str], None],
    door: Door | None = None,
) -> None:
    """Run a table host until SIGINT, SIGTERM or SIGHUP, or until it has handed its tables over.

    With a `door` it is a gateway as well.

    Raises StoreError, `net.ssh.server.listen.HostError`, `net.host.metrics.MetricsError` or OSError, with a sentence,
    when it cannot, or when another node has taken its place.
    """
    need_asyncpg()
    from net.cluster.database import Database  # noqa: PLC0415 - without asyncpg there is none
    from net.cluster.keeper import Keeper  # noqa: PLC0415
    from net.cluster.membership import Membership  # noqa: PLC0415
    from net.cluster.same_keys import check_keys  # noqa: PLC0415
    from net.cluster.tables_end import TablesEnd  # noqa: PLC0415

    stop, secret = _begun(node.name, data, log_file, software)
    sealing, thinkers = signing_with(data), Thinkers()
    with lock(data), published(metrics) as numbers:
        async with Database(node.url) as database, Tasks() as guests:
            await check_keys(database, _fingerprints(data, secret))
            keeper: Keeper
            listening = await secret.take_lines(
                node.address, node.port, lambda: TablesEnd(keeper.server, guests).line
            )
            address = _shown(node.address, listening.sockets[0].getsockname()[1])

            def server(store: Storage, table_numbers: TableNumbers) -> Server:
                lobby = Lobby(
                    Accounts(),
                    seeds=seeds(None),
                    software=software,
                    pace=pace,
                    house_rules=house_rules,
                    numbers=table_numbers,
                    signing=sealing,
                )
                return Server(lobby, store, numbers, MovesFirst(), thinkers)

            def member(tables: Callable[[], int]) -> Membership:
                return Membership(
                    database,
                    node.name,
                    role="both" if door else "tables",
                    address=address,
                    software=software,
                    tables=tables,
                )

            keeper = Keeper(database, member, server)
            numbers.health(lambda: wrong(keeper.server) or keeper.wrong)
            keeping: asyncio.Future[None] | None = None
            try:
                await keeper.open()
                keeping = asyncio.ensure_future(keeper.keep())  # a gateway takes seconds to start

                async def open_line(there: str, line: Line) -> None:
                    if there == address:
                        join(line, TablesEnd(keeper.server, guests).line)
                    else:
                        await secret.open_line(there, line)

                beside: AbstractAsyncContextManager[OpenDoor | None] = (
                    open_door(door, database, keeper.member, open_line, numbers, thinkers, say)
                    if door
                    else nullcontext()
                )
                async with (
                    beside as opened,
                    _administered(
                        data, database, keeper.member, partial(_drain, keeper, stop, opened), opened, keeper.server
                    ),
                ):
                    if numbers.address:
                        say(f"Prometheus metrics: {numbers.address}")
                    say(f"Node {node.name} runs tables at {address} for its cluster. Press Ctrl-C to stop it.")
                    await _serve(keeper, keeping, stop)
                    say("Shutting down.")
            finally:
                listening.close()
                if keeping is not None:
                    keeping.cancel()
                await shut_down(keeper.server)
                await keeper.aclose()
                await thinkers.aclose()


async def run_gateway(node: Node, door: Door, *, metrics: int | None, say: Callable[[str], None]) -> None:
    """Run a gateway until SIGINT, SIGTERM or SIGHUP. Raises as `run_tables`."""
    need_asyncpg()
    from net.cluster.database import Database  # noqa: PLC0415 - without asyncpg there is none
    from net.cluster.membership import Membership  # noqa: PLC0415
    from net.cluster.same_keys import check_keys  # noqa: PLC0415

    stop, secret = _begun(node.name, door.data, door.log_file, door.software)
    thinkers = Thinkers()
    with lock(door.data), published(metrics) as numbers:
        async with Database(node.url) as database:
            await check_keys(database, _fingerprints(door.data, secret))
            member = Membership(
                database, node.name, role="gateway", address="", software=door.software, tables=lambda: 0
            )
            numbers.health(lambda: str(member.error or ""))
            await member.join()
            living = asyncio.ensure_future(member.keep())
            try:
                async with (
                    open_door(door, database, member, secret.open_line, numbers, thinkers, say) as opened,
                    _administered(door.data, database, member, partial(_close_door, stop, opened), opened),
                ):
                    if numbers.address:
                        say(f"Prometheus metrics: {numbers.address}")
                    stopping = asyncio.ensure_future(stop.wait())
                    await asyncio.wait({living, stopping}, return_when=asyncio.FIRST_COMPLETED)
                    stopping.cancel()
                    say("Shutting down.")
                if living.done():
                    living.result()
            finally:
                living.cancel()
                await asyncio.gather(living, return_exceptions=True)
                await member.leave()
                await thinkers.aclose()


def _begun(node: str, data: Path, log_file: Path | None, software: str) -> tuple[asyncio.Event, Secret]:
    """Do what every node does first; return what says when to stop, and the cluster's secret. Raises HostError."""
    stop = stopped_by_signals()
    keep_private()
    prepare(data)
    make_private(data)
    log_to(log_file, node)
    skeletons(software)  # the first call reads a table for 50 ms; a guest's name must not be that call
    clean_name("é")
    try:
        return stop, Secret(data / NAME)
    except SecretError as error:
        raise HostError(str(error)) from None


def _fingerprints(data: Path, secret: Secret) -> dict[Path, str]:
    """The fingerprints of what all nodes of a cluster must have, by path. Raises HostError."""
    host_key = data / "host_key"
    return {data / NAME: secret.fingerprint, host_key: host_key_at(host_key).get_fingerprint()}


async def _serve(keeper: "Keeper", keeping: asyncio.Future[None], stop: asyncio.Event) -> None:
    """Keep the tables until it is time to stop, then hand them over to others, if there are any."""
    stopping = asyncio.ensure_future(stop.wait())
    waited: list[asyncio.Future[Any]] = [keeping, stopping]
    try:
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if keeping.done():
            keeping.result()
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(HAND_OVER):
                await keeper.drain()
    finally:
        for task in (keeping, stopping):
            task.cancel()
        await asyncio.gather(keeping, stopping, return_exceptions=True)


def _administered(
    data: Path,
    database: "Database",
    member: "Membership",
    drain: Callable[[], str],
    opened: OpenDoor | None,
    server: Server | None = None,
) -> AbstractAsyncContextManager[None]:
    """Take the operator's requests at this node."""
    from net.cluster.administration import Administration  # noqa: PLC0415 - without asyncpg there is none

    front, directory = (opened.front, opened.directory) if opened else (None, None)
    here = Administration(database, member, drain, front=front, directory=directory, server=server)
    return answering(data, here.perform)


def _drain(keeper: "Keeper", stop: asyncio.Event, opened: OpenDoor | None) -> str:
    """Begin to hand the tables over, after which the host ends. Raises AdminError."""
    if not keeper.others:
        raise AdminError("No other host of this cluster takes tables, so there is nobody to hand them over to.")
    keeper.member.draining = True  # no new tables from now on
    handed = f"{counted(len(keeper.lobby.tables), 'table is', 'tables are')} handed over; then this host ends."
    if opened is None:
        stop.set()
        return handed
    return f"{_close_door(stop, opened)} {handed}"


def _close_door(stop: asyncio.Event, opened: OpenDoor) -> str:
    """Let nobody in any more, and end after a while; clients of those who are here then come in elsewhere."""
    opened.refuse()
    here = len(opened.front.present)
    asyncio.get_running_loop().call_later(GRACE if here else 0, stop.set)
    if not here:
        return "Nobody is let in any more, and nobody is here, so this gateway ends."
    return (
        f"Nobody is let in any more; in {GRACE:.0f} seconds {counted(here, 'guest is', 'guests are')} told to come "
        "in again, and this gateway ends."
    )


def _shown(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


async def import_into(url: str, data: Path) -> list[str]:
    """Move everything from a data directory into a cluster; return what to say. Raises StoreError."""
    need_asyncpg()
    from net.cluster.database import Database  # noqa: PLC0415 - without asyncpg there is none
    from net.cluster.importing import MOVED, move  # noqa: PLC0415

    async with Database(url) as database:
        moved = await move(data, database)
    lines = [
        f"{counted(moved.names, 'name', 'names')}, {counted(moved.bans, 'ban', 'bans')} and "
        f"{counted(len(moved.tables), 'table', 'tables')} are in the cluster; the old database is now {data / MOVED}."
    ]
    lines += [f"Table {old} is now table {new}." for old, new in moved.tables.items() if old != new]
    if moved.unreadable:
        lines.append(
            f"{counted(moved.unreadable, 'table', 'tables')} could not be read and stay in the old database."
        )
    return lines


async def records_to(url: str, folder: Path, forget: int | None) -> str:
    """Write the records of a cluster's finished matches to files; return what to say. Raises StoreError.

    Matches that have been over for `forget` days leave the database.
    """
    need_asyncpg()
    from net.cluster.database import Database  # noqa: PLC0415
    from net.cluster.records import write_records  # noqa: PLC0415

    async with Database(url) as database:
        count = await write_records(database, folder, None if forget is None else timedelta(days=forget))
    return f"{counted(count, 'record is', 'records are')} new in {folder}."


def need_asyncpg() -> None:
    """Raise StoreError, with a sentence, where a cluster's database cannot be spoken to."""
    if find_spec("asyncpg") is None:
        raise StoreError(MISSING)
