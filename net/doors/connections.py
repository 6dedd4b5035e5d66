"""All connections that this process serves, by any entrance: their admission and their sessions."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from traceback import walk_tb
from typing import Any, Generic, TypeVar

from core.words import words
from net.doors.terminal import Identity, Terminal
from net.host.access import Access, DenialReason, Quotas, canonical_address, network_of
from net.host.metrics import Metrics, SessionKind
from net.limits import (
    ADDRESSES_REMEMBERED,
    BUSY_AT_ONCE,
    BUSY_SHARE,
    CHAT_LENGTH,
    LOG_BROKEN_EVERY,
    MAX_CLAIMED,
    WEB_CONNECTION_COST,
    Limits,
)
from net.logs import fields
from net.loop import LoopScheduler, Tasks, is_failure, log_failure, log_failures
from net.players.text import clean
from net.scheduler import CPU_UNIT, Bucket, Buckets, Outcome, Piece, Work
from net.wire.link import Link

log = logging.getLogger(__name__)


class CountedConnection:
    """A connection as limits count it, whichever process serves it."""

    identity: Identity | None = None
    """None until it has authenticated."""
    read_since = float("inf")
    """Time at which the host began to read from it; infinite before that."""
    exchanged = False
    """True once it has exchanged keys or sent a request, which shows that the client is responsive."""
    idle_since: float | None = None
    """Time of the last response on a browser's connection; None while a request is served, and for SSH."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.network = network_of(address)
        """The network of its address, which limits count as one client."""

    @property
    def open_sessions(self) -> int:
        """Number of its open sessions."""
        return 0

    def hang_up(self) -> None:
        """Cut the connection now."""


class InputMeter:
    """Charges the CPU time of one connection's input, and stops reading while its class has used up its share.

    Before the login the class is `Work.STRANGER`. After it, input is free up to BUSY_SHARE of the core, and
    `Work.INPUT` beyond that.
    """

    def __init__(self, scheduler: LoopScheduler) -> None:
        self._scheduler = scheduler
        self._cpu_budget = Bucket(BUSY_SHARE / CPU_UNIT, BUSY_AT_ONCE / CPU_UNIT)
        self._is_waiting = False

    def pause_reading(self) -> bool:
        """Stop reading from the connection; return True if it is open."""
        raise NotImplementedError

    def resume_reading(self) -> bool:
        """Read from the connection again; return True if it is open."""
        raise NotImplementedError

    def charge(self, seconds: float, network: str, *, is_stranger: bool) -> None:
        """Charge CPU time, in seconds, to the network of the connection."""
        work = Work.STRANGER
        if not is_stranger:
            now = asyncio.get_running_loop().time()
            self._cpu_budget.spend(seconds / CPU_UNIT, now)
            if not self._cpu_budget.is_empty(now):
                return
            work = Work.INPUT
        owner = self._scheduler.owner(work, network)
        self._scheduler.charge(work, owner, seconds)
        if not self._is_waiting and self._scheduler.is_exhausted(work) and self.pause_reading():
            self._is_waiting = True
            self._scheduler.submit(Piece(work, owner, self._resume_if_open, begins=False))

    def _resume_if_open(self) -> Outcome:
        self._is_waiting = False
        return Outcome.DONE if self.resume_reading() else Outcome.GONE


def read_at_most(transport: asyncio.BaseTransport, size: int) -> None:
    """Have asyncio read at most `size` bytes of a connection at once, so that others get their turn in between.

    The attribute is undocumented. It has no effect below TLS, and uvloop has none: it reads 64 KiB.
    """
    with contextlib.suppress(AttributeError):
        transport.max_size = size  # type: ignore[attr-defined]


LOGIN_WAIT_FORGIVEN_RATE = 0.1
"""Seconds without a login that a network is forgiven each second: a minute in ten."""
C = TypeVar("C", bound=CountedConnection)
ReservedSeatCheck = Callable[[Identity], Awaitable[bool]]
"""Returns True if a seat is reserved for a guest."""


