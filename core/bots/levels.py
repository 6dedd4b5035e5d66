"""Bots: functions from what a seat may know to what it does. A bot gets a view, so a bot cannot cheat."""

from collections import Counter
from collections.abc import Callable
from random import Random

from core.actions import Action, Pass, Play, Silent
from core.bots.tricks import greedy_in_tricks
from core.family import AnyView
from core.layout.state import LayoutView
from core.match import MatchView
from core.tiles import Tile
from core.tricks.state import TrickView
from core.words import Words, words

Bot = Callable[[MatchView, Random], Action]
"""Chooses one of `view.play.legal`, which is not empty when a bot is asked."""


def random_bot(view: MatchView, rng: Random) -> Action:
    """Any legal action, each as likely as the others."""
    return rng.choice(_round(view).legal)


def greedy_bot(view: MatchView, rng: Random) -> Action:
    """Score what can be scored, lay the heaviest tile that fits, and keep answers and one's own train in hand.

    It never draws or passes while it can play, and claims whatever can be claimed.
    How it plays tricks is told in `core.bots.tricks`.
    """
    play = _round(view)
    if isinstance(play, TrickView):
        return greedy_in_tricks(play)
    plays = [action for action in play.legal if isinstance(action, Play)]
    if not plays:
        return next((action for action in play.legal if not isinstance(action, Pass | Silent)), play.legal[0])
    worth = dict(zip(plays, play.worth, strict=True)) if play.worth else {}
    places = Counter(tile for tile, _ in {(action.tile, (action.at, action.side)) for action in plays})
    return max(
        plays,
        key=lambda action: (3 * worth.get(action, 0) + _value(play, action) - places[action.tile], rng.random()),
    )


def _value(view: LayoutView, play: Play) -> float:
    """Pips got rid of, a bit for a double, three for each tile left that then fits, more along one's train."""
    ends = [end for end in view.ends if (end.at, end.side) != (play.at, play.side)]
    shown = {end.pips for end in ends} | {play.out}
    if play.at < 0:
        shown = {play.tile.low, play.tile.high}
    rest = list(view.hand)
    rest.remove(play.tile)
    answers = sum(1 for tile in rest if tile.low in shown or tile.high in shown)
    owners = {(end.at, end.side): end.owner for end in view.ends}
    own = owners.get((play.at, play.side)) == view.seat
    train = [play.out] if own else [end.pips for end in ends if end.owner == view.seat]
    planned = max((_longest(pips, rest) for pips in train), default=0)
    return _weight(play.tile) + 2 * play.tile.is_double + 3 * answers + 5 * planned


def _weight(tile: Tile) -> int:
    """How much one wants to be rid of a tile; a wild one is worth keeping, but not for ever."""
    return tile.pips if tile.low >= 0 else 8


def _longest(pips: int, tiles: list[Tile], depth: int = 5) -> int:
    """The longest train that could be laid from a number, looking only a few tiles ahead."""
    if not depth:
        return 0
    best = 0
    for number, tile in enumerate(tiles):
        if pips in tile:
            best = max(best, 1 + _longest(tile.other(pips), tiles[:number] + tiles[number + 1 :], depth - 1))
            if best == depth:
                break
    return best


def _round(view: MatchView) -> AnyView:
    if view.play is None:
        raise ValueError("A bot was asked although nothing was dealt.")
    return view.play


BOTS: dict[str, Bot] = {"greedy": greedy_bot, "random": random_bot}
"""By level, the default first."""


def no_bot(level: str) -> Words:
    """Say that there is no such level, and which there are."""
    return words("There is no bot “{level}”; choose one of: {levels}.", level=level[:40], levels=", ".join(BOTS))
