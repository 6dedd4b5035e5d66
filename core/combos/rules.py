"""The engine of all games of combinations: leads, beats and payments (`docs/rules` §C.6)."""

from collections import Counter
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Beat, Event, Hid, Hide, Lead, Matched, RoundOver, Scored, Term, Took
from core.combos.state import (
    ComboState,
    ComboTrick,
    ComboView,
    LaidCombo,
    best_of,
    cut_trick,
    hand_parts,
    is_supreme,
    leads,
    tricks_taken,
    winning_combos,
)
from core.layout.state import NOBODY, Goal, RoundContext
from core.tiles import Hand, Tile, tile
from core.words import Illegal, ScoreReason, words

Banker = Literal["fixed", "rising"]
"""The banker's payments count twice, or once more with each round in a row as banker."""
NO_TRICK_PAYMENT, EVEN_SHARE = 5, 4
"""Payment of a seat that took nothing, and the number from which its tricks are subtracted otherwise."""


def payment_due(taken: int) -> int:
    """Return the amount that a seat pays for `taken` tricks; negative if the seat is paid."""
    return EVEN_SHARE - taken if taken else NO_TRICK_PAYMENT


def settlement(
    taken: tuple[int, ...], winner: int, banker: int, *, rule: Banker = "fixed", in_a_row: int = 1, times: int = 1
) -> tuple[tuple[Term, ...], ...]:
    """Return the terms of each seat's score. `in_a_row` is the number of rounds in a row for the same banker.

    Payments to the winner are multiplied by `times`.
    """
    terms_by_seat: list[list[Term]] = [[] for _ in taken]
    for seat, tricks in enumerate(taken):
        amount = payment_due(tricks)
        if seat == winner or not amount:
            continue
        if banker in (seat, winner):
            amount *= _factor(rule, in_a_row, lost_but_paid=seat == banker and amount < 0)
        if amount > 0:
            amount *= times
        terms_by_seat[seat].append(Term("paid" if amount > 0 else "got", winner, -amount))
        terms_by_seat[winner].append(Term("got" if amount > 0 else "paid", seat, amount))
    return tuple(map(tuple, terms_by_seat))


def _factor(rule: Banker, in_a_row: int, *, lost_but_paid: bool) -> int:
    """Return the banker's factor. `lost_but_paid`: the banker lost the last trick, but is paid."""
    if rule == "fixed":
        return 2
    return 1 if lost_but_paid else in_a_row + 1


def bonus(
    payee: int, banker: int, amount: int, *, rule: Banker = "fixed", in_a_row: int = 1, seats: int = 4
) -> tuple[int, ...]:
    """Return by seat an immediate payment of all others to `payee`, with the banker's factor."""
    factor = _factor(rule, in_a_row, lost_but_paid=False)
    points = [-amount * (factor if banker in (seat, payee) else 1) if seat != payee else 0 for seat in range(seats)]
    points[payee] = -sum(points)
    return tuple(points)


SEATS, HAND_SIZE = 4, 8
LOWEST_SINGLE = tile("2|1")
"""The single tile that doubles the round if it wins the last trick, with bonuses."""


