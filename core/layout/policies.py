"""The policies of layouts: matching halves, leads, payments, doubles that branch, and a centre.

Lines: `docs/rules` §2.1, §2.2; doubles that branch, the count of open ends and points in play: §2.3, §4.6, §4.9,
§4.12. Layouts that grow from a centre have their own lead, duties and settlement.
"""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from core.actions import RoundOver, Term
from core.layout.state import NOBODY, End, Layout, Opening, RoundContext, State, count_with_number, replace_end
from core.tiles import DOUBLES, Hand, Tile, pips, weight
from core.words import RoundEnd

OpenerKind = Literal["highest_double", "heaviest", "lot", "winner", "rotate", "lot_winner", "double_or_redeal"]
"""The leader of a round, and the lead."""
NoDouble = Literal["tile", "hand"]
"""The lead if no hand has a double: the heaviest tile, or any tile of the heaviest hand."""
AfterTie = Literal["highest_double", "lot"]
"""The lead after a round that nobody won, where the winner of the last one leads."""
Fewest = Literal["pips", "tiles"]
"""The unit of which the winner of a blocked round has fewest."""
BlockedScore = Literal["net", "gross", "boneyard"]
"""Payment for a blocked round: the others' pips less the winner's own, all of them, or those and the boneyard's."""
BlockedTie = Literal["none", "last_player", "share"]
"""The winner of a blocked round with several lightest hands."""


def equal_halves(tile: Tile, number: int) -> tuple[int, ...]:
    """Touching halves show the same number."""
    low, high = tile
    if low == number:
        return (high,)
    if high == number:
        return (low,)
    return ()


def two_ends(layout: Layout, ends: tuple[End, ...], target: End | None) -> tuple[End, ...]:
    """Return the ends of a line after a play at `target`, or after the lead (None): it is open at both ends."""
    if target is None:
        low, high = layout[0].tile
        return (End(0, 0, low), End(0, 1, high))
    new_end = End(len(layout) - 1, 1, layout[-1].out)
    left, right = ends
    return (new_end, right) if target is left else (left, new_end)


def one_end(layout: Layout, _ends: tuple[End, ...], target: End | None) -> tuple[End, ...]:
    """Return the one end of a line: first the half that its leader chooses, then the end of the last tile."""
    placed = layout[-1]
    side = 0 if target is None and placed.out == placed.tile.low < placed.tile.high else 1
    return (End(len(layout) - 1, side, placed.out),)


def highest_double(hands: tuple[Hand, ...], context: RoundContext, no_double: NoDouble = "tile") -> Opening:
    """The highest double in any hand must be led; without one the heaviest tile, or hand, leads."""
    doubles = [(tile, seat) for seat, hand in enumerate(hands) for tile in DOUBLES.intersection(hand)]
    if doubles:
        tile, seat = max(doubles)
        return Opening(seat, (tile,), "double")
    if no_double == "tile":
        return heaviest(hands, context)
    seat = max(range(len(hands)), key=lambda seat: (pips(hands[seat]), max(map(weight, hands[seat]))))
    return Opening(seat, hands[seat], "heaviest_hand")


def double_or_redeal(hands: tuple[Hand, ...], context: RoundContext) -> Opening:
    """The highest double in any hand must be led; without one the tiles are dealt again."""
    opening = highest_double(hands, context)
    return opening if opening.reason == "double" else Opening(NOBODY, (), "redeal")


def lowest_double_or_redeal(hands: tuple[Hand, ...], _context: RoundContext) -> Opening:
    """The lowest double in any hand must be led; without one the tiles are dealt again."""
    doubles = [(tile, seat) for seat, hand in enumerate(hands) for tile in DOUBLES.intersection(hand)]
    if not doubles:
        return Opening(NOBODY, (), "redeal")
    tile, seat = min(doubles)
    return Opening(seat, (tile,), "lowest_double")


