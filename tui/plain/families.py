"""How each family of games is told in plain sentences: the table of them all."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from core.actions import Action, RoundOver
from core.combos.state import ComboView
from core.family import AnyView, tag_of
from core.layout.state import LayoutView
from core.match import MatchView
from core.patience.state import PatienceView
from core.tricks.state import TrickView
from tui.plain.combos import combo_offer, combo_result, combo_so_far, combo_table
from tui.plain.layouts import layout_ends, layout_offer, layout_result, layout_table
from tui.plain.patience import patience_offer, patience_open, patience_result, patience_table
from tui.plain.tricks import trick_offer, trick_result, trick_so_far, trick_table

V = TypeVar("V")
Names = tuple[str, ...]


class Teller(Struct, Generic[V], frozen=True):
    """A family of games in sentences; `V` is its view of a round."""

    before: Callable[[V, Names, bool], list[str]]
    """What a player must know to choose; it is told whether the question is repeated, as then the moves are not."""
    offer: Callable[[Action, V, Names], str]
    """What a player may do."""
    table: Callable[[MatchView, V, Names], list[str]]
    """Everything that lies on the table."""
    result: Callable[[MatchView, V, RoundOver, Names], list[str]]
    """How the round ended."""


TELLERS: dict[str, Teller[Any]] = {
    "layout": Teller[LayoutView](layout_ends, layout_offer, layout_table, layout_result),
    "tricks": Teller[TrickView](trick_so_far, trick_offer, trick_table, trick_result),
    "patience": Teller[PatienceView](patience_open, patience_offer, patience_table, patience_result),
    "combos": Teller[ComboView](combo_so_far, combo_offer, combo_table, combo_result),
}
"""By the tag of their views."""


def teller_of(view: AnyView) -> Teller[Any]:
    """Return how the family of a view is told."""
    return TELLERS[tag_of(view)]
