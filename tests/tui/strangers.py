"""An app at an untrusted host, which sends whatever a test wants."""

import asyncio
from contextlib import asynccontextmanager

import msgpack
import pytest

from net.client.client import Client
from net.client.untrusted import decode_untrusted
from net.wire.link import pack
from tests.net.links import RecordingLink
from tests.tui.guests import Guest
from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tui.app import BoneyardApp

HOSTILE = (
    "\x1b[31mred",
    "\x1b]52;c;aGVsbG8=\x07",
    "\x1bP1$r0m\x1b\\",
    "\x9b31m\x9d52;c;aGk=\x9c\x90x\x9c",
    "[@click=app.quit]x[/]",
    "[link=https://example.invalid]x[/link]",
    "\\[bold]x",
    "two\nlines\r\x0b\x0c\x85\u2028\u2029",
    "tab\there",
    "zero\u200b\u200d\u2060\ufeffwidth",
    "\u202eright to left\u2066\u2069\u200f",
    "z" + "\u0301\u0489" * 300,
    "数字数字" * 3,
    "①§¡°",
    "{0.__class__} {seat} %s %(x)s",
    "x" * 10_000,
    "数" * 10_000,
    "\x00\x07\x08\x7f",
)
"""Hostile names that players and hosts may choose, if they are not prevented."""
with_hostile_texts = pytest.mark.parametrize(
    "text", HOSTILE, ids=[f"text {number}" for number in range(len(HOSTILE))]
)


class HostileLink(RecordingLink):
    """A client's end of a link to a host that sends whatever the test says; it keeps the client's bytes."""

    def __init__(self):
        super().__init__(message_type=None)
        self._queue = asyncio.Queue()

    def deliver(self, *messages):
        """Send messages, plain values, or bytes to the app."""
        for message in messages:
            payload = message if isinstance(message, bytes) else None
            payload = payload or (msgpack.packb(message) if isinstance(message, dict) else pack(message))
            self._queue.put_nowait(payload)

    async def receive(self):
        return await self._queue.get()

    def close(self):
        super().close()
        self._queue.put_nowait(None)

    @property
    def is_empty(self):
        return self._queue.empty()


@asynccontextmanager
async def guest_of_hostile_host(size=(80, 24)):
    """Yield the host's end of the link, and the guest whose app has joined over it."""
    host_link = HostileLink()
    app = BoneyardApp(Client(host_link, "test", decode=decode_untrusted), DARK)
    async with served(app, size) as pilot:
        yield host_link, Guest(app, pilot)


def is_harmless(text):
    """Return True if a text has no control characters and no characters that change its direction."""
    return text.replace("\n", "").isprintable()
