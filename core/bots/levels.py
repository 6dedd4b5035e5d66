"""The bots by level: functions from a view to an action. A bot gets a view only, so a bot cannot cheat.

A thinking bot judges its legal actions by search, and plays as greedy unless another action is better. The level
`easy` plays as `greedy` with the slips of an occasional player. A slip is a failure to see or to think, so each slip
shrinks the view: fewer actions, or less of the table. A slip is drawn by chance; the play that follows still has its
reason.

`play_match` lets bots play a match without a table, step by step, as in its record.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Bid, Claim, GiveUp, Hide, Lay, Lead, Pass, Play, Shed
from core.bots.baseline import baseline_in_combos, baseline_in_layout, baseline_in_tricks
from core.bots.beliefs import ComboBelief, LayoutBelief, TrickBelief
from core.bots.greedy import alone_in_tricks, cost_of, greedy_bot, greedy_in_patience, preferences, sight_of, tiles_of
from core.bots.observations import round_of, rules_of
from core.bots.profiles import EFFORTS, LEVELS, ActionValue, Effort, Question, Thought
from core.bots.search import (
    PlayoutPolicy,
    TooManyLinesError,
    combo_player,
    layout_player,
    search,
    solve,
    trick_player,
)
from core.combos.state import ComboView
from core.fair import FairDeal, Share, commit, deal_key, deal_order
from core.layout.rules import LayoutRules
from core.layout.state import LayoutView, State
from core.match import Match, MatchView
from core.records import ActionLine, Closing, DealLine, MatchLine, Seat, Step, result_lines, sign_nothing, write
from core.tiles import weight
from core.tricks.state import MARK, TrickView
from core.variant import AnyState, AnyView, tag_of

SOLVE_BELOW = 16
"""Tiles in all hands below which partners' positions are solved. Found by experiment."""
MAX_SEARCHED_ACTIONS = 16
"""Maximum number of actions judged in one search: those that greedy prefers."""
MAX_HIDES, MAX_COMBOS = 4, 20
"""Maximum number of ways to hide tiles in one search, and of all ways to lay tiles together."""


class Belief(Protocol):
    """The conclusions that a seat can draw about hidden tiles."""

    @property
    def is_certain(self) -> bool:
        """True if nothing hidden can still matter."""

    def positions(self, rng: Random) -> Iterator[AnyState]:
        """Yield positions without end that agree with all that was seen, each as likely as any other."""


class Mind(Struct, frozen=True):
    """The functions by which a bot thinks about a family of games."""

    believe: Callable[[Any, MatchView, Any], Belief]
    player: Callable[[Any, Callable[[], float]], PlayoutPolicy]
    candidates: Callable[[MatchView, Any], list[Action]]
    """Return the legal actions worth a search; greedy's own need not be among them."""
    should_solve: Callable[[Any, Any], bool] = lambda _rules, _state: False
    """True if a position is so near the end of a round that solving it beats playing it out."""


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
    actions: Collection[Action] = (),
    *,
    solves: bool = True,
) -> Thought:
    """Judge the legal actions of a view's seat against `default`, which is greedy's action unless given.

    `actions` are those to judge, by default all that are worth it; without `solves` they are only searched. The
    same view, effort and state of `rng` give the same result. `stop` is polled and may end the search early, with a
    less certain result.
    """
    play = round_of(view)
    default = default or greedy_bot(view, rng)
    mind = _MINDS.get(tag_of(play))
    if mind is None:
        return Thought(default, [])
    candidates = [action for action in actions or mind.candidates(view, play) if action != default]
    if not candidates:
        return Thought(default, [])
    rules = rules_of(view)
    belief = mind.believe(rules, view, play)
    positions = belief.positions(rng)
    if solves and belief.is_certain and rules.sides == 2:
        try:
            return Thought(default, _exact_values(solve(rules, next(positions), effort.steps), default), exact=True)
        except TooManyLinesError:
            pass
    player, should_solve = partial(mind.player, rules), partial(mind.should_solve, rules)
    action_values = search(
        rules, positions, candidates, default, player, effort, rng, stop, should_solve=should_solve
    )
    return Thought(default, action_values)


