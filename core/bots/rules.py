"""What every bot starts from: the round that it sees, and the rules of the match with its house rules."""

from functools import lru_cache
from typing import cast

from core.games import GAMES
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, Before
from core.match import MatchView
from core.tiles import Tile
from core.variant import AnyView, Rules, Value

Fits = dict[Tile, frozenset[int]]
"""The numbers that each tile of a set may be laid on."""
_Match = tuple[str, int, tuple[tuple[str, Value], ...]]


def round_of(view: MatchView) -> AnyView:
    """Return the round in which a bot is asked. Raises ValueError before the first deal."""
    if view.play is None:
        raise ValueError("A bot was asked although nothing was dealt.")
    return view.play


def rules_of(view: MatchView) -> Rules:
    """Return the rules of the match that a seat sees."""
    return _rules(_match(view))


def before_of(view: MatchView) -> Before:
    """Return what the round began with, as far as its view tells.

    The lot is not known, the leader is that of the round itself, and the scores are those of now.
    """
    return Before(NOBODY, view.leader, view.winner, view.round, view.scores, view.carry)


def fits_of(view: MatchView) -> Fits:
    """Return what fits on what in a layout game, apart from the first tile, whose ends may be special."""
    return _fits(_match(view))


def _match(view: MatchView) -> _Match:
    return view.game, view.players, tuple(view.options.items())


@lru_cache(maxsize=64)
def _rules(match: _Match) -> Rules:
    game, players, options = match
    return GAMES[game].rules(players, dict(options))[1]


@lru_cache(maxsize=64)
def _fits(match: _Match) -> Fits:
    rules = cast("LayoutRules", _rules(match))
    on = {pips: rules.fits.on_end[pips] for pips in range(rules.tiles[-1].high + 1)}
    return {tile: frozenset([pips for pips, fitting in on.items() if tile in fitting]) for tile in set(rules.tiles)}
