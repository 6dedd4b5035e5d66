"""Actions that a seat may take, and the events that follow, in every family of games."""

from msgspec import Struct

from core.tiles import STAR, Amount, Count, Hand, Index, Pips, Points, SeatNumber, Side, Suit, Tile, TileSide
from core.words import (
    BidKind,
    DoublesRank,
    LeadReason,
    LoserName,
    PassReason,
    Redeal,
    RoundEnd,
    ScoreReason,
    TermKind,
    TrumpKind,
)


class Take(Struct, frozen=True, array_like=True, tag="take", gc=False):
    """Take tiles off the table."""

    tiles: tuple[Tile, ...]
    """In the order in which they lie."""


class Fill(Struct, frozen=True, array_like=True, tag="fill", gc=False):
    """Move the bottom tile of a column to the first empty one."""

    tile: Tile


class GiveUp(Struct, frozen=True, array_like=True, tag="give_up"):
    """End the game before its end."""


class Removed(Struct, frozen=True, array_like=True, tag="removed"):
    """A seat took tiles off the table."""

    seat: SeatNumber
    tiles: tuple[Tile, ...]


class Moved(Struct, frozen=True, array_like=True, tag="moved"):
    """A seat moved a tile to an empty column."""

    seat: SeatNumber
    tile: Tile


class Turned(Struct, frozen=True, array_like=True, tag="turned"):
    """Tiles of the boneyard were laid on the table face up."""

    seat: SeatNumber
    tiles: tuple[Tile, ...]


ActionForOne = Take | Fill | GiveUp
EventForOne = Removed | Moved | Turned


class Lead(Struct, frozen=True, array_like=True, tag="lead"):
    """Lead some tiles together."""

    tiles: Hand


class Beat(Struct, frozen=True, array_like=True, tag="beat"):
    """Beat the best tiles of a trick with higher ones of the same class, as many as were led."""

    tiles: Hand


class Hide(Struct, frozen=True, array_like=True, tag="hide"):
    """Lay as many tiles face down as the trick's lead has."""

    tiles: Hand
    """Empty when sent to others, who may not know the tiles."""


class Matched(Struct, frozen=True, array_like=True, tag="matched"):
    """A seat led some tiles together, or beat the best ones with them."""

    seat: SeatNumber
    tiles: Hand
    beats: bool = False


class Hid(Struct, frozen=True, array_like=True, tag="hid"):
    """A seat laid `count` tiles face down; only that seat learns which before the round is over."""

    seat: SeatNumber
    count: Count
    tiles: Hand = ()


ComboAction = Lead | Beat | Hide
ComboEvent = Matched | Hid


class Play(Struct, frozen=True, array_like=True, tag="play", gc=False):
    """Lay a tile on an end, with the number `out` turned outward. A lead is a play at -1, side 0."""

    tile: Tile
    at: Index
    side: TileSide
    out: Pips


class Draw(Struct, frozen=True, array_like=True, tag="draw"):
    """Take all the tiles that the turn forces, or one where drawing is free (`docs/rules` §0)."""


class Pass(Struct, frozen=True, array_like=True, tag="pass"):
    """End the turn without a play."""


class Shed(Struct, frozen=True, array_like=True, tag="shed", gc=False):
    """Lay a tile of the hand face down, in games where that replaces a pass."""

    tile: Tile
    """A wildstar stands for a tile that others may not know."""


class Tuck(Struct, frozen=True, array_like=True, tag="tuck", gc=False):
    """Put a turned-over tile that fits nowhere at the end of the row that nobody sees."""

    tile: Tile


class Claim(Struct, frozen=True, array_like=True, tag="claim"):
    """Claim the points of a play: the seat's own, or with “muggins!” those that another seat missed."""


class Silent(Struct, frozen=True, array_like=True, tag="silent"):
    """Do not claim points in play."""


class Bid(Struct, frozen=True, array_like=True, tag="bid"):
    """Promise points in a game of tricks, and the marks at stake; a bid of several marks promises all 42 points.

    `marks` is 0 where no marks are played.
    """

    points: Amount
    marks: Amount
    kind: BidKind = ""
    """`plunge` or `splash` if the partner names trumps and leads; else empty."""


class Name(Struct, frozen=True, array_like=True, tag="name"):
    """Name trumps: a `number` or the `doubles`. Without trumps: `follow_me`, `none`, `nello` or `sevens`."""

    kind: TrumpKind
    number: Pips = -1
    doubles: DoublesRank = "high"
    """Rank of doubles where it can be chosen: `high` or `low` in their number, or a `suit` of their own."""


class Lay(Struct, frozen=True, array_like=True, tag="lay"):
    """Lay a tile to a trick."""

    tile: Tile
    small: bool = False
    """True for a lead that asks for its smaller number."""


