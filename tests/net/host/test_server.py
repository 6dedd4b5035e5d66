"""The server: links, the clock, guests who disconnect, and saving before sending."""

import asyncio

import pytest

from core.layout.state import NOBODY
from core.records import referee
from net.client.client import Client, Reconnected
from net.host.guest_server import CLOSED, InProcessGuest
from net.host.lobby import COUNTED_SAVE_TIME, Lobby
from net.host.presence import Roster, Visitor
from net.host.server import RETRY_AFTER, Server
from net.limits import MESSAGES_AT_ONCE, MESSAGES_IGNORED, WRONG_CODES
from net.players.accounts import Accounts, KeyBound
from net.scheduler import Scheduler, Work
from net.storage.permissions import StoreError
from net.table import transitions
from net.table.table import Pace
from net.wire.link import memory_pair, pack, unpack
from net.wire.messages import (
    PROTOCOL,
    Act,
    Bind,
    BindCode,
    Bye,
    Enter,
    Greeting,
    Hello,
    Left,
    MakeTable,
    Refused,
    Said,
    Tables,
    Update,
)
from tests.net.links import RecordingLink
from tests.net.local_host import local_host
from tests.net.party import Party
from tests.waiting import next_message, until


async def receive_next(messages, message_type):
    """Return the next message of a type from a client's queue; drop those before it."""
    return await next_message(messages, lambda message: isinstance(message, message_type))


async def enter_lobby(client, messages, name="ada"):
    await receive_next(messages, Greeting)
    client.enter(client.name or name)
    await receive_next(messages, Tables)


async def test_a_client_plays_a_whole_match_against_a_bot_over_a_link():
    async with local_host() as host:
        client, messages, *_ = host.session("ada")
        await enter_lobby(client, messages)
        client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
        while True:
            update = await receive_next(messages, Update)
            if update.match.winners:
                break
            if update.match.play.legal:
                client.act(update.match.play.legal[0])
            elif update.match.play.result and not update.ready:
                client.ready()

    assert list(referee(host.storage.lines))[-1].match.over
    assert max(client.update.match.scores) >= 50


async def test_a_guest_who_breaks_off_is_away_and_the_bot_plays_on():
    async with local_host() as host:
        ada, ada_messages, *_ = host.session("ada")
        await enter_lobby(ada, ada_messages)
        ada.make_table(MakeTable("block", 2, {}))
        bela, bela_messages, link, *_ = host.session("bela")
        await receive_next(bela_messages, Greeting)
        bela.enter("bela")
        tables = await next_message(bela_messages, lambda message: isinstance(message, Tables) and message.tables)
        bela.sit(tables.tables[0].id)
        await next_message(bela_messages, lambda message: isinstance(message, Update) and message.match)

        link.close()

        update = await next_message(
            ada_messages, lambda message: isinstance(message, Update) and message.table.seats[1].away
        )
        while not update.match.play.result:
            if update.match.play.legal:
                ada.act(update.match.play.legal[0])
            update = await receive_next(ada_messages, Update)


async def test_all_clocks_stand_still_while_the_host_cannot_save():
    now = 0.0
    async with local_host(clock=lambda: now) as host:
        players = [host.session(name) for name in ("ada", "bela")]
        for (client, messages, *_), name in zip(players, ("ada", "bela"), strict=True):
            await enter_lobby(client, messages, name)
        players[0][0].make_table(MakeTable("draw", 2, {}, turn_time=10))
        await next_message(players[0][1], lambda message: isinstance(message, Update))
        (number,) = host.server.lobby.tables
        players[1][0].sit(number)
        for _client, messages, *_ in players:
            await next_message(messages, lambda message: isinstance(message, Update) and message.match)
        table = host.server.lobby.tables[number]
        client, messages, *_ = players[table.recorded.turn]
        host.storage.delayed_callbacks = []
        client.act(client.update.match.play.legal[0])
        await until(lambda: host.storage.delayed_callbacks)
        now += 15.0
        await asyncio.sleep(0)

        callbacks, host.storage.delayed_callbacks = host.storage.delayed_callbacks, None
        callbacks[0](None)

        await receive_next(messages, Update)
        table = host.server.lobby.tables[number]
        assert table.clock.seconds_left(table.recorded.turn, host.server.lobby.clock()) == 10 - COUNTED_SAVE_TIME


