"""The connection of a browser: its meter, its transport, which several may pause, and its session."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from aiohttp import web

from net.doors.connections import Connections, InputMeter, LocalConnection
from net.doors.terminal import Identity
from net.host.access import DenialReason
from net.loop import LoopScheduler
from net.scheduler import Work


class SessionStatus(Protocol):
    """The part of a session that its connection uses."""

    @property
    def is_logged_in(self) -> bool:
        """True once the guest has logged in."""

    @property
    def unsent(self) -> int:
        """Bytes that wait for the page."""

    def count_received(self, size: int) -> None:
        """Count `size` received bytes."""

    def refuse(self, sentence: str) -> None:
        """Disconnect the guest, with a sentence."""

    def request_end(self) -> None:
        """Ask the session to end."""


class WebMeter(InputMeter):
    """The meter of a browser's connection, and its transport as aiohttp sees it: both of them may stop reading."""

    def __init__(self, scheduler: LoopScheduler) -> None:
        super().__init__(scheduler)
        self.transport: asyncio.Transport | None = None
        """None before the connection is made, and after it is lost."""
        self._pause_owners: set[str] = set()

    def pause_reading(self) -> bool:
        return self.stop_reading_for("meter")

    def resume_reading(self) -> bool:
        return self.resume_reading_for("meter")

    def stop_reading_for(self, owner: str) -> bool:
        """Stop reading for `owner`; return True if the connection is open."""
        self._pause_owners.add(owner)
        if self.transport is None or self.transport.is_closing():
            return False
        self.transport.pause_reading()
        return True

    def resume_reading_for(self, owner: str) -> bool:
        """Resume reading unless anything but `owner` has stopped it; return True if the connection is open."""
        self._pause_owners.discard(owner)
        if self.transport is None or self.transport.is_closing():
            return False
        if not self._pause_owners:
            self.transport.resume_reading()
        return True


class SharedTransport:
    """A transport that aiohttp may pause and resume without undoing the pauses of a `WebMeter`."""

    def __init__(self, transport: asyncio.Transport, meter: WebMeter) -> None:
        self._transport, self._meter = transport, meter

    def pause_reading(self) -> None:
        """Stop reading for aiohttp."""
        self._meter.stop_reading_for("aiohttp")

    def resume_reading(self) -> None:
        """Read again for aiohttp."""
        self._meter.resume_reading_for("aiohttp")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class WebConnection(LocalConnection):
    """The connection of a browser."""

    def __init__(self, address: str, connections: Connections, *, proxied: bool) -> None:
        """`proxied`: the connection counts as a network of its own until a request names its origin."""
        super().__init__(address)
        self.proxied = proxied
        """True if a proxy of ours names the clients of its requests."""
        if proxied:
            self.network = f"proxied {id(self)}"
        self.read_since = asyncio.get_running_loop().time()
        self.session: SessionStatus | None = None
        self.socket: web.WebSocketResponse | None = None
        self._connections = connections
        self._gone = asyncio.Event()
        self.meter = WebMeter(connections.scheduler)
        self._wait_timeout: asyncio.Timeout | None = None
        """Timeout of the wait for a turn or a message; a lost connection ends it at once."""

    @property
    def transport(self) -> asyncio.Transport | None:
        """The transport of the connection, while it is open."""
        return self.meter.transport

    @property
    def open_sessions(self) -> int:
        return int(self.session is not None and self.session.is_logged_in)

    @property
    def unsent(self) -> int:
        if self.transport is None or self.transport.is_closing():
            return 0
        return self.transport.get_write_buffer_size() + (self.session.unsent if self.session else 0)

    def note_request_start(self) -> None:
        """Note the start of a request."""
        self.exchanged, self.idle_since = True, None
        self._connections.report_progress(self)

    def note_request_end(self) -> bool:
        """Note the end of a request; return True if the connection may wait for another."""
        self.idle_since = asyncio.get_running_loop().time()
        self._connections.report_progress(self)
        return self.idle_since < self.read_since + self._connections.limits.login_timeout

    @contextlib.contextmanager
    def count_as(self, identity: Identity | None) -> Iterator[None]:
        """Within the block, count this connection as authenticated: its guest has logged in by another one."""
        former_identity, self.identity = self.identity, self.identity or identity
        try:
            yield
        finally:
            self.identity = former_identity

    @asynccontextmanager
    async def limit_wait(self, seconds: float) -> AsyncIterator[None]:
        """Limit the block to `seconds`; a lost connection ends it at once. Raises TimeoutError."""
        try:
            async with asyncio.timeout(seconds) as timeout:
                self._wait_timeout = timeout
                yield
        finally:
            self._wait_timeout = None

    async def wait_for_turn(self) -> None:
        """Wait for a turn of `Work.STRANGER`."""
        scheduler = self._connections.scheduler
        await scheduler.wait_for_turn(Work.STRANGER, scheduler.owner(Work.STRANGER, self.network))

    @property
    def is_gone(self) -> bool:
        """True once the connection is lost."""
        return self._gone.is_set()

    def request_end(self) -> None:
        if self.session is not None:
            self.session.request_end()
        elif self.transport is not None:
            self.transport.close()

    def deny(self, reason: DenialReason) -> None:
        self._connections.count_denied(reason, self.address)
        if self.session is not None:
            self.session.refuse(reason.sentence)
        else:
            self.hang_up()

    def hang_up(self) -> None:
        if self.transport is not None:
            self.transport.abort()
        else:
            self.close_lost()

    def close_lost(self) -> None:
        """Mark the connection as lost, and end its session."""
        self._gone.set()
        self._connections.forget(self)
        if self._wait_timeout is not None and not self._wait_timeout.expired():
            self._wait_timeout.reschedule(asyncio.get_running_loop().time())
        if self.session is not None:
            self.session.request_end()

    async def wait_closed(self) -> None:
        await self._gone.wait()
