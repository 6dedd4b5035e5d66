"""Recorded matches in words: a line for each, a sentence for all, and a table by game and level."""

from collections.abc import Sequence

from tui.board.canvas import columns, fit
from tui.draw.panels import wrap
from tui.i18n import _, day_and_time, pgettext, with_sign
from tui.records.history import LevelTally, PastMatch, is_for_one, tiles_left_words
from tui.text.at_table import level_word
from tui.text.coach import surplus
from tui.text.names import game_name

MAX_NAME_WIDTH, MAX_LEVEL_WIDTH = 20, 16
"""Maximum columns of a game's name and of a level."""


INDENT = 2
MIN_COLUMN_WIDTH = 6
"""Minimum columns of either."""
GUARANTEED_PLAYERS_WIDTH = 20
"""Columns that the names of the players may take in any case."""


def matches_table(matches: Sequence[PastMatch], width: int) -> list[str]:
    """Return a line for each match, with its number: the time, the game, the players and the result."""
    rows = [
        (f"{number:>3}", day_and_time(match.began_at), match.title, ", ".join(match.players), match.summary)
        for number, match in enumerate(matches, 1)
    ]
    readable_rows = [row for row, match in zip(rows, matches, strict=True) if not match.problem]
    widths = [max((columns(row[n]) for row in readable_rows or rows), default=0) for n in range(4)]
    widths[2] = min(widths[2], MAX_NAME_WIDTH)
    result_width = max((columns(row[4]) for row in readable_rows), default=0)
    free_columns = width - sum(widths[:3]) - 2 * 4
    widths[3] = min(widths[3], max(GUARANTEED_PLAYERS_WIDTH, free_columns - result_width))
    lines = []
    for row, match in zip(rows, matches, strict=True):
        count = 2 if match.problem else 4  # a problem takes the room of the unknown columns
        cells = [fit(cell, column_width) for cell, column_width in zip(row[:count], widths[:count], strict=True)]
        cells = [
            cell + " " * (column_width - columns(cell)) for cell, column_width in zip(cells, widths, strict=False)
        ]
        first_cells = "  ".join(cells)
        lines.append(f"{first_cells}  {fit(row[4], width - columns(first_cells) - 2)}".rstrip())
    return lines


def levels_words(level: str) -> str:
    """Return a level of bots, or several, in words."""
    return " + ".join(map(level_word, level.split(" + "))) if level else ""


def totals_words(tally: LevelTally) -> str:
    """Return the numbers of matches played and won, and the present series of wins."""
    text = wins_words(tally)
    if tally.streak > 1:
        text += ", " + _("{count} in a row", count=tally.streak)
    return text


def wins_words(tally: LevelTally) -> str:
    """Return the number of matches won, and played."""
    return _("{won} of {played} won", won=tally.won, played=tally.played)


def last_played_words(tally: LevelTally, began_at: float) -> str:
    """Return the time of the last match of a game, and the number of matches won."""
    return _("last played {time}, {won}", time=day_and_time(began_at), won=wins_words(tally))


def statistics_table(tallies: Sequence[LevelTally], width: int) -> list[str]:
    """Return a row for each game and level, and headings; no line is wider than `width`, if that is at least 48.

    The rows are indented, so that no later step wraps them.
    """
    width -= INDENT
    if not tallies:
        return [_("No match is recorded yet.")]
    headings = [
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
            game_name(tally.game),
            levels_words(tally.level) or "–",
            *(str(count) for count in (tally.played, tally.won, tally.streak)),
            tiles_left_words(tally.best_round) if is_for_one(tally.game) else with_sign(tally.best_round),
            *(surplus(gain / tally.reviewed) if tally.reviewed else "–" for gain in (tally.luck, tally.play)),
        ]
        for tally in tallies
    ]
    count = len(headings) if any(tally.reviewed for tally in tallies) else len(headings) - 2
    while True:
        widths = [max(columns(row[n]) for row in (headings, *rows)) for n in range(count)]
        widths[0], widths[1] = min(widths[0], MAX_NAME_WIDTH), min(widths[1], MAX_LEVEL_WIDTH)
        for column, min_width in ((1, MIN_COLUMN_WIDTH), (0, MIN_COLUMN_WIDTH)):
            excess = sum(widths) + 2 * (count - 1) - width
            widths[column] -= max(0, min(excess, widths[column] - min_width))
        if sum(widths) + 2 * (count - 1) <= width or count == 4:
            break
        count -= 2 if count == len(headings) else 1  # luck and play only together
    lines = [" " * INDENT + _table_row(row[:count], widths) for row in (headings, *rows)]
    if count == len(headings):
        legend = _("Luck and decisions: points ahead of the others in a match, over the reviewed matches.")
        lines += ["", *wrap(legend, width)]
    return lines


def _table_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row with names to the left, numbers to the right."""
    fitted = [fit(cell, column_width) for cell, column_width in zip(cells, widths, strict=True)]
    padded = [
        cell + " " * (column_width - columns(cell)) if number < 2 else " " * (column_width - columns(cell)) + cell
        for number, (cell, column_width) in enumerate(zip(fitted, widths, strict=True))
    ]
    return "  ".join(padded).rstrip()
