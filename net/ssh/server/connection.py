"""An SSH connection to the host: authentication, limits on sessions, its CPU cost, and its end."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextvars import ContextVar
from time import thread_time
from typing import Any
from weakref import ref

import asyncssh

from net.doors.connections import Connections, InputMeter, LocalConnection, read_at_most
from net.doors.terminal import Identity
from net.host.access import DenialReason, canonical_address, network_of
from net.host.metrics import UNMEASURED, Stage, Stages
from net.limits import MAX_CLAIMED, READ_SIZE, Limits
from net.logs import fields
from net.loop import LoopScheduler, input_delay, log_failures
from net.players.text import quantity
from net.scheduler import Bucket, Outcome, Piece, Work
from net.ssh.asyncssh_private import (
    ask_for_more,
    ignore_wrong_guesses,
    is_sound,
    on_proof,
    release,
    resume_reading,
    send_line,
    transport_of,
    watch_exchanges,
    watch_work,
    watch_writing,
)
from net.ssh.server.session import Session


class CostMeter(InputMeter):
    """Measures the CPU time of a connection: all of it until it has authenticated, and during later key exchanges.

    This time is charged as `Work.STRANGER`, and later input of a busy connection as `Work.INPUT`. When the
    connections of a class have used up its share of the core, nothing is read from this one until its turn.

    A client that starts too many key exchanges is disconnected, after `on_flood`; so is a client that does not finish
    an exchange within `limits.exchange_timeout` seconds.
    """

    def __init__(
        self,
        connection: asyncssh.SSHServerConnection,
        network: str,
        scheduler: LoopScheduler,
        limits: Limits,
        disconnect: Callable[[DenialReason], None],
        on_exchanged: Callable[[], None],
        on_flood: Callable[[], None],
        stages: Stages = UNMEASURED,
    ) -> None:
        super().__init__(scheduler)
        self.is_authenticated = False
        """True once it has authenticated."""
        self._network = network
        self._disconnect = disconnect
        self._on_exchanged = on_exchanged
        self._on_flood = on_flood
        self._timeout = limits.exchange_timeout
        self._exchanges = Bucket(1 / limits.exchange_forgiven, limits.exchanges_at_once)
        self._loop = asyncio.get_running_loop()
        self._exchange_timer: asyncio.TimerHandle | None = None
        self._connection = ref(connection)
        self._stages = stages
        watch_exchanges(connection, self._on_exchange_begun, self._on_exchange_done)
        watch_work(
            connection, self._measure, lambda work: _Metered(work, self._charge_network) if self._is_watched else work
        )

    def end(self) -> None:
        """Stop the timer: the connection has ended."""
        if self._exchange_timer is not None:
            self._exchange_timer.cancel()

    @property
    def _is_watched(self) -> bool:
        return not self.is_authenticated or self._exchange_timer is not None

    def _on_exchange_begun(self) -> None:
        """Start the timer of a key exchange, which either end may have requested."""
        if self._exchanges.take(self._loop.time()):
            self._exchange_timer = self._loop.call_later(self._timeout, self._disconnect, DenialReason.EXCHANGES)
        else:
            self._on_flood()
            # not now: asyncssh is in the middle of this exchange
            self._loop.call_soon(self._disconnect, DenialReason.EXCHANGES)

    def _on_exchange_done(self) -> None:
        self._on_exchanged()
        if self._exchange_timer is not None:
            self._exchange_timer.cancel()
            self._exchange_timer = None

    def _measure(self, receive: Callable[[], None]) -> None:
        cpu_start, was_watched = thread_time(), self._is_watched
        self._stages.record_duration(Stage.READ, input_delay())
        with self._stages.of(Stage.DECRYPT):
            receive()
        self._charge_network(thread_time() - cpu_start, watched=was_watched or self._is_watched)

    def _charge_network(self, seconds: float, *, watched: bool = True) -> None:
        self.charge(seconds, self._network, is_stranger=watched)

    def pause_reading(self) -> bool:
        connection = self._connection()
        transport = transport_of(connection) if connection is not None else None
        if transport is None:
            return False
        transport.pause_reading()
        return True

    def resume_reading(self) -> bool:
        connection = self._connection()
        return connection is not None and resume_reading(connection)


class _Metered(Coroutine[Any, Any, Any]):
    """A coroutine that reports the CPU seconds of each of its steps."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], on_step: Callable[[float], None]) -> None:
        self._coroutine = coroutine
        self._on_step = on_step

    def send(self, value: Any) -> Any:
        cpu_start = thread_time()
        try:
            return self._coroutine.send(value)
        finally:
            self._on_step(thread_time() - cpu_start)

    def throw(self, *error: Any) -> Any:
        cpu_start = thread_time()
        try:
            return self._coroutine.throw(*error)
        finally:
            self._on_step(thread_time() - cpu_start)

    def close(self) -> None:
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._coroutine.__await__()