class Bury(Struct, frozen=True, array_like=True, tag="bury"):
    """Put a tile away face down after taking one from the widow."""

    tile: Tile


Action = Play | Draw | Pass | Shed | Tuck | Claim | Silent | Bid | Name | Lay | Bury | ComboAction | ActionForOne


class Led(Struct, frozen=True, array_like=True, tag="led"):
    """A seat laid the first tile; `reason` says why it was the one to lead."""

    seat: SeatNumber
    tile: Tile
    reason: LeadReason
    """`double`, `lowest_double`, `first_tile` (the first of a list that anybody holds), `heaviest`, `heaviest_hand`,
    `lightest`, `lot`, `winner`, `own_double` (the first who has one leads any of them), `rotation`, `centre` (held)
    or `found` (drawn)."""
    open: Pips = -1
    """The number left open, where only one half is open and the seat could choose it; else -1."""


class Played(Struct, frozen=True, array_like=True, tag="played", gc=False):
    """A seat laid a tile on an end."""

    seat: SeatNumber
    tile: Tile
    on: Pips
    """The number on which it was laid."""
    out: Pips


class Drew(Struct, frozen=True, array_like=True, tag="drew"):
    """A seat took `count` tiles; only that seat learns which."""

    seat: SeatNumber
    count: Count
    tiles: Hand = ()
    forced: bool = True


CHOSEN: tuple[PassReason, ...] = ("kept", "enough", "bidding")
"""Reasons of a pass by a seat that need not have passed."""


class Passed(Struct, frozen=True, array_like=True, tag="passed"):
    """A seat ended its turn without a play: by choice, or for the stated lack."""

    seat: SeatNumber
    reason: PassReason
    """`empty` (boneyard), `reserve`, `limit` (of draws in a turn), `no_drawing`, `no_lead` (nothing that may be led),
    or by choice `kept` (a drawn tile), `enough` (of a long turn) or `bidding`."""
    opened: bool = False
    """True if its train is open to all from now on."""

    @property
    def chosen(self) -> bool:
        """True if the seat passed by choice, so that its pass does not show a lack."""
        return self.reason in CHOSEN


class PutDown(Struct, frozen=True, array_like=True, tag="put_down", gc=False):
    """A seat that could not play laid a tile face down; only that seat learns which before the round is over."""

    seat: SeatNumber
    tile: Tile | None = None


class Tucked(Struct, frozen=True, array_like=True, tag="tucked", gc=False):
    """A seat turned over a tile that fits nowhere, visible to all, and put it at the end of its row."""

    seat: SeatNumber
    tile: Tile


class Scored(Struct, frozen=True, array_like=True, tag="scored"):
    """A play, a pass or a deal made points: the numbers that add up to them, or the reason."""

    seat: SeatNumber
    """The seat that gets them."""
    points: Points
    """0 when nobody claimed them."""
    terms: tuple[Points, ...] = ()
    snatched: bool = False
    """True if another seat than the maker of the play claimed them."""
    counted: bool = True
    """False if they would have led past a target that must be met exactly."""
    reason: ScoreReason = ""
    """For a pass: `lead_pass` (right after the lead), `round_pass` (the third after one play), `first_pass` (of the
    match), `any_pass` or `galo` (more for the third after one play). For a deal: `doubles` (many in a hand). For a
    trick: `supreme` (the pair was led) or `four_tiles`, which all others pay at once, so that their points are
    negative. For a play: the game's call, such as `telefon` or `equal_ends`; usually empty.
    """


class Bade(Struct, frozen=True, array_like=True, tag="bade"):
    """A seat made a bid."""

    seat: SeatNumber
    bid: Bid


class Named(Struct, frozen=True, array_like=True, tag="named"):
    """A seat named trumps; it leads."""

    seat: SeatNumber
    trump: Name


class Buried(Struct, frozen=True, array_like=True, tag="buried"):
    """A seat put a tile away; only that seat learns which."""

    seat: SeatNumber
    tiles: Hand = ()


class Laid(Struct, frozen=True, array_like=True, tag="laid"):
    """A seat laid a tile to a trick."""

    seat: SeatNumber
    tile: Tile
    asks: Suit = -1
    """The suit that a lead asks for: a number, or 7 for doubles; -1 for later tiles, and in games without suits."""


class Took(Struct, frozen=True, array_like=True, tag="took"):
    """A seat took a trick: its points and its count tiles; in games of combinations `points` counts tricks."""

    seat: SeatNumber
    points: Amount
    counts: Hand