async def test_malformed_bytes_close_that_link_with_a_reason_and_no_other():
    async with local_host() as host:
        ada, ada_messages, *_ = host.session("ada")
        await enter_lobby(ada, ada_messages)
        ours, theirs = memory_pair()
        session = host.group.create_task(host.server.serve(theirs, Visitor()))

        ours.send(b"\xc1 nonsense")

        bye = unpack(await ours.receive(), Bye)
        assert "not a Boneyard message" in str(bye.reason)
        assert await ours.receive() is None
        await session
        ada.make_table(MakeTable("block", 2, {}))
        await receive_next(ada_messages, Update)


@pytest.mark.parametrize("will_return", [True, False])
async def test_closing_the_host_says_goodbye_and_leaves_nothing_running(will_return):
    async with local_host(pace=Pace(think=60, draw=60, result=60)) as host:
        client, messages, _, session, running = host.session("ada")
        await enter_lobby(client, messages)
        client.make_table(MakeTable("draw", 4, {}, bots=3))
        await receive_next(messages, Update)

        host.server.returns = will_return
        host.server.close()

        assert await running == Bye(CLOSED, again=will_return)
        await session
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_request_that_waited_while_the_host_closed_is_dropped(monkeypatch):
    async with local_host() as host:
        client, messages, _, session, _ = host.session("ada")
        await enter_lobby(client, messages)
        waiting, turn = asyncio.Event(), asyncio.Event()

        async def wait_for_turn(*_):
            waiting.set()
            await turn.wait()

        monkeypatch.setattr(host.server._scheduler, "wait_for_turn", wait_for_turn)
        client.make_table(MakeTable("draw", 2, {}))
        await waiting.wait()
        saved_batches = len(host.storage.batches)

        host.server.close()
        turn.set()
        await session

        assert not host.lobby.tables
        assert len(host.storage.batches) == saved_batches


async def test_a_follower_of_the_lobby_gets_the_roster_now_and_whenever_it_changes():
    updates = asyncio.Queue()
    async with local_host() as host:
        host.server.follow_lobby(updates.put_nowait)
        client, messages, _, _, _ = host.session("ada")
        await enter_lobby(client, messages)

        assert [await updates.get(), await updates.get()] == [Roster(), Roster(("ada",), 1)]
        client.goodbye()


async def test_chat_in_the_lobby_reaches_guests_and_all_followers_but_its_source():
    source, other = asyncio.Queue(), asyncio.Queue()
    async with local_host() as host:
        client, messages, _, _, _ = host.session("ada")
        await enter_lobby(client, messages)
        host.server.follow_lobby(source.put_nowait)
        host.server.follow_lobby(other.put_nowait)
        host.server.receive_chat(Said("bela", NOBODY, "hello"), source.put_nowait)
        await next_message(messages, lambda message: message == Said("bela", NOBODY, "hello"))
        client.say("hello bela")

        answer = Said("ada", NOBODY, "hello bela")
        assert [await source.get() for _ in range(2)] == [Roster(("ada",), 1), answer]
        assert [await other.get() for _ in range(3)] == [Roster(("ada",), 1), Said("bela", NOBODY, "hello"), answer]
        client.goodbye()


async def test_a_follower_that_stopped_gets_no_chat():
    stopped, other = asyncio.Queue(), asyncio.Queue()
    async with local_host() as host:
        client, messages, _, _, _ = host.session("ada")
        await enter_lobby(client, messages)
        stop = host.server.follow_lobby(stopped.put_nowait)
        host.server.follow_lobby(other.put_nowait)
        stop()
        client.say("hello")
        assert [await other.get(), await other.get()] == [Roster(("ada",), 1), Said("ada", NOBODY, "hello")]

        assert [stopped.get_nowait()] == [Roster(("ada",), 1)]
        assert stopped.empty()
        client.goodbye()


