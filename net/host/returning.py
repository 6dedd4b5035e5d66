"""Guests without a key whose session has ended may have their seat again without their code, where a host allows it.

Who comes from the same address and asks for the same name is believed half a minute later, unless somebody else asks
for it meanwhile or whose name it is comes back with the code. It does no input or output.
"""

from collections.abc import Callable, Container

from msgspec import Struct

from net.host.access import canonical_address
from net.host.presence import Presence
from net.players.codes import by_code
from net.table.table import Guest

RETURN_AFTER = 30.0
"""Seconds for which somebody has to ask for a name: enough for a terminal that reconnects with the code by itself."""
MOST_GONE = 1000
"""Guests who are remembered; of more, those who went first are forgotten."""


class _Gone(Struct):
    """A guest whose session has ended."""

    guest: Guest
    address: str
    code: str
    claimant: int = 0
    """The connection that asks for their name; 0 for none."""
    since: float = 0.0
    """When it asked first."""
    disputed: bool = False
    """Whether two have asked at one time: then only the code tells them apart."""


class Returns:
    """Remembers who has gone, and decides who may come back."""

    def __init__(self, clock: Callable[[], float], has_seat: Callable[[str], bool]) -> None:
        """`clock` tells the time in seconds, `has_seat` whether a seat is kept for a token."""
        self._clock = clock
        self._has_seat = has_seat
        self._gone: dict[str, _Gone] = {}
        """By name."""

    def left(self, guest: Guest, presence: Presence) -> None:
        """Note that a guest's last session has ended."""
        if by_code(guest.token) and presence.visitor.address and self._has_seat(guest.token):
            self._gone.pop(guest.name, None)
            self._gone[guest.name] = _Gone(guest, canonical_address(presence.visitor.address), presence.resume)
            if len(self._gone) > MOST_GONE:
                del self._gone[next(iter(self._gone))]

    def came(self, guest: Guest) -> None:
        """Note that a guest has come in."""
        gone = self._gone.get(guest.name)
        if gone is not None and gone.guest.token == guest.token:
            del self._gone[guest.name]

    def claim(self, connection: int, presence: Presence, name: str, present: Container[int]) -> str | None:
        """Return the code of who had a name, for somebody who may have it; empty if they have to wait; else None."""
        gone = self._gone.get(name)
        if gone is None or presence.visitor.key or canonical_address(presence.visitor.address) != gone.address:
            return None
        if gone.claimant != connection:
            gone.disputed |= gone.claimant in present
            gone.claimant, gone.since = connection, self._clock()
        if gone.disputed or not self._has_seat(gone.guest.token):
            return None
        return gone.code if self._clock() - gone.since >= RETURN_AFTER else ""
