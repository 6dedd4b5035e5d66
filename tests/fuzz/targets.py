"""The fuzz targets: each takes bytes, and raises `Fault` or another exception only if our code has a bug."""

import contextlib
from collections.abc import Callable
from time import process_time

import msgpack
from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from core.records import RecordError, Signature, accept_nothing, referee
from net.client.client import Client
from net.client.shares import EvidenceError, read_evidence
from net.client.untrusted import decode_untrusted
from net.client.verify_match import replay_evidence
from net.host.lobby import Effects, Lobby
from net.host.presence import Visitor
from net.limits import MAX_FRAME, MAX_PASTE
from net.players.accounts import Accounts
from net.wire.link import Unframer, WireError, frame, pack, unpack
from net.wire.messages import Bye, ToClient, ToHost, Update
from tests.fuzz import nodes, strategies
from tests.fuzz.checked import check, run
from tests.net.links import RecordingLink

SLOW = 5.0
"""Maximum seconds of work for one input; most take some microseconds."""


class Target(Struct, frozen=True):
    """A function to fuzz, with its inputs."""

    name: str
    function: Callable[[bytes], None]
    inputs: Callable[[list[bytes]], SearchStrategy[bytes]]
    """Draws inputs that begin as seeds."""
    short: int
    """Number of inputs of a short run, which takes half a second or so."""


# The wire: bytes of a stream, cut anywhere, and payloads.


def wire(data: bytes) -> None:
    """Either end's decoder: messages, or a WireError; never more held than one frame."""
    for direction in (ToHost, ToClient):
        with contextlib.suppress(WireError):
            message = unpack(data, direction)
            check(pack(message) == pack(unpack(pack(message), direction)), "a message does not come back as it went")
    unframer = Unframer()
    step = 1 + (data[0] if data else 0)
    with contextlib.suppress(WireError):
        for start in range(0, len(data), step):
            for payload in unframer.feed(data[start : start + step]):
                check(len(payload) <= MAX_FRAME, "a frame over the limit is let in")
            check(len(unframer._buffer) <= MAX_FRAME + 4 + step, "more is held than one frame")
    with contextlib.suppress(WireError):
        check(Unframer().feed(frame(data)) == [data], "a frame does not come out as it went in")


# The lobby: messages of several guests, in turn; [[guest, message], …] as MessagePack.

GUESTS = 4


class _Crowd:
    """Guests in a lobby, and the invariants after each of their messages."""

    def __init__(self) -> None:
        self.time = 0.0
        codes = iter(range(10**9))
        self.lobby = Lobby(
            Accounts(),
            clock=lambda: self.time,
            new_secret=lambda: b"0123456789abcdef" * 2,
            software="fuzz",
            codes=lambda length: f"{next(codes):0{length}d}",
        )
        self.numbers: dict[tuple[int, int], int] = {}
        self.closed: set[int] = set()
        for guest in range(GUESTS):
            self.connect(guest)

    def connect(self, guest: int) -> None:
        self.closed.discard(guest)
        self.numbers = {key: number for key, number in self.numbers.items() if key[0] != guest}
        self.lobby.front.connect(guest, Visitor(f"guest {guest}", f"token {guest}" if guest % 2 else ""))

    def receive(self, guest: int, message: object) -> None:
        self.time += 0.3
        if message is None:
            self.deliver(self.lobby.disconnect(guest))
            self.connect(guest)
        elif isinstance(message, int):
            self.time += 7
            for number in list(self.lobby.tables):
                if self.lobby.delay(number) is not None:
                    self.deliver(self.lobby.step(number))
        elif guest not in self.closed:
            try:
                payload = msgpack.packb(message)
                understood = unpack(payload, ToHost)
            except (WireError, ValueError, TypeError, OverflowError, RecursionError):
                return
            self.deliver(self.lobby.receive(guest, understood))
        self.check_invariants()

    def deliver(self, effects: Effects) -> None:
        for guest, message in effects.messages:
            payload = pack(message)
            check(len(payload) <= MAX_FRAME, f"{len(payload)} bytes in one {type(message).__name__}")
            check(pack(unpack(payload, ToClient)) == payload, "the host says what no client understands")
            check(guest in self.lobby.present, "somebody is told who is not here")
            if isinstance(message, Bye):
                self.closed.add(guest)
            number = getattr(message, "number", None)
            if number is not None:
                last_number = self.numbers.get((guest, message.table.id), -1)
                check(number >= last_number, "numbers fall")
                self.numbers[guest, message.table.id] = number
        for guest in self.closed & self.lobby.present.keys():
            self.lobby.disconnect(guest)  # as the host does; no message is delivered to it any more

    def check_invariants(self) -> None:
        """Check the invariants of a host that hold for any input."""
        lobby = self.lobby
        check(len(lobby.tables) <= 3 * GUESTS, "more tables than anybody may open")
        for table in lobby.tables.values():
            chairs = table.seats.chairs
            seated = [chair.guest for chair in chairs if chair.guest >= 0]
            check(len(seated) == len(set(seated)), "somebody sits on two seats")
            watchers = [watcher.id for watcher in table.seats.watchers]
            check(len(set(watchers) | set(seated)) == len(watchers) + len(seated), "somebody sits and looks on")
            for guest in (*seated, *watchers):
                presence = lobby.present.get(guest)
                check(presence is not None and presence.table == table.id, "a table has a guest who is elsewhere")
            tokens = [chair.token for chair in chairs if chair.token]
            check(len(tokens) == len(set(tokens)), "somebody has two seats")
            if table.match is not None and table.match.over:
                check(list(referee(table.recorded.lines))[-1].match.over, "a record does not hold")
        for guest, presence in lobby.present.items():
            if presence.table:
                check(guest in lobby.tables[presence.table].guests, "somebody is at a table that does not have them")


