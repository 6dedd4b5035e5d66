"""A gateway of `boneyard host --workers`: it speaks SSH on the connections that its host hands over.

Its guests talk to a `GatewayServer`, as those of a cluster's gateway do. The host is its only table host. Over the
same trunk, it also answers the queries that a cluster's gateway sends to the database.
"""

import asyncio
import contextlib
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Set
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from core.layout.state import NOBODY
from core.words import Illegal
from net.cluster.directory import DirectoryEntry, TableHostInfo
from net.cluster.gateway_server import GatewayServer
from net.doors.connections import Connections, LocalConnection
from net.doors.terminal import Identity
from net.host.access import Access, DenialReason, Quotas, network_of
from net.host.guest_server import GuestServer, Registry
from net.host.metrics import CountedStages, Metrics, SessionKind
from net.host.presence import Roster
from net.host.thinkers import Thinkers
from net.limits import Limits
from net.loop import Listeners, LoopScheduler, Tasks, run_forever
from net.options import invitation_link
from net.players.accounts import Banned
from net.ssh.gateways.messages import (
    DECODERS,
    AdmitGuest,
    Answer,
    BanListed,
    CloseHost,
    ConnectionClosed,
    ConnectionState,
    DenyConnection,
    ForgiveCode,
    GatewayConfig,
    GatewayReady,
    LobbyChat,
    MetricsReport,
    NoticeChanged,
    Question,
    RegistryCall,
    ReleaseSession,
    RosterChanged,
    TableListed,
    ToGateway,
    receive_sockets,
)
from net.ssh.server.listen import host_key_at, ssh_handler
from net.trunk import CloseGuest, Credit, ToGuest, Trunk, open_trunk
from net.wire.messages import Said

REPORT_INTERVAL = 1.0
"""Seconds between two metrics reports."""
HOME = "home"
"""Name of the host's node."""
K = TypeVar("K")
V = TypeVar("V")
P = ParamSpec("P")
_MAX_REPAINTS = 10_000
"""Repaint times buffered for the next report."""
_number: ContextVar[int] = ContextVar("number")
"""The host's number of the new connection: asyncssh creates a `Connection` in the task that serves it."""


class _ReportedMetrics(Metrics):
    """Reports metrics to the host, which counts them: sessions at once, the rest every second."""

    def __init__(self, send: Callable[[MetricsReport], None]) -> None:
        self._send = send
        self._refused = 0
        self._repaints: deque[float] = deque(maxlen=_MAX_REPAINTS)
        self.stages = self._stages = CountedStages()

    def add_session(self, kind: SessionKind) -> None:
        self._send(MetricsReport(opened=kind))

    def remove_session(self, kind: SessionKind) -> None:
        self._send(MetricsReport(closed=kind))

    def count_denial(self, reason: str) -> None:
        self._send(MetricsReport(turned_away=DenialReason(reason)))

    def count_refusal(self) -> None:
        self._refused += 1

    def record_repaint(self, seconds: float) -> None:
        self._repaints.append(seconds)

    def report(self, unsent: int) -> None:
        """Send the buffered metrics."""
        stages = self._stages.take()
        self._send(MetricsReport(unsent, refused=self._refused, repaints=tuple(self._repaints), stages=stages))
        self._refused = 0
        self._repaints.clear()


