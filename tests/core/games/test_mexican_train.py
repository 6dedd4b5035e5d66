"""Mexican Train, rule by rule (`docs/rules` §2.4); its house rules have a file of their own."""

import pytest
from msgspec.structs import replace

from core.actions import Draw, Drew, Pass, Passed
from core.fair import deal_order
from core.games import GAMES
from core.layout.state import Before, Placed
from core.match import new_match
from core.tiles import tile
from core.words import BadOption
from tests.core.games.trains import lay, mt_1, table, where
from tests.core.positions import result, rules

DRAW, PASS = Draw(), Pass()


def test_mt_1_one_may_play_on_ones_own_train_a_marked_one_and_the_mexican_train():
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


def test_nothing_fits_any_train_and_nothing_can_be_drawn_is_a_block():
    game = rules("mexican-train", 2)

    assert result(table(game, ("1|2", "9|9"), trains=(5, 6), mexican=7)).how == "blocked"


def test_a_stuck_player_draws_one_and_must_play_it_if_it_fits():
    game = rules("mexican-train", 2)
    state = table(game, ("1|2", "9|9"), trains=(5, 6), mexican=7, boneyard="5|0 4|4")
    state, events = game.apply(state, DRAW)

    assert isinstance(events[0], Drew)
    assert where(state) == ["5|0@A"]
    assert PASS not in state.legal


def test_a_pass_marks_ones_own_train():
    game = rules("mexican-train", 2)
    state = table(game, ("1|2 7|3", "9|9"), trains=(5, 6), mexican=8, boneyard="4|4 0|0")
    state, _ = game.apply(state, DRAW)
    state, _ = game.apply(state, PASS)

    assert state.open == (0,)


@pytest.mark.parametrize(("play", "marks"), [("5|2@A", ()), ("8|2@MT", (0,))])
def test_only_a_play_on_ones_own_train_takes_the_marker_off(play, marks):
    game = rules("mexican-train", 2)
    state = table(game, ("5|2 8|2 1|1", "9|9"), trains=(5, 6), mexican=8, boneyard="4|4", marks=(0,))

    assert lay(game, state, play)[0].open == marks


def test_an_unstarted_marked_train_may_be_started_by_others():
    game = rules("mexican-train", 3)
    state = table(game, ("12|1 2|2", "9|9", "0|0"), trains=(3, 9, None), marks=(2,), mexican=4)

    assert where(state) == ["12|1@C"]


def test_a_dead_double_counts_as_covered():
    game = rules("mexican-train", 2)
    state = table(game, ("3|3 0|0", "9|9 9|8"), trains=(3, 9), boneyard="1|1")
    every_three = tuple(Placed(tile(f"{n}|3"), 1, 9, n, 0) for n in range(13) if n not in (3, 12))
    state = game.settled(replace(state, layout=state.layout + every_three))
    state, _ = lay(game, state, "3|3@A")

    assert state.owed == ()
    assert state.turn == 1


@pytest.mark.parametrize(
    ("players", "tiles", "boneyard"), [(2, 15, 60), (4, 15, 30), (5, 12, 30), (6, 12, 18), (8, 10, 10)]
)
def test_hands_and_boneyard_with_the_engine_set_aside(players, tiles, boneyard):
    match = new_match(GAMES["mexican-train"], players, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, players, b"s", 1))

    assert [len(h) for h in match.state.hands] == [tiles] * players
    assert len(match.state.boneyard) == boneyard
    assert match.state.layout[0].tile == tile("12|12")
    assert len(match.state.ends) == players + 1


def test_the_engine_goes_down_by_one_each_round_or_by_two_in_a_short_match():
    game, short = rules("mexican-train", 2), rules("mexican-train", 2, mt__rounds=7)
    order = tuple(game.tiles)

    engines = [game.deal(order, Before(0, 0, 0, n)).layout[0].tile.low for n in (1, 2, 13)]
    assert engines == [12, 11, 0]
    assert [short.deal(order, Before(0, 0, 0, n)).layout[0].tile.low for n in (1, 2, 7)] == [12, 10, 0]


def test_the_lead_moves_on_one_seat_per_round():
    game = rules("mexican-train", 3)

    assert game.deal(game.tiles, Before(lot=2)).turn == 2
    assert game.deal(game.tiles, Before(lot=0, leader=2, round=2)).turn == 0


def test_a_held_engine_is_laid_by_its_holder_as_their_whole_turn():
    game = rules("mexican-train", 2, mt__engine="held")
    order = (tile("12|12"), *(t for t in game.tiles if t != tile("12|12")))
    state = game.deal(order, Before(lot=1))
    assert (state.turn, [a.tile for a in state.legal]) == (0, [tile("12|12")])
    state, _ = game.apply(state, state.legal[0])

    assert state.turn == 1
    assert len(state.ends) == 3


def test_an_engine_that_nobody_holds_is_drawn_for_from_the_leader_on_and_laid_at_once():
    game = rules("mexican-train", 2, mt__engine="held")
    order = tuple(t for t in game.tiles if t != tile("12|12"))
    order = (*order[:32], tile("12|12"), *order[32:])
    state = game.deal(order, Before(lot=1))
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
