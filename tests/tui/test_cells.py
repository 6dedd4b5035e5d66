"""No cell of a served screen shows a tile that its player may not know: a scan of screens, beside that of frames."""

import os
import re
from itertools import cycle, product, takewhile
from random import Random

import pytest
from msgspec.structs import replace

from core.games import GAMES
from core.match import Match
from net.host.lobby import Lobby
from tests.net.oracle import known_to
from tests.tui.far import TABLE_KEYS
from tests.tui.test_incremental_output import Screen, at_table, wait_until_quiet
from tui.board.canvas import Direction
from tui.board.faces import faces
from tui.screens.help import HelpScreen

LONG = bool(os.environ.get("BONEYARD_LONG"))
KEYS = 200 if LONG else 6
SIZES = [(80, 24), (140, 45)]
CROWDED = "wildstar", (140, 45)
"""On its crowded star of nines this reader mistakes halves of two tiles for a tile."""
PLAYED_IN = [
    game_and_size
    for game_and_size in (product(GAMES, SIZES) if LONG else zip(GAMES, cycle(SIZES[::-1]), strict=False))
    if game_and_size != CROWDED
]
"""Games and sizes of the window: each game in both in the long form."""
PLAYED = [key for key in TABLE_KEYS if key not in ("talk", "colours")]
ACROSS = re.compile(r"(?<![\d│])(\d{1,2}) ?│ ?(\d{1,2})(?![\d│])")
CHINESE = re.compile(r"▐(\d) (\d)▌")
NAMED = re.compile(r"(?<![\d|])(?<!as )(\d{1,2})\|(\d{1,2})(?![\d|])")  # “a wildstar as 5|0” names none
HALF = re.compile(r"▐ ?(\d{1,2})▌")
PIPS = re.compile(r"▐([ ●]{5})▌")
PIPS_ACROSS = re.compile(r"▐([ ●]{5})│([ ●]{5})▌")
CHINESE_ACROSS = re.compile(r"▐([ ●]{5}) ([ ●]{5})▌")
DOTS_ACROSS = re.compile(r"▐([ ⠀-⣿]{3})│([ ⠀-⣿]{3})▌")
PIPS_BAR = re.compile(r"▐─{5}▌")
STANDING = re.compile(r"▐([ ⠀-⣿]{2,3})▌")
HALVES = {
    face.halves(number, face.half, Direction.UP): number
    for face in (*faces(6), *faces(18))
    if face.half.h == 2
    for number in range(19)
    if face.name == "medium" or number <= 6
}
"""Numbers of the halves that are two rows high."""


def tiles_named_on(rows):
    """Return every tile that a sentence on a screen names."""
    return {tuple(sorted(map(int, pair))) for row in rows for pair in NAMED.findall(row)}


def tiles_on(rows, *, dots=False):
    """Return every tile that can be read on a screen, in digits or pips, its halves side by side or one above the
    other.

    With `dots`, tiles of two rows are read as well: of a double-six set, and none of them crosswise.
    """
    tiles = {(int(low), int(high)) for row in rows for low, high in ACROSS.findall(row) + CHINESE.findall(row)}
    for y, row in enumerate(rows):
        for half in HALF.finditer(row):
            tiles |= lower_half(rows[y + 1 : y + 3], half.span(), int(half[1]))
        for across in (PIPS_ACROSS, CHINESE_ACROSS):
            for tile in across.finditer(row):
                box = [across.fullmatch(line[slice(*tile.span())]) for line in rows[y : y + 3]]
                if (
                    len(box) == 3
                    and all(box)
                    and (across is PIPS_ACROSS or any("●" in part_of_row[0] for part_of_row in box))
                ):
                    tiles.add(tuple(sum(part_of_row[half].count("●") for part_of_row in box) for half in (1, 2)))
        for tile in DOTS_ACROSS.finditer(row) if dots else ():
            span = slice(*tile.span())
            above = takewhile(lambda line, span=span: DOTS_ACROSS.fullmatch(line[span]), reversed(rows[:y]))
            below = DOTS_ACROSS.fullmatch(rows[y + 1][span]) if y + 1 < len(rows) else None
            if below and sum(1 for _ in above) % 2 == 0:  # tiles lie close one above the other
                halves = (tile[half] + below[half] for half in (1, 2))
                tiles.add(
                    tuple(
                        sum((ord(letter) & 0xFF).bit_count() for letter in half if letter > " ") // 4
                        for half in halves
                    )
                )
        tiles |= tall_tiles_of_row(rows, y)
        for tile in PIPS.finditer(row):
            span = slice(*tile.span())
            box = [PIPS.fullmatch(line[span]) for line in rows[y : y + 7]]
            if len(box) == 7 and all(box) and not PIPS.fullmatch(rows[y - 1][span]) and not box[3][1].strip():
                tiles.add(
                    tuple(sum(part_of_row[1].count("●") for part_of_row in half) for half in (box[:3], box[4:]))
                )
        for tile in PIPS_BAR.finditer(row):
            above, below = (
                [PIPS.fullmatch(line[slice(*tile.span())]) for line in part]
                for part in (rows[max(0, y - 3) : y], rows[y + 1 : y + 4])
            )
            if len(above) == len(below) == 3 and all(above) and all(below):
                tiles.add(tuple(sum(part_of_row[1].count("●") for part_of_row in half) for half in (above, below)))
    return {tuple(sorted(tile)) for tile in tiles}


