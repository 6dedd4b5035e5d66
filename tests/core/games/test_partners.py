"""Partners, rule by rule (`docs/rules` §C.1)."""

import pytest
from msgspec.structs import replace

from core.actions import Pass, Passed, Scored, Term
from core.layout.state import NOBODY, End, Opening, PlacedTile, RoundContext
from core.tiles import full_set, hand, tile
from core.words import BadOption
from tests.core.positions import deal_of, play, position, result, rules

PASS = Pass()
DOMINICAN = {
    "pt__count": "all",
    "pt__block": "single",
    "pt__tie": "leader",
    "pt__capicua": 25,
    "pt__chuchazo": 25,
    "pt__pass_first": 25,
    "pt__pass_all": 25,
    "target": 200,
}
THIRTY = DOMINICAN | {
    "pt__block": "duel",
    "pt__tie": "blocker",
    "pt__capicua": 30,
    "pt__chuchazo": 30,
    "pt__pass_first": 30,
    "pt__pass_all": 30,
    "pt__pass_stop": 30,
}
CUBAN_EAST = {
    "target": 20,
    "pt__pay": "tens",
    "pt__count": "all",
    "pt__block": "single",
    "pt__tie": "leader",
    "pt__capicua": "double",
    "pt__first_pass": 2,
}
PUERTO_RICAN = {
    "target": 500,
    "pt__count": "all",
    "pt__capicua": 100,
    "pt__chuchazo": 100,
    "pt__hand_bonus": "yes",
}


def out(last, on, other, *others, number=1, **options):
    """Return the result of a round in which P0 lays the last tile on one of two ends; P1 to P3 hold `others`."""
    game = rules("partners", 4, **options)
    state = position(game, (on, other), last, *(others or ("6|5", "0|0", "0|0")))
    state = replace(state, before=replace(state.before, round=number))
    return result(play(game, state, f"{last}@{on}"))


def block(*hands, led, last, **options):
    """Return the result of a blocked round with `hands` of P0 to P3."""
    game = rules("partners", 4, **options)
    held = [hand(text) for text in hands]
    layout = (PlacedTile(tile("6|6"), -1, 0, 6, last),)
    state = position(game, (6, 6), "6|0", "6|1", "6|2", "6|3")
    state = replace(
        state,
        hands=tuple(held),
        layout=layout,
        ends=(End(0, 0, 9), End(0, 1, 9)),
        opening=Opening(led, (), "winner"),
    )
    return result(game.complete(replace(state, legal=())))


def led(tile_led, following, **options):
    """Return the events that follow a pass of the seat after the leader, P0, who has led `tile_led`."""
    game = rules("partners", 4, **options)
    state = deal_of(game, tile_led, following, before=RoundContext(0, leader=3, winner=0, scores=(0, 0)))
    state = play(game, state, tile_led)
    return game.apply(state, PASS)[1][1:]


# Worked examples


def test_pt_1_the_pips_of_the_losers_or_of_all_hands_count():
    hands = ("6|4 1|0", "5|2", "3|3")
    assert out("6|5", 6, 1, *hands).points == (17, 0)
    assert out("6|5", 6, 1, *hands, pt__count="all").points == (24, 0)


PT_2 = {"hands": ("5|4", "4|0", "5|3", "5|4 5|0"), "led": 1, "last": 3}


@pytest.mark.parametrize(
    ("rule", "winner", "losers", "every"),
    [("team", 2, (18, 0), (35, 0)), ("single", 1, (0, 17), (0, 35)), ("duel", 0, (18, 0), (35, 0))],
)
def test_pt_2_a_block_goes_to_the_lighter_pair_lightest_hand_or_lighter_neighbour(rule, winner, losers, every):
    over = block(*PT_2["hands"], led=1, last=3, pt__block=rule)

    assert (over.how, over.winner, over.points, over.tied) == ("blocked", winner, losers, ())
    assert block(*PT_2["hands"], led=1, last=3, pt__block=rule, pt__count="all").points == every


PT_3 = ("5|0", "4|1", "6|6", "5|5 2|0")


