"""A host that is stopped and started anew under play: the seats that are lost, and how long each guest waits."""

import argparse
import asyncio
import os
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from signal import SIGTERM
from tempfile import TemporaryDirectory

from crowd import cores
from figures import show, show_complaints, show_spread, title
from host_process import run_host

from net.client.client import Client, ClientEvent, Disconnected, Reconnected
from net.client.untrusted import decode_untrusted
from net.ssh.client.connect import connect, run_reconnecting
from net.wire.link import Link
from net.wire.messages import Greeting, MakeTable
from scripts.cluster_nodes import Cluster
from scripts.postgres import throwaway
from scripts.throwaway import temporary

SEATS = 8
"""Eight at each table: an address may open thirty, and all guests have one address here."""
TIMEOUT = 60.0
"""Seconds in which a guest must have entered, and all must be back."""
LIMITS = (
    "per_address=1000",
    "unauthenticated_per_address=1000",
    "handshakes_at_once=1000",
    "handshakes_per_second=1000",
)


class JoinedGuest:
    """A guest of `boneyard join`, with a key, who reconnects after a lost connection."""

    def __init__(self, number: int, folder: Path, port: int) -> None:
        self.name = f"guest{number}"
        self.client: Client | None = None
        self.outages: list[float] = []
        """Seconds without a connection, each time."""
        self._folder = folder / self.name
        self._port = port
        self.lost_at = 0.0
        """Time of the loss of the connection; 0 while there is one."""

    def _connect(self) -> AbstractAsyncContextManager[Link]:
        return connect(
            "127.0.0.1",
            self._port,
            self.name,
            known_hosts=self._folder / "known_hosts",
            own_key=self._folder / "id_ed25519",
            on_new_host=_trust,
            timeout=TIMEOUT,
        )

    async def play(self) -> None:
        """Enter and stay until the host ends for good."""
        self._folder.mkdir()
        async with self._connect() as link:
            self.client = Client(link, "load", entropy=os.urandom, decode=decode_untrusted)
            self.client.subscribe(self._follow)
            await run_reconnecting(self.client, link, self._connect)

    def _follow(self, message: ClientEvent) -> None:
        if isinstance(message, Greeting) and self.client:
            self.client.enter(self.name)
        if isinstance(message, Disconnected) and not self.lost_at:
            self.lost_at = time.perf_counter()
        if isinstance(message, Reconnected):
            self.outages.append(time.perf_counter() - self.lost_at)
            self.lost_at = 0.0
        """Time of the loss of the connection; 0 while there is one."""

    @property
    def seat(self) -> tuple[int, int]:
        """Number of the table, and of the seat there."""
        update = self.client.update
        return (update.table.id, update.seat) if update else (0, -1)


def _trust(_host: str, _fingerprint: str) -> bool:
    return True


async def _until(condition: Callable[[], bool]) -> None:
    """Wait until `condition` holds. Raises TimeoutError."""
    async with asyncio.timeout(TIMEOUT):
        while not condition():  # noqa: ASYNC110 - several events may make it true
            await asyncio.sleep(0.01)


async def _fill(guests: list[JoinedGuest], task_group: asyncio.TaskGroup) -> list[asyncio.Task[None]]:
    """Let the guests enter, and sit down by eights."""
    play_tasks = []
    for founder, *others in (guests[first : first + SEATS] for first in range(0, len(guests), SEATS)):
        for guest in (founder, *others):
            play_tasks.append(task_group.create_task(guest.play()))
            await _until(lambda guest=guest: guest.client is not None and bool(guest.client.name))
        founder.client.make_table(MakeTable("mexican-train", SEATS))
        await _until(lambda founder=founder: founder.client.update is not None)
        for guest in others:
            guest.client.sit(founder.seat[0])
        await _until(lambda others=others: all(guest.client.update and guest.client.update.match for guest in others))
    return play_tasks


