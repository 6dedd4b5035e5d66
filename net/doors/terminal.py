"""The identity of a guest who has logged in, by any entrance, their terminal, and messages for a page."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from msgspec import Struct

from core.words import Words, words
from net.doors.terminal_queries import Answers, answer_timeout, build_queries, fitting_cell
from net.host.metrics import UNMEASURED, Stage, Stages
from net.host.presence import Visitor
from net.limits import MAX_BLOCKED_OUTPUT, MAX_COLUMNS, MAX_ROWS, MAX_TYPED_AHEAD, REFUSED_COLUMNS, REFUSED_ROWS
from net.loop import wait_at_most
from net.players.text import split_user
from net.wire.link import Transport


class KeyOffer(Struct, frozen=True):
    """A key that the current screen offers: the bytes it sends, its label, and its effect."""

    key: str
    shown: str
    does: str


class BarButton(Struct, frozen=True):
    """A button of the bar on a page that is touched: the bytes it sends, and its words."""

    key: str
    does: str
    kind: str = ""
    """`main` for the button to press now, `idle` for one that is not due, `share` to share the link."""


class KeyOffers(Struct, frozen=True, tag_field="t", tag="keys"):
    """Keys that the current screen offers, whether it takes text, and the buttons that matter now."""

    keys: tuple[KeyOffer, ...]
    text: bool = False
    bar: tuple[BarButton, ...] = ()


class TurnNotice(Struct, frozen=True, tag_field="t", tag="turn"):
    """Notice whether it is the player's turn, and whether to alert them."""

    on: bool
    call: bool = False


class GuestLocation(Struct, frozen=True, tag_field="t", tag="at"):
    """Deep link to the guest's location; and one for others, for example to a match that is over."""

    path: str
    share: str


class GuestName(Struct, frozen=True, tag_field="t", tag="name"):
    """Name of the guest, and the return code of one without a key."""

    user: str
    code: str = ""


class SessionOver(Struct, frozen=True, tag_field="t", tag="bye"):
    """Notice that the session is over, and why; `again` if the host expects to be back."""

    why: str
    again: bool = False


class LinkRow(NamedTuple):
    """A row of the entrance: a link, its name, words about it, and words for its button."""

    path: str
    name: str
    about: str = ""
    button: str = ""
    is_free: bool = False
    """True if a seat there is free."""


class LinkPreview(NamedTuple):
    """A messenger's preview of a deep link."""

    title: str
    words: str
    seats: tuple[tuple[str, str, bool], ...] = ()
    """Of each seat of a table: the name, a word about its player, and True if it is free."""
    main: LinkRow | None = None
    """The main button, if it leads elsewhere than the link; `about` is the sentence below it."""
    asks_code: bool = False
    """True if a guest needs the code of the table."""
    tables: tuple[LinkRow, ...] = ()
    games: tuple[LinkRow, ...] = ()


Note = KeyOffers | TurnNotice | GuestLocation | GuestName | SessionOver
Tell = Callable[[Note], None]


DEFAULT_SIZE = (80, 24)
"""Size of terminals that report none, such as those of `ssh -tt` in a script."""
_REPAINT_TIMEOUT = 2.0
"""Seconds after which output is no answer to a key any more: many keys change nothing."""
ANSWER_TIMEOUT = 2.0
"""Seconds for a terminal to answer queries. Nearly all answer as fast as the network is."""
_ESC_TIMEOUT = 0.05
"""Seconds after which an Esc counts as typed, while an answer may still come."""
PLAIN = "plain"
"""Command of a guest with only ssh, to play in lines of text."""
NO_PICTURES = "no-pictures"
"""Command of a guest to draw tiles with characters."""
NO_MOUSE = "no-mouse"
"""Command of a guest to leave the mouse to the terminal, for copying; it can be combined with `NO_PICTURES`."""
ASCII = "ascii"
"""Command of a guest to draw everything in ASCII; it can be combined with the others."""
MOUSE = "\x1b[?1000h\x1b[?1006h"
"""Has a terminal report clicks; 1003 would report every motion, and a bored guest would flood the connection."""
NO_MOUSE_REPORTS = "\x1b[?1000l\x1b[?1006l"
_ENTER = "\x1b[?1049h{query}\x1b[2J\x1b[H\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1004h"
CLEAR = "\x1b[0m\x1b[2J\x1b[H"
"""Clears a terminal without an alternate screen, or the game would stay there and the shell write over it."""
LEAVE = f"\x1b[?2026l\x1b[?1006l\x1b[?1000l\x1b[?1004l\x1b[?2004l\x1b[?7h{CLEAR}\x1b[?1049l\x1b[?25h"
_SYNC_QUERY = "\x1b[?2026$p"
"""Queries synchronized output. Stands before the clearing of the screen: Apple's terminal prints a stray "p"."""
_NO_SYNC_QUERY = ("vt", "linux", "ansi")
END_OF_INPUT = b"\x04"
"""Ctrl-D; for lines of text, the end of the input comes as the same."""
_OLD_TERMINALS = ("vt", "ansi", "dumb", "sun", "wyse", "xterm-old")


