"""Mexican Train, rule by rule (`rules.md` §2.4)."""

import pytest
from msgspec.structs import replace

from core.actions import Draw, Drew, Pass, Passed, Play
from core.chance import deal_order
from core.games import GAMES
from core.layout import NOBODY, End, Placed
from core.match import new_match
from core.rules import LayoutRules
from core.state import Before, Opening, State
from core.tiles import hand, in_order, tile
from core.words import BadOption
from tests.core.positions import result, rules

DRAW, PASS = Draw(), Pass()


def table(
    game: LayoutRules,
    hands,
    *,
    trains,
    mexican=None,
    boneyard="",
    marks=(),
    turn=0,
    owed=(),
    turns=50,
    engine="12|12",
) -> State:
    """A round: each seat's train, and the Mexican Train, shows a number, or is unstarted (None).

    A train that shows a number is one tile long, from the engine to that number.
    """
    centre = tile(engine)
    layout = [Placed(centre, -1, 0, centre.high, NOBODY)]
    ends = []
    for side, shown in enumerate((*trains, mexican)):
        owner = side if side < len(trains) else NOBODY
        if shown is None:
            ends.append(End(0, side, centre.high, owner))
        else:
            layout.append(Placed(tile(f"{centre.high}|{shown}"), 0, side, shown, max(owner, 0)))
            ends.append(End(len(layout) - 1, 1, shown, owner))
    return game.settled(
        State(
            tuple(map(hand, hands)),
            in_order(boneyard),
            tuple(layout),
            tuple(ends),
            turn,
            Opening(0, (), "rotation"),
            Before(lot=0),
            owed=owed,
            open=tuple(marks),
            turns=turns,
        )
    )


def where(state: State) -> list[str]:
    """The legal plays as `tile@owner`: a seat's letter, or MT."""
    owners = {(end.at, end.side): "MT" if end.owner == NOBODY else "ABCDEFGH"[end.owner] for end in state.ends}
    return sorted(f"{a.tile}@{owners[a.at, a.side]}" for a in state.legal if isinstance(a, Play))


def lay(game, state, text):
    """Lay a tile on a train: `3|3@A`."""
    name, _, owner = text.partition("@")
    seat = NOBODY if owner == "MT" else "ABCDEFGH".index(owner)
    at = {(end.at, end.side) for end in state.ends if end.owner == seat}
    action = next(a for a in state.legal if isinstance(a, Play) and a.tile == tile(name) and (a.at, a.side) in at)
    return game.apply(state, action)


def mt_1(game, boneyard="8|3"):
    return table(
        game, ("3|3 9|4 12|1 7|6", "9|9 10|3 9|2", "0|0 1|1"), trains=(3, 9, None), marks=(1,), boneyard=boneyard
    )


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


def test_a_held_engine_is_laid_by_its_holder_as_his_whole_turn():
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


@pytest.mark.parametrize("house", [{}, {"mt.engine": "held"}])
def test_a_set_that_leaves_no_boneyard_is_refused_in_one_sentence(house):
    with pytest.raises(BadOption, match=r"leaves 6 players no boneyard; .*\.$"):
        new_match(GAMES["mexican-train"], 6, {"set": 9, **house})
    for players in (2, 3, 4, 5, 7, 8):
        game = new_match(GAMES["mexican-train"], players, {"set": 9, **house}).rules
        assert game.hand * players < 54
