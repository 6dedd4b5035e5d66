"""The terminal at home is asked the same as a guest's."""

import io
import os
import select
import sys
import termios
import threading
import tty

import pytest
from rich.color import ColorSystem
from textual import events
from textual.app import App

from net.doors.terminal import refusal_of
from tui.run.home_driver import TypedParser, Writer, at_home
from tui.run.terminal import Asked, knows_utf8
from tui.terminal.colours import Colours, FitColours


@pytest.mark.parametrize(
    ("env", "coerced", "utf8"),
    [
        ({"LC_ALL": "C"}, True, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False, True),
        ({"LANG": "de_DE.ISO-8859-1", "LC_CTYPE": "C.UTF-8"}, True, False),
        ({"LANG": "de_DE.UTF-8"}, False, True),
        ({"TERM": "xterm", "LC_CTYPE": "C.UTF-8"}, True, True),
        ({"TERM": "vt220"}, False, False),
    ],
)
def test_a_locale_that_is_not_utf8_means_ascii(env, coerced, utf8):
    assert knows_utf8(env, coerced=coerced) == utf8


@pytest.mark.parametrize(
    ("env", "colours"),
    [
        ({"TERM": "xterm-256color"}, Colours(ColorSystem.EIGHT_BIT)),
        ({"TERM": "linux"}, Colours(ColorSystem.STANDARD)),
        ({"TERM": "screen"}, Colours(ColorSystem.STANDARD)),
        ({"TERM": "screen", "COLORTERM": "256color"}, Colours(ColorSystem.EIGHT_BIT)),
        ({"TERM": "vt220"}, Colours(None)),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, None),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, None),
    ],
)
def test_an_app_at_home_shows_the_colours_that_were_chosen_for_its_terminal(monkeypatch, env, colours):
    for name in ("TERM", "COLORTERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    fitted = [each._colours for each in at_home(App())._filters if isinstance(each, FitColours)]

    assert fitted == ([] if colours is None else [colours])


KITTY = b"\x1b_Gi=1;OK\x1b\\\x1bP>|kitty(0.41.1)\x1b\\\x1b[6;18;9t\x1b[?62;c"


@pytest.fixture
def typed(monkeypatch):
    """The terminal here, with what was typed into it before it was asked."""
    far, near = os.openpty()
    before = termios.tcgetattr(near)
    with open(near, "r+b", buffering=0) as file:
        stream = io.TextIOWrapper(file, write_through=True)
        monkeypatch.setattr(sys, "__stdin__", stream)
        monkeypatch.setattr(sys, "__stderr__", stream)
        tty.setcbreak(far, termios.TCSANOW)

        def type_(data):
            asked = Asked()
            os.write(far, data)
            asked.ask("question", within=0.05 if KITTY not in data else 30)
            assert os.read(far, 100) == b"question"
            asked.ask("question")
            assert not select.select([far], [], [], 0)[0], "once is enough"
            return asked

        yield type_
        assert before[3] & termios.ICANON
        stream.detach()
    os.close(far)


def test_the_terminal_here_is_asked_and_what_is_typed_meanwhile_is_kept(typed):
    asked = typed(b"a" + KITTY + b"b")

    assert asked.answers.cell == (9, 18)
    assert asked.typed == b"ab"


def test_without_an_answer_there_are_no_pictures_and_nothing_is_lost(typed):
    asked = typed(b"abc")

    assert asked.answers.cell is None
    assert not asked.answers.complete
    assert asked.typed == b"abc"


def keys(parser, data):
    return [event.key for event in parser.feed(data) if isinstance(event, events.Key)]


def test_a_late_answer_is_no_key(typed):
    parser = TypedParser(typed(b""))
    heard = [key for part in (KITTY[:5], KITTY[5:19], KITTY[19:] + b"x") for key in keys(parser, part.decode())]

    assert heard == ["x"]


def test_what_was_typed_before_there_was_a_screen_comes_first(typed):
    parser = TypedParser(typed(b"ab"))

    assert [event.key for event in parser.tick()] == ["a", "b"]
    assert not list(parser.tick())


def test_a_lone_escape_is_held_back_only_until_time_has_passed(typed):
    now, asked = [0.0], typed(b"")
    parser = TypedParser(asked, clock=lambda: now[0])

    assert keys(parser, "\x1b") == []
    list(parser.tick())
    assert asked.answers.may_be_typed, "it may be the beginning of an answer"
    now[0] = 1.0
    list(parser.tick())
    assert not asked.answers.may_be_typed
    assert keys(parser, "[A") == ["up"], "Textual's parser has the Esc now"


def test_a_terminal_that_shows_no_screen_is_refused_in_a_sentence():
    assert str(refusal_of("dumb")) == "Boneyard needs a full-screen terminal; this one (TERM=dumb) is not."
    assert refusal_of("xterm") is None


def test_nobody_waits_for_a_terminal_that_takes_nothing_and_who_was_behind_is_told_once_it_has_caught_up():
    reads, writes = os.pipe()
    caught_up = threading.Event()
    writer = Writer(writes, caught_up.set)
    writer.start()
    frame = "x" * 4096
    written = 0
    while not writer.behind:  # more than the pipe holds, and nobody reads
        writer.write(frame)
        written += len(frame)
    assert not caught_up.is_set()
    while written:
        written -= len(os.read(reads, written))
    assert caught_up.wait(30)
    assert not writer.behind
    writer.write("bye")
    writer.stop()
    assert os.read(reads, 10) == b"bye"
    os.close(reads)
    os.close(writes)


def test_what_is_written_to_a_terminal_that_has_gone_is_lost_without_a_word():
    reads, writes = os.pipe()
    os.close(reads)
    writer = Writer(writes, lambda: None)
    writer.start()
    for _ in range(100):
        writer.write("x" * 4096)
    writer.stop()
    assert not writer.is_alive()
    assert not writer.behind
    os.close(writes)
