"""Serves the guests of a host, regardless of where its tables are: over links, or with a client in this process."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from functools import partial
from itertools import count
from time import thread_time
from typing import Protocol, Self

from core.words import words
from net.client.client import Client, Disconnected
from net.host.front import Front, Listing
from net.host.metrics import Metrics
from net.host.presence import Presence, Roster, Visitor
from net.host.thinkers import Thinkers
from net.limits import NEWS_EVERY, NEWS_GUESTS, WRONG_CODES
from net.logs import fields
from net.loop import CrashCounter, DeferredCall, Listeners, LoopScheduler, Tasks, is_failure, log_failures
from net.players.accounts import Banned
from net.players.text import token_of
from net.scheduler import Bucket, Work, new_owner
from net.table.table import Guest, Outbox
from net.wire.link import LineLost, Link, WireError, memory_pair, unpack
from net.wire.maintenance import Maintenance
from net.wire.messages import Bind, BindCode, Bye, Refused, Said, ToClient, ToHost, Unbind

Charge = Callable[[float], None]
"""Charges CPU seconds to a guest."""
LobbyFollower = Callable[[Roster | Said], None]
"""Called with the roster and the chat of the lobby, to forward them to other processes."""
CLOSED = words("The server has closed.")
KEY_UNBOUND = words("This key has its own account again. Log in again.")
log = logging.getLogger(__name__)


class Registry(Protocol):
    """Stored data about accounts and matches. All methods raise OSError if the data is unavailable."""

    async def name_of(self, token: str) -> str:
        """Return the stored name of a token; empty if there is none."""

    async def account_of(self, key: str) -> str:
        """Return the token of the account that a key belongs to."""

    async def offer(self, token: str) -> str:
        """Return a code with which another key may join this account."""

    async def bind(self, key: str, code: str) -> str:
        """Let a key join the account of a code; return its token, empty for an invalid code."""

    async def unbind(self, key: str) -> bool:
        """Make a key an account of its own again; return True if it had joined another."""

    async def record(self, link: str, start: int = 0) -> tuple[str, ...]:
        """Return lines of a finished match from `start`, by the digits of its chain in a deep link.

        The number of lines in one call is limited; none at the end of the record, and for an unknown one.
        """


class GuestServer(ABC):
    """Serves all guests, one message of each at a time.

    It starts no task: the caller of `serve` or `serve_attached` serves a link. Its subclasses know where tables are.
    """

    registry: Registry

    def __init__(
        self,
        front: Front,
        thinkers: Thinkers | None = None,
        metrics: Metrics | None = None,
        scheduler: LoopScheduler | None = None,
    ) -> None:
        """`thinkers` are for hints and reviews; requests of guests in the lobby get their turn by the `scheduler`."""
        self.thinkers = thinkers
        self.metrics = metrics or Metrics()
        self.closed = False
        """True once all guests got a goodbye."""
        self.returns = True
        """True if a host that closes may soon be back, so that clients try to reconnect."""
        self._front = front
        self._scheduler = scheduler or LoopScheduler()
        self._scheduler.metrics = self.metrics.stages
        self._lobby_updates = LobbyUpdates(self._begin_updates, self.send)
        self.present: Mapping[int, Presence] = front.present
        """All connections, by number."""
        front.on_roster_change = self._lobby_updates.note_change
        front.on_chat = self._notify_followers
        front.on_entered = _log_entered
        self.followers = Listeners[Set[int]]("list-not-told")
        """Called with the numbers of tables whose list entry has changed or is gone; with none if only bans have
        changed.
        """
        self._followers: list[LobbyFollower] = []
        self._sent_roster = Roster()
        """The roster that was sent last."""
        self._numbers = count(1)
        self._reminder = DeferredCall(self._remind, "not-reminded")

    @property
    def listing(self) -> Listing:
        """The list of all tables."""
        return self._front.listing()

    @property
    @abstractmethod
    def bans(self) -> Mapping[str, Banned]:
        """Bans by key or address."""

    def offer_link(self, link: str) -> None:
        """Tell guests the URL of the host's pages, as in `Greeting`, when they are greeted."""
        self._front.link = link

    @property
    def maintenance(self) -> Maintenance:
        """The announced maintenance of the host."""
        return self._front.maintenance

    @property
    def notice(self) -> str:
        """The text that everybody reads on entering; empty if there is none."""
        return self._front.notice

    async def has_reserved_seat(self, visitor: Visitor) -> bool:
        """Return True if a seat is reserved for a visitor.

        The seat is found by the visitor's account, or by the key itself while accounts cannot be looked up.
        """
        account = visitor.key
        if account:
            with suppress(OSError):
                account = await self.registry.account_of(account)
        return self._front.has_reserved_seat(account or (token_of(visitor.resume) if visitor.resume else ""))

    def follow_lobby(self, follower: LobbyFollower) -> Callable[[], None]:
        """Call `follower` with the roster, now and whenever it changes, with all chat of the lobby, and first with an
        announced maintenance.

        Call the returned function to stop.
        """
        self._followers.append(follower)
        follower(self._sent_roster)
        if (maintenance := self._front.maintenance.message) is not None:
            follower(maintenance)
        return lambda: self._followers.remove(follower)

    def receive_chat(self, message: Said, sender: LobbyFollower | None = None) -> None:
        """Send a chat message of another lobby to this one, and to all followers but `sender`, which has it."""
        clean_message = self._front.clean_remote_chat(message)
        if clean_message is not None:
            self.send(self._front.to_lobby(clean_message))
            self._notify_followers(clean_message, sender)

    def announce(self, message: Said, *, at_tables: bool = True) -> None:
        """Send a message of the host to the lobby, including its workers' guests, and with `at_tables` to its tables.

        Repeat the announcement of a maintenance at each of `net.wire.maintenance.REMINDERS`.
        """
        if at_tables:
            self._announce_at_tables(message)
        self.send(self._front.announce(message))
        self._notify_followers(message)
        if message.maintenance is not None:
            self._reminder.cancel()
            if (seconds := self._front.maintenance.next_reminder) is not None:
                self._reminder.schedule(seconds)

    def _announce_at_tables(self, message: Said) -> None:  # noqa: B027 - only a host has tables
        """Send a message of the host to everybody at its tables; a gateway has none."""

    def _remind(self) -> None:
        if not self.closed and (message := self._front.maintenance.message) is not None:
            self.announce(message)

    async def serve(self, link: Link, visitor: Visitor) -> None:
        """Serve a connection until it ends, and then close the link; its seat stays reserved."""
        await self.serve_attached(next(self._numbers), link, visitor, is_new=True)

    def attach(self, link: Link, visitor: Visitor, name: str, token: str) -> int:
        """Add a guest whose gateway is their front; return the connection. `serve_attached` follows.

        A guest without a name (empty) gets one by `admit`.
        """
        connection = next(self._numbers)
        try:
            self._front.attach(connection, visitor, name, token)
            self._add_guest(connection, link)
        except BaseException:
            self._front.disconnect(connection)
            raise
        return connection

    @abstractmethod
    async def admit(self, connection: int, name: str, token: str) -> None:
        """Give an attached guest the requested name.

        Raises Illegal if they cannot have it, OSError if that cannot be checked now.
        """

    @abstractmethod
    def send(self, outbox: Outbox) -> None:
        """Send messages, in order."""

    # Methods of subclasses for one guest

    @abstractmethod
    def _add_guest(self, connection: int, link: Link) -> None:
        """Store the link of a guest whom the front has added."""

    async def _begin(self, connection: int, visitor: Visitor) -> None:
        """Prepare for the first message: look up the account of a key."""
        presence = self._front.present[connection]
        if visitor.key and not presence.attached:
            presence.account = await self.registry.account_of(visitor.key)
            await self._load_account(presence.account)

    async def _load_account(self, token: str) -> None:  # noqa: B027 - only a gateway does
        """Look up the data of an account that the front will need."""

    @abstractmethod
    def _is_serving(self, connection: int) -> bool:
        """Return False once a guest's messages must be dropped."""

    @abstractmethod
    def _is_playing(self, connection: int) -> bool:
        """Return True if a guest has a seat at a table, and so need not wait for the moves of others."""

    @abstractmethod
    async def _answer_message(self, connection: int, message: ToHost, payload: bytes, charge: Charge) -> None:
        """Answer a message, and `charge` its CPU cost to the guest; `payload` is the packed message."""

    @abstractmethod
    async def _remove_guest(self, connection: int, *, excused: bool) -> None:
        """Discard a guest whose link has ended; it is `excused` if the host's own machines have caused that."""

    async def serve_attached(self, connection: int, link: Link, visitor: Visitor, *, is_new: bool = False) -> None:
        """Serve an attached guest, only at tables, until they or their gateway leave. `is_new`: a
        guest of this process, who is added first and served everywhere.
        """
        excused, owner = False, new_owner()
        try:
            if is_new:
                self._front.connect(connection, visitor)
                self._add_guest(connection, link)
            await self._begin(connection, visitor)
            while (payload := await link.receive()) is not None:
                work = Work.MOVE if self._is_playing(connection) else Work.LIST
                if work is Work.LIST:
                    await self._scheduler.wait_for_turn(work, owner)
                if not self._is_serving(connection):  # perhaps since the message began to wait
                    break
                charge = partial(self._scheduler.charge, work, owner)
                await self._answer_message(connection, unpack(payload, ToHost), payload, charge)
                # yield, or a thousand messages of one guest would be answered before the next of anybody else
                await asyncio.sleep(0)
        except WireError as error:
            log.info("no-message", extra=fields(address=visitor.address, error=error))
            self._say_goodbye(
                connection, Bye(words("That was not a Boneyard message, so the connection was closed."))
            )
        except LineLost:
            excused = True
        except OSError as error:
            log.error("no-directory", extra=fields(error=error))
            sentence = words("The server cannot read its data right now; try again in a moment.")
            self._say_goodbye(connection, Bye(sentence, again=True))
        finally:
            link.close()
            await self._remove_guest(connection, excused=excused)

    async def _answer_binding(self, connection: int, message: Bind | Unbind) -> Outbox:
        """Let a key join an account, or leave one; then its guest must log in again."""
        presence = self._front.present[connection]
        if (rate_answer := self._front.check_rate(presence)) is not None:
            return [(connection, answer) for answer in rate_answer]
        return [(connection, await self._handle_binding(presence, message))]

    async def _handle_binding(self, presence: Presence, message: Bind | Unbind) -> ToClient:
        visitor, guest = presence.visitor, presence.guest
        if guest is None or not visitor.key:
            return Refused(
                words(
                    "Only players with a key have an account: set one up with ssh-keygen, or use a browser over "
                    "https."
                )
            )
        if isinstance(message, Unbind):
            if await self.registry.unbind(visitor.key):
                return Bye(KEY_UNBOUND)
            return Refused(words("This key has its own account already."))
        if not message.code:
            if (
                await self.registry.account_of(visitor.key) != guest.token
            ):  # it has joined or left one over another connection since
                return Refused(words("This key belongs to another account now; log in again."))
            return BindCode(await self.registry.offer(guest.token))
        if presence.wrong_codes >= WRONG_CODES:
            return Refused(words("Too many wrong codes; log in again."))
        if await self.registry.bind(visitor.key, message.code):
            return Bye(words("This key belongs to that account now. Log in again."))
        presence.wrong_codes += 1
        return Refused(words("That code links no account, or has expired; ask for a new one."))

    @abstractmethod
    def _say_goodbye(self, connection: int, bye: Bye) -> None:
        """Say goodbye to one guest at once."""

    def _publish_roster(self) -> None:  # noqa: B027
        """Publish the roster, where other processes need it."""

    def _begin_updates(self) -> Iterator[Outbox]:
        """Begin a batch of updates for the lobby, and send the roster to followers."""
        self._publish_roster()
        if (roster := self._front.roster()) != self._sent_roster:
            self._sent_roster = roster
            self._notify_followers(roster)
        return self._front.page_updates()

    def _notify_followers(self, update: Roster | Said, sender: LobbyFollower | None = None) -> None:
        for follower in tuple(self._followers):
            if follower != sender:
                with log_failures("lobby-not-told"):
                    follower(update)


