"""Textual apps on guests' terminals: real clients, many apps in one process, and the host's local terminal."""

import asyncio
import gc
import signal
import sys
import weakref

import pytest
from textual import work
from textual.screen import Screen

import tui.terminal.app
from net.ssh.server.listen import serve
from tests.tui.far import TIMEOUT, EchoApp, EchoScreen, FarEnd, running_app, wait_until_handled
from tests.waiting import until
from tui.terminal.app import release_nodes, run_app


@pytest.fixture
def apps():
    """Return the served apps and their terminals, in order of arrival."""
    return asyncio.Queue()


@pytest.fixture
async def port(tmp_path, apps):
    async def on_terminal(identity, terminal):
        app = EchoApp()
        apps.put_nowait((app, terminal))
        await run_app(lambda: app, terminal)

    async def on_link(identity, link):
        pass

    async with serve("127.0.0.1", 0, tmp_path / "key", on_terminal, on_link) as server:
        yield server.port


# With the real client


async def test_the_screen_is_painted_and_a_typed_key_arrives(client, port):
    ann = client.start(port)
    await ann.wait_for("ready")
    await ann.wait_for("80 by 24")
    ann.type("x")
    await ann.wait_for("key x 'x'")


async def test_resizing_repaints(client, port):
    ann = client.start(port)
    await ann.wait_for("80 by 24")
    ann.resize(132, 50)
    await ann.wait_for("132 by 50")


async def test_keys_of_every_kind_arrive(client, port):
    ann = client.start(port)
    await ann.wait_for("ready")
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
        ann.type(typed)
        await ann.wait_for(seen)


async def test_leaving_gives_the_terminal_back(client, port):
    ann = client.start(port)
    await ann.wait_for("ready")
    ann.type("\x11")
    assert await ann.wait_for_exit() == 0
    for mode in (b"1049", b"1000", b"1006", b"1004", b"2004"):
        assert ann.raw.rindex(b"\x1b[?" + mode + b"l") > ann.raw.rindex(b"\x1b[?" + mode + b"h")
    assert ann.raw.rindex(b"\x1b[?25h") > ann.raw.rindex(b"\x1b[?25l")
    assert b"?1003h" not in ann.raw


async def test_a_crash_gives_the_terminal_back_and_ends_that_app_alone(client, port, caplog, capfd, failures):
    ann, bob = client.start(port), client.start(port)
    await ann.wait_for("ready")
    await bob.wait_for("ready")
    ann.type("!")
    assert await ann.wait_for_exit() == 1
    assert ann.raw.rindex(b"\x1b[?1049l") > ann.raw.rindex(b"\x1b[?1049h")
    assert b"spinner" not in ann.raw
    assert "the spinner spun off" in caplog.text
    bob.type("x")
    await bob.wait_for("key x")
    assert capfd.readouterr() == ("", "")


async def test_a_client_that_stops_reading_gets_the_newest_screen_when_it_reads_again(client, port, apps):
    ann = client.start(port, size=(320, 20))
    await ann.wait_for("ready")
    app, terminal = await apps.get()
    ann.stop_reading()
    frames = 0
    async with asyncio.timeout(TIMEOUT):
        while not terminal.paused:
            frames += 1
            app.say(f"{frames % 10}" * 320 * 18)
            await wait_until_handled(app)
    app.say("never seen")
    await wait_until_handled(app)
    app.say("newest")
    await wait_until_handled(app)
    ann.read_again()
    await ann.wait_for(lambda player: b"newest" in player.raw[-20000:])
    await ann.wait_for(lambda player: b"320 by 20" in player.raw[-20000:])
    assert b"never seen" not in ann.raw
    ann.type("z")
    await ann.wait_for(lambda player: b"key z" in player.raw[-20000:])


# The process


