"""One gateway process as its host sees it, from its start to its end: its connections, and what it asks."""

import asyncio
import contextlib
import logging
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Set
from functools import cached_property, partial

from core.layout.state import NOBODY
from core.words import Refusal
from net.cluster.tables_end import TablesEnd
from net.doors.admissions import Admissions
from net.doors.terminal import Identity
from net.host.access import DenialReason, network_of
from net.host.guest_server import GuestServer
from net.host.metrics import SessionKind
from net.host.presence import People
from net.limits import GATEWAY_BEHIND, GATEWAY_SILENT, WEB_CONNECTION_COST
from net.lines.line import Bring, FromGuest, GuestGone, Line, opened
from net.logs import fields
from net.loop import Tasks, for_ever
from net.players.accounts import Banned
from net.ssh.gateways.messages import (
    DECODERS,
    Answer,
    Arrives,
    Ask,
    BanListed,
    Begin,
    Counted,
    Deny,
    ForgiveCode,
    FromGateway,
    Gone,
    PeopleHere,
    Question,
    Ready,
    ReleaseSession,
    State,
    TableListed,
    Talk,
    ToGateway,
    give,
    line_pair,
)
from net.wire.messages import Said

STARTING = 60.0
"""Seconds in which a gateway has to start."""
log = logging.getLogger(__name__)
Start = Callable[[int, int], Awaitable[asyncio.subprocess.Process]]
"""Starts a gateway that is given the numbers of two sockets: of the line, and of where connections are taken."""


class Distant:
    """A connection that a gateway serves, as far as it is counted here (`net.doors.admissions.Connected`)."""

    open_sessions = 0

    def __init__(self, number: int, address: str, say: Callable[[ToGateway], None]) -> None:
        self.number = number
        self.address = address
        self.network = network_of(address)
        self.identity: Identity | None = None
        self.read_since = float("inf")
        self.exchanged = False
        self._say = say

    def hang_up(self) -> None:
        """Cut the connection now."""
        self.deny(None)

    def deny(self, reason: DenialReason | None) -> None:
        """Close the connection now, with a reason, or cut it."""
        self._say(Deny(self.number, reason))


class Shared(Admissions[Distant]):
    """What all gateways of a host share: limits of connections, of the sessions of a key, and of wrong codes."""

    @cached_property
    def _sessions(self) -> Counter[str]:
        """How many each key has open."""
        return Counter()

    def forwarded(self, distant: Distant, address: str) -> None:
        """Take note from where a proxy's connection really comes; cut it if it may not."""
        if (reason := self.admit_socket(address)) is not None:
            distant.deny(reason)
        distant.address, distant.network = address, network_of(address)

    async def claim_session(self, key: str) -> bool:
        """Count one more session of a key, unless it has as many as it may."""
        if self._sessions[key] >= self.limits.sessions_per_key:
            return False
        self._sessions[key] += 1  # now: others may be asked for meanwhile
        allowed = False
        try:
            allowed = await self.elsewhere.claim_session(key)
        finally:
            if not allowed:
                self._sessions[key] -= 1
        return allowed

    def release_session(self, key: str) -> None:
        """Count it out."""
        self._sessions[key] -= 1
        self._sessions += Counter()  # forgets those that have none
        self.elsewhere.release_session(key)

    async def try_code(self, network: str) -> bool:
        """Count a try at a code; False if there were too many wrong ones."""
        if not self.access.try_code(network):
            return False
        if not await self.elsewhere.try_code(network):
            self.access.lock_out(network)
            return False
        return True

    def forgive_code(self, network: str) -> None:
        """Note that it was right."""
        self.access.forgive_code(network)
        self.elsewhere.forgive_code(network)


