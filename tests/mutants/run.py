"""Changes the product at random places, one after the other, and says what share of the changes the tests notice.

`./scripts/long mutants`, or `python -m tests.mutants.run --mutants 300 --seed 1`. Which tests run a line is found
first, by one run of the whole suite, and kept in `.reach` until `--again`. Each change is tried with the tests that
run its line, the quickest first, for so many seconds of tests at most. Nothing is changed in the checkout itself.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import coverage

from tests.mutants.reach import FOLDER
from tests.mutants.sites import Site, changed, sites

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".reach"
PRODUCT = ("core", "net", "tui")
AROUND = 60.0
"""Seconds beside those of the tests until a run counts as one that hangs."""
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")


class Mutant(NamedTuple):
    """One change of one file."""

    file: str
    site: Site

    def __str__(self) -> str:
        return f"{self.file}:{self.site.line} {self.site.kind}"


def find_reach() -> None:
    """Run the whole suite once, and keep which tests run which lines."""
    KEPT.mkdir(exist_ok=True)
    for old in KEPT.iterdir():
        old.unlink()
    command = [*PYTEST, "-p", "tests.mutants.reach", "-n", "4", "--dist", "worksteal"]
    subprocess.run(command, cwd=ROOT, env=os.environ | {FOLDER: str(KEPT)}, check=False)
    whole = coverage.CoverageData(basename=str(KEPT / "reach"))
    for part in KEPT.glob("lines*"):
        data = coverage.CoverageData(basename=str(part))
        data.read()
        whole.update(data)
        part.unlink()
    whole.write()


def read_reach() -> tuple[dict[str, dict[int, list[str]]], dict[str, float]]:
    """Return, by file and line, the tests that run it, the quickest first; and the seconds that each test takes."""
    seconds: dict[str, float] = {}
    for part in KEPT.glob("seconds-*.json"):
        seconds |= json.loads(part.read_text(encoding="utf-8"))
    whole = coverage.CoverageData(basename=str(KEPT / "reach"))
    whole.read()
    reach: dict[str, dict[int, list[str]]] = {}
    for file in whole.measured_files():
        lines = {}
        for line, contexts in whole.contexts_by_lineno(file).items():
            tests = {context.rpartition(" (")[0] or context for context in contexts} & seconds.keys()
            lines[line] = sorted(tests, key=lambda test: (seconds[test], test))
        reach[str(Path(file).relative_to(ROOT))] = lines
    return reach, seconds


def chosen(number: int, seed: int) -> list[Mutant]:
    """Return so many changes, taken by lot from all that there are."""
    files = sorted(path for folder in PRODUCT for path in (ROOT / folder).rglob("*.py"))
    every = [
        Mutant(str(path.relative_to(ROOT)), site)
        for path in files
        for site in sites(path.read_text(encoding="utf-8"))
    ]
    return Random(seed).sample(every, number)


def tried(copy: Path, mutant: Mutant, tests: list[str], most: float) -> str:
    """Run tests against a change made in a copy of the checkout; return what became of it."""
    path = copy / mutant.file
    before, stamp = path.read_text(encoding="utf-8"), path.stat()
    path.write_text(changed(before, mutant.site), encoding="utf-8")
    command = [*PYTEST, "-x", "-p", "no:randomly", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=copy,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=4 * most + AROUND,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return "hangs"
    finally:
        path.write_text(before, encoding="utf-8")
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    return "killed" if done.returncode else "lives"


def main() -> int:
    """Try them all."""
    parser = argparse.ArgumentParser(prog="./scripts/long mutants", description=__doc__)
    parser.add_argument("--mutants", type=int, default=300, help="changes to try (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the lot by which they are chosen (1)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of tests for each change, at most (20)")
    parser.add_argument("--jobs", type=int, default=2, help="changes tried at once (2)")
    parser.add_argument("--again", action="store_true", help="find anew which tests run which lines")
    wish = parser.parse_args()
    if wish.again or not (KEPT / "reach").exists():
        find_reach()
    reach, seconds = read_reach()
    copies: SimpleQueue[Path] = SimpleQueue()
    counts: Counter[str] = Counter()

    def run(mutant: Mutant) -> tuple[Mutant, str, int, bool]:
        tests, spent = [], 0.0
        reaching = reach.get(mutant.file, {}).get(mutant.site.line, [])
        for test in reaching:
            if tests and spent + seconds[test] > wish.seconds:
                break
            tests.append(test)
            spent += seconds[test]
        if not tests:
            return mutant, "not reached", 0, False
        copy = copies.get()
        try:
            return mutant, tried(copy, mutant, tests, wish.seconds), len(tests), len(tests) < len(reaching)
        finally:
            copies.put(copy)

    with TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(wish.jobs) as pool:
        for number in range(wish.jobs):
            copies.put(_copied(Path(folder) / str(number)))
        for mutant, end, tests, cut in pool.map(run, chosen(wish.mutants, wish.seed)):
            counts[end] += 1
            if end != "killed":
                print(f"{mutant}: {end} ({tests} tests{', not all' if cut else ''})", flush=True)
    noticed = counts["killed"] + counts["hangs"]
    print(f"{noticed} of {wish.mutants} noticed ({noticed / wish.mutants:.1%}); {dict(counts)}")
    return 0


def _copied(to: Path) -> Path:
    """Copy the checkout, with what is built in it."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    built = [str(path.relative_to(ROOT)) for path in (ROOT / "tui" / "locale").rglob("*.mo")]
    for name in names.stdout.splitlines() + built:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_bytes((ROOT / name).read_bytes())
        (to / name).chmod((ROOT / name).stat().st_mode)
    (to / ".venv").symlink_to((ROOT / ".venv").resolve())
    return to


if __name__ == "__main__":
    sys.exit(main())
