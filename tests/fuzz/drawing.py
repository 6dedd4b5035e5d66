"""Draws a table as the screen does, in a small and a large window, after every key that changes the choice."""

from collections.abc import Iterator

from msgspec.structs import replace

from core.layout.state import NOBODY
from net.wire.messages import Update
from themes import load_theme
from tui.draw.scene import (
    draw_band,
    draw_foot,
    draw_middle,
    draw_surroundings,
    put_into_surroundings,
)
from tui.draw.window_layout import board_width, rows_for_table
from tui.model.look import Look
from tui.model.presenter import Moment, presenter_of
from tui.text.notices import Story

LOOK = Look(load_theme("dark"))


def drawn(update: Update) -> Iterator[str]:
    """Yield every part of the screen, as text."""
    names = tuple(seat.name for seat in update.table.seats)
    story = Story()
    view = update.match.play if update.match else None
    story.add_events(update.events, names, update.seat, update.match.sides if update.match else 0, view)
    choice = None
    if view is not None and update.seat != NOBODY and not view.result:
        choice = presenter_of(view).choose(view, None)
    choices = [choice]
    if choice is not None:
        choices += [choice.move(1), choice.turn(1)]
    for width, height in ((50, 18), (80, 24), (140, 45)):
        for chosen in choices:
            moment = Moment(
                update, chosen, tuple(story.lines), event_lines=tuple(story.event_lines), shows_result=True
            )
            rows = rows_for_table(moment.update, width, height)
            moment = replace(moment, lanes_have_scores=rows.lanes_have_scores)
            middle = draw_middle(moment, board_width(width, height), rows.board, LOOK)
            yield str(put_into_surroundings(draw_surroundings(moment, width, rows, LOOK), middle))
            yield str(draw_band(moment, width, rows.hand, LOOK))
            yield str(draw_foot(moment, width, LOOK))
