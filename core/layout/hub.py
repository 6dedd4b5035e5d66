"""Layouts that grow from a centre: finding it, what is owed to it, and paying for one's own pips."""

from typing import Literal

from core.actions import RoundOver, Term
from core.layout.state import NOBODY, Before, End, Layout, Opening, State, bearing, carried_on
from core.tiles import Hand, Tile

BLANK = Tile(0, 0)
NextLeader = Literal["winner", "rotate"]
"""Who leads after the first round: the previous winner, or the next seat."""


def round_leader(seats: int, before: Before, policy: NextLeader) -> int:
    """Who leads a round: by lot first, then by the policy."""
    if before.leader == NOBODY:
        return before.lot
    if policy == "rotate":
        return (before.leader + 1) % seats
    return before.winner if before.winner != NOBODY else before.leader


def holder_or_search(
    hands: tuple[Hand, ...], centre: Tile, leader: int, then: int = NOBODY, instead: Hand = ()
) -> Opening:
    """The seat that holds the centre lays it; if nobody does, the leader and then each seat in turn draws for it.

    What may be laid `instead` is laid if nobody holds the centre, or if it is found first, and shows its number.
    """
    for tile in (centre, *instead):
        for seat, hand in enumerate(hands):
            if tile in hand:
                return Opening(seat, (tile,), "centre", then=then, leader=leader, shows=centre.high)
    wanted = (centre, *instead)
    return Opening(leader, (), "found", wanted=wanted, then=then, leader=leader, shows=centre.high)


def arms_of(layout: Layout, ends: tuple[End, ...], on: End | None, *, arms: int) -> tuple[End, ...]:
    """The centre opens its arms, every other tile carries its arm on."""
    if on is None:
        return tuple(End(0, arm, layout[0].out) for arm in range(arms))
    return carried_on(layout, ends, on)


def owes_arms(layout: Layout, *, arms: int) -> int:
    """The centre is owed its arms, nothing else anything."""
    return arms if len(layout) == 1 else 0


def all_out(layout: Layout, at: int, copies: int) -> bool:
    """Whether all `copies` tiles with the number of a placed double are on the table, so that none can answer it."""
    return bearing(layout, layout[at].tile.low) >= copies


def counted(hand: Hand, seat: int, zero_zero: int, star: int = 0, blank_half: int = 0) -> tuple[Term, ...]:
    """What a hand counts: its pips, and apart from these 0-0, blank halves of others and wild halves; no nought."""
    terms = (
        Term("pips", seat, sum(tile.pips for tile in hand)),
        Term("blank", seat, zero_zero * hand.count(BLANK)),
        Term("blank_halves", seat, blank_half * sum(tile.low == 0 != tile.high for tile in hand)),
        Term("star", seat, star * sum(tile.wild_halves for tile in hand)),
    )
    return tuple(term for term in terms if term.amount)


def own_pips(state: State, *, zero_zero: int, star: int = 0, blank_half: int = 0) -> RoundOver:
    """Each seat's own count is against it; the winner leads if the rules say so (`docs/rules` §2.4, §2.5, §C.14)."""
    sums = tuple(counted(hand, seat, zero_zero, star, blank_half) for seat, hand in enumerate(state.hands))
    counts = [sum(term.amount for term in terms) for terms in sums]
    out = next((seat for seat, hand in enumerate(state.hands) if not hand), NOBODY)
    if out != NOBODY:
        return RoundOver("out", out, state.hands, sums)
    return RoundOver("blocked", lightest(state, counts), state.hands, sums)


def lightest(state: State, counts: list[int]) -> int:
    """The seat with the lowest count; of equal ones the first clockwise after the round's leader."""
    leader = state.opening.leader if state.opening.leader != NOBODY else state.opening.seat
    seats = len(counts)
    return min(range(seats), key=lambda seat: (counts[seat], (seat - leader - 1) % seats))
