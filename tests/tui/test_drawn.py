"""A screen that is a picture: it paints rows, and only those that changed."""

from contextlib import asynccontextmanager

import pytest
from textual.geometry import Region

from tests.tui.tables import DARK
from tui.board.canvas import Hit, Picture, Style
from tui.screens.base import DrawnScreen, OneScreen
from tui.terminal.driver import FAST, PLAIN

STYLE, BOLD = Style("#ffffff", "#000000"), Style("#ffffff", "#000000", True)


def picture(*lines, hits=()):
    return Picture(tuple(((line, STYLE),) for line in lines), hits=hits)


class OnePicture(DrawnScreen[None]):
    """A screen that draws nothing by itself."""

    SETTLES = 0

    def __init__(self):
        super().__init__(DARK)
        self.clicks = []

    def redraw(self):
        """Leave what is shown."""

    def clicked(self, hit):
        self.clicks.append(hit)


@pytest.fixture(params=[PLAIN, FAST], ids=["plain", "fast"], autouse=True)
def fast(request, monkeypatch):
    """The screen draws the same by itself and through Textual."""
    monkeypatch.setattr(OneScreen, "fast", request.param)


@asynccontextmanager
async def shown(width, height):
    screen = OnePicture()
    async with OneScreen(screen).run_test(size=(width, height)) as pilot:
        await pilot.pause()
        yield screen, pilot


async def test_a_changed_row_is_painted_and_the_others_are_left_alone(monkeypatch):
    async with shown(10, 3) as (screen, pilot):
        screen.show(picture("one", "two", "three"))
        await pilot.pause()
        painted = []
        monkeypatch.setattr(screen, "refresh", lambda *regions, **_: painted.extend(regions))

        screen.show(picture("one", "TWO", "three"))

        assert [region.y for region in painted] == [1]
        assert screen.render_line(1).text == "TWO"
        screen.show(picture("one", "TWO", "three"))
        assert len(painted) == 1


async def test_a_click_is_told_only_where_a_picture_answers():
    async with shown(10, 3) as (screen, pilot):
        hit = Hit(2, 1, 3, 1, 7, -1)
        screen.show(picture("one", "two", "three", hits=(hit,)))

        await pilot.click(offset=(3, 1))
        await pilot.click(offset=(8, 1))

    assert screen.clicks == [hit]


async def test_markup_in_a_text_is_only_text():
    async with shown(30, 3) as (screen, _pilot):
        screen.show(picture("[@click=app.quit]x[/]"))

        assert screen.render_line(0).text == "[@click=app.quit]x[/]"
        assert not any(segment.style.meta for segment in screen.render_line(0))


async def test_of_a_changed_row_only_the_columns_that_differ_are_painted(monkeypatch):
    async with shown(10, 3) as (screen, _pilot):
        screen.show(Picture(((("one", STYLE), ("two", BOLD), ("three", STYLE)),)))
        painted = []
        monkeypatch.setattr(screen, "refresh", lambda *regions, **_: painted.extend(regions))

        screen.show(Picture(((("one", STYLE), ("TWO", BOLD), ("three", STYLE)),)))

        assert painted == [Region(3, 0, 3, 1)]


async def test_rows_come_as_wide_as_the_widget_and_cut_as_asked():
    async with shown(6, 3) as (screen, _pilot):
        screen.show(picture("one", "twelve"))

        whole = screen.render_lines(Region(0, 0, 6, 3))
        part = screen.render_lines(Region(1, 1, 3, 1))

        assert [line.text for line in whole] == ["one   ", "twelve", "      "]
        assert [line.text for line in part] == ["wel"]


async def test_sessions_whose_terminals_show_the_same_colours_share_how_styles_are_written():
    async with shown(10, 3) as (one, _), shown(10, 3) as (other, _):
        assert one.inks is other.inks
        assert one.inks[STYLE] is other.inks[STYLE]
