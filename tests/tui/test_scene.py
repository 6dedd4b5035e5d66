"""The table as pictures: everything a player needs is there, at every size, with and without colour."""

import pytest
from msgspec.structs import replace

from core.actions import Drew, RoundOver, Term
from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.tiles import STAR, tile
from net.wire.messages import SeatInfo, TableInfo, Update
from tests.core.positions import one_ended
from tests.tui.tables import DARK, NAMES, PLAIN, match_at, moment_at, update_at
from tui.draw.scene import (
    draw_band,
    draw_foot,
    draw_middle,
    draw_seats,
    draw_story,
    draw_surroundings,
    draw_title,
    draw_words,
    put_into_surroundings,
)
from tui.draw.window_layout import divide_rows, draw_too_small, rows_for_table
from tui.model.choice import Choice
from tui.model.presenter import Moment, presenter_of


def text(picture):
    return str(picture)


def test_the_rows_of_the_parts_add_up_to_the_height():
    for height in range(24, 120):
        rows = divide_rows(height)

        parts = (rows.title, rows.players, rows.board, rows.story, rows.hand, rows.sentence, rows.status)
        assert sum(parts) == height
        assert rows.board >= 12


def test_the_title_tells_game_target_round_and_boneyard():
    moment = moment_at((6, 1), "6|4", "0|0", boneyard="5|5 4|4")

    assert text(draw_title(moment, 80, DARK)).split() == [
        "BONEYARD",
        "Draw",
        "·",
        "to",
        "100",
        "·",
        "round",
        "2",
        "boneyard",
        "2",
    ]


def test_where_ends_are_counted_the_title_has_their_sum():
    moment = moment_at((6, 4), "6|1", "0|0", game="all-fives", boneyard="5|5")

    assert "ends 6+4 = 10   boneyard 1" in text(draw_title(moment, 80, DARK))


def test_tiles_that_may_never_be_drawn_are_counted_separately():
    assert "boneyard 1, out of play" in text(
        draw_title(moment_at((6, 1), "6|4", "0|0", boneyard="5|5", game="block"), 80, DARK)
    )
    reserved = moment_at((6, 1), "6|4", "0|0", boneyard="5|5 4|4 3|3", draw__reserve=2)
    assert "boneyard 3, 2 stay" in text(draw_title(reserved, 80, DARK))


def test_every_player_has_name_score_and_tiles_and_the_one_in_turn_is_marked():
    moment = moment_at((6, 1), "6|4 5|5", "0|0", "1|1 2|2 3|3", scores=(12, 34, 56))
    names, backs = text(draw_seats(moment, 80, PLAIN)).splitlines()

    assert names.split() == [">", "ada", "12", "bela", "34", "chen", "56"]
    assert backs.split() == ["#", "#", "2", "you", "#", "1", "#", "#", "#", "3"]


def test_partners_sit_opposite_have_a_mark_and_one_score_in_the_title():
    moment = moment_at((6, 1), "6|4", "0|0", "1|1", "2|2", partners="yes", scores=(12, 34))
    names, tiles = text(draw_seats(moment, 80, PLAIN)).splitlines()

    assert names.split() == ["o", "bela", "*", "chen", "o", "dora", ">", "*", "ada"]
    assert "partner" in tiles[20:40]
    assert "you" in tiles[60:]
    assert "* ada + chen 12   o bela + dora 34" in text(draw_title(moment, 120, PLAIN))
    assert "* 12  o 34" in text(draw_title(moment, 56, PLAIN))


def test_after_a_round_all_hands_are_turned_over_and_pips_count_up_to_the_score():
    update = update_at(replace(match_at((6, 1), "", "0|0 5|4"), scores=(9, 0)))
    over = RoundOver("out", 0, ((), tuple(map(tile, ("0|0", "5|4")))), ((Term(1, "pips", 9),), ()))
    update = replace(update, match=replace(update.match, play=replace(update.match.play, turn=-1, result=over)))
    begun, done = (Moment(update, counted_share=share, is_live=False) for share in (0.0, 1.0))

    assert [line.split() for line in text(draw_seats(begun, 80, PLAIN)).splitlines()] == [
        ["ada", "0", "bela", "0"],
        ["out", "0|0", "5|4", "0"],
    ]
    assert [line.split() for line in text(draw_seats(done, 80, PLAIN)).splitlines()] == [
        ["ada", "+9", "9", "bela", "0"],
        ["out", "0|0", "5|4", "9"],
    ]


