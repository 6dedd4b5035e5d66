"""The connections that this process serves, by whichever door they came, and the tasks of their sessions."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from traceback import walk_tb
from typing import Any, Protocol

from core.words import words
from net.doors.admissions import Admissions, Connected, Expects
from net.doors.terminal import Identity, Terminal
from net.host.access import Access, DenialReason, Elsewhere, network_of
from net.host.metrics import Metrics, SessionKind
from net.limits import ADDRESSES_REMEMBERED, LOG_BROKEN_EVERY, WEB_CONNECTION_COST, Limits
from net.logs import fields
from net.loop import LoopScheduler, Tasks, contained, is_fault, log_fault
from net.scheduler import Buckets, Work
from net.wire.link import Link

_LAST_MOMENT = 1.0
"""Seconds at the end for cancelled sessions to finish, and for the last bytes of others."""
IDLE = words("You were idle for too long, so the connection was closed.")
BROKEN = "Something went wrong on the host and was logged. Please reconnect."
log = logging.getLogger(__name__)


class Served(Connected, Protocol):
    """What is asked of a connection that this process serves."""

    @property
    def unsent(self) -> int:
        """Bytes that wait until their reader takes them."""

    def request_end(self) -> None:
        """Ask every session to end."""

    def deny(self, why: DenialReason) -> None:
        """Close the connection now, with a reason."""

    async def wait_closed(self) -> None:
        """Return when the connection is gone."""


class Connections(Admissions[Served]):
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
        elsewhere: Elsewhere | None = None,
    ) -> None:
        """The rules are those of `Admissions`."""
        super().__init__(access, limits, metrics, expects, elsewhere)
        self.on_terminal = on_terminal
        self.on_link = on_link
        self._logins = Tasks()
        self._sessions = Tasks()
        self._told_of = Buckets(1 / LOG_BROKEN_EVERY, 1, ADDRESSES_REMEMBERED)
        """Of which address the log was told lately that it sends what nobody understands."""
        self.scheduler = scheduler or LoopScheduler()
        self.scheduler.go_by(limits)
        self.scheduler.numbers = metrics.stages
        metrics.pulls(unsent_bytes=self.unsent)

    def admit(self, connection: Served) -> DenialReason | None:
        """Admit a new connection, or return why not; nothing has been computed for it yet."""
        reason = self.denial_reason(connection.network)
        self.connected[connection] = None  # also a refused one, so that `close` aborts it
        return reason

    async def admit_visit(self, visit: Served, identity: Identity, *, new: bool) -> DenialReason | None:  # noqa: ARG002
        """Admit a guest who has no connection of their own, or return why not; `new` ones come through a proxy, and
        nobody has looked at their address yet.
        """
        reason = self.admit_socket(visit.address, WEB_CONNECTION_COST) if new else self.denial_reason(visit.network)
        if reason is None:
            self.connected[visit] = None
        return reason

    def forwarded(self, connection: Served, address: str) -> DenialReason | None:
        """Take note from where a proxy's connection really comes; return why it may not, if it may not."""
        connection.network = f"relayed {id(connection)}"  # it is not one more of those from there
        reason = self.admit_socket(address)
        if reason is None:
            connection.address, connection.network = address, network_of(address)
        return reason

    def changed(self, connection: Served) -> None:
        """Note that a connection is read from now, or has exchanged keys."""

    def hold_off(self, address: str) -> None:
        """Take no new connection from an address for a while."""
        self.access.hold_off(address)

    async def check_code(self, connection: Served, text: str) -> bool | DenialReason:
        """Return whether an invitation code is right, or why it is not looked at any more; count a wrong one."""
        return await self.judge_code_everywhere(connection.address, text)

    async def claim_session(self, connection: Served, key: str | None) -> bool:
        """Return whether one more session may be opened with a key, or without one."""
        if not self.may_open_session(key):
            return False
        if key and not await self.elsewhere.claim_session(key):
            return False
        if connection not in self.connected:  # it has ended meanwhile
            self.release_session(connection)
            return False
        return True

    def release_session(self, connection: Served) -> None:
        """Note that a session that was claimed is over."""
        if connection.identity and connection.identity.key:
            self.elsewhere.release_session(connection.identity.key)

    def start_session(self, session: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Run a session as a task of the host; None when the host is closing."""
        if self.closing:
            session.close()
            return None
        return self._sessions.start(session, "session-failed")

    async def carry_out(self, session: Awaitable[None], kind: SessionKind, identity: Identity) -> bool:
        """Do what a session does, and count it; return whether nothing has gone wrong.

        A crash ends this session only: other sessions, the tables and the host go on.
        """
        who = fields(kind=kind, user=identity.user, key=identity.key, address=identity.address)
        log.info("session-opened", extra=who)
        self.metrics.session_opened(kind)
        try:
            await session
        except BaseException as error:
            if not is_fault(error):
                raise
            log_fault("session-crashed", error, **who["fields"])
            return False
        finally:
            log.info("session-closed", extra=who)
            self.metrics.session_closed(kind)
        return True

    def start_login(self, login: Coroutine[Any, Any, None], address: str) -> asyncio.Task[None]:
        """Speak with a stranger at an address, in a task of its own."""
        return self._logins.start(login, "login-failed", address=address)

    def broken(self, address: str, error: Exception) -> None:
        """Log why a connection ended: by bytes for which a library raises whatever its parsers raise, or by a fault
        of ours.
        """
        if _is_ours(error):
            log_fault("connection-failed", error, address=address)
        elif self._told_of.take(network_of(address), asyncio.get_running_loop().time()):
            log.warning("connection-broken", extra=fields(address=address, error=type(error).__name__))

    async def close(self) -> None:
        """Ask every session to end, wait a little, cancel the rest, and close the connections."""
        self.closing = True
        self.scheduler.close(Work.STRANGER, Work.INPUT)
        for connection in list(self.connected):
            with contained("goodbye-failed", address=connection.address):
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
