"""Payments of a round of Tien Gow (`docs/rules` §C.6)."""

import pytest

from core.combos.rules import settlement


def points(*args, **more):
    return tuple(sum(term.amount for term in terms) for terms in settlement(*args, **more))


@pytest.mark.parametrize(
    ("taken", "winner", "score"),
    [((0, 4, 1, 3), 3, (-10, 0, -3, 13)), ((6, 0, 1, 1), 2, (4, -5, 4, -3))],
)
def test_tg_3_all_pay_the_winner_of_the_last_trick_and_the_banker_pays_twice(taken, winner, score):
    assert points(taken, winner, 0) == score


def test_tg_4_a_rising_banker_counts_once_more_each_round_but_once_when_losing():
    assert points((5, 0, 1, 2), 3, 0, rule="rising", in_a_row=3) == (1, -5, -3, 7)
    assert points((0, 0, 1, 7), 3, 0, rule="rising", in_a_row=3) == (-20, -5, -3, 28)
