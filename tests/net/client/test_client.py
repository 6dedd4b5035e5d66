"""The client: its requests, the messages that it keeps, and the listeners that it notifies."""

import asyncio

import pytest
from msgspec.structs import replace

from core.actions import Draw
from core.words import words
from net.client.client import REPEAT_TIMEOUT, Client, Disconnected, Reconnected
from net.wire.link import WireError, memory_pair, pack, unpack
from net.wire.messages import (
    PROTOCOL,
    Act,
    Bye,
    Enter,
    Entered,
    Goodbye,
    Greeting,
    Hello,
    Interrupted,
    Left,
    MakeTable,
    Ready,
    Refused,
    Resumed,
    Said,
    SeatInfo,
    Sit,
    TableInfo,
    Tables,
    ToHost,
    Update,
    Watch,
)

TABLE = TableInfo(7, "ada's", "draw", {}, (SeatInfo("ada"), SeatInfo()), 0, "waiting")
UPDATE = Update(3, TABLE, 0, None, code="k7qx2m")
GREETING = Greeting(PROTOCOL, "host", "ada", True, {"draw": {"target": 50}})


class Host:
    """A client, and the other end of its link, at which the test sends the messages of a host."""

    def __init__(self, **options):
        ours, self.link = memory_pair()
        self.client = Client(ours, "test", **options)
        self.received = []
        self.news = asyncio.Event()
        self.client.subscribe(self.handle)
        self.running = asyncio.create_task(self.client.run())

    def handle(self, message):
        self.received.append(message)
        self.news.set()

    async def next_request(self):
        """Return the next message of the client."""
        async with asyncio.timeout(30):
            return unpack(await self.link.receive(), ToHost)

    async def deliver(self, *messages):
        """Send messages, and wait until the client has received them."""
        count = len(self.received) + len(messages)
        self.send(*messages)
        await self.wait_for_count(count)

    async def wait_for_count(self, count):
        async with asyncio.timeout(30):
            while len(self.received) < count:
                self.news.clear()
                await self.news.wait()

    async def reconnect(self):
        """Break the connection, and let the client reconnect over a new one."""
        self.link.close()
        assert await self.running is None
        ours, self.link = memory_pair()
        self.running = asyncio.create_task(self.client.run(ours))

    def send(self, *messages):
        """Send messages of which the client may notify no listener."""
        for message in messages:
            self.link.send(pack(message))


@pytest.fixture
async def host():
    host = Host()
    assert await host.next_request() == Hello(PROTOCOL, "test")
    yield host
    host.link.close()
    await host.running


async def test_a_client_keeps_the_newest_messages_and_notifies_every_listener(host):
    second_listener = []
    stop = host.client.subscribe(second_listener.append)
    await host.deliver(GREETING, Entered("ada", "k7qx2m9fh3tw"), Tables((TABLE,)), UPDATE)

    assert host.received == second_listener == [GREETING, Entered("ada", "k7qx2m9fh3tw"), Tables((TABLE,)), UPDATE]
    client = host.client
    assert (client.name, client.resume, client.house_rules) == ("ada", "k7qx2m9fh3tw", GREETING.house_rules)
    assert (client.tables, client.update) == (Tables((TABLE,)), UPDATE)
    stop()
    await host.deliver(Left())
    assert len(second_listener) == 4
    assert client.update is None


def test_a_listener_that_was_removed_with_all_others_may_stop_once_more():
    client = Client(memory_pair()[0], "test")
    stop = client.subscribe(lambda _message: None)
    client.unsubscribe_all()
    stop()
    stop()


async def test_a_goodbye_ends_the_client_and_is_returned():
    host = Host()
    await host.deliver(Bye(again=True))

    assert await host.running == Bye(again=True)


async def test_bytes_that_are_no_message_end_the_client_with_an_error():
    host = Host()
    host.link.send(b"\xc1 nonsense")

    with pytest.raises(WireError):
        await host.running


async def test_a_client_decodes_messages_with_the_decoder_it_was_given():
    def decode(_payload):
        return Said("ada", 0, "understood")

    host = Host(decode=decode)
    await host.deliver(Said("ada", 0, "raw"))

    assert host.received == [Said("ada", 0, "understood")]
    host.link.close()
    await host.running


async def test_an_action_answers_the_newest_update_and_needs_one(host):
    host.client.act(Draw())
    await host.deliver(UPDATE, replace(UPDATE, number=4))
    host.client.act(Draw())

    assert await host.next_request() == Act(4, Draw())


async def test_the_last_hundred_chat_lines_of_the_current_table_are_kept(host):
    await host.deliver(UPDATE, *(Said("ada", 0, str(number)) for number in range(150)))
    assert [line.text for line in host.client.said] == [str(number) for number in range(50, 150)]

    await host.deliver(replace(UPDATE, table=replace(TABLE, id=8)))
    assert host.client.said == []


async def test_requests_for_a_table_or_a_seat_carry_a_pledge_if_the_client_adds_shares():
    host = Host(entropy=lambda size: b"x" * size)
    await host.next_request()
    host.client.make_table(MakeTable("draw", 2, {}))
    host.client.sit(7, "k7qx2m")
    host.client.watch(7)

    make_request, sit_request = await host.next_request(), await host.next_request()
    assert len(make_request.pledge) == len(sit_request.pledge) == 64
    assert (sit_request.table, sit_request.code) == (7, "k7qx2m")
    assert await host.next_request() == Watch(7)
    host.link.close()
    await host.running