class HostProxy:
    """The host, seen by this gateway: a `net.cluster.directory.Directory`."""

    home = HOME

    def __init__(self, on_begin: Callable[[GatewayConfig], None], on_end: Callable[[], None]) -> None:
        """`on_begin` is called with the first message of the host, `on_end` when the trunk ends or the host
        closes.
        """
        self.tables: dict[int, DirectoryEntry] = {}
        self.hosts = {HOME: TableHostInfo(HOME)}
        self.bans: dict[str, Banned] = {}
        self.roster = Roster()
        self.notice = ""
        self.trunk = Trunk(DECODERS[ToGateway].decode, self._handle, self._end, self._handle_failure)
        self.closed = False
        """True once the host has closed."""
        self.returns = True
        """True if the host may soon be back, for example if it was killed."""
        self.guests_pass = asyncio.Event()
        """Set once the trunk can carry guests."""
        self.connections: _WorkerConnections | None = None
        self._on_begin = on_begin
        self._on_end = on_end
        self.changes = Listeners[Set[int]]("change-not-told")
        self.chat = Listeners[Said]("lobby-not-told")
        self._pending_answers: dict[int, asyncio.Future[Answer]] = {}
        self._question_numbers = count(1)

    async def open_trunk(self, _address: str, trunk: Trunk) -> None:
        """Have the trunk to the host carry that of the guests. A `net.cluster.routes.OpenTrunk`."""
        self.trunk.multiplex(trunk, ToGuest, CloseGuest, Credit)
        self.guests_pass.set()

    # The directory

    def publish_roster(self, roster: Roster) -> None:
        """Do nothing: the host knows all guests."""

    def say(self, message: Said) -> None:
        self.trunk.send(LobbyChat(message.name, message.text))

    async def claim_name(self, token: str, name: str, *, remember: bool, guest: int = 0) -> str:  # noqa: ARG002
        """Claim a name for a guest, which the host stores if they have a key. Raises Illegal."""
        await self.ask(GuestServer.admit, guest, name, token)
        return ""

    async def release_name(self, token: str) -> None:
        """Do nothing: the host knows when the guest is gone."""

    async def name_of(self, token: str) -> str:
        return await self.ask(Registry.name_of, token)

    async def account_of(self, key: str) -> str:
        return await self.ask(Registry.account_of, key)

    async def offer(self, token: str) -> str:
        return await self.ask(Registry.offer, token)

    async def bind(self, key: str, code: str) -> str:
        return await self.ask(Registry.bind, key, code)

    async def unbind(self, key: str) -> bool:
        return await self.ask(Registry.unbind, key)

    async def record(self, link: str, start: int = 0) -> tuple[str, ...]:
        return tuple(await self.ask(Registry.record, link, start))

    async def admit_visit(
        self, number: int, address: str, identity: Identity, *, is_unchecked: bool
    ) -> DenialReason | None:
        """Ask the host to admit a guest without a connection of their own; return the reason if it denies them."""
        try:
            reason = await self._answer(
                lambda question: AdmitGuest(question, number, address, identity, is_unchecked)
            )
        except OSError:
            return DenialReason.CLOSING
        return DenialReason(reason) if reason else None

    async def claim_table(self, _maker: str, _address: str) -> int:
        return 0

    async def note_table(self, claim: int, number: int) -> None:
        """Do nothing: there are no claims."""

    async def release_table(self, claim: int) -> None:
        """Do nothing: there are no claims."""

    async def ask(
        self, method: Callable[Concatenate[Any, P], Awaitable[V]], *arguments: P.args, **_keywords: P.kwargs
    ) -> V:
        """Call a method of the host, and return its result. Raises as `_answer`."""
        name, values = cast("Any", method.__name__), cast("tuple[str | int, ...]", arguments)
        return cast("V", await self._answer(lambda question: RegistryCall(question, name, values)))

    async def _answer(self, question: Callable[[int], Question]) -> Any:
        """Send a question to the host, and return its answer. Raises Illegal if it refuses, OSError if it has no
        answer.
        """
        number = next(self._question_numbers)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._pending_answers[number] = future
        self.trunk.send(question(number))
        try:
            answer = await future
        finally:
            del self._pending_answers[number]
        if answer.refusal is not None:
            raise Illegal(answer.refusal)
        if not answer.known:
            raise OSError("the host does not know")
        return answer.says

    def _handle(self, message: ToGateway) -> None:
        match message:
            case Answer():
                if (future := self._pending_answers.get(message.question)) is not None and not future.done():
                    future.set_result(message)
            case TableListed(number=number, info=info):
                _set_or_remove(self.tables, number, DirectoryEntry(info, HOME, message.tokens) if info else None)
                self.changes.notify({number})
            case BanListed(who=who, ban=ban):
                _set_or_remove(self.bans, who, ban)
                self.changes.notify(frozenset())
            case NoticeChanged(text=text):
                self.notice = text
                self.changes.notify(frozenset())
            case RosterChanged(people=roster):
                self.roster = roster
                self.changes.notify(frozenset())
            case LobbyChat(name=name, text=text, maintenance=maintenance):
                self.chat.notify(Said(name, NOBODY, text, maintenance))
            case DenyConnection():
                if self.connections is not None:
                    self.connections.deny(message)
            case CloseHost(again=again):
                self.closed, self.returns = True, again
                self._on_end()
            case GatewayConfig():
                self._on_begin(message)

    def _handle_failure(self, message: ToGateway) -> None:
        """Cancel the question whose answer was lost."""
        if isinstance(message, Answer) and (future := self._pending_answers.get(message.question)) is not None:
            future.cancel()

    def _end(self) -> None:
        """Cancel all questions, and end: the host is gone."""
        for future in self._pending_answers.values():
            future.cancel()
        self._on_end()


def _set_or_remove(mapping: dict[K, V], key: K, value: V | None) -> None:
    """Set the value of a key; None removes it."""
    if value is None:
        mapping.pop(key, None)
    else:
        mapping[key] = value


class HostQuotas(Quotas):
    """Quotas that the host counts for all its gateways."""

    def __init__(self, home: HostProxy, limits: Limits) -> None:
        super().__init__(limits)
        self._home = home

    async def claim_session(self, key: str) -> bool:
        return await self._home.ask(Quotas.claim_session, key)

    def release_session(self, key: str) -> None:
        self._home.trunk.send(ReleaseSession(key))

    async def try_code(self, network: str) -> bool:
        if not (allowed := await self._home.ask(Quotas.try_code, network)):
            self.lock_out(network)
        return allowed

    def forgive_code(self, network: str) -> None:
        self._home.trunk.send(ForgiveCode(network))


