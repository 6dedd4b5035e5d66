"""House rules from a file."""

import pytest

from tui.cli.arguments import read_house_rules
from tui.failures import BadUse


def host(tmp_path, text, game=""):
    (tmp_path / "house.toml").write_text(text)
    return read_house_rules(tmp_path / "house.toml", game)


def test_sections_are_for_games_and_dotted_keys_may_be_written_as_they_are(tmp_path):
    text = '[draw]\ntarget = 150\ndraw.reserve = 2\npartners = true\n[all-fives]\n"af.spinner" = "all"\n'

    assert host(tmp_path, text) == {
        "draw": {"target": 150, "draw.reserve": 2, "partners": "yes"},
        "all-fives": {"af.spinner": "all"},
    }


def test_rules_at_the_top_are_for_the_game_that_is_played(tmp_path):
    assert host(tmp_path, "target = 50\nopener = 'lot'", "block") == {"block": {"target": 50, "opener": "lot"}}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("target = 50", "outside a section"),
        ("[draw]\ntarget = 51", r"\[draw\]: target cannot be “51”"),
        ("[draw]\nx = 1", "no house rule “x”"),
        ("[drawn]\nx = 1", "outside a section"),
        ("[draw", "is not TOML"),
        ("[draw]\nset = [1]", "set cannot be"),
    ],
)
def test_an_unusable_file_is_refused_with_the_reason(tmp_path, text, sentence):
    with pytest.raises(BadUse, match=sentence):
        host(tmp_path, text)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadUse, match=r"none\.toml.* cannot be read"):
        read_house_rules(tmp_path / "none.toml")
