"""Results: the derivation of every number."""

import re

import pytest
from msgspec.structs import replace

from core.actions import RoundOver, Term
from core.layout.policies import hand_terms
from core.layout.state import NOBODY
from core.tiles import hand
from tests.tui.tables import DARK, NAMES, PLAIN, match_at, update_at
from tui.draw.results import draw_result, headline
from tui.draw.scene import draw_words
from tui.model.presenter import Moment
from tui.text.headlines import sum_of


def drawn(match, width=80, height=13, look=PLAIN, you=0, ready=()):
    return str(draw_result(Moment(update_at(match, you, ready=ready)), width, height, look))


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        ((Term("pips", 1, 12), Term("pips", 2, 6)), "12 from bela + 6 from chen"),
        ((Term("pips", 1, 12), Term("own", 0, -5)), "12 from bela − 5 held by ada"),
        ((Term("pips", 1, 12), Term("own", 0, 0)), "12 from bela − 0 held by ada"),
        ((Term("pips", 1, 12), Term("boneyard", NOBODY, 9)), "12 from bela + 9 in the boneyard"),
        ((Term("pips", 1, 12), Term("rounded", NOBODY, -2)), "12 from bela − 2 by rounding"),
        ((Term("share", NOBODY, 6),), "6 as an equal share"),
        ((Term("pips", 1, 12), Term("bonus", 0, -25)), "12 from bela − 25 as ada is out"),
        ((Term("out", 0, 1),), "1 for going out"),
        ((Term("pips", 1, 9), Term("waits", NOBODY, -9)), "9 from bela − 9 that hang"),
        ((Term("pips", 1, 7), Term("hung", NOBODY, 9)), "7 from bela + 9 that hung"),
        ((Term("pips", 1, 11), Term("eggs", NOBODY, 40)), "11 from bela + 40 of eggs"),
        ((Term("pips", 1, 9), Term("lost", NOBODY, -9)), "9 from bela − 9, too few to be written down"),
        (
            (Term("pips", 1, 41), Term("rounded", NOBODY, 4), Term("wall", NOBODY, -35)),
            "41 from bela + 4 by rounding − 35 kept back by the wall",
        ),
        ((Term("got", 1, 12), Term("got", 2, 6)), "12 paid by bela + 6 paid by chen"),
        ((Term("paid", 0, -12),), "−12 paid to ada"),
        ((Term("pips", 1, 27), Term("tens", NOBODY, -24)), "27 from bela − 24 by counting in tens"),
        ((Term("pips", 1, 6), Term("capicua", 0, 25)), "6 from bela + 25 for the capicúa"),
        ((Term("pips", 1, 6), Term("chuchazo", 0, 25)), "6 from bela + 25 for the chuchazo"),
        ((Term("both_ends", 0, 3), Term("unwon", NOBODY, 3)), "3 for the lá-e-lô + 3 for blocks that nobody won"),
        ((Term("cruzada", 0, 4),), "4 for the cruzada"),
        ((Term("double", 0, 2),), "2 for going out with a double"),
        ((Term("block", 0, 1), Term("key", 0, 1)), "1 for the block + 1 for the key"),
        ((Term("reset", NOBODY, -4),), "−4 as all go back to zero"),
        ((Term("pips", 1, 6), Term("hand_bonus", NOBODY, 75)), "6 from bela + 75 as this round's bonus"),
    ],
)
def test_a_sum_explains_each_number_and_payment(terms, text):
    assert sum_of(terms, NAMES) == text


def test_tiles_with_a_special_count_have_a_term_of_their_own():
    terms = hand_terms(hand("* 0|0 6|5 4|0"), 1, 50, 10)

    assert sum_of(terms, NAMES) == "15 from bela + 50 for 0|0 + 20 for wild halves"
    assert sum_of(terms, ()) == "15 + 50 for 0|0 + 20 for wild halves"


def test_a_sum_omits_the_names_of_unnamed_seats():
    assert sum_of((Term("pips", 1, 12), Term("own", 0, -5)), NAMES, unnamed_seats=(0,)) == "12 from bela − 5 held"
    double_blank = hand_terms(hand("* 0|0 6|5 4|0"), 1, 50, 10)
    assert sum_of(double_blank, NAMES, unnamed_seats=(1,)) == "15 + 50 for 0|0 + 20 for wild halves"


