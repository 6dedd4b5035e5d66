"""Who came in by SSH, and the terminal that he brought: what a screen needs to know of both."""

import time
from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec import Struct

from net.limits import MAX_COLUMNS, MAX_ROWS, MAX_STUFFED, MAX_TYPED_AHEAD, REFUSED_COLUMNS, REFUSED_ROWS
from net.ssh.frames import Transport

DEFAULT_SIZE = (80, 24)
"""For terminals that claim no size, as `ssh -tt` does from a script."""
_ANSWERED = 2.0
"""Seconds after which what is painted is no answer any more: many a key changes nothing."""
_OLD_TERMINALS = ("vt", "ansi", "dumb", "sun", "wyse", "xterm-old")


class Identity(Struct, frozen=True):
    """One who logged in.

    `user` is whatever the stranger typed, at most 64 characters of it: draw it as plain text only. `key` is
    the SHA256 fingerprint of the public key whose signature was verified, and None for a guest without one.
    `address` is the IP address at the other end, `port` the one of this host to which the stranger came.
    """

    user: str
    key: str | None
    address: str
    port: int = 0


class Listener(Protocol):
    """One who shows something on a terminal."""

    def on_data(self, data: bytes) -> None:
        """Some bytes were typed, cut anywhere."""

    def on_resize(self, columns: int, rows: int) -> None:
        """The terminal has another size now, a sane one."""

    def on_pause(self) -> None:
        """The terminal does not keep up: write nothing that can be drawn again."""

    def on_resume(self) -> None:
        """The terminal has caught up."""

    def on_end(self) -> None:
        """The terminal is gone or is asked to leave: finish soon. Writing does no harm."""


def plausible_size(columns: int, rows: int) -> bool:
    """Whether any display has that size; a size that is none at all is not a claim, and harmless."""
    return columns <= REFUSED_COLUMNS and rows <= REFUSED_ROWS


def fitting_size(columns: int, rows: int) -> tuple[int, int] | None:
    """Clip a claimed size to what is drawn; None if it is no size at all, or one that no display has."""
    if columns < 1 or rows < 1 or not plausible_size(columns, rows):
        return None
    return min(columns, MAX_COLUMNS), min(rows, MAX_ROWS)


def refusal_of(name: str) -> str:
    """Why a terminal of that name shows no screen, in a sentence; empty when it does."""
    if name and name != "dumb":
        return ""
    return f"Boneyard needs a full-screen terminal; this one (TERM={name or 'nothing'}) is not."


def speaks_utf8(name: str, env: Mapping[str, str]) -> bool:
    """Say whether a terminal of that name and environment shows UTF-8; most do, so silence means yes."""
    for variable in ("LC_ALL", "LC_CTYPE", "LANG"):  # the order of setlocale(3)
        if env.get(variable):
            return env[variable].lower().replace("-", "").partition("@")[0].endswith("utf8")
    return not name.startswith(_OLD_TERMINALS)


class Terminal:
    """A terminal at the far end of a line.

    Attributes: `name` as in TERM; `env`, the few variables it sent; `size`, columns and rows, always sane;
    `utf8`; `paused`, whether it lags behind; `ended`. Whoever opened the line calls `feed`, `resize`,
    `pause`, `resume` and `end`; whoever draws calls `attach`, `write` and `detach`.
    """

    def __init__(
        self,
        transport: Transport,
        name: str,
        size: tuple[int, int],
        env: Mapping[str, str],
        *,
        repainted: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        """`repainted` is told the seconds from a key to the first byte of the answer."""
        self.name = name
        self.env = dict(env)
        self.size = fitting_size(*size) or DEFAULT_SIZE
        self.utf8 = speaks_utf8(name, env)
        self.paused = False
        self.ended = False
        self._transport = transport
        self._listener: Listener | None = None
        self._typed_ahead = b""
        self._stuffed = 0
        self._repainted = repainted
        self._typed_at: float | None = None

    def attach(self, listener: Listener) -> None:
        """Let a listener hear everything from now on, beginning with what was typed ahead."""
        self._listener = listener
        typed, self._typed_ahead = self._typed_ahead, b""
        if typed:
            listener.on_data(typed)
        if self.ended:
            listener.on_end()

    def detach(self) -> None:
        """Let nobody hear anything; what is typed from now on waits for the next listener."""
        self._listener = None
        self._typed_ahead = b""
        self._transport.resume_reading()

    def write(self, data: str | bytes) -> None:
        """Send to the screen and return at once. Text is encoded as the terminal wants it, with `?` for the
        rest.

        More than MAX_STUFFED during one pause ends the connection. Once that is gone, this does nothing.
        """
        if self._typed_at is not None:
            passed, self._typed_at = time.monotonic() - self._typed_at, None
            if passed < _ANSWERED:
                self._repainted(passed)
        if isinstance(data, str):
            data = data.encode("utf-8" if self.utf8 else "ascii", "replace")
        if self.paused:
            self._stuffed += len(data)
            if self._stuffed > MAX_STUFFED:
                self.hang_up()
                return
        self._transport.write(data)

    def pause_reading(self) -> None:
        """Hold back what is typed, in the client's own buffers if need be."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Let what is typed come again."""
        self._transport.resume_reading()

    def hang_up(self) -> None:
        """End the connection now, whatever is still unsent."""
        self._transport.hang_up()

    def feed(self, data: bytes) -> None:
        """Take in what was typed."""
        now = time.monotonic()
        if self._typed_at is None or now - self._typed_at >= _ANSWERED:
            self._typed_at = now
        if self._listener is not None:
            self._listener.on_data(data)
        else:
            self._typed_ahead = (self._typed_ahead + data)[:MAX_TYPED_AHEAD]

    def resize(self, columns: int, rows: int) -> None:
        """Take in a new size; one that is none is passed over."""
        size = fitting_size(columns, rows)
        if size is not None and size != self.size:
            self.size = size
            if self._listener is not None:
                self._listener.on_resize(*size)

    def pause(self) -> None:
        """Take note that the line is full."""
        self.paused = True
        self._stuffed = 0
        if self._listener is not None:
            self._listener.on_pause()

    def resume(self) -> None:
        """Take note that the line has room again."""
        self.paused = False
        if self._listener is not None:
            self._listener.on_resume()

    def end(self) -> None:
        """Take note that it is over; harmless when said twice."""
        if not self.ended:
            self.ended = True
            if self._listener is not None:
                self._listener.on_end()
