"""A moment of a layout game, the parts of its rules, and the view of a seat."""

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from core.actions import Action, Play, RoundOver, Scored
from core.tiles import HIGHEST, STAR, WILD, Amount, Count, Hand, Index, Pips, Points, SeatNumber, Tile, TileSide
from core.words import Faces, Going, LeadReason, LoserName, MatchTie, ScoreReason, Shape, ShownLead, Shutout, Words

NOBODY = -1
"""No seat."""


class PlacedTile(Struct, frozen=True, array_like=True, gc=False):
    """A tile on the table, named by its index in the layout: tiles are listed in the order of play."""

    tile: Tile
    on: Index
    """Index of the tile that this one was laid on; -1 for the first."""
    side: TileSide
    """The side of that tile that this one touches."""
    out: Pips
    """The number turned outward, at side 1."""
    seat: SeatNumber
    """The seat that laid it; -1 if it lay there from the start."""


class End(Struct, frozen=True, array_like=True, gc=False):
    """A place where a tile may be laid: a side of a placed tile, and the number shown there."""

    at: Index
    """Index of the placed tile; -1 is the empty table before the first tile."""
    side: TileSide
    pips: Pips
    owner: SeatNumber = NOBODY
    """The owner of the train, where trains have owners."""


Layout = tuple[PlacedTile, ...]


def end_at(ends: tuple[End, ...], at: int, side: int) -> End:
    """Return the end at a side of a placed tile. Raises LookupError if it is not open."""
    for end in ends:
        if end.at == at and end.side == side:
            return end
    raise LookupError(f"Nothing is open at side {side} of tile {at}.")


def replace_end(layout: Layout, ends: tuple[End, ...], target: End) -> tuple[End, ...]:
    """Return the ends after the last tile of a layout was laid on `target` and continues it."""
    new = End(len(layout) - 1, 1, layout[-1].out, target.owner)
    return tuple([new if end is target else end for end in ends])


def count_with_number(layout: Layout, pips: int) -> int:
    """Return the number of tiles on the table with this number."""
    return sum([pips in placed.tile for placed in layout])


class RoundContext(Struct, frozen=True):
    """The facts on which a round's opening may depend: its number from 1, the last leader and winner, and a lot."""

    lot: int
    """A seat drawn by lot, by the same chance that shuffled the tiles."""
    leader: int = NOBODY
    winner: int = NOBODY
    round: int = 1
    scores: tuple[int, ...] = ()
    """By side, before the round."""
    carry: tuple[int, ...] = ()
    """Numbers that the last round handed on: `RoundOver.carry`."""


class Opening(NamedTuple):
    """The seat that begins a round, and its possible leads."""

    seat: int
    tiles: Hand
    """Tiles that may be led; none if a tile lies there already, or must be found first. A seat that holds none of
    them passes, and the next one leads.
    """
    reason: LeadReason
    """See `core.actions.Led`; if no seat leads, the reason for a new deal."""
    wanted: Hand = ()
    """Tiles that can be the centre, if no hand has any: each seat in turn draws one tile until one is found, and laid
    at once.
    """
    next_seat: int = NOBODY
    """The seat to act after the lead; -1 for the next."""
    leader: int = NOBODY
    """The leader of the round, from whom the lead moves on, if it is not the seat that begins."""
    shows: int = WILD
    """The number of a wildstar that is led."""


class Pending(Struct, frozen=True):
    """Points of a play that wait to be claimed."""

    seat: int
    """The seat that made the play."""
    points: int
    terms: tuple[int, ...]