def _exact_values(gains: dict[Action, float], default: Action) -> list[ActionValue]:
    action_values = [ActionValue(action, gain, gain - gains[default], 0.0, 1) for action, gain in gains.items()]
    return sorted(action_values, key=lambda value: value.gain, reverse=True)


def _candidate_plays(match: MatchView, view: LayoutView) -> list[Action]:
    """Return the plays, or the best of many; empty if the seat may only draw or pass, which greedy decides."""
    plays = [action for action in view.legal if isinstance(action, Play)]
    if not plays:
        return [action for action in view.legal if isinstance(action, Shed)]
    if len(plays) > MAX_SEARCHED_ACTIONS:
        values = dict(zip(plays, preferences(match, view, plays), strict=True))
        plays = sorted(plays, key=values.__getitem__, reverse=True)[:MAX_SEARCHED_ACTIONS]
    return [*plays, *(action for action in view.legal if not isinstance(action, Play))]


def _should_solve(rules: LayoutRules, state: State) -> bool:
    """True near the end of a round with partners. Then the solver is better: its partners help each other, unlike
    those of play-outs.
    """
    drawable = rules.drawing.max_per_turn and len(state.boneyard) > rules.drawing.reserve
    return rules.sides == 2 < rules.seats and not drawable and sum(map(len, state.hands)) <= SOLVE_BELOW


def _candidate_calls(_match: MatchView, view: TrickView) -> list[Action]:
    """Return all actions, but of the bids for marks only the lowest, those of one and two marks, and those by
    doubles.
    """
    bids = [action for action in view.legal if isinstance(action, Bid)]
    useful_bids = [bid for bid in bids[1:] if bid.kind or not bid.marks or (bid.points == MARK and bid.marks <= 2)]
    return [*(action for action in view.legal if action not in bids), *bids[:1], *useful_bids]


def _candidate_combos(match: MatchView, view: ComboView) -> list[Action]:
    """Return all leads and all ways to beat, and the ways to hide that give away least."""
    sight = sight_of(rules_of(match), view)
    hides = sorted(
        (action for action in view.legal if isinstance(action, Hide)), key=lambda hide: cost_of(sight, tiles_of(hide))
    )
    return [*(action for action in view.legal if not isinstance(action, Hide)), *hides[:MAX_HIDES]][:MAX_COMBOS]


_MINDS = {
    "layout": Mind(LayoutBelief, layout_player, _candidate_plays, _should_solve),
    "tricks": Mind(lambda rules, _, view: TrickBelief(rules, view), trick_player, _candidate_calls),
    "combos": Mind(ComboBelief, combo_player, _candidate_combos),
}
"""By the tag of their views. Games for one player have none: without opponents there is no gain over others."""


NO_SLIP_CHANCE = 0.3
"""Probability that the bot makes no slip."""
REMEMBERED = 4
"""Number of the latest tiles and tricks that it remembers when it does not look at all of them."""
LARGE_HAND = 5
"""Number of tiles that is too large to look through each time."""


def easy_bot(view: MatchView, rng: Random) -> Action:
    """Return the greedy bot's action, usually on a view that a random slip has narrowed."""
    play = round_of(view)
    if len(play.legal) > 1 and rng.random() >= NO_SLIP_CHANCE:
        play = rng.choice(SLIPS[tag_of(play)])(play, rng)
    if len(play.legal) == 1:
        return play.legal[0]
    return greedy_bot(replace(view, play=play), rng)


def _keep_plays(view: LayoutView, is_wanted: Callable[[Play], bool]) -> LayoutView:
    """Return the view with only those plays legal for which `is_wanted` is true; unchanged if there are none."""
    plays = [action for action in view.legal if isinstance(action, Play)]
    indexes = [index for index, play in enumerate(plays) if is_wanted(play)]
    if not indexes:
        return view
    points = tuple(view.worth[index] for index in indexes) if view.worth else ()
    return replace(view, legal=tuple(plays[index] for index in indexes), worth=points)


