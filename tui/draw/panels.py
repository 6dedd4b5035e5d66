"""Draws the table screen's bars, players, story and sentence, without Textual."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from net.players.text import SIGN
from themes import Theme
from tui.board.canvas import Canvas, Picture, Style, beside, blank, cells, columns, stack
from tui.board.hand import draw_backs
from tui.i18n import signed

USUAL = (80, 24)
"""Columns and rows that every part has room in; in a smaller window there is less around the board."""
PARTS = 256
"""Pictures of each part of a screen that are remembered: what some look at, others at the table do too."""
CROWDED = 9
"""Columns below which a player's tiles and score do not fit beside each other under a name."""
ROOMY = 30
"""Columns that must be left for the backs of a player's tiles before more is said than must be."""


class Player(NamedTuple):
    """What the strip of players shows of one seat."""

    name: str
    score: int
    tiles: int
    down: int = 0
    """Tiles that they have laid face down."""
    turn: bool = False
    you: str = ""
    """What tells the one who looks that it is they, in their language."""
    note: str = ""
    """`bot`, `away` … in the player's language."""
    about: str = ""
    """More than the note says, for where there is much room."""


def narrow(width: int) -> bool:
    """Whether a window has fewer columns than usual."""
    return width < USUAL[0]


def fit(text: str, width: int) -> str:
    """Cut a text to a number of columns, with an ellipsis when something is lost."""
    line = cells(text)
    if len(line) <= width:
        return text
    kept = line[: max(0, width - 1)]
    if kept and line[len(kept)] == "":  # half a wide character
        kept = kept[:-1]
    return "".join(kept) + "…" if width > 0 else ""


def _whole(words: str, width: int) -> str:
    """As many parts of a line as there is room for, but the first in any case."""
    while columns(words) > width and " · " in words:
        words = words.rpartition(" · ")[0]
    return words


@lru_cache(maxsize=PARTS)
def draw_bar(left: tuple[tuple[str, bool], ...], right: str, width: int, theme: Theme, *, ascii: bool) -> Picture:
    """A line across the screen: words on the left, in the accent colour or not, and on the right."""
    canvas = Canvas(width, 1, Style(theme.text, theme.bar))
    room = width - 2 - (columns(right) + 2 if right else 0)
    x = 1
    for words, accent in left:
        text = plain(fit(_whole(words, room - x + 1), max(0, room - x + 1)), ascii)
        canvas.put(x, 0, text, Style(theme.accent if accent else theme.text, theme.bar, accent))
        x += columns(text) + 2
    canvas.put(width - columns(right) - 1, 0, plain(right, ascii), Style(theme.text, theme.bar))
    return Picture(canvas.rows())


