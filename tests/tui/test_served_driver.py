"""A guest's input, and the driver's output."""

import re

import pytest
from rich.color import ColorSystem
from rich.style import Style

from net.limits import EVENTS_AT_ONCE, MAX_PASTE
from net.loop import LoopScheduler
from net.scheduler import BUSY_BURST, Outcome, Piece, Work, new_owner
from tests.tui.far import EchoScreen, FarEnd, running_app, wait_until_handled
from tests.waiting import until
from tui.terminal.colours import Colours, colours_of, fit
from tui.terminal.driver import CELLS_PER_KEY, CHARACTERS_PER_EVENT, SLOW_KEY


def used_tokens(driver):
    """Return the number of tokens that a guest has used of the budget for keys."""
    return driver.keys.owner.used_tokens(driver.loop.time())


# Input


async def test_a_letter_cut_in_half_is_put_together():
    async with running_app() as (_, far):
        far.terminal.feed("é".encode()[:1])
        await far.type("é".encode()[1:], "'é'".encode())


async def test_bytes_outside_utf8_are_read_as_latin_1_and_later_keys_arrive():
    async with running_app() as (_, far):
        await far.type(b"\xff\xfe\x80", "þ".encode())
        await far.type(b"x", b"key x")


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\x1b[99999999999;5u",  # a letter beyond Unicode
        b"\x1b[1:2;5u",
        b"\x1b[48;0;0;0;0t\x1b[<0;1;1M",  # a window of no size, then a click in it
        b"\x1b[<0;999999999999;1M\x1b[<0;999999999999;1m",
        b"\x1b[?2048;2$y\x1b[5;5R",
        b"\x1b[200~" + b"x" * (MAX_PASTE + 1000),
    ],
    ids=["beyond unicode", "two letters", "no size", "far away", "reports", "endless paste"],
)
async def test_malformed_sequences_are_dropped_and_later_keys_arrive(nonsense):
    async with running_app() as (app, far):
        far.terminal.feed(nonsense)
        await far.wait_until_reading()
        await far.type(b"\x1b[200~\x1b[201~y", b"key y")
        assert app.size == (40, 6)


async def test_a_terminal_cannot_claim_its_size_in_band():
    async with running_app() as (app, far):
        await far.type(b"\x1b[48;30000;30000;1;1tx", b"key x")
        assert app.size == (40, 6)


async def test_a_flood_of_keys_stops_reading_until_they_are_handled():
    async with running_app() as (_, far):
        far.terminal.feed(b"k" * (EVENTS_AT_ONCE * 3))
        assert not far.is_reading
        await far.type(b"", b"key k")


async def test_of_many_sizes_of_a_window_that_wait_only_the_newest_is_painted():
    sizes = []

    scheduler, over = LoopScheduler(), []
    busy = Piece(Work.KEY, new_owner(), lambda: Outcome.DONE if over else Outcome.MORE)
    async with running_app(scheduler=scheduler) as (app, far):
        repaint = app.screen.repaint
        app.screen.repaint = lambda: (sizes.append(tuple(app.size)), repaint())
        scheduler.submit(busy)
        for columns in range(41, 61):
            far.terminal.resize(columns, 7)
        over.append(True)
        await far.wait_for_output(b"60 by 7")
        assert sizes == [(60, 7)]
        assert app.size == (60, 7)


async def test_opening_a_screen_and_painting_a_large_window_are_dearer_than_a_key():
    async with running_app() as (app, far):
        await far.type(b"k", b"key k")
        assert app._driver.keys.weight == 1
        app.screen.receive_key = lambda _key: app.push_screen(EchoScreen())
        await far.type(b"k", b"ready")
        assert app._driver.keys.weight == SLOW_KEY
        far.sent = b""
        far.terminal.resize(300, 100)
        await far.wait_for_output(b"300 by 100")
        assert app._driver.keys.weight == 300 * 100 / CELLS_PER_KEY


async def test_many_keys_or_a_dragged_window_make_a_session_busy_for_a_while():
    async with running_app() as (app, far):
        driver = app._driver
        assert used_tokens(driver) < BUSY_BURST
        far.terminal.feed(b"k" * BUSY_BURST * 2)
        assert used_tokens(driver) > BUSY_BURST
    async with running_app() as (app, far):
        for columns in (300, 320, 310):
            far.terminal.resize(columns, 100)
        assert used_tokens(app._driver) > BUSY_BURST


