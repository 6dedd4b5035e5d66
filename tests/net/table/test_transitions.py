"""Players' actions at a table: turns, refusals, the next deal, and chat."""

import pytest

from core.actions import Draw, Play
from core.layout.state import NOBODY
from net.wire.messages import Act, FillWithBots, Leave, Ready, Said, Say, Sit, Watch


def turn_and_idle(pair):
    """Return the guest on turn and the other guest."""
    turn = pair.on_turn(1, 2)
    return turn, 3 - turn


def test_an_action_out_of_turn_is_refused_in_words_without_effect_on_others(pair):
    turn, idle = turn_and_idle(pair)
    received_before = len(pair.received[turn])

    answer = pair.say(idle, Act(pair.update(idle).number, Draw()))

    assert pair.refusal(answer) == "It is not your turn."
    assert len(pair.received[turn]) == received_before


def test_an_action_for_a_tile_that_is_not_held_is_refused(pair):
    turn, idle = turn_and_idle(pair)
    others_tile = pair.update(idle).match.play.hand[0]

    answer = pair.say(turn, Act(pair.update(turn).number, Play(others_tile, -1, 0, others_tile.high)))

    assert pair.refusal(answer) == "That is not possible now."


@pytest.mark.parametrize("number", [0, 10**6])
def test_an_action_in_answer_to_another_number_is_refused_and_mended_by_a_view(pair, number):
    turn, _ = turn_and_idle(pair)

    answer = pair.say(turn, Act(number, pair.update(turn).match.play.legal[0]))

    assert "moved on" in pair.refusal(answer)
    assert answer[-1] == pair.update(turn)


def test_a_new_spectator_does_not_make_an_action_stale(pair):
    turn, _ = turn_and_idle(pair)
    update = pair.update(turn)
    pair.come(3, "chen")
    pair.say(3, Watch(update.table.id))

    answer = pair.say(turn, Act(update.number, update.match.play.legal[0]))

    assert answer[-1].match.play.layout


def test_an_action_twice_is_done_once(pair):
    turn, _ = turn_and_idle(pair)
    act = Act(pair.update(turn).number, pair.update(turn).match.play.legal[0])
    pair.say(turn, act)

    assert "moved on" in pair.refusal(pair.say(turn, act))


def test_the_next_round_is_dealt_when_all_present_players_are_ready(pair):
    while pair.on_turn(1, 2) != NOBODY:
        pair.play(pair.on_turn(1, 2))
    assert pair.update(1).match.play.result

    pair.say(1, Ready())
    assert pair.update(2).ready == (0,)
    assert pair.update(2).match.round == 1
    pair.say(2, Ready())

    assert pair.update(2).match.round == 2


def test_an_absent_player_delays_no_deal(pair):
    while pair.on_turn(1, 2) != NOBODY:
        pair.play(pair.on_turn(1, 2))
    pair.go(2)
    pair.say(1, Ready())

    assert pair.update(1).match.round == 2


def test_another_match_begins_at_the_same_table_when_all_are_ready(pair):
    pair.play_out(1, 2)
    pair.say(1, Ready())
    pair.say(2, Ready())

    assert pair.update(1).match.scores == (0, 0)
    assert pair.update(1).match.winners == ()


def finish_match(pair):
    """Play the match to its end, and let guest 3 enter the lobby; return the number of the table."""
    pair.play_out(1, 2)
    pair.come(3, "chen")
    return pair.update(1).table.id


def test_a_seat_left_after_the_match_is_free_for_the_next_one(pair):
    number = finish_match(pair)
    pair.say(2, Leave())
    assert [seat.free for seat in pair.update(1).table.seats] == [False, True]
    assert pair.update(1).table.seats[1].name == "bela", "the result still names who played"
    pair.say(1, Ready())
    pair.run()
    assert pair.update(1).match.over, "it does not begin without a second player"

    pair.say(3, Sit(number))
    assert not pair.update(1).match.over
    assert [seat.name for seat in pair.update(1).table.seats] == ["ada", "chen"]


def test_a_seat_left_during_the_match_is_free_for_the_next_one(pair):
    pair.say(2, Leave())
    pair.play_out(1)
    assert pair.update(1).table.seats[1].free
    pair.say(1, Ready())
    assert pair.update(1).match.over
    pair.say(1, FillWithBots())
    assert not pair.update(1).match.over
    assert pair.update(1).table.seats[1].bot


def test_a_newcomer_waits_for_the_others_to_want_the_next_match(pair):
    number = finish_match(pair)
    pair.say(2, Leave())
    pair.say(3, Sit(number))
    assert pair.update(1).match.over
    assert pair.update(1).ready == (1,)
    pair.say(1, Ready())
    assert not pair.update(1).match.over


def test_a_player_who_left_after_the_match_returns_while_the_seat_is_free(pair):
    number = finish_match(pair)
    pair.go(2)
    pair.come(9, "bela", "token 2")
    pair.say(9, Sit(number))
    assert pair.update(9).seat == 1
    assert pair.update(9).ready == ()
    pair.say(1, Ready())
    pair.say(9, Ready())
    assert not pair.update(1).match.over


def test_chat_reaches_all_at_the_table_and_later_newcomers(pair):
    pair.say(1, Say("good luck"))
    pair.come(3, "chen")
    pair.say(3, Watch(pair.update(1).table.id))

    for guest in (1, 2, 3):
        assert Said("ada", 0, "good luck") in pair.received[guest]
    pair.say(3, Say("hello"))
    assert pair.received[2][-1] == Said("chen", NOBODY, "hello")
