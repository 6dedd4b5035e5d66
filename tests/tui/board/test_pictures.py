"""Small pictures of every shape, as text."""

import pytest

from core.layout.state import PlacedTile
from core.tiles import STAR, in_order
from tests.tui.board.chains import text_of_tiles
from themes import load_theme
from tui.board import Mark, draw_board

THEME = load_theme("dark")


def laid(*moves):
    """Return a layout from moves like `(on, side, "6|4")`: the inward number is written first."""
    layout = []
    for on, side, text in moves:
        out = int(text.split("|")[1])
        tile = STAR if text.startswith("*") else in_order(text)[0]
        layout.append(PlacedTile(tile, on, side, out, 0))
    return tuple(layout)


def drawn(layout, marks_of_ends, width, height, **options):
    picture = draw_board(layout, marks_of_ends, width, height, THEME, largest="small", **options)
    return "\n".join(line for line in text_of_tiles(picture).splitlines() if line)


def colours(picture, text):
    return {style.fg for row in picture.rows for part, style in row if text in part}


SPINNER = laid((-1, 0, "5|5"), (0, 0, "5|0"), (0, 1, "5|3"), (0, 2, "5|1"), (0, 3, "5|4"), (2, 1, "3|6"))
SPUN = [Mark(1, 1, 0, "a"), Mark(5, 1, 6), Mark(3, 1, 1), Mark(4, 1, 4, "d", "scores 5", chosen=True)]


def test_a_spinner_is_a_cross():
    assert drawn(SPINNER, SPUN, 60, 13, shape="cross") == "\n".join([
        "         ▐1▌ 1",
        "         ▐─▌",
        "         ▐5▌",
        "         ▐5▌",
        "a 0 ▐0│5▌▐─▌▐5│3▌▐3│6▌ 6",
        "         ▐5▌",
        "         ▐5▌",
        "         ▐─▌",
        "         ▐4▌▶d 4 scores 5◀",
    ])  # fmt: skip


def test_the_arms_of_a_cross_bend_at_the_edge_of_the_table():
    arm = laid((-1, 0, "5|5"), (0, 2, "5|1"), (1, 1, "1|3"), (2, 1, "3|4"))

    assert drawn(arm, [Mark(0, 3, 5)], 40, 13, shape="cross") == "\n".join([
        "▐1│3▌▐3│4▌",
        "▐1▌",
        "▐─▌",
        "▐5▌",
        "▐5▌",
        "▐─▌",
        "▐5▌",
        " 5",
    ])  # fmt: skip


def test_matador_lays_its_doubles_in_line():
    line = laid((-1, 0, "3|4"), (0, 1, "3|3"), (1, 1, "4|1"))

    assert drawn(line, [], 40, 3, shape="inline") == "▐3│4▌▐3│3▌▐4│1▌"


TRAINS = laid(
    (-1, 0, "10|10"), (0, 2, "10|4"), (1, 1, "4|7"), (0, 1, "10|12"), (0, 0, "10|8"), (4, 1, "8|8"), (2, 1, "7|7")
)
ENDS = [
    Mark(5, 1, 8, "a", "answer this double first", owner=0, state="closed", owed=True),
    Mark(3, 1, 12, owner=1, flag=True, state="open to all", open=False),
    Mark(6, 1, 7, open=False),
]


def test_trains_are_lanes_from_the_engine_the_mexican_train_first():
    names = ("ada", "bela", "Mexican Train")

    assert drawn(TRAINS, ENDS, 80, 13, shape="lanes", titles=names, highest=12, sides=range(3)) == "\n".join([
        "        Mexican Train",
        "                      ▐ 7▌",
        "     ───▐10│4 ▌▐ 4│7 ▌▐──▌ 7",
        "                      ▐ 7▌",
        "        ada  answer this double first",
        "▐10▌           ▐ 8▌",
        "▐──▌ ───▐10│8 ▌▐──▌ a 8",
        "▐10▌           ▐ 8▌",
        "        bela  ⚑ open to all",
        "     ───▐10│12▌ 12",
    ])  # fmt: skip


