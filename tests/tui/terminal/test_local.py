"""The terminal of this process: how it is configured and restored, and a terminal that accepts no output."""

import os
import signal
import termios
from contextlib import suppress

import pytest

from net.doors.terminal import LEAVE, refusal_of
from net.limits import MAX_COLUMNS
from tests.waiting import until
from tui.terminal import local
from tui.terminal.local import Device, LocalTerminal, shows_utf8


@pytest.mark.parametrize(
    ("env", "is_coerced", "utf8"),
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
def test_a_locale_that_is_not_utf8_means_ascii(env, is_coerced, utf8):
    assert shows_utf8(env, is_coerced=is_coerced) == utf8


def test_a_terminal_that_shows_no_screen_is_refused_in_a_sentence():
    assert str(refusal_of("dumb")) == "Boneyard needs a full-screen terminal; this one (TERM=dumb) is not."
    assert refusal_of("xterm") is None


class Listener:
    """A listener that records the events of a terminal."""

    def __init__(self):
        self.typed, self.events = b"", []

    def on_data(self, data):
        self.typed += data

    def on_resize(self, columns, rows):
        self.events.append((columns, rows))

    def on_pause(self):
        self.events.append("pause")

    def on_resume(self):
        self.events.append("resume")

    def on_end(self):
        self.events.append("end")

    def on_stop(self):
        self.events.append("stop")

    def on_continue(self):
        self.events.append("continue")


class Window:
    """The far side of a pty, whose near side is the terminal of this process."""

    def __init__(self, far, near):
        self.far, self.near = far, near
        self.before = termios.tcgetattr(near)
        os.set_blocking(far, False)

    def resize(self, columns, rows):
        termios.tcsetwinsize(self.near, (rows, columns))
        os.kill(os.getpid(), signal.SIGWINCH)

    def read(self):
        """Return the output that the terminal has received so far."""
        data = b""
        with suppress(BlockingIOError):
            while True:
                data += os.read(self.far, 1 << 16)
        return data


@pytest.fixture
def window(monkeypatch):
    far, near = os.openpty()
    name = os.ttyname(near)
    monkeypatch.setattr(local, "_open_terminal", lambda _stream, flags: os.open(name, flags | os.O_NOCTTY))
    monkeypatch.setattr(os, "tcgetpgrp", lambda _fd: os.getpgrp())  # a pty that controls no session
    monkeypatch.setenv("TERM", "xterm-256color")
    termios.tcsetwinsize(near, (24, 80))
    yield Window(far, near)
    for fd in (far, near):
        with suppress(OSError):  # a test may have closed it
            os.close(fd)


async def test_keys_come_raw_and_the_terminal_is_given_back_as_it_was(window):
    terminal, listener = LocalTerminal(Device()), Listener()
    with terminal.take_over():
        terminal.attach(listener)
        terminal.enter_screen(mouse=True)
        os.write(window.far, b"x\x03\x1a\r")
        await until(lambda: listener.typed == b"x\x03\x1a\r")
        assert os.get_blocking(window.near), "others share the open file"
        terminal.detach()
        os.write(window.far, b"late")
    assert termios.tcgetattr(window.near) == window.before
    assert window.read().endswith(LEAVE.encode())
    os.set_blocking(window.near, False)
    with pytest.raises(BlockingIOError):  # unread input must not become a command for the shell
        os.read(window.near, 10)


async def test_a_local_window_is_not_clipped_and_may_be_resized(window):
    termios.tcsetwinsize(window.near, (200, MAX_COLUMNS + 80))
    terminal, listener = LocalTerminal(Device()), Listener()
    with terminal.take_over():
        terminal.attach(listener)
        assert terminal.size == (MAX_COLUMNS + 80, 200)
        window.resize(1, 1)
        await until(lambda: listener.events == [(1, 1)])
        window.resize(5000, 5000)
        await until(lambda: listener.events[-1] == (1000, 1000))


async def test_a_blocked_terminal_is_paused_and_resumes_once_it_has_caught_up(window):
    terminal, listener = LocalTerminal(Device()), Listener()
    with terminal.take_over():
        terminal.attach(listener)
        frame, written = "x" * 4096, 0
        while not terminal.paused:
            terminal.write(frame)
            written += len(frame)
        assert listener.events == ["pause"]
        received = 0

        def caught_up():
            nonlocal received
            received += len(window.read())
            return listener.events == ["pause", "resume"]

        await until(caught_up)
        await until(lambda: caught_up() and received == written)


async def test_a_window_that_is_closed_ends_the_session(window):
    terminal, listener = LocalTerminal(Device()), Listener()
    with terminal.take_over():
        terminal.attach(listener)
        os.close(window.far)
        os.close(window.near)
        await until(lambda: listener.events == ["end"])
        terminal.write("nobody reads this")
    assert terminal.ended


async def test_a_process_that_is_stopped_gives_the_terminal_back_and_takes_it_again(window, monkeypatch):
    stops, kill = [], os.kill

    def stop(pid, number):
        if number == signal.SIGTSTP:
            stops.append((pid, termios.tcgetattr(window.near), window.read()))
        else:
            kill(pid, number)

    monkeypatch.setattr(os, "kill", stop)
    terminal, listener = LocalTerminal(Device()), Listener()
    with terminal.take_over():
        terminal.attach(listener)
        terminal.enter_screen(mouse=True)
        terminal.suspend()
        ((pid, modes, written),) = stops
        assert pid == 0, "the whole group stops, as a shell expects of a job"
        assert modes == window.before
        assert written.endswith(LEAVE.encode())
        assert listener.events == ["stop", "continue"]
        assert termios.tcgetattr(window.near) != window.before
        kill(os.getpid(), signal.SIGCONT)  # as after a SIGSTOP from outside
        await until(lambda: listener.events == ["stop", "continue", "continue"])


async def test_without_a_terminal_there_is_an_error(monkeypatch):
    monkeypatch.setattr(os, "ttyname", lambda _fd: "/nonexistent")
    monkeypatch.setattr(os, "open", lambda path, *_: (_ for _ in ()).throw(OSError(6, "No such device", path)))
    with pytest.raises(OSError, match="No such device"):
        Device()


def test_a_device_without_a_loop_writes_as_much_as_the_terminal_accepts(window):
    device = Device()
    device.write(b"before the loop")
    device.drain()
    device.hang_up()
    device.write(b"after it")
    assert window.read() == b"before the loop"