def test_a_sum_marks_hands_that_are_rounded_or_counted_in_fives():
    hands = (hand("6|1"), hand("5|0"), hand("6|6"))
    rounded = (Term("pips", 0, 5), Term("pips", 1, 5), Term("pips", 2, 2))

    assert sum_of(rounded, NAMES, hands) == "5 from ada (rounded) + 5 from bela + 2 from chen (in fives)"


def test_the_sum_of_a_hand_lists_the_price_of_the_double_blank_beside_its_pips():
    text = drawn(match_at((6, 6), "0|0 4|1", "", game="mexican-train", zero_zero=50), 100)

    assert "5 + 50 for 0|0 = 55" in text
    assert "5 pips" in text


def test_in_stakes_the_result_lists_the_payments():
    text = drawn(match_at((6, 4), "", "5|4", "1|0", game="stakes"), 100)

    assert "9 paid by bela + 1 paid by chen = 10" in text
    assert "-9 paid to you = -9" in text
    assert "-1 paid to you = -1" in text


def test_in_gaple_the_result_has_each_losers_pips_and_0_for_the_winner():
    text = drawn(match_at((6, 6), "4|1", "5|4", "5|2", game="gaple"), 100)

    assert "Gaple: the round is yours." in text
    assert "0 + 9 = 9" in text
    assert "0 + 7 = 7" in text
    assert "0 + 5 = 5" not in text


def test_a_sum_of_one_number_is_not_repeated_beside_the_score():
    text = drawn(match_at((6, 6), "4|1", "5|4", "5|2", game="gaple"), 100)

    assert "9 = 9" not in text.replace("0 + 9 = 9", "")


def test_a_victory_of_the_reader_stands_between_stars():
    match = match_at((6, 4), "", "5|4", turn=1)

    assert " * You are out with 9|8: the round is yours. *" in drawn(match, you=0)
    assert "  ada is out with 9|8 and wins the round." in drawn(match, you=1).splitlines()


def test_a_hand_too_long_for_one_row_of_the_smallest_tiles_takes_two():
    many = " ".join(f"12|{low}" for low in range(12))
    text = drawn(match_at((6, 4), many, "", game="mexican-train", turn=1), 80, 13)

    assert text.count("[12|") == 12
    assert "+" not in text.split("ada")[1].split("bela")[0]


@pytest.mark.parametrize(("kind", "goat"), [("goat", "goat"), ("sea", "sea goat")])
def test_at_the_end_of_goat_the_headline_names_the_goat(kind, goat):
    match = match_at((6, 6), "4|1", "5|4", game="kozel", koz__kind=kind)
    over = replace(match, scores=(30, 130), winners=(0,), over=True)
    view = over.view(0)

    assert headline(view, view.play.result, NAMES[:2], 0) == f"You win the match! The {goat} is bela."
    assert headline(view, view.play.result, NAMES[:2], 1) == f"ada wins the match. You are the {goat}."


@pytest.mark.parametrize("kind", ["goat", "sea"])
def test_the_headline_of_a_shared_match_of_goat_names_the_winners_alone(kind):
    match = match_at((6, 6), "4|1", "5|4", game="kozel", koz__kind=kind)
    view = replace(match, scores=(30, 30), winners=(0, 1), over=True).view(0)

    assert headline(view, view.play.result, NAMES[:2], 0) == "You share the match with bela."
    assert headline(view, view.play.result, NAMES[:2], -1) == "ada & bela share the match."


@pytest.mark.parametrize(
    ("size", "players", "tile"),
    [
        ((80, 13), 2, ["▐●   ●│     ▌", "▐     │  ●  ▌", "▐●   ●│     ▌"]),
        ((80, 13), 3, ["▐4│1▌"]),
        ((80, 16), 3, ["▐⠛ ⠛│ ⣀ ▌", "▐⣤ ⣤│ ⠉ ▌"]),
        ((104, 34), 4, ["▐●   ●│     ▌", "▐     │  ●  ▌", "▐●   ●│     ▌"]),
    ],
)
def test_remaining_tiles_are_drawn_in_the_largest_face_that_fits(size, players, tile):
    hands = ("4|1", "5|4 1|0", "4|4 3|1", "2|2")[:players]
    lines = drawn(match_at((6, 6), *hands), *size, look=DARK).splitlines()
    first = next(number for number, line in enumerate(lines) if "▐" in line)

    assert [row in line for row, line in zip(tile, lines[first:], strict=False)] == [True] * len(tile)
    assert sum("▐" in line for line in lines) == players * len(tile)


