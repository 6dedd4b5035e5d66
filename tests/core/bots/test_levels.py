"""The table of levels: what is offered, what is the default, and what is only for numbers."""

from core.bots.levels import BOTS
from core.bots.questions import AT_TABLES, DEFAULT, LEVELS


def test_a_bot_whose_level_nobody_has_chosen_may_be_at_a_table():
    assert DEFAULT in AT_TABLES


def test_levels_that_others_are_only_measured_against_are_not_for_tables():
    assert set(LEVELS) - set(AT_TABLES) == {"greedy", "greedy-1", "random"}


def test_there_is_a_bot_of_every_level():
    assert tuple(BOTS) == LEVELS
