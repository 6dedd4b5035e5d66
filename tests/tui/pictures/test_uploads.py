"""The images that a terminal is sent: each once, in its protocol, and all are removed at the end."""

import re
from base64 import b64decode
from io import BytesIO

from msgspec.structs import replace
from PIL import Image

from core.tiles import Tile
from themes import load_theme
from tui.board.faces import tile_image_of
from tui.draw.hands import draw_hand
from tui.pictures import make_uploads, uploads
from tui.pictures.uploads import Uploads

THEME = replace(load_theme("felt"), pictures=True)
OTHER = replace(load_theme("light"), pictures=True)
HAND = (Tile(0, 3), Tile(1, 1), Tile(4, 6))
SENT = re.compile(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\")
CELL = (10, 20)


def rows(tiles=HAND, theme=THEME, **more):
    return draw_hand(tiles, 80, 9, theme, **more).rows


def parsed(sent):
    """Return the keys and the data of every graphics sequence, and check that nothing else was sent."""
    sent = "".join(sent)
    assert SENT.sub("", sent) == ""
    return [(dict(pair.split("=") for pair in keys.split(",")), data) for keys, data in SENT.findall(sent)]


def numbers(sent):
    return [int(keys["i"]) for keys, _ in parsed(sent) if "i" in keys]


def test_each_tile_is_sent_as_an_image_of_the_cells_that_it_covers():
    for keys, data in parsed(Uploads(CELL).new_image_sequences(rows(), THEME)):
        tile_image = tile_image_of(f"#{int(keys['i']):06x}")
        assert keys == {
            "a": "T",
            "U": "1",
            "q": "2",
            "f": "100",
            "i": keys["i"],
            "m": "0",
            "c": str(tile_image.columns),
            "r": str(tile_image.rows),
        }
        image = Image.open(BytesIO(b64decode(data)))
        assert image.size == (tile_image.columns * CELL[0], tile_image.rows * CELL[1])


def test_each_image_is_sent_once():
    has = Uploads(CELL)

    assert len(numbers(has.new_image_sequences(rows(), THEME))) == len(HAND)
    assert has.new_image_sequences(rows(), THEME) == []
    assert len(numbers(has.new_image_sequences(rows((*HAND, Tile(2, 2))), THEME))) == 1
    assert len(numbers(has.new_image_sequences(rows(playable=(0,)), THEME))) == 2, "the others are greyed now"


def test_an_image_in_other_colours_replaces_the_one_before():
    has = Uploads(CELL)
    first = parsed(has.new_image_sequences(rows(), THEME))
    second = parsed(has.new_image_sequences(rows(theme=OTHER), OTHER))

    assert [keys for keys, _ in first] == [keys for keys, _ in second]
    assert all(first_data != other for (_, first_data), (_, other) in zip(first, second, strict=True))


def test_images_that_may_be_lost_are_sent_again():
    has = Uploads(CELL)
    first = has.new_image_sequences(rows(), THEME)
    has.forget()

    assert has.new_image_sequences(rows(), THEME) == first


def test_a_large_picture_comes_in_parts_that_a_terminal_takes(monkeypatch):
    assert uploads._MAX_SEQUENCE_DATA == 4096, "what kitty's documents allow"
    monkeypatch.setattr(uploads, "_MAX_SEQUENCE_DATA", 400)
    large = Uploads((24, 48)).new_image_sequences(rows((Tile(17, 18),), highest=18), THEME)
    parts = parsed(large)

    assert all(len(data) <= 400 for _, data in parts)
    assert len(parts) > 3
    assert [keys["m"] for keys, _ in parts] == ["1"] * (len(parts) - 1) + ["0"]
    assert Image.open(BytesIO(b64decode("".join(data for _, data in parts)))).size[0] > 100


def test_at_the_end_all_are_removed():
    has = Uploads(CELL)
    given = numbers(has.new_image_sequences(rows(), THEME))
    has.forget()
    given += numbers(has.new_image_sequences(rows((Tile(2, 2),)), THEME))
    removed = parsed(has.farewell())

    assert {int(keys["i"]) for keys, _ in removed} == set(given)
    assert {(keys["a"], keys["d"], keys["q"]) for keys, _ in removed} == {("d", "I", "2")}
    assert has.farewell() == ""


def test_a_terminal_without_pictures_is_sent_no_images():
    assert make_uploads(None, None) is None
    assert Uploads(CELL).new_image_sequences(rows(theme=load_theme("felt")), load_theme("felt")) == []
