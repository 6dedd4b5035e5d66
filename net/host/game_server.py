"""What screens and links ask of the server, be it in this process or in another."""

from typing import Protocol

from net.host.presence import Visitor
from net.host.thinkers import Thinkers
from net.wire.link import Link


class GameServer(Protocol):
    """A server that guests talk to."""

    thinkers: Thinkers | None
    """For hints and reviews."""

    @property
    def closed(self) -> bool:
        """Whether everybody has been told goodbye."""

    async def serve(self, link: Link, visitor: Visitor) -> None:
        """Serve one connection until it ends; the link is closed at the end."""
