"""Draws a table of tricks: the trick in the middle, the bidding and the contract, and what each side has taken."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from core.actions import Laid
from core.layout.state import NOBODY
from core.prompts import ask, bid_words, suit_words, trump_words
from core.tiles import Tile
from core.tricks.state import NO_SUIT, TrickView, scoring_tiles, tricks_and_counts, winning_tile
from themes import Theme
from tui.board.canvas import Box, Canvas, ClickTarget, Picture, Style, columns, fit, plain
from tui.board.faces import Face, Tone, draw_spot, draw_tile, faces, largest_fitting
from tui.draw.panels import TOUCHED_ROW_HEIGHT, hidden_rows_text
from tui.i18n import _, pgettext, several, translate
from tui.model.look import Look
from tui.model.non_layout_choices import LIST_KEYS, TrickChoice
from tui.model.presenter import Moment
from tui.text.non_layout import item_words, trump_line

NEAR, LEFT, FAR, RIGHT = range(4)
_PLACES = {3: (NEAR, LEFT, RIGHT), 4: (NEAR, LEFT, FAR, RIGHT)}
"""Occupied places by number of players, clockwise."""


def places_of_seats(players: int, seat: int, *, counter_clockwise: bool) -> tuple[int, ...]:
    """Return the place of each seat: near for `seat`, or a spectator's first seat; the others follow in turn order.

    `docs/rules/conventions.md`, “Seats”.
    """
    occupied = _PLACES[players]
    step = -1 if counter_clockwise else 1
    return tuple(occupied[step * (number - max(seat, 0)) % players] for number in range(players))


PANEL_WIDTH = 24
"""Columns of the bidding on the left, and of the tricks taken on the right."""
MIN_WIDTH_FOR_PANELS = 72
"""Columns below which there are no panels."""
MIN_HEIGHT_FOR_NOTES = 8
"""Rows below which there are no notes beside the names around a trick."""
MAX_ITEMS_IN_COLUMN = 5
"""Number of items in a column, if there is room for more columns."""
MAX_EXTRA_GAP = 6
"""Maximum number of screen columns added between two of these."""
MIN_CONTRACT_WIDTH = 12
"""Columns in which a contract that is cut is still useful."""


class Painter(NamedTuple):
    """Writes on a canvas in the colours of a theme."""

    canvas: Canvas
    theme: Theme
    ascii: bool
    touched: bool = False

    def write(self, x: int, y: int, text: str, max_width: int, *, accent: bool = False, quiet: bool = False) -> None:
        """Write a text, cut to `max_width` columns; accented text is bold."""
        colour = self.theme.accent if accent else self.theme.quiet if quiet else self.theme.text
        self.canvas.put(x, y, plain(fit(text, max_width), self.ascii), Style(colour, self.theme.felt, accent))


def draw_tricks(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the table into `width` by `height` cells, at least 50 by 8.

    A narrow table has no panels: their content is in the corners, as far as it fits.
    """
    theme, names = look.theme, moment.names
    view, choice = cast("TrickView", moment.view), cast("TrickChoice | None", moment.choice)
    painter = Painter(Canvas(width, height, Style(theme.text, theme.felt)), theme, look.ascii, look.touched)
    has_panels = width >= MIN_WIDTH_FOR_PANELS
    panel_width = PANEL_WIDTH + max(0, width - 100) // 6 if has_panels else 0
    rows = min(height, 13)
    top = (height - rows) // 2
    if has_panels:
        _draw_bidding(painter, view, names, Box(2, top, panel_width - 3, rows))
    calls_height = 0 if has_panels else _draw_calls(painter, view, names, width)
    content_box = Box(panel_width, calls_height, width - panel_width - 2, height - calls_height)
    hits: tuple[ClickTarget, ...] = ()
    if choice and choice.items and view.turn == view.seat:
        labels = [translate(item_words(item)) for item in choice.items]
        hits = draw_choices(painter, labels, choice.item, LIST_KEYS, content_box, translate(ask(view), names))
    elif view.trump is None:
        question = "" if view.result else translate(ask(view), names)
        painter.write(
            content_box.x + max(0, content_box.w - columns(question)) // 2,
            height // 2,
            question,
            content_box.w,
            quiet=True,
        )
    else:
        if has_panels:
            _draw_taken(painter, view, names, Box(width - panel_width, top, panel_width - 2, rows))
        else:
            _draw_corners(painter, view, names, width, rows=2 if height >= MIN_HEIGHT_FOR_NOTES else 1)
        places = places_of_seats(len(names), view.seat, counter_clockwise=moment.counter_clockwise)
        _draw_trick(painter, view, names, places, Box(panel_width, 0, width - 2 * panel_width, height))
    return Picture(painter.canvas.rows(), hits=hits)


