"""Describes how recorded matches went together: in a sentence, and as a table by game and level."""

from collections.abc import Sequence

from core.games import GAMES
from tui.board.canvas import columns
from tui.draw.panels import fit
from tui.i18n import _, day_and_time, several, signed
from tui.records.statistics import Tally
from tui.text.at_table import level_word

NAME, LEVEL = 20, 16
"""Columns of a game's name and of a level, at most."""


def levels_words(level: str) -> str:
    """A level of bots, or several."""
    return " + ".join(map(level_word, level.split(" + "))) if level else ""


def together_words(tally: Tally) -> str:
    """How many matches were played and won, and how many of the latest one after the other."""
    told = won_words(tally)
    if tally.streak > 1:
        told += ", " + several("the last {count}", "the last {count}", tally.streak)
    return told


def won_words(tally: Tally) -> str:
    """How many matches were won, of how many."""
    return _("{won} of {played} won", won=tally.won, played=tally.played)


def last_words(tally: Tally, at: float) -> str:
    """When a game was played last, and how many of its matches were won."""
    return _("last played {time}, {won}", time=day_and_time(at), won=won_words(tally))


def statistics_table(tallies: Sequence[Tally], width: int) -> list[str]:
    """A row for each game and level, and what the columns are; no line is wider than it may be, if that is 46."""
    if not tallies:
        return [_("No match against bots is recorded yet.")]
    heads = (_("game"), _("level"), _("played"), _("won"), _("streak"), _("longest"), _("best round"))
    rows = [
        (
            GAMES[each.game].name,
            levels_words(each.level) or "–",
            *(str(count) for count in (each.played, each.won, each.streak, each.longest)),
            signed(each.best_round),
        )
        for each in tallies
    ]
    widths = [max(columns(row[n]) for row in (heads, *rows)) for n in range(len(heads))]
    widths[0], widths[1] = min(widths[0], NAME), min(widths[1], LEVEL)
    over = sum(widths) + 2 * (len(widths) - 1) - width
    if over > 0:
        widths[0] -= min(over, max(0, widths[0] - 8))
    return [_row(row, widths) for row in (heads, *rows)]


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Names stand left, numbers right."""
    shown = [fit(cell, wide) for cell, wide in zip(cells, widths, strict=True)]
    padded = [
        cell + " " * (wide - columns(cell)) if number < 2 else " " * (wide - columns(cell)) + cell
        for number, (cell, wide) in enumerate(zip(shown, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()
