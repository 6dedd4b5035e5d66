"""A whole cluster on one machine: PostgreSQL, two table hosts behind TLS, two gateways behind SSH."""

import asyncio
from contextlib import AsyncExitStack

from core.layout.state import NOBODY
from net.client.client import Client, Disconnected, Reconnected
from net.cluster.database import Database
from net.cluster.keeper import Keeper
from net.cluster.membership import Membership
from net.cluster.table_host_end import TableHostEnd
from net.cluster.tls import CLUSTER_FILE, Secret, make_secret
from net.host.lobby import Lobby
from net.host.server import Server
from net.loop import Tasks
from net.players.accounts import Accounts
from net.ssh.client.connect import connect
from net.table.table import INSTANT
from net.wire.messages import Greeting, MakeTable, Said
from tests.net.cluster.doors import gateway
from tests.net.party import quick
from tests.waiting import until


class TableNode:
    """A table host with its own port, like a process of it."""

    def __init__(self, database, secret, name, tasks):
        self.database, self.secret, self.name, self.tasks = database, secret, name, tasks
        self.ends = []

    def _new_trunk(self):
        self.ends.append(TableHostEnd(self.keeper.server, self.tasks))
        return self.ends[-1].trunk

    async def start(self):
        self.listening = await self.secret.accept_trunks("127.0.0.1", 0, self._new_trunk)
        address = f"127.0.0.1:{self.listening.sockets[0].getsockname()[1]}"

        def member(tables):
            return Membership(
                self.database, self.name, role="tables", address=address, software="test", tables=tables
            )

        def server(store, numbers):
            seeds = (f"{self.name} {number}".encode() for number in range(1000))
            lobby = Lobby(
                Accounts(), new_secret=seeds.__next__, software="test", pace=INSTANT, clock=quick, numbers=numbers
            )
            return Server(lobby, store)

        self.keeper = Keeper(self.database, member, server)
        await self.keeper.open()
        self.keeping = asyncio.ensure_future(self.keeper.run())
        return self

    async def die(self):
        """Stop like a killed process: its connections break, and nothing is cleaned up."""
        self.keeping.cancel()
        await asyncio.gather(self.keeping, return_exceptions=True)
        self.keeper.member._close_connection()
        await self.keeper.store._close_connection()
        self.listening.close()
        for end in self.ends:
            end.trunk.abort()

    async def leave(self):
        self.listening.close()
        self.keeping.cancel()
        await asyncio.gather(self.keeping, return_exceptions=True)
        self.keeper.server.close()
        for end in self.ends:
            end.trunk.abort()


class JoinedPlayer:
    """A player who joined through a gateway."""

    def __init__(self, link, name):
        self.received, self.name = [], name
        self.client = Client(link, "test")
        self.client.subscribe(self._handle)

    def _handle(self, message):
        self.received.append(message)
        if isinstance(message, Greeting):
            self.client.enter(self.name)

    def breaks(self):
        return [type(message) for message in self.received if isinstance(message, Disconnected | Reconnected)]

    async def act(self):
        update = self.client.update
        if update.match.play.legal:
            self.client.act(update.match.play.legal[0])
            await until(lambda: self.client.update.number > update.number)


async def join_player(stack, database, secret, name, folder):
    """Join through a separate gateway."""
    port = await stack.enter_async_context(gateway(database, secret, f"gate of {name}", folder / name))
    files = {"known_hosts": folder / f"known {name}", "own_key": folder / f"key {name}"}
    link = await stack.enter_async_context(connect("127.0.0.1", port, name, **files, on_new_host=lambda *_: True))
    player = JoinedPlayer(link, name)
    player.running = asyncio.ensure_future(player.client.run())
    await until(lambda: player.client.name)
    return player


async def wait_until_in_one_lobby(ada, bela):
    """Wait until both see each other, and receive the chat messages of both."""
    await until(lambda: all(set(player.client.tables.names) == {"ada", "bela"} for player in (ada, bela)))
    for player in (ada, bela):
        player.client.say(f"I am {player.name}")
    messages = {Said(name, NOBODY, f"I am {name}") for name in ("ada", "bela")}
    await until(lambda: all(messages <= set(player.client.said) for player in (ada, bela)))


async def sit_at_one_table(ada, bela):
    """Let both play at one table; return its number."""
    while ada.client.update is None:  # a gateway that has just begun may know no table host yet
        ada.client.make_table(MakeTable("draw", 2, {"target": 50}))
        await asyncio.sleep(0.3)
    number = ada.client.update.table.id
    await until(lambda: bela.client.tables.tables)
    bela.client.sit(number)
    await until(lambda: all(player.client.update and player.client.update.match for player in (ada, bela)))
    return number


async def test_two_at_two_gateways_go_on_when_the_host_of_their_table_is_killed(url, tmp_path):
    make_secret(tmp_path / CLUSTER_FILE)
    secret = Secret(tmp_path / CLUSTER_FILE)
    async with Database(url) as database, Tasks() as tasks:
        nodes = [await TableNode(database, secret, name, tasks).start() for name in ("north", "south")]
        async with AsyncExitStack() as stack:
            ada = await join_player(stack, database, secret, "ada", tmp_path)
            bela = await join_player(stack, database, secret, "bela", tmp_path)
            await wait_until_in_one_lobby(ada, bela)
            number = await sit_at_one_table(ada, bela)
            for player in (ada, bela):
                await player.act()
            (victim,) = [node for node in nodes if node.keeper.lobby.tables]
            (survivor,) = [node for node in nodes if node is not victim]
            layout = ada.client.update.match.play.layout

            await victim.die()
            await until(lambda: ada.breaks() == bela.breaks() == [Disconnected, Reconnected])
            await until(lambda: ada.client.update and bela.client.update)  # the table follows the lobby

            assert list(survivor.keeper.lobby.tables) == [number]
            assert ada.client.update.match.play.layout[: len(layout)] == layout, "what was told is there"
            number_before = ada.client.update.number
            for player in (ada, bela):
                await player.act()
            await until(lambda: ada.client.update.number == bela.client.update.number > number_before)
        await survivor.leave()
        await survivor.keeper.aclose()
        victim.keeper.server.close()
        await asyncio.gather(ada.running, bela.running)
