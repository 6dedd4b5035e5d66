"""The gateways of a host as the host sees them: it starts them, gives each new connection to one, and counts."""

import asyncio
import contextlib
import logging
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from itertools import count
from pathlib import Path
from zlib import crc32

from msgspec.structs import replace

from net.doors.accepting import HTTP, SSH, HostError, Take, accepting, turn_away
from net.doors.admissions import Expects
from net.host.access import Access, DenialReason, Elsewhere, network_of
from net.host.guest_server import GuestServer
from net.host.metrics import Metrics
from net.limits import PROXY_HEADERS, WEB_REQUEST_TIMEOUT
from net.logs import fields
from net.loop import Tasks, contained
from net.ssh.gateways.messages import Begin, Close
from net.ssh.gateways.process import Distant, Gateway, Shared, Start
from net.ssh.server.listen import OpenPort, host_key_at, open_port

AGAIN, AGAIN_AT_MOST = 0.5, 10.0
"""Seconds until a gateway that died is started again, doubled each time that it lived for less than the latter."""
_OF_GATEWAY = re.compile(rb"[A-Z]+ /plain/(\d{1,9})/")
"""How a request begins that the page of a gateway without a terminal sends to it."""
_PATH = 64
"""Bytes of a request in which that is seen."""
_LAST_MOMENT = 2.0
"""Seconds at the end, after the time for sessions to leave, until a gateway is killed."""
log = logging.getLogger(__name__)


