"""Deep links: their targets, the messages to a page, and the previews in messengers."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from core.games import GAMES
from core.presets import PRESETS
from net.doors.terminal import (
    GuestLocation,
    GuestName,
    Identity,
    KeyOffers,
    LinkRow,
    SessionOver,
    Terminal,
    TurnNotice,
)
from net.host.lobby import Lobby
from net.host.server import Server
from net.options import DoorOptions
from net.players.accounts import Accounts
from net.storage.record_index import LINK_LENGTH, PART_BYTES, RecordIndex, part_of
from net.storage.sqlite import RECORDS, Store
from net.table.table import INSTANT
from net.wire.messages import Act, MakeTable, Ready, Sit, Watch
from tests.net.party import quick
from tests.tui.far import TIMEOUT, FarEnd
from themes import config_directory
from tui.model.keys import LOBBY, TABLE
from tui.screens.lobby import NameScreen
from tui.serve.deep_links import PREVIEW_PIXELS, LessonLink, MatchLink, target_of
from tui.serve.session_server import SessionServer
from tui.terminal.page_notes import key_offers

PNG = b"\x89PNG"


class Page(FarEnd):
    """A page in a browser: its output, and its messages."""

    def __init__(self, path="", *, lines=False, touched=False):
        super().__init__()
        self.messages = []
        self.news = asyncio.Event()
        name = "plain" if lines else "xterm-256color"
        env = {"LANG": "C.UTF-8", "COLORTERM": "truecolor"}
        more = {"echo": False} if lines else {"tell": self.handle, "touched": touched}
        self.terminal = Terminal(self, name, (80, 24), env, lines=lines, pictures=False, path=path, **more)

    def handle(self, note):
        self.messages.append(note)
        self.news.set()

    async def wait_for_any_output(self):
        """Wait for any output."""
        self._change.clear()
        async with asyncio.timeout(TIMEOUT):
            await self._change.wait()

    async def wait_for_message(self, wanted):
        """Wait until the page receives a message: of a type, or equal to `wanted`."""
        fits = (lambda note: isinstance(note, wanted)) if isinstance(wanted, type) else (lambda note: note == wanted)
        async with asyncio.timeout(TIMEOUT):
            while not any(map(fits, self.messages)):
                self.news.clear()
                await self.news.wait()
        return next(note for note in reversed(self.messages) if fits(note))


@pytest.fixture
async def host(tmp_path):
    with Store(tmp_path) as store:
        lobby = Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT, clock=quick)
        server = Server(lobby, store, records=RecordIndex(tmp_path / RECORDS))
        sessions = SessionServer(server, DoorOptions(theme="felt"), "test")
        yield sessions
        sessions.garbage_collector.stop()
        await server.aclose()


@asynccontextmanager
async def served(host, page, name="ada"):
    task = asyncio.create_task(host.on_terminal(Identity(name, f"key {name}", "192.0.2.1"), page.terminal))
    try:
        yield page
    finally:
        page.terminal.end()
        async with asyncio.timeout(TIMEOUT):
            await asyncio.wait([task])


async def accept_name(page):
    """Accept the suggested name."""
    await page.wait_for_output(b"What name will you play under?")
    page.terminal.feed(b"\r")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/t/7", Sit(7)),
        ("/t/7?code=abc234", Sit(7, "abc234")),
        ("/w/7?code=abc234", Watch(7, "abc234")),
        ("/r/0123", MatchLink("0123")),
        ("/learn", LessonLink()),
        ("/", None),
        ("", None),
        ("/t/x", None),
        ("/t/" + "9" * 30, None),
        ("/t/²", None),
        ("/g/no-such-game", None),
        ("/g/%00", None),
        ("https://evil.example", None),
        ("//[", None),
    ],
)
def test_targets_of_deep_links(path, target):
    assert target_of(path) == target


@pytest.mark.parametrize("game", GAMES)
def test_a_link_to_a_game_leads_to_a_table_with_bots_only(game):
    table = target_of(f"/g/{game}")

    assert isinstance(table, MakeTable)
    assert (table.game, table.bots) == (game, table.players - 1)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_link_to_a_preset_leads_to_a_table_by_its_rules(preset):
    assert target_of(f"/g/{preset}").game == PRESETS[preset].game


async def test_a_link_to_a_game_begins_it_and_the_page_knows_the_address_of_the_table(host):
    async with served(host, Page("/g/draw", touched=True)) as page:
        await accept_name(page)
        assert await page.wait_for_message(GuestName) == GuestName("ada")
        assert await page.wait_for_message(GuestLocation("/t/1", "/t/1"))
        await page.wait_for_message(TurnNotice(on=True))
        offers = await page.wait_for_message(KeyOffers)
        assert any(key.does == "draw" for key in offers.keys)
        assert [button.does for button in offers.bar[:2]] == ["Play", "Draw"]


@asynccontextmanager
async def two_at_a_table(host, path):
    """Serve ada, who came by this link, and bob, who came by the link to her table."""
    async with served(host, Page(path), "ada") as ada:
        await accept_name(ada)
        await ada.wait_for_message(GuestLocation("/t/1", "/t/1"))
        async with served(host, Page("/t/1"), "bob") as bob:
            await accept_name(bob)
            await bob.wait_for_message(GuestLocation("/t/1", "/t/1"))  # the bot was evicted
            yield ada, bob


async def test_a_link_to_a_table_leads_to_a_seat_and_where_all_are_taken_one_may_watch(host):
    async with two_at_a_table(host, "/g/block"), served(host, Page("/t/1"), "eve") as eve:
        await accept_name(eve)
        await eve.wait_for_message(GuestLocation("/w/1", "/w/1"))


@asynccontextmanager
async def away_from_wildstar(host):
    """Serve a player who sits at Wildstar with bob, until their connection is lost."""
    async with two_at_a_table(host, "/g/wildstar") as (ada, bob):
        ada.terminal.end()
        await ada.wait_for_message(SessionOver)
        yield bob


async def test_a_link_away_from_a_reserved_seat_asks_and_enter_goes_back(host):
    async with away_from_wildstar(host), served(host, Page("/g/draw"), "ada") as ada:
        await ada.wait_for_output(b"Go back: Wildstar")
        await ada.wait_for_output(b"Now play: Draw")
        ada.terminal.feed(b"\r")
        await ada.wait_for_message(GuestLocation("/t/1", "/t/1"))


async def test_a_player_with_a_reserved_seat_may_follow_the_link(host):
    async with away_from_wildstar(host), served(host, Page("/g/draw"), "ada") as ada:
        await ada.wait_for_output(b"Now play: Draw")
        ada.terminal.feed(b"\x1b[B\r")
        await ada.wait_for_message(GuestLocation("/t/2", "/t/2"))


async def test_a_player_with_a_reserved_seat_may_stay_in_the_lobby(host):
    async with away_from_wildstar(host), served(host, Page("/g/draw"), "ada") as ada:
        await ada.wait_for_output(b"Now play: Draw")
        ada.terminal.feed(b"\x1b")
        await ada.wait_for_output(b"your seat")
        assert (await ada.wait_for_message(GuestLocation)).path == "/"


@pytest.mark.parametrize(("answer", "path"), [(b"1\r", "/t/1"), (b"2\r", "/t/2")])
async def test_in_plain_text_a_number_answers_whether_to_follow_the_link(host, answer, path):
    async with away_from_wildstar(host), served(host, Page("/g/draw", lines=True), "ada") as ada:
        await ada.wait_for_output(b"2. Now play: Draw")
        ada.terminal.feed(answer)
        await ada.wait_for_output(b"You are at the table")
        chairs = host.server.lobby.tables[int(path[3:])].seats.chairs
        assert any(chair.name == "ada" and not chair.away for chair in chairs)


async def test_a_link_to_the_game_of_the_reserved_seat_leads_back_to_it(host):
    async with away_from_wildstar(host), served(host, Page("/g/wildstar"), "ada") as ada:
        await ada.wait_for_message(GuestLocation("/t/1", "/t/1"))


async def test_a_link_to_the_table_of_the_reserved_seat_does_not_ask(host):
    async with away_from_wildstar(host), served(host, Page("/t/1"), "ada") as ada:
        await ada.wait_for_message(GuestLocation("/t/1", "/t/1"))


async def test_a_link_to_a_table_that_is_gone_says_so_in_the_lobby(host):
    async with served(host, Page("/t/99")) as page:
        await accept_name(page)
        await page.wait_for_output(b"That table no longer exists.")
        assert (await page.wait_for_message(GuestLocation)).path == "/"


async def test_the_link_to_a_private_table_has_its_code(host):
    async with served(host, Page("/"), "ada") as ada:
        await accept_name(ada)
        await ada.wait_for_output(b"No table is open yet")
        client = host.server.lobby
        (connection,) = client.present
        host.server._handle(connection, MakeTable("draw", 2, {}, private=True))
        at = await ada.wait_for_message(GuestLocation)
        while at.path == "/":
            ada.news.clear()
            await ada.news.wait()
            at = ada.messages[-1] if isinstance(ada.messages[-1], GuestLocation) else at
        assert at.path.startswith("/t/1?code=")
        async with served(host, Page("/t/1"), "eve") as eve:
            await accept_name(eve)
            await eve.wait_for_output(b"code")
            assert (await eve.wait_for_message(GuestLocation)).path == "/"
        async with served(host, Page(at.path), "bob") as bob:
            await accept_name(bob)
            assert await bob.wait_for_message(GuestLocation(at.path, at.path))
        card = host.pages.card("/t/1", "en")
        assert "ada" not in f"{card}"


async def test_a_quick_game_from_the_entrance_leads_to_a_table_for_anybody(host):
    lobby = host.server.lobby
    async with served(host, Page(), "ada") as ada:
        await accept_name(ada)
        await ada.wait_for_message(GuestName)
        (connection,) = lobby.present
        host.server._handle(connection, MakeTable("draw", 2, {}, private=True))
        await ada.wait_for_output(b"Private:")
        assert host.pages.card("/", "en").main == LinkRow("/g/draw", "Against bots")
        async with served(host, Page(), "bob") as bob:
            await accept_name(bob)
            await bob.wait_for_message(GuestName)
            (other,) = set(lobby.present) - {connection}
            host.server._handle(other, MakeTable("block", 2, {}))
            await bob.wait_for_message(GuestLocation("/t/2", "/t/2"))
            assert host.pages.card("/", "en").main == LinkRow("/t/2", "Quick game", "Sits you down with bob.")
        assert "ada" not in f"{host.pages.card('/', 'en')}"


async def test_when_a_match_is_over_its_replay_can_be_shared_and_the_link_opens_it(host):
    lobby = host.server.lobby
    async with served(host, Page("/g/draw"), "ada") as ada:
        await accept_name(ada)
        await ada.wait_for_message(GuestLocation("/t/1", "/t/1"))
        (connection,) = lobby.present
        while (table := lobby.tables[1]).recorded.in_progress:
            view = table.match.view(0).play
            if view.legal:
                host.server._handle(connection, Act(table.number, view.legal[0]))
            elif view.result and 0 not in table.ready:
                host.server._handle(connection, Ready())
            await ada.wait_for_any_output()
        chain = table.recorded.closing.chain[:LINK_LENGTH]
        assert await ada.wait_for_message(GuestLocation("/t/1", f"/r/{chain}"))
    async with served(host, Page(f"/r/{chain}"), "bob") as bob:
        await bob.wait_for_output(b"round 1")
        bob.terminal.feed(b"q")
        await accept_name(bob)
    assert (await host.pages.picture(f"/r/{chain}")).startswith(PNG)


async def test_a_link_to_a_match_that_is_not_kept_says_so(host):
    async with served(host, Page("/r/" + "0" * LINK_LENGTH)) as page:
        await accept_name(page)
        await page.wait_for_output(b"not kept here")
    assert await host.pages.picture("/r/" + "0" * LINK_LENGTH) == b""


async def test_a_lesson_is_given_before_there_is_a_name(host):
    async with served(host, Page("/learn")) as page:
        await page.wait_for_output(b"These are your tiles")


@pytest.fixture
def operator(monkeypatch):
    """Return the settings file of an operator whose name, language and colours no guest has."""
    file = config_directory() / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text('name = "Opal"\nlanguage = "de"\ntheme = "amber"\nbell = false\n')
    for name, value in (("USER", "opal"), ("LOGNAME", "opal"), ("LANG", "de_DE.UTF-8"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    return file


async def test_a_lesson_calls_a_visitor_you_whatever_the_operators_name(host, operator):
    async with served(host, Page("/learn")) as page:
        await page.wait_for_output(b"These are your tiles")
        await page.wait_for_output(b"You")
        assert b"opal" not in page.sent.lower()


async def test_a_visitor_without_a_user_name_is_not_offered_the_operators(host, operator):
    async with served(host, Page("/"), "") as page:
        await page.wait_for_output(b"What name will you play under?")
        assert b"opal" not in page.sent.lower()


async def test_a_visitor_who_hears_sentences_is_not_offered_the_operators_name(host, operator):
    async with served(host, Page("/", lines=True), "") as page:
        await page.wait_for_output(b"What name will you play under?")
        assert b"opal" not in page.sent.lower()


async def test_a_guest_sees_the_theme_of_the_host_not_that_of_the_operators_settings(host, operator):
    look = host.look_for(Page().terminal)

    assert (look.name, look.grey) == ("felt", False)


async def test_the_choices_of_a_guest_leave_the_operators_settings_alone(host, operator):
    before = operator.read_text()
    async with served(host, Page("/g/draw")) as page:
        await accept_name(page)
        await page.wait_for_output(b"round 1")
        page.terminal.feed(b"!")
        await page.wait_for_output(b"The bell is off.")
        for screen in (b"y", b"L"):
            page.terminal.feed(screen)
            page.terminal.feed(b"\x1b[B")
            page.terminal.feed(b"\r")
        await page.wait_for_output("Español".encode())
    assert operator.read_text() == before


async def test_a_page_is_told_the_reason_of_the_end(host):
    async with served(host, Page("/")) as page:
        await accept_name(page)
        await page.wait_for_output(b"No table is open yet")
        page.terminal.feed(b"q")
        assert (await page.wait_for_message(SessionOver)).again is False


@pytest.mark.parametrize("keys", [LOBBY, TABLE])
def test_the_bar_of_a_phone_has_every_key_of_a_screen_once(keys):
    offered = key_offers(keys, takes_text=False).keys

    assert len({key.key for key in offered}) == len(offered) == len(keys)
    assert all(key.key and key.shown for key in offered)


def test_while_text_is_typed_the_bar_has_the_keys_that_send_it_and_leave():
    offered = key_offers(NameScreen.KEYS, takes_text=True)

    assert [key.shown for key in offered.keys] == ["↵", "Esc"]
    assert offered.text


@pytest.mark.parametrize(
    "path", ["/", "/learn", "/t/99", *(f"/g/{game}" for game in ("draw", "tien-gow", "patience"))]
)
async def test_messengers_get_a_preview_of_the_target(path, host):
    card, picture = host.pages.card(path, "en"), await host.pages.picture(path)

    assert card.title
    assert card.words
    assert picture.startswith(PNG)
    assert int.from_bytes(picture[16:20], "big") == PREVIEW_PIXELS


@pytest.mark.parametrize(
    ("path", "sentence"),
    [("/g/nosuch", "This server has no game of that name."), ("/t/99", "That table is no longer open.")],
)
async def test_the_preview_of_a_link_that_leads_nowhere_says_so(path, sentence, host):
    assert host.pages.card(path, "en").words == sentence


def test_a_record_is_found_only_by_the_beginning_of_its_chain(tmp_path):
    lines = ('{"type":"match"}', '{"type":"seal","chain":"' + "ab" * 32 + '"}')
    (tmp_path / "one.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "broken.jsonl").write_bytes(b"\xff" * 100)
    index = RecordIndex(tmp_path)

    assert index.lines("ab" * 16, 0) == lines
    assert index.lines("ab" * 16, 1) == lines[1:]
    assert index.lines("ab" * 16, 2) == ()
    for link in ("", "ab", "..", "../one", "cd" * 16):
        assert index.lines(link, 0) == ()
    (tmp_path / "two.jsonl").write_text('{"chain":"' + "cd" * 32 + '"}\n')
    assert len(index.lines("cd" * 16, 0)) == 1
    assert RecordIndex(tmp_path / "none").lines("ab" * 16, 0) == ()


def test_a_long_record_is_read_in_parts():
    lines = ["x" * 50_000] * 5

    assert len(part_of(lines)) == 2
    assert part_of(["y" * (2 * PART_BYTES), "z"]) == ("y" * (2 * PART_BYTES),)
