"""The luck of the deal, apart from the play: how the same hands would have gone between equals."""

from collections.abc import Iterable
from math import sqrt
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from core.bots.levels import easy_bot
from core.coach.recorded import Deal
from core.coach.swing import leads_of, play_round
from core.games import GAMES
from core.match import Match, new_match

REPLAYS = 50
"""Times that a deal is played again. A bot with slips plays it: one without would play it the same way each time, and
its mean would hang on a single line of play."""


class RoundLuck(Struct, frozen=True):
    """One round for each side: points over the others on average, more is better also where the lowest score wins."""

    round: int
    gained: tuple[float, ...]
    """As it went."""
    luck: tuple[float, ...]
    """As it would have gone between equals; what is left of `gained` is play."""
    error: tuple[float, ...]
    """The standard error of the luck."""


class Luck(Struct, frozen=True):
    """The same for a match, all its rounds together, and one by one."""

    gained: tuple[float, ...]
    luck: tuple[float, ...]
    error: tuple[float, ...]
    rounds: tuple[RoundLuck, ...]

    @classmethod
    def of(cls, rounds: list[RoundLuck], sides: int) -> "Luck":
        """Add up the rounds."""
        return cls(
            _rounded(sum(each.gained[side] for each in rounds) for side in range(sides)),
            _rounded(sum(each.luck[side] for each in rounds) for side in range(sides)),
            _rounded(sqrt(sum(each.error[side] ** 2 for each in rounds)) for side in range(sides)),
            tuple(rounds),
        )


def before(deal: Deal) -> Match:
    """The match as it was before a deal."""
    return replace(
        new_match(GAMES[deal.game], deal.players, deal.options),
        scores=deal.scores,
        round=deal.round - 1,
        leader=deal.leader,
        winner=deal.winner,
        carry=deal.carry,
    )


def luck_of(deal: Deal) -> RoundLuck:
    """Play a deal again between equals, often. The same deal always gives the same result."""
    fresh = before(deal)
    lowest, rng = fresh.rules.goal.lowest, Random(deal.seed)
    replays, means, errors = [], [], []
    for _ in range(REPLAYS):
        after = play_round(fresh, deal.tiles, deal.lot, easy_bot, rng)
        replays.append(leads_of(_difference(after, deal.scores), lowest=lowest))
    for side in zip(*replays, strict=True):
        mean = sum(side) / REPLAYS
        means.append(mean)
        errors.append(sqrt(sum((each - mean) ** 2 for each in side) / (REPLAYS - 1) / REPLAYS))
    gained = leads_of(_difference(deal.after, deal.scores), lowest=lowest)
    return RoundLuck(deal.round, _rounded(gained), _rounded(means), _rounded(errors))


def _difference(after: tuple[int, ...], before: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(after, before, strict=True))


def _rounded(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(number, 2) for number in numbers)
