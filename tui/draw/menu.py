"""Draws the menu, wide or narrow: a list of all games, one of them on a card, and the other commands."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tui.board.canvas import Canvas, ClickTarget, Picture, Style, beside, blank, columns, fit, plain, stack
from tui.draw.panels import draw_page, hidden_rows_text, measure, wrap
from tui.i18n import _, capitalize
from tui.model.look import USUAL_WINDOW, Look
from tui.model.presenter import Moment, presenter_of

LIST_WIDTH = 38
"""Columns of the list."""
DESCRIPTION_COLUMN = 18
"""Column at which the descriptions begin, unless a title is longer."""
MAX_CARD_WIDTH = 160
"""Maximum width of the card."""
MIN_HEIGHT_FOR_RULES = 44
"""Rows of a card from which it has the rules in short."""
MIN_HEIGHT_FOR_LAST_PLAYED = 18
"""Rows of a card from which it says when the game was played last."""
SIGN_ROWS = 5
"""Rows of the name and the sentence beside it, with an empty one above and below."""
SETTING = -2
"""`at` of a click on a setting; its `side` is the number of the setting."""
_LETTERS = {
    "B": ("##. ", "#.# ", "##. ", "#.# ", "##. "),
    "O": ("### ", "#.# ", "#.# ", "#.# ", "### "),
    "N": ("#..#", "##.#", "#.##", "#..#", "#..#"),
    "E": ("### ", "#.. ", "##. ", "#.. ", "### "),
    "Y": ("#.# ", "#.# ", ".#. ", ".#. ", ".#. "),
    "A": (".#. ", "#.# ", "### ", "#.# ", "#.# "),
    "R": ("##. ", "#.# ", "##. ", "#.# ", "#.# "),
    "D": ("##. ", "#.# ", "#.# ", "#.# ", "##. "),
}


class Entry(NamedTuple):
    """An entry of the list."""

    title: str
    about: str = ""
    key: str = ""
    """Letter that chooses the entry."""


class CardSetting(NamedTuple):
    """A setting of the chosen game: the key that changes it, its name, and its value."""

    key: str
    name: str
    value: str
    is_cycled: bool = True
    """True if the key changes to the next value; otherwise it opens a screen."""


class GameCard(NamedTuple):
    """The chosen game."""

    title: str
    seats: str
    moment: Moment
    """An example of the game."""
    pitch: str
    rules: tuple[str, ...]
    """The rules in a few sentences."""
    settings: tuple[CardSetting, ...]
    last_played: str = ""
    """When it was played last, and the share of matches won."""


class MenuContent(NamedTuple):
    """The content of the menu."""

    entries_above: tuple[Entry, ...]
    """Entries above the games."""
    games: tuple[Entry, ...]
    entries_below: tuple[Entry, ...]
    chosen: int
    """Index of the chosen entry among all three."""
    card: GameCard
    sentence: str
    hints: tuple[tuple[str, str], ...]
    status: str
    warning: bool = False


def draw_home(home: MenuContent, width: int, height: int, look: Look) -> Picture:
    """Draw the menu in a window of `width` by `height` cells."""
    is_low = height < USUAL_WINDOW[1]
    rows = height - 3 if is_low else height - SIGN_ROWS - 2
    card_width = min(MAX_CARD_WIDTH, width - LIST_WIDTH - 3)
    content_width = min(width, LIST_WIDTH + 3 + MAX_CARD_WIDTH)
    felt = Style(look.theme.text, look.theme.felt)
    body = beside(
        blank(1, rows, felt),
        _draw_entries(home, rows, look),
        draw_card(home.card, card_width, rows, look),
        blank(content_width - 1 - LIST_WIDTH - card_width, rows, felt),
    )
    page = draw_page("", body, home.sentence, home.hints, home.status, content_width, look, warning=home.warning)
    if not is_low:
        body_and_foot = Picture(page.rows[1:], hits=tuple(hit._replace(y=hit.y - 1) for hit in page.hits))
        page = stack(_draw_sign(content_width, look), body_and_foot)
    margin = (width - content_width) // 2
    return beside(blank(margin, height, felt), page, blank(width - margin - content_width, height, felt))


def _draw_sign(width: int, look: Look) -> Picture:
    """Draw the program's name in letters of half blocks, half of it in the accent colour, and its description."""
    theme = look.theme
    canvas = Canvas(width, SIGN_ROWS, Style(theme.text, theme.felt))
    x = 3
    for number, letter in enumerate("BONEYARD"):
        style = Style(theme.accent if number < len("BONE") else theme.ivory, theme.felt, look.ascii)
        if look.ascii:
            canvas.put(x, 2, letter, style)
            x += 2
            continue
        dots = [*_LETTERS[letter], "    "]
        for row in range(3):
            pairs = zip(dots[2 * row], dots[2 * row + 1], strict=True)
            canvas.put(x, row + 1, "".join(_half(upper == "#", lower == "#") for upper, lower in pairs), style)
        x += len(dots[0].rstrip()) + 1
    canvas.put(x + 2, 2, plain(_("every domino game people play"), look.ascii), Style(theme.text, theme.felt))
    return Picture(canvas.rows())


