"""Textual apps on guests' terminals: what arrives, what is painted, and what stays out of a guest's reach."""

import asyncio
import gc
import io
import re
import signal
import sys
import weakref
from contextlib import asynccontextmanager

import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual import events, work
from textual.app import SuspendNotSupported
from textual.widgets import Static

from net.ssh.guest import Terminal
from net.ssh.host import serve
from tui.served import Servable, run_served
from tui.served_colours import Colours, colours_of, fit
from tui.served_driver import EVENTS_AT_ONCE, MAX_UNSOLVED

PATIENCE = 10


class Board(Servable[str]):
    """Says what happened last, in colour."""

    CSS = "Static { color: #ff8000; background: #123456; height: 1; }"

    def compose(self):
        yield Static("ready", id="said", markup=False)
        yield Static("size", id="size")

    def say(self, words):
        self.query_one("#said", Static).update(words)

    def on_resize(self, event):
        self.query_one("#size", Static).update(f"{event.size.width} by {event.size.height}")

    def on_key(self, event):
        self.say(f"key {event.key} {event.character!r}")
        if event.key == "q":
            self.exit("left")
        if event.key == "exclamation_mark":
            raise RuntimeError("the spinner spun off")
        if event.key == "p":
            print("printed by an app")

    def on_paste(self, event):
        self.say(f"paste {event.text}")

    def on_click(self, event):
        self.say(f"click {event.x} {event.y}")


class Far:
    """The far end of a terminal without SSH: a line, and a player of sorts."""

    def __init__(self, name="xterm-256color", size=(40, 6), **env):
        self.sent = b""
        self.reading = True
        self.cut = False
        self._news = asyncio.Event()
        self.terminal = Terminal(self, name, size, env)

    def write(self, data):
        self.sent += data
        self._news.set()

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True
        self._news.set()

    def finish(self):
        pass

    def hang_up(self):
        self.cut = True

    async def gets(self, wanted):
        try:
            async with asyncio.timeout(PATIENCE):
                while wanted not in self.sent:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            pytest.fail(f"never got {wanted!r}, but {self.sent!r}")

    async def listens(self):
        """Wait until input is not held back any more."""
        async with asyncio.timeout(PATIENCE):
            while not self.reading:
                self._news.clear()
                await self._news.wait()

    async def types(self, data, answer):
        self.sent = b""
        self.terminal.feed(data)
        await self.gets(answer)


@asynccontextmanager
async def played(make_app=Board, far=None):
    """Run an app on a far terminal for the length of a block; yield both."""
    far = far or Far()
    app = make_app()
    task = asyncio.create_task(run_served(lambda: app, far.terminal))
    await far.gets(b"ready")
    try:
        yield app, far
    finally:
        far.terminal.end()
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([task])
        if not task.cancelled():
            task.exception()


@pytest.fixture
def apps():
    """The served apps and their terminals, as they come."""
    return asyncio.Queue()


@pytest.fixture
async def port(tmp_path, apps):
    async def on_terminal(identity, terminal):
        app = Board()
        apps.put_nowait((app, terminal))
        await run_served(lambda: app, terminal)

    async def on_link(identity, link):
        pass

    async with serve("127.0.0.1", 0, tmp_path / "key", on_terminal, on_link) as server:
        yield server.port


# With the real client


@pytest.mark.real
async def test_the_screen_is_painted_and_a_typed_key_arrives(client, port):
    ann = client.plays(port)
    await ann.sees("ready")
    await ann.sees("80 by 24")
    ann.types("x")
    await ann.sees("key x 'x'")


@pytest.mark.real
async def test_resizing_repaints(client, port):
    ann = client.plays(port)
    await ann.sees("80 by 24")
    ann.resizes(132, 50)
    await ann.sees("132 by 50")


@pytest.mark.real
async def test_keys_of_every_kind_arrive(client, port):
    ann = client.plays(port)
    await ann.sees("ready")
    for typed, seen in [
        ("\x1b", "key escape"),
        ("\x1b[A", "key up"),
        ("\x03", "key ctrl+c"),
        ("\x1a", "key ctrl+z"),
        ("\x1bx", "key alt+x"),
        ("\r", "key enter"),
        ("é", "'é'"),
        ("\x1b[200~two\x1b[201~", "paste two"),
        ("\x1b[<0;3;1M\x1b[<0;3;1m", "click 2 0"),
    ]:
        ann.types(typed)
        await ann.sees(seen)


