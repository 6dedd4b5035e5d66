"""A terminal at the far end of a line: its size, its letters, and what is held for it."""

import pytest

from net.limits import MAX_STUFFED
from net.ssh.server.terminal import Terminal, fitting_size, speaks_utf8
from tests.net.ssh_room import Pipe


def test_sizes_are_clipped_or_refused():
    assert fitting_size(1000, 1000) == (320, 100)
    assert fitting_size(2**32 - 1, 24) is None
    assert fitting_size(80, 1001) is None
    assert fitting_size(0, 24) is None
    assert Terminal(Pipe(), "xterm", (0, 0), {}).size == (80, 24)


@pytest.mark.parametrize(
    ("name", "env", "speaks"),
    [
        ("xterm", {}, True),
        ("linux", {}, True),
        ("vt100", {}, False),
        ("vt100", {"LANG": "de_DE.utf8@euro"}, True),
        ("xterm", {"LANG": "en_US.UTF-8", "LC_ALL": "C"}, False),
        ("xterm", {"LANG": "C.UTF-8"}, True),
    ],
)
def test_utf8_is_spoken_by_whom_says_so_and_by_most_who_do_not(name, env, speaks):
    assert speaks_utf8(name, env) is speaks


def test_what_is_typed_ahead_is_heard_and_a_flood_of_it_is_not():
    terminal = Terminal(Pipe(), "xterm", (80, 24), {})
    terminal.feed(b"ab")
    for _ in range(100):
        terminal.feed(b"x" * 1000)
    heard = []
    listener = type("L", (), {"on_data": lambda self, data: heard.append(data)})()
    terminal.attach(listener)
    assert heard[0].startswith(b"abx")
    assert len(heard[0]) == 4096


def test_old_terminals_get_question_marks_for_what_they_cannot_show():
    pipe = Pipe()
    Terminal(pipe, "vt100", (80, 24), {}).write("6|4 ⚅")
    assert pipe.sent == b"6|4 ?"


def test_a_paused_terminal_that_is_stuffed_is_cut():
    pipe = Pipe()
    terminal = Terminal(pipe, "xterm", (80, 24), {})
    terminal.pause()
    for _ in range(MAX_STUFFED // 1024):
        terminal.write(b"x" * 1024)
    assert pipe.state == "open"
    terminal.write(b"x")
    assert pipe.state == "cut"