class Identity(Struct, frozen=True):
    """Result of a login.

    `user` is the user name that the guest typed, at most 64 characters of it: draw it as plain text only. `key` is
    the SHA256 fingerprint of the public key whose signature was verified, and None for a guest without one. `address`
    is the client's IP address; `reached` and `port` are the address and port of this host that the client connected
    to, as far as they are known.
    """

    user: str
    key: str | None
    address: str
    port: int = 0
    reached: str = ""
    named: bool = False
    """True if the guest confirmed the name before the login, as in a browser."""


def visitor(identity: Identity) -> Visitor:
    """Return the visitor of a login; without a key, a return code in the user name is used."""
    user, code = split_user(identity.user)
    return Visitor(
        user, identity.key or "", "" if identity.key else code, identity.address, identity.port, named=identity.named
    )


class Listener(Protocol):
    """Receiver of a terminal's events."""

    def on_data(self, data: bytes) -> None:
        """Handle typed bytes; a key's bytes may be split between two calls."""

    def on_resize(self, columns: int, rows: int) -> None:
        """Handle a new size, within our limits."""

    def on_pause(self) -> None:
        """Write nothing that can be drawn again: the terminal cannot keep up."""

    def on_resume(self) -> None:
        """Draw again: the terminal has caught up."""

    def on_end(self) -> None:
        """Finish soon: the terminal is gone or is asked to leave. Writing is still allowed."""

    def on_stop(self) -> None:
        """Clean up the terminal: the process is about to be stopped by job control."""

    def on_continue(self) -> None:
        """Draw everything: the process runs again, and the terminal shows nothing."""


def plausible_size(columns: int, rows: int) -> bool:
    """Return True if a display may have that size; 0 means that the client did not report one."""
    return columns <= REFUSED_COLUMNS and rows <= REFUSED_ROWS


def fitting_size(columns: int, rows: int) -> tuple[int, int] | None:
    """Clip a reported size to what is drawn; None if there is none, or it is not plausible."""
    if columns < 1 or rows < 1 or not plausible_size(columns, rows):
        return None
    return min(columns, MAX_COLUMNS), min(rows, MAX_ROWS)


def refusal_of(name: str) -> Words | None:
    """Return the reason why a terminal of that name shows no screen; None if it does."""
    if name and name != "dumb":
        return None
    return words("Boneyard needs a full-screen terminal; this one (TERM={name}) is not.", name=name or "nothing")


def is_utf8_terminal(name: str, env: Mapping[str, str]) -> bool:
    """Return True if a terminal of that name and environment shows UTF-8; most do, so that is the default."""
    for variable in ("LC_ALL", "LC_CTYPE", "LANG"):  # the order of setlocale(3)
        if env.get(variable):
            return env[variable].lower().replace("-", "").partition("@")[0].endswith("utf8")
    return not name.startswith(_OLD_TERMINALS)


class NullTransport:
    """Null object: the transport of a terminal whose connection is over."""

    def write(self, data: bytes) -> None:
        """Drop the bytes."""

    def pause_reading(self) -> None:
        """Do nothing."""

    resume_reading = finish = hang_up = pause_reading


