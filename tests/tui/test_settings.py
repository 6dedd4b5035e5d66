"""The last theme is remembered, and errors with the settings never stop a game."""

import pytest

from net.wire.messages import MakeTable
from tests.tui.tables import DARK
from themes import config_directory
from tui.cli.arguments import look_of
from tui.failures import BadUse
from tui.run.settings import (
    MOST_HOSTS,
    joined_hosts,
    last_tables,
    remember_bell,
    remember_host,
    remember_table,
    remember_theme,
    remembered_bell,
    remembered_theme,
)


def settings():
    return config_directory() / "settings.toml"


def test_without_a_choice_the_theme_is_felt():
    assert remembered_theme() == "felt"
    assert look_of(None, True).name == "felt"


def test_the_theme_chosen_last_is_the_next_one_unless_another_is_named():
    remember_theme(DARK.with_theme("wood"))
    remember_theme(DARK.with_theme("night"))

    assert look_of(None, True).name == "night"
    assert look_of("amber", True).name == "amber"
    assert remembered_theme() == "night"


def test_other_entries_of_the_file_stay():
    settings().parent.mkdir(parents=True)
    settings().write_text('theme = "wood"\nother = 3\n')
    remember_theme(DARK.with_theme("light"))

    assert settings().read_text() == 'theme = "light"\nother = 3\n'
    assert [file.name for file in settings().parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize("text", ["theme = ", "theme = 3", 'theme = "gone"', ""])
def test_an_invalid_theme_in_the_settings_is_ignored(text):
    settings().parent.mkdir(parents=True)
    settings().write_text(text)

    assert remembered_theme() == "felt"


def test_where_settings_cannot_be_written_nothing_is_remembered():
    config_directory().parent.mkdir(parents=True)
    config_directory().write_text("a file where the directory should be")
    remember_theme(DARK.with_theme("wood"))

    assert remembered_theme() == "felt"


def test_a_theme_that_cannot_be_read_is_refused_when_it_is_named():
    (config_directory() / "themes").mkdir(parents=True)
    (config_directory() / "themes" / "mine.toml").write_text('base = "felt"\nfelt = "green"')

    with pytest.raises(BadUse, match=r'mine\.toml, felt: "green" is not a colour like "#14532d"\.$'):
        look_of("mine", True)


def test_the_look_follows_the_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert look_of("dark", True).theme.felt == "#005f00"
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert look_of("dark", True).theme.felt == "#14532d"
    monkeypatch.setenv("NO_COLOR", "1")
    assert look_of("dark", True).theme.felt == "#262626"


def test_the_last_table_of_each_game_is_remembered_beside_the_theme():
    draw = MakeTable("draw", 4, {"draw.max": "∞", "target": 50, "partners": "yes"}, level="easy", hints=True)
    tricks = MakeTable("forty-two", 4, {"42.contracts": "nello+sevens"}, level="hard")
    for table in (MakeTable("draw", 2, {}), tricks, draw):
        remember_table(table)
    remember_theme(DARK.with_theme("wood"))

    assert last_tables() == {"draw": draw, "forty-two": tricks}
    assert remembered_theme() == "wood"


def test_a_file_of_an_earlier_version_is_read_and_updated():
    settings().parent.mkdir(parents=True)
    switches = "hints = false, take_back = true, options = {}"
    settings().write_text(f'last.draw = {{players = 4, level = "easy", {switches}}}\nhosts = [["a", 2222]]\n')
    remember_table(MakeTable("block", 2, {}))
    remember_host(("b", 22))
    remember_bell(False)

    assert {game: table.players for game, table in last_tables().items()} == {"draw": 4, "block": 2}
    assert joined_hosts() == [("b", 22), ("a", 2222)]
    assert not remembered_bell()


def test_a_file_that_cannot_be_read_is_left_as_it_is():
    settings().parent.mkdir(parents=True)
    settings().write_text("theme = ")
    remember_theme(DARK.with_theme("light"))

    assert settings().read_text() == "theme = "


@pytest.mark.parametrize(
    "text",
    [
        "last = 3",
        "last.draw = 3",
        "last.gone = {players = 2, level = 'easy', hints = true, options = {}}",
        "last.draw = {players = 9, level = 'easy', hints = true, options = {}}",
        "last.draw = {players = 2, level = 'gone', hints = true, options = {}}",
        "last.draw = {players = 2, level = 'easy', hints = true, options = {gone = 1}}",
        "last.draw = {players = 2, level = 'easy'}",
        "last.draw = {",
    ],
)
def test_an_invalid_last_table_in_the_settings_is_ignored(text):
    settings().parent.mkdir(parents=True)
    settings().write_text(text)

    assert last_tables() == {}


def test_hosts_that_were_joined_are_remembered_the_latest_first():
    assert joined_hosts() == []
    for number in range(MOST_HOSTS + 2):
        remember_host((f"host{number}", 2222))
    remember_host(("host5", 2222))
    remember_theme(DARK)

    assert joined_hosts()[:2] == [("host5", 2222), (f"host{MOST_HOSTS + 1}", 2222)]
    assert len(joined_hosts()) == MOST_HOSTS


@pytest.mark.parametrize("text", ["hosts = 3", 'hosts = [["", 1]]', 'hosts = [["a", 0]]', 'hosts = ["a"]', "hosts"])
def test_invalid_hosts_in_the_settings_are_ignored(text):
    settings().parent.mkdir(parents=True)
    settings().write_text(text)

    assert joined_hosts() == []
