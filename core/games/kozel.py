"""Goat and Sea Goat: the penalty game of Russia, with sums that hang, eggs and one loser (`docs/rules` §4.3)."""

from functools import partial
from typing import Literal, NamedTuple

from msgspec.structs import replace

from core.actions import RoundOver, Term
from core.layout.policies import equal_halves, first_held, last_to_lay, leader_of, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import (
    NOBODY,
    Drawing,
    End,
    Ending,
    Goal,
    Opening,
    RoundContext,
    Start,
    State,
    Turns,
    fair_hands,
)
from core.tiles import Hand, Tile, full_set, pips
from core.variant import Option, Options, Variant
from core.words import Going, RoundEnd, phrase

LEADS = tuple(Tile(number, number) for number in (1, 2, 3, 4, 5, 6, 0))
"""The doubles that lead before the first win: the first of them in any hand."""
BLANK = Tile(0, 0)
DOUBLES, ALIKE = 5, 6
"""Number of doubles, and of tiles with one number, in a hand that is dealt again."""

Entry = Literal["hang", "lost", "always"]
"""Treatment of a sum that is too small to be the first: it hangs, or is lost; or small sums always hang."""


class CarriedPoints(NamedTuple):
    """Numbers that a round hands on to the next: `RoundOver.carry`."""

    eggs: int
    """Pips of tied blocks, which the next loser gets."""
    leader: int
    """The leader after eggs: the winner before them."""
    hanging: tuple[int, ...]
    """By side, small sums that wait to be written with the next."""


def carried_points(context: RoundContext, sides: int) -> CarriedPoints:
    """Return the numbers that the rounds before have handed on."""
    if len(context.carry) != 2 + sides:
        return CarriedPoints(0, NOBODY, (0,) * sides)
    eggs, leader, *hanging = context.carry
    return CarriedPoints(eggs, leader, tuple(hanging))


def lead(hands: tuple[Hand, ...], context: RoundContext, *, sides: int) -> Opening:
    """The last winner leads any tile, after eggs the one before; without one the lowest double, 0-0 after 6-6."""
    winner = context.winner if context.winner != NOBODY else carried_points(context, sides).leader
    return first_held(hands, replace(context, winner=winner), tiles=LEADS, otherwise="heaviest")


def settle(state: State, *, sides: int, entry: Entry, minimum: int, blank_price: int, allows_eggs: bool) -> RoundOver:
    """Each losing side writes the pips in its hands; if two sides tie, all pips wait as eggs for the next loser."""
    hands, carried = state.hands, carried_points(state.before, sides)
    weights = [sum(map(pips, hands[side::sides])) for side in range(sides)]
    out_seat = next((seat for seat, hand in enumerate(hands) if not hand), NOBODY)
    winning_sides = (
        [out_seat % sides] if out_seat != NOBODY else [side for side in range(sides) if weights[side] == min(weights)]
    )
    if allows_eggs and len(winning_sides) == sides == 2:
        winner = state.before.winner if state.before.winner != NOBODY else carried.leader
        carry = (carried.eggs + sum(weights), winner, *carried.hanging)
        return RoundOver("eggs", NOBODY, hands, ((),) * sides, (0, 1), carry=carry)
    sums: list[tuple[Term, ...]] = []
    hanging: list[int] = []
    for side in range(sides):
        terms, hanging_points = tuple[Term, ...](), carried.hanging[side]
        if side not in winning_sides:
            entry_minimum = minimum if entry == "always" or not state.score(side) else 0
            terms, hanging_points = _written_terms(
                _hand_terms(hands, side, sides, blank_price),
                carried.eggs,
                hanging_points,
                entry_minimum,
                is_lost=entry == "lost",
            )
        sums.append(terms)
        hanging.append(hanging_points)
    tied = tuple(winning_sides) if len(winning_sides) > 1 else ()
    winner = out_seat
    if out_seat == NOBODY:
        seats = [seat for seat in range(len(hands)) if seat % sides in winning_sides]
        winner = last_to_lay(state, seats) if tied else leader_of(state, sides, winning_sides[0])
    how: RoundEnd = "out" if out_seat != NOBODY else "fish"
    return RoundOver(how, winner, hands, tuple(sums), tied, carry=(0, winner, *hanging))


