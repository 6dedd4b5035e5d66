"""Runs a client in the process of its host: over a link in memory, and over another when serving it failed."""

import asyncio
from collections.abc import Callable
from time import thread_time
from typing import Self

from net.client.client import Client, Disconnected
from net.host.guest_server import GuestServer
from net.host.presence import Visitor
from net.loop import Breakdowns, LoopScheduler, Tasks, is_fault
from net.scheduler import Bucket, Work
from net.wire.link import Link, memory_pair
from net.wire.messages import Bye

PAUSE = 0.1
"""Seconds until a client comes back after the host failed to serve it."""


class LinkInTurns:
    """A link to one session whose frames are received in its turn.

    A move is sent to everybody at its table at once. Each screen takes two milliseconds to show it, and without turns
    a key pressed meanwhile would wait for all of them. Sessions that ask for much receive after those that ask less.
    """

    def __init__(self, link: Link, scheduler: LoopScheduler, owner: Bucket) -> None:
        self._link, self._scheduler, self._owner = link, scheduler, owner
        self._begun = 0.0
        """When the last frame was given to the client, who takes it in before asking for another."""
        self.send = link.send
        self.close = link.close

    async def receive(self) -> bytes | None:
        """Return the next frame, or None at the end."""
        if self._begun:
            self._scheduler.numbers.cost(Work.ANSWER, thread_time() - self._begun)
        frame = await self._link.receive()
        if frame is not None:
            await self._scheduler.come(Work.ANSWER, self._owner)
            self._begun = thread_time()
        return frame


class InProcess:
    """One guest of a host in this process, from the beginning of the block to its end."""

    def __init__(
        self, server: GuestServer, visitor: Visitor, wrap: Callable[[Link], Link] = lambda link: link
    ) -> None:
        """The client's end of each link is passed through `wrap`."""
        self._server = server
        self._visitor = visitor
        self._wrap = wrap
        self._serving = Tasks()
        self._unused = True
        self.link = self._open()

    async def __aenter__(self) -> Self:
        """Begin."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Close the link, and wait until the host has seen that."""
        self.link.close()
        await self._serving.wait()

    async def converse(self, client: Client) -> Bye | None:
        """Run a client until either end says goodbye; on every link but the first, it goes back to where it was.

        Returns None when the link is closed, or serving this guest fails again and again.
        """
        breakdowns = Breakdowns()
        while True:
            if not self._unused:
                self.link.close()
                self.link = self._open()
            self._unused = False
            bye = None
            try:
                bye = await client.run(self.link)
            except asyncio.CancelledError as error:
                if not is_fault(error):
                    raise
            if bye is not None or self._server.closed or breakdowns.too_many():
                return bye
            client.publish(Disconnected())
            await asyncio.sleep(PAUSE)

    def _open(self) -> Link:
        ours, theirs = memory_pair()
        serving = self._server.serve(theirs, self._visitor)
        self._serving.start(serving, "guest-not-served", user=self._visitor.user, address=self._visitor.address)
        return self._wrap(ours)
