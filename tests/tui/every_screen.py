"""Every screen that can be painted by itself, with content, for tests that look at all of them."""

from pathlib import Path

from msgspec.structs import replace

from core.bots.levels import play_match
from core.coach.review import match_from_steps
from core.games import GAMES
from core.match import new_match
from net.client.client import Client
from net.storage.solo_matches import KeptMatch
from net.wire.link import memory_pair
from net.wire.messages import SeatInfo, TableInfo, Tables
from tests.tui.hands import MOMENTS as HANDS
from tests.tui.solitaires import SOLITAIRES, update_of
from tests.tui.tables import DARK, match_at, update_at
from tests.tui.test_compact import NAMES, positions
from tui.i18n import _
from tui.model.keys import HOME, LOBBY, REPLAY, TABLE
from tui.model.new_table import NewTable
from tui.model.playback import Recording
from tui.model.text_input import TextInput
from tui.records.history import PastMatch, statistics
from tui.records.matches import statistics_table
from tui.screens.asking import AskScreen, WaitScreen
from tui.screens.base import MessageScreen
from tui.screens.confirm_leave import LeavingScreen
from tui.screens.guests import GuestsScreen, InviteScreen
from tui.screens.help import HelpScreen
from tui.screens.hosts import HostsScreen
from tui.screens.lists import (
    LanguagesScreen,
    ThemesScreen,
    doors_screen,
    kept_matches_screen,
    lessons_screen,
    presets_screen,
)
from tui.screens.lobby import LobbyScreen, NameScreen
from tui.screens.match_end import MatchEndScreen, MatchesScreen, PastMatchScreen
from tui.screens.menu import MenuScreen, WelcomeScreen
from tui.screens.new_table import NewTableScreen
from tui.screens.pick_list import PickScreen
from tui.screens.replay import ReplayScreen
from tui.screens.review import HostRecord, ReviewedMatch
from tui.screens.table import TableScreen
from tui.text.at_table import leaving_question

KEPT = [
    KeptMatch(Path("damaged"), 1e9, problem="file is not a database"),
    KeptMatch(Path("latest"), 1e9, "all-fives", 3, 85, ("", "Felix", "Hub", "Dotty")),
]
PLAYED = [
    PastMatch(
        "20260103-200000-000000-draw-alone.jsonl", 1e9, "draw", NAMES[:3], NAMES[:1], (87, 0, 41), 1, 0, ("hard",)
    ),
    PastMatch("2.jsonl", 1e9, "four-rounds", NAMES[:2], (), (12, 12), 2, 0, ("easy", "normal"), most=12),
    PastMatch("3.jsonl", 1e9, problem="damaged"),
]


def screens():
    """Yield the screens by name. Paint each at once: the next may be the same screen with the cursor elsewhere."""
    yield from tables()
    yield from lists()
    yield from pages()
    explained = set()
    for game in GAMES:
        for screen in forms(game, explained):
            yield f"form for {game}", screen


def pages():
    """Yield the rules of every game, and the pages of keys."""
    for game in GAMES:
        yield f"rules of {game}", HelpScreen(DARK, (), game)
    for name, keys in (("table", TABLE), ("lobby", LOBBY), ("home", HOME), ("replay", REPLAY)):
        yield f"keys of {name}", HelpScreen(DARK, keys)


def client_of(update=None):
    """Return a client without a host; with an `update` it is at a table."""
    client = Client(memory_pair()[0], "test")
    client.name, client.update = "ada", update
    client.places, client.port = (("192.0.2.7", 2222),), 2222
    return client


def table(update):
    """Return the screen of a table with this update."""
    return TableScreen(client_of(update), DARK, lambda: DARK)


def tables():
    """Yield table screens with their titles: moments of a round and its result in every game, with the fewest players
    and with four.
    """
    for game, variant in GAMES.items():
        for players in {variant.seats[0], min(4, variant.seats[-1])}:
            seats = tuple(SeatInfo(name) for name in NAMES[:players])
            for number, match in enumerate(positions(game, players)[::-2]):
                for seat in {max(match.turn, 0), 0, *([-1] if number % 3 == 0 else [])}:
                    update = update_at(match, seat, seats=seats)
                    yield f"{game} for {players}", table(update)
    for name, match in HANDS.items():
        for seat in (*range(match.rules.seats), -1):
            yield f"{match.variant.name}, {name}", table(update_at(match, seat))
    for name, match in SOLITAIRES.items():
        for seat in (0, -1):
            update = update_of(match, seat)
            yield name, table(update)
    stuck = match_at((6, 1), "3|3 2|0", "0|0 5|5", boneyard="5|1 4|4", scores=(12, 30))
    yield "nothing fits", table(update_at(stuck))
    waiting = TableInfo(
        1, "ada", "draw", stuck.options, (SeatInfo("ada"), SeatInfo(), SeatInfo("bela")), 1, "waiting"
    )
    update = update_at(stuck)
    waits = type(update)(1, waiting, 0, None, code="QX7K")
    yield "waiting", table(waits)
    yield "guests", GuestsScreen(DARK, client_of(update))
    for way, own in ("own", True), ("company", False):
        question = leaving_question(replace(update, table=replace(update.table, watchers=1)), is_own=own, is_kept=own)
        yield f"leaving, {way}", LeavingScreen(table(update), client_of(update), question)


