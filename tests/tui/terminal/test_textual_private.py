"""Textual's private parts: when an upgrade breaks a test here, its name says which part moved and what it is for."""

import asyncio
import gc
import os
import sys
import threading
import weakref
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from textual import events, messages
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.css import stylesheet
from textual.filter import ANSIToTruecolor, LineFilter
from textual.screen import Screen
from textual.widgets import Input, Static

from net.limits import MAX_PASTE
from tests.tui.far import PATIENCE, Board, Far, painted, played
from tui.terminal import textual_private as private
from tui.terminal.app import run_app


class Keys(Screen):
    BINDINGS = [("x", "cross", "")]

    def action_cross(self):
        pass


class Local(App):
    """An app on no terminal, with a notice when it is asked for."""

    BINDINGS = [("a", "app", "")]
    CSS = "Static { color: #ff8000; }"

    def compose(self):
        yield Static("ready")
        yield Input()


@asynccontextmanager
async def local(app=None):
    app = app or Local()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        yield app


class Filter(LineFilter):
    def __init__(self):
        super().__init__()
        self.count = 0

    def apply(self, segments, background):
        self.count += 1
        return segments


# Keys that are typed


def test_xterm_parser_turns_what_a_terminal_sends_into_events():
    heard = list(private.KeyParser().feed("x\x1b[A\x1b[200~two\x1b[201~\x1b[<0;3;1M\x1b[I\x1b[?2026;2$y"))

    assert [type(event) for event in heard] == [
        events.Key,
        events.Key,
        events.Paste,
        events.MouseDown,
        events.AppFocus,
        messages.TerminalSupportsSynchronizedOutput,
    ]
    assert [event.key for event in heard[:2]] == ["x", "up"]


@pytest.mark.parametrize("number", ["\x1b[99999999999u", "\x1b[27;5;99999999~", "\x1b[1;;1114112u"])
def test_a_number_that_no_terminal_sends_costs_its_sequence_and_nothing_else(number):
    parser = private.KeyParser()

    assert [event.key for event in parser.feed(f"a{number}b\x1b[A")] == ["a", "b", "up"]


def test_control_c_is_heard_in_a_paste_whose_end_never_comes():
    parser = private.KeyParser()
    heard = list(parser.feed("\x1b[200~never ended\x03a"))
    assert [event.key for event in heard] == ["ctrl+c", "a"]


def test_the_linux_driver_reads_through_the_parser_that_it_is_given():
    reading, writing = os.pipe()
    heard = []

    class Parser:
        def feed(self, data):
            heard.append(data)
            driver.exit_event.set()
            return ()

        def tick(self):
            return ()

    class Given(private.HookedLinuxDriver):
        def make_parser(self):
            return Parser()

    driver = Given.__new__(Given)  # a whole one would take the terminal of whoever runs the tests
    driver.fileno, driver.exit_event, driver._debug = reading, threading.Event(), False
    os.write(writing, b"\xe4x")
    driver.run_input_thread()
    os.close(writing)

    assert heard == ["äx", ""], "what was typed, even what is no UTF-8, and the end"


def test_xterm_parser_takes_a_lone_escape_for_a_key_only_once_time_has_passed():
    parser = private.KeyParser()
    assert list(parser.feed("\x1b")) == []
    assert list(parser.tick()) == []
    assert parser._timeout_time is not None
    parser._timeout_time = 0.0

    assert [event.key for event in parser.tick()] == ["escape"]


@pytest.mark.parametrize("typed", ["x", "\x1b[97;5u", "\x1b[200~tiles", "\x1b[99999999999;5u", "\x1b"])
def test_a_closed_parser_is_freed_by_reference_counting(typed):
    parser = private.KeyParser(remembers=True)
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
    assert parser.portion("x" * 100, 32) == 32
    list(parser.feed("\x1b[200~"))
    assert parser.portion("x" * 100, 32) == 100
    assert parser.portion("xx\x1b[201~" + "x" * 100, 32) == 8


async def test_pending_message_and_the_queue_tell_that_something_waits_for_an_app():
    async with local() as app:
        async with asyncio.timeout(PATIENCE):
            while private.is_busy(app):  # noqa: ASYNC110 - nothing tells that it is done
                await asyncio.sleep(0)
        app.post_message(events.AppFocus())
        assert private.is_busy(app)
        assert app._pending_message is None
        app._pending_message = events.AppFocus()
        assert private.is_busy(app)
        app._pending_message = None


# What an app is doing


async def test_driver_is_the_driver_of_a_running_app_through_which_screens_paint():
    assert private.driver_of(Local()) is None
    async with played() as (app, _far):
        assert private.driver_of(app).app is app


async def test_exit_flag_says_that_an_app_is_about_to_end_and_may_have_a_last_word():
    async with local() as app:
        assert private.is_exiting(app) is False
        app.exit("last word")
        assert private.is_exiting(app) is True


async def test_binding_chain_has_the_keys_of_a_screen_and_of_its_app():
    async with local() as app:
        await app.push_screen(screen := Keys())

        assert [private.binds(screen, key) for key in ("x", "a", "f9")] == [True, True, False]