class State(Struct, frozen=True, gc=False):
    """A moment of a round. `legal` is never empty before the end, and always empty after it."""

    hands: tuple[Hand, ...]
    boneyard: tuple[Tile, ...]
    """In the order in which it will be drawn."""
    layout: Layout
    ends: tuple[End, ...]
    turn: int
    opening: Opening
    before: RoundContext
    drawn: int = 0
    """Tiles that the seat on turn has drawn in this turn, or since the double that it must cover."""
    stuck: bool = False
    """True if the seat on turn drew in this turn because it had no play, or only plays of spared tiles."""
    owed: tuple[int, ...] = ()
    """Placed tiles that must be answered before all else, the oldest first, once for each tile owed."""
    open: tuple[int, ...] = ()
    """Seats whose trains are marked, so that any seat may play there."""
    going: Going = ""
    """Tells if the seat on turn continues after its own play, and if it must."""
    turns: int = 0
    """Turns that have ended in this round, except a lead that was a whole turn."""
    made: tuple[int, ...] = ()
    """Points made in this round so far, by side, as if all of them counted; empty before the first points."""
    shed: tuple[Hand, ...] = ()
    """By seat, the tiles laid face down, in that order; empty if there are none."""
    up: Hand = ()
    """Doubles that were put at the end of a hidden row; they lie face up there."""
    dealt: tuple[Scored, ...] = ()
    """Points of the deal itself, until the first tile is laid."""
    pending: Pending | None = None
    legal: tuple[Action, ...] = ()
    result: RoundOver | None = None
    past: "tuple[tuple[State, Action], ...]" = ()
    """All earlier moments with their actions, for the rules that look back; else empty."""

    def score(self, side: int) -> int:
        """Return the score of a side now: its score before the round plus its points in it."""
        return sum(scores[side] for scores in (self.before.scores, self.made) if scores)

    @property
    def all_tiles(self) -> tuple[Hand, ...]:
        """By seat, the hand and the tiles laid face down, in ascending order."""
        if not self.shed:
            return self.hands
        return tuple(tuple(sorted((*hand, *down))) for hand, down in zip(self.hands, self.shed, strict=True))

    @property
    def leader(self) -> int:
        """The seat from which the lead moves on."""
        return self.opening.leader if self.opening.leader != NOBODY else self.opening.seat


class LayoutView(Struct, frozen=True, tag="layout"):
    """The part of a round that one seat may know, built field by field; seat -1 is a spectator."""

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
    """The seat to act; -1 once the round is over."""
    drawn: Count
    legal: tuple[Action, ...]
    """Actions of this seat now: empty unless it is its turn."""
    opening: ShownLead
    """The reason why the seat on turn leads, while the table is empty; else empty."""
    result: RoundOver | None
    highest: Pips = 6
    """The highest number of the set."""
    shape: Shape = "line"
    """The shape in which the layout is drawn; in `inline`, doubles lie like all other tiles."""
    owed: tuple[Index, ...] = ()
    """Placed tiles that must be answered first, the oldest first, once for each tile owed."""
    open: tuple[SeatNumber, ...] = ()
    """Seats whose trains are marked open."""
    says: Words | None = None
    """The task that the rules set now, unless it is obvious."""
    worth: tuple[Points, ...] = ()
    """Points that each of the legal plays scores at once, in their order; empty if nothing scores in play."""
    pending: Points = 0
    """Points that wait to be claimed."""
    count: tuple[Points, ...] = ()
    """Pips of the open ends, in games that count them."""

    going: Going = ""
    """Tells if the seat on turn continues after its own play, and if it must."""
    turns: Amount = 0
    """Turns that have ended in this round, except a lead that was a whole turn."""
    stuck: bool = False
    """True if the seat on turn drew in this turn because it had no play, or only plays of spared tiles."""

    faces: Faces = ""
    """The look of the tiles: dominoes, or `chinese` tiles."""
    shed: tuple[Count, ...] = ()
    """Number of tiles that each seat has laid face down; empty if there are none."""
    own_shed: Hand = ()
    """This seat's tiles among them, in that order."""
    rows: tuple[Hand, ...] = ()
    """In games with hidden hands, each seat's row from its head, as all see it. A wildstar stands for a tile that
    lies face down, and `hand` is the tile turned over in this seat's turn.
    """

    @property
    def facts(self) -> tuple[object, ...]:
        """Tiles and turn: the facts that must agree with a record, without words that depend on the version."""
        return self.hand, self.counts, self.boneyard, self.layout, self.turn, self.shed, self.own_shed, self.rows


