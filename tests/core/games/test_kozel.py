"""Goat and Sea Goat, rule by rule (`docs/rules` §4.3)."""

import pytest
from msgspec.structs import replace

from core.actions import MatchOver, Pass, Play
from core.games import GAMES
from core.games.kozel import CarriedPoints, carried_points
from core.layout.state import RoundContext
from core.match import new_match
from core.tiles import full_set
from tests.core.positions import play, plays, position, result, rules


def ended(match, *hands):
    """Return the match after a round with `hands`, which seat 0 ends by going out with 6|0, or which is blocked."""
    before = RoundContext(0, match.leader, match.winner, match.round + 1, match.scores, match.carry)
    state = position(match.rules, (6, 6), *hands, laid=(1, 0))
    if state.result:
        state = replace(state, before=before)
        result = match.rules.ending.settle(state)
        return replace(match, state=state, round=match.round + 1)._pay_round(result)
    match = replace(match, state=replace(state, before=before), round=match.round + 1)
    return match.apply(match.legal[0])[0]


def lost(match, pips):
    """Return the match after a round that the second pair loses with `pips` pips."""
    return ended(match, "6|0", HANDS[pips], "4|4", "1|0")


def written(entry, *amounts, **options):
    """Return the score of a pair after each round that it loses, with each of `amounts` in turn."""
    match = new_match(GAMES["kozel"], 4, {"koz.entry": entry, **options})
    seen = []
    for amount in amounts:
        match = lost(match, amount)
        seen.append(match.scores[1])
    return seen


HANDS = {5: "4|0", 6: "5|0", 7: "5|1", 9: "5|3", 24: "5|5 5|4 4|0"}
"""Hands of one player with this number of pips less one; the partner holds that one pip."""


@pytest.mark.parametrize(("entry", "scores"), [("hang", [0, 16, 21]), ("lost", [0, 0, 0]), ("always", [0, 16, 16])])
def test_kz_1_a_first_sum_below_thirteen_hangs_or_is_lost(entry, scores):
    assert written(entry, 9, 7, 5) == scores


def test_kz_1_hanging_points_are_carried_on_and_listed_in_the_sums():
    match = lost(new_match(GAMES["kozel"], 4, {}), 9)
    first = match.state.result
    assert [(term.kind, term.amount) for term in first.sums[1]] == [("pips", 8), ("pips", 1), ("waits", -9)]
    assert carried_points(RoundContext(0, carry=match.carry), 2) == CarriedPoints(0, 0, (0, 9))
    match = lost(match, 7)

    assert [(term.kind, term.amount) for term in match.state.result.sums[1]] == [
        ("pips", 6),
        ("pips", 1),
        ("hung", 9),
    ]
    assert carried_points(RoundContext(0, carry=match.carry), 2).hanging == (0, 0)


def test_kz_1_always_a_small_sum_hangs_later_too():
    match = new_match(GAMES["kozel"], 4, {"koz.entry": "always"})
    for pips in (9, 7, 5):
        match = lost(match, pips)

    assert carried_points(RoundContext(0, carry=match.carry), 2).hanging == (0, 5)


@pytest.mark.parametrize(("zero", "points"), [(25, 28), (10, 13), (0, 0)])
def test_kz_2_a_double_blank_alone_in_its_hand_has_its_own_price(zero, points):
    game = rules("kozel", 4, koz__zero=zero)
    state = position(game, (6, 6), "6|1", "0|0", "5|5", "2|1")

    assert result(play(game, state, "6|1")).points == (0, points)


def test_kz_2_a_double_blank_with_another_tile_counts_nothing():
    game = rules("kozel", 4)
    state = replace(position(game, (6, 6), "6|1", "1|1 0|0", "5|5", "4|3"), before=RoundContext(0, scores=(0, 13)))

    assert result(play(game, state, "6|1")).points == (0, 9)


def test_kz_3_a_tied_fish_is_eggs_for_the_next_loser():
    match = new_match(GAMES["kozel"], 4, {})
    match = ended(match, "5|5", "5|4 1|0", "4|4 2|0", "5|3 1|1")
    over = match.state.result
    assert (over.how, over.winner, over.points, over.tied) == ("eggs", -1, (0, 0), (0, 1))
    assert match.carry == (40, -1, 0, 0)
    state = position(match.rules, (6, 6), "5|5", "6|0", "1|0", "4|4", turn=1)
    over = result(play(match.rules, replace(state, before=RoundContext(0, carry=match.carry)), "6|0"))

    assert over.points == (51, 0)
    assert [(term.kind, term.amount) for term in over.sums[0]] == [("pips", 10), ("pips", 1), ("eggs", 40)]
    assert over.carry == (0, 1, 0, 0)


def test_kz_3_tied_again_the_eggs_add_up_and_the_leader_before_them_leads():
    game = rules("kozel", 4, koz__redeal="no")
    state = position(game, (6, 6), "5|5", "5|4 1|0", "4|4 2|0", "5|3 1|1")
    over = game.ending.settle(replace(state, before=RoundContext(0, winner=-1, carry=(12, 3, 0, 7))))

    assert over.carry == (52, 3, 0, 7)
    assert game.deal(full_set(6), RoundContext(lot=0, leader=1, winner=-1, carry=over.carry)).turn == 3


@pytest.mark.parametrize(("kind", "amounts", "scores"), [("sea", (24, 6), [0, 30]), ("goat", (24, 6), [24, 30])])
def test_kz_4_the_first_sum_of_the_sea_goat_is_at_least_25(kind, amounts, scores):
    assert written("hang", *amounts, **{"koz.kind": kind}) == scores


@pytest.mark.parametrize(("kind", "before", "over"), [("goat", 90, True), ("sea", 90, False), ("sea", 114, True)])
def test_kz_4_the_player_with_101_or_125_is_the_goat(kind, before, over):
    match = new_match(GAMES["kozel"], 4, {"koz.kind": kind})
    state = position(match.rules, (6, 6), "6|1", "5|5", "5|4", "1|0")
    state = replace(state, before=RoundContext(0, scores=(40, before)))
    match = replace(match, state=state, round=5, scores=(40, before))
    match, events = match.apply(match.legal[0])

    assert match.scores == (40, before + 11)
    assert match.over is over
    if over:
        assert events[-1] == MatchOver((0,), losers=(1,), called="goat" if kind == "goat" else "sea_goat")


def test_koz_two_doubles_a_second_double_may_follow_at_once_on_the_other_end():
    game = rules("kozel", 2, koz__two_doubles="yes")
    state = play(game, position(game, (6, 4), "6|6 4|4 6|4 1|0", "0|0"), "6|6")

    assert (state.turn, state.going) == (0, "may")
    assert [action for action in state.legal if not isinstance(action, Play)] == [Pass()]
    assert plays(state) == ["4|4@4→4"]
    assert play(game, state, "4|4").turn == 1
    passed, events = game.apply(state, Pass())
    assert (passed.turn, events[0].reason) == (1, "enough")


def test_carried_numbers_of_the_wrong_length_are_ignored():
    assert carried_points(RoundContext(0, carry=(7,)), 2) == CarriedPoints(0, -1, (0, 0))
