"""Confidence intervals as in textbooks."""

import pytest

from tui.cli.simulate import per_unit, wilson


@pytest.mark.parametrize(
    ("share", "count", "low", "high"), [(0.5, 100, 0.4038, 0.5962), (0.0, 10, 0.0, 0.2775), (1.0, 10, 0.7225, 1.0)]
)
def test_wilsons_interval_of_a_share(share, count, low, high):
    assert wilson(share, count) == pytest.approx((share, low, high), abs=1e-4)


def test_the_interval_of_a_mean_is_two_standard_errors_wide_on_each_side():
    # The standard deviation of 1, 2, 3, 4 is 1.29, and so the standard error is 0.645.
    assert per_unit([1, 2, 3, 4], [1, 1, 1, 1]) == pytest.approx((2.5, 2.5 - 1.2652, 2.5 + 1.2652), abs=1e-3)


def test_a_mean_for_each_unit_weighs_cases_by_their_size():
    assert per_unit([10, 1], [10, 1]).mean == 1.0
    assert per_unit([10, 0], [1, 9]).mean == 1.0


def test_a_single_case_has_no_standard_error():
    assert per_unit([3], [1]) is None
    assert per_unit([0, 0], [0, 0]) is None


def test_a_bound_beyond_the_possible_values_is_cut_off():
    assert per_unit([1, 1, 0], [1, 1, 1]).within(0, 1).high == 1
