"""All SSH connections of one host, and the tasks of their sessions."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

import asyncssh

from net.host.access import Access, DenialReason, canonical_address, network_of
from net.host.metrics import Metrics
from net.limits import Limits
from net.logs import fields
from net.moves_first import MovesFirst
from net.ssh.server.eviction import choose_to_evict
from net.ssh.server.handshake_queue import HandshakeQueue
from net.ssh.server.session import Session
from net.ssh.server.terminal import Identity, Terminal
from net.wire.link import Link

log = logging.getLogger(__name__)
_LAST_MOMENT = 1.0
"""Seconds at the end for cancelled sessions to finish, and for the last bytes of others."""


class _Connection(Protocol):
    """The parts of a connection that are used here."""

    address: str
    network: str
    """The network that its address belongs to, which limits count as one client."""
    identity: Identity | None
    sessions: list[Session]
    read_since: float

    @property
    def exchanged(self) -> bool:
        """Whether it has exchanged keys."""

    def request_end(self) -> None:
        """Ask every session to end."""


class Connections:
    """All SSH connections of one host, and who may open another."""

    def __init__(
        self,
        group: asyncio.TaskGroup,
        on_terminal: Callable[[Identity, Terminal], Awaitable[None]],
        on_link: Callable[[Identity, Link], Awaitable[None]],
        access: Access,
        limits: Limits,
        metrics: Metrics,
        expects: Callable[[Identity], bool] | None = None,
        moves: MovesFirst | None = None,
    ) -> None:
        """`expects` says whether a seat is kept for somebody, who may then enter even if the host is full."""
        self._expects = expects
        self.limits = limits
        self.access = access
        self.metrics = metrics
        self.on_terminal = on_terminal
        self.on_link = on_link
        self.connections: dict[_Connection, asyncssh.SSHServerConnection] = {}
        self._group = group
        self._tasks: set[asyncio.Task[None]] = set()
        self.closing = False
        self.handshakes = HandshakeQueue(limits.handshakes_in_all, limits.strangers_share, moves=moves)
        self.busy_connections = HandshakeQueue(limits.handshakes_in_all, limits.busy_share, moves=moves)
        """Authenticated connections that send more than others."""
        metrics.pulls(
            unauthenticated=lambda: _count_unauthenticated(list(self.connections)), unsent_bytes=self._unsent
        )

    def admit(self, connection: _Connection, ssh: asyncssh.SSHServerConnection) -> DenialReason | None:
        """Admit a new connection, or return why not; nothing has been computed for it yet."""
        reason = self._denial_reason(connection.network)
        self.connections[connection] = ssh  # also a refused one, so that `close` aborts it
        return reason

    def admit_socket(self, address: str) -> DenialReason | None:
        """Return why a new connection is to be closed at once, if it is; count and log it."""
        reason = self.access.check_address(address) if not self.closing else DenialReason.CLOSING
        reason = reason or self._denial_reason(network_of(address))
        if reason is not None:
            self.count_denied(reason, address)
        return reason

    def count_denied(self, why: DenialReason, address: str, user: str = "", key: str | None = None) -> None:
        """Count and log a connection that is denied."""
        self.metrics.turned_away(why)
        log.info("turned-away", extra=fields(address=address, reason=why, user=user or None, key=key))

    def _denial_reason(self, network: str) -> DenialReason | None:
        if self.closing:
            return DenialReason.CLOSING
        others = list(self.connections)
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

    def has_room_for(self, identity: Identity) -> bool:
        """Whether there is room for a guest who has authenticated: always if a seat is kept for them."""
        known = sum(connection.identity is not None for connection in self.connections)
        return known < self.limits.connections or self._expects is None or self._expects(identity)

    def _evict_for(self, unauthenticated: list[_Connection], network: str) -> bool:
        """Close an unauthenticated connection for a new one if possible; return whether one was closed."""
        now = asyncio.get_running_loop().time()
        connection = choose_to_evict(unauthenticated, network, now - self.limits.silent_timeout)
        if connection is None:
            return False
        self.count_denied(DenialReason.UNAUTHENTICATED_FULL, connection.address)
        self.connections.pop(connection).abort()
        return True

    def forget(self, connection: _Connection) -> None:
        """Note that a connection is gone."""
        self.connections.pop(connection, None)

    def sessions_of(self, key: str) -> int:
        """How many sessions one key has open, on all its connections."""
        return sum(
            len(connection.sessions)
            for connection in self.connections
            if connection.identity and connection.identity.key == key
        )

    def disconnect(self, text: str) -> int:
        """Close the connections of a key (its fingerprint) or an address; return how many. A ban closes none."""
        found = [
            (connection, ssh)
            for connection, ssh in self.connections.items()
            if canonical_address(connection.address) == text
            or (connection.identity and connection.identity.key == text)
        ]
        for connection, ssh in found:
            log.info(
                "expelled",
                extra=fields(address=connection.address, key=connection.identity and connection.identity.key),
            )
            ssh.abort()
        return len(found)

    def start_session(self, session: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Run a session as a task of the host; None when the host is closing."""
        if self.closing:
            session.close()
            return None
        task = self._group.create_task(session)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Ask every session to end, wait a little, cancel the rest, and close the connections."""
        self.closing = True
        self.handshakes.close()
        self.busy_connections.close()
        for connection in list(self.connections):
            connection.request_end()
        loop = asyncio.get_running_loop()
        until = loop.time() + self.limits.leave_timeout
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=self.limits.leave_timeout)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=_LAST_MOMENT)
        open_ssh = list(self.connections.values())
        drained = [asyncio.create_task(ssh.wait_closed()) for ssh in open_ssh]
        if drained:
            for connection, ssh in list(self.connections.items()):
                if not connection.sessions:  # others may still receive something
                    ssh.abort()
            await asyncio.wait(drained, timeout=max(_LAST_MOMENT, until - loop.time()))
            self.abort()
            await asyncio.wait(drained)

    def abort(self) -> None:
        """Close every connection now."""
        for ssh in list(self.connections.values()):
            ssh.abort()

    def _unsent(self) -> int:
        return sum(session.unsent for connection in list(self.connections) for session in list(connection.sessions))


def _count_unauthenticated(connections: list[_Connection]) -> int:
    return sum(connection.identity is None for connection in connections)
