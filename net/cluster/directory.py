"""Interface to a gateway's knowledge of the cluster: its table hosts, its tables, and the owners of names."""

from collections.abc import Mapping, Set
from typing import Protocol

from msgspec import Struct

from net.host.guest_server import Registry
from net.host.presence import Roster
from net.loop import Listeners
from net.players.accounts import Banned
from net.wire.messages import Said, TableInfo


class DirectoryEntry(Struct, frozen=True):
    """A table as the whole cluster knows it."""

    info: TableInfo
    host: str
    """Name of the node that runs it; empty while its host is gone and no other has taken it over."""
    tokens: tuple[str, ...] = ()
    """Tokens of the players, by seat; empty for a free seat or a bot's."""
    maker: str = ""
    """Token of the guest who opened it."""
    address: str = ""
    """Address of that guest; empty once the table was taken over."""


class TableHostInfo(Struct, frozen=True):
    """A node that runs tables, and whose lease has not expired."""

    address: str
    """Address where it accepts trunks, as `ADDRESS:PORT`."""
    tables: int = 0
    """Number of its tables."""
    draining: bool = False
    """True if it takes no new tables."""


class Directory(Registry, Protocol):
    """Tables, hosts, bans, guests and names of a cluster, up to date as of the last call of the listeners."""

    home: str
    """The only table host, which knows all guests of its gateways; empty in a cluster of several."""
    changes: Listeners[Set[int]]
    """Called with the numbers of tables that have changed; with none if only something else has."""
    chat: Listeners[Said]
    """Called with each chat message from the lobby of another gateway."""

    @property
    def tables(self) -> Mapping[int, DirectoryEntry]:
        """All tables of the cluster, by number."""

    @property
    def hosts(self) -> Mapping[str, TableHostInfo]:
        """All living table hosts, by the names of their nodes."""

    @property
    def bans(self) -> Mapping[str, Banned]:
        """Bans by key or address."""

    @property
    def notice(self) -> str:
        """The text that everybody reads on entering; empty if there is none."""

    @property
    def roster(self) -> Roster:
        """Roster of all gateways, including this one."""

    def publish_roster(self, roster: Roster) -> None:
        """Publish the roster of this gateway; a no-op with a `home`, which knows the roster."""

    def say(self, message: Said) -> None:
        """Send a chat message to the lobbies of all other gateways, as far as they can be reached."""

    async def claim_name(self, token: str, name: str, *, remember: bool, guest: int = 0) -> str:
        """Give a token this name, instead of an earlier one, unless another token has it or a lookalike.

        Returns an empty text if the token has the name now, else the token of the name's owner. With `remember`, for
        tokens of keys, the claim is permanent; otherwise it ends with `release_name`, or with this gateway. `guest`
        is the guest's number, for a `home`. Raises OSError when the cluster cannot answer, Illegal with a reason of
        its own.
        """

    async def release_name(self, token: str) -> None:
        """Release a name that was claimed without `remember`; harmless when there is none."""

    async def claim_table(self, maker: str, address: str) -> int:
        """Count another table that a player (a token) opens from an address; return the number of the claim.

        Raises Illegal when a limit is reached. While the cluster cannot answer, the claim is 0, and the tables that
        are known here decide.
        """

    async def note_table(self, claim: int, number: int) -> None:
        """Record that the table of a claim is open. A claim without `note_table` or `release_table` expires after
        seconds.
        """

    async def release_table(self, claim: int) -> None:
        """Record that the table of a claim is not opened after all."""
