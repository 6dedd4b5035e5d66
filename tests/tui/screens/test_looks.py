"""Approved pictures of the screens, at moments that do not change by themselves.

After an intended change, `BONEYARD_APPROVE=1 ./scripts/test tests/tui/screens/test_looks.py` draws them anew.
"""

import os
from pathlib import Path

import pytest

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from net.client.client import Client
from net.wire.link import memory_pair
from net.wire.messages import SeatInfo, TableInfo, Tables
from tests.tui.hands import MOMENTS as HANDS
from tests.tui.tables import DARK, PLAIN, match_at, update_at
from themes import load_theme
from tui.draw.svg import svg_of
from tui.model.look import Look
from tui.model.new_table import NewTable
from tui.screens.base import MessageScreen
from tui.screens.lobby import LobbyScreen
from tui.screens.menu import MenuScreen
from tui.screens.new_table import NewTableScreen, _explanation_text
from tui.screens.table import TableScreen

APPROVED = Path(__file__).parents[3] / "docs" / "gallery" / "looks"
SMALL, USUAL, LARGE = (50, 18), (80, 24), (140, 45)
LIGHT = Look(load_theme("light"))
NAMES = ("ada", "Felicitas", "Maximilian", "dora", "emil", "Sebastian", "gus", "hana")
PLAYING = match_at((6, 1), "6|4 6|1 3|3 2|0", "0|0 5|5", "1|0 4|2 5|3", boneyard="5|1 4|4", scores=(12, 30, 7))
STUCK = match_at((6, 1), "3|3 2|0", "0|0 5|5", boneyard="5|1 4|4", scores=(12, 30))
BLOCKED = match_at((6, 6), "4|1", "5|4 1|0", "4|4 3|1", "2|2", partners="yes", scores=(40, 55))


def table(look, match, seat=0, **fields):
    client = Client(memory_pair()[0], "test")
    client.update = update_at(match, seat, **fields)
    return TableScreen(client, look, lambda: look)


def under_way(game, players, tiles, look=DARK):
    """Return the table of a match between bots at the first choice with this many tiles laid."""
    steps = play_match(new_match(GAMES[game], players, {}), ("greedy-1",) * players, game.encode(), "test")
    states = (step for step in steps if step.match.state and not step.match.state.result)
    match = next(step.match for step in states if len(step.match.state.layout) >= tiles and step.match.legal[1:])
    return table(look, match, match.turn, seats=tuple(map(SeatInfo, NAMES[:players])))


def capicua():
    hands = ("5|3", "6|5", "2|0 4|4", "6|6 1|0")
    match = match_at((3, 5), *hands, game="partners", scores=(40, 55), pt__capicua=25, pt__count="all")
    return table(DARK, match.apply(match.legal[0])[0])


def spectators_table():
    seats = (SeatInfo("ada"), SeatInfo("bela", away=True), SeatInfo("Felix", "greedy"))
    return table(DARK, PLAYING, -1, seats=seats, watchers=2)


def lobby():
    waiting = (SeatInfo("ada"), SeatInfo(), SeatInfo("Felix", "greedy"))
    tables = (
        TableInfo(1, "ada", "draw", PLAYING.options, waiting, 0, "waiting"),
        TableInfo(2, "bela", "block", PLAYING.options, (SeatInfo("bela"), SeatInfo("chen", away=True)), 3, "playing"),
    )
    client = Client(memory_pair()[0], "test")
    client.name, client.tables = "dora", Tables(tables, 2, 0, 2, 2)
    return LobbyScreen(client, DARK, lambda: DARK)


def all_rules():
    """Return the form of Forty-Two with its rare rules, the last of them chosen and changed."""
    form = NewTableScreen(DARK, free_seats=True, new_table=NewTable().set("game", "forty-two"))
    form._is_unfolded = True
    form.action_move(-1)
    form.action_turn(1)
    return form


