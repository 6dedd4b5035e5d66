"""The hand: its bright, raised and numbered tiles, and its place in its band."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.tiles import full_set, hand
from themes import load_theme
from tui.draw.hands import draw_backs, draw_hand
from tui.draw.panels import SeatSummary, draw_players

THEME = load_theme("dark")
HAND = hand("6|4 5|1 3|2")  # sorted: 5|1 3|2 6|4


def lines(picture):
    return str(picture).split("\n")


def test_playable_tiles_have_their_key_under_them_and_the_chosen_one_is_raised():
    picture = draw_hand(HAND, 30, 3, THEME, playable=(0, 2), chosen=2)

    assert lines(picture) == [
        "                  ▐6│4▌",
        "      ▐5│1▌ ▐3│2▌   3",
        "        1",
    ]


def size_of(picture):
    """Return the columns and rows of the tiles of a hand, without the rows around them that answer clicks."""
    return picture.hits[0].w, min(hit.h for hit in picture.hits) - 2


def test_tiles_stand_where_the_band_is_high_enough():
    sizes = [size_of(draw_hand(HAND, 60, height, THEME)) for height in (3, 4, 5, 6, 8, 9, 12)]

    assert sizes == [(5, 1), (5, 1), (3, 3), (5, 4), (5, 4), (7, 7), (7, 7)]


def test_tiles_that_fit_nowhere_are_greyed():
    picture = draw_hand(HAND, 30, 3, THEME, playable=(1,))
    backgrounds = [style.bg for text, style in picture.rows[1] if text.strip("▐│▌ ")]

    assert backgrounds == [THEME.greyed, THEME.greyed, THEME.ivory, THEME.ivory, THEME.greyed, THEME.greyed]


def test_without_a_choice_all_tiles_are_bright_and_none_has_a_key():
    picture = draw_hand(HAND, 30, 3, THEME)

    assert THEME.greyed not in {style.bg for row in picture.rows for _, style in row}
    assert lines(picture)[2] == ""


def test_tiles_beyond_the_tenth_have_the_arrow_under_them_that_leads_there():
    picture = draw_hand(full_set(6)[:12], 80, 3, THEME, playable=tuple(range(12)))

    assert lines(picture)[2].split() == [*"1234567890", "→", "→"]


@pytest.mark.parametrize("count", [1, 7, 13])
@pytest.mark.parametrize(("width", "height"), [(50, 3), (80, 6), (120, 9), (200, 9)])
def test_a_hand_stands_in_the_middle(count, width, height):
    hits = draw_hand(full_set(6)[:count], width, height, THEME).hits
    left, right = hits[0].x, width - max(hit.x + hit.w for hit in hits)

    assert abs(left - right) <= 1 or {hit.y for hit in hits} != {0}


@pytest.mark.parametrize(("width", "height", "size"), [(80, 6, (5, 4)), (120, 9, (7, 7)), (200, 9, (7, 7))])
def test_seven_tiles_show_their_pips_and_take_more_than_half_of_the_band(width, height, size):
    picture = draw_hand(full_set(6)[:7], width, height, THEME)

    assert size_of(picture) == size
    assert picture.hits[-1].x + picture.hits[-1].w - picture.hits[0].x > width / 2


def test_tiles_stay_as_far_apart_as_before_when_one_is_played():
    def distance_in_hand_of(count):
        first, second, *_ = draw_hand(full_set(6)[:count], 120, 9, THEME).hits
        return second.x - first.x

    assert len({distance_in_hand_of(count) for count in range(2, 8)}) == 1


def test_a_hand_longer_than_its_rows_says_how_many_tiles_are_hidden():
    picture = draw_hand(full_set(6)[:25], 60, 3, THEME, playable=tuple(range(25)), chosen=12)
    before, after = min(_shown(picture)), 24 - max(_shown(picture))

    assert lines(picture)[1].startswith("◀")
    assert lines(picture)[1].endswith("▶")
    assert lines(picture)[2].startswith(str(before))
    assert lines(picture)[2].endswith(str(after))
    assert before + after + len(_shown(picture)) == 25


def test_a_long_hand_lies_in_several_rows():
    picture = draw_hand(full_set(6)[:25], 80, 6, THEME, playable=tuple(range(25)))

    assert size_of(picture) == (5, 1)
    assert {hit.at for hit in picture.hits} == set(range(25))
    assert {hit.y for hit in picture.hits} == {0, 3}


@pytest.mark.parametrize("count", range(9, 17))
def test_a_long_hand_stands_in_two_rows_of_eight_on_a_phone(count):
    picture = draw_hand(full_set(12)[-count:], 50, 12, THEME, highest=12)

    assert size_of(picture) == (5, 4)
    assert [hit.y for hit in picture.hits] == [0] * 8 + [6] * (count - 8)


def test_the_first_eight_tiles_of_a_long_hand_keep_their_places_when_it_gets_shorter():
    fifteen, fourteen = (draw_hand(full_set(12)[:count], 50, 12, THEME, highest=12).hits for count in (15, 14))

    assert fourteen == fifteen[:14]


def test_a_hand_too_long_for_its_band_scrolls_to_the_chosen_tile():
    for chosen in range(25):
        picture = draw_hand(full_set(6)[:25], 60, 3, THEME, playable=tuple(range(25)), chosen=chosen)
        text = str(picture)

        assert chosen in {hit.at for hit in picture.hits}
        assert ("◀" in text, "▶" in text) == (0 not in _shown(picture), 24 not in _shown(picture))


def _shown(picture):
    return {hit.at for hit in picture.hits}


@settings(max_examples=60)
@given(count=st.integers(0, 25), width=st.integers(8, 200), height=st.integers(3, 12), data=st.data())
def test_a_hand_never_leaves_its_band_and_every_tile_can_be_clicked(count, width, height, data):
    tiles = full_set(9)[:count]
    chosen = data.draw(st.integers(0, count - 1)) if count else None
    picture = draw_hand(tiles, width, height, THEME, playable=tuple(range(count)), chosen=chosen)

    assert len(picture.rows) == height
    assert {sum(len(text) for text, _ in row) for row in picture.rows} == {width}
    assert all(hit.x >= 0 and hit.x + hit.w <= width and hit.y >= 0 for hit in picture.hits)
    assert all(hit.y + hit.h <= height for hit in picture.hits)
    assert chosen is None or chosen in _shown(picture)
    for hit in picture.hits:
        assert picture.hit(hit.x, hit.y) == hit


@pytest.mark.parametrize("height", [3, 5, 6, 9])
def test_a_terminal_without_utf8_gets_only_ascii(height):
    tiles = full_set(6)[:20]
    pictures = [
        draw_hand(tiles, 30, height, THEME, playable=tuple(range(20)), chosen=3, ascii=True),
        draw_hand(tiles[:3], 60, height, THEME, playable=(1,), chosen=1, ascii=True),
        draw_backs(9, 40, THEME, ascii=True),
    ]

    assert all(str(picture).isascii() for picture in pictures)


def test_backs_stand_apart_before_their_number_where_they_have_room():
    assert str(draw_backs(3, 20, THEME)) == "▐▌ ▐▌ ▐▌ 3"
    assert str(draw_backs(3, 20, THEME, ascii=True)) == "# # # 3"


def test_backs_without_room_to_stand_apart_stand_close_together():
    assert str(draw_backs(9, 20, THEME)) == "▌▌▌▌▌▌▌▌▌ 9"


def test_backs_beyond_the_width_are_left_out_but_counted():
    assert str(draw_backs(21, 20, THEME)) == "▌" * 16 + " 21"
    assert str(draw_backs(21, 3, THEME)) == "21"


def test_an_empty_hand_shows_no_backs():
    assert str(draw_backs(0, 20, THEME)) == "0"


def test_tiles_laid_face_down_lie_flat_behind_the_backs():
    assert str(draw_backs(3, 40, THEME, face_down_count=2)) == "▐▌ ▐▌ ▐▌ 3  ▂▂ ▂▂ 2"
    assert str(draw_backs(3, 40, THEME, face_down_count=2, ascii=True)) == "# # # 3  __ __ 2"


def test_face_down_tiles_without_room_are_drawn_as_one_tile_and_their_number():
    assert str(draw_backs(3, 20, THEME, face_down_count=11)) == "▐▌ ▐▌ ▐▌ 3  ▂▂ 11"


def test_the_backs_of_all_players_are_drawn_in_one_style():
    seats = [("Blanche", 6, ""), ("Cinque", 6, "partner"), ("Dotty", 7, ""), ("ada", 5, "you")]
    players = tuple(
        SeatSummary(name, tile_count=tiles, note="bot", relation=relation) for name, tiles, relation in seats
    )

    for width in (80, 120, 160):
        row = str(draw_players(players, width, THEME, ascii=False)).splitlines()[1]
        assert ("▐▌" in row) != ("▌▌" in row)
        assert len(re.findall(r"[▌▐]+(?: ▐▌)*", row)) == len(players)
