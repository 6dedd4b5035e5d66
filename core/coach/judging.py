"""Judges one decision of a match: what it cost compared with the best, how sure that is, and what to call it."""

from math import sqrt
from random import Random
from typing import Literal

from msgspec import Struct

from core.actions import Action
from core.bots.questions import Effort, Judged, Thought
from core.bots.rules import round_of, rules_of
from core.bots.thinking import think
from core.coach.recorded import Decision
from core.coach.swing import threshold_of
from core.layout.rules import LayoutRules
from core.match import MatchView

Kind = Literal["fine", "close", "blunder", "exact"]
WORLDS = 400
"""In which a loss is measured. Of blunders named from 100 worlds, as many would not be named again as would."""
FIRST = Effort(100, 40_000)
"""For a look at all that could have been done. The solver may take as many steps."""
SECOND = Effort(WORLDS, 10**9)
"""For measuring what the best of it would have gained."""
THIRD = Effort(3 * WORLDS, 10**9)
"""For measuring once more what would be called a blunder: near the threshold, half of them were so by chance."""
SOLVER_ONLY = Effort(1, FIRST.steps)
"""Where no search is sure enough."""
SURE = 2.0
"""Standard errors from which a loss is no chance any more."""


class Judgement(Struct, frozen=True):
    """What a decision cost the side that made it, in points of the game over the others on average."""

    round: int
    number: int
    """The step of `boneyard replay` at which the decision is on view."""
    seat: int
    action: Action
    """What was done."""
    best: Action
    """What would have been better, if anything seemed to be."""
    loss: float
    """What `best` would have gained more; below 0 where it did not keep in a second search what it promised in the
    first, so that sums of losses are not biased."""
    error: float
    """The standard error of the loss; 0 where nothing was measured, or the solver knows it."""
    kind: Kind
    """`fine`: no loss that is sure, or large; `close`: one that is sure or large, not both; `blunder`: both, from
    `WORLDS` worlds or more; `exact`: a loss that the solver proves."""
    margin: float = 0.0
    """What the next best action would have cost, where what was done was the best."""


def judge(decision: Decision) -> Judgement | None:
    """Judge a decision; None where nothing can be said of it, as luck drowns it and the solver does not reach it.

    The same decision is always judged alike. It takes some tenths of a second.
    """
    view, action = decision.view, decision.action
    noisy = too_noisy(view)
    first = _thought(view, action, Random(decision.seed), SOLVER_ONLY if noisy else FIRST)
    if first.exact:
        best = first.judged[0]
        return (
            _judged(decision, best, "exact")
            if best.lead > 0
            else _judged(decision, best, "fine", _margin(first, action))
        )
    if noisy:
        return None
    if not first.judged or first.judged[0].lead <= 0:
        return _judged(decision, Judged(action, 0.0, 0.0, 0.0, 0), "fine", _margin(first, action))
    # The best of many looks better than it is: what it gains is measured in other worlds than it was chosen in.
    threshold, other = threshold_of(view), first.judged[0].action
    measured = duel(decision, other, Random(decision.seed + b"2"), SECOND)
    if kind_of(measured.lead, measured.error, threshold) == "blunder":
        measured = duel(decision, other, Random(decision.seed + b"3"), THIRD)
    return _judged(decision, measured, kind_of(measured.lead, measured.error, threshold))


def duel(decision: Decision, other: Action, rng: Random, effort: Effort) -> Judged:
    """Compare another action with the one that was done, by search, in the same worlds."""
    thought = think(decision.view, rng, effort, default=decision.action, among=(other,), solves=False)
    return next(judged for judged in thought.judged if judged.action == other)


def kind_of(loss: float, error: float, threshold: float) -> Kind:
    """What to call a loss that was measured in `WORLDS` worlds or more."""
    large, sure = loss > threshold, loss > SURE * error
    return "blunder" if large and sure else "close" if loss > 0 and (large or sure) else "fine"


def too_noisy(view: MatchView) -> bool:
    """Whether luck drowns most decisions: with trains, a round takes so many more that each matters little."""
    rules = rules_of(view)
    return isinstance(rules, LayoutRules) and rules.turns.marks


def total_of(judgements: list[Judgement]) -> tuple[float, float]:
    """What some decisions cost together, and its standard error."""
    return sum(each.loss for each in judgements), sqrt(sum(each.error**2 for each in judgements))


def _thought(view: MatchView, action: Action, rng: Random, effort: Effort) -> Thought:
    thought = think(view, rng, effort, default=action)
    if thought.judged:
        return thought
    # What bots never consider, such as to claim points or not, people may still get wrong.
    return think(view, rng, effort, default=action, among=round_of(view).legal)


def _margin(thought: Thought, action: Action) -> float:
    """What the best of the other actions costs, if that is more than chance; searched in `FIRST` worlds only."""
    other = next((each for each in thought.judged if each.action != action), None)
    return max(0.0, -other.lead - SURE * other.error) if other else 0.0


def _judged(decision: Decision, best: Judged, kind: Kind, margin: float = 0.0) -> Judgement:
    return Judgement(
        decision.round,
        decision.number,
        decision.seat,
        decision.action,
        best.action,
        round(best.lead, 3),
        round(best.error, 3),
        kind,
        round(margin, 3),
    )
