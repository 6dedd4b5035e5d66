"""Textual's private parts: a test that fails after an upgrade names the part that changed, and its purpose."""

import asyncio
import gc
import sys
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events, messages
from textual.app import App
from textual.css import stylesheet
from textual.screen import Screen

from net.limits import MAX_PASTE
from tests.tui.far import TIMEOUT, EchoApp, FarEnd, running_app, wait_until_handled
from tests.waiting import until
from tui.terminal import textual_private as private
from tui.terminal.app import run_app


class Empty(private.SelfPaintedScreen):
    """A screen that paints nothing."""


# Typed keys


def test_xterm_parser_turns_input_of_a_terminal_into_events():
    parsed = list(private.KeyParser().feed("x\x1b[A\x1b[200~two\x1b[201~\x1b[<0;3;1M\x1b[I\x1b[?2026;2$y"))

    assert [type(event) for event in parsed] == [
        events.Key,
        events.Key,
        events.Paste,
        events.MouseDown,
        events.AppFocus,
        messages.TerminalSupportsSynchronizedOutput,
    ]
    assert [event.key for event in parsed[:2]] == ["x", "up"]


@pytest.mark.parametrize("number", ["\x1b[99999999999u", "\x1b[27;5;99999999~", "\x1b[1;;1114112u"])
def test_an_impossible_number_costs_its_sequence_and_nothing_else(number):
    parser = private.KeyParser()

    assert [event.key for event in parser.feed(f"a{number}b\x1b[A")] == ["a", "b", "up"]


def test_control_c_ends_an_unterminated_paste():
    parser = private.KeyParser()
    events = list(parser.feed("\x1b[200~never ended\x03a"))
    assert [event.key for event in events] == ["ctrl+c", "a"]


def test_xterm_parser_takes_a_lone_escape_for_a_key_only_once_time_has_passed():
    parser = private.KeyParser()
    assert list(parser.feed("\x1b")) == []
    assert list(parser.tick()) == []
    assert parser._timeout_time is not None
    parser._timeout_time = 0.0

    assert [event.key for event in parser.tick()] == ["escape"]


@pytest.mark.parametrize("typed", ["x", "\x1b[97;5u", "\x1b[200~tiles", "\x1b[99999999999;5u", "\x1b"])
def test_a_closed_parser_is_freed_by_reference_counting(typed):
    parser = private.KeyParser()
    last = [weakref.ref(event) for event in parser.feed(typed)]
    parser.close()
    ended = weakref.ref(parser)
    gc.disable()
    try:
        del parser
        assert ended() is None
        assert [event() for event in last] == [None] * len(last)
    finally:
        gc.enable()


def test_a_paste_is_one_event_wherever_it_is_cut():
    text = "a\x1b[200~Six\x1b[20 tiles\x1b[201~b"
    whole = [str(event) for event in private.KeyParser().feed(text)]
    for cut in range(1, len(text)):
        parser = private.KeyParser()
        assert [str(event) for part in (text[:cut], text[cut:]) for event in parser.feed(part)] == whole
    assert [event.key for event in private.KeyParser().feed("\x1b[200~Six\x03b")] == ["ctrl+c", "b"]


def test_a_paste_without_end_keeps_its_first_characters_and_swallows_the_rest():
    parser = private.KeyParser()
    assert list(parser.feed("\x1b[200~")) == []
    for _ in range(100):
        assert list(parser.feed("\u65e5" * 1000)) == []
    (paste,) = parser.feed("\x1b[201~")
    assert paste.text == "\u65e5" * MAX_PASTE
    assert [event.key for event in parser.feed("x")] == ["x"]


def test_keys_after_a_paste_cost_a_turn_of_their_own():
    parser = private.KeyParser()
    assert parser.affordable_length("x" * 100, 32) == 32
    list(parser.feed("\x1b[200~"))
    assert parser.affordable_length("x" * 100, 32) == 100
    assert parser.affordable_length("xx\x1b[201~" + "x" * 100, 32) == 8


async def test_pending_message_and_the_queue_tell_that_something_waits_for_an_app():
    async with running_app() as (app, _far):
        await until(lambda: not private.is_busy(app))
        app.post_message(events.AppFocus())
        assert private.is_busy(app)
        assert app._pending_message is None
        app._pending_message = events.AppFocus()
        assert private.is_busy(app)
        app._pending_message = None


# The state of an app


async def test_exit_flag_says_that_an_app_is_about_to_end_and_may_have_a_last_word():
    async with running_app() as (app, _far):
        assert private.is_exiting(app) is False
        app.exit("last word")
        assert private.is_exiting(app) is True


async def test_handle_exception_ends_an_app_and_run_in_task_finds_the_error_in_exception():
    far = FarEnd()
    apps = []
    task = asyncio.create_task(run_app(lambda: apps.append(EchoApp()) or apps[0], far.terminal))
    await far.wait_for_output(b"ready")

    private.crash(apps[0], RuntimeError("spun off"))

    with pytest.raises(RuntimeError, match="spun off"):
        await asyncio.wait_for(task, TIMEOUT)


