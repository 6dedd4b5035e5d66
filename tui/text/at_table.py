"""The people at a table or in a saved match, and its limits and house rules, in words."""

from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING

from core.bots.profiles import CHARACTERS, EFFORTS, Temper
from core.games import GAMES
from core.layout.state import NOBODY
from core.variant import VERSION
from net.client.client import Client
from net.players.text import HOST_MARK
from net.wire.messages import MakeTable, Said, SeatInfo, Sit, Speed, TableInfo, Update, Watch
from tui.i18n import _, clock_text, pgettext, several, with_sign
from tui.text.names import game_name, rules_name
from tui.wording import label_of

if TYPE_CHECKING:
    from net.storage.solo_matches import KeptMatch

PACES: tuple[Speed, ...] = ("slow", "normal", "at once")
"""The paces of bots, the slowest first."""


def people(client: Client) -> list[tuple[str, str]]:
    """Return the names of the people at a client's table, with their activity there."""
    update, fair = client.update, client.fair
    if update is None:
        return []
    names_and_activities = []
    for seat, info in enumerate(update.table.seats):
        if info.free:
            continue
        activity = (
            _("bot: {how}", how=bot_words(info))
            if info.bot
            else pgettext("a player", "away")
            if info.away
            else _("at seat {number}", number=seat + 1)
        )
        share = fair.shares[seat] if fair and seat < len(fair.shares) else None
        if share and share.pledge:
            activity += " · " + (_("has added to the shuffle") if share.share else _("will add to the shuffle"))
        if info.name in client.muted:
            activity += " · " + _("muted")
        names_and_activities.append((info.name, activity))
    muted = " · " + _("muted")
    return names_and_activities + [(name, _("watching") + muted * (name in client.muted)) for name in update.watching]


def in_company(update: Update) -> bool:
    """Return True if other people are at the table, to whom the player may talk."""
    other_seats = (seat for number, seat in enumerate(update.table.seats) if number != update.seat)
    return bool(update.table.watchers) or any(seat.free or not seat.bot for seat in other_seats)


def has_other_players(update: Update) -> bool:
    """Return True if other people have seats at the table."""
    return any(seat.name and not seat.bot for number, seat in enumerate(update.table.seats) if number != update.seat)


def leaving_question(update: Update | None, *, is_own: bool, is_kept: bool) -> str:
    """Return the question before a player leaves the table; empty if nothing is lost and nobody misses the player.

    `is_own` is True for a match of the player's own, and `is_kept` if that can be resumed.
    """
    if update is None or update.table.phase == "over":
        return ""
    if is_own:
        return _("Leave? The match is kept.") if is_kept else _("Leave? The match will be lost.")
    if update.seat == NOBODY or update.table.phase == "waiting" or not in_company(update):
        return ""
    return _("Leave? A bot plays for you until you are back.")


def talk_lines(client: Client) -> list[str]:
    """Return all chat messages at a client's table, the oldest first."""
    return [chat_line(message) for message in client.said if message.name not in client.muted] or [
        _("Nobody has said anything.")
    ]


def chat_line(said: Said) -> str:
    """Return a chat message of a guest, or of the host itself."""
    if words := maintenance_words(said):
        return f"{HOST_MARK} {words}"
    if said.name:
        return _("{name}: “{text}”", name=said.name, text=said.text)
    return f"{HOST_MARK} " + _("The server says: “{text}”", text=said.text)


def maintenance_words(said: Said) -> str:
    """Return the announcement of a maintenance as a sentence; empty for any other message."""
    if said.maintenance is None or said.name:
        return ""
    if said.maintenance < 0:
        return _("There will be no maintenance; new matches can begin.")
    if not (minutes := ceil(said.maintenance / 60)):
        return _("Maintenance begins now. Seats are kept.")
    return several(
        "Maintenance in {count} minute: no new match begins, and seats are kept.",
        "Maintenance in {count} minutes: no new match begins, and seats are kept.",
        minutes,
    )


