"""What lies between a host and one of its gateways: what they tell each other, and a way for sockets to the gateway.

Both are this program, started by the host, on one machine. What is said of guests is in `net.lines.line`. Connections
have the numbers that the host gave them.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from core.variant import Value
from core.words import Words
from net.doors.terminal import Identity
from net.host.access import DenialReason
from net.host.metrics import SessionKind, StageSpread
from net.host.presence import Roster
from net.lines.line import ToFront, ToTables, TrunkMessage
from net.options import DoorOptions
from net.players.accounts import Banned
from net.wire.messages import TableInfo


class GatewayConfig(TrunkMessage, frozen=True, tag="Begin"):
    """The first that a gateway hears: all that it must know of the host. Texts may be empty."""

    number: int
    software: str
    house_rules: dict[str, dict[str, Value]]
    host_key: str
    log_file: str
    node: str
    """Of a cluster, for the log."""
    door: DoorOptions


class Answer(TrunkMessage, frozen=True, tag="Answer"):
    """The answer to a question. One that could not be answered is not `known`."""

    question: int
    known: bool = False
    says: str | bool | tuple[str, ...] | None = None
    refusal: Words | None = None
    """Why not, for the guest."""


class TableListed(TrunkMessage, frozen=True, tag="TableListed"):
    """A table as lobbies show it, with the tokens of its seats; None for one that is gone."""

    number: int
    info: TableInfo | None
    tokens: tuple[str, ...] = ()


class BanListed(TrunkMessage, frozen=True, tag="BanListed"):
    """A key or an address is banned; None if it is no longer."""

    who: str
    ban: Banned | None


class NoticeStands(TrunkMessage, frozen=True, tag="NoticeStands"):
    """The text that everybody reads on entering; empty for none."""

    text: str


class PeopleHere(TrunkMessage, frozen=True, tag="PeopleHere"):
    """Who is on the host."""

    people: Roster


class LobbyChat(TrunkMessage, frozen=True, tag="Talk"):
    """What somebody has said in the lobby, for those who are in it at the other end."""

    name: str
    text: str


class DenyConnection(TrunkMessage, frozen=True, tag="Deny"):
    """Close a connection, with a reason; without one, cut it."""

    connection: int
    reason: DenialReason | None = None


class CloseHost(TrunkMessage, frozen=True, tag="Close"):
    """The host closes: let everybody leave, then end."""

    again: bool = False
    """Whether it may soon be back."""


class GatewayReady(TrunkMessage, frozen=True, tag="Ready"):
    """The gateway takes connections from now on."""


class ConnectionState(TrunkMessage, frozen=True, tag="State"):
    """How far a connection has come."""

    connection: int
    reading: bool
    exchanged: bool
    identity: Identity | None = None
    """None until it has authenticated."""
    address: str = ""
    """Where it really comes from, if a proxy has said so."""
    idle: bool = False
    """Whether a browser's last request was answered."""


class ConnectionClosed(TrunkMessage, frozen=True, tag="Gone"):
    """A connection is over."""

    connection: int


class RegistryCall(TrunkMessage, frozen=True, tag="Ask"):
    """A call of the host: of its `Registry`, or of the methods of `GatewayProcess` with these names."""

    question: int
    method: Literal[
        "name_of", "account_of", "offer", "bind", "unbind", "record", "admit", "claim_session", "try_code"
    ]
    arguments: tuple[str | int, ...]


class AdmitGuest(TrunkMessage, frozen=True, tag="Arrives"):
    """May a guest come in who has no connection of their own? The gateway gives them a number below 0."""

    question: int
    connection: int
    address: str
    identity: Identity
    new: bool
    """Whether nobody has looked at their address yet."""


class ReleaseSession(TrunkMessage, frozen=True, tag="ReleaseSession"):
    """A session that was claimed is over."""

    key: str


class ForgiveCode(TrunkMessage, frozen=True, tag="ForgiveCode"):
    """The code that was tried last was right."""

    network: str


class MetricsReport(TrunkMessage, frozen=True, tag="Counted"):
    """What a gateway has counted. It says so at least once a second, which also tells that it is alive."""

    unsent: int | None = None
    """Bytes that wait for slow readers, where it has looked."""
    opened: SessionKind | None = None
    closed: SessionKind | None = None
    turned_away: DenialReason | None = None
    refused: int = 0
    """Messages that were refused in words."""
    repaints: tuple[float, ...] = ()
    """Seconds."""
    stages: tuple[StageSpread, ...] = ()
    floods: str = ""
    """An address from which keys were exchanged too often."""


Question = RegistryCall | AdmitGuest
ToGateway = (
    GatewayConfig
    | Answer
    | TableListed
    | BanListed
    | NoticeStands
    | PeopleHere
    | LobbyChat
    | DenyConnection
    | CloseHost
    | ToFront
)
FromGateway = (
    GatewayReady
    | ConnectionState
    | ConnectionClosed
    | Question
    | ReleaseSession
    | ForgiveCode
    | MetricsReport
    | LobbyChat
    | ToTables
)
DECODERS: dict[Any, Any] = {kind: msgspec.msgpack.Decoder(kind) for kind in (ToGateway, FromGateway)}


_SOCKETS_AT_ONCE = 16
"""Connections taken in one turn of the loop."""
_ADDRESS = 80
"""Bytes of an address, at most; one of IPv6 with its zone is the longest."""


def line_pair() -> tuple[tuple[socket.socket, socket.socket], tuple[socket.socket, socket.socket]]:
    """Return what a host keeps and what a gateway gets: a stream for messages, and datagrams for sockets."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    giving, taking = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    giving.setblocking(False)
    taking.setblocking(False)
    return (here, giving), (there, taking)


def give(giving: socket.socket, number: int, connection: socket.socket, address: str, *, web: bool) -> bool:
    """Hand over a connection under a number, from an address, maybe of a browser; return whether there was room for
    it on the way.
    """
    try:
        head = number.to_bytes(8, "big") + bytes([web])
        socket.send_fds(giving, [head + address.encode()], [connection.fileno()])
    except OSError:
        return False
    return True


def take_all(taking: socket.socket, take: Callable[[int, socket.socket, str, bool], None]) -> None:
    """Call `take` with each number, connection and address that was handed over, whenever one comes, and with whether
    it is of a browser.
    """

    def ready() -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(_SOCKETS_AT_ONCE):
                data, descriptors, _flags, _address = socket.recv_fds(taking, 9 + _ADDRESS, 1)
                for descriptor in descriptors:
                    connection = socket.socket(fileno=descriptor)
                    connection.setblocking(False)
                    take(int.from_bytes(data[:8], "big"), connection, data[9:].decode(), data[8] != 0)

    asyncio.get_running_loop().add_reader(taking, ready)
