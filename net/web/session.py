"""The session of a browser on its WebSocket: the login, then the transport of the terminal."""

import asyncio
import contextlib
import re
import secrets
from math import inf
from typing import NamedTuple

import msgspec
from aiohttp import WSMsgType, web
from msgspec import Struct

from net.doors.connections import BROKEN, IDLE, Connections
from net.doors.terminal import Identity, Note, SessionOver, Terminal, plausible_size
from net.host.access import DenialReason
from net.host.metrics import SessionKind
from net.limits import (
    CLEANUP_TIMEOUT,
    MAX_CLAIMED,
    MAX_UNSENT,
    REFUSED_COLUMNS,
    REFUSED_ROWS,
    WEB_BEHIND,
    WEB_CONTROL_COST,
    WEB_FRAME,
    WEB_FRAMES_AT_ONCE,
    WEB_FRAMES_PER_SECOND,
    WEB_UNFINISHED,
)
from net.loop import Tasks, wait_at_most
from net.players.text import quantity
from net.scheduler import Bucket
from net.web.connection import WebConnection
from net.web.proof import BadProofError, Challenge, Proof, fingerprint_of

PROTOCOL = "boneyard.1"
"""The subprotocol of the WebSocket."""
HEARTBEAT = 30.0
"""Seconds between two heartbeats; a browser that does not answer within half of that is gone."""
_BYTES_PREFIX, _MESSAGE_PREFIX = b"\0", b"\1"
"""First byte of a frame: bytes of the terminal follow, or a message."""
_MAX_LOGIN_MESSAGES = 30
"""Frames accepted before the login succeeds: invitation codes, and resizes of the window."""
_MAX_OUTPUT_FRAME = 15 * 1024
"""Bytes of terminal output in one frame: more would be compressed in a thread."""
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:-([A-Za-z]{2}))?")
WRONG_CODE = "That is not the invitation code."
NO_MESSAGE = "That was not a Boneyard message, so the connection was closed."
NO_PROOF = "Your browser did not prove its key; reload the page."
NOT_LISTED = "This host lets in only those on its list. Ask its operator to add this line: {key}"
NO_KEY = (
    "This host lets in only those with a key on its list, and your browser has none here: it makes one over https."
)
WRONG_ADDRESS = "Open this page at the address that the host has told you."


class PageOrigin(NamedTuple):
    """The host that a page belongs to."""

    origin: str
    """Origin of the page, which the browser must send."""
    name: str
    """Name of the host."""
    key: str
    """Fingerprint of its SSH key."""


class LoginRequest(Struct, frozen=True, tag_field="t", tag="enter"):
    """A page requests a login."""

    columns: int
    rows: int
    cell: tuple[int, int] | None = None
    """Width and height of a cell in pixels, if the page shows sixel images."""
    lang: str = ""
    path: str = ""
    user: str = ""
    """The name last used, perhaps with a return code."""
    named: bool = False
    """True if the player confirmed the name, or the lack of one, on the page."""
    touched: bool = False
    """True if the player's only pointer is a finger."""
    invite: str = ""
    key: Proof | None = None


class Pulse(NamedTuple):
    """A ping or a pong: the connection is alive, but the player may be away."""


class WindowResized(Struct, frozen=True, tag_field="t", tag="size"):
    """The terminal has another size."""

    columns: int
    rows: int


class Heartbeat(Struct, frozen=True, tag_field="t", tag="alive"):
    """Heartbeat of the page; the host sends the same back."""


class LoginPrompt(Struct, frozen=True, tag_field="t", tag="ask"):
    """First message of the host: the text to sign, and whether an invitation code is required."""

    nonce: str
    host: str
    name: str
    asks: bool


class LoginAccepted(Struct, frozen=True, tag_field="t", tag="in"):
    """The login has succeeded."""


class LoginRefused(Struct, frozen=True, tag_field="t", tag="no"):
    """The login has failed, and why; `asks` names a remedy: "invite" is the code."""

    why: str
    asks: str = ""


_decoder: msgspec.json.Decoder[LoginRequest | WindowResized | Heartbeat] = msgspec.json.Decoder(
    LoginRequest | WindowResized | Heartbeat
)


