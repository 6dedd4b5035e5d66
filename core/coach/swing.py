"""Rounds between equals, and how much is at stake in a usual one: the measure for what counts as a blunder."""

from functools import lru_cache
from random import Random

from core.bots.greedy import greedy_bot
from core.bots.levels import Bot
from core.bots.playouts import lead
from core.fair import deal_order
from core.games import GAMES
from core.match import Match, MatchView, new_match
from core.tiles import Tile
from core.variant import Value


def play_round(match: Match, order: tuple[Tile, ...], lot: int, bot: Bot, rng: Random) -> tuple[int, ...]:
    """Deal a round of a match that waits for it, play it to its end, and return the scores."""
    match, _ = match.deal(order, lot)
    while match.turn >= 0:
        match, _ = match.apply(bot(match.view(match.turn), rng))
    return match.scores


def leads_of(points: tuple[float, ...], *, lowest: bool) -> tuple[float, ...]:
    """Return for each side how much better these points are than those of the others, on average."""
    sign = -1 if lowest else 1
    return tuple(sign * lead(points, side) for side in range(len(points)))


DEALS = 60
"""Rounds that are played to find out; always the same ones."""
SHARE = 0.3
"""Of a usual round, what a blunder must cost at least: 3 to 4 points in Block, about 6 in Draw. Smaller losses that
a search finds do not repeat in another search, even where they are above two standard errors."""


def threshold_of(view: MatchView) -> float:
    """Return how many points an action must cost to be a blunder, in a match that a seat sees."""
    return round(SHARE * _swing(view.game, view.players, tuple(view.options.items())), 2)


@lru_cache(maxsize=64)
def _swing(game: str, players: int, options: tuple[tuple[str, Value], ...]) -> float:
    """The points by which a round between equals is won or lost, on average over all sides."""
    fresh, total = new_match(GAMES[game], players, dict(options)), 0.0
    for number in range(DEALS):
        order, lot = deal_order(fresh.rules.tiles, players, b"a usual round", number)
        leads = leads_of(play_round(fresh, order, lot, greedy_bot, Random(number)), lowest=False)
        total += sum(map(abs, leads)) / len(leads)
    return total / DEALS
