"""Runs a whole cluster on this machine: PostgreSQL, two table hosts and two gateways, in a folder to throw away."""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TABLES, GATEWAYS = ("north", "south"), ("east", "west")
PATIENCE = 60.0
"""Seconds for everything to start; five are usual on two cores."""
READY = "Press Ctrl-C to stop"


class Failed(Exception):  # noqa: N818 - that is what it is
    """Something did not start or end; the sentence says what."""


class Node:
    """One process of `boneyard host`."""

    def __init__(self, name: str, words: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.name = name
        self.data = folder / name
        self.log = folder / f"{name}.log"
        self._said = folder / f"{name}.out"
        self._words = [sys.executable, "-m", "tui", "host", *words, "--node", name, "--data", str(self.data)]
        self._environment = environment
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, without waiting until it is ready."""
        with self._said.open("wb") as said, self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._words, env=self._environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=said, stderr=log
            )

    @property
    def said(self) -> str:
        """What it said so far."""
        return self._said.read_text(errors="replace")

    @property
    def port(self) -> int:
        """Where a gateway takes guests."""
        found = re.search(r"ssh -p (\d+) ", self.said)
        return int(found[1]) if found else 0

    def opens(self) -> None:
        """Wait until it is ready. Raises Failed."""
        end = time.monotonic() + PATIENCE
        while READY not in self.said:
            if self.process is None or self.process.poll() is not None or time.monotonic() > end:
                last = self.log.read_text(errors="replace").strip().splitlines()[-1:] or ["it says nothing"]
                raise Failed(f"The node {self.name} does not start: {last[0]}")
            time.sleep(0.05)

    def ends(self, how: signal.Signals) -> None:
        """Send it a signal, and wait for its end."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)


class Cluster:
    """Nodes around one database, with the host key and the secret that all of them have."""

    def __init__(self, url: str, folder: Path, *, fast: bool = False) -> None:
        """`fast` lets bots move at once."""
        from net.cluster.tls import NAME, make_secret  # noqa: PLC0415
        from net.ssh.keys import keep_key  # noqa: PLC0415

        self.url = url
        common = ["--fast"] if fast else []
        environment = {**os.environ, "BONEYARD_CLUSTER": url, "PYTHONPATH": str(ROOT)}
        keep_key(folder / "host_key", "boneyard cluster")
        make_secret(folder / NAME)
        tables = ["--role", "tables", "--lines", "127.0.0.1:0", *common]
        gateway = ["--role", "gateway", "--bind", "127.0.0.1", "--port", "0", "--open", "--no-announce", *common]
        self.tables = {name: Node(name, tables, folder, environment) for name in TABLES}
        self.gateways = {name: Node(name, gateway, folder, environment) for name in GATEWAYS}
        for node in self.nodes:
            node.data.mkdir(mode=0o700)
            for each in ("host_key", NAME):
                shutil.copy2(folder / each, node.data / each)

    @property
    def nodes(self) -> list[Node]:
        """All nodes."""
        return [*self.tables.values(), *self.gateways.values()]

    def start(self) -> None:
        """Start all nodes, and wait until they are ready. Raises Failed."""
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            node.opens()

    def stop(self) -> None:
        """End all nodes, gateways first."""
        for node in reversed(self.nodes):
            with contextlib.suppress(subprocess.TimeoutExpired):
                node.ends(signal.SIGTERM)
            node.ends(signal.SIGKILL)


@contextlib.contextmanager
def running(*, fast: bool = False) -> Iterator[Cluster]:
    """Have a cluster for the length of the block. Raises Failed, `scripts.postgres.NoPostgres`."""
    from scripts.postgres import throwaway  # noqa: PLC0415

    with throwaway(durable=True) as server, tempfile.TemporaryDirectory(prefix="boneyard-cluster-") as folder:
        cluster = Cluster(server.url(), Path(folder), fast=fast)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


# up and down: the cluster belongs to a process that stays in the background


def state() -> Path:
    """Where this user's running cluster is noted."""
    return Path(tempfile.gettempdir()) / f"boneyard-cluster-of-{os.getuid()}.json"


def noted() -> dict[str, Any]:
    """The running cluster; empty for none."""
    with contextlib.suppress(OSError, ValueError):
        found = dict(json.loads(state().read_text()))
        os.kill(found["pid"], 0)
        return found
    return {}


def up() -> str:
    """Start one in the background; return what to say. Raises Failed."""
    found = noted()
    if not found:
        state().unlink(missing_ok=True)
        log = Path(tempfile.gettempdir()) / f"boneyard-cluster-of-{os.getuid()}.log"
        with log.open("wb") as out:
            keeper = subprocess.Popen(
                [sys.executable, __file__, "keep"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        _until(lambda: bool(noted()) or keeper.poll() is not None)
        found = noted()
        if not found:
            raise Failed((log.read_text(errors="replace").strip().splitlines()[-1:] or ["It does not start."])[0])
    doors = "\n".join(f"    ssh -p {port} 127.0.0.1" for port in found["ports"])
    return (
        f"The cluster is up. Come in by either of its gateways:\n\n{doors}\n\n"
        f"Its database: {found['url']}\nTo end it: ./scripts/cluster down"
    )


def down() -> str:
    """End it; return what to say. Raises Failed."""
    found = noted()
    if not found:
        return "No cluster is up."
    os.kill(found["pid"], signal.SIGTERM)
    _until(lambda: not state().exists())
    return "The cluster is down, and nothing of it is left."


def keep() -> None:
    """Be the process to which the cluster belongs, until SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with running() as cluster:
            ports = [node.port for node in cluster.gateways.values()]
            part = state().with_suffix(".part")
            part.touch(mode=0o600)
            part.write_text(json.dumps({"pid": os.getpid(), "ports": ports, "url": cluster.url}))
            part.replace(state())
            signal.pause()
    finally:
        state().unlink(missing_ok=True)


def _until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > end:
            raise Failed("It takes too long.")
        time.sleep(0.05)


def main() -> None:
    """Do what was asked for, and say one sentence at the end."""
    parser = argparse.ArgumentParser(prog="./scripts/cluster", description=__doc__)
    parser.add_argument(
        "do",
        choices=["up", "down", "check", "keep"],
        metavar="up | down | check",
        help="start one; end it; or let two scripted players see that a match survives the death of its table host",
    )
    sys.path.insert(0, str(ROOT))
    from scripts.cluster_check import check  # noqa: PLC0415
    from scripts.postgres import NoPostgres  # noqa: PLC0415

    words = parser.parse_args()
    try:
        done = {"up": up, "down": down, "check": lambda: check(running), "keep": keep}[words.do]()
        if done:
            print(done)
    except (Failed, NoPostgres) as error:
        parser.exit(1, f"boneyard: {error}\n")


if __name__ == "__main__":
    main()
