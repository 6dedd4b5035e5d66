"""One moment of a layout game, the parts of which its rules are made, and what a seat may know of it."""

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
"""Stands for no seat."""


class PlacedTile(Struct, frozen=True, array_like=True, gc=False):
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


Layout = tuple[PlacedTile, ...]


def end_at(ends: tuple[End, ...], at: int, side: int) -> End:
    """The one of these ends that is a certain side of a certain tile."""
    for end in ends:
        if end.at == at and end.side == side:
            return end
    raise LookupError(f"Nothing is open at side {side} of tile {at}.")


def replace_end(layout: Layout, ends: tuple[End, ...], on: End) -> tuple[End, ...]:
    """The ends once the last tile of a layout carries on the end that it was laid on."""
    new = End(len(layout) - 1, 1, layout[-1].out, on.owner)
    return tuple([new if end is on else end for end in ends])


def count_with_number(layout: Layout, pips: int) -> int:
    """How many tiles with this number are on the table."""
    return sum([pips in placed.tile for placed in layout])


class RoundContext(Struct, frozen=True):
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
    before: RoundContext
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
    def all_tiles(self) -> tuple[Hand, ...]:
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
    """End and winner of a match; equal scores share the win."""

    target: Amount = 0
    """Points that end the match at a round's end; 0 for none."""
    rounds: Amount = 0
    """Rounds after which the match ends; 0 for no limit."""
    lowest: bool = False
    """True if the lowest score wins."""
    at_once: bool = False
    """True if the match ends in the middle of a round, as soon as a side has the target."""
    exact: bool = False
    """True if points that would lead past the target do not count."""
    loser: LoserName = ""
    """Name of a side that has the target, if the lowest score wins; empty for none."""
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
    """Answers that every state without a layout gives where `State` has fields."""

    @property
    def dealt(self) -> tuple[Scored, ...]:
        """Points that the deal itself brought: none."""
        return ()

    @property
    def drawn(self) -> int:
        """Tiles that the seat on turn has chosen to draw: none."""
        return 0


Meets = Callable[[Tile, int], tuple[int, ...]]
"""The numbers that a tile can turn outward when laid on an end that shows a number; none when it does not fit."""
Fitting = dict[Tile, tuple[int, ...]]
"""The tiles that fit on an end, with the numbers that each can turn outward there."""
Ways = dict[Tile, tuple[tuple[int, int], ...]]
"""The tiles that fit on one of two ends, with every way to lay each: on which of them, and what it turns outward."""


class FitTable(Struct, frozen=True, eq=False):
    """What fits, to be looked up. It is equal only to itself."""

    on_end: dict[int, Fitting]
    """By the number that an end shows."""
    on_line: Callable[[int, int], Ways]
    """By the numbers that both ends of a line show: one look for a tile instead of two."""
    equals: bool
    """Whether some tiles of the set are equal."""


UNKNOWN = FitTable({}, lambda _left, _right: {}, equals=False)
"""Stands for what is not worked out yet."""
KEPT = 32
"""Tables kept at a time: more than our games need, and few should a game make its `meets` anew for each match. A
table fills up to 0.3 MiB for double-six, and to about 4 for double-eighteen."""


@lru_cache(KEPT)
def fits_of(meets: Meets, tiles: tuple[Tile, ...]) -> FitTable:
    """Return the tables for a set, which all matches share whose games have the same `meets`."""
    numbers = range(WILD, HIGHEST + 1)
    on_end = {shown: {tile: outs for tile in tiles if (outs := meets(tile, shown))} for shown in numbers}

    @cache
    def on_line(left: int, right: int) -> Ways:
        on = (on_end[left], on_end[right])
        tiles = on[0] | on[1]
        return {tile: tuple([(at, out) for at in (0, 1) for out in on[at].get(tile, ())]) for tile in tiles}

    return FitTable(on_end, on_line, len(set(tiles)) < len(tiles))


UNLIMITED = 10**6
"""More draws than any set has tiles."""

Opens = Callable[[Layout, tuple[End, ...], End | None], tuple[End, ...]]
"""The open ends once the last tile of a layout was laid, from those before and the one of these that it was laid on;
None for a first tile."""
Earns = Callable[[State], tuple[int, tuple[int, ...]]]
Allows = Callable[[State, Tile, End], bool]
Awards = Callable[[State], tuple[Scored, ...]]
Answered = Callable[[Layout, int], bool]
Opener = Callable[[tuple[Hand, ...], RoundContext], Opening]
Until = Literal["hand", "side", "block"]
"""What ends a round: the first empty hand, the empty hands of a whole side, or nothing but that nobody can play.
Seats without tiles are skipped where others play on."""
StuckEnds = Literal["", "turn", "always"]
"""When a seat that cannot play and may not draw ends the round, whatever others hold: never, in a turn in which it
has not drawn, or always."""


class Start(Struct, frozen=True):
    """How a round starts."""

    hand: int
    """Tiles dealt to each seat."""
    opener: Opener
    """Who begins, and with what."""
    aside: Callable[[tuple[Tile, ...], RoundContext], Tile | None] | None = None
    """The tile that lies on the table from the start; taken out of the shuffled set before the hands."""
    points: Callable[[tuple[Hand, ...]], tuple[Scored, ...]] | None = None
    """The points that the hands bring as soon as they are dealt, to whom and why; most bring none."""


class Drawing(Struct, frozen=True):
    """When and how much a seat may draw."""

    most: int = UNLIMITED
    """Tiles in one turn; 0 if there is no drawing."""
    reserve: int = 0
    """Tiles that always stay in the boneyard."""
    voluntary: bool = False
    """Whether a seat that can play may draw first, one tile at a time."""
    keep: bool = False
    """Whether a seat that was stuck and drew a fitting tile may keep it and pass."""
    while_owed: int = UNLIMITED
    """Tiles in one turn while something must be answered first."""
    spares: tuple[Tile, ...] = ()
    """Tiles that need never be played while one may draw: a matador's choice."""
    ends: StuckEnds = ""


