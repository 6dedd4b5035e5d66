"""The gateways of a host, as seen by the host: it starts and supervises them, gives each connection to one, and
counts.
"""

import asyncio
import contextlib
import logging
import re
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Set
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from itertools import count
from pathlib import Path
from typing import cast
from zlib import crc32

from msgspec.structs import replace

from core.layout.state import NOBODY
from core.words import Refusal
from net.cluster.table_host_end import TableHostEnd
from net.doors.connections import Admissions, CountedConnection, ReservedSeatCheck
from net.doors.listener import HTTP, SSH, ConnectionHandler, HostError, accept_connections, deny_socket
from net.doors.terminal import Identity
from net.host.access import Access, DenialReason, Quotas, network_of
from net.host.guest_server import GuestServer
from net.host.metrics import Metrics, SessionKind
from net.host.presence import Roster
from net.limits import GATEWAY_BEHIND, GATEWAY_SILENT, PROXY_HEADERS, WEB_CONNECTION_COST, WEB_REQUEST_TIMEOUT
from net.logs import fields
from net.loop import Tasks, log_failures, run_forever, wait_at_most
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
    FromGateway,
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
    send_socket,
    socket_pairs,
)
from net.ssh.server.listen import OpenPort, host_key_at, open_port
from net.trunk import AttachGuest, FromGuest, GuestGone, Trunk, open_trunk
from net.wire.messages import Said

START_TIMEOUT = 60.0
"""Seconds in which a gateway has to start."""
log = logging.getLogger(__name__)
Start = Callable[[int, int], Awaitable[asyncio.subprocess.Process]]
"""Starts a gateway, given the file numbers of two sockets: the trunk, and the socket that passes connections."""


class WorkerConnection(CountedConnection):
    """The host's view of a connection that a gateway serves."""

    def __init__(self, number: int, address: str, send: Callable[[ToGateway], None]) -> None:
        super().__init__(address)
        self.number = number
        self._send = send

    def hang_up(self) -> None:
        self.deny(None)

    def deny(self, reason: DenialReason | None) -> None:
        self._send(DenyConnection(self.number, reason))


class SharedAdmissions(Admissions[WorkerConnection]):
    """Limits of connections that all gateways of a host share."""

    def set_forwarded_address(self, connection: WorkerConnection, address: str) -> None:
        """Set the client's address of a proxy's connection; cut the connection if that is denied."""
        if (reason := self.admit_socket(address)) is not None:
            connection.deny(reason)
        connection.address, connection.network = address, network_of(address)


