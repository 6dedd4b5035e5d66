"""Draws hands: the player's own, the backs of others, tiles laid face down, and all hands turned over."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from core.tiles import STAR, Hand, Tile, pips
from themes import Theme
from tui.board.canvas import Box, Canvas, ClickTarget, Picture, Size, Style, blank, columns, fit, plain
from tui.board.faces import USUAL_HIGHEST, Face, draw_tile, faces
from tui.i18n import several
from tui.model.look import USUAL_WINDOW, Look, is_narrow

NAME_WIDTH = 18
"""Columns of a name, including the blanks after it; a narrow window has fewer."""


def _name_width(width: int) -> int:
    """Return the columns of a name in a window `width` columns wide."""
    return 12 if is_narrow(width) else NAME_WIDTH


class TileRow(NamedTuple):
    """Face and size of the tiles in a row. Tiles stand if they are higher than the face's lying tile."""

    face: Face
    size: Size

    @property
    def pitch(self) -> int:
        """Columns from one tile to the next; tiles of one row of cells touch."""
        return self.size.w + (self.size.h > 1)

    def holds(self, hands: Sequence[Hand], width: int) -> bool:
        """Return True if the longest of these hands fits into `width` columns."""
        return max(map(len, hands), default=0) * self.pitch <= width + 1


def split_into_rows(hand: Hand, length: int) -> list[Hand]:
    """Return a hand in parts of at most `length` tiles."""
    return [hand[start : start + length] for start in range(0, len(hand), length)]


def tile_row(hands: Sequence[Hand], width: int, height: int, *, ascii: bool) -> TileRow:
    """Return the largest tiles with which the longest of these hands fits into `width` by `height` cells."""
    highest = max((tile.high for hand in hands for tile in hand), default=6)
    longest = max(map(len, hands), default=0)
    all_faces = faces(highest, ascii=ascii)
    rows = [TileRow(face, size) for face in reversed(all_faces) for size in (face.lying, face.standing)]
    fitting = (row for row in rows if longest and row.size.h <= height and longest * row.pitch <= width + 1)
    return next(fitting, rows[-1])


