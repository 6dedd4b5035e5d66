"""The engine of all games that build a layout. Games differ in the fields of `LayoutRules` only."""

from collections.abc import Sequence, Set
from itertools import chain
from typing import cast

from msgspec import Struct
from msgspec.structs import force_setattr, replace

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
    PutDown,
    RoundOver,
    Scored,
    Shed,
    Silent,
    Tuck,
    Tucked,
)
from core.layout.state import (
    EMPTY_FITS,
    NOBODY,
    Allows,
    Drawing,
    Duty,
    End,
    Ending,
    FitTable,
    Fitting,
    Goal,
    Layout,
    LayoutView,
    Meets,
    Opens,
    Pending,
    PlacedTile,
    RoundContext,
    Scoring,
    Start,
    State,
    Turns,
    end_at,
    fits_of,
    view_for,
    worth_of,
)
from core.tiles import Hand, Tile
from core.words import Faces, Illegal, PassReason, Redeal, Shape, words

DRAW, PASS = Draw(), Pass()


class LayoutRules(Struct, frozen=True):
    """A layout game as a value."""

    tiles: tuple[Tile, ...]
    """The set, ascending."""
    seats: int
    sides: int
    """Scores kept: one per seat, or two for partners; the side of a seat is seat modulo sides."""
    start: Start
    meets: Meets
    opens: Opens
    ending: Ending
    goal: Goal
    drawing: Drawing = Drawing()
    turns: Turns = Turns()
    duty: Duty | None = None
    """Tiles that must be laid before all else; None if there never are any."""
    scoring: Scoring | None = None
    """Points in play; None where only the end of a round scores."""
    shape: Shape = "line"
    """The shape in which the layout is drawn: see `LayoutView`."""
    faces: Faces = ""
    """The look of the tiles: see `LayoutView`."""
    fits: FitTable = EMPTY_FITS
    """Lookup table of `meets`. This field and the next two are computed; do not pass them."""
    answers: FitTable = EMPTY_FITS
    """The same table while a tile is owed."""
    one_ended: bool = False
    """True if a led tile is open at one half only, which its leader chooses."""

    def __post_init__(self) -> None:
        """Compute the hot fields once: a cached property would be measurably slower."""
        lead = self.tiles[-1]
        ends = self.opens((PlacedTile(lead, -1, 0, lead.high, 0),), (), None)
        force_setattr(self, "one_ended", len(ends) == 1)
        owed = self.duty.meets if self.duty else None
        force_setattr(self, "fits", fits_of(self.meets, self.tiles))
        force_setattr(self, "answers", fits_of(owed or self.meets, self.tiles))

    def deal(self, order: tuple[Tile, ...], context: RoundContext) -> State:
        """Start a round from the shuffled set: seat 0 takes the first hand, seat 1 the next, and so on.

        The rest is the boneyard, drawn from its head.
        """
        hand_size, aside = self.start.hand, self.start.aside
        aside_tile = aside(order, context) if aside else None
        if aside_tile is not None:
            position = order.index(aside_tile)
            order = order[:position] + order[position + 1 :]
        dealt = [order[position : position + hand_size] for position in range(0, self.seats * hand_size, hand_size)]
        hands = tuple(dealt if self.turns.blind else [tuple(sorted(hand)) for hand in dealt])
        opening = self.start.opener(hands, context)
        dealt_points = self.start.points(hands) if self.start.points and opening.seat != NOBODY else ()
        state = State(
            hands, order[self.seats * hand_size :], (), (), opening.seat, opening, context, dealt=dealt_points
        )
        state = self._add_points(state, *dealt_points)
        if aside_tile is not None:
            layout = (PlacedTile(aside_tile, -1, 0, aside_tile.high, NOBODY),)
            owed = (0,) * self.duty.owed(layout) if self.duty else ()
            state = replace(state, layout=layout, ends=self.opens(layout, (), None), owed=owed)
        return self._settle(state)

    def legal(self, state: State) -> tuple[Action, ...]:
        return state.legal

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        if action not in state.legal:
            raise Illegal(words("That is not possible now."))
        after, events = (
            self.apply_play(state, action) if isinstance(action, Play) else self._apply_other(state, action)
        )
        if self.ending.looks_back:
            after = replace(after, past=(*state.past, (replace(state, past=()), action)))
        after = self._settle(after)
        return after, (*events, after.result) if after.result else events

    def complete(self, state: State) -> State:
        """Return a position with its legal actions, or with the result if it is the end of the round."""
        return self._settle(replace(state))

    def _settle(self, state: State) -> State:
        """Complete a position that no other code refers to yet, by setting its legal actions in place."""
        legal: tuple[Action, ...]
        if state.pending:
            legal = (Claim(), Silent())
        elif () in state.hands and self._is_round_over(state.hands):
            return replace(state, legal=(), result=self.ending.settle(state))
        elif not state.layout:
            return self._open(state)
        elif legal := legal_turned_plays(self, state) if self.turns.blind else legal_plays(self, state):
            drawing = self.drawing
            if drawing.voluntary or drawing.spares or state.stuck or state.owed or state.going:
                legal += alternatives(self, state, legal)
        elif state.going in ("may", "fits"):
            return self._settle(self._next(state))
        elif draws_left(self, state):
            legal = (DRAW,)
        elif is_blocked(self, state):
            return replace(state, legal=(), result=self.ending.settle(state))
        elif self.turns.sheds:
            legal = legal_sheds(state)
        else:
            legal = legal_tucks(state) if self.turns.blind else (PASS,)
        force_setattr(state, "legal", legal)
        return state

    def _open(self, state: State) -> State:
        """Return a position before the lead with the legal leads; with a redeal as the result if there is no lead."""
        redeal: Redeal | None = None
        if state.opening.seat == NOBODY:
            redeal = cast("Redeal", state.opening.reason)
        elif state.opening.wanted and len(state.boneyard) <= self.drawing.reserve:  # it may not be drawn
            redeal = "redeal"
        if redeal:
            return replace(state, legal=(), result=RoundOver(redeal, NOBODY, state.hands, ((),) * self.sides))
        return replace(state, legal=legal_leads(self, state))

    def view(self, state: State, seat: int) -> LayoutView:
        points_of = self.scoring.points if self.scoring else None
        return view_for(
            seat,
            state,
            drawing=self.drawing,
            highest=self.tiles[-1].high,
            shape=self.shape,
            faces=self.faces,
            blind=self.turns.blind,
            says=self.duty.prompt(state) if self.duty and state.owed and not state.result else None,
            worth=worth_of(state, points_of, self.opens)
            if points_of and seat == state.turn and not state.pending
            else (),
            count=points_of(state)[1] if points_of and state.layout else (),
        )

    # Doing

    def _apply_other(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        match action:
            case Pass():
                reason = why_passed(self, state)
                awards = self.turns.awards(state) if self.turns.awards else ()
                after = self._add_points(self._next(state), *awards)
                opens_train = self.turns.marks and state.going != "may"
                if opens_train:
                    after = replace(after, open=tuple(sorted({*state.open, state.turn})))
                return after, (Passed(state.turn, reason, opens_train), *awards)
            case Draw():
                return self._draw(state) if state.layout else self._search(state)
            case Shed(tile=tile):
                return self._lay_face_down(state, tile), (PutDown(state.turn, tile),)
            case Tuck(tile=tile):
                return self._tuck(state, tile), (Tucked(state.turn, tile),)
            case Claim() | Silent():
                return self._claim(state, claimed=isinstance(action, Claim))
            case _:
                raise Illegal(words("That is not possible now."))

    def apply_play(self, state: State, play: Play) -> tuple[State, tuple[Event, ...]]:
        """Return the position after a play, without its legal actions, and the events. The play is not checked."""
        seat, tile, parent_index = state.turn, play.tile, play.at
        hands, remaining = [*state.hands], [*state.hands[seat]]
        remaining.remove(tile)
        hands[seat] = tuple(remaining)
        layout = state.layout + (PlacedTile(tile, parent_index, play.side, play.out, seat),)  # noqa: RUF005 - half the time
        event: Led | Played
        turn, open_trains, turns = self._next_seat(hands, seat), state.open, 0
        end = end_at(state.ends, parent_index, play.side) if parent_index >= 0 else None
        if end is None:
            event = Led(seat, tile, state.opening.reason, play.out if self.one_ended else -1)
            if state.opening.next_seat != NOBODY:
                turn = state.opening.next_seat
        else:
            event, turns = Played(seat, tile, end.pips, play.out), state.turns + 1
            if self.turns.marks and end.owner == seat and seat in open_trains:
                open_trains = tuple(other for other in open_trains if other != seat)
        after = State(
            tuple(hands),
            state.boneyard,
            layout,
            self.opens(layout, state.ends, end),
            turn,
            state.opening,
            state.before,
            owed=_remaining_duty(self.duty, state, layout, parent_index) if self.duty else (),
            open=open_trains,
            turns=turns,
            made=state.made,
            shed=state.shed,
            up=state.up,
        )
        if self.turns.continues and (going := self.turns.continues(state, after)):
            after = replace(after, turn=seat, turns=state.turns, going=going)
        if self.scoring:
            return self._score_play(self.scoring, after, event)
        return after, (event,)

    def _draw(self, state: State) -> tuple[State, tuple[Event, ...]]:
        playable = tuple(action for action in state.legal if isinstance(action, Play))
        # A player who draws to spare a matador counts as stuck, and so may keep the drawn tile (`docs/rules` §9).
        after, events = self._take_tiles(state, draw_count(self, state), forced=not playable)
        return replace(after, stuck=state.stuck or may_decline(self, state, playable)), events

    def _take_tiles(self, state: State, count: int, forced: bool) -> tuple[State, tuple[Event, ...]]:
        seat, drawn = state.turn, state.boneyard[:count]
        hand = tuple(sorted(state.hands[seat] + drawn))
        after = replace(
            state,
            hands=_with_hand(state.hands, seat, hand),
            boneyard=state.boneyard[count:],
            drawn=state.drawn + count,
        )
        return after, (Drew(seat, count, drawn, forced),)

    def _lay_face_down(self, state: State, tile: Tile) -> State:
        """Return the position after the seat on turn has laid a tile face down."""
        seat, shed = state.turn, state.shed or ((),) * self.seats
        shed = _with_hand(shed, seat, (*shed[seat], tile))
        remaining = [*state.hands[seat]]
        remaining.remove(tile)
        return self._next(replace(state, hands=_with_hand(state.hands, seat, tuple(remaining)), shed=shed))

    def _tuck(self, state: State, tile: Tile) -> State:
        """Return the position after the seat on turn has put its turned-over tile at the end of its row."""
        hands = _with_hand(state.hands, state.turn, (*state.hands[state.turn][1:], tile))
        return self._next(replace(state, hands=hands, up=(*state.up, tile) if tile.is_double else state.up))

    def _search(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Draw one tile for the centre, lay it at once if it is wanted, and end the turn."""
        after, events = self._take_tiles(state, 1, forced=True)
        if not any(tile in after.hands[state.turn] for tile in state.opening.wanted):
            return self._next(after), events
        state_after_lead, more_events = self.apply_play(after, legal_leads(self, after)[0])  # type: ignore[arg-type]
        return state_after_lead, events + more_events

    def _claim(self, state: State, claimed: bool) -> tuple[State, tuple[Event, ...]]:
        """Claim the points of a play, or decline: its maker is asked first, then each opponent in turn."""
        pending = state.pending
        if pending is None:
            raise Illegal(words("There is nothing to claim."))
        seat, maker = state.turn, pending.seat
        resumed = replace(state, pending=None, turn=self._next_seat(state.hands, maker))
        if claimed:
            scored = Scored(seat, pending.points, pending.terms, snatched=seat != maker)
            return self._add_points(resumed, scored), (scored,)
        following = [(seat + step) % self.seats for step in range(1, self.seats)]
        for other in following[: (maker - seat - 1) % self.seats]:
            if other % self.sides != maker % self.sides:
                return replace(state, turn=other), ()
        return resumed, (Scored(maker, 0, pending.terms),)

    def _next(self, state: State) -> State:
        """Pass the turn to the next seat."""
        seat = self._next_seat(state.hands, state.turn)
        return replace(state, turn=seat, drawn=0, stuck=False, going="", turns=state.turns + 1)

    def _score_play(self, scoring: Scoring, state: State, event: Led | Played) -> tuple[State, tuple[Event, ...]]:
        """Score the play that led to this state, or let its maker claim the points."""
        points, terms = scoring.points(state)
        if not points:
            return state, (event,)
        if scoring.claims:
            return replace(state, turn=event.seat, pending=Pending(event.seat, points, terms)), (event,)
        scored = Scored(event.seat, points, terms, reason=scoring.call)
        return self._add_points(state, scored), (event, scored)

    def _add_points(self, state: State, *scored: Scored) -> State:
        """Add points to the state."""
        if not scored:
            return state
        made = list(state.made or (0,) * self.sides)
        for score in scored:
            made[score.seat % self.sides] += score.points
        return replace(state, made=tuple(made))

    def _is_round_over(self, hands: tuple[Hand, ...]) -> bool:
        """Return True if the round is over; at least one hand is empty."""
        if self.ending.until == "side":
            return any(not any(hands[side :: self.sides]) for side in range(self.sides))
        return self.ending.until == "hand" or not any(hands)

    def _next_seat(self, hands: Sequence[Hand], seat: int) -> int:
        """Return the next seat; where an empty hand does not end the round, the next seat that has tiles."""
        seat = (seat + 1) % self.seats
        if self.ending.until != "hand":
            while not hands[seat] and any(hands):
                seat = (seat + 1) % self.seats
        return seat


def _with_hand(hands: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    """Return the hands with another one for `seat`."""
    changed = list(hands)
    changed[seat] = hand
    return tuple(changed)


def _remaining_duty(duty: Duty, state: State, layout: Layout, target: int) -> tuple[int, ...]:
    """Return the tiles that must be answered after the last tile was laid on the tile `target`."""
    owed = list(state.owed)
    if target in owed:
        owed.remove(target)
    owed += [len(layout) - 1] * duty.owed(layout)
    if owed and duty.answered:
        owed = [index for index in owed if not duty.answered(layout, index)]
    return tuple(owed)


# What the seat on turn may do: lay, draw, pass, or nothing at all


def legal_leads(rules: LayoutRules, state: State) -> tuple[Action, ...]:
    """Return every way to lead; a draw during the search for the centre; a pass for a seat without a lead.

    Where a led tile is open at one half only, each half is a lead of its own.
    """
    opening = state.opening
    hand = state.hands[state.turn]
    if opening.wanted and not any(tile in hand for tile in opening.wanted):
        return (DRAW,)
    tiles = [tile for tile in dict.fromkeys(opening.tiles or opening.wanted) if tile in hand]
    if rules.turns.blind:
        tiles = tiles[:1]
    plays = [
        Play(tile, -1, 0, out if out >= 0 else opening.shows)
        for tile in tiles
        for out in ((tile.high, tile.low) if rules.one_ended and tile.low != tile.high else (tile.high,))
    ]
    return tuple(plays) or (PASS,)


def legal_sheds(state: State) -> tuple[Shed, ...]:
    """Return every way to lay a tile face down."""
    return tuple([Shed(tile) for tile in dict.fromkeys(state.hands[state.turn])])


def legal_plays(rules: LayoutRules, state: State) -> tuple[Play, ...]:
    """Return every way to lay a tile of the hand; mirror places on one tile count as one move (`docs/rules` §0)."""
    ends, fits, hand = state.ends, rules.fits, state.hands[state.turn]
    if fits.equals:  # equal tiles are one choice
        hand = tuple(dict.fromkeys(hand))
    plays = []
    allows = _restriction(rules, state) if state.owed else rules.turns.allows
    if len(ends) == 2 and ends[0].at != ends[1].at and not (allows or state.owed):  # most positions of most games
        places_by_tile = fits.on_line(ends[0].pips, ends[1].pips)
        for tile in hand:
            if tile in places_by_tile:
                for end_index, outward_number in places_by_tile[tile]:
                    end = ends[end_index]
                    plays.append(Play(tile, end.at, end.side, outward_number))
        return tuple(plays)
    places = _open_places(rules, state)
    if len({end.at for end, _ in places}) < len(places):
        place_by_number = {(end.at, end.pips, end.owner): (end, fitting) for end, fitting in reversed(places)}
        places = list(place_by_number.values())[::-1]
    for tile in hand:
        for end, fitting in places:
            if tile in fitting and (allows is None or allows(state, tile, end)):
                for outward_number in fitting[tile]:
                    plays.append(Play(tile, end.at, end.side, outward_number))
    return tuple(plays)


def legal_turned_plays(rules: LayoutRules, state: State) -> tuple[Play, ...]:
    """Return every way to lay the tile turned over in a hidden row; of two equal ends only the older one."""
    turned_tile = state.hands[state.turn][0]
    by_number: dict[int, Play] = {}
    for play in sorted(legal_plays(rules, state), key=lambda play: (play.at, play.side)):
        if play.tile == turned_tile:
            by_number.setdefault(play.out, play)
    return tuple(by_number.values())


def legal_tucks(state: State) -> tuple[Tuck, ...]:
    """Return the only action for a turned-over tile that fits nowhere."""
    return (Tuck(state.hands[state.turn][0]),)


def alternatives(rules: LayoutRules, state: State, playable: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return the actions that a seat has besides its plays: to draw, or to end its turn."""
    drawing = rules.drawing
    may_keep = drawing.keep and state.stuck
    if state.going == "may":
        return (PASS,)
    if not (may_keep or drawing.voluntary or drawing.spares or state.owed):
        return ()
    is_spared = may_decline(rules, state, playable)
    if (is_spared or (drawing.voluntary and not may_keep)) and draws_left(rules, state):
        return (DRAW, PASS) if may_keep else (DRAW,)
    return (PASS,) if may_keep or (is_spared and rules.duty and rules.duty.allows) else ()


def draw_count(rules: LayoutRules, state: State) -> int:
    """Return the number of tiles that a draw takes: all that the turn forces, or 1 if the seat could play."""
    if any(isinstance(action, Play) for action in state.legal):
        return 1
    limit, allows = draws_left(rules, state), _restriction(rules, state)
    places = _open_places(rules, state)
    for number, tile in enumerate(state.boneyard[:limit], 1):
        if any(tile in fitting and (allows is None or allows(state, tile, end)) for end, fitting in places):
            return number
    return limit


def draws_left(rules: LayoutRules, state: State) -> int:
    """Return the number of tiles that the seat on turn may still draw."""
    drawing = rules.drawing
    if not drawing.max_per_turn:
        return 0
    limit = min(drawing.max_per_turn, drawing.while_owed) if state.owed else drawing.max_per_turn
    return max(0, min(limit - state.drawn, len(state.boneyard) - drawing.reserve))


def may_decline(rules: LayoutRules, state: State, playable: tuple[Action, ...]) -> bool:
    """Return True if no play is forced: none is legal, all are of spared tiles, or none answers an owed tile."""
    spares = rules.drawing.spares
    if spares and all(isinstance(play, Play) and play.tile in spares for play in playable):
        return True
    if not state.owed or not rules.duty or not rules.duty.allows:
        return not playable
    return not any(isinstance(play, Play) and play.at == state.owed[0] for play in playable)


def is_blocked(rules: LayoutRules, state: State) -> bool:
    """Return True if no hand has a tile that fits and nobody may ever draw again."""
    drawing = rules.drawing
    if drawing.max_per_turn and len(state.boneyard) > drawing.reserve:
        return False
    if drawing.ends == "always" or (drawing.ends == "turn" and not state.drawn):
        return True
    tiles: Set[Tile]
    if len(state.ends) == 2 and not state.owed:
        left, right = state.ends
        tiles = rules.fits.on_line(left.pips, right.pips).keys()
    else:
        tiles = {tile for _, fitting in _open_places(rules, state) for tile in fitting}
    return tiles.isdisjoint(chain(*state.hands))


def why_passed(rules: LayoutRules, state: State) -> PassReason:
    """Return the reason of a pass: see `core.actions.Passed`."""
    drawing = rules.drawing
    if not state.layout:
        return "no_lead"
    if isinstance(state.legal[0], Play):
        return "enough" if state.going else "kept"
    if not drawing.max_per_turn:
        return "no_drawing"
    if len(state.boneyard) > drawing.reserve:
        return "limit"
    return "reserve" if state.boneyard else "empty"


def _open_places(rules: LayoutRules, state: State) -> list[tuple[End, Fitting]]:
    """Return the ends on which some seat may play, with the tiles that fit there.

    These are all ends, or those of the tile that must be answered first.
    """
    ends, on_end = state.ends, (rules.answers if state.owed else rules.fits).on_end
    if state.owed and rules.duty and not rules.duty.allows:
        owed_first = state.owed if rules.duty.any_order else state.owed[:1]
        ends = tuple([end for end in ends if end.at in owed_first])
    return [(end, on_end[end.pips]) for end in ends]


def _restriction(rules: LayoutRules, state: State) -> Allows | None:
    return rules.duty.allows if state.owed and rules.duty and rules.duty.allows else rules.turns.allows
