"""The meaning of a line typed in one's turn: a number, a tile, a tile with the letter of an end, draw or pass."""

import pytest

from core.actions import Draw, Play, Shed
from core.layout.state import NOBODY
from core.tiles import Tile
from tests.core.positions import deal_of, one_ended, rules
from tests.tui.hands import MOMENTS
from tests.tui.tables import match_at
from tui.plain.families import find_option, is_answer, layout_table, move_options

NAMES = ("ada", "bela")


def options_at(*position, **more):
    view = match_at(*position, **more).view(0).play
    return view, move_options(view, NAMES)


def meant(line, view, offers):
    meaning = find_option(line, offers, view, NAMES)
    return meaning if isinstance(meaning, str) else meaning.actions[0]


def test_a_half_wild_tile_is_named_by_its_number_and_a_star():
    action = meant("7-* b", *options_at((6, 1), "7|* 6|4 5|5", "0|0", game="spinner"))

    assert (action.tile, action.out) == (Tile(-1, 7), 7)


@pytest.mark.parametrize("line", ["7|*", "7*"])
def test_a_half_wild_tile_without_its_end_is_refused_where_several_are_open(line):
    assert "several ways" in meant(line, *options_at((6, 1), "7|* 6|4 5|5", "0|0", game="spinner"))


def test_every_way_to_play_is_offered_in_a_sentence():
    _, offers = options_at((6, 1), "6|1 6|4 5|5", "0|0")
    assert [offer.text for offer in offers] == [
        "Play 6|1 at a, on the 6.",
        "Play 6|1 at b, on the 1.",
        "Play 6|4 at a, on the 6.",
    ]


@pytest.mark.parametrize("line", ["3", "64", "4|6", "6-4", "6|4 a", "64a", "6/4"])
def test_a_number_or_a_tile_is_played(line):
    assert meant(line, *options_at((6, 1), "6|1 6|4 5|5", "0|0")).tile == Tile(4, 6)


def test_a_letter_chooses_among_the_ends():
    view, offers = options_at((6, 1), "6|1 6|4 5|5", "0|0")
    plays = [meant(line, view, offers) for line in ("61 a", "61 b")]

    assert [(play.at, play.side) for play in plays] == [(end.at, end.side) for end in view.ends]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("61", "There are several ways to do that: type one of 1, 2."),
        ("55", "5|5 fits nowhere: ends 6, 1."),
        ("2|2", "You do not hold 2|2."),
        ("64 b", "That tile does not go there."),
        ("64 z", "That tile does not go there."),
        ("0", "Type a number from 1 to 3, or “help”."),
        ("4", "Type a number from 1 to 3, or “help”."),
        ("hello", "Type a number from 1 to 3, or “help”."),
        ("draw", "You cannot draw now."),
        ("pass", "You cannot pass now."),
        ("claim", "Nothing can be claimed now."),
        ("9" * 5000, "Type a number from 1 to 3, or “help”."),
        ("٣", "Type a number from 1 to 3, or “help”."),
    ],
)
def test_an_impossible_action_is_refused_in_a_sentence(line, why):
    assert meant(line, *options_at((6, 1), "6|1 6|4 5|5", "0|0")) == why


def test_if_nothing_fits_the_player_may_draw_by_number_or_by_word():
    view, offers = options_at((6, 6), "4|1", "5|4", boneyard="5|5 3|2")
    assert [offer.text for offer in offers] == ["Draw."]
    assert meant("1", view, offers) == meant("draw", view, offers) == Draw()


@pytest.mark.parametrize("moment", [name for name, match in MOMENTS.items() if match.turn != NOBODY])
def test_in_games_of_tricks_every_action_has_a_number_of_its_own(moment):
    view = MOMENTS[moment].view(MOMENTS[moment].turn).play
    offers = move_options(view, ("ada", "bela", "chen", "dora"))
    assert tuple(offer.actions[0] for offer in offers) == view.legal
    assert len({offer.text for offer in offers}) == len(offers)
    assert not any(isinstance(offer.actions[0], Play) for offer in offers)


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("", True),
        ("1", True),
        ("64 a", True),
        ("draw", True),
        ("*", True),
        ("hint", True),
        ("leave", False),
        ("say 1", False),
    ],
)
def test_a_line_answers_the_question_or_is_a_command_for_any_time(line, answers):
    assert is_answer(line) == answers


def dragon(*hands, shed=()):
    game = rules("jie-long", 2)
    view = game.view(one_ended(game, 3, *hands, shed=shed), 0)
    return view, move_options(view, NAMES)


def test_a_tile_is_laid_face_down_by_its_number_or_its_name():
    view, offers = dragon("6|6 6|6 5|4", "4|3")

    assert [offer.text for offer in offers] == ["Lay 5|4 face down.", "Lay 6|6 face down."]
    assert meant("2", view, offers) == meant("66", view, offers) == Shed(Tile(6, 6))


def test_a_lead_offers_the_choice_of_the_half_that_stays_open():
    game = rules("jie-long", 2)
    view = game.view(deal_of(game, "6|1", "5|5"), 0)
    offer = find_option("61", move_options(view, NAMES), view, NAMES)

    assert (offer.text, sorted(offer.outward_actions)) == ("Lead 6|1.", [1, 6])


def test_face_down_tiles_of_the_player_are_named_and_those_of_others_counted():
    view, _ = dragon("6|6", "4|3 1|1", shed=("5|4 2|1", "2|2"))

    text = layout_table(None, view, NAMES)
    assert "You have laid face down: 5|4, 2|1." in text
    assert "bela has laid face down: 1 tile." in text


@pytest.mark.parametrize("line", ["00019", "0000000001", "9" * 5000, "0"])
def test_a_number_that_no_offer_has_is_refused_however_it_is_written(line):
    assert meant(line, *options_at((6, 1), "6|1 6|4 5|5", "0|0")) == "Type a number from 1 to 3, or “help”."
