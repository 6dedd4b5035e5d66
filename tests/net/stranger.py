"""A client written from docs/protocol.md alone: it builds its messages from the tables there."""

import asyncio

import msgpack

from tests.protocol_page import REQUIRED, messages
from tests.ptys import TIMEOUT

CLIENT_MESSAGES, HOST_MESSAGES = messages("client"), messages("host")


class Stranger:
    """A client on a link, and everything that it received, as plain maps and lists."""

    def __init__(self, link):
        self.link = link
        self.received = []
        self.sent_kinds = set()
        """The types that it has sent."""
        self._news = asyncio.Event()

    def send(self, kind, **fields):
        """Send a message; fields that the page calls optional are left out unless given."""
        known_fields = CLIENT_MESSAGES[kind]
        assert fields.keys() <= known_fields.keys(), f"the page knows no such field of {kind}"
        missing = {name for name, default in known_fields.items() if default is REQUIRED} - fields.keys()
        assert not missing, f"the page requires {missing} of {kind}"
        self.sent_kinds.add(kind)
        self.link.send(msgpack.packb({"type": kind, **fields}))

    async def receive_all(self):
        """Receive messages until the connection is closed; check that each has all promised fields."""
        while (payload := await self.link.receive()) is not None:
            message = msgpack.unpackb(payload)
            assert set(message) - {"type"} == set(HOST_MESSAGES[message["type"]])
            self.received.append(message)
            self._news.set()
        self._news.set()

    def newest(self, kind):
        """Return the last message of a type; None before the first."""
        return next((message for message in reversed(self.received) if message["type"] == kind), None)

    async def wait_for(self, kind, matches=lambda message: True, after=None):
        """Wait for a matching message of a type and return it; with `after`, skip the first `after` received
        messages.
        """
        start = 0 if after is None else after
        async with asyncio.timeout(TIMEOUT):
            while True:
                for message in self.received[start:]:
                    if message["type"] == kind and matches(message):
                        return message
                self._news.clear()
                await self._news.wait()

    async def request(self, kind, answer, matches=lambda message: True, **fields):
        """Send a message, wait for an answer of a type that comes after it, and return the answer."""
        count_before = len(self.received)
        self.send(kind, **fields)
        return await self.wait_for(answer, matches, count_before)

    @property
    def update(self):
        return self.newest("update")