def overlook_end(view: LayoutView, rng: Random) -> LayoutView:
    """Remove the plays at a random end."""
    ends = sorted({(action.at, action.side) for action in view.legal if isinstance(action, Play)})
    overlooked_end = rng.choice(ends) if ends else None
    return _keep_plays(view, lambda play: (play.at, play.side) != overlooked_end)


def take_the_first(view: LayoutView, _rng: Random) -> LayoutView:
    """With a hand of `LARGE_HAND` tiles or more, remove all plays but those of the first tile."""
    tiles = [action.tile for action in view.legal if isinstance(action, Play)]
    return _keep_plays(view, lambda play: len(view.hand) >= LARGE_HAND and play.tile == tiles[0])


def prefer_doubles(view: LayoutView, _rng: Random) -> LayoutView:
    """Remove all plays but those of the heaviest double; without a double, of the heaviest tile."""
    tiles = [action.tile for action in view.legal if isinstance(action, Play)]
    best_tile = max(tiles, key=lambda tile: (tile.is_double, weight(tile)), default=None)
    return _keep_plays(view, lambda play: play.tile == best_tile)


def forget_points(view: LayoutView, _rng: Random) -> LayoutView:
    """Remove the points of each play, and the claims of points that others missed."""
    return replace(view, worth=(), legal=tuple(action for action in view.legal if not isinstance(action, Claim)))


def ignore_unplayable(view: LayoutView, _rng: Random) -> LayoutView:
    """Remove the tiles of the hand that cannot be laid now, so that no later turn is considered."""
    playable = {action.tile for action in view.legal if isinstance(action, Play)}
    return replace(view, hand=tuple(tile for tile in view.hand if tile in playable))


def forget_tiles(view: LayoutView, _rng: Random) -> LayoutView:
    """Remove all laid tiles but the last `REMEMBERED`, so that they are not counted."""
    return replace(view, layout=view.layout[-REMEMBERED:])


def underbid(view: TrickView, _rng: Random) -> TrickView:
    """Remove all bids if a pass is legal."""
    return replace(view, legal=(Pass(),)) if Pass() in view.legal else view


def overbid(view: TrickView, _rng: Random) -> TrickView:
    """Remove the pass, so that every hand bids."""
    return replace(view, legal=tuple(action for action in view.legal if action != Pass()))


def forget_tricks(view: TrickView, _rng: Random) -> TrickView:
    """Remove the tricks that were played."""
    return replace(view, tricks=())


def play_high(view: TrickView, _rng: Random) -> TrickView:
    """Remove all plays but that of the heaviest tile, whichever side takes the trick."""
    lays = [action for action in view.legal if isinstance(action, Lay)]
    return replace(view, legal=(max(lays, key=lambda lay: weight(lay.tile)),)) if lays else view


def hide_too_soon(view: ComboView, _rng: Random) -> ComboView:
    """Remove the plays that would beat the trick, if a tile may be hidden instead."""
    hides = tuple(action for action in view.legal if isinstance(action, Hide))
    return replace(view, legal=hides) if hides else view


def keep_single_leads(view: ComboView, _rng: Random) -> ComboView:
    """Return the view without leads that consist of several tiles, if another lead is legal."""
    single_leads = tuple(action for action in view.legal if isinstance(action, Lead) and len(action.tiles) == 1)
    return replace(view, legal=single_leads) if single_leads else view


def lead_high(view: ComboView, _rng: Random) -> ComboView:
    """At a lead, remove all actions but the baseline's: the most and highest tiles."""
    return replace(view, legal=(baseline_in_combos(view),)) if not view.trick else view


