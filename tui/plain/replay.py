"""A recorded match in whole sentences: a replay, line by line, and a review."""

from collections.abc import Sequence

from core.actions import MatchOver, RoundOver
from core.coach.review import ReplayedMatch, Review
from core.layout.state import NOBODY
from core.match import Match
from tui.draw.review import cost_lines, decision_words, names_of, sides_of, verdicts, view_at
from tui.i18n import _, several
from tui.model.playback import ALL, ON_TURN, Frame, Playback, Recording
from tui.plain.families import narrator_of
from tui.plain.info import Dialog, Say, scores_of
from tui.text.coach import error_words, give_or_take, headline, luck_words, scale_words, surplus
from tui.text.headlines import hand_sentence, recorded_player, side_subject
from tui.text.names import game_name, tile_words
from tui.text.notices import Story


def opening_lines(recording: Recording, frame: Frame) -> list[str]:
    """Return the game and its players."""
    match, names = frame.match, frame.names
    lines = []
    if recording.matches > 1:
        lines.append(_("Match {number} of {count}.", number=frame.number, count=recording.matches))
    name = game_name(match.variant.id)
    lines.append(_("{game}, played by {names}.", game=name, names=", ".join(names)))
    return [*lines, several("It has {count} round.", "It has {count} rounds.", recording.round_count(frame))]


def hand_lines(frame: Frame, open_hand: int) -> list[str]:
    """Return the hands that are shown."""
    match = frame.match
    if match.state is None or open_hand == NOBODY:
        return []
    seats = [match.turn] if open_hand == ON_TURN else range(match.rules.seats) if open_hand == ALL else [open_hand]
    lines = []
    for seat in seats:
        if 0 <= seat < match.rules.seats:
            tiles = ", ".join(map(tile_words, match.state.hands[seat]))
            lines.append(hand_sentence(recorded_player(seat, frame.names, NOBODY), tiles))
    return lines


def table_lines(frame: Frame) -> list[str]:
    """Return the tiles on the table."""
    view = frame.match.view(NOBODY)
    return narrator_of(view.play).table(view, view.play, frame.names) if view.play else []


def score_lines(frame: Frame) -> list[str]:
    """Return the scores, and the end of the match."""
    return scores_of(frame.match.view(NOBODY), frame.names)


def event_lines(frames: Sequence[Frame]) -> list[str]:
    """Return the events of neighbouring frames of one match."""
    story, lines = Story(), []
    for frame in frames:
        events = frame.step.events
        is_round_over = any(isinstance(event, RoundOver) for event in events)
        if is_round_over:  # the result follows in full
            events = tuple(event for event in events if not isinstance(event, RoundOver | MatchOver))
        view = frame.match.view(NOBODY).play
        story.add_events(events, frame.names, NOBODY, frame.match.rules.sides, view)
        if is_round_over:
            lines += [*story.lines, *_result_lines(frame.match, frame.names)]
            story = Story()
    return lines + story.lines


def _result_lines(match: Match, names: tuple[str, ...]) -> list[str]:
    view = match.view(NOBODY)
    if view.play is None or view.play.result is None:
        return []
    return narrator_of(view.play).result(view, view.play, view.play.result, names)


