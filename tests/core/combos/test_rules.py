"""The engine of combinations, apart from what the sheet of Tien Gow says (`tests/core/games/test_tien_gow.py`)."""

import pytest

from core.actions import Beat, Hide, Lead
from core.games import GAMES
from core.layout.state import Before
from core.tiles import CHINESE_SET, hand
from core.words import Illegal

RULES = GAMES["tien-gow"].rules(4, {})[1]


def test_equal_tiles_of_a_hand_are_one_choice():
    state = RULES.deal(tuple(sorted(CHINESE_SET, reverse=True)), Before(lot=0))

    assert len(set(state.legal)) == len(state.legal)
    assert state.hands[0].count(hand("6|6")[0]) == 2
    assert sum(action == Lead(hand("6|6")) for action in state.legal) == 1


def test_a_state_is_not_changed_and_its_legal_actions_are_those_of_its_rules():
    state = RULES.deal(CHINESE_SET, Before(lot=1))
    before = state.hands
    after, _ = RULES.apply(state, state.legal[0])

    assert state.hands == before != after.hands
    assert RULES.legal(after) == after.legal
    assert {type(action) for action in after.legal} <= {Beat, Hide}


def test_what_is_not_listed_is_refused():
    state = RULES.deal(CHINESE_SET, Before(lot=1))

    with pytest.raises(Illegal):
        RULES.apply(state, Hide(state.hands[1][:1]))
