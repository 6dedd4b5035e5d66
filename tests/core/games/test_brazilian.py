"""Dominó as Brazil plays it, rule by rule (`docs/rules` §C.2)."""

import pytest
from msgspec.structs import replace

from core.actions import Term
from core.games import GAMES
from core.layout.state import NOBODY, End, PlacedTile, RoundContext
from core.match import new_match
from core.tiles import full_set, hand, in_order, tile
from core.words import BadOption
from tests.core.positions import deal_of, play, position, result, rules


def out(last, on, other, *, carry=(), **options):
    """Return the result of a hand in which P0 lays the last tile on one of two ends."""
    game = rules("brazilian", 4, **options)
    state = position(game, (on, other), last, "6|5", "6|4", "3|0")
    state = replace(state, before=replace(state.before, carry=carry))
    return result(play(game, state, f"{last}@{on}"))


def block(*hands, carry=(), last=0, **options):
    """Return the result of a blocked hand with `hands` left."""
    game = rules("brazilian", 4, **options)
    state = position(game, (6, 6), "6|0", "6|1", "6|2", "6|3")
    state = replace(
        state,
        hands=tuple(map(hand, hands)),
        layout=(PlacedTile(tile("6|6"), -1, 0, 6, last),),
        ends=(End(0, 0, 9), End(0, 1, 9)),
        before=replace(state.before, carry=carry),
        legal=(),
    )
    return result(game.complete(state))


@pytest.mark.parametrize(
    ("last", "ends", "what", "points"),
    [
        ("5|2", (2, 5), "both_ends", 3),
        ("5|2", (5, 2), "both_ends", 3),
        ("2|2", (2, 5), "double", 2),
        ("6|5", (5, 2), "out", 1),
        ("4|4", (4, 4), "cruzada", 4),
        ("4|1", (4, 4), "out", 1),
        ("0|0", (0, 4), "double", 2),
    ],
)
def test_br_1_the_kind_of_the_last_tile_is_the_score(last, ends, what, points):
    over = out(last, *ends)

    assert (over.how, over.sums, over.carry) == ("out", ((Term(what, 0, points),), ()), ())


def test_br_1_some_tables_pay_six_for_a_cruzada():
    assert out("4|4", 4, 4, br__cross=6).points == (6, 0)
    assert out("5|2", 2, 5, br__cross=6).points == (3, 0)


def test_br_2_the_lighter_pair_wins_one_point_by_a_block():
    over = block("5|2", "6|4", "4|3", "6|5")

    assert (over.winner % 2, over.sums, over.carry) == (0, ((Term("block", over.winner, 1),), ()), ())
    assert block("6|6", "5|0", "1|0", "4|4", br__block="single").winner == 2
    assert block("6|6", "5|0", "1|0", "4|2", br__block="team").winner == 1


TIED = ("6|2", "6|3", "5|4", "5|3")


def test_br_2_equal_pairs_win_nothing_and_the_next_hand_that_is_won_counts_twice():
    tied = block(*TIED)
    assert (tied.winner, tied.points, tied.tied, tied.carry) == (NOBODY, (0, 0), (0, 1), (1,))

    assert out("5|2", 2, 5, carry=tied.carry).points == (6, 0)
    assert out("5|2", 2, 5, carry=tied.carry, br__tie="plus_one").points == (4, 0)
    assert out("5|2", 2, 5, carry=tied.carry, br__tie="none").points == (3, 0)
    assert out("5|2", 2, 5, carry=tied.carry).carry == ()


def test_br_2_two_tied_blocks_count_the_next_hand_twice_or_one_more_each():
    twice = block(*TIED, carry=(1,))
    assert twice.carry == (2,)

    assert out("6|5", 5, 2, carry=twice.carry).points == (2, 0)
    assert out("6|5", 5, 2, carry=twice.carry, br__tie="plus_one").points == (3, 0)
    assert out("6|5", 5, 2, carry=twice.carry, br__tie="none").points == (1, 0)


FOUR_DOUBLES = "0|0 1|1 2|2 5|5 6|1 6|2 6|3"


def test_br_3_a_hand_with_four_doubles_is_dealt_again():
    before = RoundContext(0, leader=2, winner=1, round=3, scores=(4, 5), carry=(1,))

    assert deal_of(rules("brazilian", 4), FOUR_DOUBLES, before=before).result.how == "doubles"
    assert deal_of(rules("brazilian", 4, br__redeal=5), FOUR_DOUBLES, before=before).turn == 1
    assert deal_of(rules("brazilian", 4, br__redeal=0), "0|0 1|1 2|2 3|3 4|4 5|5 6|6", before=before).turn == 1


def test_br_3_a_redeal_keeps_leader_number_and_carried_points():
    match = replace(new_match(GAMES["brazilian"], 4, {}), leader=2, winner=1, round=2, carry=(1,), scores=(4, 5))
    four = in_order(FOUR_DOUBLES)
    match, events = match.deal((*four, *(tile for tile in full_set(6) if tile not in four)), 0)
    assert (events[-1].how, match.is_deal_due, match.scores) == ("doubles", True, (4, 5))
    singles = [tile for tile in full_set(6) if not tile.is_double]
    doubles = [tile for tile in full_set(6) if tile.is_double]
    order = [tile for n in range(4) for tile in (*doubles[2 * n : 2 * n + 2], *singles[5 * n : 5 * n + 5])]
    match, _ = match.deal((*order, *(tile for tile in full_set(6) if tile not in order)), 3)

    assert match.state.before == RoundContext(3, 2, 1, 3, (4, 5), (1,))
    assert (match.round, match.deals, match.turn) == (3, 2, 1)


def test_br_3_at_five_points_a_plain_win_makes_six_and_the_match():
    match = new_match(GAMES["brazilian"], 4, {})
    state = position(match.rules, (5, 2), "6|5", "6|4", "6|3", "3|0")
    match = replace(match, state=state, scores=(5, 0), round=7)
    match, _ = match.apply(state.legal[0])

    assert (match.scores, match.winners) == ((6, 0), (0,))


@pytest.mark.parametrize("players", [2, 3])
def test_brazilian_is_for_four_players(players):
    with pytest.raises(BadOption, match="for 4 players"):
        rules("brazilian", players)