def _hand_terms(hands: tuple[Hand, ...], side: int, sides: int, blank_price: int) -> list[Term]:
    """Return the pips of the hands of a side; a hand of the double blank alone costs `blank_price`."""
    terms = []
    for seat in range(side, len(hands), sides):
        is_blank_alone = hands[seat] == (BLANK,)
        terms.append(Term("blank", seat, blank_price) if is_blank_alone else Term("pips", seat, pips(hands[seat])))
    return [term for term in terms if term.amount]


def _written_terms(
    terms: list[Term], egg_points: int, hanging_points: int, minimum: int, *, is_lost: bool
) -> tuple[tuple[Term, ...], int]:
    """Return the terms of a losing side, and the sum that hangs over to the next round.

    A total below `minimum` is not written: it hangs, or is dropped if `is_lost`.
    """
    terms += [
        term for term in (Term("eggs", NOBODY, egg_points), Term("hung", NOBODY, hanging_points)) if term.amount
    ]
    total = sum(term.amount for term in terms)
    if not 0 < total < minimum:
        return tuple(terms), 0
    return (*terms, Term("lost" if is_lost else "waits", NOBODY, -total)), 0 if is_lost else total


def second_double(before: State, after: State) -> Going:
    """A double may be followed by a second double in the same turn; a lead is a whole turn."""
    return "may" if before.layout and after.layout[-1].tile.is_double and not before.going else ""


def on_the_other_end(state: State, tile: Tile, end: End) -> bool:
    """The second tile of a turn is a double too, and does not lie on the first."""
    return not state.going or (tile.is_double and end.at != len(state.layout) - 1)


def _build(players: int, options: Options) -> LayoutRules:
    sides = 2 if players == 4 and options["partners"] == "yes" else players
    is_sea_goat = options["koz.kind"] == "sea"
    opener = partial(lead, sides=sides)
    if options["koz.redeal"] == "yes":
        opener = partial(fair_hands, opener=opener, doubles=DOUBLES, alike=ALIKE)
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=sides,
        start=Start(hand=7, opener=opener),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(
            partial(
                settle,
                sides=sides,
                entry=_ENTRY_OPTION.of(options),
                minimum=25 if is_sea_goat else 13,
                blank_price=int(options["koz.zero"]),
                allows_eggs=options["koz.eggs"] == "yes",
            )
        ),
        goal=Goal(target=125 if is_sea_goat else 101, lowest=True, loser="sea_goat" if is_sea_goat else "goat"),
        drawing=Drawing(),
        turns=Turns(allows=on_the_other_end, continues=second_double)
        if options["koz.two_doubles"] == "yes"
        else Turns(),
    )


_ENTRY_OPTION: Option[Entry] = Option("koz.entry", ("hang", "lost", "always"), "a sum too small to be written down")

KOZEL = Variant(
    id="kozel",
    name=phrase("Goat"),
    pitch=phrase("The game of Russian courtyards: losers write down what they hold, and the goat has 101."),
    brief=phrase("goat at 101"),
    seats=(2, 4),
    options=(
        Option("partners", ("yes", "no"), "four players as two pairs"),
        Option("koz.kind", ("goat", "sea"), "the kind of goat"),
        _ENTRY_OPTION,
        Option("koz.eggs", ("yes", "no"), "what a tied block leaves"),
        Option("koz.zero", (25, 10, 0), "the double blank alone in a hand"),
        Option("koz.two_doubles", ("no", "yes"), "two doubles in one turn"),
        Option("koz.redeal", ("yes", "no"), "dealing again for uneven hands"),
    ),
    build=_build,
)
