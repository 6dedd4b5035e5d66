"""A table: seats, turns, refusals, bots that keep a seat, and the messages to each guest."""

import json

import pytest

from core.actions import Pass
from core.layout.state import NOBODY
from core.records import referee
from net.wire.messages import Act, Leave, Ready, Sit, Update, Watch
from tests.net.party import tiles_in


def test_a_whole_match_is_played_and_its_record_is_accepted(pair):
    while not pair.update(1).match.winners:
        turn = pair.on_turn(1, 2)
        if turn == NOBODY:
            pair.say(1, Ready())
            pair.say(2, Ready())
        else:
            pair.play(turn)

    lines = pair.get_table().recorded.lines
    steps = list(referee(lines))

    assert steps[-1].match.scores == pair.update(1).match.scores
    assert json.loads(lines[0])["seats"][0]["name"] == "ada"


def test_numbers_rise_by_one_with_every_change(pair):
    for _ in range(10):
        pair.play(pair.on_turn(1, 2))

    numbers = [message.number for message in pair.received[2] if isinstance(message, Update)]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_spectator_sees_no_hand_and_cannot_play(pair):
    pair.come(3, "chen")
    pair.say(3, Watch(pair.update(1).table.id))

    view = pair.update(3).match.play
    assert view.hand == ()
    assert view.legal == ()
    assert view.counts == (7, 7)
    assert "watching" in pair.refusal(pair.say(3, Act(pair.update(3).number, Pass())))
    assert pair.say(3, Ready()) == []


@pytest.fixture
def tricks(party):
    """Return a party with a table of tricks, number 1: ada plays with three bots, and bela watches."""
    party.come(1, "ada")
    party.come(2, "bela")
    party.say(2, Watch(party.make_table(1, game="forty-two", bots=3)))
    party.run()
    return party


def test_a_spectator_of_tricks_sees_only_the_tiles_of_the_tricks(tricks):
    view = tricks.update(2).match.play
    assert tiles_in(view) == tiles_in(view.tricks)


def test_a_table_of_tricks_keeps_the_seat_and_the_hand_of_a_player_who_leaves(tricks):
    hand = tricks.update(1).match.play.hand
    tricks.say(1, Leave())
    tricks.say(2, Sit(1))
    assert tricks.update(2).seat == 1, "ada's seat is kept, a bot's is not"
    tricks.run()
    tricks.say(2, Leave())
    tricks.say(1, Sit(1))
    update = tricks.update(1)
    assert update.seat == 0
    assert set(update.match.play.hand) <= set(hand) or update.match.round > 1


def test_the_record_of_a_match_of_tricks_is_accepted_by_the_referee(tricks):
    table = tricks.get_table(1)
    tricks.play_out(1)
    assert list(referee(table.recorded.lines))[-1].match.over


def test_a_table_that_all_have_left_waits(pair):
    pair.go(1)
    pair.go(2)

    assert pair.get_table().delay is None


def test_no_guest_is_sent_a_forbidden_tile(pair):
    pair.come(3, "chen")
    pair.say(3, Watch(pair.update(1).table.id))
    for _ in range(60):
        turn = pair.on_turn(1, 2)
        if turn == NOBODY:
            break
        pair.play(turn)
        state = pair.get_table().match.state
        if state.result:
            break
        table_tiles = {placed.tile for placed in state.layout}
        for guest, hand in ((1, state.hands[0]), (2, state.hands[1]), (3, ())):
            assert tiles_in(pair.received[guest][-1]) <= table_tiles | set(hand)
