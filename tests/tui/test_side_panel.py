"""The panel beside the board in a wide window."""

from msgspec.structs import replace

from core.actions import Passed
from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from net.wire.messages import SeatInfo
from tests.tui.tables import DARK, PLAIN, moment_at, update_at
from tui.board.canvas import columns
from tui.draw.scene import draw_surroundings
from tui.draw.window_layout import MAX_TALK_ROWS, MIN_WIDTH_FOR_PANEL, PANEL_WIDTH, board_width, divide_rows
from tui.model.presenter import Moment

LOG = tuple(f"ada played {n}|0 on the 0." for n in range(40))


def panel(moment, height=45, look=DARK):
    return str(draw_surroundings(moment, 140, divide_rows(height, width=140), look).side)


def test_a_wide_window_has_a_panel_and_a_narrow_one_has_none():
    moment = moment_at((6, 1), "6|1", "3|2")

    assert draw_surroundings(moment, MIN_WIDTH_FOR_PANEL, divide_rows(30, width=MIN_WIDTH_FOR_PANEL), DARK).side.rows
    assert not draw_surroundings(
        moment, MIN_WIDTH_FOR_PANEL - 1, divide_rows(30, width=MIN_WIDTH_FOR_PANEL - 1), DARK
    ).side.rows
    assert (board_width(MIN_WIDTH_FOR_PANEL), board_width(MIN_WIDTH_FOR_PANEL - 1)) == (
        MIN_WIDTH_FOR_PANEL - PANEL_WIDTH,
        MIN_WIDTH_FOR_PANEL - 1,
    )


def test_the_panel_is_as_high_as_the_board_and_as_wide_as_it_says():
    for height in (24, 30, 45, 60):
        rows = divide_rows(height, width=140)
        side = draw_surroundings(moment_at((6, 1), "6|1", "3|2"), 140, rows, DARK).side
        assert len(side.rows) == rows.board
        assert {sum(columns(text) for text, _ in row) for row in side.rows} == {PANEL_WIDTH}


def test_a_player_has_a_name_a_score_tiles_and_the_tile_laid_last():
    lines = panel(moment_at((6, 1), "6|1 2|2", "3|2", scores=(40, 25))).splitlines()
    row = next(y for y, line in enumerate(lines) if "ada" in line)

    assert lines[row].split() == ["▶", "ada", "40"]
    assert lines[row + 1].split()[:2] == ["▌▌", "2"]


def test_partners_stand_together_and_share_a_score():
    lines = panel(moment_at((6, 1), "6|1", "3|2", "1|1", "2|2", scores=(40, 25), partners="yes"))
    names = [
        line.split() for line in lines.splitlines() if any(name in line for name in ("ada", "bela", "chen", "dora"))
    ]

    assert [[word for word in words if word != "▶"] for words in names] == [
        ["●", "ada", "40"],
        ["●", "chen"],
        ["○", "bela", "25"],
        ["○", "dora"],
    ]


def test_a_player_who_passed_shows_the_missing_numbers():
    steps = play_match(new_match(GAMES["block"], 2, {}), ("greedy", "greedy"), b"2", "test")
    match = next(
        step.match
        for step in steps
        if step.match.turn == 0 and any(isinstance(event, Passed) and event.seat == 1 for event in step.events)
    )
    ends = sorted({end.pips for end in match.view(0).play.ends})

    assert "passed on " + ", ".join(map(str, ends)) in panel(Moment(update_at(match)))


def test_the_story_has_its_newest_line_last_and_can_be_scrolled_back():
    moment = moment_at((6, 1), "6|1", "3|2")
    newest = panel(replace(moment, event_lines=LOG))
    earlier = panel(replace(moment, event_lines=LOG, lines_scrolled_back=10))

    assert "39|0" in newest
    assert "39|0" not in earlier
    assert "29|0" in earlier
    assert "[ ]" in newest
    assert "0|0 on" in panel(replace(moment, event_lines=LOG, lines_scrolled_back=1000))


def test_a_long_sentence_wraps_to_the_next_line():
    long = "You drew 12 tiles from the boneyard and passed: no more draws this turn."
    words = " ".join(panel(replace(moment_at((6, 1), "6|1", "3|2"), event_lines=(long,))).split())

    assert long in words


def test_talk_is_separate_from_the_story_and_limited_to_its_newest_lines():
    talk = tuple(f"bela: “{n}”" for n in range(9))
    lines = panel(replace(moment_at((6, 1), "6|1", "3|2"), event_lines=LOG[:2], chat_lines=talk)).splitlines()
    head = next(y for y, line in enumerate(lines) if line.strip() == "talk")

    assert [line.strip() for line in lines[head + 1 :]] == list(talk[-MAX_TALK_ROWS:])


def test_without_utf8_the_panel_has_letters_alone():
    seats = (SeatInfo("ada"), SeatInfo("Émile", bot="hard"))
    moment = moment_at((6, 1), "6|1", "3|2")
    update = replace(moment.update, table=replace(moment.update.table, seats=seats))

    assert panel(replace(moment, update=update, event_lines=LOG), look=PLAIN).isascii()
