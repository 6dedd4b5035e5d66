"""Bots that think: they begin when it is their turn, and act once the action is due."""

import asyncio

import pytest

from core.actions import Play
from core.bots.profiles import CHARACTERS, ActionValue, Thought
from core.bots.tempers import PREFERENCES
from net.host.server import BotTurns
from net.table.table import Pace
from net.wire.messages import Leave, MakeTable, Pause, Say
from tests.net.party import Party


class Thinking:
    """Thinkers who answer when a test tells them to."""

    def __init__(self):
        self.asked = []

    def ask(self, question, *, urgent):
        future = asyncio.get_running_loop().create_future()
        self.asked.append((question, urgent, future))
        return future

    @property
    def last(self):
        return self.asked[-1][2]


@pytest.fixture
def table():
    """Return a table at which it is a bot's turn to choose, the requests to its thinkers, and the notified tables."""
    party = Party(Pace(think=1, draw=1, result=1, shuffle=0))
    party.come(1, "ada")
    party.say(1, MakeTable("draw", 2, {}, bots=1))
    table = party.get_table()
    for _ in range(40):
        if table.match and party.on_turn(1) == 1:
            party.play(1)
        elif table.match and len(table.match.legal) > 1:
            break
        else:
            party.deliver(party.lobby.step(table.id))
    assert len(table.match.legal) > 1
    return party, table


def turns_at(party, thinkers, notified=None):
    return BotTurns(lambda: party.lobby.tables, thinkers, (notified if notified is not None else []).append)


def thought(action):
    return Thought(action, [ActionValue(action, 1.0, 0.0, 0.0, 1)])


async def test_a_bot_begins_to_think_when_it_is_on_turn_and_only_once(table):
    party, place = table
    thinkers = Thinking()
    turns = turns_at(party, thinkers)

    assert turns.is_thinking(place.id)
    assert turns.is_thinking(place.id)
    assert len(thinkers.asked) == 1
    question, urgent, _ = thinkers.asked[0]
    assert urgent
    assert question.view == place.match.view(place.match.turn)


async def test_the_table_waits_while_its_bot_thinks(table):
    party, place = table

    assert party.lobby.delay(place.id, thinking=True) is None
    assert party.lobby.delay(place.id) is not None


async def test_a_bot_does_the_result_of_its_thought(table):
    party, place = table
    thinkers, notified = Thinking(), []
    turns = turns_at(party, thinkers, notified)
    turns.is_thinking(place.id)
    action = [play for play in place.match.legal if isinstance(play, Play)][-1]
    thinkers.last.set_result(thought(action))
    await asyncio.sleep(0)

    assert notified == [place.id]
    assert not turns.is_thinking(place.id)
    before = len(place.match.state.layout)
    party.deliver(party.lobby.step(place.id, turns.take(place.id)))
    assert place.match.state.layout[before].tile == action.tile


async def test_among_equally_good_moves_a_bot_follows_its_temper(table):
    party, place = table
    thinkers = Thinking()
    turns = turns_at(party, thinkers)
    turns.is_thinking(place.id)
    plays = [action for action in place.match.legal if isinstance(action, Play)]
    thinkers.last.set_result(Thought(plays[0], [ActionValue(play, 1.0, 0.0, 0.0, 1) for play in plays]))
    view = place.match.view(place.match.turn)

    assert CHARACTERS[place.seats.chairs[1].name].temper == "careful"
    assert turns.take(place.id) == max(
        plays, key=lambda play: (PREFERENCES["careful"](view.play, play), play == plays[0])
    )


async def test_without_an_answer_the_bot_plays_by_plain_rules(table):
    party, place = table
    thinkers = Thinking()
    turns = turns_at(party, thinkers)
    turns.is_thinking(place.id)
    thinkers.last.set_result(None)
    plain = place.recorded.bot_action("greedy")

    assert turns.take(place.id) is None
    party.deliver(party.lobby.step(place.id, None))
    assert place.match.state.layout[-1].tile == plain.tile


async def test_chat_does_not_make_a_bot_think_again(table):
    party, place = table
    thinkers = Thinking()
    turns = turns_at(party, thinkers)
    turns.is_thinking(place.id)
    party.say(1, Say("hurry"))

    assert turns.is_thinking(place.id)
    assert len(thinkers.asked) == 1


async def test_bots_do_not_think_at_a_paused_or_deserted_table(table):
    party, place = table
    thinkers = Thinking()
    turns = turns_at(party, thinkers)
    turns.is_thinking(place.id)
    party.say(1, Pause(True))

    assert not turns.is_thinking(place.id)
    assert thinkers.last.cancelled()
    party.say(1, Leave())
    assert not turns.is_thinking(place.id)


async def test_a_thought_about_another_turn_is_forgotten(table):
    party, place = table
    thinkers = Thinking()
    turns = turns_at(party, thinkers)
    turns.is_thinking(place.id)
    first = thinkers.last
    party.deliver(party.lobby.step(place.id))
    turns.is_thinking(place.id)

    assert first.cancelled()
    assert turns.take(place.id) is None


async def test_bots_do_not_think_without_a_choice(table):
    party, place = table
    thinkers = Thinking()
    turns = turns_at(party, thinkers)
    for _ in range(60):
        if place.match.turn == 1 and len(place.match.legal) == 1:
            assert not turns.is_thinking(place.id)
            return
        if place.match.turn == 0 and not place.match.state.result:
            party.play(1)
        else:
            party.deliver(party.lobby.step(place.id))
    raise AssertionError("there was always a choice")


async def test_without_thinkers_bots_act_at_once(table):
    party, place = table

    assert not turns_at(party, None).is_thinking(place.id)
