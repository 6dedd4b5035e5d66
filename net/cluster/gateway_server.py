"""The server of a gateway: the front for its guests, which forwards them to the hosts of their tables.

A guest's client always talks to its gateway. Messages to and from a table's host are forwarded unchanged; the gateway
reads them only to learn which table the guest is at.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Set
from contextlib import asynccontextmanager
from time import monotonic

from core.variant import Value
from core.words import Illegal, Refusal, Words, words
from net.cluster.directory import Directory
from net.cluster.routes import LocalGuest, OpenTrunk, PendingRequest, Routes
from net.host.front import Front, Listing, QuarantinedTables
from net.host.guest_server import CLOSED, Charge, GuestServer
from net.host.metrics import Metrics
from net.host.presence import Greeter, Roster, refused_name_words
from net.host.thinkers import Thinkers
from net.loop import LoopScheduler
from net.players.accounts import Banned
from net.players.text import new_code
from net.table.table import Outbox
from net.wire.link import Link
from net.wire.messages import (
    Bind,
    Bye,
    Enter,
    Goodbye,
    Leave,
    MakeTable,
    Refused,
    Said,
    Sit,
    ToHost,
    Unbind,
    Watch,
)


class _ConnectedNames:
    """Stored names of the connected keys. The directory decides who owns a name."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.notice = ""

    def name_of(self, token: str) -> str:
        return self.names.get(token, "")

    def owner_of(self, _name: str) -> str:
        return ""

    def remember(self, token: str, name: str) -> None:
        self.names[token] = name


