"""Runs the whole suite many times, alone and beside busy cores; prints which tests failed, and how often."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
BESIDE = ("alone", "beside one busy core", "beside two busy cores")


def failed_tests(report: Path) -> list[str]:
    """Return the names of failed tests from a JUnit report; a run without a report has failed as a whole."""
    try:
        cases = ElementTree.parse(report).iter("testcase")
    except (OSError, ElementTree.ParseError):
        return ["the run itself"]
    return [
        f"{case.get('classname')}::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]


def run(seed: int, words: list[str], report: Path) -> list[str]:
    """Run the suite once in the order of a seed."""
    command = [sys.executable, "-m", "pytest", "-n", "4", "--dist", "worksteal"]
    command += [f"--randomly-seed={seed}", f"--junitxml={report}", *words]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    names = failed_tests(report)
    if names or done.returncode:
        (report.with_suffix(".log")).write_bytes(done.stdout)
    return names or (["the run itself"] if done.returncode else [])


def main() -> int:
    """Do all runs; return the number of failed runs as an exit code."""
    parser = argparse.ArgumentParser(prog="./scripts/long flicker", description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="runs in each condition (10)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first run; the next has one more")
    parser.add_argument("--beside", type=int, choices=(0, 1, 2), help="this many busy cores only, instead of 0, 1, 2")
    parser.add_argument("tests", nargs="*", help="what to run instead of everything")
    wish = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no busy process is left behind
    logs = Path(tempfile.mkdtemp(prefix="flicker-"))
    seed, bad = wish.seed, 0
    for beside in (0, 1, 2) if wish.beside is None else (wish.beside,):
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(beside)]
        counts: Counter[str] = Counter()
        wrong, begun = 0, time.monotonic()
        try:
            for number in range(wish.runs):
                names = run(seed, wish.tests, logs / f"{beside}-{number}.xml")
                for name in names:
                    print(f"  seed {seed}: {name}", flush=True)
                counts.update(names)
                wrong += bool(names)
                seed += 1
        finally:
            for process in busy:
                process.kill()
                process.wait()
        took = (time.monotonic() - begun) / wish.runs
        print(f"{BESIDE[beside]}: {wrong} of {wish.runs} runs failed, {took:.0f} s each", flush=True)
        for name, count in counts.most_common():
            print(f"  {count} × {name}", flush=True)
        bad += wrong
    if bad:
        print(f"What they printed is in {logs}; ./scripts/test --randomly-seed=SEED repeats an order.")
    return min(bad, os.EX_USAGE)


if __name__ == "__main__":
    sys.exit(main())
