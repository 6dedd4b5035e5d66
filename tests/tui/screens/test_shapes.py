"""How the tables of branching games look: one moment of each, which does not change by itself."""

import pytest

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from net.wire.messages import SeatInfo
from tests.tui.screens.test_looks import table
from tests.tui.tables import DARK, NAMES

MOMENTS = {
    "all-fives": (3, 10),
    "five-up": (2, 12),
    "cross": (2, 12),
    "matador": (2, 10),
    "mexican-train": (4, 26),
    "mexican-train-8": (8, 40),
    "chickenfoot": (4, 16),
    "wildstar": (4, 24),
}


def moment(game, players, tiles):
    """A match of bots that never change, at the first choice of a seat with so many tiles on the table."""
    match = new_match(GAMES[game], players, {})
    for step in play_match(match, ("greedy-1",) * players, game.encode(), "test"):
        state = step.match.state
        if state and len(state.layout) >= tiles and len(state.legal) > 1 and not state.result:
            return step.match
    raise AssertionError


@pytest.mark.parametrize("name", sorted(MOMENTS))
async def test_the_table_of_a_game_looks_as_it_was_approved(approved, name):
    players, tiles = MOMENTS[name]
    match = moment(name.removesuffix("-8"), players, tiles)
    names = (*NAMES, "emil", "frieda", "gustav", "helene")[:players]
    seats = tuple(SeatInfo(name) for name in names)
    assert await approved(table(DARK, match, match.turn, seats=seats), (140, 45) if players > 2 else (80, 24))
