"""Doubles that branch, counting the open ends, and points in play (`docs/rules` §2.3, §4.6, §4.9, §4.12)."""

from typing import Literal

from core.actions import RoundOver, Term
from core.layout.line import leader_of, two_ends
from core.layout.state import NOBODY, End, Layout, State, carried_on
from core.options import RULES
from core.tiles import Hand, pips
from core.vocabulary import RoundEnd

LONG_SIDES, SHORT_ENDS = (0, 1), (2, 3)
FIVE = 5
"""Of what a score is a multiple, unless it is said."""
Spinners = Literal["none", "first", "sniff", "all", "enclosed"]
"""Which doubles branch; a `sniff` is the first, counted otherwise than a `first`. The `enclosed` one is not the first
laid, but the first with a tile on both long sides."""


def branches(layout: Layout, index: int, kind: Spinners) -> bool:
    """Whether a placed tile is a double that branches."""
    low, high = layout[index].tile  # not `is_double`: it is asked often, and no such line has wild tiles
    if low != high or kind == "none":
        return False
    if kind == "enclosed":
        return index == first_enclosed(layout)
    return kind == "all" or not any(placed.tile.low == placed.tile.high for placed in layout[:index])


def first_enclosed(layout: Layout) -> int:
    """The double that was the first to have a tile on both its long sides; -1 for none yet."""
    sides = [int(placed.on >= 0) for placed in layout]
    for placed in layout:
        if placed.on >= 0 and placed.side in LONG_SIDES and layout[placed.on].tile.is_double:
            sides[placed.on] += 1
            if sides[placed.on] == 2:
                return placed.on
    return NOBODY


def covered(layout: Layout, index: int, sides: tuple[int, ...]) -> int:
    """How many of these sides of a placed tile have a neighbour."""
    placed = layout[index]
    back = placed.on >= 0 and 0 in sides
    return back + sum(1 for other in layout if other.on == index and other.side in sides)


def branching_ends(layout: Layout, ends: tuple[End, ...], on: End | None, *, spinners: Spinners) -> tuple[End, ...]:
    """A line whose spinners open their long sides first, then, once both are covered, their short ends."""
    if on is None:
        return two_ends(layout, ends, on)
    ends = carried_on(layout, ends, on)
    placed = layout[-1]
    parent = layout[placed.on]
    if (
        placed.side in LONG_SIDES
        and branches(layout, placed.on, spinners)
        and covered(layout, placed.on, LONG_SIDES) == 2
    ):
        ends += tuple(End(placed.on, side, parent.out) for side in SHORT_ENDS)
    return ends


def count(layout: Layout, ends: tuple[End, ...], *, spinners: Spinners) -> tuple[int, ...]:
    """What the open ends show: a double at an end both its halves, a spinner nothing once its sides are covered.

    A `sniff` counts both halves while up to two of its sides are covered, one half at three, none at four.
    """
    shown: dict[int, int] = {}
    for end in ends:
        low, high = layout[end.at].tile
        if low != high:
            shown[end.at] = shown.get(end.at, 0) + end.pips
        elif not branches(layout, end.at, spinners):
            shown[end.at] = 2 * low
        elif spinners == "sniff":
            shown[end.at] = low * (2 if covered(layout, end.at, LONG_SIDES + SHORT_ENDS) < 3 else 1)
        elif covered(layout, end.at, LONG_SIDES) < 2:
            shown[end.at] = 2 * low
    return tuple(shown.values())


def multiples(state: State, *, spinners: Spinners, of: int = FIVE, unit: int = 1) -> tuple[int, tuple[int, ...]]:
    """A count that is a multiple of a number scores, in units of `unit` pips."""
    terms = count(state.layout, state.ends, spinners=spinners)
    total = sum(terms)
    return (total // unit if total % of == 0 else 0), terms


def fives_and_threes(state: State) -> tuple[int, tuple[int, ...]]:
    """One point for every five and for every three that the count is a multiple of."""
    terms = count(state.layout, state.ends, spinners="none")
    total = sum(terms)
    return sum(total // number for number in (3, 5) if total % number == 0), terms


def up_to_five(number: int) -> int:
    """The next multiple of five, or the number itself if it is one."""
    return -(-number // FIVE) * FIVE


def nearest(number: int, of: int = FIVE) -> int:
    """The nearest multiple of five, or of three (`docs/rules` §0)."""
    return (number + of // 2) // of * of


def bonus(state: State, *, sides: int, each: bool, of: int = FIVE, rules: int = RULES) -> RoundOver:
    """The winner of the round scores the other side's pips to the nearest multiple; if blocked, less their own."""
    hands = state.hands
    winner, how, tied = round_winner(state, sides, rules=rules)
    if winner == NOBODY:
        return RoundOver(how, NOBODY, hands, ((),) * sides, tied)
    side = winner % sides
    others = [seat for seat in range(len(hands)) if seat % sides != side]
    own = list(range(side, len(hands), sides)) if how == "blocked" else []
    values = [nearest(pips(hand), of) if each else pips(hand) for hand in hands]
    terms = [Term("pips", seat, values[seat]) for seat in others] + [Term("own", seat, -values[seat]) for seat in own]
    total = sum(term.amount for term in terms)
    paid = max(0, total if each else nearest(total, of))
    if paid != total:
        terms.append(Term("rounded", NOBODY, paid - total))
    sums = tuple(tuple(terms) if n == side else () for n in range(sides))
    return RoundOver(how, winner, hands, sums)


def subtract(state: State, *, sides: int, of: int = FIVE, unit: int = 1, rules: int = RULES) -> RoundOver:
    """Each hand's pips, rounded to the nearest multiple, are taken off the score of its side, in units of `unit`."""
    hands = state.hands
    winner, how, tied = round_winner(state, sides, rules=rules)
    sums = tuple(
        tuple(
            Term("own", seat, -(nearest(pips(hands[seat]), of) // unit))
            for seat in range(side, len(hands), sides)
            if hands[seat]
        )
        for side in range(sides)
    )
    return RoundOver(how, winner, hands, sums, tied)


def going_out(state: State, *, sides: int, rules: int = RULES) -> RoundOver:
    """Going out scores one, for partners once both are out; a blocked round nothing (`docs/rules` §4.6, §9).

    By rules of version 1, whoever laid the last tile of a hand was out alone, and nobody won a blocked round.
    """
    hands: tuple[Hand, ...] = state.hands
    winner, how, tied = round_winner(state, sides, together=rules > 1, rules=rules)
    if how == "blocked" and rules == 1:
        winner = NOBODY
    if how == "blocked":
        return RoundOver(how, winner, hands, ((),) * sides, tied)
    sums = tuple((Term("out", winner, 1),) if side == winner % sides else () for side in range(sides))
    return RoundOver(how, winner, hands, sums)


def round_winner(
    state: State, sides: int, *, together: bool = False, rules: int = RULES
) -> tuple[int, RoundEnd, tuple[int, ...]]:
    """Who goes out, or whose side is lightest; -1 and the tied sides when several are.

    Where partners play on, they go out `together`: a side that still holds tiles is not out.
    """
    hands = state.hands
    out = next((placed.seat for placed in reversed(state.layout) if placed.seat >= 0), NOBODY)
    if out != NOBODY and not any(hands[out % sides :: sides] if together else hands[out : out + 1]):
        return out, "out", ()
    weights = [sum(map(pips, hands[side::sides])) for side in range(sides)]
    tied = tuple(side for side in range(sides) if weights[side] == min(weights))
    if len(tied) > 1:
        return NOBODY, "blocked", tied
    return leader_of(state, sides, tied[0], rules=rules), "blocked", ()
