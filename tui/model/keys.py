"""The keys of the table, the lobby, a replay and every list, from which bindings, help and tests are made.

The other screens define their remaining keys in `KEYS`.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from tui.i18n import _, pgettext


class Key(Struct, frozen=True):
    """An action of a player: the screen method that performs it, its keys, and the words for both."""

    method: Callable[..., object]
    keys: str
    """Textual's names of the keys, separated by commas."""
    label: str = ""
    words: Callable[[], str] = str
    ascii: str = ""
    """Label of the keys on a terminal without UTF-8, if it differs."""
    leaves_screen: bool = False
    """True if it leaves the screen: then it works in the smallest window, and while a line is typed."""
    args: tuple[int | str, ...] = ()
    """Arguments of the method."""

    @property
    def name(self) -> str:
        """Name of the action, as in `leave`."""
        return self.method.__name__.removeprefix("action_")

    @property
    def call(self) -> str:
        """The name with its arguments, as in `end(1)`."""
        return f"{self.name}({', '.join(map(repr, self.args))})" if self.args else self.name

    @property
    def names(self) -> list[str]:
        """Textual's names for the keys."""
        return self.keys.split(",")

    def label_on(self, ascii: bool) -> str:
        """Return the label of the keys on this terminal."""
        return self.ascii if ascii and self.ascii else self.label


class Button(NamedTuple):
    """A button of the bar: the label of its key, its words, and its kind as in `net.doors.terminal.BarButton`."""

    label: str
    words: str
    kind: Literal["", "main", "idle", "share"] = ""


class GlobalKeys(Protocol):
    """Actions of every screen that lists its keys."""

    def action_find_anything(self) -> None: ...
    def action_theme(self) -> None: ...
    def action_language(self) -> None: ...
    def action_mouse(self) -> None: ...


class TableKeys(Protocol):
    """Actions of a table."""

    def action_go(self) -> None: ...
    def action_tile(self, step: int) -> None: ...
    def action_end(self, step: int) -> None: ...
    def action_draw(self) -> None: ...
    def action_pass_turn(self) -> None: ...
    def action_hint(self) -> None: ...
    def action_take_back(self) -> None: ...
    def action_talk(self) -> None: ...
    def action_fill(self) -> None: ...
    def action_look(self) -> None: ...
    def action_scroll_story(self, step: int) -> None: ...
    def action_who(self) -> None: ...
    def action_pause(self) -> None: ...
    def action_pace(self, step: int) -> None: ...
    def action_skip(self) -> None: ...
    def action_bell(self) -> None: ...
    def action_help(self) -> None: ...
    def action_leave(self) -> None: ...
    def action_escape(self) -> None: ...
    def action_end_match(self, resigns: bool = False) -> None: ...
    def action_review(self) -> None: ...


class ListKeys(Protocol):
    """Actions of a list."""

    def action_move(self, step: int) -> None: ...


class MenuKeys(Protocol):
    """Actions of the first screen."""

    def action_choose(self) -> None: ...
    def action_move(self, step: int) -> None: ...
    def action_set(self, setting: str, step: int) -> None: ...
    def action_rules(self) -> None: ...
    def action_open(self, what: str) -> None: ...
    def action_search(self) -> None: ...
    def action_read_rules(self) -> None: ...
    def action_help(self) -> None: ...
    def action_quit(self) -> None: ...
    def action_escape(self) -> None: ...


class LobbyKeys(Protocol):
    """Actions of the lobby."""

    def action_sit(self) -> None: ...
    def action_quick_game(self) -> None: ...
    def action_against_bots(self) -> None: ...
    def action_watch(self) -> None: ...
    def action_new(self) -> None: ...
    def action_search(self) -> None: ...
    def action_free(self) -> None: ...
    def action_page(self, step: int) -> None: ...
    def action_invite(self) -> None: ...
    def action_copy(self) -> None: ...
    def action_talk(self) -> None: ...
    def action_account(self) -> None: ...
    def action_help(self) -> None: ...
    def action_leave(self) -> None: ...


class ReplayKeys(Protocol):
    """Actions of the replay of a recorded match."""

    def action_play(self) -> None: ...
    def action_faster(self, step: int) -> None: ...
    def action_hand(self) -> None: ...
    def action_step(self, step: int) -> None: ...
    def action_round(self, step: int) -> None: ...
    def action_jump(self, to: int) -> None: ...
    def action_look(self) -> None: ...
    def action_coach(self) -> None: ...
    def action_help(self) -> None: ...
    def action_leave(self) -> None: ...


