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


class Way:
    """A connection to a host that can be cut and blocked, and a client that uses it."""

    def __init__(self, group, key="SHA256:A"):
        self.host = Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT, clock=quick))
        self.group = group
        self.key = key
        self.blocked = []
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
        if self.blocked:
            raise self.blocked.pop(0)
        yield self.enter()

    async def record_pause(self, seconds):
        self.pauses.append(seconds)
        await asyncio.sleep(0)

    def run(self):
        return self.group.create_task(
            run_reconnecting(self.client, self.link, self.reconnect, sleep=self.record_pause)
        )

    async def receive(self, fits):
        """Return the next message that fits."""
        return await next_message(self.received, fits)

    async def at_table(self):
        await self.receive(lambda message: isinstance(message, Greeting))
        self.client.enter("ada")
        await self.receive(lambda message: isinstance(message, Tables))
        self.client.make_table(MakeTable("draw", 2, {}, bots=1))
        return await self.receive(lambda message: isinstance(message, Update))


@asynccontextmanager
async def on_the_way(*key):
    """Yield a connection with a client that is running; at the end, the player says goodbye at the latest."""
    async with asyncio.TaskGroup() as group:
        way = Way(group, *key)
        running = way.run()
        yield way, running
        way.client.goodbye()
        assert await running == Bye()


@pytest.mark.parametrize("key", ["SHA256:A", ""])
async def test_after_a_break_a_player_sits_in_the_same_seat_again(key):
    async with on_the_way(key) as (way, _):
        before = await way.at_table()

        way.link.close()
        await way.receive(lambda message: isinstance(message, Disconnected))
        assert way.client.lost
        await way.receive(lambda message: isinstance(message, Reconnected))
        after = await way.receive(lambda message: isinstance(message, Update))

        assert not way.client.lost
        assert (after.table.id, after.seat) == (before.table.id, 0)
        assert after.number > before.number


async def test_pauses_grow_while_the_host_is_away_and_begin_anew_when_it_was_found():
    async with on_the_way() as (way, _):
        await way.at_table()
        way.blocked = [UnreachableError("gone")] * 8
        way.link.close()
        await way.receive(lambda message: isinstance(message, Reconnected))

        assert len(way.pauses) == 9
        for pause, wanted in zip(way.pauses, (*RECONNECT_DELAYS, *[RECONNECT_DELAYS[-1]] * 9), strict=False):
            assert wanted * 0.8 <= pause <= wanted * 1.2
        way.link.close()
        await way.receive(lambda message: isinstance(message, Reconnected))
        assert way.pauses[-1] <= RECONNECT_DELAYS[0] * 1.2


async def test_a_host_that_closes_for_a_moment_is_waited_for():
    async with on_the_way() as (way, _):
        await way.at_table()
        old, way.host = way.host, Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test", clock=quick))
        old.close()
        left = await way.receive(lambda message: isinstance(message, Left))

        assert "no longer exists" in str(left.reason), "another host without that table: back to its lobby"
        assert way.client.update is None


async def test_a_break_without_a_return_code_is_reported_with_the_reason():
    async with asyncio.TaskGroup() as group:
        way = Way(group)
        running = asyncio.ensure_future(run_reconnecting(way.client, way.link, way.reconnect, sleep=way.record_pause))
        await way.at_table()
        way.blocked = [JoinError("The host has a different key than before.")]
        way.link.close()
        with pytest.raises(JoinError, match="a different key"):
            await running


async def test_a_removed_player_does_not_reconnect_automatically():
    async with on_the_way() as (way, running):
        await way.at_table()
        way.host.apply_effects(way.host.lobby.remove_players("name", "ada", None))

        assert isinstance(await running, Bye)
        assert way.pauses == []


async def test_a_guest_of_the_lobby_returns_to_the_lobby():
    async with on_the_way() as (way, _):
        await way.receive(lambda message: isinstance(message, Greeting))
        way.client.enter("ada")
        await way.receive(lambda message: isinstance(message, Tables))
        way.link.close()
        await way.receive(lambda message: isinstance(message, Reconnected))
        assert isinstance(await way.receive(lambda message: True), Tables)
