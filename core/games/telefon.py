"""Telefon, or 365: the All Fives of the Caucasus, with a silent lead and a wall at 300 (`docs/rules` §4.7)."""

from functools import partial

from core.actions import RoundOver, Term
from core.games.line_games import DRAWING, sides_of
from core.layout.policies import (
    branching_ends,
    equal_halves,
    first_held,
    multiples,
    nearest,
    round_winner,
    up_to_five,
)
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, UNLIMITED, Drawing, Ending, Goal, Scoring, Start, State
from core.tiles import Tile, full_set, pips
from core.variant import Option, Options, Variant
from core.words import phrase

LEADS = (Tile(2, 3), *(Tile(number, number) for number in (1, 2, 3, 4, 5, 6, 0)))
"""The tiles that lead before the first win: the first of them in any hand."""
FIVES = Tile(5, 5)


def play_points(state: State, *, sides: int, wall: int) -> tuple[int, tuple[int, ...]]:
    """The open ends score, but of leads only 5-5 does, from the second round on and below the wall."""
    points, terms = multiples(state, spinners="enclosed")
    if len(state.layout) > 1:
        return points, terms
    lead = state.layout[0]
    is_silent = lead.tile != FIVES or state.before.round == 1 or state.score(lead.seat % sides) >= wall
    return 0 if is_silent else points, terms


def settle(state: State, *, sides: int, wall: int, rounds_up: bool) -> RoundOver:
    """The winner gets the pips of the other sides, rounded to five; the wall keeps back points beyond it."""
    hands = state.hands
    winner, how, tied = round_winner(state, sides)
    if winner == NOBODY:
        return RoundOver(how, NOBODY, hands, ((),) * sides, tied)
    side = winner % sides
    terms = [Term("pips", seat, pips(hand)) for seat, hand in enumerate(hands) if seat % sides != side]
    pip_points = sum(term.amount for term in terms)
    points = up_to_five(pip_points) if rounds_up else nearest(pip_points)
    lost_points = points - min(points, max(0, wall - state.score(side)))
    terms += [Term("rounded", NOBODY, points - pip_points), Term("wall", NOBODY, -lost_points)]
    terms = [term for term in terms if term.amount or term.kind == "pips"]
    return RoundOver(how, winner, hands, tuple(tuple(terms) if other == side else () for other in range(sides)))


def _build(players: int, options: Options) -> LayoutRules:
    sides = sides_of(players, options)
    wall = options["tel.wall"]
    limit = wall if isinstance(wall, int) else UNLIMITED
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=sides,
        start=Start(hand=7, opener=partial(first_held, tiles=LEADS, otherwise="lightest")),
        meets=equal_halves,
        opens=partial(branching_ends, spinners="enclosed"),
        ending=Ending(partial(settle, sides=sides, wall=limit, rounds_up=options["tel.round"] == "up")),
        goal=Goal(target=int(options["target"])),
        drawing=Drawing(reserve=int(options["draw.reserve"])),
        scoring=Scoring(partial(play_points, sides=sides, wall=limit), call="telefon"),
        shape="cross",
    )


TELEFON = Variant(
    id="telefon",
    name=phrase("Telefon"),
    pitch=phrase("Ends that add up to fives score, but the lead does not, and at 300 there is a wall."),
    brief=phrase("365, with a wall"),
    seats=(2, 4),
    options=(
        DRAWING[0],
        Option("draw.reserve", (0, 1), "tiles that stay in the boneyard"),
        Option("tel.round", ("up", "nearest"), "pips left at the end of a round"),
        Option("tel.wall", (300, "none"), "the wall for points at the end of a round"),
        Option("target", (365, 255, 500), "points that end the match"),
    ),
    build=_build,
)