def test_a_waiting_table_shows_neither_scores_nor_tiles():
    update = replace(update_at(match_at((6, 1), "6|4", "0|0")), match=None)

    assert text(draw_seats(Moment(update), 80, PLAIN)).split() == ["ada", "bela", "you"]


def test_bots_and_absent_players_are_marked_in_words():
    seats = (SeatInfo("ada", away=True), SeatInfo("bela", "greedy"))
    moment = Moment(update_at(match_at((6, 1), "6|4", "0|0"), -1, seats=seats))

    assert "away, bot plays" in text(draw_seats(moment, 80, DARK))
    assert "bot" in text(draw_seats(moment, 80, DARK)).splitlines()[1].split()


def test_an_end_where_the_chosen_tile_goes_has_its_key_and_its_number():
    moment = moment_at((6, 1), "6|1", "0|0")
    board = text(draw_middle(moment, 80, 13, PLAIN))

    assert ">a 6<" in board
    assert " b 1" in board


def test_an_end_where_it_does_not_go_has_its_number_alone():
    board = text(draw_middle(moment_at((6, 1), "6|4", "0|0"), 80, 13, PLAIN))

    assert ">a 6<" in board
    assert "b 1" not in board
    assert " 1" in board


def test_playable_tiles_have_their_number_under_them_and_others_have_none():
    moment = moment_at((6, 1), "4|3 6|4 6|5 5|5", "0|0")
    under = text(draw_band(moment, 80, 5, PLAIN)).splitlines()[-1].split()

    assert list(moment.choice.playable) == [1, 3]
    assert under == ["4"], "the chosen one is raised, its number with it"


def test_a_spectator_sees_an_empty_band():
    moment = Moment(update_at(match_at((6, 1), "6|4", "0|0"), -1))

    assert text(draw_band(moment, 80, 5, PLAIN)).strip() == ""
    assert "watching" in text(draw_title(moment, 80, DARK))


@pytest.mark.parametrize(
    ("moment", "sentence"),
    [
        (moment_at((6, 1), "6|4", "0|0"), "Enter: play 6|4 on the 6."),
        (moment_at((6, 1), "6|1", "0|0"), "Enter: play 6|1 at a, on the 6."),
        (moment_at((6, 1), "4|4", "0|0", boneyard="5|5"), "Enter: draw."),
        (moment_at((6, 1), "4|4", "1|0"), "Enter: pass."),
        (moment_at((6, 1), "4|4", "1|0", turn=1), ""),
        (moment_at((6, 1), "6|4", "0|0", warning="No."), "No."),
        (moment_at((6, 6), "4|4", "5|0"), "Enter: deal the next round."),
    ],
)
def test_a_sentence_names_the_effect_of_enter(moment, sentence):
    assert text(draw_words(moment, 80, DARK)).strip() == sentence


def test_the_status_line_has_the_player_on_turn_and_the_question():
    stuck = moment_at((6, 1), "4|4", "0|0", boneyard="5|5")

    assert text(draw_foot(stuck, 80, DARK)).splitlines()[1].strip() == "your turn  Nothing fits, ends 6, 1: draw."
    assert "bela is to play" in text(draw_foot(moment_at((6, 1), "4|4", "1|0", turn=1), 80, DARK))


def test_the_longest_status_line_fits_80_columns():
    moment = moment_at((6, 5), "4|4", "6|0")

    assert text(draw_foot(moment, 80, DARK)).rstrip().endswith("pass.")


