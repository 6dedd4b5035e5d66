"""All visitors of one host, and the tasks that entertain them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

import asyncssh

from net.host.access import Doorman, Turned, neighbourhood, plain
from net.host.metrics import Metrics
from net.limits import Limits
from net.logs import fields
from net.moves_first import MovesFirst
from net.ssh.server.eviction import gives_way
from net.ssh.server.handshake_queue import Porch
from net.ssh.server.session import Session
from net.ssh.server.terminal import Identity, Terminal
from net.wire.link import Link

log = logging.getLogger(__name__)
_LAST_MOMENT = 1.0
"""Seconds, when the time to leave is over, for those who were shown out, and for the last bytes of others."""


class _Visit(Protocol):
    """What the house asks of a visit."""

    address: str
    home: str
    """Who is counted as one with him: his address, or its network."""
    identity: Identity | None
    sessions: list[Session]
    heard_at: float

    @property
    def exchanged(self) -> bool:
        """Whether keys were exchanged with him."""

    def farewell(self) -> None:
        """Ask every session to leave."""


class House:
    """All visitors of one host."""

    def __init__(
        self,
        group: asyncio.TaskGroup,
        on_terminal: Callable[[Identity, Terminal], Awaitable[None]],
        on_link: Callable[[Identity, Link], Awaitable[None]],
        doorman: Doorman,
        limits: Limits,
        metrics: Metrics,
        expects: Callable[[Identity], bool] | None = None,
        moves: MovesFirst | None = None,
    ) -> None:
        """`expects` says whether a seat is kept for somebody, who then comes in also when the house is full."""
        self._expects = expects
        self.limits = limits
        self.doorman = doorman
        self.metrics = metrics
        self.on_terminal = on_terminal
        self.on_link = on_link
        self.visits: dict[_Visit, asyncssh.SSHServerConnection] = {}
        self._group = group
        self._tasks: set[asyncio.Task[None]] = set()
        self.closing = False
        self.porch = Porch(limits.handshakes_in_all, limits.strangers_share, moves=moves)
        self.crowd = Porch(limits.handshakes_in_all, limits.busy_share, moves=moves)
        """Those who have proved who they are, and send more than others."""
        metrics.pulls(unauthenticated=lambda: _unknown(list(self.visits)), unsent_bytes=self._unsent)

    def enter(self, visit: _Visit, connection: asyncssh.SSHServerConnection) -> Turned | None:
        """Let a visitor as far as the hall, or say why not. Nothing has been computed for him yet."""
        turned = self._room(visit.home)
        self.visits[visit] = connection  # also the refused one: who is aborted at closing time must be on the list
        return turned

    def knock(self, address: str) -> Turned | None:
        """Say why a new connection is closed before it is looked at, if it is; count it and note it."""
        turned = self.doorman.knock(address) if not self.closing else Turned.CLOSING
        turned = turned or self._room(neighbourhood(address))
        if turned is not None:
            self.note(turned, address)
        return turned

    def note(self, why: Turned, address: str, user: str = "", key: str | None = None) -> None:
        """Count one who is turned away."""
        self.metrics.turned_away(why)
        log.info("turned-away", extra=fields(address=address, reason=why, user=user or None, key=key))

    def _room(self, home: str) -> Turned | None:
        if self.closing:
            return Turned.CLOSING
        others = list(self.visits)
        if self._expects is None and len(others) >= self.limits.connections:
            return Turned.FULL  # else it is seen once he has proved who he is; until then he is one of the hall
        here = [other for other in others if other.home == home]
        if len(here) >= self.limits.per_address:
            return Turned.HERE
        for among, most in ((here, self.limits.unauthenticated_per_address), (others, self.limits.unauthenticated)):
            hall = [other for other in among if other.identity is None]
            if len(hall) >= most and not self._make_room(hall, home):
                return Turned.HALL
        return None

    def welcome(self, identity: Identity) -> bool:
        """Whether there is room for one who has just proved who he is: for whom a seat is kept there always is."""
        known = sum(visit.identity is not None for visit in self.visits)
        return known < self.limits.connections or self._expects is None or self._expects(identity)

    def _make_room(self, hall: list[_Visit], home: str) -> bool:
        """Show somebody out of the full hall who is less welcome than a newcomer, if there is one."""
        now = asyncio.get_running_loop().time()
        visit = gives_way(hall, home, now - self.limits.silent_timeout)
        if visit is None:
            return False
        self.note(Turned.HALL, visit.address)
        self.visits.pop(visit).abort()
        return True

    def leave(self, visit: _Visit) -> None:
        """Take note that a visitor is gone."""
        self.visits.pop(visit, None)

    def sessions_of(self, key: str) -> int:
        """How many sessions are open by one key, on all its connections."""
        return sum(len(visit.sessions) for visit in self.visits if visit.identity and visit.identity.key == key)

    def expel(self, text: str) -> int:
        """Cut the lines of a key (its fingerprint) or of an address; return how many. A ban alone cuts none."""
        found = [
            (visit, line)
            for visit, line in self.visits.items()
            if plain(visit.address) == text or (visit.identity and visit.identity.key == text)
        ]
        for visit, line in found:
            log.info("expelled", extra=fields(address=visit.address, key=visit.identity and visit.identity.key))
            line.abort()
        return len(found)

    def entertain(self, session: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Run a session as a child of the house; None when the house is closing."""
        if self.closing:
            session.close()
            return None
        task = self._group.create_task(session)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Ask all to leave, wait a little, show the rest out, and see the lines closed."""
        self.closing = True
        self.porch.close()
        self.crowd.close()
        for visit in list(self.visits):
            visit.farewell()
        loop = asyncio.get_running_loop()
        until = loop.time() + self.limits.leave_timeout
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=self.limits.leave_timeout)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=_LAST_MOMENT)
        lines = list(self.visits.values())
        drained = [asyncio.create_task(line.wait_closed()) for line in lines]
        if drained:
            for visit, line in list(self.visits.items()):
                if not visit.sessions:  # the others still have something to receive
                    line.abort()
            await asyncio.wait(drained, timeout=max(_LAST_MOMENT, until - loop.time()))
            self.abort()
            await asyncio.wait(drained)

    def abort(self) -> None:
        """Cut every line now."""
        for line in list(self.visits.values()):
            line.abort()

    def _unsent(self) -> int:
        return sum(session.unsent for visit in list(self.visits) for session in list(visit.sessions))


def _unknown(visits: list[_Visit]) -> int:
    return sum(visit.identity is None for visit in visits)
