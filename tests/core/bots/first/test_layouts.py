"""The level `greedy-1` plays the same for ever, or nothing could be measured against it."""

from hashlib import sha256
from itertools import islice

import pytest

from core.games import GAMES
from core.match import new_match
from core.records import ActionLine, write
from core.selfplay import play_match


def played(game, players):
    """A digest of the first actions of a match; a change of the game's rules may change it, never one of a bot."""
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
def test_the_first_greedy_bot_lays_what_it_always_laid(game, players, digest):
    assert played(game, players) == digest
