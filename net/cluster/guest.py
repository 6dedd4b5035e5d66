"""A guest of a gateway: what is known of them, which table host has them, and what they wait for."""

import asyncio

from msgspec import Struct

from net.host.presence import Presence
from net.limits import GUEST_AHEAD
from net.wire.codec import pack
from net.wire.link import Link
from net.wire.messages import ToClient


class Asked(Struct, frozen=True):
    """What a guest asked for that is not answered yet: to come to a table, or to open one (number 0)."""

    table: int
    payload: bytes
    """The message, packed; empty for one who was at the table when its host died, and is told `Resumed`."""
    claim: int = 0
    """Under which the table that is to be opened is counted, if it is."""


class Away:
    """A guest as one table host has them."""

    def __init__(self) -> None:
        self.ahead = asyncio.Semaphore(GUEST_AHEAD)
        self.asked: Asked | None = None
        self.leaving = False
        """Whether they went to another host, and what this one says before its `Left` is of no interest."""
        self.gone = False

    def end(self) -> None:
        """The host does not have them any more; nobody waits for it."""
        self.gone = True
        for _ in range(GUEST_AHEAD):
            self.ahead.release()


class Here:
    """A guest who is connected to this gateway."""

    def __init__(self, connection: int, link: Link, presence: Presence) -> None:
        self.connection = connection
        self.presence = presence
        self.at = ""
        """The node at one of whose tables they are; `presence.table` is its number."""
        self.but = ""
        """The node that has just said that it has their table no more."""
        self.away: dict[str, Away] = {}
        """By node, wherever they have been brought."""
        self.awaited: Asked | None = None
        """What waits until a table has a living host."""
        self.claimed = ""
        """The token whose name is to be given back at the end."""
        self._link = link
        self._patience: asyncio.TimerHandle | None = None

    def send(self, payload: bytes) -> None:
        """Send a packed message."""
        self._link.send(payload)

    def tell(self, message: ToClient) -> None:
        """Send a message."""
        self._link.send(pack(message))

    def end(self) -> None:
        """Close their link."""
        self._link.close()

    def wait(self, asked: Asked, patience: asyncio.TimerHandle) -> None:
        """Wait for a table's host until `patience` ends, or it has ended since they began to wait."""
        if self.awaited is None:
            self._patience = patience
        else:
            patience.cancel()
        self.awaited = asked

    def wait_no_more(self) -> Asked | None:
        """Return what they waited for."""
        if self._patience is not None:
            self._patience.cancel()
        asked, self.awaited, self._patience = self.awaited, None, None
        return asked
