"""Table hosts of one cluster in one process, with clients over links in memory."""

import asyncio

from net.client.client import Client
from net.cluster.keeper import Keeper
from net.cluster.membership import Membership
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.table.table import INSTANT
from net.wire.link import memory_pair
from net.wire.messages import Greeting, Left, Refused, Update
from tests.net.party import quick
from tests.waiting import until


class Guest:
    """A client at one node, and all messages that it receives."""

    def __init__(self, node, name):
        ours, theirs = memory_pair()
        self.node = node
        self.name = name
        self.received = []
        self.link = ours
        self.session = asyncio.ensure_future(
            node.server.serve(theirs, Visitor(name, f"key of {name}", address="192.0.2.1"))
        )
        self.client = Client(ours, "test")
        self.client.subscribe(self._handle)
        self.running = asyncio.ensure_future(self.client.run())

    def _handle(self, message):
        self.received.append(message)
        if isinstance(message, Greeting):
            self.client.enter(self.name)

    def latest(self, message_type):
        """Return the last message of a type; None before the first."""
        return next((message for message in reversed(self.received) if isinstance(message, message_type)), None)

    @property
    def layout(self):
        update = self.latest(Update)
        return update.match.play.layout if update and update.match else ()

    async def enter_lobby(self):
        await until(lambda: self.client.name)
        return self

    async def act(self):
        """Take the first legal action if it is this guest's turn; return True if there was one."""
        update = self.latest(Update)
        if update.match and update.match.play.legal:
            self.client.act(update.match.play.legal[0])
        elif update.match and update.match.play.result:
            self.client.ready()
        else:
            return False
        count = len(self.received)
        await until(lambda: len(self.received) > count)
        return True

    def is_sent_away(self):
        return isinstance(self.received[-1], Left)

    def refusals(self):
        return [str(message.reason) for message in self.received if isinstance(message, Refused)]


class Node:
    """A table host."""

    def __init__(self, database, name):
        self.name = name
        self.database = database
        self.keeper = Keeper(database, self._member, self._server)
        self.guests = []

    def _member(self, tables):
        return Membership(self.database, self.name, role="tables", address="x", software="test", tables=tables)

    def _server(self, store, numbers):
        seeds = iter(f"{self.name} {number}".encode() for number in range(1000))
        lobby = Lobby(
            Accounts(), new_secret=seeds.__next__, software="test", pace=INSTANT, clock=quick, numbers=numbers
        )
        return Server(lobby, store)

    @property
    def server(self):
        return self.keeper.server

    @property
    def tables(self):
        return self.keeper.lobby.tables

    async def start(self):
        await self.keeper.open()
        self.keeping = asyncio.ensure_future(self.keeper.run())
        return self

    async def add_guest(self, name):
        guest = Guest(self, name)
        self.guests.append(guest)
        return await guest.enter_lobby()

    async def hang(self):
        """Stop like a suspended process: no work is done, but the connections and the lock remain."""
        self.keeping.cancel()
        await asyncio.gather(self.keeping, return_exceptions=True)

    async def die(self):
        """Stop like a killed process: nothing is cleaned up."""
        await self.hang()
        self.keeper.member._close_connection()
        await self.keeper.store._close_connection()
        await self.stop()

    async def stop(self):
        self.server.close()
        for guest in self.guests:
            guest.link.close()
        sessions = [task for guest in self.guests for task in (guest.session, guest.running)]
        await asyncio.gather(*sessions, return_exceptions=True)
        self.guests.clear()
        if not self.keeping.done():
            await self.hang()
