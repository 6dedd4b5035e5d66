"""Which hands are dealt again, and who leads otherwise (`docs/rules` §4.2)."""

import pytest

from core.layout.line import by_lot
from core.layout.state import Before, commonest, doubles_in, fair_hands
from core.tiles import hand

PLAIN = hand("6|5 2|1")
FIVE_DOUBLES = hand("0|0 1|1 2|2 3|3 4|4")
SIX_FOURS = hand("4|0 4|1 4|2 4|3 4|4 5|4")


@pytest.mark.parametrize(("doubles", "reason"), [(5, "doubles"), (6, "lot"), (0, "lot")])
def test_a_hand_with_so_many_doubles_is_dealt_again(doubles, reason):
    opening = fair_hands((PLAIN, FIVE_DOUBLES), Before(lot=1), opener=by_lot, doubles=doubles)

    assert opening.reason == reason
    assert opening.seat == (1 if reason == "lot" else -1)


@pytest.mark.parametrize(("alike", "reason"), [(6, "alike"), (7, "lot"), (0, "lot")])
def test_a_hand_with_so_many_tiles_with_one_number_is_dealt_again(alike, reason):
    opening = fair_hands((SIX_FOURS, PLAIN), Before(lot=0), opener=by_lot, doubles=5, alike=alike)

    assert opening.reason == reason


def test_a_double_bears_its_number_once():
    assert commonest(SIX_FOURS) == (4, 6)
    assert doubles_in(SIX_FOURS) == 1


def test_of_equally_common_numbers_the_highest_is_told():
    assert commonest(hand("6|5 6|1 5|0")) == (6, 2)
    assert commonest(()) == (0, 0)