def test_before_the_match_the_table_names_free_seats_and_house_rules():
    match = match_at((6, 1), "6|4", "0|0", target=50)
    seats = (SeatInfo("ada"), SeatInfo())
    table = TableInfo(1, "ada", "draw", match.options, seats, 0, "waiting")
    board = text(draw_middle(Moment(Update(1, table, 0, None)), 80, 13, DARK))

    assert "Waiting for 1 more player." in board
    assert "points that end the match: 50 points" in board
    assert "tiles drawn in one turn" not in board


def test_a_result_shows_all_hands_and_the_sums_that_lead_to_the_scores():
    board = text(draw_middle(moment_at((6, 6), "4|1", "5|4", "4|4 3|1", scores=(10, 20, 30)), 80, 13, PLAIN))

    assert "Blocked: the round is yours." in board
    assert "[ 5 | 4 ]" in board
    assert "9 from bela + 12 from chen - 5 held = 16" in board
    assert "10 + 16 = 26" in board


def test_a_tie_gives_the_reason_for_no_score():
    board = text(draw_middle(moment_at((6, 6), "4|3", "5|2"), 80, 13, DARK))

    assert "you tie with bela, so nobody scores." in board


@pytest.mark.parametrize(("width", "height"), [(1, 1), (10, 3), (49, 18), (60, 17)])
def test_a_window_that_is_too_small_names_the_required_size(width, height):
    picture = draw_too_small(width, height, DARK)

    assert len(picture.rows) == height
    if width >= 40:
        assert "50×18" in text(picture)
        assert f"{width}×{height}" in text(picture)


def test_names_in_wide_letters_keep_the_columns_straight():
    seats = (SeatInfo("李小龍李小龍李小"), SeatInfo("bela"))
    moment = Moment(update_at(match_at((6, 1), "6|4", "0|0"), 0, seats=seats))
    from rich.cells import cell_len  # noqa: PLC0415

    for row in draw_seats(moment, 80, DARK).rows:
        assert cell_len("".join(part for part, _ in row)) == 80


def test_lanes_carry_the_scores_of_their_players_where_there_is_no_panel():
    steps = play_match(new_match(GAMES["mexican-train"], 4, {}), ("greedy",) * 4, b"1", "test")
    match = next(step.match for step in steps if step.match.state and len(step.match.state.layout) > 9)
    update = update_at(replace(match, scores=(7, 120, 0, 33)), match.turn)
    rows = rows_for_table(update, 80, 24)
    moment = Moment(update, lanes_have_scores=rows.lanes_have_scores)
    table_text = str(
        put_into_surroundings(draw_surroundings(moment, 80, rows, DARK), draw_middle(moment, 80, rows.board, DARK))
    )

    for seat, (name, score) in enumerate(zip(NAMES, (7, 120, 0, 33), strict=True)):
        (line,) = [line for line in table_text.splitlines() if name in line]
        turn, tiles = "▶" if seat == match.turn else "", update.match.play.counts[seat]
        assert line[line.index(name) - 1 :].split()[:3] == [turn + name, f"▌{tiles}", str(score)]
    awaited = replace(moment, grace=(0, 23, 0, 0))
    assert "23 s ▌" in str(draw_middle(awaited, 80, rows.board, DARK))
    assert rows.players == 0
    assert sum((rows.title, rows.board, rows.story, rows.hand, rows.sentence, rows.status)) == 24
    assert rows_for_table(update, 140, 45).lanes_have_scores is False


def dragon(seat=0):
    """Return a moment of Jie Long at which both players have laid tiles face down."""
    match = new_match(GAMES["jie-long"], 2, {})
    state = one_ended(match.rules, 3, "6|6 5|3 1|1", "4|3", shed=("5|4 2|1", "2|2"))
    update = update_at(replace(match, state=state, round=2), seat)
    choice = Choice(update.match.play).carry_to(update.match.play) if seat >= 0 else None
    return Moment(update, choice, shows_result=True)


