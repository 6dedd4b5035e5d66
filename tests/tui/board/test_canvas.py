"""The grid of cells: what is put on it, and what is clipped."""

from tui.board.canvas import Canvas, ClickTarget, Picture, Style

FELT = Style("#000000", "#111111")
INK = Style("#ffffff", "#111111")


def text(canvas):
    return ["".join(part for part, _ in row) for row in canvas.rows()]


def test_an_untouched_row_is_one_run():
    assert Canvas(5, 2, FELT).rows() == (((" " * 5, FELT),),) * 2


def test_neighbours_of_one_style_are_one_run():
    canvas = Canvas(6, 1, FELT)
    canvas.put(1, 0, "ab", INK)
    canvas.put(3, 0, "c", Style(*INK))

    assert canvas.rows() == (((" ", FELT), ("abc", INK), ("  ", FELT)),)


def test_cells_beyond_an_edge_are_clipped():
    canvas = Canvas(3, 1, FELT)
    canvas.put(-2, 0, "abc", INK)
    canvas.put(2, 0, "xyz", INK)
    for x, y in ((0, -1), (0, 1), (3, 0), (-9, 0)):
        canvas.put(x, y, "no", INK)

    assert text(canvas) == ["c x"]


def test_a_canvas_may_have_no_room_at_all():
    canvas = Canvas(0, 1, FELT)
    canvas.put(0, 0, "a", INK)

    assert canvas.rows() == ((),)


def test_a_click_means_the_first_target_that_covers_the_cell():
    mark, tile = ClickTarget(2, 1, 3, 1, 7, 1), ClickTarget(0, 0, 9, 3, 7, -1)
    picture = Picture((), hits=(mark, tile))

    assert [picture.hit(4, 1), picture.hit(5, 1), picture.hit(9, 1)] == [mark, tile, None]


def test_a_wide_character_takes_two_cells():
    canvas = Canvas(6, 1, FELT)
    canvas.put(1, 0, "骨牌", INK)

    assert canvas.rows() == (((" ", FELT), ("骨牌", INK), (" ", FELT)),)


def test_half_a_wide_character_at_an_edge_is_a_space():
    canvas = Canvas(3, 2, FELT)
    canvas.put(-1, 0, "骨牌", INK)
    canvas.put(0, 1, "骨牌", INK)

    assert text(canvas) == [" 牌", "骨 "]


def test_an_accent_takes_no_cell():
    canvas = Canvas(3, 1, FELT)
    canvas.put(0, 0, "ne\u0301", INK)

    assert text(canvas) == ["ne\u0301 "]
