"""The keys of a screen in two columns, for its page of help."""

from collections.abc import Sequence

from tui.draw.lists import wrap
from tui.i18n import _
from tui.model.keys import Key

_KEYS = 10
"""Columns for how the keys are written."""
_GAP = 2
_NARROW = 60
"""Columns of a page below which there is one column of keys."""


def at_the_table() -> list[tuple[str, str]]:
    """What else a player can press at the table, and how it is written."""
    return [
        ("1–9, 0", _("choose a tile; again plays it")),
        ("a–g, i–o", _("choose an end; again plays there")),
        ("Tab", _("next end")),
        (_("mouse"), _("choose a tile or an end; again plays")),
    ]


def keys_text(keys: Sequence[Key], width: int, more: Sequence[tuple[str, str]] = (), *, ascii: bool) -> list[str]:
    """The lines of a list of keys, in two columns where there is room; `more` are not in the table of keys."""
    pairs = [(key.written(ascii), key.words()) for key in keys if key.shown]
    pairs = [*pairs[:1], *more, *pairs[1:]]
    column = (width - _GAP) // 2 - 2 if width >= _NARROW else width - 2
    entries = [_entry(written, words, column) for written, words in pairs]
    if width < _NARROW:
        return ["  " + line for entry in entries for line in entry]
    left = _first_half(entries)
    columns = [[line for entry in half for line in entry] for half in (entries[:left], entries[left:])]
    height = max(map(len, columns))
    padded = [[*column_lines, *[""] * (height - len(column_lines))] for column_lines in columns]
    return [f"  {one:{column + _GAP}}{other}".rstrip() for one, other in zip(*padded, strict=True)]


def _entry(written: str, words: str, width: int) -> list[str]:
    lines = wrap(words, width - _KEYS)
    return [f"{key:{_KEYS}}{line}" for key, line in zip([written, *[""] * len(lines)], lines, strict=False)]


def _first_half(entries: Sequence[Sequence[str]]) -> int:
    """How many entries make the left column, so that it is as long as the right one, or a little longer."""
    total, so_far = sum(map(len, entries)), 0
    for number, entry in enumerate(entries):
        if 2 * so_far >= total:
            return number
        so_far += len(entry)
    return len(entries)
