"""An SSH session on the host: a terminal, a link, or a refusal as a sentence."""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Protocol

import asyncssh

from net.doors.connections import BROKEN, IDLE, Connections
from net.doors.terminal import (
    ASCII,
    END_OF_INPUT,
    NO_MOUSE,
    NO_PICTURES,
    PLAIN,
    Identity,
    Terminal,
    plausible_size,
    refusal_of,
)
from net.doors.terminal_queries import TIMEOUT_VARIABLE, cell_in
from net.host.metrics import SessionKind
from net.limits import CLEANUP_TIMEOUT, MAX_CLAIMED, REFUSED_COLUMNS, REFUSED_ROWS
from net.logs import fields
from net.loop import log_failures
from net.ssh.asyncssh_private import keep_environment
from net.wire.link import StreamLink, pack
from net.wire.messages import Bye

SUBSYSTEM = "boneyard"
"""The SSH subsystem that carries frames."""
_OR_PLAIN = f"Or add the word {PLAIN} to your ssh command, for lines of text."
_READ_ENV = (*b"LANG LC_ALL LC_CTYPE LC_MESSAGES COLORTERM NO_COLOR TERM_PROGRAM".split(), TIMEOUT_VARIABLE.encode())
log = logging.getLogger(__name__)


class SessionConnection(Protocol):
    """Interface of a session to its connection."""

    def session_ended(self, session: "Session") -> None:
        """Remove an ended session."""

    def hang_up(self) -> None:
        """Cut the connection now."""