async def test_a_goodbye_ends_the_visit():
    async with local_host() as host:
        client, messages, _, session, running = host.session("ada")
        await enter_lobby(client, messages)
        client.goodbye()

        assert isinstance(await running, Bye)
        await session


async def test_messages_travel_packed_even_within_one_process():
    async with local_host() as host:
        ours, session = host.link(Visitor("ada"))
        ours.send(pack(Hello(PROTOCOL, "test")))

        assert isinstance(await ours.receive(), bytes)
        ours.close()
        await session


class SlowStorage:
    """A storage that saves when a test tells it to."""

    def __init__(self):
        self.waiting = []
        """Batches to save, each with the callback that takes the result."""
        self.has_batch = asyncio.Event()

    def save(self, batch, done):
        self.waiting.append((batch, done))
        self.has_batch.set()


def slow_server():
    storage = SlowStorage()
    server = Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test"), storage)
    link = server._links[1] = RecordingLink()
    party = Party()
    return server, storage, link, party


async def test_an_action_is_sent_after_it_is_saved():
    server, storage, link, _ = slow_server()
    server.lobby.front.connect(1, Visitor("ada", "key A"))
    for message in (Hello(PROTOCOL, "test"), Enter("ada"), MakeTable("draw", 2, {}, bots=1)):
        server._handle(1, message)
    assert len(link.sent) == 1, "the greeting; the name is being saved"
    assert len(storage.waiting) == 1

    storage.waiting.pop()[1](None)
    assert len(link.sent) == 3, "now the name and the tables"
    (batch, done) = storage.waiting.pop()
    assert batch.tables[0].begins
    done(None)
    assert len(link.sent) == 4, "and the table"
    server.close()


async def test_a_host_that_cannot_save_refuses_actions_until_it_can(monkeypatch):
    monkeypatch.setattr("net.host.server.RETRY_AFTER", 0.0)
    server, storage, link, _ = slow_server()
    server.lobby.front.connect(1, Visitor("ada", "key A"))
    for message in (Hello(PROTOCOL, "test"), Enter("ada"), MakeTable("draw", 2, {}, bots=1)):
        server._handle(1, message)
    storage.waiting.pop()[1](None)
    (batch, done) = storage.waiting.pop()

    done(StoreError("The disk is full."))
    assert "cannot save right now" in str(link.sent[-1])
    count_before = len(link.sent)
    table = server.lobby.tables[1]
    match_before = table.match
    server._handle(1, Act(1, match_before.legal[0] if match_before.legal else None))
    assert "cannot save right now" in str(link.sent[-1])
    assert table.match is match_before, "nothing happens meanwhile"
    assert len(link.sent) == count_before + 1

    storage.has_batch.clear()
    await storage.has_batch.wait()
    repeated_batch, done = storage.waiting.pop()
    assert repeated_batch is batch
    done(None)
    assert server.storage_error is None
    assert isinstance(link.sent[-1], Update)
    server.close()
    assert RETRY_AFTER > 0


async def sit_down_with_bot(host):
    client, messages, *_ = host.session("ada")
    await enter_lobby(client, messages)
    client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
    await next_message(messages, lambda message: isinstance(message, Update) and message.match)
    return client, messages


async def play_to_end(client, messages):
    while not client.update.match.winners:
        if client.update.match.play.legal:
            client.act(client.update.match.play.legal[0])
        elif client.update.match.play.result and not client.update.ready:
            client.ready()
        await receive_next(messages, Update)


def let_calls_fail(monkeypatch, owner, name, failing_calls, working_calls=0):
    """Let `failing_calls` calls of a function fail, after `working_calls` that work; return a list with an item for
    each call.
    """
    original, calls = getattr(owner, name), []

    def fail_some(*args, **named):
        calls.append(name)
        if working_calls < len(calls) <= working_calls + failing_calls:
            raise RuntimeError("broken")
        return original(*args, **named)

    monkeypatch.setattr(owner, name, fail_some)
    return calls


