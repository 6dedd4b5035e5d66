"""A new table: which game, how many seats, how many bots, and the house rules."""

from core.games import GAMES
from core.options import Value
from net.wire.messages import MakeTable
from tui.board.canvas import Picture
from tui.draw.lists import Row, draw_list, draw_page
from tui.draw.look import Look
from tui.draw.widget import Drawn
from tui.i18n import _
from tui.model.keys import MOVES, Key
from tui.model.wish import Wish
from tui.screens.base import DrawnScreen
from tui.text.bots import level_words


class NewTableScreen(DrawnScreen[MakeTable | None]):
    """A form in which every setting has its choices; dismissed with the wish, or None."""

    KEYS = (
        *MOVES,
        Key("turn(-1)", "left,h"),
        Key("turn(1)", "right,l,space"),
        Key("make", "enter"),
        Key("cancel", "escape,q", leaves=True),
    )

    def __init__(
        self, look: Look, *, free_seats: bool, house_rules: dict[str, dict[str, Value]] | None = None
    ) -> None:
        """`free_seats` allows seats that wait for people; without, bots take all seats but one."""
        super().__init__(look)
        self._free_seats = free_seats
        self._wish = Wish(hints="no" if free_seats else "yes", house=house_rules or {})
        self._chosen = 0

    def paint(self, width: int, height: int) -> Picture:
        """List the settings."""
        settings = self._wish.settings(self._free_seats)
        left, right = "<>" if self.look.ascii else "◀▶"
        rows = []
        for number, (key, meaning, choices, value) in enumerate(settings):
            shown = GAMES[str(value)].name if key == "game" else str(value)
            here = number == self._chosen and len(choices) > 1
            rows.append(Row((meaning, f"{left} {shown} {right}" if here else f"  {shown}")))
        body = draw_list(rows, self._chosen, (46, 22), width, height - 3, self.look)
        problem, chosen = self._wish.problem(), settings[self._chosen][0]
        enter = "Enter" if self.look.ascii else "↵"
        arrows = "Left" if self.look.ascii else "←→"
        hints = [(enter, _("open the table")), (arrows, _("change")), ("q", _("back"))]
        return draw_page(
            _("a new table"),
            body,
            problem or (level_words(self._wish.level) if chosen == "level" else ""),
            hints,
            _(self._wish.variant.pitch),
            width,
            self.look,
            warning=bool(problem),
        )

    def action_move(self, step: int) -> None:
        """Choose the next setting."""
        self._chosen = (self._chosen + step) % len(self._wish.settings(self._free_seats))
        self.redraw()

    def action_turn(self, step: int) -> None:
        """Give the chosen setting its next value."""
        key, _meaning, choices, value = self._wish.settings(self._free_seats)[self._chosen]
        if choices:
            place = choices.index(value) if value in choices else 0
            self._wish = self._wish.set(key, choices[(place + step) % len(choices)])
        self.redraw()

    def action_make(self) -> None:
        """Open the table as it stands."""
        if not self._wish.problem():
            self.dismiss(self._wish.table(self._free_seats))

    def action_cancel(self) -> None:
        """Go back without a table."""
        self.dismiss(None)

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        """Choose a setting by a click; once more to change it."""
        if event.hit.at == self._chosen:
            self.action_turn(1)
        else:
            self._chosen = event.hit.at
            self.redraw()
