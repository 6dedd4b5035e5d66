"""Bots play from views alone, legally, and the better one is better."""

from core.bots.levels import BOTS, DEFAULT, TABLE_BOTS
from core.games import GAMES
from core.match import new_match
from core.selfplay import play_match


def test_greedy_beats_random_in_most_matches():
    wins = 0
    for number in range(100):
        match = new_match(GAMES["draw"], 2, {})
        levels = ("greedy", "random") if number % 2 else ("random", "greedy")
        last = list(play_match(match, levels, str(number).encode(), "test"))[-1].match
        wins += any(levels[side] == "greedy" for side in last.winners)

    assert wins > 60


def test_a_bot_whose_level_nobody_has_chosen_may_be_at_a_table():
    assert DEFAULT in TABLE_BOTS


def test_levels_that_others_are_only_measured_against_are_not_for_tables():
    assert set(BOTS) - set(TABLE_BOTS) == {"greedy", "greedy-1", "random"}
