"""One target under atheris, started by `run.py` in its own process, as libFuzzer ends the one that it runs in."""

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import atheris

with atheris.instrument_imports(include=["core", "net", "tui"]):
    from tests.fuzz.seeds import seeds
    from tests.fuzz.targets import TARGETS


def main() -> None:
    """Fuzz: target, inputs, seed, seconds, and where to keep what is found."""
    name, inputs, seed, seconds, found = sys.argv[1:]
    target, rng, first = TARGETS[name], Random(int(seed)), seeds(name)

    def bend(data: bytes, most: int, number: int) -> bytes:
        """Half of the changes are libFuzzer's own, half know the structure."""
        return atheris.Mutate(data, most) if number % 2 else target.bend(rng, data, [*first.values()])[:most]

    with TemporaryDirectory() as corpus:
        for seed_name, data in first.items():
            Path(corpus, seed_name).write_bytes(data)
        words = ["fuzz", f"-runs={inputs}", f"-seed={seed}", f"-max_total_time={seconds}", "-max_len=65536"]
        words += ["-timeout=20", f"-artifact_prefix={found}/{name}-", corpus]
        atheris.Setup(words, target.one, custom_mutator=bend)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
