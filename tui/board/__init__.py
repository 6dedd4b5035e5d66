"""Draws tiles on a grid of cells, without Textual: the table, the hand, and tiles seen from behind."""

from tui.board.canvas import Canvas, Form, Hit, Picture, Run, Style
from tui.board.hand import draw_backs, draw_hand
from tui.board.marks import Mark
from tui.board.picture import draw_board

__all__ = ["Canvas", "Form", "Hit", "Mark", "Picture", "Run", "Style", "draw_backs", "draw_board", "draw_hand"]
