"""Tempers: what a bot likes where several moves are as good. They are taste, not strength, and see nothing more."""

from collections.abc import Callable

from core.actions import Action, Bid, Lay, Play
from core.bots.questions import CHARACTERS, Temper, Thought
from core.bots.rules import round_of
from core.layout.state import LayoutView
from core.match import MatchView
from core.tiles import Tile
from core.tricks.state import count, worth
from core.variant import AnyView

POINTS = 100
"""More than there are tiles of any number."""


def with_temper(thought: Thought, view: MatchView, name: str) -> Action:
    """Return what the bot of this name does of the moves that seem as good as the one that the thought comes to.

    That one needs no temper where it is clearly the best. Where it is what plain rules would do, others may seem
    better, but too little to be sure: then taste decides. No taste gives up points that can be had at once.
    """
    choice, character = thought.choice, CHARACTERS.get(name)
    best = next((each for each in thought.judged if each.action == choice), None)
    if best is None or character is None:
        return choice
    likes, play = LIKES[character.temper], round_of(view)
    least = _points(play, choice)
    near = [each.action for each in thought.judged if each.gain >= best.gain and _points(play, each.action) >= least]
    return max(near, key=lambda action: (likes(play, action), action == choice))


def _points(view: AnyView, action: Action) -> int:
    """What an action scores at once."""
    return dict(zip(view.legal, view.worth, strict=False)).get(action, 0) if isinstance(view, LayoutView) else 0


def _tile(action: Action) -> Tile | None:
    return action.tile if isinstance(action, Play | Lay) else None


def _careful(view: AnyView, action: Action) -> float:
    """Get rid of pips, or show low numbers where the ends score; keep counts, and bid low."""
    match action:
        case Play(tile=tile, out=out):
            return -out if isinstance(view, LayoutView) and view.worth else tile.pips
        case Lay(tile=tile):
            return -count(tile)
        case Bid():
            return -worth(action)
    return 0.0


def _bold(view: AnyView, action: Action) -> float:
    """Take the points that are there, leave the others the number of which fewest are to be had, and bid high."""
    match action:
        case Play(out=out) if isinstance(view, LayoutView):
            seen = sum(out in tile for tile in (*view.hand, *(placed.tile for placed in view.layout)))
            return POINTS * _points(view, action) + seen
        case Lay(tile=tile):
            return count(tile)
        case Bid():
            return worth(action)
    return 0.0


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
    "saves doubles": lambda view, action: -_spends_doubles(view, action),
    "spends doubles": _spends_doubles,
    "keeps suits": _keeps_suits,
}
"""By temper, how much it likes a move."""
