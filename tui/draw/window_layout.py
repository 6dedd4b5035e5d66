"""Divides a window among the parts of the table, and draws the panel beside the board in a wide window."""

from collections.abc import Sequence

from msgspec import Struct

from core.layout.state import LayoutView
from core.patience.state import PatienceView
from core.tiles import Tile
from net.players.text import HOST_MARK
from net.wire.messages import Update
from themes import Theme
from tui.board.canvas import Box, Canvas, Picture, Style, columns, fit, plain
from tui.board.faces import USUAL_HIGHEST, draw_tile, faces
from tui.draw.hands import face_down_words, min_rows
from tui.draw.panels import SeatSummary, tiles_text, wrap
from tui.i18n import _
from tui.model.look import USUAL_WINDOW, Look

MIN_WIDTH_FOR_PANEL = 120
"""Columns of a window from which there is a panel."""
PANEL_WIDTH = 36
"""Columns of the panel."""
MAX_BACKS = 18
"""Maximum number of backs drawn for a player; the number beside them is exact."""
MAX_TALK_ROWS = 4
"""Maximum number of rows for talk: the newest lines."""


class SidePanel(Struct, frozen=True):
    """The content of the panel."""

    groups: tuple[tuple[SeatSummary, ...], ...]
    """In seat order; partners together."""
    boneyard: int
    """Tiles in the boneyard; negative if there is none."""
    event_lines: tuple[str, ...]
    chat_lines: tuple[str, ...]
    lines_scrolled_back: int = 0
    """Number of story lines scrolled back."""


def draw_side(side: SidePanel, height: int, look: Look) -> Picture:
    """Draw the panel with `height` rows."""
    theme = look.theme
    canvas = Canvas(PANEL_WIDTH, height, Style(theme.text, theme.bar))
    players = [player for group in side.groups for player in group]
    has_notes = height >= 3 * len(players) + len(side.groups) + 12
    y = 1
    for group in side.groups:
        for player in group:
            _draw_player(canvas, y, player, look)
            y += 2
            description = player.lacked_numbers[0] or player.description
            if has_notes and description:
                colour = theme.warning if player.lacked_numbers[0] else theme.dim
                _write(canvas, 4, y, description, Style(colour, theme.bar), look)
                y += 1
        y += has_notes
    if side.boneyard >= 0:
        y += not has_notes
        _write(canvas, 2, y, _("boneyard"), Style(theme.quiet, theme.bar), look)
        count = str(side.boneyard)
        _draw_backs(canvas, 12, y, side.boneyard, theme.dim, look)
        canvas.put(PANEL_WIDTH - 2 - len(count), y, count, Style(theme.text, theme.bar, True))
        y += 2
    chat_lines = _wrap_lines(side.chat_lines)[-MAX_TALK_ROWS:]
    bottom = height - (len(chat_lines) + 2 if chat_lines else 0)
    _draw_story(canvas, y, bottom - 1, side, look)
    if chat_lines:
        _write(canvas, 2, bottom, _("talk"), Style(theme.accent, theme.bar, True), look)
        for row, line in enumerate(chat_lines, bottom + 1):
            is_of_host = line.startswith(HOST_MARK)
            _write(
                canvas, 2, row, line, Style(theme.accent if is_of_host else theme.text, theme.bar, is_of_host), look
            )
    return Picture(canvas.rows())


def _draw_player(canvas: Canvas, y: int, player: SeatSummary, look: Look) -> None:
    """Draw two rows: name and score; then backs and the last tile, or the hand turned over."""
    theme = look.theme
    name_colour = theme.accent if player.is_on_turn else theme.text if player.side < 1 else theme.quiet
    if player.is_on_turn:
        canvas.put(2, y, ">" if look.ascii else "▶", Style(theme.accent, theme.bar, True))
    mark = player.mark(ascii=look.ascii)
    canvas.put(4, y, mark.strip(), Style(theme.quiet if player.side else theme.accent, theme.bar, True))
    x = 4 + columns(mark)
    score = " ".join(filter(None, (player.gained, player.score)))
    _write(
        canvas,
        x,
        y,
        fit(player.name, PANEL_WIDTH - x - 3 - columns(score)),
        Style(name_colour, theme.bar, player.is_on_turn),
        look,
    )
    canvas.put(PANEL_WIDTH - 2 - columns(score), y, plain(score, look.ascii), Style(theme.text, theme.bar, True))
    if player.gained:
        gained_text = plain(player.gained, look.ascii)
        canvas.put(PANEL_WIDTH - 2 - columns(score), y, gained_text, Style(theme.accent, theme.bar, True))
    if player.hand is not None:
        count_words = player.hand_words
        _write(
            canvas,
            PANEL_WIDTH - 2 - columns(count_words),
            y + 1,
            count_words,
            Style(theme.accent, theme.bar, not player.hand),
            look,
        )
        tiles = tiles_text(player.hand, PANEL_WIDTH - 8 - columns(count_words))
        _write(canvas, 4, y + 1, tiles, Style(theme.ivory, theme.bar), look)
        return
    if player.tile_count is None:
        return
    end_column = _draw_backs(
        canvas, 4, y + 1, player.tile_count, theme.accent if player.is_on_turn else theme.dim, look
    )
    number = str(player.tile_count)
    canvas.put(end_column + 1, y + 1, number, Style(theme.quiet, theme.bar))
    if player.face_down_count:
        face_down_text = face_down_words(
            player.face_down_count, PANEL_WIDTH - 10 - end_column - len(number), ascii=look.ascii
        )
        canvas.put(end_column + 3 + len(number), y + 1, face_down_text, Style(theme.dim, theme.bar))
    if player.last_tile:
        _draw_small(canvas, y + 1, player.last_tile, theme, ascii=look.ascii)