class Term(Struct, frozen=True, array_like=True):
    """A number of a sum that leads to a score."""

    kind: TermKind
    """`pips` (of a hand), `blank` (0|0 where it counts more), `blank_halves` (of other tiles), `star` (wildstars),
    `own` (deducted), `boneyard`, `share`, `rounded`, `wall` (kept back from a side near the target), `eggs` (of tied
    blocks), `waits` and `lost` (too small to be written), `hung` (waited until now), `out`, `bonus`, `paid` or `got`;
    where last tiles pay `tens` (the difference made by counting in tens), `capicua`, `chuchazo`, `hand_bonus`,
    `both_ends`, `cruzada`, `double`, `block` (won) or `unwon` (for earlier blocks that nobody won); where hands are
    counted `key` or `reset` (back to 0); in games of tricks `marks`, `tricks`, `counts` or `bid` (of the seat that
    was set, or that played nello); in games for one player `left` (tiles).
    """
    seat: SeatNumber
    amount: Points


REDEALS: tuple[Redeal, ...] = ("redeal", "doubles", "alike")
"""Ends of a round that was not played because nobody could lead or a hand was too lopsided."""


class RoundOver(Struct, frozen=True, array_like=True, tag="round_over"):
    """The end of a round: its kind, all hands, and the sums that lead to each side's points."""

    how: RoundEnd
    """`out`; `all_laid` (no tile is left in any hand); `blocked`, or the game's word for it: `gaple`, `fish`, `eggs`
    (tied); `redeal` (nobody could lead), `doubles` or `alike` (dealt again because a hand had too many doubles, or
    too many tiles with one number); `stuck` (nothing left to draw), `target` (reached in the middle of a round) or
    `stopped` (the match was stopped in the middle of the round); `last_trick` (which alone decides); in games of
    tricks `made`, `set` or `passed` by all; in games for one player `solved`, `stuck` or `given_up`.
    """
    winner: SeatNumber
    """The seat that won and, by most rules, leads the next round; -1 when nobody or several did."""
    hands: tuple[Hand, ...]
    """The hand of each seat, with the tiles that it laid face down."""
    sums: tuple[tuple[Term, ...], ...]
    """For each side the terms that add up to its score."""
    tied: tuple[Side, ...] = ()
    """Sides that were tied for the win of a blocked round."""
    blocker: SeatNumber = -1
    """The seat that shut the line by choice, where a rule asks for that; -1 if there is none."""
    assistant: SeatNumber = -1
    """The seat that helped the blocker."""
    void: tuple[Side, ...] = ()
    """Sides whose points did not count because they would have led past an exact target."""
    carry: tuple[Points, ...] = ()
    """Numbers for the next round, besides winner and leader; their meaning depends on the game."""

    @property
    def redealt(self) -> bool:
        """True if the same round is dealt again."""
        return self.how in REDEALS

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each side in this round."""
        return tuple(
            0 if side in self.void else sum(term.amount for term in terms) for side, terms in enumerate(self.sums)
        )


class Dealt(Struct, frozen=True, array_like=True, tag="dealt"):
    """A round begins: its number, from 1."""

    round: Amount


class MatchOver(Struct, frozen=True, array_like=True, tag="match_over"):
    """The match is decided; several winning sides share the win."""

    winners: tuple[Side, ...]
    unfinished: bool = False
    """True if the match was stopped before its end."""
    losers: tuple[Side, ...] = ()
    """Sides that reached the target where the lowest score wins, if the game has a name for them."""
    called: LoserName = ""
    """That name."""
    agreed: tuple[SeatNumber, ...] = ()
    """Seats whose players agreed to stop the match, or to resign if it has winners; empty if it was stopped because
    it may never end.
    """


class TakenBack(Struct, frozen=True, array_like=True, tag="taken_back"):
    """A seat took back its choice, and with it all later actions; it chooses again."""

    seat: SeatNumber
    action: Action
    """The action taken back."""


Event = (
    Led
    | Played
    | Drew
    | Passed
    | PutDown
    | Tucked
    | Scored
    | Bade
    | Named
    | Buried
    | Laid
    | Took
    | ComboEvent
    | EventForOne
    | Dealt
    | RoundOver
    | MatchOver
    | TakenBack
)


def cut(event: Event, seat: int) -> Event:
    """Return `event` without the facts that `seat` may not know; -1 is a spectator. No other code hides them."""
    if isinstance(event, Drew) and event.seat != seat:
        return Drew(event.seat, event.count, (), event.forced)
    if isinstance(event, Buried) and event.seat != seat:
        return Buried(event.seat)
    if isinstance(event, PutDown) and event.seat != seat:
        return PutDown(event.seat)
    if isinstance(event, Hid) and event.seat != seat:
        return Hid(event.seat, event.count)
    if isinstance(event, TakenBack) and event.seat != seat:
        return TakenBack(event.seat, public_action(event.action))
    return event


def public_action(action: Action) -> Action:
    """Return an action without the facts that are not public."""
    if isinstance(action, Hide):
        return Hide(())
    return Shed(STAR) if isinstance(action, Shed) else action