async def test_apps_that_end_out_of_order_leave_stdout_alone(capfd):
    out, err = sys.stdout, sys.stderr
    handlers = [signal.getsignal(number) for number in (signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT)]
    factory = asyncio.get_running_loop().get_task_factory()
    async with asyncio.timeout(TIMEOUT):
        ann, bob = FarEnd(), FarEnd()
        first = asyncio.create_task(run_app(EchoApp, ann.terminal))
        await ann.wait_for_output(b"ready")
        second = asyncio.create_task(run_app(EchoApp, bob.terminal))
        await bob.wait_for_output(b"ready")
        assert (sys.stdout, sys.stderr) == (out, err)
        ann.terminal.feed(b"q")
        assert await first == "left"
        await bob.type(b"p", b"key p")
        bob.terminal.end()
        assert await second is None
    assert (sys.stdout, sys.stderr) == (out, err)
    assert handlers == [signal.getsignal(number) for number in (signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT)]
    assert asyncio.get_running_loop().get_task_factory() is factory


async def test_an_ended_app_leaves_no_objects():
    before, threads = asyncio.all_tasks(), _threads()
    async with running_app():
        pass
    assert asyncio.all_tasks() == before
    assert _threads() == threads


async def test_an_ended_app_is_forgotten(fresh_heap):
    async def play():
        async with running_app() as (app, _):
            return weakref.ref(app)

    forgotten = await asyncio.create_task(play())
    for _ in range(3):
        await asyncio.sleep(0)
        gc.collect()
    assert forgotten() is None


async def test_an_ended_screen_is_taken_apart_once_no_pending_work_may_use_it(monkeypatch):
    monkeypatch.setattr(tui.terminal.app, "RELEASE_DELAY", 0)
    async with running_app() as (app, _):
        ended = Screen()
        app.screen._callbacks.append((ended.refresh_bindings, app))
        release_nodes(weakref.ref(app), [ended])
        assert vars(ended)

        app.screen._callbacks.clear()
        await until(lambda: not vars(ended))


async def test_a_screen_that_ended_with_its_session_is_taken_apart_too(monkeypatch):
    monkeypatch.setattr(tui.terminal.app, "RELEASE_DELAY", 0.01)
    wrong = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
    async with running_app() as (app, _far):
        screen = EchoScreen()
        await app.push_screen(screen)
        await app.pop_screen()
    await until(lambda: not vars(screen))
    assert not wrong


def _threads():
    return set(sys._current_frames())


async def test_a_crash_is_raised_to_the_caller_and_printed_nowhere(capfd):
    far = FarEnd()
    task = asyncio.create_task(run_app(EchoApp, far.terminal))
    await far.wait_for_output(b"ready")
    far.terminal.feed(b"!")
    with pytest.raises(RuntimeError, match="spun off"):
        await asyncio.wait_for(task, TIMEOUT)
    assert far.sent.endswith(b"\x1b[?25h")
    assert capfd.readouterr() == ("", "")


async def test_a_crash_in_a_worker_is_raised_too():
    class Working(EchoApp):
        @work
        async def labour(self):
            raise RuntimeError("overworked")

        def on_mount(self):
            self.labour()

    far = FarEnd()
    with pytest.raises(Exception, match="overworked"):
        await asyncio.wait_for(run_app(Working, far.terminal), TIMEOUT)


async def test_a_terminal_that_ended_early_ends_the_app():
    far = FarEnd()
    far.terminal.end()
    assert await asyncio.wait_for(run_app(EchoApp, far.terminal), TIMEOUT) is None


async def test_a_cancelled_session_gives_the_terminal_back():
    far = FarEnd()
    task = asyncio.create_task(run_app(EchoApp, far.terminal))
    await far.wait_for_output(b"ready")
    task.cancel()
    await asyncio.wait([task], timeout=TIMEOUT)
    assert task.cancelled()
    assert b"\x1b[?1049l" in far.sent


async def test_an_ended_session_leaves_no_app_behind(fresh_heap):
    """Textual's key parser is kept in a cache; it must not keep a reference to the app."""
    far = FarEnd()
    task = asyncio.create_task(run_app(EchoApp, far.terminal))
    await far.wait_for_output(b"ready")
    await far.type(b"\x1b[A", b"key up")
    (app,) = (
        leftover
        for leftover in gc.get_objects()
        if type(leftover) is EchoApp and getattr(leftover, "terminal", None) is far.terminal
    )
    gone = weakref.ref(app)
    del app
    far.terminal.end()
    await task
    del task

    gc.collect()

    assert gone() is None
