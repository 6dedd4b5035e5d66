"""Dominó as Brazil plays it: the kind of the last tile is the score (`docs/rules` §C.2)."""

from functools import partial
from typing import Literal

from core.actions import RoundOver, Term
from core.layout.blocking import BlockWinner, last_tile, winner_of
from core.layout.policies import equal_halves, previous_winner, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, Drawing, Ending, Goal, Start, State, fair_hands
from core.tiles import full_set
from core.variant import Option, Options, Variant
from core.words import RoundEnd, phrase

SIDES = 2
AfterBlock = Literal["double", "plus_one", "none"]
"""Effect of earlier blocks that nobody won on the next won hand: it counts twice, or one more for each of them."""


def settle(state: State, *, block: BlockWinner, cruzada: int, after: AfterBlock) -> RoundOver:
    """Pay the hand by its last tile; a block that nobody wins is handed on, with those right before it."""
    winner, tied = winner_of(state, SIDES, block)
    how: RoundEnd = "out" if () in state.hands else "blocked"
    unwon = sum(state.before.carry)
    if winner == NOBODY:
        return RoundOver("blocked", NOBODY, state.hands, ((),) * SIDES, tied, carry=(unwon + 1,))
    term = _last_tile(state, winner, cruzada) if how == "out" else Term("block", winner, 1)
    extra_points = {"double": term.amount, "plus_one": unwon, "none": 0}[after] if unwon else 0
    terms = (term, Term("unwon", NOBODY, extra_points)) if extra_points else (term,)
    sums = tuple(terms if side == winner % SIDES else () for side in range(SIDES))
    return RoundOver(how, winner, state.hands, sums)


def _last_tile(state: State, seat: int, cruzada: int) -> Term:
    """Return the worth of going out: 1, by a double 2, by a tile for two different ends 3, a double for both more."""
    last = last_tile(state)
    if last.tile.is_double:
        return Term("cruzada", seat, cruzada) if last.also_fitted_other_end else Term("double", seat, 2)
    return (
        Term("both_ends", seat, 3)
        if last.also_fitted_other_end and last.matched_end != last.other_end
        else Term("out", seat, 1)
    )


def _build(players: int, options: Options) -> LayoutRules:
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=SIDES,
        start=Start(
            hand=int(options["br.hand"]),
            opener=partial(fair_hands, opener=previous_winner, doubles=int(options["br.redeal"])),
        ),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(
            partial(
                settle,
                block=_BLOCK_OPTION.of(options),
                cruzada=int(options["br.cross"]),
                after=_AFTER_BLOCK_OPTION.of(options),
            )
        ),
        goal=Goal(target=int(options["target"])),
        drawing=Drawing(max_per_turn=0),
    )


_BLOCK_OPTION: Option[BlockWinner] = Option("br.block", ("team", "single", "void"), "who wins a blocked round")
_AFTER_BLOCK_OPTION: Option[AfterBlock] = Option(
    "br.tie", ("double", "plus_one", "none"), "the next round after a block that nobody won"
)

BRAZILIAN = Variant(
    id="brazilian",
    name=phrase("Brazilian"),
    pitch=phrase("Two against two to six points: how the last tile fits decides the score."),
    brief=phrase("last tile counts"),
    seats=(4, 4),
    options=(
        Option("br.hand", (7, 6), "tiles for each player"),
        Option("br.redeal", (4, 5, 0), "doubles in a hand that is dealt again"),
        _BLOCK_OPTION,
        _AFTER_BLOCK_OPTION,
        Option("br.cross", (4, 6), "what a cruzada is worth"),
        Option("target", (6, 7), "points that end the match"),
    ),
    build=_build,
)
