"""Small windows, down to 50×18: every game with the fewest and the most players shows all that a player needs."""

import re
from contextlib import suppress
from functools import lru_cache
from itertools import cycle

import pytest

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from net.client.client import Client
from net.wire.link import memory_pair
from net.wire.messages import SeatInfo
from tests.tui.tables import DARK, PLAIN, update_at
from tui.board.canvas import columns
from tui.draw.panels import Row, draw_bar, draw_foot_rows, draw_list, draw_sentence
from tui.draw.scene import draw_band, draw_seats, draw_title
from tui.draw.window_layout import MIN_WINDOW, board_width, rows_for_table
from tui.i18n import with_sign
from tui.model.keys import TABLE
from tui.model.presenter import Moment, presenter_of
from tui.plain.info import TABLE as PLAIN_PAGES
from tui.screens.menu import MenuScreen
from tui.screens.table import TableScreen

NAMES = ("ada", "Felicitas", "Maximilian", "dora", "emil", "Sebastian", "gus", "hana")
EVERY_GAME = pytest.mark.parametrize(
    ("game", "players"),
    sorted({(game.id, players) for game in GAMES.values() for players in (game.seats[0], game.seats[-1])}),
)


@lru_cache(maxsize=64)
def positions(game, players):
    """Yield some positions of a round: its beginning, the middle and the end, and the result."""
    steps = play_match(new_match(GAMES[game], players, {}), ("greedy",) * players, b"small", "test")
    turns = []
    for step in steps:
        state = step.match.state
        if state and state.result and not state.result.redealt:
            over = step.match
            break
        turns += [step.match] if state and not state.result else []
    return [*turns[1 :: max(1, len(turns) // 3)], turns[-1], over]


def screen_at(match, seat, look=DARK):
    """Return a table screen at this position, for the seat on turn, and its update."""
    client = Client(memory_pair()[0], "test")
    client.update = update_at(match, seat, seats=tuple(SeatInfo(name) for name in NAMES[: match.rules.seats]))
    return TableScreen(client, look, lambda: look), client.update


@EVERY_GAME
def test_a_window_has_all_that_a_player_needs(game, players):
    """The picture fills the window and has the board, the hand, a sentence, and everybody's score and number of
    tiles.
    """
    others = cycle([(60, 20), (50, 40), (140, 18)])
    for match, size in ((match, size) for match in positions(game, players) for size in (MIN_WINDOW, next(others))):
        screen, update = screen_at(match, max(match.turn, 0))
        picture = screen.draw(*size)
        check_size(picture, size)
        if size == MIN_WINDOW and match.state.result:
            check_size(screen_at(match, max(match.turn, 0), PLAIN)[0].draw(*size), size)
        if not update.match.play.result:
            check_hand(update, *size)
            check_sentence(picture, update)
            check_players(picture, update, *size)


def check_size(picture, size):
    assert len(picture.rows) == size[1]
    assert {sum(columns(text) for text, _ in row) for row in picture.rows} == {size[0]}


def check_hand(update, width, height):
    """Check that the board has room, and that every playable tile scrolls into view when it is chosen."""
    rows, view = rows_for_table(update, width, height), update.match.play
    choice = presenter_of(view).choose(view, None)
    for _tile in view.hand:
        band = draw_band(Moment(update, choice), width, rows.hand, DARK)
        assert choice.items or choice.tile in [hit.at for hit in band.hits]
        choice = choice.move(1)
    assert rows.board >= 8


def check_sentence(picture, update):
    """Check that the last two lines hold the whole sentence, unless part of it was shortened."""
    view = update.match.play
    sentence = presenter_of(view).sentence(presenter_of(view).choose(view, None), NAMES)
    text = " ".join(line.strip() for line in str(picture).splitlines()[-2:])

    assert sentence in text or "…" in text


def check_players(picture, update, width, height):
    rows, view, text = rows_for_table(update, width, height), update.match.play, str(picture)
    if rows.players:
        text = str(draw_seats(Moment(update), width, DARK, rows.players))
        assert len(text.splitlines()) <= rows.players
        text += str(draw_title(Moment(update), width, DARK))
    # a single player has no name on the screen
    for seat, count in enumerate(view.counts if len(view.counts) > 1 else ()):
        assert NAMES[seat][:2] in text
        assert str(count) in text
        assert with_sign(update.match.scores[seat % len(update.match.scores)]) in text


@EVERY_GAME
def test_a_result_has_every_name_and_score(game, players):
    match = positions(game, players)[-1]
    screen, update = screen_at(match, 0)
    text = str(screen.draw(*MIN_WINDOW))

    for name in NAMES[:players] if players > 1 else ():  # Patience has nobody to compare with
        assert name in text
    for score in update.match.scores:
        assert with_sign(score) in text


def test_a_sentence_that_is_too_long_takes_the_row_of_the_status():
    theme, status = DARK.theme, draw_bar((("your turn", False),), "", 50, DARK.theme, ascii=False)
    sentence = "Enter: play 6|4 on the 6 of the Mexican Train, which scores 10."
    both = draw_foot_rows(draw_sentence(sentence, (("?", "help"),), 50, theme, ascii=False), status)
    short = draw_foot_rows(draw_sentence("Enter: draw.", (("?", "help"),), 50, theme, ascii=False), status)

    assert " ".join(str(both).split()) == f"{sentence} ? help"
    assert len(both.rows) == len(short.rows) == 2
    assert "your turn" in str(short)


def test_a_list_in_a_narrow_window_cuts_its_widest_cells_and_shows_the_others_whole():
    rows = [Row(("ada's table", "Stakes", "free, Maximilian, Sebastian, Anastasia", "waiting"))]
    text = str(draw_list(rows, 0, (18, 14, 30, 10), 50, 6, DARK))

    assert "ada's table  Stakes  free, Maxi" in text
    assert "waiting" in text
    assert "…" in text
    assert max(map(columns, text.splitlines())) < 50


def test_a_row_with_fewer_cells_does_not_narrow_the_columns_of_others():
    rows = [Row(("ada", "seat 1")), Row(("",), quiet=True), Row(("code", "ABCD-EFGH"), quiet=True)]
    text = str(draw_list(rows, 0, (18, 56), 50, 8, DARK))

    assert "ada   seat 1" in text
    assert "code  ABCD-EFGH" in text


def test_only_a_window_that_is_wide_and_high_has_a_panel():
    assert board_width(140, 45) < 140
    assert board_width(140, 18) == 140


@pytest.mark.parametrize("width", [50, 79])
@pytest.mark.parametrize("height", [18, 24, 45])
def test_the_chosen_entry_of_the_first_screen_is_in_view(width, height):
    screen = MenuScreen(DARK)
    for _entry in range(screen.count):
        text = screen.draw(width, height)
        chosen = [hit for hit in text.hits if hit.at == screen._chosen_index]

        assert len(text.rows) == height
        assert len(chosen) == 1
        screen._chosen_index += 1 if screen._chosen_index + 1 < screen.count else 0


def test_a_table_in_another_window_is_drawn_as_if_it_had_always_had_that_size():
    """Textual may paint before it tells a screen of its new size."""
    for match in positions("draw", 2):
        table, fresh = screen_at(match, match.turn)[0], screen_at(match, match.turn)[0]
        for size in ((80, 24), (140, 45), (80, 24)):
            table.draw(*size)
        assert str(table.draw(140, 45)) == str(fresh.draw(140, 45))


WILD_GAMES = [
    game.id for game in GAMES.values() if any(-1 in tile for tile in game.rules(game.seats[1], {})[1].tiles)
]
PAGES = ("hand", "table", "scores")


@pytest.mark.parametrize("game", WILD_GAMES)
def test_a_wild_half_is_never_told_as_a_number(game):
    for match in positions(game, GAMES[game].seats[1])[:3]:
        screen, _update = screen_at(match, match.turn)
        texts = [line for name in PAGES for line in PLAIN_PAGES[name](screen._client)]
        for key in TABLE:
            screen, _update = screen_at(match, match.turn)
            with suppress(RuntimeError):  # it opens another screen, which needs an app
                getattr(screen, f"action_{key.name}")(*key.args)
                texts.append(str(screen.draw(80, 24)))

        assert [line for text in texts for line in text.splitlines() if re.search(r"(?<![\w.:])-\d", line)] == []
