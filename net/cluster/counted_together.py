"""A gateway's part in what all gateways count together; while the database does not answer, it counts alone."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from net.cluster.shared_limits import SharedLimits
from net.host.access import Elsewhere
from net.logs import fields
from net.loop import Tasks, for_ever

PATIENCE = 1.0
"""Seconds for the database to answer. Then somebody who wants in waits no longer, and this gateway counts alone."""
AGAIN = 0.5
"""Seconds between two tries to count together again."""
FORGETS = 120
"""Such tries between two in which what is forgiven is forgotten."""
log = logging.getLogger(__name__)


class CountedTogether(Elsewhere):
    """A `net.host.access.Elsewhere`. `keep` brings the counts together again until it is cancelled."""

    def __init__(self, limits: SharedLimits, most: int, host: Callable[[], int]) -> None:
        """`most` is how many sessions one key may have; `host` gives the id of this node."""
        self.apart = False
        """Whether the database may not know what is counted here, so that it is not asked."""
        self._limits = limits
        self._most = most
        self._host = host
        self._sessions: Counter[str] = Counter()
        self._changes = 0
        """How often the sessions have changed."""
        self._asking = 0
        """Questions to the database that are under way."""
        self._rounds = 0
        self._tasks = Tasks()

    async def claim_session(self, key: str) -> bool:
        if self._sessions[key] >= self._most:
            return False
        self._count(key, 1)  # now: another session may be asked for meanwhile
        allowed = False
        try:
            allowed = await self._ask(lambda: self._limits.claim_session(key, self._host()))
        finally:
            if not allowed:
                self._count(key, -1)
        return allowed

    def release_session(self, key: str) -> None:
        self._count(key, -1)
        self._tell(lambda: self._limits.release_session(key, self._host()))

    async def try_code(self, network: str) -> bool:
        return await self._ask(lambda: self._limits.try_code(network))

    def forgive_code(self, network: str) -> None:
        self._tell(lambda: self._limits.forgive_code(network))

    def stand_apart(self, error: object = None) -> None:
        """Count alone from now on: the database does not answer, or has forgotten what was counted here."""
        if not self.apart:
            log.warning("counts-alone", extra=fields(error=error))
        self.apart = True

    async def keep(self) -> None:
        """Count together with the others again whenever that is possible, for ever."""
        await for_ever(self._round, "counts-not-kept")

    async def _round(self) -> None:
        await asyncio.sleep(AGAIN)
        self._rounds += 1
        try:
            if self.apart and not self._asking:
                await self.come_together()
            elif self._rounds % FORGETS == 0:
                await self._limits.forget_forgiven()
        except OSError as error:
            self.stand_apart(error)

    async def settle(self) -> None:
        """Wait until the database has all that it was told of, which is `PATIENCE` at the most."""
        while self._tasks:
            await self._tasks.wait()

    async def come_together(self) -> None:
        """Tell the database what is counted here. Raises OSError."""
        changes = self._changes
        async with asyncio.timeout(PATIENCE):
            await self._limits.put_sessions(dict(self._sessions), self._host())
        if changes == self._changes:  # else the next round
            self.apart = False
            log.warning("counts-together")

    def _count(self, key: str, more: int) -> None:
        self._changes += 1
        self._sessions[key] += more
        if self._sessions[key] <= 0:
            del self._sessions[key]

    async def _ask(self, question: Callable[[], Coroutine[Any, Any, bool]]) -> bool:
        """The database's answer, or yes when there is none: what is counted here alone decides."""
        if self.apart:
            return True
        self._asking += 1
        try:
            async with asyncio.timeout(PATIENCE):
                return await question()
        except OSError as error:
            self.stand_apart(error)
            return True
        except asyncio.CancelledError:
            self.stand_apart("cancelled")  # it may have been counted or not
            raise
        finally:
            self._asking -= 1

    def _tell(self, what: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async def ask() -> bool:
            await what()
            return True

        self._tasks.start(self._ask(ask), "not-counted-together", failed=self.stand_apart)
