"""Chickenfoot, rule by rule (`docs/rules` §2.5)."""

import pytest

from core.actions import Draw, Pass, Play
from core.games import GAMES
from core.match import new_match
from core.tiles import tile
from core.words import BadOption
from tests.core.positions import centred as table
from tests.core.positions import result, rules

DRAW, PASS = Draw(), Pass()


def tiles(state):
    return sorted({str(a.tile) for a in state.legal if isinstance(a, Play)})


def lay(game, state, text, on=None):
    pips_by_end = {(end.at, end.side): end.pips for end in state.ends}
    return game.apply(
        state,
        next(
            a
            for a in state.legal
            if isinstance(a, Play) and a.tile == tile(text) and on in (None, pips_by_end[a.at, a.side])
        ),
    )[0]


def ends(state):
    return sorted(end.pips for end in state.ends)


def test_cf_1_until_the_four_arms_exist_only_the_centre_may_be_played_on():
    game = rules("chickenfoot", 2)

    assert tiles(table(game, ("9|0 5|5 5|2 9|7", "1|1"), (5, 2))) == ["9|0", "9|7"]


def test_cf_2_a_double_wants_three_toes_before_any_other_play():
    game = rules("chickenfoot", 2)
    state = table(game, ("5|5 5|8 6|6", "5|1 0|4 7|7 5|0"), (5, 2, 0, 7))
    state = lay(game, state, "5|5")
    assert tiles(state) == ["5|0", "5|1"]
    for text in ("5|1", "8|5", "5|0"):
        state = lay(game, state, text)

    assert ends(state) == [0, 0, 1, 2, 7, 8]


def test_cf_3_a_stuck_player_draws_one_and_must_play_it_as_a_toe_if_it_fits():
    game = rules("chickenfoot", 2)
    for head, fits in (("6|2", False), ("5|3", True)):
        state = table(game, ("5|5 1|1", "0|4 7|7"), (5, 2, 0, 7), boneyard=f"{head} 8|8 5|6")
        state = lay(game, state, "5|5")
        state, _ = game.apply(state, DRAW)
        assert (tiles(state) == ["5|3"]) is fits
        assert (state.legal == (PASS,)) is not fits


@pytest.mark.parametrize(("zero", "points"), [(50, 70), (25, 45), (0, 20)])
def test_cf_4_own_pips_count_and_the_double_blank_fifty(zero, points):
    game = rules("chickenfoot", 2, zero_zero=zero)
    state = lay(game, table(game, ("5|1", "0|0 9|8 3|0"), (5, 2, 0, 7)), "5|1")

    assert result(state).points == (0, points)


@pytest.mark.parametrize("players", [2, 3])
def test_cf_5_with_double_six_two_or_three_players_take_five_tiles_for_seven_rounds(players):
    match = new_match(GAMES["chickenfoot"], players, {"set": 6})
    dealt, _ = match.deal(match.rules.tiles[::-1], 0)
    assert match.rules.goal.rounds == 7
    held = sum(map(len, dealt.state.hands)) + len(dealt.state.layout) + len(dealt.state.boneyard)
    assert (len(match.rules.tiles), held, match.rules.start.hand) == (28, 28, 5)
    assert tiles(dealt.state) == ["6|6"]


def test_the_double_six_set_is_refused_for_more_players():
    for players in range(4, 9):
        with pytest.raises(BadOption, match="for two or three players"):
            new_match(GAMES["chickenfoot"], players, {"set": 6})
