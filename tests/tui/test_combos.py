"""Tien Gow on the screen and in words: picking tiles, the effect of Enter, and the view of others."""

import pytest
from msgspec.structs import replace

from core.actions import Beat, Hid, Hide, Lead, Matched, Scored, Took
from core.combos.state import ComboState, LaidCombo
from core.games import GAMES
from core.layout.state import RoundContext
from core.match import new_match
from core.tiles import hand
from core.variant import tag_of
from tests.tui.tables import PLAIN, update_at
from tui.draw.combos import draw_combos
from tui.model.non_layout_choices import ComboChoice, combo_choice
from tui.model.presenter import Moment
from tui.plain.families import combo_so_far_lines, find_option, is_answer, move_options
from tui.text.non_layout import combo_event_sentence, combo_sentence

RULES = GAMES["tien-gow"].rules(4, {})[1]
NAMES = ("ada", "bela", "chen", "dora")


def view(own, led="", seat=0, hidden=""):
    """Return a seat's view when seat 0 is to play: its hand, a lead if `led`, and a hidden lay of another seat if
    `hidden`.
    """
    puts = [LaidCombo(3, hand(led), True)] if led else []
    if hidden:
        puts = [LaidCombo(2, hand(led), True), LaidCombo(3, hand(hidden), False)]
    state = ComboState((hand(own), *(hand("5|1 6|1"),) * 3), 2, 0, RoundContext(0), 1, tuple(puts))
    return RULES.view(RULES.complete(state), seat)


def picked(choice, keys):
    for key in keys:
        choice = choice.press(key).choice
    return choice


def test_a_view_of_combinations_has_the_tag_of_its_family():
    assert tag_of(view("6|6")) == "combos"


def test_at_first_something_legal_is_proposed_and_the_first_digit_replaces_it():
    choice = combo_choice(view("5|1 6|6 6|6 6|3", led="5|5 5|5"), None)
    assert (choice.proposed, choice.action) == (True, Beat(hand("6|6 6|6")))

    assert picked(choice, "1").picked == (0,)
    assert picked(choice, "12").action == Hide(hand("5|1 6|3"))


def test_digits_pick_the_tiles_that_are_led_together_and_put_them_back():
    choice = ComboChoice(view("5|1 6|6 6|6 6|3"))

    assert picked(choice, "23").action == Lead(hand("6|3 6|6"))
    assert picked(choice, "234").action == Lead(hand("6|3 6|6 6|6"))
    assert picked(choice, "2343").action == Lead(hand("6|3 6|6"))
    assert picked(choice, "12").action is None


def test_one_tile_too_many_puts_the_oldest_back():
    assert picked(ComboChoice(view("5|1 6|1 6|4", led="6|6")), "12").action == Hide(hand("6|1"))


def test_arrows_pick_a_tile():
    assert ComboChoice(view("5|1 6|6 6|6 6|3")).move(1).turn(1).picked == (1,)


def test_a_click_picks_a_tile_of_the_hand_alone():
    choice = picked(ComboChoice(view("5|1 6|6 6|6 6|3")), "2")

    assert choice.click(2, 0, in_hand=True).choice.picked == (1, 2)
    assert choice.click(2, 0, in_hand=False).choice is None


def test_escape_puts_all_picked_tiles_back():
    assert picked(ComboChoice(view("5|1 6|6 6|6 6|3")), "23").back().picked == ()


def test_p_hides_tiles_that_could_beat():
    choice = picked(ComboChoice(view("5|1 6|6", led="5|5")), "2")

    assert (choice.action, choice.refusal) == (Beat(hand("6|6")), Hide(hand("6|6")))


@pytest.mark.parametrize(
    ("keys", "led", "sentence"),
    [
        ("1", "", "Enter: lead 5|1; digits pick tiles."),
        ("12", "", "5|1 6|3 may not be laid together."),
        ("34", "5|5 5|5", "Enter: beat with 6|6 6|6; p: hide."),
        ("12", "5|5 5|5", "Enter: hide 5|1 6|3; digits pick others."),
        ("1", "5|5 5|5", "Pick 1 tile more."),
    ],
)
def test_the_sentence_names_the_effect_of_enter_or_why_there_is_none(keys, led, sentence):
    assert combo_sentence(picked(ComboChoice(view("5|1 6|6 6|6 6|3", led=led)), keys), NAMES) == sentence


@pytest.mark.parametrize(
    ("event", "yours", "theirs"),
    [
        (Matched(0, hand("6|6 6|3")), "You lead 6|3 6|6.", "ada leads 6|3 6|6."),
        (Matched(0, hand("6|6"), True), "You beat it with 6|6.", "ada beats it with 6|6."),
        (
            Matched(0, hand("4|2 2|1")),
            "You lead the supreme pair, 2|1 4|2.",
            "ada leads the supreme pair, 2|1 4|2.",
        ),
        (Took(0, 1, ()), "You take the trick.", "ada takes the trick."),
        (
            Took(0, 3, ()),
            "You take the trick, which counts as 3 tricks.",
            "ada takes the trick, which counts as 3 tricks.",
        ),
        (Scored(0, 12, reason="supreme"), "You get 12 at once.", "ada gets 12 at once."),
        (Scored(0, -4, reason="supreme"), "You pay 4 at once.", "ada pays 4 at once."),
    ],
)
def test_events_are_told_differently_to_their_player_and_to_others(event, yours, theirs):
    assert combo_event_sentence(event, NAMES, 0, 4) == yours
    assert combo_event_sentence(event, NAMES, 1, 4) == theirs


def test_hidden_tiles_are_named_to_their_owner_and_counted_for_others():
    assert combo_event_sentence(Hid(0, 2, hand("5|1 6|1")), NAMES, 0, 4) == "You hide 5|1 6|1."
    assert combo_event_sentence(Hid(0, 2), NAMES, 1, 4) == "ada hides 2 tiles."


def test_the_table_shows_the_trick_and_hidden_tiles_face_down():
    match, _events = new_match(GAMES["tien-gow"], 4, {}).deal(RULES.tiles, 0)
    seen = replace(match.view(0), play=view("6|6 5|1", "5|5", hidden="2|1"))
    text = str(draw_combos(Moment(replace(update_at(match), match=seen)), 80, 13, PLAIN))

    assert "[###" in text
    assert "ada - 0 tricks" in text
    assert "banker - wins so far" in text


def test_in_plain_text_tiles_are_typed_together():
    seen = view("5|1 6|6 6|6 6|3", led="5|5 5|5")
    offers = move_options(seen, NAMES)

    assert offers[0].text == "Beat it with 6|6 6|6."
    assert find_option("66 66", offers, seen, NAMES).actions == (Beat(hand("6|6 6|6")),)
    assert find_option("hide 66 66", offers, seen, NAMES).actions == (Hide(hand("6|6 6|6")),)
    assert find_option("51 63", offers, seen, NAMES).actions == (Hide(hand("5|1 6|3")),)
    assert find_option("51 55", offers, seen, NAMES) == "You cannot lay these tiles together now."
    assert is_answer("hide 51 63")


def test_in_plain_text_many_ways_to_hide_are_one_line():
    seen = view("5|1 6|1 6|4 2|2 3|3", led="6|6 6|6")

    assert [offer.text for offer in move_options(seen, NAMES)] == ["Hide 5|1 6|1; or type “hide” and other tiles."]


def test_in_plain_text_the_trick_is_told_so_far():
    seen = view("5|1 6|1 6|4 2|2 3|3", led="6|6 6|6")

    assert combo_so_far_lines(seen, NAMES) == ["dora leads 6|6 6|6."]
