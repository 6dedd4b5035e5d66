"""Hungarian, rule by rule (`docs/rules` §C.16)."""

import pytest
from msgspec.structs import replace

from core.games import GAMES
from core.match import new_match
from core.tiles import tile
from tests.core.positions import deal_of, play, plays, position, result, rules


def later(game, ends, *hands):
    """Return a line after the leader's turn, when a player is about to choose an end."""
    return replace(position(game, ends, *hands), turns=1)


def tiles_of(state):
    """Return the tiles that may be played, in ascending order."""
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


def test_hu_1_a_turn_at_the_other_end_is_over_when_nothing_fits_there():
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
def test_hu_3_the_match_ends_when_a_player_has_the_target_and_the_lowest_wins(held, scores, over, winners):
    match = new_match(GAMES["hungarian"], 2, {})
    mine, theirs = ("", "5|4") if not over else ("1|1", "4|4")
    state = later(match.rules, (6, 3), f"{mine} 6|3", theirs)
    match = replace(match, state=state, round=3, scores=(98, 40))
    match, _ = match.apply(next(action for action in match.legal if action.tile == tile("6|3")))

    assert (match.scores, match.over, match.winners) == (scores, over, winners)


def test_the_lightest_hand_wins_a_block_and_equal_ones_share_that():
    game = rules("hungarian", 3)
    alone, shared = (
        result(position(game, (6, 6), *hands)) for hands in (("5|4", "2|1", "4|0"), ("5|4", "2|1", "3|0"))
    )

    assert (alone.winner, alone.tied, alone.points) == (1, (), (9, 3, 4))
    assert (shared.winner, shared.tied, shared.points) == (-1, (1, 2), (9, 3, 3))
