"""A gateway's own end: it speaks SSH on the connections that the host gives it, and passes on what guests say."""

import asyncio
import contextlib
import socket
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import asyncssh

from net.contained import Tasks, for_ever
from net.host.access import Access, DenialReason
from net.host.metrics import Metrics, SessionKind
from net.host.presence import Visitor
from net.host.stages import CountedStages
from net.host.thinkers import Thinkers
from net.limits import GUEST_AHEAD
from net.lines.line import Line, opened
from net.lines.messages import EndGuest, FromGuest, GuestGone, ToGuest, Took
from net.loop import LoopScheduler
from net.ssh.gateways.line import take_all
from net.ssh.gateways.messages import (
    DECODERS,
    Begin,
    CheckCode,
    ClaimSession,
    Close,
    Counted,
    Deny,
    Gone,
    Judged,
    Moved,
    OpenGuest,
    Ready,
    ReleaseSession,
    State,
    ToGateway,
)
from net.ssh.server.connection import Connection
from net.ssh.server.connections import Connections
from net.ssh.server.listen import host_key_at, speaking
from net.ssh.server.terminal import Identity
from net.wire.codec import WireError
from net.wire.link import Link

COUNTS_EVERY = 1.0
"""Seconds between two reports of what was counted."""
_REPAINTS = 10_000
"""Repaints remembered for the next report."""
_number: ContextVar[int] = ContextVar("number")
"""Which of the host's connections is being made: asyncssh makes a `Connection` within the task that serves it."""


class _Counts(Metrics):
    """Counts for the host, which has all numbers: it hears of sessions at once, and of repaints every second."""

    def __init__(self, say: Callable[[Counted], None]) -> None:
        self._say = say
        self._repaints: deque[float] = deque(maxlen=_REPAINTS)
        self.stages = self._stages = CountedStages()

    def session_opened(self, kind: SessionKind) -> None:
        """Count a session in."""
        self._say(Counted(opened=kind))

    def session_closed(self, kind: SessionKind) -> None:
        """Count it out."""
        self._say(Counted(closed=kind))

    def turned_away(self, reason: str) -> None:
        """Count a connection that was refused."""
        self._say(Counted(turned_away=DenialReason(reason)))

    def repainted(self, seconds: float) -> None:
        """Note how long a screen took."""
        self._repaints.append(seconds)

    def report(self, unsent: int) -> None:
        """Say what else there is to count."""
        self._say(Counted(unsent, repaints=tuple(self._repaints), stages=self._stages.take()))
        self._repaints.clear()


class _Ours(Connections[Connection]):
    """The connections of this process. The host has admitted each, and decides what all gateways share."""

    def __init__(self, gateway: "GatewayServer", *ours: Any) -> None:
        super().__init__(*ours)
        self._gateway = gateway
        self.numbers: dict[Connection, int] = {}

    def admit(self, connection: Connection, ssh: asyncssh.SSHServerConnection) -> DenialReason | None:
        """Count in a connection that the host has admitted."""
        self.numbers[connection] = _number.get()
        self.add(connection, ssh)
        return DenialReason.CLOSING if self.closing else None

    def has_room_for(self, _identity: Identity) -> bool:
        """Leave it to the host, which is told who has authenticated."""
        return True

    def changed(self, connection: Connection) -> None:
        """Tell the host how far a connection has come."""
        if (number := self.numbers.get(connection)) is None:
            return
        who, reading = connection.identity, connection.read_since != float("inf")
        said = State(number, reading, connection.exchanged)
        if who is not None:
            said = State(number, reading, connection.exchanged, who.user, who.key, who.port, authenticated=True)
        self._gateway.line.say(said)

    def hold_off(self, address: str) -> None:
        """Tell the host, which accepts connections."""
        self._gateway.line.say(Counted(floods=address))

    def forget(self, connection: Connection) -> None:
        """Tell the host that a connection is gone."""
        super().forget(connection)
        if (number := self.numbers.pop(connection, None)) is not None:
            self._gateway.line.say(Gone(number))

    async def check_code(self, connection: Connection, text: str) -> bool | DenialReason:
        """Ask the host, which counts wrong codes."""
        number = self.numbers.get(connection, 0)
        judged = await self._gateway.ask(lambda question: CheckCode(question, number, text))
        return judged.reason or judged.allowed

    async def claim_session(self, connection: Connection, _key: str | None) -> bool:
        """Ask the host, which counts the sessions of each key."""
        number = self.numbers.get(connection, 0)
        return (await self._gateway.ask(lambda question: ClaimSession(question, number))).allowed

    def release_session(self, connection: Connection) -> None:
        """Tell the host that a session is over."""
        if (number := self.numbers.get(connection)) is not None:
            self._gateway.line.say(ReleaseSession(number))


