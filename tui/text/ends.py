"""What the ends of the layout say to a player: their keys, what playing there scores, whose trains they are."""

from core.layout.placed import NOBODY, End
from core.layout.state import LayoutView
from tui.board import Mark
from tui.i18n import _
from tui.model.choice import END_KEYS, Choice


def marks(view: LayoutView, choice: Choice | None) -> list[Mark]:
    """What stands at each end: its key where the chosen tile goes, its number everywhere."""
    if view.result:
        return []
    points = worth(view, choice)
    chosen = choice.play if choice else None
    first_owed = next((end for end in view.ends if end.at in view.owed), None)
    return [
        Mark(
            at=end.at,
            side=end.side,
            pips=end.pips,
            key=key if (end.at, end.side) in points else "",
            note=_note_at(view, end, points.get((end.at, end.side), 0), first=end is first_owed),
            chosen=chosen is not None and (chosen.at, chosen.side) == (end.at, end.side),
            open=(end.at, end.side) in points,
            owner=end.owner,
            flag=end.owner in view.open and end.owner != NOBODY,
            state=_state(view, end),
            owed=end.at in view.owed,
        )
        for key, end in zip((*END_KEYS, *([""] * len(view.ends))), view.ends, strict=False)
    ]


def _note_at(view: LayoutView, end: End, points: int, *, first: bool) -> str:
    """What to say at an end: that it comes before all others, once for all that is owed, or what it scores."""
    if not first:
        return _("scores {points}", points=points) if points else ""
    if end.at == 0:
        return _("the centre first")
    return _("this foot first") if view.shape == "feet" else _("answer this double first")


def _state(view: LayoutView, end: End) -> str:
    """What to say of a train: whether others may play there."""
    if end.owner == NOBODY:
        return ""
    if end.owner in view.open:
        return _("open to all")
    return _("closed") if end.owner != view.seat else ""


def worth(view: LayoutView, choice: Choice | None) -> dict[tuple[int, int], int]:
    """The ends to which the chosen tile goes, and what it would score there."""
    if choice is None:
        return {}
    points = dict(zip(view.legal, view.worth, strict=False))
    return {(play.at, play.side): points.get(play, 0) for play in choice.plays}
