"""What a connection has the host compute before it is let in, and for new keys later: measured, and made to wait."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from time import thread_time
from typing import Any
from weakref import ref

import asyncssh
from asyncssh.constants import MSG_IGNORE, MSG_KEXINIT, MSG_NEWKEYS
from asyncssh.kex import get_kex_algs

from net.host.access import DenialReason
from net.limits import BUSY_AT_ONCE, BUSY_SHARE, Limits
from net.rate_limit import Bucket
from net.ssh.server.handshake_queue import MIN_COST, HandshakeQueue

_WANTED = ("mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256")
KEY_EXCHANGES = [name for name in _WANTED if name.encode() in get_kex_algs()]
"""Those that cost the host 2 ms. asyncssh would offer others that take up to 40, and the client chooses."""


class CostMeter:
    """Meters one connection: above all until it has authenticated, and whenever it exchanges keys anew.

    What is computed for it meanwhile is charged to the queue of handshakes, and what a busy one sends later to that
    of the busy ones. While all of them together have had their share of the core, nothing more is read from it until
    its turn has come. Too many exchanges, or one that the other end does not go on with, end the connection.
    """

    REPLACED = ("send_packet", "create_task", "_recv_data")
    """What is put in the place of the connection's own, and holds it: to be taken out when it has ended."""

    def __init__(
        self,
        connection: asyncssh.SSHServerConnection,
        network: str,
        handshakes: HandshakeQueue,
        busy_connections: HandshakeQueue,
        limits: Limits,
        disconnect: Callable[[DenialReason], None],
    ) -> None:
        self.known = False
        """Whether it has proved who it is."""
        self.exchanged = False
        """Whether it has keys, and so is somebody who goes on when he is answered."""
        self._network = network
        self._handshakes = handshakes
        self._busy_connections = busy_connections
        self._busy = Bucket(BUSY_SHARE / MIN_COST, BUSY_AT_ONCE / MIN_COST)
        self._disconnect = disconnect
        self._timeout = limits.exchange_timeout
        self._exchanges = Bucket(1 / limits.exchange_forgiven, limits.exchanges_at_once)
        self._loop = asyncio.get_running_loop()
        self._late: asyncio.TimerHandle | None = None
        self._connection = ref(connection)
        self._waits = False
        self._watch(connection)

    def end(self) -> None:
        """Take note that the connection is gone."""
        if self._late is not None:
            self._late.cancel()

    def _watch(self, connection: Any) -> None:
        """Put ourselves between: asyncssh has no hook for any of this.

        It sends an empty packet before each full one, for old ciphers which it does not offer by itself: left out.
        `_recv_data` handles what has come, `create_task` runs what does not end at once.
        """
        send, receive, create = connection.send_packet, connection._recv_data, connection.create_task

        def send_packet(kind: int, *parts: bytes, handler: Any = None) -> None:
            if kind == MSG_IGNORE:
                return
            if kind == MSG_KEXINIT:
                self._begin()
            send(kind, *parts, handler=handler)
            if kind == MSG_NEWKEYS:
                self._done()

        def receive_data() -> None:
            begun, watched = thread_time(), self._watched
            receive()
            self._count(thread_time() - begun, watched=watched or self._watched)

        def create_task(work: Any, logger: Any = None) -> Any:
            return create(_Metered(work, self._count) if self._watched else work, logger)

        connection.send_packet, connection.create_task, connection._recv_data = send_packet, create_task, receive_data

    @property
    def _watched(self) -> bool:
        return not self.known or self._late is not None

    def _begin(self) -> None:
        """An exchange begins, whoever of the two has asked for it."""
        if self._exchanges.take(self._loop.time()):
            self._late = self._loop.call_later(self._timeout, self._disconnect, DenialReason.EXCHANGES)
        else:
            self._loop.call_soon(self._disconnect, DenialReason.EXCHANGES)  # not now: asyncssh is at work within it

    def _done(self) -> None:
        self.exchanged = True
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _count(self, seconds: float, *, watched: bool = True) -> None:
        queue = self._handshakes
        if not watched:
            now = self._loop.time()
            self._busy.spend(seconds / MIN_COST, now)
            if not self._busy.empty(now):
                return
            queue = self._busy_connections
        queue.charge(self._network, seconds)
        connection = self._connection()
        if self._waits or not queue.exhausted or connection is None:
            return
        transport = transport_of(connection)
        if transport is not None:
            self._waits = True
            transport.pause_reading()
            queue.wait(self._network, self._resume_reading, is_new=False)

    def _resume_reading(self) -> bool:
        self._waits = False
        connection = self._connection()
        return connection is not None and resume_reading(connection)


def transport_of(connection: asyncssh.SSHServerConnection) -> asyncio.Transport | None:
    """What is below a connection, if reading from it can be paused. On uvloop that is no `asyncio.Transport`."""
    transport: Any = connection._transport
    return transport if hasattr(transport, "pause_reading") else None


def resume_reading(connection: asyncssh.SSHServerConnection) -> bool:
    """Read again what a connection sends; whether it is still there."""
    transport = transport_of(connection)
    if transport is None or transport.is_closing():
        return False
    transport.resume_reading()
    return True


class _Metered(Coroutine[Any, Any, Any]):
    """Some work, and the seconds of CPU that each of its steps took."""

    def __init__(self, work: Coroutine[Any, Any, Any], spent: Callable[[float], None]) -> None:
        self._work = work
        self._spent = spent

    def send(self, value: Any) -> Any:
        begun = thread_time()
        try:
            return self._work.send(value)
        finally:
            self._spent(thread_time() - begun)

    def throw(self, *error: Any) -> Any:
        begun = thread_time()
        try:
            return self._work.throw(*error)
        finally:
            self._spent(thread_time() - begun)

    def close(self) -> None:
        self._work.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._work.__await__()
