"""Draws how a round ended: all hands, and for every side the sum that leads to its points."""

from typing import cast

from core.actions import RoundOver, Term
from core.layout.spinner import round5
from core.layout.state import LayoutView
from core.match import MatchView
from core.tiles import STAR, Hand, Tile
from core.vocabulary import TermKind
from themes import Theme
from tui.board.canvas import Canvas, Picture, Style, columns
from tui.board.faces import draw_tile, faces
from tui.board.places import Box
from tui.draw.panels import fit, plain
from tui.i18n import _, several, signed
from tui.text.headlines import match_headline, round_headline, side_name
from tui.text.layouts import last_tile

HANDS: tuple[TermKind, ...] = ("pips", "own")
"""The terms that are a hand's pips."""


def headline(match: MatchView, result: RoundOver, names: tuple[str, ...], you: int) -> str:
    """One sentence: who won the match or the round, and how."""
    last = last_tile(cast("LayoutView", match.play))
    return match_headline(match, result, names, you, round_headline(match.sides, result, names, you, last))


def sum_of(terms: tuple[Term, ...], names: tuple[str, ...], hands: tuple[Hand, ...] = ()) -> str:
    """Write out the sum that leads to a side's points: `12 (bela) + 50 (0|0) − 2 (ada)`.

    Without names it is the bare numbers, for where there is little room, but for those that are no hand's pips. Of
    `hands` that are known it tells where their pips were rounded.
    """
    written = ""
    for term in terms:
        minus = term.amount < 0 or term.what == "own"
        sign = (" − " if minus else " + ") if written else ("−" if minus else "")
        labels: dict[TermKind, str] = {
            "boneyard": _("boneyard"),
            "share": _("an equal share"),
            "rounded": _("rounded"),
            "out": _("out"),
            "bonus": _("bonus"),
            "blank": "0|0",
            "star": _("wildstars"),
        }
        label = labels.get(term.what) or (names[term.seat] if term.seat >= 0 and names else "")
        if label and hands and term.what in HANDS:
            label += _rounding(abs(term.amount), sum(tile.pips for tile in hands[term.seat] if tile != STAR))
        written += f"{sign}{abs(term.amount)}" + (f" ({label})" if label else "")
    return written


def _rounding(counted: int, pips: int) -> str:
    """What was done to a hand's pips before they counted; empty for nothing."""
    near = round5(pips)
    if counted == pips:
        return ""
    return ", " + (_("rounded") if counted == near else _("in fives")) if counted in (near, near // 5) else ""


def draw_result(
    match: MatchView,
    names: tuple[str, ...],
    ready: tuple[int, ...],
    you: int,
    width: int,
    height: int,
    theme: Theme,
    *,
    ascii: bool,
) -> Picture:
    """A picture of the last round's result in a room of `width` by `height` cells, at least 60 by 12."""
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    result = match.play.result if match.play else None
    if result is None:
        return Picture(canvas.rows())
    seats, sides = len(names), match.sides
    crowded = 4 + seats + sides > height
    airy = height >= 2 * seats + 3 * sides + 6
    rows = 2 + seats * (1 + airy) + (0 if crowded else 1 + sides * (1 + airy))
    y = max(0, (height - rows) // 2)
    left = max(2, (width - 96) // 2)
    room = width - 2 * left
    quiet, strong = Style(theme.quiet, theme.felt), Style(theme.accent, theme.felt, True)
    text, bold = Style(theme.text, theme.felt), Style(theme.text, theme.felt, True)

    def put(x: int, row: int, words: str, style: Style) -> None:
        canvas.put(x, row, plain(words, ascii), style)

    put(left, y, fit(headline(match, result, names, you), room), strong)
    y += 2
    for seat, hand in enumerate(result.hands):
        put(left, y, ("* " if ascii else "✓ ") if seat in ready else "  ", quiet)
        put(left + 2, y, fit(names[seat], 16), bold if seat == result.winner else text)
        count = (
            _("out") if not hand else several("{count} pip", "{count} pips", sum(max(0, tile.pips) for tile in hand))
        )
        side = seat % sides
        count = score_words(match, result, side) if crowded else count
        style = strong if crowded and side in match.winners else quiet
        put(left + room - columns(count), y, count, style)
        _draw_tiles(canvas, hand, left + 20, y, room - 22 - max(9, columns(count)), theme, ascii)
        y += 1 + airy
    y += 1
    for side in range(sides) if not crowded else ():
        points = result.points[side]
        won = side in match.winners
        put(left + 2, y, fit(side_name(side, names, sides), 16), strong if won else bold if points else text)
        total = score_words(match, result, side)
        put(left + room - columns(total), y, total, strong if won else bold)
        if result.sums[side]:
            free = room - 20 - columns(total) - 2
            terms, total_of = result.sums[side], signed(sum(term.amount for term in result.sums[side]))
            written = (sum_of(terms, names, result.hands), sum_of(terms, names), sum_of(terms, ()))
            many = ", " + _("too many") if side in result.void else ""
            sums = (f"{each} = {total_of}{many}" for each in written)
            put(left + 20, y, next((each for each in sums if columns(each) <= free), ""), text)
        y += 1 + airy
    return Picture(canvas.rows())


def score_words(match: MatchView, result: RoundOver, side: int) -> str:
    """A side's score, and how the round led to it."""
    score, points = match.scores[side], result.points[side]
    if not points:
        return signed(score)
    return f"{signed(score - points)} {'+' if points > 0 else '−'} {abs(points)} = {signed(score)}"


def _draw_tiles(canvas: Canvas, hand: tuple[Tile, ...], x: int, y: int, room: int, theme: Theme, ascii: bool) -> None:
    """A hand as small lying tiles; when it is too long, as many as fit and how many more there are."""
    face = faces(max((tile.high for tile in hand), default=6), ascii=ascii)[0]
    pitch = face.lying.w
    most = room // pitch
    shown = hand if len(hand) <= most else hand[: max(0, (room - 4) // pitch)]
    for number, tile in enumerate(shown):
        box = Box(x + number * pitch, y, *face.lying)
        draw_tile(canvas, box, face, (tile.high, tile.low), theme=theme)
    if len(shown) < len(hand):
        style = Style(theme.quiet, theme.felt)
        canvas.put(x + len(shown) * pitch + 1, y, f"+{len(hand) - len(shown)}", style)
