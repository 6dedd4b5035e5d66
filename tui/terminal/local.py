"""The terminal of this process, with the interface of guests' terminals: bytes in and out, a size, and job
control.
"""

import asyncio
import fcntl
import os
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from struct import unpack
from typing import Any

from net.doors.terminal import LEAVE, Terminal, is_utf8_terminal
from net.doors.terminal_queries import cell_in
from net.limits import REFUSED_COLUMNS, REFUSED_ROWS

NO_MOUSE = "BONEYARD_NO_MOUSE"
"""Environment variable that leaves the mouse to the terminal."""
QUERY_TIMEOUT = 0.1
"""Seconds for the local terminal to answer queries about its abilities."""
_MAX_UNSENT_BYTES = 64 * 1024
"""Unsent bytes above which frames are dropped: the largest frame and some more."""
_MAX_READ = 4096
"""Bytes of input read at once."""
_DRAIN_TIMEOUT = 1.0
"""Seconds for the terminal to take the last bytes: a stopped terminal takes none."""
_COERCED_LOCALES = ("C.UTF-8", "C.utf8", "UTF-8")


def local_environment(
    env: Mapping[str, str] = os.environ, *, is_coerced: bool = bool(sys.flags.utf8_mode)
) -> dict[str, str]:
    """Return the variables that describe the local terminal.

    `is_coerced`: Python may have set LC_CTYPE itself, as it does in the C locale (PEP 538); such a value is left out.
    """
    return {
        name: value
        for name, value in env.items()
        if not (is_coerced and name == "LC_CTYPE" and value in _COERCED_LOCALES)
    }


def shows_utf8(env: Mapping[str, str] = os.environ, *, is_coerced: bool = bool(sys.flags.utf8_mode)) -> bool:
    """Return True if the local terminal shows UTF-8."""
    return is_utf8_terminal(env.get("TERM", ""), local_environment(env, is_coerced=is_coerced))