SLIPS: dict[str, tuple[Callable[[Any, Random], AnyView], ...]] = {
    "layout": (overlook_end, take_the_first, prefer_doubles, forget_points, ignore_unplayable, forget_tiles),
    "combos": (hide_too_soon, keep_single_leads, lead_high),
    "tricks": (underbid, overbid, forget_tricks, play_high),
    "patience": (lambda view, _rng: view,),
}
"""The slips of each family of games."""


Bot = Callable[[MatchView, Random], Action]
"""Chooses an action of `view.play.legal`, which is not empty when a bot is asked."""


def random_choices(legal: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return the legal actions among which the random bot chooses.

    It never gives up. It chooses among the first two bids only: with wild bids a match of Moon would hardly end.
    """
    if isinstance(legal[-1], GiveUp):
        return legal[:-1]
    return legal[:2] if isinstance(legal[-1], Bid) else legal


def random_bot(view: MatchView, rng: Random) -> Action:
    """Return a choice at random, all equally likely."""
    return rng.choice(random_choices(round_of(view).legal))


_FIRST_GREEDY: dict[str, Callable[[MatchView, Any, Callable[[], float]], Action]] = {
    "layout": lambda _, view, chance: baseline_in_layout(view, chance),
    "tricks": lambda match, view, _: (
        baseline_in_tricks(view) if match.sides < match.players else alone_in_tricks(view, rules_of(match).tiles)
    ),
    "patience": lambda match, view, _: greedy_in_patience(match, view),
    "combos": lambda _match, view, _chance: baseline_in_combos(view),
}


def first_bot(view: MatchView, rng: Random) -> Action:
    """Play as `greedy` first did, unchanged; see `core.bots.baseline`."""
    play = round_of(view)
    return _FIRST_GREEDY[tag_of(play)](view, play, rng.random)


def thinking_bot(level: str) -> Bot:
    """Return the bot that thinks with the effort of its level; see `EFFORTS`."""
    return lambda view, rng: answer(Question(view, level, rng.randbytes(16))).choice


_BOTS: tuple[Bot, ...] = (easy_bot, *map(thinking_bot, EFFORTS), greedy_bot, first_bot, random_bot)
BOTS = dict(zip(LEVELS, _BOTS, strict=True))
"""The bots by level."""


def play_match(
    match: Match, levels: tuple[str, ...], seed: bytes, software: str, bots: Mapping[str, Bot] = BOTS
) -> Iterator[Step]:
    """Play a match to its end, with a bot of the given level on each seat; the same seed gives the same match.

    A match that might never end is stopped (`core.match.Match.endless`). The seed is the host's secret; bots add no
    shares, and the record is unsigned.
    """
    closing = Closing()
    for step in _play_steps(match, levels, seed, software, bots):
        closing = closing.add(write(step.line))
        yield step
    if step.match.over:
        yield Step(step.number + 1, closing.seal(sign_nothing), step.match)


def _play_steps(
    match: Match, levels: tuple[str, ...], seed: bytes, software: str, bots: Mapping[str, Bot]
) -> Iterator[Step]:
    rng = Random(seed)
    fair = FairDeal(commit(seed), (Share(),) * len(levels))
    key = deal_key(seed, fair.shares)
    seats = tuple(Seat(f"{level} {seat + 1}", level) for seat, level in enumerate(levels))
    number = 1
    yield Step(number, MatchLine.of(match, seats, software, fair), match)
    while not match.over:
        number += 1
        if match.endless:
            match, events = match.stop()
            number -= 1  # a stop has no line of its own, only the end line
        elif match.is_deal_due:
            order, lot = deal_order(match.rules.tiles, match.rules.seats, key, match.deals + 1)
            match, events = match.deal(order, lot)
            yield Step(number, DealLine(match.round, lot, order), match, events)
        else:
            seat = match.turn
            action = bots[levels[seat]](match.view(seat), rng)
            match, events = match.apply(action)
            yield Step(number, ActionLine(seat, action), match, events)
        for line in result_lines(match, events, seed):
            number += 1
            yield Step(number, line, match)
