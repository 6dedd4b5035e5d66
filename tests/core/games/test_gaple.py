"""Gaple, rule by rule (`docs/rules` §4.2)."""

import pytest
from msgspec.structs import replace

from core.games import GAMES
from core.layout.state import RoundContext
from core.match import new_match
from core.tiles import full_set
from tests.core.positions import deal_of, play, position, result, rules

SIX = "0|0 1|1 2|2 3|3 4|4 5|5 2|1"
FIVE = "0|0 1|1 2|2 3|3 4|4 2|1 6|5"
OTHERS = ("6|0 6|1 6|2 6|3 6|4 5|1 5|0", "5|4 5|3 5|2 4|3 4|2 4|1 4|0", "3|2 3|1 3|0 2|0 1|0 5|5 6|6")


@pytest.mark.parametrize(
    ("seats", "points"),
    [(("4|3", "6|6", "5|4", "5|5 2|0"), (0, 12, 9, 12))],
)
def test_ga_1_in_a_block_the_lightest_hand_writes_0_and_the_others_their_own_pips(seats, points):
    over = result(position(rules("gaple", 4), (1, 1), *seats))

    assert (over.how, over.winner, over.points) == ("gaple", 0, points)


def test_ga_1_the_player_who_goes_out_writes_0_and_the_others_their_own_pips():
    game = rules("gaple", 4)
    state = position(game, (4, 2), "5|5 4|1", "3|0", "4|4", "6|6 5|4", turn=2)
    over = result(play(game, state, "4|4"))

    assert (over.how, over.winner, over.points) == ("out", 2, (15, 3, 0, 21))


def test_ga_2_all_with_the_lightest_hand_win_and_the_last_of_them_to_lay_leads_next():
    game = rules("gaple", 4)
    over = result(position(game, (1, 1), "4|2", "6|4", "3|3", "6|5", laid=(3, 2, 0, 1)))

    assert (over.points, over.tied, over.winner) == ((0, 10, 0, 11), (0, 2), 0)
    assert game.deal(full_set(6), RoundContext(lot=3, leader=2, winner=over.winner)).turn == 0


def test_ga_3_six_doubles_in_a_hand_are_dealt_again_and_five_are_played():
    game = rules("gaple", 4)
    six = deal_of(game, SIX, *OTHERS)

    assert six.result.how == "doubles"
    assert six.result.points == (0, 0, 0, 0)
    assert deal_of(game, FIVE).result is None
    assert deal_of(rules("gaple", 4, ga__redeal=5), FIVE).result.how == "doubles"
    assert deal_of(rules("gaple", 4, ga__redeal=0), SIX).result is None


def test_ga_3_the_match_is_over_when_a_player_has_101_and_the_lowest_wins():
    match = new_match(GAMES["gaple"], 4, {})
    state = position(match.rules, (4, 2), "5|0", "4|1", "0|0", "0|0", turn=1)
    match = replace(match, state=state, round=3, scores=(96, 40, 72, 88))
    match, _ = match.apply(match.legal[0])

    assert match.scores == (101, 40, 72, 88)
    assert (match.over, match.winners) == (True, (1,))
