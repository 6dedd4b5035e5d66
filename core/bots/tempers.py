"""Tempers: what a bot likes where several moves are as good. They are taste, not strength, and see nothing more."""

from collections.abc import Callable

from core.actions import Action, Bid, Lay, Play
from core.bots.characters import CHARACTERS, Temper
from core.bots.rules import round_of
from core.bots.thinking import Thought
from core.family import AnyView
from core.layout.state import LayoutView
from core.match import MatchView
from core.tiles import Tile
from core.tricks.state import worth
from core.tricks.suits import count

NEAR = 0.5
"""Standard errors by which a move may seem worse than the best and is still as good, for all that can be known."""


def with_temper(thought: Thought, view: MatchView, name: str) -> Action:
    """Return what the bot of this name does of the moves that are as good as the one that the thought comes to."""
    choice, character = thought.choice, CHARACTERS.get(name)
    best = next((each for each in thought.judged if each.action == choice), None)
    if best is None or character is None:
        return choice
    near = [each.action for each in thought.judged if best.gain - each.gain <= NEAR * max(best.error, each.error)]
    likes, play = LIKES[character.temper], round_of(view)
    return max(near, key=lambda action: (likes(play, action), action == choice))


def _tile(action: Action) -> Tile | None:
    return action.tile if isinstance(action, Play | Lay) else None


def _careful(_view: AnyView, action: Action) -> float:
    """Get rid of pips, keep counts, and bid low."""
    match action:
        case Play(tile=tile):
            return tile.pips
        case Lay(tile=tile):
            return -count(tile)
        case Bid():
            return -worth(action)
    return 0.0


def _bold(view: AnyView, action: Action) -> float:
    """Take the points that are there, play counts, and bid high."""
    match action:
        case Play() if isinstance(view, LayoutView):
            return dict(zip(view.legal, view.worth, strict=False)).get(action, 0)
        case Lay(tile=tile):
            return count(tile)
        case Bid():
            return worth(action)
    return 0.0


def _saves_doubles(_view: AnyView, action: Action) -> float:
    tile = _tile(action)
    return -1.0 if tile and tile.is_double else 0.0


def _spends_doubles(_view: AnyView, action: Action) -> float:
    tile = _tile(action)
    return 1.0 if tile and tile.is_double else 0.0


def _keeps_suits(view: AnyView, action: Action) -> float:
    """Turn outward, or lead, the number of which the hand holds most."""
    match action:
        case Play(out=out):
            return sum(out in tile for tile in view.hand)
        case Lay(tile=tile, small=small):
            return sum((tile.low if small else tile.high) in other for other in view.hand)
    return 0.0


LIKES: dict[Temper, Callable[[AnyView, Action], float]] = {
    "careful": _careful,
    "bold": _bold,
    "saves doubles": _saves_doubles,
    "spends doubles": _spends_doubles,
    "keeps suits": _keeps_suits,
}
"""By temper, how much it likes a move."""
