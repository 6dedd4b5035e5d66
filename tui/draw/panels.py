"""Draws the table screen's bars, players, story and sentence, without Textual."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from core.tiles import Hand, Tile
from net.players.text import SIGN
from themes import Theme
from tui.board.canvas import Canvas, Picture, Style, beside, blank, cells, columns, plain, stack
from tui.board.hand import draw_backs

USUAL = (80, 24)
"""Columns and rows that every part has room in; in a smaller window there is less around the board."""
PARTS = 1024
"""Pictures of each part of a screen that are remembered: what some look at, others at the table do too."""
CROWDED = 9
"""Columns below which a player's tiles and score do not fit beside each other under a name."""
ROOMY = 30
"""Columns that must be left for the backs of a player's tiles before more is said than must be."""


SIDES, SIDES_ASCII = "●○◆◇", "*o+="
"""The marks of sides, that of the one who looks first."""


class Player(NamedTuple):
    """What the strip of players, or the panel, shows of one seat."""

    name: str
    score: str = ""
    """Empty where it stands elsewhere, or nobody has one yet."""
    tiles: int | None = None
    """None while the table waits."""
    down: int = 0
    """Tiles that they have laid face down."""
    turn: bool = False
    you: str = ""
    """What tells the one who looks that it is they, in their language."""
    note: str = ""
    """`bot`, `away` … in the player's language."""
    about: str = ""
    """More than the note says, for where there is much room."""
    lacked: tuple[str, str] = ("", "")
    """What they passed on, in words and in brief; it says more than the note."""
    side: int = -1
    """The number of their side, where partners play together; the side of the one who looks is the first."""
    hand: Hand | None = None
    """Their tiles, turned over when the round is over."""
    counted: str = ""
    """What that hand counts, in words."""
    gained: str = ""
    """What the round added to the score."""
    last: Tile | None = None
    """The tile that they laid last."""

    def mark(self, *, ascii: bool) -> str:
        """The mark of their side, and a blank; empty where everybody plays alone."""
        return f"{mark_of(self.side, ascii=ascii)} " if self.side >= 0 else ""


def mark_of(side: int, *, ascii: bool) -> str:
    """The mark of a side, by its number."""
    return (SIDES_ASCII if ascii else SIDES)[side]


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


Hints = Sequence[tuple[str, str]]
"""Keys, and what they do in a word or two; those that matter most first."""


def widths_of(keys: Hints) -> int:
    """How many columns keys take, with what parts them from what stands before."""
    return sum(columns(key) + 1 + columns(words) + 3 for key, words in keys)


def put_keys(canvas: Canvas, y: int, keys: Hints, theme: Theme, ground: str, *, ascii: bool) -> None:
    """Write keys and what they do at the right end of a row."""
    x = canvas.width - 1 - widths_of(keys) + 2
    for key, words in keys:
        canvas.put(x, y, plain(key, ascii), Style(theme.accent, ground, True))
        canvas.put(x + columns(key) + 1, y, plain(words, ascii), Style(theme.quiet, ground))
        x += columns(key) + columns(words) + 4


