"""One visitor of the host: who he proves to be, what he may ask for, and how he leaves."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import asyncssh

from net.limits import MAX_CLAIMED, Limits
from net.link import Link
from net.ssh.guest import Identity, Terminal
from net.ssh.session import Session

log = logging.getLogger(__name__)


class House:
    """All visitors of one host, and the tasks that entertain them."""

    def __init__(
        self,
        group: asyncio.TaskGroup,
        on_terminal: Callable[[Identity, Terminal], Awaitable[None]],
        on_link: Callable[[Identity, Link], Awaitable[None]],
        admits: Callable[[Identity], bool],
        limits: Limits,
    ) -> None:
        self.limits = limits
        self.admits = admits
        self.on_terminal = on_terminal
        self.on_link = on_link
        self.visits: dict[Visit, asyncssh.SSHServerConnection] = {}
        self._group = group
        self._tasks: set[asyncio.Task[None]] = set()
        self.closing = False

    def enter(self, visit: "Visit", connection: asyncssh.SSHServerConnection) -> bool:
        """Let a visitor as far as the hall; False when it is full."""
        here = Counter(other.address for other in self.visits)
        self.visits[visit] = connection  # also the refused one: who is aborted at closing time must be on the list
        return (
            not self.closing
            and here.total() < self.limits.connections
            and here[visit.address] < self.limits.per_address
        )

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
        for visit in list(self.visits):
            visit.farewell()
        patience = self.limits.leave_timeout
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=patience)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=patience)
        lines = list(self.visits.values())
        drained = [asyncio.create_task(line.wait_closed()) for line in lines]
        if drained:
            for visit, line in list(self.visits.items()):
                if not visit.sessions:  # the others still have something to receive
                    line.abort()
            await asyncio.wait(drained, timeout=patience)
            self.abort()
            await asyncio.wait(drained)

    def abort(self) -> None:
        """Cut every line now."""
        for line in list(self.visits.values()):
            line.abort()


class Visit(asyncssh.SSHServer):
    """One connection. Whatever is not answered here asyncssh refuses: forwarding, listening, sockets."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.sessions: list[Session] = []
        self._user = ""
        self._offered: str | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._full = False
        self.address = ""
        self.identity: Identity | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Count him in, or turn him away."""
        self._conn = conn
        self.address = str((conn.get_extra_info("peername") or ("?",))[0])
        # asyncssh leaves its transport's buffer unbounded: the channel alone pauses, and only when the
        # client's own window is full, which a client may set to 4 GiB and never read. So the socket's word
        # counts too.
        conn.pause_writing = self._pause  # type: ignore[method-assign]
        conn.resume_writing = self._resume  # type: ignore[method-assign]
        if not self._house.enter(self, conn):
            log.info("%s turned away: too many connections", self.address)
            conn.abort()

    def connection_lost(self, _exc: Exception | None) -> None:
        """Count him out."""
        self._house.visits.pop(self, None)
        if self._idle is not None:
            self._idle.cancel()

    # Who is it? OpenSSH tries "none", its keys, then keyboard-interactive, to which no question is asked. A
    # key may be *offered* by anybody who has seen it, and `validate_public_key` is called for an offer as
    # well as for a signature. So the last key asked about counts only if the login succeeds with no other
    # method in between: asyncssh calls it, checks the signature and reports success without a pause in which
    # another could slip in.

    def begin_auth(self, username: str) -> bool:
        """Ask for a proof, even of guests: without the question a client would never show its key."""
        self._user = username[:MAX_CLAIMED]
        self._offered = None
        return True

    def public_key_auth_supported(self) -> bool:
        """Keys are welcome."""
        return True

    def validate_public_key(self, _username: str, key: asyncssh.SSHKey) -> bool:
        """Take any key that the host admits; asyncssh then checks the signature."""
        self._offered = key.get_fingerprint()
        return self._house.admits(Identity(self._user, self._offered, self.address))

    def kbdint_auth_supported(self) -> bool:
        """Guests without a key come this way."""
        return True

    def get_kbdint_challenge(self, _username: str, _lang: str, _submethods: str) -> bool:
        """Let a guest in without a question, if the host admits guests."""
        self._offered = None
        return self._house.admits(Identity(self._user, None, self.address))

    def auth_completed(self) -> None:
        """Remember who it is."""
        self.identity = Identity(self._user, self._offered, self.address)
        self._watch_idleness()

    def session_requested(self) -> Session | bool:
        """Open a session, within limits."""
        if self.identity is None or len(self.sessions) >= self._house.limits.sessions:
            return False
        session = Session(self.identity, self, self._house)
        if self._full:
            session.full("line")
        self.sessions.append(session)
        if self._idle is not None:
            self._idle.cancel()
        return session

    def session_ended(self, session: Session) -> None:
        """Take note; the line is cut if nothing follows."""
        self.sessions.remove(session)
        if not self.sessions:
            self._watch_idleness()

    def farewell(self) -> None:
        """Ask every session to leave."""
        for session in list(self.sessions):
            session.farewell()

    def hang_up(self) -> None:
        """Cut the line now."""
        self._conn.abort()

    def _watch_idleness(self) -> None:
        # When the last channel is closed at both ends everything has arrived: a closing host need not wait.
        patience = 0 if self._house.closing else self._house.limits.opening_timeout
        self._idle = asyncio.get_running_loop().call_later(patience, self._conn.abort)

    def _pause(self) -> None:
        self._full = True
        for session in self.sessions:
            session.full("line")

    def _resume(self) -> None:
        self._full = False
        for session in self.sessions:
            session.free("line")
