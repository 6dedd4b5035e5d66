"""Makes a statement of a running host fail, again and again, and checks that only its victim is affected.

`python -m tests.injection.run --faults N --seed S [-- OPTIONS OF THE HOST]`. Four guests play at two tables: two by
`boneyard join`, one on screens and one in plain text over ssh. After each failure the host must answer, both tables
must go on with all four in their seats, and in the end every play that was sent must be on record, once.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import asyncssh

from core.layout.state import NOBODY
from net.ssh.client.connect import connect
from net.wire.messages import MakeTable
from scripts.people import Person
from tests.real.recorded import plays_in
from tests.waiting import until

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
HUNG = 5.0
"""Seconds without a byte from the host after which somebody who presses keys closes their window and comes back."""
AGAIN = 0.12
"""Seconds between two keys of somebody at a terminal."""
SOON = 45.0
"""Seconds for everybody to play on, less than the host waits before a bot takes a seat."""
RUNS = 3.0
"""Seconds for the statement to run."""
LIMITS = ("handshakes_per_second", "handshakes_at_once", "per_address", "sessions_per_key")
EACH = 100
"""Failures of one host."""
_NOT_RUN = "did not run again"
OPTIONS = {"draw": {"target": 50}, "all-fives": {}}


class Harm(AssertionError):  # noqa: N818 - it is one
    """A failure has ended more than the work that failed."""


class Host:
    """A host whose statements can be made to fail, with its gateways."""

    def __init__(self, folder: Path, words) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.orders = folder / "orders"
        self.orders.mkdir()
        self.log_file = folder / "log"
        self._words = words
        self._connections: dict[Path, tuple] = {}

    async def open(self) -> None:
        raised = [word for name in LIMITS for word in ("--limit", f"{name}=10000")]
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tui", "host", "--port", "0", "--bind", "127.0.0.1", "--no-announce"),
            *(
                "--data",
                str(self.data),
                "--log-file",
                str(self.log_file),
                "--fast",
                "--grace",
                "120",
                *raised,
                *self._words,
            ),
            env={
                **os.environ,
                "PYTHONPATH": f"{HERE}:{ROOT}",
                "BONEYARD_INJECTION": str(self.orders),
                "HOME": str(self.folder),
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=(self.folder / "stderr").open("wb"),
        )
        async with asyncio.timeout(60):
            while True:
                line = (await self.process.stdout.readline()).decode()
                if not line:
                    raise Harm(f"The host did not open: {(self.folder / 'stderr').read_text()[-2000:]}")
                if match := re.search(r"ssh -p (\d+)", line):
                    self.port = int(match[1])
                if "Press Ctrl-C" in line:
                    return

    @property
    def processes(self) -> list[Path]:
        """Sockets at which the host and its gateways take orders."""
        return sorted(path for path in self.orders.iterdir() if self.order(path, "hello") is not None)

    def order(self, process: Path, text: str) -> str | None:
        """Give an order and return the answer; None if that process has ended."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            try:
                connection.connect(str(process))
            except OSError:
                return None
            try:
                with connection.makefile("rw") as file:
                    file.write(text + "\n")
                    file.flush()
                    return file.readline().strip()
            except ConnectionError:
                return None

    @property
    def log(self) -> str:
        return self.log_file.read_text(errors="replace") + (self.folder / "stderr").read_text(errors="replace")

    async def close(self) -> int | str:
        self.process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(30):
                await self.process.stdout.read()
                return await self.process.wait()
        except TimeoutError:
            left = {process.name: self.order(process, "tasks") for process in self.processes}
            self.process.kill()
            await self.process.wait()
            return f"no end within 30 s; it waits for {left}"


class AtTerminal:
    """A guest with only `ssh`, who reconnects whenever the connection ends, and presses keys."""

    def __init__(self, port: int, name: str, keys, command: str | None = None) -> None:
        self.name = name
        self.heard_at = 0.0
        self._port, self._keys, self._command = port, keys, command
        self._key = asyncssh.generate_private_key("ssh-ed25519")
        self._is_hanging_up = False

    async def play_forever(self) -> None:
        while True:
            with contextlib.suppress(asyncssh.Error, OSError, TimeoutError):
                await self._play_once()
            self._is_hanging_up = False
            await asyncio.sleep(AGAIN)

    def hang_up(self) -> None:
        """Hang up, and reconnect."""
        self._is_hanging_up = True

    async def _play_once(self) -> None:
        options = {"known_hosts": None, "client_keys": [self._key], "config": None, "agent_path": None}
        options["connect_timeout"] = HUNG
        async with asyncssh.connect("127.0.0.1", self._port, username=self.name, **options) as connection:
            process = await connection.create_process(
                self._command, term_type="xterm-256color", term_size=(80, 24), encoding=None
            )
            reading = asyncio.ensure_future(self._read(process))
            self.heard_at = time.monotonic()
            try:
                while not self._is_hanging_up and not reading.done() and time.monotonic() < self.heard_at + HUNG:
                    process.stdin.write(next(self._keys))
                    await asyncio.sleep(AGAIN)
            finally:
                reading.cancel()

    async def _read(self, process) -> None:
        while await process.stdout.read(65536):
            self.heard_at = time.monotonic()


