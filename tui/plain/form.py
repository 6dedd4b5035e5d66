"""The form of a new table, question by question: the game, the seats and the bots first, then any other setting."""

from core.variant import Value
from core.words import BadOption
from net.wire.messages import MakeTable
from tui.i18n import _, capitalize, several, translate
from tui.model.new_table import FormRow, NewTable
from tui.text.names import find_rules, game_name

FIRST_KEYS = ("game", "players", "bots", "level")
"""The questions asked of every player, in this order."""
MAX_REPEATED_LINES = 10
"""Lines of a question that is repeated after a wrong answer."""


def numbered_lines(lines: list[str]) -> list[str]:
    """Return the lines with their numbers, from 1."""
    return [f"{number}. {line}" for number, line in enumerate(lines, 1)]


def number_of(line: str, largest: int) -> int | None:
    """Return the typed number from 1 to `largest`; None for anything else."""
    word = line.strip()
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 5 else 0
    return number if 1 <= number <= largest else None


class NewTableForm:
    """Asks until a table has been described, or the player goes back; its methods return the sentences to say."""

    def __init__(self, new_table: NewTable, *, free_seats: bool) -> None:
        """`free_seats` allows seats that wait for players; without it, bots take all seats but one."""
        self._new_table = new_table
        self._free_seats = free_seats
        self._keys_to_ask = [(key, "") for key in FIRST_KEYS]
        """Settings still to be asked for, by the keys of their rows."""
        self._unfolded = False
        self.table: MakeTable | None = None
        """The described table, once complete."""
        self.cancelled = False
        """True if the player went back instead."""

    def question(self) -> list[str]:
        """Return the present question."""
        row = self._row
        if not row:
            return self._summary()
        lines = [
            _("{setting}: press Enter for {value}.", setting=capitalize(row.label), value=self._value_words(row))
        ]
        if _has_numbers(row.choices):
            choices = ", ".join(self._choice_to_type(row, choice) for choice in row.choices)
            return [*lines, _("Or type one of {numbers}.", numbers=choices)]
        return lines + numbered_lines(row.explanations(self._new_table.game))

    def answer(self, line: str) -> list[str]:
        """Handle an answer, and return the sentences to say next."""
        word = line.strip()
        if word.lower() in ("back", "leave", "quit", "q"):
            self.cancelled = True
            return []
        row = self._row
        return self._pick(row, word) if row else self._finish(word)

    @property
    def _row(self) -> FormRow | None:
        """The setting that is asked for; None once all are known."""
        while self._keys_to_ask:
            row = next((row for row in self._settings() if row.row_id == self._keys_to_ask[0]), None)
            if row and self._is_open(row):
                return row
            self._keys_to_ask.pop(0)
        return None

    def _settings(self) -> list[FormRow]:
        return self._new_table.settings(self._free_seats)

    def _is_open(self, row: FormRow) -> bool:
        """Return True if there is a choice."""
        if row.key == "level" and self._free_seats and not self._new_table.bots:
            return False
        return len(row.choices) > 1

    def _label(self, row: FormRow, choice: Value) -> str:
        return row._replace(value=choice).value_words(self._new_table.game)

    def _choice_to_type(self, row: FormRow, choice: Value) -> str:
        """Return the text to type for a choice: its number, or else its label."""
        return str(choice) if isinstance(choice, int) and choice else self._label(row, choice)

    def _value_words(self, row: FormRow) -> str:
        return self._label(row, row.value)

    def _pick(self, row: FormRow, word: str) -> list[str]:
        chosen = self._find_choice(row, word) if word else row.value
        if chosen is not None:
            self._new_table = self._new_table.set(row.key, chosen, row.part)
        elif row.key == "game":
            try:
                self._new_table = self._new_table.with_rules(*find_rules(word))
            except BadOption as error:
                return [translate(error.reason), self.question()[0]]
        else:
            question = self.question()
            return [
                _("That is not one of the choices."),
                *question[: None if len(question) <= MAX_REPEATED_LINES else 1],
            ]
        self._keys_to_ask.pop(0)
        return self.question()

    def _find_choice(self, row: FormRow, word: str) -> Value | None:
        """Return the typed choice, by its number or its text; None if there is none."""
        if not _has_numbers(row.choices) and (number := number_of(word, len(row.choices))) is not None:
            return row.choices[number - 1]
        if row.key == "game":
            return None
        text, unchanged_row = word.lower(), row._replace(changed=False)
        return next(
            (choice for choice in row.choices if text in (str(choice), self._label(unchanged_row, choice).lower())),
            None,
        )

    def _changeable_rows(self) -> list[FormRow]:
        """Return the settings that can be changed; rare ones only if they are changed or all are requested."""
        rows = [row for row in self._settings() if row.key not in FIRST_KEYS and len(row.choices) > 1]
        return [row for row in rows if self._unfolded or not row.can_fold]

    def _summary(self) -> list[str]:
        new_table, rows = self._new_table, self._changeable_rows()
        players = several("{count} player", "{count} players", new_table.players)
        lines = [
            _("{game} for {players}.", game=game_name(new_table.game), players=players),
            _(new_table.variant.pitch),
        ]
        lines += numbered_lines([f"{capitalize(row.label)}: {self._value_words(row)}." for row in rows])
        folded_count = sum(row.can_fold for row in self._settings())
        if folded_count and not self._unfolded:
            rules = several("{count} rule", "{count} rules", folded_count)
            lines.append(_("Type “more” for {rules} that few people change.", rules=rules))
        prompt = _("Press Enter to open the table, type the number of what you want to change, or “back”.")
        return [*lines, *filter(None, [new_table.problem()]), prompt]

    def _finish(self, word: str) -> list[str]:
        rows = self._changeable_rows()
        if word.lower() == "more":
            self._unfolded = True
            return self.question()
        number = number_of(word, len(rows))
        if number is not None:
            self._keys_to_ask = [rows[number - 1].row_id]
            return self.question()
        problem = self._new_table.problem()
        if word or problem:
            return [problem or _("Type a number from 1 to {most}, Enter, or “back”.", most=len(rows))]
        self.table = self._new_table.table(self._free_seats)
        return []


def _has_numbers(choices: tuple[Value, ...]) -> bool:
    """Return True if a choice is a number: then choices are typed as they are, not by their place in the list."""
    return any(isinstance(choice, int) for choice in choices)