# The setup before an app runs


async def test_parse_cache_has_parsed_rules_which_a_second_app_need_not_parse(monkeypatch):
    parsed = []
    parse = stylesheet.parse
    monkeypatch.setattr(stylesheet, "parse", lambda *args, **named: parsed.append(args) or parse(*args, **named))
    monkeypatch.setattr("tui.terminal.app._RULES", private.Rules(256))
    counts = []
    for _ in range(2):
        async with running_app():
            counts.append(len(parsed))

    assert counts[0] == counts[1] > 0


# Running a served app


async def test_build_driver_decides_which_driver_an_app_gets():
    async with running_app() as (app, _far):
        assert app.output is app._driver


async def test_process_messages_is_the_loop_of_an_app_and_redirects_stdout_replaceably():
    names = App._process_messages.__code__
    nested = [code for code in (names, *names.co_consts) if hasattr(code, "co_names")]
    assert {"redirect_stdout", "redirect_stderr"} <= {name for code in nested for name in code.co_names}
    out = sys.stdout
    async with running_app() as (app, far):
        assert sys.stdout is out
        await far.type(b"x", b"key x")
        assert app._loop is asyncio.get_running_loop()


async def test_run_in_task_takes_the_steps_of_run_async_and_leaves_nothing_set():
    async with running_app() as (app, _far):
        assert app._thread_id
        assert app._registry
        assert app._screen_stacks
    assert not app._thread_id
    assert (app._loop, app._driver) == (None, None)
    assert not {"_registry", "_screen_stacks"} & set(vars(app))


@pytest.mark.parametrize(
    "name", ["_thread_init", "_context", "_shutdown", "_process_messages", "_close_messages_no_wait"]
)
def test_run_async_and_fatal_error_call_the_method_that_a_served_app_calls(name):
    callers = [App.run_async, App._fatal_error]

    assert any(name in caller.__code__.co_names for caller in callers)
    assert callable(getattr(App, name))


@pytest.mark.parametrize(
    ("name", "caller"),
    [
        ("_build_driver", App._process_messages),
        ("_fatal_error", App._handle_exception),
    ],
)
def test_methods_that_a_served_app_overrides_are_still_called_by_textual(name, caller):
    assert name in vars(App)
    code = caller.__code__
    assert any(name in part.co_names for part in (code, *code.co_consts) if hasattr(part, "co_names"))


# Remains of an ended screen


async def test_an_ended_screen_with_a_pending_callback_is_referenced():
    async with running_app() as (app, _far):
        await wait_until_handled(app)
        ended = Empty()
        await until(lambda: not app.is_referenced([ended]))

        for waiting in (app.screen._callbacks, app.screen._next_callbacks):
            waiting.append((ended.refresh_bindings, app))
            assert app.is_referenced([ended])
            waiting.clear()
        assert app.screen._running


def test_attributes_of_a_node_are_in_its_dict_so_that_clearing_it_cuts_its_circles():
    screen = Empty()
    screen.title = screen
    gone = weakref.ref(screen)

    private.break_cycles([screen])
    gc.disable()
    try:
        del screen
        assert gone() is None
    finally:
        gc.enable()


# Screens that paint themselves


async def test_refresh_layout_and_compositor_refresh_do_all_that_textual_does_for_a_screen(monkeypatch):
    arranged, painted_screens = [], []
    monkeypatch.setattr(Screen, "_refresh_layout", lambda screen, *_args, **_more: arranged.append(screen))
    monkeypatch.setattr(Screen, "_compositor_refresh", painted_screens.append)
    monkeypatch.setattr(Screen, "update_node_styles", lambda screen, **_more: painted_screens.append(screen))
    async with running_app() as (app, far):
        await app.push_screen(screen := Empty())
        for shown_screen in (app.screen_stack[0], screen):
            shown_screen.refresh(layout=True)
            shown_screen._on_timer_update()
        await app.pop_screen()
        far.sent = b""
        app.screen.refresh(layout=True)
        app.screen._on_timer_update()
        await wait_until_handled(app)
        assert far.sent == b""

    assert (arranged, painted_screens) == ([], [])


CHUNKS = (
    "a",
    "\r",
    "\x1b[A",
    "\x1b[1;2C",
    "\x1bOP",
    "\x1b",
    "[",
    "A",
    "\x1b[200~",
    "\x1b[201~",
    "\x1b[<0;3;1M",
    "\x03",
    "ab",
    "é",
)


@given(st.lists(st.sampled_from(CHUNKS), max_size=12))
def test_a_memoized_key_gives_the_same_event_as_a_parsed_one(chunks):
    def typed(parser):
        return [
            (
                type(event),
                getattr(event, "key", None),
                getattr(event, "character", None),
                getattr(event, "text", None),
            )
            for chunk in chunks
            for event in parser.feed(chunk)
        ]

    private._KEYS_BY_INPUT.clear()
    plain = typed(private.KeyParser())
    assert typed(private.KeyParser()) == plain