def tall_tiles_of_row(rows, y):
    """Return the standing tiles with their upper edge in row `y` whose halves are two rows high."""
    tiles = set()
    for tile in STANDING.finditer(rows[y]):
        span = slice(*tile.span())
        run = list(takewhile(bool, (STANDING.fullmatch(row[span]) for row in rows[y:])))
        if len(run) == 4 and (y == 0 or not STANDING.fullmatch(rows[y - 1][span])):
            halves = tuple(HALVES.get((run[row][1], run[row + 1][1])) for row in (0, 2))
            tiles |= {halves} if None not in halves else set()
    return tiles


def lower_half(rows, span, number):
    """Return a set with the tile whose upper half shows `number`, if a bar and another number are below it; else
    empty.

    Chinese tiles have no bar.
    """
    under = [row[slice(*span)] for row in rows]
    parted = len(under) == 2 and (set(under[0][1:-1]) == {"─"} or under[0] == "▐ ▌")
    half = HALF.match(under[1]) if parted else None
    return {(number, int(half[1]))} if half else set()


async def find_leaking_screen(game, size, monkeypatch):
    """Play at a served screen with any keys; return the first screen at rest that shows a forbidden tile, or None."""
    lobbies = []
    made = Lobby.__init__
    monkeypatch.setattr(
        Lobby, "__init__", lambda self, *args, **more: made(self, *args, **more) or lobbies.append(self)
    )
    rng = Random(f"{game} {size}")
    window = Screen(size=size)
    looked, read, ever = 0, 0, set()
    async with at_table(window, game, min(4, GAMES[game].seats[1])) as app:
        (lobby,) = lobbies
        ((number, table),) = lobby.tables.items()
        (connection,) = table.guests
        for _ in range(KEYS):
            key = b"q" if isinstance(app.screen, HelpScreen) else TABLE_KEYS[rng.choice([*PLAYED, "go", "go", "go"])]
            window.terminal.feed(key)
            await wait_until_quiet(app)
            if lobby.delay(number) is not None or app._client.update.number != lobby.tables[number].number:
                continue  # a bot is about to play
            may = {tuple(sorted(tile)) for tile in known_to(lobby, connection).tiles}
            visible = tiles_on(window.screen.display, dots=GAMES[game].seats[1] == 1)
            if isinstance(app.screen, HelpScreen):
                continue  # it explains with tiles of its own
            ever |= may  # the story still names the round before
            if not visible <= may or not tiles_named_on(window.screen.display) <= ever:
                return "\n".join(window.screen.display)
            looked += 1
            read += len(visible)
    assert looked > KEYS // 3
    assert read > looked * 2, "the reader is blind"
    return ""


@pytest.mark.parametrize(("game", "size"), PLAYED_IN)
async def test_a_served_screen_shows_no_tile_that_its_player_may_not_know(game, size, monkeypatch):
    assert not await find_leaking_screen(game, size, monkeypatch)


@pytest.mark.parametrize("size", SIZES)
async def test_a_tile_that_is_shown_on_purpose_is_found(size, monkeypatch):
    view = Match.view

    def leaking(match, seat):
        honest = view(match, seat)
        if seat != 0 or not match.state or match.state.result:
            return honest
        return replace(honest, play=replace(honest.play, hand=match.state.hands[seat - 1], legal=()))

    monkeypatch.setattr(Match, "view", leaking)
    assert await find_leaking_screen("draw", size, monkeypatch)
