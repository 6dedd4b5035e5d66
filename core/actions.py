"""What a seat may do, and what then happened, in every family of games."""

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
    """Beat the best tiles of a trick with as many of the same class that rank higher."""

    tiles: Hand


class Hide(Struct, frozen=True, array_like=True, tag="hide"):
    """Lay as many tiles face down, any ones."""

    tiles: Hand
    """Empty where it is told to others, who may not know which."""


class Matched(Struct, frozen=True, array_like=True, tag="matched"):
    """A seat led some tiles together, or beat the best ones with them."""

    seat: SeatNumber
    tiles: Hand
    beats: bool = False


class Hid(Struct, frozen=True, array_like=True, tag="hid"):
    """A seat laid `count` tiles face down; which ones only that seat is told before the round is over."""

    seat: SeatNumber
    count: Count
    tiles: Hand = ()


ComboAction = Lead | Beat | Hide
ComboEvent = Matched | Hid


class Play(Struct, frozen=True, array_like=True, tag="play", gc=False):
    """Lay a tile on an end, with the number `out` turned outward. To lead is to play at -1, side 0."""

    tile: Tile
    at: Index
    side: TileSide
    out: Pips


class Draw(Struct, frozen=True, array_like=True, tag="draw"):
    """Take all the tiles that the turn forces, or one where drawing is free (`docs/rules` §0)."""


class Pass(Struct, frozen=True, array_like=True, tag="pass"):
    """End the turn without a play."""


class Shed(Struct, frozen=True, array_like=True, tag="shed", gc=False):
    """Lay a tile of the hand face down, where that is done instead of passing."""

    tile: Tile
    """A wildstar stands for one that others may not know."""


class Tuck(Struct, frozen=True, array_like=True, tag="tuck", gc=False):
    """Put the tile that was turned over, as it fits nowhere, to the end of the row that nobody sees."""

    tile: Tile


class Claim(Struct, frozen=True, array_like=True, tag="claim"):
    """Claim the points of a play: one's own, or with “muggins!” those that its maker missed."""


class Silent(Struct, frozen=True, array_like=True, tag="silent"):
    """Do not claim points in play."""


class Bid(Struct, frozen=True, array_like=True, tag="bid"):
    """Promise points in a game of tricks, and the marks that this is for; several marks are all 42 points.

    Where no marks are played there are none.
    """

    points: Amount
    marks: Amount
    kind: BidKind = ""
    """`plunge` or `splash`, where the partner names trumps and leads; else empty."""


class Name(Struct, frozen=True, array_like=True, tag="name"):
    """Say what is trump: a `number`, the `doubles`, or none of it: `follow_me`, `none`, `nello`, `sevens`."""

    kind: TrumpKind
    number: Pips = -1
    doubles: DoublesRank = "high"
    """`high` or `low` in their number, or a `suit` of their own, where that can be chosen."""


class Lay(Struct, frozen=True, array_like=True, tag="lay"):
    """Lay a tile to a trick."""

    tile: Tile
    small: bool = False
    """A lead that asks for its smaller number."""


class Bury(Struct, frozen=True, array_like=True, tag="bury"):
    """Put a tile away unseen, for one of the widow."""

    tile: Tile


Action = Play | Draw | Pass | Shed | Tuck | Claim | Silent | Bid | Name | Lay | Bury | ComboAction | ActionForOne


class Led(Struct, frozen=True, array_like=True, tag="led"):
    """A seat laid the first tile, and why it was the one to lead."""

    seat: SeatNumber
    tile: Tile
    reason: LeadReason
    """`double`, `lowest_double`, `first_tile` (the first of a list that anybody holds), `heaviest`, `heaviest_hand`,
    `lightest`, `lot`, `winner`, `own_double` (the first who has one leads any of them), `rotation`, `centre` (held)
    or `found` (drawn)."""
    open: Pips = -1
    """The number that was left open, where that is one half only and could be chosen; else -1."""


class Played(Struct, frozen=True, array_like=True, tag="played", gc=False):
    """A seat laid a tile on an end."""

    seat: SeatNumber
    tile: Tile
    on: Pips
    """The number that it was laid on."""
    out: Pips


class Drew(Struct, frozen=True, array_like=True, tag="drew"):
    """A seat took `count` tiles; which ones only that seat is told."""

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
    """Whether its train is open to all from now on."""

    @property
    def chosen(self) -> bool:
        """Whether the seat passed by choice, so that its pass does not show what it lacked."""
        return self.reason in CHOSEN


class PutDown(Struct, frozen=True, array_like=True, tag="put_down", gc=False):
    """A seat that could not play laid a tile face down; which one only that seat is told before the round is over."""

    seat: SeatNumber
    tile: Tile | None = None


class Tucked(Struct, frozen=True, array_like=True, tag="tucked", gc=False):
    """A seat turned over a tile that fitted nowhere, for all to see, and put it to the end of its row."""

    seat: SeatNumber
    tile: Tile


class Scored(Struct, frozen=True, array_like=True, tag="scored"):
    """A play, a pass or a deal made points: the numbers that they come from, or the reason."""

    seat: SeatNumber
    """Who gets them."""
    points: Points
    """0 when nobody claimed them."""
    terms: tuple[Points, ...] = ()
    snatched: bool = False
    """Claimed by somebody else than the maker of the play."""
    counted: bool = True
    """False when they would have led past a target that must be met exactly."""
    reason: ScoreReason = ""
    """For a pass: `lead_pass` (right after the lead), `round_pass` (the third after one play), `first_pass` (of the
    match), `any_pass` or `galo` (more for the third after one play). For a deal: `doubles` (many in a hand). For a
    trick: `supreme` (the pair was led) or `four_tiles`, which all others pay at
    once, so that theirs are below nought. For a play: what the game calls out then, such as `telefon` or
    `equal_ends`; mostly nothing."""


