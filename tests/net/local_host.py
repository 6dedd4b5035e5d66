"""A host within the test's process: it saves to memory, and its clients use links in memory."""

import asyncio
from contextlib import asynccontextmanager

from net.client.client import Client
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.table.table import INSTANT
from net.wire.link import memory_pair
from tests.net.party import quick


class MemoryStorage:
    """A storage in memory that saves at once, unless a test makes it wait or fail."""

    def __init__(self):
        self.lines = []
        self.batches = []
        self.delayed_callbacks = None
        self.error = None

    def save(self, batch, done):
        if self.error is None:
            self.batches.append(batch)
            self.lines += [line for change in batch.tables for line in change.lines]
        if self.delayed_callbacks is None:
            done(self.error)
        else:
            self.delayed_callbacks.append(done)


class LocalHost:
    """A host with clients on links in memory; `group` has the tasks of both."""

    def __init__(self, group, *, pace=INSTANT, clock=quick):
        self.group = group
        self.storage = MemoryStorage()
        self.lobby = Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=pace, clock=clock)
        self.server = Server(self.lobby, self.storage)

    def link(self, visitor):
        """Connect a visitor; return their end of the link, and the task that serves it."""
        ours, theirs = memory_pair()
        return ours, self.group.create_task(self.server.serve(theirs, visitor))

    def session(self, name, address=""):
        """Connect a client with a key; return it, a queue of its messages, its link, and both tasks."""
        link, session = self.link(Visitor(name, name, address=address))
        client = Client(link, "test")
        messages = asyncio.Queue()
        client.subscribe(messages.put_nowait)
        running = self.group.create_task(client.run())
        return client, messages, link, session, running


@asynccontextmanager
async def local_host(host_type=LocalHost, **options):
    """Yield a host for one test; at the end it is closed and leaves no task running."""
    async with asyncio.TaskGroup() as group:
        host = host_type(group, **options)
        yield host
        host.server.close()
