"""A tile that a player queues while others play, and what Enter does with it in words."""

from core.actions import Action, Lay, Play
from core.prompts import why_not
from core.tiles import Tile
from core.variant import AnyView
from tui.i18n import _, translate
from tui.text.names import with_stars


class QueuedTile:
    """A tile queued by the player for their next turn."""

    def __init__(self) -> None:
        self.is_raised = False
        """True if the player has chosen a tile since the current turn of another seat began."""
        self.tile: Tile | None = None
        """The queued tile; None for none."""

    def sentence(self, tile: Tile | None) -> str:
        """Return the effect of Enter on the chosen tile while others play; empty if Enter has none."""
        if self.tile:
            queued = with_stars(str(self.tile))
            return _("{tile} will be played on your turn; Enter cancels that.", tile=queued)
        chosen = with_stars(str(tile)) if self.is_raised and tile else ""
        return _("Enter: play {tile} when it is your turn.", tile=chosen) if chosen else ""

    def press(self, tile: Tile | None) -> None:
        """Queue the chosen tile, or clear the queue."""
        self.tile = None if self.tile or not self.is_raised else tile

    def due(self, view: AnyView, names: tuple[str, ...]) -> tuple[Action | None, str]:
        """Clear the queue; return the action with its tile, or None, and a sentence if the player must know more."""
        tile, self.tile, self.is_raised = self.tile, None, False
        if tile is None or tile not in view.hand:
            return None, ""
        plays = [action for action in view.legal if isinstance(action, Play | Lay) and action.tile == tile]
        if len(plays) == 1:
            return plays[0], ""
        if plays:
            return plays[0], _("{tile} fits in more than one place; choose one.", tile=with_stars(str(tile)))
        reason = why_not(view, tile)
        return None, with_stars(translate(reason, names)) if reason else ""