def _enter_keys():
    while True:
        yield b"\r"


def _number_lines(name: str):
    yield f"{name}\r".encode()
    while True:
        yield b"1\r"
        yield b"\r"
        yield b"again\r"  # when a match is over


class Table:
    """Two players: one by `boneyard join`, the other at a terminal."""

    def __init__(self, host: Host, game: str, name: str, guest: AtTerminal, folder: Path) -> None:
        table_request = MakeTable(game, 2, OPTIONS[game])
        self.joined = Person(name, [host.port], folder, table_request=table_request, think_seconds=0.02)
        self.guest = guest
        self.lost = 0

    @property
    def played(self) -> tuple[int, int]:
        """Numbers of plays of both players, as sent to the joined one."""
        update = self.joined.client.update if hasattr(self.joined, "client") else None
        seat = update.seat if update else NOBODY
        own_plays = sum(play[2] == seat for play in self.joined.received)
        return own_plays, len(self.joined.received) - own_plays

    def has_progressed_since(self, plays_before: tuple[int, int]) -> bool:
        """Return True if both players have played since `plays_before`, and no seat has a bot."""
        update = self.joined.client.update
        seats = update.table.seats if update else ()
        present = seats and not any(seat.bot or seat.away or seat.awaited for seat in seats)
        return bool(
            present
            and all(count > count_before for count, count_before in zip(self.played, plays_before, strict=True))
        )


