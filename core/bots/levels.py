"""Bots: functions from what a seat may know to what it does. A bot gets a view, so a bot cannot cheat.

The level `easy` plays as `greedy` does, but with the slips of somebody who plays now and then. A slip is something
that the bot does not see or think of. So each makes the view smaller: fewer actions that come to mind, or less of
what lies on the table. Which one happens is drawn; what is then played still has its reason.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from core.actions import Action, Bid, Claim, GiveUp, Hide, Lay, Lead, Pass, Play
from core.bots.baseline import baseline_in_combos, baseline_in_layout, baseline_in_tricks
from core.bots.greedy import greedy_bot, greedy_in_patience
from core.bots.questions import EFFORTS, LEVELS, Question
from core.bots.rules import round_of, rules_of
from core.bots.thinking import answer
from core.bots.tricks import alone_in_tricks
from core.combos.state import ComboView
from core.layout.state import LayoutView
from core.match import MatchView
from core.tiles import weight
from core.tricks.state import TrickView
from core.variant import AnyView, tag_of

CARE = 0.3
"""How often the bot makes no slip."""
RECENT = 4
"""Tiles and tricks that it remembers when it does not look at all of them."""
MANY = 5
"""Tiles that are too many to look through each time."""


def easy_bot(view: MatchView, rng: Random) -> Action:
    """Play what seems best of what comes to mind."""
    play = round_of(view)
    if len(play.legal) > 1 and rng.random() >= CARE:
        play = rng.choice(SLIPS[tag_of(play)])(play, rng)
    if len(play.legal) == 1:
        return play.legal[0]
    return greedy_bot(replace(view, play=play), rng)


def _only(view: LayoutView, wanted: Callable[[Play], bool]) -> LayoutView:
    """The view with some of the plays alone, if there are any."""
    plays = [action for action in view.legal if isinstance(action, Play)]
    kept = [at for at, play in enumerate(plays) if wanted(play)]
    if not kept:
        return view
    worth = tuple(view.worth[at] for at in kept) if view.worth else ()
    return replace(view, legal=tuple(plays[at] for at in kept), worth=worth)


def overlooks_an_end(view: LayoutView, rng: Random) -> LayoutView:
    """Does not see that something fits at one of the ends."""
    ends = sorted({(action.at, action.side) for action in view.legal if isinstance(action, Play)})
    unseen = rng.choice(ends) if ends else None
    return _only(view, lambda play: (play.at, play.side) != unseen)


def takes_the_first(view: LayoutView, _rng: Random) -> LayoutView:
    """Lays the first tile of a long hand that fits."""
    tiles = [action.tile for action in view.legal if isinstance(action, Play)]
    return _only(view, lambda play: len(view.hand) >= MANY and play.tile == tiles[0])


def likes_doubles(view: LayoutView, _rng: Random) -> LayoutView:
    """Lays the heaviest double, or without one the heaviest tile: what weighs, goes."""
    tiles = [action.tile for action in view.legal if isinstance(action, Play)]
    best = max(tiles, key=lambda tile: (tile.is_double, weight(tile)), default=None)
    return _only(view, lambda play: play.tile == best)


def misses_points(view: LayoutView, _rng: Random) -> LayoutView:
    """Does not add up the ends, and does not claim what others missed either."""
    return replace(view, worth=(), legal=tuple(action for action in view.legal if not isinstance(action, Claim)))


def keeps_nothing(view: LayoutView, _rng: Random) -> LayoutView:
    """Thinks of this turn alone: what cannot be laid now does not matter."""
    playable = {action.tile for action in view.legal if isinstance(action, Play)}
    return replace(view, hand=tuple(tile for tile in view.hand if tile in playable))


def forgets_tiles(view: LayoutView, _rng: Random) -> LayoutView:
    """Does not count what is gone: only the latest tiles come to mind."""
    return replace(view, layout=view.layout[-RECENT:])


def bids_shyly(view: TrickView, _rng: Random) -> TrickView:
    """Passes where a bid would be due."""
    return replace(view, legal=(Pass(),)) if Pass() in view.legal else view


def bids_boldly(view: TrickView, _rng: Random) -> TrickView:
    """Bids whatever it holds."""
    return replace(view, legal=tuple(action for action in view.legal if action != Pass()))


def forgets_tricks(view: TrickView, _rng: Random) -> TrickView:
    """Does not know any more which tiles are gone."""
    return replace(view, tricks=())


def plays_high(view: TrickView, _rng: Random) -> TrickView:
    """Lays the heaviest tile that may be laid, whoever takes the trick."""
    lays = [action for action in view.legal if isinstance(action, Lay)]
    return replace(view, legal=(max(lays, key=lambda lay: weight(lay.tile)),)) if lays else view


def hides_too_soon(view: ComboView, _rng: Random) -> ComboView:
    """Does not see what it could beat with."""
    hides = tuple(action for action in view.legal if isinstance(action, Hide))
    return replace(view, legal=hides) if hides else view


def leads_one_tile(view: ComboView, _rng: Random) -> ComboView:
    """Does not see which tiles go together."""
    single = tuple(action for action in view.legal if isinstance(action, Lead) and len(action.tiles) == 1)
    return replace(view, legal=single) if single else view


def leads_high(view: ComboView, _rng: Random) -> ComboView:
    """Leads most tiles, and the highest, and has none for the end."""
    return replace(view, legal=(baseline_in_combos(view),)) if not view.trick else view


SLIPS: dict[str, tuple[Callable[[Any, Random], AnyView], ...]] = {
    "layout": (overlooks_an_end, takes_the_first, likes_doubles, misses_points, keeps_nothing, forgets_tiles),
    "combos": (hides_too_soon, leads_one_tile, leads_high),
    "tricks": (bids_shyly, bids_boldly, forgets_tricks, plays_high),
    "patience": (lambda view, _rng: view,),
}
"""What may go wrong in each family of games."""


Bot = Callable[[MatchView, Random], Action]
"""Chooses one of `view.play.legal`, which is not empty when a bot is asked."""


def choices_at_random(legal: tuple[Action, ...]) -> tuple[Action, ...]:
    """All that is legal; but of bids only the first two choices, as by wild ones a match of Moon would hardly end.

    Who gives up has not played, so nobody does.
    """
    if isinstance(legal[-1], GiveUp):
        return legal[:-1]
    return legal[:2] if isinstance(legal[-1], Bid) else legal


def random_bot(view: MatchView, rng: Random) -> Action:
    """Any of the choices at random, all equally likely."""
    return rng.choice(choices_at_random(round_of(view).legal))


_FIRST: dict[str, Callable[[MatchView, Any, Callable[[], float]], Action]] = {
    "layout": lambda _, view, chance: baseline_in_layout(view, chance),
    "tricks": lambda match, view, _: (
        baseline_in_tricks(view) if match.sides < match.players else alone_in_tricks(view, rules_of(match).tiles)
    ),
    "patience": lambda match, view, _: greedy_in_patience(match, view),
    "combos": lambda _match, view, _chance: baseline_in_combos(view),
}


def first_bot(view: MatchView, rng: Random) -> Action:
    """Play as `greedy` first did, for ever; see `core.bots.baseline`."""
    play = round_of(view)
    return _FIRST[tag_of(play)](view, play, rng.random)


def thinking_bot(level: str) -> Bot:
    """Return the bot that thinks as hard as its level says; see `core.bots.thinking`."""
    return lambda view, rng: answer(Question(view, level, rng.randbytes(16))).choice


_ALL: tuple[Bot, ...] = (easy_bot, *map(thinking_bot, EFFORTS), greedy_bot, first_bot, random_bot)
BOTS = dict(zip(LEVELS, _ALL, strict=True))
"""The bots by level."""
