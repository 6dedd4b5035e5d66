"""A cluster and one process with SQLite under the same load: the cost of each, and the cost that the cluster adds."""

import argparse
import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import asyncpg
import msgspec
from crowd import Crowd, CrowdLog, Game
from figures import percentile, show, show_complaints, title
from guests import BenchGuest
from host_process import HostProcess, cpu_of, run_host
from joiners import JoinedTables, Joiner, JoinerLog
from msgspec.structs import replace

from net.cluster.directory import DirectoryEntry
from net.wire.messages import Enter
from scripts.cluster_nodes import Cluster
from scripts.postgres import throwaway
from scripts.throwaway import end_in_order, temporary

GUESTS_PER_ADDRESS = 40
"""Guests from one address; a host takes fifty."""
SEATS = 4
BUSY_SHARE = 0.6
"""Share of a core that may be at work, so that no guest waits long."""
LISTED_TABLES = 2500
ENTERING_GUESTS = 20
IDLE_SECONDS = 5.0
"""Seconds of measurement without guests."""
LIMITS = ("handshakes_per_second=1000", "handshakes_at_once=1000")

CpuSeconds = tuple[float, float, float]
"""CPU seconds of the processes that draw screens, of those with tables, and of the database."""


class Measurements(msgspec.Struct):
    """The measurements of one kind of host."""

    screens: float = 0.0
    """CPU seconds per second for each guest with a screen, of the processes that draw screens."""
    tables: float = 0.0
    """… for each joined player, of the processes with tables."""
    database: float = 0.0
    """… of PostgreSQL."""
    idle: CpuSeconds = (0.0, 0.0, 0.0)
    """CPU seconds per second without guests, of all three. The figures for each guest exclude it."""
    keys: list[float] = []
    moves: list[float] = []
    acts: list[float] = []
    enters: list[float] = []


class Processes:
    """The processes of one kind of host."""

    def __init__(self, doors: list[HostProcess], table_hosts: list[HostProcess], postmaster: int = 0) -> None:
        self.ports = [door.port for door in doors]
        self._doors, self._table_hosts, self._postmaster = doors, table_hosts, postmaster

    @property
    def cpu_seconds(self) -> CpuSeconds:
        """CPU seconds so far: of screens, of tables, of the database."""
        doors, table_hosts = (
            sum(process.cpu for process in processes) for processes in (self._doors, self._table_hosts)
        )
        return doors, table_hosts, sum(cpu_of(path) for path in _child_processes(self._postmaster))

    @property
    def logged_errors(self) -> list[str]:
        """The errors that they logged."""
        return [line for process in {*self._doors, *self._table_hosts} for line in process.logged_errors]