class ReplayDialog(Dialog):
    """Tells a record step by step, and handles typed lines."""

    def __init__(self, recording: Recording, say: Say) -> None:
        super().__init__(say)
        self._playback = Playback(recording)
        self.has_left = False

    def open(self) -> None:
        """Say which match it is, and how it begins."""
        self._tell_from(0)
        self._say(_("Press Enter for the next move, or type “help” to hear what you can type."))

    def handle_line(self, line: str) -> None:
        """Handle a typed line."""
        frame = self._playback.frame
        match line.strip().lower():
            case "":
                self._go(self._playback.at + 1)
            case "round" | "r":
                next_round = self._playback.round(1)
                self._go(
                    next_round.at if next_round.is_at_end and not next_round.frame.is_deal else next_round.at - 1
                )
            case "all":
                self._go(len(self._playback.recording.frames) - 1)
            case "next" | "n":
                self._jump(self._playback.round(1))
            case "back" | "b":
                self._jump(self._playback.round(-1))
            case "hands" | "hand" | "h":
                self._say_all(hand_lines(frame, ALL))
            case "table" | "t":
                self._say_all(table_lines(frame))
            case "scores":
                self._say_all(score_lines(frame))
            case "leave" | "quit" | "q":
                self.has_left = True
            case _:
                self._say_all(_help_lines())

    def _go(self, target_step: int) -> None:
        """Tell everything up to a step."""
        first = self._playback.at + 1
        self._playback = self._playback.go(max(target_step, first))
        self._tell_from(first)

    def _jump(self, playback: Playback) -> None:
        """Go to another step, and tell only its events."""
        self._playback = playback
        self._tell_from(playback.at)

    def _tell_from(self, first: int) -> None:
        """Tell the events from step `first` to the current one."""
        recording = self._playback.recording
        frame_numbers: list[int] = []
        for step_number in range(first, self._playback.at + 1):
            frame = recording.frames[step_number]
            if step_number == 0 or recording.frames[step_number - 1].number != frame.number:
                self._tell_frames(frame_numbers)
                frame_numbers = []
                self._say_all(opening_lines(recording, frame))
            frame_numbers.append(step_number)
            if frame.is_deal:
                self._tell_frames(frame_numbers)
                frame_numbers = []
                self._say_all(hand_lines(frame, ALL))
        self._tell_frames(frame_numbers)
        if self._playback.is_at_end:
            if recording.problem:
                self._say(_("The record ends here: {problem}.", problem=recording.problem))
            self._say(_("This is the end of the record. Type “back” for an earlier round, or “leave”."))

    def _tell_frames(self, numbers: Sequence[int]) -> None:
        self._say_all(event_lines([self._playback.recording.frames[step_number] for step_number in numbers]))


def _help_lines() -> list[str]:
    return [
        _("Press Enter for the next move, type “round” for the rest of the round, “all” for the rest of the record."),
        _("Type “next” or “back” to go to another round."),
        _("Type “hands”, “table” or “scores” to hear how things are, “leave” to leave."),
    ]


def review_lines(match: ReplayedMatch, review: Review, reader_seat: int = NOBODY) -> list[str]:
    """Return a review, a sentence or two per line; `reader_seat` may be NOBODY."""
    names, sides, luck = names_of(match), match.match.rules.sides, review.luck
    lines = [*verdicts(match, review, reader_seat), headline(match.match, names, reader_seat)]
    for side in sides_of(match, review):
        subject = side_subject(side, names, sides, reader_seat)
        lines.append(luck_words(luck, side, subject))
        lines += [
            subject.fill_in(
                "Round {round}: you finished {gained} points ahead, {luck} of them by luck.",
                "Round {round}: {name} finished {gained} points ahead, {luck} of them by luck.",
                round=result.round,
                gained=surplus(result.gained[side]),
                luck=give_or_take(result.luck[side], result.error[side]),
            )
            for result in luck.rounds
        ]
    lines += [error_words(), *cost_lines(review, names), scale_words(review)]
    if review.moments:
        count = len(review.moments)
        lines.append(several("One moment decided it.", "{count} moments decided it.", count))
    elif review.decisions:
        lines.append(_("Nobody did anything that can be called a mistake."))
    for number, judgement in enumerate(review.moments, 1):
        view = view_at(match, judgement)
        lines += f"{number}. {decision_words(match, judgement, reader_seat)}".splitlines()
        if view.play:
            lines += narrator_of(view.play).table(view, view.play, names)
            tiles = ", ".join(map(tile_words, view.play.hand))
            lines.append(hand_sentence(recorded_player(judgement.seat, names, reader_seat), tiles))
    return lines
