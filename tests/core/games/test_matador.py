"""Matador, rule by rule (`docs/rules` §2.7)."""

from core.actions import Draw, Pass, Play
from tests.core.positions import plays, position, result, rules

DRAW, PASS = Draw(), Pass()


def test_m_1_halves_that_sum_to_seven_and_matadors_either_way_round():
    state = position(rules("matador", 2), (3, 0), "4|4 6|1 0|0 5|2 4|0 6|6", "1|1")

    assert len([a for a in state.legal if isinstance(a, Play)]) == 12
    assert {"4|4@3→4", "4|0@3→0", "6|1@3→1", "6|1@0→6", "0|0@0→0"} <= set(plays(state))
    assert not [text for text in plays(state) if text.startswith("6|6")]


def test_m_2_a_tile_is_laid_where_it_makes_seven_and_matadors_both_ways():
    state = position(rules("matador", 2), (5, 2), "2|0 5|5 5|2 3|3", "1|1")

    assert plays(state) == ["2|0@5→0", "5|2@2→2", "5|2@2→5", "5|2@5→2", "5|2@5→5", "5|5@2→5"]


def test_m_3_a_blank_end_takes_only_matadors():
    state = position(rules("matador", 2), (0, 0), "6|6 5|4 4|3", "1|1", boneyard="")

    assert {text.split("@")[0] for text in plays(state)} == {"4|3"}
    assert len(plays(state)) == 4


def test_m_4_a_round_is_blocked_only_if_no_hand_has_a_matador():
    game = rules("matador", 2)

    assert result(position(game, (0, 0), "3|1", "6|5 4|4")).points == (15, 0)
    assert position(game, (0, 0), "3|1 0|0", "6|5 4|4").result is None


def test_draw_drawn_may_a_drawn_matador_allows_more_draws_and_others_may_be_kept():
    game = rules("matador", 2, draw__drawn="may")
    state = position(game, (3, 3), "1|1", "6|6", boneyard="2|2 6|1 5|5 4|0 6|6 6|5")
    state, events = game.apply(state, DRAW)
    assert events[0].count == 2, "the matador 6|1 ends the search"
    assert {DRAW, PASS} < set(state.legal)
    assert {str(a.tile) for a in state.legal if isinstance(a, Play)} == {"6|1"}
    state, _ = game.apply(state, DRAW)
    assert DRAW in state.legal, "5|5 does not fit"
    state, _ = game.apply(state, DRAW)

    assert {str(a.tile) for a in state.legal if isinstance(a, Play)} == {"6|1", "4|0"}
    assert PASS in state.legal
    assert DRAW not in state.legal