class ComboRules(Struct, frozen=True):
    """A game of combinations as a value."""

    tiles: tuple[Tile, ...]
    """The set, ascending."""
    goal: Goal
    mixed: bool = True
    """True if civil and military tiles may be laid together."""
    early_death: bool = True
    """True if a seat that has taken nothing may not beat a single tile that is the last trick."""
    banker: Banker = "fixed"
    bonus: bool = False
    """True if supreme pairs and tricks of four pay at once, and some last tricks pay more."""
    seats: int = SEATS
    sides: int = SEATS
    """Scores kept: one for each seat."""

    def deal(self, order: tuple[Tile, ...], context: RoundContext) -> ComboState:
        """Start a round: the banker leads, drawn by lot at first, and then the winner of the last round."""
        hands = tuple(tuple(sorted(order[seat * HAND_SIZE : (seat + 1) * HAND_SIZE])) for seat in range(self.seats))
        banker = context.lot if context.winner == NOBODY else context.winner
        in_a_row = context.carry[0] if context.carry else 1
        return self.complete(ComboState(hands, banker, banker, context, in_a_row))

    def legal(self, state: ComboState) -> tuple[Action, ...]:
        return state.legal

    def apply(self, state: ComboState, action: Action) -> tuple[ComboState, tuple[Event, ...]]:
        if action not in state.legal or not isinstance(action, Lead | Beat | Hide):
            raise Illegal(words("That is not possible now."))
        seat, is_face_up = state.turn, not isinstance(action, Hide)
        remaining_hand = tuple(sorted((Counter(state.hands[seat]) - Counter(action.tiles)).elements()))
        hands = (*state.hands[:seat], remaining_hand, *state.hands[seat + 1 :])
        trick = (*state.trick, LaidCombo(seat, action.tiles, is_face_up))
        events: tuple[Event, ...] = (
            Matched(seat, action.tiles, isinstance(action, Beat))
            if is_face_up
            else Hid(seat, len(action.tiles), action.tiles),
        )
        after = replace(state, hands=hands, trick=trick, turn=(seat + 1) % self.seats, legal=())
        if isinstance(action, Lead) and is_supreme(action.tiles) and remaining_hand:
            events += self._immediate_payments(state, seat, 2)
        if len(trick) == self.seats:
            winner = best_of(trick).seat
            finished_trick = ComboTrick(trick, winner)
            after = replace(after, trick=(), tricks=(*state.tricks, finished_trick), turn=winner)
            events += (Took(winner, finished_trick.size, ()),)
            if finished_trick.size == HAND_SIZE // 2 and any(hands):
                events += self._immediate_payments(state, winner, 4)
        after = self.complete(after)
        return after, (*events, after.result) if after.result else events

    def complete(self, state: ComboState) -> ComboState:
        """Add to a position the legal actions, or the result if it is the end of the round."""
        hand = state.hands[state.turn]
        if not any(state.hands):
            return replace(state, legal=(), result=self._result(state))
        legal: tuple[Action, ...]
        if not state.trick:
            legal = tuple([Lead(part) for part in leads(hand, mixed=self.mixed)])
        else:
            best = best_of(state.trick).tiles
            hides = tuple([Hide(part) for part in hand_parts(hand, len(best))])
            beats = () if self.must_hide(state, state.turn) else winning_combos(hand, best, mixed=self.mixed)
            legal = (*(Beat(part) for part in beats), *hides)
        return replace(state, legal=legal)

    def must_hide(self, state: ComboState, seat: int) -> bool:
        """Return True if a seat must lay face down: it has taken no trick, and the last one is led with a single
        tile.
        """
        if not self.early_death or not state.trick or len(state.trick[0].tiles) > 1 or seat == state.trick[0].seat:
            return False
        return not state.hands[state.trick[0].seat] and not tricks_taken(state.tricks, self.seats)[seat]

    def view(self, state: ComboState, seat: int) -> ComboView:
        is_over = state.result is not None
        return ComboView(
            seat=seat,
            hand=state.hands[seat] if seat != NOBODY else (),
            counts=tuple(map(len, state.hands)),
            banker=state.banker,
            in_a_row=state.in_a_row,
            turn=NOBODY if is_over else state.turn,
            trick=cut_trick(state.trick, seat, is_over=is_over),
            tricks=tuple(
                ComboTrick(cut_trick(trick.puts, seat, is_over=is_over), trick.winner) for trick in state.tricks
            ),
            legal=state.legal if seat == state.turn else (),
            result=state.result,
            bound=seat == state.turn and self.must_hide(state, seat),
            highest=self.tiles[-1].high,
        )

    def _immediate_payments(self, state: ComboState, seat: int, amount: int) -> tuple[Event, ...]:
        """Return each seat's points from a bonus that all others pay at once to `seat`; empty without bonuses."""
        if not self.bonus:
            return ()
        paid = bonus(seat, state.banker, amount, rule=self.banker, in_a_row=state.in_a_row)
        reason: ScoreReason = "supreme" if amount == 2 else "four_tiles"
        return tuple(Scored(payer, points, reason=reason) for payer, points in enumerate(paid))

    def _result(self, state: ComboState) -> RoundOver:
        last_trick = state.tricks[-1]
        winning_tiles: Hand = best_of(last_trick.puts).tiles
        times = 1
        if self.bonus:
            is_lowest = len(winning_tiles) == 1 and winning_tiles[0] == LOWEST_SINGLE
            times = 4 if last_trick.size == HAND_SIZE // 2 else 2 if is_supreme(winning_tiles) or is_lowest else 1
        terms_by_seat = settlement(
            tricks_taken(state.tricks, self.seats),
            last_trick.winner,
            state.banker,
            rule=self.banker,
            in_a_row=state.in_a_row,
            times=times,
        )
        in_a_row = state.in_a_row + 1 if last_trick.winner == state.banker else 1
        return RoundOver("last_trick", last_trick.winner, state.down, terms_by_seat, carry=(in_a_row,))
