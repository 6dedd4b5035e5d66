"""Messages between a host and one of its gateways, and the passing of sockets to the gateway.

Both are processes of this program on one machine. Messages of guests are in `net.trunk`. Connections have the
numbers that the host assigned.
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
from net.options import DoorOptions
from net.players.accounts import Banned
from net.trunk import ToFront, ToTables, TrunkMessage
from net.wire.messages import TableInfo


class GatewayConfig(TrunkMessage, frozen=True, tag="Begin"):
    """The first message to a gateway: its configuration. Texts may be empty."""

    number: int
    software: str
    house_rules: dict[str, dict[str, Value]]
    host_key: str
    log_file: str
    node: str
    """Node of a cluster, for the log."""
    door: DoorOptions


class Answer(TrunkMessage, frozen=True, tag="Answer"):
    """The answer to a question. It is not `known` if the host cannot answer."""

    question: int
    known: bool = False
    says: str | bool | tuple[str, ...] | None = None
    refusal: Words | None = None
    """Reason for the guest, if the host refuses."""


class TableListed(TrunkMessage, frozen=True, tag="TableListed"):
    """A table in the list of the lobby, with the tokens of its seats; None for one that is gone."""

    number: int
    info: TableInfo | None
    tokens: tuple[str, ...] = ()


class BanListed(TrunkMessage, frozen=True, tag="BanListed"):
    """A ban of a key or an address; None if it is lifted."""

    who: str
    ban: Banned | None


class NoticeChanged(TrunkMessage, frozen=True, tag="NoticeStands"):
    """The text that everybody reads on entering; empty if there is none."""

    text: str


class RosterChanged(TrunkMessage, frozen=True, tag="PeopleHere"):
    """The roster of the host."""

    people: Roster


class LobbyChat(TrunkMessage, frozen=True, tag="Talk"):
    """A chat message for the lobby at the other end."""

    name: str
    text: str
    maintenance: float | None = None
    """As in `net.wire.messages.Said`."""


class DenyConnection(TrunkMessage, frozen=True, tag="Deny"):
    """Close a connection, with a reason; without one, cut it."""

    connection: int
    reason: DenialReason | None = None


class CloseHost(TrunkMessage, frozen=True, tag="Close"):
    """The host closes: end all sessions, then the process."""

    again: bool = False
    """True if it may soon be back."""


class GatewayReady(TrunkMessage, frozen=True, tag="Ready"):
    """The gateway accepts connections from now on."""


class ConnectionState(TrunkMessage, frozen=True, tag="State"):
    """Progress of a connection."""

    connection: int
    reading: bool
    exchanged: bool
    identity: Identity | None = None
    """None until it has authenticated."""
    address: str = ""
    """The client's address, if a proxy has sent it."""
    idle: bool = False
    """True if a browser's last request was answered."""


class ConnectionClosed(TrunkMessage, frozen=True, tag="Gone"):
    """A connection has ended."""

    connection: int


class RegistryCall(TrunkMessage, frozen=True, tag="Ask"):
    """A call of the host: of its `Registry`, or of the methods of `GatewayProcess` with these names."""

    question: int
    method: Literal[
        "name_of", "account_of", "offer", "bind", "unbind", "record", "admit", "claim_session", "try_code"
    ]
    arguments: tuple[str | int, ...]


class AdmitGuest(TrunkMessage, frozen=True, tag="Arrives"):
    """Request to admit a guest without a connection of their own. The gateway gives them a negative number."""

    question: int
    connection: int
    address: str
    identity: Identity
    new: bool
    """True if their address was not checked yet."""


class ReleaseSession(TrunkMessage, frozen=True, tag="ReleaseSession"):
    """A claimed session has ended."""

    key: str


class ForgiveCode(TrunkMessage, frozen=True, tag="ForgiveCode"):
    """The last code of this network was right."""

    network: str


class MetricsReport(TrunkMessage, frozen=True, tag="Counted"):
    """Metrics of a gateway, sent at least once a second; also its heartbeat."""

    unsent: int | None = None
    """Bytes that wait for slow readers, if known."""
    opened: SessionKind | None = None
    closed: SessionKind | None = None
    turned_away: DenialReason | None = None
    refused: int = 0
    """Actions that were refused."""
    repaints: tuple[float, ...] = ()
    """Seconds of each repaint."""
    stages: tuple[StageSpread, ...] = ()
    floods: str = ""
    """Address that has exchanged keys too often."""


Question = RegistryCall | AdmitGuest
ToGateway = (
    GatewayConfig
    | Answer
    | TableListed
    | BanListed
    | NoticeChanged
    | RosterChanged
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


_SOCKETS_PER_ITERATION = 16
"""Connections taken in one iteration of the loop."""
_MAX_ADDRESS_BYTES = 80
"""Bytes of the longest address: IPv6 with a zone."""


def socket_pairs() -> tuple[tuple[socket.socket, socket.socket], tuple[socket.socket, socket.socket]]:
    """Return the ends of a host and of a gateway: a stream for messages, and datagrams that pass sockets."""
    host_stream, gateway_stream = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    host_datagrams, gateway_datagrams = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    host_datagrams.setblocking(False)
    gateway_datagrams.setblocking(False)
    return (host_stream, host_datagrams), (gateway_stream, gateway_datagrams)


def send_socket(
    handover_socket: socket.socket, number: int, connection: socket.socket, address: str, *, web: bool
) -> bool:
    """Pass a connection with its number and address; return False if the buffer is full."""
    try:
        header = number.to_bytes(8, "big") + bytes([web])
        socket.send_fds(handover_socket, [header + address.encode()], [connection.fileno()])
    except OSError:
        return False
    return True


def receive_sockets(handover_socket: socket.socket, take: Callable[[int, socket.socket, str, bool], None]) -> None:
    """For each connection that the host hands over, call `take(number, socket, address, is_web)`."""

    def on_readable() -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(_SOCKETS_PER_ITERATION):
                data, descriptors, _flags, _address = socket.recv_fds(handover_socket, 9 + _MAX_ADDRESS_BYTES, 1)
                for descriptor in descriptors:
                    connection = socket.socket(fileno=descriptor)
                    connection.setblocking(False)
                    take(int.from_bytes(data[:8], "big"), connection, data[9:].decode(), data[8] != 0)

    asyncio.get_running_loop().add_reader(handover_socket, on_readable)
