"""Games of patience by plain rules (`docs/bots.md`)."""

from random import Random

from core.actions import GiveUp
from core.bots.greedy import greedy_bot, visible_solution
from core.fair import deal_order
from core.games import GAMES
from core.games.patience import KINDS
from core.match import new_match


def dealt(kind, seed, **more):
    match = new_match(GAMES["patience"], 1, {"pa.game": kind, **more})
    return match.deal(*deal_order(match.rules.tiles, 1, seed, 1))[0]


def test_where_all_tiles_are_seen_a_solution_is_followed_to_the_end():
    match = dealt("luzon", b"a", **{"pa.deals": "solvable"})
    while match.turn == 0:
        match, _ = match.apply(greedy_bot(match.view(0), Random(0)))

    assert match.scores == (0,)


def test_the_greedy_bot_gives_up_only_without_another_legal_action():
    for kind in KINDS:
        match = dealt(kind, b"b")
        while match.turn == 0:
            action = greedy_bot(match.view(0), Random(0))
            assert action in match.legal
            assert action != GiveUp()
            match, _ = match.apply(action)


def test_no_solution_is_seen_through_a_boneyard():
    match = dealt("good-neighbors", b"c")

    assert visible_solution(match.view(0), match.view(0).play) == ()
