"""Lists and pages of text."""

import pytest

from tests.tui.every_screen import forms, lists
from tests.tui.served_pilot import served
from tests.tui.tables import DARK, PLAIN
from tui.board.canvas import stack
from tui.draw.panels import Row, draw_list, draw_text, wrap
from tui.model.keys import ALL_ROWS, MOVES, PAGE_ROWS
from tui.screens.base import DrawnScreen, ListScreen, SingleScreenApp
from tui.screens.lists import presets_screen
from tui.screens.menu import MenuScreen


def all_lists():
    explained: set[tuple[str, str, str]] = set()
    return [screen for _name, screen in lists() if isinstance(screen, ListScreen)] + [*forms("draw", explained)][:2]


def test_every_screen_that_moves_a_cursor_is_a_list_with_the_keys_of_all_lists():
    def kinds_of(screen):
        return {kind for subclass in screen.__subclasses__() for kind in (subclass, *kinds_of(subclass))}

    moving = [
        kind
        for kind in kinds_of(DrawnScreen)
        if kind.__module__.startswith("tui.") and kind.KEYS and any(key.name == "move" for key in kind.KEYS)
    ]
    assert len(moving) > 8
    for kind in moving:
        assert issubclass(kind, ListScreen)
        bound = {name: key.args for key in kind.KEYS if key.name in ("move", "page") for name in key.names}
        for key in MOVES:
            for name in key.names:
                assert bound[name] == key.args or (key.name == "move" and name in ("pageup", "pagedown"))


def test_the_last_and_the_first_row_of_every_list_are_one_key_away():
    for screen in all_lists():
        screen.action_move(ALL_ROWS)
        assert screen.row == screen.count - 1 or screen.count == 0
        screen.action_move(-ALL_ROWS)
        assert screen.row == 0


def test_a_page_key_stops_at_the_end_and_an_arrow_begins_again():
    for screen in all_lists():
        if screen.count < 2:
            continue
        screen.action_move(-ALL_ROWS)
        screen.action_move(PAGE_ROWS)
        assert screen.row == min(PAGE_ROWS, screen.count - 1)
        screen.action_move(ALL_ROWS)
        screen.action_move(1)
        assert screen.row == 0


@pytest.mark.parametrize("make", [MenuScreen, presets_screen], ids=["menu", "presets"])
async def test_letters_and_the_wheel_move_in_a_list(make):
    screen = make(DARK)
    async with served(SingleScreenApp(screen), (80, 24)) as pilot:
        await pilot.press("j", "j", "k")
        assert screen.row == 1
        await pilot.press("G")
        assert screen.row == screen.count - 1
        screen.handle_scroll(1)
        assert screen.row == screen.count - 1
        await pilot.press("g")
        screen.handle_scroll(1)
        assert screen.row == 1


async def test_after_a_slash_letters_search_in_a_list():
    screen = presets_screen(DARK)
    async with served(SingleScreenApp(screen), (80, 24)) as pilot:
        await pilot.press("/", *"kozel")
        assert screen.text_input.text == "kozel"
        assert all("kozel" in str(item).lower() for item in screen._matching_items)


async def test_the_house_rules_are_searched_by_a_slash_and_lead_to_the_row():
    form = next(iter(forms("draw", set())))
    async with served(SingleScreenApp(form), (80, 24)) as pilot:
        await pilot.press("/", *"hints", "enter")
        await pilot.pause()
        assert form._chosen_row().key == "hints"


def test_the_chosen_row_is_pointed_at_without_colour():
    rows = [Row(("one", "1")), Row(("two", "2"))]

    assert str(draw_list(rows, 1, (10, 5), 40, 6, PLAIN)).split() == ["one", "1", ">", "two", "2"]


@pytest.mark.parametrize("chosen", [0, 10, 49])
def test_the_chosen_row_is_always_in_view(chosen):
    rows = [Row((f"row{n}",)) for n in range(50)]

    assert f"row{chosen}" in str(draw_list(rows, chosen, (10,), 40, 8, DARK)).split()


def test_a_click_on_a_row_means_that_row_also_when_the_list_is_scrolled():
    rows = [Row((f"row{n}",)) for n in range(50)]
    picture = draw_list(rows, 30, (10,), 40, 8, DARK)
    y = next(y for y, line in enumerate(str(picture).splitlines()) if "row31" in line)

    assert picture.hit(5, y).at == 31


def test_an_empty_list_says_so():
    assert str(draw_list([], 0, (10,), 40, 8, DARK, empty="nothing yet")).strip() == "nothing yet"


def test_paragraphs_are_broken_and_drawings_are_not():
    assert wrap("aa bb cc dd\n  6|4\n- one two", 5) == [
        "aa bb",
        "cc dd",
        "  6|4",
        "- one",
        "  two",
    ]


def test_words_beside_a_drawing_that_is_too_wide_wrap_under_their_beginning_or_below():
    assert wrap("  6|4  4|4   three toes and one open end", 32) == [
        "  6|4  4|4   three toes and one",
        "             open end",
    ]
    assert wrap("  6|4  4|4   three toes", 20) == ["  6|4  4|4", "  three toes"]


def test_scrolling_stops_at_the_end():
    text = "\n".join(str(n) for n in range(100))
    _, most = draw_text(text, 0, 80, 20, DARK)
    picture, _ = draw_text(text, 10_000, 80, 20, DARK)

    assert most == 81
    assert str(picture).split()[-1] == "99"


def test_stacked_pictures_answer_clicks_where_they_lie():
    single = draw_list([Row(("a",))], 0, (5,), 20, 3, DARK)
    both = stack(single, single)

    assert both.hit(3, 4) == single.hit(3, 1)._replace(y=4)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("天九的牌有三十二張", ["天九的", "牌有三", "十二張"]),
        ("- 天九的牌", ["- 天九", "  的牌"]),
        ("see https://b.example", ["see", "https:/", "/b.exam", "ple"]),
        ("z\u0308z\u0308z\u0308z\u0308z\u0308z\u0308z\u0308z\u0308", ["z\u0308" * 7, "z\u0308"]),
    ],
    ids=["Chinese", "a point", "a link", "marks stay on their letters"],
)
def test_text_without_blanks_is_broken_at_the_end_of_the_line(text, lines):
    assert wrap(text, 7) == lines


def test_a_line_of_one_column_still_takes_a_character():
    assert wrap("- 天九", 1) == ["- 天", "  九"]
