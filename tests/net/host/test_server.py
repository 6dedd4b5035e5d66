"""The house: links, the clock, guests who break off, and nothing told before it is kept."""

import asyncio

from core.records import referee
from net.client.client import Client
from net.host.lobby import Lobby, Visitor
from net.host.server import RETRY_AFTER, House
from net.players.accounts import Register
from net.storage.database import StoreError
from net.table.table import AT_ONCE, Pace
from net.wire.codec import pack, unpack
from net.wire.link import memory_pair
from net.wire.messages import PROTOCOL, Act, Bye, Enter, Greeting, Hello, MakeTable, Tables, Update
from tests.net.party import Party, quick


class Notes:
    """A keeper that remembers, and keeps at once unless it is told to wait or to fail."""

    def __init__(self):
        self.lines = []
        self.batches = []
        self.held = None
        self.error = None

    def keep(self, batch, done):
        if self.error is None:
            self.batches.append(batch)
            self.lines += [line for change in batch.tables for line in change.lines]
        if self.held is None:
            done(self.error)
        else:
            self.held.append(done)


class Inn:
    """A house with clients on memory links, all within one test."""

    def __init__(self, group, pace=AT_ONCE):
        self.notes = Notes()
        self.house = House(
            Lobby(Register(), seeds=lambda: b"seed", software="test", pace=pace, clock=quick), self.notes
        )
        self.group = group

    def visit(self, name):
        ours, theirs = memory_pair()
        visit = self.group.create_task(self.house.attend(theirs, Visitor(name, name)))
        client = Client(ours, "test")
        heard = asyncio.Queue()
        client.listen(heard.put_nowait)
        running = self.group.create_task(client.run())
        return client, heard, ours, visit, running


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
        inn = Inn(group)
        client, heard, *_ = inn.visit("ada")
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
        inn.house.close()

    assert list(referee(inn.notes.lines))[-1].match.over
    assert max(client.update.match.scores) >= 50


async def test_a_guest_who_breaks_off_is_away_and_the_bot_plays_on():
    async with asyncio.TaskGroup() as group:
        inn = Inn(group)
        ada, ada_heard, *_ = inn.visit("ada")
        await entered(ada, ada_heard)
        ada.make_table(MakeTable("block", 2, {}))
        bela, bela_heard, link, *_ = inn.visit("bela")
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
        inn.house.close()


async def test_bytes_that_are_no_message_close_that_line_with_a_word_and_no_other():
    async with asyncio.TaskGroup() as group:
        inn = Inn(group)
        ada, ada_heard, *_ = inn.visit("ada")
        await entered(ada, ada_heard)
        ours, theirs = memory_pair()
        visit = group.create_task(inn.house.attend(theirs, Visitor()))

        ours.send(b"\xc1 nonsense")

        bye = unpack(await ours.receive(), Bye)
        assert "not a Boneyard message" in str(bye.reason)
        assert await ours.receive() is None
        await visit
        ada.make_table(MakeTable("block", 2, {}))
        await until(ada_heard, lambda m: isinstance(m, Update))
        inn.house.close()


async def test_closing_the_house_says_goodbye_and_leaves_nothing_running():
    async with asyncio.TaskGroup() as group:
        inn = Inn(group, Pace(think=60, draw=60, result=60))
        client, heard, _, visit, running = inn.visit("ada")
        await entered(client, heard)
        client.make_table(MakeTable("draw", 4, {}, bots=3))
        await until(heard, lambda m: isinstance(m, Update))

        inn.house.close()

        assert "shutting down" in str((await running).reason)
        await visit
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_goodbye_ends_the_visit():
    async with asyncio.TaskGroup() as group:
        inn = Inn(group)
        client, heard, _, visit, running = inn.visit("ada")
        await entered(client, heard)
        client.goodbye()

        assert isinstance(await running, Bye)
        await visit


async def test_messages_travel_packed_even_within_one_process():
    async with asyncio.TaskGroup() as group:
        inn = Inn(group)
        ours, theirs = memory_pair()
        visit = group.create_task(inn.house.attend(theirs, Visitor("ada")))
        ours.send(pack(Hello(PROTOCOL, "test")))

        assert isinstance(await ours.receive(), bytes)
        ours.close()
        await visit


class Slow:
    """A keeper that keeps when it is told to."""

    def __init__(self):
        self.waiting = []
        self.asked = asyncio.Event()

    def keep(self, batch, done):
        self.waiting.append((batch, done))
        self.asked.set()


class Ears:
    """A link that remembers what it was sent."""

    def __init__(self):
        self.sent = []

    def send(self, frame):
        self.sent.append(frame)

    def close(self):
        pass


def slow_house():
    keeper = Slow()
    house = House(Lobby(Register(), seeds=lambda: b"seed", software="test"), keeper)
    ears = house._links[1] = Ears()
    party = Party()
    return house, keeper, ears, party


async def test_nobody_hears_of_an_action_before_it_is_kept():
    house, keeper, ears, _ = slow_house()
    house.lobby.arrive(1, Visitor("ada", "key A"))
    for message in (Hello(PROTOCOL, "test"), Enter("ada"), MakeTable("draw", 2, {}, bots=1)):
        house._hear(1, message)
    assert len(ears.sent) == 1, "the greeting; the name is being kept"
    assert len(keeper.waiting) == 1

    keeper.waiting.pop()[1](None)
    assert len(ears.sent) == 3, "now the name and the tables"
    (batch, done) = keeper.waiting.pop()
    assert batch.tables[0].begins
    done(None)
    assert len(ears.sent) == 4, "and the table"
    house.close()


async def test_a_house_that_cannot_save_stands_still_says_so_and_goes_on_when_it_can(monkeypatch):
    monkeypatch.setattr("net.host.server.RETRY_AFTER", 0.0)
    house, keeper, ears, _ = slow_house()
    house.lobby.arrive(1, Visitor("ada", "key A"))
    for message in (Hello(PROTOCOL, "test"), Enter("ada"), MakeTable("draw", 2, {}, bots=1)):
        house._hear(1, message)
    keeper.waiting.pop()[1](None)
    (batch, done) = keeper.waiting.pop()

    done(StoreError("The disk is full."))
    assert b"cannot save right now" in ears.sent[-1]
    told = len(ears.sent)
    table = house.lobby.tables[1]
    before = table.match
    house._hear(1, Act(1, before.legal[0] if before.legal else None))
    assert b"cannot save right now" in ears.sent[-1]
    assert table.match is before, "nothing happens meanwhile"
    assert len(ears.sent) == told + 1

    keeper.asked.clear()
    await keeper.asked.wait()
    again, done = keeper.waiting.pop()
    assert again is batch
    done(None)
    assert house.trouble is None
    assert b"update" in ears.sent[-1]
    house.close()
    assert RETRY_AFTER > 0
