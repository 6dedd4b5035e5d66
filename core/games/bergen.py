"""Bergen: a line that scores while both of its ends show the same number (`docs/rules` §C.12)."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from core.actions import RoundOver, Term
from core.layout.policies import double_or_redeal, equal_halves, in_rotation, lowest_double_or_redeal, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, Drawing, Ending, Goal, Opening, RoundContext, Scoring, Start, State
from core.tiles import Hand, full_set, pips
from core.variant import Option, Options, Variant
from core.words import RoundEnd, phrase

Lead = Literal["highest", "lowest", "lot"]
Block = Literal["pips", "american", "german"]
"""The hand that wins a block: the lightest; one without doubles, or with the lowest; or the one with fewest doubles.
"""


def halves_at_ends(state: State) -> tuple[int, ...]:
    """Return the numbers at the ends of a line; a double shows both halves."""
    ends = {end.at: end.pips for end in state.ends}
    if len(ends) == 1:
        return tuple(state.layout[0].tile)
    return tuple([pips for at, pips in ends.items() for _ in range(1 + state.layout[at].tile.is_double)])


def equal_ends(state: State, *, sides: int, target: int) -> tuple[int, tuple[int, ...]]:
    """A point for each half at the ends, if all of these are equal; near a target of more than 0 fewer count."""
    halves = halves_at_ends(state)
    if len(set(halves)) > 1:
        return 0, ()
    missing = target - state.score(state.layout[-1].seat % sides) if target else len(halves) + 1
    return min(len(halves), max(1, missing - 1)), ()


def by_pips(hand: Hand) -> tuple[int, ...]:
    """The lightest hand comes first."""
    return (pips(hand),)


def american(hand: Hand) -> tuple[int, ...]:
    """Hands without doubles come first, by tiles and pips; the others by their lowest double."""
    doubles = [tile.low for tile in hand if tile.is_double]
    return (1, min(doubles)) if doubles else (0, len(hand), pips(hand))


def german(hand: Hand) -> tuple[int, ...]:
    """Hands with fewest doubles come first, then by pips."""
    return sum(tile.is_double for tile in hand), pips(hand)


def settle(state: State, *, rank: Callable[[Hand], tuple[int, ...]], out_points: int) -> RoundOver:
    """Going out scores, and so does the best hand of a block; if several are as good, nobody does."""
    hands = state.hands
    how: RoundEnd = "out" if () in hands else "blocked"
    ranks = list(map(rank, hands))
    best_seats = (
        [hands.index(())]
        if how == "out"
        else [seat for seat, hand_rank in enumerate(ranks) if hand_rank == min(ranks)]
    )
    if len(best_seats) > 1:
        return RoundOver(how, NOBODY, hands, ((),) * len(hands), tuple(best_seats))
    term = Term("out" if how == "out" else "block", best_seats[0], out_points)
    return RoundOver(
        how, best_seats[0], hands, tuple((term,) if seat in best_seats else () for seat in range(len(hands)))
    )


def _build(players: int, options: Options) -> LayoutRules:
    target = int(options["target"])
    near_target = target if options["bg.near"] == "on" else 0
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=players,
        start=Start(hand=5 if players == 4 else 6, opener=_OPENERS[_LEAD_OPTION.of(options)]),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(partial(settle, rank=_RANKS[_BLOCK_OPTION.of(options)], out_points=int(options["bg.out"]))),
        goal=Goal(target=target),
        drawing=Drawing(reserve=int(options["draw.reserve"])),
        scoring=Scoring(partial(equal_ends, sides=players, target=near_target), call="equal_ends"),
    )


_LEAD_OPTION: Option[Lead] = Option("bg.lead", ("highest", "lowest", "lot"), "who leads a round, and with what")
_BLOCK_OPTION: Option[Block] = Option("bg.block", ("pips", "american", "german"), "who wins a blocked round")
_OPENERS: dict[Lead, Callable[[tuple[Hand, ...], RoundContext], Opening]] = {
    "highest": double_or_redeal,
    "lowest": lowest_double_or_redeal,
    "lot": in_rotation,
}
_RANKS: dict[Block, Callable[[Hand], tuple[int, ...]]] = {"pips": by_pips, "american": american, "german": german}

BERGEN = Variant(
    id="bergen",
    name=phrase("Bergen"),
    pitch=phrase("Make both ends show the same number: that scores two, or three with a double."),
    brief=phrase("equal ends score"),
    seats=(2, 4),
    options=(
        _LEAD_OPTION,
        Option("draw.reserve", (0, 2), "tiles that stay in the boneyard"),
        Option("bg.out", (1, 2), "what winning a round is worth"),
        _BLOCK_OPTION,
        Option("bg.near", ("off", "on"), "points in play near the target"),
        Option("target", (15, 10), "points that end the match"),
    ),
    build=_build,
)
