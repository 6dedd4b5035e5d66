"""The engine of combinations, apart from the rules on the sheet of Tien Gow (`tests/core/games/test_tien_gow.py`)."""

import pytest

from core.actions import Hide
from core.games import GAMES
from core.layout.state import RoundContext
from core.tiles import CHINESE_SET
from core.words import Illegal

RULES = GAMES["tien-gow"].rules(4, {})[1]


def test_an_action_that_is_not_listed_is_refused():
    state = RULES.deal(CHINESE_SET, RoundContext(lot=1))

    with pytest.raises(Illegal):
        RULES.apply(state, Hide(state.hands[1][:1]))