FIND = Key(GlobalKeys.action_find_anything, "colon,ctrl+p", ":", lambda: _("find anything by its name"))
EVERY_SCREEN = (
    Key(GlobalKeys.action_theme, "y", "y", lambda: _("colours")),
    Key(GlobalKeys.action_language, "L", "L", lambda: _("language")),
    FIND,
    Key(
        GlobalKeys.action_mouse,
        "M",
        "M",
        lambda: _("leave the mouse to the terminal, to copy with it, or take it back"),
    ),
)
"""Keys of every screen that lists its keys."""

TABLE = (
    Key(TableKeys.action_go, "enter,space", "↵", lambda: _("play, or continue"), "Enter"),
    Key(TableKeys.action_tile, "left", "←", lambda: _("tile to the left"), "Left", args=(-1,)),
    Key(TableKeys.action_tile, "right", "→", lambda: _("tile to the right"), "Right", args=(1,)),
    Key(TableKeys.action_end, "up", "↑", lambda: _("previous end"), "Up", args=(-1,)),
    Key(TableKeys.action_end, "down,tab", "↓", lambda: _("next end"), "Down", args=(1,)),
    Key(TableKeys.action_draw, "x", "x", lambda: pgettext("a tile", "draw")),
    Key(TableKeys.action_pass_turn, "p", "p", lambda: pgettext("your turn", "pass")),
    Key(TableKeys.action_hint, "h", "h", lambda: _("a hint, if the others allow hints")),
    Key(TableKeys.action_take_back, "u", "u", lambda: _("take back, at a table that allows it")),
    Key(TableKeys.action_talk, "t", "t", lambda: _("talk")),
    Key(TableKeys.action_fill, "z", "z", lambda: _("fill the free seats with bots")),
    Key(TableKeys.action_look, "v", "v", lambda: _("switch between table and result")),
    Key(
        TableKeys.action_scroll_story,
        "left_square_bracket",
        "[",
        lambda: _("earlier moves, in a wide window"),
        args=(5,),
    ),
    Key(TableKeys.action_scroll_story, "right_square_bracket", "]", lambda: _("later moves"), args=(-5,)),
    Key(TableKeys.action_who, "w", "w", lambda: _("who is here, and what proves the deals")),
    Key(TableKeys.action_pause, "s", "s", lambda: _("pause or resume the table")),
    Key(TableKeys.action_end_match, "E", "E", lambda: _("end the match without a winner, if all agree")),
    Key(TableKeys.action_end_match, "R", "R", lambda: _("resign: the other of two sides wins"), args=(True,)),
    Key(TableKeys.action_pace, "plus,equals_sign", "+", lambda: _("bots play faster"), args=(1,)),
    Key(TableKeys.action_pace, "minus", "-", lambda: _("bots play slower"), args=(-1,)),
    Key(TableKeys.action_skip, "full_stop", ".", lambda: _("bots play at once until it is your turn")),
    Key(TableKeys.action_bell, "exclamation_mark", "!", lambda: _("a bell on your turn, or none")),
    *EVERY_SCREEN,
    Key(TableKeys.action_help, "question_mark,f1", "?", lambda: _("these keys, and the rules")),
    Key(TableKeys.action_leave, "q", "q", lambda: _("leave the table"), leaves_screen=True),
)
"""Keys of the table. In addition, letters from a to o without h stand for ends, and digits for tiles."""

_SOLO_WORDS = {
    "hint": lambda: _("a hint"),
    "take_back": lambda: _("take back your last choice"),
    "who": lambda: _("what proves the deals"),
    "end_match": lambda: _("end the match without a winner"),
}
"""Other words for some keys where nobody else plays."""
SOLO_TABLE = tuple(
    replace(key, words=_SOLO_WORDS.get(key.name, key.words))
    for key in TABLE
    if key.name not in ("talk", "fill", "bell")
)
"""Keys of a table at which only bots play with the player."""

RARE_TABLE_KEYS = (Key(TableKeys.action_review, "r", "r", lambda: _("what the coach says of the match")),)
"""Keys of the table for rare cases and after a match. The screen offers them then, so the help does not list them."""

ESCAPE = Key(TableKeys.action_escape, "escape", leaves_screen=True)
"""Cancels at the table, and leaves it where nobody else is there."""

