"""A moment of a trick game, the view of a seat, and suits: following and winning (`docs/rules` §2.6)."""

from msgspec import Struct

from core.actions import Action, Bid, Laid, Name, RoundOver
from core.layout.state import NOBODY, PlainState
from core.tiles import Amount, Count, Hand, Pips, SeatCount, SeatNumber, Suit, Tile
from core.words import TrumpKind

NO_SUIT = -1
DOUBLES = 7
"""The suit of the doubles, where they are a suit; the other suits are the numbers."""
SEVEN = 7
"""The pips against which every tile is measured in sevens."""
TRUMPS: tuple[TrumpKind, ...] = ("number", "doubles")
"""Kinds of trump in which one suit wins over the others."""
NO_TRUMPS: tuple[TrumpKind, ...] = ("nello", "sevens")
"""Kinds of trump that name a contract instead."""


def tile_points(tile: Tile) -> int:
    """Return the points of a tile: ten for 5-5 and 6-4, five for 5-0, 4-1 and 3-2, else 0."""
    return tile.pips if tile.pips % 5 == 0 else 0


def doubles_are_a_suit(trump: Name) -> bool:
    """Return True if the doubles are a suit of their own and belong to no number."""
    return trump.kind == "doubles" or trump.doubles == "suit"


def trump_suit(trump: Name) -> int:
    """Return the suit that wins over all others; `NO_SUIT` if there is none."""
    if trump.kind == "number":
        return trump.number
    return DOUBLES if trump.kind == "doubles" else NO_SUIT


def suit_of(tile: Tile, trump: Name, *, small: bool = False) -> int:
    """Return the suit that a led tile asks for: trumps if it is one, else its higher number, or its `small` one."""
    if trump.kind == "sevens":
        return NO_SUIT
    if trump.kind == "number" and trump.number in tile:
        return trump.number
    if doubles_are_a_suit(trump) and tile.is_double:
        return DOUBLES
    return tile.low if small else tile.high


def belongs_to_suit(tile: Tile, suit: int, trump: Name) -> bool:
    """Return True if a tile belongs to a suit: singles belong to both their numbers, but a trump only to trumps."""
    if suit == DOUBLES:
        return tile.is_double
    if suit not in tile or (doubles_are_a_suit(trump) and tile.is_double):
        return False
    return trump.kind != "number" or suit == trump.number or trump.number not in tile


def strength(tile: Tile, suit: int, trump: Name) -> tuple[int, int]:
    """Return the strength of a tile in a trick of a suit; the highest wins, and the first of equal ones."""
    if trump.kind == "sevens":
        return 0, -abs(SEVEN - tile.pips)
    winning_suit = trump_suit(trump)
    for priority, candidate_suit in ((2, winning_suit), (1, suit)):
        if candidate_suit != NO_SUIT and belongs_to_suit(tile, candidate_suit, trump):
            return priority, _rank(tile, candidate_suit, trump)
    return 0, 0


def _rank(tile: Tile, suit: int, trump: Name) -> int:
    """Return the rank of a tile in its suit, by its other half; a double is highest, or lowest if doubles are low."""
    if not tile.is_double:
        return tile.other(suit)
    if suit == DOUBLES:
        return tile.high
    return -1 if trump.doubles == "low" else DOUBLES


def layable_tiles(hand: Hand, suit: int, trump: Name) -> Hand:
    """Return the tiles of a hand that may be laid: those that follow the suit if there are any, else all.

    In sevens these are the tiles nearest to seven, also for the leader.
    """
    if trump.kind == "sevens":
        nearest = min(abs(SEVEN - tile.pips) for tile in hand)
        return tuple(tile for tile in hand if abs(SEVEN - tile.pips) == nearest)
    if suit == NO_SUIT:
        return hand
    return tuple(tile for tile in hand if belongs_to_suit(tile, suit, trump)) or hand


MARK = 42
"""Points in a hand, and so the worth of a mark in the bidding."""


class Call(Struct, frozen=True, array_like=True):
    """A seat's call in the bidding."""

    seat: SeatNumber
    bid: Bid | None
    """None for a pass."""


class Trick(Struct, frozen=True, array_like=True):
    """A finished trick."""

    tiles: tuple[Laid, ...]
    """In the order in which they were laid."""
    winner: SeatNumber
    points: Amount
    """1, plus the counts in it."""


