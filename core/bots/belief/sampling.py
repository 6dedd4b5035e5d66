"""Samples of what may lie where: each place has its tile, and all possible arrangements are equally likely."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

STEPS = 3
"""Tries for each place between two samples."""
BURN_IN = 5
"""Times as many tries before the first sample."""


class Least(NamedTuple):
    """So many of certain tiles, or more, lie at certain places."""

    places: frozenset[int]
    tiles: int
    """As bits."""
    number: int

    def missing(self, order: list[int]) -> int:
        """How many are still missing in an arrangement."""
        return max(0, self.number - sum(self.tiles >> order[place] & 1 for place in self.places))


def some_arrangement(may: list[int], rng: Random) -> list[int]:
    """Return the number of a tile for each place, so that each may be there: a possible one, but not a fair choice.

    `may` has for each place, as bits, the tiles that may be there. Each place in turn takes a tile, and those in its
    way move on (augmenting paths). Raises ValueError if there is none.
    """
    order, place_of = [-1] * len(may), [-1] * len(may)
    numbers = list(range(len(may)))
    rng.shuffle(numbers)
    shuffled = {bits: sum(1 << at for at, number in enumerate(numbers) if bits >> number & 1) for bits in set(may)}
    tried = 0

    def settle(place: int) -> bool:
        nonlocal tried
        while left := shuffled[may[place]] & ~tried:
            at = (left & -left).bit_length() - 1
            tried |= 1 << at
            if place_of[at] < 0 or settle(place_of[at]):
                order[place], place_of[at] = numbers[at], place
                return True
        return False

    for place in sorted(range(len(may)), key=lambda place: may[place].bit_count()):
        tried = 0
        if not settle(place):
            raise ValueError("No deal agrees with what was seen.")
    return order


def arrangements(may: list[int], rng: Random, least: tuple[Least, ...] = ()) -> Iterator[list[int]]:
    """Yield arrangements without end, each possible one as likely as any other; it is the same list each time.

    From one to the next, two tiles change places again and again where both may be at the other's, so none is
    preferred.
    """
    order = some_arrangement(may, rng)
    moving = [place for place, tiles in enumerate(may) if tiles.bit_count() > 1]
    tries = STEPS * len(moving)
    for _ in range(BURN_IN):
        _swap(order, may, moving, tries, rng, least)
    while _missing(least, order):
        _swap(order, may, moving, tries, rng, least)
    while True:
        _swap(order, may, moving, tries, rng, least)
        yield order


def _missing(least: tuple[Least, ...], order: list[int]) -> int:
    return sum(each.missing(order) for each in least)


def _swap(
    order: list[int], may: list[int], moving: list[int], tries: int, rng: Random, least: tuple[Least, ...]
) -> None:
    chance, count = rng.random, len(moving)
    for _ in range(tries):
        one, other = moving[int(chance() * count)], moving[int(chance() * count)]
        first, second = order[one], order[other]
        if may[one] >> second & 1 and may[other] >> first & 1:
            before = _missing(least, order) if least else 0
            order[one], order[other] = second, first
            if least and _missing(least, order) > before:
                order[one], order[other] = first, second
