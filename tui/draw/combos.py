"""Draws a table of combinations: the tiles that each player has laid to the trick, and the number of their tricks."""

from typing import cast

from core.combos.state import ComboView, LaidCombo, best_of, tricks_taken
from core.layout.state import NOBODY
from tui.board.canvas import Box, Canvas, Picture, Style, columns
from tui.board.faces import Face, Tone, draw_tile, faces, largest_fitting
from tui.draw.tricks import FAR, LEFT, NEAR, RIGHT, Painter, places_of_seats, trick_note
from tui.i18n import _, several
from tui.model.look import Look
from tui.model.presenter import Moment

SPOTS = {NEAR: (1, 2), RIGHT: (2, 1), FAR: (1, 0), LEFT: (0, 1)}
"""Column and row of each place."""


def draw_combos(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the table into `width` by `height` cells, at least 50 by 8."""
    theme, ascii, names, view = look.theme, look.ascii, moment.names, cast("ComboView", moment.view)
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, ascii)
    is_running = bool(view.trick) or not view.tricks
    trick = view.trick if is_running else view.tricks[-1].puts
    winning_seat = NOBODY if not trick else best_of(trick).seat
    trick_counts = tricks_taken(view.tricks, len(names))
    size = len(trick[0].tiles) if trick else 1
    column_width = (width - 2) // 3
    face = _choose_face(column_width, height, size, ascii=ascii)
    pitch = (height - face.lying.h - 2) // 2
    places = places_of_seats(len(names), view.seat, counter_clockwise=moment.counter_clockwise)
    puts, leader = {put.seat: put for put in trick}, trick[0].seat if trick else NOBODY
    for seat, name in enumerate(names):
        column, row = SPOTS[places[seat]]
        x, y = 1 + column * column_width, row * pitch
        tricks = several("{count} trick", "{count} tricks", trick_counts[seat])
        label = _first_fitting(column_width - 1, f"{name} · {tricks}", f"{name} {trick_counts[seat]}", name)
        painter.write(
            x + (column_width - columns(label)) // 2,
            y,
            label,
            column_width,
            accent=seat == winning_seat,
            quiet=seat != winning_seat,
        )
        if seat in puts:
            combo_width = size * (face.lying.w + 1) - 1
            box = Box(x + (column_width - combo_width) // 2, y + 1, *face.lying)
            _draw_put(
                painter,
                puts[seat],
                size,
                box,
                face,
                is_winning=seat == winning_seat and is_running,
                is_faded=not is_running,
            )
        if pitch < face.lying.h + 2:
            continue
        note, banker = (
            trick_note(seat, leader, winning_seat, is_running=is_running),
            _("banker") * (seat == view.banker),
        )
        note = _first_fitting(column_width - 1, " · ".join(filter(None, (banker, note))), note)
        painter.write(
            x + (column_width - columns(note)) // 2,
            y + 1 + face.lying.h,
            note,
            column_width,
            accent=seat == winning_seat,
            quiet=True,
        )
    return Picture(painter.canvas.rows())


def _first_fitting(max_width: int, *forms: str) -> str:
    """Return the first of `forms` that fits; empty if none does."""
    return next((form for form in forms if columns(form) <= max_width), "")


def _choose_face(column_width: int, height: int, size: int, *, ascii: bool) -> Face:
    """Return the largest face in which three rows of tiles fit above each other, each with a name and a note."""
    return largest_fitting(
        faces(6, ascii=ascii), lambda w, h: 3 * (h + 2) <= height and size * (w + 1) <= column_width
    )


def _draw_put(
    painter: Painter, put: LaidCombo, size: int, box: Box, face: Face, *, is_winning: bool, is_faded: bool
) -> None:
    """Draw tiles side by side: face up, or their backs if nobody else knows them."""
    theme = painter.theme
    for number in range(size):
        spot = box.moved(number * (box.w + 1), 0)
        if number < len(put.tiles):
            tile = put.tiles[number]
            tone: Tone = "glow" if is_winning else "ivory" if put.up and not is_faded else "greyed"
            draw_tile(painter.canvas, spot, face, (tile.high, tile.low), theme=theme, tone=tone)
            continue
        left, inner, right = "[#]" if painter.ascii else "▐█▌"
        for y in range(spot.y, spot.bottom):
            painter.canvas.put(spot.x, y, left + inner * (spot.w - 2) + right, Style(theme.back, theme.felt))
