"""One engine for every game that builds a layout: `LayoutRules` says what the games can disagree on."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from core.actions import (
    Action,
    Claim,
    Draw,
    Drew,
    Event,
    Led,
    Pass,
    Passed,
    Play,
    Played,
    RoundOver,
    Scored,
    Silent,
)
from core.layout.placed import NOBODY, End, Layout, Placed
from core.layout.state import Before, Drawing, Goal, LayoutView, Opening, Pending, State
from core.layout.view import seen_by, worth_of
from core.tiles import Hand, Tile
from core.words import Illegal, Words, words

_DRAW, _PASS = Draw(), Pass()


class LayoutRules(Struct, frozen=True):
    """A layout game as a value."""

    tiles: tuple[Tile, ...]
    """The set, ascending."""
    seats: int
    sides: int
    """Scores kept: one per seat, or two for partners; the side of a seat is seat modulo sides."""
    hand: int
    """Tiles dealt to each seat."""
    opener: Callable[[tuple[Hand, ...], Before], Opening]
    """Who begins a round, and with what."""
    meets: Callable[[Tile, End], tuple[int, ...]]
    """The numbers that a tile can turn outward when laid on an end; none when it does not fit."""
    opens: Callable[[Layout, tuple[End, ...]], tuple[End, ...]]
    """The open ends once the last tile of the layout was placed, from those before."""
    pays: Callable[[State], RoundOver]
    """Settles a round from its last state."""
    goal: Goal
    drawing: Drawing = Drawing()
    aside: Callable[[tuple[Tile, ...], Before], Tile | None] | None = None
    """The tile that lies on the table from the start; taken out of the shuffled set before the hands."""
    owes: Callable[[Layout], int] | None = None
    """How many tiles must be laid on the last tile of the layout before all else."""
    obliges: Callable[[State, Tile, End], bool] | None = None
    """Whether a play is allowed although it does not answer what is owed first."""
    answered: Callable[[Layout, int], bool] | None = None
    """Whether nothing that is still off the table could answer the tile at an index."""
    allows: Callable[[State, Tile, End], bool] | None = None
    """Whether the seat on turn may lay a tile on an end that it fits: whose train it is, and the like."""
    again: Callable[[State, State], str] | None = None
    """From the moments before and after a play, whether the same seat goes on: `must`, `may`, or empty for no.
    It is not asked about a lead, which is a whole turn."""
    marks: bool = False
    """Whether a pass opens one's own train, and a play there closes it again."""
    earns: Callable[[Layout, tuple[End, ...]], tuple[int, tuple[int, ...]]] | None = None
    """Points that a play makes, and the numbers that they come from."""
    claims: bool = False
    """Whether points in play must be claimed, and can be snatched by the other side."""
    looks_back: bool = False
    """Whether `pays` needs every earlier moment of the round."""
    shape: str = "line"
    """How the layout is drawn: see `LayoutView`."""
    says: Callable[[State], Words | None] | None = None
    """What the rules ask for just now, where it is not plain."""
    all_out: bool = False
    """Whether partners play on, their empty hands skipped, until both hands of a side are empty."""

    def deal(self, order: tuple[Tile, ...], before: Before) -> State:
        """Start a round from the shuffled set: seat 0 takes the first hand, seat 1 the next, and so on.

        What is left is the boneyard, drawn from its head.
        """
        start = self.aside(order, before) if self.aside else None
        if start is not None:
            at = order.index(start)
            order = order[:at] + order[at + 1 :]
        size = self.hand
        hands = tuple(tuple(sorted(order[seat * size : (seat + 1) * size])) for seat in range(self.seats))
        opening = self.opener(hands, before)
        state = State(hands, order[self.seats * size :], (), (), opening.seat, opening, before)
        if start is not None:
            layout = (Placed(start, -1, 0, start.high, NOBODY),)
            owed = (0,) * self.owes(layout) if self.owes else ()
            state = replace(state, layout=layout, ends=self.opens(layout, ()), owed=owed)
        return self.settled(state)

    def legal(self, state: State) -> tuple[Action, ...]:
        """List what the seat on turn may do; empty once the round is over."""
        return state.legal

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """Return the next state and what happened. Raises Illegal for what `legal` does not list."""
        if action not in state.legal:
            raise Illegal(words("That is not possible now."))
        after, events = self._done(state, action)
        if self.looks_back:
            after = replace(after, past=(*state.past, (replace(state, past=()), action)))
        after = self.settled(after)
        return after, (*events, after.result) if after.result else events

    def settled(self, state: State) -> State:
        """Complete a position by what may be done in it, or by its result when it is the end of the round."""
        if state.pending:
            return replace(state, legal=(Claim(), Silent()))
        if () in state.hands and self._out(state.hands):
            return replace(state, legal=(), result=self.pays(state))
        if not state.layout:
            if state.opening.seat == NOBODY:
                nothing = ((),) * self.sides
                return replace(state, result=RoundOver("redeal", NOBODY, state.hands, nothing))
            return replace(state, legal=self._leads(state))
        legal: tuple[Action, ...] = self._plays(state)
        if legal:
            legal = (*legal, *self._instead(state, legal))
        elif state.going == "may":
            return self.settled(self._next(state))
        elif self._may_draw(state):
            legal = (_DRAW,)
        elif self._blocked(state):
            return replace(state, legal=(), result=self.pays(state))
        else:
            legal = (_PASS,)
        return replace(state, legal=legal)

    def view(self, state: State, seat: int) -> LayoutView:
        """Return what `seat` may know; -1 is a spectator."""
        scoring = self.earns if seat == state.turn and not state.pending else None
        return seen_by(
            seat,
            state,
            drawing=self.drawing,
            highest=self.tiles[-1].high,
            shape=self.shape,
            says=self.says(state) if self.says and not state.result else None,
            worth=worth_of(state, scoring, self.opens) if scoring else (),
            count=self.earns(state.layout, state.ends)[1] if self.earns and state.layout else (),
        )

    # Doing

    def _done(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        match action:
            case Play():
                return self._play(state, action)
            case Draw():
                return self._draw(state) if state.layout else self._search(state)
            case Pass():
                reason = self._why_passed(state)
                after = self._next(state)
                opened = self.marks and state.going != "may"
                if opened:
                    after = replace(after, open=tuple(sorted({*state.open, state.turn})))
                return after, (Passed(state.turn, reason, opened),)
            case Claim() | Silent():
                return self._claim(state, claimed=isinstance(action, Claim))
            case _:
                raise Illegal(words("That is not possible now."))

    def _play(self, state: State, play: Play) -> tuple[State, tuple[Event, ...]]:
        seat, tile = state.turn, play.tile
        hand = list(state.hands[seat])
        hand.remove(tile)
        placed = Placed(tile, play.at, play.side, play.out, seat)
        layout = (*state.layout, placed)
        hands = (*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :])
        event: Event
        open_, turn = state.open, self._after(hands, seat)
        if play.at < 0:
            event = Led(seat, tile, state.opening.reason)
            if state.opening.then != NOBODY:
                turn = state.opening.then
        else:
            end = next(end for end in state.ends if end.at == play.at and end.side == play.side)
            event = Played(seat, tile, end.pips, play.out)
            if self.marks and end.owner == seat and seat in open_:
                open_ = tuple(other for other in open_ if other != seat)
        after = State(
            hands,
            state.boneyard,
            layout,
            self.opens(layout, state.ends),
            turn,
            state.opening,
            state.before,
            owed=self._owed(state, layout, play.at) if self.owes else (),
            open=open_,
            turns=state.turns + 1 if play.at >= 0 else 0,
        )
        if play.at >= 0 and self.again and (going := self.again(state, after)):
            after = replace(after, turn=seat, turns=state.turns, going=going)
        if self.earns:
            return self._earned(after, seat, event)
        return after, (event,)

    def _owed(self, state: State, layout: Layout, answered: int) -> tuple[int, ...]:
        """What must be answered once the last tile of the layout was laid on the tile `answered`."""
        owed = list(state.owed)
        if answered in owed:
            owed.remove(answered)
        if self.owes:
            owed += [len(layout) - 1] * self.owes(layout)
        if owed and self.answered:
            owed = [at for at in owed if not self.answered(layout, at)]
        return tuple(owed)

    def _draw(self, state: State) -> tuple[State, tuple[Event, ...]]:
        plays = tuple(action for action in state.legal if isinstance(action, Play))
        forced = not plays
        count = self._may_draw(state) if forced else 1
        ends = self._in_force(state)
        for number, tile in enumerate(state.boneyard[:count], 1):
            if any(self._fits(state, tile, end) for end in ends):
                count = number
                break
        # Who draws to spare a matador stands as one who is stuck: he too may keep what he drew (`docs/rules` §9).
        after, events = self._took(state, count, forced)
        return replace(after, stuck=state.stuck or self._spared(state, plays)), events

    def _took(self, state: State, count: int, forced: bool) -> tuple[State, tuple[Event, ...]]:
        seat, drawn = state.turn, state.boneyard[:count]
        hand = tuple(sorted(state.hands[seat] + drawn))
        after = replace(
            state,
            hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]),
            boneyard=state.boneyard[count:],
            drawn=state.drawn + count,
        )
        return after, (Drew(seat, count, drawn, forced),)

    def _search(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Draw one tile for the centre; it is laid at once, and either way the turn is over."""
        after, events = self._took(state, 1, forced=True)
        wanted = state.opening.wanted
        if wanted not in after.hands[state.turn]:
            return self._next(after), events
        led, more = self._play(after, self._leads(after)[0])  # type: ignore[arg-type]
        return led, events + more

    def _claim(self, state: State, claimed: bool) -> tuple[State, tuple[Event, ...]]:
        """The maker of a scoring play, then each of the other side in turn, may claim its points."""
        pending = state.pending
        if pending is None:
            raise Illegal(words("There is nothing to claim."))
        seat, maker = state.turn, pending.seat
        back = replace(state, pending=None, turn=self._after(state.hands, maker))
        if claimed:
            return back, (Scored(seat, pending.points, pending.terms, snatched=seat != maker),)
        following = [(seat + step) % self.seats for step in range(1, self.seats)]
        for other in following[: (maker - seat - 1) % self.seats]:
            if other % self.sides != maker % self.sides:
                return replace(state, turn=other), ()
        return back, (Scored(maker, 0, pending.terms),)

    def _earned(self, state: State, seat: int, event: Event) -> tuple[State, tuple[Event, ...]]:
        points, terms = self.earns(state.layout, state.ends) if self.earns else (0, ())
        if not points:
            return state, (event,)
        if self.claims:
            return replace(state, turn=seat, pending=Pending(seat, points, terms)), (event,)
        return state, (event, Scored(seat, points, terms))

    def _next(self, state: State) -> State:
        """The turn goes to the next seat."""
        seat = self._after(state.hands, state.turn)
        return replace(state, turn=seat, drawn=0, stuck=False, going="", turns=state.turns + 1)

    # Asking

    def _leads(self, state: State) -> tuple[Action, ...]:
        opening = state.opening
        hand = state.hands[state.turn]
        if opening.wanted is not None and opening.wanted not in hand:
            return (_DRAW,)
        tiles = opening.tiles or (opening.wanted,)
        return tuple(Play(tile, -1, 0, tile.high) for tile in tiles if tile)

    def _plays(self, state: State) -> tuple[Play, ...]:
        """Every way to lay a tile of a hand; mirror places on one tile count as one move (`docs/rules` §0)."""
        meets, allows, ends = self.meets, self._allows(state), self._in_force(state)
        places = list({(end.at, end.pips, end.owner): end for end in reversed(ends)}.values())[::-1]
        hand = state.hands[state.turn]
        if hand[0].low < 0:  # wild tiles sort first, and identical ones are one choice
            hand = tuple(dict.fromkeys(hand))
        return tuple(
            [
                Play(tile, end.at, end.side, out)
                for tile in hand
                for end in places
                for out in meets(tile, end)
                if allows is None or allows(state, tile, end)
            ]
        )

    def _instead(self, state: State, plays: tuple[Action, ...]) -> tuple[Action, ...]:
        """What a seat that can play may do instead: draw, or end its turn."""
        drawing, spared = self.drawing, self._spared(state, plays)
        kept = drawing.keep and state.stuck
        if state.going == "may":
            return (_PASS,)
        if (spared or (drawing.voluntary and not kept)) and self._may_draw(state):
            return (_DRAW, _PASS) if kept else (_DRAW,)
        return (_PASS,) if kept or (self.obliges and spared) else ()

    def _in_force(self, state: State) -> tuple[End, ...]:
        """The ends that may be played on by somebody: all, or those of the tile that must be answered first."""
        if not state.owed or self.obliges:
            return state.ends
        first = state.owed[0]
        return tuple(end for end in state.ends if end.at == first)

    def _fits(self, state: State, tile: Tile, end: End) -> bool:
        allows = self._allows(state)
        return bool(self.meets(tile, end)) and (allows is None or allows(state, tile, end))

    def _allows(self, state: State) -> Callable[[State, Tile, End], bool] | None:
        return self.obliges if state.owed and self.obliges else self.allows

    def _may_draw(self, state: State) -> int:
        """How many tiles the seat on turn may still draw."""
        drawing = self.drawing
        most = min(drawing.most, drawing.while_owed) if state.owed else drawing.most
        return max(0, min(most - state.drawn, len(state.boneyard) - drawing.reserve))

    def _spared(self, state: State, plays: tuple[Action, ...]) -> bool:
        """Whether no play must be made: there is none, all are of spared tiles, or none answers what is owed."""
        spares = self.drawing.spares
        if spares and all(isinstance(play, Play) and play.tile in spares for play in plays):
            return True
        if not self.obliges or not state.owed:
            return not plays
        return not any(isinstance(play, Play) and play.at == state.owed[0] for play in plays)

    def _out(self, hands: tuple[Hand, ...]) -> bool:
        return not self.all_out or any(not any(hands[side :: self.sides]) for side in range(self.sides))

    def _after(self, hands: tuple[Hand, ...], seat: int) -> int:
        """The next seat; where partners play on, the next that still has tiles."""
        seat = (seat + 1) % self.seats
        while self.all_out and not hands[seat] and any(hands):
            seat = (seat + 1) % self.seats
        return seat

    def _blocked(self, state: State) -> bool:
        """Nobody holds a placeable tile and nobody may ever draw again."""
        drawing = self.drawing
        if drawing.most and len(state.boneyard) > drawing.reserve:
            return False
        if drawing.ends == "always" or (drawing.ends == "turn" and not state.drawn):
            return True
        meets, ends = self.meets, self._in_force(state)
        return not any(meets(tile, end) for end in ends for hand in state.hands for tile in hand)

    def _why_passed(self, state: State) -> str:
        drawing = self.drawing
        if isinstance(state.legal[0], Play):
            return "enough" if state.going else "kept"
        if not drawing.most:
            return "no_drawing"
        if len(state.boneyard) > drawing.reserve:
            return "limit"
        return "reserve" if state.boneyard else "empty"
