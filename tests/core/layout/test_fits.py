"""The lookup table of fitting tiles agrees with the game's own function."""

import pytest

from core.tiles import STAR
from tests.core.positions import rules

KINDS = [("block", 4, {}), *(("wildstar", 2, {"ws__wild_end": kind}) for kind in ("declared", "open", "same"))]
KINDS += [("matador", 2, {"mat__sum": total}) for total in (7, 10, 13)]


def test_only_answers_fit_while_a_double_is_owed():
    assert STAR in rules("wildstar", 2).fits.on_end[9]
    assert STAR not in rules("wildstar", 2).answers.on_end[9]
    assert rules("chickenfoot", 2).answers is rules("chickenfoot", 2).fits


@pytest.mark.parametrize("name", ["block", "matador", "wildstar"])
def test_matches_of_a_game_share_the_lookup_table(name):
    assert rules(name, 2).fits is rules(name, 2).fits
