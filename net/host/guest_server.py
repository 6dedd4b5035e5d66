"""The way in for the guests of a host, wherever its tables are: over lines, or with a client in this process."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from functools import partial
from itertools import count
from time import thread_time
from typing import Protocol, Self

from core.layout.state import NOBODY
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
from net.wire.messages import Bind, BindCode, Bye, Refused, Said, ToClient, ToHost, Unbind

Charge = Callable[[float], None]
"""Counts so many seconds of CPU against somebody."""
Beside = Callable[[Roster | Said], None]
"""Hears who is on the host, and what is said in its lobby, for those who see and hear it elsewhere."""
CLOSED = words("The server has closed.")
KEY_UNBOUND = words("This key has its own account again. Log in again.")
log = logging.getLogger(__name__)


class Registry(Protocol):
    """What is written down about people and matches. Everything raises OSError when it cannot be looked up now."""

    async def name_of(self, token: str) -> str:
        """The name that is remembered for a token; empty for none."""

    async def account_of(self, key: str) -> str:
        """The token of the account that a key belongs to."""

    async def offer(self, token: str) -> str:
        """A code with which another key may join this account."""

    async def bind(self, key: str, code: str) -> str:
        """Let a key join the account of a code; return its token, empty for a code that offers none."""

    async def unbind(self, key: str) -> bool:
        """Give a key an account of its own again; return whether it had joined another."""

    async def record(self, link: str, start: int = 0) -> tuple[str, ...]:
        """The lines from `start` of a match that is over, by the digits of its chain that a link has.

        As many as are read at once; none at the end of the record, and for none.
        """


class GuestServer(ABC):
    """Serves everybody who comes in, one message of each at a time.

    It starts no task: the caller of `serve` or `serve_brought` serves a link. Its subclasses know where tables are.
    """

    register: Registry

    def __init__(
        self,
        front: Front,
        thinkers: Thinkers | None = None,
        metrics: Metrics | None = None,
        scheduler: LoopScheduler | None = None,
    ) -> None:
        """`thinkers` are for hints and reviews; what those in the lobby ask for has its turn by the `scheduler`."""
        self.thinkers = thinkers
        self.metrics = metrics or Metrics()
        self.closed = False
        """Whether everybody has been told goodbye."""
        self.returns = True
        """Whether a host that closes may soon be back, so that clients try to reach it again."""
        self._front = front
        self._scheduler = scheduler or LoopScheduler()
        self._scheduler.numbers = self.metrics.stages
        self._news = LobbyUpdates(self._begin_news, self.send)
        self.present: Mapping[int, Presence] = front.present
        """Everybody who is connected, by connection."""
        front.on_people = self._news.changed
        front.on_chat = self._tell_beside
        front.on_entered = _log_entered
        self.followers = Listeners[Set[int]]("list-not-told")
        """Hear the numbers of tables that are listed otherwise, or gone; none where only the bans are different."""
        self._beside: list[Beside] = []
        self._people = Roster()
        """Who was here when the last news began."""
        self._numbers = count(1)

    @property
    def listing(self) -> Listing:
        """All tables as lobbies show them."""
        return self._front.listing()

    @property
    @abstractmethod
    def bans(self) -> Mapping[str, Banned]:
        """By key or address."""

    @property
    def notice(self) -> str:
        """The text that everybody reads on entering; empty for none."""
        return self._front.notice

    async def has_reserved_seat(self, visitor: Visitor) -> bool:
        """Whether a seat is kept for somebody who proves to be this visitor; while nobody knows their account, for
        their key.
        """
        account = visitor.key
        if account:
            with suppress(OSError):
                account = await self.register.account_of(account)
        return self._front.has_reserved_seat(account or (token_of(visitor.resume) if visitor.resume else ""))

    def follow_lobby(self, beside: Beside) -> Callable[[], None]:
        """Call `beside` with who is here, now and when others are, and with all that is said in the lobby.

        Call what is returned to stop.
        """
        self._beside.append(beside)
        beside(self._people)
        return lambda: self._beside.remove(beside)

    def receive_chat(self, said: Said, teller: Beside | None = None) -> None:
        """Let the lobby hear what somebody said in it elsewhere; `teller`, of whom this is known, is not told."""
        heard = self._front.clean_remote_chat(said)
        if heard is not None:
            self.send(self._front.to_lobby(heard))
            self._tell_beside(heard, teller)

    def announce(self, text: str, *, beside: bool = True) -> None:
        """Send a message of the host to the lobby, and with `beside` to the lobbies of the other gateways."""
        self.send(self._front.announce(text))
        if beside:
            self._tell_beside(Said("", NOBODY, text))

    async def serve(self, link: Link, visitor: Visitor) -> None:
        """Serve one connection until it ends; its seat is kept. The link is closed at the end."""
        await self.serve_attached(next(self._numbers), link, visitor, new=True)

    def bring(self, link: Link, visitor: Visitor, name: str, token: str) -> int:
        """Take note of a guest of a gateway, who is greeted and shown lists there; `serve_brought` follows.

        One whom the gateway brings before they have a name (empty) is given one by `admit`. Returns the connection.
        """
        connection = next(self._numbers)
        try:
            self._front.attach(connection, visitor, name, token)
            self._arrived(connection, link)
        except BaseException:
            self._front.disconnect(connection)
            raise
        return connection

    @abstractmethod
    async def admit(self, connection: int, name: str, token: str) -> None:
        """Give a guest who was brought the name that they ask for.

        Raises Illegal when they cannot have it, OSError when nobody knows that now.
        """

    @abstractmethod
    def send(self, out: Outbox) -> None:
        """Send messages, in order."""

    # What the subclasses do for one guest

    @abstractmethod
    def _arrived(self, connection: int, link: Link) -> None:
        """Keep the link of a guest whom the front has noted."""

    async def _begin(self, connection: int, visitor: Visitor) -> None:
        """Do what comes before the first message: find the account of a key."""
        presence = self._front.present[connection]
        if visitor.key and not presence.attached:
            presence.account = await self.register.account_of(visitor.key)
            await self._known(presence.account)

    async def _known(self, token: str) -> None:  # noqa: B027 - only a gateway does
        """Look up what the front will want to know of an account."""

    @abstractmethod
    def _serves(self, connection: int) -> bool:
        """Whether a guest is heard any more."""

    @abstractmethod
    def _plays(self, connection: int) -> bool:
        """Whether a guest has a seat at a table, and so need not wait for the moves of others."""

    @abstractmethod
    async def _take(self, connection: int, message: ToHost, payload: bytes, charge: Charge) -> None:
        """Answer a message, and `charge` its guest what that costs here; `payload` is the same, packed."""

    @abstractmethod
    async def _gone(self, connection: int, *, excused: bool) -> None:
        """Forget a guest whose link is over; it is `excused` if the fault is with the host's own machines."""

    async def serve_attached(self, connection: int, link: Link, visitor: Visitor, *, new: bool = False) -> None:
        """Serve such a guest, at tables only, until they or their gateway are gone; or a `new` one, of our own."""
        excused, owner = False, new_owner()
        try:
            if new:
                self._front.connect(connection, visitor)
                self._arrived(connection, link)
            await self._begin(connection, visitor)
            while (payload := await link.receive()) is not None and self._serves(connection):
                work = Work.MOVE if self._plays(connection) else Work.LIST
                if work is Work.LIST:
                    await self._scheduler.come(work, owner)
                charge = partial(self._scheduler.charge, work, owner)
                await self._take(connection, unpack(payload, ToHost), payload, charge)
                # Otherwise a thousand messages of one guest would be answered before the next of anybody else.
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
            await self._gone(connection, excused=excused)

    async def _answer_bound(self, connection: int, message: Bind | Unbind) -> Outbox:
        """Let keys join an account, or leave one; whoever has done so comes in again, as somebody else."""
        presence = self._front.present[connection]
        if (ignored := self._front.check_rate(presence)) is not None:
            return [(connection, answer) for answer in ignored]
        return [(connection, await self._bound(presence, message))]

    async def _bound(self, presence: Presence, message: Bind | Unbind) -> ToClient:
        visitor, guest = presence.visitor, presence.guest
        if guest is None or not visitor.key:
            return Refused(
                words(
                    "Only players with a key have an account: set one up with ssh-keygen, or use a browser over "
                    "https."
                )
            )
        if isinstance(message, Unbind):
            if await self.register.unbind(visitor.key):
                return Bye(KEY_UNBOUND)
            return Refused(words("This key has its own account already."))
        if not message.code:
            if (
                await self.register.account_of(visitor.key) != guest.token
            ):  # it has joined or left one elsewhere since
                return Refused(words("This key belongs to another account now; log in again."))
            return BindCode(await self.register.offer(guest.token))
        if presence.wrong_codes >= WRONG_CODES:
            return Refused(words("Too many wrong codes; log in again."))
        if await self.register.bind(visitor.key, message.code):
            return Bye(words("This key belongs to that account now. Log in again."))
        presence.wrong_codes += 1
        return Refused(words("That code links no account, or has expired; ask for a new one."))

    @abstractmethod
    def _say_goodbye(self, connection: int, bye: Bye) -> None:
        """Say goodbye to one guest at once."""

    def _note_people(self) -> None:  # noqa: B027
        """Note who is here now, where that is to be known elsewhere."""

    def _begin_news(self) -> Iterator[Outbox]:
        """Begin a round of news to the lobby: the time to tell who is here as well."""
        self._note_people()
        if (people := self._front.roster()) != self._people:
            self._people = people
            self._tell_beside(people)
        return self._front.page_updates()

    def _tell_beside(self, told: Roster | Said, teller: Beside | None = None) -> None:
        for beside in tuple(self._beside):
            if beside != teller:
                with log_failures("lobby-not-told"):
                    beside(told)


