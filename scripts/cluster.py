"""Runs a whole cluster on this machine: PostgreSQL, two table hosts and two gateways, in a folder to throw away."""

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
from scripts.throwaway import ProcessEnded, end_in_order, unhurried

PATIENCE = 60.0
"""Seconds for a cluster to start or to end; five are usual on two cores."""


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
        try:
            _until(lambda: bool(noted()) or keeper.poll() is not None)
        except BaseException:  # also Ctrl-C: what is half up goes again
            with unhurried():
                keeper.terminate()
                keeper.wait(PATIENCE)
            raise
        found = noted()
        said = log.read_text(errors="replace").strip().splitlines()
        log.unlink()
        if not found:
            raise CheckFailed((said[-1:] or ["It does not start."])[0].removeprefix("boneyard: "))
    doors = "\n".join(f"    ssh -p {port} 127.0.0.1" for port in found["ports"])
    return (
        f"The cluster is up. Come in by either of its gateways:\n\n{doors}\n\n"
        f"Its database: {found['url']}\nTo end it: ./scripts/cluster down"
    )


def down() -> str:
    """End it; return what to say. Raises Failed."""
    found = noted()
    if not found:
        state().unlink(missing_ok=True)
        return "No cluster is up."
    os.kill(found["pid"], signal.SIGTERM)
    _until(lambda: not state().exists())
    return "The cluster is down, and nothing of it is left."


def keep() -> None:
    """Be the process to which the cluster belongs, until SIGTERM."""
    try:
        with running() as cluster, contextlib.suppress(ProcessEnded):
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
            raise CheckFailed("It takes too long.")
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
    parser.add_argument(
        "--short",
        action="store_true",
        help="check with a match of Draw, not of Mexican Train, and whatever time it takes",
    )
    words = parser.parse_args()
    end_in_order()
    try:
        done = {"up": up, "down": down, "check": lambda: check(short=words.short), "keep": keep}[words.do]()
        if done:
            print(done)
    except (CheckFailed, NoPostgres) as error:
        parser.exit(1, f"boneyard: {error}\n")


if __name__ == "__main__":
    main()