async def test_a_bot_that_fails_once_is_replaced_for_that_step_and_its_table_goes_on(monkeypatch, failures):
    async with local_host() as host:
        client, messages = await sit_down_with_bot(host)
        let_calls_fail(monkeypatch, transitions, "step", 1)

        await play_to_end(client, messages)

    assert failures == [("table-failed", RuntimeError)]
    assert list(referee(host.storage.lines))[-1].match.over


async def test_a_table_that_always_fails_is_closed_with_a_sentence_and_others_continue(monkeypatch, failures):
    async with local_host() as host:
        client, messages = await sit_down_with_bot(host)
        other, other_messages = await sit_down_with_bot(host)
        number = client.update.table.id
        original = transitions.step

        def step(table, *args, **named):
            if table.id == number:
                raise RuntimeError("broken")
            return original(table, *args, **named)

        monkeypatch.setattr(transitions, "step", step)
        message = client.update
        while not isinstance(message, Left):
            if client.update.match.play.legal:
                client.act(client.update.match.play.legal[0])
            message = await receive_next(messages, Update | Left)
        await play_to_end(other, other_messages)

    assert "its record is kept" in str(message.reason)
    assert number not in host.server.lobby.tables
    assert failures == [("table-failed", RuntimeError)] * 2
    closed = [change.table for batch in host.storage.batches for change in batch.tables if change.snapshot is None]
    assert closed == [number]  # whereupon the store publishes the lines


async def test_a_change_whose_save_failed_is_saved_with_the_next_one(monkeypatch, failures):
    async with local_host() as host, InProcessGuest(host.server, Visitor("ada", "ada")) as guest:
        client, messages = Client(guest.link, "test"), asyncio.Queue()
        client.subscribe(messages.put_nowait)
        host.group.create_task(guest.converse(client))
        await enter_lobby(client, messages)
        client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
        await next_message(
            messages, lambda message: isinstance(message, Update) and message.match and message.match.play.legal
        )
        let_calls_fail(monkeypatch, Server, "_note_change", 1)  # of our action, so that its line goes nowhere

        client.act(client.update.match.play.legal[0])

        await receive_next(messages, Reconnected)
        await play_to_end(client, messages)
        host.server.close()

    assert failures == [("guest-not-served", RuntimeError)]
    assert list(referee(host.storage.lines))[-1].match.over


async def test_a_match_is_saved_from_its_beginning_though_noting_it_failed_at_first(monkeypatch, failures):
    async with local_host() as host, InProcessGuest(host.server, Visitor("ada", "ada")) as guest:
        client, messages = Client(guest.link, "test"), asyncio.Queue()
        client.subscribe(messages.put_nowait)
        host.group.create_task(guest.converse(client))
        await enter_lobby(client, messages)
        let_calls_fail(monkeypatch, Server, "_note_change", 1)
        client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
        await receive_next(messages, Reconnected)
        client.sit(next(iter(host.server.lobby.tables)))
        await next_message(messages, lambda message: isinstance(message, Update) and message.match)
        await play_to_end(client, messages)
        host.server.close()

    assert failures == [("guest-not-served", RuntimeError)]
    assert sum(change.begins for batch in host.storage.batches for change in batch.tables) == 1
    assert list(referee(host.storage.lines))[-1].match.over


async def test_a_failure_while_noting_that_all_is_saved_does_not_stop_the_host(monkeypatch, failures):
    monkeypatch.setattr("net.host.server.RETRY_AFTER", 0.0)
    async with local_host() as host:
        client, messages = await sit_down_with_bot(host)
        let_calls_fail(monkeypatch, Server, "_confirm", 2)
        await play_to_end(client, messages)

    assert failures == [("not-noted-as-saved", RuntimeError)] * 2


async def test_a_store_that_fails_to_begin_is_asked_again(monkeypatch, failures):
    monkeypatch.setattr("net.host.server.RETRY_AFTER", 0.0)
    async with local_host() as host:
        client, messages = await sit_down_with_bot(host)
        let_calls_fail(monkeypatch, host.storage, "save", 1)
        await play_to_end(client, messages)

    assert failures == [("not-saved", RuntimeError)]
    assert list(referee(host.storage.lines))[-1].match.over


