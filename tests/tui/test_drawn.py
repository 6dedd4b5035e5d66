"""The one widget: it paints rows, and only those that changed."""

from textual.app import App

from tui.board.canvas import Hit, Picture, Style
from tui.drawn import Drawn

STYLE = Style("#ffffff", "#000000")


def picture(*lines, hits=()):
    return Picture(tuple(((line, STYLE),) for line in lines), "", hits)


class OneWidget(App):
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