def lists():
    """Yield the first screen, the lobby, and all other lists."""
    menu = MenuScreen(DARK, kept_matches=KEPT)
    for _row in range(menu.count):
        yield "home", menu
        menu.action_move(1)
    client = client_of()
    options = match_at((6, 1), "3|3", "0|0").options
    names = (SeatInfo("ada"), SeatInfo(), SeatInfo("Felix", "greedy"))
    client.tables = Tables((TableInfo(1, "ada", "draw", options, names, 0, "waiting"),), 2, 0, 1, 1)
    yield "lobby", LobbyScreen(client, DARK, lambda: DARK)
    yield "lobby of a player who hosts", LobbyScreen(client, DARK, lambda: DARK, hosting=True)
    yield "hosts", HostsScreen(DARK, [("192.0.2.7", 2222)])
    yield "no hosts", HostsScreen(DARK)
    yield "invite", InviteScreen(DARK, client)
    yield "name", NameScreen(client, DARK, "ada", _("A name needs at least one letter or digit."))
    yield "code", AskScreen(DARK, _("welcome"), _("Invitation code"), TextInput("", 40), 40)
    yield "connecting", WaitScreen(DARK, _("welcome"), _("Connecting to {address} …", address="192.0.2.7:2222"))
    yield "kept matches", kept_matches_screen(DARK, KEPT)
    yield "lessons", lessons_screen(DARK)
    yield "doors", doors_screen(DARK, "")
    yield "presets", presets_screen(DARK)
    yield "themes", ThemesScreen(DARK)
    yield "languages", LanguagesScreen(DARK)
    steps = list(play_match(new_match(GAMES["draw"], 3, {"target": 50}), ("greedy",) * 3, b"1", "test"))
    yield "end of a match", match_end()
    past = PastMatchScreen(DARK, PLAYED[0], None)
    past._reviewed_match.match = match_from_steps(match_of_three())
    yield "a match that is over", past
    yield "your matches", MatchesScreen(DARK, PLAYED)
    yield (
        "statistics",
        MessageScreen(DARK, _("statistics"), lambda width: "\n".join(statistics_table(statistics(PLAYED), width))),
    )
    yield "share", MessageScreen(DARK, _("Share"), _("The record of this match is the file:"))
    welcome = WelcomeScreen(DARK)
    for _row in range(3):
        yield "welcome", welcome
        welcome.action_move(1)
    for screen in (menu, TableScreen(client_of(update_at(match_at((6, 1), "3|3", "0|0"))), DARK, lambda: DARK)):
        yield "find anything", PickScreen(DARK, _("find anything"), screen.findable_items(), _("take"))
    yield "replay", ReplayScreen(Recording(steps), DARK)


def match_of_three():
    """Return the steps of a match."""
    return list(play_match(new_match(GAMES["draw"], 3, {"target": 50}), ("greedy",) * 3, b"1", "test"))


def match_end():
    """Return the end of a match of three, with the analysed record."""
    match = match_of_three()
    client = client_of(update_at(match[-1].match, 0, ready=(1,)))
    reviewing = ReviewedMatch(HostRecord(client), None)
    reviewing.match = match_from_steps(match)
    return MatchEndScreen(DARK, client, reviewing, client.leave, _("another game"), reviews_unasked=False)


def forms(game, explained):
    """Yield the form for a table: at first on a host, and alone with all rules.

    The cursor goes to each row that is not `explained` yet: many games have the same rows.
    """
    new_table = NewTable(hints="yes", take_back="yes").set("game", game)
    yield NewTableScreen(DARK, free_seats=True, new_table=new_table)
    form = NewTableScreen(DARK, free_seats=False, new_table=new_table)
    yield form
    form._is_unfolded = True
    for row in form._rows():
        if (explanation := (row.label, row.sentence(game), row.value_words(game))) not in explained:
            explained.add(explanation)
            yield form
        form.action_move(1)
