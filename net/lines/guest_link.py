"""A guest at the end of a line, as a link on which they can be served."""

import asyncio
from collections.abc import Callable

from net.limits import GUEST_TOOK
from net.lines.messages import EndGuest, Said, ToGuest, Took
from net.wire.link import LineLost, WireError


class GuestLink:
    """A `net.wire.link.Link` to a guest to whom the other end of a line passes on what is said."""

    def __init__(self, guest: int, say: Callable[[Said], None]) -> None:
        self._guest = guest
        self._say = say
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._fault = ""
        self._lost = False
        self._closed = False
        self._taken = 0

    def send(self, payload: bytes) -> None:
        """Send one message; the other end closes the connection of a guest who does not read."""
        if not self._closed:
            self._say(ToGuest(self._guest, payload))

    async def receive(self) -> bytes | None:
        """Return the next message, or None at the end.

        Raises WireError if what the guest sent was none, LineLost if the line to them is over.
        """
        payload = await self._inbox.get()
        if payload is None:
            self._inbox.put_nowait(None)
            if self._fault:
                raise WireError(self._fault)
            if self._lost and not self._closed:
                raise LineLost
            return None
        self._taken += 1
        if self._taken == GUEST_TOOK:
            self._say(Took(self._guest, self._taken))
            self._taken = 0
        return payload

    def close(self) -> None:
        """Close both directions; harmless when already closed."""
        if not self._closed:
            self._closed = True
            self._say(EndGuest(self._guest))
            self._inbox.put_nowait(None)

    def feed(self, payload: bytes) -> None:
        """Take in a message of the guest."""
        self._inbox.put_nowait(payload)

    def lose(self) -> None:
        """Take note that the line is over, and nothing is known of the guest any more."""
        self._lost = True
        self._inbox.put_nowait(None)

    def end(self, fault: str = "") -> None:
        """Take note that the guest has gone, or, with a fault, that nothing more of theirs can be understood."""
        self._fault = fault
        self._inbox.put_nowait(None)
