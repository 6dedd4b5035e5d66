"""Guests who fill a real host by fours, choose and play tiles at random moments, as on a busy host, and rush in."""

import asyncio
import gc
import os
import time
from collections.abc import Callable, Sequence
from random import Random

from guests import ENTER, RIGHT, BenchGuest
from host_process import HostProcess

HAND_SIZE = 5
"""Tiles in each of four hands after a deal of Block, by the default rules."""
_TIMEOUT = 5.0


class CrowdLog:
    """The measurements of a period of typing and playing; all times in seconds."""

    def __init__(self) -> None:
        self.key_delays: list[float] = []
        """From each key to the first byte of its repaint."""
        self.move_delays: list[float] = []
        """From each move until the last of the four screens began to show the next turn."""
        self.send_delays: list[float] = []
        """Delay with which this process sent each key."""
        self.moves = 0
        """Number of moves shown on all four screens: plays, passes, and the deal after a result."""
        self.bytes = 0


class Game:
    """Four guests at a table, and the number of tiles that each can still choose."""

    def __init__(self, guests: list[BenchGuest]) -> None:
        self.guests = guests
        self.busy = False
        """True while a guest waits for an answer here, which another must not take for their own."""
        self._hand_sizes = [HAND_SIZE] * len(guests)

    async def gather(self, port: int, number: int, address: str) -> None:
        """Log all guests in, through the real screens, and seat them."""
        await self.arrive(port, number, address)
        await self.sit()

    async def arrive(self, port: int, number: int, address: str) -> list[float]:
        """Log all guests in, one after the other; return the seconds to each one's first paint."""
        waits = []
        for guest_number, guest in enumerate(self.guests, number):
            waits.append((await guest.come(port, f"guest{guest_number}", address))[0])
            await guest.press_until(ENTER, "lobby")  # the name as it is
        return waits

    async def sit(self) -> None:
        """Sit down at a table, which must be the only one with free seats."""
        founder, *others = self.guests
        await founder.open_table(len(self.guests))
        for guest in others:
            await guest.sit_down(founder.name)

    @property
    def chooser(self) -> BenchGuest | None:
        """The guest who can choose another tile now."""
        if self.busy:
            return None
        return next(
            (
                guest
                for guest, hand_size in zip(self.guests, self._hand_sizes, strict=True)
                if guest.on_turn and guest.can_choose and hand_size > 1
            ),
            None,
        )

    async def choose(self, guest: BenchGuest) -> float:
        """Choose another tile; return the seconds until the screen changed."""
        return await guest.press(RIGHT)

    async def move(self, log: CrowdLog, before_enter: Callable[[], None] = lambda: None) -> None:
        """Let the player on turn play or pass, or all continue after a result; first call `before_enter`."""
        if any(guest.over for guest in self.guests):
            if not all(guest.over for guest in self.guests) or any(guest.enter == "show" for guest in self.guests):
                return  # one of them still watches the end of the round, which an Enter would skip
            *other_guests, last_guest = [guest for guest in self.guests if not guest.ready] or self.guests
            for guest in other_guests:
                await guest.press(ENTER)
            before_enter()
            await self._enter(last_guest, log)
            self._hand_sizes = [HAND_SIZE] * len(self.guests)
            return
        seat = next((seat for seat, guest in enumerate(self.guests) if guest.on_turn), None)
        if seat is None:
            return
        guest = self.guests[seat]
        await guest.wait_until_quiet()
        for _ in range(HAND_SIZE):
            if guest.enter:
                break
            await guest.press(RIGHT)
            await guest.wait_until_quiet()  # the first bytes may have been an answer to another key
        if not guest.enter:
            return
        self._hand_sizes[seat] -= guest.enter in ("play", "lead")
        before_enter()
        await self._enter(guest, log)

    async def _enter(self, guest: BenchGuest, log: CrowdLog) -> None:
        """Press Enter, and wait until all four screens show another turn or a result."""
        other_answers = [other.expect_answer(turn=True) for other in self.guests if other is not guest]
        own_answer = guest.press(ENTER, turn=True)
        async with asyncio.timeout(_TIMEOUT):
            log.move_delays.append(max(await asyncio.gather(own_answer, *other_answers)))
        log.moves += 1


