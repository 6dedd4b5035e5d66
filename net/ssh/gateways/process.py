"""One gateway process as its host sees it, from its start to its end: what it says, and whom it serves."""

import asyncio
import contextlib
import logging
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

from net.contained import Tasks, for_ever
from net.host.access import DenialReason
from net.host.metrics import SessionKind
from net.limits import GATEWAY_BEHIND, GATEWAY_SILENT
from net.lines.guest_link import GuestLink
from net.lines.line import Line, opened
from net.lines.messages import EndGuest, FromGuest, GuestGone
from net.logs import fields
from net.ssh.gateways.guests import Distant, Guests
from net.ssh.gateways.line import give, line_pair
from net.ssh.gateways.messages import (
    DECODERS,
    Begin,
    CheckCode,
    ClaimSession,
    Counted,
    FromGateway,
    Gone,
    Judged,
    OpenGuest,
    Ready,
    ReleaseSession,
    State,
)
from net.ssh.server.terminal import Identity

STARTING = 60.0
"""Seconds in which a gateway has to start."""
log = logging.getLogger(__name__)
Start = Callable[[int, int], Awaitable[asyncio.subprocess.Process]]
"""Starts a gateway that is given the numbers of two sockets: of the line, and of where connections are taken."""


class Gateway:
    """One gateway process, from its start to its end."""

    def __init__(self, guests: Guests, begin: Begin, on_ready: Callable[[], None]) -> None:
        """`on_ready` is called when it takes connections."""
        self._admissions = guests
        self._begin = begin
        self._on_ready = on_ready
        self.connections: dict[int, Distant] = {}
        self.ready = False
        self.unsent = 0
        self._guests: dict[int, GuestLink] = {}
        self._sessions: Counter[SessionKind] = Counter()
        self._loop = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self._process: asyncio.subprocess.Process | None = None
        self._giving: socket.socket | None = None
        self.line = Line(DECODERS[FromGateway].decode, self._hear, self._over, self._failed)

    async def run(self, start: Start) -> int:
        """Start the process, and return its exit status at its end."""
        (here, self._giving), theirs = line_pair()
        try:
            await opened(self.line, here)
            self.line.say(self._begin)
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
            self._over()

    def take(self, distant: Distant, connection: socket.socket) -> bool:
        """Hand a connection to this gateway; return whether it can take it now."""
        if self._giving is None or not give(self._giving, distant.number, connection, distant.address):
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

    def _over(self) -> None:
        """Take note that the line has ended, and so the connections of all whom this gateway served."""
        self.ready = False
        if (
            not self._admissions.closing
        ):  # without its line it serves nobody, and another can begin only when it has ended
            self.kill()
        for distant in self.connections.values():
            self._admissions.forget(distant)
        self.connections.clear()
        for link in self._guests.values():
            link.lose()
        for kind, number in self._sessions.items():
            for _ in range(number):
                self._admissions.metrics.session_closed(kind)
        self._sessions.clear()
        self.unsent = 0

    def _hear(self, said: FromGateway) -> None:
        self._heard_at = self._loop.time()
        match said:
            case FromGuest():
                if (link := self._guests.get(said.guest)) is not None:
                    link.feed(said.payload)
            case OpenGuest():
                self._guests[said.guest] = link = GuestLink(said.guest, self.line.say)
                self._admissions.serve(link, said.visitor, partial(self._guests.pop, said.guest, None))
            case GuestGone():
                if (link := self._guests.get(said.guest)) is not None:
                    link.end(said.fault)
            case Counted():
                self._count(said)
            case Ready():
                self.ready = True
                self._on_ready()
            case _:
                self._hear_of_connection(said)

    def _failed(self, said: FromGateway) -> None:
        """End the guest, or the connection, of whom a message got lost."""
        if isinstance(said, OpenGuest):
            self.line.say(EndGuest(said.guest))
        elif isinstance(said, FromGuest | GuestGone):
            if (link := self._guests.get(said.guest)) is not None:
                link.close()
                link.end()
        elif isinstance(said, CheckCode | ClaimSession):
            self._answer(said.question)
        elif isinstance(said, State | Gone | ReleaseSession) and said.connection in self.connections:
            self.connections[said.connection].hang_up()

    def _hear_of_connection(self, said: State | Gone | CheckCode | ClaimSession | ReleaseSession) -> None:
        distant = self.connections.get(said.connection)
        match said:
            case CheckCode():
                self._admissions.answer(self._judge(said, distant), partial(self._answer, said.question))
            case ClaimSession():
                self._admissions.answer(self._claim(said, distant), partial(self._answer, said.question))
            case _ if distant is None:
                return
            case State():
                distant.exchanged = said.exchanged
                if said.reading and distant.read_since == float("inf"):
                    distant.read_since = self._loop.time()
                if said.authenticated and distant.identity is None:
                    self._admissions.authenticated(distant, Identity(said.user, said.key, distant.address, said.port))
            case ReleaseSession():
                self._admissions.session_ended(distant)
            case Gone():
                del self.connections[said.connection]
                self._admissions.forget(distant)

    async def _judge(self, asked: CheckCode, distant: Distant | None) -> None:
        verdict = await self._admissions.judge_code_everywhere(distant.address, asked.text) if distant else False
        reason = verdict if isinstance(verdict, DenialReason) else None
        self._answer(asked.question, verdict is True, reason)

    async def _claim(self, asked: ClaimSession, distant: Distant | None) -> None:
        allowed = distant is not None and await self._admissions.claims_session(distant)
        self._answer(asked.question, allowed)

    def _answer(self, question: int, allowed: bool = False, reason: DenialReason | None = None) -> None:
        self.line.say(Judged(question, allowed, reason))

    def _count(self, said: Counted) -> None:
        metrics = self._admissions.metrics
        self.unsent = self.unsent if said.unsent is None else said.unsent
        if said.opened:
            self._sessions[said.opened] += 1
            metrics.session_opened(said.opened)
        if said.closed:
            self._sessions[said.closed] -= 1
            metrics.session_closed(said.closed)
        if said.turned_away:
            metrics.turned_away(said.turned_away)
        for seconds in said.repaints:
            metrics.repainted(seconds)
        metrics.add_stages(said.stages)
        if said.floods:
            self._admissions.access.hold_off(said.floods)
