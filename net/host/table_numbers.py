"""The numbers of new tables. No number is ever given to two."""

from typing import Protocol


class TableNumbers(Protocol):
    """Where new tables get their numbers."""

    @property
    def next(self) -> int:
        """The number of the next table; 0 when none can be given now."""

    def take(self) -> int:
        """Give a table the next number."""

    def skip(self, number: int) -> None:
        """Note that a table from an earlier run has this number."""


class Counted:
    """Numbers of one host, which counts."""

    def __init__(self, last: int = 0) -> None:
        """`last` is the highest number that a table ever had."""
        self._last = last

    @property
    def next(self) -> int:
        """The number of the next table."""
        return self._last + 1

    def take(self) -> int:
        """Give a table the next number."""
        self._last += 1
        return self._last

    def skip(self, number: int) -> None:
        """Note that a table from an earlier run has this number."""
        self._last = max(self._last, number)