def _log_entered(visitor: Visitor, guest: Guest) -> None:
    """Log the name under which a guest has entered: a complaint has neither a key nor an address."""
    if visitor.address:  # not in a solo match
        log.info("guest-entered", extra=fields(name=guest.name, key=visitor.key or None, address=visitor.address))


class LobbyUpdates:
    """Batches of updates for all guests in a lobby: at once after a change, then throttled.

    It checks one guest in each iteration of the event loop, so that a full lobby does not delay players.
    """

    def __init__(self, begin: Callable[[], Iterator[Outbox]], send: Callable[[Outbox], None]) -> None:
        """`begin` begins a batch, which yields the messages for each guest, perhaps none; `send` sends them."""
        self._begin_batch = begin
        self._send_batch = send
        self._batch: Iterator[Outbox] | None = None
        self._has_changed = False
        """True if something has changed since the batch began."""
        self._next_timer = DeferredCall(self._send_next, "news-not-told")
        """Timer of the next guest of the batch, or of the end of the pause after it."""
        self._checked_guests = 0
        self._closed = False

    def note_change(self) -> None:
        """Note a change."""
        if self._closed:
            return
        self._has_changed = True
        if not self._next_timer:
            self._next_timer.schedule(0)

    def close(self) -> None:
        """Stop sending."""
        self._closed = True
        self._next_timer.cancel()

    def _send_next(self) -> None:
        if self._batch is None:
            if not self._has_changed:
                return
            self._batch, self._has_changed, self._checked_guests = self._begin_batch(), False, 0
        out = next(self._batch, None)
        if out is not None:
            self._checked_guests += 1
            self._next_timer.schedule(0)
            self._send_batch(out)
        else:
            self._batch = None
            self._next_timer.schedule(max(NEWS_EVERY, self._checked_guests / NEWS_GUESTS))


