"""The table of levels: what is offered, what is the default, and what is only for numbers."""

from core.bots.levels import BOTS, TABLE_BOTS


def test_the_default_level_comes_first():
    assert next(iter(BOTS)) == next(iter(TABLE_BOTS)) == "greedy"


def test_levels_that_others_are_only_measured_against_are_not_for_tables():
    assert set(BOTS) - set(TABLE_BOTS) == {"greedy-1", "random"}
