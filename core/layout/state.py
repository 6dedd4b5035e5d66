"""One moment of a layout game, what a seat may know of it, and what a round and a match begin and end with."""

from typing import NamedTuple

from msgspec import Struct

from core.actions import Action, RoundOver, Scored
from core.bounds import Amount, Count, Index, Pips, Points, SeatNumber, TileSide
from core.tiles import WILD, Hand, Tile
from core.vocabulary import Faces, Going, LeadReason, LoserName, MatchTie, Shape, ShownLead, Shutout
from core.words import Words

NOBODY = -1
"""Stands for no seat."""


class Placed(Struct, frozen=True, array_like=True, gc=False):
    """One tile on the table, named by its index in the layout: tiles are listed as they were laid."""

    tile: Tile
    on: Index
    """Index of the tile that this one was laid on; -1 for the first."""
    side: TileSide
    """The side of that tile that this one touches."""
    out: Pips
    """The number turned outward, at side 1."""
    seat: SeatNumber
    """Who laid it; -1 when it lay there from the start."""


class End(Struct, frozen=True, array_like=True, gc=False):
    """A place where a tile may be laid: a side of a placed tile, and the number shown there."""

    at: Index
    """Index of the placed tile; -1 is the empty table before the first tile."""
    side: TileSide
    pips: Pips
    owner: SeatNumber = NOBODY
    """Whose train this is, where trains have owners."""


Layout = tuple[Placed, ...]


def end_at(ends: tuple[End, ...], at: int, side: int) -> End:
    """The one of these ends that is a certain side of a certain tile."""
    for end in ends:
        if end.at == at and end.side == side:
            return end
    raise LookupError(f"Nothing is open at side {side} of tile {at}.")


def carried_on(layout: Layout, ends: tuple[End, ...], on: End) -> tuple[End, ...]:
    """The ends once the last tile of a layout carries on the end that it was laid on."""
    new = End(len(layout) - 1, 1, layout[-1].out, on.owner)
    return tuple([new if end is on else end for end in ends])


def bearing(layout: Layout, pips: int) -> int:
    """How many tiles with this number are on the table."""
    return sum([pips in placed.tile for placed in layout])


class Before(Struct, frozen=True):
    """What a round's opening may depend on: its number from one, who led and won the last, and a lot."""

    lot: int
    """A seat drawn by lot, by the same chance that shuffled the tiles."""
    leader: int = NOBODY
    winner: int = NOBODY
    round: int = 1
    scores: tuple[int, ...] = ()
    """By side, before the round."""
    carry: tuple[int, ...] = ()
    """What the last round handed on: `RoundOver.carry`."""


class Opening(NamedTuple):
    """Who begins a round, and how."""

    seat: int
    tiles: Hand
    """The tiles that may be led; none where something lies there already, or must be found first. A seat that holds
    none of them passes, and the next one leads."""
    reason: LeadReason
    """See `core.actions.Led`; where nobody leads, why all tiles are dealt again."""
    wanted: Hand = ()
    """The tiles that can be the centre, where nobody holds any: each seat in turn draws one until it is found, and
    laid at once."""
    then: int = NOBODY
    """The seat to act after the lead; -1 for the next."""
    leader: int = NOBODY
    """The round's leader, from whom the lead moves on, where that is not the seat that begins."""
    shows: int = WILD
    """The number that a wildstar stands for when it is led."""


class Pending(Struct, frozen=True):
    """Points that a play has made and that wait to be claimed."""

    seat: int
    """Who made the play."""
    points: int
    terms: tuple[int, ...]


class State(Struct, frozen=True, gc=False):
    """One moment of a round. `legal` is never empty before the end, and always empty after it."""

    hands: tuple[Hand, ...]
    boneyard: tuple[Tile, ...]
    """In the order in which it will be drawn."""
    layout: Layout
    ends: tuple[End, ...]
    turn: int
    opening: Opening
    before: Before
    drawn: int = 0
    """Tiles that the seat on turn has drawn in this turn, or since the double that it must cover."""
    stuck: bool = False
    """Whether the seat on turn drew in this turn because it could not play, or only what it would rather spare."""
    owed: tuple[int, ...] = ()
    """Placed tiles that must be answered before all else, the oldest first, once for each tile owed."""
    open: tuple[int, ...] = ()
    """Seats whose trains are marked, so that anybody may play there."""
    going: Going = ""
    """Whether the seat on turn goes on after a play of its own, and whether it must."""
    turns: int = 0
    """Turns that have ended in this round, without that of a lead which was a whole turn."""
    made: tuple[int, ...] = ()
    """Points made in this round so far, by side, as if all of them counted; empty where nobody has made any."""
    shed: tuple[Hand, ...] = ()
    """By seat, what it has laid face down, in that order; empty where nobody has, or nothing is."""
    up: Hand = ()
    """Doubles that were put to the end of a row that nobody sees, and so lie face up there."""
    dealt: tuple[Scored, ...] = ()
    """Points that the deal itself brought, until the first tile is laid."""
    pending: Pending | None = None
    legal: tuple[Action, ...] = ()
    result: RoundOver | None = None
    past: "tuple[tuple[State, Action], ...]" = ()
    """Every earlier moment and what was done then, for the rules that look back; else empty."""

    def score(self, side: int) -> int:
        """What a side has now: what it had before the round, and what it has made in it."""
        return sum(scores[side] for scores in (self.before.scores, self.made) if scores)

    @property
    def owned(self) -> tuple[Hand, ...]:
        """By seat, what it holds and what it has laid face down, in ascending order."""
        if not self.shed:
            return self.hands
        return tuple(tuple(sorted((*hand, *down))) for hand, down in zip(self.hands, self.shed, strict=True))

    @property
    def leader(self) -> int:
        """The seat from which the lead moves on."""
        return self.opening.leader if self.opening.leader != NOBODY else self.opening.seat