def lobby(data: bytes) -> None:
    """Messages of several guests: no exception, and a consistent host after each."""
    crowd = _Crowd()
    try:
        steps = msgpack.unpackb(data)
    except (ValueError, RecursionError, msgpack.UnpackException):
        return
    for item in steps[:60] if isinstance(steps, list) else ():
        if isinstance(item, list) and len(item) == 2 and type(item[0]) is int:
            crowd.receive(item[0] % GUESTS, item[1])


# Records: lines of JSON.


def record(data: bytes) -> None:
    """The referee: either a record holds, or a RecordError names the first wrong line; and soon."""
    started_at = process_time()
    with contextlib.suppress(RecordError):
        for _ in referee(data.decode("utf-8", "surrogateescape").split("\n")[:3000]):
            pass
    check(process_time() - started_at < SLOW, "a record takes long to referee")


# Evidence: a file that claims to show messages of a host.


class _Nobody:
    """Keys that have signed nothing."""

    host = ""

    def check(self, statement: bytes, signature: Signature) -> str:
        return ""


def evidence(data: bytes) -> None:
    """A file of evidence: it is either invalid, or checked to its end; and soon."""
    started_at = process_time()
    with contextlib.suppress(EvidenceError):
        replay_evidence(
            read_evidence(data.decode("utf-8", "surrogateescape").split("\n")[:3000], accept_nothing), _Nobody()
        )
    check(process_time() - started_at < SLOW, "evidence takes long to judge")


# The client: frames of a hostile host, as one stream.


class _HostStream(RecordingLink):
    """A link on which a host sends `stream` and then hangs up."""

    def __init__(self, stream: bytes) -> None:
        super().__init__(message_type=None)
        self._frames = Unframer()
        self._payloads: list[bytes] | None = None
        self._stream = stream

    async def receive(self) -> bytes | None:
        if self._payloads is None:
            self._payloads = self._frames.feed(self._stream)
        return self._payloads.pop(0) if self._payloads else None


def client(data: bytes) -> None:
    """A joined client, at first and after reconnecting: only WireError, and no flood of answers."""
    link = _HostStream(data)
    joined_client = Client(link, "fuzz", entropy=lambda size: b"x" * size)
    with contextlib.suppress(WireError):
        run(joined_client.run())
    joined_client.name = joined_client.name or "ada"
    with contextlib.suppress(WireError):
        run(joined_client.run(_HostStream(data)))
    check(len(link.sent) <= 2 + data.count(b"greeting") + data.count(b"update"), "more answers than questions")
    check(len(joined_client.said) <= 100, "more is kept of what was said than a screen shows")


# Screens: the table of a hostile host, as far as it can be true.


def screen(data: bytes) -> None:
    """The table as it is drawn from any update that a joined client accepts."""
    from tests.fuzz.drawing import drawn  # noqa: PLC0415 - the other targets need no screens

    with contextlib.suppress(WireError):
        update = decode_untrusted(data)
        if isinstance(update, Update):
            started_at = process_time()
            check("".join(drawn(update)).replace("\n", "").isprintable(), "something is drawn that is no print")
            check(process_time() - started_at < SLOW, "a table takes long to draw")


# Keys: bytes typed at a session.


def keys(data: bytes) -> None:
    """The served driver's parser: after any input, the next key arrives; buffers are bounded."""
    run(_type_and_check(data))


async def _type_and_check(data: bytes) -> None:
    # Imported here: the other targets do not need Textual, which takes a second to load.
    from textual import events  # noqa: PLC0415

    from tests.fuzz.typist import Typist  # noqa: PLC0415
    from tui.terminal.driver import _INPUT_EVENTS  # noqa: PLC0415

    typist = Typist()
    step = 1 + (data[0] if data else 0)
    for start in range(0, len(data), step):
        typist.type_bytes(data[start : start + step])
        check(typist.held <= MAX_PASTE, "more is held than a paste may be long")
    for message in typist.received:
        check(isinstance(message, _INPUT_EVENTS), "a terminal says what it may not")
    typist.received.clear()
    typist.type_bytes(b"\x1b[200~\x1b[201~y")
    typist.wait_for_escape()
    last_keys = [message for message in typist.received if isinstance(message, events.Key)]
    check(last_keys and last_keys[-1].key == "y", "after this no key arrives")
    typist.end()


TARGETS = {
    target.name: target
    for target in (
        Target("wire", wire, strategies.change_packed, 300),
        Target("lobby", lobby, strategies.talk, 80),
        Target("keys", keys, strategies.splice_seeds, 150),
        Target("record", record, strategies.lines, 150),
        Target("screen", screen, strategies.update, 50),
        Target("evidence", evidence, strategies.lines, 150),
        Target("client", client, strategies.stream, 200),
        Target("lines", nodes.lines, strategies.stream, 60),
        Target("proxy", nodes.proxy, strategies.splice_seeds, 300),
    )
}