def phrases() -> tuple[str, ...]:
    """Return the quick phrases, in the order of the digits that send them."""
    return _("Hello!"), _("Well played!"), _("One moment!"), _("Good game!"), _("I have to go!")


def people_line(client: Client) -> str:
    """Return the roster for a guest in the lobby; empty if nobody else is on the host."""
    tables = client.tables
    if not tables.names:
        return ""
    unlisted_count = tables.people - len(tables.names)
    roster = _("Here: {names}", names=", ".join(tables.names))
    return f"{roster} " + _("and {count} more", count=unlisted_count) if unlisted_count > 0 else roster


def missing_players_words(table: TableInfo) -> str:
    """Return the number of players that a table waits for, in words."""
    free = sum(seat.free for seat in table.seats)
    return several("waits for {count}", "waits for {count}", free)


def pace_of(table: TableInfo) -> Speed:
    """Return the pace of the bots at a table; the default for an unknown one."""
    return table.pace if table.pace in PACES else "normal"


def pace_words(table: TableInfo) -> str:
    """Return the pace of the bots at a table in words."""
    return pace_names()[pace_of(table)]


def pace_names() -> dict[Speed, str]:
    """Return the paces of bots in words."""
    return {
        "slow": _("Bots play slowly."),
        "normal": _("Bots play at their normal pace."),
        "at once": _("Bots play at once."),
    }


def time_limits(table: TableInfo) -> list[str]:
    """Return the time limits of a table in words; none if there are no limits."""
    limits = []
    if table.turn_time:
        limits.append(_("{time} for each turn", time=clock_text(table.turn_time)))
    if table.match_time:
        limits.append(_("{time} for all of a player's turns", time=clock_text(table.match_time)))
    return limits


def changed_rules(table: TableInfo) -> list[str]:
    """Return the house rules at a table that differ from the defaults, in words if they are known here."""
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
    """Return the level of a bot, and its temper if it thinks; empty for a person's seat."""
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
    """Return a level of bots in words; the id of a level that players cannot choose."""
    return {"easy": _("easy"), "normal": _("normal"), "hard": _("hard")}.get(level, level)


def bots_words(table: TableInfo) -> str:
    """Return the bots at a table with their levels, and “with hints” and “with taking back” if these are allowed."""
    bots = [f"{seat.name} ({bot_words(seat)})" for seat in table.seats if seat.bot]
    switches = [_("with hints")] * table.hints + [_("with taking back")] * table.take_back
    return " · ".join([*bots, *switches])


def saved_match_words(match: "KeptMatch") -> str:
    """Return a saved match in words: the game, and with others the round and the player's own score."""
    name = rules_name(match.game, match.options)
    return f"{name}, {standing(match)}" if len(match.names) != 1 else name


def standing(match: "KeptMatch") -> str:
    """Return the round, and the player's own score."""
    return _("round {round}, you {score}", round=match.round, score=with_sign(match.score))


def opponents(match: "KeptMatch") -> str:
    """Return the names of the other players."""
    return ", ".join(name for name in match.names if name)


def alternatives_in_words(client: Client) -> list[tuple[MakeTable | Sit | Watch, str, str]]:
    """Return each of the client's `alternatives`, with its name and a note: seats to go back to, then the link."""
    tables = {table.id: table for table in client.tables.tables}
    return [(target, *_alternative_words(target, client, tables)) for target in client.alternatives]


def _alternative_words(
    target: MakeTable | Sit | Watch, client: Client, tables: Mapping[int, TableInfo]
) -> tuple[str, str]:
    if isinstance(target, MakeTable):
        return _("Now play: {game}", game=game_name(target.game)), _("against bots")
    table = tables.get(target.table)
    if table is None:
        return _("Go to the table of the link"), ""
    game, seated_names = rules_name(table.game, table.options), [seat.name for seat in table.seats if seat.name]
    names = ", ".join(name for name in seated_names if name != client.name)
    if table.id in client.reserved:
        return _("Go back: {game}", game=game), names
    return (_("Watch: {game}", game=game) if isinstance(target, Watch) else _("Sit down: {game}", game=game)), names
