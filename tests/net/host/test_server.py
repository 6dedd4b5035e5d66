"""The server: links, the clock, guests who disconnect, and nothing sent before it is saved."""

import asyncio

from core.records import referee
from net.client.client import Client
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import RETRY_AFTER, Server
from net.players.accounts import Accounts
from net.storage.database import StoreError
from net.table.table import AT_ONCE, Pace
from net.wire.codec import pack, unpack
from net.wire.link import memory_pair
from net.wire.messages import PROTOCOL, Act, Bye, Enter, Greeting, Hello, MakeTable, Tables, Update
from tests.net.party import Party, quick


class MemoryStorage:
    """A storage in memory that saves at once, unless it is told to wait or to fail."""

    def __init__(self):
        self.lines = []
        self.batches = []
        self.held = None
        self.error = None

    def save(self, batch, done):
        if self.error is None:
            self.batches.append(batch)
            self.lines += [line for change in batch.tables for line in change.lines]
        if self.held is None:
            done(self.error)
        else:
            self.held.append(done)


class LocalHost:
    """A host with clients on memory links, all within one test."""

    def __init__(self, group, pace=AT_ONCE):
        self.storage = MemoryStorage()
        self.server = Server(
            Lobby(Accounts(), seeds=lambda: b"seed", software="test", pace=pace, clock=quick), self.storage
        )
        self.group = group

    def session(self, name):
        ours, theirs = memory_pair()
        session = self.group.create_task(self.server.serve(theirs, Visitor(name, name)))
        client = Client(ours, "test")
        heard = asyncio.Queue()
        client.subscribe(heard.put_nowait)
        running = self.group.create_task(client.run())
        return client, heard, ours, session, running


async def until(heard, fits):
    async with asyncio.timeout(30):
        while True:
            message = await heard.get()
            if fits(message):
                return message


async def entered(client, heard):
    await until(heard, lambda m: isinstance(m, Greeting))
    client.enter(client.name or "ada")
    await until(heard, lambda m: isinstance(m, Tables))


async def test_a_client_plays_a_whole_match_against_a_bot_over_a_link():
    async with asyncio.TaskGroup() as group:
        host = LocalHost(group)
        client, heard, *_ = host.session("ada")
        await entered(client, heard)
        client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
        while True:
            update = await until(heard, lambda m: isinstance(m, Update))
            if update.match.winners:
                break
            if update.match.play.legal:
                client.act(update.match.play.legal[0])
            elif update.match.play.result and not update.ready:
                client.ready()
        host.server.close()

    assert list(referee(host.storage.lines))[-1].match.over
    assert max(client.update.match.scores) >= 50


async def test_a_guest_who_breaks_off_is_away_and_the_bot_plays_on():
    async with asyncio.TaskGroup() as group:
        host = LocalHost(group)
        ada, ada_heard, *_ = host.session("ada")
        await entered(ada, ada_heard)
        ada.make_table(MakeTable("block", 2, {}))
        bela, bela_heard, link, *_ = host.session("bela")
        await until(bela_heard, lambda m: isinstance(m, Greeting))
        bela.enter("bela")
        tables = await until(bela_heard, lambda m: isinstance(m, Tables) and m.tables)
        bela.sit(tables.tables[0].id)
        await until(bela_heard, lambda m: isinstance(m, Update) and m.match)

        link.close()

        update = await until(ada_heard, lambda m: isinstance(m, Update) and m.table.seats[1].away)
        while not update.match.play.result:
            if update.match.play.legal:
                ada.act(update.match.play.legal[0])
            update = await until(ada_heard, lambda m: isinstance(m, Update))
        host.server.close()


async def test_bytes_that_are_no_message_close_that_line_with_a_word_and_no_other():
    async with asyncio.TaskGroup() as group:
        host = LocalHost(group)
        ada, ada_heard, *_ = host.session("ada")
        await entered(ada, ada_heard)
        ours, theirs = memory_pair()
        session = group.create_task(host.server.serve(theirs, Visitor()))

        ours.send(b"\xc1 nonsense")

        bye = unpack(await ours.receive(), Bye)
        assert "not a Boneyard message" in str(bye.reason)
        assert await ours.receive() is None
        await session
        ada.make_table(MakeTable("block", 2, {}))
        await until(ada_heard, lambda m: isinstance(m, Update))
        host.server.close()


