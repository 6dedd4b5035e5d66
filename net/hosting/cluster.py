"""Parts of the nodes of a cluster: gateways, which admit guests, and table hosts. Needs asyncpg."""

import asyncio
from collections.abc import AsyncIterator, Callable, Set
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from net.cluster.administration import Administration
from net.cluster.cluster_counters import ClusterCounters, CounterTable
from net.cluster.database import Database, check_keys
from net.cluster.database_directory import StoredDirectory
from net.cluster.directory import Directory
from net.cluster.gateway_server import GatewayServer
from net.cluster.keeper import Keeper
from net.cluster.membership import Membership
from net.cluster.routes import OpenTrunk
from net.cluster.table_host_end import TableHostEnd
from net.cluster.tls import CLUSTER_FILE, Secret, SecretError
from net.doors.listener import HostError
from net.host.admin import DISCONNECT_DELAY, AdminError, serve_admin_socket
from net.host.lobby import Lobby
from net.host.server import Server
from net.host.table_host import TableNumbers
from net.hosting.parts import Host, Part, announcement, new_secret, process, server_problem, signing_of, ssh_door
from net.loop import LoopScheduler, Tasks, run_forever
from net.options import NodeOptions
from net.players.accounts import Accounts
from net.players.text import quantity
from net.ssh.server.listen import host_key_at
from net.storage.permissions import StoreError, lock, make_private
from net.table.persistence import Storage
from net.trunk import Trunk, connect_in_memory

HANDOVER_TIMEOUT = 30.0
"""Seconds to hand all tables over before the host ends anyway; other hosts take over the rest."""
DISCONNECT_GRACE = 10.0
"""Seconds between closing a gateway to newcomers and disconnecting its guests, who then reconnect elsewhere."""


class Node(Host):
    """A host that is a node of a cluster."""

    secret: Secret
    database: Database
    member: Membership
    alive: "asyncio.Future[None]"
    """Done when this node cannot be a member of the cluster any more, or fails."""
    open_trunk: OpenTrunk
    """Opens a trunk to a table host."""
    directory: Directory | None = None
    """A gateway's directory of the cluster."""
    keeper: Keeper | None = None
    """A table host's keeper."""
    address = ""
    """Address at which gateways reach the tables here."""
    may_return = True
    """True: other nodes continue."""

    @property
    def node(self) -> NodeOptions:
        """Options of this node."""
        if self.options.node is None:
            raise ValueError("a host that is alone is no node")
        return self.options.node

    @property
    def role(self) -> str:
        """`gateway`, `tables` or `both`."""
        return "gateway" if not self.node.address else "both" if self.options.door else "tables"

    async def goodbye(self) -> None:
        """Disconnect all guests; their clients reconnect to another node."""
        cast(GatewayServer, self.guests).close()

    async def wait_closed(self) -> None:
        """Wait until it is time to close. A table host has handed its tables over then, if there is another host.

        Raises ClusterError when this node cannot be a member of the cluster any more.
        """
        stop_requested = asyncio.ensure_future(self.stop.wait())
        futures: list[asyncio.Future[Any]] = [self.alive, stop_requested]
        try:
            await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
            if self.alive.done():
                self.alive.result()
            if self.keeper is not None:
                with suppress(StoreError, TimeoutError):
                    async with asyncio.timeout(HANDOVER_TIMEOUT):
                        await self.keeper.drain()
        finally:
            stop_requested.cancel()


async def _cancel(future: "asyncio.Future[None]") -> None:
    future.cancel()
    await asyncio.gather(future, return_exceptions=True)


@asynccontextmanager
async def database(node: Node) -> AsyncIterator[None]:
    """Part: locks the data directory, and opens the cluster's database if this node has the right keys."""
    data = node.options.data
    make_private(data)
    try:
        node.secret = Secret(data / CLUSTER_FILE)
    except SecretError as error:
        raise HostError(str(error)) from None
    node.open_trunk = node.secret.open_trunk
    with lock(data):
        async with Database(node.node.url) as node.database:
            fingerprints = {
                data / CLUSTER_FILE: node.secret.fingerprint,
                node.host_key: host_key_at(node.host_key).get_fingerprint(),
            }
            await check_keys(node.database, fingerprints)
            yield


@asynccontextmanager
async def membership(node: Node) -> AsyncIterator[None]:
    """Part: a gateway's membership."""
    node.member = member = _member(node, "", lambda: 0)
    node.watch_health(lambda: str(member.error or ""))
    await member.join()
    node.alive = asyncio.ensure_future(member.run())
    try:
        yield
    finally:
        await _cancel(node.alive)
        await member.leave()


