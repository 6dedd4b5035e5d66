"""Legal combinations in Tien Gow, and which of them beat others (`docs/rules` §C.6)."""

from collections import Counter

import pytest

from core.combos.state import leads, winning_combos, worth_of
from core.tiles import hand

HELD = hand("6|6 6|6 6|3 5|4 5|1 4|2 2|1 5|3")


def test_tg_1_a_hand_may_lead_sixteen_ways():
    assert Counter(map(len, leads(HELD))) == {1: 7, 2: 5, 3: 3, 4: 1}
    pairs = ("6|6 6|6", "6|3 5|4", "4|2 2|1", "6|6 6|3", "6|6 5|4")
    assert {part for part in leads(HELD) if len(part) == 2} == set(map(hand, pairs))


@pytest.mark.parametrize(
    ("led", "tiles", "beats"),
    [
        ("1|1 1|1 5|3", "6|6 6|6 6|3", True),
        ("1|1 1|1 5|3", "6|6 6|3 5|4", False),
        ("6|2", "6|3", True),
        ("6|2", "5|3", False),
        ("6|2", "6|6", False),
        ("5|1 5|1", "6|6 6|6", True),
        ("5|1 5|1", "4|2 2|1", False),
        ("4|2 2|1", "6|6 6|6", False),
        ("4|2 2|1", "6|3 5|4", False),
        ("6|3", "5|4", False),
        ("1|1 6|2", "6|6 6|3", True),
        ("6|6 6|3", "1|1 6|2", False),
    ],
)
def test_tg_2_only_as_many_tiles_of_the_same_class_that_rank_higher_beat(led, tiles, beats):
    assert worth_of(hand(tiles)).can_beat(worth_of(hand(led))) == beats
    assert (winning_combos(hand(tiles), hand(led)) == (hand(tiles),)) == beats
