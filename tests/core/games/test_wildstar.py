"""Wildstar, rule by rule (`docs/rules` §2.8)."""

import pytest

from core.actions import Play
from core.games import GAMES
from core.layout.policies import hand_terms
from core.tiles import hand
from core.words import BadOption
from tests.core.positions import centred as table
from tests.core.positions import result, rules


def legal_plays(state):
    return [a for a in state.legal if isinstance(a, Play)]


def test_the_set_counts_625_in_all():
    assert sum(term.amount for term in hand_terms(tuple(rules("wildstar", 2).tiles), 0, 30, 10)) == 625
    assert len(rules("wildstar", 2).tiles) == 60


def test_ws_1_in_the_star_phase_only_the_centre_number_and_no_star():
    state = table(rules("wildstar", 2), ("9|4 * 6|6 9|0", "1|1"), (1, 2))

    assert sorted(str(a.tile) for a in legal_plays(state)) == ["9|0", "9|4"]


@pytest.mark.parametrize(("wild_end", "moves"), [("declared", 51), ("open", 6), ("same", 6)])
def test_ws_2_a_star_goes_on_any_end_and_names_its_outer_number(wild_end, moves):
    state = table(rules("wildstar", 2, ws__wild_end=wild_end), ("* 4|4 3|5", "6|6"), (4, 0, 7, 2, 1))

    assert len(legal_plays(state)) == moves


def test_ws_3_a_star_counts_20_and_the_double_blank_30():
    assert sum(term.amount for term in hand_terms(tuple(hand("* * 0|0 6|5")), 0, 30, 10)) == 81


def ws_4(**options):
    game = rules("wildstar", 4, **options)
    state = table(game, ("9|3", "* 9|8", "9|4", "* * 0|0 6|5"), (4, 0, 7, 2, 1), turn=2)
    return result(game.apply(state, next(a for a in legal_plays(state)))[0])


def test_ws_4_each_other_player_adds_their_own_count():
    assert ws_4().points == (12, 37, 0, 81)
    assert ws_4().winner == 2


def test_ws_4_collect_pays_the_winner_all_of_it():
    assert ws_4(ws__score="collect").points == (0, 0, 130, 0)


def test_teams_need_an_even_number():
    with pytest.raises(BadOption, match="even number"):
        GAMES["wildstar"].rules(5, {"ws.teams": "on"})