def draw_tiles(canvas: Canvas, hand: Hand, x: int, y: int, width: int, row: TileRow, theme: Theme) -> None:
    """Draw a hand; of a long one, as many tiles as fit, and the number of those left out."""
    visible = hand if len(hand) * row.pitch <= width + 1 else hand[: max(0, (width - 4) // row.pitch)]
    for number, tile in enumerate(visible):
        box = Box(x + number * row.pitch, y, *row.size)
        draw_tile(canvas, box, row.face, (tile.high, tile.low), theme=theme)
    if len(visible) < len(hand):
        hidden_count_text = f"+{len(hand) - len(visible)}"
        canvas.put(x + len(visible) * row.pitch + 1, y, hidden_count_text, Style(theme.quiet, canvas.background.bg))


def draw_face_down(tiles: Hand, width: int, height: int, look: Look) -> Picture:
    """Draw the tiles that a player has laid face down, to stand beside the hand in a window of `width`."""
    if not tiles:
        return Picture(())
    theme, face = look.theme, faces(USUAL_HIGHEST, ascii=look.ascii)[0]
    row = TileRow(face, face.lying)
    tiles_per_row = 3 if width >= USUAL_WINDOW[0] else 2
    panel_width = tiles_per_row * (row.size.w + 1) + 2
    canvas = Canvas(panel_width, height, Style(theme.text, theme.band))
    count_words = several("{count} pip down", "{count} pips down", pips(tiles))
    if columns(count_words) > panel_width - 2:
        count_words = several("{count} pip", "{count} pips", pips(tiles))
    canvas.put(1, 0, plain(fit(count_words, panel_width - 2), look.ascii), Style(theme.quiet, theme.band))
    newest = tiles[-tiles_per_row * (height - 1) :]
    for number, tile in enumerate(newest):
        y, x = divmod(number, tiles_per_row)
        draw_tiles(canvas, (tile,), 1 + x * (row.size.w + 1), 1 + y, row.size.w, row, theme)
    return Picture(canvas.rows())


def draw_row(tiles: Hand, width: int, height: int, look: Look) -> Picture:
    """Draw the row of a player who does not see it, in at most `width` columns, to stand beside the tile turned over.

    A wildstar stands for a tile that lies face down. Tiles that do not fit are only counted.
    """
    if not tiles:
        return Picture(())
    theme, face = look.theme, faces(USUAL_HIGHEST, ascii=look.ascii)[0]
    row = TileRow(face, face.lying)
    count_words = plain(several("{count} tile in your row", "{count} tiles in your row", len(tiles)), look.ascii)
    pitch = row.size.w + 1
    tiles_per_row = max(1, (width - 2) // pitch)
    panel_width = min(width, max(columns(count_words), min(tiles_per_row, len(tiles)) * pitch) + 2)
    canvas = Canvas(panel_width, height, Style(theme.text, theme.band))
    canvas.put(1, 0, fit(count_words, panel_width - 2), Style(theme.quiet, theme.band))
    visible = tiles if len(tiles) <= tiles_per_row * (height - 1) else tiles[: tiles_per_row * (height - 1) - 1]
    for number, tile in enumerate(visible):
        y, x = divmod(number, tiles_per_row)
        if tile == STAR:
            tile_back = "#" * row.size.w if look.ascii else f"▐{'█' * (row.size.w - 2)}▌"
            canvas.put(1 + x * pitch, 1 + y, tile_back, Style(theme.back, theme.band))
        else:
            draw_tiles(canvas, (tile,), 1 + x * pitch, 1 + y, row.size.w, row, theme)
    if len(visible) < len(tiles):
        y, x = divmod(len(visible), tiles_per_row)
        canvas.put(1 + x * pitch, 1 + y, f"+{len(tiles) - len(visible)}", Style(theme.quiet, theme.band))
    return Picture(canvas.rows())


def rows_for_hands(hands: Sequence[Hand], width: int, limit: int) -> int:
    """Return the number of rows that all hands need in a band of `width`: at least one each, and at most `limit`.

    If the longest hand does not fit into a row of the smallest tiles, all hands have as many rows as it needs.
    """
    row = tile_row(hands, 0, 1, ascii=False)
    longest = max(map(len, hands), default=0)
    lines = -(-longest // max(1, (width - _name_width(width) - 4) // row.pitch))
    return len(hands) * max(1, min(lines, limit // max(1, len(hands))))


def draw_all_hands(
    hands: Sequence[Hand], names: Sequence[str], turn: int, width: int, height: int, look: Look
) -> Picture:
    """Draw all hands in a band of `width` by `height` cells, at least a row for each; `turn` is the seat on turn."""
    theme, name_width = look.theme, _name_width(width)
    hand_width = width - name_width - 4
    canvas = Canvas(width, height, Style(theme.text, theme.band))
    pitch = height // max(1, len(hands))
    row = tile_row(hands, hand_width, max(1, pitch - 1), ascii=look.ascii)
    lines = 1 if row.size.h > 1 else rows_for_hands(hands, width, height) // max(1, len(hands))
    hand_height = max(row.size.h, lines)
    pitch = min(hand_height + 1, pitch)
    top = (height - len(hands) * pitch + pitch - hand_height) // 2
    for seat, (name, hand) in enumerate(zip(names, hands, strict=True)):
        y, is_on_turn = top + seat * pitch, seat == turn
        middle = y + (hand_height - 1) // 2
        style = Style(theme.accent if is_on_turn else theme.text, theme.band, is_on_turn)
        if is_on_turn:
            canvas.put(1, middle, ">" if look.ascii else "▶", style)
        canvas.put(3, middle, plain(fit(name, name_width - 2), look.ascii), style)
        tiles_in_line = hand_width // row.pitch
        for line in range(lines):
            part = (
                hand[line * tiles_in_line : (line + 1) * tiles_in_line]
                if line < lines - 1
                else hand[line * tiles_in_line :]
            )
            draw_tiles(canvas, part, name_width + 2, y + line, hand_width, row, theme)
    return Picture(canvas.rows())


TILE_KEYS = "1234567890"
"""Keys of the first tiles; the others have the arrow key that moves along the hand."""
USUAL_TILES = 7
"""Tiles of a usual hand."""
MIN_UPPER_ROW = 8
"""Minimum number of tiles in the upper of two rows, so that a hand of 9 to 16 keeps its places as it gets shorter."""
USUAL_WIDTH_SHARE = 0.56
"""Share of the band's width for such a hand, if there is room to space the tiles."""
MIN_GAP = 2
"""Columns between two tiles, if there is no room for more."""


class Rack(NamedTuple):
    """The arrangement of a hand: a face, and the order in rows."""

    face: Face
    size: Size
    gap: int
    """Columns between two tiles."""
    columns: int
    """Tiles in a row."""
    rows: int
    left: int
    """Columns left of the first tile."""
    scrolls: bool
    """True if there are more tiles than room."""

    @property
    def pitch(self) -> Size:
        """Size of a tile with its surroundings: a row above for a raised tile, and one below for the key."""
        return Size(self.size.w + self.gap, self.size.h + 2)


@lru_cache(maxsize=512)
def draw_hand(
    tiles: tuple[Tile, ...],
    width: int,
    height: int,
    theme: Theme,
    *,
    playable: tuple[int, ...] | None = None,
    chosen: int | None = None,
    picked: tuple[int, ...] = (),
    scrolled_to: int | None = None,
    ascii: bool = False,
    highest: int = USUAL_HIGHEST,
    shows_keys: bool = True,
) -> Picture:
    """Draw a hand in a band of `width` by `height` cells; tiles are given by their index.

    The `playable` tiles are bright and, with `shows_keys`, have their key under them; the others are greyed and have
    none. With None, as while another player chooses, all are bright and none has a key. The `chosen` tile is raised.
    If some are `picked` to be laid together, these are raised instead, and the chosen one has its key in brackets.
    The tile `scrolled_to` is in view like a chosen one.

    Tiles are as large as fits; a hand that does not fit at all scrolls with the choice. Each tile is a cached part of
    the picture: most look as in the last picture, or as in other players' hands.
    """
    rack = _choose_rack(len(tiles), width, height, faces(highest, ascii=ascii))
    first = _first_visible(rack, len(tiles), scrolled_to if chosen is None else chosen)
    visible = range(first, min(len(tiles), first + rack.columns * rack.rows))
    band = Style(theme.text, theme.band)
    row_height = min(height, rack.pitch.h)
    top = max(0, (height - rack.rows * rack.pitch.h) // 2)
    parts, hits = [(0, 0, blank(width, top, band))] if top else [], []
    y = top
    for start in range(0, len(visible), rack.columns):
        row_indexes = visible[start : start + rack.columns]
        x = rack.left
        hidden_before, hidden_after = (
            visible.start * (start == 0),
            (len(tiles) - visible.stop) * (row_indexes.stop == visible.stop),
        )
        parts.append(
            (0, y, _draw_edge(x, row_height, theme, ("<" if ascii else "◀") if hidden_before else "", hidden_before))
        )
        for index in row_indexes:
            is_playable = playable is None or index in playable
            key = ""
            if playable is not None and is_playable and shows_keys:
                key = TILE_KEYS[index] if index < len(TILE_KEYS) else ">" if ascii else "→"
                key = f"‹{key}›" if index == chosen and picked and not ascii else key
            is_raised = index in picked or (index == chosen and not picked)
            is_bold, is_last = index == chosen or index in picked, index == row_indexes[-1]
            place = _draw_hand_tile(
                tiles[index], rack, row_height, theme, is_playable, is_raised, key, is_bold=is_bold, is_last=is_last
            )
            parts.append((x, y, place))
            hits.append(ClickTarget(x, y, rack.size.w, rack.size.h + 2, index, -1))
            x += place.width
        parts.append(
            (
                x,
                y,
                _draw_edge(
                    width - x,
                    row_height,
                    theme,
                    (">" if ascii else "▶") if hidden_after else "",
                    hidden_after,
                    right=True,
                ),
            )
        )
        y += row_height
    if y < height:
        parts.append((0, y, blank(width, height - y, band)))
    return Picture.of(parts, (width, height), tuple(hits))


@lru_cache(maxsize=1024)
def _draw_hand_tile(
    tile: Tile,
    rack: Rack,
    height: int,
    theme: Theme,
    is_playable: bool,
    is_raised: bool,
    key: str,
    *,
    is_bold: bool,
    is_last: bool,
) -> Picture:
    """Draw one tile of a hand, its key, and the gap after it unless the tile `is_last` in its row."""
    canvas = Canvas(rack.size.w if is_last else rack.pitch.w, height, Style(theme.text, theme.band))
    box = Box(0, 0 if is_raised else 1, *rack.size)
    draw_tile(canvas, box, rack.face, (tile.high, tile.low), theme=theme, tone="ivory" if is_playable else "greyed")
    canvas.put((box.w - len(key)) // 2, box.bottom, key, Style(theme.accent, theme.band, is_bold))
    return Picture(canvas.rows())


@lru_cache(maxsize=256)
def _draw_edge(width: int, height: int, theme: Theme, arrow: str, hidden: int, *, right: bool = False) -> Picture:
    """Draw the band left or right of the tiles; an arrow and a number show how many tiles are hidden."""
    canvas = Canvas(width, height, Style(theme.text, theme.band))
    for row, text in enumerate((arrow, str(hidden)) if hidden else (), 1):
        canvas.put(width - len(text) if right else 0, row, text, Style(theme.accent, theme.band, True))
    return Picture(canvas.rows())


@lru_cache(maxsize=512)
def draw_backs(
    count: int,
    width: int,
    theme: Theme,
    *,
    face_down_count: int = 0,
    is_on_turn: bool = False,
    stands_close: bool = False,
    ascii: bool = False,
) -> Picture:
    """Draw a row of `count` tiles from behind and their number, bright if the player `is_on_turn`.

    `face_down_count` tiles that lie face down follow. If not all tiles fit side by side, or with `stands_close`, they
    stand closer; beyond that, backs are left out, and the number shows how many there are.
    """
    canvas = Canvas(width, 1, Style(theme.text, theme.felt))
    style = Style(theme.accent if is_on_turn else theme.back, theme.felt, is_on_turn)
    number = str(count)
    face_down_text = face_down_words(face_down_count, width // 3, ascii=ascii) if face_down_count else ""
    if face_down_text and len(number) + 2 + len(face_down_text) > width:
        number, face_down_text = f"{number}{face_down_text[0]}{face_down_count}", ""
    backs_width = width - len(number) - 1 - (len(face_down_text) + 2 if face_down_text else 0)
    backs = ("# " if ascii else "▐▌ ") * count
    if stands_close or len(backs) > backs_width:
        backs = ("#" if ascii else "▌") * count + " "
    if len(backs) > backs_width:
        backs = ("#" if ascii else "▌") * max(0, backs_width - 1) + " " * (backs_width > 1)
    canvas.put(0, 0, backs, style)
    canvas.put(len(backs), 0, number, Style(theme.quiet, theme.felt))
    if face_down_text:
        canvas.put(len(backs) + len(number) + 2, 0, face_down_text, style._replace(bold=False))
    return Picture(canvas.rows())


def face_down_words(count: int, width: int, *, ascii: bool) -> str:
    """Return the backs of tiles laid face down and their number; only one back if there is no room for all."""
    tile, number = ("_" if ascii else "▂"), str(count)
    all_backs = f"{tile}{tile} " * count + number
    return all_backs if len(all_backs) <= width else f"{tile}{tile} {number}"


def min_rows(count: int, width: int, highest: int = USUAL_HIGHEST) -> int:
    """Return the fewest rows of a band that shows the whole hand; for a very large hand, those of two rows of
    tiles.
    """
    line, small, *_larger = faces(highest, ascii=False)
    sizes = (line.lying, small.standing)
    return next((size.h + 2 for size in sizes if count * (size.w + 1) <= width - 1), 2 * (line.lying.h + 2))


def _choose_rack(count: int, width: int, height: int, all_faces: tuple[Face, ...]) -> Rack:
    """Choose the largest tiles that fit, standing in one row or two; lying ones if no standing ones fit."""
    line_face, *standing_faces = all_faces
    for face, rows in product(reversed(standing_faces), (1, 2)):
        w, h = face.standing
        columns = max(1, count) if rows == 1 else max(MIN_UPPER_ROW, -(-count // 2))
        # The gap of a usual hand, so that the tiles do not move apart as they get fewer.
        usual_gap = max(MIN_GAP, (int(USUAL_WIDTH_SHARE * width) - USUAL_TILES * w) // (USUAL_TILES - 1))
        for gap in range(usual_gap, 0, -1):
            total_width = columns * (w + gap) - gap
            if rows * (h + 2) <= height and total_width <= width - 2:
                return Rack(face, face.standing, gap, columns, rows, (width - total_width) // 2, scrolls=False)
    pitch = line_face.lying.w + 1
    columns = max(1, (width - 1) // pitch)
    rows = min(max(1, height // 3), max(1, -(-count // columns)))
    scrolls = count > columns * rows
    if scrolls:
        columns = max(1, (width - 4) // pitch)
    return Rack(
        line_face, line_face.lying, 1, columns, rows, max(1, (width - min(count, columns) * pitch + 1) // 2), scrolls
    )


def _first_visible(rack: Rack, count: int, chosen: int | None) -> int:
    """Return the index of the first visible tile of `count`: the chosen one is central, unless near an end."""
    capacity = rack.columns * rack.rows
    if not rack.scrolls or chosen is None:
        return 0
    return max(0, min(chosen - capacity // 2, count - capacity))
