"""A key press whose answer is lost is repeated after a break unless something was played, and applied once."""

import pytest
from msgspec.structs import replace

from core.actions import Pass
from net.client.client import Reconnected, UnansweredRequest
from net.wire.link import unpack
from net.wire.messages import Act, Left, Ready, Refused, ToHost, Update
from tests.net.client.test_reconnect import on_the_way
from tests.waiting import until


def on_turn(message):
    return isinstance(message, Update) and message.match and message.match.play.legal


def after_the_result(message):
    return isinstance(message, Update) and message.match and message.match.play.result


async def press_unheard(way, press):
    """Press a key whose message never reaches the host, and reconnect; return the first update after that."""
    send, way.link.send = way.link.send, lambda _: None
    press()
    way.link.send = send
    return await reconnect(way)


async def reconnect(way):
    """Break the connection, and let the client reconnect; return the first update after that."""
    way.link.close()
    await way.receive(lambda message: isinstance(message, Reconnected))
    return await way.receive(lambda message: isinstance(message, Update))


async def test_an_action_that_never_reached_the_host_is_done_after_the_break():
    async with on_the_way() as (way, _):
        before = await way.at_table()
        while not on_turn(before):
            before = await way.receive(on_turn)
        back = await press_unheard(way, lambda: way.client.act(before.match.play.legal[0]))
        assert back.match.play == before.match.play

        after = await way.receive(lambda message: isinstance(message, Update) and message.events)
        assert after.match.play != before.match.play


async def test_an_action_whose_answer_was_lost_is_not_repeated():
    async with on_the_way() as (way, _):
        update = await way.at_table()
        while not on_turn(update):
            update = await way.receive(on_turn)
        said, send = [], way.link.send
        way.link.send = lambda payload: (said.append(payload), send(payload))
        way.client.act(update.match.play.legal[0])
        await until(lambda: next(iter(way.host.lobby.tables.values())).number != update.number)
        await reconnect(way)
        while not way.received.empty():
            assert not isinstance(way.received.get_nowait(), Refused)
        assert sum(isinstance(unpack(payload, ToHost), Act) for payload in said) == 1


async def test_a_ready_that_was_lost_is_repeated_after_the_break():
    async with on_the_way() as (way, _):
        update = await way.at_table()
        while not after_the_result(update):
            if on_turn(update):
                way.client.act(update.match.play.legal[0])
            update = await way.receive(lambda message: on_turn(message) or after_the_result(message))
        await press_unheard(way, way.client.ready)
        await way.receive(
            lambda message: (
                isinstance(message, Update)
                and (message.seat in message.ready or message.match.round > update.match.round)
            )
        )


@pytest.mark.parametrize("answer", [Left(), Refused("no")])
def test_a_request_is_answered_by_leaving_or_a_refusal(answer):
    unanswered = UnansweredRequest()
    unanswered.store(Act(1, Pass()))
    unanswered.discard_if_answered(answer)
    assert unanswered.take() is None


async def test_a_key_pressed_during_a_break_does_not_count():
    async with on_the_way() as (way, _):
        await way.at_table()
        way.client.lost = True
        way.client.ready()
        assert way.client._unanswered.take() is None


async def test_outdated_requests_and_those_of_another_table_are_not_repeated():
    async with on_the_way() as (way, _):
        now = await way.at_table()
        while not on_turn(now):
            now = await way.receive(on_turn)
        unanswered = UnansweredRequest()
        assert unanswered.is_unchanged(now, replace(now, number=now.number + 3))
        assert not unanswered.is_unchanged(now, replace(now, table=replace(now.table, id=now.table.id + 1)))
        assert not unanswered.is_unchanged(now, replace(now, match=replace(now.match, round=now.match.round + 1)))
        assert not unanswered.is_unchanged(now, replace(now, ready=(now.seat,)))
        assert not unanswered.is_unchanged(None, now)
        unanswered.store(Ready())
        assert not unanswered.is_unchanged(now, now), "something else was asked for since"
