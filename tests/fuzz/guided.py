"""One target under atheris: libFuzzer chooses what Hypothesis draws, by the lines of the product that it runs."""

import sys

import atheris

with atheris.instrument_imports(include=["core", "net", "tui"]):
    from tests.fuzz.run import KEPT, keep, tried
    from tests.fuzz.targets import TARGETS

if __name__ == "__main__":
    name, inputs, seed, seconds = sys.argv[1:]
    test = tried(TARGETS[name], int(inputs), int(seed), keep(TARGETS[name]))
    KEPT.mkdir(exist_ok=True)
    words = [f"-runs={inputs}", f"-seed={seed}", f"-max_total_time={seconds}", "-timeout=20"]
    atheris.Setup(["fuzz", *words, f"-artifact_prefix={KEPT}/"], test.hypothesis.fuzz_one_input)
    atheris.Fuzz()
