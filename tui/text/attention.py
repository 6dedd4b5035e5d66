"""Calls a player whose turn has come: by the title of the terminal, and by a bell where other people wait."""

from collections.abc import Callable
from typing import NamedTuple

from core.layout.state import NOBODY
from net.wire.messages import Update
from tui.board.canvas import cells, plain
from tui.i18n import _
from tui.text.names import game_name

TITLED = (
    "xterm",
    "screen",
    "tmux",
    "rxvt",
    "alacritty",
    "foot",
    "kitty",
    "wezterm",
    "ghostty",
    "vte",
    "konsole",
    "st-",
)
"""What the names of terminals begin with that have a title (OSC 2); others might print it."""
NOTIFYING = ("foot", "kitty", "xterm-kitty", "wezterm", "ghostty", "xterm-ghostty")
"""The same of those that show a notification (OSC 9)."""
_SAVE, _RESTORE, _TITLE, _NOTICE = "\x1b[22;2t", "\x1b[23;2t", "\x1b]2;{}\x07", "\x1b]9;{}\x07"
_BELL = "\x07"
_LONGEST = 80
"""Columns of a title; a host may name a game as it likes."""


class Bell(NamedTuple):
    """Whether a bell rings, and who remembers when that is changed."""

    on: bool = True
    switched: Callable[[bool], None] = lambda _on: None


class Attention:
    """Follows one client, and writes to its terminal when that client's player should look."""

    def __init__(self, terminal: str, write: Callable[[str], None], *, on: bool = True, ascii: bool = False) -> None:
        """`terminal` is its name, as in TERM; without `on` there is a title, but no bell."""
        self.on = on
        self._titled = terminal.startswith(TITLED)
        self._notifies = terminal.startswith(NOTIFYING)
        self._ascii = ascii
        self._write = write
        self._title = ""
        self._turn = False

    def follow(self, update: Update | None) -> None:
        """Take in how things are now; None for the lobby."""
        turn = is_turn(update)
        comes, self._turn = turn and not self._turn, turn
        called = ""
        if comes and self.on and update and in_company(update):
            called = _BELL + (_NOTICE.format(_("It is your turn.")) if self._notifies else "")
        self._write_titled(_title(update, turn=turn), called)

    def close(self) -> None:
        """Give the terminal its own title back."""
        if self._title:
            self._title = ""
            self._write(_RESTORE)

    def _write_titled(self, title: str, called: str) -> None:
        written = ""
        if self._titled and title != self._title:
            written = _SAVE * (not self._title) + _TITLE.format(plain("".join(cells(title)[:_LONGEST]), self._ascii))
            self._title = title
        if written or called:
            self._write(written + called)


def is_turn(update: Update | None) -> bool:
    """Whether a player is to do something now."""
    view = update.play if update else None
    return update is not None and view is not None and view.turn == update.seat != NOBODY


def in_company(update: Update) -> bool:
    """Whether other people play at the table."""
    return any(seat.name and not seat.bot for number, seat in enumerate(update.table.seats) if number != update.seat)


def _title(update: Update | None, *, turn: bool) -> str:
    if update is None:
        return "Boneyard"
    game = game_name(update.table.game)
    return _("your turn · {game}", game=game) if turn else f"{game} · Boneyard"
