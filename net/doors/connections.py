"""The connections that this process serves, by whichever door they came, their sessions, and who may come in yet."""

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
    """What is counted of a connection, whichever process serves it."""

    identity: Identity | None = None
    """None until it has authenticated."""
    read_since = float("inf")
    """When the host began to read from it; infinite before that."""
    exchanged = False
    """Whether it has exchanged keys or sent a request, and so is a client that answers."""
    idle_since: float | None = None
    """When the last answer was sent on a browser's connection; None while a request is served, and for SSH."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.network = network_of(address)
        """The network that its address belongs to, which limits count as one client."""

    @property
    def open_sessions(self) -> int:
        """How many sessions it has open."""
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
        self._busy = Bucket(BUSY_SHARE / CPU_UNIT, BUSY_AT_ONCE / CPU_UNIT)
        self._waits = False

    def pause_reading(self) -> bool:
        """Stop reading from the connection; return whether it is open."""
        raise NotImplementedError

    def resume_reading(self) -> bool:
        """Read from the connection again; return whether it is open."""
        raise NotImplementedError

    def charge(self, seconds: float, network: str, *, stranger: bool) -> None:
        """Charge CPU time, in seconds, to the network of the connection."""
        work = Work.STRANGER
        if not stranger:
            now = asyncio.get_running_loop().time()
            self._busy.spend(seconds / CPU_UNIT, now)
            if not self._busy.empty(now):
                return
            work = Work.INPUT
        owner = self._scheduler.owner(work, network)
        self._scheduler.charge(work, owner, seconds)
        if not self._waits and self._scheduler.exhausted(work) and self.pause_reading():
            self._waits = True
            self._scheduler.submit(Piece(work, owner, self._go_on, begins=False))

    def _go_on(self) -> Outcome:
        self._waits = False
        return Outcome.DONE if self.resume_reading() else Outcome.GONE


def read_at_most(transport: asyncio.BaseTransport, size: int) -> None:
    """Have asyncio read at most `size` bytes of a connection at once, so that others get their turn in between.

    The attribute is undocumented. It has no effect below TLS, and uvloop has none: it reads 64 KiB.
    """
    with contextlib.suppress(AttributeError):
        transport.max_size = size  # type: ignore[attr-defined]


WAIT_FORGIVEN = 0.1
"""Seconds without a login that a network is forgiven each second: a minute in ten."""
C = TypeVar("C", bound=CountedConnection)
Expects = Callable[[Identity], Awaitable[bool]]
"""Whether a seat is kept for somebody."""


class Admissions(Generic[C]):
    """All connections of one host, and who may open another."""

    def __init__(
        self,
        access: Access,
        limits: Limits,
        metrics: Metrics,
        expects: Expects | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        """`expects` says whether a seat is kept for somebody, who may then enter even if the host is full.

        `quotas` count what may count beyond this host.
        """
        self.access = access
        self.limits = limits
        self.metrics = metrics
        self.closing = False
        self.connected: dict[C, None] = {}
        """In the order in which they came."""
        self._expects = expects
        self._waited = Buckets(WAIT_FORGIVEN, 1, ADDRESSES_REMEMBERED)
        """By network, the seconds for which its ended connections held a place without a login."""
        self.quotas = quotas or Quotas(limits)
        metrics.pulls(unauthenticated=lambda: sum(each.identity is None for each in list(self.connected)))

    def admit_socket(self, address: str, cost: float = 1.0) -> DenialReason | None:
        """Return why a new connection is to be closed at once, if it is; count and log it.

        It counts as so much of an SSH handshake as it costs.
        """
        network, reason = network_of(address), DenialReason.CLOSING if self.closing else None
        if reason is None and self.quotas.locked_out(network):
            reason = DenialReason.GUESSING
        reason = reason or self.access.check_address(address, cost) or self.denial_reason(network)
        if reason is not None:
            self.count_denied(reason, address)
        return reason

    def admit_relayed(self) -> DenialReason | None:
        """Return why a connection of a proxy, which says later where it comes from, is to be closed at once."""
        if self.closing:
            return DenialReason.CLOSING
        return DenialReason.FULL if len(self.connected) >= 2 * self.limits.connections else None

    def denial_reason(self, network: str) -> DenialReason | None:
        """Return why there is no room for a new connection from a network, after one was closed for it if need be."""
        if self.closing:
            return DenialReason.CLOSING
        others = list(self.connected)
        if self._expects is None and len(others) >= self.limits.connections:
            return DenialReason.FULL  # with `expects`, this is decided after authentication
        here = [other for other in others if other.network == network]
        if len(here) >= self.limits.per_address:
            return DenialReason.ADDRESS_FULL
        for among, most in ((here, self.limits.unauthenticated_per_address), (others, self.limits.unauthenticated)):
            unauthenticated = [other for other in among if other.identity is None]
            if len(unauthenticated) >= most and not self._evict_for(unauthenticated, network):
                return DenialReason.UNAUTHENTICATED_FULL
        return None

    def count_denied(self, why: DenialReason, address: str, user: str = "", key: str | None = None) -> None:
        """Count and log a connection that is denied."""
        self.metrics.turned_away(why)
        log.info("turned-away", extra=fields(address=address, reason=why, user=user[:MAX_CLAIMED] or None, key=key))

    @property
    def full(self) -> bool:
        """Whether guests who have authenticated come in only if a seat is kept for them."""
        known = sum(connection.identity is not None for connection in self.connected)
        return self._expects is not None and known >= self.limits.connections

    async def has_room_for(self, identity: Identity) -> bool:
        """Whether a guest who has authenticated may come in."""
        return not self.full or self._expects is None or await self._expects(identity)

    async def judge_code(
        self, address: str, text: str, user: str = "", key: str | None = None
    ) -> bool | DenialReason:
        """Return whether an invitation code is right, or why it is not looked at any more.

        A wrong one counts, and is logged with the `user` and `key` that came with it.
        """
        network = network_of(address)
        if self.quotas.locked_out(network) or not await self.quotas.try_code(network):
            return DenialReason.GUESSING
        if right := self.access.code_is_right(text):
            self.quotas.forgive_code(network)
        else:
            log.warning("wrong-invitation", extra=fields(address=address, user=user[:MAX_CLAIMED] or None, key=key))
        return right

    def forget(self, connection: C) -> None:
        """Note that a connection is gone."""
        self.connected.pop(connection, None)
        now = asyncio.get_running_loop().time()
        if (seconds := waited(connection, now)) > 0:
            self._waited.of(connection.network, now).spend(seconds, now)

    def disconnect(self, text: str) -> int:
        """Close the connections of a key (its fingerprint) or an address; return how many. A ban closes none."""
        found = [
            each
            for each in self.connected
            if canonical_address(each.address) == text or (each.identity and each.identity.key == text)
        ]
        for each in found:
            log.info("expelled", extra=fields(address=each.address, key=each.identity and each.identity.key))
            each.hang_up()
        return len(found)

    def _evict_for(self, unauthenticated: list[C], network: str) -> bool:
        """Close an unauthenticated connection for a new one if possible; return whether one was closed."""
        now = asyncio.get_running_loop().time()

        def before(network: str) -> float:
            return self._waited.of(network, now).used(now)

        connection = choose_to_evict(unauthenticated, network, now, self.limits.silent_timeout, before)
        if connection is None:
            return False
        if connection.idle_since is None:
            self.count_denied(DenialReason.UNAUTHENTICATED_FULL, connection.address)
        self.forget(connection)
        connection.hang_up()
        return True


def waited(connection: CountedConnection, now: float) -> float:
    """Return the seconds for which a connection that is read has held a place without a login."""
    if connection.identity is not None or connection.idle_since is not None:
        return 0.0
    return max(0.0, now - connection.read_since)


def choose_to_evict(
    unauthenticated: Sequence[C], network: str, now: float, grace: float, before: Callable[[str], float]
) -> C | None:
    """Choose which connection to close for a new one from `network`; None means the new one.

    1. A browser's connection between two requests: the browser opens another when it needs one.
    2. A connection that has exchanged no keys although it has been read for `grace` seconds.
    3. One of the network with the most connections, if that will still have as many as the new one's.
    4. One of the network that has held places for the longest time lately, if that is `grace` seconds longer than the
       new one's. `before` gives the seconds of its connections that have ended.

    So connections that do not log in cannot keep out an address that does not wait, however many addresses they have.
    """
    if idle := [connection for connection in unauthenticated if connection.idle_since is not None]:
        return min(idle, key=lambda connection: connection.idle_since or 0.0)
    silent_since = now - grace
    chosen = [silent for silent in unauthenticated if not silent.exchanged and silent.read_since < silent_since]
    if not chosen:
        held = Counter(connection.network for connection in unauthenticated)
        most = max(held, key=lambda name: held[name], default=network)
        if held[most] <= held[network] + 1:
            seconds = {name: before(name) for name in {*held, network}}
            for connection in unauthenticated:
                seconds[connection.network] += waited(connection, now)
            most = max(seconds, key=lambda name: seconds[name])
            if seconds[most] < seconds[network] + grace:
                return None
        chosen = [connection for connection in unauthenticated if connection.network == most]
    return min(chosen, key=lambda connection: (connection.exchanged, connection.read_since), default=None)


_LAST_MOMENT = 1.0
"""Seconds at the end for cancelled sessions to finish, and for the last bytes of others."""
IDLE = words("You were idle for too long, so the connection was closed.")
BROKEN = "Something went wrong on the host and was logged. Please reconnect."


class LocalConnection(CountedConnection):
    """A connection that this process serves, and what is asked of it."""

    @property
    def unsent(self) -> int:
        """Bytes that wait until their reader takes them."""
        return 0

    def request_end(self) -> None:
        """Ask every session to end."""

    def deny(self, why: DenialReason) -> None:
        """Close the connection now, with a reason."""

    async def wait_closed(self) -> None:
        """Return when the connection is gone."""


class Connections(Admissions[LocalConnection]):
    """All connections of one process, and who may open another."""

    def __init__(
        self,
        on_terminal: Callable[[Identity, Terminal], Awaitable[None]],
        on_link: Callable[[Identity, Link], Awaitable[None]],
        access: Access,
        limits: Limits,
        metrics: Metrics,
        expects: Expects | None = None,
        scheduler: LoopScheduler | None = None,
        quotas: Quotas | None = None,
    ) -> None:
        """The rules are those of `Admissions`."""
        super().__init__(access, limits, metrics, expects, quotas)
        self.on_terminal = on_terminal
        self.on_link = on_link
        self._logins = Tasks()
        self._sessions = Tasks()
        self._broken_logged = Buckets(1 / LOG_BROKEN_EVERY, 1, ADDRESSES_REMEMBERED)
        """Networks whose broken connections were logged lately."""
        self._handshakes_logged = Buckets(1 / LOG_BROKEN_EVERY, 1, ADDRESSES_REMEMBERED)
        """Networks whose failed handshakes were logged lately."""
        self.scheduler = scheduler or LoopScheduler()
        self.scheduler.set_limits(limits)
        self.scheduler.numbers = metrics.stages
        metrics.pulls(unsent_bytes=self.unsent)

    def admit(self, connection: LocalConnection) -> DenialReason | None:
        """Admit a new connection, or return why not; nothing has been computed for it yet."""
        reason = self.denial_reason(connection.network)
        self.connected[connection] = None  # also a refused one, so that `close` aborts it
        return reason

    async def admit_visit(self, visit: LocalConnection, identity: Identity, *, new: bool) -> DenialReason | None:  # noqa: ARG002
        """Admit a guest who has no connection of their own, or return why not; `new` ones come through a proxy, and
        nobody has looked at their address yet.
        """
        reason = self.admit_socket(visit.address, WEB_CONNECTION_COST) if new else self.denial_reason(visit.network)
        if reason is None:
            self.connected[visit] = None
        return reason

    def set_client_address(self, connection: LocalConnection, address: str) -> DenialReason | None:
        """Take note from where a proxy's connection really comes; return why it may not, if it may not."""
        connection.network = f"relayed {id(connection)}"  # it is not one more of those from there
        reason = self.admit_socket(address)
        if reason is None:
            connection.address, connection.network = address, network_of(address)
        return reason

    def report_progress(self, connection: LocalConnection) -> None:
        """Note that a connection is read from now, or has exchanged keys."""

    def throttle(self, address: str) -> None:
        """Take no new connection from an address for a while."""
        self.access.hold_off(address)

    async def claim_session(self, connection: LocalConnection, key: str | None) -> bool:
        """Return whether one more session may be opened with a key, or without one."""
        if key and not await self.quotas.claim_session(key):
            return False
        if connection not in self.connected:  # it has ended meanwhile
            self.release_session(connection)
            return False
        return True

    def release_session(self, connection: LocalConnection) -> None:
        """Note that a session that was claimed is over."""
        if connection.identity and connection.identity.key:
            self.quotas.release_session(connection.identity.key)

    def start_session(self, session: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Run a session as a task of the host; None when the host is closing."""
        if self.closing:
            session.close()
            return None
        return self._sessions.start(session, "session-failed")

    async def run_session(self, session: Awaitable[None], kind: SessionKind, identity: Identity) -> bool:
        """Do what a session does, and count it; return whether nothing has gone wrong.

        A crash ends this session only: other sessions, the tables and the host go on.
        """
        who = fields(kind=kind, user=identity.user, key=identity.key, address=identity.address)
        log.info("session-opened", extra=who)
        self.metrics.session_opened(kind)
        try:
            await session
        except BaseException as error:
            if not is_failure(error):
                raise
            log_failure("session-crashed", error, **who["fields"])
            return False
        finally:
            log.info("session-closed", extra=who)
            self.metrics.session_closed(kind)
        return True

    def start_login(self, login: Coroutine[Any, Any, None], address: str) -> asyncio.Task[None]:
        """Speak with a stranger at an address, in a task of its own."""
        return self._logins.start(login, "login-failed", address=address)

    def log_broken(self, address: str, error: Exception) -> None:
        """Log why a connection ended: by bytes for which a library raises whatever its parsers raise, or by a fault
        of ours.
        """
        if _is_ours(error):
            log_failure("connection-failed", error, address=address)
        elif self._broken_logged.take(network_of(address), asyncio.get_running_loop().time()):
            log.warning("connection-broken", extra=fields(address=address, error=type(error).__name__))

    def handshake_failed(self, address: str, reason: str) -> None:
        """Log why a connection ended before its login; `reason` may be the stranger's own words."""
        if self._handshakes_logged.take(network_of(address), asyncio.get_running_loop().time()):
            log.info("handshake-failed", extra=fields(address=address, reason=clean(reason, CHAT_LENGTH)))

    async def close(self) -> None:
        """Ask every session to end, wait a little, cancel the rest, and close the connections."""
        self.closing = True
        self.scheduler.close(Work.STRANGER, Work.INPUT)
        for connection in list(self.connected):
            with log_failures("goodbye-failed", address=connection.address):
                connection.request_end()
        loop = asyncio.get_running_loop()
        until = loop.time() + self.limits.leave_timeout
        try:
            await self._sessions.wait(self.limits.leave_timeout)
            self._sessions.cancel()
            await self._sessions.wait(_LAST_MOMENT)
            for connection in list(self.connected):
                if not connection.open_sessions:  # others may still receive something
                    connection.hang_up()
            async with Tasks() as draining:
                for connection in list(self.connected):
                    draining.start(connection.wait_closed(), "drain-failed")
                await draining.wait(max(_LAST_MOMENT, until - loop.time()))
        finally:
            self.abort()
            await self._logins.aclose()
            await self._sessions.aclose()

    def abort(self) -> None:
        """Close every connection now."""
        for connection in list(self.connected):
            connection.hang_up()

    def unsent(self) -> int:
        """Bytes that wait until their readers take them."""
        return sum(connection.unsent for connection in list(self.connected))


def _is_ours(error: Exception) -> bool:
    """Whether an error was raised by code of this program, and not by a library about what somebody sent."""
    modules = [frame.f_globals.get("__name__", "") for frame, _line in walk_tb(error.__traceback__)]
    return bool(modules) and modules[-1].partition(".")[0] in ("core", "net", "tui")