class Gateway:
    """One gateway process, from its start to its end."""

    def __init__(
        self, server: GuestServer, shared: Shared, tasks: Tasks, begin: Begin, on_ready: Callable[[], None]
    ) -> None:
        """Guests are served in `tasks`; `on_ready` is called when it takes connections."""
        self._server = server
        self._shared = shared
        self._tasks = tasks
        self._begin = begin
        self._on_ready = on_ready
        self.connections: dict[int, Distant] = {}
        self.ready = False
        self.unsent = 0
        self._sessions: Counter[SessionKind] = Counter()
        self._claimed: Counter[str] = Counter()
        """The sessions that are counted of each key."""
        self._bans: dict[str, Banned] = {}
        """The bans that it has been told of."""
        self._over = False
        self._loop = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self._process: asyncio.subprocess.Process | None = None
        self._giving: socket.socket | None = None
        self.line = Line(DECODERS[FromGateway].decode, self._hear, self._end, self._failed)
        self._guests = TablesEnd(server, tasks)
        self.line.carry(self._guests.line, Bring, FromGuest, GuestGone)

    async def run(self, start: Start) -> int:
        """Start the process, and return its exit status at its end."""
        (here, self._giving), theirs = line_pair()
        with contextlib.ExitStack() as following:
            following.callback(self._server.follow(self._tell))
            try:
                await opened(self.line, here)
                self.line.say(self._begin)
                self._tell(set(self._server.listing))
                following.callback(self._server.follow_lobby(self._tell_lobby))
                self._process = await start(*(end.fileno() for end in theirs))
            finally:
                for end in theirs:
                    end.close()
            try:
                async with Tasks() as tasks:
                    tasks.start(for_ever(self._watch, "gateway-not-watched"), "gateway-not-watched")
                    return await self._process.wait()
            finally:
                self.kill()
                self.line.close()
                self._giving.close()
                self._end()

    @property
    def number(self) -> int:
        """Which of the host's gateways it is."""
        return self._begin.number

    def take(self, distant: Distant, connection: socket.socket, *, web: bool) -> bool:
        """Hand a connection to this gateway; return whether it can take it now."""
        if self._giving is None or not give(self._giving, distant.number, connection, distant.address, web=web):
            return False
        self.connections[distant.number] = distant
        return True

    def kill(self) -> None:
        """End the process now."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _watch(self) -> None:
        """Kill a process that stands still: its guests come in again through another."""
        await asyncio.sleep(1.0)
        silent = self._loop.time() - self._heard_at
        waited = GATEWAY_SILENT if self.ready else STARTING
        if silent > waited or self.line.unsent > GATEWAY_BEHIND:
            log.error("gateway-stands-still", extra=fields(gateway=self._begin.number, silent=round(silent)))
            self.kill()

    def _end(self) -> None:
        """Take note that the line has ended, and so the connections of all whom this gateway served."""
        self.ready, self._over, self.unsent = False, True, 0
        if not self._shared.closing:  # without its line it serves nobody, and another begins only when it has ended
            self.kill()
        for distant in self.connections.values():
            self._shared.forget(distant)
        self.connections.clear()
        for kind in self._sessions.elements():
            self._shared.metrics.session_closed(kind)
        for key in self._claimed.elements():
            self._shared.release_session(key)
        self._sessions.clear()
        self._claimed.clear()

    def _tell(self, numbers: Set[int]) -> None:
        """Tell it what is listed otherwise, and who is banned."""
        listing, bans = self._server.listing, dict(self._server.bans)
        for number in numbers:
            self.line.say(TableListed(number, *(listing.get(number) or (None,))))
        before, self._bans = self._bans, bans
        for who, _ in before.items() ^ bans.items():
            self.line.say(BanListed(who, bans.get(who)))

    def _tell_lobby(self, told: People | Said) -> None:
        self.line.say(PeopleHere(told) if isinstance(told, People) else Talk(told.name, told.text))

    def _hear(self, said: FromGateway) -> None:
        self._heard_at = self._loop.time()
        match said:
            case Ask() | Arrives():
                failed = partial(self.line.say, Answer(said.question))
                self._tasks.start(self._answer(said), "question-failed", failed=failed)
            case ReleaseSession(key=key) if self._claimed[key] > 0:
                self._claimed[key] -= 1
                self._shared.release_session(key)
            case ForgiveCode(network=network):
                self._shared.forgive_code(network)
            case Counted():
                self._count(said)
            case State() if (distant := self.connections.get(said.connection)) is not None:
                distant.exchanged = said.exchanged
                if said.address:
                    self._shared.forwarded(distant, said.address)
                if said.reading and distant.read_since == float("inf"):
                    distant.read_since = self._loop.time()
                if said.identity is not None and distant.identity is None:
                    self._enter(distant, said.identity)
            case Gone() if (distant := self.connections.pop(said.connection, None)) is not None:
                self._shared.forget(distant)
            case Talk(name=name, text=text):
                self._server.hear(Said(name, NOBODY, text), self._tell_lobby)
            case Ready():
                self.ready = True
                self._on_ready()

    def _enter(self, distant: Distant, identity: Identity) -> None:
        """Let somebody in who has authenticated, if there is room or a seat is kept for them."""
        if self._shared.full:
            entering = self._enter_if_expected(distant, identity)
            self._tasks.start(entering, "guest-not-let-in", failed=distant.hang_up)
        else:
            distant.identity = identity

    async def _enter_if_expected(self, distant: Distant, identity: Identity) -> None:
        if await self._shared.has_room_for(identity):
            distant.identity = identity
        else:
            distant.deny(DenialReason.FULL)

    def _failed(self, said: FromGateway) -> None:
        """End the connection of which a message got lost, and answer what was asked."""
        if isinstance(said, Question):
            self.line.say(Answer(said.question))
        elif isinstance(said, State | Gone) and said.connection in self.connections:
            self.connections[said.connection].hang_up()

    async def _answer(self, asked: Question) -> None:
        answer = Answer(asked.question)
        try:
            says = await (self._arrives(asked) if isinstance(asked, Arrives) else self._says(asked))
            answer = Answer(asked.question, known=True, says=says)
        except Refusal as refusal:
            answer = Answer(asked.question, refusal=refusal.reason)
        except LookupError:
            log.info("guest-gone-meanwhile")
        except OSError as error:
            log.error("no-directory", extra=fields(error=error))
        self.line.say(answer)

    async def _says(self, asked: Ask) -> str | bool | tuple[str, ...]:
        """Answer what a cluster's database would. Raises Refusal, OSError, and LookupError of a guest who is gone."""
        register = self._server.register
        match asked.what, *asked.words:
            case "claim_name", name, token:
                await self._server.admit(self._guests.connection_of(asked.number), name, token)
            case "name_of", token:
                return await register.name_of(token)
            case "account_of", key:
                return await register.account_of(key)
            case "offer", token:
                return await register.offer(token)
            case "bind", key, code:
                return await register.bind(key, code)
            case "unbind", key:
                return await register.unbind(key)
            case "record", link:
                return await register.record(link, asked.number)
            case "claim_session", key:
                return await self._claim_session(key)
            case "try_code", network:
                return await self._shared.try_code(network)
        return ""

    async def _arrives(self, asked: Arrives) -> str:
        """Count a guest in who has no connection of their own, or return why they may not come in."""
        shared, distant = self._shared, Distant(asked.connection, asked.address, self.line.say)
        reason = (
            shared.admit_socket(asked.address, WEB_CONNECTION_COST)
            if asked.new
            else shared.denial_reason(distant.network)
        )
        if reason is None and not await shared.has_room_for(asked.identity):
            reason = DenialReason.FULL
        if reason is None:
            distant.identity = asked.identity
            self.connections[asked.connection] = distant
            shared.connected[distant] = None
        return reason or ""

    async def _claim_session(self, key: str) -> bool:
        if not await self._shared.claim_session(key):
            return False
        if self._over:
            self._shared.release_session(key)
        else:
            self._claimed[key] += 1
        return True

    def _count(self, said: Counted) -> None:
        metrics = self._shared.metrics
        self.unsent = self.unsent if said.unsent is None else said.unsent
        if said.opened:
            self._sessions[said.opened] += 1
            metrics.session_opened(said.opened)
        if said.closed:
            self._sessions[said.closed] -= 1
            metrics.session_closed(said.closed)
        if said.turned_away:
            metrics.turned_away(said.turned_away)
        for _ in range(said.refused):
            metrics.refused()
        for seconds in said.repaints:
            metrics.repainted(seconds)
        metrics.add_stages(said.stages)
        if said.floods:
            self._shared.access.hold_off(said.floods)