class LayoutView(Struct, frozen=True, tag="layout"):
    """What one seat may know of a round, built field by field; seat -1 is a spectator."""

    seat: SeatNumber
    hand: Hand
    counts: tuple[Count, ...]
    """Tiles in each seat's hand."""
    boneyard: Count
    """Tiles left in the boneyard."""
    reserve: Count
    """Tiles of the boneyard that nobody may draw; all of them if there is no drawing."""
    layout: Layout
    ends: tuple[End, ...]
    turn: SeatNumber
    """The seat to act; -1 when the round is over."""
    drawn: Count
    legal: tuple[Action, ...]
    """What this seat may do now: empty unless it is its turn."""
    opening: ShownLead
    """Why the seat on turn leads, while the table is empty; else empty."""
    result: RoundOver | None
    highest: Pips = 6
    """The highest number of the set."""
    shape: Shape = "line"
    """How the layout is drawn; in an `inline` one doubles lie like all other tiles."""
    owed: tuple[Index, ...] = ()
    """Placed tiles that must be answered first, the oldest first, once for each tile owed."""
    open: tuple[SeatNumber, ...] = ()
    """Seats whose trains are marked open."""
    says: Words | None = None
    """What the rules ask for now, if that is not obvious."""
    worth: tuple[Points, ...] = ()
    """What each of the legal plays would score at once, in their order; empty where nothing scores in play."""
    pending: Points = 0
    """Points that wait to be claimed."""
    count: tuple[Points, ...] = ()
    """What the open ends show, where they are counted."""

    going: Going = ""
    """Whether the seat on turn goes on after a play of its own, and whether it must."""
    turns: Amount = 0
    """Turns that have ended in this round, without that of a lead which was a whole turn."""
    stuck: bool = False
    """Whether the seat on turn drew in this turn because it could not play, or only what it would rather spare."""

    faces: Faces = ""
    """What the tiles look like: dominoes, or `chinese` ones."""
    shed: tuple[Count, ...] = ()
    """Tiles that each seat has laid face down; empty where nobody has."""
    own_shed: Hand = ()
    """Which of these this seat laid, in that order."""
    rows: tuple[Hand, ...] = ()
    """Where nobody sees their own tiles: each seat's row from its head, as all see it. A wildstar stands for a tile
    that lies face down, and the `hand` is the one turned over in this seat's turn."""

    @property
    def facts(self) -> tuple[object, ...]:
        """Tiles and turn: what a record must agree with, without words that may differ in another version."""
        return self.hand, self.counts, self.boneyard, self.layout, self.turn, self.shed, self.own_shed, self.rows


class Goal(Struct, frozen=True):
    """When a match is over, and who has won it; equal scores share the win."""

    target: Amount = 0
    """Points that end it at a round's end; 0 for none."""
    rounds: Amount = 0
    """Rounds after which it ends; 0 for any number."""
    lowest: bool = False
    """Whether the lowest score wins."""
    at_once: bool = False
    """Whether it ends in the middle of a round, as soon as a side has the target."""
    exact: bool = False
    """Whether points that would lead past the target do not count."""
    loser: LoserName = ""
    """What a side is called that has the target, where the lowest score wins; empty for nothing."""
    tie: MatchTie = "share"
    """`share`; `zeros`: of equal scores the one with most rounds without a point; `winner`: the side that won
    the last round; `draw`: nobody wins; `more`: another round is played."""
    winner_first: bool = False
    """Whether the winner of the last round wins with the target, also if another has more."""
    nought: bool = False
    """Whether only a score of 0 wins."""
    shutout: Shutout = ""
    """What a match is called in which the losers have no points; empty where it has no name."""


class PlainState(Struct, frozen=True):
    """A state that answers for those games; `core.layout.state.State` has fields for the same."""

    @property
    def dealt(self) -> tuple[Scored, ...]:
        """Points that the deal itself brought: none."""
        return ()

    @property
    def drawn(self) -> int:
        """Tiles that the seat on turn has chosen to draw: none."""
        return 0