def _half(upper: bool, lower: bool) -> str:
    return " ▀▄█"[upper + 2 * lower]


def _draw_entries(home: MenuContent, height: int, look: Look) -> Picture:
    """Draw the list; if it does not fit, only the games scroll."""
    theme = look.theme
    canvas = Canvas(LIST_WIDTH, height, Style(theme.text, theme.felt))
    rows_above = 2 * len(home.entries_above) + bool(home.entries_above)
    game_rows = height - rows_above - len(home.entries_below) - 2
    first, last = visible_range(len(home.games), home.chosen - len(home.entries_above), game_rows)
    hits = []

    def draw_entry(y: int, number: int, entry: Entry, tab: int = 0) -> None:
        """Draw an entry in one row with its description at column `tab`; with 0, in two rows."""
        is_chosen = number == home.chosen
        background = theme.accent if is_chosen else theme.felt
        bold = Style(theme.felt if is_chosen else theme.text, background, is_chosen)
        quiet = Style(theme.felt if is_chosen else theme.quiet, background)
        canvas.put(0, y, " " * LIST_WIDTH, bold)
        if not tab:
            canvas.put(0, y + 1, " " * LIST_WIDTH, quiet)
        x = 1
        if entry.key:
            canvas.put(1, y, entry.key, Style(theme.felt if is_chosen else theme.accent, background, True))
            x = 3
        elif is_chosen:
            canvas.put(0, y, ">" if look.ascii else "▶", bold)
        canvas.put(x, y, plain(fit(entry.title, (tab or LIST_WIDTH) - x - 1), look.ascii), bold)
        about = plain(fit(entry.about, LIST_WIDTH - (tab or 3) - 1), look.ascii)
        canvas.put(*((tab, y) if tab else (x, y + 1)), about, quiet)
        hits.append(ClickTarget(0, y, LIST_WIDTH, 1 if tab else 2, number, -1))

    for number, entry in enumerate(home.entries_above):
        draw_entry(2 * number, number, entry)
    y, tab = rows_above, _description_column(home.games, 1, LIST_WIDTH)
    for number in range(first, last):
        draw_entry(y, len(home.entries_above) + number, home.games[number], tab)
        y += 1
    if last - first < len(home.games):
        hidden_text = hidden_rows_text(first, len(home.games) - last, ascii=look.ascii)
        canvas.put(1, y, hidden_text, Style(theme.quiet, theme.felt))
    y, tab = (
        min(height - len(home.entries_below), rows_above + len(home.games) + 2),
        _description_column(home.entries_below, 3, LIST_WIDTH),
    )
    for number, entry in enumerate(home.entries_below, len(home.entries_above) + len(home.games)):
        draw_entry(y, number, entry, tab)
        y += 1
    return Picture(canvas.rows(), hits=tuple(hits))


def _description_column(entries: Sequence[Entry], x: int, width: int) -> int:
    """Return the column of the descriptions, after titles that begin at `x`."""
    longest = max((columns(entry.title) for entry in entries), default=0)
    return min(max(DESCRIPTION_COLUMN, x + longest + 1), width - 1)


