"""Reasons for a move in a game of patience: it begins a solution."""

from core.bots.greedy import visible_solution
from core.bots.reasons.hints import hint, reasons_in_patience
from tests.core.bots.test_patience import dealt


def test_the_first_move_of_a_solution_is_said_to_be_one():
    match = dealt("luzon", b"a", **{"pa.deals": "solvable"})
    view = match.view(0)
    way = visible_solution(view, view.play)
    effects = reasons_in_patience(view, view.play, way[0]).effects

    assert [str(effect) for effect in effects] == [f"is the first of {len(way)} moves that solve the game"]
    assert str(hint(view, None).why).startswith("taking ")


def test_a_move_that_begins_no_solution_has_no_reason():
    match = dealt("good-neighbors", b"a")
    view = match.view(0)

    assert reasons_in_patience(view, view.play, view.play.legal[0]).effects == []