def draw_players(players: tuple[Player, ...], width: int, theme: Theme, *, height: int = 2, ascii: bool) -> Picture:
    """Two rows: every player's name and score, and under them the backs of that player's tiles; or all in one.

    Where that leaves too little for a name, half of the players have the first row, and the others the second.
    """
    pitch = (width - 2) // max(1, len(players))
    across = len(players) if pitch >= CROWDED else -(-len(players) // height)
    draw = _in_columns
    if height == 1 or across < len(players):
        draw, height = _in_a_row, 1
        pitch = (width - 2) // across
    felt = Style(theme.text, theme.felt)
    lines = []
    for first in range(0, len(players), max(1, across)):
        people = [draw(player, pitch, theme, ascii=ascii) for player in players[first : first + across]]
        rest = width - 1 - pitch * len(people)
        lines.append(beside(blank(1, height, felt), *people, blank(rest, height, felt)))
    return stack(*lines)


@lru_cache(maxsize=PARTS)
def _in_columns(player: Player, pitch: int, theme: Theme, *, ascii: bool) -> Picture:
    """The name and the score above the backs of the tiles, in `pitch` columns."""
    canvas = Canvas(pitch, 2, Style(theme.text, theme.felt))
    score = signed(player.score)
    room = pitch - 2
    colour = theme.accent if player.turn else theme.text
    marker = (">" if ascii else "▶") if player.turn else " "
    canvas.put(0, 0, marker, Style(theme.accent, theme.felt, True))
    if columns(player.name) > room - columns(score) - 3:
        # A name without room beside the score stands above it, and the number of tiles takes the place of backs.
        canvas.put(1, 0, plain(fit(player.name, room), ascii), Style(colour, theme.felt, player.turn))
        canvas.put(1, 1, "|" if ascii else "▌", Style(theme.accent if player.turn else theme.dim, theme.felt))
        canvas.put(2, 1, _counts(player, ascii=ascii), Style(theme.quiet, theme.felt))
        canvas.put(pitch - 1 - len(score), 1, plain(score, ascii), Style(theme.text, theme.felt, True))
        return Picture(canvas.rows())
    note = player.about if room - columns(player.about) >= ROOMY else player.note
    note = plain("  ".join(filter(None, (note or player.note, player.you))), ascii)
    if columns(note) + len(str(player.tiles)) + 3 > room:
        note = ""
    canvas.put(2, 0, plain(player.name, ascii), Style(colour, theme.felt, player.turn))
    canvas.put(room - len(score), 0, plain(score, ascii), Style(theme.text, theme.felt, True))
    canvas.put(room - columns(note), 1, note, Style(theme.quiet, theme.felt))
    backs = draw_backs(
        player.tiles, room - columns(note) - 3, theme, down=player.down, active=player.turn, ascii=ascii
    )
    x = 2
    for text, style in backs.rows[0]:
        canvas.put(x, 1, text, style)
        x += len(text)
    return Picture(canvas.rows())


def _counts(player: Player, *, ascii: bool) -> str:
    """How many tiles a player holds, and how many lie face down."""
    return f"{player.tiles}{'_' if ascii else '▂'}{player.down}" if player.down else str(player.tiles)


@lru_cache(maxsize=PARTS)
def _in_a_row(player: Player, pitch: int, theme: Theme, *, ascii: bool) -> Picture:
    """The name, the number of tiles and the score, beside each other in `pitch` columns."""
    canvas = Canvas(pitch, 1, Style(theme.text, theme.felt))
    colour = theme.accent if player.turn else theme.text
    score = signed(player.score)
    count = f"{'|' if ascii else '▌'}{_counts(player, ascii=ascii)}"
    canvas.put(0, 0, (">" if ascii else "▶") if player.turn else " ", Style(theme.accent, theme.felt, True))
    name = plain(fit(player.name, pitch - 4 - len(count) - len(score)), ascii)
    canvas.put(1, 0, name, Style(colour, theme.felt, player.turn))
    canvas.put(2 + columns(name), 0, count, Style(theme.quiet, theme.felt))
    canvas.put(pitch - 1 - len(score), 0, plain(score, ascii), Style(theme.text, theme.felt, True))
    return Picture(canvas.rows())


def draw_lines(lines: Sequence[str], width: int, height: int, theme: Theme, *, ascii: bool) -> Picture:
    """The last lines of the story, the newest at the bottom and brightest; what the host itself says stands out."""
    return _draw_lines(tuple(lines[-height:]) if height else (), width, height, theme, ascii=ascii)


@lru_cache(maxsize=PARTS)
def _draw_lines(shown: tuple[str, ...], width: int, height: int, theme: Theme, *, ascii: bool) -> Picture:
    canvas = Canvas(width, height, Style(theme.quiet, theme.felt))
    for row, line in enumerate(shown, height - len(shown)):
        hosts, newest = line.startswith(SIGN), row == height - 1
        style = Style(theme.accent if hosts else theme.text if newest else theme.quiet, theme.felt, hosts)
        canvas.put(2, row, plain(fit(line, width - 4), ascii), style)
    return Picture(canvas.rows())


_ASCII = str.maketrans(
    dict(zip("…·×–−“”’→„‘«»", '~-x--""\'>"\'""', strict=True)) | {"±": "+-", "½": "1/2", "ß": "ss", "¿": "", "¡": ""}
)


def not_in_view(above: int, below: int, *, ascii: bool) -> str:
    """How many rows of a list are out of view on each side; nothing of a side on which none are."""
    up, down = "^v" if ascii else "↑↓"
    return " ".join([f"{up} {above}"] * (above > 0) + [f"{down} {below}"] * (below > 0))


def plain(text: str, ascii: bool) -> str:
    """The same text for a terminal that may not know more than ASCII."""
    if not ascii:
        return text
    bare = (normalize("NFD", letter)[0] for letter in text.translate(_ASCII))  # é as e
    return "".join(bare).encode("ascii", "replace").decode()
