"""A served guest whose screen crashes gets a new one on the same terminal, at the same place."""

import asyncio
from contextlib import aclosing, asynccontextmanager

import pytest

from net.client.client import Client
from net.doors.terminal import Identity
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.host.thinkers import Thinkers
from net.limits import MAX_CRASHES
from net.options import DoorOptions
from net.players.accounts import Accounts
from net.ssh.server.listen import serve
from net.table.table import INSTANT, Pace
from net.wire.link import memory_pair
from net.wire.messages import MakeTable
from tests.net.party import quick
from tests.tui.far import TIMEOUT
from tests.tui.test_incremental_output import Screen
from tests.waiting import run_loop
from themes import config_directory, load_theme
from tui.screens.lobby import LobbyScreen, NameScreen
from tui.screens.table import TableScreen
from tui.serve.session_server import SessionServer

APOLOGY = b"Something went wrong here."
LEFT = b"\x1b[?1049l"


class Answering(Screen):
    """A far screen that identifies itself at once, as terminals do."""

    def write(self, data):
        super().write(data)
        if b"\x1b[c" in data:
            asyncio.get_running_loop().call_soon(self.terminal.feed, b"\x1b[?62;22c")


@pytest.fixture
def server():
    return Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=Pace(60, 60, 60), clock=quick))


@pytest.fixture
async def session_server(server):
    session_server = SessionServer(server, DoorOptions(theme="dark"), "test")
    yield session_server
    session_server.garbage_collector.stop()


@asynccontextmanager
async def served(session_server, user="ada", key="SHA256:ada"):
    """Yield a guest who connected by SSH, on a screen, and the task of the session."""
    far = Answering()
    task = asyncio.create_task(session_server.on_terminal(Identity(user, key, "192.0.2.1"), far.terminal))
    await far.wait_for_output(b"What name will you play under?")
    yield far, task
    far.terminal.end()
    async with asyncio.timeout(TIMEOUT):
        await asyncio.wait([task])


def make_calls_fail(monkeypatch, screen, method, times):
    """Let the first `times` calls of a method of a screen fail."""
    left, works = [1] * times, getattr(screen, method)

    def broken(self, *args):
        return 1 / 0 if left and left.pop() else works(self, *args)

    monkeypatch.setattr(screen, method, broken)


@pytest.mark.parametrize("key", ["SHA256:ada", None])
async def test_a_broken_table_comes_back_with_the_same_hand_and_one_sentence(
    session_server, server, monkeypatch, key, caplog, failures
):
    async with served(session_server, key=key) as (far, _):
        await far.type(b"\r", b"in the lobby")
        ours, theirs = memory_pair()
        bela = Client(ours, "test")
        tasks = asyncio.gather(server.serve(theirs, Visitor("bela", "bela")), bela.run())
        await asyncio.sleep(0)
        bela.enter("bela")
        await far.type(b"n", b"open the table")
        far.sent = b""
        bela.make_table(MakeTable("draw", 2, {}))
        await far.type(b"\x1b", b"bela's table")
        await far.type(b"\r", b"round 1")
        (table,) = server.lobby.tables.values()
        hand = table.match.view(1).play.hand
        make_calls_fail(monkeypatch, TableScreen, "action_tile", 1)

        await far.type(b"\x1b[C", APOLOGY)

        assert LEFT not in far.sent, "the shell does not shine through"
        assert "ZeroDivisionError" in caplog.text
        (table,) = server.lobby.tables.values()
        seat = table.seats.chairs[1]
        assert (seat.name, seat.away, table.match.view(1).play.hand) == ("ada", False, hand)
        await far.type(b"\x1b[C", b"\x1b[")
        await far.type(b"qq", b"in the lobby")
        ours.close()
        await tasks


async def test_a_broken_lobby_comes_back_as_the_lobby(session_server, monkeypatch, failures):
    async with served(session_server) as (far, _):
        await far.type(b"\r", b"in the lobby")
        make_calls_fail(monkeypatch, LobbyScreen, "action_move", 1)

        await far.type(b"j", APOLOGY)
        assert b"ada, in the lobby" in far.sent
        await far.type(b"n", b"open the table")


async def test_the_name_is_asked_for_again_if_its_screen_breaks(session_server, monkeypatch, failures):
    async with served(session_server) as (far, _):
        make_calls_fail(monkeypatch, NameScreen, "action_enter", 1)

        await far.type(b"\r", APOLOGY)
        await far.type(b"\r", b"ada, in the lobby")


async def test_a_screen_that_breaks_again_and_again_ends_the_session(session_server, monkeypatch, caplog, failures):
    async with served(session_server) as (far, task):
        await far.type(b"\r", b"in the lobby")
        make_calls_fail(monkeypatch, LobbyScreen, "action_move", MAX_CRASHES)
        for _ in range(MAX_CRASHES - 1):
            await far.type(b"j", APOLOGY)
        far.terminal.feed(b"j")

        async with asyncio.timeout(TIMEOUT):
            await asyncio.wait([task])

        with pytest.raises(ZeroDivisionError):
            await task
        assert not session_server.server.lobby.present


