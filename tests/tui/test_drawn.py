"""The one widget: it paints rows, and only those that changed."""

import pytest
from textual.app import App
from textual.geometry import Region

from tui.board.canvas import Hit, Picture, Style
from tui.draw.widget import Drawn
from tui.serve.fast import FAST, PLAIN

STYLE, BOLD = Style("#ffffff", "#000000"), Style("#ffffff", "#000000", True)


def picture(*lines, hits=()):
    return Picture(tuple(((line, STYLE),) for line in lines), hits=hits)


@pytest.fixture(params=[PLAIN, FAST], ids=["plain", "fast"], autouse=True)
def fast(request, monkeypatch):
    """The widget draws the same by itself and through Textual."""
    monkeypatch.setattr(OneWidget, "fast", request.param)


class OneWidget(App):
    fast = PLAIN

    def __init__(self):
        super().__init__()
        self.drawn = Drawn()
        self.clicked = []

    def compose(self):
        yield self.drawn

    def on_drawn_clicked(self, event):
        self.clicked.append(event.hit)


async def test_a_changed_row_is_painted_and_the_others_are_left_alone(monkeypatch):
    app = OneWidget()
    async with app.run_test(size=(10, 3)) as pilot:
        app.drawn.show(picture("one", "two", "three"))
        await pilot.pause()
        painted = []
        monkeypatch.setattr(app.drawn, "refresh", lambda *regions, **_: painted.extend(regions))

        app.drawn.show(picture("one", "TWO", "three"))

        assert [region.y for region in painted] == [1]
        assert app.drawn.render_line(1).text == "TWO"
        app.drawn.show(picture("one", "TWO", "three"))
        assert len(painted) == 1


async def test_a_click_is_told_only_where_a_picture_answers():
    app = OneWidget()
    async with app.run_test(size=(10, 3)) as pilot:
        hit = Hit(2, 1, 3, 1, 7, -1)
        app.drawn.show(picture("one", "two", "three", hits=(hit,)))

        await pilot.click(Drawn, offset=(3, 1))
        await pilot.click(Drawn, offset=(8, 1))

    assert app.clicked == [hit]


async def test_markup_in_a_text_is_only_text():
    app = OneWidget()
    async with app.run_test(size=(30, 3)):
        app.drawn.show(picture("[@click=app.quit]x[/]"))

        assert app.drawn.render_line(0).text == "[@click=app.quit]x[/]"
        assert not any(segment.style.meta for segment in app.drawn.render_line(0))


async def test_of_a_changed_row_only_the_columns_that_differ_are_painted(monkeypatch):
    app = OneWidget()
    async with app.run_test(size=(10, 3)):
        app.drawn.show(Picture(((("one", STYLE), ("two", BOLD), ("three", STYLE)),)))
        painted = []
        monkeypatch.setattr(app.drawn, "refresh", lambda *regions, **_: painted.extend(regions))

        app.drawn.show(Picture(((("one", STYLE), ("TWO", BOLD), ("three", STYLE)),)))

        assert painted == [Region(3, 0, 3, 1)]


async def test_rows_come_as_wide_as_the_widget_and_cut_as_asked():
    app = OneWidget()
    async with app.run_test(size=(6, 3)):
        app.drawn.show(picture("one", "twelve"))

        whole = app.drawn.render_lines(Region(0, 0, 6, 3))
        part = app.drawn.render_lines(Region(1, 1, 3, 1))

        assert [line.text for line in whole] == ["one   ", "twelve", "      "]
        assert [line.text for line in part] == ["wel"]


async def test_sessions_whose_terminals_show_the_same_colours_share_how_styles_are_written():
    one, other = OneWidget(), OneWidget()
    async with one.run_test(size=(10, 3)), other.run_test(size=(10, 3)):
        assert one.drawn.inks is other.drawn.inks
        assert one.drawn.inks[STYLE] is other.drawn.inks[STYLE]
