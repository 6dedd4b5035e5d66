"""Rounds between equals: one bot plays all seats of a deal; and what each side leads by when it is over."""

from random import Random

from core.bots.levels import Bot
from core.bots.outcome import lead
from core.match import Match
from core.tiles import Tile


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