async def test_a_second_key_has_the_name_and_the_seat_of_the_first_until_they_part(tmp_path):
    async with local_host() as host:
        ada, messages, *_ = host.session("ada")
        await enter_lobby(ada, messages)
        ada.make_table(MakeTable("draw", 2, {}))
        number = (await receive_next(messages, Update)).table.id
        ada.bind()
        code = (await receive_next(messages, BindCode)).code

        phone, phone_messages, *_, running = host.session("phone")
        await enter_lobby(phone, phone_messages, "phone")
        phone.bind("wrong")
        assert "links no account" in (await receive_next(phone_messages, Refused)).reason.text
        phone.bind(code)
        assert "belongs to that account" in (await running).reason.text
        assert host.storage.batches[-1].account_entries == [KeyBound("phone", "ada")]

        bound_phone, bound_messages, *_, running = host.session("phone")
        greeting = await receive_next(bound_messages, Greeting)
        assert (greeting.name, greeting.known) == ("ada", True)
        bound_phone.enter("ada")
        assert (await receive_next(bound_messages, Tables)).yours == number
        bound_phone.unbind()
        assert "its own account again" in (await running).reason.text

        parted_phone, parted_messages, *_ = host.session("phone")
        assert (await receive_next(parted_messages, Greeting)).name == "phone"
        for client in (ada, parted_phone):
            client.goodbye()


async def test_only_players_with_a_key_have_an_account():
    async with local_host() as host:
        ours, theirs = memory_pair()
        host.group.create_task(host.server.serve(theirs, Visitor("bela", "")))
        client, messages = Client(ours, "test"), asyncio.Queue()
        client.subscribe(messages.put_nowait)
        host.group.create_task(client.run())
        await enter_lobby(client, messages, "bela")
        client.bind()
        assert "Only players with a key" in (await receive_next(messages, Refused)).reason.text
        client.goodbye()


async def test_the_code_of_an_account_cannot_be_guessed():
    async with local_host() as host:
        eve, messages, *_ = host.session("eve")
        await enter_lobby(eve, messages, "eve")
        for _ in range(WRONG_CODES):
            eve.bind("guess")
            await receive_next(messages, Refused)
        eve.bind(host.server.lobby.accounts.offer("ada", 0.0))
        assert "Too many wrong codes" in (await receive_next(messages, Refused)).reason.text
        eve.goodbye()


async def test_a_key_that_was_parted_elsewhere_gets_no_code_of_the_account_it_left():
    async with local_host() as host:
        accounts = host.server.lobby.accounts
        accounts.bind("phone", accounts.offer("ada", 0.0), 1.0)
        phone, messages, *_ = host.session("phone")
        await enter_lobby(phone, messages, "ada")
        phone.bind()
        await receive_next(messages, BindCode)
        await host.server.unbind("phone")
        phone.bind()
        assert "log in again" in (await receive_next(messages, Refused)).reason.text
        phone.goodbye()


async def test_a_guest_who_floods_with_requests_of_codes_is_ignored_then_disconnected():
    async with local_host(clock=lambda: 0.0) as host:
        eve, messages, *_, running = host.session("eve", "192.0.2.1")
        await enter_lobby(eve, messages, "eve")
        for _ in range(MESSAGES_AT_ONCE + MESSAGES_IGNORED):
            eve._send(Bind())  # `bind` would wait for the answer
        assert "too much at once" in (await running).reason.text
    warned = [messages.get_nowait() for _ in range(messages.qsize())]
    assert sum(isinstance(message, Refused) for message in warned) == 1


async def test_requests_of_account_codes_are_charged_as_list_work(monkeypatch):
    charged_work = []
    monkeypatch.setattr(Scheduler, "charge", lambda _self, work, _owner, _seconds: charged_work.append(work))
    async with local_host() as host:
        ada, messages, *_, running = host.session("ada")
        await enter_lobby(ada, messages)
        charged_work.clear()
        for _ in range(3):
            ada.bind()
            await receive_next(messages, BindCode)
        ada.bind("wrong")
        await receive_next(messages, Refused)
        ada.goodbye()
        await running
    assert charged_work == [Work.LIST] * 5
