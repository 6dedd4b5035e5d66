"""What a host keeps of each connection and of each guest that one of its gateways serves."""

import asyncio
from collections.abc import Callable

from net.host.access import DenialReason, network_of
from net.limits import GUEST_TOOK
from net.ssh.gateways.messages import Deny, EndGuest, ToGateway, ToGuest, Took
from net.ssh.server.terminal import Identity
from net.wire.codec import WireError

Say = Callable[[ToGateway], None]


class Distant:
    """A connection that a gateway serves, as far as it is counted here (`net.ssh.server.admissions.Connected`)."""

    def __init__(self, number: int, address: str, say: Say) -> None:
        self.number = number
        self.address = address
        self.network = network_of(address)
        self.identity: Identity | None = None
        self.read_since = float("inf")
        self.exchanged = False
        self.open_sessions = 0
        self._say = say

    def hang_up(self) -> None:
        """Cut the connection now."""
        self._say(Deny(self.number))

    def deny(self, reason: DenialReason) -> None:
        """Close the connection now, with a reason."""
        self._say(Deny(self.number, reason))


class GuestLink:
    """A `net.wire.link.Link` to a guest whose gateway passes on what both ends say."""

    def __init__(self, guest: int, say: Say) -> None:
        self._guest = guest
        self._say = say
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._fault = ""
        self._closed = False
        self._taken = 0

    def send(self, payload: bytes) -> None:
        """Send one message; the gateway closes the connection of a guest who does not read."""
        if not self._closed:
            self._say(ToGuest(self._guest, payload))

    async def receive(self) -> bytes | None:
        """Return the next message, or None at the end; raises WireError if what the guest sent was none."""
        payload = await self._inbox.get()
        if payload is None:
            self._inbox.put_nowait(None)
            if self._fault:
                raise WireError(self._fault)
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

    def end(self, fault: str = "") -> None:
        """Take note that the guest has gone, or, with a fault, that nothing more of theirs can be understood."""
        self._fault = fault
        self._inbox.put_nowait(None)