def _child_processes(parent: int) -> Iterator[Path]:
    for process in Path("/proc").glob("[0-9]*") if parent else ():
        try:
            if int((process / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                yield process
        except (OSError, IndexError):  # it has just ended
            continue


@contextmanager
def _pinned_to(core: int) -> Iterator[None]:
    """Let processes that are started within the block run on this core alone."""
    former_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, former_cores)


def _move_to_core(process: int, core: int) -> None:
    """Move a process with all its threads to another core."""
    for thread in Path(f"/proc/{process}/task").iterdir():
        os.sched_setaffinity(int(thread.name), {core})


@asynccontextmanager
async def _standalone(core: int) -> AsyncIterator[Processes]:
    async with run_host(core, *(f"--limit={limit}" for limit in LIMITS)) as host:
        yield Processes([host], [host])


async def measure(processes: Processes, sessions: int, seconds: float) -> Measurements:
    """Fill a host with guests who type and play, then with joined players; return the measurements of both."""
    result = Measurements()
    await asyncio.sleep(1)
    cpu_before, start_time = processes.cpu_seconds, time.perf_counter()
    await asyncio.sleep(IDLE_SECONDS)
    result.idle = _cpu_rates(cpu_before, processes.cpu_seconds, time.perf_counter() - start_time)
    games: list[Game] = []
    for number in range(sessions // SEATS):
        games.append(Game([BenchGuest() for _ in range(SEATS)]))
        first_guest = number * SEATS
        port = processes.ports[number % len(processes.ports)]
        await games[-1].gather(port, first_guest, f"127.0.0.{2 + first_guest // GUESTS_PER_ADDRESS}")
    crowd = Crowd(games)
    await crowd.act(seconds / 4, sessions, 2.0)
    cpu_before, start_time = processes.cpu_seconds, time.perf_counter()
    log: CrowdLog = await crowd.act(seconds, sessions, 2.0)
    rates = _cpu_rates(cpu_before, processes.cpu_seconds, time.perf_counter() - start_time)
    result.screens = (rates[0] - result.idle[0]) / sessions
    result.keys, result.moves = log.key_delays, log.move_delays
    show("keys and moves", f"{len(log.key_delays):,} {log.moves:,}")
    for guest in [guest for game in games for guest in game.guests]:
        guest.go()
    await asyncio.sleep(1)

    tables = []
    for number in range(sessions // SEATS):
        table = JoinedTables([Joiner() for _ in range(SEATS)])
        for index, client in enumerate(table.clients, SEATS * number):
            await client.come(
                processes.ports[number % len(processes.ports)],
                f"c{index}",
                f"127.0.0.{2 + (sessions + index) // GUESTS_PER_ADDRESS}",
            )
        await table.gather()
        tables.append(table)
    joiner_log, end_time = JoinerLog(), time.perf_counter() + seconds
    cpu_before, start_time = processes.cpu_seconds, time.perf_counter()
    async with asyncio.TaskGroup() as task_group:
        for number, table in enumerate(tables):
            task_group.create_task(table.play(joiner_log, end_time, 2.0, 2.0 * number / len(tables)))
    rates = _cpu_rates(cpu_before, processes.cpu_seconds, time.perf_counter() - start_time)
    result.tables, result.database = ((rates[kind] - result.idle[kind]) / sessions for kind in (1, 2))
    result.acts = joiner_log.act_delays
    errors = crowd.errors + joiner_log.errors
    show("errors: unanswered, logged", f"{errors}, {len(processes.logged_errors)}", "0, 0")
    show_complaints(processes.logged_errors)
    for table in tables:
        for client in table.clients:
            client.go()
    await asyncio.sleep(1)
    return result


def _cpu_rates(before: CpuSeconds, after: CpuSeconds, seconds: float) -> CpuSeconds:
    """Return CPU seconds per second."""
    doors, tables, database = (
        (seconds_after - seconds_before) / seconds
        for seconds_before, seconds_after in zip(before, after, strict=True)
    )
    return doors, tables, database


async def enter_guests(port: int) -> list[float]:
    """Return the seconds from Enter until the tables are listed, for one guest after the other."""
    listing_seconds = []
    for number in range(ENTERING_GUESTS):
        client = Joiner()
        await client.come(port, f"late{number}", f"127.0.1.{1 + number}", enter=False)
        send_time = time.perf_counter()
        client.send(Enter(f"late{number}"))
        await client.wait_until(lambda client=client: client.entered)
        listing_seconds.append(time.perf_counter() - send_time)
        client.go()
    show("tables in the list of those who enter", f"{client.table_count:,}")
    return listing_seconds


async def list_many(url: str, count: int) -> None:
    """Insert `count` copies of one table into the list."""
    db = await asyncpg.connect(url, server_settings={"search_path": "boneyard"})
    row, owner, snapshot = await db.fetchrow(
        "SELECT listed, owner, kept FROM tables JOIN listed USING (number) LIMIT 1"
    )
    entry = msgspec.msgpack.decode(row, type=DirectoryEntry)
    numbers = [5_000_000 + offset for offset in range(count)]
    copies = [msgspec.msgpack.encode(replace(entry, info=replace(entry.info, id=number))) for number in numbers]
    await db.executemany(
        "INSERT INTO tables (number, owner, epoch, sequence, kept, match) VALUES ($1, $2, 1, 1, $3, 0)",
        [(number, owner, snapshot) for number in numbers],
    )
    await db.executemany(
        "INSERT INTO listed (number, listed) VALUES ($1, $2)", list(zip(numbers, copies, strict=True))
    )
    await db.execute("SELECT pg_notify('boneyard', 'tables')")
    await db.close()
    await asyncio.sleep(3)


async def main(sessions: int, seconds: float) -> None:
    """Measure one process, then a cluster, and print both and their ratio."""
    title(
        f"cluster: {sessions} guests with screens, then {sessions} joined, by fours at tables of Block; one process\n"
        "with SQLite on one core, then two gateways on that core, and two table hosts and PostgreSQL on\n"
        "another, as on machines of their own; the load generator runs on that one, too"
    )
    cores = sorted(os.sched_getaffinity(0))
    host_core = cores[-1]
    os.sched_setaffinity(0, {cores[0]})
    async with _standalone(host_core) as standalone:
        single_host = await measure(standalone, sessions, seconds)
        single_host.enters = await enter_guests(standalone.ports[0])
    with throwaway(durable=True) as server, temporary("boneyard-bench-") as folder, _pinned_to(host_core):
        words = [f"--limit={limit}" for limit in LIMITS]
        cluster = Cluster(server.url(), folder, words=words)
        try:
            await asyncio.to_thread(cluster.start)
            os.sched_setaffinity(0, {cores[0]})
            doors, table_hosts = (
                [HostProcess(node.process, node.port, node.log, "") for node in nodes.values()]
                for nodes in (cluster.gateways, cluster.tables)
            )
            for table_host in table_hosts:
                _move_to_core(table_host.process.pid, cores[0])
            cluster_processes = Processes(doors, table_hosts, server.process)
            clustered = await measure(cluster_processes, sessions, seconds)
            await list_many(server.url(), LISTED_TABLES)
            clustered.enters = await enter_guests(cluster_processes.ports[0])
        finally:
            await asyncio.to_thread(cluster.kill)
    report(single_host, clustered)


def report(single_host: Measurements, clustered: Measurements) -> None:
    """Print the measurements of both, side by side."""
    print(f"\n  {'':<50} {'one process':>12} {'cluster':>12} {'ratio':>7}")

    def row(label: str, single: float, clustered_figure: float, unit: str, goal: str = "") -> None:
        ratio = f"{clustered_figure / single:.2f}" if single else ""
        goal = f"   goal {goal}" if goal else ""
        print(f"  {label:<50} {single:>8.2f} {unit:<3} {clustered_figure:>8.2f} {unit:<3} {ratio:>7}{goal}")

    row("CPU while nobody is there, ms in a second", single_host.idle[0] * 1e3, sum(clustered.idle) * 1e3, "ms")
    row("CPU for each guest with a screen, ms in a second", single_host.screens * 1e3, clustered.screens * 1e3, "ms")
    row(
        f"… guests for each gateway's core, {BUSY_SHARE:.0%} at work",
        BUSY_SHARE / single_host.screens,
        BUSY_SHARE / clustered.screens,
        "",
        "≥ 200",
    )
    row("CPU for each player of a table host, ms in a second", single_host.tables * 1e3, clustered.tables * 1e3, "ms")
    row(
        f"… players for each core, {BUSY_SHARE:.0%} at work",
        BUSY_SHARE / single_host.tables,
        BUSY_SHARE / clustered.tables,
        "",
        "≥ 3,000",
    )
    row("… of PostgreSQL for each player, ms in a second", 0, clustered.database * 1e3, "ms")
    for label, single_times, clustered_times, goal in (
        ("key to the first byte of its repaint", single_host.keys, clustered.keys, ""),
        ("move until all four screens show it", single_host.moves, clustered.moves, "p50 + ≤ 6 ms"),
        ("joined: action until acknowledged", single_host.acts, clustered.acts, "p50 + ≤ 6 ms"),
    ):
        for share in (0.5, 0.95):
            name = f"{label}: p{share * 100:.0f}"
            row(
                name,
                percentile(single_times, share) * 1e3,
                percentile(clustered_times, share) * 1e3,
                "ms",
                goal if share == 0.5 else "",
            )
    single, clustered_figure = (percentile(measured.enters, 0.5) * 1e3 for measured in (single_host, clustered))
    row(f"Enter until the list, few tables and {LISTED_TABLES:,}: p50", single, clustered_figure, "ms", "≤ 10 ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/load cluster", description=__doc__)
    parser.add_argument("--sessions", type=int, default=40, help="guests, and then joined players (default 40)")
    parser.add_argument("--seconds", type=float, default=20, help="of each measurement (default 20)")
    chosen = parser.parse_args()
    if chosen.sessions % SEATS:
        parser.error("four sit at each table.")
    end_in_order()
    asyncio.run(main(chosen.sessions, chosen.seconds))
