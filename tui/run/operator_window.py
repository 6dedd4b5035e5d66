"""The window of a host run by a person: arrivals, departures, new tables and problems, in sentences."""

import logging
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from datetime import datetime

from msgspec import Struct

from core.words import phrase
from net.host.lobby import Lobby
from net.players.text import clean
from net.scheduler import Bucket
from tui.board.canvas import plain, printable
from tui.draw.panels import wrap
from tui.i18n import _, several
from tui.terminal.local import Device
from tui.text.names import game_name

POLL_SECONDS = 0.5
"""Seconds between two polls of the roster. A guest who comes and goes in between is not reported."""
MAX_COLUMNS = 100
"""Maximum width of a sentence: longer lines are hard to read."""
WARNINGS_PER_SECOND, WARNINGS_AT_ONCE = 0.1, 5
"""Warnings of one kind, sustained and in one burst: a person reads them, and the log has all."""
_MAX_VALUE_LENGTH = 200
"""Maximum length of a value in a sentence, such as a reason given by the operating system."""
WARNINGS = {
    "bad-theme": phrase("The theme {theme} cannot be used: {why}."),
    "bot-worker-lost": phrase("A process for thinking bots has ended; another is started."),
    "cannot-accept": phrase("No connection can be accepted: {error}."),
    "cannot-publish": phrase("Records cannot be written to {folder}: {error}."),
    "cannot-save": phrase("Nothing can be saved, so nobody can play: {error}."),
    "connection-broken": phrase("A program at {address} connected but does not use SSH."),
    "gateway-lost": phrase("A worker has ended; another is started."),
    "gateway-stands-still": phrase("A worker does not answer; another is started."),
    "keys-line-passed-over": phrase("A line in the list of keys is skipped: {reason}."),
    "keys-not-read": phrase("The list of keys cannot be read, so the previous list is used: {reason}."),
    "no-admin-socket": phrase("`boneyard admin` does not reach this server: {error}."),
    "no-proxy-header": phrase("The proxy at {address} does not say who connects: {error}."),
    "not-announced": phrase("The server is not announced on the local network: {reason}."),
    "open-to-others": phrase("Other users of this machine may read {path}, and that cannot be changed: {error}."),
    "publishing-again": phrase("Records are written again."),
    "saving-again": phrase("Everything can be saved again."),
    "table-not-resumed": phrase("Table {table} could not be resumed: {error}."),
    "wrong-invitation": phrase("Somebody at {address} gave a wrong invitation code."),
}
"""Sentences for the operator, by log event. Any other warning is a bug in Boneyard."""


class Window:
    """Prints sentences, each with the time. Output is dropped while the terminal is slow."""

    def __init__(
        self, write: Callable[[str], None], *, ascii: bool = False, now: Callable[[], datetime] = datetime.now
    ):
        """`write` gets whole lines with their ends; `now` returns the local time."""
        self._write = write
        self._ascii = ascii
        self._current_time = now

    def say(self, sentence: str) -> None:
        """Print a line as it is."""
        self._write(plain(printable(sentence), self._ascii) + "\n")

    def report(self, sentence: str) -> None:
        """Print an event with the time, in as many lines as it takes."""
        width = min(shutil.get_terminal_size().columns, MAX_COLUMNS) - 6
        first, *continuation_lines = wrap(printable(sentence), max(width, 10))
        for prefix, line in [
            (f"{self._current_time():%H:%M}", first),
            *(("     ", line) for line in continuation_lines),
        ]:
            self.say(f"{prefix} {line}")


class _PresentGuest(Struct, frozen=True):
    """A present guest, over any number of connections."""

    name: str
    joined: bool


class LobbyObserver:
    """Reports arrivals, departures and new tables in a window."""

    def __init__(self, lobby: Lobby, window: Window) -> None:
        """Do not report the guests and tables that are already there."""
        self._lobby = lobby
        self._window = window
        self._present_guests = self._find_present_guests()
        self._last_table = max(lobby.tables, default=0)

    def poll(self) -> None:
        """Report the changes since the last poll."""
        previous_guests, self._present_guests = self._present_guests, self._find_present_guests()
        for token in previous_guests.keys() - self._present_guests.keys():
            departure = _("{name} has left.", name=previous_guests[token].name)
            self._window.report(f"{departure} {self._count_sentence()}")
        for token in self._present_guests.keys() - previous_guests.keys():
            guest = self._present_guests[token]
            arrival = (
                _("{name} logged in by `boneyard join`.", name=guest.name)
                if guest.joined
                else _("{name} logged in by ssh.", name=guest.name)
            )
            self._window.report(f"{arrival} {self._count_sentence()}")
        for number in sorted(number for number in self._lobby.tables if number > self._last_table):
            self._last_table = number
            table = self._lobby.tables[number]
            self._window.report(
                _("{name} opened {game}.", name=clean(table.name, 40), game=game_name(table.variant.id))
            )

    def _find_present_guests(self) -> dict[str, _PresentGuest]:
        """Return the present guests by token."""
        return {
            presence.guest.token: _PresentGuest(clean(presence.guest.name, 40), presence.visitor.joined)
            for presence in self._lobby.present.values()
            if presence.guest is not None
        }

    def _count_sentence(self) -> str:
        if not self._present_guests:
            return _("Nobody is here now.")
        return several("{count} player is here now.", "{count} players are here now.", len(self._present_guests))


class Warnings(logging.Handler):
    """Reports problems from the log in a window, in the language of the operator; the log has more details."""

    def __init__(self, window: Window, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns monotonic seconds."""
        super().__init__(logging.WARNING)
        self._window = window
        self._clock = clock
        self._session = copy_context()
        """Context of the operator: problems are logged in the contexts of guests, who may speak other languages."""
        self._allowed: dict[str, Bucket] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Report an event, unless there were too many of its kind."""
        event = record.getMessage() if record.getMessage() in WARNINGS else ""
        bucket = self._allowed.setdefault(event, Bucket(WARNINGS_PER_SECOND, WARNINGS_AT_ONCE))
        if bucket.take(self._clock()):
            self._session.run(self._report, event, record)

    def _report(self, event: str, record: logging.LogRecord) -> None:
        if not event:
            event_name = clean(record.getMessage(), _MAX_VALUE_LENGTH)
            self._window.report(_("Something went wrong ({event}); the server log says what.", event=event_name))
            return
        values = getattr(record, "fields", {})
        fields = {key: clean(str(value), _MAX_VALUE_LENGTH).removesuffix(".") for key, value in values.items()}
        self._window.report(_(WARNINGS[event]).format_map(_LogValues(fields)))


class _LogValues(dict[str, str]):
    def __missing__(self, _key: str) -> str:
        return "?"


@contextmanager
def open_local_window() -> Iterator[Window]:
    """Open the window on this process's terminal; if that cannot be opened anew, print to stdout."""
    utf8 = sys.stdout.encoding.lower().replace("-", "") == "utf8"
    try:
        device = Device(sys.stdout.fileno())
    except OSError:
        yield Window(lambda text: print(text, end="", flush=True), ascii=not utf8)
        return

    def write(text: str) -> None:
        if not device.is_behind:
            device.write(text.encode(errors="replace"))

    try:
        yield Window(write, ascii=not utf8)
    finally:
        device.drain()
        device.hang_up()
