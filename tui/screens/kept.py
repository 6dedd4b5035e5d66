"""The unfinished matches that are kept, to go on with one of them."""

from collections.abc import Sequence
from pathlib import Path

from net.storage.kept_matches import KeptMatch
from tui.board import Picture
from tui.draw.lists import Row, draw_list, draw_page
from tui.draw.look import Look
from tui.i18n import _, day_and_time
from tui.model.keys import MOVES, Key
from tui.screens.choosing import ListScreen
from tui.text.kept import kept_words, opponents

WIDTHS = (16, 36, 20)
"""Columns of the date, the match and the other players; together they fit into 80."""


class KeptScreen(ListScreen[Path | None]):
    """Asks which match to go on with; dismissed with its directory, or None to go back."""

    KEYS = (*MOVES, Key("choose", "enter,space"), Key("leave", "escape,q", leaves=True))

    def __init__(self, look: Look, kept: Sequence[KeptMatch]) -> None:
        super().__init__(look)
        self._kept = kept
        self._warning = ""

    def paint(self, width: int, height: int) -> Picture:
        """List the matches."""
        rows = [Row(_cells(match), quiet=bool(match.problem)) for match in self._kept]
        room = min(width, 120) - sum(WIDTHS) - 10
        widths = (WIDTHS[0], WIDTHS[1], WIDTHS[2] + max(0, room))
        body = draw_list(rows, self._chosen, widths, width, height - 3, self.look)
        hints = [("Enter" if self.look.ascii else "↵", _("go on")), ("q", _("back"))]
        told = self._warning
        return draw_page(_("kept matches"), body, told, hints, "", width, self.look, warning=bool(told))

    @property
    def count(self) -> int:
        """How many matches there are."""
        return len(self._kept)

    def action_move(self, step: int) -> None:
        """Choose the next match."""
        self._warning = ""
        super().action_move(step)

    def action_choose(self) -> None:
        """Go on with the chosen match."""
        match = self._kept[self._chosen]
        if match.problem:
            self._warning = _("This match cannot be read: {reason}.", reason=match.problem)
            self.redraw()
        else:
            self.dismiss(match.path)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)


def _cells(match: KeptMatch) -> tuple[str, str, str]:
    when = day_and_time(match.played_at)
    if match.problem:
        return when, _("cannot be read"), match.path.name
    return when, kept_words(match), opponents(match)
