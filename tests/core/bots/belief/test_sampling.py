"""Arrangements under constraints: only possible ones, all equally likely."""

from collections import Counter
from itertools import islice, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bots.beliefs import AtLeast, arrangements, some_arrangement


def possible(candidates, least=()):
    return {
        order
        for order in permutations(range(len(candidates)))
        if all(tiles >> number & 1 for tiles, number in zip(candidates, order, strict=True))
        and not any(bound.missing(list(order)) for bound in least)
    }


@given(st.lists(st.integers(1, 31), min_size=5, max_size=5), st.integers(0, 9))
def test_an_arrangement_is_found_whenever_there_is_one(candidates, seed):
    if possible(candidates):
        assert tuple(some_arrangement(candidates, Random(seed))) in possible(candidates)
    else:
        with pytest.raises(ValueError, match="No deal"):
            some_arrangement(candidates, Random(seed))


@pytest.mark.parametrize(
    ("candidates", "least"),
    [
        ([31, 31, 31, 31, 31], ()),
        ([3, 7, 30, 28, 31], ()),
        ([31, 31, 31, 31, 31], (AtLeast(frozenset({0, 1}), 0b00111, 2),)),
    ],
)
def test_possible_arrangements_come_equally_often(candidates, least):
    expected, count = possible(candidates, least), 8000

    got = Counter(map(tuple, islice(arrangements(candidates, Random(5), least), count)))

    share = 1 / len(expected)
    assert set(got) == expected
    assert all(abs(often / count - share) < 5 * (share / count) ** 0.5 for often in got.values())
