"""Every family of games is in every table of families."""

from typing import get_args

import pytest

from core.bots.greedy import GREEDY
from core.bots.reasons.hints import REASONS
from core.prompts import ask, why_not
from core.variant import AnyView, tag_of
from net.client.untrusted import VIEWS
from tests.tui.hands import MOMENTS
from tests.tui.tables import match_at
from tui.model.presenter import PRESENTERS
from tui.plain.families import NARRATORS

TAGS = {view.__struct_config__.tag for view in get_args(AnyView)}


@pytest.mark.parametrize("table", [GREEDY, PRESENTERS, REASONS, NARRATORS, VIEWS])
def test_every_family_has_exactly_one_entry(table):
    assert set(table) == TAGS


@pytest.mark.parametrize("prompt", [ask, why_not])
def test_every_family_has_prompts(prompt):
    assert set(prompt.registry) - {object} == set(get_args(AnyView))


def test_a_view_knows_its_family():
    assert tag_of(match_at((6, 1), "6|4", "0|0").view(0).play) == "layout"
    assert tag_of(MOMENTS["trick"].view(0).play) == "tricks"
