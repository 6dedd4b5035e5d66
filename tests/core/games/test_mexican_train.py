"""Mexican Train, rule by rule and house rule by house rule (`docs/rules` §2.4, §9)."""

import pytest

from core.actions import Draw, Pass, Passed
from core.games import GAMES
from core.layout.state import RoundContext
from core.match import new_match
from core.tiles import tile
from core.words import BadOption
from tests.core.games.trains import lay, mt_1, table, where
from tests.core.positions import result, rules

DRAW, PASS = Draw(), Pass()


def test_mt_1_plays_go_on_the_own_train_a_marked_train_and_the_mexican_train():
    assert where(mt_1(rules("mexican-train", 3))) == ["12|1@MT", "3|3@A", "9|4@B"]


def test_mt_2_a_double_is_covered_by_a_drawn_tile():
    game = rules("mexican-train", 3)
    state, _ = lay(game, mt_1(game), "3|3@A")
    assert (state.turn, state.legal) == (0, (DRAW,))
    state, events = game.apply(state, DRAW)
    assert events[0].count == 1
    assert where(state) == ["8|3@A"]
    state, _ = lay(game, state, "8|3@A")

    assert state.turn == 1
    assert next(end.pips for end in state.ends if end.owner == 0) == 8
    assert state.open == (1,)


def test_mt_2_a_double_that_is_not_covered_stays_open_and_marks_the_train():
    game = rules("mexican-train", 3)
    state, _ = lay(game, mt_1(game, "6|6"), "3|3@A")
    state, _ = game.apply(state, DRAW)
    assert state.legal == (PASS,)
    state, events = game.apply(state, PASS)
    assert isinstance(events[0], Passed)
    assert state.open == (0, 1)
    assert where(state) == ["10|3@A"], "although 9|9 and 9|2 fit B's own train"
    state, _ = lay(game, state, "10|3@A")

    assert next(end.pips for end in state.ends if end.owner == 0) == 10
    assert state.open == (0, 1), "A's marker stays"


def test_mt_3_going_out_with_a_double_ends_the_round_at_once():
    game = rules("mexican-train", 3)
    state = table(game, ("3|3", "9|9", "0|0 1|1"), trains=(3, 9, None), boneyard="8|3")
    state, _ = lay(game, state, "3|3@A")

    assert result(state).how == "out"
    assert result(state).points == (0, 18, 2)


@pytest.mark.parametrize(("zero", "points"), [(0, 32), (25, 57), (50, 82)])
def test_mt_4_own_pips_count_and_the_double_blank_as_agreed(zero, points):
    game = rules("mexican-train", 2, zero_zero=zero)
    state = table(game, ("3|3", "12|11 0|0 5|4"), trains=(3, 9), boneyard="8|3")
    state, _ = lay(game, state, "3|3@A")

    assert result(state).points == (0, points)


def test_mt_5_a_table_where_markers_would_help_is_not_blocked():
    game = rules("mexican-train", 2)
    state = table(game, ("1|2 1|1", "5|9 9|9"), trains=(5, 6), mexican=7, turn=1)

    for _ in range(2):
        assert state.legal == (PASS,)
        state, _ = game.apply(state, PASS)
    assert where(state) == ["9|5@A"]


def test_an_engine_in_no_hand_is_drawn_for_from_the_leader_on_and_laid_at_once():
    game = rules("mexican-train", 2, mt__engine="held")
    order = tuple(t for t in game.tiles if t != tile("12|12"))
    order = (*order[:32], tile("12|12"), *order[32:])
    state = game.deal(order, RoundContext(lot=1))
    drawers = []
    while not state.layout:
        assert state.legal == (DRAW,)
        drawers.append(state.turn)
        state, events = game.apply(state, DRAW)

    assert drawers == [1, 0, 1]
    assert [type(event).__name__ for event in events] == ["Drew", "Led"]
    assert state.turn == 0
    assert [len(h) for h in state.hands] == [16, 16]


@pytest.mark.parametrize("house", [{}, {"mt.engine": "held"}])
def test_a_set_that_leaves_no_boneyard_is_refused_in_one_sentence(house):
    with pytest.raises(BadOption, match=r"leaves 6 players no boneyard; .*\.$"):
        new_match(GAMES["mexican-train"], 6, {"set": 9, **house})
    for players in (2, 3, 4, 5, 7, 8):
        game = new_match(GAMES["mexican-train"], players, {"set": 9, **house}).rules
        assert game.start.hand * players < 54


def test_mt_start_own_first_needs_a_tile_on_the_own_train():
    game = rules("mexican-train", 2, mt__start="own_first")

    assert where(table(game, ("12|1 0|0", "9|9"), trains=(None, 5))) == ["12|1@A"]
    assert where(table(game, ("12|1 0|0", "9|9"), trains=(4, 5))) == ["12|1@MT"]


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
