"""All Fives, rule by rule (`docs/rules` §2.3), and related games (§4.6, §4.9, §4.12)."""

import pytest

from core.actions import Claim, Draw, Pass, Play, Scored, Silent
from core.games import GAMES
from core.layout.rules import LayoutRules
from core.layout.state import Opening, RoundContext, State
from core.match import new_match
from core.tiles import full_set, hand, tile
from core.words import BadOption, Illegal
from tests.core.positions import plays, position, result, rules


def start(game_rules: LayoutRules, *tiles: str) -> State:
    """Return a round in which seat 0 may lead any of `tiles`. Everybody holds them all and a spare, so that all can
    be played.
    """
    held = hand(" ".join(tiles))
    spare = tuple(sorted((*held, tile("9|9"))))
    return game_rules.complete(
        State((spare,) * game_rules.seats, (), (), (), 0, Opening(0, held, "lot"), RoundContext(lot=0))
    )


def lay(game_rules, state, text, where=""):
    """Lay a tile: on the end that shows a number (`@5`), or on a side of the tile with an index (`#1.2`)."""
    pips_by_end = {(end.at, end.side): end.pips for end in state.ends}
    wanted = [
        play
        for play in state.legal
        if isinstance(play, Play)
        and play.tile == tile(text)
        and (not where or where == f"@{pips_by_end.get((play.at, play.side))}" or where == f"#{play.at}.{play.side}")
    ]
    assert wanted, f"{text}{where} is not legal: {plays(state)}"
    after, events = game_rules.apply(state, wanted[0])
    return after, next((event for event in events if isinstance(event, Scored)), None)


def scores(game_rules, *steps):
    """Return the score and the sum of the ends after each of `steps`."""
    state = start(game_rules, *(step.split()[0] for step in steps))
    made = []
    for step in steps:
        text, _, where = step.partition(" ")
        state, scored = lay(game_rules, state, text, where)
        made.append((sum(game_rules.scoring.points(state)[1]), scored.points if scored else 0))
    return made, state


AF_1 = ("5|0", "5|5 @5", "0|0 @0", "5|3 @5", "5|2 #1.2", "0|4 @0", "5|1 #1.3")


def test_af_1_the_spinner_counts_until_both_sides_are_covered_then_opens_its_ends():
    made, _ = scores(rules("all-fives", 2), *AF_1)

    assert made == [(5, 5), (10, 10), (10, 10), (3, 0), (5, 5), (9, 0), (10, 10)]


def test_af_2_a_led_spinner_counts_double_until_both_sides_are_covered():
    made, _ = scores(rules("all-fives", 2), "6|6", "6|3", "6|1 @6", "6|5 #0.2", "1|1 @1")

    assert made == [(12, 0), (15, 15), (4, 0), (9, 0), (10, 10)]


@pytest.mark.parametrize(
    ("steps", "points"),
    [
        (("4|1", "1|5 @1"), 9),
        (("6|6", "6|3"), 15),
        (("5|2", "2|2 @2"), 9),
        (("6|1", "1|4 @1"), 0),
    ],
)
def test_fv_1_in_all_threes_a_multiple_of_three_scores_itself(steps, points):
    made, _ = scores(rules("all-fives", 2, af__by=3, af__spinner="none"), *steps)

    assert made[-1][1] == points


@pytest.mark.parametrize(("held", "paid"), [("4|3", 6), ("5|3", 9), ("1|0", 0), ("2|0", 3)])
def test_fv_1_in_all_threes_pips_are_rounded_to_the_nearest_three(held, paid):
    threes = rules("all-fives", 2, af__by=3)
    state = position(threes, (6, 1), "6|5", held)

    assert sum(term.amount for term in result(lay(threes, state, "6|5")[0]).sums[0]) == paid


def test_fv_2_a_sniff_counts_both_halves_until_its_third_side_is_covered():
    made, _ = scores(rules("all-fives", 2, af__spinner="sniff"), "5|5", "5|1", "5|4 @5", "5|0 #0.2")

    assert made == [(10, 10), (11, 0), (15, 15), (10, 10)]


def test_af_3_the_short_ends_are_closed_until_both_sides_are_covered():
    _, state = scores(rules("all-fives", 2), "6|6", "6|3")

    assert sorted(end.pips for end in state.ends) == [3, 6]
    assert {(end.at, end.side) for end in state.ends} == {(0, 1), (1, 1)}


@pytest.mark.parametrize(
    ("hands", "rounding", "points"),
    [
        (("4|1", "6|5", "4|4 3|0"), "total", 20),
        (("4|1", "6|6", "4|4 3|0"), "total", 25),
        (("4|1", "4|3", "5|2", "6|1"), "total", 20),
        (("4|1", "4|3", "5|2", "6|1"), "each_hand", 15),
    ],
)
def test_af_4_the_bonus_of_going_out_is_rounded_to_fives(hands, rounding, points):
    game = rules("all-fives", len(hands), af__round=rounding)
    state, _ = lay(game, position(game, (4, 2), *hands), "4|1")

    assert result(state).points[0] == points


def test_af_stop_round_end_plays_the_round_to_its_end():
    match = new_match(GAMES["all-fives"], 2, {"af.stop": "round_end"})
    from msgspec.structs import replace  # noqa: PLC0415

    match = replace(match, state=position(match.rules, (5, 4), "5|1 3|3", "6|6 4|0"), scores=(145, 0), round=3)
    after, _ = match.apply(next(a for a in match.legal if isinstance(a, Play) and a.out == 1))

    assert after.scores == (150, 0)
    assert not after.over


def claiming(players=4, **options):
    game = rules("all-fives", players, af__claim="manual", **options)
    state, scored = lay(game, start(game, "5|5", "5|0"), "5|5")
    assert scored is None
    assert state.legal == (Claim(), Silent())
    assert state.turn == 0
    return game, state


def test_points_must_be_claimed_before_any_other_action():
    game, state = claiming()

    for action in (Draw(), Pass()):
        with pytest.raises(Illegal):
            game.apply(state, action)


def test_af_after_tie_lot_a_player_drawn_by_lot_leads_any_tile():
    game = rules("all-fives", 4, af__after_tie="lot")

    first, after_tie = (
        game.deal(full_set(6), RoundContext(lot=3)),
        game.deal(full_set(6), RoundContext(lot=3, leader=1)),
    )
    assert first.opening.reason == "double"
    assert (after_tie.turn, after_tie.opening.reason, len(after_tie.legal)) == (3, "lot", 5)
    with pytest.raises(BadOption, match=r"af\.after_tie=lot"):
        rules("all-fives", 2, af__after_tie="lot", opener="rotate")


def test_claimed_points_go_to_the_player_who_made_them():
    game, state = claiming()
    state, events = game.apply(state, Claim())

    assert events == (Scored(0, 10, (10,)),)
    assert state.turn == 1


def test_if_the_maker_is_silent_the_others_may_call_muggins_in_turn():
    game, state = claiming()
    state, events = game.apply(state, Silent())
    assert (state.turn, events) == (1, ())
    state, events = game.apply(state, Silent())
    assert state.turn == 2
    state, events = game.apply(state, Claim())

    assert events == (Scored(2, 10, (10,), snatched=True),)
    assert state.turn == 1


def test_unclaimed_points_are_lost():
    game, state = claiming(2)
    state, _ = game.apply(state, Silent())
    state, events = game.apply(state, Silent())

    assert events == (Scored(0, 0, (10,)),)
    assert state.turn == 1
