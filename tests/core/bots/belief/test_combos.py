"""Beliefs in Tien Gow: every hidden tile may be in every place."""

from random import Random

import pytest

from core.bots.beliefs import ComboBelief
from core.bots.levels import random_bot
from core.fair import deal_order
from core.games import GAMES
from core.match import new_match


@pytest.mark.parametrize("seed", range(5))
def test_a_position_shows_the_seat_what_it_sees(seed):
    rng = Random(seed)
    match = new_match(GAMES["tien-gow"], 4, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, 4, bytes([seed]), 1))
    while not match.state.result:
        view = match.view(match.turn)
        position = next(ComboBelief(match.rules, view, view.play).positions(rng))
        held = [*position.hands, *position.down]
        up = [tile for trick in (*position.tricks,) for put in trick.puts if put.up for tile in put.tiles]
        up += [tile for put in position.trick if put.up for tile in put.tiles]

        assert match.rules.view(position, match.turn) == view.play
        assert sorted([*up, *(tile for hand in held for tile in hand)]) == list(match.rules.tiles)
        match, _ = match.apply(random_bot(view, rng))


def test_different_tiles_are_in_other_hands_each_time():
    match = new_match(GAMES["tien-gow"], 4, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, 4, b"a", 1))
    view = match.view(match.turn)
    positions = ComboBelief(match.rules, view, view.play).positions(Random(1))

    assert len({next(positions).hands for _ in range(10)}) == 10
