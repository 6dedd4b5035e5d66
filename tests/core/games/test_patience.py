"""Patience, rule by rule (`docs/rules` §C.8)."""

from itertools import pairwise

import pytest

from core.actions import GiveUp, Play, Take
from core.bots.levels import random_choices
from core.fair import deal_order
from core.games import GAMES
from core.games.patience import KINDS
from core.layout.state import RoundContext
from core.match import new_match, take_back
from core.tiles import in_order
from core.words import BadOption
from tests.core.patience.tables import laid, moves, rules

LUZON = "6|1/3|2/4|4/2|0/5|5/3|1/6|6/0|0"


def test_pa_1_two_free_tiles_make_twelve_and_at_most_one_lies_aside():
    assert moves("luzon", LUZON) == ["6|1 3|2", "4|4 3|1", "2|0 5|5"]


def test_pa_2_a_tile_between_two_that_share_a_number_is_captured_alone_or_with_them():
    assert moves("castle-rock", "3|3 1|1 5|3", boneyard="0|0") == ["1|1"]
    assert moves("castle-rock", "3|3 3|1 5|3", boneyard="0|0") == ["3|1", "3|3 3|1 5|3"]
    assert moves("castle-rock", "5|2 4|1 6|0 5|5", boneyard="0|0") == ["draw"]


@pytest.mark.parametrize("text", ["6|6", "3|1"])
def test_pa_3_two_tiles_fit_and_the_hand_is_filled_up_after_either(text):
    game = rules("draw-five")
    state = game.complete(laid("6|3", "6|6 3|1 2|2 5|0 4|4", "1|0 2|0"))
    plays = [action for action in state.legal if isinstance(action, Play)]
    assert {str(play.tile) for play in plays} == {"6|6", "3|1"}
    assert len(plays) == 2

    after, _ = game.apply(state, next(play for play in plays if str(play.tile) == text))
    assert len(after.laid.hand) == 5
    assert after.laid.boneyard == in_order("2|0")


def test_pa_4_two_tiles_that_touch_and_share_a_number_go():
    grid = "0|0 2|1 4|3 6|5 8|7 9|2 9|9 11|10 12|12 11|0 6|6 1|1"

    assert moves("good-neighbors", grid) == ["2|1 9|2", "9|2 9|9"]


def test_giving_up_ends_the_game_with_the_remaining_tiles():
    match = new_match(GAMES["patience"], 1, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, 1, b"a", 1))
    match, _ = match.apply(GiveUp())

    assert (match.over, match.scores, match.winners) == (True, (28,), ())
    assert match.state.result.how == "given_up"


def test_alone_a_draw_can_be_taken_back_too():
    match = new_match(GAMES["patience"], 1, {"pa.game": "draw-five"})
    match, _ = match.deal(*deal_order(match.rules.tiles, 1, b"b", 1))
    after, _ = match.apply(match.legal[0])
    assert len(after.state.laid.hand) == 5

    back, _ = take_back(after, 0, (0,))
    assert back.state == match.state


@pytest.mark.parametrize("kind", KINDS)
def test_every_tile_is_in_exactly_one_place_after_every_action(kind):
    for tiles, removed, state in played_rounds(kind):
        laid = [tile for pile in state.laid.piles for tile in pile]
        assert tuple(sorted([*laid, *state.laid.boneyard, *state.laid.hand, *removed])) == tiles


def test_neighbours_in_the_line_of_draw_five_share_a_number():
    lines = [state.laid.line for _tiles, _removed, state in played_rounds("draw-five")]

    assert max(map(len, lines)) > 1
    assert all(set(tile) & set(neighbour) for line in lines for tile, neighbour in pairwise(line))


def played_rounds(kind):
    """Yield `(tiles of the set, tiles taken so far, state)` after each action of 20 rounds of random actions."""
    game = new_match(GAMES["patience"], 1, {"pa.game": kind}).rules
    for seed in range(20):
        state = game.deal(deal_order(game.tiles, 1, b"%d" % seed, 1)[0], RoundContext(0))
        removed = []
        while not state.result:
            action = random_choices(state.legal)[-1]
            removed += action.tiles if isinstance(action, Take) else ()
            state, _ = game.apply(state, action)
            yield game.tiles, removed, state


def test_patience_is_for_one_player():
    with pytest.raises(BadOption, match="for one player"):
        GAMES["patience"].rules(2, {})


def test_rules_of_patience_that_exclude_each_other_are_refused_with_both_keys():
    with pytest.raises(BadOption, match=r"pa\.deals.*pa\.refill"):
        rules("draw-five", pa__refill="empty", pa__deals="solvable")


@pytest.mark.parametrize(("left", "how", "score"), [("1|1", "solved", 0), ("1|1 2|2", "stuck", 2)])
def test_one_tile_of_good_neighbors_may_be_left(left, how, score):
    result = rules("good-neighbors").complete(laid(left)).result

    assert (result.how, result.points) == (how, (score,))
