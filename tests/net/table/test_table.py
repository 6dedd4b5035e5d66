"""A table: seats, turns, refusals, bots that keep a seat, and who hears what."""

import json

import pytest

from core.actions import Draw, Pass, Play
from core.layout.placed import NOBODY
from core.records import referee
from net.table.table import Pace
from net.wire.messages import Act, Leave, Ready, Said, Say, Sit, Watch
from tests.net.party import Party, tiles_in


@pytest.fixture
def party():
    return Party()


@pytest.fixture
def pair(party):
    """Two guests at a table for two."""
    party.come(1, "ada")
    party.come(2, "bela")
    party.table(1, 2)
    return party


def test_a_match_begins_when_the_last_seat_is_taken(party):
    party.come(1, "ada")
    party.come(2, "bela")
    number = party.table(1, players=2)
    assert party.update(1).match is None
    assert party.update(1).table.phase == "waiting"

    party.say(2, Sit(number))

    assert party.update(1).match.round == 1
    assert party.update(1).seat == 0
    assert party.update(2).seat == 1


def test_with_bots_on_the_other_seats_it_begins_at_once(party):
    party.come(1, "ada")
    party.table(1, bots=3)

    assert party.update(1).match.round == 1
    assert [bool(seat.bot) for seat in party.update(1).table.seats] == [False, True, True, True]


def test_a_whole_match_is_played_and_its_record_is_accepted(pair):
    lines = []
    table = next(iter(pair.lobby.tables.values()))
    while not pair.update(1).match.winners:
        turn = pair.on_turn(1, 2)
        if turn == NOBODY:
            pair.say(1, Ready())
            pair.say(2, Ready())
        else:
            pair.play(turn)
        lines += table.take().lines

    steps = list(referee(lines))

    assert steps[-1].match.scores == pair.update(1).match.scores
    assert json.loads(lines[0])["seats"][0]["name"] == "ada"


def test_numbers_rise_by_one_with_every_change(pair):
    for _ in range(10):
        pair.play(pair.on_turn(1, 2))

    numbers = [m.number for m in pair.heard[2] if hasattr(m, "match")]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def other(pair):
    turn = pair.on_turn(1, 2)
    return turn, 3 - turn


def test_an_action_out_of_turn_is_refused_in_words_and_the_others_notice_nothing(pair):
    turn, idle = other(pair)
    quiet = len(pair.heard[turn])

    answer = pair.say(idle, Act(pair.update(idle).number, Draw()))

    assert pair.refusal(answer) == "It is not your turn."
    assert len(pair.heard[turn]) == quiet


def test_an_action_for_a_tile_that_is_not_held_is_refused(pair):
    turn, idle = other(pair)
    theirs = pair.update(idle).match.play.hand[0]

    answer = pair.say(turn, Act(pair.update(turn).number, Play(theirs, -1, 0, theirs.high)))

    assert pair.refusal(answer) == "That is not possible now."


@pytest.mark.parametrize("number", [0, 10**6, -1])
def test_an_action_in_answer_to_another_number_is_refused_and_mended_by_a_view(pair, number):
    turn, _ = other(pair)

    answer = pair.say(turn, Act(number, pair.update(turn).match.play.legal[0]))

    assert "moved on" in pair.refusal(answer)
    assert answer[-1] == pair.update(turn)


def test_somebody_who_comes_to_look_on_does_not_make_an_action_stale(pair):
    turn, _ = other(pair)
    before = pair.update(turn)
    pair.come(3, "chen")
    pair.say(3, Watch(before.table.id))

    answer = pair.say(turn, Act(before.number, before.match.play.legal[0]))

    assert answer[-1].match.play.layout


def test_an_action_twice_is_done_once(pair):
    turn, _ = other(pair)
    act = Act(pair.update(turn).number, pair.update(turn).match.play.legal[0])
    pair.say(turn, act)

    assert "moved on" in pair.refusal(pair.say(turn, act))


def test_a_spectator_sees_no_hand_and_cannot_play(pair):
    pair.come(3, "chen")
    pair.say(3, Watch(pair.update(1).table.id))

    view = pair.update(3).match.play
    assert view.hand == ()
    assert view.legal == ()
    assert view.counts == (7, 7)
    assert "watching" in pair.refusal(pair.say(3, Act(pair.update(3).number, Pass())))
    assert pair.say(3, Ready()) == []


