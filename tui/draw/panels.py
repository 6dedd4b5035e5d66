"""Draws the parts of screens: bars, pages, lists, players, the story and the sentence; without Textual."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from core.tiles import Hand, Tile
from net.players.text import HOST_MARK
from themes import Theme
from tui.board.canvas import Canvas, ClickTarget, Picture, Style, beside, blank, columns, fit, plain, stack
from tui.draw.hands import draw_backs
from tui.i18n import capitalize
from tui.model.keys import ENTER
from tui.model.look import Look, is_narrow

CACHED_PARTS = 1024
"""Number of cached pictures of each part: the guests at a table see many of the same."""
CROWDED_WIDTH = 9
"""Minimum width of a player in the strip; in fewer columns, players have one row each."""
MIN_BACKS_WIDTH = 30
"""Minimum width of the backs beside a player's longer description."""
SIDES, SIDES_ASCII = "●○◆◇", "*o+="
"""The marks of sides, the player's own first."""


class SeatSummary(NamedTuple):
    """Facts about a seat, for the strip of players or the panel."""

    name: str
    score: str = ""
    """Empty if it stands elsewhere, or there is none yet."""
    tile_count: int | None = None
    """None while the table waits."""
    face_down_count: int = 0
    """Tiles laid face down."""
    is_on_turn: bool = False
    relation: str = ""
    """“you” or “partner” in the player's language; else empty."""
    note: str = ""
    """`bot`, `away` … in the player's language."""
    grace: str = ""
    """The time until a bot plays for an absent player; empty for all others."""
    description: str = ""
    """A longer description, for wide windows."""
    lacked_numbers: tuple[str, str] = ("", "")
    """The numbers on which the player passed, in words and abbreviated; they take precedence over the note, but not
    over a grace.
    """
    side: int = -1
    """Number of the side if partners play together, else -1; 0 is the side of the player who looks."""
    hand: Hand | None = None
    """The tiles, turned over at the end of the round."""
    hand_words: str = ""
    """Count of that hand in words."""
    gained: str = ""
    """Points that the round added to the score."""
    last_tile: Tile | None = None
    """The tile that the player laid last."""

    def mark(self, *, ascii: bool) -> str:
        """Return the mark of the side, and a blank; empty without partners."""
        return f"{mark_of(self.side, ascii=ascii)} " if self.side >= 0 else ""


def mark_of(side: int, *, ascii: bool) -> str:
    """Return the mark of a side, by its number."""
    return (SIDES_ASCII if ascii else SIDES)[side]


def _first_parts(words: str, width: int) -> str:
    """Return as many parts of a line as fit, at least the first."""
    while columns(words) > width and " · " in words:
        words = words.rpartition(" · ")[0]
    return words


Hints = Sequence[tuple[str, str]]
"""Keys with a word or two about their actions, the most important first."""


def keys_width(keys: Hints) -> int:
    """Return the number of columns that keys take, including the gap before them."""
    return sum(columns(key) + 1 + columns(words) + 3 for key, words in keys)


def put_keys(
    canvas: Canvas, y: int, keys: Hints, theme: Theme, background: str, *, ascii: bool
) -> tuple[ClickTarget, ...]:
    """Write keys and their actions at the right end of a row; return their click targets."""
    x = canvas.width - 1 - keys_width(keys) + 2
    targets = []
    for key, words in keys:
        targets.append(ClickTarget.of_key(x, y, columns(key) + 1 + columns(words), key, words))
        canvas.put(x, y, plain(key, ascii), Style(theme.accent, background, True))
        canvas.put(x + columns(key) + 1, y, plain(words, ascii), Style(theme.quiet, background))
        x += columns(key) + columns(words) + 4
    return tuple(targets)


