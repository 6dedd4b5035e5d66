"""Tempers: a bot's taste among equally good moves. Tempers are not strength, and see nothing more."""

from collections.abc import Callable

from core.actions import Action, Bid, Lay, Play
from core.bots.observations import round_of
from core.bots.profiles import CHARACTERS, Temper, Thought
from core.layout.state import LayoutView
from core.match import MatchView
from core.tiles import Tile
from core.tricks.state import tile_points, worth
from core.variant import AnyView

POINTS = 100
"""More than the number of tiles with one number."""


def with_temper(thought: Thought, view: MatchView, name: str) -> Action:
    """Return the move of the named bot among those that seem as good as the thought's choice.

    If a search shows that the choice is clearly the best, temper does not matter. If the choice is greedy's, other
    moves may seem better by too little to be sure: then temper decides. No temper gives up points that can be had at
    once.
    """
    choice, character = thought.choice, CHARACTERS.get(name)
    choice_value = next((value for value in thought.judged if value.action == choice), None)
    if choice_value is None or character is None:
        return choice
    preference, play = PREFERENCES[character.temper], round_of(view)
    min_points = _points_at_once(play, choice)
    candidates = [
        value.action
        for value in thought.judged
        if value.gain >= choice_value.gain and _points_at_once(play, value.action) >= min_points
    ]
    return max(candidates, key=lambda action: (preference(play, action), action == choice))


def _points_at_once(view: AnyView, action: Action) -> int:
    """Return the points that an action scores at once."""
    return dict(zip(view.legal, view.worth, strict=False)).get(action, 0) if isinstance(view, LayoutView) else 0


def _tile_of(action: Action) -> Tile | None:
    return action.tile if isinstance(action, Play | Lay) else None


def _careful(view: AnyView, action: Action) -> float:
    """Prefer to get rid of pips, or to show low numbers where the ends score; to keep counts, and to bid low."""
    match action:
        case Play(tile=tile, out=out):
            return -out if isinstance(view, LayoutView) and view.worth else tile.pips
        case Lay(tile=tile):
            return -tile_points(tile)
        case Bid():
            return -worth(action)
    return 0.0


def _bold(view: AnyView, action: Action) -> float:
    """Prefer points at once, the number outward with fewest unseen tiles, and high bids."""
    match action:
        case Play(out=out) if isinstance(view, LayoutView):
            seen_count = sum(out in tile for tile in (*view.hand, *(placed.tile for placed in view.layout)))
            return POINTS * _points_at_once(view, action) + seen_count
        case Lay(tile=tile):
            return tile_points(tile)
        case Bid():
            return worth(action)
    return 0.0


def _double_spent(_view: AnyView, action: Action) -> float:
    tile = _tile_of(action)
    return 1.0 if tile and tile.is_double else 0.0


def _suit_frequency(view: AnyView, action: Action) -> float:
    """Prefer to turn outward, or to lead, the number that is most frequent in the hand."""
    match action:
        case Play(out=out):
            return sum(out in tile for tile in view.hand)
        case Lay(tile=tile, small=small):
            return sum((tile.low if small else tile.high) in other for other in view.hand)
    return 0.0


PREFERENCES: dict[Temper, Callable[[AnyView, Action], float]] = {
    "careful": _careful,
    "bold": _bold,
    "saves doubles": lambda view, action: -_double_spent(view, action),
    "spends doubles": _double_spent,
    "keeps suits": _suit_frequency,
}
"""By temper, the preference for a move."""
