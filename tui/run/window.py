"""The window of a host that a person runs: who comes and goes, what they open and what is wrong, in sentences."""

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

LOOK_EVERY = 0.5
"""Seconds between two looks at who is here. Who comes and goes between them is not told of."""
MOST_COLUMNS = 100
"""Of a sentence in a wide window: longer lines are hard to read."""
WARNINGS_PER_SECOND, WARNINGS_AT_ONCE = 0.1, 5
"""Warnings of one kind, sustained and in one burst: a person reads them, and the log has more."""
_MOST_TOLD = 200
"""Characters of one value in a sentence, such as the reason of the operating system."""
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
"""What the operator is told of events in the log, by event. What else goes wrong is a fault of the program."""


class Window:
    """Prints sentences, each with the time. A terminal that takes no more keeps nobody waiting."""

    def __init__(
        self, write: Callable[[str], None], *, ascii: bool = False, now: Callable[[], datetime] = datetime.now
    ):
        """`write` gets whole lines, with their ends; `now` tells the local time."""
        self._write = write
        self._ascii = ascii
        self._now = now

    def say(self, sentence: str) -> None:
        """Print a line as it is."""
        self._write(plain(printable(sentence), self._ascii) + "\n")

    def tell(self, sentence: str) -> None:
        """Print what has happened just now, in as many lines as it takes."""
        width = min(shutil.get_terminal_size().columns, MOST_COLUMNS) - 6
        first, *more = wrap(printable(sentence), max(width, 10))
        for head, line in [(f"{self._now():%H:%M}", first), *(("     ", line) for line in more)]:
            self.say(f"{head} {line}")


class _PresentGuest(Struct, frozen=True):
    """Somebody who is here, by however many connections."""

    name: str
    joined: bool


class LobbyObserver:
    """Tells in a window who comes and goes, and which tables are opened."""

    def __init__(self, lobby: Lobby, window: Window) -> None:
        """What is there already is not told of."""
        self._lobby = lobby
        self._window = window
        self._here = self._look_round()
        self._last_table = max(lobby.tables, default=0)

    def look(self) -> None:
        """Tell what has changed since the last look."""
        before, self._here = self._here, self._look_round()
        for token in before.keys() - self._here.keys():
            gone = _("{name} has left.", name=before[token].name)
            self._window.tell(f"{gone} {self._count()}")
        for token in self._here.keys() - before.keys():
            here = self._here[token]
            came = (
                _("{name} logged in by `boneyard join`.", name=here.name)
                if here.joined
                else _("{name} logged in by ssh.", name=here.name)
            )
            self._window.tell(f"{came} {self._count()}")
        for number in sorted(number for number in self._lobby.tables if number > self._last_table):
            self._last_table = number
            table = self._lobby.tables[number]
            self._window.tell(
                _("{name} opened {game}.", name=clean(table.name, 40), game=game_name(table.variant.id))
            )

    def _look_round(self) -> dict[str, _PresentGuest]:
        """Who is here, by token."""
        return {
            each.guest.token: _PresentGuest(clean(each.guest.name, 40), each.visitor.joined)
            for each in self._lobby.present.values()
            if each.guest is not None
        }

    def _count(self) -> str:
        if not self._here:
            return _("Nobody is here now.")
        return several("{count} player is here now.", "{count} players are here now.", len(self._here))


class Warnings(logging.Handler):
    """Tells in a window of what is wrong, in the language in which it was made; the log has all of it."""

    def __init__(self, window: Window, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds, and never jumps."""
        super().__init__(logging.WARNING)
        self._window = window
        self._clock = clock
        self._session = copy_context()
        """Guests speak other languages, and what is wrong with them is logged where they are served."""
        self._allowed: dict[str, Bucket] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Tell of an event, unless there was too much of it."""
        event = record.getMessage() if record.getMessage() in WARNINGS else ""
        bucket = self._allowed.setdefault(event, Bucket(WARNINGS_PER_SECOND, WARNINGS_AT_ONCE))
        if bucket.take(self._clock()):
            self._session.run(self._tell, event, record)

    def _tell(self, event: str, record: logging.LogRecord) -> None:
        if not event:
            what = clean(record.getMessage(), _MOST_TOLD)
            self._window.tell(_("Something went wrong ({event}); the server log says what.", event=what))
            return
        values = getattr(record, "fields", {})
        said = {key: clean(str(value), _MOST_TOLD).removesuffix(".") for key, value in values.items()}
        self._window.tell(_(WARNINGS[event]).format_map(_LogValues(said)))


class _LogValues(dict[str, str]):
    def __missing__(self, _key: str) -> str:
        return "?"


@contextmanager
def window_here() -> Iterator[Window]:
    """Open the window of this process's terminal. One that cannot be opened anew is written to as it is."""
    utf8 = sys.stdout.encoding.lower().replace("-", "") == "utf8"
    try:
        device = Device(sys.stdout.fileno())
    except OSError:
        yield Window(lambda text: print(text, end="", flush=True), ascii=not utf8)
        return

    def write(text: str) -> None:
        if not device.behind:
            device.write(text.encode(errors="replace"))

    try:
        yield Window(write, ascii=not utf8)
    finally:
        device.drain()
        device.hang_up()
