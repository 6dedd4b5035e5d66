"""The lines of the local terminal or pipe, and the output there."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from functools import cache

from tui.board.canvas import plain, printable
from tui.streams import TYPED, find_output_error

_MAX_LINE_BYTES = 4096
"""Maximum bytes of a line; the rest of a longer one is dropped."""
_MAX_BYTES_WITHOUT_LINE_END = 2**20
"""Bytes without a line end after which reading stops: a device of zeros would go on forever."""


class LocalLines:
    """Reads a file descriptor line by line, and no further than requested."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._unread_bytes = b""
        self._has_ended = False

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        dropped_count = 0
        while b"\n" not in self._unread_bytes and not self._has_ended:
            await self._wait_readable()
            try:
                data = os.read(self._fd, 4096)
            except OSError:  # the terminal is gone
                data = b""
            if len(self._unread_bytes) < _MAX_LINE_BYTES or b"\n" in data:
                self._unread_bytes += data
            else:
                dropped_count += len(data)
            self._has_ended = not data or dropped_count > _MAX_BYTES_WITHOUT_LINE_END
        line, newline, self._unread_bytes = self._unread_bytes.partition(b"\n")
        if not line and not newline:
            raise StopAsyncIteration
        return line[:_MAX_LINE_BYTES].decode(errors=TYPED).rstrip("\r")

    async def _wait_readable(self) -> None:
        loop = asyncio.get_running_loop()
        ready = loop.create_future()

        def wake() -> None:
            if not ready.done():
                ready.set_result(None)

        try:
            loop.add_reader(self._fd, wake)
        except PermissionError:  # a file on the disk can always be read
            await asyncio.sleep(0)
            return
        try:
            await ready
        finally:
            loop.remove_reader(self._fd)


@cache
def local_lines() -> LocalLines:
    """Return the reader of the local terminal; there is one for the whole program, because it may have read ahead."""
    return LocalLines(sys.stdin.fileno())


class Printer:
    """Prints sentences, one per line; the reader of its output may be gone."""

    def __init__(self, *, ascii: bool) -> None:
        self._ascii = ascii
        self.is_broken = False
        self.on_broken: Callable[[], None] | None = None
        """Called once the output is closed."""

    def say(self, sentence: str) -> None:
        """Print a sentence at once."""
        if self.is_broken:
            return
        print(plain(printable(sentence), self._ascii), flush=True)
        if find_output_error():
            self.is_broken = True
            if self.on_broken:
                self.on_broken()
