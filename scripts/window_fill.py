"""Measures how much of their room tables and hands fill, and how still tables lie, in every game, without an app."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from statistics import median
from typing import NamedTuple

from core.bots.levels import play_match
from core.games import GAMES
from core.layout.state import LayoutView
from core.match import Match, new_match
from core.patience.state import PatienceView
from core.variant import AnyView
from net.wire.messages import SeatInfo, TableInfo, Update
from themes import load_theme
from tui.board.canvas import Box, Picture, around
from tui.board.diff import diff_pictures
from tui.draw.scene import draw_band, draw_middle
from tui.draw.window_layout import board_width, rows_for_table
from tui.model.look import Look
from tui.model.non_layout_choices import ON_TABLE
from tui.model.presenter import Moment, presenter_of
from tui.records.export import INKS

SIZES = ((50, 18), (80, 24), (120, 40), (200, 60))
MOMENTS = 30
"""Moments of a game with each number of players, one after the other, as at a table."""
MATCHES, STEPS = 6, 250
"""Matches of a game, and steps of each, whose moves are compared."""
MIN_TILES = 8
"""Minimum number of tiles in a layout whose share of the table is measured."""
MEASURED_HAND = 7
"""Size of a hand whose width is measured: most games deal it."""
NAMES = ("ann", "ben", "cora", "dan", "eve", "fay", "gil", "hal")
FELT = Look(load_theme("felt"))


class PictureMeasures(NamedTuple):
    """Measurements of a picture in its room."""

    share: float | None
    """Share of the table that the tiles reach, in the direction in which it is more; None if there are too few."""
    size: str
    """Size of a lying tile."""
    faults: int
    """Cells of tiles beyond the edge of a table that does not pan, or shared by two tiles."""
    pans: bool
    """True if not even the smallest tiles are all in view."""
    hand: float | None
    """Share of the strip that a hand of seven reaches; None for any other."""


def moments(game: str, players: int) -> Iterator[Match]:
    """Yield some moments of a match between random bots."""
    rng = Random(f"{game}{players}")
    steps = play_match(new_match(GAMES[game], players, {}), ("random",) * players, rng.randbytes(8), "fill")
    candidates = (step.match for step in steps if step.match.state and not step.match.state.result)
    yield from islice((match for match in candidates if rng.random() < 1 / 3), MOMENTS)


def update_of(match: Match) -> Update:
    """Return the update of the player on turn."""
    seats = tuple(
        SeatInfo(name, bot="easy" if number else "") for number, name in enumerate(NAMES[: match.rules.seats])
    )
    table = TableInfo(1, NAMES[0], match.variant.id, match.options, seats, 0, "playing")
    seat = max(0, match.turn)
    return Update(7, table, seat, match.view(seat))


def measure_pictures(game: str, size: tuple[int, int]) -> Iterator[PictureMeasures]:
    """Yield the measurements of a game's pictures in a window."""
    fewest, most = GAMES[game].seats
    for players in range(fewest, most + 1):
        for match in moments(game, players):
            update = update_of(match)
            view = update.play
            if view is None:
                continue
            presenter = presenter_of(view)
            moment = Moment(update, presenter.choose(view, None))
            rows = rows_for_table(update, *size)
            board_box = Box(0, 0, board_width(*size), rows.board)
            board = draw_middle(moment, board_box.w, board_box.h, FELT)
            tiles = tile_boxes(board, view)
            size_of_tiles = size_of(tiles)
            is_panned = bool(tiles) and not board_box.holds(around(tiles)) and size_of_tiles.endswith("×1")
            visible_tiles = [box for box in tiles if board_box.holds(box)] if is_panned else tiles
            band = (
                draw_band(moment, size[0], rows.hand, FELT) if rows.hand and len(view.hand) == MEASURED_HAND else None
            )
            yield PictureMeasures(
                share_of(tiles, box_for_tiles(board, view, board_box)) if len(tiles) >= MIN_TILES else None,
                size_of_tiles,
                count_faults(visible_tiles, board_box),
                is_panned,
                hand_share(band) if band else None,
            )


class MatchMeasures(NamedTuple):
    """Measurements of the pictures of whole matches."""

    moves: int
    unstable_moves: int
    """Moves at which a tile that lay on the table before is somewhere else, or has another size."""
    rounds: int
    sizes: int
    """Sizes of tiles, counted in each round."""
    byte_count: int
    """Bytes of all moves on a terminal with all colours."""


