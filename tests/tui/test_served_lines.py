"""Plain lines for guests over ssh: echo, limits, and a good end."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from net.doors.terminal import END_OF_INPUT, Identity, Terminal
from net.host.lobby import Lobby
from net.host.server import Server
from net.limits import LINES_WAITING
from net.loop import LoopScheduler
from net.options import DoorOptions
from net.players.accounts import Accounts
from net.scheduler import BUSY_BURST, new_owner
from net.table.table import INSTANT
from tests.net.party import quick
from tests.tui.far import TIMEOUT, FarEnd
from tests.waiting import run_loop
from tui.serve import plain_session
from tui.serve.session_server import SessionServer


class Line(FarEnd):
    """The far end of a session of plain lines, with a terminal or without."""

    def __init__(self, *, pty=True, **env):
        super().__init__(**env)
        self.terminal = Terminal(self, "dumb" if pty else "", (80, 24), {"LANG": "C.UTF-8"}, lines=True, pty=pty)


@pytest.fixture
async def session_server():
    server = Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test", pace=INSTANT, clock=quick))
    session_server = SessionServer(server, DoorOptions(theme="dark"), "test")
    yield session_server
    session_server.garbage_collector.stop()


@asynccontextmanager
async def served(session_server, **how):
    far = Line(**how)
    task = asyncio.create_task(
        session_server.on_terminal(Identity("ada", None, "192.0.2.1", 22, "192.0.2.7"), far.terminal)
    )
    await far.wait_for_output(b"Press Enter for ada.")
    try:
        yield far, task
    finally:
        far.terminal.end()
        async with asyncio.timeout(TIMEOUT):
            await asyncio.wait([task])


def reader_with(typed):
    """Return the reader of a guest's lines, without a conversation, after some input."""
    far = Line()
    reader = plain_session.TerminalLines(far.terminal, LoopScheduler(), new_owner())
    far.terminal.attach(reader)
    far.terminal.feed(typed)
    return far, reader


async def test_a_terminal_gets_its_echo_and_no_escape_sequence(session_server):
    async with served(session_server) as (far, _):
        await far.type(b"Bob\r", b"Bob\r\nType this line to come back.\r\n")
        await far.wait_for_output("Type “new” to open a table, “quick” to wait for others".encode())
        assert b"\x1b" not in far.sent


async def test_without_a_terminal_nothing_is_echoed(session_server):
    async with served(session_server, pty=False) as (far, _):
        await far.type(b"Bob\n", b"You are in the lobby, as Bob.\n")
        assert far.sent.startswith(b"Type this line to come back.\n")


async def test_a_sentence_does_not_run_into_the_line_being_typed():
    far, reader = reader_with(b"sa")
    reader.say("bela sits down.")
    assert far.sent == b"sa\r\nbela sits down.\r\n"


async def test_a_flood_without_line_ends_is_read_in_turns_and_charged_to_its_guest():
    far, reader = reader_with(b"x" * 50 * plain_session.PORTION_BYTES)
    assert not far.is_reading
    assert reader._owner.used_tokens(reader._loop.time()) < 2
    await far.wait_until_reading()
    assert reader._owner.used_tokens(reader._loop.time()) > BUSY_BURST


async def test_bytes_of_a_session_that_has_ended_are_dropped():
    far, reader = reader_with(b"x" * 50 * plain_session.PORTION_BYTES)
    far.terminal.end()
    assert far.is_reading
    far.terminal.feed(b"leave\r")
    with pytest.raises(StopAsyncIteration):
        await anext(reader)


async def test_a_guest_with_too_many_pending_lines_is_not_read_until_there_are_fewer():
    far, reader = reader_with(b"1\r" * (LINES_WAITING + 2 * plain_session.PORTION_BYTES))
    assert not far.is_reading
    while not far.is_reading:
        assert await anext(reader) == "1"


async def test_input_is_not_read_while_output_is_paused():
    far, reader = reader_with(b"1\r")
    far.terminal.pause()
    waiting = asyncio.ensure_future(anext(reader))
    await run_loop(10)
    assert not waiting.done()
    far.terminal.resume()
    assert await waiting == "1"


async def test_lines_beyond_the_burst_come_at_the_sustained_rate(monkeypatch):
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)

    async def at_once(*_):
        pass

    _, reader = reader_with(b"1\r" * (plain_session.LINES_AT_ONCE + 2))
    monkeypatch.setattr(plain_session.asyncio, "sleep", sleep)
    monkeypatch.setattr(LoopScheduler, "wait_for_turn", at_once)
    for _ in range(plain_session.LINES_AT_ONCE + 2):
        await anext(reader)
    assert pauses == [1 / plain_session.LINES_PER_SECOND] * 2


async def test_lines_before_the_end_of_the_input_are_still_handled(session_server):
    async with served(session_server, pty=False) as (far, task):
        far.terminal.feed(b"Bob\nrules block\nleave\n" + END_OF_INPUT)
        async with asyncio.timeout(TIMEOUT):
            await task
        assert "Block.\n" in far.sent.decode()
        assert "@192.0.2.7 plain" in far.sent.decode().splitlines()[-1]


async def test_a_connection_that_is_cut_ends_the_session(session_server):
    async with served(session_server) as (far, task):
        far.terminal.feed(b"half a li")
        far.terminal.end()
        async with asyncio.timeout(TIMEOUT):
            await task


async def test_a_host_that_closes_says_why(session_server):
    async with served(session_server) as (far, task):
        await far.type(b"\r", b"You are in the lobby")
        session_server.server.close()
        async with asyncio.timeout(TIMEOUT):
            await task
        assert b"The server has closed.\r\n" in far.sent


async def test_characters_that_a_terminal_lacks_are_not_sent():
    far = Line()
    far.terminal = Terminal(far, "vt100", (80, 24), {"LANG": "C"}, lines=True)
    reader = plain_session.TerminalLines(far.terminal, LoopScheduler(), new_owner())
    reader.say("Zoë says: “\x1b[2Jhi”.")
    assert far.sent == b'Zoe says: "[2Jhi".\r\n'
