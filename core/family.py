"""The families of games: what a match asks of the rules of each, the table of all, and what is loaded late."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from core.actions import Action, Event
from core.combos.state import ComboState, ComboView
from core.layout.state import Before, Goal, LayoutView, State
from core.patience.state import PatienceState, PatienceView
from core.prompts import (
    ask_in_combos,
    ask_in_layout,
    ask_in_patience,
    ask_in_tricks,
    why_not_in_combos,
    why_not_in_layout,
    why_not_in_patience,
    why_not_in_tricks,
)
from core.tiles import Tile
from core.tricks.state import TrickState, TrickView
from core.words import Words

T = TypeVar("T")


class Later(Mapping[str, T]):
    """Values by their keys, in order. To count or list the keys loads nothing."""

    def __init__(self, places: dict[str, str]) -> None:
        """By key where the value is: `package.module:NAME`."""
        self._places = places
        self._found: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._found:
            module, _, name = self._places[key].partition(":")
            self._found[key] = getattr(import_module(module), name)
        return self._found[key]

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


AnyState = State | TrickState | ComboState | PatienceState
AnyView = LayoutView | TrickView | ComboView | PatienceView
V = TypeVar("V")


class Rules(Protocol):
    """A game as a value: how a round is dealt, what may be done in it, and what a seat may know of it.

    A family gets only states that it dealt itself.
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


class Family(Struct, Generic[V], frozen=True):
    """What players are told about a family's view."""

    ask: Callable[[V], Words]
    why_not: Callable[[V, Tile], Words | None]


_LAYOUT: Family[LayoutView] = Family(ask_in_layout, why_not_in_layout)
_TRICKS: Family[TrickView] = Family(ask_in_tricks, why_not_in_tricks)
_COMBOS: Family[ComboView] = Family(ask_in_combos, why_not_in_combos)
_PATIENCE: Family[PatienceView] = Family(ask_in_patience, why_not_in_patience)
FAMILIES: dict[str, Family[Any]] = {"layout": _LAYOUT, "tricks": _TRICKS, "combos": _COMBOS, "patience": _PATIENCE}
"""By the tag of their views."""


def tag_of(view: AnyView) -> str:
    """Return the word for the family that a view has on the wire."""
    return str(view.__struct_config__.tag)


def family_of(view: AnyView) -> Family[Any]:
    """Return the family whose view this is."""
    return FAMILIES[tag_of(view)]


def ask(view: AnyView) -> Words:
    """Return what the view's seat is asked to do, or whom it waits for. The round must not be over."""
    return family_of(view).ask(view)


def why_not(view: AnyView, tile: Tile) -> Words | None:
    """Return why a tile in the hand of the view's seat cannot be played now; None if it can."""
    return family_of(view).why_not(view, tile)
