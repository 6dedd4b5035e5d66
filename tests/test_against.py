"""`./scripts/bench against`: who is measured when, what the table says of it, and what the command refuses."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHES = ROOT / "scripts" / "benches"


@pytest.fixture
def against(monkeypatch):
    monkeypatch.syspath_prepend(BENCHES)
    return importlib.import_module("against")


def refused(*words):
    """What the command says as it ends with exit code 2."""
    command = [sys.executable, BENCHES / "against.py", *words]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(ROOT)}, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


async def test_each_side_is_measured_once_in_a_turn_and_first_in_every_other(against):
    order = []

    async def measure(side):
        order.append(side)
        return {"number of this measurement": len(order)}

    pairs = await against.in_turns(measure, "before", "here", 3)

    assert order == ["before", "here", "here", "before", "before", "here"]
    assert [tuple(rows["number of this measurement"] for rows in pair) for pair in pairs] == [(1, 2), (4, 3), (5, 6)]


def test_a_row_has_both_medians_and_the_median_and_range_of_what_each_turn_says(against):
    pairs = [({"key: CPU, ms": old}, {"key: CPU, ms": new}) for old, new in [(2, 1), (4, 1), (1000, 900)]]

    (line,) = against.table(pairs)

    assert line.startswith("key: CPU, ms ")
    assert line.split()[-7:] == ["ms", "4", "1", "0.50", "0.25", "to", "0.90"]


def test_a_row_of_which_there_was_none_before_has_no_ratio(against):
    (line,) = against.table([({"bytes": 0}, {"bytes": 1234})])

    assert line.split() == ["bytes", "0", "1,234", "–"]


def test_every_figure_says_what_it_does(against):
    assert [name for name, measure in against.MEASURES.items() if not measure.__doc__] == []


def test_an_unknown_revision_is_refused_in_a_sentence():
    assert refused("no-such-revision") == "boneyard: there is no revision “no-such-revision”.\n"


def test_an_unknown_figure_is_refused_in_a_sentence_that_says_which_there_are():
    said = refused("HEAD", "key", "speed")

    assert said.startswith("boneyard: there is no figure “speed”; choose start, engine, opening, ")
    assert said.count("\n") == 1


def test_without_a_revision_it_says_how_it_is_called():
    assert "usage: ./scripts/bench against" in refused()