class GatewayServer(GuestServer):
    """A server whose tables are in other processes."""

    def __init__(
        self,
        directory: Directory,
        open_trunk: OpenTrunk,
        *,
        software: str,
        house_rules: Mapping[str, Mapping[str, Value]] | None = None,
        thinkers: Thinkers | None = None,
        scheduler: LoopScheduler | None = None,
        metrics: Metrics | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`open_trunk` opens a trunk to a table host; `scheduler` is notified of moves that are sent to guests here.

        The rest is as for `net.host.lobby.Lobby`.
        """
        self._directory = self.registry = directory
        self._bans = frozenset(directory.bans)
        self._clock = clock
        self._listing = Listing()
        self._names = _ConnectedNames()
        login = Greeter(self._names, new_code, software, house_rules or {})
        front = Front(
            login,
            lambda: self._listing,
            QuarantinedTables(),
            clock,
            checks_names=not directory.home,
            roster=lambda: directory.roster,
        )
        super().__init__(front, thinkers, metrics, scheduler)
        if directory.home:  # `home` also publishes the roster
            front.on_roster_change = int
        self._routes = Routes(directory, open_trunk, front, self._scheduler)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Follow the directory and keep trunks to all table hosts until the block ends; then say goodbye."""
        stop_callbacks = (
            self._directory.changes.add(self._apply_directory),
            self._directory.chat.add(lambda message: self.receive_chat(message, self._send_to_directory)),
            self.follow_lobby(self._send_to_directory),
        )
        self._apply_directory(frozenset(self._directory.tables))
        try:
            yield
        finally:
            self.close()
            for stop in stop_callbacks:
                stop()
            await self._routes.aclose()

    def close(self) -> None:
        """Say goodbye to all guests and close their links; `serve` calls then return."""
        self.closed = True
        self._lobby_updates.close()
        for local_guest in self._routes.local_guests.values():
            local_guest.tell(Bye(CLOSED, again=self.returns))
            local_guest.end()

    def remove_players(self, kind: str, value: str, reason: Words) -> None:
        """Disconnect all guests with this `key`, `address` or `name`, as `kind` says."""
        self._routes.send(self._front.goodbye_to(kind, value, reason))

    @property
    def bans(self) -> Mapping[str, Banned]:
        return self._directory.bans

    async def admit(self, connection: int, name: str, token: str) -> None:
        await self._claim_name(self._routes.local_guests[connection], name, token)
        self.send(self._front.admit(connection, name, token))

    def send(self, outbox: Outbox) -> None:
        self._routes.send(outbox)

    # One guest

    def _add_guest(self, connection: int, link: Link) -> None:
        local_guest = self._routes.local_guests[connection] = LocalGuest(
            connection, link, self._front.present[connection]
        )
        if self._directory.home:
            self._routes.attach(local_guest, self._directory.home)

    async def _load_account(self, token: str) -> None:
        self._names.names[token] = await self._directory.name_of(token)

    def _is_serving(self, _connection: int) -> bool:
        return not self.closed

    def _is_playing(self, connection: int) -> bool:
        return bool(self._routes.local_guests[connection].node)

    def _say_goodbye(self, connection: int, bye: Bye) -> None:
        self.send([(connection, bye)])

    async def _remove_guest(self, connection: int, *, excused: bool) -> None:  # noqa: ARG002
        local_guest = self._routes.local_guests.get(connection)
        self._front.disconnect(connection)
        if local_guest is None:
            return
        self._routes.forget(local_guest)
        others, account = self._routes.local_guests.values(), local_guest.presence.account
        if not any(other.presence.account == account for other in others):
            self._names.names.pop(account, None)
        if local_guest.claimed and not any(other.claimed == local_guest.claimed for other in others):
            await self._directory.release_name(local_guest.claimed)

    # Messages of guests

    async def _answer_message(self, connection: int, message: ToHost, payload: bytes, _charge: Charge) -> None:
        local_guest = self._routes.local_guests[connection]
        outbox: Outbox | None
        try:
            if isinstance(message, Enter) and self._may_claim(local_guest):
                await self._claim_requested(local_guest, message)
            if isinstance(message, Bind | Unbind):
                outbox = await self._answer_binding(connection, message)
            else:
                outbox = self._front.receive(connection, local_guest.presence, message)
            if outbox is None:
                outbox = await self._forward_to_table(local_guest, message, payload)
        except Refusal as refusal:
            self.metrics.count_refusal()
            outbox = [(connection, Refused(refusal.reason))]
        self.send(outbox)

    def _may_claim(self, local_guest: LocalGuest) -> bool:
        """Return True if a guest may claim a name now; one who asks too fast does not reach the database."""
        presence = local_guest.presence
        return presence.guest is None and presence.greeted and not presence.message_budget.is_empty(self._clock())

    async def _claim_requested(self, local_guest: LocalGuest, message: Enter) -> None:
        """Claim a name for a guest in the whole cluster. Raises Illegal if another guest has it."""
        former_code = local_guest.presence.return_code
        try:
            await self._claim_name(local_guest, *self._front.requested_name(local_guest.presence, message))
        except Exception:  # a return code that was typed counts only if the name could be claimed
            local_guest.presence.return_code = former_code
            raise

    async def _claim_name(self, local_guest: LocalGuest, name: str, token: str) -> None:
        visitor = local_guest.presence.visitor
        owner = await self._directory.claim_name(
            token, name, remember=bool(visitor.key), guest=local_guest.connection
        )
        if owner:
            raise Illegal(refused_name_words(name, owner))
        local_guest.claimed = token

    async def _forward_to_table(self, local_guest: LocalGuest, message: ToHost, payload: bytes) -> Outbox:
        match message:
            case Sit(table=number) | Watch(table=number):
                await self._routes.join_table(local_guest, PendingRequest(number, payload))
                return []
            case MakeTable():
                await self._routes.open_table(local_guest, payload)
                return []
            case Goodbye() if not local_guest.node:
                return [(local_guest.connection, Bye())]
            case Leave() if not local_guest.node:
                self._routes.send_back(local_guest, None)
                return []
        if local_guest.node:
            await self._routes.forward(local_guest, payload)
        elif not local_guest.presence.table:  # else it is interrupted, and messages are lost meanwhile
            raise Illegal(words("You are not at a table."))
        return []

    # The lobby, which all gateways share

    def _publish_roster(self) -> None:
        self._directory.publish_roster(self._front.local_roster())

    def _send_to_directory(self, update: Roster | Said) -> None:
        if isinstance(update, Said) and update.name:  # each gateway sends the host's own messages to its guests
            self._directory.say(update)

    def _apply_directory(self, numbers: Set[int]) -> None:
        """Apply changes in the cluster."""
        for number in numbers:
            entry = self._directory.tables.get(number)
            self._listing.drop(number) if entry is None else self._listing.put(entry.info, entry.tokens)
        self._names.notice = self._directory.notice
        former_bans, self._bans = self._bans, frozenset(self._directory.bans)
        for who in self._bans - former_bans:
            for kind in ("key", "address"):
                self.remove_players(kind, who, words("You are banned from this server."))
        self._routes.on_directory_changed(numbers)
        self._lobby_updates.note_change()
        self.followers.notify(numbers)