def _log_entered(visitor: Visitor, guest: Guest) -> None:
    """Log the name under which a guest has entered: a complaint has neither a key nor an address."""
    if visitor.address:  # not in a match alone
        log.info("guest-entered", extra=fields(name=guest.name, key=visitor.key or None, address=visitor.address))


class LobbyUpdates:
    """Rounds of news to everybody in a lobby: at once when something changes, then not again for a while.

    It looks at one guest in each turn of the event loop, so that a full lobby delays nobody who plays.
    """

    def __init__(self, begin: Callable[[], Iterator[Outbox]], tell: Callable[[Outbox], None]) -> None:
        """`begin` begins a round, which gives what to tell each guest, perhaps nothing; `tell` sends it."""
        self._begin = begin
        self._tell = tell
        self._round: Iterator[Outbox] | None = None
        self._again = False
        """Whether something has changed since the round began."""
        self._next = DeferredCall(self._go_on, "news-not-told")
        """The next guest of the round, or the end of the pause after it."""
        self._looked_at = 0
        self._closed = False

    def changed(self) -> None:
        """Something has changed."""
        if self._closed:
            return
        self._again = True
        if not self._next:
            self._next.schedule(0)

    def close(self) -> None:
        """Tell nobody anything any more."""
        self._closed = True
        self._next.cancel()

    def _go_on(self) -> None:
        if self._round is None:
            if not self._again:
                return
            self._round, self._again, self._looked_at = self._begin(), False, 0
        out = next(self._round, None)
        if out is not None:
            self._looked_at += 1
            self._next.schedule(0)
            self._tell(out)
        else:
            self._round = None
            self._next.schedule(max(NEWS_EVERY, self._looked_at / NEWS_GUESTS))