def explained():
    """Return the explanation of every choice of the last row of a form."""
    form = NewTableScreen(DARK, free_seats=False)
    form.action_move(-1)
    return MessageScreen(DARK, "a new table", _explanation_text([form._chosen_row()], "draw"), "what the choices do")


LOOKS = {
    "playing": (lambda: table(DARK, PLAYING), USUAL),
    "playing-light": (lambda: table(LIGHT, PLAYING), LARGE),
    "stuck-ascii": (lambda: table(PLAIN, STUCK), USUAL),
    "blocked": (lambda: table(DARK, BLOCKED), LARGE),
    "blocked-ascii": (lambda: table(PLAIN, BLOCKED), USUAL),
    "blocked-small": (lambda: table(DARK, BLOCKED), SMALL),
    "capicua": (capicua, USUAL),
    "spectator": (spectators_table, USUAL),
    "bidding": (lambda: table(DARK, HANDS["bidding"]), USUAL),
    "bidding-small": (lambda: table(DARK, HANDS["bidding"]), SMALL),
    "naming": (lambda: table(DARK, HANDS["naming"]), LARGE),
    "naming-ascii": (lambda: table(PLAIN, HANDS["naming"]), USUAL),
    "trick": (lambda: table(DARK, HANDS["trick"]), USUAL),
    "trick-ascii": (lambda: table(PLAIN, HANDS["trick"]), LARGE),
    "trick-small": (lambda: table(DARK, HANDS["trick"]), SMALL),
    "set-at-points": (lambda: table(DARK, HANDS["set at points"]), USUAL),
    "draw-small-ascii": (lambda: under_way("draw", 4, 16, PLAIN), SMALL),
    "mexican-train-small": (lambda: under_way("mexican-train", 8, 32), SMALL),
    "wildstar-small": (lambda: under_way("wildstar", 8, 32), SMALL),
    "lobby": (lobby, USUAL),
    "menu": (lambda: MenuScreen(DARK), LARGE),
    "menu-small": (lambda: MenuScreen(DARK), SMALL),
    "form": (lambda: NewTableScreen(LIGHT, free_seats=True), USUAL),
    "form-small": (lambda: NewTableScreen(DARK, free_seats=True), SMALL),
    "form-explained": (explained, USUAL),
    "form-all-rules": (all_rules, USUAL),
    "all-fives": (lambda: under_way("all-fives", 3, 10), LARGE),
    "five-up": (lambda: under_way("five-up", 2, 12), USUAL),
    "cross": (lambda: under_way("cross", 2, 12), USUAL),
    "matador": (lambda: under_way("matador", 2, 10), USUAL),
    "mexican-train": (lambda: under_way("mexican-train", 4, 26), LARGE),
    "mexican-train-8": (lambda: under_way("mexican-train", 8, 40), LARGE),
    "chickenfoot": (lambda: under_way("chickenfoot", 4, 16), LARGE),
    "wildstar": (lambda: under_way("wildstar", 4, 24), LARGE),
}
"""The constructor of each screen, and the size of its window."""


@pytest.mark.parametrize("name", LOOKS)
def test_a_screen_looks_as_it_was_approved(name, tmp_path):
    make, size = LOOKS[name]
    picture, approved, new = svg_of(make().draw(*size), name), APPROVED / f"{name}.svg", tmp_path / f"{name}.svg"
    if os.environ.get("BONEYARD_APPROVE"):
        approved.write_text(picture, encoding="utf-8")
    new.write_text(picture, encoding="utf-8")
    same = picture == approved.read_text(encoding="utf-8")
    assert same, (
        f"compare {approved} with {new}; if the new one is right, "
        "BONEYARD_APPROVE=1 ./scripts/test tests/tui/screens/test_looks.py approves it"
    )


def test_every_approved_look_is_that_of_a_screen():
    assert {path.stem for path in APPROVED.iterdir()} == LOOKS.keys()
