"""Sixel images: marked cells become spaces, followed by each image with a written cell."""

import re

import pytest
from PIL import Image

from tests.tui.tables import DARK
from tests.tui.test_incremental_output import Screen, at_table, wait_until_quiet
from tui.board.canvas import PART, Box, Canvas, Style, cells
from tui.board.diff import text_cells
from tui.board.faces import draw_tile, faces
from tui.pictures.sixels import Sixels, encode_sixels

CELL = (10, 20)
PICTURED = DARK.__class__(DARK.theme, cell=CELL).with_theme("felt")
IMAGE = re.compile(r"\x1b\[(\d+);(\d+)H\x1bP0;1q\"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\")
PIECES = re.compile(r"#(\d+)(;2;\d+;\d+;\d+)?|(?:!(\d+))?([?-~])")
GROUND = Style("#ffffff", PICTURED.theme.felt)


def decoded(sixel):
    """Return the pixels of a sequence, by column and row, as red, green and blue percentages; the rest is
    transparent.
    """
    body = re.fullmatch(r"\x1bP0;1q\"1;1;\d+;\d+(.*)\x1b\\", sixel, re.DOTALL)[1]
    colours, pixels, colour = {}, {}, None
    for y, band in enumerate(body.split("-")):
        for line in band.split("$"):
            columns = ""
            for number, rgb, count, letter in PIECES.findall(line):
                if rgb:
                    colours[number] = tuple(map(int, rgb.split(";")[2:]))
                elif number:
                    colour = colours[number]
                else:
                    columns += letter * int(count or 1)
            for x, letter in enumerate(columns):
                pixels |= {(x, 6 * y + bit): colour for bit in range(6) if ord(letter) - 63 >> bit & 1}
    return pixels


def test_an_image_has_the_pixels_and_the_colours_that_it_had():
    image = Image.new("RGBA", (13, 8))
    image.paste((255, 0, 0, 255), (0, 0, 6, 8))
    image.paste((0, 0, 255, 255), (6, 0, 12, 7))

    pixels = decoded(encode_sixels(image, "#000000"))

    assert {pixels[x, y] for x in range(6) for y in range(8)} == {(100, 0, 0)}
    assert {pixels[x, y] for x in range(6, 12) for y in range(7)} == {(0, 0, 100)}
    assert not {(x, y) for x, y in pixels if x == 12 or (x >= 6 and y == 7)}, "what is not there is left as it is"


def rows_of(*tiles, width=40, height=6):
    canvas = Canvas(width, height, GROUND)
    face = faces(6)[-1]
    for x, halves in tiles:
        draw_tile(canvas, Box(x, 1, *face.lying), face, halves, theme=PICTURED.theme)
    return canvas.rows(), face.lying


def written(rows):
    parts = []
    for y, row in enumerate(rows, 1):
        parts.append(f"\x1b[{y};1H")
        for text, style in row:
            red, green, blue = (int(style.fg[at : at + 2], 16) for at in (1, 3, 5))
            parts.append(f"\x1b[0;38;2;{red};{green};{blue}m{text}")
    return "".join(parts)


def images(sent):
    return [(int(x) - 1, int(y) - 1, int(w), int(h)) for y, x, w, h, _data in IMAGE.findall(sent)]


@pytest.fixture
def sixels():
    sixels = Sixels(CELL)
    assert sixels.new_image_sequences((), PICTURED.theme) == []
    return sixels


def test_marked_cells_are_sent_as_spaces_and_their_image_after_them(sixels):
    rows, size = rows_of((3, (6, 4)), (18, (4, 1)))

    sent = sixels.convert_output(written(rows))

    assert "\U0010eeee" not in sent
    assert set(images(sent)) == {(3, 1, size.w * 10, size.h * 20), (18, 1, size.w * 10, size.h * 20)}
    assert sent.index("\x1b7") > sent.rindex("\x1b[6;1H"), "the text comes first"
    assert sent.endswith("\x1b8")


def test_an_image_of_which_no_cell_was_written_is_not_sent_again(sixels):
    rows, _size = rows_of((3, (6, 4)), (18, (4, 1)))
    sixels.convert_output(written(rows))

    assert images(sixels.convert_output("\x1b[1;1Hround 2")) == []
    again = sixels.convert_output("\x1b[2;4H" + written((rows[1],)).partition("H")[2])
    assert len(images(again)) == 2


def test_only_the_visible_part_of_an_image_is_sent(sixels):
    rows, size = rows_of((-4, (6, 4)))

    assert images(sixels.convert_output(written(rows))) == [(0, 1, (size.w - 4) * 10, size.h * 20)]


def test_an_image_under_text_keeps_its_other_rows(sixels):
    rows, size = rows_of((3, (6, 4)))
    sixels.convert_output(written(rows))
    sixels.convert_output("\x1b[2;4H   ")

    rest_of_it = sixels.convert_output(f"\x1b[3;1H{written((rows[2],)).partition('H')[2]}")

    assert images(rest_of_it) == [(3, 1, size.w * 10, size.h * 20)], "the rest is still there, row by row"


def test_images_end_before_their_frame_does(sixels):
    rows, _size = rows_of((3, (6, 4)))

    assert sixels.convert_output(f"\x1b[?2026h{written(rows)}\x1b[?2026l").endswith("\x1b8\x1b[?2026l")


@pytest.mark.parametrize(
    "sequence", ["\x1b[?1000h", "\x1b]2;title\x07", "\x1bP+q5463\x1b\\", "\x1b[>c", "\x1bc", "é四\r\n"]
)
def test_sequences_other_than_pictures_pass_unchanged(sixels, sequence):
    assert sixels.convert_output(f"a{sequence}b") == f"a{sequence}b"


TOKEN = re.compile(
    r"\x1b\[(?P<row>\d*)(?:;(?P<column>\d*))?H|\x1bP0;1q\"1;1;(?P<wide>\d+);(?P<high>\d+)[^\x1b]*\x1b\\"
    r"|(?P<saved>\x1b[78])|\x1b\[(?P<right>\d+)C"
    r"|\x1b(?:\[[\d;?<>=!$ ]*[@-~]|[PX^_\]][^\x1b\x07]*(?:\x1b\\|\x07))|(?P<line>[\r\n])"
    r"|(?P<text>[^\x1b\r\n]+)"
)


class Pixels:
    """The cells of a terminal that show part of an image, if text erases images."""

    def __init__(self):
        self.x = self.y = 0
        self.kept = (0, 0)
        self.cells = set()

    def feed(self, data):
        for token in TOKEN.finditer(data):
            if token["wide"]:
                columns, rows = int(token["wide"]) // CELL[0], int(token["high"]) // CELL[1]
                self.cells |= {(self.x + x, self.y + y) for x in range(columns) for y in range(rows)}
            elif token["saved"] == "\x1b7":
                self.kept = (self.x, self.y)
            elif token["saved"]:
                self.x, self.y = self.kept
            elif token["line"]:
                self.x, self.y = (0, self.y) if token["line"] == "\r" else (self.x, self.y + 1)
            elif token["right"]:
                self.x += int(token["right"])
            elif token["text"]:
                for _letter in cells(token["text"]):
                    self.cells.discard((self.x, self.y))
                    self.x += 1
            elif token["row"] is not None:
                self.x, self.y = int(token["column"] or 1) - 1, int(token["row"] or 1) - 1


def pictured(rows):
    """Return the cells of a picture that are part of a tile."""
    letters = [[letter for text, _style in row for letter in text_cells(text)] for row in rows]
    return {(x, y) for y, row in enumerate(letters) for x, letter in enumerate(row) if letter.startswith(PART)}


@pytest.mark.parametrize("game", ["draw", "mexican-train", "forty-two"])
async def test_images_are_where_tiles_are_and_nowhere_else_move_after_move(game):
    far = Screen("xterm-256color", (120, 40), COLORTERM="truecolor")
    far.terminal.cell = far.terminal.sixel_cell = CELL
    pixels, read = Pixels(), 0
    async with at_table(far, game, 4, PICTURED) as app:
        for _ in range(4):
            far.terminal.feed(b"\r")
            await wait_until_quiet(app)
            pixels.feed(far.sent[read:].decode())
            read = len(far.sent)
            assert pixels.cells == pictured(app.screen.picture.rows)


async def test_a_terminal_with_sixel_is_sent_every_tile_once_at_its_place():
    far = Screen("xterm-256color", (140, 45), COLORTERM="truecolor")
    far.terminal.cell = far.terminal.sixel_cell = CELL
    async with at_table(far, "draw", 2, PICTURED) as app:
        await wait_until_quiet(app)
        sent = far.sent.decode()
        assert "\U0010eeee" not in sent
        tiles = app._client.update.match.play
        assert len(set(images(sent))) >= len(tiles.hand)
        far.sent = b""
        far.terminal.feed(b"\r")
        await wait_until_quiet(app)
        assert images(far.sent.decode())
