"""Draws a table before its first match: who is waited for, and by which rules will be played."""

from tui.board.canvas import Canvas, Picture, Style
from tui.draw.look import Look
from tui.draw.moment import Moment
from tui.draw.panels import fit, plain
from tui.i18n import _, several
from tui.text.at_table import changed_rules, time_limits


def draw_waiting(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Who is still waited for, the house rules, the limits, and what the deals will follow from."""
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    update, text, quiet = moment.update, Style(theme.text, theme.felt), Style(theme.quiet, theme.felt)
    free = sum(seat.free for seat in update.table.seats)
    waiting = several("Waiting for {count} more player.", "Waiting for {count} more players.", free)
    lines: list[tuple[str, Style]] = [
        (waiting if free else _("Shuffling …"), Style(theme.accent, theme.felt, True)),
        ("", text),
    ]
    if update.code:
        lines += [(_("Private: others join with the code {code}.", code=update.code), text), ("", text)]
    lines += [(rule, quiet) for rule in changed_rules(update.table)]
    lines += [(limit, quiet) for limit in time_limits(update.table)]
    lines += [(_("Hints: on your turn, h gives you one."), quiet)] * update.table.hints
    if update.fair:
        lines += [("", text), (_("The host has committed to this deal:"), quiet), (update.fair.commitment, quiet)]
    top = max(0, (height - len(lines)) // 2)
    for row, (line, style) in enumerate(lines):
        shown = plain(fit(line, width - 4), look.ascii)
        canvas.put(max(2, (width - len(shown)) // 2), top + row, shown, style)
    return Picture(canvas.rows())
