"""Keys: one table, no key twice, and every action exists."""

import pytest

from tui.model.choice import END_KEYS, TILE_KEYS
from tui.model.keys import LOBBY, OFFERED, REPLAY, TABLE
from tui.screens.lobby import LobbyScreen
from tui.screens.replay import ReplayScreen
from tui.screens.table import TableScreen

SCREENS = [(TABLE + OFFERED, TableScreen), (LOBBY, LobbyScreen), (REPLAY, ReplayScreen)]


@pytest.mark.parametrize(("keys", "screen"), SCREENS)
def test_no_key_means_two_things(keys, screen):
    all_keys = [name for key in keys for name in key.keys.split(",")]

    assert len(all_keys) == len(set(all_keys))


@pytest.mark.parametrize(("keys", "screen"), SCREENS)
def test_every_key_does_something(keys, screen):
    for key in keys:
        assert hasattr(screen, "action_" + key.action.partition("(")[0])


def test_the_letters_of_ends_and_the_digits_of_tiles_are_free():
    taken = {name for key in TABLE + OFFERED for name in key.keys.split(",")}

    assert not taken & set(END_KEYS + TILE_KEYS)


@pytest.mark.parametrize(("keys", "screen"), SCREENS)
def test_every_key_can_be_written_in_ascii(keys, screen):
    assert all(key.written(ascii=True).isascii() and key.words() for key in keys)