PAGE_ROWS, ALL_ROWS = 10, 1_000_000
"""Rows that a page key moves, and a step beyond the first and last row of every list."""
_FAR_MOVES = (
    Key(ListKeys.action_move, "pageup", args=(-PAGE_ROWS,)),
    Key(ListKeys.action_move, "pagedown", args=(PAGE_ROWS,)),
    Key(ListKeys.action_move, "home,g", args=(-ALL_ROWS,)),
    Key(ListKeys.action_move, "end,G", args=(ALL_ROWS,)),
)
MOVES = (
    Key(ListKeys.action_move, "up,k", args=(-1,)),
    Key(ListKeys.action_move, "down,j,tab", args=(1,)),
    *_FAR_MOVES,
)
"""Keys of every list, by rows, by pages, and to the first and last row."""


def row_after(row: int, step: int, count: int) -> int:
    """Return the row, of `count` rows, to which a step leads; only a step of one row wraps around."""
    return (row + step) % count if abs(step) == 1 else max(0, min(count - 1, row + step))


HOME = (
    Key(MenuKeys.action_choose, "enter,space", "↵", lambda: _("play the game, or do what is chosen"), "Enter"),
    Key(MenuKeys.action_move, "up,k", "↑ k", lambda: _("the game above"), "Up, k", args=(-1,)),
    Key(MenuKeys.action_move, "down,j,tab", "↓ j", lambda: _("the game below"), "Down, j", args=(1,)),
    *_FAR_MOVES,
    Key(MenuKeys.action_set, "left", "←", lambda: _("fewer players"), "Left", args=("players", -1)),
    Key(MenuKeys.action_set, "right", "→", lambda: _("more players"), "Right", args=("players", 1)),
    Key(MenuKeys.action_set, "b", "b", lambda: _("the level of the bots"), args=("level", 1)),
    Key(MenuKeys.action_rules, "o", "o", lambda: _("house rules")),
    Key(MenuKeys.action_open, "a", "a", lambda: _("as played in some place"), args=("presets",)),
    Key(MenuKeys.action_search, "slash", "/", lambda: _("search")),
    Key(MenuKeys.action_read_rules, "r", "r", lambda: _("rules")),
    *EVERY_SCREEN,
    Key(MenuKeys.action_help, "question_mark,f1", "?", lambda: _("keys")),
    Key(MenuKeys.action_quit, "q", "q", lambda: pgettext("the program", "leave"), leaves_screen=True),
    Key(MenuKeys.action_escape, "escape", leaves_screen=True),
    Key(MenuKeys.action_open, "c", "c", lambda: _("go on with the match that you left last"), args=("go_on",)),
    Key(MenuKeys.action_open, "m", "m", lambda: _("all matches that are kept"), args=("kept",)),
    Key(MenuKeys.action_open, "h", "h", lambda: _("your matches, and statistics"), args=("history",)),
    Key(MenuKeys.action_open, "l", "l", lambda: _("learn a game in two minutes"), args=("learn",)),
    Key(MenuKeys.action_open, "f", "f", lambda: _("join friends"), args=("join",)),
    Key(MenuKeys.action_open, "s", "s", lambda: _("open a server"), args=("host",)),
)
"""Keys of the menu."""

LOBBY = (
    Key(LobbyKeys.action_sit, "enter", "↵", lambda: _("sit down"), "Enter"),
    Key(LobbyKeys.action_quick_game, "p", "p", lambda: _("quick game")),
    Key(LobbyKeys.action_against_bots, "b", "b", lambda: _("against bots")),
    Key(LobbyKeys.action_new, "n", "n", lambda: _("open a table")),
    Key(LobbyKeys.action_watch, "w", "w", lambda: _("watch")),
    Key(LobbyKeys.action_search, "slash", "/", lambda: _("search")),
    Key(LobbyKeys.action_free, "f", "f", lambda: _("free seats")),
    Key(LobbyKeys.action_page, "pagedown,right", "PgDn", lambda: _("next page"), args=(1,)),
    Key(LobbyKeys.action_page, "pageup,left", "PgUp", lambda: _("previous page"), args=(-1,)),
    Key(LobbyKeys.action_invite, "i", "i", lambda: _("invite")),
    Key(LobbyKeys.action_copy, "c", "c", lambda: _("copy the line that a friend types")),
    Key(LobbyKeys.action_talk, "t", "t", lambda: _("talk")),
    Key(LobbyKeys.action_account, "a", "a", lambda: _("one account for your ssh and your browser")),
    *EVERY_SCREEN,
    Key(LobbyKeys.action_help, "question_mark,f1", "?", lambda: _("keys")),
    Key(LobbyKeys.action_leave, "q,escape", "q", lambda: pgettext("the lobby", "leave"), leaves_screen=True),
)
"""Keys of the lobby."""

