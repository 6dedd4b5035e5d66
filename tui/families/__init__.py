"""How each family of games is shown and played on the screen: the table of them all."""

from typing import Any

from core.variant import AnyView, Later, tag_of
from tui.draw.presenter import Presenter

PRESENTERS: Later[Presenter[Any, Any]] = Later(
    {
        "layout": "tui.families.layouts:LAYOUTS",
        "tricks": "tui.families.others:TRICKS",
        "combos": "tui.families.others:COMBOS",
        "patience": "tui.families.others:PATIENCE",
    }
)
"""By the tag of their views."""


def presenter_of(view: AnyView) -> Presenter[Any, Any]:
    """Return how the family of a view is shown."""
    return PRESENTERS[tag_of(view)]
