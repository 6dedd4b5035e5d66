"""What a player's choice answers in every family of games, and what a key or a click comes to."""

from typing import NamedTuple, Protocol

from core.actions import Action
from core.family import AnyView
from core.words import Words


class AnyChoice(Protocol):
    """What a player has chosen so far, as a value; everything in it comes from `view.legal`."""

    @property
    def view(self) -> AnyView:
        """What the player sees."""

    @property
    def tile(self) -> int:
        """The chosen tile of the hand, by its index."""

    @property
    def picked(self) -> tuple[int, ...]:
        """The tiles picked to be laid together, by their index; empty where they are laid one at a time."""

    @property
    def items(self) -> tuple[Action, ...]:
        """What there is to choose from in a list; empty while a tile is chosen."""

    @property
    def plays(self) -> tuple[Action, ...]:
        """All the ways in which the chosen tile can be played."""

    @property
    def playable(self) -> tuple[int, ...]:
        """The tiles that can be played, by their index."""

    @property
    def action(self) -> Action | None:
        """What Enter does."""

    @property
    def can_draw(self) -> bool:
        """Whether drawing is legal now."""

    @property
    def refusal(self) -> Action | None:
        """How to let it be; None when that is not legal."""

    @property
    def hints(self) -> tuple[str, ...]:
        """The actions of the table's keys that are of use now, the most useful first."""

    def choosing(self, action: Action) -> "AnyChoice":
        """The same with a legal action chosen, as if by the player; what cannot be chosen changes nothing."""

    def move(self, step: int) -> "AnyChoice":
        """Choose the next tile or item."""

    def turn(self, step: int) -> "AnyChoice":
        """Choose the next way to play the tile, or the next item."""

    def question(self) -> "AnyChoice | None":
        """The same while the player is asked what is still open before it can be done; None where nothing is."""

    def back(self) -> "AnyChoice | None":
        """The same without that question; None where none is asked."""

    def press(self, key: str) -> "Pressed | None":
        """Return what a key comes to; None where it means nothing."""

    def click(self, at: int, side: int, /, *, in_hand: bool) -> "Pressed":
        """Return what a click comes to, on a tile of the hand or on what is on the table."""


class Pressed(NamedTuple):
    """What a key or a click comes to; nothing by default."""

    choice: AnyChoice | None = None
    """What is chosen then."""
    act: bool = False
    """Whether to do it at once, since it was chosen before."""
    refusal: Words | None = None
    """Why it cannot be chosen."""
