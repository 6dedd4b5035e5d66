"""Orderly exit on a signal or a closed terminal: state is saved and farewells are sent before the process is
killed.
"""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

EXIT_TIMEOUT = 1.5
"""Seconds after a signal for saving and for farewells; then the process is killed."""
POLL_INTERVAL = 0.5
"""Seconds between two checks of the terminal."""


class SignalExit:
    """Calls `on_end` on SIGTERM and SIGHUP while the `with` block runs, and kills the process after the block.

    EXIT_TIMEOUT after the signal at the latest, another thread calls `give_back`, which restores the terminal, and
    kills the process. `other_signals` also call `on_end`, but never kill.
    """

    def __init__(
        self, on_end: Callable[[], None], *other_signals: int, give_back: Callable[[], None] = lambda: None
    ) -> None:
        self._on_end, self._other_signals, self._give_back = on_end, other_signals, give_back
        self._signal_numbers = (signal.SIGTERM, signal.SIGHUP, *other_signals)
        self._caught: list[int] = []

    def __enter__(self) -> Self:
        self._install_handlers()
        return self

    def __exit__(self, *_error: object) -> None:
        self._remove_handlers()
        if self._caught and self._caught[0] not in self._other_signals:
            signal.raise_signal(self._caught[0])

    @contextmanager
    def release(self) -> Iterator[None]:
        """Remove the signal handlers while the block runs, which may install its own; then install them again."""
        self._remove_handlers()
        try:
            yield
        finally:
            self._install_handlers()

    def _install_handlers(self) -> None:
        loop = asyncio.get_running_loop()
        for signal_number in self._signal_numbers:
            loop.add_signal_handler(signal_number, self._catch, signal_number)

    def _remove_handlers(self) -> None:
        loop = asyncio.get_running_loop()
        for signal_number in self._signal_numbers:
            loop.remove_signal_handler(signal_number)

    def _catch(self, signal_number: int) -> None:
        self._caught.append(signal_number)
        self._on_end()
        if signal_number not in self._other_signals and len(self._caught) == 1:
            kill_timer = threading.Timer(EXIT_TIMEOUT, self._exit_now, (signal_number,))
            kill_timer.daemon = True
            kill_timer.start()

    def _exit_now(self, signal_number: int) -> None:
        self._give_back()
        os._exit(128 + signal_number)  # the exit code that shells use


@contextmanager
def watch_stdin(on_end: Callable[[], None]) -> Iterator[None]:
    """Call `on_end` once if the terminal of stdin is closed while the block runs.

    The system sends SIGHUP as well, but not to every process, and it may be ignored.
    """
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None
    poll = select.poll()

    def watch() -> None:
        nonlocal timer
        if any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0)):
            on_end()
        else:
            timer = loop.call_later(POLL_INTERVAL, watch)

    if sys.stdin.isatty():
        poll.register(sys.stdin, 0)
        watch()
    try:
        yield
    finally:
        if timer:
            timer.cancel()
