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


class ManualThinkers:
    """Thinkers who answer when a test sets the future of their question."""

    def __init__(self):
        self.questions = []
        """Questions, each with its urgency and the future of its answer."""

    def ask(self, question, *, urgent):
        future = asyncio.get_running_loop().create_future()
        self.questions.append((question, urgent, future))
        return future

    @property
    def last_answer(self):
        return self.questions[-1][2]


@pytest.fixture
def party_and_table():
    """Return a party and its table, at which it is a bot's turn to choose."""
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


def bot_turns(party, thinkers, notified=None):
    return BotTurns(lambda: party.lobby.tables, thinkers, (notified if notified is not None else []).append)


def thought(action):
    return Thought(action, [ActionValue(action, 1.0, 0.0, 0.0, 1)])


async def test_a_bot_begins_to_think_when_it_is_on_turn_and_only_once(party_and_table):
    party, table = party_and_table
    thinkers = ManualThinkers()
    turns = bot_turns(party, thinkers)

    assert turns.is_thinking(table.id)
    assert turns.is_thinking(table.id)
    assert len(thinkers.questions) == 1
    question, urgent, _ = thinkers.questions[0]
    assert urgent
    assert question.view == table.match.view(table.match.turn)


async def test_the_table_waits_while_its_bot_thinks(party_and_table):
    party, table = party_and_table

    assert party.lobby.delay(table.id, thinking=True) is None
    assert party.lobby.delay(table.id) is not None


async def test_a_bot_plays_the_action_that_its_thinker_chose(party_and_table):
    party, table = party_and_table
    thinkers, notified = ManualThinkers(), []
    turns = bot_turns(party, thinkers, notified)
    turns.is_thinking(table.id)
    action = [play for play in table.match.legal if isinstance(play, Play)][-1]
    thinkers.last_answer.set_result(thought(action))
    await asyncio.sleep(0)

    assert notified == [table.id]
    assert not turns.is_thinking(table.id)
    tiles_before = len(table.match.state.layout)
    party.deliver(party.lobby.step(table.id, turns.take(table.id)))
    assert table.match.state.layout[tiles_before].tile == action.tile


async def test_among_equally_good_moves_a_bot_follows_its_temper(party_and_table):
    party, table = party_and_table
    thinkers = ManualThinkers()
    turns = bot_turns(party, thinkers)
    turns.is_thinking(table.id)
    plays = [action for action in table.match.legal if isinstance(action, Play)]
    thinkers.last_answer.set_result(Thought(plays[0], [ActionValue(play, 1.0, 0.0, 0.0, 1) for play in plays]))
    view = table.match.view(table.match.turn)

    assert CHARACTERS[table.seats.chairs[1].name].temper == "careful"
    assert turns.take(table.id) == max(
        plays, key=lambda play: (PREFERENCES["careful"](view.play, play), play == plays[0])
    )


async def test_without_an_answer_the_bot_plays_by_plain_rules(party_and_table):
    party, table = party_and_table
    thinkers = ManualThinkers()
    turns = bot_turns(party, thinkers)
    turns.is_thinking(table.id)
    thinkers.last_answer.set_result(None)
    greedy_action = table.recorded.bot_action("greedy")

    assert turns.take(table.id) is None
    party.deliver(party.lobby.step(table.id, None))
    assert table.match.state.layout[-1].tile == greedy_action.tile


async def test_chat_does_not_make_a_bot_think_again(party_and_table):
    party, table = party_and_table
    thinkers = ManualThinkers()
    turns = bot_turns(party, thinkers)
    turns.is_thinking(table.id)
    party.say(1, Say("hurry"))

    assert turns.is_thinking(table.id)
    assert len(thinkers.questions) == 1


async def test_bots_do_not_think_at_a_paused_or_deserted_table(party_and_table):
    party, table = party_and_table
    thinkers = ManualThinkers()
    turns = bot_turns(party, thinkers)
    turns.is_thinking(table.id)
    party.say(1, Pause(True))

    assert not turns.is_thinking(table.id)
    assert thinkers.last_answer.cancelled()
    party.say(1, Leave())
    assert not turns.is_thinking(table.id)


async def test_a_thought_about_another_turn_is_forgotten(party_and_table):
    party, table = party_and_table
    thinkers = ManualThinkers()
    turns = bot_turns(party, thinkers)
    turns.is_thinking(table.id)
    first_answer = thinkers.last_answer
    party.deliver(party.lobby.step(table.id))
    turns.is_thinking(table.id)

    assert first_answer.cancelled()
    assert turns.take(table.id) is None


async def test_bots_do_not_think_without_a_choice(party_and_table):
    party, table = party_and_table
    thinkers = ManualThinkers()
    turns = bot_turns(party, thinkers)
    for _ in range(60):
        if table.match.turn == 1 and len(table.match.legal) == 1:
            assert not turns.is_thinking(table.id)
            return
        if table.match.turn == 0 and not table.match.state.result:
            party.play(1)
        else:
            party.deliver(party.lobby.step(table.id))
    raise AssertionError("there was always a choice")


async def test_without_thinkers_bots_act_at_once(party_and_table):
    party, table = party_and_table

    assert not bot_turns(party, None).is_thinking(table.id)
