"""How the screens look: snapshots of moments that do not change by themselves."""

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
from tui.draw.look import Look
from tui.screens.lobby import LobbyScreen
from tui.screens.menu import MenuScreen
from tui.screens.new_table import NewTableScreen
from tui.screens.table import TableScreen

SMALL, USUAL, LARGE = (50, 18), (80, 24), (140, 45)
LIGHT = Look(load_theme("light"))


def table(look, match, seat=0, **fields):
    client = Client(memory_pair()[0], "test")
    client.update = update_at(match, seat, **fields)
    return TableScreen(client, look, lambda: look)


MOMENTS = {
    "playing": match_at((6, 1), "6|4 6|1 3|3 2|0", "0|0 5|5", "1|0 4|2 5|3", boneyard="5|1 4|4", scores=(12, 30, 7)),
    "stuck": match_at((6, 1), "3|3 2|0", "0|0 5|5", boneyard="5|1 4|4", scores=(12, 30)),
    "blocked": match_at((6, 6), "4|1", "5|4 1|0", "4|4 3|1", "2|2", partners="yes", scores=(40, 55)),
}


@pytest.mark.parametrize(
    ("look", "size", "moment"),
    [
        pytest.param(DARK, USUAL, "playing", id="dark-80x24-playing"),
        pytest.param(LIGHT, LARGE, "playing", id="light-140x45-playing"),
        pytest.param(PLAIN, USUAL, "stuck", id="ascii-80x24-stuck"),
        pytest.param(DARK, LARGE, "blocked", id="dark-140x45-blocked"),
        pytest.param(PLAIN, USUAL, "blocked", id="ascii-80x24-blocked"),
    ],
)
async def test_the_table_looks_as_it_was_approved(approved, look, size, moment):
    assert await approved(table(look, MOMENTS[moment]), size)


async def test_a_capicua_looks_as_it_was_approved(approved):
    house = {"pt__capicua": 25, "pt__count": "all"}
    hands = ("5|3", "6|5", "2|0 4|4", "6|6 1|0")
    match = match_at((3, 5), *hands, game="partners", scores=(40, 55), **house)
    match, _ = match.apply(match.legal[0])

    assert await approved(table(DARK, match), USUAL)


@pytest.mark.parametrize(
    ("look", "size", "moment"),
    [
        pytest.param(DARK, USUAL, "bidding", id="dark-80x24-bidding"),
        pytest.param(DARK, LARGE, "naming", id="dark-140x45-naming"),
        pytest.param(PLAIN, USUAL, "naming", id="ascii-80x24-naming"),
        pytest.param(DARK, USUAL, "trick", id="dark-80x24-trick"),
        pytest.param(PLAIN, LARGE, "trick", id="ascii-140x45-trick"),
        pytest.param(DARK, USUAL, "set at points", id="dark-80x24-set at points"),
    ],
)
async def test_a_table_of_tricks_looks_as_it_was_approved(approved, look, size, moment):
    assert await approved(table(look, HANDS[moment]), size)


async def test_a_spectators_table_looks_as_it_was_approved(approved):
    seats = (SeatInfo("ada"), SeatInfo("bela", away=True), SeatInfo("Felix", "greedy"))
    assert await approved(table(DARK, MOMENTS["playing"], -1, seats=seats, watchers=2), USUAL)


async def test_the_lobby_looks_as_it_was_approved(approved):
    options = MOMENTS["playing"].options
    tables = (
        TableInfo(
            1, "ada", "draw", options, (SeatInfo("ada"), SeatInfo(), SeatInfo("Felix", "greedy")), 0, "waiting"
        ),
        TableInfo(2, "bela", "block", options, (SeatInfo("bela"), SeatInfo("chen", away=True)), 3, "playing"),
    )

    client = Client(memory_pair()[0], "test")
    client.name = "dora"
    client.tables = Tables(tables, 2, 0, 2, 2)

    assert await approved(LobbyScreen(client, DARK, lambda: DARK), USUAL)


def under_way(game, players):
    steps = play_match(new_match(GAMES[game], players, {}), ("greedy",) * players, b"1", "test")
    laid = 4 * players
    return next(step.match for step in steps if step.match.state and len(step.match.state.layout) > laid)


@pytest.mark.parametrize(
    ("game", "players", "look"),
    [
        pytest.param("draw", 4, PLAIN, id="draw-4-ascii"),
        pytest.param("mexican-train", 8, DARK, id="mexican-train-8-dark"),
        pytest.param("wildstar", 8, DARK, id="wildstar-8-dark"),
    ],
)
async def test_a_small_table_looks_as_it_was_approved(approved, game, players, look):
    match = under_way(game, players)
    names = ("ada", "Felicitas", "Maximilian", "dora", "emil", "Sebastian", "gus", "hana")
    seats = tuple(SeatInfo(name) for name in names[:players])
    assert await approved(table(look, match, match.turn, seats=seats), SMALL)


@pytest.mark.parametrize("moment", ["bidding", "trick"])
async def test_a_small_table_of_tricks_looks_as_it_was_approved(approved, moment):
    assert await approved(table(DARK, HANDS[moment]), SMALL)


async def test_a_small_result_looks_as_it_was_approved(approved):
    assert await approved(table(DARK, MOMENTS["blocked"]), SMALL)


async def test_the_small_menu_looks_as_it_was_approved(approved):
    assert await approved(MenuScreen(DARK), SMALL)


async def test_the_small_form_looks_as_it_was_approved(approved):
    assert await approved(NewTableScreen(DARK, free_seats=True), SMALL)


async def test_the_menu_looks_as_it_was_approved(approved):
    assert await approved(MenuScreen(DARK), LARGE)


async def test_the_form_for_a_new_table_looks_as_it_was_approved(approved):
    assert await approved(NewTableScreen(LIGHT, free_seats=True), USUAL)


async def test_the_form_with_all_rules_and_switches_looks_as_it_was_approved(approved):
    keys = ["left", "up", "enter", "up", "up", "right"]  # Forty-Two, its rare rules, and the contract splash

    assert await approved(NewTableScreen(DARK, free_seats=True), USUAL, *keys)


async def test_the_explained_choices_look_as_they_were_approved(approved):
    keys = ["up", "question_mark"]

    assert await approved(NewTableScreen(DARK, free_seats=False), USUAL, *keys)