async def feed_in_pieces(far, typed):
    for byte in typed:
        far.terminal.feed(bytes([byte]))
        await asyncio.sleep(0)


async def test_input_before_the_first_screen_waits_for_it(session_server):
    for turns in range(0, 80, 9):
        far = Answering()
        identity = Identity("ada", None, f"192.0.2.{turns}")
        task = asyncio.create_task(session_server.on_terminal(identity, far.terminal))
        await run_loop(turns)
        await feed_in_pieces(far, b"Zo\xc3\xab\r")
        await far.wait_for_output("Zoë, in the lobby".encode())
        far.terminal.end()
        async with asyncio.timeout(TIMEOUT):
            await task


async def test_input_during_an_unanswered_query_waits_for_the_screen(session_server):
    far = Screen("xterm-256color")
    far.terminal.env.update(BONEYARD_ANSWERS_WITHIN="0.1")
    task = asyncio.create_task(session_server.on_terminal(Identity("ada", None, "192.0.2.1"), far.terminal))
    await far.wait_for_output(b"\x1b[c")
    await feed_in_pieces(far, b"Zoe\r")
    await far.wait_for_output(b"Zoe, in the lobby")
    far.terminal.end()
    async with asyncio.timeout(TIMEOUT):
        await task


@pytest.mark.parametrize("typed", [b"\x03", b"\x11"])
async def test_leaving_before_the_first_screen_works(session_server, typed):
    far = Answering()
    far.terminal.feed(b"x" + typed)
    async with asyncio.timeout(TIMEOUT):
        await session_server.on_terminal(Identity("ada", None, "192.0.2.1"), far.terminal)
    assert b"in the lobby" not in far.sent


@pytest.mark.parametrize("typed", [b"", b"\r", b"\x1b[200~" + b"x" * 2**18], ids=["nothing", "a key", "a paste"])
async def test_hanging_up_while_a_screen_opens_causes_no_failure(session_server, typed, caplog):
    """A screen takes some eighty iterations of the event loop to open. A paste may be cut anywhere."""
    for turns in (*range(0, 40, 6), *range(40, 240, 40)):
        far = Answering()
        task = asyncio.create_task(session_server.on_terminal(Identity("ada", None, "192.0.2.1"), far.terminal))
        await run_loop(turns)
        far.terminal.feed(typed)
        await asyncio.sleep(0)
        far.terminal.end()
        async with asyncio.timeout(TIMEOUT):
            await task
    assert not [record for record in caplog.records if record.levelname not in ("DEBUG", "INFO")]


async def test_over_ssh_the_connection_stays_open_when_a_screen_crashes(
    session_server, client, tmp_path, monkeypatch, failures
):
    async with serve("127.0.0.1", 0, tmp_path / "key", session_server.on_terminal, session_server.on_link) as server:
        ann = client.start(server.port, key=client.key("ann")[0])
        await ann.wait_for("What name will you play under?")
        ann.type("\r")
        await ann.wait_for("ann, in the lobby")
        make_calls_fail(monkeypatch, LobbyScreen, "action_move", 1)
        ann.type("j")
        await ann.wait_for("Something went wrong here")
        ann.type("q")
        assert await ann.wait_for_exit() == 0


async def test_a_guest_with_nothing_but_ssh_has_a_match_reviewed():
    server = Server(
        Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT), thinkers=Thinkers(1)
    )
    session_server = SessionServer(server, DoorOptions(theme="dark"), "test")
    async with served(session_server) as (far, _), aclosing(server.thinkers):
        await far.type(b"\r", b"in the lobby")
        server.apply_effects(server.lobby.receive(1, MakeTable("block", 2, {"target": 50}, bots=1, level="easy")))
        async with asyncio.timeout(TIMEOUT):
            while "r review" not in far.screen.display[-2]:
                if all(table.match and not table.match.over for table in server.lobby.tables.values()):
                    far.terminal.feed(b"\r")
                await asyncio.sleep(0.01)
        await far.type(b"r", b"between equals")
    session_server.garbage_collector.stop()


async def test_a_damaged_theme_of_the_operator_denies_no_guest(server, caplog):
    themes = config_directory() / "themes"
    themes.mkdir(parents=True)
    mine = themes / "mine.toml"
    mine.write_text('base = "night"')
    session_server = SessionServer(server, DoorOptions(theme="mine"), "test")
    terminal = Screen().terminal

    assert session_server.look_for(terminal).name == "mine"
    mine.write_text('base = "nig')
    for _ in range(3):
        assert session_server.look_for(terminal).name == "felt"
    assert [record.message for record in caplog.records] == ["bad-theme"], "once, not for each guest"
    mine.write_text('base = "light"')
    assert session_server.look_for(terminal).theme == load_theme("light", session_server.look_for(terminal).depth)
    session_server.garbage_collector.stop()