class GatewayProcess:
    """A gateway process, from its start to its end."""

    def __init__(
        self,
        server: GuestServer,
        shared: SharedAdmissions,
        tasks: Tasks,
        config: GatewayConfig,
        on_ready: Callable[[], None],
    ) -> None:
        """Guests are served in `tasks`; `on_ready` is called when the gateway accepts connections."""
        self._server = server
        self._shared = shared
        self._tasks = tasks
        self._config = config
        self._on_ready = on_ready
        self.connections: dict[int, WorkerConnection] = {}
        self.ready = False
        self.unsent = 0
        self._sessions: Counter[SessionKind] = Counter()
        self._claimed_sessions: Counter[str] = Counter()
        """Number of counted sessions of each key."""
        self._bans: dict[str, Banned] = {}
        """Bans that were sent to it."""
        self._notice = ""
        """The notice that was sent to it last."""
        self._is_over = False
        self._loop = asyncio.get_running_loop()
        self._received_at = self._loop.time()
        self._process: asyncio.subprocess.Process | None = None
        self._handover_socket: socket.socket | None = None
        self.trunk = Trunk(DECODERS[FromGateway].decode, self._handle, self._end, self._handle_failure)
        self._guests = TableHostEnd(server, tasks)
        self.trunk.multiplex(self._guests.trunk, AttachGuest, FromGuest, GuestGone)

    async def run(self, start: Start) -> int:
        """Start the process and wait for its end; return its exit status."""
        (trunk_socket, self._handover_socket), gateway_sockets = socket_pairs()
        with contextlib.ExitStack() as exit_stack:
            exit_stack.callback(self._server.followers.add(self._send_changes))
            try:
                await open_trunk(self.trunk, trunk_socket)
                self.trunk.send(self._config)
                self._send_changes(set(self._server.listing))
                exit_stack.callback(self._server.follow_lobby(self._send_lobby_update))
                self._process = await start(*(gateway_socket.fileno() for gateway_socket in gateway_sockets))
            finally:
                for gateway_socket in gateway_sockets:
                    gateway_socket.close()
            try:
                async with Tasks() as tasks:
                    tasks.start(run_forever(self._watch, "gateway-not-watched"), "gateway-not-watched")
                    return await self._process.wait()
            finally:
                self.kill()
                self.trunk.close()
                self._handover_socket.close()
                self._end()

    @property
    def number(self) -> int:
        """Number of this gateway at the host."""
        return self._config.number

    def take(self, connection: WorkerConnection, sock: socket.socket, *, web: bool) -> bool:
        """Hand a connection to this gateway; return False if it cannot take it now."""
        if self._handover_socket is None or not send_socket(
            self._handover_socket, connection.number, sock, connection.address, web=web
        ):
            return False
        self.connections[connection.number] = connection
        return True

    def kill(self) -> None:
        """Kill the process."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _watch(self) -> None:
        """Kill a process that hangs: its guests reconnect through another."""
        await asyncio.sleep(1.0)
        silent_seconds = self._loop.time() - self._received_at
        timeout = GATEWAY_SILENT if self.ready else START_TIMEOUT
        if silent_seconds > timeout or self.trunk.unsent > GATEWAY_BEHIND:
            log.error("gateway-stands-still", extra=fields(gateway=self._config.number, silent=round(silent_seconds)))
            self.kill()

    def _end(self) -> None:
        """Clean up after the trunk has ended, and with it the connections of this gateway."""
        self.ready, self._is_over, self.unsent = False, True, 0
        if not self._shared.closing:  # useless without its trunk; the next gateway starts when it has ended
            self.kill()
        for connection in self.connections.values():
            self._shared.forget(connection)
        self.connections.clear()
        for kind in self._sessions.elements():
            self._shared.metrics.remove_session(kind)
        for key in self._claimed_sessions.elements():
            self._shared.quotas.release_session(key)
        self._sessions.clear()
        self._claimed_sessions.clear()

    def _send_changes(self, numbers: Set[int]) -> None:
        """Send changes in the list of tables, the bans and the notice."""
        listing, bans = self._server.listing, dict(self._server.bans)
        for number in numbers:
            self.trunk.send(TableListed(number, *(listing.get(number) or (None,))))
        sent_bans, self._bans = self._bans, bans
        for key_or_address, _ in sent_bans.items() ^ bans.items():
            self.trunk.send(BanListed(key_or_address, bans.get(key_or_address)))
        if self._notice != self._server.notice:
            self._notice = self._server.notice
            self.trunk.send(NoticeChanged(self._notice))

    def _send_lobby_update(self, update: Roster | Said) -> None:
        self.trunk.send(
            RosterChanged(update)
            if isinstance(update, Roster)
            else LobbyChat(update.name, update.text, update.maintenance)
        )

    def _handle(self, message: FromGateway) -> None:
        self._received_at = self._loop.time()
        match message:
            case RegistryCall() | AdmitGuest():
                send_failure = partial(self.trunk.send, Answer(message.question))
                self._tasks.start(self._answer(message), "question-failed", on_failure=send_failure)
            case ReleaseSession(key=key) if self._claimed_sessions[key] > 0:
                self._claimed_sessions[key] -= 1
                self._shared.quotas.release_session(key)
            case ForgiveCode(network=network):
                self._shared.quotas.forgive_code(network)
            case MetricsReport():
                self._count_metrics(message)
            case ConnectionState() if (connection := self.connections.get(message.connection)) is not None:
                connection.exchanged = message.exchanged
                connection.idle_since = self._loop.time() if message.idle else None
                if message.address:
                    self._shared.set_forwarded_address(connection, message.address)
                if message.reading and connection.read_since == float("inf"):
                    connection.read_since = self._loop.time()
                if message.identity is not None and connection.identity is None:
                    self._admit_identity(connection, message.identity)
            case ConnectionClosed() if (connection := self.connections.pop(message.connection, None)) is not None:
                self._shared.forget(connection)
            case LobbyChat(name=name, text=text):
                self._server.receive_chat(Said(name, NOBODY, text), self._send_lobby_update)
            case GatewayReady():
                self.ready = True
                self._on_ready()

    def _admit_identity(self, connection: WorkerConnection, identity: Identity) -> None:
        """Admit a guest who has authenticated, if there is room or a seat is reserved for them."""
        if self._shared.full:
            coroutine = self._enter_if_expected(connection, identity)
            self._tasks.start(coroutine, "guest-not-let-in", on_failure=connection.hang_up)
        else:
            connection.identity = identity

    async def _enter_if_expected(self, connection: WorkerConnection, identity: Identity) -> None:
        if await self._shared.has_room_for(identity):
            connection.identity = identity
        else:
            connection.deny(DenialReason.FULL)

    def _handle_failure(self, message: FromGateway) -> None:
        """Close the connection of which a message was lost, or answer the question."""
        if isinstance(message, Question):
            self.trunk.send(Answer(message.question))
        elif isinstance(message, ConnectionState | ConnectionClosed) and message.connection in self.connections:
            self.connections[message.connection].hang_up()

    async def _answer(self, question: Question) -> None:
        answer = Answer(question.question)
        try:
            result = await (
                self._admit_visit(question) if isinstance(question, AdmitGuest) else self._call_registry(question)
            )
            answer = Answer(question.question, known=True, says=result)
        except Refusal as refusal:
            answer = Answer(question.question, refusal=refusal.reason)
        except LookupError:
            log.info("guest-gone-meanwhile")
        except OSError as error:
            log.error("no-directory", extra=fields(error=error))
        self.trunk.send(answer)

    async def _call_registry(self, question: RegistryCall) -> str | bool | tuple[str, ...] | None:
        """Call a method for the gateway. Raises Refusal, OSError, and LookupError if the guest is gone."""
        owner = self if question.method in {"admit", "claim_session", "try_code"} else self._server.registry
        return cast("str | bool | tuple[str, ...] | None", await getattr(owner, question.method)(*question.arguments))

    async def admit(self, guest: int, name: str, token: str) -> None:
        """Give a guest the requested name. Raises Illegal, OSError, and LookupError if they are gone."""
        await self._server.admit(self._guests.connection_of(guest), name, token)

    async def try_code(self, network: str) -> bool:
        """Count a try at an invitation code; return True if the code may be checked."""
        return await self._shared.quotas.try_code(network)

    async def _admit_visit(self, question: AdmitGuest) -> str:
        """Admit a guest without a connection of their own, or return the reason not to."""
        shared, connection = self._shared, WorkerConnection(question.connection, question.address, self.trunk.send)
        reason = (
            shared.admit_socket(question.address, WEB_CONNECTION_COST)
            if question.new
            else shared.denial_reason(connection.network)
        )
        if reason is None and not await shared.has_room_for(question.identity):
            reason = DenialReason.FULL
        if reason is None:
            connection.identity = question.identity
            self.connections[question.connection] = connection
            shared.connected[connection] = None
        return reason or ""

    async def claim_session(self, key: str) -> bool:
        """Count another session of a key while the gateway runs, unless the key has reached its limit; return True if
        it was counted.
        """
        if not await self._shared.quotas.claim_session(key):
            return False
        if self._is_over:
            self._shared.quotas.release_session(key)
        else:
            self._claimed_sessions[key] += 1
        return True

    def _count_metrics(self, report: MetricsReport) -> None:
        metrics = self._shared.metrics
        self.unsent = self.unsent if report.unsent is None else report.unsent
        if report.opened:
            self._sessions[report.opened] += 1
            metrics.add_session(report.opened)
        if report.closed:
            self._sessions[report.closed] -= 1
            metrics.remove_session(report.closed)
        if report.turned_away:
            metrics.count_denial(report.turned_away)
        for _ in range(report.refused):
            metrics.count_refusal()
        for seconds in report.repaints:
            metrics.record_repaint(seconds)
        metrics.stages.add(report.stages)
        if report.floods:
            self._shared.access.hold_off(report.floods)


RESTART_DELAY, MAX_RESTART_DELAY = 0.5, 10.0
"""Seconds before a dead gateway is restarted: doubled, up to the latter, each time that it lived for less than that.
"""
_GATEWAY_PATH = re.compile(rb"[A-Z]+ /plain/(\d{1,9})/")
"""Matches a request that a gateway's page without a terminal sends to that gateway."""
_PEEKED_BYTES = 64
"""Bytes of a request in which this is searched."""
_KILL_DELAY = 2.0
"""Seconds at the end, after the time for sessions to leave, until a gateway is killed."""


