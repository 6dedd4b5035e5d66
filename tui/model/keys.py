"""The keys of the table, the lobby, a replay and every list: the bindings, the help screen and the tests read them.

The other screens declare the rest of their keys themselves, in `KEYS`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from tui.i18n import _

if TYPE_CHECKING:
    from textual.binding import BindingType


class Key(Struct, frozen=True):
    """One thing a player can do: its action, the keys for it, how they are written, and what it does."""

    action: str
    keys: str
    shown: str = ""
    words: Callable[[], str] = str
    ascii: str = ""
    """How the keys are written on a terminal without UTF-8, where that differs."""
    leaves: bool = False
    """Whether it leaves the screen: that works in the smallest window, and while a line is typed."""

    @property
    def name(self) -> str:
        """The name of the action, without its arguments."""
        return self.action.partition("(")[0]

    @property
    def names(self) -> list[str]:
        """Textual's names of the keys."""
        return self.keys.split(",")

    def written(self, ascii: bool) -> str:
        """How to write the keys on this terminal."""
        return self.ascii if ascii and self.ascii else self.shown


FIND = Key("find_anything", "colon,ctrl+p", ":", lambda: _("find anything by its name"))
EVERYWHERE = (
    Key("theme", "y", "y", lambda: _("colours")),
    Key("language", "L", "L", lambda: _("language")),
    FIND,
    Key("mouse", "M", "M", lambda: _("leave the mouse to the terminal, to copy by it, or take it back")),
)
"""On every screen that lists its keys."""

TABLE = (
    Key("go", "enter,space", "↵", lambda: _("play, or continue"), "Enter"),
    Key("tile(-1)", "left", "←", lambda: _("tile to the left"), "Left"),
    Key("tile(1)", "right", "→", lambda: _("tile to the right"), "Right"),
    Key("end(-1)", "up", "↑", lambda: _("previous end"), "Up"),
    Key("end(1)", "down,tab", "↓", lambda: _("next end"), "Down"),
    Key("draw", "x", "x", lambda: _("draw")),
    Key("pass_turn", "p", "p", lambda: _("pass")),
    Key("hint", "h", "h", lambda: _("a hint, if the others allow hints")),
    Key("take_back", "u", "u", lambda: _("take back, at a table that allows it")),
    Key("talk", "t", "t", lambda: _("talk")),
    Key("fill", "z", "z", lambda: _("fill the free seats with bots")),
    Key("look", "v", "v", lambda: _("switch between table and result")),
    Key("leaf(5)", "left_square_bracket", "[", lambda: _("earlier in the story, in a wide window")),
    Key("leaf(-5)", "right_square_bracket", "]", lambda: _("later in the story")),
    Key("who", "w", "w", lambda: _("who is here, and what proves the deals")),
    Key("pause", "s", "s", lambda: _("pause or resume the table")),
    Key("pace(1)", "plus,equals_sign", "+", lambda: _("bots play faster")),
    Key("pace(-1)", "minus", "-", lambda: _("bots play slower")),
    Key("skip", "full_stop", ".", lambda: _("bots play at once until it is your turn")),
    Key("bell", "exclamation_mark", "!", lambda: _("a bell on your turn, or none")),
    *EVERYWHERE,
    Key("help", "question_mark,f1", "?", lambda: _("these keys, and the rules")),
    Key("leave", "q,escape", "q", lambda: _("leave the table"), leaves=True),
)
"""At the table. Letters that name ends, a to o without h, and digits, which name tiles, come on top of these."""

_ALONE = {
    "hint": lambda: _("a hint"),
    "take_back": lambda: _("take back your last choice"),
    "who": lambda: _("what proves the deals"),
}
"""What some keys do where nobody else plays."""
ALONE = tuple(
    replace(key, words=_ALONE.get(key.action, key.words))
    for key in TABLE
    if key.action not in ("talk", "fill", "bell")
)
"""At a table where only bots play with one."""

OFFERED = (
    Key("end_match", "E", "E", lambda: _("end a match that may never end")),
    Key("review", "r", "r", lambda: _("what the coach says of the match")),
)
"""At the table, once in a thousand rounds and after a match: offered then, so that they need no line of the help."""

MOVES = (
    Key("move(-1)", "up,k"),
    Key("move(1)", "down,j,tab"),
)
"""In a list: to the row above, and to the one below."""

HOME = (
    Key("choose", "enter,space", "↵", lambda: _("play the game, or do what is chosen"), "Enter"),
    Key("move(-1)", "up", "↑", lambda: _("the game above"), "Up"),
    Key("move(1)", "down,tab", "↓", lambda: _("the game below"), "Down"),
    Key("set('players', -1)", "left", "←", lambda: _("fewer players"), "Left"),
    Key("set('players', 1)", "right", "→", lambda: _("more players"), "Right"),
    Key("set('level', 1)", "b", "b", lambda: _("the level of the bots")),
    Key("rules", "o", "o", lambda: _("house rules")),
    Key("open('presets')", "a", "a", lambda: _("as played in some place")),
    Key("search", "slash", "/", lambda: _("search")),
    Key("read_rules", "r", "r", lambda: _("rules")),
    *EVERYWHERE,
    Key("help", "question_mark,f1", "?", lambda: _("keys")),
    Key("quit", "q", "q", lambda: _("leave"), leaves=True),
    Key("escape", "escape", leaves=True),
    Key("open('go_on')", "c", "c", lambda: _("go on with the match that you left last")),
    Key("open('kept')", "m", "m", lambda: _("all matches that are kept")),
    Key("open('history')", "h", "h", lambda: _("your matches, and statistics")),
    Key("open('learn')", "l", "l", lambda: _("learn a game in two minutes")),
    Key("open('join')", "j", "j", lambda: _("join friends")),
    Key("open('host')", "g", "g", lambda: _("host a game")),
)
"""On the first screen."""

