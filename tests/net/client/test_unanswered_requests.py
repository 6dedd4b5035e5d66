"""A key press whose answer is lost is repeated after a break unless something was played, and applied once."""

import pytest
from msgspec.structs import replace

from core.actions import Pass
from net.client.client import Reconnected, UnansweredRequest
from net.wire.link import unpack
from net.wire.messages import Act, Left, Ready, Refused, ToHost, Update
from tests.net.client.test_reconnect import run_client
from tests.waiting import until


def on_turn(message):
    return isinstance(message, Update) and message.match and message.match.play.legal


def has_result(message):
    return isinstance(message, Update) and message.match and message.match.play.result


async def press_and_lose(connection, press):
    """Send a request that never reaches the host, and reconnect; return the first update after that.

    `press`: a function that makes the client send the request.
    """
    send, connection.link.send = connection.link.send, lambda _: None
    press()
    connection.link.send = send
    return await reconnect(connection)


async def reconnect(connection):
    """Break the connection, and let the client reconnect; return the first update after that."""
    connection.link.close()
    await connection.receive(lambda message: isinstance(message, Reconnected))
    return await connection.receive(lambda message: isinstance(message, Update))


async def test_an_action_that_never_reached_the_host_is_done_after_the_break():
    async with run_client() as (connection, _):
        update = await connection.make_table()
        while not on_turn(update):
            update = await connection.receive(on_turn)
        update_after_break = await press_and_lose(
            connection, lambda: connection.client.act(update.match.play.legal[0])
        )
        assert update_after_break.match.play == update.match.play

        update_after_action = await connection.receive(lambda message: isinstance(message, Update) and message.events)
        assert update_after_action.match.play != update.match.play


async def test_an_action_whose_answer_was_lost_is_not_repeated():
    async with run_client() as (connection, _):
        update = await connection.make_table()
        while not on_turn(update):
            update = await connection.receive(on_turn)
        payloads, send = [], connection.link.send
        connection.link.send = lambda payload: (payloads.append(payload), send(payload))
        connection.client.act(update.match.play.legal[0])
        await until(lambda: next(iter(connection.host.lobby.tables.values())).number != update.number)
        await reconnect(connection)
        while not connection.received.empty():
            assert not isinstance(connection.received.get_nowait(), Refused)
        assert sum(isinstance(unpack(payload, ToHost), Act) for payload in payloads) == 1


async def test_a_ready_that_was_lost_is_repeated_after_the_break():
    async with run_client() as (connection, _):
        update = await connection.make_table()
        while not has_result(update):
            if on_turn(update):
                connection.client.act(update.match.play.legal[0])
            update = await connection.receive(lambda message: on_turn(message) or has_result(message))
        await press_and_lose(connection, connection.client.ready)
        await connection.receive(
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
    async with run_client() as (connection, _):
        await connection.make_table()
        connection.client.lost = True
        connection.client.ready()
        assert connection.client._unanswered.take() is None


async def test_outdated_requests_and_those_of_another_table_are_not_repeated():
    async with run_client() as (connection, _):
        update = await connection.make_table()
        while not on_turn(update):
            update = await connection.receive(on_turn)
        unanswered = UnansweredRequest()
        assert unanswered.is_unchanged(update, replace(update, number=update.number + 3))
        assert not unanswered.is_unchanged(
            update, replace(update, table=replace(update.table, id=update.table.id + 1))
        )
        assert not unanswered.is_unchanged(
            update, replace(update, match=replace(update.match, round=update.match.round + 1))
        )
        assert not unanswered.is_unchanged(update, replace(update, ready=(update.seat,)))
        assert not unanswered.is_unchanged(None, update)
        unanswered.store(Ready())
        assert not unanswered.is_unchanged(update, update), "something else was asked for since"