@pytest.mark.real
async def test_leaving_gives_the_terminal_back(client, port):
    ann = client.plays(port)
    await ann.sees("ready")
    ann.types("\x11")
    assert await ann.leaves() == 0
    for mode in (b"1049", b"1000", b"1006", b"1004", b"2004"):
        assert ann.raw.rindex(b"\x1b[?" + mode + b"l") > ann.raw.rindex(b"\x1b[?" + mode + b"h")
    assert ann.raw.rindex(b"\x1b[?25h") > ann.raw.rindex(b"\x1b[?25l")
    assert b"?1003h" not in ann.raw


@pytest.mark.real
async def test_a_crash_gives_the_terminal_back_and_ends_that_app_alone(client, port, caplog, capfd):
    ann, bob = client.plays(port), client.plays(port)
    await ann.sees("ready")
    await bob.sees("ready")
    ann.types("!")
    assert await ann.leaves() == 1
    assert ann.raw.rindex(b"\x1b[?1049l") > ann.raw.rindex(b"\x1b[?1049h")
    assert b"spinner" not in ann.raw
    assert "the spinner spun off" in caplog.text
    bob.types("x")
    await bob.sees("key x")
    assert capfd.readouterr() == ("", "")


@pytest.mark.real
async def test_a_client_that_stops_reading_gets_the_newest_screen_when_it_reads_again(client, port, apps):
    ann = client.plays(port, size=(400, 20))
    await ann.sees("ready")
    app, terminal = await apps.get()
    app.query_one("#said", Static).styles.height = 18
    ann.stop_reading()
    painted = 0
    async with asyncio.timeout(PATIENCE):
        while not terminal.paused:
            painted += 1
            app.say(f"{painted % 10}" * 7200)
            await _painted(app)
    app.say("never seen")
    await _painted(app)
    app.say("newest")
    await _painted(app)
    ann.read_again()
    await ann.sees(lambda player: b"newest" in player.raw[-20000:])
    await ann.sees(lambda player: b"400 by 20" in player.raw[-20000:])
    assert b"never seen" not in ann.raw
    ann.types("z")
    await ann.sees(lambda player: b"key z" in player.raw[-20000:])


# Input


async def test_a_letter_cut_in_half_is_put_together():
    async with played() as (_, far):
        far.terminal.feed("é".encode()[:1])
        await far.types("é".encode()[1:], "'é'".encode())


async def test_bytes_that_are_no_letters_do_no_harm():
    async with played() as (_, far):
        await far.types(b"\xff\xfe\x80", "�".encode())
        await far.types(b"x", b"key x")


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\x1b[99999999999;5u",  # a letter beyond Unicode
        b"\x1b[1:2;5u",
        b"\x1b[48;0;0;0;0t\x1b[<0;1;1M",  # a window of no size, then a click in it
        b"\x1b[<0;999999999999;1M\x1b[<0;999999999999;1m",
        b"\x1b[?2048;2$y\x1b[5;5R",
        b"\x1b[200~" + b"x" * (MAX_UNSOLVED + 1000),
    ],
    ids=["beyond unicode", "two letters", "no size", "far away", "reports", "endless paste"],
)
async def test_sequences_from_hell_do_no_harm(nonsense):
    async with played() as (app, far):
        far.terminal.feed(nonsense)
        await far.listens()
        await far.types(b"\x1b[200~\x1b[201~y", b"key y")
        assert app.size == (40, 6)


async def test_a_terminal_cannot_claim_its_size_in_band():
    async with played() as (app, far):
        await far.types(b"\x1b[48;30000;30000;1;1tx", b"key x")
        assert app.size == (40, 6)


async def test_a_flood_of_keys_waits_in_the_clients_buffers():
    async with played() as (_, far):
        far.terminal.feed(b"k" * (EVENTS_AT_ONCE * 3))
        assert not far.reading
        await far.types(b"", b"key k")


