"""Chance: shuffles are a documented function of seed and round, and uniform."""

from collections import Counter

from core.fair import deal_order
from core.tiles import full_set


def test_the_same_seed_and_round_give_the_same_order_and_lot():
    assert deal_order(full_set(6), 4, b"seed", 1) == deal_order(full_set(6), 4, b"seed", 1)


def test_another_round_or_seed_gives_another_order():
    orders = {deal_order(full_set(6), 4, seed, n)[0] for seed in (b"a", b"b") for n in (1, 2)}

    assert len(orders) == 4


def test_an_order_is_the_whole_set():
    assert tuple(sorted(deal_order(full_set(9), 4, b"seed", 1)[0])) == full_set(9)


def test_a_test_vector_that_another_implementation_can_check():
    order, lot = deal_order(full_set(6), 4, b"boneyard", 1)

    assert " ".join(map(str, order[:7])) == VECTOR
    assert lot == LOT


def test_every_place_sees_every_tile_about_equally_often():
    first = Counter(deal_order(full_set(6), 4, str(n).encode(), 1)[0][0] for n in range(2800))

    assert len(first) == 28
    assert max(first.values()) < 160
    assert min(first.values()) > 50


VECTOR = "2|2 6|5 1|1 3|0 5|4 6|2 5|5"
LOT = 2