def test_a_hand_too_long_for_lying_tiles_stands_where_there_is_room():
    many = " ".join(f"6|{low}" for low in range(7))
    text = drawn(match_at((6, 4), many, "", turn=1), 104, 34, look=DARK)

    assert "▐●   ●▌ ▐●   ●▌" in text


def test_a_sum_too_long_for_its_row_goes_on_in_the_blank_one_below():
    match = match_at((6, 6), "4|1", "5|4 1|0", "4|4 3|1", "2|2", partners="yes", scores=(40, 55))
    lines = drawn(match, 104, 34).splitlines()
    first = next(number for number, line in enumerate(lines) if "5 from you + 12 from chen" in line)

    assert lines[first].strip().removeprefix("bela + dora").split("55")[0].strip().endswith("held by dora")
    assert lines[first + 1].strip() == "= 3"


def test_a_hand_of_one_pip_is_counted_in_the_singular():
    text = drawn(match_at((6, 6), "1|0", "5|4"), look=DARK)

    assert next(line for line in text.splitlines() if "ada" in line).split()[-2:] == ["1", "pip"]


def test_a_negative_total_has_a_true_minus_sign():
    assert "−40 + 8 = −32" in drawn(match_at((6, 6), "1|0", "5|4", scores=(-40, 0)), look=DARK)


def test_the_headline_names_the_tile_that_went_out():
    won = replace(match_at((6, 4), "", "5|4").view(0), winners=(0,))
    result = RoundOver("out", 0, ((), hand("5|4")), ((), ()))

    assert headline(replace(won, winners=()), result, NAMES[:2], 1) == "ada is out with 9|8 and wins the round."
    assert headline(won, result, NAMES[:2], 0) == "You win the match! You are out with 9|8: the round is yours."


CALLS = [
    ("capicua", "Capicúa!"),
    ("chuchazo", "Chuchazo!"),
    ("both_ends", "Lá-e-lô!"),
    ("cruzada", "Cruzada!"),
    ("key", "A key!"),
]


@pytest.mark.parametrize(("what", "call"), CALLS)
def test_the_headline_calls_out_a_last_tile_that_is_paid_for(what, call):
    view = match_at((6, 4), "6|4", "5|4", "1|0", "2|0", game="partners").view(0)
    result = RoundOver("out", 0, ((), hand("5|4")), ((Term("pips", 1, 9), Term(what, 0, 25)), ()))

    assert headline(view, result, NAMES, 1).startswith(f"{call} ada is out with ")
    assert headline(view, result, NAMES, 0).startswith(f"{call} You are out with ")


def test_a_side_that_loses_a_match_of_partners_without_a_point_has_a_zapato():
    won = replace(match_at((6, 4), "", "5|4", "1|0", "2|0", game="partners").view(0), winners=(0,), scores=(104, 0))
    result = RoundOver("out", 0, ((), hand("5|4")), ((), ()))

    assert headline(won, result, NAMES, 2) == "You win the match, and the others have no point: zapato!"
    assert headline(won, result, NAMES, 1).startswith("ada + chen win the match, and the others have no point")
    assert "zapato" not in headline(replace(won, scores=(104, 9)), result, NAMES, 1)
    draw = replace(match_at((6, 4), "", "5|4").view(0), winners=(0,), scores=(104, 0))
    assert "zapato" not in headline(draw, result, NAMES[:2], 1)


def test_a_match_of_six_love_won_six_to_nothing_is_six_love():
    won = replace(match_at((6, 4), "", "5|4", "1|0", "2|0", game="six-love").view(0), winners=(0,), scores=(6, 0))
    result = RoundOver("out", 0, ((), hand("5|4")), ((), ()))

    assert headline(won, result, NAMES, 0) == "You win the match: six love!"
    assert headline(won, result, NAMES, 1) == "ada + chen win the match: six love!"
    assert "love" not in headline(replace(won, scores=(6, 1)), result, NAMES, 0)