class Crowd:
    """All guests at the tables."""

    def __init__(self, games: list[Game]) -> None:
        self._games = games
        self._rng = Random(7)
        self._freed = asyncio.Event()
        """Set when a table is no longer busy."""
        self.errors = 0
        """Keys and moves that were never answered."""

    async def act(self, seconds: float, keys: float, move_interval: float) -> CrowdLog:
        """Press `keys` keys per second, and move at each table every `move_interval` seconds; 0 means never."""
        log = CrowdLog()
        end_time = time.perf_counter() + seconds
        bytes_before = sum(guest.bytes for game in self._games for guest in game.guests)
        async with asyncio.TaskGroup() as task_group:
            if keys:
                task_group.create_task(self._type(log, end_time, keys, task_group))
            for number, game in enumerate(self._games if move_interval else ()):
                task_group.create_task(
                    self._play(log, end_time, game, move_interval, move_interval * number / len(self._games))
                )
            await asyncio.sleep(seconds)
        log.bytes = sum(guest.bytes for game in self._games for guest in game.guests) - bytes_before
        return log

    async def _type(self, log: CrowdLog, end_time: float, keys: float, task_group: asyncio.TaskGroup) -> None:
        """Press `keys` keys per second until `end_time`, without waiting for answers: that would spare a slow host.

        The delay of a key starts when it is handed to SSH; the delay of this process is measured separately.
        """
        due_time = time.perf_counter()
        while (due_time := due_time + self._rng.expovariate(keys)) < end_time:
            await asyncio.sleep(max(0.0, due_time - time.perf_counter()))
            log.send_delays.append(time.perf_counter() - due_time)
            while not (free_guests := [(game, guest) for game in self._games if (guest := game.chooser)]):
                self._freed.clear()
                try:
                    async with asyncio.timeout(end_time - time.perf_counter()):
                        await self._freed.wait()
                except TimeoutError:
                    return  # all moves are made, and no guest has a choice left
                due_time = time.perf_counter()
            game, guest = self._rng.choice(free_guests)
            game.busy = True
            task_group.create_task(self._choose(log, game, guest))

    async def _choose(self, log: CrowdLog, game: Game, guest: BenchGuest) -> None:
        try:
            log.key_delays.append(await game.choose(guest))
        except TimeoutError:
            self.errors += 1
        finally:
            self._free(game)

    async def _play(self, log: CrowdLog, end_time: float, game: Game, interval: float, delay: float) -> None:
        due_time = time.perf_counter() + delay
        while due_time < end_time:
            await asyncio.sleep(max(0.0, due_time - time.perf_counter()))
            while game.busy:
                self._freed.clear()
                await self._freed.wait()
            game.busy = True
            try:
                await game.move(log)
            except TimeoutError:
                self.errors += 1
            finally:
                self._free(game)
            due_time += interval

    def _free(self, game: Game) -> None:
        game.busy = False
        self._freed.set()


SEATS = 4
KEYS = 1.0
"""Keys per second of each guest."""
MOVE_INTERVAL = 2.0
"""Seconds between two moves at each table."""
GUESTS_PER_ADDRESS = 40
"""Guests from one address; a host takes fifty."""
ARRIVING_TABLES = 2
"""Tables whose guests arrive at the same time: few, so that the lobby stays empty, as on a quiet evening."""

OPENING_TIMEOUT = 90.0
"""Seconds that guests wait for a screen: a host opens fifty at once, and then ten a second."""


class BusyHost:
    """A host, the tables of its guests, and their actions together."""

    def __init__(self, host: HostProcess, make_guest: Callable[..., BenchGuest] = BenchGuest, port: int = 0) -> None:
        """`make_guest` makes a guest, who connects to `port`; 0 for that of SSH."""
        self.host = host
        self._make_guest = make_guest
        self._port = port or host.port
        self.games: list[Game] = []
        self.crowd = Crowd(self.games)

    async def warm(self) -> None:
        """Let a guest enter and leave, so that the host has loaded everything that it loads once."""
        guest = self._make_guest()
        await guest.come(self._port, "warm")
        await guest.press_until(ENTER, "lobby")
        guest.go()

    async def fill(self, guests: int) -> list[float]:
        """Seat guests up to a total of `guests`; return the seconds to each newcomer's first paint."""
        gate, seating = asyncio.Semaphore(ARRIVING_TABLES), asyncio.Lock()

        async def seat(number: int) -> tuple[Game, list[float]]:
            first = number * SEATS
            game = Game([self._make_guest(timeout=OPENING_TIMEOUT) for _ in range(SEATS)])
            async with gate:
                waits = await game.arrive(self._port, first, f"127.0.0.{2 + first // GUESTS_PER_ADDRESS}")
                async with seating:
                    await game.sit()
            return game, waits

        seated_games = await asyncio.gather(*(seat(number) for number in range(len(self.games), guests // SEATS)))
        self.games += [game for game, _ in seated_games]
        gc.collect()
        gc.freeze()  # the load generator's own collections do not count
        return [wait for _, waits in seated_games for wait in waits]

    async def act(self, seconds: float, *, keys: bool = True, moves: bool = True) -> CrowdLog:
        """Let all guests type and play for a while."""
        return await self.crowd.act(
            seconds, KEYS * SEATS * len(self.games) if keys else 0, MOVE_INTERVAL if moves else 0
        )

    async def rush(self, waves: int, size: int, pause: float, addresses: Sequence[str]) -> list[float]:
        """Log guests in together, wave after wave; return the seconds to each one's first paint."""
        seconds_to_paint = []
        for _ in range(waves):
            newcomers = [self._make_guest(timeout=OPENING_TIMEOUT) for _ in range(size)]
            calls = [
                guest.come(self._port, f"late{index}", addresses[index % len(addresses)])
                for index, guest in enumerate(newcomers)
            ]
            seconds_to_paint += [wait for wait, _ in await asyncio.gather(*calls)]
            await asyncio.sleep(pause)
            for guest in newcomers:
                guest.go()
        return seconds_to_paint

    @property
    def errors(self) -> str:
        """Number of unanswered keys and moves, of guests disconnected, and of errors in the host's log; empty if all
        are 0.
        """
        lost = sum(guest.lost for game in self.games for guest in game.guests)
        counts = (self.crowd.errors, lost, len(self.host.logged_errors))
        return ", ".join(map(str, counts)) if any(counts) else ""

    def go(self) -> None:
        """Disconnect all guests."""
        for game in self.games:
            for guest in game.guests:
                guest.go()


def cores() -> tuple[int, int]:
    """Return a core for this process and one for the host; the same if there is only one."""
    available = sorted(os.sched_getaffinity(0))
    return available[0], available[-1]
