"""An example of every game: a round under way, played by bots, to show what the game looks like."""

from functools import lru_cache
from random import Random

from core.bots.levels import BOTS
from core.fair import deal_order
from core.games import GAMES
from core.layout.state import LayoutView
from core.match import new_match
from net.wire.messages import Update
from net.wire.tables import SeatInfo, TableInfo
from tui.i18n import _

LAID = 7
"""Tiles on the table of an example: enough to show a shape, few enough to be drawn large."""
LAID_EACH = 3
"""The same for each player's train."""
_SEED = b"example"


def example(name: str, players: int) -> Update:
    """Return what the first of so many players sees of a game under way, on their turn; always the same."""
    return _example(name, players, _("you"))


@lru_cache(maxsize=64)
def _example(name: str, players: int, you: str) -> Update:
    variant = GAMES[name]
    match, rng = new_match(variant, players, {}), Random(_SEED)
    match, _events = match.deal(*deal_order(match.rules.tiles, players, _SEED, 1))
    shown = match
    while match.turn >= 0 and not _enough(shown.view(0).play, players):
        match, _events = match.apply(BOTS["greedy"](match.view(match.turn), rng))
        if match.turn == 0:
            shown = match
    names = [you, *(str(number) for number in range(1, players))]
    table = TableInfo(0, "", name, match.options, tuple(SeatInfo(each) for each in names), 0, "playing")
    return Update(0, table, 0, shown.view(0))


def _enough(view: object, players: int) -> bool:
    """Whether there is something to see: tiles on the table, or some of a trick."""
    if isinstance(view, LayoutView):
        return len(view.layout) >= (LAID_EACH * players if view.shape == "lanes" else LAID)
    return len(getattr(view, "trick", ())) >= players - 1