@lru_cache(maxsize=CACHED_PARTS)
def draw_bar(
    left_parts: tuple[tuple[str, bool], ...],
    right: str,
    width: int,
    theme: Theme,
    *,
    ascii: bool,
    keys: tuple[tuple[str, str], ...] = (),
) -> Picture:
    """Draw a bar: words on the left, some in the accent colour, and words and keys on the right."""
    canvas = Canvas(width, 1, Style(theme.text, theme.bar))
    keys_start = width - keys_width(keys)
    targets = put_keys(canvas, 0, keys, theme, theme.bar, ascii=ascii)
    left_width = sum(columns(part) + 2 for part, _accent in left_parts)
    if keys and (columns(right) + 2 > keys_start // 2 or columns(right) + left_width + 2 > keys_start):
        right = ""
    max_width = keys_start - 2 - (columns(right) + 2 if right else 0)
    x = 1
    for part, is_accented in left_parts:
        text = plain(fit(_first_parts(part, max_width - x + 1), max(0, max_width - x + 1)), ascii)
        canvas.put(x, 0, text, Style(theme.accent if is_accented else theme.text, theme.bar, is_accented))
        x += columns(text) + 2
    canvas.put(keys_start - columns(right) - 1, 0, plain(right, ascii), Style(theme.text, theme.bar))
    return Picture(canvas.rows(), targets)


def draw_players(
    players: tuple[SeatSummary, ...], width: int, theme: Theme, *, height: int = 2, ascii: bool
) -> Picture:
    """Draw the players: each in two rows, the name and the score above the backs of the tiles, or each in one row.

    If that leaves too little room for a name, half of the players have the first row, the others the second.
    """
    pitch = (width - 2) // max(1, len(players))
    players_in_row = len(players) if pitch >= CROWDED_WIDTH else -(-len(players) // height)
    is_close = any(_has_close_backs(player, pitch, ascii=ascii) for player in players)
    draw = partial(_draw_player_in_column, backs_stand_close=is_close)
    if height == 1 or players_in_row < len(players):
        draw, height = partial(_draw_player_in_row), 1
        pitch = (width - 2) // players_in_row
    felt = Style(theme.text, theme.felt)
    lines = []
    for first in range(0, len(players), max(1, players_in_row)):
        player_pictures = [
            draw(player, pitch, theme, ascii=ascii) for player in players[first : first + players_in_row]
        ]
        remaining_columns = width - 1 - pitch * len(player_pictures)
        lines.append(beside(blank(1, height, felt), *player_pictures, blank(remaining_columns, height, felt)))
    return stack(*lines)


def _note_beside_backs(player: SeatSummary, max_width: int, *, ascii: bool) -> str:
    """Return the note to write beside the number of tiles; empty if none has room there.

    News comes first: the numbers on which the player passed, or the seconds until a bot plays for a lost player. Any
    other note should leave room for the backs, too; without that room it replaces them.
    """
    number_width = len(str(player.tile_count)) + 3
    relation = plain(player.relation, ascii)
    description = player.description if max_width - columns(player.description) >= MIN_BACKS_WIDTH else ""
    urgent_notes, other_notes = (
        [plain("  ".join(filter(None, (note, relation))), ascii) for note in texts if note]
        for texts in (
            ((player.note, player.grace), ()) if player.grace else (player.lacked_numbers, (description, player.note))
        )
    )
    other_notes.append(relation)
    candidates = [(note, 0) for note in urgent_notes] + [(note, player.tile_count or 0) for note in other_notes]
    candidates += [(note, 0) for note in other_notes]
    return next((note for note, backs in candidates if columns(note) + number_width + backs <= max_width), "")


def _has_close_backs(player: SeatSummary, pitch: int, *, ascii: bool) -> bool:
    """Return True if the backs of a player's tiles have to stand close together in `pitch` columns."""
    if player.tile_count is None or player.hand is not None:
        return False
    note = _note_beside_backs(player, pitch - 2, ascii=ascii)
    return 3 * player.tile_count + len(str(player.tile_count)) + 1 > pitch - 5 - columns(note)


@lru_cache(maxsize=CACHED_PARTS)
def _draw_player_in_column(
    player: SeatSummary, pitch: int, theme: Theme, *, backs_stand_close: bool = False, ascii: bool
) -> Picture:
    """Draw the name and the score above the backs of the tiles, in `pitch` columns."""
    canvas = Canvas(pitch, 2, Style(theme.text, theme.felt))
    content_width = pitch - 2
    colour = theme.accent if player.is_on_turn else theme.text
    marker = (">" if ascii else "▶") if player.is_on_turn else " "
    canvas.put(0, 0, marker, Style(theme.accent, theme.felt, True))
    mark = player.mark(ascii=ascii)
    name = f"{mark}{player.name}"
    if columns(name) > content_width - columns(player.score) - 3:
        # A long name gets the whole first row, and the number of tiles replaces the backs.
        canvas.put(1, 0, plain(fit(name, content_width), ascii), Style(colour, theme.felt, player.is_on_turn))
        canvas.put(1, 1, "|" if ascii else "▌", Style(theme.accent if player.is_on_turn else theme.dim, theme.felt))
        canvas.put(2, 1, _counts_text(player, ascii=ascii), Style(theme.quiet, theme.felt))
        score = player.gained or player.score
        canvas.put(pitch - 1 - len(score), 1, plain(score, ascii), Style(theme.text, theme.felt, True))
        return Picture(canvas.rows())
    canvas.put(2, 0, mark, Style(theme.quiet if player.side else theme.accent, theme.felt, True))
    canvas.put(2 + columns(mark), 0, plain(player.name, ascii), Style(colour, theme.felt, player.is_on_turn))
    canvas.put(content_width - len(player.score), 0, plain(player.score, ascii), Style(theme.text, theme.felt, True))
    if player.gained and columns(name) + len(player.gained) + len(player.score) + 3 <= content_width:
        x = content_width - len(player.score) - (len(player.score) > 0) - len(player.gained)
        canvas.put(x, 0, plain(player.gained, ascii), Style(theme.accent, theme.felt, True))
    if player.hand is not None:
        return _draw_turned_over(canvas, player, theme, ascii=ascii)
    note = _note_beside_backs(player, content_width, ascii=ascii)
    canvas.put(content_width - columns(note), 1, note, Style(theme.quiet, theme.felt))
    if player.tile_count is None:
        return Picture(canvas.rows())
    backs = draw_backs(
        player.tile_count,
        content_width - columns(note) - 3,
        theme,
        face_down_count=player.face_down_count,
        is_on_turn=player.is_on_turn,
        stands_close=backs_stand_close,
        ascii=ascii,
    )
    x = 2
    for text, style in backs.rows[0]:
        canvas.put(x, 1, text, style)
        x += len(text)
    return Picture(canvas.rows())


def _draw_turned_over(canvas: Canvas, player: SeatSummary, theme: Theme, *, ascii: bool) -> Picture:
    """Write the tiles of a hand below the name, as many as fit, and their pips."""
    hand, content_width = player.hand or (), canvas.width - 2
    count_words = player.hand_words
    canvas.put(
        content_width - columns(count_words), 1, plain(count_words, ascii), Style(theme.accent, theme.felt, not hand)
    )
    tiles = tiles_text(hand, content_width - 6)
    canvas.put(2, 1, plain(tiles, ascii), Style(theme.ivory, theme.felt))
    return Picture(canvas.rows())


def tiles_text(hand: Hand, width: int) -> str:
    """Return tiles side by side in `width` columns; an ellipsis replaces those that do not fit."""
    text = " ".join(map(str, hand))
    for shown_count in range(len(hand), 0, -1):
        if columns(text) <= width:
            return text
        text = " ".join([*map(str, hand[: shown_count - 1]), "…"])
    return text if columns(text) <= width else ""


def _counts_text(player: SeatSummary, *, ascii: bool) -> str:
    """Return the numbers of tiles in the hand and face down; at the end of the round, the hand's count."""
    if player.hand is not None:
        return player.hand_words or str(len(player.hand))
    tiles = "" if player.tile_count is None else str(player.tile_count)
    face_down = f"{'_' if ascii else '▂'}{player.face_down_count}" if player.face_down_count else ""
    return " ".join(filter(None, (f"{tiles}{face_down}", player.grace)))


@lru_cache(maxsize=CACHED_PARTS)
def _draw_player_in_row(player: SeatSummary, pitch: int, theme: Theme, *, ascii: bool) -> Picture:
    """Draw the name, the number of tiles and the score in one row of `pitch` columns."""
    canvas = Canvas(pitch, 1, Style(theme.text, theme.felt))
    colour = theme.accent if player.is_on_turn else theme.text
    score = player.gained or player.score
    counts = _counts_text(player, ascii=ascii)
    count = f"{'|' if ascii else '▌'}{counts}" if counts else ""
    mark = player.mark(ascii=ascii)
    canvas.put(0, 0, (">" if ascii else "▶") if player.is_on_turn else " ", Style(theme.accent, theme.felt, True))
    name = plain(fit(f"{mark}{player.name}", pitch - 4 - columns(count) - len(score)), ascii)
    canvas.put(1, 0, name, Style(colour, theme.felt, player.is_on_turn))
    canvas.put(2 + columns(name), 0, plain(count, ascii), Style(theme.quiet, theme.felt))
    canvas.put(pitch - 1 - len(score), 0, plain(score, ascii), Style(theme.text, theme.felt, True))
    return Picture(canvas.rows())


def draw_lines(
    lines: Sequence[str], width: int, height: int, theme: Theme, *, ascii: bool, chat_messages: Sequence[str] = ()
) -> Picture:
    """Draw the last lines of the story, the newest at the bottom and brightest; messages of the host stand out.

    `chat_messages` in a line are bright, too, and the names of their authors underlined.
    """
    of_guests = tuple(message for message in chat_messages if not message.startswith(HOST_MARK))
    return _draw_lines(tuple(lines[-height:]) if height else (), of_guests, width, height, theme, ascii=ascii)


@lru_cache(maxsize=CACHED_PARTS)
def _draw_lines(
    lines: tuple[str, ...], chat_messages: tuple[str, ...], width: int, height: int, theme: Theme, *, ascii: bool
) -> Picture:
    canvas = Canvas(width, height, Style(theme.quiet, theme.felt))
    for row, line in enumerate(lines, height - len(lines)):
        is_of_host, is_newest = line.startswith(HOST_MARK), row == height - 1
        highlighted_messages = (
            () if is_of_host else chat_messages
        )  # a guest's message may be part of what the host says
        starts = sorted(start for message in highlighted_messages if (start := _chat_start(line, message)) >= 0)
        is_quiet = bool(starts) or not is_newest
        style = Style(theme.accent if is_of_host else theme.quiet if is_quiet else theme.text, theme.felt, is_of_host)
        words = plain(fit(line, width - 4), ascii)
        canvas.put(2, row, words, style)
        for start in starts:
            x, name = 2 + columns(words[:start]), words[start:].partition(":")[0]
            canvas.put(x, row, words[start:], Style(theme.text, theme.felt))
            canvas.put(x, row, name, Style(theme.text, theme.felt, underlined=True))
    return Picture(canvas.rows())


def _chat_start(line: str, message: str) -> int:
    """Return the position in a line at which a chat message begins, or -1; the next line may continue the message."""
    start = line.rfind(message[: message.find(":") + 2])
    return start if start >= 0 and (message.startswith(line[start:]) or line.startswith(message, start)) else -1


def hidden_rows_text(above: int, below: int, *, ascii: bool) -> str:
    """Return the numbers of rows out of view above and below, each with its arrow; nothing for a side without any."""
    up, down = "^v" if ascii else "↑↓"
    return " ".join([f"{up} {above}"] * (above > 0) + [f"{down} {below}"] * (below > 0))


class Row(NamedTuple):
    """A row of a list: its cells from left to right."""

    cells: tuple[str, ...]
    quiet: bool = False
    """True if the row can be read, but not chosen."""


ALWAYS_NAMED_KEYS = ("?", "q", "Esc")
"""Keys in the last line of every screen; all others stand above it, as far as they fit."""


def always_named_keys(hints: Hints) -> tuple[tuple[str, str], ...]:
    """Return the keys among `hints` that stand in the last line."""
    return tuple(hint for hint in hints if hint[0] in ALWAYS_NAMED_KEYS)


def has_room_below(words: str, hints: Hints, width: int) -> bool:
    """Return True if a row has room for `words` and the keys that are always named."""
    return columns(words) + 3 + keys_width(always_named_keys(hints)) <= width


def draw_foot_rows(sentence: Picture, status: Picture) -> Picture:
    """Compose the last two rows: a sentence above the status, or a sentence that needs both rows."""
    return sentence if len(sentence.rows) > 1 else stack(sentence, status)


def draw_page(
    title: str,
    body: Picture,
    sentence: str,
    hints: Hints,
    status: str,
    width: int,
    look: Look,
    *,
    warning: bool = False,
) -> Picture:
    """Draw a screen: title bar, body, a sentence with hints, and status bar; three rows more than the body."""
    ascii, theme = look.ascii, look.theme
    fits_below = has_room_below(status, hints, width) or not has_room_below(sentence, hints, width)
    keys = always_named_keys(hints) if fits_below and not look.touched else ()
    if look.touched:
        sentence = replace_enter(sentence, next((words for key, words in hints if key == look.enter), ""))
    return stack(
        draw_bar((("BONEYARD", True), (title, False)), "", width, theme, ascii=ascii),
        body,
        draw_foot_rows(
            draw_sentence(
                sentence,
                tuple(hints),
                width,
                theme,
                warning=warning,
                ascii=ascii,
                has_all_keys=not keys,
                touched=look.touched,
            ),
            draw_bar(((status, False),), "", width, theme, ascii=ascii, keys=keys),
        ),
    )


def replace_enter(sentence: str, button: str) -> str:
    """Return a sentence for a player without keys: “Enter: pass.” is “Pass.”; elsewhere Enter is the `button`."""
    if sentence.startswith(begins := f"{ENTER}: "):
        return capitalize(sentence.removeprefix(begins))
    return sentence.replace(ENTER, f"“{capitalize(button)}”") if button else sentence


MIN_WIDTH_BESIDE = 16
"""Minimum width of a wrapped last column."""
TOUCHED_ROW_HEIGHT = 3
"""Height of a list's row on a touch screen: 44 pixels or more."""
FULL_TEXT_ROWS = 2
"""Number of rows under a list for the full text of a chosen row that was cut."""


def draw_list(
    rows: Sequence[Row],
    chosen: int,
    widths: Sequence[int],
    width: int,
    height: int,
    look: Look,
    *,
    empty: str = "",
) -> Picture:
    """Draw rows of cells of the given widths, scrolled to the chosen one, which is accented and has a pointer.

    If its cells are cut, the full text of the chosen row stands under the list.
    """
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    widths = _fit_widths(rows, [0] * len(widths) if is_narrow(width) else widths, width - 1 - 2 * len(widths))
    left = max(2, (width - sum(widths) - 2 * len(widths)) // 2)
    cut_rows = [
        any(columns(cell) > cell_width for cell, cell_width in zip(row.cells, widths, strict=False)) for row in rows
    ]
    if any(cut_rows):
        height -= FULL_TEXT_ROWS
        full_text = " · ".join(cell.strip("◀▶<> ") for cell in rows[chosen].cells if cell) if cut_rows[chosen] else ""
        for y, line in enumerate(wrap(full_text, width - left - 1)[:FULL_TEXT_ROWS], height):
            canvas.put(left, y, plain(line, look.ascii), Style(theme.quiet, theme.felt))
    pitch = TOUCHED_ROW_HEIGHT if look.touched else 1
    visible_count = (height - 1) // pitch
    first = max(0, min(chosen - (visible_count + 1) // 2, len(rows) - visible_count + 1))
    hits = []
    if not rows:
        text = plain(fit(empty, width - 4), look.ascii)
        canvas.put_centred(height // 2, text, Style(theme.quiet, theme.felt))
    for place, (number, row) in enumerate(list(enumerate(rows))[first : first + visible_count]):
        is_chosen, y = number == chosen, 1 + place * pitch + pitch // 2
        colour = theme.accent if is_chosen else theme.quiet if row.quiet else theme.text
        style = Style(colour, theme.felt, is_chosen)
        if is_chosen:
            canvas.put(left - 2, y, ">" if look.ascii else "▶", style)
        x = left
        for cell, cell_width in zip(row.cells, widths, strict=False):
            canvas.put(x, y, plain(fit(cell, cell_width), look.ascii), style)
            x += cell_width + 2
        hits.append(ClickTarget(0, 1 + place * pitch, width, pitch, number, -1))
    return Picture(canvas.rows(), hits=tuple(hits))


def list_height(rows: int, look: Look) -> int:
    """Return the height of a window in which a list with `rows` rows need not scroll."""
    return rows * (TOUCHED_ROW_HEIGHT if look.touched else 1) + 2


def _fit_widths(rows: Sequence[Row], widths: Sequence[int], max_total: int) -> list[int]:
    """Return the widths of the columns: `widths`, or wider where cells need it, and `max_total` in all.

    Columns with spare room shrink first, then the widest.
    """
    needed_widths = [
        max((columns(row.cells[column]) for row in rows if column < len(row.cells)), default=0)
        for column in range(len(widths))
    ]
    fitted = [max(width, needed_width) for width, needed_width in zip(widths, needed_widths, strict=True)]
    while sum(fitted) > max_total:
        spare_widths = [
            fitted_width - needed_width for fitted_width, needed_width in zip(fitted, needed_widths, strict=True)
        ]
        shrinkable = spare_widths if max(spare_widths) > 0 else fitted
        fitted[shrinkable.index(max(shrinkable))] -= 1
    return fitted


@lru_cache(maxsize=CACHED_PARTS)
def draw_sentence(
    sentence: str,
    hints: tuple[tuple[str, str], ...],
    width: int,
    theme: Theme,
    *,
    warning: bool = False,
    ascii: bool,
    has_all_keys: bool = False,
    touched: bool = False,
) -> Picture:
    """Draw the sentence, and on the right as many hints as fit; a `touched` screen has no hints.

    A sentence too long for a row takes two and covers the last line of the screen, so the `ALWAYS_NAMED_KEYS` stand
    in its second row. With `has_all_keys` they stand in a single row as well: the last line has no room for them.
    """
    lines = [sentence]
    last_width = width - 3
    if columns(sentence) > width - 3:
        # The sentence also takes the last line of the screen, where these keys would stand.
        first, *continuation_lines = wrap(sentence, width - 3)
        lines, last_width = [first, " ".join(continuation_lines)], width - 3 - keys_width(always_named_keys(hints))
    canvas = Canvas(width, len(lines), Style(theme.text, theme.band))
    style = Style(theme.warning if warning else theme.text, theme.band, warning)
    for row, line in enumerate(lines):
        text = plain(fit(line, last_width if row else width - 3), ascii)
        canvas.put(2, row, text, style)
    free_columns = width - 4 - columns(text)
    always_named = always_named_keys(hints) if (has_all_keys or len(lines) > 1) and not touched else ()
    fitting_keys: list[tuple[str, str]] = []
    for hint in () if touched else hints:
        if hint[0] not in ALWAYS_NAMED_KEYS and keys_width([*fitting_keys, hint, *always_named]) <= free_columns:
            fitting_keys.append(hint)
    keys = [*fitting_keys, *always_named]
    targets = put_keys(canvas, len(lines) - 1, keys, theme, theme.band, ascii=ascii)
    if ENTER in sentence:
        targets += tuple(ClickTarget.of_key(2, row, width - 3, ENTER) for row in range(len(lines)))
    unnamed = tuple(ClickTarget.of_key(0, 0, 0, *hint) for hint in hints if hint not in keys)
    return Picture(canvas.rows(), targets + unnamed)


def wrap(text: str, width: int) -> list[str]:
    """Break paragraphs into lines of at most `width` columns; lines that begin with blanks are drawings.

    Text after `- ` is indented below it, at any level. A word longer than a line, such as a link or Chinese text, is
    broken anywhere.
    """
    lines: list[str] = []
    for paragraph in text.splitlines():
        is_point = paragraph.lstrip().startswith("- ")
        if not paragraph or (paragraph.startswith("  ") and not is_point):
            lines += [paragraph] if columns(paragraph) <= width else _break_drawing(paragraph, width)
            continue
        indent = " " * (len(paragraph) - len(paragraph.lstrip()))
        hanging_indent = indent + "  " if is_point else ""
        line = ""
        for word in paragraph.split():
            candidate = f"{line} {word}" if line else indent + word
            if columns(candidate) > width and line.strip() not in ("", "-"):
                lines.append(line)
                candidate = hanging_indent + word
            while columns(candidate) > width and len(candidate) > len(hanging_indent) + 1:
                end = max(len(hanging_indent) + 1, _fitting_length(candidate, width))
                lines.append(candidate[:end])
                candidate = hanging_indent + candidate[end:]
            line = candidate
        lines.append(line)
    return lines


def _break_drawing(drawing: str, width: int) -> list[str]:
    """Break a row of a drawing that is too wide: its last column is wrapped in place or, if narrow, moves below."""
    column = drawing.rfind("  ", 0, width) + 2
    indent = " " * (len(drawing) - len(drawing.lstrip()))
    if width - column >= MIN_WIDTH_BESIDE:
        first, *continuation_lines = wrap(drawing[column:], width - column)
        return [drawing[:column] + first, *(" " * column + line for line in continuation_lines)]
    lines_below = [indent + line for line in wrap(drawing[column:].strip(), max(1, width - len(indent)))]
    return [drawing[:column].rstrip(), *lines_below] if drawing[:column].strip() else lines_below


def _fitting_length(text: str, width: int) -> int:
    """Return the number of characters that fit in `width` columns."""
    end = min(len(text), width)  # no character is wider than two columns, but some have none
    while end < len(text) and columns(text[: end + 1]) <= width:
        end += 1
    while columns(text[:end]) > width:
        end -= 1
    return end


def measure(width: int) -> int:
    """Return the number of columns that text has on a page."""
    return min(76, width - 4)


def draw_text(text: str, top: int, width: int, height: int, look: Look) -> tuple[Picture, int]:
    """Draw a page of text scrolled to line `top`; also return the largest possible `top`.

    Headings (`# …`) are in the accent colour; the text is at most 76 columns wide.
    """
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    text_width = measure(width)
    lines = wrap(text, text_width)
    last_top = max(0, len(lines) - height + 1)
    left = (width - text_width) // 2
    for y, line in enumerate(lines[min(top, last_top) :][: height - 1], 1):
        is_heading = line.startswith("#")
        style = Style(theme.accent if is_heading else theme.text, theme.felt, is_heading)
        canvas.put(left, y, plain(fit(line.lstrip("# ") if is_heading else line, text_width), look.ascii), style)
    return Picture(canvas.rows()), last_top