async def test_what_is_typed_ahead_of_the_app_arrives():
    far = Far()
    far.terminal.feed(b"x")
    async with played(far=far):
        await far.gets(b"key x")


# Output


async def test_while_a_terminal_lags_frames_are_dropped_and_then_all_is_painted():
    async with played() as (app, far):
        far.terminal.pause()
        far.sent = b""
        for number in range(20):
            app.say(f"number {number}")
            await _painted(app)
        assert far.sent == b""
        far.terminal.resume()
        await far.gets(b"number 19")
        await far.gets(b"40 by 6")  # and what had not changed
        assert b"number 18" not in far.sent


async def test_updates_are_wrapped_where_synchronized_output_is_offered():
    async with played() as (_, far):
        assert b"\x1b[?2026$p" in far.sent
        await far.types(b"\x1b[?2026;2$yx", b"key x")
        await far.types(b"y", b"\x1b[?2026l")
        assert far.sent.startswith(b"\x1b[?2026h")


async def _painted(app):
    """Wait until the app has done what it was asked and repainted."""
    done = asyncio.Event()
    app.call_after_refresh(done.set)
    async with asyncio.timeout(PATIENCE):
        await done.wait()


@pytest.mark.parametrize(
    ("name", "env", "wanted", "unwanted"),
    [
        ("xterm-256color", {"COLORTERM": "truecolor"}, rb"38;2;", None),
        ("xterm-256color", {}, rb"38;5;", rb"[34]8;2;"),
        ("xterm", {}, rb"\x1b\[[0-9;]*[39][0-7]", rb"[34]8;[25];"),
        ("vt100", {}, rb"ready", rb"\x1b\[[0-9;]*([34]8;|[349][0-7])[0-9;]*m"),
        ("xterm-256color", {"COLORTERM": "truecolor", "NO_COLOR": "1"}, rb"38;2;(\d+);\1;\1", rb"255;128;0"),
    ],
    ids=["true", "256", "16", "none", "grey"],
)
async def test_every_terminal_gets_the_colours_it_can_show(monkeypatch, name, env, wanted, unwanted):
    # The host is another terminal altogether, and a truecolor session has used the same styles before.
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    async with played(far=Far("xterm-direct")):
        pass
    async with played(far=Far(name, **env)) as (_, far):
        assert re.search(wanted, far.sent)
        assert not (unwanted and re.search(unwanted, far.sent))


@pytest.mark.parametrize(
    ("name", "env", "colours"),
    [
        ("xterm-kitty", {}, Colours(ColorSystem.TRUECOLOR)),
        ("xterm-256color", {"COLORTERM": "24bit"}, Colours(ColorSystem.TRUECOLOR)),
        ("tmux-256color", {}, Colours(ColorSystem.EIGHT_BIT)),
        ("linux", {}, Colours(ColorSystem.STANDARD)),
        ("vt220", {}, Colours(None)),
        ("linux", {"NO_COLOR": ""}, Colours(ColorSystem.STANDARD)),
        ("linux", {"NO_COLOR": "1"}, Colours(ColorSystem.STANDARD, grey=True)),
    ],
)
def test_a_terminal_tells_its_colours(name, env, colours):
    assert colours_of(name, env) == colours


def test_a_fitted_style_keeps_all_but_its_colours():
    style = Style(color="#ff8000", bold=True, underline=True)
    bare = fit(style, Colours(None))
    assert (bare.color, bare.bold, bare.underline) == (None, True, True)
    assert fit(style, Colours(ColorSystem.EIGHT_BIT)).color.number == 208


# The process


