"""Describes recorded matches: each in a line, all together in a sentence, and a table by game and level."""

from collections.abc import Sequence

from tui.board.canvas import columns, fit
from tui.draw.panels import wrap
from tui.i18n import _, day_and_time, pgettext, signed
from tui.records.history import LevelTally, PastMatch
from tui.text.at_table import level_word
from tui.text.coach import surplus
from tui.text.names import game_name

NAME, LEVEL = 20, 16
"""Columns of a game's name and of a level, at most."""


INDENT = 2
SHORT = 6
"""Columns that these have at least."""
WHO = 20
"""Columns of the players, at most."""


def matches_table(matches: Sequence[PastMatch], width: int) -> list[str]:
    """A line for each match, which `boneyard history` numbers: when, which game, who, and how it ended."""
    rows = [
        (f"{number:>3}", day_and_time(match.began_at), match.title, ", ".join(match.players), match.told)
        for number, match in enumerate(matches, 1)
    ]
    whole = [row for row, match in zip(rows, matches, strict=True) if not match.problem]
    widths = [max((columns(row[n]) for row in whole or rows), default=0) for n in range(4)]
    widths[2] = min(widths[2], NAME)
    rest = max((columns(row[4]) for row in whole), default=0)
    free = width - sum(widths[:3]) - 2 * 4
    widths[3] = min(widths[3], max(WHO, free - rest))
    lines = []
    for row, match in zip(rows, matches, strict=True):
        shown = 2 if match.problem else 4  # what is wrong has the room of what is not known
        cells = [fit(cell, wide) for cell, wide in zip(row[:shown], widths[:shown], strict=True)]
        cells = [cell + " " * (wide - columns(cell)) for cell, wide in zip(cells, widths, strict=False)]
        before = "  ".join(cells)
        lines.append(f"{before}  {fit(row[4], width - columns(before) - 2)}".rstrip())
    return lines


def levels_words(level: str) -> str:
    """A level of bots, or several."""
    return " + ".join(map(level_word, level.split(" + "))) if level else ""


def together_words(tally: LevelTally) -> str:
    """How many matches were played and won, and how many of the latest one after the other."""
    told = won_words(tally)
    if tally.streak > 1:
        told += ", " + _("{count} in a row", count=tally.streak)
    return told


def won_words(tally: LevelTally) -> str:
    """How many matches were won, of how many."""
    return _("{won} of {played} won", won=tally.won, played=tally.played)


def last_words(tally: LevelTally, at: float) -> str:
    """When a game was played last, and how many of its matches were won."""
    return _("last played {time}, {won}", time=day_and_time(at), won=won_words(tally))


def statistics_table(tallies: Sequence[LevelTally], width: int) -> list[str]:
    """A row for each game and level, and what the columns are; no line is wider than it may be, if that is 48.

    The rows are indented, so that nobody breaks them in two.
    """
    width -= INDENT
    if not tallies:
        return [_("No match is recorded yet.")]
    heads = [
        _("game"),
        pgettext("the bots", "level"),
        pgettext("matches", "played"),
        pgettext("matches", "won"),
        _("streak"),
        _("best round"),
        _("from luck"),
        _("from decisions"),
    ]
    rows = [
        [
            game_name(each.game),
            levels_words(each.level) or "–",
            *(str(count) for count in (each.played, each.won, each.streak)),
            signed(each.best_round),
            *(surplus(gained / each.reviewed) if each.reviewed else "–" for gained in (each.luck, each.play)),
        ]
        for each in tallies
    ]
    shown = len(heads) if any(each.reviewed for each in tallies) else len(heads) - 2
    while True:
        widths = [max(columns(row[n]) for row in (heads, *rows)) for n in range(shown)]
        widths[0], widths[1] = min(widths[0], NAME), min(widths[1], LEVEL)
        for name, least in ((1, SHORT), (0, SHORT)):
            over = sum(widths) + 2 * (shown - 1) - width
            widths[name] -= max(0, min(over, widths[name] - least))
        if sum(widths) + 2 * (shown - 1) <= width or shown == 4:
            break
        shown -= 2 if shown == len(heads) else 1  # luck and play only together
    lines = [" " * INDENT + _row(row[:shown], widths) for row in (heads, *rows)]
    if shown == len(heads):
        told = _("Luck and decisions: points ahead of the others in a match, over the reviewed matches.")
        lines += ["", *wrap(told, width)]
    return lines


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Names stand left, numbers right."""
    shown = [fit(cell, wide) for cell, wide in zip(cells, widths, strict=True)]
    padded = [
        cell + " " * (wide - columns(cell)) if number < 2 else " " * (wide - columns(cell)) + cell
        for number, (cell, wide) in enumerate(zip(shown, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()