async def test_handle_exception_ends_an_app_by_an_error_which_run_in_task_finds_in_exception():
    far = Far()
    apps = []
    task = asyncio.create_task(run_app(lambda: apps.append(Board()) or apps[0], far.terminal))
    await far.gets(b"ready")

    private.crash(apps[0], RuntimeError("spun off"))

    with pytest.raises(RuntimeError, match="spun off"):
        await asyncio.wait_for(task, PATIENCE)


# What is set up before an app runs


async def test_filters_has_what_every_line_passes_on_its_way_to_the_terminal():
    app, ours = Local(), Filter()
    before = [each for each in app._filters if isinstance(each, ANSIToTruecolor)]
    private.set_filters(app, ours)

    assert app._filters == [*before, ours]
    async with local(app):
        assert ours in app.get_line_filters()
        assert ours.count


async def test_parse_cache_has_parsed_rules_which_a_second_app_need_not_parse(monkeypatch):
    parsed = []
    parse = stylesheet.parse
    monkeypatch.setattr(stylesheet, "parse", lambda *args, **named: parsed.append(args) or parse(*args, **named))
    rules, counts = private.Rules(256), []
    for _ in range(2):
        app = Local()
        private.share_rules(app, rules)
        async with local(app):
            counts.append(len(parsed))

    assert counts[0] == counts[1] > 0


def test_environ_of_a_console_keeps_the_environment_of_this_process_out(monkeypatch):
    monkeypatch.setenv("COLUMNS", "33")
    monkeypatch.setenv("NO_COLOR", "1")
    console = private.make_console(Console(), {"TERM": "xterm"}, (80, 24))

    assert (console.size, console.no_color, console.color_system) == ((80, 24), False, "truecolor")


# How a served app runs


async def test_build_driver_decides_which_driver_a_served_app_gets():
    async with played() as (app, _far):
        assert isinstance(private.driver_of(app), private.HookedDriver)
    async with local(Board()) as app:
        assert not isinstance(private.driver_of(app), private.HookedDriver)


async def test_process_messages_is_the_loop_of_an_app_and_redirects_stdout_by_names_that_can_be_replaced():
    names = App._process_messages.__code__
    nested = [each for each in (names, *names.co_consts) if hasattr(each, "co_names")]
    assert {"redirect_stdout", "redirect_stderr"} <= {name for each in nested for name in each.co_names}
    out = sys.stdout
    async with played() as (app, far):
        assert sys.stdout is out
        await far.types(b"x", b"key x")
        assert app._loop is asyncio.get_running_loop()


async def test_run_in_task_takes_the_steps_of_run_async_and_leaves_nothing_set():
    async with played() as (app, _far):
        assert app._thread_id
        assert app._registry
        assert app._screen_stacks
    assert not app._thread_id
    assert (app._loop, app._driver) == (None, None)
    assert not {"_registry", "_screen_stacks"} & set(vars(app))


@pytest.mark.parametrize(
    "name", ["_thread_init", "_context", "_shutdown", "_process_messages", "_close_messages_no_wait"]
)
def test_run_async_and_fatal_error_still_call_the_method_that_a_served_app_calls_for_itself(name):
    callers = [App.run_async, App._fatal_error]

    assert any(name in each.__code__.co_names for each in callers)
    assert callable(getattr(App, name))


@pytest.mark.parametrize(
    ("name", "caller"),
    [
        ("_build_driver", App._process_messages),
        ("_fatal_error", App._handle_exception),
        ("_print_error_renderables", App._shutdown),
        ("_replace_screen", App.pop_screen),
        ("_set_pointer_shape", Screen._watch__pointer_shape),
    ],
)
def test_what_a_served_app_replaces_is_still_called_by_textual(name, caller):
    assert name in vars(App)
    code = caller.__code__
    assert any(name in each.co_names for each in (code, *code.co_consts) if hasattr(each, "co_names"))


async def test_exit_renderables_has_what_would_be_printed_here_when_a_served_app_crashes(capfd):
    async with played() as (app, _far):
        to_print = app._exit_renderables
        to_print.append("printed on the host")
    assert to_print == []
    assert capfd.readouterr() == ("", "")


# What an ended screen leaves behind


async def test_replace_screen_is_told_of_a_screen_that_has_ended():
    ended = []
    async with played() as (app, _far):
        app.screen_ended = ended.append
        await app.push_screen(screen := Keys())
        await app.pop_screen()
        await painted(app)
    assert [screen in parts for parts in ended] == [True]


async def test_running_next_callbacks_and_callbacks_tell_that_something_may_look_at_an_ended_screen():
    async with played() as (app, _far):
        await painted(app)
        ended = Keys()
        async with asyncio.timeout(PATIENCE):
            while app.may_be_looked_at([ended]):  # noqa: ASYNC110 - nothing tells that it is done
                await asyncio.sleep(0)

        for waiting in (app.screen._callbacks, app.screen._next_callbacks):
            waiting.append((ended.refresh_bindings, app))
            assert app.may_be_looked_at([ended])
            waiting.clear()
        assert app.screen._running


