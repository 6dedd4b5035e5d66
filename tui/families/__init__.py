"""How each family of games is shown and played: a file for each, and the table of them all."""

from typing import Any

from core.family import AnyView, tag_of
from tui.draw.presenter import Presenter
from tui.families.combos import COMBOS
from tui.families.layouts import LAYOUTS
from tui.families.patience import PATIENCE
from tui.families.tricks import TRICKS

PRESENTERS: dict[str, Presenter[Any, Any]] = {
    "layout": LAYOUTS,
    "tricks": TRICKS,
    "combos": COMBOS,
    "patience": PATIENCE,
}
"""By the tag of their views."""


def presenter_of(view: AnyView) -> Presenter[Any, Any]:
    """Return how the family of a view is shown."""
    return PRESENTERS[tag_of(view)]
