"""The level `greedy` in all games: legal, and better than chance."""

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match


def test_greedy_beats_random_in_most_matches():
    wins = 0
    for number in range(40):
        match = new_match(GAMES["draw"], 2, {})
        levels = ("greedy", "random") if number % 2 else ("random", "greedy")
        last = list(play_match(match, levels, str(number).encode(), "test"))[-1].match
        wins += any(levels[side] == "greedy" for side in last.winners)

    assert wins > 24