def heaviest(hands: tuple[Hand, ...], _context: RoundContext) -> Opening:
    """The heaviest tile in any hand, double or not, must be led."""
    tile, seat = max(
        ((tile, seat) for seat, hand in enumerate(hands) for tile in hand),
        key=lambda held: weight(held[0]),
    )
    return Opening(seat, (tile,), "heaviest")


def by_lot(hands: tuple[Hand, ...], context: RoundContext) -> Opening:
    """A seat drawn by lot leads any tile."""
    return Opening(context.lot, hands[context.lot], "lot")


def previous_winner(
    hands: tuple[Hand, ...],
    context: RoundContext,
    no_double: NoDouble = "tile",
    after_tie: AfterTie = "highest_double",
) -> Opening:
    """The previous winner leads any tile; in the first round, and after a round that nobody won, the highest double
    leads.

    `after_tie` may replace that double by a seat drawn by lot after a round that nobody won.
    """
    if context.winner == NOBODY and context.leader != NOBODY and after_tie == "lot":
        return by_lot(hands, context)
    if context.winner == NOBODY:
        return highest_double(hands, context, no_double)
    return Opening(context.winner, hands[context.winner], "winner")


def first_held(
    hands: tuple[Hand, ...],
    context: RoundContext,
    *,
    tiles: tuple[Tile, ...],
    otherwise: Literal["lightest", "heaviest"],
) -> Opening:
    """The previous winner leads; before the first win, the holder of the first of `tiles` in any hand must lead it.

    If no hand has any, the heaviest tile leads, or the lightest: fewest pips, then the smaller bigger half.
    """
    if context.winner != NOBODY:
        return Opening(context.winner, hands[context.winner], "winner")
    for tile in tiles:
        for seat, hand in enumerate(hands):
            if tile in hand:
                return Opening(seat, (tile,), "first_tile")
    if otherwise == "heaviest":
        return heaviest(hands, context)
    tile, seat = min(
        ((tile, seat) for seat, hand in enumerate(hands) for tile in hand), key=lambda held: weight(held[0])
    )
    return Opening(seat, (tile,), "lightest")


def lot_then_winner(hands: tuple[Hand, ...], context: RoundContext) -> Opening:
    """The previous winner leads; in the first round, and after a round that nobody won, a seat drawn by lot does."""
    if context.winner == NOBODY:
        return by_lot(hands, context)
    return Opening(context.winner, hands[context.winner], "winner")


def in_rotation(hands: tuple[Hand, ...], context: RoundContext) -> Opening:
    """A seat drawn by lot leads the first round; then the lead moves to the next seat each round."""
    if context.leader == NOBODY:
        return by_lot(hands, context)
    seat = (context.leader + 1) % len(hands)
    return Opening(seat, hands[seat], "rotation")


def opener(
    kind: OpenerKind, no_double: NoDouble = "tile", after_tie: AfterTie = "highest_double"
) -> "partial[Opening]":
    """Return the opener of the option `opener`."""
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
    version_1: bool = False,
) -> RoundOver:
    """Pay the round to its winner: the pips of the other sides' hands (`docs/rules` §2.1, §2.2).

    `tie` matters only where pips decide. `version_1` applies that version of the rules.
    """
    hands = state.hands
    if () in hands:
        out_seat = hands.index(())
        return _win_result(hands, sides, "out", out_seat, _pips_of_others(hands, sides, out_seat % sides))
    weights = [0] * sides
    for seat, hand in enumerate(hands):
        weights[seat % sides] += len(hand) if blocked_winner == "tiles" else pips(hand)
    least = min(weights)
    tied = tuple([side for side in range(sides) if weights[side] == least])
    side = tied[0]
    if len(tied) > 1:
        if blocked_winner == "pips" and tie == "share":
            return _shared_result(hands, sides, tied)
        side = NOBODY
        if blocked_winner == "tiles" or tie == "last_player":
            side = next(
                (placed.seat % sides for placed in reversed(state.layout) if placed.seat % sides in tied), NOBODY
            )
        if side == NOBODY:
            return RoundOver("blocked", NOBODY, hands, ((),) * sides, tied)
    terms = _pips_of_others(hands, sides, side)
    if blocked_score == "boneyard" and state.boneyard:
        terms += (Term("boneyard", NOBODY, pips(state.boneyard)),)
    if blocked_score == "net":
        terms += _own_pips_terms(hands, sides, side, sum(term.amount for term in terms))
    winner = leader_of(state, sides, side, version_1=version_1)
    return _win_result(hands, sides, "blocked", winner, terms, tied if len(tied) > 1 else ())