async def _wait_for_all(guests: list[JoinedGuest], seats: list[tuple[int, int]]) -> None:
    """Wait until all guests are back, and print how long they were away."""
    with suppress(TimeoutError):
        await _until(lambda: all(guest.outages for guest in guests))
    lost_seats = sum(guest.seat != seat or not guest.outages for guest, seat in zip(guests, seats, strict=True))
    show("seats lost", f"{lost_seats} of {len(guests)}", "0")
    show_spread("a guest without a connection", [outages for guest in guests for outages in guest.outages], "≤ 1,000")


async def restart(sessions: int, port: int) -> None:
    """Fill a host, restart it, and print what its guests notice."""
    title(f"upgrade: a host is restarted, with {sessions} guests of `boneyard join` by eights at tables")
    own_core, host_core = cores()
    os.sched_setaffinity(0, {own_core})
    with TemporaryDirectory(prefix="boneyard-bench-") as folder:
        arguments = ("--data", f"{folder}/host", "--port", str(port), *(f"--limit={limit}" for limit in LIMITS))
        guests = [JoinedGuest(number, Path(folder), port) for number in range(sessions)]
        async with asyncio.TaskGroup() as task_group:
            async with run_host(host_core, *arguments) as host:
                play_tasks = await _fill(guests, task_group)
                seats = [guest.seat for guest in guests]
                start = time.perf_counter()
                host.process.send_signal(SIGTERM)
                await host.process.wait()
                show("the host saves, says goodbye and ends", f"{time.perf_counter() - start:.2f} s")
                show_complaints(host.logged_errors)
            start = time.perf_counter()
            async with run_host(host_core, *arguments) as host:
                show("its successor has resumed all tables and listens", f"{time.perf_counter() - start:.2f} s")
                await _wait_for_all(guests, seats)
                show_complaints(host.logged_errors)
            for task in play_tasks:
                task.cancel()


async def hand_over(sessions: int) -> None:
    """Fill a cluster, stop one of its two table hosts, and print what the guests at its tables notice."""
    title(
        f"upgrade: one of two table hosts of a cluster ends, with {sessions} guests by eights at the tables of both"
    )
    with throwaway(durable=True) as server, temporary("boneyard-bench-") as folder:
        cluster = Cluster(server.url(), folder, words=[f"--limit={limit}" for limit in LIMITS])
        try:
            await asyncio.to_thread(cluster.start)
            ports = [gateway.port for gateway in cluster.gateways.values()]
            guests = [JoinedGuest(number, folder, ports[number % len(ports)]) for number in range(sessions)]
            async with asyncio.TaskGroup() as task_group:
                play_tasks = await _fill(guests, task_group)
                seats = [guest.seat for guest in guests]
                table_host = cluster.tables["north"]
                start = time.perf_counter()
                table_host.send_signal(SIGTERM)
                await asyncio.to_thread(table_host.wait)
                show("the table host has handed its tables over and ended", f"{time.perf_counter() - start:.2f} s")
                moved = [guest for guest in guests if guest.lost_at or guest.outages]
                show("guests whose tables it had", str(len(moved)))
                await _wait_for_all(
                    moved, [seat for guest, seat in zip(guests, seats, strict=True) if guest in moved]
                )
                for task in play_tasks:
                    task.cancel()
        finally:
            await asyncio.to_thread(cluster.kill)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/load upgrade", description=__doc__)
    parser.add_argument("--sessions", type=int, default=200, help="guests in all, by eights (default 200)")
    parser.add_argument("--port", type=int, default=22722, help="of the host (default 22722)")
    parser.add_argument("--cluster", action="store_true", help="end a table host of a cluster instead")
    chosen = parser.parse_args()
    if chosen.sessions % SEATS:
        parser.error("eight guests sit at each table: --sessions must be a multiple of eight.")
    asyncio.run(hand_over(chosen.sessions) if chosen.cluster else restart(chosen.sessions, chosen.port))
