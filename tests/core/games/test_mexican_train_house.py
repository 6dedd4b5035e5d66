"""Mexican Train under its house rules, one by one (`docs/rules` §2.4, §9)."""

import pytest

from core.actions import Draw, Pass, Passed
from core.layout.state import Before
from core.tiles import tile
from tests.core.games.trains import lay, mt_1, table, where
from tests.core.positions import rules

DRAW, PASS = Draw(), Pass()


def test_mt_double_bonus_gives_one_more_tile_anywhere():
    game = rules("mexican-train", 3, mt__double="bonus")
    state, _ = lay(game, mt_1(game), "3|3@A")

    assert state.turn == 0
    assert where(state) == ["12|1@MT", "9|4@B"]
    state, _ = lay(game, state, "12|1@MT")
    assert state.turn == 1
    assert state.owed == ()


def test_mt_double_chain_allows_further_doubles_and_then_covers_in_order():
    game = rules("mexican-train", 2, mt__double="chain")
    state = table(game, ("3|3 7|7 7|1 3|0 5|5", "9|9 8|8"), trains=(3, 9), mexican=7, boneyard="0|0 1|1")
    state, _ = lay(game, state, "3|3@A")
    assert where(state) == ["3|0@A", "7|7@MT"]
    state, _ = lay(game, state, "7|7@MT")
    assert where(state) == ["3|0@A"], "the oldest double first"
    state, _ = lay(game, state, "3|0@A")
    assert where(state) == ["7|1@MT"]
    state, _ = lay(game, state, "7|1@MT")

    assert state.turn == 1
    assert state.owed == ()


def test_mt_first_turn_train_lays_a_whole_train_and_stops_at_will():
    game = rules("mexican-train", 2, mt__first_turn="train")
    state = table(game, ("12|3 3|4 4|4 4|5 9|9", "1|1 2|2"), trains=(None, None), boneyard="0|0", turns=0)
    state, _ = lay(game, state, "12|3@A")
    assert (state.turn, where(state)) == (0, ["4|3@A"])
    assert PASS in state.legal
    state, _ = lay(game, state, "4|3@A")
    state, _ = lay(game, state, "4|4@A")
    assert where(state) == ["5|4@A"]
    assert PASS not in state.legal, "a double is covered as usual"
    state, _ = lay(game, state, "5|4@A")

    assert state.turn == 1
    assert state.open == ()


def test_mt_first_turn_train_is_lost_when_the_first_tile_goes_elsewhere():
    game = rules("mexican-train", 2, mt__first_turn="train")
    state = table(game, ("12|3 3|4", "1|1"), trains=(None, None), boneyard="0|0", turns=0)
    state, _ = lay(game, state, "12|3@MT")

    assert state.turn == 1


def test_mt_start_own_first_needs_a_tile_on_ones_own_train():
    game = rules("mexican-train", 2, mt__start="own_first")

    assert where(table(game, ("12|1 0|0", "9|9"), trains=(None, 5))) == ["12|1@A"]
    assert where(table(game, ("12|1 0|0", "9|9"), trains=(4, 5))) == ["12|1@MT"]


def test_mt_start_not_first_waits_for_the_second_turn():
    game = rules("mexican-train", 2, mt__start="not_first")

    assert where(table(game, ("12|1 0|0", "9|9"), trains=(None, 5), turns=0)) == ["12|1@A"]
    assert where(table(game, ("12|1 0|0", "9|9"), trains=(None, 5), turns=2)) == ["12|1@A", "12|1@MT"]


@pytest.mark.parametrize("at", [0, 32])
def test_a_first_turn_is_the_first_after_the_engine_lies_however_long_it_was_searched_for(at):
    game = rules("mexican-train", 2, mt__engine="held", mt__first_turn="train")
    rest = tuple(t for t in game.tiles if t != tile("12|12"))
    state = game.deal((*rest[:at], tile("12|12"), *rest[at:]), Before(lot=1))
    while not state.layout:
        state, _ = game.apply(state, state.legal[0])

    assert state.turns == 0


@pytest.mark.parametrize("house", [{"mt__first_turn": "train"}, {"mt__double": "bonus"}, {"mt__double": "chain"}])
@pytest.mark.parametrize("at", [0, 32])
def test_laying_the_engine_is_the_whole_turn_and_turns_are_counted_from_it(house, at):
    game = rules("mexican-train", 2, mt__engine="held", mt__start="not_first", **house)
    rest = tuple(t for t in game.tiles if t != tile("12|12"))
    state = game.deal((*rest[:at], tile("12|12"), *rest[at:]), Before(lot=1))
    while not state.layout:
        seat = state.turn
        state, _ = game.apply(state, state.legal[0])

    assert (state.turn, state.turns, state.going) == (1 - seat, 0, "")


def test_mt_double_chain_who_cannot_cover_the_first_double_draws_once_and_lays_nothing_elsewhere():
    game = rules("mexican-train", 2, mt__double="chain")
    state = table(game, ("3|3 9|9 5|5", "8|8"), trains=(3, 2), mexican=9, boneyard="0|0 6|6 1|1")
    state, _ = lay(game, state, "3|3@A")
    assert where(state) == ["9|9@MT"], "a further double may be laid"
    assert DRAW in state.legal
    state, _ = game.apply(state, DRAW)
    assert state.legal == (PASS,)
    state, _ = game.apply(state, PASS)

    assert (state.turn, state.open, len(state.owed)) == (1, (0,), 1)


def test_mt_double_chain_a_drawn_tile_that_covers_is_laid_and_no_double_elsewhere():
    game = rules("mexican-train", 2, mt__double="chain")
    state = table(game, ("3|3 9|9 5|5", "8|8"), trains=(3, 2), mexican=9, boneyard="3|0 6|6 1|1")
    state, _ = lay(game, state, "3|3@A")
    state, _ = game.apply(state, DRAW)

    assert where(state) == ["3|0@A"]
    assert PASS not in state.legal


def test_mt_first_turn_train_is_not_ended_by_a_bonus_tile_elsewhere():
    game = rules("mexican-train", 2, mt__first_turn="train", mt__double="bonus")
    state = table(
        game, ("12|3 3|3 12|7 3|5 9|9", "1|1 2|2"), trains=(None, None), boneyard="0|0", turns=0, marks=(1,)
    )
    for play in ("12|3@A", "3|3@A", "12|7@B"):
        state, _ = lay(game, state, play)

    assert (state.turn, where(state)) == (0, ["5|3@A"])
    assert PASS in state.legal


def test_mt_first_turn_train_that_cannot_go_on_ends_by_itself():
    game = rules("mexican-train", 2, mt__first_turn="train")
    state = table(game, ("12|3 9|9", "1|1 2|2"), trains=(None, None), boneyard="0|0", turns=0)
    state, events = lay(game, state, "12|3@A")

    assert (state.turn, state.open) == (1, ())
    assert not any(isinstance(event, Passed) for event in events)
