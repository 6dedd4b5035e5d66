"""Your matches: the recorded ones in a list to type into, and how they went together by game and level."""

from collections.abc import Sequence

from tui.draw.look import Look
from tui.i18n import _, day_and_time
from tui.model.keys import Key
from tui.records.history import PastMatch
from tui.records.statistics import Tally, level_of, statistics, total
from tui.screens.base import SCROLLING, Page, PageScreen
from tui.screens.picking import Item, PickScreen
from tui.text.matches import levels_words, statistics_table, together_words


class MatchesScreen(PickScreen[PastMatch | None]):
    """Dismissed with a match; opens the statistics by itself."""

    def __init__(self, look: Look, matches: Sequence[PastMatch], at: int = 0) -> None:
        items: list[Item[PastMatch | None]] = [Item((_("Statistics"), _("by game and level")), None)]
        items += [
            Item(
                (f"{match.title} · {day_and_time(match.began_at)}", match.result),
                match,
                " ".join([levels_words(level_of(match)), *match.players]),
            )
            for match in matches
        ]
        super().__init__(look, _("your matches"), items, _("open"), at)
        self._matches = matches

    @property
    def told(self) -> str:
        """What the matches in view are together."""
        found = [item.value for item in self._found if item.value]
        tally = total(found)
        return together_words(tally) if tally.played else ""

    def action_choose(self) -> None:
        """Open the chosen match, or the statistics."""
        if self.chosen and self.chosen.value is None:
            self.app.push_screen(StatisticsScreen(self.look, statistics(self._matches)))
        else:
            super().action_choose()

    @property
    def place(self) -> int:
        """Which row is chosen, of all."""
        return self._items.index(self.chosen) if self.chosen else 0


class StatisticsScreen(PageScreen):
    """Shows the tallies as a table."""

    KEYS = (*SCROLLING, Key("close", "escape,q,enter", leaves=True))

    def __init__(self, look: Look, tallies: Sequence[Tally]) -> None:
        super().__init__(look)
        self._tallies = tallies

    def page(self, width: int) -> Page:
        """Return the table."""
        return Page(_("statistics"), "\n".join(statistics_table(self._tallies, width - 4)), "")
