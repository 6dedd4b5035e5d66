"""Runs a conversation: feeds it typed lines one by one, until the player or the host ends it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from net.client.client import Client
from net.limits import CLEANUP_TIMEOUT
from net.loop import run_forever
from net.wire.link import WireError
from net.wire.messages import Bye
from tui.i18n import _
from tui.plain.conversation import Conversation, last_words

ANSWER_TIMEOUT = 2.0
"""Seconds after which the next line is taken even if the host has not answered the last one."""


class Runner:
    """Runs one conversation."""

    def __init__(
        self, conversation: Conversation, client: Client, lines: AsyncIterator[str], *, piped: bool = False
    ) -> None:
        """The end of `lines` means that the player leaves.

        With `piped`, answers wait for a question: that is for lines from a pipe.
        """
        self._conversation, self._client, self._lines = conversation, client, lines
        self._piped = piped
        self._reading: asyncio.Future[None] | None = None

    def exit(self) -> None:
        """Leave now, and drop the lines not yet read."""
        if self._reading:
            self._reading.cancel()

    async def run(self, converse: Callable[[], Awaitable[Bye | None]]) -> tuple[str, list[str]]:
        """Run until the end; return the reason why the connection ended, and further lines for the player."""
        feed_task = self._reading = asyncio.ensure_future(self._feed_lines())
        client_task = asyncio.ensure_future(converse())
        tick_task = asyncio.ensure_future(run_forever(self._tick, "tick-failed"))
        try:
            await asyncio.wait((feed_task, client_task), return_when=asyncio.FIRST_COMPLETED)
            if not client_task.done():
                if not feed_task.cancelled():
                    feed_task.result()  # raises the exception of the reader
                self._conversation.leave()
                await asyncio.wait((client_task,), timeout=0 if self._conversation.has_left else CLEANUP_TIMEOUT)
            return last_words(self._client, client_task.result()) if client_task.done() else ("", [])
        except WireError:
            return _("The server sent something that this version does not understand."), []
        finally:
            for task in (feed_task, client_task, tick_task):
                task.cancel()
            await asyncio.gather(feed_task, client_task, tick_task, return_exceptions=True)
            self._reading = None
            self._conversation.close()

    async def _tick(self) -> None:
        await asyncio.sleep(1)
        self._conversation.tick()

    async def _feed_lines(self) -> None:
        """Feed the lines, each when the conversation takes it."""
        change = asyncio.Event()
        self._conversation.on_change = change.set
        async for line in self._lines:
            while not self._conversation.can_take(line, piped=self._piped):
                change.clear()
                await _wait(change, None if self._piped or not self._client.name else ANSWER_TIMEOUT)
                if not change.is_set():
                    break
            self._conversation.handle_line(line)
            if self._conversation.has_left:
                return


async def _wait(change: asyncio.Event, seconds: float | None) -> None:
    try:
        async with asyncio.timeout(seconds):
            await change.wait()
    except TimeoutError:
        pass