# The bidding


def _draw_bidding(painter: Painter, view: TrickView, names: tuple[str, ...], box: Box) -> None:
    """Draw the bid with its player and trump; below it everybody's call."""
    y = box.y
    if view.bid:
        for text in (
            _("{name}: bid {bid}", name=names[view.bidder], bid=translate(bid_words(view.bid))),
            trump_line(view),
        ):
            painter.write(box.x, y, text, box.w, accent=True)
            y += 1
        y += 1
    calls = {call.seat: call.bid for call in view.calls}
    calls_in_words = {}
    for step in range(1, len(names) + 1):
        seat = (view.shaker + step) % len(names)
        bid = calls.get(seat)
        calls_in_words[seat] = (
            translate(bid_words(bid)) if bid else _("pass") if seat in calls else "…" * (seat == view.turn)
        )
        if seat == view.out:
            calls_in_words[seat] = _("sits out")
    name_width = min(12, box.w - 1 - max(map(columns, calls_in_words.values())))
    for seat, text in calls_in_words.items():
        bid = calls.get(seat)
        painter.write(box.x, y, names[seat], name_width, quiet=seat not in calls)
        accent = bid is not None and bid == view.bid
        painter.write(box.x + name_width + 1, y, text, box.w - name_width - 1, accent=accent, quiet=not bid)
        y += 1
    if box.h >= 11:
        painter.write(box.x, y + 1, _("{name} dealt", name=names[view.shaker]), box.w, quiet=True)


def _draw_calls(painter: Painter, view: TrickView, names: tuple[str, ...], width: int) -> int:
    """Draw all calls in one row, until the trump is named; return the number of rows."""
    if view.trump is not None or not view.calls:
        return 0
    pitch = (width - 2) // len(names)
    for number, call in enumerate(view.calls):
        call_words = translate(bid_words(call.bid)) if call.bid else _("pass")
        name = fit(names[call.seat], max(1, pitch - columns(call_words) - 2))
        painter.write(1 + number * pitch, 0, f"{name} {call_words}", pitch - 1, quiet=call.bid != view.bid)
    return 1


def _draw_corners(painter: Painter, view: TrickView, names: tuple[str, ...], width: int, *, rows: int) -> None:
    """Draw the corners of a table without panels: the contract on the left, and the points of each side on the right.

    With one row, only the trump and the side that bid are drawn.
    """
    max_width = (width - 18) // 2
    if view.bid:
        bid = translate(bid_words(view.bid))
        bids = (_("{name}: bid {bid}", name=names[view.bidder], bid=bid), bid)
        trumps = (trump_line(view), translate(trump_words(view.trump))) if view.trump else ("",)
        for row, forms in enumerate([bids, trumps][-rows:]):
            text = next(
                (text for text in forms if columns(text) <= max_width),
                forms[-1] if max_width >= MIN_CONTRACT_WIDTH else "",
            )
            painter.write(1, row, text, max_width, accent=True)
    sides = range(view.sides) if rows > 1 else [view.bidder % view.sides]
    for row, side in enumerate(sides):
        points = str(sum(tricks_and_counts(view.tricks, side, view.sides)))
        partners = _side_words(names[side :: view.sides], max_width - columns(points) - 1)
        has_bid = view.bid is not None and view.bidder % view.sides == side
        text = f"{partners} {points}"
        painter.write(width - 1 - columns(text), row, text, max_width, accent=has_bid)


