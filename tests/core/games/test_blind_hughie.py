"""Blind Hughie, rule by rule (`docs/rules` §C.17)."""

from msgspec.structs import replace

from core.actions import Tuck, Tucked
from core.fair import deal_order
from core.games import GAMES
from core.layout.state import NOBODY
from core.match import new_match
from core.tiles import STAR, in_order, tile
from tests.core.positions import play, plays, position, rules


def rows(game, ends, *hands, turn=0):
    """Return a line with two ends, and rows in the given order."""
    state = position(game, ends, *hands, turn=turn)
    return game.complete(replace(state, hands=tuple(map(in_order, hands)), result=None))


def test_bh_1_a_turn_ends_with_a_tile_that_does_not_fit_and_goes_to_the_rows_end():
    game = rules("blind-hughie", 2)
    state = rows(game, (2, 6), "2|4 4|1 5|3 0|0", "6|6 1|1")

    state = play(game, state, "2|4")
    assert (state.turn, plays(state)) == (0, ["4|1@4→1"])
    state = play(game, state, "4|1")
    assert (state.turn, state.legal) == (0, (Tuck(tile("5|3")),))
    state, events = game.apply(state, Tuck(tile("5|3")))

    assert events == (Tucked(0, tile("5|3")),)
    assert (state.turn, state.hands[0]) == (1, in_order("0|0 5|3"))
    assert game.view(state, 1).rows == ((STAR, STAR), (*in_order("6|6"), STAR))


def test_bh_2_a_double_that_does_not_fit_lies_face_up_at_the_end_of_the_row():
    game = rules("blind-hughie", 2)
    state, _ = game.apply(rows(game, (1, 6), "3|3 4|1 5|0", "6|5 1|2"), Tuck(tile("3|3")))

    assert state.hands[0] == in_order("4|1 5|0 3|3")
    for seat in (0, 1, NOBODY):
        assert game.view(state, seat).rows == ((STAR, STAR, tile("3|3")), (tile("6|5"), STAR))


def test_bh_2_a_tile_that_fits_two_different_ends_is_laid_at_the_chosen_end():
    game = rules("blind-hughie", 2)
    state = rows(game, (2, 6), "6|2 4|1", "5|5 1|1")
    assert plays(state) == ["6|2@2→6", "6|2@6→2"]
    assert [end.pips for end in play(game, state, "6|2@2").ends] == [6, 6]
    assert [end.pips for end in play(game, state, "6|2@6").ends] == [2, 2]

    assert len(plays(rows(game, (2, 2), "6|2 4|1", "5|5 1|1"))) == 1


def test_a_seat_sees_only_the_tile_that_it_turned_over_and_others_see_it_in_its_row():
    match = new_match(GAMES["blind-hughie"], 2, {})
    match, _ = match.deal(*deal_order(match.rules.tiles, 2, b"a", 1))
    turn, first = match.turn, match.state.hands[match.turn][0]

    assert match.view(turn).play.hand == (first,)
    assert match.view(1 - turn).play.hand == match.view(NOBODY).play.hand == ()
    for seat in (0, 1, NOBODY):
        assert match.view(seat).play.rows[turn] == (first, *[STAR] * 13)
        assert match.view(seat).play.rows[1 - turn] == (STAR,) * 14
