"""Fuzzes with Hypothesis, or with atheris, which hands Hypothesis its choices; see `./scripts/fuzz --help`.

The smallest failing input is kept.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, seed, settings

from tests.fuzz.seeds import seeds
from tests.fuzz.targets import TARGETS, Target

FAILING_INPUTS = Path("fuzz-found")
"""Folder of the failing inputs, relative to the current folder."""
BLOCK = 1000
"""Inputs between two checks of the time."""


def fuzz_test(
    target: Target, inputs: int, number: int, on_failure: Callable[[bytes], None] = lambda _: None, **options: Any
) -> Callable:
    """Return a test of a target with its seeds and `inputs` more; call `on_failure` with each failing input."""

    @settings(max_examples=inputs, deadline=None, database=None, suppress_health_check=list(HealthCheck), **options)
    @seed(number)
    @given(target.inputs([*seeds(target.name).values()]))
    def test(data: bytes) -> None:
        try:
            target.function(data)
        except Exception:
            on_failure(data)
            raise

    for data in seeds(target.name).values():
        test = example(data)(test)
    return test


def save_failing_input(target: Target) -> Callable[[bytes], None]:
    """Return a function that saves a failing input over the one before, which is larger."""

    def save(data: bytes) -> None:
        FAILING_INPUTS.mkdir(exist_ok=True)
        (FAILING_INPUTS / target.name).write_bytes(data)

    return save


def run_hypothesis(target: Target, options: argparse.Namespace) -> tuple[int, bool]:
    """Fuzz; return the number of inputs, and True if any failed."""
    max_inputs, end, count = options.inputs or target.short, time.monotonic() + options.seconds, 0
    while count < max_inputs and (not options.seconds or time.monotonic() < end):
        step = min(BLOCK, max_inputs - count)
        try:
            fuzz_test(target, step, options.seed + count, save_failing_input(target))()
        except (Exception, ExceptionGroup) as error:
            print(f"{target.name}: {error}\n  kept as {FAILING_INPUTS / target.name}", file=sys.stderr)
            return count + step, True
        count += step
    return count, False


def run_atheris(target: Target, options: argparse.Namespace) -> tuple[int, bool]:
    """Fuzz in a separate process, as libFuzzer ends the one that it runs in."""
    command = [sys.executable, "-m", "tests.fuzz.guided", target.name, str(options.inputs or target.short)]
    command += [str(options.seed), str(int(options.seconds))]
    completed = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if completed.returncode:
        print(completed.stderr[-4000:], f"\n  kept as {FAILING_INPUTS / target.name}", file=sys.stderr)
    FAILING_INPUTS.rmdir() if FAILING_INPUTS.is_dir() and not any(FAILING_INPUTS.iterdir()) else None
    last_lines = [line for line in completed.stderr.splitlines() if line.startswith("Done ")]
    return int(last_lines[-1].split()[1]) if last_lines else 0, bool(completed.returncode)


def main() -> int:
    """Fuzz, report one line for each target, and return 1 if any input failed."""
    parser = argparse.ArgumentParser("./scripts/fuzz", description="Fuzzes what strangers' bytes reach.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"{', '.join(TARGETS)}; all of them by default")
    parser.add_argument("--inputs", type=int, help="inputs for each target; a thousand in all by default")
    parser.add_argument("--seconds", type=float, default=0.0, help="stop each target after so long")
    parser.add_argument("--seed", type=int, default=1, help="another one tries other inputs")
    parser.add_argument("--engine", choices=("hypothesis", "atheris"), help="atheris where there is one, by default")
    parser.add_argument("--try", dest="files", nargs="+", type=Path, help="only these inputs, for one target")
    options = parser.parse_args()
    unknown = [name for name in options.targets if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target “{unknown[0]}”; choose from {', '.join(TARGETS)}.")
    targets = [TARGETS[name] for name in options.targets or TARGETS]
    if options.files:
        for path in options.files:
            targets[0].function(path.read_bytes())
        return 0
    if options.engine == "atheris" and not find_spec("atheris"):
        print("boneyard: atheris is not installed for this Python; Hypothesis alone needs nothing.", file=sys.stderr)
        return 1
    engine = options.engine or ("atheris" if find_spec("atheris") else "hypothesis")
    any_failed = False
    for target in targets:
        started_at = time.monotonic()
        count, failed = (run_atheris if engine == "atheris" else run_hypothesis)(target, options)
        any_failed |= failed
        seconds = time.monotonic() - started_at
        word = "failed" if failed else "nothing found"
        print(f"{target.name:8} {engine:10} {count:>9,} inputs {seconds:7.1f} s  {word}", flush=True)
    return int(any_failed)


if __name__ == "__main__":
    sys.exit(main())
