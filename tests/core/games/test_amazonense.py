"""Dominó amazonense, rule by rule (`docs/rules` §C.10)."""

import pytest
from msgspec.structs import replace

from core.actions import Dealt, Pass, Scored
from core.games import GAMES
from core.layout.state import End, Opening, PlacedTile, RoundContext, State
from core.match import new_match
from core.tiles import full_set, hand, in_order, tile
from tests.core.positions import deal_of, play, plays, position, result, rules

GAME = rules("amazonense", 4)


def scored(game, state, text):
    """Return the state after a play, and the points that it made."""
    before = sum(state.made)
    after = play(game, state, text)
    return after, sum(after.made) - before


def led(text, *hands, turn=1):
    """Return a round in which one double lies, and the seats hold `hands`."""
    layout = (PlacedTile(tile(text), -1, 0, tile(text).low, (turn - 1) % 4),)
    opening = Opening((turn - 1) % 4, (tile(text),), "double")
    return GAME.complete(
        State(tuple(map(hand, hands)), (), layout, GAME.opens(layout, (), None), turn, opening, RoundContext(lot=0))
    )


def test_am_1_the_led_double_opens_four_ends_and_fives_score():
    state = deal_of(GAME, "6|6 4|3 1|1", "6|3 5|5 1|0", "6|1 2|0 3|0", "6|5 2|1 3|1")
    made = []
    for text in ("6|6", "6|3", "6|1@6", "6|5@6", "4|3@3", "5|5@5"):
        state, points = scored(GAME, state, text)
        made.append(points)

    assert made == [0, 15, 0, 0, 10, 15]
    assert GAME.view(state, 0).count == (4, 1, 10)


def test_am_1_the_side_ends_open_when_both_main_ends_carry_a_tile():
    state = play(GAME, led("6|6", "1|1", "6|3 1|0", "6|5 6|1", "2|2"), "6|3")

    assert plays(state) == ["6|1@6→1", "6|5@6→5"]
    state = play(GAME, state, "6|1")
    assert len([end for end in state.ends if end.at == 0]) == 2


def passing(*seats, laid, ends=(6, 5)):
    """Return side, points and reason of each payment for the passes of `seats`, after seat `laid` has laid a tile."""
    state = replace(position(GAME, ends, "6|5", "6|4", "6|3", "6|2", laid=(1, laid)), turn=seats[0])
    payments = []
    for seat in seats:
        state = replace(state, turn=seat, legal=(Pass(),))
        state, events = GAME.apply(state, Pass())
        payments += [(event.seat % 2, event.points, event.reason) for event in events if isinstance(event, Scored)]
    return payments


def test_am_2_the_first_pass_pays_twenty_and_three_make_a_galo():
    assert passing(1, 2, 3, laid=0) == [(0, 20, "any_pass"), (0, 30, "galo")]


def test_am_2_a_pass_that_follows_another_pays_nothing():
    assert passing(1, laid=0) == [(0, 20, "any_pass")]
    assert passing(2, 3, laid=1) == [(1, 20, "any_pass")]


def after_the_last_tile(state):
    """Return the scores after the last tile of seat 0."""
    match = replace(new_match(GAMES["amazonense"], 4, {}), state=state, round=2)
    return match.apply(match.legal[0])[0]


def test_am_3_going_out_by_a_single_pays_the_other_side_s_pips_rounded_down():
    match = after_the_last_tile(position(GAME, (3, 5), "4|3", "6|6 1|0", "5|4", "5|2 3|0"))

    assert match.scores == (20, 0)
    assert [(term.kind, term.amount) for term in result(match.state).sums[0]] == [
        ("pips", 13),
        ("pips", 10),
        ("rounded", -3),
    ]


def test_am_3_going_out_by_a_double_pays_twenty_after_the_play_itself():
    state = position(GAME, (5, 6), "5|5", "6|6 1|0", "5|4", "5|2 3|0")
    line = (PlacedTile(tile("5|4"), -1, 0, 5, 1), PlacedTile(tile("5|4"), 0, 1, 5, 0))
    match = after_the_last_tile(GAME.complete(replace(state, layout=line, ends=(End(0, 0, 5), End(1, 1, 5)))))

    assert match.scores == (15 + 20, 0)
    assert [term.kind for term in result(match.state).sums[0]] == ["double"]


@pytest.mark.parametrize(
    ("hands", "points", "winner"),
    [(("6|6 6|2", "6|5 6|3", "4|0", "6|4 1|0"), (30, 0), 2), (("6|6", "6|5 1|0", "5|4 6|0", "6|3 6|0"), (0, 0), -1)],
)
def test_am_3_the_lighter_side_gets_the_other_side_s_pips_in_a_block(hands, points, winner):
    over = result(position(GAME, (9, 8), *hands))

    assert (over.how, over.points, over.winner, over.carry) == ("blocked", points, winner, (1,))


FIVE = "0|0 1|1 2|2 3|3 4|4 1|0 2|0"


def test_five_doubles_score_at_once():
    match = new_match(GAMES["amazonense"], 4, {})
    rest = [t for t in full_set(6) if t not in in_order(FIVE)]
    match, events = match.deal((*rest[:7], *in_order(FIVE), *rest[7:]), 0)

    assert events == (Dealt(1), Scored(1, 50, reason="doubles"))
    assert match.scores == (0, 50)
    assert match.state.made == (0, 50)
    assert match.history == events


@pytest.mark.parametrize(("scores", "over", "winners"), [((205, 180), True, (0,)), ((185, 205), False, ())])
def test_two_sides_at_the_target_and_equal_play_another_round(scores, over, winners):
    match = new_match(GAMES["amazonense"], 4, {})
    state = position(match.rules, (4, 6), "4|3", "6|6 1|0", "5|4", "5|2 3|0")
    match = replace(match, state=state, round=4, scores=scores)
    match, _ = match.apply(match.legal[0])

    assert match.scores == (scores[0] + 20, scores[1])
    assert (match.over, match.winners) == (over, winners)
    assert match.is_deal_due is not over
