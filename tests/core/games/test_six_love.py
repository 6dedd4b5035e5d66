"""Six Love, rule by rule (`docs/rules` §C.7)."""

import pytest
from msgspec.structs import replace

from core.actions import Term
from core.games import GAMES
from core.layout.state import NOBODY, End, PlacedTile, RoundContext
from core.match import new_match
from core.tiles import hand, tile
from core.words import BadOption
from tests.core.positions import position, result, rules


def chosen(options):
    return {key.replace("__", "."): value for key, value in options.items()}


def won(match, side):
    """Return the match after a hand that a seat of `side` wins by going out."""
    seats = match.rules.seats
    hands = ["6|5" if seat == side else "4|4 3|3" for seat in range(seats)]
    state = position(match.rules, (6, 1), *hands, turn=side)
    state = replace(state, before=replace(state.before, scores=match.scores))
    return replace(match, state=state, round=match.round + 1).apply(state.legal[0])[0]


def scores_of(winners, players=4, **options):
    """Return the scores after each hand in `winners`: A is side 0, B side 1."""
    match, seen = new_match(GAMES["six-love"], players, chosen(options)), []
    for letter in winners:
        match = won(match, "ABC".index(letter))
        seen.append(match.scores)
    return match, seen


def blocked(*hands, **options):
    """Return the result of a blocked hand with `hands` left."""
    game = rules("six-love", len(hands), **options)
    state = position(game, (6, 6), *(f"6|{n}" for n in range(len(hands))))
    layout, ends = (PlacedTile(tile("6|6"), -1, 0, 6, 0),), (End(0, 0, 9), End(0, 1, 9))
    return result(
        game.complete(replace(state, hands=tuple(map(hand, hands)), layout=layout, ends=ends, legal=(), result=None))
    )


def test_sl_1_in_love_a_win_resets_the_opponents_points_and_six_in_a_row_win():
    match, seen = scores_of("AAAAB" + "AAAAAA", sl__match="love")

    assert seen[:5] == [(1, 0), (2, 0), (3, 0), (4, 0), (0, 0)]
    assert (seen[-1], match.winners, match.round) == ((6, 0), (0,), 11)


def test_sl_1_after_a_reset_the_highest_double_is_posed():
    match, _ = scores_of("AAAAB", sl__match="love")
    assert match.state.result.sums == ((Term("reset", NOBODY, -4),), ())
    assert match.winner == 1
    order = match.rules.tiles
    match, _ = match.deal(order, 0)

    assert (match.turn, match.state.opening.reason) == (3, "double")


def test_sl_2_first_to_six_counts_every_hand_and_love_starts_again():
    match, seen = scores_of("AABABAAA")
    assert (seen[-1], match.winners) == ((6, 2), (0,))

    _, love = scores_of("AABABAAA", sl__match="love")
    assert love == [(1, 0), (2, 0), (0, 0), (1, 0), (0, 0), (1, 0), (2, 0), (3, 0)]


def test_sl_3_one_all_stays_and_the_next_hand_makes_two():
    _, seen = scores_of("ABBA", sl__match="love", sl__one_all="yes")

    assert seen == [(1, 0), (1, 1), (0, 2), (0, 0)]


def test_sl_3_among_three_only_two_can_stand_at_one_all():
    options = {"sl__match": "love", "sl__one_all": "yes"}

    assert scores_of("ABA", 3, **options)[1] == [(1, 0, 0), (1, 1, 0), (2, 0, 0)]
    assert scores_of("ABC", 3, **options)[1][-1] == (0, 0, 0)


def test_sl_4_three_players_take_nine_tiles_each_without_the_double_blank():
    game = rules("six-love", 3)
    assert (len(game.tiles), tile("0|0") in game.tiles, game.sides) == (27, False, 3)
    state = game.deal(game.tiles, RoundContext(lot=0))
    assert ([len(hand) for hand in state.hands], state.boneyard) == ([9] * 3, ())


def test_sl_4_equal_light_hands_win_nothing_and_the_highest_double_leads_next():
    game = rules("six-love", 3)
    over = blocked("5|2", "6|6", "4|3")
    assert (over.winner, over.points, over.tied) == (NOBODY, (0, 0, 0), (0, 2))
    after = game.deal(game.tiles, RoundContext(0, leader=0, winner=NOBODY, round=3, scores=(1, 0, 0)))
    assert after.opening.reason == "double"


def test_one_all_without_love_is_refused_with_both_keys():
    with pytest.raises(BadOption, match=r"sl\.one_all=yes .*sl\.match=love"):
        rules("six-love", 4, sl__one_all="yes")
