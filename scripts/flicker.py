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
CONDITIONS = ("alone", "beside one busy core", "beside two busy cores")


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
    process = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    names = failed_tests(report)
    if names or process.returncode:
        (report.with_suffix(".log")).write_bytes(process.stdout)
    return names or (["the run itself"] if process.returncode else [])


def main() -> int:
    """Do all runs; return the number of failed runs as an exit code."""
    parser = argparse.ArgumentParser(prog="./scripts/long flicker", description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="runs in each condition (10)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first run; the next has one more")
    parser.add_argument("--beside", type=int, choices=(0, 1, 2), help="this many busy cores only, instead of 0, 1, 2")
    parser.add_argument("tests", nargs="*", help="what to run instead of everything")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no busy process is left behind
    logs = Path(tempfile.mkdtemp(prefix="flicker-"))
    seed, failed_runs = options.seed, 0
    for busy_cores in (0, 1, 2) if options.beside is None else (options.beside,):
        processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy_cores)]
        counts: Counter[str] = Counter()
        failures, start = 0, time.monotonic()
        try:
            for number in range(options.runs):
                names = run(seed, options.tests, logs / f"{busy_cores}-{number}.xml")
                for name in names:
                    print(f"  seed {seed}: {name}", flush=True)
                counts.update(names)
                failures += bool(names)
                seed += 1
        finally:
            for process in processes:
                process.kill()
                process.wait()
        seconds = (time.monotonic() - start) / options.runs
        print(f"{CONDITIONS[busy_cores]}: {failures} of {options.runs} runs failed, {seconds:.0f} s each", flush=True)
        for name, count in counts.most_common():
            print(f"  {count} × {name}", flush=True)
        failed_runs += failures
    if failed_runs:
        print(f"What they printed is in {logs}; ./scripts/test --randomly-seed=SEED repeats an order.")
    return min(failed_runs, os.EX_USAGE)


if __name__ == "__main__":
    sys.exit(main())
