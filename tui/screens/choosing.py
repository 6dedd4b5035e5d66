"""A list to choose from: by the arrows, or by a click; once more to do what is chosen."""

from typing import Generic, TypeVar

from tui.board.canvas import Hit
from tui.draw.look import Look
from tui.screens.base import DrawnScreen

R = TypeVar("R")


class ListScreen(DrawnScreen[R], Generic[R]):
    """Subclasses draw the rows of a list, the chosen one among them, and do in `action_choose` what it stands for."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._chosen = 0

    @property
    def count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def go(self, to: int) -> None:
        """Choose a row."""
        self._chosen = to
        self.redraw()

    def action_move(self, step: int) -> None:
        """Choose the next row."""
        self.go((self._chosen + step) % max(1, self.count))

    def action_choose(self) -> None:
        """Do what is chosen."""
        raise NotImplementedError

    def clicked(self, hit: Hit) -> None:
        """Choose a row by a click; once more to do it."""
        if hit.at == self._chosen:
            self.action_choose()
        else:
            self.go(hit.at)
