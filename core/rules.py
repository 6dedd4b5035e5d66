"""One engine for every game that builds a layout: `LayoutRules` says what the games can disagree on."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Draw, Drew, Event, Led, Pass, Passed, Play, Played, RoundOver
from core.layout import NOBODY, End, Layout, Placed
from core.tiles import Hand, Tile
from core.words import Illegal, words

UNLIMITED = 10**6
"""More draws than any set has tiles."""

_DRAW, _PASS = Draw(), Pass()


class Before(Struct, frozen=True):
    """What a round's opening may depend on: the last leader and winner (-1 for none), and a lot."""

    lot: int
    """A seat drawn by lot, by the same chance that shuffled the tiles."""
    leader: int = NOBODY
    winner: int = NOBODY


class Opening(NamedTuple):
    """Who leads, with which tiles, and the reason (see `core.actions.Led`)."""

    seat: int
    tiles: Hand
    reason: str


class State(Struct, frozen=True):
    """One moment of a round. `legal` is never empty before the end, and always empty after it."""

    hands: tuple[Hand, ...]
    boneyard: tuple[Tile, ...]
    """In the order in which it will be drawn."""
    layout: Layout
    ends: tuple[End, ...]
    turn: int
    opening: Opening
    drawn: int = 0
    """Tiles that the seat on turn has drawn in this turn."""
    stuck: bool = False
    """Whether the seat on turn had to draw in this turn."""
    legal: tuple[Action, ...] = ()
    result: RoundOver | None = None


class LayoutView(Struct, frozen=True, tag="layout"):
    """What one seat may know of a round, built field by field; seat -1 is a spectator."""

    seat: int
    hand: Hand
    counts: tuple[int, ...]
    """Tiles in each seat's hand."""
    boneyard: int
    """Tiles left in the boneyard."""
    reserve: int
    """Tiles of the boneyard that nobody may draw; all of them where there is no drawing."""
    layout: Layout
    ends: tuple[End, ...]
    turn: int
    """The seat to act; -1 when the round is over."""
    drawn: int
    legal: tuple[Action, ...]
    """What this seat may do now: empty unless it is its turn."""
    opening: str
    """Why the seat on turn leads, while the table is empty; else empty."""
    result: RoundOver | None
    highest: int = 6
    """The highest number of the set."""


class Drawing(Struct, frozen=True):
    """When and how much a seat may draw."""

    most: int = UNLIMITED
    """Tiles in one turn; 0 where there is no drawing at all."""
    reserve: int = 0
    """Tiles that always stay in the boneyard."""
    voluntary: bool = False
    """Whether a seat that can play may draw first, one tile at a time."""
    keep: bool = False
    """Whether a seat that was stuck and drew a fitting tile may keep it and pass."""


class Goal(Struct, frozen=True):
    """When a match ends: at the end of a round in which a side has reached the target; the highest wins."""

    target: int


