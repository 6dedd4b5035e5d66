"""Who is at a table or in a kept match, and by which limits and house rules it is played."""

from typing import TYPE_CHECKING

from core.bots.profiles import CHARACTERS, EFFORTS, Temper
from core.games import GAMES
from core.variant import VERSION
from net.client.client import Client
from net.players.text import SIGN
from net.wire.messages import Said, SeatInfo, Speed, TableInfo
from tui.i18n import _, minutes, pgettext, several
from tui.text.names import game_name
from tui.wording import label_of

if TYPE_CHECKING:
    from net.storage.solo_matches import KeptMatch

PACES: tuple[Speed, ...] = ("slow", "normal", "at once")
"""The paces of bots, the slowest first."""


def people(client: Client) -> list[tuple[str, str]]:
    """The names of those who are at a client's table, and what each is doing there."""
    update, fair = client.update, client.fair
    if update is None:
        return []
    here = []
    for seat, info in enumerate(update.table.seats):
        if info.free:
            continue
        doing = (
            _("bot: {how}", how=bot_words(info))
            if info.bot
            else pgettext("a player", "away")
            if info.away
            else _("at seat {number}", number=seat + 1)
        )
        share = fair.shares[seat] if fair and seat < len(fair.shares) else None
        if share and share.pledge:
            doing += " · " + (_("revealed the share") if share.share else _("pledged a share"))
        if info.name in client.muted:
            doing += " · " + _("muted")
        here.append((info.name, doing))
    muted = " · " + _("muted")
    return here + [(name, _("watching") + muted * (name in client.muted)) for name in update.watching]


def talk_lines(client: Client) -> list[str]:
    """All that was said at a client's table, the oldest first."""
    return [said_words(said) for said in client.said if said.name not in client.muted] or [
        _("Nobody has said anything.")
    ]


def said_words(said: Said) -> str:
    """What somebody said, or the host itself."""
    if said.name:
        return _("{name}: “{text}”", name=said.name, text=said.text)
    return f"{SIGN} " + _("The server says: “{text}”", text=said.text)


def phrases() -> tuple[str, ...]:
    """What is said often, by the digits from 1 on."""
    return _("Hello!"), _("Well played!"), _("One moment!"), _("Good game!"), _("I have to go!")


def people_line(client: Client) -> str:
    """Who is on the host, for somebody in its lobby; empty if nobody else is."""
    heard = client.tables
    if not heard.names:
        return ""
    more = heard.people - len(heard.names)
    here = _("Here: {names}", names=", ".join(heard.names))
    return f"{here} " + _("and {count} more", count=more) if more > 0 else here


def waits_words(table: TableInfo) -> str:
    """What a table waits for that has free seats."""
    free = sum(seat.free for seat in table.seats)
    return several("waits for {count}", "waits for {count}", free)


def pace_of(table: TableInfo) -> Speed:
    """How fast the bots at a table play, as far as this version knows."""
    return table.pace if table.pace in PACES else "normal"


def pace_words(table: TableInfo) -> str:
    """How fast the bots at a table play, in words."""
    return pace_names()[pace_of(table)]


def pace_names() -> dict[Speed, str]:
    """How fast bots may play, in words."""
    return {
        "slow": _("Bots play slowly."),
        "normal": _("Bots play at their normal pace."),
        "at once": _("Bots play at once."),
    }


def time_limits(table: TableInfo) -> list[str]:
    """How much time there is, where it is limited."""
    limits = []
    if table.turn_time:
        limits.append(_("{time} for each turn", time=minutes(table.turn_time)))
    if table.match_time:
        limits.append(_("{time} for all of a player's turns", time=minutes(table.match_time)))
    return limits


def changed_rules(table: TableInfo) -> list[str]:
    """The house rules at a table that are not the game's defaults, in words where they are known here."""
    variant = GAMES.get(table.game)
    if variant is None:
        return [f"{key} = {value}" for key, value in table.options.items()]
    defaults = variant.rules(len(table.seats), {})[0]
    names = {option.key: _(option.words) for option in variant.options} | {VERSION: _("version of the rules")}
    return [
        f"{names.get(key, key)}: {label_of(table.game, key, value)}"
        for key, value in table.options.items()
        if defaults.get(key) != value
    ]


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


def kept_words(match: "KeptMatch") -> str:
    """Which match it is, and how it stands: the game, the round, and the player's own score."""
    return f"{game_name(match.game)}, {standing(match)}"


def standing(match: "KeptMatch") -> str:
    """The round, and the player's own score."""
    return _("round {round}, you {score}", round=match.round, score=match.score)


def opponents(match: "KeptMatch") -> str:
    """Who else plays."""
    return ", ".join(name for name in match.names if name)