class Goal(Struct, frozen=True):
    """End and winner of a match; equal scores share the win."""

    target: Amount = 0
    """Points that end the match at a round's end; 0 if there is none."""
    rounds: Amount = 0
    """Rounds after which the match ends; 0 for no limit."""
    lowest: bool = False
    """True if the lowest score wins."""
    at_once: bool = False
    """True if the match ends in the middle of a round, as soon as a side has the target."""
    exact: bool = False
    """True if points that would lead past the target do not count."""
    loser: LoserName = ""
    """Name of a side that has the target, if the lowest score wins; empty if there is none."""
    tie: MatchTie = "share"
    """`share`; `zeros`: of equal scores the one with most rounds without a point; `winner`: the side that won
    the last round; `draw`: nobody wins; `more`: another round is played."""
    winner_first: bool = False
    """True if the winner of the last round wins with the target, also if another has more."""
    zero_wins: bool = field(default=False, name="nought")
    """True if only a score of 0 wins. The wire calls it `nought`."""
    shutout: Shutout = ""
    """Name of a match in which the losers have no points; empty if it has none."""


class PlainState(Struct, frozen=True):
    """Fields of `State` that are constant in every state without a layout."""

    @property
    def dealt(self) -> tuple[Scored, ...]:
        """Points of the deal itself: none."""
        return ()

    @property
    def drawn(self) -> int:
        """Tiles that the seat on turn has chosen to draw: 0."""
        return 0


Meets = Callable[[Tile, int], tuple[int, ...]]
"""The numbers that a tile can turn outward when laid on an end with a number; none if it does not fit."""
Fitting = dict[Tile, tuple[int, ...]]
"""The tiles that fit on an end, with the numbers that each can turn outward there."""
LinePlays = dict[Tile, tuple[tuple[int, int], ...]]
"""The tiles that fit on one of two ends, with every way to lay each: the end (0 or 1) and the outward number."""


class FitTable(Struct, frozen=True, eq=False):
    """Lookup tables of the tiles that fit. A table is equal only to itself."""

    on_end: dict[int, Fitting]
    """By the number of an end."""
    on_line: Callable[[int, int], LinePlays]
    """By the numbers of both ends of a line: one lookup per tile instead of two."""
    equals: bool
    """True if some tiles of the set are equal."""


EMPTY_FITS = FitTable({}, lambda _left, _right: {}, equals=False)
"""Placeholder until the table is computed."""
MAX_CACHED_TABLES = 32
"""Tables cached at a time: more than our games need, and few enough if a game makes its `meets` anew for each match.
A table grows up to 0.3 MiB for double-six, and to about 4 for double-eighteen.
"""


@lru_cache(MAX_CACHED_TABLES)
def fits_of(meets: Meets, tiles: tuple[Tile, ...]) -> FitTable:
    """Return which tiles of a set fit which numbers; shared by all matches whose games have the same `meets`."""
    numbers = range(WILD, HIGHEST + 1)
    on_end = {end: {tile: outs for tile in tiles if (outs := meets(tile, end))} for end in numbers}

    @cache
    def on_line(left: int, right: int) -> LinePlays:
        tiles_on = (on_end[left], on_end[right])
        tiles = tiles_on[0] | tiles_on[1]
        return {tile: tuple([(at, out) for at in (0, 1) for out in tiles_on[at].get(tile, ())]) for tile in tiles}

    return FitTable(on_end, on_line, len(set(tiles)) < len(tiles))


UNLIMITED = 10**6
"""More draws than any set has tiles."""

