"""Wildstar: a five-armed star, and five wild tiles whose number the player names (`docs/rules` §2.8)."""

from functools import cache, partial
from typing import Literal

from core.actions import RoundOver
from core.layout.policies import (
    arm_ends,
    equal_halves,
    hand_terms,
    holder_or_search,
    lightest,
    owed_arms,
    round_leader,
)
from core.layout.rules import LayoutRules
from core.layout.state import (
    NOBODY,
    UNLIMITED,
    Drawing,
    Duty,
    Ending,
    Goal,
    Meets,
    Opening,
    RoundContext,
    Start,
    State,
)
from core.tiles import STAR, Hand, Tile, full_set
from core.variant import Option, Options, Variant
from core.words import BadOption, RoundEnd, Words, a_number, phrase, several_words, words

HIGHEST = 9
ARMS = 5
STARS = 5
HALF_STAR, BLANK_COUNT = 10, 30
ANYTHING = -1
"""The number of an open wild end."""
WildEnd = Literal["declared", "open", "same"]
"""The outward number of a star: one that its player names, any number, or the one on which it lies."""


def centre(context: RoundContext) -> Tile:
    """The centre of a round: 9-9 down to 0-0."""
    number = HIGHEST - (context.round - 1)
    return Tile(number, number)


def fits(tile: Tile, number: int, *, wild_end: WildEnd) -> tuple[int, ...]:
    """Equal halves meet; a star fits anywhere and names its outer number, but is no arm of the centre."""
    if tile == STAR:
        match wild_end:
            case "declared":
                return tuple(range(HIGHEST + 1))
            case "open":
                return (ANYTHING,)
            case "same":
                return (number,)
    if number == ANYTHING:
        return (tile.low, tile.high) if tile.low != tile.high else (tile.low,)
    return equal_halves(tile, number)


@cache
def _fitting(wild_end: WildEnd) -> Meets:
    """Return one function for each option, so that matches share its lookup tables (`core.layout.state`)."""
    return partial(fits, wild_end=wild_end)


def settle(state: State, *, sides: int, winner_collects: bool) -> RoundOver:
    """Each seat's own count is added to its score; or the winner collects the counts of the others."""
    hands = state.hands
    parts = [hand_terms(hand, seat, BLANK_COUNT, HALF_STAR) for seat, hand in enumerate(hands)]
    counts = [sum(term.amount for term in terms) for terms in parts]
    out_seat = next((seat for seat, hand in enumerate(hands) if not hand), NOBODY)
    winner = out_seat if out_seat != NOBODY else lightest(state, counts)
    how: RoundEnd = "out" if out_seat != NOBODY else "blocked"
    terms = [term for terms in parts for term in terms]
    if not winner_collects:
        counted_terms = [term for term in terms if out_seat == NOBODY or term.seat % sides != out_seat % sides]
        sums = tuple(tuple(term for term in counted_terms if term.seat % sides == side) for side in range(sides))
        return RoundOver(how, winner, hands, sums)
    totals = [sum(counts[side::sides]) for side in range(sides)]
    tied = tuple(side for side in range(sides) if totals[side] == min(totals))
    if out_seat == NOBODY and len(tied) > 1:
        return RoundOver(how, winner, hands, ((),) * sides, tied)
    side = out_seat % sides if out_seat != NOBODY else tied[0]
    collected = tuple(term for term in terms if term.seat % sides != side)
    return RoundOver(how, winner, hands, tuple(collected if other == side else () for other in range(sides)))


def duty_text(state: State) -> Words:
    """Say which arms the star still needs."""
    number = a_number(state.layout[0].out)
    return several_words(
        "The star needs {count} more arm: play {number}, not a wildstar.",
        "The star needs {count} more arms: play {number}, not a wildstar.",
        len(state.owed),
        number=number,
    )


def _opener(hands: tuple[Hand, ...], context: RoundContext, *, previous_winner_plays: bool) -> Opening:
    shuffler = round_leader(len(hands), context, "winner")
    return holder_or_search(hands, centre(context), shuffler, next_seat=shuffler if previous_winner_plays else NOBODY)


def _build(players: int, options: Options) -> LayoutRules:
    teams = options["ws.teams"] == "on"
    if teams and players % 2:
        raise BadOption(words("ws.teams=on needs an even number of players, not {players}.", players=players))
    sides = 2 if teams else players
    winner_collects = options["ws.score"] == "collect"
    return LayoutRules(
        tiles=(STAR,) * STARS + full_set(HIGHEST),
        seats=players,
        sides=sides,
        start=Start(
            hand=20 if players == 2 else 10 if players <= 5 else 7,
            opener=partial(_opener, previous_winner_plays=options["ws.opener"] == "previous_winner"),
        ),
        meets=_fitting(_WILD_END_OPTION.of(options)),
        opens=partial(arm_ends, arms=ARMS),
        ending=Ending(partial(settle, sides=sides, winner_collects=winner_collects)),
        goal=Goal(rounds=int(options["ws.rounds"]), lowest=not winner_collects),
        drawing=Drawing(
            max_per_turn=1 if options["ws.draw"] == "one" else UNLIMITED, keep=options["ws.drawn"] == "may"
        ),
        duty=Duty(partial(owed_arms, arms=ARMS), duty_text, meets=equal_halves),
        shape="star",
    )


_WILD_END_OPTION: Option[WildEnd] = Option(
    "ws.wild_end", ("declared", "open", "same"), "what a wildstar shows outward"
)

WILDSTAR = Variant(
    id="wildstar",
    name=phrase("Wildstar"),
    pitch=phrase("Five arms and five wildstars; if you play a wildstar, you name its number."),
    brief=phrase("5 arms, wildstars"),
    seats=(2, 8),
    options=(
        Option("ws.teams", ("off", "on"), "two teams, sitting alternately"),
        Option("ws.score", ("penalty", "collect"), "pips left at the end of a round"),
        Option("ws.opener", ("holder", "previous_winner"), "who makes the first play on the centre"),
        _WILD_END_OPTION,
        Option("ws.draw", ("one", "until"), "what a stuck player draws", since=2, before="one"),
        Option("ws.drawn", ("may", "must"), "a drawn tile that fits"),
        Option("ws.rounds", (10, 5), "rounds in a match"),
    ),
    build=_build,
)
