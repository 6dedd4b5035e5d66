"""Large windows: at some moments of every game nothing is cut or covered; tables, hands and the menu fill them."""

from contextvars import copy_context
from itertools import cycle
from pathlib import Path
from statistics import median

import pytest

from core.games import GAMES
from tests.tui.tables import DARK
from tui.draw.menu import LIST_WIDTH, MIN_HEIGHT_FOR_RULES
from tui.draw.window_layout import rows_for_table
from tui.i18n import LANGUAGES, begin_session
from tui.rulebook import IN_SHORT_MOST, rules_in_short
from tui.screens.menu import MenuScreen

ROOT = Path(__file__).parents[2]
LARGEST = "13×3"
SIZES = [(50, 18), (80, 24), (120, 40), (200, 60)]
FILLED = SIZES[1:3]
"""Windows whose tables are filled; in smaller ones the smallest tiles are too large, in larger ones too small."""


@pytest.fixture
def window_fill(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from scripts import window_fill  # noqa: PLC0415 - found beside the tests

    return window_fill


@pytest.fixture
def measure(window_fill, monkeypatch):
    monkeypatch.setattr(window_fill, "MOMENTS", 20)
    return window_fill.measure_pictures


@pytest.mark.parametrize(("game", "sizes"), zip(GAMES, cycle([SIZES[::2], SIZES[1::2]])))
def test_tiles_are_never_cut_or_covered_and_layouts_fill_their_table_if_they_can(game, sizes, measure):
    for size in sizes:
        every = list(measure(game, size))
        assert not sum(measured.faults for measured in every)

        shares = [measured.share for measured in every if measured.share is not None]
        largest = sum(measured.size == LARGEST for measured in every if measured.share is not None)
        if 2 * largest < len(shares) and size in FILLED and game not in ("patience", "mexican-train"):
            assert median(shares) >= 0.75


@pytest.mark.parametrize(
    ("game", "share"),
    [
        ("draw", 0.06),
        ("cross", 0.06),
        ("wildstar", 0.08),
        ("spinner", 0.1),
        ("chickenfoot", 0.11),
        ("mexican-train", 0.16),
    ],
)
def test_few_moves_move_a_laid_tile(game, share, window_fill, monkeypatch):
    monkeypatch.setattr(window_fill, "MATCHES", 2)
    for size in FILLED:
        measured = window_fill.measure_matches(game, size)
        assert measured.unstable_moves <= share * measured.moves
        assert measured.sizes <= 1.7 * measured.rounds


def test_in_a_low_window_a_table_keeps_its_height_while_hands_grow_to_twelve(window_fill):
    updates = [window_fill.update_of(match) for match in window_fill.moments("draw", 2)]

    assert 8 < max(len(update.play.hand) for update in updates) <= 12
    assert len({rows_for_table(update, 50, 18) for update in updates}) == 1


@pytest.mark.parametrize("size", SIZES[1:])
def test_a_hand_of_seven_takes_more_than_half_of_its_strip(size, measure):
    hands = [measured.hand for measured in measure("block", size) if measured.hand is not None]

    assert hands
    assert min(hands) > 0.5


def test_in_a_high_window_the_menu_tells_the_rules_in_short():
    menu = MenuScreen(DARK)
    rules = rules_in_short(GAMES["draw"])

    assert all(rule[:40] in str(menu.draw(200, 60)) for rule in rules)
    assert not any(rule[:40] in str(menu.draw(200, MIN_HEIGHT_FOR_RULES)) for rule in rules)


def test_the_menus_keys_stand_under_its_card():
    """The window is wider than the list and the largest card."""
    width = 300
    lines = str(MenuScreen(DARK).draw(width, 60)).splitlines()
    card = next(line for line in lines if "players" in line)

    assert abs(len(lines[-2].rstrip()) - len(card.rstrip())) <= 2
    count = lines[-1].index(f"{len(GAMES)} games")
    assert count < card.index("Draw") < count + LIST_WIDTH


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_in_short_are_sentences_in_every_language(language):
    copy_context().run(are_sentences, language)  # a context with its own language


def are_sentences(language):
    begin_session(language)
    for game in GAMES.values():
        for rule in rules_in_short(game):
            assert rule.endswith((".", "!"))
            assert len(rule) <= 2 * IN_SHORT_MOST


def test_the_name_above_the_menu_does_not_touch_the_edge_of_the_window():
    lines = str(MenuScreen(DARK).draw(120, 60)).splitlines()

    assert not lines[0].strip()
    assert "▀" in lines[1]