Opens = Callable[[Layout, tuple[End, ...], End | None], tuple[End, ...]]
"""The open ends after the last tile of a layout, from the ends before it and the one it was laid on; None for a first
tile.
"""
Earns = Callable[[State], tuple[int, tuple[int, ...]]]
Allows = Callable[[State, Tile, End], bool]
Awards = Callable[[State], tuple[Scored, ...]]
Answered = Callable[[Layout, int], bool]
Opener = Callable[[tuple[Hand, ...], RoundContext], Opening]
Until = Literal["hand", "side", "block"]
"""The end of a round: the first empty hand, the empty hands of a whole side, or a block only. Seats without tiles are
skipped while others play on.
"""
StuckEnds = Literal["", "turn", "always"]
"""When a seat that can neither play nor draw ends the round, whatever others hold: never, in a turn in which it has
not drawn, or always.
"""


class Start(Struct, frozen=True):
    """The start of a round."""

    hand: int
    """Tiles dealt to each seat."""
    opener: Opener
    """Returns the seat that begins, and its possible leads."""
    aside: Callable[[tuple[Tile, ...], RoundContext], Tile | None] | None = None
    """Returns the tile that lies on the table from the start; it is removed from the shuffled set before the deal."""
    points: Callable[[tuple[Hand, ...]], tuple[Scored, ...]] | None = None
    """Returns the points of the hands as dealt; most deals score nothing."""


class Drawing(Struct, frozen=True):
    """The conditions for drawing."""

    max_per_turn: int = UNLIMITED
    """Maximum number of tiles in one turn; 0 if there is no drawing."""
    reserve: int = 0
    """Tiles that always stay in the boneyard."""
    voluntary: bool = False
    """True if a seat that can play may draw first, one tile at a time."""
    keep: bool = False
    """True if a seat that was stuck and drew a fitting tile may keep it and pass."""
    while_owed: int = UNLIMITED
    """Maximum number of tiles in one turn while a tile is owed."""
    spares: tuple[Tile, ...] = ()
    """Tiles that need not be played while the seat may draw: a matador's choice."""
    ends: StuckEnds = ""


class Turns(Struct, frozen=True):
    """Rules of a turn besides matching an end, and its continuation."""

    allows: Allows | None = None
    """Returns True if the seat on turn may lay a fitting tile on an end, for example because the train is its own."""
    continues: Callable[[State, State], Going] | None = None
    """From the moments before and after a play, tells if the same seat continues: `must`, `may`, `fits` (it must
    while a tile fits), or empty for no.
    """
    marks: bool = False
    """True if a pass opens the seat's own train, and a play there closes it again."""
    sheds: bool = False
    """True if a seat that cannot play lays a tile of its hand face down instead of passing."""
    blind: bool = False
    """True if hands are hidden from their players: a hand is a row in the order dealt, and its first tile is turned
    over in the seat's turn and laid, or put at the end of the row instead of a pass.
    """
    awards: Awards | None = None
    """From the moment before a pass, returns its points; most passes score nothing."""


class Duty(Struct, frozen=True):
    """Tiles that must be laid before all else: the cover of a double, the toes of a foot, the arms of a centre."""

    owed: Callable[[Layout], int]
    """Returns the number of tiles owed to the last tile of the layout."""
    prompt: Callable[[State], Words]
    """Returns the player's task while a tile is owed."""
    answered: Answered | None = None
    """Returns True if no tile off the table could answer the tile at an index."""
    any_order: bool = False
    """True if owed tiles may be answered in any order; else the oldest comes first."""
    allows: Allows | None = None
    """Replaces `Turns.allows` while a tile is owed, if plays other than answers may be allowed then."""
    meets: Meets | None = None
    """Replaces `LayoutRules.meets` while a tile is owed, if not every fitting tile is an answer."""


class Scoring(Struct, frozen=True):
    """Points in play."""

    points: Earns
    """Returns the points of the last play, and the numbers that add up to them. It may read the table, the points and
    the state before the round; hands and turn may still be those before the play.
    """
    claims: bool = False
    """True if points must be claimed, and can be snatched by the other side."""
    call: ScoreReason = ""
    """The game's call for a play that scores; empty if it has none."""


class Ending(Struct, frozen=True):
    """The end of a round, and its worth."""

    settle: Callable[[State], RoundOver]
    """Settles a round from its last state."""
    until: Until = "hand"
    looks_back: bool = False
    """True if `settle` needs every earlier moment of the round."""


