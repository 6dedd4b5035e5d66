"""What a host keeps of each connection that one of its gateways serves."""

from collections.abc import Callable

from net.host.access import DenialReason, network_of
from net.ssh.gateways.messages import Deny, ToGateway
from net.ssh.server.terminal import Identity

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
        self.claimed = 0
        """How many of them are counted elsewhere as well."""
        self._say = say

    def hang_up(self) -> None:
        """Cut the connection now."""
        self._say(Deny(self.number))

    def deny(self, reason: DenialReason) -> None:
        """Close the connection now, with a reason."""
        self._say(Deny(self.number, reason))
