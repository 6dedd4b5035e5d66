"""A link carries frames both ways between a client and the host: its interface, and one in memory."""

import asyncio
from typing import Protocol


class LineLost(Exception):  # noqa: N818 - an end, for which the guest is not to blame
    """The line between two processes of the host is over, on which a guest was."""


class Link(Protocol):
    """One end of a connection. Its opener closes it; closing one end ends the other."""

    def send(self, frame: bytes) -> None:
        """Queue one frame and return at once. On a closed link this does nothing."""

    async def receive(self) -> bytes | None:
        """Return the next frame, or None once the link is closed and nothing is left.

        Raises `net.wire.codec.WireError` when what arrived cannot be a frame, LineLost as its docstring says.
        """

    def close(self) -> None:
        """Close both directions; harmless when already closed."""


class MemoryLink:
    """A link within the same process; `memory_pair` makes both ends."""

    def __init__(self, inbox: "asyncio.Queue[bytes | None]", outbox: "asyncio.Queue[bytes | None]") -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._closed = False

    def send(self, frame: bytes) -> None:
        """Queue one frame for the other end."""
        if not self._closed:
            self._outbox.put_nowait(frame)

    async def receive(self) -> bytes | None:
        """Return the next frame, or None at the end."""
        frame = await self._inbox.get()
        if frame is None:
            self._inbox.put_nowait(None)
        return frame

    def close(self) -> None:
        """End both directions."""
        if not self._closed:
            self._closed = True
            self._outbox.put_nowait(None)
            self._inbox.put_nowait(None)


def memory_pair() -> tuple[MemoryLink, MemoryLink]:
    """Return the two ends of a link within one process."""
    there: asyncio.Queue[bytes | None] = asyncio.Queue()
    back: asyncio.Queue[bytes | None] = asyncio.Queue()
    return MemoryLink(back, there), MemoryLink(there, back)
