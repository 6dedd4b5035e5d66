"""What every gateway of a cluster knows of its table hosts and tables, and whom names belong to: the interface."""

from collections.abc import Mapping, Set
from typing import Protocol

from msgspec import Struct

from net.host.guest_server import Registry
from net.host.presence import Roster
from net.loop import Listeners
from net.players.accounts import Banned
from net.wire.messages import Said, TableInfo


class Listed(Struct, frozen=True):
    """A table as the whole cluster knows it."""

    info: TableInfo
    host: str
    """The name of the node that runs it now; empty while its host is gone and nobody has taken it over."""
    tokens: tuple[str, ...] = ()
    """Whose the seats are, by seat; empty for a free one or a bot's."""
    maker: str = ""
    """The token of the guest who opened it."""
    address: str = ""
    """Where that guest came from; empty once the table was taken over."""


class TableHostInfo(Struct, frozen=True):
    """A node that runs tables, and is alive as far as the cluster knows."""

    address: str
    """Where it takes lines, as `ADDRESS:PORT`."""
    tables: int = 0
    """How many tables it runs."""
    draining: bool = False
    """Whether it takes no new ones."""


class Directory(Registry, Protocol):
    """Tables, hosts, bans, people and names of a cluster, all as fresh as the last call of the listeners."""

    home: str
    """The only table host there is, which knows all guests of its gateways; empty in a cluster of several."""
    changes: Listeners[Set[int]]
    """Hear the numbers of tables that are different, and none where only something else is."""
    talk: Listeners[Said]
    """Hear what is said in the lobby of another gateway."""

    @property
    def tables(self) -> Mapping[int, Listed]:
        """All tables of the cluster, by number."""

    @property
    def hosts(self) -> Mapping[str, TableHostInfo]:
        """All living table hosts, by the names of their nodes."""

    @property
    def bans(self) -> Mapping[str, Banned]:
        """By key or address."""

    @property
    def notice(self) -> str:
        """The text that everybody reads on entering; empty for none."""

    @property
    def people(self) -> Roster:
        """Who is at any gateway, this one among them."""

    def note_people(self, here: Roster) -> None:
        """Note who is at this gateway; a `home` knows."""

    def say(self, said: Said) -> None:
        """Let the lobbies of all other gateways hear something, as far as they can be reached."""

    async def claim_name(self, token: str, name: str, *, remember: bool, guest: int = 0) -> str:
        """Give a token this name, instead of an earlier one, unless somebody else has it or a lookalike.

        Returns an empty text when the name is theirs now, else the token of its owner. With `remember` it stays
        theirs, as names of keys do; without it until `release_name`, or until this gateway is gone. A `home` hears
        which of its guests it is. Raises OSError when the cluster cannot answer, Illegal with a reason of its own.
        """

    async def release_name(self, token: str) -> None:
        """Give back a name that was not to be remembered; harmless when there is none."""

    async def claim_table(self, maker: str, address: str) -> int:
        """Count one more table of a player (a token), opened from an address; return the number of the claim.

        Raises Illegal when there are as many as there may be. While the cluster cannot answer, the claim is 0, and
        what is known here decides.
        """

    async def note_table(self, claim: int, number: int) -> None:
        """The table of a claim is open. A claim of which nothing is said ends by itself, seconds later."""

    async def release_table(self, claim: int) -> None:
        """The table of a claim is not opened after all."""
