"""What the links of a host lead to: a table, a game against bots, a match to look at again, a lesson."""

import re
from urllib.parse import parse_qs, unquote, urlsplit

from core.words import BadOption
from net.limits import MAX_CLAIMED
from net.wire.messages import MOST_TABLES, MakeTable, Sit, Watch
from tui.model.new_table import YES, NewTable
from tui.text.names import game_meant, preset_meant

_LINK = re.compile(r"/([twrg])/([^/]+)")


def target_of(path: str) -> MakeTable | Sit | Watch | None:
    """The table that a link leads to; None where it leads to the lobby, or to nothing that is known."""
    parts = urlsplit(path)
    found = _LINK.fullmatch(parts.path)
    if found is None:
        return None
    kind, what = found[1], unquote(found[2])[:MAX_CLAIMED]
    code = parse_qs(parts.query).get("code", [""])[0][:MAX_CLAIMED]
    if kind in "tw" and what.isdecimal() and int(what) <= MOST_TABLES:
        return (Sit if kind == "t" else Watch)(int(what), code)
    return against_bots(what) if kind == "g" else None


def against_bots(name: str) -> MakeTable | None:
    """A table with nobody but bots, for a game or a preset of that name; None for no such name."""
    new_table = NewTable(hints=YES, take_back=YES)
    try:
        return new_table.set("game", game_meant(name).id).table(free_seats=False)
    except BadOption:
        pass
    try:
        return new_table.played_as(preset_meant(name)).table(free_seats=False)
    except BadOption:
        return None
