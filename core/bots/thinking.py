"""How a bot thinks: it judges what it may do by search, and does as greedy would unless something else is better."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from core.actions import Action, Bid, Hide, Play, Shed
from core.bots.belief.combos import ComboBelief
from core.bots.belief.layouts import LayoutBelief
from core.bots.belief.tricks import TrickBelief
from core.bots.combos import cost, sight_of, tiles_of
from core.bots.greedy import greedy_bot
from core.bots.layouts import likings_of
from core.bots.playouts import Player, combo_player, layout_player, trick_player
from core.bots.questions import EFFORTS, Effort, Judged, Question, Thought
from core.bots.rules import round_of, rules_of
from core.bots.search import TooManyLinesError, search, solve
from core.combos.state import ComboView
from core.layout.rules import LayoutRules
from core.layout.state import LayoutView, State
from core.match import MatchView
from core.tricks.state import MARK, TrickView
from core.variant import AnyState, tag_of

LATE = 16
"""Tiles in all hands from which on partners' positions are solved. Found by experiment."""
MOST_ACTIONS = 16
"""Actions that are judged in one search, at most: those that look best to greedy."""
FEW_HIDES, MOST_COMBOS = 4, 20
"""Ways to hide that are judged in one search, and all ways to lay tiles together."""


class Belief(Protocol):
    """What a seat can conclude of hidden tiles."""

    @property
    def certain(self) -> bool:
        """Whether nothing is hidden that could still matter."""

    def positions(self, rng: Random) -> Iterator[AnyState]:
        """Yield positions without end that agree with all that was seen, each as likely as any other."""


class Mind(Struct, frozen=True):
    """What thinking needs of a family of games."""

    believe: Callable[[Any, MatchView, Any], Belief]
    player: Callable[[Any, Callable[[], float]], Player]
    candidates: Callable[[MatchView, Any], list[Action]]
    """The legal actions worth a search; greedy's need not be among them."""
    late: Callable[[Any, Any], bool] = lambda _rules, _state: False
    """Whether a position is so late in a round that it is better solved than played on."""


def answer(question: Question, stop: Callable[[], bool] = lambda: False) -> Thought:
    """Think about a question. The same question has the same answer, unless `stop` ends it early."""
    worlds, steps = EFFORTS[question.level]
    effort = Effort(int(worlds * question.share) or 1, int(steps * question.share) or 1)
    return think(question.view, Random(question.seed), effort, stop)


def think(
    view: MatchView,
    rng: Random,
    effort: Effort,
    stop: Callable[[], bool] = lambda: False,
    default: Action | None = None,
    among: Collection[Action] = (),
    *,
    solves: bool = True,
) -> Thought:
    """Judge what the seat of a view may do now, compared with a legal action, by default what greedy would do.

    `among` has the legal actions to judge, by default all that are worth it; without `solves` they are only searched.
    The same view, effort and state of `rng` give the same result. It ends early, less certain, when `stop` says so.
    """
    play = round_of(view)
    default = default or greedy_bot(view, rng)
    mind = _MINDS.get(tag_of(play))
    if mind is None:
        return Thought(default, [])
    candidates = [action for action in among or mind.candidates(view, play) if action != default]
    if not candidates:
        return Thought(default, [])
    rules = rules_of(view)
    belief = mind.believe(rules, view, play)
    positions = belief.positions(rng)
    if solves and belief.certain and rules.sides == 2:
        try:
            return Thought(default, _exactly(solve(rules, next(positions), effort.steps), default), exact=True)
        except TooManyLinesError:
            pass
    player, late = partial(mind.player, rules), partial(mind.late, rules)
    return Thought(default, search(rules, positions, candidates, default, player, effort, rng, stop, late=late))


def _exactly(gains: dict[Action, float], default: Action) -> list[Judged]:
    judged = [Judged(action, gain, gain - gains[default], 0.0, 1) for action, gain in gains.items()]
    return sorted(judged, key=lambda each: each.gain, reverse=True)


def _plays(match: MatchView, view: LayoutView) -> list[Action]:
    """All, or the best of many plays; none where one may only draw or pass, as greedy then knows what to do."""
    plays = [action for action in view.legal if isinstance(action, Play)]
    if not plays:
        return [action for action in view.legal if isinstance(action, Shed)]
    if len(plays) > MOST_ACTIONS:
        likings = dict(zip(plays, likings_of(match, view, plays), strict=True))
        plays = sorted(plays, key=likings.__getitem__, reverse=True)[:MOST_ACTIONS]
    return [*plays, *(action for action in view.legal if not isinstance(action, Play))]


def _late(rules: LayoutRules, state: State) -> bool:
    """Partners who know all tiles help each other, which those who play on do not: worth the time near the end."""
    drawable = rules.drawing.most and len(state.boneyard) > rules.drawing.reserve
    return rules.sides == 2 < rules.seats and not drawable and sum(map(len, state.hands)) <= LATE


def _calls(_match: MatchView, view: TrickView) -> list[Action]:
    """All, but of the bids for marks only the lowest, those of one mark and of two, and those by doubles."""
    bids = [action for action in view.legal if isinstance(action, Bid)]
    dear = [bid for bid in bids[1:] if bid.kind or not bid.marks or (bid.points == MARK and bid.marks <= 2)]
    return [*(action for action in view.legal if action not in bids), *bids[:1], *dear]


def _combos(match: MatchView, view: ComboView) -> list[Action]:
    """All leads and all ways to beat, and of the ways to hide those that give away least."""
    sight = sight_of(rules_of(match), view)
    hides = sorted((a for a in view.legal if isinstance(a, Hide)), key=lambda each: cost(sight, tiles_of(each)))
    return [*(action for action in view.legal if not isinstance(action, Hide)), *hides[:FEW_HIDES]][:MOST_COMBOS]


_MINDS = {
    "layout": Mind(LayoutBelief, layout_player, _plays, _late),
    "tricks": Mind(lambda rules, _, view: TrickBelief(rules, view), trick_player, _calls),
    "combos": Mind(ComboBelief, combo_player, _combos),
}
"""By the tag of their views. Games for one have none: nobody plays against anybody, so no side gains on others."""