LOBBY = (
    Key("sit", "enter", "↵", lambda: _("sit down"), "Enter"),
    Key("watch", "w", "w", lambda: _("watch")),
    Key("new", "n", "n", lambda: _("open a table")),
    Key("search", "slash", "/", lambda: _("search")),
    Key("free", "f", "f", lambda: _("free seats")),
    Key("page(1)", "pagedown,right", "PgDn", lambda: _("next page")),
    Key("page(-1)", "pageup,left", "PgUp", lambda: _("previous page")),
    Key("invite", "i", "i", lambda: _("invite")),
    Key("copy", "c", "c", lambda: _("copy the line that a friend types")),
    Key("talk", "t", "t", lambda: _("talk")),
    Key("account", "a", "a", lambda: _("one account for your ssh and your browser")),
    *EVERYWHERE,
    Key("help", "question_mark,f1", "?", lambda: _("keys")),
    Key("leave", "q,escape", "q", lambda: _("leave"), leaves=True),
)
"""In the lobby."""

REPLAY = (
    Key("play", "space", "Space", lambda: _("play, or pause")),
    Key("faster(1)", "plus,equals_sign,f", "f +", lambda: _("faster")),
    Key("faster(-1)", "minus,s", "s -", lambda: _("slower")),
    Key("hand", "h", "h", lambda: _("whose hand is shown: on turn, each player's, all, nobody's")),
    Key("step(1)", "right,enter", "→", lambda: _("forward"), "Right"),
    Key("step(-1)", "left,backspace", "←", lambda: _("back"), "Left"),
    Key("round(1)", "down,pagedown,n", "↓ n", lambda: _("next round"), "Down, n"),
    Key("round(-1)", "up,pageup,p", "↑ p", lambda: _("previous round"), "Up, p"),
    Key("jump(0)", "home", "Home", lambda: _("to the beginning")),
    Key("jump(-1)", "end", "End", lambda: _("to the end")),
    Key("look", "v", "v", lambda: _("switch between table and result")),
    Key("coach", "r", "r", lambda: _("what the coach says of what is done next")),
    *EVERYWHERE,
    Key("help", "question_mark,f1", "?", lambda: _("these keys, and the rules")),
    Key("leave", "q,escape", "q", lambda: _("leave"), leaves=True),
)
"""Looking at a recorded match."""


def bindings(keys: tuple[Key, ...]) -> "list[BindingType]":
    """Turn a table of keys into what a screen wants."""
    from textual.binding import Binding  # noqa: PLC0415 - the sentences about keys need no Textual

    return [Binding(key.keys, key.action, show=False) for key in keys]


def hints(keys: tuple[Key, ...], wanted: tuple[str, ...], ascii: bool) -> list[tuple[str, str]]:
    """The keys of some actions and short words for them, for a line of hints."""
    return [(key.written(ascii), key.words()) for key in keys if key.action in wanted]


_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_LAYOUTS = (
    "йцукенгшщзхъфывапролджэячсмитьбюё",  # Russian
    "йцукенгшщзхїфівапролджєячсмитьбю'",  # Ukrainian
    "йцукенгшўзх'фывапролджэячсмітьбюё",  # Belarusian
    "\0ςερτυθιοπ[]ασδφγηξκλ\0'ζχψωβνμ,.`",  # Greek; its q is a semicolon, which others type as such
)
_SAME: dict[str, str] = {}
for _layout in reversed(_LAYOUTS):  # where two differ, the first counts
    _SAME |= {own: latin for own, latin in zip(_layout, _LATIN, strict=True) if not own.isascii()}
_ENTERS = {"shift+enter", "ctrl+enter", "ctrl+j", "shift+\r"}
"""Textual's names for a line feed, and for Enter with another key held."""


def meant(key: str, character: str | None) -> tuple[str, str]:
    """Return the name and the character of the key that was meant where no text is typed.

    The name is empty where it follows from the character.
    """
    if key in _ENTERS:
        return "", "\r"
    modifiers, _, last = key.rpartition("+")
    if modifiers and len(last) == 1:
        return f"{modifiers}+{letter(last)}", character or ""
    if not character or character.isascii():
        return key, character or ""
    return "", letter(character)


def letter(character: str) -> str:
    """Return the ASCII character that stands on the same key; the same where there is none."""
    lower = character.lower()
    if lower in _SAME:
        return _SAME[lower] if character == lower else _SAME[lower].upper()
    narrow = normalize("NFKC", character)
    return narrow if len(narrow) == 1 and narrow.isascii() else character
