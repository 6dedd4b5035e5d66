"""Doubles that branch, and counting what the ends show (`docs/rules` §2.3, §4.6, §4.9, §4.12)."""

import pytest

from core.layout.line import (
    branches,
    branching_ends,
    count,
    covered,
    first_enclosed,
    fives_and_threes,
    multiples,
    nearest,
    up_to_five,
)
from core.layout.state import Before, End, Opening, Placed, State, end_at
from core.tiles import tile


def laid(*steps, spinners="first"):
    """A layout from tiles laid on the side of an earlier one, `tile@index.side→out`, and its ends."""
    layout, ends = (), ()
    for step in steps:
        name, _, where = step.partition("@")
        on, _, rest = where.partition(".")
        side, _, out = rest.partition("→")
        placed = Placed(tile(name), int(on or -1), int(side or 0), int(out) if out else tile(name).high, 0)
        layout = (*layout, placed)
        end = end_at(ends, placed.on, placed.side) if on else None
        ends = branching_ends(layout, ends, end, spinners=spinners)
    return layout, ends


def table(*steps):
    """The moment after these tiles were laid."""
    layout, ends = laid(*steps)
    return State((), (), layout, ends, 0, Opening(0, (), "lot"), Before(lot=0))


CROSS = ("5|5", "5|0@0.0→0", "5|3@0.1→3")
"""A spinner with both its long sides covered."""


@pytest.mark.parametrize(
    ("pips", "rounded"),
    [(2, 0), (3, 5), (7, 5), (8, 10), (22, 20), (23, 25), (27, 25), (28, 30)],
)
def test_pips_are_rounded_to_the_nearest_five(pips, rounded):
    assert nearest(pips) == rounded


def test_no_double_branches_or_the_first_or_all():
    layout, _ = laid("6|5", "5|5@0.1→5", "6|6@0.0→6")

    assert [branches(layout, index, "none") for index in range(3)] == [False, False, False]
    assert [branches(layout, index, "first") for index in range(3)] == [False, True, False]
    assert [branches(layout, index, "sniff") for index in range(3)] == [False, True, False]
    assert [branches(layout, index, "all") for index in range(3)] == [False, True, True]


def test_a_spinner_opens_its_short_ends_once_both_long_sides_are_covered():
    layout, ends = laid(*CROSS[:2])
    assert [end.pips for end in ends] == [0, 5]
    assert covered(layout, 0, (0, 1)) == 1
    _, ends = laid(*CROSS)

    assert ends == (End(1, 1, 0), End(2, 1, 3), End(0, 2, 5), End(0, 3, 5))


def test_a_later_double_has_two_ends_unless_all_doubles_branch():
    steps = (*CROSS, "3|3@2.1→3", "3|1@3.1→1")

    assert len(laid(*steps)[1]) == 4
    assert len(laid(*steps, spinners="all")[1]) == 6


def test_a_double_at_an_end_counts_both_halves():
    assert sum(count(*laid("6|4"), spinners="first")) == 10
    assert sum(count(*laid("6|4", "6|6@0.1→6"), spinners="none")) == 4 + 12


@pytest.mark.parametrize(
    ("steps", "first", "sniff"),
    [
        (CROSS[:1], 10, 10),
        (CROSS[:2], 10 + 0, 10 + 0),
        (CROSS, 0 + 3, 10 + 0 + 3),
        ((*CROSS, "5|2@0.2→2"), 0 + 3 + 2, 5 + 0 + 3 + 2),
        ((*CROSS, "5|2@0.2→2", "5|1@0.3→1"), 0 + 3 + 2 + 1, 0 + 3 + 2 + 1),
    ],
)
def test_a_spinner_counts_until_its_sides_are_covered_and_a_sniff_until_its_fourth(steps, first, sniff):
    assert sum(count(*laid(*steps), spinners="first")) == first
    assert sum(count(*laid(*steps), spinners="sniff")) == sniff


def test_a_multiple_of_five_scores_itself_or_in_units_of_five():
    assert multiples(table("6|4"), spinners="first") == (10, (10,))
    assert multiples(table("6|4"), spinners="all", unit=5) == (2, (10,))
    assert multiples(table("6|3"), spinners="first")[0] == 0


@pytest.mark.parametrize(
    ("steps", "points"),
    [
        (("3|0",), 1),
        (("5|0",), 1),
        (("6|0",), 2),
        (("6|4",), 2),
        (("6|6",), 4),
        (("2|0", "5|0@0.0→5", "5|2@0.1→5", "5|5@2.1→5"), 8),
        (("4|3",), 0),
    ],
)
def test_every_three_and_every_five_scores_one(steps, points):
    assert fives_and_threes(table(*steps))[0] == points


@pytest.mark.parametrize(("pips", "rounded"), [(0, 0), (1, 5), (5, 5), (22, 25), (41, 45)])
def test_pips_are_rounded_up_to_five(pips, rounded):
    assert up_to_five(pips) == rounded


TWO_DOUBLES = ("3|2", "2|2@0.0→2", "3|3@0.1→3", "3|1@2.1→1")
"""Of two doubles the one that was laid later is enclosed first."""


def test_the_first_double_with_tiles_on_both_long_sides_is_the_enclosed_one():
    assert first_enclosed(laid(*TWO_DOUBLES[:3], spinners="enclosed")[0]) == -1
    assert first_enclosed(laid(*TWO_DOUBLES, spinners="enclosed")[0]) == 2
    assert first_enclosed(laid(*TWO_DOUBLES, "6|2@1.1→6", spinners="enclosed")[0]) == 2
    assert first_enclosed(laid("5|5", "5|0@0.0→0", "5|3@0.1→3", spinners="enclosed")[0]) == 0


def test_the_enclosed_double_opens_its_short_ends_and_no_later_one_does():
    layout, ends = laid(*TWO_DOUBLES, spinners="enclosed")
    assert [(end.at, end.side) for end in ends] == [(1, 1), (3, 1), (2, 2), (2, 3)]
    assert count(layout, ends, spinners="enclosed") == (4, 1)

    layout, ends = laid(*TWO_DOUBLES, "6|2@1.1→6", spinners="enclosed")
    assert [(end.at, end.side) for end in ends] == [(4, 1), (3, 1), (2, 2), (2, 3)]
    assert count(layout, ends, spinners="enclosed") == (6, 1)