async def test_apps_that_end_out_of_order_leave_stdout_alone(capfd):
    out, err = sys.stdout, sys.stderr
    handlers = [signal.getsignal(number) for number in (signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT)]
    factory = asyncio.get_running_loop().get_task_factory()
    async with asyncio.timeout(PATIENCE):
        ann, bob = Far(), Far()
        first = asyncio.create_task(run_served(Board, ann.terminal))
        await ann.gets(b"ready")
        second = asyncio.create_task(run_served(Board, bob.terminal))
        await bob.gets(b"ready")
        assert (sys.stdout, sys.stderr) == (out, err)
        ann.terminal.feed(b"q")
        assert await first == "left"
        await bob.types(b"p", b"key p")
        bob.terminal.end()
        assert await second is None
    assert (sys.stdout, sys.stderr) == (out, err)
    assert handlers == [
        signal.getsignal(number) for number in (signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT)
    ]
    assert asyncio.get_running_loop().get_task_factory() is factory


async def test_nothing_of_an_app_is_left_when_it_has_ended():
    before, threads = asyncio.all_tasks(), _threads()
    async with played():
        pass
    assert asyncio.all_tasks() == before
    assert _threads() == threads


async def test_an_ended_app_is_forgotten():
    async def play():
        async with played() as (app, _):
            return weakref.ref(app)

    forgotten = await asyncio.create_task(play())
    for _ in range(3):
        await asyncio.sleep(0)
        gc.collect()
    assert forgotten() is None


def _threads():
    return set(sys._current_frames())


async def test_a_crash_is_raised_to_the_caller_and_printed_nowhere(capfd):
    far = Far()
    task = asyncio.create_task(run_served(Board, far.terminal))
    await far.gets(b"ready")
    far.terminal.feed(b"!")
    with pytest.raises(RuntimeError, match="spun off"):
        await asyncio.wait_for(task, PATIENCE)
    assert far.sent.endswith(b"\x1b[?25h")
    assert capfd.readouterr() == ("", "")


async def test_a_crash_in_a_worker_is_raised_too():
    class Working(Board):
        @work
        async def labour(self):
            raise RuntimeError("overworked")

        def on_mount(self):
            self.labour()

    far = Far()
    with pytest.raises(Exception, match="overworked"):
        await asyncio.wait_for(run_served(Working, far.terminal), PATIENCE)


async def test_a_terminal_that_ended_early_ends_the_app():
    far = Far()
    far.terminal.end()
    assert await asyncio.wait_for(run_served(Board, far.terminal), PATIENCE) is None


async def test_a_cancelled_session_gives_the_terminal_back():
    far = Far()
    task = asyncio.create_task(run_served(Board, far.terminal))
    await far.gets(b"ready")
    task.cancel()
    await asyncio.wait([task], timeout=PATIENCE)
    assert task.done()
    assert b"\x1b[?1049l" in far.sent


# The host's machine


async def test_no_file_is_written_for_a_guest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    failed = asyncio.Event()

    class Delivering(Board):
        def on_delivery_failed(self, event: events.DeliveryFailed):
            failed.set()

    async with played(Delivering) as (app, _):
        app.deliver_screenshot(path=str(tmp_path))
        app.deliver_text(io.StringIO("x"), save_directory=tmp_path, save_filename="x")
        app.deliver_binary(io.BytesIO(b"x"), save_directory=tmp_path, save_filename="y")
        await asyncio.wait_for(failed.wait(), PATIENCE)
        with pytest.raises(PermissionError):
            app.save_screenshot(path=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


async def test_no_browser_opens_on_the_host(monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    async with played() as (app, _):
        app.open_url("https://example.org")
    assert opened == []


async def test_a_guest_cannot_suspend_the_host(monkeypatch):
    killed = []
    monkeypatch.setattr("os.kill", lambda *args: killed.append(args))
    async with played() as (app, _):
        app.action_suspend_process()
        with pytest.raises(SuspendNotSupported), app.suspend():
            pass
    assert killed == []


async def test_the_palette_offers_a_guest_nothing_that_writes():
    async with played() as (app, _):
        titles = {command.title for command in app.get_system_commands(app.screen)}
    assert "Screenshot" not in titles
    assert "Quit" in titles


async def test_the_same_app_runs_locally():
    app = Board()
    async with app.run_test(size=(40, 6)) as pilot:
        await pilot.press("x")
        assert "key x" in str(app.query_one("#said", Static).content)
        assert "Screenshot" in {command.title for command in app.get_system_commands(app.screen)}