def window_of(fd: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return columns and rows of a terminal, and its width and height in pixels; 0 if unknown."""
    with suppress(OSError):
        rows, columns, width, height = unpack("HHHH", fcntl.ioctl(fd, termios.TIOCGWINSZ, bytes(8)))
        return (columns, rows), (width, height)
    return (0, 0), (0, 0)


class Device:
    """Non-blocking transport to the terminal device of this process, without a thread.

    It opens the device anew: descriptors 0 to 2 are shared with the shell and with workers, and must stay blocking.
    """

    def __init__(self, stream: int = 0) -> None:
        """Open the terminal of a standard `stream`. Raises OSError if there is none, or if it cannot be opened."""
        self._stream = stream
        self._fd = _open_terminal(stream, os.O_RDWR | os.O_NONBLOCK)
        self._original_settings: list[Any] = termios.tcgetattr(self._fd)
        self._unsent_bytes = bytearray()
        self._is_reading = False
        self._terminal: Terminal | None = None

    def connect(self, terminal: Terminal) -> None:
        """Set raw mode and deliver the input to a terminal."""
        self._terminal = terminal
        self.make_raw()
        self.resume_reading()

    def make_raw(self) -> None:
        """Set raw mode. In the background, this stops the process until it is in the foreground."""
        tty.setraw(self._fd, termios.TCSANOW)

    @property
    def window(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Columns and rows, and the width and height in pixels; 0 if unknown."""
        return window_of(self._fd)

    # The transport.

    def write(self, data: bytes) -> None:
        """Send bytes, or buffer them until the terminal takes them."""
        if self._fd < 0:
            return
        if not self._unsent_bytes:
            data = data[self._send(data) :]
            if data and self._fd >= 0:
                asyncio.get_running_loop().add_writer(self._fd, self._send_rest)
        if self._fd >= 0:
            self._unsent_bytes += data
            if self.is_behind and self._terminal is not None and not self._terminal.paused:
                self._terminal.pause()

    def pause_reading(self) -> None:
        """Leave input in the system's buffer."""
        if self._is_reading:
            self._is_reading = False
            asyncio.get_running_loop().remove_reader(self._fd)

    def resume_reading(self) -> None:
        """Read input."""
        if self._fd >= 0 and not self._is_reading:
            self._is_reading = True
            asyncio.get_running_loop().add_reader(self._fd, self._read_input)

    def finish(self) -> None:
        """Do nothing: the terminal outlives the process."""

    def hang_up(self) -> None:
        """Close the device, discarding unsent bytes; the session ends."""
        if self._fd >= 0:
            self.pause_reading()
            if self._unsent_bytes:
                asyncio.get_running_loop().remove_writer(self._fd)
            os.close(self._fd)
            self._fd = -1
            self._unsent_bytes.clear()
            if self._terminal is not None:
                asyncio.get_running_loop().call_soon(self._terminal.end)

    @property
    def is_behind(self) -> bool:
        """True while more than `_MAX_UNSENT_BYTES` bytes are unsent: output that can be redrawn should be dropped."""
        return len(self._unsent_bytes) > _MAX_UNSENT_BYTES

    def drain(self) -> None:
        """Send the buffer, for at most `_DRAIN_TIMEOUT`."""
        if self._unsent_bytes:
            asyncio.get_running_loop().remove_writer(self._fd)
        deadline = time.monotonic() + _DRAIN_TIMEOUT
        while self._unsent_bytes and (seconds_left := deadline - time.monotonic()) > 0:
            select.select([], [self._fd], [], seconds_left)
            del self._unsent_bytes[: self._send(bytes(self._unsent_bytes))]
        self._unsent_bytes.clear()

    def give_back(self) -> None:
        """Send the buffer and restore the terminal's settings.

        Unread input is discarded: it may contain late replies, which a shell would take for a command.
        """
        self.drain()
        if self._fd < 0:
            return
        with suppress(OSError, termios.error):
            if os.tcgetpgrp(self._fd) == os.getpgrp():  # otherwise another job owns the terminal
                termios.tcflush(self._fd, termios.TCIFLUSH)
                termios.tcsetattr(self._fd, termios.TCSANOW, self._original_settings)

    def give_back_now(self) -> None:
        """Restore the terminal from another thread, while the event loop hangs."""
        with suppress(OSError, termios.error):
            fd = _open_terminal(self._stream, os.O_WRONLY | os.O_NONBLOCK)
            termios.tcsetattr(fd, termios.TCSANOW, self._original_settings)
            os.write(fd, LEAVE.encode())

    def _send(self, data: bytes) -> int:
        """Return the number of bytes that the terminal took at once."""
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            self.hang_up()
            return len(data)

    def _send_rest(self) -> None:
        del self._unsent_bytes[: self._send(bytes(self._unsent_bytes))]
        if not self._unsent_bytes and self._fd >= 0:
            asyncio.get_running_loop().remove_writer(self._fd)
            if self._terminal is not None and self._terminal.paused:
                self._terminal.resume()

    def _read_input(self) -> None:
        try:
            data = os.read(self._fd, _MAX_READ)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.hang_up()
        elif self._terminal is not None:
            self._terminal.feed(data)


def _open_terminal(stream: int, flags: int) -> int:
    """Open the terminal of a standard stream by its name, since kqueue on macOS refuses `/dev/tty`.

    Open `/dev/tty` if the name is unknown, as in a container, or cannot be opened, as after `su`.
    """
    with suppress(OSError):
        return os.open(os.ttyname(stream), flags | os.O_NOCTTY)
    return os.open("/dev/tty", flags | os.O_NOCTTY)


class LocalTerminal(Terminal):
    """The terminal of this process."""

    is_local = True

    def __init__(self, device: Device, *, ascii: bool = False, pictures: bool = True) -> None:
        """The keywords are those of `Terminal`."""
        env = local_environment()
        window, pixels = device.window
        super().__init__(
            device,
            env.get("TERM", ""),
            window,
            env,
            mouse=not env.get(NO_MOUSE),
            pixels=cell_in(window, pixels),
            ascii=ascii,
            pictures=pictures,
        )
        self._device = device

    def fit_size(self, columns: int, rows: int) -> tuple[int, int] | None:
        """Return the size, limited only to that of a large display: on their own machine, users may draw as much as
        they like.
        """
        if columns < 1 or rows < 1:
            return None
        return min(columns, REFUSED_COLUMNS), min(rows, REFUSED_ROWS)

    @contextmanager
    def take_over(self) -> Iterator[None]:
        """Read from the terminal, and follow its size and job control, while the block runs."""
        loop = asyncio.get_running_loop()
        handlers = {
            signal.SIGWINCH: self._adopt_window_size,
            signal.SIGTSTP: self.suspend,
            signal.SIGCONT: self._continue,
        }
        self._device.connect(self)
        for signal_number, handler in handlers.items():
            loop.add_signal_handler(signal_number, handler)
        try:
            with self.hold_screen():
                yield
        finally:
            for signal_number in handlers:
                loop.remove_signal_handler(signal_number)
            self._device.give_back()
            self.ended = True
            self._device.hang_up()

    def suspend(self) -> None:
        """Stop the process by job control, as a shell expects of Ctrl-Z.

        The whole process group stops, so that a script around Boneyard stops, too. Where no shell could continue it,
        as in `xterm -e boneyard`, the system ignores the signal.
        """
        loop = asyncio.get_running_loop()
        if self._listener is not None:
            self._listener.on_stop()
        self.leave_screen()
        self._device.give_back()
        for signal_number in (signal.SIGTSTP, signal.SIGCONT):
            loop.remove_signal_handler(signal_number)
        os.kill(0, signal.SIGTSTP)
        loop.add_signal_handler(signal.SIGTSTP, self.suspend)
        loop.add_signal_handler(signal.SIGCONT, self._continue)
        self._continue()

    def _continue(self) -> None:
        """Take the terminal again after the process was stopped, perhaps by SIGSTOP from outside."""
        if self.ended:
            return
        with suppress(OSError, termios.error):
            self._device.make_raw()
        self._full_screen = False
        self._adopt_window_size()
        if self._listener is not None:
            self._listener.on_continue()

    def give_back_now(self) -> None:
        """Restore the terminal from another thread, while the event loop hangs."""
        self._device.give_back_now()

    def _adopt_window_size(self) -> None:
        self.resize(*self._device.window[0])
