"""A terminal at the far end of a connection: its size, its characters, and the data buffered for it."""

import asyncio

import pytest

from net.doors.terminal import Terminal, fitting_size, is_utf8_terminal
from net.doors.terminal_queries import ASK_COLOURS, ASK_PICTURES, ASK_WIDTH
from net.doors.terminal_queries import FENCE as ASK_WHAT_IT_IS
from net.limits import MAX_BLOCKED_OUTPUT, MAX_TYPED_AHEAD
from tests.net.ssh_room import Pipe


def test_a_large_size_is_clipped():
    assert fitting_size(1000, 1000) == (320, 100)


@pytest.mark.parametrize(("columns", "rows"), [(2**32 - 1, 24), (80, 1001), (0, 24)])
def test_a_size_that_no_display_has_is_refused(columns, rows):
    assert fitting_size(columns, rows) is None


def test_a_terminal_that_reports_no_size_has_80_columns_and_24_rows():
    assert Terminal(Pipe(), "xterm", (0, 0), {}).size == (80, 24)


@pytest.mark.parametrize(
    ("name", "env", "is_utf8"),
    [
        ("xterm", {}, True),
        ("linux", {}, True),
        ("vt100", {}, False),
        ("vt100", {"LANG": "de_DE.utf8@euro"}, True),
        ("xterm", {"LANG": "en_US.UTF-8", "LC_ALL": "C"}, False),
        ("xterm", {"LANG": "C.UTF-8"}, True),
    ],
)
def test_utf8_is_assumed_for_terminals_that_report_it_and_most_others(name, env, is_utf8):
    assert is_utf8_terminal(name, env) is is_utf8


def test_typing_ahead_is_buffered_up_to_a_limit():
    terminal = Terminal(Pipe(), "xterm", (80, 24), {})
    terminal.feed(b"ab")
    for _ in range(MAX_TYPED_AHEAD):
        terminal.feed(b"xx")
    received = []
    listener = type("L", (), {"on_data": lambda self, data: received.append(data)})()
    terminal.attach(listener)
    assert received[0].startswith(b"abx")
    assert len(received[0]) == MAX_TYPED_AHEAD


def test_old_terminals_get_question_marks_for_characters_that_they_lack():
    pipe = Pipe()
    Terminal(pipe, "vt100", (80, 24), {}).write("6|4 ⚅")
    assert pipe.sent == b"6|4 ?"


