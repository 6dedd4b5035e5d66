"""Fuzzes from the command line; `./scripts/fuzz --help` tells how. An input that finds something is kept."""

import argparse
import subprocess
import sys
import time
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random

from tests.fuzz.seeds import inputs
from tests.fuzz.targets import TARGETS, Target

FOUND = Path("fuzz-found")
"""Where inputs are kept that found something, in the folder one is in."""


def main() -> int:
    """Fuzz, report one line for each target, and return 1 if anything was found."""
    parser = argparse.ArgumentParser("./scripts/fuzz", description="Fuzzes what strangers' bytes reach.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"{', '.join(TARGETS)}; all of them by default")
    parser.add_argument("--inputs", type=int, help="inputs for each target; a few thousand in all by default")
    parser.add_argument("--seconds", type=float, default=0.0, help="stop each target after so long")
    parser.add_argument("--seed", type=int, default=1, help="another one tries other inputs")
    parser.add_argument("--engine", choices=("own", "atheris"), help="atheris where it is installed, by default")
    parser.add_argument("--try", dest="files", nargs="+", type=Path, help="only these inputs, for one target")
    options = parser.parse_args()
    unknown = [name for name in options.targets if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target “{unknown[0]}”; choose from {', '.join(TARGETS)}.")
    targets = [TARGETS[name] for name in options.targets or TARGETS]
    if options.files:
        for path in options.files:
            targets[0].one(path.read_bytes())
        return 0
    engine = options.engine or ("atheris" if _has_atheris() else "own")
    if engine == "atheris" and not _has_atheris():
        print("boneyard: atheris is not installed for this Python; --engine own needs nothing.", file=sys.stderr)
        return 1
    if engine == "own" and not options.engine:
        print("boneyard: atheris cannot be had for this Python; our own mutator does its work.", file=sys.stderr)
    bad = 0
    for target in targets:
        run = _own if engine == "own" else _atheris
        tried, seconds, found = run(target, options)
        bad += found
        print(f"{target.name:8} {engine:8} {tried:>9,} inputs {seconds:7.1f} s {found} found", flush=True)
    return 1 if bad else 0


def _has_atheris() -> bool:
    from importlib.util import find_spec  # noqa: PLC0415 - the only use

    return find_spec("atheris") is not None


def _own(target: Target, options) -> tuple[int, float, int]:
    began, tried, found = time.monotonic(), 0, set()
    most = options.inputs or target.short
    for data in islice(inputs(target, Random(options.seed)), most):
        tried += 1
        try:
            target.one(data)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            if what not in found:
                found.add(what)
                print(f"{target.name}: {what}\n  kept as {_keep(target, data)}", file=sys.stderr)
        if options.seconds and time.monotonic() - began > options.seconds:
            break
    return tried, time.monotonic() - began, len(found)


def _keep(target: Target, data: bytes) -> Path:
    FOUND.mkdir(exist_ok=True)
    path = FOUND / f"{target.name}-{sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def _atheris(target: Target, options) -> tuple[int, float, int]:
    """In a process of its own: libFuzzer ends the one that it runs in."""
    began = time.monotonic()
    FOUND.mkdir(exist_ok=True)
    words = [sys.executable, "-m", "tests.fuzz.guided", target.name, str(options.inputs or target.short)]
    words += [str(options.seed), str(int(options.seconds)), str(FOUND)]
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    last = [line for line in done.stderr.splitlines() if line.startswith("Done ")]
    tried = int(last[-1].split()[1]) if last else 0
    FOUND.rmdir() if not any(FOUND.iterdir()) else None
    if done.returncode:
        print(done.stderr[-4000:], file=sys.stderr)
    return tried, time.monotonic() - began, int(done.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
