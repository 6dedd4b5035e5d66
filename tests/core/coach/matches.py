"""Short recorded matches for the tests of the coach."""

from functools import cache

from core.bots.levels import play_match
from core.coach.review import read_match
from core.games import GAMES
from core.match import new_match
from core.records import write


@cache
def lines(name="block", levels=("greedy", "random"), seed=b"3", **options):
    """Return the lines of a match; a random bot makes blunders."""
    match = new_match(GAMES[name], len(levels), options or {"target": 50})
    return tuple(write(step.line) for step in play_match(match, levels, seed, "test"))


def once(find):
    """Memoize a function by its arguments, for the rest of this process."""
    results = {}

    def find_once(part):
        key = repr(part)
        if key not in results:
            results[key] = find(part)
        return results[key]

    return find_once


def played(*arguments, **options):
    return read_match(lines(*arguments, **options))