@lru_cache(maxsize=PARTS)
def draw_bar(
    left: tuple[tuple[str, bool], ...],
    right: str,
    width: int,
    theme: Theme,
    *,
    ascii: bool,
    keys: tuple[tuple[str, str], ...] = (),
) -> Picture:
    """A line across the screen: words on the left, in the accent colour or not, and words and keys on the right."""
    canvas = Canvas(width, 1, Style(theme.text, theme.bar))
    end = width - widths_of(keys)
    put_keys(canvas, 0, keys, theme, theme.bar, ascii=ascii)
    needed = sum(columns(words) + 2 for words, _accent in left)
    if keys and (columns(right) + 2 > end // 2 or columns(right) + needed + 2 > end):
        right = ""
    room = end - 2 - (columns(right) + 2 if right else 0)
    x = 1
    for words, accent in left:
        text = plain(fit(_whole(words, room - x + 1), max(0, room - x + 1)), ascii)
        canvas.put(x, 0, text, Style(theme.accent if accent else theme.text, theme.bar, accent))
        x += columns(text) + 2
    canvas.put(end - columns(right) - 1, 0, plain(right, ascii), Style(theme.text, theme.bar))
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
    room = pitch - 2
    colour = theme.accent if player.turn else theme.text
    marker = (">" if ascii else "▶") if player.turn else " "
    canvas.put(0, 0, marker, Style(theme.accent, theme.felt, True))
    mark = player.mark(ascii=ascii)
    name = f"{mark}{player.name}"
    if columns(name) > room - columns(player.score) - 3:
        # A name without room beside the score stands above it, and the number of tiles takes the place of backs.
        canvas.put(1, 0, plain(fit(name, room), ascii), Style(colour, theme.felt, player.turn))
        canvas.put(1, 1, "|" if ascii else "▌", Style(theme.accent if player.turn else theme.dim, theme.felt))
        canvas.put(2, 1, _counts(player, ascii=ascii), Style(theme.quiet, theme.felt))
        score = player.gained or player.score
        canvas.put(pitch - 1 - len(score), 1, plain(score, ascii), Style(theme.text, theme.felt, True))
        return Picture(canvas.rows())
    canvas.put(2, 0, mark, Style(theme.quiet if player.side else theme.accent, theme.felt, True))
    canvas.put(2 + columns(mark), 0, plain(player.name, ascii), Style(colour, theme.felt, player.turn))
    canvas.put(room - len(player.score), 0, plain(player.score, ascii), Style(theme.text, theme.felt, True))
    if player.gained and columns(name) + len(player.gained) + len(player.score) + 3 <= room:
        x = room - len(player.score) - (len(player.score) > 0) - len(player.gained)
        canvas.put(x, 0, plain(player.gained, ascii), Style(theme.accent, theme.felt, True))
    if player.hand is not None:
        return _turned_over(canvas, player, theme, ascii=ascii)
    tiles = len(str(player.tiles)) + 3
    told = [*player.lacked, player.about if room - columns(player.about) >= ROOMY else "", player.note]
    you = plain(player.you, ascii)
    notes = [plain("  ".join(filter(None, (words, you))), ascii) for words in told if words]
    note = next((words for words in [*notes, you] if columns(words) + tiles <= room), "")
    canvas.put(room - columns(note), 1, note, Style(theme.quiet, theme.felt))
    if player.tiles is None:
        return Picture(canvas.rows())
    backs = draw_backs(
        player.tiles, room - columns(note) - 3, theme, down=player.down, active=player.turn, ascii=ascii
    )
    x = 2
    for text, style in backs.rows[0]:
        canvas.put(x, 1, text, style)
        x += len(text)
    return Picture(canvas.rows())


def _turned_over(canvas: Canvas, player: Player, theme: Theme, *, ascii: bool) -> Picture:
    """Write the tiles of a hand below a name, as many as there is room for, and their pips."""
    hand, room = player.hand or (), canvas.width - 2
    pips = player.counted
    canvas.put(room - columns(pips), 1, plain(pips, ascii), Style(theme.accent, theme.felt, not hand))
    tiles = tiles_in(hand, room - 6)
    canvas.put(2, 1, plain(tiles, ascii), Style(theme.ivory, theme.felt))
    return Picture(canvas.rows())


def tiles_in(hand: Hand, width: int) -> str:
    """Write tiles side by side, in so many columns; dots stand for those without room."""
    words = " ".join(map(str, hand))
    for kept in range(len(hand), 0, -1):
        if columns(words) <= width:
            return words
        words = " ".join([*map(str, hand[: kept - 1]), "…"])
    return words if columns(words) <= width else ""


def _counts(player: Player, *, ascii: bool) -> str:
    """How many tiles a player holds, and how many lie face down; what they count when the round is over."""
    if player.hand is not None:
        return player.counted or str(len(player.hand))
    tiles = "" if player.tiles is None else str(player.tiles)
    return f"{tiles}{'_' if ascii else '▂'}{player.down}" if player.down else tiles


@lru_cache(maxsize=PARTS)
def _in_a_row(player: Player, pitch: int, theme: Theme, *, ascii: bool) -> Picture:
    """The name, the number of tiles and the score, beside each other in `pitch` columns."""
    canvas = Canvas(pitch, 1, Style(theme.text, theme.felt))
    colour = theme.accent if player.turn else theme.text
    score = player.gained or player.score
    counts = _counts(player, ascii=ascii)
    count = f"{'|' if ascii else '▌'}{counts}" if counts else ""
    mark = player.mark(ascii=ascii)
    canvas.put(0, 0, (">" if ascii else "▶") if player.turn else " ", Style(theme.accent, theme.felt, True))
    name = plain(fit(f"{mark}{player.name}", pitch - 4 - columns(count) - len(score)), ascii)
    canvas.put(1, 0, name, Style(colour, theme.felt, player.turn))
    canvas.put(2 + columns(name), 0, plain(count, ascii), Style(theme.quiet, theme.felt))
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


def not_in_view(above: int, below: int, *, ascii: bool) -> str:
    """How many rows of a list are out of view on each side; nothing of a side on which none are."""
    up, down = "^v" if ascii else "↑↓"
    return " ".join([f"{up} {above}"] * (above > 0) + [f"{down} {below}"] * (below > 0))