def _pips_of_others(hands: tuple[Hand, ...], sides: int, side: int) -> tuple[Term, ...]:
    return tuple([Term("pips", seat, pips(hand)) for seat, hand in enumerate(hands) if seat % sides != side])


def _own_pips_terms(hands: tuple[Hand, ...], sides: int, side: int, limit: int) -> tuple[Term, ...]:
    """A net score deducts the winner's own pips, but never falls below 0."""
    terms = []
    for seat in range(side, len(hands), sides):
        amount = min(pips(hands[seat]), limit)
        limit -= amount
        terms.append(Term("own", seat, -amount))
    return tuple(terms)


def leader_of(state: State, sides: int, side: int, *, version_1: bool = False) -> int:
    """Return the seat of the winning side with the lighter hand; if equal, the one that laid a tile later
    (`docs/rules` §0).

    If neither laid a tile, it is the first from the round's leader on (§9); by rules of version 1, the first seat.
    """
    seats = range(side, len(state.hands), sides)
    if len(seats) == 1:
        return side
    least = min(pips(state.hands[seat]) for seat in seats)
    lightest_seats = [seat for seat in seats if pips(state.hands[seat]) == least]
    if version_1 and not any(placed.seat in lightest_seats for placed in state.layout):
        return lightest_seats[0]
    return last_to_lay(state, lightest_seats)


def last_to_lay(state: State, seats: Sequence[int]) -> int:
    """Return the seat of `seats` that laid a tile last; if none did, the first from the leader (`docs/rules` §9)."""
    first_from_leader = min(seats, key=lambda seat: (seat - state.leader) % len(state.hands))
    return next((placed.seat for placed in reversed(state.layout) if placed.seat in seats), first_from_leader)


def _win_result(
    hands: tuple[Hand, ...],
    sides: int,
    how: RoundEnd,
    winner: int,
    terms: tuple[Term, ...],
    tied: tuple[int, ...] = (),
) -> RoundOver:
    sums = tuple([terms if side == winner % sides else () for side in range(sides)])
    return RoundOver(how, winner, hands, sums, tied)