REPLAY = (
    Key(ReplayKeys.action_play, "space", "Space", lambda: _("play, or pause")),
    Key(ReplayKeys.action_faster, "plus,equals_sign,f", "f +", lambda: _("faster"), args=(1,)),
    Key(ReplayKeys.action_faster, "minus,s", "s -", lambda: _("slower"), args=(-1,)),
    Key(ReplayKeys.action_hand, "h", "h", lambda: _("whose hand is shown: on turn, each player's, all, nobody's")),
    Key(ReplayKeys.action_step, "right,enter", "→", lambda: _("forward"), "Right", args=(1,)),
    Key(ReplayKeys.action_step, "left,backspace", "←", lambda: pgettext("a step", "back"), "Left", args=(-1,)),
    Key(ReplayKeys.action_round, "down,pagedown,n", "↓ n", lambda: _("next round"), "Down, n", args=(1,)),
    Key(ReplayKeys.action_round, "up,pageup,p", "↑ p", lambda: _("previous round"), "Up, p", args=(-1,)),
    Key(ReplayKeys.action_jump, "home", "Home", lambda: _("to the beginning"), args=(0,)),
    Key(ReplayKeys.action_jump, "end", "End", lambda: _("to the end"), args=(-1,)),
    Key(ReplayKeys.action_look, "v", "v", lambda: _("switch between table and result")),
    Key(ReplayKeys.action_coach, "r", "r", lambda: _("what the coach says of the next move")),
    *EVERY_SCREEN,
    Key(ReplayKeys.action_help, "question_mark,f1", "?", lambda: _("these keys, and the rules")),
    Key(ReplayKeys.action_leave, "q,escape", "q", lambda: pgettext("the replay", "leave"), leaves_screen=True),
)
"""Keys of a replay."""


ENTER = "Enter"
"""Name of the key in the sentences of all languages."""
LABELS = {
    "enter": "↵",
    "space": "Space",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "question_mark": "?",
    "slash": "/",
    "colon": ":",
    "plus": "+",
    "minus": "-",
    "full_stop": ".",
    "exclamation_mark": "!",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}
"""Labels of keys other than letters and digits, by Textual's name."""
_NAMES = {label: name for name, label in LABELS.items()} | {
    name.capitalize(): name for name in ("enter", "left", "right", "up", "down")
}


def name_of_label(label: str) -> str:
    """Return Textual's name of the key with this label; if several keys have it, the last one."""
    last = label.replace("/", " ").split()[-1] if len(label) > 1 else label
    return _NAMES.get(last) or _NAMES.get(last[-1], last)


def key_hints(keys: tuple[Key, ...], names: tuple[str, ...], ascii: bool) -> list[tuple[str, str]]:
    """Return the labels and words of the actions with these `names`, for a line of hints."""
    return [(key.label_on(ascii), key.words()) for key in keys if key.call in names]


_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_LAYOUTS = (
    "йцукенгшщзхъфывапролджэячсмитьбюё",  # Russian
    "йцукенгшщзхїфівапролджєячсмитьбю'",  # Ukrainian
    "йцукенгшўзх'фывапролджэячсмітьбюё",  # Belarusian
    "\0ςερτυθιοπ[]ασδφγηξκλ\0'ζχψωβνμ,.`",  # Greek; its q is a semicolon, which others type as such
)
_LATIN_BY_LETTER: dict[str, str] = {}
"""Character on the same key of an English keyboard, by letter."""
for _layout in reversed(_LAYOUTS):  # reversed: where two layouts differ, the first one wins
    _LATIN_BY_LETTER |= {letter: latin for letter, latin in zip(_layout, _LATIN, strict=True) if not letter.isascii()}
_ENTER_NAMES = {"shift+enter", "ctrl+enter", "ctrl+j", "shift+\r"}
"""Textual's names for a line feed, and for Enter with a modifier."""


def map_key(key: str, character: str | None) -> tuple[str, str]:
    """Return the name and the character of the key to use where no text is typed.

    A letter stands for the key at its place on an English keyboard. An empty name is derived from the character.
    """
    if key in _ENTER_NAMES:
        return "", "\r"
    modifiers, _, last = key.rpartition("+")
    if modifiers and len(last) == 1:
        return f"{modifiers}+{latin_letter(last)}", character or ""
    if not character or character.isascii():
        return key, character or ""
    return "", latin_letter(character)


def latin_letter(character: str) -> str:
    """Return the ASCII character on the same key, or the character itself if there is none."""
    lower = character.lower()
    if lower in _LATIN_BY_LETTER:
        return _LATIN_BY_LETTER[lower] if character == lower else _LATIN_BY_LETTER[lower].upper()
    half_width = normalize("NFKC", character)
    return half_width if len(half_width) == 1 and half_width.isascii() else character