RECONNECT_DELAY = 0.1
"""Seconds until a client reconnects after the host failed to serve it."""


class ScheduledLink:
    """A link to one session whose frames are received in its turn.

    A move is sent to everybody at its table at once. Each screen takes two milliseconds to show it, and without turns
    a key pressed meanwhile would wait for all of them. Busy sessions receive after those that ask less.
    """

    def __init__(self, link: Link, scheduler: LoopScheduler, owner: Bucket) -> None:
        self._link, self._scheduler, self._owner = link, scheduler, owner
        self._cpu_start = 0.0
        """Time at which the client got the last frame, which it handles before it asks for another."""
        self.send = link.send
        self.close = link.close

    async def receive(self) -> bytes | None:
        if self._cpu_start:
            self._scheduler.metrics.record_cost(Work.ANSWER, thread_time() - self._cpu_start)
        frame = await self._link.receive()
        if frame is not None:
            await self._scheduler.wait_for_turn(Work.ANSWER, self._owner)
            self._cpu_start = thread_time()
        return frame


class InProcessGuest:
    """A guest of a host in this process, from the beginning of the block to its end."""

    def __init__(
        self, server: GuestServer, visitor: Visitor, wrap: Callable[[Link], Link] = lambda link: link
    ) -> None:
        """The client's end of each link is passed through `wrap`."""
        self._server = server
        self._visitor = visitor
        self._wrap = wrap
        self._serving = Tasks()
        self._is_link_unused = True
        self.link = self._open_link()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.link.close()
        await self._serving.wait()

    async def converse(self, client: Client) -> Bye | None:
        """Run a client until either end says goodbye; on every link but the first, it returns to its former place.

        Returns None when the link is closed, or serving this guest fails again and again.
        """
        crashes = CrashCounter()
        while True:
            if not self._is_link_unused:
                self.link.close()
                self.link = self._open_link()
            self._is_link_unused = False
            bye = None
            try:
                bye = await client.run(self.link)
            except asyncio.CancelledError as error:
                if not is_failure(error):
                    raise
            if bye is not None or self._server.closed or crashes.record_crash():
                return bye
            client.publish(Disconnected())
            await asyncio.sleep(RECONNECT_DELAY)

    def _open_link(self) -> Link:
        client_end, host_end = memory_pair()
        serving = self._server.serve(host_end, self._visitor)
        self._serving.start(serving, "guest-not-served", user=self._visitor.user, address=self._visitor.address)
        return self._wrap(client_end)