@pytest.mark.parametrize("width", [60, 80, 140])
def test_own_tiles_face_down_stand_beside_the_hand_and_those_of_others_are_counted(width):
    band = text(draw_band(dragon(), width, 5, PLAIN))

    assert "12 pips down" in band
    assert "[5 4] [2 1]" in band
    assert "down" not in text(draw_band(dragon(seat=-1), width, 5, PLAIN))
    assert "5 4" not in text(draw_seats(dragon(), width, PLAIN))


def test_the_strip_of_players_says_how_many_tiles_each_has_laid_face_down():
    assert "__ __ 2" in text(draw_seats(dragon(), 80, PLAIN))
    assert "__ 1" in text(draw_seats(dragon(), 80, PLAIN))


def test_the_table_of_chinese_tiles_has_no_grooves():
    moment = dragon()
    middle = text(draw_middle(moment, 80, 13, PLAIN))

    assert "|" not in middle.replace("||", "")
    assert "[" in middle


@pytest.mark.parametrize("height", [1, 2])
def test_in_a_narrow_window_the_numbers_alone_say_how_many_lie_face_down(height):
    strip = text(draw_seats(dragon(), 34 if height == 1 else 24, PLAIN, height))

    assert "3_2" in strip
    assert "1_1" in strip


def test_a_sentence_too_long_for_a_row_of_the_story_has_two_where_there_are_two():
    long = "Cinque drew 2 and passed, as nothing fits and the boneyard is empty, which is told in a long sentence."
    moment = replace(moment_at((6, 1), "6|4", "0|0"), story=("Round 1 is dealt.", long))

    assert "…" in text(draw_story(moment, 50, 1, DARK))
    story = text(draw_story(moment, 60, 2, DARK))
    assert "…" not in story
    assert " ".join(story.split()) == long


@pytest.mark.parametrize("size", [(140, 45), (80, 24), (50, 18)])
@pytest.mark.parametrize("hands", [2, 3, 4])
def test_an_awaited_player_has_the_seconds_until_a_bot_plays_at_every_size(size, hands):
    moment = moment_at((6, 1), "6|4", *["0|0"] * (hands - 1))
    update = moment.update
    seats = update.table.seats
    away = replace(seats[1], away=True, awaited=True)
    table = replace(update.table, seats=(seats[0], away, *seats[2:]))
    moment = replace(moment, update=replace(update, table=table), grace=(0, 23, *[0] * (hands - 2)))
    rows = rows_for_table(moment.update, *size)
    head = draw_surroundings(moment, size[0], rows, DARK)

    assert f"{text(head.head)}{text(head.side)}".count("23 s") == 1


def test_lanes_that_carry_tiles_and_points_say_so_in_the_title():
    moment = replace(moment_at((6, 1), "6|4", "0|0"), lanes_have_scores=True)

    assert "▌tiles, points" in text(draw_title(moment, 80, DARK))
    assert "tiles, points" not in text(draw_title(replace(moment, lanes_have_scores=False), 80, DARK))


def test_an_empty_boneyard_is_named_only_if_somebody_has_drawn():
    moment = moment_at((6, 1), "6|4", "0|0", game="block")
    update = moment.update
    assert "boneyard" not in text(draw_title(moment, 80, DARK))
    assert presenter_of(moment.view).seat_facts(update.match, moment.view).boneyard == -1

    drawn = replace(update.match, history=(Drew(1, 1),))
    moment = replace(moment, update=replace(update, match=drawn))
    assert "boneyard 0" in text(draw_title(moment, 80, DARK))
    assert presenter_of(moment.view).seat_facts(drawn, moment.view).boneyard == 0


def test_the_sentence_names_a_wild_tile_by_the_sign_on_it():
    moment = moment_at((6, 1), "* 7|*", "0|0", game="wildstar")
    wild = next(number for number, held in enumerate(moment.choice.view.hand) if held == STAR)
    moment = replace(moment, choice=moment.choice.pick(wild))

    assert "★" in text(draw_words(moment, 80, DARK))
    assert "*" in text(draw_words(moment, 80, PLAIN))