RECONNECT_DELAY = 0.1
"""Seconds until a client comes back after the host failed to serve it."""


class ScheduledLink:
    """A link to one session whose frames are received in its turn.

    A move is sent to everybody at its table at once. Each screen takes two milliseconds to show it, and without turns
    a key pressed meanwhile would wait for all of them. Sessions that ask for much receive after those that ask less.
    """

    def __init__(self, link: Link, scheduler: LoopScheduler, owner: Bucket) -> None:
        self._link, self._scheduler, self._owner = link, scheduler, owner
        self._begun = 0.0
        """When the last frame was given to the client, who takes it in before asking for another."""
        self.send = link.send
        self.close = link.close

    async def receive(self) -> bytes | None:
        if self._begun:
            self._scheduler.numbers.cost(Work.ANSWER, thread_time() - self._begun)
        frame = await self._link.receive()
        if frame is not None:
            await self._scheduler.come(Work.ANSWER, self._owner)
            self._begun = thread_time()
        return frame


class InProcessGuest:
    """One guest of a host in this process, from the beginning of the block to its end."""

    def __init__(
        self, server: GuestServer, visitor: Visitor, wrap: Callable[[Link], Link] = lambda link: link
    ) -> None:
        """The client's end of each link is passed through `wrap`."""
        self._server = server
        self._visitor = visitor
        self._wrap = wrap
        self._serving = Tasks()
        self._unused = True
        self.link = self._open()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.link.close()
        await self._serving.wait()

    async def converse(self, client: Client) -> Bye | None:
        """Run a client until either end says goodbye; on every link but the first, it goes back to where it was.

        Returns None when the link is closed, or serving this guest fails again and again.
        """
        breakdowns = CrashCounter()
        while True:
            if not self._unused:
                self.link.close()
                self.link = self._open()
            self._unused = False
            bye = None
            try:
                bye = await client.run(self.link)
            except asyncio.CancelledError as error:
                if not is_failure(error):
                    raise
            if bye is not None or self._server.closed or breakdowns.record_crash():
                return bye
            client.publish(Disconnected())
            await asyncio.sleep(RECONNECT_DELAY)

    def _open(self) -> Link:
        ours, theirs = memory_pair()
        serving = self._server.serve(theirs, self._visitor)
        self._serving.start(serving, "guest-not-served", user=self._visitor.user, address=self._visitor.address)
        return self._wrap(ours)
