"""The policies of line games: how halves meet, who leads, who is paid what (`docs/rules` §2.1, §2.2)."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from core.actions import RoundOver, Term
from core.layout.state import NOBODY, Before, End, Layout, Opening, State
from core.options import RULES
from core.tiles import DOUBLES, Hand, Tile, pips, weight
from core.vocabulary import RoundEnd

OpenerKind = Literal["highest_double", "heaviest", "lot", "winner", "rotate", "lot_winner", "double_or_redeal"]
"""Who leads a round, and with what."""
NoDouble = Literal["tile", "hand"]
"""Which tile leads if nobody has a double: the heaviest tile, or any tile of the heaviest hand."""
AfterTie = Literal["highest_double", "lot"]
"""What leads after a round that nobody won, where the winner of the last one leads."""
Fewest = Literal["pips", "tiles"]
"""What the winner of a blocked round has fewest of."""
BlockedScore = Literal["net", "gross", "boneyard"]
"""What a blocked round pays: the others' pips less the winner's own, all of them, or those and the boneyard's."""
BlockedTie = Literal["none", "last_player", "share"]
"""Who wins a blocked round when the lightest are equal."""


def equal_halves(tile: Tile, shown: int) -> tuple[int, ...]:
    """Touching halves show the same number."""
    low, high = tile
    if low == shown:
        return (high,)
    if high == shown:
        return (low,)
    return ()


def two_ends(layout: Layout, ends: tuple[End, ...], on: End | None) -> tuple[End, ...]:
    """A line is open at its two ends, whatever lies there; doubles have no special power."""
    if on is None:
        low, high = layout[0].tile
        return (End(0, 0, low), End(0, 1, high))
    new = End(len(layout) - 1, 1, layout[-1].out)
    left, right = ends
    return (new, right) if on is left else (left, new)


def one_end(layout: Layout, _ends: tuple[End, ...], on: End | None) -> tuple[End, ...]:
    """A line is open at one end only: first at the half that its leader says, then at the last tile."""
    placed = layout[-1]
    side = 0 if on is None and placed.out == placed.tile.low < placed.tile.high else 1
    return (End(len(layout) - 1, side, placed.out),)


def highest_double(hands: tuple[Hand, ...], before: Before, no_double: NoDouble = "tile") -> Opening:
    """The highest double in any hand must be led; without one the heaviest tile, or hand, leads."""
    doubles = [(tile, seat) for seat, hand in enumerate(hands) for tile in DOUBLES.intersection(hand)]
    if doubles:
        tile, seat = max(doubles)
        return Opening(seat, (tile,), "double")
    if no_double == "tile":
        return heaviest(hands, before)
    seat = max(range(len(hands)), key=lambda seat: (pips(hands[seat]), max(map(weight, hands[seat]))))
    return Opening(seat, hands[seat], "heaviest_hand")


def double_or_redeal(hands: tuple[Hand, ...], before: Before) -> Opening:
    """The highest double in any hand must be led; without one the tiles are dealt again."""
    opening = highest_double(hands, before)
    return opening if opening.reason == "double" else Opening(NOBODY, (), "redeal")


def lowest_double_or_redeal(hands: tuple[Hand, ...], _before: Before) -> Opening:
    """The lowest double in any hand must be led; without one the tiles are dealt again."""
    doubles = [(tile, seat) for seat, hand in enumerate(hands) for tile in DOUBLES.intersection(hand)]
    if not doubles:
        return Opening(NOBODY, (), "redeal")
    tile, seat = min(doubles)
    return Opening(seat, (tile,), "lowest_double")


def heaviest(hands: tuple[Hand, ...], _before: Before) -> Opening:
    """The heaviest tile in any hand, double or not, must be led."""
    tile, seat = max(
        ((tile, seat) for seat, hand in enumerate(hands) for tile in hand),
        key=lambda held: weight(held[0]),
    )
    return Opening(seat, (tile,), "heaviest")


def by_lot(hands: tuple[Hand, ...], before: Before) -> Opening:
    """A seat drawn by lot leads any tile."""
    return Opening(before.lot, hands[before.lot], "lot")


def previous_winner(
    hands: tuple[Hand, ...], before: Before, no_double: NoDouble = "tile", after_tie: AfterTie = "highest_double"
) -> Opening:
    """The previous winner leads any tile; in the first round, and after one nobody won, the highest double leads.

    After one that nobody won it may be a seat drawn by lot instead.
    """
    if before.winner == NOBODY and before.leader != NOBODY and after_tie == "lot":
        return by_lot(hands, before)
    if before.winner == NOBODY:
        return highest_double(hands, before, no_double)
    return Opening(before.winner, hands[before.winner], "winner")


def first_held(
    hands: tuple[Hand, ...], before: Before, *, tiles: tuple[Tile, ...], otherwise: Literal["lightest", "heaviest"]
) -> Opening:
    """The previous winner leads; without one whoever holds the first of `tiles` that anybody holds must lead it.

    If nobody holds any, the heaviest tile leads, or the lightest: fewest pips, then the smaller bigger half.
    """
    if before.winner != NOBODY:
        return Opening(before.winner, hands[before.winner], "winner")
    for tile in tiles:
        for seat, hand in enumerate(hands):
            if tile in hand:
                return Opening(seat, (tile,), "first_tile")
    if otherwise == "heaviest":
        return heaviest(hands, before)
    tile, seat = min(
        ((tile, seat) for seat, hand in enumerate(hands) for tile in hand), key=lambda held: weight(held[0])
    )
    return Opening(seat, (tile,), "lightest")


