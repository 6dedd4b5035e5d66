"""Tells who came, who left, and whether the table was stopped, between two updates."""

from itertools import zip_longest

from net.wire.messages import Update
from net.wire.tables import SeatInfo
from tui.i18n import _
from tui.text.at_table import pace_words


def comings(before: Update | None, now: Update) -> list[str]:
    """What has changed about the people at a table; nothing for the first update."""
    if before is None or before.table.id != now.table.id:
        return []
    lines = []
    for seat, (was, now_is) in enumerate(zip_longest(before.table.seats, now.table.seats, fillvalue=SeatInfo())):
        if seat != now.seat:
            lines += _seat(was, now_is)
    lines += [_("{name} is watching.", name=name) for name in now.watching if name not in before.watching]
    lines += [_("{name} has stopped watching.", name=name) for name in before.watching if name not in now.watching]
    if before.table.pace != now.table.pace:
        lines.append(pace_words(now.table))
    if (before.table.phase == "paused") != (now.table.phase == "paused"):
        lines.append(_("The table is paused.") if now.table.phase == "paused" else _("The table goes on."))
    return lines


def _seat(was: SeatInfo, now: SeatInfo) -> list[str]:
    if was.name != now.name:
        left = [_("{name} has left.", name=was.name)] if was.name else []
        return [*left, _("{name} sits down.", name=now.name)] if now.name else left
    if was.away != now.away and now.name:
        return [_("{name} is away.", name=now.name) if now.away else _("{name} is back.", name=now.name)]
    return []