class _WorkerConnections(Connections):
    """Connections of this process. The host accepts and admits them, and is notified of their progress."""

    def __init__(self, home: HostProxy, *options: Any) -> None:
        super().__init__(*options)
        self.quotas = HostQuotas(home, self.limits)
        self._home = home
        self._visit_numbers = count(-1, -1)
        self._send = home.trunk.send
        self.numbers: dict[LocalConnection, int] = {}

    def admit(self, connection: LocalConnection) -> DenialReason | None:
        """Add a connection that the host has admitted."""
        self.numbers[connection] = _number.get()
        self.connected[connection] = None
        return DenialReason.CLOSING if self.closing else None

    @property
    def full(self) -> bool:
        """False: the host decides, once a guest has authenticated."""
        return False

    def report_progress(self, connection: LocalConnection) -> None:
        if (number := self.numbers.get(connection)) is not None:
            is_reading = connection.read_since != float("inf")
            is_idle = connection.idle_since is not None
            self._send(ConnectionState(number, is_reading, connection.exchanged, connection.identity, idle=is_idle))

    async def admit_visit(
        self, visit: LocalConnection, identity: Identity, *, is_unchecked: bool
    ) -> DenialReason | None:
        """Ask the host, which counts the guest like a connection."""
        number = next(self._visit_numbers)
        reason = await self._home.admit_visit(number, visit.address, identity, is_unchecked=is_unchecked)
        if reason is None:
            self.numbers[visit] = number
            self.connected[visit] = None
        return reason

    def set_client_address(self, connection: LocalConnection, address: str) -> DenialReason | None:
        """Leave it to the host, which cuts the connection if the address is denied."""
        connection.address, connection.network = address, network_of(address)
        if (number := self.numbers.get(connection)) is not None:
            self._send(ConnectionState(number, reading=True, exchanged=True, address=address))
        return None

    def throttle(self, address: str) -> None:
        self._send(MetricsReport(floods=address))

    def forget(self, connection: LocalConnection) -> None:
        super().forget(connection)
        if (number := self.numbers.pop(connection, None)) is not None:
            self._send(ConnectionClosed(number))

    def deny(self, request: DenyConnection) -> None:
        """End a connection at the host's request."""
        for connection, number in list(self.numbers.items()):
            if number == request.connection:
                connection.hang_up() if request.reason is None else connection.deny(request.reason)


async def serve_gateway(
    trunk_socket: socket.socket,
    handover_socket: socket.socket,
    prepare: Callable[[GatewayServer, GatewayConfig, LoopScheduler], tuple[Access, Any]],
) -> None:
    """Serve the connections that the host hands over, until it closes or is gone.

    `prepare` is called once with the server, the host's configuration, and the scheduler that
    `net.hosting.parts.Screens` need. It returns the rules of access and those sessions.
    """
    loop = asyncio.get_running_loop()
    config_received: asyncio.Future[GatewayConfig] = loop.create_future()
    ended = asyncio.Event()
    home = HostProxy(config_received.set_result, ended.set)
    await open_trunk(home.trunk, trunk_socket)
    config = await config_received
    metrics, scheduler = _ReportedMetrics(home.trunk.send), LoopScheduler()
    async with contextlib.aclosing(Thinkers(threads=1)) as thinkers, Tasks() as tasks:
        front = GatewayServer(
            home,
            home.open_trunk,
            software=config.software,
            house_rules=config.house_rules,
            thinkers=thinkers,
            scheduler=scheduler,
            metrics=metrics,
        )
        front.offer_link(invitation_link(config.door))
        access, sessions = prepare(front, config, scheduler)
        key = host_key_at(Path(config.host_key))
        connections = home.connections = _WorkerConnections(
            home, sessions.on_terminal, sessions.on_link, access, config.door.access.limits, metrics, None, scheduler
        )
        handle_ssh = ssh_handler(key, connections)

        browsers = None
        if config.door.web is not None:
            from net.web.door import WebDoor  # noqa: PLC0415 - it needs packages that few hosts have

            browsers = WebDoor(config.door, connections, sessions.pages, key.get_fingerprint(), config.number)

        def take(number: int, connection: socket.socket, address: str, web: bool) -> None:
            _number.set(number)
            (browsers.handle_connection if web and browsers else handle_ssh)(connection, address)

        async def report() -> None:
            metrics.report(connections.unsent())
            await asyncio.sleep(REPORT_INTERVAL)

        async with front.running():
            await home.guests_pass.wait()
            receive_sockets(handover_socket, take)
            tasks.start(run_forever(report, "report-failed"), "report-failed")
            home.trunk.send(GatewayReady())
            try:
                await ended.wait()
            finally:
                loop.remove_reader(handover_socket)
                front.returns = home.returns
                front.close()
                await connections.close()
                if browsers is not None:
                    await browsers.aclose()
    metrics.report(0)
    home.trunk.close()
