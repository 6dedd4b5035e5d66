"""Draws the first screen in a narrow window: the games, what else can be done, and under them the chosen game."""

from collections.abc import Sequence
from typing import NamedTuple

from tui.board.canvas import Canvas, Hit, Picture, Style, columns
from tui.draw.home import SETTING, Card, Entry, Home, draw_card, in_view
from tui.draw.lists import draw_page, stack, wrap
from tui.draw.look import Look
from tui.draw.panels import fit, not_in_view, plain

CARD = 13
"""Rows from which on a card has an example."""
BRIEF = 19
"""Columns up to where a game's few words begin."""


class Chip(NamedTuple):
    """Something that stands beside others in a row."""

    key: str
    words: str
    hit: Hit
    here: bool = False


def draw_narrow_home(home: Home, width: int, height: int, look: Look) -> Picture:
    """The whole screen in a window that has no room for a card beside the list."""
    rows = height - 3
    entries = [*home.before, *home.games, *home.after]
    first = len(entries) - len(home.after)
    after = [
        Chip(each.key, each.title, Hit(0, 0, 0, 1, number, -1), number == home.chosen)
        for number, each in enumerate(home.after, first)
    ]
    others = _in_rows(after, width, look)
    card = _draw_brief(home.card, width, look)
    free = rows - len(home.before) - len(others.rows) - 2 - home.most
    if free >= CARD:
        card = draw_card(home.card, width, free, look)
    body = stack(_draw_games(home, width, rows - len(others.rows) - len(card.rows), look), others, card)
    return draw_page("", body, home.sentence, home.hints, home.status, width, look, warning=home.warning)


def _draw_games(home: Home, width: int, height: int, look: Look) -> Picture:
    """The match to go on with and the games, one in a row; those in view among which the chosen one is."""
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    above = len(home.before)
    first, last = in_view(len(home.games), home.chosen - above, height - above - 1)
    shown: list[tuple[int, Entry]] = [*enumerate(home.before), *enumerate(home.games[first:last], above + first)]
    hits = []
    for y, (number, entry) in enumerate(shown):
        here = number == home.chosen
        ground = theme.accent if here else theme.felt
        canvas.put(0, y, " " * width, Style(theme.text, ground))
        mark = entry.key or (">" if look.ascii else "▶") * here
        canvas.put(0, y, mark, Style(theme.felt if here else theme.accent, ground, True))
        title = fit(entry.title, BRIEF - 3 if number >= above else width - 3)
        canvas.put(2, y, plain(title, look.ascii), Style(theme.felt if here else theme.text, ground, here))
        if number >= above:
            brief = plain(fit(entry.about, width - BRIEF - 1), look.ascii)
            canvas.put(BRIEF, y, brief, Style(theme.felt if here else theme.quiet, ground))
        hits.append(Hit(0, y, width, 1, number, -1))
    if last - first < len(home.games):
        more = not_in_view(first, len(home.games) - last, ascii=look.ascii)
        canvas.put(2, len(shown), more, Style(theme.quiet, theme.felt))
    return Picture(canvas.rows(), hits=tuple(hits))


def _draw_brief(card: Card, width: int, look: Look) -> Picture:
    """What the game is about, and its settings."""
    theme = look.theme
    lines = wrap(card.pitch, width - 2)
    canvas = Canvas(width, len(lines), Style(theme.text, theme.band))
    for row, line in enumerate(lines):
        canvas.put(1, row, plain(line, look.ascii), canvas.ground)
    settings = [
        Chip(setting.key, f"{setting.name} {setting.value}", Hit(0, 0, 0, 1, SETTING, number))
        for number, setting in enumerate(card.settings)
    ]
    return stack(Picture(canvas.rows()), _in_rows(settings, width, look, theme.band))


def _in_rows(chips: Sequence[Chip], width: int, look: Look, ground: str = "") -> Picture:
    """Put them beside each other, in as many rows as they need."""
    theme = look.theme
    ground = ground or theme.felt
    placed: list[tuple[int, int, Chip]] = []
    x = y = 0
    for chip in chips:
        wide = columns(chip.key) + columns(chip.words) + 3
        if x and x + wide > width:
            x, y = 0, y + 1
        placed.append((x, y, chip))
        x += wide
    canvas = Canvas(width, y + 1, Style(theme.text, ground))
    hits = []
    for x, y, chip in placed:
        room = columns(chip.key) + columns(chip.words) + 2
        under = theme.accent if chip.here else ground
        canvas.put(x, y, " " * (room + 1), Style(theme.text, under))
        canvas.put(x + 1, y, chip.key, Style(theme.felt if chip.here else theme.accent, under, True))
        words = plain(fit(chip.words, width - x - columns(chip.key) - 2), look.ascii)
        canvas.put(
            x + 2 + columns(chip.key), y, words, Style(theme.felt if chip.here else theme.text, under, chip.here)
        )
        hits.append(chip.hit._replace(x=x, y=y, w=room + 1))
    return Picture(canvas.rows(), hits=tuple(hits))