def fair_hands(
    hands: tuple[Hand, ...], context: RoundContext, *, opener: Opener, doubles: int = 0, alike: int = 0
) -> Opening:
    """Deal again if a hand has `doubles` doubles, or `alike` tiles with one number; else `opener` chooses the lead.

    0 means no limit.
    """
    if doubles and any(count_doubles(hand) >= doubles for hand in hands):
        return Opening(NOBODY, (), "doubles")
    if alike and any(commonest_number(hand)[1] >= alike for hand in hands):
        return Opening(NOBODY, (), "alike")
    return opener(hands, context)


def count_doubles(hand: Hand) -> int:
    """Return the number of doubles in a hand."""
    return sum(tile.is_double for tile in hand)


def commonest_number(hand: Hand) -> tuple[int, int]:
    """Return the most frequent number in a hand (the highest of several) and the number of its tiles."""
    counts = Counter(number for tile in hand for number in set(tile))
    number = max(counts, key=lambda number: (counts[number], number), default=0)
    return number, counts[number]


def view_for(
    seat: int,
    state: State,
    *,
    drawing: Drawing,
    highest: int,
    shape: Shape,
    faces: Faces,
    blind: bool,
    says: Words | None,
    worth: tuple[int, ...],
    count: tuple[int, ...] = (),
) -> LayoutView:
    """Return the view of `seat`; -1 is a spectator."""
    boneyard_count = len(state.boneyard)
    is_own_turn = seat == state.turn
    return LayoutView(
        seat=seat,
        hand=_visible_hand(state, seat, blind=blind),
        counts=tuple(map(len, state.hands)),
        boneyard=boneyard_count,
        reserve=min(drawing.reserve, boneyard_count) if drawing.max_per_turn else boneyard_count,
        layout=state.layout,
        ends=state.ends,
        turn=NOBODY if state.result else state.turn,
        drawn=state.drawn,
        legal=state.legal if is_own_turn else (),
        opening=state.opening.reason if not state.layout else "",
        result=state.result,
        highest=highest,
        shape=shape,
        owed=state.owed,
        open=state.open,
        says=says,
        worth=worth if is_own_turn else (),
        pending=state.pending.points if state.pending else 0,
        count=count,
        going=state.going,
        turns=state.turns,
        stuck=state.stuck,
        faces=faces,
        shed=tuple(map(len, state.shed)),
        own_shed=state.shed[seat] if state.shed and seat != NOBODY else (),
        rows=_rows(state) if blind and not state.result else (),
    )


def _visible_hand(state: State, seat: int, *, blind: bool) -> Hand:
    """Return the hand of a seat; of a hidden row, only the tile turned over."""
    if seat == NOBODY or (blind and (seat != state.turn or state.result)):
        return ()
    return state.hands[seat][:1] if blind else state.hands[seat]


def _rows(state: State) -> tuple[Hand, ...]:
    """Return every row as all see it: the first tile of the seat on turn, and doubles put at the end, are visible."""
    return tuple(
        tuple(
            tile if tile in state.up or (seat == state.turn and not place) else STAR for place, tile in enumerate(row)
        )
        for seat, row in enumerate(state.hands)
    )


def unseen_tiles(view: LayoutView, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles of the set that the seat does not see: those in other hands and in the boneyard."""
    remaining = Counter(tiles)
    remaining.subtract((*view.hand, *view.own_shed, *(placed.tile for placed in view.layout)))
    return tuple((+remaining).elements())


def worth_of(state: State, score_play: Earns, opens: Opens) -> tuple[int, ...]:
    """Return the points that each legal play would score at once."""
    points = []
    for play in state.legal:
        if isinstance(play, Play):
            layout = (*state.layout, PlacedTile(play.tile, play.at, play.side, play.out, state.turn))
            target = end_at(state.ends, play.at, play.side) if play.at >= 0 else None
            points.append(score_play(replace(state, layout=layout, ends=opens(layout, state.ends, target)))[0])
    return tuple(points)
