"""A replay in whole sentences: each typed line goes on, or asks for what was on the table."""

from collections.abc import Callable, Sequence

from tui.i18n import _
from tui.model.playback import ALL, Playback, Recording
from tui.plain.retold import hand_lines, happened, opening_lines, score_lines, table_lines

Say = Callable[[str], None]


class ReplayTalk:
    """Tells a record step by step, and does what is typed."""

    def __init__(self, recording: Recording, say: Say) -> None:
        self._playback = Playback(recording)
        self._say = say
        self.left = False

    def open(self) -> None:
        """Tell which match it is, and how it begins."""
        self._tell_from(0)
        self._say(_("Press Enter for the next move, or type help to hear what you can type."))

    def typed(self, line: str) -> None:
        """Do what was typed."""
        frame = self._playback.frame
        match line.strip().lower():
            case "":
                self._go(self._playback.at + 1)
            case "round" | "r":
                following = self._playback.round(1)
                self._go(following.at if following.ended and not following.frame.deals else following.at - 1)
            case "all":
                self._go(len(self._playback.recording.frames) - 1)
            case "next" | "n":
                self._jump(self._playback.round(1))
            case "back" | "b":
                self._jump(self._playback.round(-1))
            case "hands" | "hand" | "h":
                self._tell(hand_lines(frame, ALL))
            case "table" | "t":
                self._tell(table_lines(frame))
            case "scores":
                self._tell(score_lines(frame))
            case "leave" | "quit" | "q":
                self.left = True
            case _:
                self._tell(_help())

    def _go(self, to: int) -> None:
        """Tell everything up to a step."""
        first = self._playback.at + 1
        self._playback = self._playback.go(max(to, first))
        self._tell_from(first)

    def _jump(self, playback: Playback) -> None:
        """Tell nothing but what happens at another step."""
        self._playback = playback
        self._tell_from(playback.at)

    def _tell_from(self, first: int) -> None:
        """Tell what happens from a step on, up to the one where the playback now is."""
        recording = self._playback.recording
        untold: list[int] = []
        for at in range(first, self._playback.at + 1):
            frame = recording.frames[at]
            if at == 0 or recording.frames[at - 1].number != frame.number:
                self._tell_frames(untold)
                untold = []
                self._tell(opening_lines(recording, frame))
            untold.append(at)
            if frame.deals:
                self._tell_frames(untold)
                untold = []
                self._tell(hand_lines(frame, ALL))
        self._tell_frames(untold)
        if self._playback.ended:
            if recording.problem:
                self._say(_("The record ends here: {problem}.", problem=recording.problem))
            self._say(_("This is the end of the record. Type back for an earlier round, or leave."))

    def _tell_frames(self, numbers: Sequence[int]) -> None:
        self._tell(happened([self._playback.recording.frames[at] for at in numbers]))

    def _tell(self, lines: list[str]) -> None:
        for line in lines:
            self._say(line)


def _help() -> list[str]:
    return [
        _("Enter alone tells the next move, round the rest of the round, and all the rest of the record."),
        _("Type next or back to go to another round."),
        _("Type hands, table or scores to hear how things are, and leave to leave."),
    ]