class Injection:
    """A host, its guests, and the failures injected into it."""

    def __init__(self, host: Host, folder: Path, rng: Random) -> None:
        self.host = host
        self.rng = rng
        self.folder = folder
        self.tables = [
            Table(host, "draw", "ada", AtTerminal(host.port, "pla", _number_lines("pla"), "plain"), folder),
            Table(host, "all-fives", "bob", AtTerminal(host.port, "scr", _enter_keys()), folder),
        ]
        self.done: Counter[str] = Counter()
        self.harmed: list[str] = []
        self._tasks: list[asyncio.Task] = []
        self.ran: dict[Path, list[int]] = {}

    async def begin(self) -> None:
        """Let all sit down and play, and note which statements run."""
        for table in self.tables:
            plays_before = table.played
            self._tasks.append(asyncio.ensure_future(self._keep_playing(table)))
            await self._until(lambda table=table: hasattr(table.joined, "client") and table.joined.client.update)
            self._tasks.append(asyncio.ensure_future(table.guest.play_forever()))
            await self._until(
                lambda table=table, plays_before=plays_before: table.has_progressed_since(plays_before), 40
            )
        await self.record_statements()

    async def record_statements(self, seconds: float = 6.0) -> None:
        """Record which statements run while guests play, talk, come and leave."""
        processes = self.host.processes
        for process in processes:
            self.host.order(process, "look")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await self._cause_event()
            await asyncio.sleep(1.0)
        self.ran = {
            process: [int(word) for word in (self.host.order(process, "ran") or "").split()] for process in processes
        }
        await self.check_progress()

    @property
    def fired(self) -> int:
        """Number of failures that were injected."""
        return self.done.total() - self.done[_NOT_RUN]

    async def inject_all(self, count: int) -> None:
        while self.fired < count and not self.harmed:
            await self._inject_one()

    async def _inject_one(self) -> None:
        process = self.rng.choices(list(self.ran), [len(ran) for ran in self.ran.values()])[0]
        number = self.rng.choice(self.ran[process])
        if process not in self.host.processes:
            await self.record_statements()
            return
        file, line, waits = (self.host.order(process, f"where {number}") or "gone 0 False").split()
        error = self.rng.choices(("RuntimeError", "MemoryError", "OSError", "CancelledError"), (7, 1, 1, 1))[0]
        if error == "CancelledError" and waits != "True":
            error = "RuntimeError"
        times = self.rng.choice((1, 1, 2, 5, 20))
        where = f"{file}:{line} {error} at time {times}"
        self.host.order(process, f"arm {number} {error} {times}")
        started_at = time.monotonic()
        plays_before = [table.played for table in self.tables]
        while (fired := self.host.order(process, "fired")) == "" and time.monotonic() < started_at + RUNS:
            await self._cause_event()
            await asyncio.sleep(0.2)
            if self.host.process.returncode is not None:
                raise Harm(f"The host ended: {where}\n{self.host.log[-3000:]}")
        if fired == "":
            self.host.order(process, "disarm")
            self.done[_NOT_RUN] += 1
            return
        self.done[error] += 1
        plays_before = [table.played for table in self.tables]
        try:
            await self.check_progress(plays_before)
        except Exception as error:
            self._record_harm(f"{where}: {error!r}", plays_before)

    def _record_harm(self, where: str, plays_before) -> None:
        plays = [table.played for table in self.tables]
        report = f"{where}: {plays_before} -> {plays}; {[str(table.joined)[:300] for table in self.tables]}"
        self.harmed.append(report)
        print("HARM", report, "\n   ", *self.host.log.splitlines()[-6:], sep="\n", flush=True)

    async def check_progress(self, plays_before=None, seconds: float = SOON) -> None:
        plays_before = plays_before or [table.played for table in self.tables]
        await self._until(
            lambda: all(
                table.has_progressed_since(table_plays)
                for table, table_plays in zip(self.tables, plays_before, strict=True)
            ),
            seconds,
        )
        async with asyncio.timeout(seconds):
            await self._visit()

    async def _until(self, holds, seconds: float = SOON) -> None:
        """Wait until `holds` returns True; raise Harm if the host ends first."""

        def held() -> object:
            value = holds()
            if not value and self.host.process.returncode is not None:
                raise Harm(f"The host ended:\n{self.host.log[-3000:]}")
            return value

        await until(held, seconds, interval=0.02)

    async def _cause_event(self) -> None:
        """Cause an event other than a play: a guest hangs up, visits or talks, or nothing happens."""
        match self.rng.randrange(12):
            case 0:
                self.rng.choice(self.tables).guest.hang_up()
            case 1 | 2:
                with contextlib.suppress(Exception):
                    async with asyncio.timeout(5):
                        await self._visit()
            case 3:
                self.rng.choice(self.tables).joined.client.say("hm")

    async def _visit(self) -> None:
        """Let a newcomer visit; the host has to answer within two tries, as the first may be the victim."""
        for last in (False, True):
            try:
                async with connect(
                    "127.0.0.1",
                    self.host.port,
                    "eve",
                    known_hosts=self.folder / "eve known",
                    own_key=self.folder / "eve key",
                    on_new_host=lambda *_: True,
                ):
                    return
            except Exception:
                if last:
                    raise

    async def _keep_playing(self, table: Table) -> None:
        """Play by `boneyard join`, and begin again when that ends."""
        while True:
            try:
                await table.joined.play()
            except (AssertionError, OSError) as error:
                self.harmed.append(f"{table.joined.name}: {error}")
            table.lost += 1
            await asyncio.sleep(AGAIN)

    async def finish(self) -> None:
        """Stop the guests and the host, and check that every play that was sent is on record, once.

        Deviations are added to `harmed`.
        """
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        status = await self.host.close() if self.host.process.returncode is None else 0
        if status:
            self.harmed.append(f"the host ended with {status}: {self.host.log[-3000:]}")
        stored = self._stored()
        seen = lost = twice = 0
        for table in self.tables:
            for commitment, *play in table.joined.received:
                times = stored.get(commitment, []).count(tuple(play))
                seen, lost, twice = seen + 1, lost + (times == 0), twice + (times > 1)
        print(
            f"{dict(self.done)}; {seen} plays told, {lost} lost, {twice} twice; {len(self.harmed)} harmed",
            *self.harmed,
            sep="\n",
        )
        if lost or twice:
            self.harmed.append(f"{lost} plays lost, {twice} twice")

    def _stored(self) -> dict[str, list]:
        import sqlite3  # noqa: PLC0415

        records = [path.read_text().splitlines() for path in (self.host.data / "records").glob("*.jsonl")]
        for path in (self.host.data / "records").glob("*.jsonl"):
            run = subprocess.run(
                [sys.executable, "-m", "tui", "verify", path], cwd=ROOT, capture_output=True, text=True, check=False
            )
            if (
                run.returncode
                and "unfinished" not in run.stdout + run.stderr
                and "did not end" not in run.stdout + run.stderr
            ):
                self.harmed.append(f"{path.name}: {run.stdout[-300:]} {run.stderr[-300:]}")
        with contextlib.closing(sqlite3.connect(self.host.data / "boneyard.sqlite")) as db:
            for (number,) in db.execute("SELECT id FROM tables").fetchall():
                rows = db.execute('SELECT line FROM lines WHERE "table" = ? ORDER BY number', (number,))
                records.append([line for (line,) in rows])
        stored = {}
        for lines in records:
            if lines:
                decoded = [json.loads(line) for line in lines]
                stored[decoded[0]["fair"]["commitment"]] = list(plays_in(decoded))
        return stored


async def inject(count: int, seed: int, *words: str) -> list[str]:
    """Make `count` statements fail, at one host after the other; return the harm done."""
    done, harmed, rng = 0, [], Random(seed)
    while done < count:
        with TemporaryDirectory(prefix="by-") as folder:
            host = Host(Path(folder), words)
            await host.open()
            injection = Injection(host, Path(folder), rng)
            try:
                await injection.begin()
                await injection.inject_all(min(EACH, count - done))
            except Harm as harm:
                injection.harmed.append(str(harm))
            finally:
                await injection.finish()
            done += max(1, injection.fired)
            harmed += injection.harmed
    return harmed


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m tests.injection.run", description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("words", nargs="*", help="more options of the host, after --")
    options = parser.parse_args()
    harmed = asyncio.run(inject(options.faults, options.seed, *options.words))
    print(*harmed, sep="\n")
    sys.exit(1 if harmed else 0)
