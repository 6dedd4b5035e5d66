"""The baseline, the level `greedy-1`, never changes: all other levels are measured against it."""

from hashlib import sha256
from itertools import islice

import pytest

from core.actions import Beat, Hide, Lead
from core.bots.baseline import baseline_in_combos
from core.bots.levels import play_match
from core.combos.state import ComboState, LaidCombo
from core.games import GAMES
from core.layout.state import RoundContext
from core.match import new_match
from core.records import ActionLine, write
from core.tiles import hand

RULES = GAMES["tien-gow"].rules(4, {})[1]


def played(game, players):
    """Return a digest of the first actions of a match; only a change of the game's rules may change it."""
    steps = play_match(new_match(GAMES[game], players, {}), ("greedy-1",) * players, b"for ever", "test")
    lines = islice((write(step.line) for step in steps if isinstance(step.line, ActionLine)), 200)
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("game", "players", "digest"),
    [
        ("draw", 2, "766c07c3625ff8a4"),
        ("all-fives", 3, "f253d04f27f2afb4"),
        ("matador", 2, "5301e655e41e6c9c"),
        ("mexican-train", 4, "822a12dd3703e9f5"),
        ("wildstar", 2, "97b2eb361db00e69"),
    ],
)
def test_the_baselines_plays_in_games_of_layout_never_change(game, players, digest):
    assert played(game, players) == digest


def test_the_baselines_bids_and_tiles_in_games_of_tricks_never_change():
    assert played("forty-two", 4) == "a337f14d6ef3c694"


def view(own, led=""):
    trick = (LaidCombo(3, hand(led), True),) if led else ()
    state = ComboState((hand(own), *(hand("5|1 6|1"),) * 3), 0, 0, RoundContext(0), 1, trick)
    return RULES.view(RULES.complete(state), 0)


def test_the_baseline_leads_the_most_tiles_and_then_the_highest():
    assert baseline_in_combos(view("6|6 6|3 4|4 5|1")) == Lead(hand("6|6 6|3"))
    assert baseline_in_combos(view("6|6 4|4")) == Lead(hand("6|6"))


def test_the_baseline_beats_with_the_lowest_that_wins_or_hides_the_lowest():
    assert baseline_in_combos(view("6|6 4|4 5|1", led="5|5")) == Beat(hand("4|4"))
    assert baseline_in_combos(view("3|3 4|4 5|1", led="6|6")) == Hide(hand("5|1"))
