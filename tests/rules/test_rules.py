"""Random games by `core` and by the independent rule sheet, compared position by position (`docs/rules`).

`BONEYARD_SEED` fixes the matches; `./scripts/long rules` compares as many as there is time for.
"""

import os
import secrets

import pytest

from core.games import GAMES
from tests.rules import compare as comparing
from tests.rules.compare import SHEETS, compare, covering
from tests.rules.lines import Draw
from tests.rules.settling import compare_blocks

SEED = os.environ.get("BONEYARD_SEED") or secrets.token_hex(4)
MATCHES, ROUNDS = 5, 3


@pytest.mark.parametrize("name", GAMES)
def test_core_and_the_rule_sheet_agree_on_every_position(name):
    count = max(MATCHES, len(covering(name, SEED)))
    counted, disagreements = compare(name, [f"{SEED} {number}" for number in range(count)], rounds=ROUNDS)

    assert not disagreements, disagreements[0]
    assert counted["rounds"] >= count


@pytest.mark.parametrize("name", GAMES)
def test_each_choice_of_each_house_rule_is_played_in_every_run(name):
    played = {pair for match in covering(name, SEED) for pair in match.options.items()}

    assert {(option.key, choice) for option in GAMES[name].options for choice in option.choices} <= played


def test_core_and_the_rule_sheet_settle_blocks_and_ties_alike():
    differences = compare_blocks(f"{SEED} {number}" for number in range(80))[1]

    assert not differences, differences[0]


def test_every_game_has_a_second_opinion():
    missing = set(GAMES) - set(SHEETS)

    assert not missing, f"write the rules of {missing} in tests/rules, and add them to SHEETS in compare.py"
    assert set(SHEETS) <= set(GAMES)


class Unruly(Draw):
    """Draws one tile more than it must."""

    def reserve(self) -> int:
        return super().reserve() + 1


def test_a_rule_that_is_read_in_another_way_is_found(monkeypatch):
    monkeypatch.setitem(comparing.SHEETS, "draw", Unruly)

    disagreements = compare("draw", [f"{SEED} {number}" for number in range(20)], rounds=3)[1]

    assert disagreements
    assert "core says" in disagreements[0]
    assert f"seed '{SEED} " in disagreements[0]
