"""The table of a game of tricks: the trick, the bidding, and the tricks taken."""

import pytest

from core.actions import Bid, Bury, Lay, Name, Pass
from core.tiles import tile
from tests.tui.hands import MOMENTS, PASS, hand_of, trick_moment
from tests.tui.tables import DARK, NAMES, PLAIN, update_at
from tui.draw.scene import draw_band, draw_foot, draw_middle, draw_words
from tui.draw.tricks import draw_tricks
from tui.model.non_layout_choices import first_choice
from tui.model.presenter import Moment


def board(name, seat=0, width=80, height=13, look=PLAIN):
    return str(draw_middle(trick_moment(name, seat), width, height, look))


def test_the_bids_to_choose_from_stand_in_a_list_with_their_keys():
    text = board("bidding")

    assert "Bid more than 31, or pass." in text
    assert ">a pass<" in text
    for item in ("b 32", "l 41", "m 1 mark", "n 2 marks"):
        assert item in text


def test_every_call_and_the_shaker_are_shown():
    text = board("bidding")

    assert "dora         31" in text
    assert "chen         pass" in text
    assert "bela dealt" in text


def test_a_waiting_player_reads_whose_turn_it_is():
    assert "ada is to bid." in board("bidding", seat=1)
    assert "ada is to name trumps." in board("naming", seat=-1)


def test_trumps_to_name_stand_in_a_list():
    text = board("naming")

    assert "Name trumps, then you lead." in text
    for item in ("a sixes", "i doubles", "j follow me", "nello, doubles a suit", "sevens"):
        assert item in text


def test_the_contract_and_the_tricks_of_each_side_are_shown():
    text = board("trick")

    assert "ada: bid 32" in text
    assert "trumps: fives" in text
    assert "2 + 15 = 17, needs 32" in text
    assert "[5|5][5|0]" in text


def test_a_leader_who_wins_the_trick_so_far_is_marked_only_as_its_winner():
    match = hand_of(Bid(32, 1), PASS, PASS, PASS, Name("number", 5), "6|4 6|2")
    text = str(draw_middle(Moment(update_at(match), None), 80, 13, PLAIN))

    assert "wins so far" in text
    assert "led" not in text.replace("called", "")
    assert "sixes" in text, "the suit led"


def test_a_trick_that_was_taken_stays_with_its_winner_and_points():
    text = board("taken")

    assert "took it" in text
    assert "16 points" in text


def test_the_reader_sits_below_their_partner_above_and_the_next_player_on_the_left():
    rows = board("following", seat=0).split("\n")
    where = {
        name: next((row.find(name, 24, 56), y) for y, row in enumerate(rows) if row.find(name, 24, 56) >= 0)
        for name in NAMES
    }

    assert where["chen"][1] < where["bela"][1] == where["dora"][1] < where["ada"][1]
    assert where["bela"][0] < where["ada"][0] < where["dora"][0]


def test_the_player_who_sits_out_in_nello_is_named():
    match = hand_of(Bid(42, 1), PASS, PASS, PASS, Name("nello", doubles="suit"), contracts="nello")
    text = str(draw_middle(Moment(update_at(match, 1), None), 80, 13, PLAIN))

    assert "sits out" in text
    assert "nello, doubles a suit" in text
    assert "must lose every trick" in text


def test_a_click_on_a_bid_means_that_bid():
    moment = trick_moment("bidding")
    picture = draw_middle(moment, 80, 13, DARK)
    hit = picture.hits[3]

    assert moment.choice.choose_item(hit.at).action == Bid(34, 1)
    assert str(picture).split("\n")[hit.y][hit.x : hit.x + hit.w].split() == ["d", "34"]


def test_the_question_and_the_effect_of_enter_are_named():
    def foot_rows(name, **options):
        moment = trick_moment(name, **options)
        return tuple(line.strip() for line in str(draw_foot(moment, 80, DARK)).split("\n"))

    assert foot_rows("bidding") == ("Enter: pass.", "your turn  Bid more than 31, or pass.")
    assert foot_rows("naming") == ("Enter: name fives.", "your turn  Name trumps, then you lead.")
    assert foot_rows("taken") == ("Enter: lead 2|0.", "your turn  You lead: play any tile.")
    assert foot_rows("following") == ("Enter: lay 5|1.", "your turn  Follow the trump led: fives.")
    assert foot_rows("bidding", seat=2) == ("", "ada is to bid.")


def test_a_tile_that_may_not_be_laid_says_why():
    moment = trick_moment("following")
    chosen = Moment(moment.update, moment.choice.pick(0))

    assert str(draw_words(chosen, 80, DARK)).strip() == "2|0 does not follow; you must play one of the fives."