class GatewaySupervisor:
    """Keeps all gateways of a host running, and gives each new connection to one."""

    def __init__(self, server: GuestServer, shared: SharedAdmissions) -> None:
        self._server = server
        self._shared = shared
        self._behind_proxy = False
        """True if browsers connect through a proxy."""
        self._unrouted = Tasks()
        """Connections of a proxy that have not sent a request yet."""
        self._serving_tasks = Tasks()
        self._running: dict[int, GatewayProcess] = {}
        self._keeping_tasks = Tasks()
        self._numbers = count(1)
        self._closing = asyncio.Event()
        shared.metrics.set_sources(
            unsent_bytes=lambda: sum(gateway.unsent for gateway in list(self._running.values()))
        )

    async def open(self, count: int, config: GatewayConfig, start: Start) -> None:
        """Start `count` gateways, and wait until they accept connections. Raises HostError.

        Each of them may begin an equal part of the handshakes per second.
        """
        door = config.door
        self._behind_proxy = door.web is not None and bool(door.web.url)
        limits = replace(door.access.limits, handshakes_in_all=door.access.limits.handshakes_in_all / count)
        config = replace(config, door=replace(door, access=replace(door.access, limits=limits)))
        loop = asyncio.get_running_loop()
        first_starts: list[asyncio.Future[bool]] = [loop.create_future() for _ in range(count)]
        for number, future in enumerate(first_starts, 1):
            self._keeping_tasks.start(
                self._keep_running(replace(config, number=number), start, future), "gateway-not-kept"
            )
        if not all(await asyncio.gather(*first_starts)):
            raise HostError("A gateway could not start; the log says why.")

    def take(self, connection: socket.socket, address: str, *, web: bool = False) -> None:
        """Hand a connection to the gateway with the fewest.

        Browsers are sticky by network (rendezvous hashing), because a page without a terminal sends each form over a
        new connection. Behind a proxy, the path of the first request names the gateway.
        """
        if web and self._behind_proxy:
            if len(self._unrouted) >= PROXY_HEADERS:
                self._shared.count_denied(DenialReason.FULL, address)
                deny_socket(connection, DenialReason.FULL, HTTP)
                return
            self._unrouted.start(self._take_relayed(connection, address), "connection-not-taken")
        else:
            self._pass_connection(connection, address, network_of(address) if web else "", web=web)

    async def _take_relayed(self, connection: socket.socket, address: str) -> None:
        try:
            async with asyncio.timeout(WEB_REQUEST_TIMEOUT):
                first_bytes = await _peek(connection)
        except BaseException as error:
            connection.close()
            if not isinstance(error, OSError):
                raise
            return
        match = _GATEWAY_PATH.match(first_bytes)
        self._pass_connection(connection, address, gateway_number=int(match[1]) if match else 0, web=True)

    def _pass_connection(
        self, sock: socket.socket, address: str, network: str = "", *, gateway_number: int = 0, web: bool
    ) -> None:
        """Give a connection to the gateway with that number, else to the one of its `network`, else to the one with
        the fewest.
        """

        def rank(gateway: GatewayProcess) -> tuple[bool, int]:
            seed = f"{network} {gateway.number}".encode()
            return gateway.number != gateway_number, crc32(seed) if network else len(gateway.connections)

        with sock:
            ready = [gateway for gateway in self._running.values() if gateway.ready]
            for gateway in sorted(ready, key=rank):
                connection = WorkerConnection(next(self._numbers), address, gateway.trunk.send)
                if gateway.take(connection, sock, web=web):
                    self._shared.connected[connection] = None
                    return
            self._shared.count_denied(DenialReason.FULL, address)
            deny_socket(sock, DenialReason.FULL, HTTP if web else SSH)

    async def close(self) -> None:
        """Let sessions end, and stop all gateways."""
        self._shared.closing = True
        self._closing.set()
        try:
            for gateway in self._running.values():
                gateway.trunk.send(CloseHost(self._server.returns))
            await self._keeping_tasks.wait(self._shared.limits.leave_timeout + _KILL_DELAY)
        finally:
            for gateway in self._running.values():
                gateway.kill()
            await self._serving_tasks.wait(_KILL_DELAY)
            await self._serving_tasks.aclose()
            await self._unrouted.aclose()
            await self._keeping_tasks.aclose()

    async def _keep_running(self, config: GatewayConfig, start: Start, first_start: asyncio.Future[bool]) -> None:
        """Keep a gateway running: restart it whenever it dies, unless its first start fails."""
        loop, pause = asyncio.get_running_loop(), RESTART_DELAY
        while not self._shared.closing:
            started_at = loop.time()
            with log_failures("gateway-failed", gateway=config.number):
                await self._run(config, start, partial(_settle, first_start, ready=True))
            _settle(first_start, ready=False)
            if not first_start.result():
                return
            pause = (
                RESTART_DELAY if loop.time() - started_at > MAX_RESTART_DELAY else min(2 * pause, MAX_RESTART_DELAY)
            )
            await wait_at_most(pause, self._closing.wait())

    async def _run(self, config: GatewayConfig, start: Start, on_ready: Callable[[], None]) -> None:
        gateway = GatewayProcess(self._server, self._shared, self._serving_tasks, config, on_ready)
        self._running[config.number] = gateway
        try:
            status: object = await gateway.run(start)
        except OSError as error:
            status = error
        finally:
            del self._running[config.number]
        if not self._shared.closing:
            log.error("gateway-lost", extra=fields(gateway=config.number, status=status))


