"""Fuzz targets for trunks between the nodes of a cluster, and for a proxy's header."""

import asyncio
import contextlib
import ipaddress
import logging
from collections.abc import Iterator

from net.cluster.directory import TableHostInfo
from net.cluster.gateway_server import GatewayServer
from net.cluster.table_host_end import TableHostEnd
from net.doors.listener import MAX_HEADER_BYTES, HeaderError, bytes_missing, source_address
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.loop import Tasks
from net.players.accounts import Accounts
from net.trunk import DECODERS, ToFront, ToTables, Trunk
from net.wire.link import Unframer, memory_pair, pack
from net.wire.messages import PROTOCOL, Enter, Hello, MakeTable
from tests.fuzz.checked import check, run
from tests.net.cluster.memory import MemoryDirectory
from tests.waiting import run_loop, until

ADA = Visitor("ada", "SHA256:ada", address="192.0.2.1")


class _Wire(asyncio.Transport):
    """The transport of one end; its output is checked."""

    def __init__(self) -> None:
        super().__init__()
        self.output = b""
        self.is_closed = False

    def write(self, data: bytes) -> None:
        self.output += data

    def is_closing(self) -> bool:
        return self.is_closed

    def get_write_buffer_size(self) -> int:
        return 0

    def abort(self) -> None:
        self.is_closed = True

    close = abort


def lines(data: bytes) -> None:
    """Both ends of a trunk, for any input: no exception is raised, and their answers are valid."""
    with _quiet():
        run(_feed_table_host(data))
        run(_feed_gateway(data))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the log of malformed input."""
    logger = logging.getLogger("net")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _pieces(data: bytes):
    step = 1 + 40 * (data[0] if data else 0)
    return [data[start : start + step] for start in range(0, len(data), step)]


def _check_output(wire: _Wire, message_types) -> None:
    for payload in Unframer().feed(wire.output):
        DECODERS[message_types].decode(payload)


async def _feed_table_host(data: bytes) -> None:
    lobby = Lobby(Accounts(), new_secret=lambda: b"s" * 32, software="fuzz", clock=lambda: 0.0)
    server, wire = Server(lobby), _Wire()
    async with Tasks() as tasks:
        end = TableHostEnd(server, tasks)
        end.trunk.connection_made(wire)
        for piece in _pieces(data):
            if wire.is_closed:
                break
            end.trunk.data_received(piece)
            await asyncio.sleep(0)
        await run_loop(20)
        end.trunk.connection_lost(None)
        await until(lambda: not lobby.present)
    server.close()
    _check_output(wire, ToFront)


async def _feed_gateway(data: bytes) -> None:
    directory, wire, opened = MemoryDirectory(), _Wire(), []

    async def open_trunk(_address: str, trunk: Trunk) -> None:
        trunk.connection_made(wire)
        opened.append(trunk)

    directory.put_host("north", TableHostInfo("north"))
    front = GatewayServer(directory, open_trunk, software="fuzz")
    guest_link, gateway_link = memory_pair()
    async with front.running():
        serving = asyncio.ensure_future(front.serve(gateway_link, ADA))
        for message in (Hello(PROTOCOL, "fuzz"), Enter("ada"), MakeTable("draw", 2, {})):
            guest_link.send(pack(message))
        await run_loop(20)
        for piece in _pieces(data):
            if wire.is_closed:
                break
            opened[0].data_received(piece)
            await asyncio.sleep(0)
        opened[0].connection_lost(None)
        guest_link.close()
        await serving
        check(not front.present, "somebody is present who has gone")
    _check_output(wire, ToTables)


def proxy(data: bytes) -> None:
    """The header of the PROXY protocol: an address, nothing, or a HeaderError; no byte behind it is consumed."""
    with contextlib.suppress(HeaderError):
        header = b""
        while missing := bytes_missing(header):
            check(len(header) + missing <= MAX_HEADER_BYTES, "more is asked for than a header may have")
            piece = data[len(header) : len(header) + missing]
            if not piece:
                return
            header += piece
        if address := source_address(header):
            ipaddress.ip_address(address)