async def test_a_client_without_a_share_pledges_nothing(host):
    host.client.make_table(MakeTable("draw", 2, {}))
    host.client.ready()

    assert (await host.next_request()).pledge == ""
    assert await host.next_request() == Ready("")


async def test_after_a_break_a_client_returns_to_its_seat_by_its_code_and_reports_it(host):
    await host.deliver(GREETING, Entered("ada", "k7qx2m9fh3tw"), UPDATE)
    host.client.publish(Disconnected())
    assert host.client.lost
    count_before = len(host.received)
    await host.reconnect()

    assert await host.next_request() == Hello(PROTOCOL, "test", "k7qx2m9fh3tw")
    host.send(GREETING)
    assert await host.next_request() == Enter("ada")
    host.send(Entered("ada", "another code"))
    assert await host.next_request() == Sit(7, "k7qx2m")
    await host.deliver(UPDATE, replace(UPDATE, number=4))

    assert host.received[count_before:][:2] == [Reconnected(), UPDATE]
    assert not host.client.lost
    assert (host.client.reconnects, host.client.resume) == (1, "another code")


async def test_a_spectator_watches_again_after_a_break(host):
    await host.deliver(GREETING, Entered("ada"), replace(UPDATE, seat=-1))
    await host.reconnect()
    await host.next_request()
    host.send(GREETING)
    await host.next_request()
    host.send(Entered("ada"))

    assert await host.next_request() == Watch(7, "k7qx2m")


async def test_the_client_has_left_a_table_that_is_gone(host):
    await host.deliver(GREETING, Entered("ada"), UPDATE)
    count_before = len(host.received)
    await host.reconnect()
    reason = words("There is no table {number}.", number=7)
    host.send(GREETING, Entered("ada"), Refused(reason))
    await host.wait_for_count(count_before + 2)

    assert host.received[count_before:] == [Reconnected(), Left(reason)]
    assert host.client.update is None


async def test_a_player_of_an_interrupted_table_returns_to_the_seat_when_it_is_resumed(host):
    await host.deliver(GREETING, Entered("ada"), Tables((TABLE,)), UPDATE)
    host.send(Interrupted(), Interrupted())
    await host.wait_for_count(5)
    assert host.received[4] == Disconnected()
    assert host.client.lost

    host.send(Resumed())
    assert await host.next_request() == Sit(7, "k7qx2m")
    host.send(Interrupted(), Resumed())
    assert await host.next_request() == Sit(7, "k7qx2m"), "the next table host may die as well"
    host.send(replace(UPDATE, number=9))
    await host.wait_for_count(7)

    assert host.received[5:] == [Reconnected(), replace(UPDATE, number=9)]
    assert not host.client.lost


async def test_a_spectator_of_an_interrupted_table_watches_it_again(host):
    await host.deliver(GREETING, Entered("ada"), Tables((TABLE,)), replace(UPDATE, seat=-1))
    host.send(Interrupted(), Resumed())

    assert await host.next_request() == Watch(7, "k7qx2m")


async def test_an_interrupted_table_that_is_never_resumed_is_left_with_the_reason(host):
    await host.deliver(GREETING, Entered("ada"), Tables((TABLE,)), UPDATE)
    left = Left(words("The table was closed."))
    host.send(Interrupted(), Tables(()), left)
    await host.wait_for_count(7)

    assert host.received[4:] == [Disconnected(), Reconnected(), left]
    assert (host.client.update, host.client.tables) == (None, Tables(()))


async def test_a_client_in_the_lobby_ignores_interruptions_of_tables(host):
    await host.deliver(GREETING, Entered("ada"), Tables((TABLE,)))
    host.send(Interrupted(), Resumed())
    await host.deliver(Tables(()))

    assert [type(message) for message in host.received] == [Greeting, Entered, Tables, Resumed, Tables]


async def test_a_client_reconnects_during_an_interruption_and_returns_to_its_seat(host):
    await host.deliver(GREETING, Entered("ada"), Tables((TABLE,)), UPDATE)
    host.send(Interrupted())
    await host.wait_for_count(5)
    await host.reconnect()
    assert isinstance(await host.next_request(), Hello)
    host.send(GREETING)
    assert isinstance(await host.next_request(), Enter)
    host.send(Entered("ada"))

    assert await host.next_request() == Sit(7, "k7qx2m")


async def test_a_link_that_breaks_before_login_sends_the_name_at_the_next_greeting():
    host = Host()
    host.link.close()
    await host.running
    host.client.publish(Disconnected())
    ours, theirs = memory_pair()
    running = asyncio.create_task(host.client.run(ours))
    theirs.send(pack(GREETING))
    theirs.close()
    await running

    assert host.received == [Disconnected(), Reconnected(), GREETING]
    assert not host.client.lost


async def test_a_request_is_sent_once_until_it_is_answered_or_ignored_for_long(host, monkeypatch):
    now = 100.0
    monkeypatch.setattr("net.client.client.monotonic", lambda: now)
    for _ in range(3):
        host.client.sit(7)
    assert isinstance(await host.next_request(), Sit)
    await host.deliver(Tables(()))  # which comes without a request
    host.client.sit(7)
    await host.deliver(Refused(words("It is full.")))
    host.client.sit(7)
    assert isinstance(await host.next_request(), Sit)
    host.client.sit(7)
    now += REPEAT_TIMEOUT
    host.client.sit(7)
    assert isinstance(await host.next_request(), Sit)
    host.client.goodbye()
    assert isinstance(await host.next_request(), Goodbye)
