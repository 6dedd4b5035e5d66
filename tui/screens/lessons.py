"""The lessons, to choose one from."""

from core.games import GAMES
from tui.board import Picture
from tui.draw.lists import Row, draw_list, draw_page
from tui.draw.look import Look
from tui.i18n import _
from tui.lessons import LESSONS, Lesson
from tui.model.keys import MOVES, Key
from tui.screens.choosing import ListScreen

WIDTHS = (20, 44)
"""Columns of the game, and of what is new in it."""


class LessonsScreen(ListScreen[Lesson | None]):
    """Asks which lesson to take; dismissed with it, or None to go back."""

    KEYS = (*MOVES, Key("choose", "enter,space"), Key("leave", "escape,q", leaves=True))

    def __init__(self, look: Look, game: str = "") -> None:
        """The lesson for a `game` is chosen at first, if there is one."""
        super().__init__(look)
        self._chosen = next((number for number, lesson in enumerate(LESSONS) if lesson.game == game), 0)

    @property
    def count(self) -> int:
        """How many lessons there are."""
        return len(LESSONS)

    def paint(self, width: int, height: int) -> Picture:
        """List the lessons."""
        rows = [Row((GAMES[lesson.game].name, _(lesson.about))) for lesson in LESSONS]
        body = draw_list(rows, self._chosen, WIDTHS, width, height - 3, self.look)
        hints = [("Enter" if self.look.ascii else "↵", _("begin")), ("q", _("back"))]
        told = _("A round against bots, explained as it goes.")
        return draw_page(_("learn in two minutes"), body, told, hints, "", width, self.look)

    def action_choose(self) -> None:
        """Take the chosen lesson."""
        self.dismiss(LESSONS[self._chosen])

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
