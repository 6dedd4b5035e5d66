"""The search finds the better action in the worlds that it is given, and reports its uncertainty."""

from functools import partial
from itertools import repeat
from math import inf
from random import Random

from core.bots.profiles import Effort
from core.bots.search import layout_player, search, solve
from core.tiles import tile
from tests.core.positions import position, rules

BLOCK = rules("block", 2)
LATE = position(BLOCK, (6, 1), "6|5 1|0", "5|5 6|6", boneyard="4|4")
"""After 6|5 the opponent can lay 5|5; after 1|0 we go out next turn, because only 6|6 fits a six."""


def searched(state, default, effort, stop=lambda: False, seed=1):
    player = partial(layout_player, BLOCK)
    return search(BLOCK, repeat(state), state.legal, default, player, effort, Random(seed), stop)


def test_the_best_action_comes_first():
    best, worst = searched(LATE, LATE.legal[0], Effort(8, 10**6))

    assert best.gain > worst.gain
    assert {best.action, worst.action} == set(LATE.legal)


def test_leads_are_measured_from_the_default():
    for default in LATE.legal:
        judged = {result.action: result for result in searched(LATE, default, Effort(8, 10**6))}

        assert judged[default].lead == judged[default].error == 0
        for result in judged.values():
            assert result.lead == result.gain - judged[default].gain


def test_the_same_seed_gives_the_same_result():
    state = position(BLOCK, (6, 1), "6|5 6|4 6|3 6|2 1|0", "5|5 6|6 4|4 3|3 2|2")

    assert searched(state, state.legal[0], Effort(20, 10**6)) == searched(state, state.legal[0], Effort(20, 10**6))


def test_the_default_lasts_to_the_end_with_the_better_half():
    state = position(BLOCK, (6, 1), "6|5 6|4 6|3 6|2 1|0", "5|5 6|6 4|4 3|3 2|2")

    for default in state.legal:
        judged = searched(state, default, Effort(16, 10**6))

        assert default in [result.action for result in judged]
        assert len(judged) <= 3
        assert all(result.worlds == 16 for result in judged)


def test_a_search_ends_early_but_tries_everything_once():
    judged = searched(LATE, LATE.legal[0], Effort(10**6, 10**6), stop=lambda: True)

    assert [result.worlds for result in judged] == [1, 1]


def test_a_single_sampled_world_makes_no_action_better():
    judged = {result.action: result for result in searched(LATE, LATE.legal[0], Effort(99, 99), stop=lambda: True)}

    assert judged[LATE.legal[0]].error == 0
    assert judged[LATE.legal[1]].error == inf


def test_a_search_samples_at_least_two_worlds_however_long_the_first_takes():
    judged = searched(LATE, LATE.legal[0], Effort(1, 1))

    assert [result.worlds for result in judged] == [2, 2]


def test_no_more_steps_are_spent_than_the_effort_allows():
    few, many = (searched(LATE, LATE.legal[0], Effort(10**6, steps)) for steps in (40, 400))

    assert few[0].worlds < many[0].worlds < 400


def test_a_search_judges_other_actions_than_the_default():
    assert tile("6|5") in [result.action.tile for result in searched(LATE, LATE.legal[0], Effort(2, 100))]


def test_a_late_position_is_solved():
    late = position(BLOCK, (6, 1), "6|5 1|0", "5|5 0|0")
    player = partial(layout_player, BLOCK)

    judged = search(
        BLOCK, repeat(late), late.legal, late.legal[0], player, Effort(4, 10**6), Random(1), should_solve=bool
    )

    assert {result.action: result.gain for result in judged} == solve(BLOCK, late, 10**6)


def test_a_late_position_with_too_many_lines_is_played_on(monkeypatch):
    monkeypatch.setattr("core.bots.search.SOLVER_LIMIT", 2)

    judged = search(
        BLOCK,
        repeat(LATE),
        LATE.legal,
        LATE.legal[0],
        partial(layout_player, BLOCK),
        Effort(4, 10**6),
        Random(1),
        should_solve=bool,
    )

    assert judged == searched(LATE, LATE.legal[0], Effort(4, 10**6))
