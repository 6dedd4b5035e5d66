"""Runs a whole cluster on this machine: PostgreSQL, two table hosts and two gateways, in a temporary folder."""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.cluster_check import check
from scripts.cluster_nodes import CheckFailed, running
from scripts.postgres import NoPostgres
from scripts.throwaway import ProcessEnded, end_in_order, ignore_signals

TIMEOUT = 60.0
"""Seconds for a cluster to start or to stop; five are usual on two cores."""


def state_file() -> Path:
    """Return the file that describes this user's running cluster."""
    return Path(tempfile.gettempdir()) / f"boneyard-cluster-of-{os.getuid()}.json"


def read_state() -> dict[str, Any]:
    """Return the description of the running cluster; empty if there is none."""
    with contextlib.suppress(OSError, ValueError):
        state_of_cluster = dict(json.loads(state_file().read_text()))
        os.kill(state_of_cluster["pid"], 0)
        return state_of_cluster
    return {}


def up() -> str:
    """Start a cluster in the background; return the message about it. Raises CheckFailed."""
    cluster = read_state()
    if not cluster:
        state_file().unlink(missing_ok=True)
        log = Path(tempfile.gettempdir()) / f"boneyard-cluster-of-{os.getuid()}.log"
        with log.open("wb") as log_file:
            keeper = subprocess.Popen(
                [sys.executable, __file__, "keep"],
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=log_file,
                start_new_session=True,
            )
        try:
            _until(lambda: bool(read_state()) or keeper.poll() is not None)
        except BaseException:  # also Ctrl-C: a half-started cluster is stopped
            with ignore_signals():
                keeper.terminate()
                keeper.wait(TIMEOUT)
            raise
        cluster = read_state()
        output_lines = log.read_text(errors="replace").strip().splitlines()
        log.unlink()
        if not cluster:
            raise CheckFailed((output_lines[-1:] or ["It does not start."])[0].removeprefix("boneyard: "))
    doors = "\n".join(f"    ssh -p {port} 127.0.0.1" for port in cluster["ports"])
    return (
        f"The cluster is up. Come in by either of its gateways:\n\n{doors}\n\n"
        f"Its database: {cluster['url']}\nTo end it: ./scripts/cluster down"
    )


def down() -> str:
    """Stop the cluster; return the message about it. Raises CheckFailed."""
    cluster = read_state()
    if not cluster:
        state_file().unlink(missing_ok=True)
        return "No cluster is up."
    os.kill(cluster["pid"], signal.SIGTERM)
    _until(lambda: not state_file().exists())
    return "The cluster is down, and nothing of it is left."


def keep() -> None:
    """Run the process that owns the cluster, until SIGTERM."""
    try:
        with running() as cluster, contextlib.suppress(ProcessEnded):
            ports = [node.port for node in cluster.gateways.values()]
            partial_file = state_file().with_suffix(".part")
            partial_file.touch(mode=0o600)
            partial_file.write_text(json.dumps({"pid": os.getpid(), "ports": ports, "url": cluster.url}))
            partial_file.replace(state_file())
            signal.pause()
    finally:
        state_file().unlink(missing_ok=True)


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            raise CheckFailed("It takes too long.")
        time.sleep(0.05)


def main() -> None:
    """Run the chosen command, and print its message."""
    parser = argparse.ArgumentParser(prog="./scripts/cluster", description=__doc__)
    parser.add_argument(
        "do",
        choices=["up", "down", "check", "keep"],
        metavar="up | down | check",
        help="start one; end it; or let two scripted players see that a match survives the death of its table host",
    )
    parser.add_argument(
        "--short",
        action="store_true",
        help="check with a match of Draw, not of Mexican Train, and whatever time it takes",
    )
    arguments = parser.parse_args()
    end_in_order()
    try:
        message = {"up": up, "down": down, "check": lambda: check(short=arguments.short), "keep": keep}[
            arguments.do
        ]()
        if message:
            print(message)
    except (CheckFailed, NoPostgres) as error:
        parser.exit(1, f"boneyard: {error}\n")


if __name__ == "__main__":
    main()
