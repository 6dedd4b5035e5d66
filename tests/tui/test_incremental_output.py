"""Output of a screen: changes give the same picture as a full redraw, and keys keep their order."""

import asyncio
import gc
import re
from contextlib import asynccontextmanager
from random import Random

import pyte
import pytest

from net.client.client import Client
from net.host.presence import Visitor
from net.wire.messages import MakeTable
from tests.tui.far import TABLE_KEYS, TIMEOUT, FarEnd
from tests.tui.guests import app_host
from tests.tui.served_pilot import is_busy, running
from tests.tui.tables import DARK
from tui.app import BoneyardApp
from tui.screens.help import HelpScreen
from tui.screens.table import TableScreen

SIZE = (80, 24)
_NOT_SEEN = re.compile(rb"\x1b_[^\x1b]*\x1b\\")
"""Images that a terminal is sent; pyte would print them as text."""


class Screen(FarEnd):
    """The far end of a terminal that displays its output."""

    def __init__(self, name="xterm-256color", size=SIZE, **env):
        self.size = size
        super().__init__(name, size, **env)
        self.clear()

    def clear(self):
        self._stream = pyte.ByteStream(screen := pyte.Screen(*self.size))
        self.screen = screen

    def write(self, data):
        super().write(data)
        self._stream.feed(_NOT_SEEN.sub(b"", data).replace(b"\x1b[>", b"\x1b["))

    @property
    def cells(self):
        columns, rows = self.size
        return [[seen(self.screen.buffer[y][x]) for x in range(columns)] for y in range(rows)]


def seen(cell):
    """Return a cell as it appears: reversed equals exchanged colours; a space has only its background."""
    if cell.reverse and "default" not in (cell.fg, cell.bg):
        cell = cell._replace(fg=cell.bg, bg=cell.fg, reverse=False)
    return cell._replace(fg="default", bold=False) if cell.data == " " and not cell.reverse else cell


@asynccontextmanager
async def at_table(far, game="draw", players=2, look=DARK):
    """Yield a guest at a table with bots, on a far screen."""
    async with app_host() as host:
        ours, _ = host.link(Visitor("ada", "ada"))
        table_request = MakeTable(game, players, {}, bots=players - 1)
        app = BoneyardApp(Client(ours, "test"), look, table_request=table_request, name="ada")
        try:
            async with running(app, far, b"your turn"):
                yield app
        finally:
            ours.close()


async def wait_until_quiet(app):
    """Wait until everything has been quiet for some iterations of the loop."""
    async with asyncio.timeout(TIMEOUT):
        quiet = 0
        while quiet < 20:
            await asyncio.sleep(0)
            quiet = 0 if is_busy(app) else quiet + 1


@pytest.mark.parametrize(
    ("game", "terminal"),
    [("draw", "xterm-256color"), ("chickenfoot", "linux"), ("forty-two", "xterm-kitty"), ("draw", "vt220")],
)
async def test_after_any_changes_a_terminal_shows_what_a_repaint_shows(game, terminal):
    far, rng = Screen(terminal), Random(f"{game} {terminal}")
    async with at_table(far, game, 4) as app:
        await wait_until_quiet(app)
        for _ in range(12):
            keys = (
                ["q"] if isinstance(app.screen, HelpScreen) else rng.choices(list(TABLE_KEYS), k=rng.randrange(1, 4))
            )
            for key in keys:
                far.terminal.feed(TABLE_KEYS.get(key, b"q"))
            await wait_until_quiet(app)
            at_once, moment = far.cells, app._client.update

            far.clear()
            app.screen.repaint()
            await wait_until_quiet(app)

            if moment is app._client.update:  # else a bot has played meanwhile
                assert at_once == far.cells, keys


async def test_a_key_leaves_no_cycles_for_the_garbage_collector(fresh_heap):
    far = Screen()
    async with at_table(far, players=4) as app:
        await wait_until_quiet(app)
        for key in ("right", "left"):  # modules imported for the first key stay
            far.terminal.feed(TABLE_KEYS[key])
        await wait_until_quiet(app)
        gc.collect()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            for _ in range(20):
                far.terminal.feed(TABLE_KEYS["right"])
                await wait_until_quiet(app)
            gc.collect()
            ours = [
                leftover
                for leftover in gc.garbage
                if type(leftover).__module__.startswith(("core", "net", "tui", "textual"))
            ]
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
        assert ours == []


async def test_a_key_that_chooses_is_answered_in_the_turn_in_which_it_comes():
    far = Screen()
    async with at_table(far) as app:
        await wait_until_quiet(app)
        before, far.sent = far.cells, b""

        far.terminal.feed(TABLE_KEYS["right"])

        assert far.sent
        assert far.cells != before


@pytest.fixture
def company(monkeypatch):
    """Seat a talkative player at every table."""
    monkeypatch.setattr("tui.screens.table.in_company", lambda _update: True)


@pytest.mark.usefixtures("company")
async def test_while_chat_is_typed_keys_edit_its_line():
    far = Screen()
    async with at_table(far) as app:
        await wait_until_quiet(app)
        far.terminal.feed(TABLE_KEYS["talk"])
        await wait_until_quiet(app)

        far.terminal.feed(b"x\x1b[D3")
        await wait_until_quiet(app)

        assert app.screen.line.text == "3x"


@pytest.mark.usefixtures("company")
@pytest.mark.parametrize("change", ["a line comes", "a line goes", "the window grows", "the window shrinks"])
async def test_a_repaint_in_any_turn_of_the_loop_leaves_the_app_running(change):
    far = Screen()
    async with at_table(far) as app:
        await wait_until_quiet(app)
        if change == "a line goes":
            far.terminal.feed(TABLE_KEYS["talk"])
            await wait_until_quiet(app)

        if "window" in change:
            far.terminal.resize(*((200, 60) if "grows" in change else (60, 20)))
        else:
            far.terminal.feed(TABLE_KEYS["go" if "goes" in change else "talk"])
        for _ in range(30):
            app.screen.repaint()
            await asyncio.sleep(0)

        assert app._running


async def test_keys_typed_ahead_let_others_act_in_between():
    far = Screen()
    async with at_table(far) as app:
        await wait_until_quiet(app)
        driver = app._driver
        turns = 0

        far.terminal.feed(TABLE_KEYS["right"] * 5)
        while driver._events:
            turns += 1
            await asyncio.sleep(0)

        assert turns >= 4


async def test_a_crash_of_a_key_ends_its_session_alone(monkeypatch):
    far = Screen()
    monkeypatch.setattr(TableScreen, "action_tile", lambda *_: 1 / 0)

    async def play():
        async with at_table(far) as app:
            await wait_until_quiet(app)
            far.terminal.feed(TABLE_KEYS["right"])
            await far.wait_for_output(b"\x1b[?1049l")

    with pytest.raises(ExceptionGroup) as crash:
        await play()
    assert crash.group_contains(ZeroDivisionError)
