"""Draws the table on a grid of cells, without Textual."""

from tui.board.canvas import Canvas, ClickTarget, Picture, Run, Style
from tui.board.marks import Mark
from tui.board.picture import draw_board

__all__ = ["Canvas", "ClickTarget", "Mark", "Picture", "Run", "Style", "draw_board"]
