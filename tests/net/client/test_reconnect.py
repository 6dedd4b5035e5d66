"""A joined player whose connection breaks is informed, reconnects with growing pauses, and keeps the seat."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from net.client.client import Client, Disconnected, Reconnected
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.ssh.client.connect import RECONNECT_DELAYS, JoinError, UnreachableError, run_reconnecting
from net.table.table import INSTANT
from net.wire.link import memory_pair
from net.wire.messages import Bye, Greeting, Left, MakeTable, Tables, Update
from tests.net.party import quick
from tests.waiting import next_message


class CuttableConnection:
    """A connection to a host that can be cut and blocked, and a client that uses it."""

    def __init__(self, group, key="SHA256:A"):
        self.host = Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT, clock=quick))
        self.group = group
        self.key = key
        self.failures = []
        """Errors of the next attempts to reconnect."""
        self.pauses = []
        self.received = asyncio.Queue()
        self.link = self.enter()
        self.client = Client(self.link, "test")
        self.client.subscribe(self.received.put_nowait)

    def enter(self):
        self.link, theirs = memory_pair()
        self.group.create_task(self.host.serve(theirs, Visitor("ada", self.key)))
        return self.link

    @asynccontextmanager
    async def reconnect(self):
        if self.failures:
            raise self.failures.pop(0)
        yield self.enter()

    async def record_pause(self, seconds):
        self.pauses.append(seconds)
        await asyncio.sleep(0)

    def run(self):
        return self.group.create_task(
            run_reconnecting(self.client, self.link, self.reconnect, sleep=self.record_pause)
        )

    async def receive(self, matches):
        """Return the next message for which `matches` is true."""
        return await next_message(self.received, matches)

    async def make_table(self):
        """Enter, and make a table with a bot; return its first update."""
        await self.receive(lambda message: isinstance(message, Greeting))
        self.client.enter("ada")
        await self.receive(lambda message: isinstance(message, Tables))
        self.client.make_table(MakeTable("draw", 2, {}, bots=1))
        return await self.receive(lambda message: isinstance(message, Update))


@asynccontextmanager
async def run_client(*key):
    """Yield a connection with a client that is running; at the end, the player says goodbye at the latest."""
    async with asyncio.TaskGroup() as group:
        connection = CuttableConnection(group, *key)
        running = connection.run()
        yield connection, running
        connection.client.goodbye()
        assert await running == Bye()


@pytest.mark.parametrize("key", ["SHA256:A", ""])
async def test_after_a_break_a_player_sits_in_the_same_seat_again(key):
    async with run_client(key) as (connection, _):
        update_before = await connection.make_table()

        connection.link.close()
        await connection.receive(lambda message: isinstance(message, Disconnected))
        assert connection.client.lost
        await connection.receive(lambda message: isinstance(message, Reconnected))
        update_after = await connection.receive(lambda message: isinstance(message, Update))

        assert not connection.client.lost
        assert (update_after.table.id, update_after.seat) == (update_before.table.id, 0)
        assert update_after.number > update_before.number


async def test_pauses_grow_while_the_host_is_away_and_begin_anew_when_it_was_found():
    async with run_client() as (connection, _):
        await connection.make_table()
        connection.failures = [UnreachableError("gone")] * 8
        connection.link.close()
        await connection.receive(lambda message: isinstance(message, Reconnected))

        assert len(connection.pauses) == 9
        for pause, delay in zip(connection.pauses, (*RECONNECT_DELAYS, *[RECONNECT_DELAYS[-1]] * 9), strict=False):
            assert delay * 0.8 <= pause <= delay * 1.2
        connection.link.close()
        await connection.receive(lambda message: isinstance(message, Reconnected))
        assert connection.pauses[-1] <= RECONNECT_DELAYS[0] * 1.2


async def test_after_a_restart_that_lost_the_table_a_player_is_in_the_lobby():
    async with run_client() as (connection, _):
        await connection.make_table()
        connection.host.close()
        connection.host = Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test", clock=quick))
        left = await connection.receive(lambda message: isinstance(message, Left))

        assert "no longer exists" in str(left.reason), "another host without that table: back to its lobby"
        assert connection.client.update is None


async def test_a_break_without_a_return_code_is_reported_with_the_reason():
    async with asyncio.TaskGroup() as group:
        connection = CuttableConnection(group)
        running = asyncio.ensure_future(
            run_reconnecting(connection.client, connection.link, connection.reconnect, sleep=connection.record_pause)
        )
        await connection.make_table()
        connection.failures = [JoinError("The host has a different key than before.")]
        connection.link.close()
        with pytest.raises(JoinError, match="a different key"):
            await running


async def test_a_removed_player_does_not_reconnect_automatically():
    async with run_client() as (connection, running):
        await connection.make_table()
        connection.host.apply_effects(connection.host.lobby.remove_players("name", "ada", None))

        assert isinstance(await running, Bye)
        assert connection.pauses == []


async def test_a_guest_of_the_lobby_returns_to_the_lobby():
    async with run_client() as (connection, _):
        await connection.receive(lambda message: isinstance(message, Greeting))
        connection.client.enter("ada")
        await connection.receive(lambda message: isinstance(message, Tables))
        connection.link.close()
        await connection.receive(lambda message: isinstance(message, Reconnected))
        assert isinstance(await connection.receive(lambda message: True), Tables)
