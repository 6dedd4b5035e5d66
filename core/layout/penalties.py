"""Rounds that are paid by penalties: the losers, or all, write the pips they hold (`docs/rules` §4.2, §C.16)."""

from core.actions import RoundOver, Term
from core.layout.line import latest
from core.layout.placed import NOBODY
from core.layout.state import State
from core.tiles import pips
from core.vocabulary import RoundEnd


def all_write(state: State) -> RoundOver:
    """Everybody writes the pips they hold once nobody can play; the lightest hand wins, and equal ones share that."""
    weights = list(map(pips, state.hands))
    won = tuple([seat for seat, weight in enumerate(weights) if weight == min(weights)])
    sums = tuple([(Term("pips", seat, weight),) if weight else () for seat, weight in enumerate(weights)])
    alone = len(won) == 1
    return RoundOver("blocked", won[0] if alone else NOBODY, state.hands, sums, () if alone else won)


def losers_write(state: State, *, block: RoundEnd) -> RoundOver:
    """All with the lightest hand win a block, called `block`; of these, the one that laid a tile last leads next."""
    hands = state.hands
    weights = list(map(pips, hands))
    out = next((seat for seat, hand in enumerate(hands) if not hand), NOBODY)
    won = [out] if out != NOBODY else [seat for seat, weight in enumerate(weights) if weight == min(weights)]
    sums = tuple([() if seat in won else (Term("pips", seat, weight),) for seat, weight in enumerate(weights)])
    tied = tuple(won) if len(won) > 1 else ()
    return RoundOver("out" if out != NOBODY else block, latest(state, won), hands, sums, tied)
