"""Draws a moment of a replay: the table at that point, and the position in the record; without Textual."""

from msgspec.structs import replace

from core.coach.review import Judgement
from core.layout.state import NOBODY
from net.wire.messages import TableInfo, Update
from tui.board.canvas import Picture, columns, stack
from tui.draw.hands import draw_all_hands, rows_for_hands
from tui.draw.panels import Hints, always_named_keys, draw_bar, draw_foot_rows, keys_width
from tui.draw.review import choice_of_best
from tui.draw.scene import draw_band, draw_middle, draw_surroundings, draw_words, put_into_surroundings
from tui.draw.window_layout import Rows, board_width, rows_for_table
from tui.i18n import _
from tui.model.look import Look, is_narrow
from tui.model.playback import ALL, ON_TURN, Playback
from tui.model.presenter import Moment
from tui.text.notices import Story

STORY_STEPS = 40
"""Steps before the current one from which the story is made."""


def draw_replay(
    playback: Playback,
    width: int,
    height: int,
    look: Look,
    *,
    shows_result: bool = True,
    judgement_picture: Picture | None = None,
    judgement: Judgement | None = None,
    hints: tuple[tuple[str, str], ...] = (),
) -> Picture:
    """Draw the current step.

    `judgement_picture` replaces the sentence. `judgement` is that of the next decision: the board compares its action
    with the better one.
    """
    moment = replace(moment_of(playback), shows_result=shows_result, hints=hints)
    if judgement:
        moment = _show_better_action(moment, playback, judgement)
    rows = _divide_rows(playback, moment, width, height)
    moment = replace(moment, lanes_have_scores=rows.lanes_have_scores)
    middle = draw_middle(moment, board_width(width, height), rows.board, look)
    return stack(
        put_into_surroundings(draw_surroundings(moment, width, rows, look), middle),
        _draw_hands(playback, moment, width, rows, look),
        draw_foot_rows(
            judgement_picture or draw_words(moment, width, look),
            _draw_status(playback, width, look, hints, is_hand_named=judgement_picture is None),
        ),
    )


def moment_of(playback: Playback) -> Moment:
    """Return the moment of the table at the current step."""
    frame, recording = playback.frame, playback.recording
    match, seat = frame.match, playback.seat
    story = Story()
    for earlier in recording.frames[max(0, playback.at - STORY_STEPS) : playback.at + 1]:
        if earlier.number == frame.number:
            view = earlier.match.view(NOBODY).play
            story.add_events(earlier.step.events, frame.names, NOBODY, match.rules.sides, view)
    table = TableInfo(0, "", match.variant.id, match.options, frame.seats, 0, "playing")
    is_broken = recording.problem and playback.is_at_end
    return Moment(
        update=Update(frame.step.number, table, seat, match.view(seat)),
        story=tuple(story.lines),
        event_lines=tuple(story.event_lines),
        warning=_("The record ends here: {problem}.", problem=recording.problem) if is_broken else "",
        is_live=False,
        queued_sentence=hand_words(playback),
    )


def _show_better_action(moment: Moment, playback: Playback, judgement: Judgement) -> Moment:
    """Return the moment as the player on turn saw it, with the better action chosen."""
    match = playback.frame.match.view(judgement.seat)
    if match.play is None:
        return moment
    update = replace(moment.update, seat=judgement.seat, match=match)
    return replace(moment, update=update, choice=choice_of_best(match.play, judgement), played=judgement.action)


def hand_words(playback: Playback) -> str:
    """Return the owner of the open hand in words; empty once all hands are on the table."""
    frame = playback.frame
    if frame.match.turn == NOBODY:
        return ""
    if playback.open_hand == ALL:
        return _("all hands")
    if playback.seat == NOBODY:
        return _("nobody's hand")
    name = frame.names[playback.seat]
    return _("{name}'s hand, on turn", name=name) if playback.open_hand == ON_TURN else _("{name}'s hand", name=name)


def place_words(playback: Playback) -> str:
    """Return the position in the match."""
    frame, recording = playback.frame, playback.recording
    place = _(
        "round {round}/{rounds} · move {move}/{moves}",
        round=frame.match.round,
        rounds=recording.round_count(frame),
        move=frame.moves,
        moves=recording.move_count(frame),
    )
    if recording.matches < 2:
        return place
    return _("match {number}/{count}", number=frame.number, count=recording.matches) + ", " + place


def _divide_rows(playback: Playback, moment: Moment, width: int, height: int) -> Rows:
    """Return the rows of each part. If all hands are open, they get what they need, up to half of the board."""
    rows = rows_for_table(moment.update, width, height)
    match = playback.frame.match
    if playback.open_hand != ALL or match.turn == NOBODY or match.state is None:
        return rows
    extra_rows = rows_for_hands(match.state.hands, width, rows.hand + rows.board // 2) - rows.hand
    return replace(rows, hand=rows.hand + extra_rows, board=rows.board - extra_rows) if extra_rows > 0 else rows


def _draw_hands(playback: Playback, moment: Moment, width: int, rows: Rows, look: Look) -> Picture:
    match = playback.frame.match
    if playback.open_hand != ALL or match.turn == NOBODY or match.state is None:
        return draw_band(moment, width, rows.hand, look)
    return draw_all_hands(match.state.hands, moment.names, match.turn, width, rows.hand, look.for_tiles(moment.view))


MAX_BAR_WIDTH, MIN_BAR_WIDTH = 24, 6
"""Maximum and minimum width of the progress bar."""


def _draw_status(playback: Playback, width: int, look: Look, hints: Hints, *, is_hand_named: bool) -> Picture:
    """Draw the state, the speed and the position; also whose hand is open, unless `is_hand_named` elsewhere."""
    speed = "½×" if playback.speed < 1 else f"{playback.speed:.0f}×"
    state = _("playing, {speed}", speed=speed) if playback.is_playing else _("paused, {speed}", speed=speed)
    frames = len(playback.recording.frames)
    step = _("step {number}/{count}", number=playback.at + 1, count=frames)
    left = [(state, True), *([] if is_narrow(width) else [(step, False)]), (place_words(playback), False)]
    keys, right = always_named_keys(hints), "" if is_hand_named else hand_words(playback)
    used_width = sum(columns(words) + 2 for words, _accent in left) + columns(right) + keys_width(keys) + 4
    if (bar_width := min(MAX_BAR_WIDTH, width - used_width)) >= MIN_BAR_WIDTH:
        done_width = bar_width * playback.at // max(1, frames - 1)
        done_sign, rest_sign = "#-" if look.ascii else "━─"
        right = "  ".join(filter(None, (right, done_sign * done_width + rest_sign * (bar_width - done_width))))
    return draw_bar(tuple(left), right, width, look.theme, ascii=look.ascii, keys=keys)
