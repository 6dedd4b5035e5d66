"""A whole cluster on this machine: PostgreSQL, table hosts and gateways, in temporary folders."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from net.cluster.tls import CLUSTER_FILE, make_secret
from net.ssh.keys import load_or_create_key
from scripts.postgres import throwaway
from scripts.throwaway import PID_WRITER, ignore_signals, temporary

ROOT = Path(__file__).parents[1]
TABLES, GATEWAYS = ("north", "south"), ("east", "west")
TIMEOUT = 60.0
"""Seconds for a node to start or to stop; five are usual on two cores."""
READY = "Press Ctrl-C to stop"


class CheckFailed(Exception):  # noqa: N818 - the result of a check, not a bug
    """A step of a check failed; the sentence says which."""


def start_process(
    pid_file: Path, words: Sequence[str], environment: Mapping[str, str], *output_files: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start a process that writes its id to `pid_file`; `output_files` are its standard output and error."""
    output_file, log = output_files
    return subprocess.Popen(
        [*PID_WRITER, str(pid_file), *words],
        env=environment,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=output_file,
        stderr=log,
        start_new_session=True,  # Ctrl-C is for the program that supervises it
    )


class NodeProcess:
    """A process of `boneyard host`, which may be stopped, killed and started again."""

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        place: Path,
        environment: Mapping[str, str],
        *,
        command_prefix: Sequence[str] = (),
        begin: Callable[..., subprocess.Popen[bytes]] = start_process,
    ) -> None:
        """`command_prefix` is the beginning of the command if it runs in another place, as `ip netns exec NAME`."""
        self.name = name
        self.data = place / name
        self.log = place / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self._output_file = place / f"{name}.out"
        self._pid = place / f"{name}.pid"
        self._words = [
            *command_prefix,
            sys.executable,
            "-m",
            "tui",
            "host",
            *words,
            "--node",
            name,
            "--data",
            str(self.data),
        ]
        self._environment = dict(environment)
        self._begin = begin
        self._port = 0

    def start(self) -> None:
        """Start it, without waiting until it is ready; a gateway that has run before gets the same port again."""
        words = self._words if not self._port else [*self._words, "--port", str(self._port)]
        with self._output_file.open("wb") as output_file, self.log.open("ab") as log:
            self.process = self._begin(self._pid, words, self._environment, output_file, log)

    @property
    def output(self) -> str:
        """Its output since it started."""
        return self._output_file.read_text(errors="replace")

    @property
    def port(self) -> int:
        """The port at which a gateway takes guests; 0 if there is none."""
        if not self._port and (match := re.search(r"ssh -p (\d+) ", self.output)):
            self._port = int(match[1])
        return self._port

    @property
    def is_running(self) -> bool:
        """True while the process runs."""
        return self.process is not None and self.process.poll() is None

    def wait_until_ready(self) -> None:
        """Wait until it is ready. Raises CheckFailed."""
        deadline = time.monotonic() + TIMEOUT
        while READY not in self.output:
            if not self.is_running or time.monotonic() > deadline:
                last_line = self.log.read_text(errors="replace").strip().splitlines()[-1:] or ["it says nothing"]
                raise CheckFailed(f"The node {self.name} does not start: {last_line[0]}")
            time.sleep(0.05)
        _ = self.port

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal; harmless if it has ended."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def end(self, number: signal.Signals) -> int:
        """Send it a signal, and wait for its end; return its exit status. Raises subprocess.TimeoutExpired."""
        self.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for its end; return its exit status. Raises subprocess.TimeoutExpired."""
        if self.process is None:  # or this program was told to end before it was started
            return 0
        status = self.process.wait(TIMEOUT)
        self._pid.unlink(missing_ok=True)
        return status


class Cluster:
    """Nodes around one database, with the host key and the secret that all of them share."""

    def __init__(
        self,
        url: str,
        folder: Path,
        *,
        fast: bool = False,
        tables: Sequence[str] = TABLES,
        gateways: Sequence[str] = GATEWAYS,
        words: Sequence[str] = (),
        begin: Callable[..., subprocess.Popen[bytes]] = start_process,
    ) -> None:
        """`fast` lets bots move at once, `words` are more options of gateways, `begin` starts a node."""
        self.url = url
        self._begin = begin
        self._folder = folder
        self._common = ["--fast"] if fast else []
        load_or_create_key(folder / "host_key", "boneyard cluster")
        make_secret(folder / CLUSTER_FILE)
        self.tables = {name: self.table_host(name) for name in tables}
        door = ["--role", "gateway", "--bind", "127.0.0.1", "--port", "0", "--open", "--no-announce", *words]
        self.gateways = {name: self._node(name, door, url) for name in gateways}

    def table_host(
        self, name: str, *, url: str = "", address: str = "127.0.0.1", command_prefix: Sequence[str] = ()
    ) -> NodeProcess:
        """Return a table host that can be started: optionally with its own route to the database, and in another
        place.
        """
        lines = ["--role", "tables", "--lines", f"{address}:0"]
        return self._node(name, lines, url or self.url, command_prefix)

    def _node(self, name: str, words: Sequence[str], url: str, command_prefix: Sequence[str] = ()) -> NodeProcess:
        environment = {**os.environ, "BONEYARD_CLUSTER": url, "PYTHONPATH": str(ROOT)}
        node = NodeProcess(
            name, [*words, *self._common], self._folder, environment, command_prefix=command_prefix, begin=self._begin
        )
        node.data.mkdir(mode=0o700)
        for file_name in ("host_key", CLUSTER_FILE):
            shutil.copy2(self._folder / file_name, node.data / file_name)
        return node

    @property
    def nodes(self) -> list[NodeProcess]:
        """All nodes."""
        return [*self.tables.values(), *self.gateways.values()]

    def start(self) -> None:
        """Start all nodes, and wait until they are ready. Raises CheckFailed."""
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            node.wait_until_ready()

    def stop(self) -> None:
        """Stop all nodes, gateways first."""
        for nodes in (self.gateways.values(), self.tables.values()):
            for node in nodes:
                node.send_signal(signal.SIGCONT)
                node.send_signal(signal.SIGTERM)
            for node in nodes:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    node.wait()
                node.end(signal.SIGKILL)

    def kill(self) -> None:
        """Kill all nodes at once."""
        for node in self.nodes:
            node.end(signal.SIGKILL)


@contextlib.contextmanager
def running(*, fast: bool = False) -> Iterator[Cluster]:
    """Run a cluster during the block; with `fast`, bots move at once.

    Raises CheckFailed, `scripts.postgres.NoPostgres`.
    """
    with throwaway(durable=True) as server, temporary("boneyard-cluster-") as folder:
        cluster = Cluster(server.url(), folder, fast=fast)
        try:
            cluster.start()
            yield cluster
        finally:
            with ignore_signals():
                cluster.stop()
