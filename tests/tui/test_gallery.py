"""The gallery: a session in the real app looks the same each time it is played."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def gallery(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from scripts import gallery  # noqa: PLC0415 - found beside the tests

    return gallery


@pytest.mark.parametrize("game", ["draw", "forty-two"])
async def test_a_game_is_shown_in_the_middle_of_a_round_and_always_alike(gallery, game):
    first, second = [await gallery.played(gallery.wish_of(game), gallery.FELT, gallery.mid_round, game) for _ in "12"]

    assert set(first) == {f"{game}-80x24", f"{game}-140x45"}
    assert {name: picture.rows for name, picture in first.items()} == {
        name: picture.rows for name, picture in second.items()
    }
    assert [len(picture.rows) for picture in first.values()] == [24, 45]
    assert all("your turn" in str(picture) for picture in first.values())


async def test_plain_text_is_shown_as_it_is_said(gallery):
    text = str(await gallery.told())

    assert "> 1" in text
    assert "It is your turn." in text


def test_every_picture_has_its_place_on_the_page(gallery):
    assert gallery.page() == (ROOT / "docs" / "gallery" / "README.md").read_text()
