"""The table of levels: the offered ones, the default, and those that exist only for measurements."""

from core.bots.levels import BOTS, easy_bot, random_bot
from core.bots.profiles import DEFAULT, LEVELS, TABLE_LEVELS


def test_a_bot_of_the_default_level_may_be_at_a_table():
    assert DEFAULT in TABLE_LEVELS


def test_levels_for_measurements_are_not_offered_at_tables():
    assert set(LEVELS) - set(TABLE_LEVELS) == {"greedy", "greedy-1", "random"}


def test_the_weakest_bot_of_a_table_is_easy_and_the_last_of_all_plays_at_random():
    assert BOTS[TABLE_LEVELS[0]] is easy_bot
    assert BOTS[LEVELS[-1]] is random_bot
