"""The whole program under keys, bytes, clicks, sizes and lines in any order, as in `scripts/long walk`."""

import os

import pytest

from core.games import GAMES
from tests import walker
from tui.screens.menu import MenuScreen

INPUTS = int(os.environ.get("BONEYARD_WALK", "700"))
SEED = os.environ.get("BONEYARD_SEED", "suite")


def test_any_input_in_any_order_breaks_nothing():
    assert walker.find_failures(SEED, INPUTS) == []


EACH_ENGINE = ("all-fives", "forty-two", "patience", "tien-gow")
OF_EACH_KIND = [
    program
    for program in walker.PROGRAMS
    if program.endswith(EACH_ENGINE) or program.split()[-1] not in GAMES or program.startswith("served")
]


@pytest.mark.parametrize("program", OF_EACH_KIND)
def test_every_program_that_is_walked_through_begins_and_ends(program):
    with walker.patch_local_session():
        assert walker.find_failure(program, ["0d", "33"]) == ""
        assert not walker.walk.inputs


def test_a_failing_walk_is_found_and_shortened(monkeypatch):
    def breaks(screen, key, step):
        raise LookupError

    monkeypatch.setattr(MenuScreen, "action_set", breaks)
    (problem,) = walker.find_failures("1", 60, ["menu"])

    assert problem.startswith("LookupError")
    assert len(problem.partition("--replay 'menu' ")[2].split()) <= 4