class WebSession:
    """A guest on a WebSocket: its login, then the `Transport` of its terminal."""

    def __init__(
        self, connection: WebConnection, connections: Connections, socket: web.WebSocketResponse, origin: PageOrigin
    ) -> None:
        self._connection = connection
        self._connections = connections
        self._socket = socket
        self._origin = origin
        self._challenge = Challenge(origin.origin, origin.key)
        self._terminal: Terminal | None = None
        self._task: asyncio.Task[None] | None = None
        self._outbox: list[bytes] = []
        self._unsent_bytes = 0
        self._wake = asyncio.Event()
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._is_over = False
        self._typed_at = asyncio.get_running_loop().time()
        self._attempts = 0
        self._frame_budget = Bucket(WEB_FRAMES_PER_SECOND, WEB_FRAMES_AT_ONCE)
        self._received_bytes = -inf
        """Bytes received since `_read_frame` began to wait for a frame; -inf while it does not wait."""

    @property
    def is_logged_in(self) -> bool:
        """True once the guest has logged in."""
        return self._task is not None and not self._task.done()

    @property
    def unsent(self) -> int:
        return self._unsent_bytes

    async def run(self) -> None:
        """Log the guest in and serve them, until they or the host leave."""
        async with Tasks() as tasks:
            sending = tasks.start(self._send_all(), "page-not-told", address=self._connection.address)
            try:
                await self._serve()
            finally:
                self.finish()
                await asyncio.wait((sending,), timeout=CLEANUP_TIMEOUT)

    async def _serve(self) -> None:
        limits, terminal = self._connections.limits, None
        try:
            async with self._connection.limit_wait(limits.login_timeout):
                terminal = await self._log_in()
        except TimeoutError:
            self.refuse("Nobody has come in for a minute; reload the page.")
        if terminal is None or self._task is None:
            return
        try:
            await self._receive_all(terminal)
        finally:
            terminal.end()
            await asyncio.wait((self._task,), timeout=CLEANUP_TIMEOUT)
            self._task.cancel()
            self._connections.release_session(self._connection)
            terminal.release()
            self._terminal = self._task = None  # an error that ended the task would keep this session in memory

    # The login

    async def _log_in(self) -> Terminal | None:
        """Run the login and start the session; return its terminal, or None if the guest was refused or left."""
        access, connections, connection = self._connections.access, self._connections, self._connection
        self._send_message(
            LoginPrompt(self._challenge.nonce, self._origin.key, self._origin.name, access.has_invitation)
        )
        for _ in range(_MAX_LOGIN_MESSAGES):
            if (request := await self._read_frame()) is None:
                return None
            if not isinstance(request, LoginRequest):
                continue
            if self._attempts:  # the first request has had its turn, for the socket
                await connection.wait_for_turn()
            self._attempts += 1
            problem = DenialReason.ATTEMPTS.sentence if self._attempts > connections.limits.login_attempts else ""
            refusal = LoginRefused(problem) if problem else await self._check_login(request)
            if refusal is None:
                return await self._start_session(request)
            self._send_message(refusal)
            if not refusal.asks:
                return None
        self._refuse_flood()
        return None

    async def _check_login(self, request: LoginRequest) -> LoginRefused | None:
        """Return the reason to refuse a login, or None; then `identity` of the connection is set."""
        connections, connection, key, key_line = self._connections, self._connection, None, ""
        if not plausible_size(request.columns, request.rows):
            return LoginRefused(
                f"Boneyard cannot draw {request.columns} columns and {request.rows} rows; "
                f"make the window smaller than {REFUSED_COLUMNS} by {REFUSED_ROWS}."
            )
        if request.key is not None:
            try:
                key_line = self._challenge.key_of(request.key)
            except BadProofError:
                return LoginRefused(NO_PROOF)
            key = fingerprint_of(key_line)
        if key is not None and connections.access.is_banned(key):
            connections.count_denied(DenialReason.BANNED, connection.address, request.user, key)
            return LoginRefused(DenialReason.BANNED.sentence)
        if not connections.access.can_enter(key):
            return LoginRefused(NOT_LISTED.format(key=key_line) if key_line else NO_KEY)
        if connections.access.must_give_code(key):
            verdict = (
                await connections.judge_code(connection.address, request.invite, request.user, key)
                if request.invite
                else False
            )
            if isinstance(verdict, DenialReason):
                return LoginRefused(verdict.sentence)
            if verdict is not True:
                return LoginRefused(WRONG_CODE if request.invite else "", "invite")
        # the guest is asked for a better name
        name = request.user[:MAX_CLAIMED] or f"guest{100 + secrets.randbelow(900)}"
        identity = Identity(name, key, connection.address, named=request.named)
        if not await connections.has_room_for(identity):
            return LoginRefused(DenialReason.FULL.sentence)
        connection.identity = identity
        connections.report_progress(connection)
        return None

    async def _start_session(self, request: LoginRequest) -> Terminal | None:
        """Begin the session of a guest who has logged in."""
        connections, identity = self._connections, self._connection.identity
        if identity is None or not await connections.claim_session(self._connection, identity.key):
            windows = quantity(connections.limits.sessions_per_key, "window", "windows")
            self._send_message(LoginRefused(f"You already have {windows} open; close one."))
            return None
        cell = request.cell if request.cell and min(request.cell) > 0 else None  # a hidden page has no cell
        self._terminal = terminal = Terminal(
            self,
            "xterm-256color",
            (request.columns, request.rows),
            {"COLORTERM": "truecolor", "LANG": _locale(request.lang)},
            on_repaint=connections.metrics.record_repaint,
            stages=connections.metrics.stages,
            pictures=cell is not None,
            pixels=cell,
            tell=self._send_message,
            link=self._origin.origin,
            path=request.path[:MAX_CLAIMED],
            touched=request.touched,
        )
        self._send_message(LoginAccepted())
        self._task = connections.start_session(self._play(identity, terminal))
        if self._task is None:
            connections.release_session(self._connection)
            self.refuse(DenialReason.CLOSING.sentence)
        return terminal

    async def _play(self, identity: Identity, terminal: Terminal) -> None:
        session = self._connections.on_terminal(identity, terminal)
        if not await self._connections.run_session(session, SessionKind.TERMINAL, identity):
            self._send_message(SessionOver(BROKEN, again=True))
        self.finish()

    # Input

    async def _receive_all(self, terminal: Terminal) -> None:
        """Handle messages of the page until it is gone, or there was no input for too long."""
        loop, timeout = asyncio.get_running_loop(), self._connections.limits.idle_timeout
        while not self._is_over:
            await self._may_read.wait()
            try:
                async with asyncio.timeout_at(self._typed_at + timeout):
                    message = await self._read_frame()
            except TimeoutError:
                self._send_message(SessionOver(IDLE.text))
                return
            match message:
                case None:
                    return
                case bytes():
                    self._typed_at = loop.time()
                    terminal.feed(message)
                case WindowResized(columns=columns, rows=rows):
                    terminal.resize(columns, rows)
                case Heartbeat() if self._unsent_bytes < WEB_BEHIND:
                    self._send_message(
                        message
                    )  # heartbeat: a page that wakes up checks that the connection still works

    def count_received(self, size: int) -> None:
        """Count `size` received bytes; hang up if too many came before them without completing a message."""
        if self._received_bytes > WEB_UNFINISHED:
            self.hang_up()
        self._received_bytes += size

    async def _read_frame(self) -> LoginRequest | WindowResized | Heartbeat | Pulse | bytes | None:
        """Return the next frame of the page: typed bytes, a message or a pulse; None at the end."""
        await asyncio.sleep(0)  # yield to others between two frames
        now = asyncio.get_running_loop().time()
        if (pause := self._frame_budget.empty_until(now) - now) > 0:
            await wait_at_most(pause, self._connection.wait_closed())
        if self._connection.is_gone:
            return None
        self._received_bytes = 0.0
        frame = await self._socket.receive()
        self._received_bytes = -inf
        cost = WEB_CONTROL_COST if frame.type in (WSMsgType.PING, WSMsgType.PONG) else 1
        self._frame_budget.spend(cost, asyncio.get_running_loop().time())
        match frame.type:
            case WSMsgType.PING:
                await self._socket.pong(frame.data)
                return Pulse()
            case WSMsgType.PONG:
                return Pulse()
            case WSMsgType.CLOSE | WSMsgType.CLOSING | WSMsgType.CLOSED | WSMsgType.ERROR:
                return None
            case WSMsgType.BINARY if frame.data[:1] == _BYTES_PREFIX:
                return bytes(frame.data[1:])
            case WSMsgType.BINARY if frame.data[:1] == _MESSAGE_PREFIX:
                with contextlib.suppress(msgspec.MsgspecError, RecursionError, ValueError):
                    return _decoder.decode(frame.data[1:])
        self._refuse_flood()
        return None

    def _refuse_flood(self) -> None:
        """Disconnect a page that sends invalid frames, and stop reading: aiohttp would go on until its goodbye."""
        self.refuse(NO_MESSAGE)
        self._connection.meter.stop_reading_for("refused")

    # Output

    def _send_message(self, message: Note | LoginPrompt | LoginAccepted | LoginRefused | Heartbeat) -> None:
        self._queue_frame(_MESSAGE_PREFIX + msgspec.json.encode(message))

    def _queue_frame(self, frame: bytes) -> None:
        if self._is_over:
            return
        self._outbox.append(frame)
        self._unsent_bytes += len(frame)
        self._wake.set()
        if self._unsent_bytes > MAX_UNSENT:
            self.hang_up()
        elif self._unsent_bytes > WEB_BEHIND and self._terminal is not None and not self._terminal.paused:
            self._terminal.pause()

    async def _send_all(self) -> None:
        """Send the outbox, until the connection is gone or the session is over and the outbox empty."""
        with contextlib.suppress(OSError):
            while self._outbox or not self._is_over:
                self._wake.clear()
                for frame in self._drain_outbox():
                    await self._socket.send_bytes(frame)
                if not self._outbox:
                    self._unsent_bytes = 0
                    if self._terminal is not None and self._terminal.paused:
                        self._terminal.resume()
                    if not self._is_over:
                        await self._wake.wait()
            await self._socket.close()
        self._is_over, self._unsent_bytes = True, 0

    def _drain_outbox(self) -> list[bytes]:
        """Drain the outbox: messages one by one, and terminal output in frames of at most
        `_MAX_OUTPUT_FRAME` bytes.
        """
        frames, output = [], bytearray()
        for part in self._outbox:
            if part[:1] == _BYTES_PREFIX:
                output += part[1:]
                continue
            frames += [
                _BYTES_PREFIX + output[i : i + _MAX_OUTPUT_FRAME] for i in range(0, len(output), _MAX_OUTPUT_FRAME)
            ]
            output.clear()
            frames.append(part)
        frames += [
            _BYTES_PREFIX + output[i : i + _MAX_OUTPUT_FRAME] for i in range(0, len(output), _MAX_OUTPUT_FRAME)
        ]
        self._outbox.clear()
        return frames

    def refuse(self, sentence: str) -> None:
        """Disconnect a guest, with a sentence."""
        if self.is_logged_in:
            self._send_message(SessionOver(sentence))
        else:
            self._send_message(LoginRefused(sentence))
        self.finish()

    def request_end(self) -> None:
        if self._terminal is not None:
            self._terminal.end()
        else:
            self.refuse(DenialReason.CLOSING.sentence)

    # The `Transport` of the terminal

    def write(self, data: bytes) -> None:
        self._queue_frame(_BYTES_PREFIX + data)

    def pause_reading(self) -> None:
        self._may_read.clear()

    def resume_reading(self) -> None:
        self._may_read.set()

    def finish(self) -> None:
        self._is_over = True
        self._wake.set()
        self._may_read.set()

    def hang_up(self) -> None:
        self._connection.hang_up()


def new_socket() -> web.WebSocketResponse:
    """Return a WebSocket for one session: received messages are small, and sent ones are compressed."""
    return web.WebSocketResponse(
        protocols=(PROTOCOL,),
        max_msg_size=WEB_FRAME,
        heartbeat=HEARTBEAT,
        autoping=False,  # aiohttp would answer pings beyond the budget of frames
        compress=True,
        decode_text=False,
        timeout=2.0,
    )


def language_of(tag: str) -> str:
    """Return the language and country at the start of a browser's tag, as in de_AT; empty if there is none."""
    match = _LANGUAGE.match(tag)
    return "_".join(filter(None, match.groups())) if match else ""


def _locale(tag: str) -> str:
    """Return LANG for a browser's language, which may be as odd as `en_US@posix`."""
    return (language_of(tag.replace("_", "-")) or "C") + ".UTF-8"
