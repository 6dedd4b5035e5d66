"""Coverage-guided fuzzing of one target: libFuzzer, through atheris, chooses the bytes that Hypothesis draws from."""

import sys

import atheris

with atheris.instrument_imports(include=["core", "net", "tui"]):
    from tests.fuzz.run import FAILING_INPUTS, fuzz_test, save_failing_input
    from tests.fuzz.targets import TARGETS

if __name__ == "__main__":
    name, inputs, seed, seconds = sys.argv[1:]
    test = fuzz_test(TARGETS[name], int(inputs), int(seed), save_failing_input(TARGETS[name]))
    FAILING_INPUTS.mkdir(exist_ok=True)
    words = [f"-runs={inputs}", f"-seed={seed}", f"-max_total_time={seconds}", "-timeout=20"]
    atheris.Setup(["fuzz", *words, f"-artifact_prefix={FAILING_INPUTS}/"], test.hypothesis.fuzz_one_input)
    atheris.Fuzz()
