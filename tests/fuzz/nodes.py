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
from tests.waiting import until

ADA = Visitor("ada", "SHA256:ada", address="192.0.2.1")


class _Wire(asyncio.Transport):
    """The transport of one end; its output is checked."""

    def __init__(self) -> None:
        super().__init__()
        self.said = b""
        self.over = False

    def write(self, data: bytes) -> None:
        self.said += data

    def is_closing(self) -> bool:
        return self.over

    def get_write_buffer_size(self) -> int:
        return 0

    def abort(self) -> None:
        self.over = True

    close = abort


def lines(data: bytes) -> None:
    """Both ends of a trunk, for any input: no exception is raised, and their answers are valid."""
    with _quiet():
        run(_at_tables(data))
        run(_at_a_front(data))


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
    return [data[at : at + step] for at in range(0, len(data), step)]


def _received(wire: _Wire, kind) -> None:
    for payload in Unframer().feed(wire.said):
        DECODERS[kind].decode(payload)


async def _at_tables(data: bytes) -> None:
    lobby = Lobby(Accounts(), new_secret=lambda: b"s" * 32, software="fuzz", clock=lambda: 0.0)
    server, wire = Server(lobby), _Wire()
    async with Tasks() as tasks:
        end = TableHostEnd(server, tasks)
        end.trunk.connection_made(wire)
        for piece in _pieces(data):
            if wire.over:
                break
            end.trunk.data_received(piece)
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        end.trunk.connection_lost(None)
        await until(lambda: not lobby.present)
    server.close()
    _received(wire, ToFront)


async def _at_a_front(data: bytes) -> None:
    directory, wire, opened = MemoryDirectory(), _Wire(), []

    async def open_trunk(_address: str, trunk: Trunk) -> None:
        trunk.connection_made(wire)
        opened.append(trunk)

    directory.put_host("north", TableHostInfo("north"))
    front = GatewayServer(directory, open_trunk, software="fuzz")
    ours, theirs = memory_pair()
    async with front.running():
        serving = asyncio.ensure_future(front.serve(theirs, ADA))
        for message in (Hello(PROTOCOL, "fuzz"), Enter("ada"), MakeTable("draw", 2, {})):
            ours.send(pack(message))
        for _ in range(20):
            await asyncio.sleep(0)
        for piece in _pieces(data):
            if wire.over:
                break
            opened[0].data_received(piece)
            await asyncio.sleep(0)
        opened[0].connection_lost(None)
        ours.close()
        await serving
        check(not front.present, "somebody is present who has gone")
    _received(wire, ToTables)


def proxy(data: bytes) -> None:
    """The header of the PROXY protocol: an address, nothing, or a HeaderError; no byte behind it is consumed."""
    with contextlib.suppress(HeaderError):
        taken = b""
        while more := bytes_missing(taken):
            check(len(taken) + more <= MAX_HEADER_BYTES, "more is asked for than a header may have")
            piece = data[len(taken) : len(taken) + more]
            if not piece:
                return
            taken += piece
        if address := source_address(taken):
            ipaddress.ip_address(address)