log = logging.getLogger(__name__)
client_address: ContextVar[str] = ContextVar("client_address", default="")
"""Address of the client of the new connection, if it came through a proxy: asyncssh creates a `Connection` in the
task that serves it.
"""


class Connection(LocalConnection, asyncssh.SSHServer):
    """An SSH connection. asyncssh refuses every request without a method here: forwarding, listening, sockets."""

    def __init__(self, connections: Connections) -> None:
        super().__init__("")
        self._connections = connections
        self._access = connections.access
        self.sessions: list[Session] = []
        self._user = ""
        self._attempts = 0
        self._cost_meter: CostMeter | None = None
        self._tried_key: str | None = None
        self._proven_key: str | None = None
        self._has_given_code = False
        self._idle_timer: asyncio.TimerHandle | None = None
        self._is_blocked = False
        self._is_denied = False
        """True once the host has denied the connection; `count_denied` logs that."""
        self._entry_check: asyncio.Task[None] | None = None
        """Task that checks for room after authentication."""

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._conn = conn
        self.address = client_address.get() or str((conn.get_extra_info("peername") or ("?",))[0])
        self.network = network_of(self.address)
        watch_writing(conn, self._pause, self._resume)
        self._send_success = on_proof(conn, self._prove)
        ignore_wrong_guesses(conn)
        if (transport := transport_of(conn)) is not None:
            read_at_most(transport, READ_SIZE)
        self._cost_meter = CostMeter(
            conn,
            self.network,
            self._connections.scheduler,
            self._connections.limits,
            self.deny,
            self._note_exchange,
            lambda: self._connections.throttle(self.address),
            self._connections.metrics.stages,
        )
        reason = self._connections.admit(self)
        if reason is None and transport is not None:
            transport.pause_reading()
            scheduler = self._connections.scheduler
            owner = scheduler.owner(Work.STRANGER, self.network)
            scheduler.submit(Piece(Work.STRANGER, owner, self._start_reading))
        if reason is not None:
            self._count_denied(reason)
            send_line(conn, reason.sentence)  # before any cryptography
            conn.abort()

    @property
    def open_sessions(self) -> int:
        return len(self.sessions)

    def _note_exchange(self) -> None:
        if not self.exchanged:
            self.exchanged = True
            self._connections.report_progress(self)

    def connection_lost(self, exc: Exception | None) -> None:
        # asyncssh has to continue: tasks that wait for the end of this connection depend on that.
        with log_failures("connection-not-forgotten", address=self.address):
            self._forget(exc)

    def _forget(self, exc: Exception | None) -> None:
        self._connections.forget(self)
        if exc is not None and not isinstance(exc, OSError | asyncssh.Error):
            self._connections.log_broken(self.address, exc)
        elif isinstance(exc, asyncssh.Error) and self.identity is None and not (self._is_denied or _hung_up(exc)):
            self._connections.log_handshake_failure(self.address, exc.reason)
        if self._cost_meter is not None:
            self._cost_meter.end()
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        # Not now: asyncssh may still be using the connection.
        asyncio.get_running_loop().call_soon(self._break_cycles)

    def _break_cycles(self) -> None:
        """Remove the reference cycles of an ended connection, so that reference counting frees it.

        Otherwise only a full garbage collection frees it, which stops the whole host for a while, and clients that
        connect again and again fill the memory.
        """
        release(self._conn)
        del self._send_success
        self._cost_meter = None

    def _start_reading(self) -> Outcome:
        """Start reading from the connection, at its turn."""
        self.read_since = asyncio.get_running_loop().time()
        self._connections.report_progress(self)
        return Outcome.DONE if resume_reading(self._conn) else Outcome.GONE

    # Authentication. OpenSSH tries "none", its keys, then keyboard-interactive, which has no question if the host
    # requires no code. Anybody who has seen a key can *offer* it, and `validate_public_key` is called for an offer as
    # well as for a signature. So the last key counts only if the proof succeeds with no other method in between:
    # asyncssh calls `validate_public_key`, checks the signature and reports success without a pause in which another
    # request could be handled. Every method sets `_tried_key` to the key to which a success would belong.

    def begin_auth(self, username: str) -> bool:
        """Require a proof from every client: otherwise a client would never present its key.

        asyncssh calls this again when the user name changes; then earlier proofs do not count.
        """
        self._user = username[:MAX_CLAIMED]
        self._tried_key = self._proven_key = None
        self._has_given_code = False
        return True

    def public_key_auth_supported(self) -> bool:
        return self._proven_key is None

    def validate_public_key(self, _username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key that the host admits; asyncssh then checks the signature."""
        self._count_attempt()
        self._tried_key = key.get_fingerprint()
        if self._access.is_banned(self._tried_key):  # somebody else might offer it, but has no reason to
            self._deny(DenialReason.BANNED)
        return self._access.can_enter(self._tried_key) and is_sound(key)

    def kbdint_auth_supported(self) -> bool:
        """True if guests without a key are admitted; the host also asks for the code this way."""
        return self._access.can_enter(None)

    def get_kbdint_challenge(
        self, _username: str, _lang: str, _submethods: str
    ) -> bool | tuple[str, str, str, list[tuple[str, bool]]]:
        self._count_attempt()
        self._tried_key = None
        if not self._access.must_give_code(self._proven_key):
            return self._access.can_enter(self._proven_key)
        return "", "", "", [("Invitation code: ", False)]

    async def validate_kbdint_response(self, _username: str, responses: Sequence[str]) -> bool:
        return await self._check_code(responses[0] if len(responses) == 1 else "")

    def password_auth_supported(self) -> bool:
        """True if there is an invitation: clients that support only passwords send the code as the password."""
        return self._access.has_invitation

    async def validate_password(self, _username: str, password: str) -> bool:
        self._count_attempt()
        return await self._check_code(password)

    def change_password(self, _username: str, _old_password: str, _new_password: str) -> bool:
        return False

    def _reached_address(self) -> tuple[int, str]:
        """Return the port and address that the client connected to; no address for guests of a proxy."""
        address, port, *_ = self._conn.get_extra_info("sockname") or ("", 0)
        peer, *_ = self._conn.get_extra_info("peername") or ("",)
        typed = canonical_address(peer) == canonical_address(self.address) and "%" not in address
        return int(port), canonical_address(address) if typed else ""

    def auth_completed(self) -> None:
        key = self._proven_key or self._tried_key
        if not self._access.can_enter(key) or (self._access.must_give_code(key) and not self._has_given_code):
            log.error("let-in-unasked", extra=fields(address=self.address, user=self._user, key=key))
            self._conn.abort()  # safeguard: if asyncssh does not call `_prove`, nobody may enter
            return
        identity = Identity(self._user, key, self.address, *self._reached_address())
        if self._connections.full:
            self._entry_check = self._connections.start_login(self._enter_if_expected(identity), self.address)
        else:
            self._enter(identity)

    async def _enter_if_expected(self, identity: Identity) -> None:
        if await self._connections.has_room_for(identity):
            self._enter(identity)
        else:
            self.deny(DenialReason.FULL)

    def _enter(self, identity: Identity) -> None:
        self.identity = identity
        if self._cost_meter is not None:
            self._cost_meter.is_authenticated = True
        self._connections.report_progress(self)
        self._watch_idleness()

    async def _prove(self) -> None:
        """Admit the guest, or keep the proved key and ask for the code.

        asyncssh calls this for a valid signature and a right code alike. A key that needs the code as well is a
        partial success (RFC 4252). After that, no other key is accepted, so that the code comes from the owner of the
        proved key.
        """
        key = self._tried_key or self._proven_key
        if not self._access.can_enter(key):
            ask_for_more(self._conn, partial=False)
        elif self._access.must_give_code(key) and not self._has_given_code:
            self._proven_key, self._tried_key = key, None
            ask_for_more(self._conn, partial=key is not None)
        else:
            await self._send_success()

    async def _check_code(self, text: str) -> bool:
        """Check a code. asyncssh cancels this when another request comes before the answer."""
        self._tried_key = None
        verdict = await self._connections.judge_code(self.address, text, self._user, self._proven_key)
        if isinstance(verdict, DenialReason):
            self._deny(verdict)
        if verdict is True:
            self._has_given_code = True
            return True
        return False

    def _count_attempt(self) -> None:
        self._attempts += 1
        if self._attempts > self._connections.limits.login_attempts:
            self._deny(DenialReason.ATTEMPTS)

    def deny(self, reason: DenialReason) -> None:
        self._count_denied(reason)
        self._conn.disconnect(asyncssh.DISC_PROTOCOL_ERROR, reason.sentence)

    def _deny(self, reason: DenialReason) -> None:
        self._count_denied(reason)
        raise asyncssh.DisconnectError(asyncssh.DISC_BY_APPLICATION, reason.sentence)

    def _count_denied(self, reason: DenialReason) -> None:
        self._is_denied = True
        self._connections.count_denied(reason, self.address, self._user, self._tried_key)

    # Sessions.

    async def session_requested(self) -> Session:
        if self._entry_check is not None:
            await asyncio.wait((self._entry_check,))
        identity, limits = self.identity, self._connections.limits
        if identity is None:
            raise asyncssh.ChannelOpenError(asyncssh.OPEN_CONNECT_FAILED, "Session refused")
        if not await self._connections.claim_session(self, identity.key):
            windows = quantity(limits.sessions_per_key, "window", "windows")
            raise _too_many(f"Your key already has {windows} open; close one.")
        if len(self.sessions) >= limits.sessions:
            self._connections.release_session(self)
            windows = quantity(limits.sessions, "window", "windows")
            raise _too_many(f"This connection already has {windows} open; close one.")
        session = Session(identity, self, self._connections)
        if self._is_blocked:
            session.block("line")
        self.sessions.append(session)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        return session

    def session_ended(self, session: Session) -> None:
        """Remove an ended session; close the connection if no other is opened in time."""
        self.sessions.remove(session)
        self._connections.release_session(self)
        if not self.sessions:
            self._watch_idleness()

    @property
    def unsent(self) -> int:
        return sum(session.unsent for session in self.sessions)

    async def wait_closed(self) -> None:
        await self._conn.wait_closed()

    def request_end(self) -> None:
        for session in list(self.sessions):
            session.request_end()

    def hang_up(self) -> None:
        self._conn.abort()

    def _watch_idleness(self) -> None:
        # When both ends have closed the last channel, everything has arrived: a closing host need not wait.
        timeout = 0 if self._connections.closing else self._connections.limits.opening_timeout
        self._idle_timer = asyncio.get_running_loop().call_later(timeout, self._conn.abort)

    def _pause(self) -> None:
        self._is_blocked = True
        for session in self.sessions:
            session.block("line")

    def _resume(self) -> None:
        self._is_blocked = False
        for session in self.sessions:
            session.unblock("line")


def _hung_up(error: asyncssh.Error) -> bool:
    """Return True if the client only closed the connection, as port scans and health checks do."""
    return isinstance(error, asyncssh.ConnectionLost) and error.reason == "Connection lost"


def _too_many(sentence: str) -> asyncssh.ChannelOpenError:
    return asyncssh.ChannelOpenError(asyncssh.OPEN_RESOURCE_SHORTAGE, sentence)
