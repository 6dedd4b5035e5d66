"""What is said of a bot: its level, and the temper that its name is known for."""

from core.bots.characters import CHARACTERS, Temper
from core.bots.thinking import EFFORTS
from net.wire.tables import SeatInfo, TableInfo
from tui.i18n import _


def bot_words(seat: SeatInfo) -> str:
    """The level of a bot, and its temper if it thinks; empty for a person's seat."""
    character = CHARACTERS.get(seat.name) if seat.bot in EFFORTS else None
    if character is None:
        return level_word(seat.bot)
    tempers: dict[Temper, str] = {
        "careful": _("careful"),
        "bold": _("bold"),
        "saves doubles": _("saves doubles"),
        "spends doubles": _("spends doubles"),
        "keeps suits": _("keeps suits"),
    }
    return f"{level_word(seat.bot)}, {tempers[character.temper]}"


def level_word(level: str) -> str:
    """A level that people choose; those that others are measured against have no other names."""
    return {"easy": _("easy"), "normal": _("normal"), "hard": _("hard")}.get(level, level)


def company(table: TableInfo) -> str:
    """Which bots play at a table and how, and whether there are hints and taking back."""
    bots = [f"{seat.name} ({bot_words(seat)})" for seat in table.seats if seat.bot]
    switches = [_("with hints")] * table.hints + [_("with taking back")] * table.take_back
    return " · ".join([*bots, *switches])