def measure_matches(game: str, size: tuple[int, int]) -> MatchMeasures:
    """Return the measurements of matches between greedy bots with the fewest players."""
    players = GAMES[game].seats[0]
    moves = unstable_moves = rounds = byte_count = 0
    sizes: list[set[str]] = []
    for number in range(MATCHES):
        seed = Random(f"{game}{players}{number}").randbytes(8)
        steps = play_match(new_match(GAMES[game], players, {}), ("greedy",) * players, seed, "fill")
        last_round, laid_count, boxes_before, picture_before = 0, 0, {}, None
        for match in islice((step.match for step in steps), STEPS):
            update = update_of(match)
            view = update.play
            if not isinstance(view, LayoutView) or view.result:
                continue
            if match.round != last_round:
                last_round, boxes_before, picture_before, rounds = match.round, {}, None, rounds + 1
                sizes.append(set())
            presenter, rows = presenter_of(view), rows_for_table(update, *size)
            board = draw_middle(Moment(update, presenter.choose(view, None)), board_width(*size), rows.board, FELT)
            boxes = {hit.at: (hit.x, hit.y, hit.w, hit.h) for hit in board.hits if hit.side == -1}
            if boxes_before and len(view.layout) > laid_count:
                moves += 1
                unstable_moves += any(boxes.get(at) != box for at, box in boxes_before.items())
                byte_count += (
                    len(diff_pictures(picture_before, board, INKS).encode())
                    if picture_before and picture_before.size == board.size
                    else 0
                )
            if len(boxes) >= MIN_TILES:
                sizes[-1].add(size_of([Box(*box) for box in boxes.values()]))
            boxes_before, laid_count, picture_before = boxes, len(view.layout), board
    return MatchMeasures(moves, unstable_moves, rounds, sum(map(len, sizes)), byte_count)


def tile_boxes(board: Picture, view: AnyView) -> list[Box]:
    """Return the boxes of the tiles on a table; empty in games of tricks."""
    if not isinstance(view, LayoutView | PatienceView):
        return []
    side = -1 if isinstance(view, LayoutView) else ON_TABLE
    return [Box(hit.x, hit.y, hit.w, hit.h) for hit in board.hits if hit.side == side]


def box_for_tiles(board: Picture, view: AnyView, board_box: Box) -> Box:
    """Return the part of the board for tiles: in a game for one player, without the list of moves beside them."""
    list_columns = [hit.x for hit in board.hits if hit.side != ON_TABLE] if isinstance(view, PatienceView) else []
    return Box(0, 0, min([board_box.w, *list_columns]), board_box.h)


def share_of(tiles: Sequence[Box], bounds: Box) -> float:
    """Return the share of the width or height of `bounds` that the tiles span, whichever is larger."""
    extent = around(tiles)
    return max(extent.w / bounds.w, extent.h / bounds.h)


def size_of(tiles: Sequence[Box]) -> str:
    """Return the columns and rows of the widest tile, which is a lying one; empty without tiles."""
    widest = max(tiles, key=lambda box: box.w, default=None)
    return f"{widest.w}×{widest.h}" if widest else ""


def count_faults(tiles: Sequence[Box], bounds: Box) -> int:
    """Return the number of cells of tiles that are outside `bounds`, or belong to two tiles."""
    cells = [(column, row) for box in tiles for column in range(box.x, box.right) for row in range(box.y, box.bottom)]
    return len(cells) - len(
        {(column, row) for column, row in cells if 0 <= column < bounds.w and 0 <= row < bounds.h}
    )


def hand_share(band: Picture) -> float:
    """Return the share of the strip's width that a hand takes."""
    return around([Box(hit.x, hit.y, hit.w, hit.h) for hit in band.hits]).w / band.width


def report(games: Sequence[str]) -> Iterator[str]:
    """Yield a line for each game and size of window."""
    for game in games:
        for size in SIZES:
            measures = list(measure_pictures(game, size))
            shares = [frame.share for frame in measures if frame.share is not None]
            hands = [frame.hand for frame in measures if frame.hand is not None]
            sizes = Counter(frame.size for frame in measures if frame.share is not None)
            size_shares = ", ".join(f"{name} {count / len(shares):.0%}" for name, count in sizes.most_common())
            yield (
                f"{game:14}{size[0]:4}×{size[1]}  table {_percent(shares)}  hand {_percent(hands)}"
                f"  faults {sum(frame.faults for frame in measures)}"
                f"  pans {sum(frame.pans for frame in measures)}  {size_shares}"
            )
            moves = measure_matches(game, size)
            if moves.moves:
                yield (
                    f"{'':14}{moves.moves:4} moves: {moves.unstable_moves / moves.moves:.1%} move laid tiles,"
                    f" {moves.sizes / moves.rounds:.1f} sizes in a round, {moves.byte_count / moves.moves:.0f} bytes"
                )


def _percent(shares: Sequence[float]) -> str:
    return f"{median(shares):4.0%}" if shares else "   –"