class LayoutRules(Struct, frozen=True):
    """A layout game as a value."""

    tiles: tuple[Tile, ...]
    """The set."""
    seats: int
    sides: int
    """Scores kept: one per seat, or two for partners; the side of a seat is seat modulo sides."""
    hand: int
    """Tiles dealt to each seat."""
    opener: Callable[[tuple[Hand, ...], Before], Opening]
    """Who leads a round, and with what."""
    meets: Callable[[Tile, int], tuple[int, ...]]
    """The numbers that a tile can turn outward when laid on a number; none when it does not fit."""
    opens: Callable[[tuple[End, ...], Placed, int], tuple[End, ...]]
    """The open ends once a tile was placed as number `index` of the layout."""
    pays: Callable[[State], RoundOver]
    """Settles a round from its last state."""
    goal: Goal
    drawing: Drawing = Drawing()

    def deal(self, order: tuple[Tile, ...], before: Before) -> State:
        """Start a round from the shuffled set: seat 0 takes the first hand, seat 1 the next, and so on.

        What is left is the boneyard, drawn from its head.
        """
        size = self.hand
        hands = tuple(tuple(sorted(order[seat * size : (seat + 1) * size])) for seat in range(self.seats))
        opening = self.opener(hands, before)
        lead = tuple(Play(tile, -1, 0, tile.high) for tile in opening.tiles)
        return State(hands, order[self.seats * size :], (), (), opening.seat, opening, legal=lead)

    def legal(self, state: State) -> tuple[Action, ...]:
        """List what the seat on turn may do; empty once the round is over."""
        return state.legal

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """Return the next state and what happened. Raises Illegal for what `legal` does not list."""
        if action not in state.legal:
            raise Illegal(words("That is not possible now."))
        after, event = self._done(state, action)
        after = self.settled(after)
        return after, (event, after.result) if after.result else (event,)

    def settled(self, state: State) -> State:
        """Complete a position by what may be done in it, or by its result when it is the end of the round."""
        drawing = self.drawing
        if () in state.hands:
            return replace(state, legal=(), result=self.pays(state))
        legal: tuple[Action, ...] = self._plays(state.hands[state.turn], state.ends)
        if legal:
            if drawing.keep and state.stuck:
                legal = (*legal, _PASS)
            elif drawing.voluntary and self._may_draw(state):
                legal = (*legal, _DRAW)
        elif self._may_draw(state):
            legal = (_DRAW,)
        elif self._blocked(state):
            return replace(state, legal=(), result=self.pays(state))
        else:
            legal = (_PASS,)
        return replace(state, legal=legal)

    def view(self, state: State, seat: int) -> LayoutView:
        """Return what `seat` may know; -1 is a spectator, who sees no hand."""
        drawing = self.drawing
        return LayoutView(
            seat=seat,
            hand=state.hands[seat] if seat != NOBODY else (),
            counts=tuple(map(len, state.hands)),
            boneyard=len(state.boneyard),
            reserve=min(drawing.reserve, len(state.boneyard)) if drawing.most else len(state.boneyard),
            layout=state.layout,
            ends=state.ends,
            turn=NOBODY if state.result else state.turn,
            drawn=state.drawn,
            legal=state.legal if seat == state.turn else (),
            opening=state.opening.reason if not state.layout else "",
            result=state.result,
            highest=self.tiles[-1].high,
        )

    def _done(self, state: State, action: Action) -> tuple[State, Event]:
        match action:
            case Play():
                return self._play(state, action)
            case Draw():
                return self._draw(state)
            case Pass():
                after = replace(state, turn=(state.turn + 1) % self.seats, drawn=0, stuck=False)
                return after, Passed(state.turn, self._why_passed(state))

    def _play(self, state: State, play: Play) -> tuple[State, Event]:
        seat, tile = state.turn, play.tile
        hand = list(state.hands[seat])
        hand.remove(tile)
        placed = Placed(tile, play.at, play.side, play.out, seat)
        event: Event
        if play.at < 0:
            event = Led(seat, tile, state.opening.reason)
        else:
            on = next(end.pips for end in state.ends if end.at == play.at and end.side == play.side)
            event = Played(seat, tile, on, play.out)
        after = State(
            (*state.hands[:seat], tuple(hand), *state.hands[seat + 1 :]),
            state.boneyard,
            (*state.layout, placed),
            self.opens(state.ends, placed, len(state.layout)),
            (seat + 1) % self.seats,
            state.opening,
        )
        return after, event

    def _draw(self, state: State) -> tuple[State, Event]:
        seat = state.turn
        forced = not isinstance(state.legal[0], Play)
        count = self._may_draw(state) if forced else 1
        for number, tile in enumerate(state.boneyard[:count], 1):
            if any(self.meets(tile, end.pips) for end in state.ends):
                count = number
                break
        drawn = state.boneyard[:count]
        hand = tuple(sorted(state.hands[seat] + drawn))
        after = replace(
            state,
            hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]),
            boneyard=state.boneyard[count:],
            drawn=state.drawn + count,
            stuck=state.stuck or forced,
        )
        return after, Drew(seat, count, drawn, forced)

    def _plays(self, hand: Hand, ends: tuple[End, ...]) -> tuple[Play, ...]:
        """Every way to lay a tile of a hand; mirror places on one tile count as one move (`rules.md` §0)."""
        meets = self.meets
        places = list({(end.at, end.pips, end.owner): end for end in reversed(ends)}.values())[::-1]
        return tuple(
            [Play(tile, end.at, end.side, out) for tile in hand for end in places for out in meets(tile, end.pips)]
        )

    def _may_draw(self, state: State) -> int:
        """How many tiles the seat on turn may still draw."""
        drawing = self.drawing
        return max(0, min(drawing.most - state.drawn, len(state.boneyard) - drawing.reserve))

    def _blocked(self, state: State) -> bool:
        """Nobody holds a placeable tile and nobody may ever draw again."""
        if self.drawing.most and len(state.boneyard) > self.drawing.reserve:
            return False
        meets = self.meets
        return not any(meets(tile, end.pips) for end in state.ends for hand in state.hands for tile in hand)

    def _why_passed(self, state: State) -> str:
        drawing = self.drawing
        if isinstance(state.legal[0], Play):
            return "kept"
        if not drawing.most:
            return "no_drawing"
        if len(state.boneyard) > drawing.reserve:
            return "limit"
        return "reserve" if state.boneyard else "empty"
