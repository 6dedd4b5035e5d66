"""A real host that guests over SSH fill by fours: more come when asked for, they type and play, others rush in."""

import asyncio
import gc
import os
from collections.abc import Callable, Sequence

from crowd import Crowd, Game, Log
from guests import ENTER, Guest
from host_process import HostProcess

SEATS = 4
KEYS = 1.0
"""A second, for each guest."""
MOVES_EVERY = 2.0
"""Seconds, at each table."""
PER_ADDRESS = 40
"""Guests from one address; a host takes fifty."""
TOGETHER = 2
"""Tables whose guests come at the same time: few, so that the lobby stays empty, as it is on a quiet evening."""

PATIENCE = 90.0
"""Seconds that guests wait for a screen: a host opens fifty at once, and then five a second."""


class House:
    """A host, the tables of its guests, and what they do together."""

    def __init__(self, host: HostProcess, make: Callable[..., Guest] = Guest, port: int = 0) -> None:
        """`make` makes a guest, who comes to a `port`; 0 for that of SSH."""
        self.host = host
        self._make = make
        self._port = port or host.port
        self.games: list[Game] = []
        self.crowd = Crowd(self.games)

    async def warm(self) -> None:
        """Let somebody look in, who pays for all that a host loads once, and leave again."""
        guest = self._make()
        await guest.come(self._port, "warm")
        await guest.gets(ENTER, "lobby")
        guest.go()

    async def fill(self, guests: int) -> list[float]:
        """Seat guests until there are so many; return the seconds to each newcomer's first paint."""
        gate, seating = asyncio.Semaphore(TOGETHER), asyncio.Lock()

        async def seat(number: int) -> tuple[Game, list[float]]:
            first = number * SEATS
            game = Game([self._make(patience=PATIENCE) for _ in range(SEATS)])
            async with gate:
                waits = await game.arrive(self._port, first, f"127.0.0.{2 + first // PER_ADDRESS}")
                async with seating:
                    await game.sit()
            return game, waits

        found = await asyncio.gather(*(seat(number) for number in range(len(self.games), guests // SEATS)))
        self.games += [game for game, _ in found]
        gc.collect()
        gc.freeze()  # the load generator's own collections are not the host's doing
        return [wait for _, waits in found for wait in waits]

    async def act(self, seconds: float, *, keys: bool = True, moves: bool = True) -> Log:
        """Have everybody type and play for a while."""
        return await self.crowd.act(
            seconds, KEYS * SEATS * len(self.games) if keys else 0, MOVES_EVERY if moves else 0
        )

    async def rush(self, waves: int, together: int, apart: float, addresses: Sequence[str]) -> list[float]:
        """Log guests in together, wave after wave; return the seconds to each one's first paint."""
        found = []
        for _ in range(waves):
            newcomers = [self._make(patience=PATIENCE) for _ in range(together)]
            calls = [
                guest.come(self._port, f"late{n}", addresses[n % len(addresses)]) for n, guest in enumerate(newcomers)
            ]
            found += [wait for wait, _ in await asyncio.gather(*calls)]
            await asyncio.sleep(apart)
            for guest in newcomers:
                guest.go()
        return found

    @property
    def errors(self) -> str:
        """Keys and moves never answered, guests thrown out, and complaints that the host logged; or nothing."""
        lost = sum(guest.lost for game in self.games for guest in game.guests)
        counts = (self.crowd.errors, lost, len(self.host.complaints))
        return ", ".join(map(str, counts)) if any(counts) else ""

    def go(self) -> None:
        """Have everybody hang up."""
        for game in self.games:
            for guest in game.guests:
                guest.go()


def cores() -> tuple[int, int]:
    """Return a core for this process and one for the host; the same if there is only one."""
    found = sorted(os.sched_getaffinity(0))
    return found[0], found[-1]
