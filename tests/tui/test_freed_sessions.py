"""Sessions that have ended are freed by reference counting: no garbage is left for a collection."""

import asyncio
import gc

import pytest

import tui.terminal.app
from net.doors.terminal import Identity, Terminal
from net.host.lobby import Lobby
from net.host.server import Server
from net.options import DoorOptions
from net.players.accounts import Accounts
from net.table.table import INSTANT
from tests.net.party import quick
from tests.tui.far import TIMEOUT, FarEnd
from tests.waiting import run_loop
from tui.serve.session_server import SessionServer

TABLE = (b"n", b"\x1b[B", b"\r", b"\x1b[C", b"v", b"\r")
"""Keys: the form of a new table, its game, a table against bots, and some keys there."""


@pytest.fixture
async def session_server():
    server = Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT, clock=quick))
    session_server = SessionServer(server, DoorOptions(theme="dark"), "test")
    session_server.garbage_collector.stop()
    return session_server


class Page(FarEnd):
    """The far end of a terminal in a browser."""

    def __init__(self):
        super().__init__()
        self.messages = []
        env = {"COLORTERM": "truecolor"}
        self.terminal = Terminal(self, "xterm-256color", (80, 24), env, tell=self.messages.append, path="/g/block")


class Console(FarEnd):
    """The far end of a terminal over ssh."""

    def __init__(self):
        super().__init__(size=(80, 24), COLORTERM="truecolor")
        self.terminal.pictures = False


class Line(FarEnd):
    """The far end of a session in plain text."""

    def __init__(self):
        super().__init__()
        self.terminal = Terminal(self, "dumb", (80, 24), {"LANG": "C.UTF-8"}, lines=True)


async def visit(session_server, make_far, keys):
    """Enter by name, press keys and hang up; return when the session is over."""
    far = make_far()
    task = asyncio.create_task(session_server.on_terminal(Identity("ada", None, "192.0.2.1"), far.terminal))
    await far.wait_for_output(b"ada")
    for key in (b"\r", *keys):
        await far.type(key, b"")
        await run_loop(200)  # wait for the effect of the key without a clock
    far.terminal.end()
    async with asyncio.timeout(TIMEOUT):
        await asyncio.wait([task])
    far.terminal = None


@pytest.mark.parametrize(
    ("make_far", "keys"),
    [
        (Console, ()),
        (Console, (b"?", b"\x1b", b"/", b"x", b"\x1b")),
        (Console, TABLE),
        (Page, (b"\x1b[C", b"?")),
        (Line, (b"new block\r", b"1\r", b"hint\r", b"hand\r")),
    ],
    ids=["lobby", "help and search", "table", "browser at a table", "plain text"],
)
async def test_a_session_that_has_ended_leaves_no_garbage(session_server, make_far, keys, monkeypatch, fresh_heap):
    monkeypatch.setattr(tui.terminal.app, "RELEASE_DELAY", 0.0)
    for _ in range(2):  # modules and caches that the first sessions fill stay
        await visit(session_server, make_far, keys)
    await settle()
    gc.collect()
    gc.disable()
    await visit(session_server, make_far, keys)
    await settle()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        left = sorted({type(garbage).__qualname__ for garbage in gc.garbage})
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left


async def settle():
    """Run the callbacks that are due."""
    await run_loop(100)