class Terminal:
    """A terminal: bytes in, bytes out, a size, and back-pressure.

    Attributes: `is_local`, whether it belongs to the person who runs this process, and not to a guest; `name` as in
    TERM; `env`, the few variables that it sent; `size`, columns and rows, within our limits; `utf8`; `ascii`, whether
    to draw only in ASCII; `paused`, whether its connection is blocked; `ended`; `lines`, whether its guest asked for
    lines of text instead of screens; `pictures`, unless its guest has refused them; `cell`, the pixels of a cell if
    it shows pictures; `pty`, whether it is interactive, and `echo`, whether to echo typed text. A page has `tell`,
    which sends it messages, the `link` and `path` by which its guest has come, and `touched`, whether that guest has
    only a finger. Its connection calls `feed`, `resize`, `pause`, `resume` and `end`; the screen calls `attach`,
    `write`, `detach`, and the `Transport`'s methods that pause and resume reading.
    """

    is_local = False

    def __init__(
        self,
        transport: Transport,
        name: str,
        size: tuple[int, int],
        env: Mapping[str, str],
        *,
        on_repaint: Callable[[float], None] = lambda _seconds: None,
        stages: Stages = UNMEASURED,
        lines: bool = False,
        pictures: bool = True,
        mouse: bool = True,
        ascii: bool = False,
        pixels: tuple[int, int] | None = None,
        pty: bool = True,
        echo: bool = True,
        tell: Tell | None = None,
        link: str = "",
        path: str = "",
        touched: bool = False,
    ) -> None:
        """`on_repaint` is called with the seconds from a key to the first byte of the answer; `stages` measures their
        parts.

        `pixels` are the width and height of a cell, if the guest's program has sent them.
        """
        self.name = name
        self.env = dict(env)
        self.size = self.fit_size(*size) or DEFAULT_SIZE
        self.utf8 = is_utf8_terminal(name, env)
        self.ascii = ascii or not self.utf8
        self.lines = lines
        self.pictures = pictures
        self.mouse = mouse
        self._pixels = pixels
        self.cell: tuple[int, int] | None = None
        self.sixel_cell: tuple[int, int] | None = None
        self.pty = pty
        self.echo = echo and pty
        self.tell = tell
        self.link = link
        self.path = path
        self.touched = touched
        self.paused = False
        self.ended = False
        self._held_back = False
        """True while `hold_back` has stopped reading."""
        self._full_screen = False
        self._full_screen_holders = 0
        """Number of blocks that keep the full screen."""
        self._transport: Transport = transport
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading
        self.hang_up = transport.hang_up
        self._listener: Listener | None = None
        self._typed_ahead = b""
        self._blocked_bytes = 0
        self._on_repaint = on_repaint
        self.stages = stages
        self._typed_at: float | None = None
        self._answers: Answers | None = None
        """Queries that wait for an answer."""
        self._answers_complete = asyncio.Event()
        self._release_timer: asyncio.TimerHandle | None = None

    async def ask(self, seconds: float = ANSWER_TIMEOUT, *, pictures: bool = True) -> None:
        """Query a terminal whose colours are not known for certain, and for `pictures` if its guest wants them. Its
        answer counts like COLORTERM, unless it has sent that: tmux says that it shows 256 colours also where it shows
        all.

        It has `seconds`, unless its environment says otherwise. Input meanwhile is buffered, as always before
        `attach`. A late answer is dropped.
        """
        pictures = pictures and self.pictures and not self.ascii
        if self.tell is not None:  # a page has sent everything when it connected
            if pictures and self._pixels and self._pixels == fitting_cell(*self._pixels):
                self.cell = self.sixel_cell = self._pixels
            return
        queries = build_queries(self.name, self.env, pictures=pictures, utf8=not self.ascii)
        if self.ended or not queries:
            return
        answers = self._answers = Answers(self._pixels)
        self.write(queries)
        await wait_at_most(answer_timeout(self.env, seconds), self._answers_complete.wait())
        if answers.colours and not self.env.get("COLORTERM"):
            self.env["COLORTERM"] = answers.colours
        self.ascii |= answers.wide
        if pictures and not self.ascii:
            self.cell, self.sixel_cell = answers.cell, answers.sixel_cell

    def attach(self, listener: Listener) -> None:
        """Send all events to a listener from now on, starting with buffered input."""
        self._listener = listener
        typed, self._typed_ahead = self._typed_ahead, b""
        if typed:
            listener.on_data(typed)
        if self.ended:
            listener.on_end()

    def fit_size(self, columns: int, rows: int) -> tuple[int, int] | None:
        """Return the size that is drawn for a reported one; None if there is none."""
        return fitting_size(columns, rows)

    @contextmanager
    def hold_screen(self) -> Iterator[None]:
        """Keep the full screen, once an app has entered it, to the end of the outermost block."""
        self._full_screen_holders += 1
        try:
            yield
        finally:
            self._full_screen_holders -= 1
            if not self._full_screen_holders:
                self.leave_screen()

    def enter_screen(self, *, mouse: bool) -> None:
        """Enter the full screen, and report the `mouse` if wanted. Query whether frames can be synchronized.

        If an earlier app has entered it, input since the end of that app is dropped: it was meant for that app.
        """
        query = "" if self.name.startswith(_NO_SYNC_QUERY) else _SYNC_QUERY
        if self._full_screen:
            self._typed_ahead = b""
        else:
            self._full_screen = True
            query = _ENTER.format(query=query)
        self.write(query + (MOUSE if mouse else ""))

    def leave_screen(self) -> None:
        """Restore the terminal if the full screen is shown."""
        if self._full_screen:
            self._full_screen = False
            self.write(LEAVE)

    def suspend(self) -> None:
        """Stop the process by job control, if the terminal is this process's own."""

    def release(self) -> None:
        """Drop the listener, the transport and the page, which refer to the terminal. Nothing is sent from now on."""
        self._listener = None
        self._transport = NullTransport()
        self.pause_reading, self.resume_reading = self._transport.pause_reading, self._transport.resume_reading
        self.hang_up, self.tell = self._transport.hang_up, None

    def detach(self) -> None:
        """Remove the listener; input from now on is buffered for the next one."""
        self._listener = None
        self._typed_ahead = b""
        self._held_back = False
        self.resume_reading()

    def hold_back(self, waiting: int, limit: int) -> None:
        """Stop reading while more than `limit` typed characters wait for their turn; read again once none does."""
        held_back = waiting > (0 if self._held_back else limit)
        if held_back != self._held_back:
            self._held_back = held_back
            (self.pause_reading if held_back else self.resume_reading)()

    def write(self, data: str | bytes) -> None:
        """Send to the terminal without waiting. Text is encoded for the terminal, with `?` for other characters.

        More than MAX_BLOCKED_OUTPUT bytes during one pause ends the connection. After the end, this does nothing.
        """
        if self._typed_at is not None:
            seconds, self._typed_at = time.monotonic() - self._typed_at, None
            if seconds < _REPAINT_TIMEOUT:
                self._on_repaint(seconds)
        if isinstance(data, str):
            data = data.encode("utf-8" if self.utf8 else "ascii", "replace")
        if self.paused:
            self._blocked_bytes += len(data)
            if self._blocked_bytes > MAX_BLOCKED_OUTPUT:
                self.hang_up()
                return
        with self.stages.of(Stage.SEND):
            self._transport.write(data)

    def feed(self, data: bytes) -> None:
        """Receive typed input and the terminal's answers. After the end, bytes are dropped."""
        if self.ended:
            return
        if self._answers is not None:
            data = self._strip_answers(self._answers, data)
        if data:
            self._feed(data)

    def _strip_answers(self, answers: Answers, data: bytes) -> bytes:
        """Remove the terminal's answers from the input."""
        typed = answers.take(data)
        if self._release_timer is not None:
            self._release_timer.cancel()
        if answers.complete:
            self._answers_complete.set()
            self._answers = None
        elif answers.may_be_typed:
            self._release_timer = asyncio.get_running_loop().call_later(_ESC_TIMEOUT, self._give_up, answers)
        return typed

    def _give_up(self, answers: Answers) -> None:
        """Treat the possible beginning of an answer as typed."""
        self._release_timer = None
        self._feed(answers.give_up())

    def _feed(self, data: bytes) -> None:
        now = time.monotonic()
        if self._typed_at is None or now - self._typed_at >= _REPAINT_TIMEOUT:
            self._typed_at = now
        if self._listener is not None:
            self._listener.on_data(data)
        else:
            self._typed_ahead = (self._typed_ahead + data)[:MAX_TYPED_AHEAD]

    def resize(self, columns: int, rows: int) -> None:
        """Receive a new size; an invalid one is ignored."""
        size = self.fit_size(columns, rows)
        if size is not None and size != self.size:
            self.size = size
            if self._listener is not None:
                self._listener.on_resize(*size)

    def pause(self) -> None:
        """Pause the listener: the connection is blocked."""
        self.paused = True
        self._blocked_bytes = 0
        if self._listener is not None:
            self._listener.on_pause()

    def resume(self) -> None:
        """Resume the listener: the connection has room again."""
        self.paused = False
        if self._listener is not None:
            self._listener.on_resume()

    def end(self) -> None:
        """End the terminal; a second call is harmless."""
        if not self.ended:
            self.ended = True
            self._answers_complete.set()
            self._answers = None
            if self._release_timer is not None:
                self._release_timer.cancel()
                self._release_timer = None
            if self._listener is not None:
                self._listener.on_end()
