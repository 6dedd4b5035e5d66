"""A new table, asked for question by question: the game, the seats and the bots first, then whatever is to differ."""

from core.games import GAMES, game_called
from core.options import Value
from core.words import BadOption
from net.wire.messages import MakeTable
from tui.i18n import _, several
from tui.model.wish import Wish
from tui.text.bots import level_words

FIRST = ("game", "players", "bots", "level")
"""What is asked of everybody, in this order."""
ENDLESS = "∞"
"""A choice that nobody can type, and few programs read aloud."""


def numbered(lines: list[str]) -> list[str]:
    """The lines with their numbers, from one."""
    return [f"{number}. {line}" for number, line in enumerate(lines, 1)]


def number_of(line: str, most: int) -> int | None:
    """The number from 1 to `most` that was typed; None for anything else."""
    word = line.strip()
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 5 else 0
    return number if 1 <= number <= most else None


class Form:
    """Asks until a table is wished for, or the player goes back; its methods return what to say."""

    def __init__(self, wish: Wish, *, free_seats: bool) -> None:
        """`free_seats` allows seats that wait for people; without, bots take all seats but one."""
        self._wish = wish
        self._free_seats = free_seats
        self._asked = list(FIRST if free_seats else [key for key in FIRST if key != "bots"])
        self.table: MakeTable | None = None
        """What was wished for, once it was."""
        self.cancelled = False
        """Whether the player went back instead."""

    def question(self) -> list[str]:
        """What is asked now."""
        key = self._key
        if not key:
            return self._summary()
        meaning, choices, value = self._setting(key)
        told = [_("{setting}: press Enter for {value}.", setting=_capital(meaning), value=_shown(key, value))]
        if _by_itself(choices):
            return [
                *told,
                _("Or type one of {numbers}.", numbers=", ".join(_shown(key, choice) for choice in choices)),
            ]
        return told + numbered([_choice(key, choice) for choice in choices])

    def answer(self, line: str) -> list[str]:
        """Take an answer, and return what to say next."""
        word = line.strip()
        if word.lower() in ("back", "leave", "quit", "q"):
            self.cancelled = True
            return []
        return self._pick(word) if self._key else self._finish(word)

    @property
    def _key(self) -> str:
        """The setting that is asked for; empty once all is known."""
        while self._asked and not self._open(self._asked[0]):
            self._asked.pop(0)
        return self._asked[0] if self._asked else ""

    def _open(self, key: str) -> bool:
        """Whether there is anything to choose."""
        if key == "level" and self._free_seats and not self._wish.bots:
            return False
        return len(self._setting(key)[1]) > 1

    def _setting(self, key: str) -> tuple[str, tuple[Value, ...], Value]:
        rows = self._wish.settings(self._free_seats)
        return next((meaning, choices, value) for name, meaning, choices, value in rows if name == key)

    def _pick(self, word: str) -> list[str]:
        key = self._key
        _meaning, choices, value = self._setting(key)
        chosen = _picked(key, word, choices) if word else value
        if chosen is None:
            return [_("That is none of the choices."), *self.question()]
        self._wish = self._wish.set(key, chosen)
        self._asked.pop(0)
        return self.question()

    def _rest(self) -> list[str]:
        """The settings that may differ, by their keys."""
        rows = self._wish.settings(self._free_seats)
        return [key for key, _meaning, choices, _value in rows if key not in FIRST and len(choices) > 1]

    def _summary(self) -> list[str]:
        wish = self._wish
        players = several("{count} player", "{count} players", wish.players)
        lines = [_("{game} for {players}.", game=wish.variant.name, players=players), _(wish.variant.pitch)]
        settings = [(key, self._setting(key)) for key in self._rest()]
        lines += numbered(
            [f"{_capital(meaning)}: {_shown(key, value)}." for key, (meaning, _choices, value) in settings]
        )
        asked = _("Press Enter to open the table, type the number of what you want to change, or back.")
        return [*lines, *filter(None, [wish.problem()]), asked]

    def _finish(self, word: str) -> list[str]:
        rest = self._rest()
        number = number_of(word, len(rest))
        if number is not None:
            self._asked = [rest[number - 1]]
            return self.question()
        problem = self._wish.problem()
        if word or problem:
            return [problem or _("Type a number from 1 to {most}, Enter, or back.", most=len(rest))]
        self.table = self._wish.table(self._free_seats)
        return []


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _by_itself(choices: tuple[Value, ...]) -> bool:
    """Whether there are numbers among the choices, so that these are typed as they are written."""
    return any(isinstance(choice, int) for choice in choices)


def _shown(key: str, value: Value) -> str:
    if value == ENDLESS:
        return _("unlimited")
    return GAMES[str(value)].name if key == "game" else str(value)


def _choice(key: str, value: Value) -> str:
    if key == "game":
        variant = GAMES[str(value)]
        return f"{variant.name}: {_(variant.pitch)}"
    told = level_words(str(value)) if key == "level" else ""
    return (told or str(value)) + "."


def _picked(key: str, word: str, choices: tuple[Value, ...]) -> Value | None:
    """The choice that was typed, by its number or as it is written; None for no such choice."""
    if not _by_itself(choices) and (number := number_of(word, len(choices))) is not None:
        return choices[number - 1]
    if key == "game":
        try:
            return game_called(word).id
        except BadOption:
            return None
    return next((choice for choice in choices if word.lower() in (str(choice), _shown(key, choice))), None)
