"""Retells a recorded match in whole sentences: who plays, what everybody is dealt, what happens, how rounds end."""

from collections.abc import Sequence

from core.actions import MatchOver, RoundOver
from core.layout.state import NOBODY
from core.match import Match
from tui.i18n import _, several
from tui.model.playback import ALL, ON_TURN, Frame, Recording
from tui.plain.families import teller_of
from tui.plain.layouts import tile_words
from tui.plain.pages import scores_of
from tui.text.names import game_name
from tui.text.notices import Story


def opening_lines(recording: Recording, frame: Frame) -> list[str]:
    """Which game it is, and who plays."""
    match, names = frame.match, frame.names
    lines = []
    if recording.matches > 1:
        lines.append(_("Match {number} of {count}.", number=frame.number, count=recording.matches))
    name = game_name(match.variant.id)
    lines.append(_("{game}, played by {names}.", game=name, names=", ".join(names)))
    return [*lines, several("It has {count} round.", "It has {count} rounds.", recording.rounds(frame))]


def hand_lines(frame: Frame, whose: int) -> list[str]:
    """What is held, as far as hands are shown."""
    match = frame.match
    if match.state is None or whose == NOBODY:
        return []
    seats = [match.turn] if whose == ON_TURN else range(match.rules.seats) if whose == ALL else [whose]
    lines = []
    for seat in seats:
        if 0 <= seat < match.rules.seats:
            name, tiles = frame.names[seat], ", ".join(map(tile_words, match.state.hands[seat]))
            lines.append(
                _("{name} holds {tiles}.", name=name, tiles=tiles) if tiles else _("{name} holds nothing.", name=name)
            )
    return lines


def table_lines(frame: Frame) -> list[str]:
    """What lies on the table."""
    view = frame.match.view(NOBODY)
    return teller_of(view.play).table(view, view.play, frame.names) if view.play else []


def score_lines(frame: Frame) -> list[str]:
    """The scores, and when the match ends."""
    return scores_of(frame.match.view(NOBODY), frame.names)


def happened(frames: Sequence[Frame]) -> list[str]:
    """What happens in neighbouring frames of one match."""
    story, lines = Story(), []
    for frame in frames:
        events = frame.step.events
        over = any(isinstance(event, RoundOver) for event in events)
        if over:  # the result is told in full
            events = tuple(event for event in events if not isinstance(event, RoundOver | MatchOver))
        view = frame.match.view(NOBODY).play
        story.add_events(events, frame.names, NOBODY, frame.match.rules.sides, view)
        if over:
            lines += [*story.lines, *_result(frame.match, frame.names)]
            story = Story()
    return lines + story.lines


def _result(match: Match, names: tuple[str, ...]) -> list[str]:
    view = match.view(NOBODY)
    if view.play is None or view.play.result is None:
        return []
    return teller_of(view.play).result(view, view.play, view.play.result, names)