class _Environment(dict[bytes, bytes]):
    """Keeps only the few variables that we read, shortened; asyncssh would keep all that a client sends."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name in _READ_ENV:
            super().__setitem__(name, value[:MAX_CLAIMED])


class Session(asyncssh.SSHServerSession[bytes]):
    """An SSH session: a terminal, a link, or a refusal as a sentence."""

    def __init__(self, identity: Identity, connection: SessionConnection, host: Connections) -> None:
        self._identity = identity
        self._connection = connection
        self._host = host
        self._size: tuple[int, int] | None = None
        self._term = ""
        self._refusal = ""
        self._cell: tuple[int, int] | None = None
        self._is_link = False
        self._wants_lines = False
        self._pictures = self._mouse = True
        self._ascii = False
        self._endpoint: Terminal | StreamLink | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_lost = False
        self._blocked_streams: set[str] = set()
        self._final_message = ""
        self._timeout = host.limits.opening_timeout
        self._loop = asyncio.get_running_loop()
        self._received_at = self._loop.time()
        self._idle_timer = self._loop.call_later(self._timeout, self._check_idle)

    @property
    def unsent(self) -> int:
        if self._endpoint is None or self._chan.is_closing():
            return 0
        waiting = self._endpoint.unsent if isinstance(self._endpoint, StreamLink) else 0
        return waiting + self._chan.get_write_buffer_size()

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._chan = chan
        keep_environment(chan, _Environment())

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], _term_modes: object) -> bool:
        self._term, self._size = term_type[:MAX_CLAIMED], (term_size[0], term_size[1])
        self._cell = cell_in(term_size[:2], term_size[2:])
        return True

    def shell_requested(self) -> bool:
        if self._size is None:
            self._refusal = f"Boneyard needs a terminal; try ssh -t. {_OR_PLAIN}"
        elif not plausible_size(*self._size):
            columns, rows = self._size
            self._refusal = (
                f"Boneyard cannot draw {columns} columns and {rows} rows; "
                f"make the window smaller than {REFUSED_COLUMNS} by {REFUSED_ROWS}."
            )
        else:
            terminal_refusal = refusal_of(self._term)
            self._refusal = f"{terminal_refusal} {_OR_PLAIN}" if terminal_refusal else ""
        return True

    def exec_requested(self, command: str) -> bool:
        """Play in lines of text, in ASCII, or without pictures or mouse, if that is the command; refuse others."""
        options = command.split()
        self._wants_lines = options == [PLAIN]
        if self._wants_lines:
            return True
        self._pictures, self._mouse = NO_PICTURES not in options, NO_MOUSE not in options
        self._ascii = ASCII in options
        if options and set(options) <= {ASCII, NO_PICTURES, NO_MOUSE}:
            return self.shell_requested()
        self._refusal = (
            f"The only commands here are {PLAIN}, {ASCII}, {NO_PICTURES} and {NO_MOUSE}; "
            "connect without a command to play on screens."
        )
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Open a link; there is no other subsystem, and so no SFTP and no SCP."""
        self._is_link = subsystem == SUBSYSTEM
        return self._is_link

    def session_started(self) -> None:
        self._received_at = self._loop.time()
        self._timeout = self._host.limits.idle_timeout
        self._idle_timer.cancel()
        self._idle_timer = self._loop.call_later(self._timeout, self._check_idle)
        if self._refusal:
            self._chan.write_stderr(f"{self._refusal}\r\n".encode())
            self._chan.exit(1)
        elif self._is_link:
            self._endpoint = link = StreamLink(self)
            self._start(self._host.on_link(self._identity, link))
        else:
            env = self._chan.get_environment()
            metrics = self._host.metrics
            self._endpoint = terminal = Terminal(
                self,
                self._term,
                self._size or (0, 0),
                env,
                on_repaint=metrics.record_repaint,
                stages=metrics.stages,
                lines=self._wants_lines,
                pictures=self._pictures,
                mouse=self._mouse,
                ascii=self._ascii,
                pixels=self._cell,
                pty=self._size is not None,
            )
            self._start(self._host.on_terminal(self._identity, terminal))
        if self._blocked_streams and self._endpoint is not None:
            self._endpoint.pause()

    def data_received(self, data: bytes, _datatype: int | None) -> None:
        self._received_at = self._loop.time()
        if self._endpoint is not None:
            self._endpoint.feed(data)

    def terminal_size_changed(self, width: int, height: int, _pixwidth: int, _pixheight: int) -> None:
        if isinstance(self._endpoint, Terminal):
            self._endpoint.resize(width, height)

    def eof_received(self) -> bool:
        """Treat the end of input as a request to leave; True keeps the channel open for the goodbye."""
        if isinstance(self._endpoint, StreamLink):
            self._endpoint.eof()
        elif self._endpoint is not None and self._endpoint.lines:
            self._endpoint.feed(END_OF_INPUT)  # the buffered input must still be read
        else:
            self.request_end()
        return True

    def pause_writing(self) -> None:
        self.block("channel")

    def resume_writing(self) -> None:
        self.unblock("channel")

    def connection_lost(self, _exc: Exception | None) -> None:
        with log_failures("session-not-ended", user=self._identity.user):  # asyncssh has to continue
            self._end_now()

    def _end_now(self) -> None:
        self._is_lost = True
        self._idle_timer.cancel()
        self._connection.session_ended(self)
        self.request_end()
        if self._task is not None:
            cancel_timer = self._loop.call_later(CLEANUP_TIMEOUT, self._task.cancel)
            self._task.add_done_callback(lambda _: cancel_timer.cancel())
            self._task.add_done_callback(self._release)
        else:
            self._endpoint = None

    def _release(self, _task: object) -> None:
        """Break the reference cycle of this session and its connection; see `Connection`."""
        self._endpoint = self._task = None

    def block(self, stream: str) -> None:
        """Note that a stream, "channel" or "line", is blocked."""
        if not self._blocked_streams and self._endpoint is not None:
            self._endpoint.pause()
        self._blocked_streams.add(stream)

    def unblock(self, stream: str) -> None:
        """Note that a stream is free again; the other of the two may still be blocked."""
        self._blocked_streams.discard(stream)
        if not self._blocked_streams and self._endpoint is not None:
            self._endpoint.resume()

    def request_end(self) -> None:
        if isinstance(self._endpoint, Terminal):
            self._endpoint.end()
        elif self._endpoint is not None:
            self._endpoint.close()

    # The `Transport` of this session's terminal or link

    def write(self, data: bytes) -> None:
        if not self._chan.is_closing():
            self._chan.write(data)

    def pause_reading(self) -> None:
        if not self._is_lost:
            self._chan.pause_reading()

    def resume_reading(self) -> None:
        if not self._is_lost:
            self._chan.resume_reading()

    def finish(self) -> None:
        self._chan.exit(0)

    def hang_up(self) -> None:
        self._connection.hang_up()

    def _start(self, handler: Awaitable[None]) -> None:
        self._task = self._host.start_session(self._run(handler))
        if self._task is None:
            self._chan.exit(1)

    def _check_idle(self) -> None:
        """End a session without input for too long; tell the guest first, if the session has started."""
        seconds_left = self._received_at + self._timeout - self._loop.time()
        if seconds_left > 0:
            self._idle_timer = self._loop.call_later(seconds_left, self._check_idle)
            return
        log.info("idle", extra=fields(user=self._identity.user, address=self._identity.address))
        if isinstance(self._endpoint, StreamLink):
            self._endpoint.send(pack(Bye(IDLE)))
        elif self._endpoint is not None:
            self._final_message = IDLE.text
        else:
            self._chan.close()
        self.request_end()
        self._idle_timer = self._loop.call_later(
            CLEANUP_TIMEOUT, self.hang_up
        )  # in case the session does not end by itself

    async def _run(self, handler: Awaitable[None]) -> None:
        has_succeeded = False
        try:
            kind = SessionKind.LINK if self._is_link else SessionKind.TERMINAL
            has_succeeded = await self._host.run_session(handler, kind, self._identity)
            if not has_succeeded and isinstance(self._endpoint, Terminal):
                self._endpoint.write(f"{BROKEN}\r\n")
        finally:
            if isinstance(self._endpoint, StreamLink):
                self._endpoint.close()
            elif self._final_message:
                self.write(f"{self._final_message}\r\n".encode())
            self._chan.exit(0 if has_succeeded else 1)
