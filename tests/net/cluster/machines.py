"""A whole cluster in one process, without sockets: table hosts that store changes, gateways, and clients."""

import asyncio
from contextlib import asynccontextmanager
from functools import partial

from net.client.client import Client, Disconnected, Reconnected
from net.cluster.directory import DirectoryEntry, TableHostInfo
from net.cluster.gateway_server import GatewayServer
from net.cluster.table_host_end import TableHostEnd
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.loop import LoopScheduler, Tasks
from net.players.accounts import Accounts
from net.table.table import INSTANT
from net.trunk import connect_in_memory
from net.wire.link import memory_pair
from net.wire.messages import Left, Refused, Said, Update
from tests.net.cluster.memory import MemoryDirectory
from tests.net.party import quick
from tests.waiting import until


class Machine:
    """A table host. Its saved tables are listed in the cluster, unless the machine is dead."""

    def __init__(self, cluster, node, first_table):
        self.cluster, self.node = cluster, node
        self.lobby = Lobby(
            Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT, clock=quick, last_table=first_table
        )
        self.server = Server(self.lobby, self)
        self.ends = []
        self.is_dead = False
        cluster.directory.put_host(node, TableHostInfo(node))

    def save(self, batch, done):
        if self.is_dead:
            return
        for change in batch.tables:
            self.cluster.save_change(self, change)
        done(None)

    def accept_trunk(self, trunk):
        """Accept the trunk of a gateway."""
        if self.is_dead:
            raise ConnectionRefusedError
        end = TableHostEnd(self.server, self.cluster.tasks)
        self.ends.append(end)
        connect_in_memory(trunk, end.trunk)

    def take_over(self, *numbers):
        for number in numbers:
            snapshot, lines = self.cluster.saved_tables[number]
            self.lobby.resume(snapshot, lines)
        self.server.save_all()

    def die(self, *, noticed=True):
        """Stop saving and receiving. With `noticed`, also remove the node from the directory."""
        self.is_dead = True
        for end in self.ends:
            end.trunk.abort()
        if noticed:
            self.cluster.directory.put_host(self.node, None)


class Cluster:
    """Machines and gateways around one directory."""

    def __init__(self, group, tasks):
        self.group, self.tasks = group, tasks
        self.directory = MemoryDirectory()
        self.machines = {}
        self.saved_tables = {}
        """By table, its snapshot and the lines of its record."""

    def machine(self, node):
        self.machines[node] = Machine(self, node, 100 * (len(self.machines) + 1))
        return self.machines[node]

    def save_change(self, machine, change):
        """Save a change, and list its table in the directory."""
        if change.snapshot is None:
            self.saved_tables.pop(change.table, None)
            self.directory.drop(change.table)
            return
        _, lines = self.saved_tables.get(change.table, (None, []))
        lines = list(change.lines) if change.begins else [*lines[: change.first], *change.lines]
        self.saved_tables[change.table] = change.snapshot, lines
        table = machine.lobby.tables.get(change.table)
        if table is not None:
            tokens = tuple(chair.token for chair in table.seats.chairs)
            address = machine.lobby.opening_address(change.table)
            self.directory.put(DirectoryEntry(table.info(quick()), machine.node, tokens, table.maker, address))

    async def open_trunk(self, address, trunk):
        self.machines[address].accept_trunk(trunk)

    @asynccontextmanager
    async def gateway(self, clock=quick):
        scheduler = LoopScheduler()
        front = GatewayServer(
            self.directory.view(), self.open_trunk, software="test", clock=clock, scheduler=scheduler
        )
        front.scheduler = scheduler
        async with front.running():
            yield front

    async def enter(self, front, name, key=""):
        """Let a client enter through a gateway."""
        ours, theirs = memory_pair()
        self.group.create_task(front.serve(theirs, Visitor(name, key or f"SHA256:{name}", address="192.0.2.1")))
        player = Player(self.group, ours, name)
        await until(lambda: player.client.tables is not player.tables_at_start)
        return player


class Player:
    """A client, and the messages that it received."""

    def __init__(self, tasks, link, name):
        """A player without a `name` does not enter."""
        self.received = []
        self.link = link
        self.client = Client(link, "test", entropy=lambda size: b"e" * size)
        self.tables_at_start = self.client.tables
        self.client.subscribe(self._handle)
        self._name = name
        start = tasks.create_task if isinstance(tasks, asyncio.TaskGroup) else partial(tasks.start, event="broken")
        self.running = start(self.client.run())

    def _handle(self, message):
        self.received.append(message)
        if type(message).__name__ == "Greeting" and self._name:
            self.client.enter(self._name)

    async def sit_down(self, table):
        """Sit down, and wait until the seat is taken."""
        self.client.sit(table)
        await until(lambda: self.client.update and self.client.update.table.id == table)

    async def refusal(self, send_request):
        """Call `send_request` and return the reason of the refusal that follows."""
        count_before = len(self.received)
        send_request()
        await until(lambda: any(isinstance(message, Refused) for message in self.received[count_before:]))
        return next(str(message.reason) for message in self.received[count_before:] if isinstance(message, Refused))

    def count(self, message_type):
        """Return the number of messages received of a type."""
        return sum(isinstance(message, message_type) for message in self.received)

    @property
    def match(self):
        return self.client.update.match

    def chat(self):
        """Texts of the chat messages received, with the names of the senders."""
        return [(message.name, message.text) for message in self.received if isinstance(message, Said)]

    @property
    def breaks(self):
        """Numbers of lost connections and of reconnections."""
        return self.count(Disconnected), self.count(Reconnected)

    async def act(self):
        """Take a legal action when it is this player's turn."""
        number = self.client.update.number
        self.client.act(self.match.play.legal[0])
        await until(lambda: self.client.update is None or self.client.update.number > number)

    def updates(self):
        return [message for message in self.received if isinstance(message, Update)]

    def refusals(self):
        return [str(message.reason) for message in self.received if isinstance(message, Refused)]

    def departures(self):
        """Return the reasons of the messages that sent this player from a table to the lobby."""
        return [str(message.reason) for message in self.received if isinstance(message, Left)]


@asynccontextmanager
async def open_cluster(*nodes):
    """Yield a cluster with table hosts of these names; everything ends with the block."""
    async with asyncio.TaskGroup() as group, Tasks() as tasks:
        cluster = Cluster(group, tasks)
        for node in nodes:
            cluster.machine(node)
        yield cluster
        for machine in cluster.machines.values():
            machine.server.close()
            for end in machine.ends:
                end.trunk.abort()
        await tasks.wait()