@asynccontextmanager
async def tables(node: Node) -> AsyncIterator[None]:
    """Part: the tables of a table host, its membership, and the port for trunks of gateways."""
    signing = signing_of(node)
    keeper: Keeper

    def create_server(store: Storage, numbers: TableNumbers) -> Server:
        lobby = Lobby(
            Accounts(),
            new_secret=new_secret,
            software=node.options.software,
            pace=node.options.pace,
            house_rules=node.options.house_rules,
            numbers=numbers,
            signing=signing,
        )
        return Server(lobby, store, node.metrics, LoopScheduler(), node.thinkers)

    async with Tasks() as guest_tasks:

        def new_trunk() -> Trunk:
            return TableHostEnd(keeper.server, guest_tasks).trunk

        listener = await node.secret.accept_trunks(node.node.address, node.node.port, new_trunk)
        address = node.address = _host_and_port(node.node.address, listener.sockets[0].getsockname()[1])

        async def open_trunk(target: str, trunk: Trunk) -> None:
            connect_in_memory(trunk, new_trunk()) if target == address else await node.secret.open_trunk(
                target, trunk
            )

        keeper = node.keeper = Keeper(node.database, lambda count: _member(node, address, count), create_server)
        node.server, node.member, node.open_trunk = keeper.server, keeper.member, open_trunk
        node.watch_health(lambda: server_problem(keeper.server) or keeper.problem)
        try:
            await keeper.open()
            node.alive = asyncio.ensure_future(keeper.run())  # not later: a gateway takes seconds to start
            try:
                yield
            finally:
                listener.close()
                await _cancel(node.alive)
        finally:
            listener.close()
            await keeper.server.aclose()
            await keeper.aclose()


@asynccontextmanager
async def guests(node: Node) -> AsyncIterator[None]:
    """Part: the directory of a gateway, the shared counters, and the server that connects its guests to tables."""
    limits = node.door.access.limits
    node.directory = directory = StoredDirectory(node.database, node.member)
    await directory.open()
    node.quotas = counters = ClusterCounters(CounterTable(node.database, limits), limits, lambda: node.member.id)
    node.member.on_expired.add(counters.degrade)
    node.guests = server = GatewayServer(
        directory,
        node.open_trunk,
        software=node.options.software,
        house_rules=node.options.house_rules,
        thinkers=node.thinkers,
        scheduler=node.scheduler,
        metrics=node.metrics,
    )
    async with Tasks() as tasks:
        tasks.start(directory.keep(), "directory-not-followed")
        tasks.start(counters.run(), "counts-not-kept")
        try:
            async with server.running():
                yield
        finally:
            await counters.flush()  # release the last sessions while the database is open


@asynccontextmanager
async def disconnect_banned(node: Node) -> AsyncIterator[None]:
    """Part: disconnects guests who are banned anywhere in the cluster."""
    known_bans = frozenset(node.guests.bans)

    def on_directory_change(_tables: Set[int]) -> None:
        nonlocal known_bans
        former_bans, known_bans = known_bans, frozenset(node.guests.bans)
        for key_or_address in known_bans - former_bans:
            asyncio.get_running_loop().call_later(DISCONNECT_DELAY, node.port.disconnect, key_or_address)

    stop = node.guests.followers.add(on_directory_change)
    try:
        yield
    finally:
        stop()


@asynccontextmanager
async def administration(node: Node) -> AsyncIterator[None]:
    """Part: the operator's commands at this node."""
    front = cast(GatewayServer, node.guests) if node.options.door else None
    server = node.keeper.server if node.keeper else None
    commands = Administration(
        node.database, node.member, lambda: _drain(node), front=front, directory=node.directory, server=server
    )
    async with Tasks() as tasks, serve_admin_socket(node.options.data, commands.perform):
        tasks.start(run_forever(commands.end_bans, "bans-not-ended"), "bans-not-ended")
        if node.keeper:
            node.say(f"Node {node.node.name} runs tables at {node.address} for its cluster. Press Ctrl-C to stop it.")
        yield


GATEWAY = (process, database, membership, guests, ssh_door, disconnect_banned, administration, announcement)
"""Parts of `boneyard host --role gateway`."""
TABLES = (process, database, tables, administration)
"""Parts of `boneyard host --role tables`."""
BOTH = (process, database, tables, guests, ssh_door, disconnect_banned, administration, announcement)
"""Parts of `boneyard host --role both`."""
ROLES = cast("dict[str, tuple[Part, ...]]", {"gateway": GATEWAY, "tables": TABLES, "both": BOTH})


def _member(node: Node, address: str, tables: Callable[[], int]) -> Membership:
    return Membership(
        node.database,
        node.node.name,
        role=node.role,
        address=address,
        software=node.options.software,
        tables=tables,
    )


def _drain(node: Node) -> str:
    """Begin to hand over tables and guests, after which the node ends. Raises AdminError."""
    if node.keeper is None:
        return _close_door(node)
    if not node.keeper.other_table_hosts:
        raise AdminError("No other host of this cluster takes tables, so there is nobody to hand them over to.")
    node.member.draining = True  # takes no new tables from now on
    sentence = (
        f"{quantity(len(node.keeper.lobby.tables), 'table is', 'tables are')} handed over; then this host ends."
    )
    if node.options.door is None:
        node.stop.set()
        return sentence
    return f"{_close_door(node)} {sentence}"


def _close_door(node: Node) -> str:
    """Admit no more guests, and end after `DISCONNECT_GRACE` seconds; clients of those present then reconnect
    elsewhere.
    """
    node.port.refuse()
    guest_count = len(cast(GatewayServer, node.guests).present)
    asyncio.get_running_loop().call_later(DISCONNECT_GRACE if guest_count else 0, node.stop.set)
    if not guest_count:
        return "Nobody is let in any more, and nobody is here, so this gateway ends."
    return (
        f"Nobody is let in any more; in {DISCONNECT_GRACE:.0f} seconds "
        f"{quantity(guest_count, 'guest is', 'guests are')} told to come in again, and this gateway ends."
    )


def _host_and_port(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