def _draw_backs(canvas: Canvas, x: int, y: int, tiles: int, colour: str, look: Look) -> int:
    """Draw tiles from behind; return the column after them."""
    count = min(tiles, MAX_BACKS)
    canvas.put(x, y, ("|" if look.ascii else "▌") * count, Style(colour, look.theme.bar))
    return x + count


def _draw_small(canvas: Canvas, y: int, tile: Tile, theme: Theme, *, ascii: bool) -> None:
    face = faces(tile.high, ascii=ascii)[0]
    box = Box(PANEL_WIDTH - 2 - face.lying.w, y, *face.lying)
    draw_tile(canvas, box, face, (tile.low, tile.high), theme=theme)


def _draw_story(canvas: Canvas, top: int, bottom: int, side: SidePanel, look: Look) -> None:
    """Draw the story from row `top` to row `bottom`: the newest line last and brightest."""
    theme = look.theme
    if bottom - top < 2:
        return
    _write(canvas, 2, top, _("the moves"), Style(theme.accent, theme.bar, True), look)
    lines = _wrap_lines(side.event_lines)
    rows = bottom - top - 1
    last = max(min(rows, len(lines)), len(lines) - side.lines_scrolled_back)
    if len(lines) > rows:
        key_names = "[ ]"
        canvas.put(PANEL_WIDTH - 2 - len(key_names), top, key_names, Style(theme.dim, theme.bar))
    newest = len(_wrap_lines(side.event_lines[-1:]))
    for number, line in list(enumerate(lines))[max(0, last - rows) : last]:
        is_bright = number >= len(lines) - newest
        y = top + 1 + number - max(0, last - rows)
        _write(canvas, 2, y, line, Style(theme.text if is_bright else theme.quiet, theme.bar), look)


def _wrap_lines(lines: Sequence[str]) -> list[str]:
    """Break sentences into lines, indenting continuations."""
    return [("  " if part else "") + text for line in lines for part, text in enumerate(wrap(line, PANEL_WIDTH - 6))]


def _write(canvas: Canvas, x: int, y: int, text: str, style: Style, look: Look) -> None:
    canvas.put(x, y, plain(fit(text, PANEL_WIDTH - 2 - x), look.ascii), style)


MIN_WINDOW = (50, 18)
"""Columns and rows that the table needs."""
LESSON_ROWS = 3
"""Rows for the text of a lesson; twice as many in a narrow window."""
MIN_HEIGHT_FOR_LARGE, MIN_HEIGHT_FOR_LARGE_SETS = 38, 42
"""Rows from which a hand of the largest tiles fits; the second for sets larger than double-six."""
MIN_WIDTH_FOR_LONG_HANDS = 92
"""Columns from which fifteen tiles of the second size stand in one row; hands of larger sets are that long."""
DOUBLE_SIX = 6
"""Highest number of the smallest set of dominoes."""
MIN_HAND, MIN_DRAWING_HAND = 7, 12
"""Number of tiles for which a low window always has rows, so that the table keeps its height; the second in games
whose players draw from a double-six set."""
MIN_PLAYER_WIDTH = 16
"""Columns in which everything about a player fits in one row."""


class Rows(Struct, frozen=True):
    """Number of rows of each part of the screen; they add up to the height."""

    board: int
    story: int
    hand: int
    title: int = 1
    players: int = 2
    sentence: int = 1
    status: int = 1
    lanes_have_scores: bool = False
    """True if lanes carry the scores of their players, who have no rows then."""
    lesson: int = 0
    has_side_panel: bool = False
    """True if players and story stand in a panel beside the board."""


def divide_rows(
    height: int,
    width: int = USUAL_WINDOW[0],
    *,
    highest: int = DOUBLE_SIX,
    lanes_have_scores: bool = False,
    handless: bool = False,
    is_solo: bool = False,
) -> Rows:
    """Return the rows of each part of a window: the higher the window, the larger the faces that fit.

    In a window wide enough for a panel, players and story stand there. Players have no rows if lanes carry their
    scores (`lanes_have_scores`) or there is only one (`is_solo`); the hand has none if `handless`.
    """
    hand = 0 if handless else _hand_rows(height, width, highest)
    if has_side_panel(width, height):
        return _rows_with_board(height, hand, story=0, players=0, has_side_panel=True)
    story = 3 if height >= 42 else 2 if height >= 30 else 1
    return _rows_with_board(
        height,
        hand,
        story=story,
        players=0 if lanes_have_scores or is_solo else 2,
        lanes_have_scores=lanes_have_scores,
    )


