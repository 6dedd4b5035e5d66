"""Draws a table before its first match: who is waited for, and by which rules will be played."""

from core.games import GAMES
from net.wire.messages import TableInfo
from tui.board.canvas import Canvas, Picture, Style
from tui.draw.look import Look
from tui.draw.moment import Moment
from tui.draw.panels import fit, plain
from tui.i18n import _, minutes, several
from tui.wording import label_of


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
    lines += [(rule, quiet) for rule in _house_rules(moment)]
    lines += [(limit, quiet) for limit in _limits(update.table)]
    lines += [(_("Hints: on your turn, h gives you one."), quiet)] * update.table.hints
    if update.fair:
        lines += [("", text), (_("The host has committed to this deal:"), quiet), (update.fair.commitment, quiet)]
    top = max(0, (height - len(lines)) // 2)
    for row, (line, style) in enumerate(lines):
        shown = plain(fit(line, width - 4), look.ascii)
        canvas.put(max(2, (width - len(shown)) // 2), top + row, shown, style)
    return Picture(canvas.rows())


def _limits(table: TableInfo) -> list[str]:
    """How much time there is, where it is limited."""
    limits = []
    if table.turn_time:
        limits.append(_("{time} for each turn", time=minutes(table.turn_time)))
    if table.match_time:
        limits.append(_("{time} for all of a player's turns", time=minutes(table.match_time)))
    return limits


def _house_rules(moment: Moment) -> list[str]:
    """The house rules at this table that are not the game's defaults, in words where they are known here."""
    table = moment.update.table
    variant = GAMES.get(table.game)
    if variant is None:
        return [f"{key} = {value}" for key, value in table.options.items()]
    defaults = variant.rules(len(table.seats), {})[0]
    names = {option.key: _(option.words) for option in variant.options}
    return [
        f"{names.get(key, key)}: {label_of(table.game, key, value)}"
        for key, value in table.options.items()
        if defaults.get(key) != value
    ]
