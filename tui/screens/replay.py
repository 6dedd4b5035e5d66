"""A recorded match, forward and back, with the hand of whoever is to play."""

from textual.app import App

from core.layout.placed import NOBODY
from core.records import ActionLine, DealLine, MatchLine, Step
from net.wire.messages import SeatInfo, TableInfo, Update
from themes import load_theme, theme_names
from tui.board.canvas import Form, Picture
from tui.draw.lists import stack
from tui.draw.look import Look
from tui.draw.moment import Moment
from tui.draw.panels import draw_bar
from tui.draw.scene import (
    draw_band,
    draw_middle,
    draw_seats,
    draw_story,
    draw_title,
    draw_words,
    held,
    rows_of,
)
from tui.i18n import _
from tui.model.keys import REPLAY
from tui.screens.base import DrawnScreen
from tui.screens.help import HelpScreen
from tui.text.story import Story


class ReplayScreen(DrawnScreen[None]):
    """Steps through a record. Only deals and actions are steps; what follows from them comes with them."""

    KEYS = REPLAY

    def __init__(self, steps: list[Step], look: Look, theme: str, problem: str = "") -> None:
        super().__init__(look)
        self._seats: list[tuple[SeatInfo, ...]] = []
        self._steps: list[Step] = []
        seats: tuple[SeatInfo, ...] = ()
        for step in steps:
            if isinstance(step.line, MatchLine):
                seats = tuple(SeatInfo(seat.name, seat.bot) for seat in step.line.seats)
            if isinstance(step.line, DealLine | ActionLine):
                self._steps.append(step)
                self._seats.append(seats)
        self._at = 0
        self._theme_name = theme
        self._problem = problem
        self._shows_result = True
        self._form: Form | None = None

    @property
    def _now(self) -> Step:
        return self._steps[self._at]

    def paint(self, width: int, height: int) -> Picture:
        """Show one step."""
        moment = self._moment()
        rows = rows_of(height, held(moment.update))
        middle = draw_middle(moment, width, rows.board, self.look, self._form)
        self._form = middle.form or self._form
        place = _("step {number} of {count}", number=self._at + 1, count=len(self._steps))
        return stack(
            draw_title(moment, width, self.look),
            draw_seats(moment, width, self.look),
            middle,
            draw_story(moment, width, rows.story, self.look),
            draw_band(moment, width, rows.hand, self.look),
            draw_words(moment, width, self.look),
            draw_bar([(_("replay"), True), (place, False)], "", width, self.look.theme, ascii=self.look.ascii),
        )

    def _moment(self) -> Moment:
        step, seats = self._now, self._seats[self._at]
        match = step.match
        seat = match.turn
        names = tuple(info.name for info in seats)
        story = Story()
        for earlier in self._steps[max(0, self._at - 4) : self._at + 1]:
            play = earlier.match.view(NOBODY).play
            story.add_events(earlier.events, names, NOBODY, match.rules.sides, play)
        table = TableInfo(0, "", match.variant.id, match.options, seats, 0, "playing")
        hints = [(key.written(self.look.ascii), key.words()) for key in REPLAY[:4]]
        at_end = self._at == len(self._steps) - 1
        return Moment(
            update=Update(step.number, table, seat, match.view(seat)),
            story=tuple(story.lines),
            warning=_("The record ends here: {problem}.", problem=self._problem) if self._problem and at_end else "",
            shows_result=self._shows_result,
            hints=(*hints, ("?", _("help"))),
            live=False,
        )

    def _go(self, to: int) -> None:
        before = self._now.match
        self._at = max(0, min(len(self._steps) - 1, to))
        if self._now.match.round != before.round:
            self._form = None
        self.redraw()

    def action_step(self, by: int) -> None:
        """Go forward or back."""
        self._go(self._at + by)

    def action_round(self, by: int) -> None:
        """Go to the deal of the next round, or of this one, or of the one before."""
        deals = [n for n, step in enumerate(self._steps) if isinstance(step.line, DealLine)]
        if by > 0:
            self._go(next((n for n in deals if n > self._at), len(self._steps) - 1))
        else:
            self._go(next((n for n in reversed(deals) if n < self._at), 0))

    def action_jump(self, to: int) -> None:
        """Go to the first step, or to the last."""
        self._go(to if to >= 0 else len(self._steps) - 1)

    def action_look(self) -> None:
        """Change between a result and the table under it."""
        self._shows_result = not self._shows_result
        self.redraw()

    def action_theme(self) -> None:
        """Show everything in other colours."""
        names = theme_names()
        self._theme_name = names[(names.index(self._theme_name) + 1) % len(names)]
        self.look = Look(load_theme(self._theme_name), self.look.ascii)
        self.redraw()

    def action_help(self) -> None:
        """Show the keys and the rules."""
        match = self._now.match
        self.app.push_screen(HelpScreen(self.look, REPLAY, match.variant.id, match.options))

    def action_leave(self) -> None:
        """Close the record."""
        self.dismiss()

    def on_resize(self) -> None:
        """Let the tiles take the largest face for the new room."""
        self._form = None
        super().on_resize()


class ReplayApp(App[None]):
    """Shows one record."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, steps: list[Step], look: Look, theme: str, problem: str) -> None:
        super().__init__()
        self._first = ReplayScreen(steps, look, theme, problem)

    def on_mount(self) -> None:
        """Open the one screen."""
        self.push_screen(self._first, self.exit)
