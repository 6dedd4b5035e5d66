"""The themes, to choose one from: a sample board and hand are shown in the one under the cursor at once."""

from core.layout.state import NOBODY, Placed
from core.tiles import Tile, hand
from themes import BadTheme, all_names, theme_names
from tui.board import Canvas, Form, Mark, Picture, Style, draw_board, draw_hand
from tui.board.canvas import beside, plain, stack
from tui.draw.lists import wrap
from tui.draw.look import Look
from tui.draw.panels import fit
from tui.draw.rows import rows_of
from tui.i18n import _
from tui.screens.picking import Item, PickScreen
from tui.text.names import theme_name

LIST = 24
"""Columns for the names."""
SAMPLE = (
    Placed(Tile(4, 4), -1, 0, 4, NOBODY),
    Placed(Tile(4, 6), 0, 1, 6, NOBODY),
    Placed(Tile(6, 9), 1, 1, 9, NOBODY),
    Placed(Tile(7, 9), 2, 1, 7, NOBODY),
    Placed(Tile(4, 8), 0, 0, 8, NOBODY),
    Placed(Tile(8, 8), 4, 1, 8, NOBODY),
    Placed(Tile(2, 8), 5, 1, 2, NOBODY),
)
HAND = hand("0|1 1|5 2|3 2|7 3|6 5|7")
PLAYABLE = (2, 3, 5)
FORM = Form("medium")
"""Tiles so small that words have room beside them."""


class ThemesScreen(PickScreen[str]):
    """Lists the themes; dismissed with the name of one that can be shown."""

    def __init__(self, look: Look, *, own: bool = True) -> None:
        """With `own`, the player's own themes are among them: not for guests, whose files these are not."""
        names = all_names() if own else theme_names()
        if look.name not in names:
            names = (*names, look.name)
        items = [Item((theme_name(name),), name, name) for name in names]
        super().__init__(look, _("colours"), items, _("take"), names.index(look.name))
        self._problem = ""
        """What is wrong with the theme under the cursor."""

    def paint(self, width: int, height: int) -> Picture:
        rows = rows_of(height).hand
        top, room = height - 4 - rows, width - LIST
        board = self._complaint(room, top) if self._problem else self._board(room, top)
        sample = draw_hand(
            HAND, width, rows, self.look.theme, playable=PLAYABLE, chosen=3, ascii=self.look.ascii, highest=9
        )
        names = self.draw_rows(LIST, top)
        return self.framed(stack(beside(names, Picture(board.rows)), Picture(sample.rows)), width)

    def _board(self, width: int, height: int) -> Picture:
        marks = (
            Mark(6, 1, 2, key="a", note=_("scores {points}", points=10), chosen=True),
            Mark(3, 1, 7, key="b", owed=True),
        )
        return draw_board(SAMPLE, marks, width, height, self.look.theme, form=FORM, ascii=self.look.ascii, highest=9)

    def _complaint(self, width: int, height: int) -> Picture:
        theme = self.look.theme
        canvas = Canvas(width, height, Style(theme.warning, theme.felt))
        for y, line in enumerate(wrap(self._problem, width - 4), 2):
            canvas.put(2, y, plain(fit(line, width - 4), self.look.ascii), canvas.ground)
        return Picture(canvas.rows())

    def go(self, to: int) -> None:
        super().go(to)
        if self.chosen is None:
            return
        try:
            self.look, self._problem = self.look.wearing(self.chosen.value), ""
        except BadTheme as error:
            self._problem = str(error)
        self.redraw()

    def action_choose(self) -> None:
        if not self._problem:
            super().action_choose()