@pytest.mark.parametrize("rule", ["team", "single", "duel"])
@pytest.mark.parametrize(
    ("tie", "winner", "points"), [("none", -1, (0, 0)), ("leader", 1, (0, 17)), ("blocker", 2, (17, 0))]
)
def test_pt_3_a_block_of_equal_hands_is_a_draw_or_goes_by_the_house_rule(rule, tie, winner, points):
    over = block(*PT_3, led=1, last=2, pt__block=rule, pt__tie=tie)

    assert (over.winner, over.points, over.tied) == (winner, points, (0, 1))


def test_pt_3_with_tie_others_the_seat_after_the_last_to_lay_wins_a_tied_block():
    assert block(*PT_3, led=1, last=2, pt__tie="others").winner == 3
    assert block(*PT_3, led=1, last=2, pt__tie="others", pt__count="all").points == (0, 34)


def test_pt_3_after_a_drawn_block_the_seat_after_the_leader_leads():
    state = rules("partners", 4).deal(full_set(6), RoundContext(0, leader=1, winner=NOBODY, round=2))

    assert (state.turn, state.opening.reason, len(state.legal)) == (2, "rotation", 7)


@pytest.mark.parametrize(
    ("last", "on", "other", "different", "any_ends"),
    [
        ("5|3", 3, 5, "capicua", "capicua"),
        ("5|3", 5, 3, "capicua", "capicua"),
        ("6|3", 3, 3, None, "capicua"),
        ("3|3", 3, 3, None, None),
        ("4|0", 0, 4, "capicua", "capicua"),
        ("0|0", 0, 4, "chuchazo", "chuchazo"),
        ("0|0", 0, 0, None, None),
        ("6|3", 3, 1, None, None),
    ],
)
def test_pt_4_conditions_of_a_capicua_and_a_chuchazo(last, on, other, different, any_ends):
    for ends, wanted in (("different", different), ("any", any_ends)):
        over = out(last, on, other, pt__capicua=50, pt__chuchazo=30, pt__capicua_ends=ends)
        bonus = [term.kind for term in over.sums[0] if term.kind != "pips"]
        assert bonus == ([wanted] if wanted else [])
        assert over.points == (11 + {None: 0, "capicua": 50, "chuchazo": 30}[wanted], 0)


def test_pt_5_three_passes_after_a_play_pay_its_player_if_they_can_play_again():
    game = rules("partners", 4, **DOMINICAN)
    state = play(game, position(game, (2, 6), "6|4 2|2", "3|1", "5|5", "1|0"), "6|4")
    all_events = []
    for _ in range(3):
        state, events = game.apply(state, PASS)
        all_events += events

    assert all_events == [*(Passed(seat, "no_drawing") for seat in (1, 2, 3)), Scored(0, 25, reason="round_pass")]
    assert (state.turn, state.made) == (0, (25, 0))


def test_pt_5_a_play_that_shuts_the_line_pays_no_bonus():
    game = rules("partners", 4, **DOMINICAN)
    state = play(game, position(game, (2, 6), "6|4 1|1", "3|1", "5|5", "1|0"), "6|4")

    assert (result(state).how, state.made) == ("blocked", ())


def test_pt_6_puerto_rican_hands_have_bonuses_of_their_own():
    over = out("5|3", 3, 5, "6|5 5|4", "6|4", "1|0", number=2, **PUERTO_RICAN)

    assert over.points == (31 + 100 + 75, 0)
    assert over.sums[0][-2:] == (Term("capicua", 0, 100), Term("hand_bonus", NOBODY, 75))
    assert out("5|3", 3, 5, "6|5", "0|0", "0|0", number=4, **PUERTO_RICAN).points == (11 + 100 + 25, 0)
    assert out("5|3", 3, 5, "6|5", "0|0", "0|0", number=5, **PUERTO_RICAN).points == (11 + 100, 0)


def test_pt_6_a_pass_right_after_the_lead_pays_once_for_a_double_twice_for_a_single():
    assert led("6|6", "5|4 5|3 4|3 2|1 1|0 3|2 4|1", **DOMINICAN) == (Scored(0, 25, reason="lead_pass"),)
    assert led("5|1", "6|4 6|3 4|3 2|0 4|0 3|2 4|4", **DOMINICAN) == (Scored(0, 50, reason="lead_pass"),)


