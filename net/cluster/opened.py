"""Who has opened how many of a cluster's tables: limits that hold over all table hosts."""

from collections.abc import Callable

from msgspec import Struct

from net.cluster.directory import Directory, Listed
from net.host.presence import Presence
from net.host.room import check_room

UNLISTED = 5.0
"""Seconds after which a table that was opened here is in the directory, or is gone again."""


class _Fresh(Struct, frozen=True):
    """A table that was opened through this gateway a moment ago."""

    maker: str
    address: str
    at: float


class Opened:
    """The tables of the directory, and those that it does not have yet."""

    def __init__(self, directory: Directory, clock: Callable[[], float]) -> None:
        """`clock` tells the time in seconds."""
        self._directory = directory
        self._clock = clock
        self._fresh: dict[int, _Fresh] = {}
        """By table."""

    def note(self, number: int, presence: Presence) -> None:
        """A guest has opened a table."""
        if presence.guest is not None:
            self._fresh[number] = _Fresh(presence.guest.token, presence.visitor.address, self._clock())

    def check(self, presence: Presence) -> None:
        """Raise Illegal when a guest, or those at the same address, have as many tables as they may."""
        now, known = self._clock(), self._directory.tables
        self._fresh = {
            number: fresh
            for number, fresh in self._fresh.items()
            if number not in known and now - fresh.at < UNLISTED
        }
        opened: list[Listed | _Fresh] = [*known.values(), *self._fresh.values()]
        token = presence.guest.token if presence.guest else ""
        address = presence.visitor.address
        own = sum(table.maker == token for table in opened)
        near = sum(table.address == address for table in opened) if address else 0
        check_room(0, own, near)  # how many a host has in all, that host counts
