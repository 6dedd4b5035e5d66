"""How sure a share or a mean is: estimates with their 95 % intervals."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

SURE = 1.96
"""Standard errors on either side of a mean between which 95 % of all means lie."""


class Interval(NamedTuple):
    """An estimate, and the bounds between which the true value lies in 95 of 100 cases."""

    mean: float
    low: float
    high: float

    def within(self, least: float, most: float) -> "Interval":
        """Cut off what cannot be."""
        return Interval(self.mean, max(self.low, least), min(self.high, most))


def wilson(share: float, count: int) -> Interval:
    """Of a share of independent cases: Wilson's score interval, which holds for few cases and for extreme shares."""
    scale = 1 + SURE**2 / count
    middle = (share + SURE**2 / (2 * count)) / scale
    reach = SURE / scale * sqrt(share * (1 - share) / count + SURE**2 / (4 * count**2))
    return Interval(share, middle - reach, middle + reach).within(0, 1)


def per_unit(amounts: Sequence[float], sizes: Sequence[float]) -> Interval | None:
    """Of the amount for each unit of size, over cases that may have different sizes; None for less than two cases.

    What belongs together, such as one deal that was played several times, must be one case.
    """
    cases, size = len(amounts), sum(sizes)
    if cases < 2 or not size:
        return None
    mean = sum(amounts) / size
    strays = sum((amount - mean * own) ** 2 for amount, own in zip(amounts, sizes, strict=True))
    error = sqrt(strays * cases / (cases - 1)) / size
    return Interval(mean, mean - SURE * error, mean + SURE * error)
