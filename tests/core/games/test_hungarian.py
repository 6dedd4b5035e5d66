"""Hungarian, rule by rule (`docs/rules` §C.16)."""

import pytest
from msgspec.structs import replace

from core.actions import Pass
from core.games import GAMES
from core.layout.state import Before
from core.match import new_match
from core.tiles import full_set, tile
from tests.core.positions import deal_of, play, plays, position, result, rules


def later(game, ends, *hands):
    """A line after the leader's turn, with somebody about to choose an end."""
    return replace(position(game, ends, *hands), turns=1)


def tiles_of(state):
    """The tiles that may be played, in ascending order."""
    return [str(t) for t in sorted({action.tile for action in state.legal})]


def test_hu_1_a_turn_goes_on_at_the_end_that_it_chose():
    game = rules("hungarian", 2)
    state = later(game, (4, 1), "4|2 2|2 5|2 6|1", "5|5 3|3 6|6")
    assert plays(state) == ["4|2@4→2", "6|1@1→6"]

    run = play(game, state, "4|2")
    assert (run.turn, tiles_of(run)) == (0, ["2|2", "5|2"])
    long = play(game, play(game, run, "2|2"), "5|2")
    assert (long.turn, long.hands[0]) == (1, (tile("6|1"),))
    short = play(game, run, "5|2")
    assert (short.turn, short.hands[0]) == (1, (tile("6|1"), tile("2|2")))


def test_hu_1_or_it_is_the_other_end_alone():
    game = rules("hungarian", 2)
    state = play(game, later(game, (4, 1), "4|2 2|2 5|2 6|1", "5|5 3|3 6|6"), "6|1")

    assert (state.turn, len(state.hands[0])) == (1, 3)


def test_hu_2_the_leader_goes_on_at_both_ends():
    game = rules("hungarian", 4)
    state = deal_of(game, "3|3 5|3 5|0 6|1 4|2 4|4", "6|6")
    state = play(game, state, "3|3")
    assert (state.turn, tiles_of(state)) == (0, ["5|3"])
    state = play(game, play(game, state, "5|3"), "5|0")

    assert sorted(map(str, state.hands[0])) == ["4|2", "4|4", "6|1"]
    assert state.turn == 1


def test_hu_2_the_leader_may_lay_on_either_end_of_the_first_tile():
    game = rules("hungarian", 4)
    state = deal_of(game, "4|3 5|3 4|0 6|1 2|1 2|2", "6|6")
    state = play(game, play(game, state, "4|3"), "5|3")

    assert (state.turn, tiles_of(state)) == (0, ["4|0"])


def test_hu_3_the_round_goes_on_when_a_hand_is_empty():
    game = rules("hungarian", 2)
    state = play(game, later(game, (4, 6), "4|2", "2|0 5|5"), "4|2")
    assert (state.result, state.turn, tiles_of(state)) == (None, 1, ["2|0"])

    over = result(play(game, state, "2|0"))
    assert (over.how, over.winner, over.points) == ("blocked", 0, (0, 10))


@pytest.mark.parametrize(
    ("held", "scores", "over", "winners"),
    [("2|0 9|0", (98, 49), False, ()), ("1|1 4|4", (100, 48), True, (1,))],
)
def test_hu_3_the_match_ends_when_somebody_has_the_target_and_the_lowest_wins(held, scores, over, winners):
    match = new_match(GAMES["hungarian"], 2, {})
    mine, theirs = ("", "5|4") if not over else ("1|1", "4|4")
    state = later(match.rules, (6, 3), f"{mine} 6|3", theirs)
    match = replace(match, state=state, round=3, scores=(98, 40))
    match, _ = match.apply(next(action for action in match.legal if action.tile == tile("6|3")))

    assert (match.scores, match.over, match.winners) == (scores, over, winners)


def test_who_cannot_play_passes_and_nobody_draws():
    game = rules("hungarian", 3)
    state = later(game, (4, 6), "5|5 1|1", "4|0", "3|3")

    assert state.legal == (Pass(),)


def test_seats_without_tiles_are_skipped():
    game = rules("hungarian", 3)
    state = later(game, (4, 6), "4|2 5|5", "", "2|0 1|1")

    assert play(game, state, "4|2").turn == 2


def test_who_alone_has_tiles_plays_turn_after_turn():
    game = rules("hungarian", 2)
    state = play(game, later(game, (4, 6), "4|2 6|1 5|5", ""), "4|2")

    assert (state.turn, tiles_of(state)) == (0, ["6|1"])


def test_a_round_is_over_when_all_hands_are_empty():
    over = result(play(rules("hungarian", 2), later(rules("hungarian", 2), (4, 6), "4|2", ""), "4|2"))

    assert (over.how, over.winner, over.tied, over.points) == ("blocked", -1, (0, 1), (0, 0))


def test_everybody_writes_what_they_hold():
    over = result(later(rules("hungarian", 3), (9, 8), "6|5", "2|1", "3|0"))

    assert (over.winner, over.tied, over.points) == (-1, (1, 2), (11, 3, 3))


@pytest.mark.parametrize(("players", "size"), [(2, 12), (3, 8), (4, 6)])
def test_four_tiles_stay_unseen(players, size):
    state = rules("hungarian", players).deal(full_set(6), Before(lot=0))

    assert [len(hand) for hand in state.hands] == [size] * players
    assert len(state.boneyard) == 4


def test_the_lead_moves_on_from_the_one_drawn_by_lot():
    game = rules("hungarian", 3)

    assert game.deal(full_set(6), Before(lot=2)).turn == 2
    assert game.deal(full_set(6), Before(lot=2, leader=2, winner=1, round=2)).turn == 0
