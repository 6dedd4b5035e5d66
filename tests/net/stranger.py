"""A client written from docs/protocol.md alone: it builds what it sends from the tables there, and knows no other."""

import asyncio

import msgpack

from tests.protocol_page import REQUIRED, messages
from tests.ptys import PATIENCE

SAYS, HEARS = messages("client"), messages("host")


class Stranger:
    """One client on a link, and everything that it received, as plain maps and lists."""

    def __init__(self, link):
        self.link = link
        self.heard = []
        self.said = set()
        """The types that it has sent."""
        self._news = asyncio.Event()

    def says(self, what, **fields):
        """Send a message; what the page says may be left out is left out unless it is given."""
        known = SAYS[what]
        assert fields.keys() <= known.keys(), f"the page knows no such field of {what}"
        missing = {name for name, default in known.items() if default is REQUIRED} - fields.keys()
        assert not missing, f"the page requires {missing} of {what}"
        self.said.add(what)
        self.link.send(msgpack.packb({"type": what, **fields}))

    async def attends(self):
        """Hear what comes, until the line is closed; everything that the page promises must be there."""
        while (payload := await self.link.receive()) is not None:
            message = msgpack.unpackb(payload)
            assert set(message) - {"type"} == set(HEARS[message["type"]])
            self.heard.append(message)
            self._news.set()
        self._news.set()

    def newest(self, what):
        """The last message of a type; None before the first."""
        return next((message for message in reversed(self.heard) if message["type"] == what), None)

    async def hears(self, what, fits=lambda message: True, after=None):
        """Wait for a matching message of a type and return it; with `after`, ignore so many of those received."""
        start = 0 if after is None else after
        async with asyncio.timeout(PATIENCE):
            while True:
                for message in self.heard[start:]:
                    if message["type"] == what and fits(message):
                        return message
                self._news.clear()
                await self._news.wait()

    async def asks(self, what, answer, fits=lambda message: True, **fields):
        """Send a message and wait for an answer of a type, which must come after it. Return it."""
        before = len(self.heard)
        self.says(what, **fields)
        return await self.hears(answer, fits, before)

    @property
    def update(self):
        return self.newest("update")