async def test_virtual_dom_and_component_styles_have_the_parts_of_a_widget_that_are_not_in_the_dom():
    async with local() as app:
        widget = app.query_one(Input)
        widget.show_vertical_scrollbar = True
        bar = widget.vertical_scrollbar

        parts = private.parts_of([widget])

        assert bar in parts
        assert {styles.node for styles in widget._component_styles.values()} <= set(parts)
        assert widget._component_styles


def test_attributes_of_a_node_are_in_its_dict_so_that_clearing_it_cuts_its_circles():
    screen = Keys()
    screen.title = screen
    gone = weakref.ref(screen)

    private.take_apart([screen])
    gc.disable()
    try:
        del screen
        assert gone() is None
    finally:
        gc.enable()


# Screens that cost less to open


async def turns():
    for _ in range(100):
        await asyncio.sleep(0)


async def test_refresh_layout_and_compositor_refresh_are_all_that_an_unseen_screen_would_do(monkeypatch):
    arranged, painted_screens = [], []
    monkeypatch.setattr(Screen, "_refresh_layout", lambda screen, *_args, **_more: arranged.append(screen))
    monkeypatch.setattr(Screen, "_compositor_refresh", painted_screens.append)

    class Unseen(App):
        def get_default_screen(self):
            return private.UnseenScreen(id="_default")

    async with local(Unseen()) as app:
        app.screen.refresh(layout=True)
        await turns()

    assert (arranged, painted_screens) == ([], [])


async def test_screen_resume_styles_a_screen_again_but_not_the_first_time(monkeypatch):
    styled = []
    monkeypatch.setattr(Screen, "update_node_styles", lambda screen, **_more: styled.append(screen))

    class Second(private.HookedScreen):
        pass

    async with local() as app:
        styled.clear()
        second = Second()
        await app.push_screen(second)
        await turns()
        assert second not in styled
        await app.push_screen(Keys())
        await app.pop_screen()
        second.post_message(events.ScreenResume())
        await turns()
        assert second in styled


class Asking(private.HookedScreen):
    """A screen that asks for much while it is mounted."""

    def on_mount(self):
        self.refresh(layout=True)
        self.refresh()


class Hooked(private.HookedApp):
    """An app with an empty screen under all others."""

    def get_default_screen(self):
        return private.UnseenScreen(id="_default")


@pytest.fixture
def arranged(monkeypatch):
    """The screens that were arranged, in order."""
    screens, arrange = [], Screen._refresh_layout

    def note(screen, *args, **more):
        screens.append(screen)
        arrange(screen, *args, **more)

    monkeypatch.setattr(Screen, "_refresh_layout", note)
    return screens


@pytest.fixture
def painted_whole(monkeypatch):
    """The screens that were painted as a whole, in order."""
    screens, display = [], App._display

    def note(app, screen, renderable):
        if isinstance(renderable, LayoutUpdate) and not private.shows_nothing(app):
            screens.append(screen)
        display(app, screen, renderable)

    monkeypatch.setattr(App, "_display", note)
    return screens


async def ticks(app):
    """Do what Textual's timer of repaints does, after all that was asked."""
    for _ in range(3):
        await turns()
        app.screen._on_timer_update()


async def test_a_screen_is_arranged_and_painted_once_when_it_is_opened(arranged, painted_whole):
    async with local(Hooked()) as app:
        await app.push_screen(screen := Asking())
        await ticks(app)
        assert (arranged, painted_whole) == ([screen], [screen])

        screen.refresh(layout=True)
        await ticks(app)
        assert (arranged, painted_whole) == ([screen, screen], [screen, screen])


async def test_a_screen_opened_while_nothing_is_shown_is_painted_in_the_end(painted_whole):
    async with local(Hooked()) as app:
        with app.batch_update():
            app.push_screen(screen := Asking())
            await turns()
            assert screen.stack_updates
            assert painted_whole == []
        await ticks(app)
        assert painted_whole == [screen]


async def test_a_screen_is_not_painted_again_because_another_has_gone_but_comes_back_whole(arranged, painted_whole):
    async with local(Hooked()) as app:
        await app.push_screen(first := Asking())
        await ticks(app)
        await app.push_screen(second := Asking())
        await ticks(app)
        await app.pop_screen()
        await ticks(app)
        assert arranged == [first, second]
        assert painted_whole == [first, second, first]


async def test_a_covered_screen_is_neither_arranged_nor_painted(painted_whole):
    async with local(Hooked()) as app:
        await app.push_screen(covered := Asking())
        await app.push_screen(Asking())
        await ticks(app)
        painted_whole.clear()
        assert not covered.is_current
        covered.refresh(layout=True)
        await ticks(app)
        assert covered not in painted_whole


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
def test_a_parser_that_remembers_keys_hears_what_any_other_hears(chunks):
    def heard(parser):
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

    plain = heard(private.KeyParser())
    assert heard(private.KeyParser(remembers=True)) == plain
    assert heard(private.KeyParser(remembers=True)) == plain
