"""Measures how much of their room tables and hands fill, over random moments of every game, without an app."""

from collections import Counter
from collections.abc import Iterator, Sequence
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
from tui.board.canvas import BoardForm, Box, Picture, around
from tui.board.faces import faces
from tui.draw.scene import draw_band, draw_middle
from tui.draw.window_layout import board_width, rows_for
from tui.model.look import Look
from tui.model.non_layout_choices import ON_TABLE
from tui.model.presenter import Moment, presenter_of

SIZES = ((50, 18), (80, 24), (120, 40), (200, 60))
MOMENTS = 30
"""Moments of a game with each number of players, one after the other, as at a table."""
ENOUGH = 8
"""Minimum number of tiles in a layout whose share of the table is measured."""
SEVEN = 7
"""Size of a hand whose width is measured: most games deal it."""
NAMES = ("ann", "ben", "cora", "dan", "eve", "fay", "gil", "hal")
FELT = Look(load_theme("felt"))


class Filled(NamedTuple):
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


def moments(game: str, players: int) -> Iterator[tuple[Match, bool]]:
    """Yield some moments of a match between random bots, each with True if a new round has begun."""
    chance = Random(f"{game}{players}")
    steps = play_match(new_match(GAMES[game], players, {}), ("random",) * players, chance.randbytes(8), "fill")
    left, last = MOMENTS, 0
    for step in steps:
        match = step.match
        if match.state and not match.state.result and chance.random() < 1 / 3:
            yield match, match.round != last
            left, last = left - 1, match.round
            if not left:
                return


def update_of(match: Match) -> Update:
    """Return the update of the player on turn."""
    seats = tuple(
        SeatInfo(name, bot="easy" if number else "") for number, name in enumerate(NAMES[: match.rules.seats])
    )
    table = TableInfo(1, NAMES[0], match.variant.id, match.options, seats, 0, "playing")
    seat = max(0, match.turn)
    return Update(7, table, seat, match.view(seat))


def filled(game: str, size: tuple[int, int]) -> Iterator[Filled]:
    """Yield the measurements of a game's pictures in a window."""
    fewest, most = GAMES[game].seats
    for players in range(fewest, most + 1):
        form: BoardForm | None = None
        for match, new_round in moments(game, players):
            update = update_of(match)
            view = update.play
            if view is None:
                continue
            presenter = presenter_of(view)
            moment = Moment(update, presenter.choose(view, None))
            rows = rows_for(update, *size)
            room = Box(0, 0, board_width(*size), rows.board)
            form = None if new_round or not presenter.keeps_form(view) else form
            board = draw_middle(moment, room.w, room.h, FELT, form)
            form = board.form or form
            tiles = tiles_on(board, view)
            pans = (
                bool(tiles) and not room.holds(around(tiles)) and form is not None and form.face in ("line", "small")
            )
            inside = [box for box in tiles if room.holds(box)] if pans else tiles
            band = draw_band(moment, size[0], rows.hand, FELT) if rows.hand and len(view.hand) == SEVEN else None
            yield Filled(
                share_of(tiles, room_of_tiles(board, view, room)) if len(tiles) >= ENOUGH else None,
                size_of(form, view.highest if isinstance(view, LayoutView | PatienceView) else 6),
                faults_of(inside, room),
                pans,
                used(band) if band else None,
            )


def tiles_on(board: Picture, view: AnyView) -> list[Box]:
    """Return the places of the tiles on a table; none in games of tricks."""
    if not isinstance(view, LayoutView | PatienceView):
        return []
    side = -1 if isinstance(view, LayoutView) else ON_TABLE
    return [Box(hit.x, hit.y, hit.w, hit.h) for hit in board.hits if hit.side == side]


def room_of_tiles(board: Picture, view: AnyView, room: Box) -> Box:
    """Return the table; in a game for one player without the list of moves beside it, which replaces a hand."""
    listed = [hit.x for hit in board.hits if hit.side != ON_TABLE] if isinstance(view, PatienceView) else []
    return Box(0, 0, min([room.w, *listed]), room.h)


def share_of(tiles: Sequence[Box], room: Box) -> float:
    """Return the share of a room that the tiles reach, in the direction in which it is more."""
    extent = around(tiles)
    return max(extent.w / room.w, extent.h / room.h)


def size_of(form: BoardForm | None, highest: int) -> str:
    """Return the columns and rows of a lying tile; empty if the picture keeps no form."""
    return next((f"{face.lying.w}×{face.lying.h}" for face in faces(highest) if form and face.name == form.face), "")


def faults_of(tiles: Sequence[Box], room: Box) -> int:
    """Return the number of cells of tiles that are outside the room, or belong to two tiles."""
    cells = [(x, y) for box in tiles for x in range(box.x, box.right) for y in range(box.y, box.bottom)]
    return len(cells) - len({(x, y) for x, y in cells if 0 <= x < room.w and 0 <= y < room.h})


def used(band: Picture) -> float:
    """Return the share of the strip's width that a hand takes."""
    return around([Box(hit.x, hit.y, hit.w, hit.h) for hit in band.hits]).w / band.width


def report(games: Sequence[str]) -> Iterator[str]:
    """Yield a line for each game and size of window."""
    for game in games:
        for size in SIZES:
            every = list(filled(game, size))
            shares = [frame.share for frame in every if frame.share is not None]
            hands = [frame.hand for frame in every if frame.hand is not None]
            sizes = Counter(frame.size for frame in every if frame.share is not None)
            drawn = ", ".join(f"{name} {count / len(shares):.0%}" for name, count in sizes.most_common())
            yield (
                f"{game:14}{size[0]:4}×{size[1]}  table {_percent(shares)}  hand {_percent(hands)}"
                f"  faults {sum(frame.faults for frame in every)}  pans {sum(frame.pans for frame in every)}  {drawn}"
            )


def _percent(shares: Sequence[float]) -> str:
    return f"{median(shares):4.0%}" if shares else "   –"