class Admissions(Generic[C]):
    """All connections of one host, and the admission of new ones."""

    def __init__(
        self,
        access: Access,
        limits: Limits,
        metrics: Metrics,
        has_reserved_seat: ReservedSeatCheck | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        """`has_reserved_seat` tells if a seat is reserved for a guest, who may then enter even if the host is full.

        `quotas` may be shared with other gateways.
        """
        self.access = access
        self.limits = limits
        self.metrics = metrics
        self.closing = False
        self.connected: dict[C, None] = {}
        """All connections, in the order in which they came."""
        self._has_reserved_seat = has_reserved_seat
        self._login_waits = Buckets(LOGIN_WAIT_FORGIVEN_RATE, 1, ADDRESSES_REMEMBERED)
        """Seconds for which the ended connections of a network held a place without a login."""
        self.quotas = quotas or Quotas(limits)
        metrics.set_sources(
            unauthenticated=lambda: sum(connection.identity is None for connection in list(self.connected))
        )

    def admit_socket(self, address: str, cost: float = 1.0) -> DenialReason | None:
        """Count and log a new connection if it must be closed at once; return the reason, or None.

        `cost` is its share of an SSH handshake.
        """
        network, reason = network_of(address), DenialReason.CLOSING if self.closing else None
        if reason is None and self.quotas.is_locked_out(network):
            reason = DenialReason.GUESSING
        reason = reason or self.access.check_address(address, cost) or self.denial_reason(network)
        if reason is not None:
            self.count_denied(reason, address)
        return reason

    def admit_relayed(self) -> DenialReason | None:
        """Return the reason to close a proxy's connection at once, or None. The proxy names the client later."""
        if self.closing:
            return DenialReason.CLOSING
        return DenialReason.FULL if len(self.connected) >= 2 * self.limits.connections else None

    def denial_reason(self, network: str) -> DenialReason | None:
        """Return the reason to deny a new connection from a network; None to admit it, perhaps after an eviction."""
        if self.closing:
            return DenialReason.CLOSING
        others = list(self.connected)
        if self._has_reserved_seat is None and len(others) >= self.limits.connections:
            return DenialReason.FULL  # with `has_reserved_seat`, this is decided after authentication
        same_network = [other for other in others if other.network == network]
        if len(same_network) >= self.limits.per_address:
            return DenialReason.ADDRESS_FULL
        for candidates, limit in (
            (same_network, self.limits.unauthenticated_per_address),
            (others, self.limits.unauthenticated),
        ):
            unauthenticated = [other for other in candidates if other.identity is None]
            if len(unauthenticated) >= limit and not self._evict_for(unauthenticated, network):
                return DenialReason.UNAUTHENTICATED_FULL
        return None

    def count_denied(self, reason: DenialReason, address: str, user: str = "", key: str | None = None) -> None:
        """Count and log a denied connection."""
        self.metrics.count_denial(reason)
        log.info(
            "turned-away", extra=fields(address=address, reason=reason, user=user[:MAX_CLAIMED] or None, key=key)
        )

    @property
    def full(self) -> bool:
        """True if only guests with a reserved seat are admitted after they have authenticated."""
        authenticated = sum(connection.identity is not None for connection in self.connected)
        return self._has_reserved_seat is not None and authenticated >= self.limits.connections

    async def has_room_for(self, identity: Identity) -> bool:
        """Return True if a guest who has authenticated is admitted."""
        return not self.full or self._has_reserved_seat is None or await self._has_reserved_seat(identity)

    async def judge_code(
        self, address: str, text: str, user: str = "", key: str | None = None
    ) -> bool | DenialReason:
        """Return True for a right invitation code, False for a wrong one, or the reason why it is not checked.

        A wrong one counts, and is logged with the `user` and `key` that came with it.
        """
        network = network_of(address)
        if self.quotas.is_locked_out(network) or not await self.quotas.try_code(network):
            return DenialReason.GUESSING
        if is_right := self.access.is_invitation_code(text):
            self.quotas.forgive_code(network)
        else:
            log.warning("wrong-invitation", extra=fields(address=address, user=user[:MAX_CLAIMED] or None, key=key))
        return is_right

    def forget(self, connection: C) -> None:
        """Discard a connection that has ended."""
        self.connected.pop(connection, None)
        now = asyncio.get_running_loop().time()
        if (seconds := login_wait(connection, now)) > 0:
            self._login_waits.of(connection.network, now).spend(seconds, now)

    def disconnect(self, key_or_address: str) -> int:
        """Close the connections of a key (its fingerprint) or an address; return their number. A ban itself closes
        none.
        """
        matching = [
            connection
            for connection in self.connected
            if canonical_address(connection.address) == key_or_address
            or (connection.identity and connection.identity.key == key_or_address)
        ]
        for connection in matching:
            key = connection.identity and connection.identity.key
            log.info("expelled", extra=fields(address=connection.address, key=key))
            connection.hang_up()
        return len(matching)

    def _evict_for(self, unauthenticated: list[C], network: str) -> bool:
        """Evict an unauthenticated connection for a new one if possible; return True if one was
        evicted.
        """
        now = asyncio.get_running_loop().time()

        def ended_login_waits(network: str) -> float:
            return self._login_waits.of(network, now).used_tokens(now)

        connection = choose_to_evict(unauthenticated, network, now, self.limits.silent_timeout, ended_login_waits)
        if connection is None:
            return False
        if connection.idle_since is None:
            self.count_denied(DenialReason.UNAUTHENTICATED_FULL, connection.address)
        self.forget(connection)
        connection.hang_up()
        return True


def login_wait(connection: CountedConnection, now: float) -> float:
    """Return the seconds for which an admitted connection has held a place without a login."""
    if connection.identity is not None or connection.idle_since is not None:
        return 0.0
    return max(0.0, now - connection.read_since)


def choose_to_evict(
    unauthenticated: Sequence[C], network: str, now: float, grace: float, ended_login_waits: Callable[[str], float]
) -> C | None:
    """Choose the connection to evict for a new one from `network`; None means to deny the new one.

    1. A browser's connection between two requests: the browser opens another when it needs one.
    2. A connection that has exchanged no keys although it has been read for `grace` seconds.
    3. One of the network with the most connections, if that will still have as many as the new one's.
    4. One of the network that has recently held places for the longest time, if that is `grace` seconds longer than
       the new one's. `ended_login_waits` returns the seconds of a network's ended connections.

    So connections that do not log in cannot keep out an address that does not wait, however many addresses they have.
    """
    if idle_connections := [connection for connection in unauthenticated if connection.idle_since is not None]:
        return min(idle_connections, key=lambda connection: connection.idle_since or 0.0)
    silent_since = now - grace
    candidates = [
        connection
        for connection in unauthenticated
        if not connection.exchanged and connection.read_since < silent_since
    ]
    if not candidates:
        connections_by_network = Counter(connection.network for connection in unauthenticated)
        heaviest = max(connections_by_network, key=lambda name: connections_by_network[name], default=network)
        if connections_by_network[heaviest] <= connections_by_network[network] + 1:
            wait_seconds = {name: ended_login_waits(name) for name in {*connections_by_network, network}}
            for connection in unauthenticated:
                wait_seconds[connection.network] += login_wait(connection, now)
            heaviest = max(wait_seconds, key=lambda name: wait_seconds[name])
            if wait_seconds[heaviest] < wait_seconds[network] + grace:
                return None
        candidates = [connection for connection in unauthenticated if connection.network == heaviest]
    return min(candidates, key=lambda connection: (connection.exchanged, connection.read_since), default=None)


_FINAL_WAIT = 1.0
"""Seconds at the end for cancelled sessions to finish, and for the last bytes of others."""
IDLE = words("You were idle for too long, so the connection was closed.")
BROKEN = "Something went wrong on the host and was logged. Please reconnect."


class LocalConnection(CountedConnection):
    """A connection that this process serves."""

    @property
    def unsent(self) -> int:
        """Number of bytes that wait to be sent to the client."""
        return 0

    def request_end(self) -> None:
        """Ask every session to end."""

    def deny(self, reason: DenialReason) -> None:
        """Close the connection now, with a reason."""

    async def wait_closed(self) -> None:
        """Wait until the connection has ended."""


class Connections(Admissions[LocalConnection]):
    """All connections of one process, and the admission of new ones."""

    def __init__(
        self,
        on_terminal: Callable[[Identity, Terminal], Awaitable[None]],
        on_link: Callable[[Identity, Link], Awaitable[None]],
        access: Access,
        limits: Limits,
        metrics: Metrics,
        has_reserved_seat: ReservedSeatCheck | None = None,
        scheduler: LoopScheduler | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        """The parameters are as for `Admissions`."""
        super().__init__(access, limits, metrics, has_reserved_seat, quotas)
        self.on_terminal = on_terminal
        self.on_link = on_link
        self._logins = Tasks()
        self._sessions = Tasks()
        self._broken_log_budgets = Buckets(1 / LOG_BROKEN_EVERY, 1, ADDRESSES_REMEMBERED)
        """Networks whose broken connections were logged recently."""
        self._handshake_log_budgets = Buckets(1 / LOG_BROKEN_EVERY, 1, ADDRESSES_REMEMBERED)
        """Networks whose failed handshakes were logged recently."""
        self.scheduler = scheduler or LoopScheduler()
        self.scheduler.set_limits(limits)
        self.scheduler.metrics = metrics.stages
        metrics.set_sources(unsent_bytes=self.unsent)

    def admit(self, connection: LocalConnection) -> DenialReason | None:
        """Admit a new connection, or return the reason not to; no work was done for it yet."""
        reason = self.denial_reason(connection.network)
        self.connected[connection] = None  # also a denied one, so that `close` aborts it
        return reason

    async def admit_visit(
        self,
        visit: LocalConnection,
        identity: Identity,  # noqa: ARG002
        *,
        is_unchecked: bool,
    ) -> DenialReason | None:
        """Admit a guest without a connection of their own, or return the reason not to.

        `is_unchecked`: they come through a proxy, and their address was not checked yet.
        """
        reason = (
            self.admit_socket(visit.address, WEB_CONNECTION_COST)
            if is_unchecked
            else self.denial_reason(visit.network)
        )
        if reason is None:
            self.connected[visit] = None
        return reason

    def set_client_address(self, connection: LocalConnection, address: str) -> DenialReason | None:
        """Set the client's address of a proxy's connection; return the reason to deny it, or None."""
        connection.network = f"relayed {id(connection)}"  # so that it does not count twice for the client's network
        reason = self.admit_socket(address)
        if reason is None:
            connection.address, connection.network = address, network_of(address)
        return reason

    def report_progress(self, connection: LocalConnection) -> None:
        """Note that reading from a connection has begun, or that it has exchanged keys."""

    def throttle(self, address: str) -> None:
        """Admit no new connection from an address for a while."""
        self.access.hold_off(address)

    async def claim_session(self, connection: LocalConnection, key: str | None) -> bool:
        """Claim a session of a key, or one without a key; return True if it may be opened."""
        if key and not await self.quotas.claim_session(key):
            return False
        if connection not in self.connected:  # it has ended meanwhile
            self.release_session(connection)
            return False
        return True

    def release_session(self, connection: LocalConnection) -> None:
        """Release a claimed session."""
        if connection.identity and connection.identity.key:
            self.quotas.release_session(connection.identity.key)

    def start_session(self, session: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Run a session as a task of the host; None when the host is closing."""
        if self.closing:
            session.close()
            return None
        return self._sessions.start(session, "session-failed")

    async def run_session(self, session: Awaitable[None], kind: SessionKind, identity: Identity) -> bool:
        """Run and count a session; return True unless it has crashed.

        A crash ends this session only: other sessions, the tables and the host go on.
        """
        guest_fields = fields(kind=kind, user=identity.user, key=identity.key, address=identity.address)
        log.info("session-opened", extra=guest_fields)
        self.metrics.add_session(kind)
        try:
            await session
        except BaseException as error:
            if not is_failure(error):
                raise
            log_failure("session-crashed", error, **guest_fields["fields"])
            return False
        finally:
            log.info("session-closed", extra=guest_fields)
            self.metrics.remove_session(kind)
        return True

    def start_login(self, login: Coroutine[Any, Any, None], address: str) -> asyncio.Task[None]:
        """Run the login of a connection from an address as a task."""
        return self._logins.start(login, "login-failed", address=address)

    def log_broken(self, address: str, error: Exception) -> None:
        """Log the error that ended a connection: either a library's parser failed on invalid bytes, or this program
        has a bug.
        """
        if _is_ours(error):
            log_failure("connection-failed", error, address=address)
        elif self._broken_log_budgets.take(network_of(address), asyncio.get_running_loop().time()):
            log.warning("connection-broken", extra=fields(address=address, error=type(error).__name__))

    def log_handshake_failure(self, address: str, reason: str) -> None:
        """Log why a connection ended before its login; `reason` may be the client's own words."""
        if self._handshake_log_budgets.take(network_of(address), asyncio.get_running_loop().time()):
            log.info("handshake-failed", extra=fields(address=address, reason=clean(reason, CHAT_LENGTH)))

    async def close(self) -> None:
        """Ask every session to end, wait a little, cancel the rest, and close the connections."""
        self.closing = True
        self.scheduler.close(Work.STRANGER, Work.INPUT)
        for connection in list(self.connected):
            with log_failures("goodbye-failed", address=connection.address):
                connection.request_end()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.limits.leave_timeout
        try:
            await self._sessions.wait(self.limits.leave_timeout)
            self._sessions.cancel()
            await self._sessions.wait(_FINAL_WAIT)
            for connection in list(self.connected):
                if not connection.open_sessions:  # others may still receive something
                    connection.hang_up()
            async with Tasks() as draining:
                for connection in list(self.connected):
                    draining.start(connection.wait_closed(), "drain-failed")
                await draining.wait(max(_FINAL_WAIT, deadline - loop.time()))
        finally:
            self.abort()
            await self._logins.aclose()
            await self._sessions.aclose()

    def abort(self) -> None:
        """Close every connection now."""
        for connection in list(self.connected):
            connection.hang_up()

    def unsent(self) -> int:
        """Return the bytes that wait for their readers."""
        return sum(connection.unsent for connection in list(self.connected))


def _is_ours(error: Exception) -> bool:
    """Return True if this program raised the error, and not a library because of invalid input."""
    modules = [frame.f_globals.get("__name__", "") for frame, _line in walk_tb(error.__traceback__)]
    return bool(modules) and modules[-1].partition(".")[0] in ("core", "net", "tui")