def test_tiles_are_greyed_only_when_some_may_not_be_laid():
    assert " 1 " in str(draw_band(trick_moment("taken"), 80, 5, DARK))
    assert "1 " not in str(draw_band(trick_moment("bidding"), 80, 5, DARK)).split("\n")[-1]


def test_the_result_in_marks_names_the_bid_and_the_sums():
    text = board("set")
    assert "bela + dora defeated the bid." in text
    assert "1 mark, as you bid" in text
    assert "3 + 1 = 4" in text
    assert "1 + 10 = 11" in text


def test_the_result_in_points_adds_tricks_counts_and_the_bid():
    text = board("set at points")
    assert "1 trick + 5 in counts + 40 bid by you" in text
    assert "90 + 46 = 136" in text


def test_three_players_sit_below_on_the_left_and_on_the_right():
    rows = board("moon").split("\n")
    left, right = next((row.index("bela"), row.rindex("chen")) for row in rows if row.count("chen") == 2)

    assert 20 < left < right
    assert next(row.index("ada") for row in reversed(rows) if "ada" in row) in range(left, right)
    assert "2 tricks, needs 7" in board("moon")


def test_the_taker_of_the_widow_is_asked_to_put_a_tile_away():
    choice = first_choice(MOMENTS["burying"].view(0).play)

    assert len(choice.view.hand) == 8
    assert choice.play == Bury(tile("0|0"))
    assert "Put one tile away, then you name trumps." in board("burying")
    assert "ada is to put a tile away." in board("burying", seat=1)


def test_the_result_of_a_bid_without_a_partner_lists_every_score():
    made, missed = board("moon made"), board("moon missed")

    assert "You made your bid." in made
    assert "4 + 7 = 11" in made
    assert "You missed your bid." in missed
    assert "ada missed the bid." in board("moon missed", seat=1)
    assert "-7 for the missed bid" in missed
    assert "4 - 7 = -3" in missed
    assert "10 + 2 = 12" in missed


def test_a_hand_that_all_passed_names_the_next_step():
    assert "Everybody passed: the next player deals." in board("passed")


@pytest.mark.parametrize("name", sorted(MOMENTS))
def test_a_terminal_without_utf8_gets_only_ascii(name):
    assert board(name, seat=3).isascii()


def test_the_longest_list_of_bids_fits_80_columns():
    hands = (
        "6|6 5|5 4|4 3|3 1|0 2|0 3|0",
        "6|5 6|2 5|4 3|1 2|2 5|1 0|0",
        "5|3 5|2 6|1 4|1 4|0 3|2 1|1",
        "5|0 6|3 6|0 4|3 4|2 6|4 2|1",
    )
    match = hand_of(hands=hands, contracts="nello+plunge+splash+sevens", all_pass="dealer_30")
    view = match.view(0).play
    choice = first_choice(view)
    picture = draw_tricks(Moment(update_at(match), choice), 80, 13, PLAIN)

    assert len(choice.items) == 18
    assert all(choice.item_of_key(key) for key in "abcdefgijklmnorsuv")
    for bid in ("plunge, 4 marks", "splash, 3 marks"):
        assert bid in str(picture)


def test_choosing_goes_round_the_list_and_an_item_has_a_letter():
    choice = trick_moment("bidding").choice

    assert choice.action == Pass()
    assert choice.turn(-1).action == Bid(42, 2)
    assert choice.move(1).action == choice.item_of_key("b").action == Bid(32, 1)
    assert choice.item_of_key("z") is None
    assert choice.pick(2) == choice, "no tile is laid while a bid is asked"


def test_a_tile_is_chosen_by_its_digit_and_only_legal_tiles_have_an_action():
    choice = trick_moment("following").choice

    assert choice.item_of_key("2").action == Lay(tile("5|1"))
    assert choice.item_of_key("1").action is None
    assert choice.item_of_key("9") == choice


def test_the_small_end_is_the_other_way_to_lead_a_tile():
    match = hand_of(Bid(32, 1), PASS, PASS, PASS, Name("number", 5), small_end="on")
    moment = Moment(update_at(match), first_choice(match.view(0).play).pick(4))
    turned = Moment(moment.update, moment.choice.turn(1))

    assert str(draw_words(moment, 80, DARK)).strip() == "Enter: lead 6|4 for sixes."
    assert str(draw_words(turned, 80, DARK)).strip() == "Enter: lead 6|4 for fours."
    assert turned.choice.action == Lay(tile("6|4"), True)