def visible_range(count: int, index: int, max_rows: int) -> tuple[int, int]:
    """Return the range of `max_rows` rows to show, among `count` rows, so that row `index` is in view."""
    if count <= max_rows + 1:
        return 0, count
    first = max(0, min(index - max_rows // 2, count - max_rows))
    return first, first + max_rows


def draw_card(card: GameCard, width: int, height: int, look: Look) -> Picture:
    """Draw an example of the game, its description and its settings."""
    theme = look.theme
    text, quiet = Style(theme.text, theme.band), Style(theme.quiet, theme.band)
    canvas = Canvas(width, height, text)
    canvas.put(2, 0, plain(card.title, look.ascii), Style(theme.text, theme.band, True))
    beside_title = columns(card.title) + columns(card.seats) + 6 <= width
    seats = fit(card.seats, width - 4)
    canvas.put(width - 2 - columns(seats), 0 if beside_title else 1, plain(seats, look.ascii), quiet)
    lines = wrap(card.pitch, width - 4)
    if card.last_played and height >= MIN_HEIGHT_FOR_LAST_PLAYED:
        lines += wrap(capitalize(card.last_played) + ".", width - 4)
    if height >= MIN_HEIGHT_FOR_RULES:
        lines += [*(line for rule in card.rules for line in ("", *wrap(rule, measure(width))))]
    y = height - len(card.settings) - 1
    hits = []
    left, right = "<>" if look.ascii else "◀▶"
    name_width = max((columns(setting.name) for setting in card.settings), default=0)
    for number, setting in enumerate(card.settings):
        canvas.put(2, y + number, setting.key, Style(theme.accent, theme.band, True))
        canvas.put(5, y + number, plain(setting.name, look.ascii), quiet)
        value = fit(
            f"{left} {setting.value} {right}" if setting.is_cycled else f"  {setting.value}", width - name_width - 9
        )
        canvas.put(7 + name_width, y + number, plain(value, look.ascii), text)
        hits.append(ClickTarget(2, y + number, width - 4, 1, SETTING, number))
    y -= len(lines) + 1
    for row, line in enumerate(lines):
        canvas.put(2, y + row, plain(line, look.ascii), text)
    board = _draw_example(card.moment, width - 4, y - 3, replace(look, theme=replace(theme, felt=theme.band)))
    for row, runs in enumerate(board.rows, 2):
        _write_runs(canvas, 2, row, runs)
    return Picture(canvas.rows(), hits=tuple(hits))


def _draw_example(moment: Moment, width: int, height: int, look: Look) -> Picture:
    view = moment.view
    return presenter_of(view).table(moment, width, height, look.for_tiles(view)) if view else Picture(())


def _write_runs(canvas: Canvas, x: int, y: int, runs: Sequence[tuple[str, Style]]) -> None:
    for text, style in runs:
        canvas.put(x, y, text, style)
        x += columns(text)


MIN_HEIGHT_FOR_CARD = 13
"""Rows that a narrow window must leave for a card with an example."""


class Chip(NamedTuple):
    """A short entry that stands in a row with others."""

    key: str
    words: str
    hit: ClickTarget
    is_chosen: bool = False


def draw_narrow_home(home: MenuContent, width: int, height: int, look: Look) -> Picture:
    """Draw the menu in a window without room for a card beside the list."""
    rows = height - 3
    entries = [*home.entries_above, *home.games, *home.entries_below]
    first = len(entries) - len(home.entries_below)
    chips_below = [
        Chip(entry.key, entry.title, ClickTarget(0, 0, 0, 1, number, -1), number == home.chosen)
        for number, entry in enumerate(home.entries_below, first)
    ]
    chips_picture = _draw_chips(chips_below, width, look)
    card = _draw_brief(home.card, width, look)
    free_rows = rows - len(home.entries_above) - len(chips_picture.rows) - 2 - len(home.games)
    if free_rows >= MIN_HEIGHT_FOR_CARD:
        card = draw_card(home.card, width, free_rows, look)
    body = stack(_draw_games(home, width, rows - len(chips_picture.rows) - len(card.rows), look), chips_picture, card)
    return draw_page("", body, home.sentence, home.hints, home.status, width, look, warning=home.warning)


def _draw_games(home: MenuContent, width: int, height: int, look: Look) -> Picture:
    """Draw the match to resume and the games, one in a row, scrolled to the chosen one."""
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    entries_above_count = len(home.entries_above)
    first, last = visible_range(len(home.games), home.chosen - entries_above_count, height - entries_above_count - 1)
    rows: list[tuple[int, Entry]] = [
        *enumerate(home.entries_above),
        *enumerate(home.games[first:last], entries_above_count + first),
    ]
    hits, tab = [], _description_column(home.games, 2, width)
    for y, (number, entry) in enumerate(rows):
        is_chosen = number == home.chosen
        background = theme.accent if is_chosen else theme.felt
        canvas.put(0, y, " " * width, Style(theme.text, background))
        mark = entry.key or (">" if look.ascii else "▶") * is_chosen
        canvas.put(0, y, mark, Style(theme.felt if is_chosen else theme.accent, background, True))
        title = fit(entry.title, tab - 3 if number >= entries_above_count else width - 3)
        canvas.put(
            2, y, plain(title, look.ascii), Style(theme.felt if is_chosen else theme.text, background, is_chosen)
        )
        if number >= entries_above_count:
            about = plain(fit(entry.about, width - tab - 1), look.ascii)
            canvas.put(tab, y, about, Style(theme.felt if is_chosen else theme.quiet, background))
        hits.append(ClickTarget(0, y, width, 1, number, -1))
    if last - first < len(home.games):
        hidden_text = hidden_rows_text(first, len(home.games) - last, ascii=look.ascii)
        canvas.put(2, len(rows), hidden_text, Style(theme.quiet, theme.felt))
    return Picture(canvas.rows(), hits=tuple(hits))


def _draw_brief(card: GameCard, width: int, look: Look) -> Picture:
    """Draw the description of the game and its settings."""
    theme = look.theme
    lines = wrap(card.pitch, width - 2)
    canvas = Canvas(width, len(lines), Style(theme.text, theme.band))
    for row, line in enumerate(lines):
        canvas.put(1, row, plain(line, look.ascii), canvas.background)
    settings = [
        Chip(setting.key, f"{setting.name} {setting.value}", ClickTarget(0, 0, 0, 1, SETTING, number))
        for number, setting in enumerate(card.settings)
    ]
    return stack(Picture(canvas.rows()), _draw_chips(settings, width, look, theme.band))


def _draw_chips(chips: Sequence[Chip], width: int, look: Look, background: str = "") -> Picture:
    """Draw chips side by side, in as many rows as they need."""
    theme = look.theme
    background = background or theme.felt
    placed: list[tuple[int, int, Chip]] = []
    x = y = 0
    for chip in chips:
        chip_width = columns(chip.key) + columns(chip.words) + 3
        if x and x + chip_width > width:
            x, y = 0, y + 1
        placed.append((x, y, chip))
        x += chip_width
    canvas = Canvas(width, y + 1, Style(theme.text, background))
    hits = []
    for x, y, chip in placed:
        chip_text_width = columns(chip.key) + columns(chip.words) + 2
        chip_background = theme.accent if chip.is_chosen else background
        canvas.put(x, y, " " * (chip_text_width + 1), Style(theme.text, chip_background))
        canvas.put(x + 1, y, chip.key, Style(theme.felt if chip.is_chosen else theme.accent, chip_background, True))
        text = plain(fit(chip.words, width - x - columns(chip.key) - 2), look.ascii)
        canvas.put(
            x + 2 + columns(chip.key),
            y,
            text,
            Style(theme.felt if chip.is_chosen else theme.text, chip_background, chip.is_chosen),
        )
        hits.append(chip.hit._replace(x=x, y=y, w=chip_text_width + 1))
    return Picture(canvas.rows(), hits=tuple(hits))
