"""A gateway's lines to all table hosts: opened as hosts appear, opened again when they break."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from net.cluster.directory import Directory
from net.lines.line import DECODERS, FRONT_BEATS, Line, Said, ToFront
from net.logs import fields
from net.loop import Tasks, contained

AGAIN = 0.1
"""Seconds until a line that broke, or could not be opened, is tried again."""
Open = Callable[[str, Line], Awaitable[None]]
"""Opens a line to an address. Raises OSError."""
log = logging.getLogger(__name__)


class Lines:
    """One line for each living table host."""

    def __init__(
        self,
        directory: Directory,
        open_line: Open,
        heard: Callable[[str, ToFront], None],
        opened: Callable[[], None],
        lost: Callable[[str], None],
        failed: Callable[[ToFront], None] = lambda _said: None,
    ) -> None:
        """`heard` is called with a node and what it says, `opened` when another line is open, `lost` with a node, and
        `failed` with what was said where `heard` has raised.
        """
        self._directory = directory
        self._open_line = open_line
        self._heard = heard
        self._failed = failed
        self._opened = opened
        self._lost = lost
        self._lines: dict[str, Line] = {}
        self._kept: set[str] = set()
        self._keeping = Tasks()

    def __contains__(self, node: str) -> bool:
        """Whether there is an open line to a node."""
        return node in self._lines

    def say(self, node: str, said: Said) -> None:
        """Say something to a node; without a line this does nothing."""
        if node in self._lines:
            self._lines[node].say(said)

    def changed(self) -> None:
        """Open lines to hosts that are new, and break those to hosts that are dead."""
        for node in [node for node in self._lines if node not in self._directory.hosts]:
            self._lines[node].abort()
            self._over(node)
        for node in self._directory.hosts:
            if node not in self._kept:
                self._kept.add(node)
                self._keeping.start(self._keep(node), "line-not-kept", node=node)

    async def aclose(self) -> None:
        """End all lines once everything is sent."""
        await self._keeping.aclose()
        for line in self._lines.values():
            line.close()
        self._lines.clear()

    async def _keep(self, node: str) -> None:
        try:
            while (host := self._directory.hosts.get(node)) is not None:
                with contained("line-failed", node=node):
                    await self._hold(node, host.address)
                await asyncio.sleep(AGAIN)
        finally:
            self._kept.discard(node)

    async def _hold(self, node: str, address: str) -> None:
        """Open one line to a node, and wait until it is over."""
        over = asyncio.Event()
        line = Line(DECODERS[ToFront].decode, partial(self._heard, node), over.set, self._failed, beats=FRONT_BEATS)
        try:
            await self._open_line(address, line)
        except OSError as error:
            log.warning("no-line", extra=fields(node=node, error=error))
            return
        self._lines[node] = line
        try:
            self._opened()
            await over.wait()
        finally:
            line.abort()  # where it is over it does no harm
            if self._lines.get(node) is line:
                self._over(node)

    def _over(self, node: str) -> None:
        del self._lines[node]
        self._lost(node)
