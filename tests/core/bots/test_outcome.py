"""The gain of a side: its own points less the average of the others."""

from msgspec.structs import replace

from core.actions import Played, RoundOver, Scored, Term
from core.bots.search import advantage, gain_of
from core.tiles import tile
from tests.core.positions import position, rules

LAID = Played(0, tile("6|5"), 6, 5)


def over(state, *points):
    sums = tuple((Term("pips", side, amount),) for side, amount in enumerate(points))
    return replace(state, result=RoundOver("out", 0, state.hands, sums))


def test_a_lead_is_the_difference_to_the_average_of_the_others():
    assert [advantage((9, 3, 6), side) for side in range(3)] == [4.5, -4.5, 0]


def test_points_in_play_count_for_the_scorer_and_against_the_others():
    game = rules("all-fives", 3)
    state = position(game, (6, 1), "6|5", "0|0", "1|0")
    events = (LAID, Scored(0, 10))

    assert gain_of(game, state, events, 0) == 10
    assert gain_of(game, state, events, 1) == -5


def test_points_that_an_opponent_snatches_are_a_loss():
    game = rules("all-fives", 2)
    state = position(game, (6, 1), "6|5", "0|0")

    assert gain_of(game, state, (Scored(1, 10, snatched=True),), 0) == -10


def test_the_points_of_a_round_count_for_its_winner_and_against_the_loser():
    game = rules("draw", 2)
    state = over(position(game, (6, 1), "6|5", "0|0"), 12, 0)

    assert gain_of(game, state, (LAID, state.result), 0) == 12
    assert gain_of(game, state, (LAID, state.result), 1) == -12


def test_points_are_a_loss_where_the_lowest_score_wins():
    game = rules("mexican-train", 2)
    state = over(position(game, (6, 1), "6|5", "0|0"), 12, 0)

    assert gain_of(game, state, (LAID, state.result), 0) == -12


def test_points_that_wait_to_be_written_count_in_the_round_that_lost_them():
    game = rules("kozel", 2)
    state = position(game, (6, 1), "6|5", "0|0")
    waits = ((), (Term("pips", 1, 9), Term("waits", -1, -9)))
    later = ((), (Term("pips", 1, 7), Term("hung", -1, 9)))

    assert gain_of(game, replace(state, result=RoundOver("out", 0, state.hands, waits)), (), 0) == 9
    assert gain_of(game, replace(state, result=RoundOver("out", 0, state.hands, later)), (), 0) == 7
