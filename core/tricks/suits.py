"""The suits of trick games: which suit a tile has, whether it follows, and which tile wins (`docs/rules` §2.6)."""

from core.actions import Name
from core.tiles import Hand, Tile
from core.vocabulary import TrumpKind

NO_SUIT = -1
DOUBLES = 7
"""The suit of the doubles, where they are one; the other suits are the numbers."""
SEVEN = 7
"""The pips that every tile is measured by in sevens."""
TRUMPS: tuple[TrumpKind, ...] = ("number", "doubles")
"""What is named where one suit wins over the others."""
NO_TRUMPS: tuple[TrumpKind, ...] = ("nello", "sevens")
"""What is named where a contract is played instead."""


def count(tile: Tile) -> int:
    """The points on a tile: ten for 5-5 and 6-4, five for 5-0, 4-1 and 3-2, else none."""
    return tile.pips if tile.pips % 5 == 0 else 0


def apart(trump: Name) -> bool:
    """Whether the doubles are a suit of their own and belong to no number."""
    return trump.kind == "doubles" or trump.doubles == "suit"


def trump_suit(trump: Name) -> int:
    """The suit that wins over all others, if there is one."""
    if trump.kind == "number":
        return trump.number
    return DOUBLES if trump.kind == "doubles" else NO_SUIT


def suit_of(tile: Tile, trump: Name, *, small: bool = False) -> int:
    """The suit that a tile led asks for: trumps if it is one, else its higher number, or its `small` one."""
    if trump.kind == "sevens":
        return NO_SUIT
    if trump.kind == "number" and trump.number in tile:
        return trump.number
    if apart(trump) and tile.is_double:
        return DOUBLES
    return tile.low if small else tile.high


def follows(tile: Tile, suit: int, trump: Name) -> bool:
    """Whether a tile belongs to a suit: singles to both their numbers, but a trump only to trumps."""
    if suit == DOUBLES:
        return tile.is_double
    if suit not in tile or (apart(trump) and tile.is_double):
        return False
    return trump.kind != "number" or suit == trump.number or trump.number not in tile


def strength(tile: Tile, suit: int, trump: Name) -> tuple[int, int]:
    """The strength of a tile in a trick of a suit; the highest wins, and the first of equal ones."""
    if trump.kind == "sevens":
        return 0, -abs(SEVEN - tile.pips)
    trumps = trump_suit(trump)
    for place, wanted in ((2, trumps), (1, suit)):
        if wanted != NO_SUIT and follows(tile, wanted, trump):
            return place, _rank(tile, wanted, trump)
    return 0, 0


def _rank(tile: Tile, suit: int, trump: Name) -> int:
    """The double is the highest of its number, or the lowest where that was named; then by the other half."""
    if not tile.is_double:
        return tile.other(suit)
    if suit == DOUBLES:
        return tile.high
    return -1 if trump.doubles == "low" else DOUBLES


def may_lay(hand: Hand, suit: int, trump: Name) -> Hand:
    """The tiles of a hand that may be laid: those that follow the suit if there are any, else all of them.

    In sevens it is those nearest to seven, also for the leader.
    """
    if trump.kind == "sevens":
        nearest = min(abs(SEVEN - tile.pips) for tile in hand)
        return tuple(tile for tile in hand if abs(SEVEN - tile.pips) == nearest)
    if suit == NO_SUIT:
        return hand
    return tuple(tile for tile in hand if follows(tile, suit, trump)) or hand
