"""A screen that is a picture: it paints rows, and only those that changed."""

from contextlib import asynccontextmanager

from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tui.board.canvas import ClickTarget, Picture, Style
from tui.screens.base import DrawnScreen, SingleScreenApp

STYLE, BOLD = Style("#ffffff", "#000000"), Style("#ffffff", "#000000", True)


def picture(*lines, hits=()):
    return Picture(tuple(((line, STYLE),) for line in lines), hits=hits)


class OnePicture(DrawnScreen[None]):
    """A screen that draws nothing by itself."""

    SETTLE_SECONDS = 0

    def __init__(self):
        super().__init__(DARK)
        self.clicks = []

    def redraw(self):
        """Keep the last picture."""

    def handle_click(self, hit):
        self.clicks.append(hit)


@asynccontextmanager
async def shown_picture(width, height):
    screen = OnePicture()
    async with served(SingleScreenApp(screen), (width, height)) as pilot:
        await pilot.pause()
        yield screen, pilot


async def test_of_a_changed_picture_only_the_columns_that_differ_are_written(monkeypatch):
    async with shown_picture(10, 3) as (screen, _):
        screen.show(picture("one", "two", "three"))
        written = []
        monkeypatch.setattr(screen.output, "paint", written.append)

        screen.show(picture("one", "TWO", "three"))
        screen.show(picture("one", "TWO", "three"))

        assert len(written) == 1
        assert written[0].endswith("\x1b[2;1HTWO")
        assert "one" not in written[0]


async def test_a_click_is_handled_only_at_a_click_target():
    async with shown_picture(10, 3) as (screen, pilot):
        hit = ClickTarget(2, 1, 3, 1, 7, -1)
        screen.show(picture("one", "two", "three", hits=(hit,)))

        await pilot.click(offset=(3, 1))
        await pilot.click(offset=(8, 1))

        assert screen.clicks == [hit]


async def test_text_that_resembles_markup_is_written_as_text(monkeypatch):
    async with shown_picture(30, 3) as (screen, _):
        written = []
        monkeypatch.setattr(screen.output, "paint", written.append)
        screen.show(picture("[@click=app.quit]x[/]"))
        assert "[@click=app.quit]x[/]" in written[0]


async def test_sessions_with_the_same_colours_share_their_escape_sequences():
    async with shown_picture(10, 3) as (first, _), shown_picture(10, 3) as (other, _):
        assert first.inks is other.inks
        assert first.inks[STYLE] is other.inks[STYLE]