def test_a_bot_keeps_an_absent_seat_and_gives_it_back(pair):
    number = pair.update(1).table.id
    turn, idle = other(pair)
    pair.go(turn)
    assert any(seat.away for seat in pair.update(idle).table.seats)

    pair.run()
    assert pair.on_turn(idle) == idle or pair.update(idle).match.play.result

    seat = 1 - pair.update(idle).seat
    pair.come(9, "ada" if seat == 0 else "bela", f"token {turn}")
    assert pair.heard[9][-1].yours == number
    pair.say(9, Sit(number))
    assert pair.update(9).seat == seat
    assert not any(s.away for s in pair.update(idle).table.seats)


def test_a_table_of_tricks_keeps_seats_shows_no_hand_to_who_looks_on_and_is_refereed(party):
    party.come(1, "ada")
    party.come(2, "bela")
    number = party.table(1, game="forty-two", bots=3)
    party.say(2, Watch(number))
    party.run()
    hand = party.update(1).match.play.hand
    assert tiles_in(party.update(2).match.play) == tiles_in(party.update(2).match.play.tricks)

    party.say(1, Leave())
    party.say(2, Sit(number))
    assert party.update(2).seat == -1, "the seat is kept"
    party.run()
    party.say(1, Sit(number))
    assert set(party.update(1).match.play.hand) <= set(hand) or party.update(1).match.round > 1

    table = party.lobby.tables[number]
    party.play_out(1)
    assert list(referee(table.take().lines))[-1].match.over


def test_a_table_that_all_have_left_waits(pair):
    pair.go(1)
    pair.go(2)

    assert next(iter(pair.lobby.tables.values())).delay is None


def test_the_next_round_is_dealt_when_everybody_here_has_seen_the_result(pair):
    while pair.on_turn(1, 2) != NOBODY:
        pair.play(pair.on_turn(1, 2))
    assert pair.update(1).match.play.result

    pair.say(1, Ready())
    assert pair.update(2).ready == (0,)
    assert pair.update(2).match.round == 1
    pair.say(2, Ready())

    assert pair.update(2).match.round == 2


def test_who_is_away_is_not_waited_for_after_a_round(pair):
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


def test_what_is_said_is_heard_by_all_at_the_table_and_told_to_newcomers(pair):
    pair.say(1, Say("good luck"))
    pair.come(3, "chen")
    pair.say(3, Watch(pair.update(1).table.id))

    for guest in (1, 2, 3):
        assert Said("ada", 0, "good luck") in pair.heard[guest]
    pair.say(3, Say("hello"))
    assert pair.heard[2][-1] == Said("chen", NOBODY, "hello")


def test_a_bot_takes_its_time_and_the_table_says_how_much():
    party = Party(Pace(think=1.5, draw=0.5, result=3))
    party.come(1, "ada")
    party.table(1, bots=1)
    table = next(iter(party.lobby.tables.values()))
    while party.on_turn(1) == 1:
        party.play(1)

    assert table.delay in (1.5, 0.5, None)
    assert table.delay is not None or party.update(1).match.play.result


def test_before_the_match_a_seat_that_is_left_is_free_again(party):
    party.come(1, "ada")
    party.come(2, "bela")
    number = party.table(1, 2, players=3)
    party.say(2, Leave())

    assert [seat.name for seat in party.update(1).table.seats] == ["ada", "", ""]
    party.come(3, "chen")
    party.say(3, Sit(number))
    assert party.update(3).seat == 1


def test_no_guest_is_ever_told_a_tile_that_they_may_not_know(pair):
    pair.come(3, "chen")
    pair.say(3, Watch(pair.update(1).table.id))
    for _ in range(60):
        turn = pair.on_turn(1, 2)
        if turn == NOBODY:
            break
        pair.play(turn)
        state = next(iter(pair.lobby.tables.values())).match.state
        if state.result:
            break
        table_tiles = {p.tile for p in state.layout}
        for guest, own in ((1, state.hands[0]), (2, state.hands[1]), (3, ())):
            assert tiles_in(pair.heard[guest][-1]) <= table_tiles | set(own)
