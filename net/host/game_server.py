"""What is asked of a server: by screens and links of its process, and by gateways, which bring guests of theirs."""

from collections.abc import Callable, Mapping, Set
from typing import Protocol

from net.host.listing import Listing
from net.host.presence import Visitor
from net.host.thinkers import Thinkers
from net.players.accounts import Banned
from net.wire.link import Link

Listener = Callable[[Set[int]], None]
"""Hears the numbers of tables that are listed otherwise, or gone; none where only something else is different."""


class GameServer(Protocol):
    """A server that guests talk to."""

    thinkers: Thinkers | None
    """For hints and reviews."""

    @property
    def closed(self) -> bool:
        """Whether everybody has been told goodbye."""

    async def serve(self, link: Link, visitor: Visitor) -> None:
        """Serve one connection until it ends; the link is closed at the end."""


class TableServer(Protocol):
    """A server at whose tables guests of a gateway play, who are greeted and shown lists there."""

    @property
    def closed(self) -> bool:
        """Whether everybody has been told goodbye."""

    def bring(self, link: Link, visitor: Visitor, name: str, token: str) -> int:
        """Take note of a guest for whom a gateway vouches; `serve_brought` follows, with what is returned.

        One whom the gateway brings before they have a name (empty) is given one by `HomeServer.admit`.
        """

    async def serve_brought(self, connection: int, link: Link, visitor: Visitor) -> None:
        """Serve such a guest, at tables only, until they or their gateway are gone."""


class HomeServer(GameServer, TableServer, Protocol):
    """The one server of gateways that are processes of the same host, which knows all that they must know."""

    @property
    def listing(self) -> Listing:
        """All tables as lobbies show them."""

    @property
    def bans(self) -> Mapping[str, Banned]:
        """By key or address."""

    def follow(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` whenever the listing or the bans are different; call what is returned to stop."""

    async def admit(self, connection: int, name: str, token: str) -> None:
        """Give a guest who was brought the name that they ask for. Raises Illegal when they cannot have it."""

    async def name_of(self, token: str) -> str:
        """The name that is remembered for a token; empty for none. Raises OSError when that cannot be looked up."""