def test_crowded_trains_have_a_row_each_and_their_oldest_tiles_are_left_out():
    names = ("ada", "bela", "chen", "dora", "emil", "frieda", "gustav", "Mexican Train")
    moves = [
        (-1, 0, "12|12"),
        (0, 7, "12|1"),
        (1, 1, "1|2"),
        (2, 1, "2|3"),
        (3, 1, "3|3"),
        (4, 1, "3|5"),
        (0, 6, "12|9"),
    ]
    ends = [Mark(5, 1, 5, "h"), Mark(6, 1, 9, owner=6, state="closed", open=False)]
    ends += [Mark(0, seat, 12, owner=seat, state="closed", open=False) for seat in range(6)]

    assert drawn(laid(*moves), ends, 64, 9, shape="lanes", titles=names, highest=12, sides=range(8)) == "\n".join([
        "Mexican Train        ─…4▐ 3│5 ▌ h 5",
        "ada                  ─── 12  closed",
        "bela            ▐12▌ ─── 12  closed",
        "chen            ▐──▌ ─── 12  closed",
        "dora            ▐12▌ ─── 12  closed",
        "emil                 ─── 12  closed",
        "frieda               ─── 12  closed",
        "gustav               ───▐12│9 ▌ 9  closed",
    ])  # fmt: skip


FOOT = laid(
    (-1, 0, "9|9"),
    (0, 0, "9|1"),
    (0, 1, "9|5"),
    (0, 2, "9|2"),
    (0, 3, "9|0"),
    (2, 1, "5|5"),
    (5, 1, "5|8"),
    (5, 4, "5|3"),
)
TOES = [Mark(1, 1, 1), Mark(3, 1, 2), Mark(4, 1, 0), Mark(6, 1, 8), Mark(7, 1, 3), Mark(5, 5, 5, "f", owed=True)]


def test_a_double_has_three_toes_one_beside_the_other():
    assert drawn(FOOT, TOES, 60, 13, shape="feet") == "\n".join([
        "       ▐2▌ 2",
        "       ▐─▌",
        "       ▐9▌        ▐5│3▌ 3",
        "       ▐9▌     ▐5▌",
        "1 ▐1│9▌▐─▌▐9│5▌▐─▌▐5│8▌ 8",
        "       ▐9▌     ▐5▌",
        "       ▐9▌         f 5",
        "       ▐─▌",
        "       ▐0▌ 0",
    ])  # fmt: skip


def test_toes_without_room_are_lanes_behind_the_numbers_of_their_double():
    assert drawn(FOOT, TOES, 28, 6, shape="feet") == "\n".join([
        " ▐9▌ ───▐9│1▌ 1",
        " ▐─▌ ─…2▐5│8▌ 8",
        " ▐9▌ ───▐9│2▌ 2",
        "     ───▐9│0▌ 0",
        "5|5─┬───▐5│3▌ 3",
        "    └─── f 5",
    ])  # fmt: skip


def test_lanes_without_a_row_take_the_right_halves_of_rows():
    assert drawn(FOOT, TOES, 60, 4, shape="feet") == "\n".join([
        "▐9▌ ───▐9│1▌ 1",
        "▐─▌ ───▐9│5▌▐5│5▌▐5│8▌ 8",
        "▐9▌ ───▐9│2▌ 2               5|5─┬───▐5│3▌ 3",
        "    ───▐9│0▌ 0                   └─── f 5",
    ])  # fmt: skip


def test_a_star_has_five_arms_and_a_wildstar_shows_its_number():
    star = laid((-1, 0, "9|9"), *((0, arm, f"9|{arm}") for arm in range(5)), (2, 1, "*|7"))
    ends = [Mark(n + 1, 1, n) for n in (0, 2, 3, 4)] + [Mark(6, 1, 7, "b")]

    assert drawn(star, ends, 60, 13, shape="star", sides=range(5)) == "\n".join([
        "          ▐0▌ 0",
        "          ▐─▌",
        "          ▐9▌",
        "4 ▐4│9▌  ▐9│9▌  ▐9│1▌▐★│7▌ b 7",
        "        ▐9▌ ▐9▌",
        "        ▐─▌ ▐─▌",
        "      3 ▐3▌ ▐2▌ 2",
    ])  # fmt: skip


def test_an_owed_tile_has_the_colour_of_a_warning():
    picture = draw_board(
        TRAINS, ENDS, 80, 13, THEME, shape="lanes", titles=("a", "b", "c"), highest=12, sides=range(3)
    )

    assert colours(picture, "answer this") == {THEME.warning}
    assert colours(picture, "open to all") == {THEME.quiet}


@pytest.mark.parametrize("height", [13, 4])
def test_a_click_on_an_end_of_a_shape_means_that_end(height):
    picture = draw_board(FOOT, TOES, 60, height, THEME, shape="feet", largest="small")
    row = next(y for y, line in enumerate(str(picture).splitlines()) if "f 5" in line)
    hit = picture.hit(str(picture).splitlines()[row].index("f 5"), row)

    assert (hit.at, hit.side) == (5, 5)
