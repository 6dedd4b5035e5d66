"""Short recorded matches for the tests of the coach."""

from functools import cache

from core.coach.recorded import read_match
from core.games import GAMES
from core.match import new_match
from core.records import write
from core.selfplay import play_match


@cache
def lines(name="block", levels=("greedy", "random"), seed=b"3", **options):
    """A match as lines; a random bot makes blunders."""
    match = new_match(GAMES[name], len(levels), options or {"target": 50})
    return tuple(write(step.line) for step in play_match(match, levels, seed, "test"))


def played(*arguments, **options):
    return read_match(lines(*arguments, **options))
