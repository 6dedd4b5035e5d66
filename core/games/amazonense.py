"""Dominó amazonense: four ends round one led double, and passes that cost 20 (`docs/rules` §C.10)."""

from functools import partial
from typing import Literal

from core.actions import RoundOver, Scored, Term
from core.layout.blocking import winner_of
from core.layout.policies import FIVE, branching_ends, equal_halves, highest_double, multiples
from core.layout.rules import LayoutRules
from core.layout.state import (
    NOBODY,
    Drawing,
    Ending,
    Goal,
    Opening,
    RoundContext,
    Scoring,
    Start,
    State,
    Turns,
    count_doubles,
    fair_hands,
)
from core.tiles import Hand, Tile, full_set, pips
from core.variant import Option, Options, Variant
from core.words import phrase

SIDES = 2
DOUBLES = tuple(Tile(number, number) for number in range(7))
PASS, GALO, BY_DOUBLE = 20, 50, 20
"""Points of the first pass after a play, of three passes in a row together, and of going out by a double."""
MANY_DOUBLES, MANY_DOUBLES_POINTS = 5, 50
"""Doubles at the deal that score, and their points."""
Many = Literal["bonus", "redeal", "none"]
"""Effect of five doubles in a hand: points at once, another deal, or none."""


def opening(hands: tuple[Hand, ...], context: RoundContext) -> Opening:
    """The highest double leads the first round and after a block; else any double of the winner, or of the next."""
    if context.winner == NOBODY or context.carry:
        return highest_double(hands, context)
    return Opening(context.winner, DOUBLES, "own_double")


def dealt_points(hands: tuple[Hand, ...]) -> tuple[Scored, ...]:
    """Five doubles in a hand score at once."""
    return tuple(
        Scored(seat, MANY_DOUBLES_POINTS, reason="doubles")
        for seat, hand in enumerate(hands)
        if count_doubles(hand) >= MANY_DOUBLES
    )


def awards(state: State) -> tuple[Scored, ...]:
    """A pass pays the other side, unless it follows another pass; the third in a row makes it a galo."""
    seats = len(state.hands)
    last_seat = state.layout[-1].seat if state.layout else NOBODY
    previous_seat, next_seat = (state.turn - 1) % seats, (state.turn + 1) % seats
    if last_seat == previous_seat or not (state.layout or state.turns):
        return (Scored(previous_seat, PASS, reason="any_pass"),)
    return (Scored(next_seat, GALO - PASS, reason="galo"),) if last_seat == next_seat else ()


def settle(state: State) -> RoundOver:
    """Going out by a double pays by itself; else the other side's pips do, rounded down, as they do in a block."""
    hands, last_placed = state.hands, state.layout[-1]
    is_out = not hands[last_placed.seat]
    winner, tied = winner_of(state, SIDES, "team")
    terms: tuple[Term, ...] = ()
    if is_out and last_placed.tile.is_double:
        terms = (Term("double", winner, BY_DOUBLE),)
    elif winner != NOBODY:
        terms = tuple(Term("pips", seat, pips(hand)) for seat, hand in enumerate(hands) if (seat - winner) % SIDES)
        remainder = sum(term.amount for term in terms) % FIVE
        terms += (Term("rounded", NOBODY, -remainder),) if remainder else ()
    sums = tuple(terms if winner != NOBODY and side == winner % SIDES else () for side in range(SIDES))
    return RoundOver("out" if is_out else "blocked", winner, hands, sums, tied, carry=() if is_out else (1,))


def _build(players: int, options: Options) -> LayoutRules:
    many_doubles = _MANY_DOUBLES_OPTION.of(options)
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=SIDES,
        start=Start(
            hand=7,
            opener=partial(fair_hands, opener=opening, doubles=MANY_DOUBLES) if many_doubles == "redeal" else opening,
            points=dealt_points if many_doubles == "bonus" else None,
        ),
        meets=equal_halves,
        opens=partial(branching_ends, spinners="first"),
        ending=Ending(settle),
        goal=Goal(target=int(options["target"]), tie="more"),
        drawing=Drawing(max_per_turn=0),
        turns=Turns(awards=awards),
        scoring=Scoring(partial(multiples, spinners="first")),
        shape="cross",
    )


_MANY_DOUBLES_OPTION: Option[Many] = Option(
    "am.doubles", ("bonus", "redeal", "none"), "five doubles or more in a hand"
)

AMAZONENSE = Variant(
    id="amazonense",
    name=phrase("Amazonense"),
    pitch=phrase("Two against two round one led double: fives score, a pass gives the others 20, a galo 50."),
    brief=phrase("passes give 20"),
    seats=(4, 4),
    options=(_MANY_DOUBLES_OPTION, Option("target", (200, 300), "points that end the match")),
    build=_build,
    counter_clockwise=True,
)
