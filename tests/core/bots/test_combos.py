"""The greedy bot in games of combinations."""

import pytest

from core.actions import Beat, Hide, Lead
from core.bots.greedy import greedy_in_combos
from core.bots.levels import BOTS, play_match
from core.combos.state import ComboState, LaidCombo
from core.games import GAMES
from core.layout.state import RoundContext
from core.match import new_match
from core.tiles import hand

RULES = GAMES["tien-gow"].rules(4, {})[1]


def view(own, led="", others="5|1 6|1 6|4"):
    """Return the view of seat 0 with a hand, after `led` was led; the others hold three tiles each."""
    trick = (LaidCombo(3, hand(led), True),) if led else ()
    state = ComboState((hand(own), *(hand(others),) * 3), 0, 0, RoundContext(0), 1, trick)
    return RULES.view(RULES.complete(state), 0)


def test_the_greedy_bot_leads_unbeatable_tiles_together():
    assert greedy_in_combos(RULES, view("6|6 6|6 6|3 5|4 1|1")) == Lead(hand("6|6 6|6 6|3 5|4"))


def test_the_greedy_bot_keeps_an_unbeatable_tile_for_the_last_trick():
    assert greedy_in_combos(RULES, view("6|6 6|6 6|3 5|1")) == Lead(hand("6|6 6|3"))


def test_the_greedy_bot_beats_with_the_cheapest_combination():
    assert greedy_in_combos(RULES, view("6|6 3|3 5|1", led="2|2")) == Beat(hand("3|3"))


def test_the_greedy_bot_hides_its_least_useful_tiles_if_it_cannot_beat():
    assert greedy_in_combos(RULES, view("6|6 5|1 3|1", led="6|3")) == Hide(hand("5|1"))


@pytest.mark.parametrize("level", sorted(BOTS))
def test_every_bot_plays_a_legal_round(level):
    steps = play_match(new_match(GAMES["tien-gow"], 4, {"tg.rounds": 4}), (level, *("greedy",) * 3), b"x", "test")
    for step in steps:
        if step.match.round > 1:
            break
    assert step.match.round == 2