class Turns(Struct, frozen=True):
    """What a seat may do in its turn besides matching an end, and whether its turn goes on."""

    allows: Allows | None = None
    """Whether the seat on turn may lay a tile on an end that it fits: whose train it is, and the like."""
    again: Callable[[State, State], Going] | None = None
    """From the moments before and after a play, whether the same seat goes on: `must`, `may`, `fits` (it must, as
    long as something fits), or empty for no."""
    marks: bool = False
    """Whether a pass opens one's own train, and a play there closes it again."""
    sheds: bool = False
    """Whether a seat that cannot play lays a tile of its hand face down instead of passing."""
    blind: bool = False
    """Whether nobody sees their own tiles: a hand is a row in the order dealt, of which the first tile is turned over
    in its seat's turn, and laid, or put to the end of the row instead of passing."""
    awards: Awards | None = None
    """From the moment before a pass, the points that it brings, to whom and why; most passes bring none."""


class Duty(Struct, frozen=True):
    """What must be laid before anything else: the cover of a double, the toes of a foot, the arms of a centre."""

    owed: Callable[[Layout], int]
    """How many tiles must be laid on the last tile of the layout before all else."""
    prompt: Callable[[State], Words]
    """What is asked for while something is owed."""
    answered: Answered | None = None
    """Whether nothing that is still off the table could answer the tile at an index."""
    any_order: bool = False
    """Whether what is owed may be answered in any order; else the oldest debt comes first."""
    allows: Allows | None = None
    """Replaces `Turns.allows` while something is owed, if plays other than answers may be allowed then."""
    meets: Meets | None = None
    """Replaces `LayoutRules.meets` while something is owed, if not all that fits is an answer."""


class Scoring(Struct, frozen=True):
    """Points in play."""

    points: Earns
    """Points that the last play makes, and the numbers that they come from. It is asked about the table, what was
    scored, and what was before the round; hands and turn may still be those before the play."""
    claims: bool = False
    """Whether points must be claimed, and can be snatched by the other side."""
    call: ScoreReason = ""
    """What is called out when a play makes points; empty for nothing."""


class Ending(Struct, frozen=True):
    """When a round is over, and what it is worth."""

    settle: Callable[[State], RoundOver]
    """Settles a round from its last state."""
    until: Until = "hand"
    looks_back: bool = False
    """True if `settle` needs every earlier moment of the round."""


def fair_hands(
    hands: tuple[Hand, ...], before: RoundContext, *, opener: Opener, doubles: int = 0, alike: int = 0
) -> Opening:
    """Deal again if a hand has so many doubles, or so many tiles with one number; else `opener` says who leads.

    Nought is for any number.
    """
    if doubles and any(doubles_in(hand) >= doubles for hand in hands):
        return Opening(NOBODY, (), "doubles")
    if alike and any(commonest(hand)[1] >= alike for hand in hands):
        return Opening(NOBODY, (), "alike")
    return opener(hands, before)


def doubles_in(hand: Hand) -> int:
    """How many doubles a hand has."""
    return sum(tile.is_double for tile in hand)


def commonest(hand: Hand) -> tuple[int, int]:
    """The number that is on most tiles of a hand, the highest of several, and on how many."""
    on = Counter(number for tile in hand for number in set(tile))
    number = max(on, key=lambda number: (on[number], number), default=0)
    return number, on[number]


def seen_by(
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
    """Return what `seat` may know; -1 is a spectator."""
    left = len(state.boneyard)
    yours = seat == state.turn
    return LayoutView(
        seat=seat,
        hand=_hand(state, seat, blind=blind),
        counts=tuple(map(len, state.hands)),
        boneyard=left,
        reserve=min(drawing.reserve, left) if drawing.most else left,
        layout=state.layout,
        ends=state.ends,
        turn=NOBODY if state.result else state.turn,
        drawn=state.drawn,
        legal=state.legal if yours else (),
        opening=state.opening.reason if not state.layout else "",
        result=state.result,
        highest=highest,
        shape=shape,
        owed=state.owed,
        open=state.open,
        says=says,
        worth=worth if yours else (),
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


def _hand(state: State, seat: int, *, blind: bool) -> Hand:
    """What a seat holds; in a row that nobody sees, only the tile that it has turned over."""
    if seat == NOBODY or (blind and (seat != state.turn or state.result)):
        return ()
    return state.hands[seat][:1] if blind else state.hands[seat]


def _rows(state: State) -> tuple[Hand, ...]:
    """Every row as all see it: the first tile of the seat on turn, and doubles that were put to the end."""
    return tuple(
        tuple(
            tile if tile in state.up or (seat == state.turn and not place) else STAR for place, tile in enumerate(row)
        )
        for seat, row in enumerate(state.hands)
    )


def unseen_in(view: LayoutView, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles of the set that the seat does not see: those of the others, and what is in the boneyard."""
    left = Counter(tiles)
    left.subtract((*view.hand, *view.own_shed, *(placed.tile for placed in view.layout)))
    return tuple((+left).elements())


def worth_of(state: State, score_play: Earns, opens: Opens) -> tuple[int, ...]:
    """What each legal play would score at once."""
    points = []
    for play in state.legal:
        if isinstance(play, Play):
            layout = (*state.layout, PlacedTile(play.tile, play.at, play.side, play.out, state.turn))
            on = end_at(state.ends, play.at, play.side) if play.at >= 0 else None
            points.append(score_play(replace(state, layout=layout, ends=opens(layout, state.ends, on)))[0])
    return tuple(points)
