"""What every family of rules answers, so that a match can be played by any of them."""

from typing import Any, Protocol

from core.actions import Action, Event
from core.layout.state import Before, Goal, LayoutView, State
from core.tiles import Tile
from core.tricks.state import TrickState, TrickView

AnyState = State | TrickState
AnyView = LayoutView | TrickView


class Rules(Protocol):
    """A game as a value: how a round is dealt, what may be done in it, and what a seat may know of it.

    The states that a family is asked about are those that it dealt itself.
    """

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The set, ascending."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def sides(self) -> int:
        """Scores kept; the side of a seat is seat modulo sides."""

    @property
    def goal(self) -> Goal:
        """When a match is over."""

    def deal(self, order: tuple[Tile, ...], before: Before) -> AnyState:
        """Start a round from the shuffled set."""

    def legal(self, state: Any) -> tuple[Action, ...]:
        """List what the seat on turn may do; empty once the round is over."""

    def apply(self, state: Any, action: Action) -> tuple[AnyState, tuple[Event, ...]]:
        """Return the next state and what happened. Raises Illegal for what `legal` does not list."""

    def view(self, state: Any, seat: int) -> AnyView:
        """Return what `seat` may know; -1 is a spectator."""