def lot_then_winner(hands: tuple[Hand, ...], before: Before) -> Opening:
    """The previous winner leads; in the first round, and after one that nobody won, a seat drawn by lot."""
    if before.winner == NOBODY:
        return by_lot(hands, before)
    return Opening(before.winner, hands[before.winner], "winner")


def in_rotation(hands: tuple[Hand, ...], before: Before) -> Opening:
    """The first leader is drawn by lot, then the lead moves to the next seat each round."""
    if before.leader == NOBODY:
        return by_lot(hands, before)
    seat = (before.leader + 1) % len(hands)
    return Opening(seat, hands[seat], "rotation")


def opener(
    kind: OpenerKind, no_double: NoDouble = "tile", after_tie: AfterTie = "highest_double"
) -> "partial[Opening]":
    """Return the opener that the option `opener` names."""
    policies: dict[OpenerKind, partial[Opening]] = {
        "highest_double": partial(highest_double, no_double=no_double),
        "heaviest": partial(heaviest),
        "lot": partial(by_lot),
        "winner": partial(previous_winner, no_double=no_double, after_tie=after_tie),
        "rotate": partial(in_rotation),
        "lot_winner": partial(lot_then_winner),
        "double_or_redeal": partial(double_or_redeal),
    }
    return policies[kind]


def collect(
    state: State,
    *,
    sides: int,
    blocked_winner: Fewest,
    blocked_score: BlockedScore,
    tie: BlockedTie,
    rules: int = RULES,
) -> RoundOver:
    """Pay the round to its winner: the pips of the other side's hands (`docs/rules` §2.1, §2.2).

    `tie` is read only where pips decide.
    """
    hands = state.hands
    if () in hands:
        out = hands.index(())
        return _paid(hands, sides, "out", out, _pips_of_others(hands, sides, out % sides))
    weights = [0] * sides
    for seat, hand in enumerate(hands):
        weights[seat % sides] += len(hand) if blocked_winner == "tiles" else pips(hand)
    least = min(weights)
    tied = tuple([side for side in range(sides) if weights[side] == least])
    side = tied[0]
    if len(tied) > 1:
        if blocked_winner == "pips" and tie == "share":
            return _shared(hands, sides, tied)
        side = NOBODY
        if blocked_winner == "tiles" or tie == "last_player":
            side = next((p.seat % sides for p in reversed(state.layout) if p.seat % sides in tied), NOBODY)
        if side == NOBODY:
            return RoundOver("blocked", NOBODY, hands, ((),) * sides, tied)
    terms = _pips_of_others(hands, sides, side)
    if blocked_score == "boneyard" and state.boneyard:
        terms += (Term("boneyard", NOBODY, pips(state.boneyard)),)
    if blocked_score == "net":
        terms += _own(hands, sides, side, sum(term.amount for term in terms))
    return _paid(
        hands, sides, "blocked", leader_of(state, sides, side, rules=rules), terms, tied if len(tied) > 1 else ()
    )


def _pips_of_others(hands: tuple[Hand, ...], sides: int, side: int) -> tuple[Term, ...]:
    return tuple([Term("pips", seat, pips(hand)) for seat, hand in enumerate(hands) if seat % sides != side])


def _own(hands: tuple[Hand, ...], sides: int, side: int, most: int) -> tuple[Term, ...]:
    """A net score deducts the winner's own pips, but never falls below nothing."""
    terms = []
    for seat in range(side, len(hands), sides):
        amount = min(pips(hands[seat]), most)
        most -= amount
        terms.append(Term("own", seat, -amount))
    return tuple(terms)


def leader_of(state: State, sides: int, side: int, *, rules: int = RULES) -> int:
    """The seat of the winning side with the lighter hand; if equal, the one that laid a tile later (`docs/rules` §0).

    If both have laid nothing, it is the first one from the round's leader on (§9); by rules of version 1, the first.
    """
    seats = range(side, len(state.hands), sides)
    if len(seats) == 1:
        return side
    least = min(pips(state.hands[seat]) for seat in seats)
    light = [seat for seat in seats if pips(state.hands[seat]) == least]
    if rules == 1 and not any(placed.seat in light for placed in state.layout):
        return light[0]
    return latest(state, light)


def latest(state: State, seats: Sequence[int]) -> int:
    """Of some seats the one that laid a tile last; if none did, the first from the leader on (`docs/rules` §9)."""
    first = min(seats, key=lambda seat: (seat - state.leader) % len(state.hands))
    return next((placed.seat for placed in reversed(state.layout) if placed.seat in seats), first)


def _paid(
    hands: tuple[Hand, ...],
    sides: int,
    how: RoundEnd,
    winner: int,
    terms: tuple[Term, ...],
    tied: tuple[int, ...] = (),
) -> RoundOver:
    sums = tuple([terms if side == winner % sides else () for side in range(sides)])
    return RoundOver(how, winner, hands, sums, tied)


def _shared(hands: tuple[Hand, ...], sides: int, tied: tuple[int, ...]) -> RoundOver:
    """The tied sides split the pips of all other hands equally, rounded down; nothing is deducted."""
    others = sum(pips(hand) for seat, hand in enumerate(hands) if seat % sides not in tied)
    share = (Term("share", NOBODY, others // len(tied)),)
    sums = tuple(share if side in tied else () for side in range(sides))
    return RoundOver("blocked", NOBODY, hands, sums, tied)


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
