"""A recorded match, forward and back, with the hand of whoever is to play."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace
from textual.app import App

from core.coach.judging import Judgement
from core.coach.recorded import Decision, decision_of
from core.layout.placed import NOBODY
from core.records import ActionLine, DealLine, MatchLine, Step
from net.wire.messages import SeatInfo, TableInfo, Update
from tui.board.canvas import Form, Picture
from tui.draw.lists import stack
from tui.draw.look import Look
from tui.draw.moment import Moment
from tui.draw.panels import draw_bar, draw_sentence
from tui.draw.scene import (
    board_width,
    draw_band,
    draw_frame,
    draw_middle,
    draw_words,
    framed,
    rows_for,
)
from tui.i18n import _
from tui.model.keys import REPLAY
from tui.screens.base import DrawnScreen
from tui.screens.help import HelpScreen
from tui.screens.themes import ThemesScreen
from tui.text.coach import judged_words
from tui.text.story import Story

Judge = Callable[[Decision], Awaitable[Judgement | None]]
"""Judges a decision, without the event loop waiting."""


TOLD = 40
"""Steps before the one on view that are told."""


class ReplayScreen(DrawnScreen[None]):
    """Steps through a record. Only deals and actions are steps; what follows from them comes with them."""

    KEYS = REPLAY

    def __init__(
        self,
        steps: list[Step],
        look: Look,
        problem: str = "",
        judge: Judge | None = None,
        looked: Callable[[Look], None] | None = None,
    ) -> None:
        """`judge` judges a decision, and `looked` is told when other colours were chosen."""
        super().__init__(look)
        self._looked = looked
        self._judge = judge
        self._coaching = self._judging = False
        self._judged: dict[int, Judgement | None] = {}
        """By the number of a decision."""
        self._heads: list[MatchLine] = []
        """For each step the first line of its match."""
        self._seats: list[tuple[SeatInfo, ...]] = []
        self._steps: list[Step] = []
        seats: tuple[SeatInfo, ...] = ()
        for step in steps:
            if isinstance(step.line, MatchLine):
                head = step.line
                seats = tuple(SeatInfo(seat.name, seat.bot) for seat in step.line.seats)
            if isinstance(step.line, DealLine | ActionLine):
                self._steps.append(step)
                self._seats.append(seats)
                self._heads.append(head)
        self._at = 0
        self._problem = problem
        self._shows_result = True
        self._form: Form | None = None

    @property
    def _now(self) -> Step:
        return self._steps[self._at]

    def paint(self, width: int, height: int) -> Picture:
        """Show one step."""
        moment = self._moment()
        rows = rows_for(moment.update, width, height)
        moment = replace(moment, scored=rows.scored)
        middle = draw_middle(moment, board_width(width), rows.board, self.look, self._form)
        self._form = middle.form or self._form
        place = _("step {number} of {count}", number=self._at + 1, count=len(self._steps))
        return stack(
            framed(draw_frame(moment, width, rows, self.look), middle),
            draw_band(moment, width, rows.hand, self.look),
            self._coached(width) if self._coaching else draw_words(moment, width, self.look),
            draw_bar([(_("replay"), True), (place, False)], "", width, self.look.theme, ascii=self.look.ascii),
        )

    def _moment(self) -> Moment:
        step, seats = self._now, self._seats[self._at]
        match = step.match
        seat = match.turn
        names = tuple(info.name for info in seats)
        story = Story()
        for earlier in self._steps[max(0, self._at - TOLD) : self._at + 1]:
            play = earlier.match.view(NOBODY).play
            story.add_events(earlier.events, names, NOBODY, match.rules.sides, play)
        table = TableInfo(0, "", match.variant.id, match.options, seats, 0, "playing")
        hints = [(key.written(self.look.ascii), key.words()) for key in REPLAY[:4]]
        at_end = self._at == len(self._steps) - 1
        return Moment(
            update=Update(step.number, table, seat, match.view(seat)),
            story=tuple(story.lines),
            told=tuple(story.told),
            warning=_("The record ends here: {problem}.", problem=self._problem) if self._problem and at_end else "",
            shows_result=self._shows_result,
            hints=(*hints, ("r", _("coach")), ("?", _("help"))),
            live=False,
        )

    def _go(self, to: int) -> None:
        before = self._now.match
        self._at = max(0, min(len(self._steps) - 1, to))
        if self._now.match.round != before.round:
            self._form = None
        self._ask()
        self.redraw()

    # The coach

    @property
    def _decision(self) -> Decision | None:
        """What is decided next, if there is a choice."""
        following = self._steps[self._at + 1].line if self._at + 1 < len(self._steps) else None
        match = self._now.match
        if not isinstance(following, ActionLine) or len(match.legal) < 2:
            return None
        return decision_of(self._heads[self._at], match, self._at + 1, following.action)

    def _coached(self, width: int) -> Picture:
        """What the coach says of it."""
        decision, words, warning = self._decision, _("There is nothing to decide here."), False
        if decision and decision.view.play:
            judged = self._judged.get(decision.number)
            names = tuple(info.name for info in self._seats[self._at])
            if judged:
                words, warning = judged_words(judged, decision.view.play, names), judged.kind in ("blunder", "exact")
            elif decision.number in self._judged:
                words = _("Luck drowns what this decision is worth.")
            else:
                words = _("The coach is thinking …")
        return draw_sentence(words, (), width, self.look.theme, warning=warning, ascii=self.look.ascii)

    def _ask(self) -> None:
        if self._coaching and not self._judging and self._judge:
            self._judging = True
            self.run_worker(self._judge_on(self._judge))

    async def _judge_on(self, judge: Judge) -> None:
        """Judge what is on view, until that is judged."""
        try:
            while self._coaching and (decision := self._decision) and decision.number not in self._judged:
                self._judged[decision.number] = await judge(decision)
        finally:
            self._judging = False
        self.redraw()

    def action_coach(self) -> None:
        """Say, or do not say, what the next decision costs."""
        self._coaching = not self._coaching and self._judge is not None
        self._ask()
        self.redraw()

    # Going through it

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
        """Choose other colours."""
        self.app.push_screen(ThemesScreen(self.look), self._take_look)

    def _take_look(self, look: Look | None) -> None:
        if look:
            self.wear(look)
            if self._looked:
                self._looked(look)

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

    def __init__(
        self,
        steps: list[Step],
        look: Look,
        problem: str,
        judge: Judge | None = None,
        looked: Callable[[Look], None] | None = None,
    ) -> None:
        super().__init__()
        self._first = ReplayScreen(steps, look, problem, judge, looked)

    def on_mount(self) -> None:
        """Open the one screen."""
        self.push_screen(self._first, self.exit)
