"""What is painted again when a picture changes: rows and columns are counted, not seconds."""

import pytest
from textual.app import App
from textual.geometry import Region

from net.messages import Update
from tests.net.party import Party
from themes import load_theme
from tui.board.canvas import Picture, Style
from tui.drawn import Drawn, changed
from tui.scene import Look, rows_of
from tui.screens.table import TableScreen

PLAIN, BOLD = Style("#ffffff", "#000000"), Style("#ffffff", "#000000", True)


@pytest.mark.parametrize(
    ("old", "new", "columns"),
    [
        ([("one", PLAIN)], [("two", PLAIN)], (0, 3)),
        ([("a", PLAIN), ("b", PLAIN), ("c", PLAIN)], [("a", PLAIN), ("b", BOLD), ("c", PLAIN)], (1, 2)),
        ([("ab", PLAIN), ("c", PLAIN)], [("ab", PLAIN), ("d", PLAIN)], (2, 3)),
        ([("ab", PLAIN), ("c", PLAIN)], [("xy", PLAIN), ("c", PLAIN)], (0, 2)),
        ([("四", PLAIN), ("b", PLAIN)], [("四", PLAIN), ("c", PLAIN)], (2, 3)),
        ([("aa", PLAIN), ("b", PLAIN)], [("a", PLAIN), ("b", BOLD), ("b", PLAIN)], (0, 2)),
        ([("a", PLAIN), ("a", BOLD), ("a", PLAIN)], [("aa", BOLD), ("a", PLAIN)], (0, 2)),
    ],
)
def test_a_row_differs_from_its_first_changed_run_to_its_last(old, new, columns):
    assert changed(tuple(old), tuple(new)) == columns


class Shown(App):
    """A picture of three rows."""

    CSS = "Drawn { width: 6; height: 3; }"

    def compose(self):
        self.drawn = Drawn()
        yield self.drawn


def picture(*rows):
    return Picture(tuple(((row, PLAIN), ("end", BOLD)) for row in rows), "")


async def test_only_what_changed_in_a_picture_is_painted_again(monkeypatch):
    app = Shown()
    async with app.run_test():
        app.drawn.show(picture("one", "two", "six"))
        painted = []
        monkeypatch.setattr(app.drawn, "refresh", lambda *regions: painted.append(regions))

        app.drawn.show(picture("one", "ten", "six"))
        app.drawn.show(picture("one", "ten", "six"))

        assert painted == [(Region(0, 1, 3, 1),)]


async def test_rows_come_as_wide_as_the_widget_and_cut_as_asked():
    app = Shown()
    async with app.run_test():
        app.drawn.show(picture("one", "two"))

        lines = app.drawn.render_lines(Region(0, 0, 6, 3))
        part = app.drawn.render_lines(Region(1, 1, 3, 1))

        assert [line.text for line in lines] == ["oneend", "twoend", " " * 6]
        assert [line.text for line in part] == ["woe"]


class Seated:
    """A client whose table is always the same."""

    def __init__(self, update: Update) -> None:
        self.update = update


def test_a_key_that_moves_the_choice_changes_the_hand_its_sentence_and_the_marks_alone():
    party = Party()
    party.come(1)
    party.come(2)
    party.table(1, 2, game="block")
    party.play(party.on_turn(1, 2))
    update = party.update(party.on_turn(1, 2))
    screen = TableScreen(Seated(update), Look(load_theme("dark")), lambda: None)
    screen._note(update)
    before = screen.paint(80, 24).rows
    screen._choice = screen._choice.move(1)
    after = screen.paint(80, 24).rows

    rows = rows_of(24)
    hand = 24 - rows.status - rows.sentence - rows.hand
    changed_rows = {y for y, (a, b) in enumerate(zip(before, after, strict=True)) if a != b}
    marks = {y for y in changed_rows if rows.title + rows.players <= y < rows.title + rows.players + rows.board}
    assert changed_rows - marks <= set(range(hand, hand + rows.hand + rows.sentence))
    assert len(marks) <= 1
    assert before[0] is after[0]
    assert before[-1] is after[-1]