def draw_choices(
    painter: Painter, labels: Sequence[str], chosen: int, keys: str, box: Box, title: str = ""
) -> tuple[ClickTarget, ...]:
    """Draw a list of choices, each with its key, in columns of the necessary height, scrolled to the chosen one."""
    title_rows, column_width = 2 * bool(title), max(map(columns, labels)) + 6
    max_rows = max(1, box.h - 2 * title_rows if title_rows else box.h - (len(labels) > box.h))
    visible_columns = max(1, min(box.w // column_width, -(-len(labels) // MAX_ITEMS_IN_COLUMN)))
    rows = min(max_rows, -(-len(labels) // visible_columns))
    column_count = -(-len(labels) // rows)
    rows = -(-len(labels) // column_count) if title_rows else rows
    visible_columns = min(column_count, max(1, box.w // column_width))
    extra_gap = min(MAX_EXTRA_GAP, (box.w - visible_columns * column_width) // visible_columns)
    column_width += extra_gap
    usual_pitch = TOUCHED_ROW_HEIGHT if painter.touched else 2
    row_pitch = next((pitch for pitch in (usual_pitch, 2) if title_rows and box.h >= pitch * rows + 6), 1)
    chosen %= len(labels)
    first = max(0, min(chosen // rows - visible_columns // 2, column_count - visible_columns))
    x = box.x + max(0, box.w - visible_columns * column_width + extra_gap) // 2
    y = box.y + max(0, box.h - rows * row_pitch - title_rows) // 2
    painter.write(box.x + max(0, box.w - columns(title)) // 2, y, title, box.w, accent=True)
    hits = []
    left_pointer, right_pointer = (">", "<") if painter.ascii else ("▶", "◀")
    for index, label in list(enumerate(labels))[first * rows : (first + visible_columns) * rows]:
        column, row = divmod(index, rows)
        item_x, item_y = x + (column - first) * column_width, y + title_rows + row * row_pitch
        key = keys[index] if index < len(keys) else " "
        if index == chosen:
            painter.write(item_x, item_y, f"{left_pointer}{key} {label}{right_pointer}", column_width, accent=True)
        else:
            painter.write(item_x + 1, item_y, key, 1, accent=True)
            painter.write(item_x + 3, item_y, label, column_width - 3)
        hits.append(
            ClickTarget(item_x, item_y - row_pitch // TOUCHED_ROW_HEIGHT, column_width - 1, row_pitch, index, 0)
        )
    if visible_columns < column_count:
        hidden = hidden_rows_text(
            first * rows, max(0, len(labels) - (first + visible_columns) * rows), ascii=painter.ascii
        )
        painter.write(x + 3, y + title_rows + rows * row_pitch, hidden, box.w, quiet=True)
    return tuple(hits)


# The trick


def _draw_trick(painter: Painter, view: TrickView, names: tuple[str, ...], places: tuple[int, ...], box: Box) -> None:
    """Draw the trick around the middle, each tile before its player; the last trick until the next one is led."""
    face = _choose_face(box, painter.ascii)
    w, h = face.lying
    is_running = bool(view.trick) or not view.tricks
    trick: Sequence[Laid] = view.trick if is_running else view.tricks[-1].tiles
    winning_seat = winning_tile(view.trick, view.suit, view.trump).seat if view.trick and view.trump else NOBODY
    winning_seat = winning_seat if is_running else view.tricks[-1].winner
    middle_x, middle_y = box.x + (box.w - w) // 2, box.y + (box.h - h) // 2
    distance_x = w + min((box.w - 3 * w) // 2, 8)
    distance_y = min(h + 2, (box.h - h) // 2 - 1)
    spots = {
        NEAR: (0, distance_y, 1),
        LEFT: (-distance_x, 0, -1),
        FAR: (0, -distance_y, -1),
        RIGHT: (distance_x, 0, -1),
    }
    tiles = {laid.seat: laid.tile for laid in trick}
    for seat, name in enumerate(names):
        dx, dy, label = spots[places[seat]]
        spot = Box(middle_x + dx, middle_y + dy, w, h)
        tile = tiles.get(seat)
        _draw_played_tile(
            painter,
            spot,
            tile,
            face,
            is_glowing=tile is not None and seat == winning_seat and is_running,
            is_faded=not is_running,
        )
        leader = trick[0].seat if trick else NOBODY
        note = (
            trick_note(seat, leader, winning_seat, is_running=is_running, out=view.out)
            if box.h >= MIN_HEIGHT_FOR_NOTES
            else ""
        )
        text_above, text_below = (note, name) if label > 0 else (name, note)
        for note_or_name, row in ((text_above, spot.y - 1), (text_below, spot.bottom)):
            text = fit(note_or_name, 16)
            x = max(box.x, min(spot.x + (w - columns(text)) // 2, box.right - columns(text)))
            painter.write(x, row, text, box.w, accent=seat == winning_seat, quiet=seat != winning_seat)
    question = _asked_suit_words(view, trick, is_running=is_running)
    painter.write(box.x + (box.w - columns(question)) // 2, middle_y + h // 2, question, box.w, accent=is_running)


def _choose_face(box: Box, ascii: bool) -> Face:
    """Return the largest face in which three tiles with names fit above each other, and three side by side."""
    return largest_fitting(faces(6, ascii=ascii), lambda w, h: 3 * h + 5 <= box.h and 3 * w + 4 <= box.w)


def _draw_played_tile(
    painter: Painter, spot: Box, tile: Tile | None, face: Face, *, is_glowing: bool, is_faded: bool
) -> None:
    """Draw a seat's tile in the trick at `spot`, or an empty place if it has laid none."""
    theme = painter.theme
    if tile is not None:
        tone: Tone = "glow" if is_glowing else "greyed" if is_faded else "ivory"
        draw_tile(painter.canvas, spot, face, (tile.high, tile.low), theme=theme, tone=tone)
    else:
        draw_spot(painter.canvas, spot, theme, ascii=painter.ascii)


def trick_note(seat: int, leader: int, winning_seat: int, *, is_running: bool, out: int = NOBODY) -> str:
    """Return a note beside a player; `out` sits out, and `winning_seat` takes the trick, or took it."""
    if seat == out:
        return _("sits out")
    if seat == winning_seat:
        return _("wins so far") if is_running else _("took it")
    return pgettext("this player", "led") if seat == leader else ""


def _asked_suit_words(view: TrickView, trick: Sequence[Laid], *, is_running: bool) -> str:
    """Return the suit that the trick asks for or, once it is taken, the points that it was worth."""
    if not is_running:
        return several("{count} point", "{count} points", view.tricks[-1].points)
    if not trick or trick[0].asks == NO_SUIT:
        return ""
    return translate(suit_words(trick[0].asks))


# The tricks taken


def _draw_taken(painter: Painter, view: TrickView, names: tuple[str, ...], box: Box) -> None:
    """Draw the tricks, count tiles and points of every side, and the points that the bidders need."""
    y = box.y
    for side in range(view.sides):
        tricks, counts = tricks_and_counts(view.tricks, side, view.sides)
        has_bid = view.bid is not None and view.bidder % view.sides == side
        partners = _side_words(names[side :: view.sides], box.w)
        painter.write(box.x, y, partners, box.w, accent=has_bid)
        if view.bid:
            painter.write(box.x, y + 1, _tricks_taken_words(view, tricks, counts, has_bid=has_bid), box.w)
        draw_row(painter, scoring_tiles(view.tricks, side, view.sides), box.x, y + 2)
        y += 4


def _side_words(names: tuple[str, ...], max_width: int) -> str:
    """Return the names of a side in `max_width` columns, each with an equal share."""
    return " + ".join(fit(name, (max_width - 3 * (len(names) - 1)) // len(names)) for name in names)


def _tricks_taken_words(view: TrickView, tricks: int, count_points: int, *, has_bid: bool) -> str:
    """Return the tricks and points of a side; for the bidders, also the points that they need."""
    if view.trump and view.trump.kind == "nello":
        return _("must lose every trick") if has_bid else several("{count} trick", "{count} tricks", tricks)
    if view.bid and not view.bid.marks:
        trick_words, possible_points = (
            several("{count} trick", "{count} tricks", tricks),
            len(view.tricks) + max(view.counts),
        )
        return (
            _("{points}, needs {need}", points=trick_words, need=min(view.bid.points, possible_points))
            if has_bid
            else trick_words
        )
    total_words = _(
        "{tricks} + {counts} = {points}", tricks=tricks, counts=count_points, points=tricks + count_points
    )
    points_words = total_words if count_points else several("{count} point", "{count} points", tricks)
    if has_bid and view.bid:
        return _("{points}, needs {need}", points=points_words, need=view.bid.points)
    return points_words


def draw_row(painter: Painter, tiles: Sequence[Tile], x: int, y: int) -> None:
    """Draw small tiles side by side."""
    face = faces(6, ascii=painter.ascii)[0]
    for number, tile in enumerate(tiles):
        box = Box(x + number * face.lying.w, y, *face.lying)
        draw_tile(painter.canvas, box, face, (tile.high, tile.low), theme=painter.theme)
