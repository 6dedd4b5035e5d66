"""The panel beside the board in a wide window: players, boneyard, the story of the match, and what was said."""

from collections.abc import Sequence

from msgspec import Struct

from core.tiles import Tile
from net.players.text import SIGN
from themes import Theme
from tui.board.canvas import Box, Canvas, Picture, Style, columns, plain
from tui.board.faces import draw_tile, faces
from tui.board.hand import down_words
from tui.draw.lists import wrap
from tui.draw.look import Look
from tui.draw.panels import Player, fit, tiles_in
from tui.i18n import _

WIDE = 120
"""Columns of a window from which on there is a panel."""
SIDE = 36
"""Its columns."""
BACKS = 18
"""Backs of tiles that are drawn for a player at most; the number beside them says how many there are."""
TALK = 4
"""Rows that talk has at most, until it is read in the lobby of words: the newest lines."""


class Side(Struct, frozen=True):
    """All that the panel shows."""

    groups: tuple[tuple[Player, ...], ...]
    """In seat order; partners together."""
    boneyard: int
    """Tiles; less than nought where there is none to speak of."""
    told: tuple[str, ...]
    talk: tuple[str, ...]
    back: int = 0
    """How many lines of the story it was leafed back."""


def draw_side(side: Side, height: int, look: Look) -> Picture:
    """Draw the panel, as high as asked."""
    theme = look.theme
    canvas = Canvas(SIDE, height, Style(theme.text, theme.bar))
    people = [person for group in side.groups for person in group]
    notes = height >= 3 * len(people) + len(side.groups) + 12
    y = 1
    for group in side.groups:
        for person in group:
            _draw_person(canvas, y, person, look)
            y += 2
            words = person.lacked[0] or person.about
            if notes and words:
                colour = theme.warning if person.lacked[0] else theme.dim
                _put(canvas, 4, y, words, Style(colour, theme.bar), look)
                y += 1
        y += notes
    if side.boneyard >= 0:
        y += not notes
        _put(canvas, 2, y, _("boneyard"), Style(theme.quiet, theme.bar), look)
        count = str(side.boneyard)
        _draw_backs(canvas, 12, y, side.boneyard, theme.dim, look)
        canvas.put(SIDE - 2 - len(count), y, count, Style(theme.text, theme.bar, True))
        y += 2
    talk = _wrapped(side.talk)[-TALK:]
    bottom = height - (len(talk) + 2 if talk else 0)
    _draw_story(canvas, y, bottom - 1, side, look)
    if talk:
        _put(canvas, 2, bottom, _("talk"), Style(theme.accent, theme.bar, True), look)
        for row, line in enumerate(talk, bottom + 1):
            hosts = line.startswith(SIGN)
            _put(canvas, 2, row, line, Style(theme.accent if hosts else theme.text, theme.bar, hosts), look)
    return Picture(canvas.rows())


def _draw_person(canvas: Canvas, y: int, person: Player, look: Look) -> None:
    """Two rows: the name and the score; the backs of the tiles, and the one laid last, or all of them turned over."""
    theme = look.theme
    name = theme.accent if person.turn else theme.text if person.side < 1 else theme.quiet
    if person.turn:
        canvas.put(2, y, ">" if look.ascii else "▶", Style(theme.accent, theme.bar, True))
    mark = person.mark(ascii=look.ascii)
    canvas.put(4, y, mark.strip(), Style(theme.quiet if person.side else theme.accent, theme.bar, True))
    x = 4 + columns(mark)
    score = " ".join(filter(None, (person.gained, person.score)))
    _put(canvas, x, y, fit(person.name, SIDE - x - 3 - columns(score)), Style(name, theme.bar, person.turn), look)
    canvas.put(SIDE - 2 - columns(score), y, plain(score, look.ascii), Style(theme.text, theme.bar, True))
    if person.gained:
        gained = plain(person.gained, look.ascii)
        canvas.put(SIDE - 2 - columns(score), y, gained, Style(theme.accent, theme.bar, True))
    if person.hand is not None:
        pips = person.counted
        _put(canvas, SIDE - 2 - columns(pips), y + 1, pips, Style(theme.accent, theme.bar, not person.hand), look)
        tiles = tiles_in(person.hand, SIDE - 8 - columns(pips))
        _put(canvas, 4, y + 1, tiles, Style(theme.ivory, theme.bar), look)
        return
    if person.tiles is None:
        return
    end = _draw_backs(canvas, 4, y + 1, person.tiles, theme.accent if person.turn else theme.dim, look)
    number = str(person.tiles)
    canvas.put(end + 1, y + 1, number, Style(theme.quiet, theme.bar))
    if person.down:
        words = down_words(person.down, SIDE - 10 - end - len(number), ascii=look.ascii)
        canvas.put(end + 3 + len(number), y + 1, words, Style(theme.dim, theme.bar))
    if person.last:
        _draw_small(canvas, y + 1, person.last, theme, ascii=look.ascii)


def _draw_backs(canvas: Canvas, x: int, y: int, tiles: int, colour: str, look: Look) -> int:
    """Draw tiles from behind; return the column after them."""
    shown = min(tiles, BACKS)
    canvas.put(x, y, ("|" if look.ascii else "▌") * shown, Style(colour, look.theme.bar))
    return x + shown


def _draw_small(canvas: Canvas, y: int, tile: Tile, theme: Theme, *, ascii: bool) -> None:
    face = faces(tile.high, ascii=ascii)[0]
    box = Box(SIDE - 2 - face.lying.w, y, *face.lying)
    draw_tile(canvas, box, face, (tile.low, tile.high), theme=theme)


def _draw_story(canvas: Canvas, top: int, bottom: int, side: Side, look: Look) -> None:
    """The story from row `top` up to row `bottom`: the newest line last and brightest."""
    theme = look.theme
    if bottom - top < 2:
        return
    _put(canvas, 2, top, _("the story"), Style(theme.accent, theme.bar, True), look)
    lines = _wrapped(side.told)
    rows = bottom - top - 1
    last = max(min(rows, len(lines)), len(lines) - side.back)
    if len(lines) > rows:
        leaf = "[ ]"
        canvas.put(SIDE - 2 - len(leaf), top, leaf, Style(theme.dim, theme.bar))
    newest = len(_wrapped(side.told[-1:]))
    for number, line in list(enumerate(lines))[max(0, last - rows) : last]:
        bright = number >= len(lines) - newest
        y = top + 1 + number - max(0, last - rows)
        _put(canvas, 2, y, line, Style(theme.text if bright else theme.quiet, theme.bar), look)


def _wrapped(lines: Sequence[str]) -> list[str]:
    """Break sentences into lines; what goes on is set in."""
    return [("  " if part else "") + words for line in lines for part, words in enumerate(wrap(line, SIDE - 6))]


def _put(canvas: Canvas, x: int, y: int, words: str, style: Style, look: Look) -> None:
    canvas.put(x, y, plain(fit(words, SIDE - 2 - x), look.ascii), style)