async def test_closing_the_house_says_goodbye_and_leaves_nothing_running():
    async with asyncio.TaskGroup() as group:
        host = LocalHost(group, Pace(think=60, draw=60, result=60))
        client, heard, _, session, running = host.session("ada")
        await entered(client, heard)
        client.make_table(MakeTable("draw", 4, {}, bots=3))
        await until(heard, lambda m: isinstance(m, Update))

        host.server.close()

        assert "shutting down" in str((await running).reason)
        await session
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_goodbye_ends_the_visit():
    async with asyncio.TaskGroup() as group:
        host = LocalHost(group)
        client, heard, _, session, running = host.session("ada")
        await entered(client, heard)
        client.goodbye()

        assert isinstance(await running, Bye)
        await session


async def test_messages_travel_packed_even_within_one_process():
    async with asyncio.TaskGroup() as group:
        host = LocalHost(group)
        ours, theirs = memory_pair()
        session = group.create_task(host.server.serve(theirs, Visitor("ada")))
        ours.send(pack(Hello(PROTOCOL, "test")))

        assert isinstance(await ours.receive(), bytes)
        ours.close()
        await session


class Slow:
    """A storage that saves when it is told to."""

    def __init__(self):
        self.waiting = []
        self.asked = asyncio.Event()

    def save(self, batch, done):
        self.waiting.append((batch, done))
        self.asked.set()


class RecordingLink:
    """A link that remembers what it was sent."""

    def __init__(self):
        self.sent = []

    def send(self, frame):
        self.sent.append(frame)

    def close(self):
        pass


def slow_server():
    storage = Slow()
    server = Server(Lobby(Accounts(), seeds=lambda: b"seed", software="test"), storage)
    link = server._links[1] = RecordingLink()
    party = Party()
    return server, storage, link, party


async def test_nobody_hears_of_an_action_before_it_is_kept():
    server, storage, link, _ = slow_server()
    server.lobby.connect(1, Visitor("ada", "key A"))
    for message in (Hello(PROTOCOL, "test"), Enter("ada"), MakeTable("draw", 2, {}, bots=1)):
        server._handle(1, message)
    assert len(link.sent) == 1, "the greeting; the name is being kept"
    assert len(storage.waiting) == 1

    storage.waiting.pop()[1](None)
    assert len(link.sent) == 3, "now the name and the tables"
    (batch, done) = storage.waiting.pop()
    assert batch.tables[0].begins
    done(None)
    assert len(link.sent) == 4, "and the table"
    server.close()


async def test_a_house_that_cannot_save_stands_still_says_so_and_goes_on_when_it_can(monkeypatch):
    monkeypatch.setattr("net.host.server.RETRY_AFTER", 0.0)
    server, storage, link, _ = slow_server()
    server.lobby.connect(1, Visitor("ada", "key A"))
    for message in (Hello(PROTOCOL, "test"), Enter("ada"), MakeTable("draw", 2, {}, bots=1)):
        server._handle(1, message)
    storage.waiting.pop()[1](None)
    (batch, done) = storage.waiting.pop()

    done(StoreError("The disk is full."))
    assert b"cannot save right now" in link.sent[-1]
    told = len(link.sent)
    table = server.lobby.tables[1]
    before = table.match
    server._handle(1, Act(1, before.legal[0] if before.legal else None))
    assert b"cannot save right now" in link.sent[-1]
    assert table.match is before, "nothing happens meanwhile"
    assert len(link.sent) == told + 1

    storage.asked.clear()
    await storage.asked.wait()
    again, done = storage.waiting.pop()
    assert again is batch
    done(None)
    assert server.storage_error is None
    assert b"update" in link.sent[-1]
    server.close()
    assert RETRY_AFTER > 0