async def _peek(connection: socket.socket) -> bytes:
    """Return the first bytes of a connection, without consuming them."""
    loop = asyncio.get_running_loop()
    readable = loop.create_future()
    loop.add_reader(connection, readable.set_result, None)
    try:
        await readable
    finally:
        loop.remove_reader(connection)
    return connection.recv(_PEEKED_BYTES, socket.MSG_PEEK)


def _settle(first_start: asyncio.Future[bool], *, ready: bool) -> None:
    if not first_start.done():
        first_start.set_result(ready)


@asynccontextmanager
async def serve_through_gateways(
    config: GatewayConfig,
    start: Start,
    server: GuestServer,
    access: Access,
    metrics: Metrics,
    has_reserved_seat: ReservedSeatCheck,
    quotas: Quotas | None = None,
    second_door: Callable[[SharedAdmissions, ConnectionHandler], AbstractAsyncContextManager[int]] | None = None,
) -> AsyncIterator[OpenPort]:
    """Serve the SSH port with `door.workers` workers; leaving the block stops them.

    Like `net.ssh.server.listen.serve`, except that the workers speak SSH. `second_door` opens a second door for the
    same workers and yields its port. Raises HostError.
    """
    key, door = host_key_at(Path(config.host_key)), config.door
    shared = SharedAdmissions(access, door.access.limits, metrics, has_reserved_seat, quotas)
    gateways = GatewaySupervisor(server, shared)
    try:
        await gateways.open(door.workers, config, start)
        async with (
            accept_connections(door.bind, door.port, shared, gateways.take, door.access.proxied_by) as listening,
            second_door(shared, partial(gateways.take, web=True)) if second_door else nullcontext(0) as web,
        ):
            yield open_port(listening, key, shared, web)
    finally:
        await gateways.close()