async def test_a_paste_is_read_in_the_turns_of_its_session_and_charged_to_it():
    scheduler, over = LoopScheduler(), []
    busy = Piece(Work.KEY, new_owner(), lambda: Outcome.DONE if over else Outcome.MORE)
    async with running_app(scheduler=scheduler) as (app, far):
        driver = app._driver
        scheduler.submit(busy)
        driver.keys.owner.spend(2 * BUSY_BURST, driver.loop.time())  # so that the other session goes first
        before = used_tokens(driver)
        far.terminal.feed(b"\x1b[200~" + "日".encode() * 4000)
        assert used_tokens(driver) <= before
        assert len(driver._unparsed_text) == 4006
        over.append(True)
        await far.wait_until_reading()
        assert used_tokens(driver) > before + 4000 / CHARACTERS_PER_EVENT - 1
        await far.type(b"\x1b[201~y", b"key y")


async def test_bytes_unread_at_the_end_of_a_terminal_are_dropped():
    async with running_app() as (app, far):
        far.terminal.pause()
        far.terminal.feed(b"k" * 5000)
        assert app._driver._unparsed_text
        far.terminal.end()
        far.terminal.feed(b"k" * 5000)
        assert not app._driver._unparsed_text
        assert far.is_reading


async def test_input_is_not_read_while_output_is_paused_until_they_have_caught_up():
    async with running_app() as (_, far):
        far.terminal.pause()
        far.terminal.feed(b"x" * (EVENTS_AT_ONCE + 1))
        assert not far.is_reading
        assert b"key x" not in far.sent
        far.terminal.resume()
        await far.wait_for_output(b"key x")
        await far.wait_until_reading()


async def test_typing_ahead_of_the_app_arrives():
    far = FarEnd()
    far.terminal.feed(b"x")
    async with running_app(far=far):
        await far.wait_for_output(b"key x")


# Output


async def test_while_a_terminal_lags_frames_are_dropped_and_then_all_is_painted():
    async with running_app() as (app, far):
        far.terminal.pause()
        far.sent = b""
        for number in range(20):
            app.say(f"number {number}")
            await wait_until_handled(app)
        assert far.sent == b""
        far.terminal.resume()
        await far.wait_for_output(b"number 19")
        await far.wait_for_output(b"40 by 6")  # and the unchanged rest
        assert b"number 18" not in far.sent


async def test_updates_are_wrapped_where_synchronized_output_is_offered():
    async with running_app() as (_, far):
        assert b"\x1b[?2026$p" in far.sent
        await far.type(b"\x1b[?2026;2$yx", b"key x")
        await far.type(b"y", b"\x1b[?2026l")
        assert far.sent.startswith(b"\x1b[?2026h")


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
    # The host's own terminal differs, and a truecolor session has used the same styles before.
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    async with running_app(far=FarEnd("xterm-direct")):
        pass
    async with running_app(far=FarEnd(name, **env)) as (_, far):
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
        ("linux", {"NO_COLOR": "1"}, Colours(ColorSystem.STANDARD, uses_grey=True)),
    ],
)
def test_a_terminal_tells_its_colours(name, env, colours):
    assert colours_of(name, env) == colours


def test_a_fitted_style_keeps_all_but_its_colours():
    style = Style(color="#ff8000", bold=True, underline=True)
    bare = fit(style, Colours(None))
    assert (bare.color, bare.bold, bare.underline) == (None, True, True)
    assert fit(style, Colours(ColorSystem.EIGHT_BIT)).color.number == 208


async def test_input_typed_while_frames_were_dropped_waits_for_the_new_picture():
    order = []

    async with running_app() as (app, far):
        far.terminal.pause()
        app.say("news")
        app.screen.receive_key = lambda key: order.append(key.key)
        app.screen.repaint = lambda: order.append("picture")
        far.terminal.feed(b"x")
        far.terminal.resume()
        await until(lambda: len(order) == 2)

    assert order == ["picture", "x"]
