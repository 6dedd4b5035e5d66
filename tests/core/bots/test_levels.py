"""The table of levels: what is offered, what is the default, and what is only for numbers."""

from core.bots.levels import BOTS, DEFAULT, TABLE_BOTS


def test_a_bot_whose_level_nobody_has_chosen_may_be_at_a_table():
    assert DEFAULT in TABLE_BOTS


def test_levels_that_others_are_only_measured_against_are_not_for_tables():
    assert set(BOTS) - set(TABLE_BOTS) == {"greedy", "greedy-1", "random"}
