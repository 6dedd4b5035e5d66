"""The help page: current actions, the keys of a screen, the rules of its game, and the house rules in force."""

from collections.abc import Sequence

from core.games import GAMES
from core.variant import Options
from tui.draw.panels import measure, wrap
from tui.i18n import _
from tui.model.keys import SOLO_TABLE, TABLE, Key
from tui.model.look import Look
from tui.rulebook import rules_page
from tui.screens.base import Page, PageScreen

_KEY_COLUMNS = 10
"""Columns for the names of the keys."""
_GAP = 2
_MIN_TWO_COLUMN_WIDTH = 60
"""Page width below which the keys are in one column."""


def extra_table_keys() -> list[tuple[str, str]]:
    """Return further keys of the table that `TABLE` does not list, with their words."""
    return [
        ("1–9, 0", _("choose a tile; again plays it")),
        ("a–g, i–o", _("choose an end; again plays there")),
        ("Tab", _("next end")),
        (_("mouse"), _("choose a tile or an end; again plays")),
    ]


def key_lines(
    keys: Sequence[Key], width: int, extra_keys: Sequence[tuple[str, str]] = (), *, ascii: bool
) -> list[str]:
    """Return the lines of a list of keys, in two columns where there is room. `extra_keys` follow the first key."""
    pairs = [(key.label_on(ascii), key.words()) for key in keys if key.label]
    pairs = [*pairs[:1], *extra_keys, *pairs[1:]]
    column_width = (width - _GAP) // 2 - 2 if width >= _MIN_TWO_COLUMN_WIDTH else width - 2
    entries = [_entry_lines(label, words, column_width) for label, words in pairs]
    if width < _MIN_TWO_COLUMN_WIDTH:
        return ["  " + line for entry in entries for line in entry]
    middle = _first_half(entries)
    columns = [[line for entry in half for line in entry] for half in (entries[:middle], entries[middle:])]
    height = max(map(len, columns))
    padded = [[*column_lines, *[""] * (height - len(column_lines))] for column_lines in columns]
    return [f"  {left:{column_width + _GAP}}{right}".rstrip() for left, right in zip(*padded, strict=True)]


def _entry_lines(label: str, words: str, width: int) -> list[str]:
    lines = wrap(words, width - _KEY_COLUMNS)
    return [f"{key:{_KEY_COLUMNS}}{line}" for key, line in zip([label, *[""] * len(lines)], lines, strict=False)]


def _first_half(entries: Sequence[Sequence[str]]) -> int:
    """Return the number of entries in the left column, which is as long as the right one or a little longer."""
    total, line_count = sum(map(len, entries)), 0
    for number, entry in enumerate(entries):
        if 2 * line_count >= total:
            return number
        line_count += len(entry)
    return len(entries)


class HelpScreen(PageScreen):
    """A page of help to scroll through; any of the leaving keys closes it."""

    def __init__(
        self,
        look: Look,
        keys: tuple[Key, ...],
        game: str = "",
        options: Options | None = None,
        *,
        current_actions: Sequence[str] = (),
        note: str = "",
    ) -> None:
        """`current_actions` lists the current actions; `note`, for this guest alone, stands under the keys."""
        super().__init__(look)
        self._listed_keys = keys
        self._current_actions = current_actions
        self._note = note
        self._rules: list[str] = []
        if game in GAMES:
            variant = GAMES[game]
            self._rules = [rules_page(variant, options)]

    def page(self, width: int) -> Page:
        parts: list[str] = []
        if self._current_actions:
            parts += ["# " + _("Now"), *self._current_actions, ""]
        if self._listed_keys:
            extra = extra_table_keys() if self._listed_keys in (TABLE, SOLO_TABLE) else []
            lines = key_lines(self._listed_keys, measure(width), extra, ascii=self.look.ascii)
            parts += ["# " + _("Keys"), *lines, ""]
        if self._note:
            parts += [self._note, ""]
        return Page(_("Help") if self._listed_keys else _("Rules"), "\n".join([*parts, *self._rules]), _("help"))
