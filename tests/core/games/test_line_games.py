"""House rules that Draw shares with other line games, one by one (`docs/rules` §2.1)."""

import pytest

from core.actions import Draw, Drew, Pass, Passed
from core.layout.state import RoundContext
from core.tiles import full_set, in_order, tile
from core.words import BadOption
from tests.core.positions import deal_of, plays, position, result, rules

DRAW, PASS = Draw(), Pass()


def test_opener_winner_the_previous_winner_leads_any_tile():
    game = rules("draw", 4, opener="winner")

    assert game.deal(full_set(6), RoundContext(lot=3, leader=1, winner=2)).turn == 2
    assert game.deal(full_set(6), RoundContext(lot=3, leader=1)).opening.reason == "double"


def test_draw_max_one_draws_one_tile_and_passes():
    game = rules("draw", 2, draw__max=1)
    state = position(game, (5, 5), "0|0", "6|4", boneyard="2|1 6|6 5|3")

    state, events = game.apply(state, DRAW)
    assert events[0].count == 1
    state, events = game.apply(state, PASS)

    assert events == (Passed(0, "limit"),)
    assert state.turn == 1
    assert state.legal == (DRAW,)


def test_draw_voluntary_allows_one_draw_and_then_requires_a_play():
    game = rules("draw", 2, draw__voluntary="yes")
    state = position(game, (6, 1), "6|4", "0|0", boneyard="5|5 6|2")
    assert DRAW in state.legal

    state, events = game.apply(state, DRAW)
    assert events == (Drew(0, 1, in_order("5|5"), forced=False),)
    assert plays(state) == ["6|4@6→4"]
    state, _ = game.apply(state, DRAW)
    assert DRAW not in state.legal
    assert PASS not in state.legal
    assert len(plays(state)) == 2


def test_draw_drawn_may_a_stuck_player_may_keep_the_fitting_tile_but_not_draw_on():
    game = rules("draw", 2, draw__drawn="may")
    state = position(game, (5, 5), "0|0", "6|4", boneyard="5|3 4|4")

    state, _ = game.apply(state, DRAW)
    assert PASS in state.legal
    assert DRAW not in state.legal
    state, events = game.apply(state, PASS)

    assert events == (Passed(0, "kept"),)


def test_draw_spinners_a_double_opens_its_long_sides_first():
    game = rules("draw", 2, draw__spinners="yes")
    state = position(game, (6, 5), "5|5 1|0", "5|1")
    after_double, _ = game.apply(state, next(play for play in state.legal if play.tile == tile("5|5")))
    after_next, _ = game.apply(after_double, next(play for play in after_double.legal if play.tile == tile("5|1")))

    assert game.shape == "cross"
    assert rules("draw", 2).shape == "line"
    assert sorted(end.pips for end in after_double.ends) == [5, 6]
    assert sorted(end.pips for end in after_next.ends) == [1, 5, 5, 6]


def test_partners_are_for_four_players():
    with pytest.raises(BadOption, match="needs four players"):
        rules("draw", 3, partners="yes")


def test_no_double_hand_without_a_double_the_heaviest_hand_leads_any_tile():
    game = rules("draw", 3, no_double="hand")
    state = deal_of(game, "6|5 2|1 1|0 2|0 3|0", "6|3 5|1 5|0 3|1 4|1", "6|2 6|1 4|2 4|3 5|4")

    assert state.turn == 2
    assert len(state.legal) == 5


def test_tie_last_player_is_a_draw_if_no_tied_player_has_laid_a_tile():
    game = rules("draw", 3, tie="last_player")
    state = position(game, (6, 6), "4|3", "5|2", "4|4 3|1", laid=(2, 2))

    assert result(state).points == (0, 0, 0)