def test_the_headline_says_that_all_scores_go_back_to_0():
    view = match_at((6, 4), "6|4", "5|4", "1|0", "2|0", game="six-love").view(0)
    reset = RoundOver("blocked", 1, ((), hand("5|4")), ((Term("reset", NOBODY, -4),), ()))
    one_all = RoundOver("blocked", 1, ((), hand("5|4")), ((Term("reset", NOBODY, -1),), (Term("block", 1, 1),)))

    assert headline(view, reset, NAMES, 0) == "Blocked: bela wins the round. All scores go back to zero."
    assert headline(view, one_all, NAMES, 0) == "Blocked: bela wins the round."


def test_a_sum_without_room_for_names_keeps_its_numbers():
    assert sum_of((Term("pips", 1, 12), Term("own", 0, -5)), ()) == "12 − 5"


def test_partners_in_a_narrow_window_see_the_whole_sum_without_names():
    text = drawn(match_at((6, 6), "4|1", "5|4 1|0", "4|4 3|1", "2|2", partners="yes", scores=(40, 55)))

    assert "5 + 12 - 10 - 4 = 3" in text
    assert "55 + 3 = 58" in text


@pytest.mark.parametrize(("width", "height"), [(80, 13), (80, 20), (140, 29), (200, 50)])
@pytest.mark.parametrize("look", [DARK, PLAIN])
def test_names_pips_and_scores_are_in_the_picture_at_every_size(width, height, look):
    text = drawn(match_at((6, 6), "4|1", "5|4 1|0", "4|4 3|1", "2|2", scores=(40, 55, 0, 9)), width, height, look)

    assert len(text.split("\n")) == height
    for word in (*NAMES, "5 pips", "10 pips", "12 pips", "4 pips", "40", "55"):
        assert word in text


def test_ready_players_are_ticked():
    text = drawn(match_at((6, 6), "4|1", "5|4"), ready=(1,))

    assert "* bela" in text
    assert "* ada" not in text


def test_each_row_of_a_long_hand_says_how_many_tiles_are_not_shown():
    long_hand = [f"{high}|{low}" for high in range(6) for low in range(high + 1)]
    text = drawn(match_at((6, 6), " ".join(long_hand), "5|5"))
    rows = [(line.count("["), re.search(r"\] \+(\d+)", line)) for line in text.splitlines()]
    drawn_counts, hidden_counts = zip(*[(tiles, int(more[1])) for tiles, more in rows if more], strict=True)

    assert hidden_counts == (3, 2)
    assert sum(drawn_counts) + sum(hidden_counts) == len(long_hand)


@pytest.mark.parametrize(
    ("match", "you", "words"),
    [
        (match_at((6, 6), "4|1", "5|4", scores=(99, 0)), 0, "You win the match!"),
        (match_at((6, 6), "4|1", "5|4", scores=(99, 0)), 1, "ada wins the match."),
        (match_at((6, 6), "4|1", "5|4"), 0, "Blocked: the round is yours."),
        (match_at((6, 6), "4|1", "5|4"), -1, "Blocked: ada wins the round."),
        (match_at((6, 6), "4|1", "3|2"), 0, "Blocked: you tie with bela, so nobody scores."),
        (match_at((6, 6), "4|1", "3|2", "5|5", tie="share"), 0, "Blocked: you share the round with bela."),
    ],
)
def test_the_headline_names_the_winner_of_the_match_or_of_a_blocked_round(match, you, words):
    best = max(match.scores)
    view = replace(match.view(you), winners=(0,) if best >= 100 else ())

    assert headline(view, view.play.result, NAMES[: match.rules.seats], you) == words


def test_after_a_match_the_result_says_that_enter_shows_how_it_went():
    match = replace(match_at((6, 1), "", "0|0"), over=True)

    assert "Enter: how the match went" in str(draw_words(Moment(update_at(match), shows_result=True), 120, DARK))


def test_a_sum_addresses_the_readers_seat_by_its_number_not_by_its_name():
    terms = (Term("pips", 0, 10), Term("pips", 1, 6), Term("own", 0, 2))

    assert sum_of(terms, ("ada", "You"), reader_seat=0) == "10 from you + 6 from You − 2 held by you"
    assert sum_of(terms, ("ada", "bela")) == "10 from ada + 6 from bela − 2 held by ada"
