"""Records of matches in which players sometimes took back, as a host writes them."""

from contextlib import suppress
from functools import cache
from itertools import count, islice
from random import Random

from core.bots.levels import random_bot
from core.games import GAMES
from core.match import new_match
from core.records import Seat
from core.words import Illegal
from net.table.persistence import Dealer, RecordedMatch
from tests.mutations import LENGTH_OPTIONS

SOME = 2
"""Matches of a game of which the shortest is taken."""


@cache
def play_with_backs(game: str, seed: int = 0) -> RecordedMatch:
    """Play a short match of people and bots in turn to its end, with a player taking back at about every tenth
    action.
    """
    variant, rng = GAMES[game], Random(f"{game} {seed}")
    players = variant.seats[0]
    options = {option.key: min(option.choices) for option in variant.options if option.key in LENGTH_OPTIONS}
    seats = [Seat(f"player {n}", "" if n % 2 == 0 else "random") for n in range(players)]
    play = RecordedMatch.of(new_match(variant, players, options), Dealer(lambda: b"secret %d" % seed, "test"))
    play, _ = play.deal(seats)
    while play.in_progress:
        if play.match.is_deal_due:
            play, _ = play.deal(seats)
            continue
        play, _ = play.apply(random_bot(play.match.view(play.turn), rng))
        if rng.random() < 0.1 and play.turn >= 0:
            with suppress(Illegal):
                play, _ = play.take_back(rng.randrange(players), ())
    return play


@cache
def shortest(game: str) -> RecordedMatch:
    """Return the shortest of some matches in which a player took back."""
    plays = (play_with_backs(game, seed) for seed in count())
    return min(islice((play for play in plays if '"back"' in "".join(play.lines)), SOME), key=lambda p: len(p.lines))


def record(game: str) -> list[str]:
    """Return the lines of a short match in which a player took back."""
    return list(shortest(game).lines)
