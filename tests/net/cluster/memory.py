"""A directory of a cluster in memory, which tests change in place of table hosts and a database."""

from copy import copy
from itertools import count

from net.cluster.database_directory import tables_by_origin
from net.cluster.directory import DirectoryEntry, TableHostInfo
from net.host.presence import Roster
from net.host.table_host import check_open_table_limits
from net.loop import Listeners
from net.players.accounts import Accounts, Banned
from net.players.names_in_use import skeletons
from net.wire.messages import Said


class MemoryDirectory:
    """A `net.cluster.directory.Directory`. All gateways of a test share one, each through its own view."""

    home = ""

    def __init__(self) -> None:
        self.tables: dict[int, DirectoryEntry] = {}
        self.hosts: dict[str, TableHostInfo] = {}
        self.accounts = Accounts()
        self.in_use: dict[str, str] = {}
        """By token, the names of guests without an account."""
        self.records: dict[str, tuple[str, ...]] = {}
        """By deep link, the lines of finished matches; few are read at once."""
        self.claim_numbers = count(1)
        self.claims: dict[int, tuple[str, str]] = {}
        """By table, or by the number of the claim below 0: the player who opens it, and their address."""
        self.changes = Listeners("change-not-told")
        self._gateway = 0
        """The gateway to which this view belongs."""
        self._gateways = count(1)
        self._people: dict[int, Roster] = {}
        self.chat = Listeners("lobby-not-told")
        self._views = [self]

    def view(self) -> "MemoryDirectory":
        """Return a view of the same directory for one more gateway."""
        view = copy(self)
        view._gateway = next(self._gateways)
        view.chat = Listeners("lobby-not-told")
        self._views.append(view)
        return view

    @property
    def bans(self) -> dict[str, Banned]:
        return self.accounts.bans

    @property
    def notice(self) -> str:
        return self.accounts.notice

    @property
    def roster(self) -> Roster:
        return sum(self._people.values(), Roster())

    async def record(self, link: str, start: int) -> tuple[str, ...]:
        return self.records.get(link, ())[start : start + 2]

    def publish_roster(self, roster: Roster) -> None:
        if roster != self._people.get(self._gateway):
            self._people[self._gateway] = roster
            self.change()

    def say(self, message: Said) -> None:
        for view in self._views:
            if view is not self:
                view.chat.notify(message)

    def change(self, *numbers: int) -> None:
        """Notify all listeners that these tables have changed."""
        self.changes.notify(frozenset(numbers))

    def put(self, listed: DirectoryEntry) -> None:
        """List a table, or replace its entry."""
        self.tables[listed.info.id] = listed
        self.change(listed.info.id)

    def drop(self, number: int) -> None:
        """Remove a table that was closed."""
        self.claims.pop(number, None)
        if self.tables.pop(number, None):
            self.change(number)

    def put_host(self, node: str, host: TableHostInfo | None) -> None:
        """Register a table host, or with None remove it: then its tables have no host."""
        if host is not None:
            self.hosts[node] = host
            self.change()
            return
        self.hosts.pop(node, None)
        orphans = [number for number, listed in self.tables.items() if listed.host == node]
        for number in orphans:
            self.tables[number] = DirectoryEntry(self.tables[number].info, "", *_owner_fields(self.tables[number]))
        self.change(*orphans)

    def ban(self, token: str) -> None:
        self.accounts.ban(token, "", "2026-11-23")
        self.change()

    async def claim_name(self, token: str, name: str, *, remember: bool, guest: int = 0) -> str:
        owner = self.accounts.owner_of(name)
        if owner and owner != token:
            return owner
        for user, used_name in self.in_use.items():
            if user != token and skeletons(used_name) & skeletons(name):
                return user
        if remember:
            self.accounts.remember(token, name)
        else:
            self.in_use[token] = name
        return ""

    async def release_name(self, token: str) -> None:
        self.in_use.pop(token, None)

    async def name_of(self, token: str) -> str:
        return self.accounts.name_of(token)

    async def account_of(self, key: str) -> str:
        return self.accounts.account_of(key)

    async def offer(self, token: str) -> str:
        return self.accounts.offer(token, 0.0)

    async def bind(self, key: str, code: str) -> str:
        return self.accounts.bind(key, code, 0.0)

    async def unbind(self, key: str) -> bool:
        return self.accounts.unbind(key)

    async def claim_table(self, maker: str, address: str) -> int:
        by_player, from_address = tables_by_origin(maker, address, self.tables)
        for number, claim in self.claims.items():
            by_player |= {number} if claim[0] == maker else set()
            from_address |= {number} if address and claim[1] == address else set()
        check_open_table_limits(0, len(by_player), len(from_address))
        claim = next(self.claim_numbers)
        self.claims[-claim] = maker, address
        return claim

    async def note_table(self, claim: int, number: int) -> None:
        self.claims[number] = self.claims.pop(-claim)

    async def release_table(self, claim: int) -> None:
        del self.claims[-claim]


def _owner_fields(listed: DirectoryEntry) -> tuple[tuple[str, ...], str]:
    return listed.tokens, listed.maker
