"""The engine of all trick games. They differ in the fields of `TrickRules` only (`docs/rules` §2.6, §C.11)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.actions import (
    Action,
    Bade,
    Bid,
    Buried,
    Bury,
    Drew,
    Event,
    Laid,
    Lay,
    Name,
    Named,
    Pass,
    Passed,
    RoundOver,
    Term,
    Took,
)
from core.layout.state import NOBODY, Goal, RoundContext
from core.tiles import Hand, Tile
from core.tricks.state import (
    MARK,
    NO_SUIT,
    NO_TRUMPS,
    Call,
    Trick,
    TrickState,
    TrickView,
    layable_tiles,
    suit_of,
    tile_points,
    tricks_and_counts,
    trump_suit,
    winning_tile,
    worth,
)
from core.words import DoublesRank, Illegal, words

Contract = Literal["nello", "plunge", "splash", "sevens"]
Pays = Literal["marks", "points", "own"]
"""Payment of a hand: the marks of the bid; or the points that each side took, where a bid that was set goes to the
others (`points`) or is subtracted from its bidder (`own`).
"""
_PASS = Pass()
LOWEST_BID = 30
PLUNGE_DOUBLES, SPLASH_DOUBLES = 4, 3
FOLLOW_ME, SEVENS = Name("follow_me"), Name("sevens")


class TrickRules(Struct, frozen=True):
    """A trick game as a value."""

    tiles: tuple[Tile, ...]
    """The set, ascending; tiles that cannot be dealt equally are the widow."""
    goal: Goal
    trumps: tuple[Name, ...]
    """Trumps that may be named on any bid."""
    seats: int = 4
    sides: int = 2
    """Scores kept: one per seat, or two for partners; the side of a seat is seat modulo sides."""
    pays: Pays = "marks"
    ladder: tuple[Bid, ...] = ()
    """All bids, ascending, of which the last ends the bidding; empty for the points and marks of Forty-Two."""
    counts: bool = True
    """True if some tiles are worth points besides the tricks."""
    forced: bool = False
    """True if the shaker must bid after three passes; else the tiles are shaken again."""
    contracts: tuple[Contract, ...] = ()
    """Special contracts that may be played."""
    nello_doubles: tuple[DoublesRank, ...] = ("high", "low", "suit")
    """Possible ranks of doubles in nello."""
    play_out: bool = False
    """True if all tricks are played although the hand is decided."""
    small_end: bool = False
    """True if the first lead of a hand may ask for its smaller number."""

    @property
    def hand_size(self) -> int:
        """Number of tiles in a hand, and of tricks."""
        return len(self.tiles) // self.seats

    def deal(self, order: tuple[Tile, ...], context: RoundContext) -> TrickState:
        """Start a hand: the shaker is drawn by lot, then moves on clockwise; the seat after the shaker bids first."""
        shaker = context.lot if context.leader == NOBODY else (context.leader + 1) % self.seats
        size = self.hand_size
        hands = tuple(tuple(sorted(order[seat * size : (seat + 1) * size])) for seat in range(self.seats))
        return self.complete(TrickState(hands, shaker, (shaker + 1) % self.seats, widow=order[self.seats * size :]))

    def legal(self, state: TrickState) -> tuple[Action, ...]:
        return state.legal

    def apply(self, state: TrickState, action: Action) -> tuple[TrickState, tuple[Event, ...]]:
        if action not in state.legal:
            raise Illegal(words("That is not possible now."))
        events: tuple[Event, ...]
        match action:
            case Lay():
                after, events = self._lay(state, action)
            case Name():
                after, events = self._name(state, action), (Named(state.turn, action),)
            case Bury(tile=tile):
                after, events = self._bury(state, tile), (Buried(state.turn, (tile,)),)
            case Bid():
                after, events = self._call(state, action), (Bade(state.turn, action),)
            case _:
                after, events = self._call(state, None), (Passed(state.turn, "bidding"),)
        if after.bid and after.widow:
            after, events = self._take_widow(after), (*events, Drew(after.turn, len(after.widow), after.widow))
        after = self.complete(after)
        return after, (*events, after.result) if after.result else events

    def complete(self, state: TrickState) -> TrickState:
        """Add to a position the legal actions, or the result if it is the end of the hand."""
        legal: tuple[Action, ...]
        if state.bid is None:
            if len(state.calls) == self.seats:
                no_terms = ((),) * self.sides
                return replace(state, legal=(), result=RoundOver("passed", NOBODY, state.hands, no_terms))
            legal = self._legal_bids(state)
        elif len(state.hands[state.turn]) > self.hand_size:
            legal = tuple(map(Bury, state.hands[state.turn]))
        elif state.trump is None:
            legal = self._legal_names(state.bid)
        elif result := self._settlement(state, state.bid, state.trump):
            return replace(state, legal=(), result=result)
        else:
            legal = self._legal_lays(state, state.trump)
        return replace(state, legal=legal)

    def view(self, state: TrickState, seat: int) -> TrickView:
        return TrickView(
            seat=seat,
            hand=state.hands[seat] if seat != NOBODY else (),
            counts=tuple(map(len, state.hands)),
            shaker=state.shaker,
            turn=NOBODY if state.result else state.turn,
            calls=state.calls,
            bidder=state.bidder,
            bid=state.bid,
            trump=state.trump,
            suit=state.suit,
            trick=state.trick,
            tricks=state.tricks,
            out=state.out,
            legal=state.legal if seat == state.turn else (),
            result=state.result,
            highest=self.tiles[-1].high,
            sides=self.sides,
            widow=len(state.widow),
            buried=state.buried if seat == state.bidder else (),
        )

    # Doing

    def _call(self, state: TrickState, bid: Bid | None) -> TrickState:
        """Add a call. All seats call once unless no higher bid exists; then the highest bid is played."""
        calls = (*state.calls, Call(state.turn, bid))
        after = replace(state, calls=calls, turn=(state.turn + 1) % self.seats)
        if (len(calls) < self.seats and bid not in self.ladder[-1:]) or all(call.bid is None for call in calls):
            return after
        best = max(calls, key=lambda call: worth(call.bid))
        namer = best.seat if best.bid and not best.bid.kind else self._partner(best.seat)
        return replace(after, bidder=best.seat, bid=best.bid, turn=namer)

    def _take_widow(self, state: TrickState) -> TrickState:
        """Give the tiles left over at the deal to the bidder."""
        return replace(state, hands=self._replace_hand(state, (*state.hands[state.turn], *state.widow)), widow=())

    def _bury(self, state: TrickState, tile: Tile) -> TrickState:
        """Put a tile of the bidder away; it belongs to no trick."""
        hand = tuple(held for held in state.hands[state.turn] if held != tile)
        return replace(state, hands=self._replace_hand(state, hand), buried=(*state.buried, tile))

    def _replace_hand(self, state: TrickState, hand: Hand) -> tuple[Hand, ...]:
        """Return the hands with another one for the seat on turn."""
        return (*state.hands[: state.turn], tuple(sorted(hand)), *state.hands[state.turn + 1 :])

    def _name(self, state: TrickState, trump: Name) -> TrickState:
        """Set the trumps. The player who names them also leads; in nello, the bidder's partner sits the hand out."""
        idle_seat = self._partner(state.bidder) if trump.kind == "nello" else NOBODY
        return replace(state, trump=trump, out=idle_seat)

    def _lay(self, state: TrickState, lay: Lay) -> tuple[TrickState, tuple[Event, ...]]:
        seat, tile, trump = state.turn, lay.tile, state.trump or FOLLOW_ME
        hands = self._replace_hand(state, tuple(other for other in state.hands[seat] if other != tile))
        asked_suit = NO_SUIT if state.trick else suit_of(tile, trump, small=lay.small)
        suit = state.suit if state.trick else asked_suit
        event = Laid(seat, tile, asked_suit)
        trick = (*state.trick, event)
        if len(trick) < self.seats - (state.out != NOBODY):
            next_seat = (seat + 1) % self.seats
            turn = (next_seat + 1) % self.seats if next_seat == state.out else next_seat
            return replace(state, hands=hands, trick=trick, suit=suit, turn=turn), (event,)
        winner = winning_tile(trick, suit, trump).seat
        tiles = tuple(laid.tile for laid in trick)
        scoring_tiles = tuple(tile for tile in tiles if tile_points(tile)) if self.counts else ()
        finished_trick = Trick(trick, winner, 1 + sum(map(tile_points, scoring_tiles)))
        after_trick = replace(
            state, hands=hands, trick=(), suit=NO_SUIT, tricks=(*state.tricks, finished_trick), turn=winner, legal=()
        )
        return after_trick, (event, Took(winner, finished_trick.points, scoring_tiles))

    def _partner(self, seat: int) -> int:
        return (seat + 2) % self.seats

    # Asking

    def _legal_bids(self, state: TrickState) -> tuple[Action, ...]:
        """Return every higher bid: points, jumps to one or two marks, then one mark more; and the bids that doubles
        allow.
        """
        highest_worth = max((worth(call.bid) for call in state.calls), default=0)
        if self.ladder:
            return (_PASS, *(bid for bid in self.ladder if worth(bid) > highest_worth))
        bids = [Bid(points, 1) for points in range(max(LOWEST_BID, highest_worth + 1), MARK)]
        bids += [Bid(MARK, marks) for marks in (1, 2) if MARK * marks > highest_worth]
        if highest_worth >= 2 * MARK:
            bids.append(Bid(MARK, highest_worth // MARK + 1))
        double_count = sum(tile.is_double for tile in state.hands[state.turn])
        if "splash" in self.contracts and double_count >= SPLASH_DOUBLES:
            bids += [Bid(MARK, marks, "splash") for marks in (2, 3) if MARK * marks > highest_worth]
        if "plunge" in self.contracts and double_count >= PLUNGE_DOUBLES and highest_worth <= 4 * MARK:
            bids.append(Bid(MARK, 5 if highest_worth == 4 * MARK else 4, "plunge"))
        must_bid = self.forced and len(state.calls) == self.seats - 1 and not highest_worth
        return tuple(bids) if must_bid else (_PASS, *bids)

    def _legal_names(self, bid: Bid) -> tuple[Name, ...]:
        """Return the trumps; on a plain bid of marks also nello and sevens, if they are allowed."""
        names = list(self.trumps)
        if bid.points == MARK and not bid.kind:
            if "nello" in self.contracts:
                names += [Name("nello", doubles=doubles) for doubles in self.nello_doubles]
            if "sevens" in self.contracts:
                names.append(SEVENS)
        return tuple(names)

    def _legal_lays(self, state: TrickState, trump: Name) -> tuple[Lay, ...]:
        tiles: Hand = layable_tiles(state.hands[state.turn], state.suit, trump)
        if not self.small_end or state.trick or state.tricks or trump.kind in NO_TRUMPS:
            return tuple([Lay(tile) for tile in tiles])
        winning_suit = trump_suit(trump)
        small_lays = [
            Lay(tile, True) for tile in tiles if not tile.is_double and suit_of(tile, trump) != winning_suit
        ]
        return (*(Lay(tile) for tile in tiles), *small_lays)

    # The end

    def _settlement(self, state: TrickState, bid: Bid, trump: Name) -> RoundOver | None:
        """Return the end of the hand: the bid made or set; None while neither is certain, or the rest is played."""
        if state.trick:
            return None
        has_ended = len(state.tricks) == self.hand_size
        bidding_side, needed_points = state.bidder % self.sides, self._points_needed(bid)
        is_nello = trump.kind == "nello"
        if is_nello:
            is_set = any(trick.winner == state.bidder for trick in state.tricks)
            is_made = has_ended and not is_set
        else:
            own_points = sum(tricks_and_counts(state.tricks, bidding_side, self.sides))
            is_set = sum(trick.points for trick in state.tricks) - own_points > self._total - needed_points
            is_made = own_points >= needed_points
        pays_bid_only = self.pays == "marks" or is_nello
        may_end_early = pays_bid_only and not self.play_out
        if not has_ended and not (may_end_early and (is_made or is_set)):
            return None
        winner = state.bidder if is_made else (state.bidder + 1) % self.seats if self.sides == 2 else NOBODY
        if pays_bid_only:
            amount = bid.marks if self.pays == "marks" else MARK * bid.marks
            payment: tuple[Term, ...] = (Term("marks" if self.pays == "marks" else "bid", state.bidder, amount),)
            terms = tuple(payment if side == winner % self.sides else () for side in range(self.sides))
        else:
            terms = tuple(self._point_terms(state, side, bid, made=is_made) for side in range(self.sides))
        return RoundOver("made" if is_made else "set", winner, state.hands, terms)

    @property
    def _total(self) -> int:
        """The points in a hand: its tricks, and its counts."""
        return MARK if self.counts else self.hand_size

    def _points_needed(self, bid: Bid) -> int:
        """Return the points that make a bid; a bid above all points stands for all of them."""
        return min(bid.points, self._total)

    def _point_terms(self, state: TrickState, side: int, bid: Bid, *, made: bool) -> tuple[Term, ...]:
        """Return a side's points where points count: those taken, or the whole bid if it was for more than there are.

        A bid that was set goes to the others, or is subtracted from its bidder.
        """
        is_bidding_side, is_subtracted = side == state.bidder % self.sides, self.pays == "own"
        if is_bidding_side and not made:
            return (Term("bid", state.bidder, -worth(bid)),) if is_subtracted else ()
        if is_bidding_side and bid.points > self._total:
            return (Term("bid", state.bidder, bid.points),)
        tricks, counts = tricks_and_counts(state.tricks, side, self.sides)
        terms = [Term("tricks", side, tricks), Term("counts", side, counts)]
        if not made and not is_subtracted:
            terms.append(Term("bid", state.bidder, worth(bid)))
        return tuple(term for term in terms if term.amount)