class Gateways:
    """All gateways of a host: they are kept running, and each new connection is given to one."""

    def __init__(self, server: GuestServer, shared: Shared) -> None:
        self._server = server
        self._shared = shared
        self._behind_proxy = False
        """Whether browsers come through a proxy."""
        self._waiting = Tasks()
        """Connections of a proxy over which no request has come yet."""
        self._serving = Tasks()
        self._running: dict[int, Gateway] = {}
        self._keeping = Tasks()
        self._numbers = count(1)
        self._closing = asyncio.Event()
        shared.metrics.pulls(unsent_bytes=lambda: sum(each.unsent for each in list(self._running.values())))

    async def open(self, most: int, begin: Begin, start: Start) -> None:
        """Start so many gateways, and wait until they take connections. Raises HostError.

        Each of them has its part of the handshakes that may begin in a second.
        """
        door = begin.door
        self._behind_proxy = door.web is not None and bool(door.web.url)
        share = replace(door.access.limits, handshakes_in_all=door.access.limits.handshakes_in_all / most)
        begin = replace(begin, door=replace(door, access=replace(door.access, limits=share)))
        loop = asyncio.get_running_loop()
        begun: list[asyncio.Future[bool]] = [loop.create_future() for _ in range(most)]
        for number, future in enumerate(begun, 1):
            self._keeping.start(self._keep(replace(begin, number=number), start, future), "gateway-not-kept")
        if not all(await asyncio.gather(*begun)):
            raise HostError("A gateway could not start; the log says why.")

    def take(self, connection: socket.socket, address: str, *, web: bool = False) -> None:
        """Give a connection from an address to the gateway that serves the fewest.

        All of one browser go to one: pages without a terminal send form after form. Through a proxy each request
        comes alone, and its path says to whom it goes.
        """
        if web and self._behind_proxy:
            if len(self._waiting) >= PROXY_HEADERS:
                self._shared.count_denied(DenialReason.FULL, address)
                turn_away(connection, DenialReason.FULL, HTTP)
                return
            self._waiting.start(self._take_relayed(connection, address), "connection-not-taken")
        else:
            self._give(connection, address, network_of(address) if web else "", web=web)

    async def _take_relayed(self, connection: socket.socket, address: str) -> None:
        try:
            async with asyncio.timeout(WEB_REQUEST_TIMEOUT):
                begins = await _beginning(connection)
        except BaseException as error:
            connection.close()
            if not isinstance(error, OSError):
                raise
            return
        found = _OF_GATEWAY.match(begins)
        self._give(connection, address, wanted=int(found[1]) if found else 0, web=True)

    def _give(
        self, connection: socket.socket, address: str, network: str = "", *, wanted: int = 0, web: bool
    ) -> None:
        """Give a connection to the gateway that is wanted, or to the same for a whole network, or the emptiest."""

        def order(gateway: Gateway) -> tuple[bool, int]:
            own = f"{network} {gateway.number}".encode()
            return gateway.number != wanted, crc32(own) if network else len(gateway.connections)

        with connection:
            ready = [each for each in self._running.values() if each.ready]
            for gateway in sorted(ready, key=order):
                distant = Distant(next(self._numbers), address, gateway.line.say)
                if gateway.take(distant, connection, web=web):
                    self._shared.connected[distant] = None
                    return
            self._shared.count_denied(DenialReason.FULL, address)
            turn_away(connection, DenialReason.FULL, HTTP if web else SSH)

    async def close(self) -> None:
        """Let everybody leave, and end all gateways."""
        self._shared.closing = True
        self._closing.set()
        try:
            for gateway in self._running.values():
                gateway.line.say(Close(self._server.returns))
            await self._keeping.wait(self._shared.limits.leave_timeout + _LAST_MOMENT)
        finally:
            for gateway in self._running.values():
                gateway.kill()
            await self._serving.wait(_LAST_MOMENT)
            await self._serving.aclose()
            await self._waiting.aclose()
            await self._keeping.aclose()

    async def _keep(self, begin: Begin, start: Start, begun: asyncio.Future[bool]) -> None:
        """Keep one gateway running: start it again whenever it dies, unless the first does not even begin."""
        loop, pause = asyncio.get_running_loop(), AGAIN
        while not self._shared.closing:
            started = loop.time()
            with contained("gateway-failed", gateway=begin.number):
                await self._run(begin, start, partial(_settle, begun, ready=True))
            _settle(begun, ready=False)
            if not begun.result():
                return
            pause = AGAIN if loop.time() - started > AGAIN_AT_MOST else min(2 * pause, AGAIN_AT_MOST)
            await self._closes(pause)

    async def _run(self, begin: Begin, start: Start, on_ready: Callable[[], None]) -> None:
        gateway = Gateway(self._server, self._shared, self._serving, begin, on_ready)
        self._running[begin.number] = gateway
        try:
            status: object = await gateway.run(start)
        except OSError as error:
            status = error
        finally:
            del self._running[begin.number]
        if not self._shared.closing:
            log.error("gateway-lost", extra=fields(gateway=begin.number, status=status))

    async def _closes(self, within: float) -> None:
        """Wait so many seconds, or until the host closes."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._closing.wait()


async def _beginning(connection: socket.socket) -> bytes:
    """The first bytes that come over a connection, which stay there."""
    loop = asyncio.get_running_loop()
    readable = loop.create_future()
    loop.add_reader(connection, readable.set_result, None)
    try:
        await readable
    finally:
        loop.remove_reader(connection)
    return connection.recv(_PATH, socket.MSG_PEEK)


def _settle(begun: asyncio.Future[bool], *, ready: bool) -> None:
    if not begun.done():
        begun.set_result(ready)


@asynccontextmanager
async def serve_through_gateways(
    begin: Begin,
    start: Start,
    server: GuestServer,
    access: Access,
    metrics: Metrics,
    expects: Expects,
    elsewhere: Elsewhere | None = None,
    beside: Callable[[Shared, Take], AbstractAsyncContextManager[int]] | None = None,
) -> AsyncIterator[OpenPort]:
    """Serve a port through the workers of its door until the block ends; then none runs any more.

    It is like `net.ssh.server.listen.serve` but for who speaks SSH. `beside` opens another door, whose connections go
    to the same workers, and gives its port. Raises HostError.
    """
    key, door = host_key_at(Path(begin.host_key)), begin.door
    shared = Shared(access, door.access.limits, metrics, expects, elsewhere)
    gateways = Gateways(server, shared)
    try:
        await gateways.open(door.workers, begin, start)
        async with (
            accepting(door.bind, door.port, shared, gateways.take, door.access.proxied_by) as listening,
            beside(shared, partial(gateways.take, web=True)) if beside else nullcontext(0) as web,
        ):
            yield open_port(listening, key, shared, web)
    finally:
        await gateways.close()
