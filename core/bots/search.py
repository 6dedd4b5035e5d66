"""Plays by trying every action in many worlds that may be true, and playing each on to the end of the round."""

from collections.abc import Callable
from random import Random

from core.actions import Action, Play, Scored
from core.bots.belief import places_of, worlds
from core.games import GAMES
from core.layout.placed import NOBODY
from core.layout.rules import LayoutRules
from core.layout.state import Before, LayoutView, Opening, State
from core.match import MatchView

LONGEST = 400
"""Actions after which a round that is played on is broken off."""


def state_of(rules: LayoutRules, match: MatchView, view: LayoutView, hands, boneyard) -> State:
    """Return a position as it would be if the hidden tiles lay so."""
    before = Before(NOBODY, match.leader, match.winner, match.round, match.scores)
    leader = match.leader if match.leader != NOBODY else view.turn
    return State(
        hands,
        boneyard,
        view.layout,
        view.ends,
        view.turn,
        Opening(view.turn, (), view.opening, leader=leader),
        before,
        drawn=view.drawn,
        stuck=view.stuck,
        owed=view.owed,
        open=view.open,
        going=view.going,
        turns=view.turns,
        legal=view.legal,
    )


def search(match: MatchView, rng: Random, count: int, greedy: Callable[[MatchView, Random], Action]) -> Action:
    view = match.play
    if len(view.legal) == 1 or not isinstance(view.legal[0], Play):
        return greedy(match, rng)
    rules = GAMES[match.game].rules(match.players, match.options)[1]
    source = worlds(places_of(match), rng)
    side = view.seat % match.sides
    totals = dict.fromkeys(view.legal, 0.0)
    alive = list(view.legal)
    done = 0
    for upto in (count // 4, count // 2, count):
        for _ in range(done, upto):
            world = next(source)
            state = state_of(rules, match, view, world.hands, world.boneyard)
            seed = rng.random()
            for action in alive:
                totals[action] += value(rules, *rules.apply(state, action), side, Random(seed))
        done = upto
        alive.sort(key=lambda action: -totals[action])
        alive = alive[: max(2, (len(alive) + 1) // 2)]
    return alive[0]


def value(rules: LayoutRules, state: State, events, side: int, rng: Random) -> float:
    """What a side gains over the others until the end of the round, by simple play."""
    gain = 0.0
    sides = rules.sides
    for _ in range(LONGEST):
        for event in events:
            if isinstance(event, Scored):
                gain += event.points if event.seat % sides == side else -event.points
        if state.result is not None:
            points = state.result.points
            low = -1 if rules.goal.lowest else 1
            mine = points[side]
            others = sum(points) - mine
            return gain + low * (mine - others / (1 if sides == 2 else 1))
        legal = state.legal
        action = legal[0] if len(legal) == 1 else _simple(legal, rng)
        state, events = rules.apply(state, action)
    return gain


def _simple(legal, rng):
    plays = [a for a in legal if type(a) is Play]
    if not plays:
        return legal[0]
    return max(plays, key=lambda a: (a.tile.low + a.tile.high + 2 * (a.tile.low == a.tile.high), rng.random()))
