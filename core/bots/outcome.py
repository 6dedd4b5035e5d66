"""What a side gains by what happens in a round: the measure by which actions are compared."""

from collections.abc import Sequence

from core.actions import Event, RoundOver, Scored
from core.family import AnyState, Rules
from core.vocabulary import TermKind

WAITING: tuple[TermKind, ...] = ("waits", "hung")
"""Terms that put off what is written, or make up for it."""


def gained(rules: Rules, state: AnyState, events: tuple[Event, ...], side: int) -> float:
    """Return the points that a side gains on the others, on average, by these events, which led to this state.

    Where the lowest score wins, a point less is a point gained. What a round pays at its end counts too.
    """
    sides = rules.sides
    gain = 0.0
    for event in events:
        if isinstance(event, Scored):
            gain += event.points if event.seat % sides == side else -event.points / (sides - 1)
    if state.result is not None:
        gain += lead(_lost_or_won(state.result), side)
    return -gain if rules.goal.lowest else gain


def _lost_or_won(result: RoundOver) -> list[int]:
    """What each side scores by a round; what only waits to be written counts in the round in which it was lost."""
    return [
        points - sum(term.amount for term in terms if term.what in WAITING)
        for points, terms in zip(result.points, result.sums, strict=True)
    ]


def lead(points: Sequence[float], side: int) -> float:
    """Return how many points more a side has than the others have on average; alone, how many it has."""
    own = points[side]
    if len(points) == 1:
        return own
    return own - (sum(points) - own) / (len(points) - 1)