class _Guest:
    """A guest of this process, on their way to the host."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.ahead = asyncio.BoundedSemaphore(GUEST_AHEAD)
        self.over = asyncio.Event()

    def hear(self, said: ToGuest | EndGuest | Took) -> None:
        """Take in what the host says."""
        match said:
            case ToGuest():
                self.link.send(said.payload)
            case Took():
                for _ in range(said.count):
                    self.ahead.release()
            case EndGuest():
                self.end()

    def end(self) -> None:
        """Close their link."""
        self.link.close()
        self.over.set()


class GatewayServer:
    """The server as screens and links of this process see it: all they say goes to the host, whose answers come back.

    Attributes: `closed`, whether the host has told everybody goodbye; `thinkers`, for hints and reviews.
    """

    def __init__(self, begun: Callable[[Begin], None], ended: Callable[[], None]) -> None:
        """`begun` is called with the first message of the host, `ended` at the end of the line and when it closes."""
        self.closed = False
        self.thinkers: Thinkers | None = Thinkers(most=1)
        self.moves = LoopScheduler()
        self.connections: _Ours | None = None
        self.line = Line(DECODERS[ToGateway].decode, self._hear, self._over, self._failed)
        self.counts = _Counts(self.line.say)
        self._begun = begun
        self._ended = ended
        self._guests: dict[int, _Guest] = {}
        self._guest_numbers = count(1)
        self._questions: dict[int, asyncio.Future[Judged]] = {}
        self._question_numbers = count(1)

    async def ask(self, question: Callable[[int], CheckCode | ClaimSession]) -> Judged:
        """Ask the host, and return its answer."""
        number = next(self._question_numbers)
        future: asyncio.Future[Judged] = asyncio.get_running_loop().create_future()
        self._questions[number] = future
        self.line.say(question(number))
        try:
            return await future
        finally:
            del self._questions[number]

    async def serve(self, link: Link, visitor: Visitor) -> None:
        """Pass on what a guest and the host say to each other, until one of them ends it; the link is closed then."""
        number, fault = next(self._guest_numbers), ""
        guest = self._guests[number] = _Guest(link)
        self.line.say(OpenGuest(number, visitor))
        try:
            try:
                while (payload := await link.receive()) is not None:
                    await guest.ahead.acquire()
                    self.line.say(FromGuest(number, payload))
            except WireError as error:
                fault = str(error)
            finally:
                self.line.say(GuestGone(number, fault))
            await guest.over.wait()  # the host answers what was said before, and has a last word
        finally:
            del self._guests[number]
            link.close()

    def _hear(self, said: ToGateway) -> None:
        match said:
            case ToGuest() | EndGuest() | Took():
                if (guest := self._guests.get(said.guest)) is not None:
                    guest.hear(said)
            case Judged():
                if (future := self._questions.get(said.question)) is not None and not future.done():
                    future.set_result(said)
            case Moved():
                self.moves.move()
            case Deny():
                self._deny(said)
            case Close():
                self.closed = True
                self._ended()
            case Begin():
                self._begun(said)

    def _failed(self, said: ToGateway) -> None:
        """End the guest of whom a message got lost; they come back."""
        if isinstance(said, ToGuest | EndGuest | Took) and (guest := self._guests.get(said.guest)) is not None:
            guest.end()

    def _deny(self, said: Deny) -> None:
        for connection, number in list(self.connections.numbers.items()) if self.connections else ():
            if number == said.connection:
                connection.hang_up() if said.reason is None else connection.deny(said.reason)

    def _over(self) -> None:
        """Take note that the host is gone: nobody can play here any more."""
        for guest in list(self._guests.values()):
            guest.end()
        for future in self._questions.values():
            future.cancel()
        self._ended()


async def serve_gateway(
    line: socket.socket,
    taking: socket.socket,
    prepare: Callable[[GatewayServer, Begin], tuple[Access, Any]],
) -> None:
    """Serve the connections that the host hands over, until it closes or is gone.

    `prepare` is called once with the server and what the host has said of itself; it returns the rules of access, and
    what has `on_terminal` and `on_link`, as `net.ssh.server.listen.serve` wants them.
    """
    loop = asyncio.get_running_loop()
    begun: asyncio.Future[Begin] = loop.create_future()
    ended = asyncio.Event()
    server = GatewayServer(begun.set_result, ended.set)
    await opened(server.line, line)
    begin = await begun
    access, sessions = prepare(server, begin)
    key = host_key_at(Path(begin.host_key))
    async with Tasks() as tasks:
        connections = server.connections = _Ours(
            server,
            sessions.on_terminal,
            sessions.on_link,
            access,
            begin.door.access.limits,
            server.counts,
            None,
            server.moves,
        )
        speak = speaking(key, connections)

        def take(number: int, connection: socket.socket, address: str) -> None:
            _number.set(number)
            speak(connection, address)

        take_all(taking, take)
        tasks.start(for_ever(partial(_report, server, connections), "report-failed"), "report-failed")
        server.line.say(Ready())
        try:
            await ended.wait()
        finally:
            loop.remove_reader(taking)
            await connections.close()
    with contextlib.suppress(asyncio.CancelledError):
        if server.thinkers:
            await server.thinkers.aclose()
    server.counts.report(0)
    server.line.close()


async def _report(server: GatewayServer, connections: _Ours) -> None:
    server.counts.report(connections.unsent())
    await asyncio.sleep(COUNTS_EVERY)
