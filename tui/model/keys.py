"""The keys of every screen in one table: the bindings, the help screen and the tests read it."""

from collections.abc import Callable

from msgspec import Struct
from textual.binding import Binding, BindingType

from tui.i18n import _


class Key(Struct, frozen=True):
    """One thing a player can do: its action, the keys for it, how they are written, and what it does."""

    action: str
    keys: str
    shown: str
    words: Callable[[], str]
    ascii: str = ""
    """How the keys are written on a terminal without UTF-8, where that differs."""

    def written(self, ascii: bool) -> str:
        """How to write the keys on this terminal."""
        return self.ascii if ascii and self.ascii else self.shown


TABLE = (
    Key("go", "enter,space", "↵", lambda: _("play, or continue"), "Enter"),
    Key("tile(-1)", "left", "←", lambda: _("tile to the left"), "Left"),
    Key("tile(1)", "right", "→", lambda: _("tile to the right"), "Right"),
    Key("end(-1)", "up", "↑", lambda: _("previous end"), "Up"),
    Key("end(1)", "down,tab", "↓", lambda: _("next end"), "Down"),
    Key("draw", "x", "x", lambda: _("draw")),
    Key("pass_turn", "p", "p", lambda: _("pass")),
    Key("talk", "t", "t", lambda: _("talk")),
    Key("fill", "z", "z", lambda: _("fill the free seats with bots")),
    Key("look", "v", "v", lambda: _("switch between table and result")),
    Key("who", "w", "w", lambda: _("who is here, and what proves the deals")),
    Key("pause", "s", "s", lambda: _("pause or resume the table")),
    Key("theme", "y", "y", lambda: _("other colours")),
    Key("help", "question_mark,f1", "?", lambda: _("these keys, and the rules")),
    Key("leave", "q,escape", "q", lambda: _("leave the table")),
)
"""At the table. Letters that name ends, a to o, and digits, which name tiles, come on top of these."""

OFFERED = (Key("end_match", "u", "u", lambda: _("end a match that may never end")),)
"""At the table, once in a thousand rounds: a sentence offers it then, so that it needs no line of the help."""

LOBBY = (
    Key("sit", "enter", "↵", lambda: _("sit down"), "Enter"),
    Key("watch", "w", "w", lambda: _("watch")),
    Key("new", "n", "n", lambda: _("open a table")),
    Key("theme", "y", "y", lambda: _("colours")),
    Key("help", "question_mark,f1", "?", lambda: _("help")),
    Key("leave", "q,escape", "q", lambda: _("leave")),
)
"""In the lobby."""

REPLAY = (
    Key("step(1)", "right,space,enter", "→", lambda: _("forward"), "Right"),
    Key("step(-1)", "left,backspace", "←", lambda: _("back"), "Left"),
    Key("round(1)", "down,pagedown", "↓", lambda: _("next round"), "Down"),
    Key("round(-1)", "up,pageup", "↑", lambda: _("previous round"), "Up"),
    Key("jump(0)", "home", "Home", lambda: _("to the beginning")),
    Key("jump(-1)", "end", "End", lambda: _("to the end")),
    Key("look", "v", "v", lambda: _("switch between table and result")),
    Key("theme", "y", "y", lambda: _("other colours")),
    Key("help", "question_mark,f1", "?", lambda: _("these keys, and the rules")),
    Key("leave", "q,escape", "q", lambda: _("leave")),
)
"""Looking at a recorded match."""


def bindings(keys: tuple[Key, ...]) -> list[BindingType]:
    """Turn a table of keys into what a screen wants."""
    return [Binding(key.keys, key.action, show=False) for key in keys]


def hints(keys: tuple[Key, ...], wanted: tuple[str, ...], ascii: bool) -> list[tuple[str, str]]:
    """The keys of some actions and short words for them, for a line of hints."""
    return [(key.written(ascii), key.words()) for key in keys if key.action in wanted]