def _shared_result(hands: tuple[Hand, ...], sides: int, tied: tuple[int, ...]) -> RoundOver:
    """The tied sides share the pips of all other hands equally, rounded down, without deductions."""
    others = sum(pips(hand) for seat, hand in enumerate(hands) if seat % sides not in tied)
    share = (Term("share", NOBODY, others // len(tied)),)
    sums = tuple(share if side in tied else () for side in range(sides))
    return RoundOver("blocked", NOBODY, hands, sums, tied)


def all_write(state: State) -> RoundOver:
    """Each player writes their own pips once nobody can play; the lightest hand wins, and equal ones share that."""
    weights = list(map(pips, state.hands))
    winners = tuple([seat for seat, weight in enumerate(weights) if weight == min(weights)])
    sums = tuple([(Term("pips", seat, weight),) if weight else () for seat, weight in enumerate(weights)])
    has_one_winner = len(winners) == 1
    return RoundOver(
        "blocked", winners[0] if has_one_winner else NOBODY, state.hands, sums, () if has_one_winner else winners
    )


def loser_scores(state: State, *, block: RoundEnd) -> RoundOver:
    """All with the lightest hand win a block, named `block`; of these, the seat that laid a tile last leads next."""
    hands = state.hands
    weights = list(map(pips, hands))
    out_seat = next((seat for seat, hand in enumerate(hands) if not hand), NOBODY)
    winners = (
        [out_seat] if out_seat != NOBODY else [seat for seat, weight in enumerate(weights) if weight == min(weights)]
    )
    sums = tuple([() if seat in winners else (Term("pips", seat, weight),) for seat, weight in enumerate(weights)])
    tied = tuple(winners) if len(winners) > 1 else ()
    return RoundOver("out" if out_seat != NOBODY else block, last_to_lay(state, winners), hands, sums, tied)


LONG_SIDES, SHORT_ENDS = (0, 1), (2, 3)
FIVE = 5
"""The usual factor of a score."""
Spinners = Literal["none", "first", "sniff", "all", "enclosed"]
"""Doubles that branch; a `sniff` is the first double, with another count than a `first`. An `enclosed` spinner is the
first double with a tile on both long sides, not the first laid.
"""


def is_branching(layout: Layout, index: int, kind: Spinners) -> bool:
    """Return True if a placed tile is a double that branches."""
    low, high = layout[index].tile  # not `is_double`: this is a hot path, and no such line has wild tiles
    if low != high or kind == "none":
        return False
    if kind == "enclosed":
        return index == first_enclosed(layout)
    return kind == "all" or not any(placed.tile.low == placed.tile.high for placed in layout[:index])


def first_enclosed(layout: Layout) -> int:
    """Return the first double that had a tile on both its long sides; -1 if there is none yet."""
    sides = [int(placed.on >= 0) for placed in layout]
    for placed in layout:
        if placed.on >= 0 and placed.side in LONG_SIDES and layout[placed.on].tile.is_double:
            sides[placed.on] += 1
            if sides[placed.on] == 2:
                return placed.on
    return NOBODY


def count_covered(layout: Layout, index: int, sides: tuple[int, ...]) -> int:
    """Return the number of these sides of a placed tile that have a neighbour."""
    placed = layout[index]
    is_covered_by_parent = placed.on >= 0 and 0 in sides
    return is_covered_by_parent + sum(1 for other in layout if other.on == index and other.side in sides)


def branching_ends(
    layout: Layout, ends: tuple[End, ...], target: End | None, *, spinners: Spinners
) -> tuple[End, ...]:
    """A line whose spinners open their long sides first, then, once both are covered, their short ends."""
    if target is None:
        return two_ends(layout, ends, target)
    ends = replace_end(layout, ends, target)
    placed = layout[-1]
    parent = layout[placed.on]
    if (
        placed.side in LONG_SIDES
        and is_branching(layout, placed.on, spinners)
        and count_covered(layout, placed.on, LONG_SIDES) == 2
    ):
        ends += tuple(End(placed.on, side, parent.out) for side in SHORT_ENDS)
    return ends


def count(layout: Layout, ends: tuple[End, ...], *, spinners: Spinners) -> tuple[int, ...]:
    """Return the pips that count at the open ends, one number for each tile there.

    A double counts both halves. A spinner with both long sides covered counts only through the tiles on it. A `sniff`
    counts both halves while up to two of its sides are covered, and one half at three.
    """
    counts: dict[int, int] = {}
    for end in ends:
        low, high = layout[end.at].tile
        if low != high:
            counts[end.at] = counts.get(end.at, 0) + end.pips
        elif not is_branching(layout, end.at, spinners):
            counts[end.at] = 2 * low
        elif spinners == "sniff":
            counts[end.at] = low * (2 if count_covered(layout, end.at, LONG_SIDES + SHORT_ENDS) < 3 else 1)
        elif count_covered(layout, end.at, LONG_SIDES) < 2:
            counts[end.at] = 2 * low
    return tuple(counts.values())


def multiples(state: State, *, spinners: Spinners, factor: int = FIVE, unit: int = 1) -> tuple[int, tuple[int, ...]]:
    """Return the points of the open ends, and their pips: a multiple of `factor` scores a point for every `unit`
    pips.
    """
    terms = count(state.layout, state.ends, spinners=spinners)
    total = sum(terms)
    return (total // unit if total % factor == 0 else 0), terms


def fives_and_threes(state: State) -> tuple[int, tuple[int, ...]]:
    """The count scores a point for every five in it if it is a multiple of five, and the same for three."""
    terms = count(state.layout, state.ends, spinners="none")
    total = sum(terms)
    return sum(total // number for number in (3, 5) if total % number == 0), terms


def up_to_five(number: int) -> int:
    """Return the next multiple of five, or the number itself if it is one."""
    return -(-number // FIVE) * FIVE


def nearest(number: int, factor: int = FIVE) -> int:
    """Return the nearest multiple of `factor` (`docs/rules` §0)."""
    return (number + factor // 2) // factor * factor


def bonus(
    state: State, *, sides: int, round_each_hand: bool, factor: int = FIVE, version_1: bool = False
) -> RoundOver:
    """The winner of the round scores the other sides' pips to the nearest multiple; if blocked, less their own."""
    hands = state.hands
    winner, how, tied = round_winner(state, sides, version_1=version_1)
    if winner == NOBODY:
        return RoundOver(how, NOBODY, hands, ((),) * sides, tied)
    side = winner % sides
    other_seats = [seat for seat in range(len(hands)) if seat % sides != side]
    own_seats = list(range(side, len(hands), sides)) if how == "blocked" else []
    values = [nearest(pips(hand), factor) if round_each_hand else pips(hand) for hand in hands]
    terms = [Term("pips", seat, values[seat]) for seat in other_seats] + [
        Term("own", seat, -values[seat]) for seat in own_seats
    ]
    total = sum(term.amount for term in terms)
    paid_points = max(0, total if round_each_hand else nearest(total, factor))
    if paid_points != total:
        terms.append(Term("rounded", NOBODY, paid_points - total))
    sums = tuple(tuple(terms) if other_side == side else () for other_side in range(sides))
    return RoundOver(how, winner, hands, sums)


def subtract(state: State, *, sides: int, factor: int = FIVE, unit: int = 1, version_1: bool = False) -> RoundOver:
    """Return the result of a round: each side loses the pips of its hands, in units of `unit` pips.

    The pips of a hand are rounded to the nearest multiple of `factor`. `version_1` decides ties as version 1 of the
    rules did.
    """
    hands = state.hands
    winner, how, tied = round_winner(state, sides, version_1=version_1)
    sums = tuple(
        tuple(
            Term("own", seat, -(nearest(pips(hands[seat]), factor) // unit))
            for seat in range(side, len(hands), sides)
            if hands[seat]
        )
        for side in range(sides)
    )
    return RoundOver(how, winner, hands, sums, tied)


def going_out(state: State, *, sides: int, version_1: bool = False) -> RoundOver:
    """Going out scores 1, with partners once both are out; a blocked round scores 0 (`docs/rules` §4.6, §9).

    By rules of version 1, the seat that laid the last tile of its hand was out alone, and nobody won a blocked round.
    """
    hands: tuple[Hand, ...] = state.hands
    winner, how, tied = round_winner(state, sides, together=not version_1, version_1=version_1)
    if how == "blocked" and version_1:
        winner = NOBODY
    if how == "blocked":
        return RoundOver(how, winner, hands, ((),) * sides, tied)
    sums = tuple((Term("out", winner, 1),) if side == winner % sides else () for side in range(sides))
    return RoundOver(how, winner, hands, sums)


def round_winner(
    state: State, sides: int, *, together: bool = False, version_1: bool = False
) -> tuple[int, RoundEnd, tuple[int, ...]]:
    """Return the seat that goes out, or the leader of the lightest side; -1 and the tied sides if several are
    lightest.

    `together`: partners play on until both are out, so a side that still holds tiles is not out.
    """
    hands = state.hands
    out_seat = next((placed.seat for placed in reversed(state.layout) if placed.seat >= 0), NOBODY)
    if out_seat != NOBODY and not any(
        hands[out_seat % sides :: sides] if together else hands[out_seat : out_seat + 1]
    ):
        return out_seat, "out", ()
    weights = [sum(map(pips, hands[side::sides])) for side in range(sides)]
    tied = tuple(side for side in range(sides) if weights[side] == min(weights))
    if len(tied) > 1:
        return NOBODY, "blocked", tied
    return leader_of(state, sides, tied[0], version_1=version_1), "blocked", ()


BLANK = Tile(0, 0)
NextLeader = Literal["winner", "rotate"]
"""The leader after the first round: the previous winner, or the next seat."""


def round_leader(seats: int, context: RoundContext, policy: NextLeader) -> int:
    """Return the leader of a round: first by lot, then by the policy."""
    if context.leader == NOBODY:
        return context.lot
    if policy == "rotate":
        return (context.leader + 1) % seats
    return context.winner if context.winner != NOBODY else context.leader


def holder_or_search(
    hands: tuple[Hand, ...], centre: Tile, leader: int, next_seat: int = NOBODY, substitutes: Hand = ()
) -> Opening:
    """The seat that holds the centre lays it; if none does, the leader and then each seat in turn draws for it.

    A tile of `substitutes` is laid if no hand has the centre, or if it is found first, and shows the centre's number.
    """
    for tile in (centre, *substitutes):
        for seat, hand in enumerate(hands):
            if tile in hand:
                return Opening(seat, (tile,), "centre", next_seat=next_seat, leader=leader, shows=centre.high)
    wanted = (centre, *substitutes)
    return Opening(leader, (), "found", wanted=wanted, next_seat=next_seat, leader=leader, shows=centre.high)


def arm_ends(layout: Layout, ends: tuple[End, ...], target: End | None, *, arms: int) -> tuple[End, ...]:
    """The centre opens its arms; every other tile continues its arm."""
    if target is None:
        return tuple(End(0, arm, layout[0].out) for arm in range(arms))
    return replace_end(layout, ends, target)


def owed_arms(layout: Layout, *, arms: int) -> int:
    """The centre is owed its arms; no other tile is owed anything."""
    return arms if len(layout) == 1 else 0


def all_copies_laid(layout: Layout, index: int, copies: int) -> bool:
    """Return True if all `copies` tiles with the number of a placed double are on the table, so that none can answer
    it.
    """
    return count_with_number(layout, layout[index].tile.low) >= copies


def hand_terms(hand: Hand, seat: int, zero_zero: int, star: int = 0, blank_half: int = 0) -> tuple[Term, ...]:
    """Return the count of a hand: its pips, plus 0-0, blank halves of other tiles and wild halves; no terms of 0."""
    terms = (
        Term("pips", seat, sum(tile.pips for tile in hand)),
        Term("blank", seat, zero_zero * hand.count(BLANK)),
        Term("blank_halves", seat, blank_half * sum(tile.low == 0 != tile.high for tile in hand)),
        Term("star", seat, star * sum(tile.wild_halves for tile in hand)),
    )
    return tuple(term for term in terms if term.amount)


def own_pips(state: State, *, zero_zero: int, star: int = 0, blank_half: int = 0) -> RoundOver:
    """Each seat's own count is against it; the winner leads if a rule says so (`docs/rules` §2.4, §2.5, §C.14)."""
    sums = tuple(hand_terms(hand, seat, zero_zero, star, blank_half) for seat, hand in enumerate(state.hands))
    counts = [sum(term.amount for term in terms) for terms in sums]
    out_seat = next((seat for seat, hand in enumerate(state.hands) if not hand), NOBODY)
    if out_seat != NOBODY:
        return RoundOver("out", out_seat, state.hands, sums)
    return RoundOver("blocked", lightest(state, counts), state.hands, sums)


def lightest(state: State, counts: list[int]) -> int:
    """Return the seat with the lowest count; of equal ones the first clockwise after the round's leader."""
    leader = state.opening.leader if state.opening.leader != NOBODY else state.opening.seat
    seats = len(counts)
    return min(range(seats), key=lambda seat: (counts[seat], (seat - leader - 1) % seats))