def test_a_paused_terminal_is_cut_when_its_output_exceeds_the_limit():
    pipe = Pipe()
    terminal = Terminal(pipe, "xterm", (80, 24), {})
    terminal.pause()
    for _ in range(MAX_BLOCKED_OUTPUT // 1024):
        terminal.write(b"x" * 1024)
    assert pipe.state == "open"
    terminal.write(b"x")
    assert pipe.state == "cut"


ALL_COLOURS, FENCE = b"\x1bP1$r0;48:2:1:2:3m\x1b\\", b"\x1b[?62c"


class RecordingListener:
    """A listener that records the typed input."""

    def __init__(self):
        self.typed = b""
        self.news = asyncio.Event()

    def on_data(self, data):
        self.typed += data
        self.news.set()


async def query_terminal(*answers, name="xterm-256color", within=30.0, pictures=False, refuses=False, **env):
    """Return a terminal that was queried for its capabilities and has sent `answers`, and its channel.

    `within`: seconds to wait for answers; `refuses`: the guest wants no pictures.
    """
    pipe = Pipe()
    terminal = Terminal(pipe, name, (80, 24), env, pictures=not refuses)
    question = asyncio.create_task(terminal.ask(within, pictures=pictures))
    await asyncio.sleep(0)
    for answer in answers:
        terminal.feed(answer)
    await question
    return terminal, pipe


async def test_a_terminal_that_reports_all_colours_counts_as_one_that_sent_colorterm():
    terminal, pipe = await query_terminal(ALL_COLOURS, FENCE)

    assert pipe.sent == (ASK_COLOURS + ASK_WIDTH + ASK_WHAT_IT_IS).encode()
    assert terminal.env == {"COLORTERM": "truecolor"}


async def test_a_terminal_that_answers_only_the_fence_is_not_waited_for():
    assert (await query_terminal(FENCE))[0].env == {}


async def test_a_terminal_with_known_colours_is_not_queried():
    assert (await query_terminal(FENCE, COLORTERM="24bit"))[1].sent == (ASK_WIDTH + ASK_WHAT_IT_IS).encode()
    assert (await query_terminal(name="linux"))[1].sent == b""


async def test_an_answer_never_overrides_the_colours_that_the_environment_claims():
    tmux = b"\x1bP>|tmux 3.4\x1b\\" + FENCE
    terminal, _ = await query_terminal(tmux, name="tmux-256color", pictures=True, COLORTERM="truecolor")
    assert terminal.env == {"COLORTERM": "truecolor"}

    terminal, _ = await query_terminal(tmux, name="screen")
    assert terminal.env == {"COLORTERM": "256color"}


async def test_typing_during_a_query_is_delivered_later_in_order():
    terminal, _ = await query_terminal(b"a" + ALL_COLOURS[:9], ALL_COLOURS[9:] + b"b", b"c" + FENCE + b"d")
    listener = RecordingListener()
    terminal.attach(listener)

    assert listener.typed == b"abcd"


async def test_late_answers_are_dropped_and_typing_is_not_held():
    terminal, _ = await query_terminal(within=0)
    listener = RecordingListener()
    terminal.attach(listener)
    for data in (b"a", ALL_COLOURS[:5], ALL_COLOURS[5:], b"b", FENCE, b"c\x1b"):
        terminal.feed(data)

    assert listener.typed == b"abc\x1b", "an Esc is not held back once all has been answered"
    assert terminal.env == {}


async def test_a_guest_may_send_the_seconds_in_which_their_terminal_answers():
    terminal, _ = await query_terminal(BONEYARD_ANSWERS_WITHIN="0")
    for data in (ALL_COLOURS, FENCE):
        terminal.feed(data)

    assert terminal.env == {"BONEYARD_ANSWERS_WITHIN": "0"}


async def test_a_lone_escape_is_delivered_though_an_answer_might_begin_with_it():
    terminal, _ = await query_terminal(within=0)
    listener = RecordingListener()
    terminal.attach(listener)
    terminal.feed(b"\x1b")
    assert listener.typed == b""
    async with asyncio.timeout(30):
        await listener.news.wait()
    assert listener.typed == b"\x1b"


KITTY = b"\x1b_Gi=1;OK\x1b\\\x1bP>|kitty(0.41.1)\x1b\\\x1b[6;18;9t" + FENCE


async def test_a_terminal_that_shows_pictures_reports_the_size_of_its_cells():
    terminal, pipe = await query_terminal(KITTY, pictures=True, COLORTERM="truecolor")

    assert pipe.sent == (ASK_PICTURES + ASK_WIDTH + ASK_WHAT_IT_IS).encode()
    assert terminal.cell == (9, 18)


async def test_a_terminal_that_was_not_queried_for_pictures_gets_none_whatever_it_reports():
    assert (await query_terminal(KITTY))[0].cell is None


async def test_an_answer_that_comes_too_late_brings_no_pictures_and_is_no_key():
    terminal, _ = await query_terminal(within=0, pictures=True, COLORTERM="truecolor")
    listener = RecordingListener()
    terminal.attach(listener)
    for data in (b"a", KITTY[:7], KITTY[7:30], KITTY[30:], b"b"):
        terminal.feed(data)

    assert listener.typed == b"ab"
    assert terminal.cell is None


async def test_a_guest_without_pictures_or_utf8_is_not_queried_for_them():
    for options, query in (({"refuses": True}, ASK_WIDTH + ASK_WHAT_IT_IS), ({"LANG": "de_DE.ISO-8859-1"}, "")):
        terminal, pipe = await query_terminal(FENCE, pictures=True, COLORTERM="truecolor", **options)
        assert (terminal.cell, pipe.sent) == (None, query.encode())


async def test_a_terminal_with_wide_signs_is_drawn_on_in_ascii_and_still_takes_utf8():
    terminal, _ = await query_terminal(b"\x1b[5;3R" + KITTY, pictures=True, COLORTERM="truecolor")
    assert (terminal.ascii, terminal.utf8, terminal.cell) == (True, True, None)


async def test_a_guest_with_ascii_gets_it_without_a_query_of_widths():
    pipe = Pipe()
    terminal = Terminal(pipe, "xterm-256color", (80, 24), {"COLORTERM": "truecolor"}, ascii=True)
    await terminal.ask(30)
    assert (terminal.ascii, pipe.sent) == (True, b"")


async def test_a_query_ends_with_its_terminal():
    terminal = Terminal(Pipe(), "xterm", (80, 24), {})
    question = asyncio.create_task(terminal.ask(30))
    await asyncio.sleep(0)
    terminal.end()
    async with asyncio.timeout(30):
        await question


@pytest.mark.parametrize(("pixels", "pictures"), [((10, 19), (10, 19)), (None, None), ((500, 900), None)])
async def test_a_page_reports_its_pixels_at_first_and_is_not_queried(pixels, pictures):
    pipe = Pipe()
    terminal = Terminal(pipe, "xterm-256color", (80, 24), {}, pixels=pixels, tell=lambda _note: None)
    await terminal.ask()
    assert not pipe.sent
    assert (terminal.cell, terminal.sixel_cell) == (pictures, pictures)
