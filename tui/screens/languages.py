"""The languages, to choose one from: everything is shown in the one under the cursor at once."""

from typing import Generic, TypeVar

from tui.board import Picture
from tui.draw.lists import Row, draw_list, draw_page
from tui.draw.look import Look
from tui.i18n import LANGUAGES, _, choose, spoken_language, switch
from tui.model.keys import MOVES, Key
from tui.screens.base import DrawnScreen
from tui.screens.choosing import ListScreen

R = TypeVar("R")


class LanguagesScreen(ListScreen[None]):
    """Lists the languages, each by its own name."""

    KEYS = (*MOVES, Key("choose", "enter,space"), Key("cancel", "escape,q", leaves=True))

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._before = spoken_language()
        self._chosen = list(LANGUAGES).index(self._before)

    @property
    def count(self) -> int:
        """How many languages there are."""
        return len(LANGUAGES)

    def paint(self, width: int, height: int) -> Picture:
        """Show the names."""
        rows = [Row((name,)) for name in LANGUAGES.values()]
        body = draw_list(rows, self._chosen, (max(map(len, LANGUAGES.values())),), width, height - 3, self.look)
        hints = [("Enter" if self.look.ascii else "↵", _("take")), ("Esc", _("back"))]
        return draw_page(_("language"), body, _("Everything is in this language."), hints, "", width, self.look)

    def go(self, to: int) -> None:
        """Show everything in the language of a row."""
        switch(list(LANGUAGES)[to])
        super().go(to)

    def action_choose(self) -> None:
        """Keep the language under the cursor."""
        choose(list(LANGUAGES)[self._chosen])
        self.dismiss(None)

    def withdraw(self) -> None:
        """Speak the language before."""
        switch(self._before)

    def action_cancel(self) -> None:
        """Go back to the language before."""
        self.withdraw()
        self.dismiss(None)


class Multilingual(DrawnScreen[R], Generic[R]):
    """A screen with `LANGUAGE` among its keys."""

    def action_language(self) -> None:
        """Let the player choose the language of everything."""
        self.app.push_screen(LanguagesScreen(self.look))
