"""Deals that are not played: all tiles are dealt again if somebody's hand is too lopsided (`docs/rules` §4.2)."""

from collections import Counter
from collections.abc import Callable

from core.layout.placed import NOBODY
from core.layout.state import Before, Opening
from core.tiles import Hand

Opener = Callable[[tuple[Hand, ...], Before], Opening]


def fair_hands(
    hands: tuple[Hand, ...], before: Before, *, opener: Opener, doubles: int = 0, alike: int = 0
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