@pytest.mark.parametrize(("has", "paid"), [(169, 30), (170, 0), (300, 0)])
def test_pt_6_near_the_target_passes_pay_nothing_any_more(has, paid):
    game = rules("partners", 4, **THIRTY)
    following = "5|4 5|3 4|3 2|1 1|0 3|2 4|1"
    state = play(game, deal_of(game, "6|6", following, before=RoundContext(0, 3, 0, 2, (has, 0))), "6|6")
    after, events = game.apply(state, PASS)

    assert [event.points for event in events[1:]] == [paid] * bool(paid)
    assert after.score(0) == has + paid
    capicua = position(game, (3, 5), "5|3", "6|5", "0|0", "0|0")
    capicua = replace(capicua, before=replace(capicua.before, scores=(has, 0)))
    assert result(play(game, capicua, "5|3@3")).points == (11 + 30, 0), "a capicúa always pays"


def test_pt_6_points_made_in_the_same_hand_count_too():
    game = rules("partners", 4, **THIRTY)
    state = position(game, (2, 6), "6|4 2|2", "3|1", "5|5", "1|0")
    state = replace(state, before=replace(state.before, scores=(140, 0)), made=(30, 0))
    state = play(game, state, "6|4")
    for _ in range(3):
        state, events = game.apply(state, PASS)

    assert events == (Passed(3, "no_drawing"),)


@pytest.mark.parametrize(
    ("others", "plain", "capicua"),
    [
        (("6|6 5|5", "5|0", "0|0"), 3, 6),
        (("6|6", "5|3", "0|0"), 2, 4),
        (("1|1", "0|0", "0|0"), 0, 0),
        (("6|6 5|5", "5|4", "6|4"), 5, 10),
    ],
)
def test_pt_7_in_tens_a_hand_pays_two_to_five_and_a_capicua_doubles_it(others, plain, capicua):
    assert out("5|3", 3, 1, *others, **CUBAN_EAST).points == (plain, 0)
    assert out("5|3", 3, 5, *others, **CUBAN_EAST).points == (capicua, 0)


# Leading


def deal(before, **options):
    game = rules("partners", 4, **options)
    return game.deal(game.tiles[::-1], before)


def test_with_the_double_nine_set_and_no_double_the_heaviest_tile_is_led():
    game = rules("partners", 4, set=9)
    singles = [tile for tile in game.tiles if not tile.is_double]
    doubles = [tile for tile in game.tiles if tile.is_double]
    order = (*singles[:30], *singles[30:40], *doubles, *singles[40:])
    state = game.deal(order, RoundContext(lot=0))

    assert (state.opening.reason, len(state.boneyard), [len(hand) for hand in state.hands]) == (
        "heaviest",
        15,
        [10] * 4,
    )


def test_a_seat_by_lot_may_lead_the_first_hand():
    state = deal(RoundContext(lot=2), pt__first="lot")

    assert (state.turn, state.opening.reason) == (2, "lot")


@pytest.mark.parametrize(
    ("how", "seat", "reason"), [("winner", 3, "winner"), ("rotate", 2, "rotation"), ("double", 0, "double")]
)
def test_the_leader_of_later_hands_follows_the_house_rule(how, seat, reason):
    state = deal(RoundContext(0, leader=1, winner=3, round=2), pt__lead=how)

    assert (state.turn, state.opening.reason) == (seat, reason)


# Passes of the match, and its end


def test_only_the_first_pass_of_a_match_pays_the_other_side_two():
    game = rules("partners", 4, **CUBAN_EAST)
    state = position(game, (2, 6), "3|3", "6|1", "5|5", "1|0 4|4")
    state = replace(state, turns=len(state.layout) - 1)
    after, events = game.apply(state, PASS)
    assert events == (Passed(0, "no_drawing"), Scored(1, 2, reason="first_pass"))

    after = play(game, after, "6|1")
    assert result(after).carry == (1,)
    later = replace(state, before=replace(state.before, carry=(1,)))
    assert game.apply(later, PASS)[1] == (Passed(0, "no_drawing"),)


def test_house_rules_that_exclude_each_other_are_refused_with_both_keys():
    with pytest.raises(BadOption, match=r"pt\.pass_stop=30 .*target=20"):
        rules("partners", 4, pt__pass_stop=30, target=20)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_partners_is_for_four_players(players):
    with pytest.raises(BadOption, match="for 4 players"):
        rules("partners", players)
