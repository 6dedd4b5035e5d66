"""The replay of a recorded match: forward, back or automatic, with the hand of any player."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from textual.timer import Timer

from core.actions import Action
from core.coach.review import Decision, Judgement, decision_of
from core.records import ActionLine
from tui.board.canvas import Picture
from tui.draw.panels import draw_sentence
from tui.draw.replay import draw_replay
from tui.i18n import _, pgettext
from tui.model.keys import REPLAY, Button, ReplayKeys
from tui.model.look import Look
from tui.model.playback import Playback, Recording
from tui.screens.global_keys import GlobalKeysScreen
from tui.screens.help import HelpScreen
from tui.text.coach import cost_sentence, decision_sentence

Judge = Callable[[Decision], Awaitable[Judgement | None]]
"""Judges a decision without blocking the event loop."""


class ReplayScreen(GlobalKeysScreen[None]):
    """Plays a record back. Deals and actions are steps; their consequences belong to the same step."""

    KEYS = REPLAY

    def __init__(
        self,
        recording: Recording,
        look: Look,
        judge: Judge | None = None,
        on_look_changed: Callable[[Look], None] | None = None,
        step_number: int = 0,
    ) -> None:
        """`judge` judges a decision, `on_look_changed` is called with newly chosen colours; `step_number` is the
        first step.
        """
        super().__init__(look, on_look_changed)
        self._judge = judge
        self._is_coaching = self._is_judging = False
        self._judgements: dict[int, Judgement | None] = {}
        """By decision number; None if it cannot be judged."""
        self._playback = Playback(recording).go(step_number)
        self._shows_result = True
        self._timer: Timer | None = None

    def draw(self, width: int, height: int) -> Picture:
        decision = self._decision if self._is_coaching else None
        return draw_replay(
            self._playback,
            width,
            height,
            self.look,
            shows_result=self._shows_result,
            judgement_picture=self._draw_judgement(decision, width) if self._is_coaching else None,
            judgement=self._judgements.get(decision.number) if decision else None,
            hints=self._hints(),
        )

    def buttons(self) -> tuple[Button, ...]:
        play_or_pause = Button("Space", self._pace_words(), "main")
        back, forward = Button("←", pgettext("a step", "back")), Button("→", _("forward"))
        return play_or_pause, back, forward, Button("q", pgettext("the replay", "leave"))

    def _hints(self) -> tuple[tuple[str, str], ...]:
        back_and_forth, rounds = ("Left/Right", "Up/Down") if self.look.ascii else ("← →", "↑ ↓")
        return (
            (_("Space"), self._pace_words()),
            ("h", _("whose hand")),
            (rounds, _("round")),
            (back_and_forth, _("step")),
            ("+ -", _("speed")),
            ("r", _("coach")),
            ("?", _("keys")),
            ("q", pgettext("the replay", "leave")),
        )

    def _pace_words(self) -> str:
        return _("pause") if self._playback.is_playing else pgettext("the replay", "play")

    def _show_step(self, playback: Playback) -> None:
        """Show another step; while playing, schedule the next."""
        self._playback = playback
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(playback.seconds, self._play_on) if playback.is_playing else None
        self._start_judging()
        self.redraw()

    def _play_on(self) -> None:
        self._show_step(self._playback.go(self._playback.at + 1))

    # The coach

    @property
    def _decision(self) -> Decision | None:
        """The next decision in the record, if there was a choice."""
        step_number, frame = self._playback.at, self._playback.frame
        action = self._action_chosen_after(step_number)
        return None if action is None else decision_of(frame.head, frame.match, step_number + 1, action)

    def _action_chosen_after(self, step_number: int) -> Action | None:
        """Return the action that follows step `step_number`; None if there was no choice."""
        frames = self._playback.recording.frames
        next_line = frames[step_number + 1].step.line if step_number + 1 < len(frames) else None
        return (
            next_line.action
            if isinstance(next_line, ActionLine) and len(frames[step_number].match.legal) > 1
            else None
        )

    def _draw_judgement(self, decision: Decision | None, width: int) -> Picture:
        """Draw the coach's judgement of the next decision."""
        words, warning = _("There is nothing to decide here."), False
        if decision and decision.view.play:
            judgement = self._judgements.get(decision.number)
            if judgement:
                names = self._playback.frame.names
                words = f"{decision_sentence(judgement, decision.view.play, names)} {cost_sentence(judgement)}"
                warning = judgement.kind in ("blunder", "exact")
            elif decision.number in self._judgements:
                words = _("Luck hides what this decision is worth.")
            else:
                words = _("The coach is thinking …")
        return draw_sentence(words, (), width, self.look.theme, warning=warning, ascii=self.look.ascii)

    def _start_judging(self) -> None:
        if self._is_coaching and not self._is_judging and self._judge:
            self._is_judging = True
            self.run_worker(self._judge_decisions(self._judge))

    async def _judge_decisions(self, judge: Judge) -> None:
        """Judge the decision in view until it is judged: the player may move on meanwhile."""
        try:
            while self._is_coaching and (decision := self._decision) and decision.number not in self._judgements:
                self._judgements[decision.number] = await judge(decision)
        finally:
            self._is_judging = False
        self.redraw()

    def action_coach(self) -> None:
        self._is_coaching = not self._is_coaching and self._judge is not None
        self._start_judging()
        self.redraw()

    # Navigation

    def action_play(self) -> None:
        self._show_step(self._playback.toggle_play())

    def action_faster(self, steps: int) -> None:
        self._show_step(self._playback.change_speed(steps))

    def action_step(self, count: int) -> None:
        """Go one step on or back; with the coach, to the next decision, if there is one."""
        if self._is_coaching:
            last = len(self._playback.recording.frames) - 1
            steps = range(self._playback.at + count, last + 1 if count > 0 else -1, count)
            decision_step = next((number for number in steps if self._action_chosen_after(number) is not None), None)
            if decision_step is not None:
                self._show_step(self._playback.go(decision_step))
                return
        self._show_step(self._playback.step(count))

    def action_round(self, direction: int) -> None:
        self._show_step(self._playback.round(direction))

    def action_jump(self, step_number: int) -> None:
        self._show_step(
            self._playback.go(step_number if step_number >= 0 else len(self._playback.recording.frames) - 1)
        )

    def action_hand(self) -> None:
        self._show_step(self._playback.next_hand())

    def action_look(self) -> None:
        self._shows_result = not self._shows_result
        self.redraw()

    def action_help(self) -> None:
        match = self._playback.frame.match
        self.app.push_screen(HelpScreen(self.look, REPLAY, match.variant.id, match.options))

    def action_leave(self) -> None:
        self.dismiss()

    def on_screen_suspend(self) -> None:
        if self._playback.is_playing:
            self._show_step(self._playback.toggle_play())
        super().on_screen_suspend()


if TYPE_CHECKING:
    _has_what_its_keys_do: type[ReplayKeys] = ReplayScreen