class Bade(Struct, frozen=True, array_like=True, tag="bade"):
    """A seat made a bid."""

    seat: SeatNumber
    bid: Bid


class Named(Struct, frozen=True, array_like=True, tag="named"):
    """A seat said what is trump; it leads."""

    seat: SeatNumber
    trump: Name


class Buried(Struct, frozen=True, array_like=True, tag="buried"):
    """A seat put a tile away; which one only that seat is told."""

    seat: SeatNumber
    tiles: Hand = ()


class Laid(Struct, frozen=True, array_like=True, tag="laid"):
    """A seat laid a tile to a trick."""

    seat: SeatNumber
    tile: Tile
    asks: Suit = -1
    """The suit that a lead asks for: a number, or 7 for doubles; -1 for later tiles, and if there are no suits."""


class Took(Struct, frozen=True, array_like=True, tag="took"):
    """A seat took a trick: its points, and the tiles in it that count; of combinations, how many tricks it counts."""

    seat: SeatNumber
    points: Amount
    counts: Hand


class Term(Struct, frozen=True, array_like=True):
    """One number of a sum that leads to a score."""

    what: TermKind
    """`pips` (of a hand), `blank` (what 0|0 counts), `blank_halves` (of other tiles), `star` (wildstars), `own`
    (deducted), `boneyard`, `share`, `rounded`, `wall` (kept back from who is near the target), `eggs` (of tied
    blocks), `waits` and `lost` (too small to be written), `hung` (waited until now), `out`, `bonus`, `paid` or `got`;
    where last tiles pay `tens` (what counting in tens changes), `capicua`, `chuchazo`, `hand_bonus`, `both_ends`,
    `cruzada`, `double`, `block` (won) or `unwon` (for blocks before it that nobody won); where hands are counted
    `key` or `reset` (back to nothing); in games of tricks `marks`, `tricks`, `counts` or `bid` (of the seat that was
    set, or that played nello); in games for one `left` (tiles)."""
    seat: SeatNumber
    amount: Points


REDEALS: tuple[Redeal, ...] = ("redeal", "doubles", "alike")
"""Ends of a round that was not played, as nobody could lead, or a hand was too lopsided."""


class RoundOver(Struct, frozen=True, array_like=True, tag="round_over"):
    """How a round ended, all hands shown, and the sums that lead to each side's points."""

    how: RoundEnd
    """`out`; `all_laid` (no tile is left in any hand); `blocked`, or what the game calls that: `gaple`, `fish`,
    `eggs` (tied); `redeal` (nobody could lead), `doubles` or `alike` (dealt again, as somebody held too many doubles,
    or tiles with one number); `stuck` (nothing left to draw), `target` (reached in the middle of a round) or
    `stopped` (the match was, in the middle of it); `last_trick` (which alone decides); in games of tricks `made`,
    `set` or `passed` by all; in games for one `solved`, `stuck` or `given_up`."""
    winner: SeatNumber
    """The seat that won and, by most rules, leads the next round; -1 when nobody or several did."""
    hands: tuple[Hand, ...]
    """What each seat holds, together with what it laid face down."""
    sums: tuple[tuple[Term, ...], ...]
    """For each side the terms that add up to what it scores."""
    tied: tuple[Side, ...] = ()
    """Sides that were tied for the win of a blocked round."""
    blocker: SeatNumber = -1
    """Who shut the line by choice, where rules ask for that; -1 for nobody."""
    assistant: SeatNumber = -1
    """Who helped them."""
    void: tuple[Side, ...] = ()
    """Sides whose points did not count, as they would have led past an exact target."""
    carry: tuple[Points, ...] = ()
    """What the round hands on to the next, besides winner and leader; each game says what the numbers mean."""

    @property
    def redealt(self) -> bool:
        """Whether the same round is dealt again."""
        return self.how in REDEALS

    @property
    def points(self) -> tuple[int, ...]:
        """What each side scores by this round."""
        return tuple(
            0 if side in self.void else sum(term.amount for term in terms) for side, terms in enumerate(self.sums)
        )


class Dealt(Struct, frozen=True, array_like=True, tag="dealt"):
    """A round begins: its number, from one."""

    round: Amount


class MatchOver(Struct, frozen=True, array_like=True, tag="match_over"):
    """The match is decided; more than one winning side means that they share the win."""

    winners: tuple[Side, ...]
    unfinished: bool = False
    """Whether it was stopped without a result, because it might never have had one."""
    losers: tuple[Side, ...] = ()
    """Sides that have the target where the lowest score wins, if the game has a name for them."""
    called: LoserName = ""
    """That name."""


class TakenBack(Struct, frozen=True, array_like=True, tag="taken_back"):
    """A seat took back what it had chosen, and with it all that was done since; it chooses again."""

    seat: SeatNumber
    action: Action
    """What it had chosen."""


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
    """Return what `seat` may know of an event; -1 is a spectator. The one place where events are cut."""
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
    """Return what all may know of an action."""
    if isinstance(action, Hide):
        return Hide(())
    return Shed(STAR) if isinstance(action, Shed) else action