def _hand_rows(height: int, width: int, highest: int) -> int:
    """Return the rows of the band with the hand: two rows of tiles in a high, narrow window, otherwise one."""
    has_large_tiles = height >= (MIN_HEIGHT_FOR_LARGE_SETS if highest > DOUBLE_SIX else MIN_HEIGHT_FOR_LARGE)
    has_two_rows = height >= MIN_HEIGHT_FOR_LARGE_SETS and width < (
        MIN_WIDTH_FOR_LONG_HANDS if highest > DOUBLE_SIX else USUAL_WINDOW[0]
    )
    return 12 if has_two_rows else 9 if has_large_tiles else 6


def rows_for_table(
    update: Update, width: int, height: int, *, lesson: bool = False, shows_result: bool = True
) -> Rows:
    """Return the rows of each part of a window for the current table; a `lesson` has rows between board and hand.

    Once a round is over, its result takes the rows of the hand, if it is shown.
    """
    view = update.play
    result = view is not None and view.result is not None and shows_result
    has_lanes = isinstance(view, LayoutView) and view.shape == "lanes" and not result
    is_handless = view is None or result or (isinstance(view, PatienceView) and view.spread != "line")
    lesson_rows = LESSON_ROWS * (1 + (width < USUAL_WINDOW[0])) * lesson
    lanes_have_scores = has_lanes and not has_side_panel(width, height)
    seats = len(update.table.seats)
    if height >= USUAL_WINDOW[1]:
        highest = view.highest if isinstance(view, LayoutView) else DOUBLE_SIX
        rows = divide_rows(
            height,
            width,
            highest=highest,
            lanes_have_scores=lanes_have_scores,
            handless=is_handless,
            is_solo=seats == 1,
        )
        return _rows_with_board(
            height,
            rows.hand,
            rows.story,
            rows.players,
            lesson_rows,
            lanes_have_scores=rows.lanes_have_scores,
            has_side_panel=rows.has_side_panel,
        )
    if view is None or result:
        return _rows_with_board(height, 0, story=0, players=0, lesson=lesson_rows)
    highest = view.highest if isinstance(view, LayoutView) else USUAL_HIGHEST
    min_hand = MIN_DRAWING_HAND if isinstance(view, LayoutView) and highest <= DOUBLE_SIX else MIN_HAND
    hand = 0 if is_handless else min_rows(1 if lesson else max(min_hand, len(view.hand)), width, highest)
    players = 0 if lesson or lanes_have_scores or seats == 1 else 1 if seats * MIN_PLAYER_WIDTH <= width else 2
    rows = _rows_with_board(height, hand, 0, players, lesson_rows, lanes_have_scores=lanes_have_scores)
    story = int(not lesson and rows.board > max(seats + 1, 8))
    return _rows_with_board(height, hand, story, players, lesson_rows, lanes_have_scores=lanes_have_scores)


def _rows_with_board(
    height: int,
    hand: int,
    story: int,
    players: int,
    lesson: int = 0,
    *,
    lanes_have_scores: bool = False,
    has_side_panel: bool = False,
) -> Rows:
    """Return the rows of all parts; the board has those that the others leave."""
    board = max(1, height - hand - story - players - lesson - 3)
    return Rows(
        board,
        story,
        hand,
        players=players,
        lanes_have_scores=lanes_have_scores,
        lesson=lesson,
        has_side_panel=has_side_panel,
    )


def has_side_panel(width: int, height: int) -> bool:
    """Return True if a window has room for the panel beside the board."""
    return width >= MIN_WIDTH_FOR_PANEL and height >= USUAL_WINDOW[1]


def board_width(width: int, height: int = USUAL_WINDOW[1]) -> int:
    """Return the number of columns of the board in a window."""
    return width - PANEL_WIDTH if has_side_panel(width, height) else width


def draw_too_small(width: int, height: int, look: Look, lines: Sequence[str] = ()) -> Picture:
    """Draw, in a window that is too small, the size that it needs, or other `lines`."""
    canvas = Canvas(width, height, Style(look.theme.text, look.theme.felt))
    columns, rows = MIN_WINDOW
    lines = lines or (
        _("Boneyard needs {columns}×{rows}.", columns=columns, rows=rows),
        _("This window is {columns}×{rows}.", columns=width, rows=height),
        _("Enlarge it to go on; nothing is lost."),
    )
    for row, line in enumerate(lines, max(0, (height - len(lines)) // 2)):
        text = plain(fit(line, width), look.ascii)
        canvas.put(max(0, (width - len(text)) // 2), row, text, Style(look.theme.accent, look.theme.felt))
    return Picture(canvas.rows())
