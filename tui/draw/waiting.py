"""Draws a table before its first match: who is missing, how they come here, and by which rules will be played."""

from tui.board.canvas import Canvas, Picture, Style, columns
from tui.draw.lists import wrap
from tui.draw.look import Look
from tui.draw.moment import Moment
from tui.draw.panels import fit, narrow, plain
from tui.i18n import _, several
from tui.text.at_table import changed_rules, time_limits


def draw_waiting(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Who sits there and who is still waited for, how to invite them, the house rules and the limits."""
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    update, text, quiet = moment.update, Style(theme.text, theme.felt), Style(theme.quiet, theme.felt)
    accent = Style(theme.accent, theme.felt, True)
    free = sum(seat.free for seat in update.table.seats)
    waiting = several("Waiting for {count} more player.", "Waiting for {count} more players.", free)
    seats = "  ·  ".join(seat.name or _("free") for seat in update.table.seats)
    lines: list[tuple[str, Style]] = [(waiting if free else _("Shuffling …"), accent), ("", text), (seats, text)]
    if free and moment.ways:
        lines += [("", text), (_("A friend types one of these, and sits down here:"), quiet)]
        longest = max(map(columns, moment.ways))
        lines += [(f"{way:{longest}}", accent) for way in moment.ways]
    if update.code:
        lines += [("", text), (_("Private: others join with the code {code}.", code=update.code), text)]
    rules = changed_rules(update.table) + time_limits(update.table)
    rules += [_("Hints: on your turn, h gives you one.")] * update.table.hints
    rules += [_("Taking back: if all others agree, u takes back your last choice.")] * update.table.take_back
    lines += [("", text)] * bool(rules) + [(rule, quiet) for rule in rules]
    if update.fair:
        lines += [("", text), (_("The deal is fixed already; w shows what proves it."), quiet)]
    if narrow(width):
        lines = [(part, style) for line, style in lines for part in wrap(line.rstrip(), width - 4) or [""]]
    lines = lines[:height]
    top = (height - len(lines)) // 2
    for row, (line, style) in enumerate(lines):
        shown = plain(fit(line, width - 4), look.ascii)
        canvas.put(max(2, (width - columns(shown)) // 2), top + row, shown, style)
    return Picture(canvas.rows())