class TrickState(PlainState, frozen=True):
    """A moment of a hand. `legal` is never empty before the end, and always empty after it."""

    hands: tuple[Hand, ...]
    shaker: int
    turn: int
    calls: tuple[Call, ...] = ()
    bidder: int = NOBODY
    """The seat that won the bidding."""
    bid: Bid | None = None
    """The winning bid; None while the bidding goes on."""
    trump: Name | None = None
    suit: int = NO_SUIT
    """The suit led to the current trick."""
    trick: tuple[Laid, ...] = ()
    tricks: tuple[Trick, ...] = ()
    out: int = NOBODY
    """The seat that lays no tiles in this hand: the partner of the bidder in nello."""
    legal: tuple[Action, ...] = ()
    result: RoundOver | None = None
    widow: Hand = ()
    """Tiles left over at the deal, until the bidder takes them."""
    buried: Hand = ()
    """Tiles that the bidder put away for them."""

    @property
    def leader(self) -> int:
        """The seat from which the shake moves on."""
        return self.shaker


class TrickView(Struct, frozen=True, tag="tricks"):
    """The part of a hand that one seat may know, built field by field; seat -1 is a spectator."""

    seat: SeatNumber
    hand: Hand
    counts: tuple[Count, ...]
    """Tiles in each seat's hand."""
    shaker: SeatNumber
    turn: SeatNumber
    """The seat to act; -1 once the hand is over."""
    calls: tuple[Call, ...]
    """The bidding so far, in turn."""
    bidder: SeatNumber
    bid: Bid | None
    trump: Name | None
    suit: Suit
    """The suit led to this trick: a number, 7 for doubles, -1 for none."""
    trick: tuple[Laid, ...]
    """The tiles of the current trick."""
    tricks: tuple[Trick, ...]
    """Finished tricks; they lie open."""
    out: SeatNumber
    """The seat that lays no tiles in this hand; -1 if there is none."""
    legal: tuple[Action, ...]
    """Actions of this seat now: empty unless it is its turn."""
    result: RoundOver | None
    highest: Pips = 6
    """The highest number of the set."""
    sides: SeatCount = 2
    """Scores kept; the side of a seat is seat modulo sides."""
    widow: Count = 0
    """Number of tiles left over at the deal, until the bidder takes them."""
    buried: Hand = ()
    """Tiles that this seat has put away."""

    @property
    def facts(self) -> tuple[object, ...]:
        """Tiles, calls and turn: the facts that must agree with a record, without words of one version."""
        return self.hand, self.counts, self.calls, self.trump, self.trick, self.tricks, self.turn, self.buried


def unseen_in_tricks(view: TrickView, tiles: tuple[Tile, ...]) -> list[Tile]:
    """Return the tiles of the set that the seat does not see: those in other hands, the widow, and buried tiles."""
    seen = {laid.tile for trick in view.tricks for laid in trick.tiles} | {laid.tile for laid in view.trick}
    return [tile for tile in tiles if tile not in seen and tile not in view.hand and tile not in view.buried]


def worth(bid: Bid | None) -> int:
    """Return the worth of a bid in points; a mark equals 42."""
    if bid is None:
        return 0
    return bid.points if bid.marks < 2 else MARK * bid.marks


def winning_tile(trick: tuple[Laid, ...], suit: int, trump: Name) -> Laid:
    """Return the highest tile that was laid to a trick so far, with its seat."""
    return max(trick, key=lambda laid: strength(laid.tile, suit, trump))


def tricks_and_counts(tricks: tuple[Trick, ...], side: int, sides: int) -> tuple[int, int]:
    """Return the number of tricks that a side has taken, and the counts in them."""
    won = [trick for trick in tricks if trick.winner % sides == side]
    return len(won), sum(trick.points for trick in won) - len(won)


def scoring_tiles(tricks: tuple[Trick, ...], side: int, sides: int) -> Hand:
    """Return the count tiles in the tricks of a side, in the order of play."""
    won = [trick for trick in tricks if trick.winner % sides == side and trick.points > 1]
    return tuple(laid.tile for trick in won for laid in trick.tiles if tile_points(laid.tile))
