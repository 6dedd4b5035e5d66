"""A tile that a player chooses while others play: raised, and laid as soon as their turn comes if they wish."""

from core.actions import Action, Lay, Play
from core.family import AnyView, why_not
from core.tiles import Tile
from tui.i18n import _, spoken


class Ahead:
    """What was chosen for the next turn."""

    def __init__(self) -> None:
        self.raised = False
        """Whether a tile was chosen since the turn of somebody else began."""
        self.queued: Tile | None = None
        """The tile to be laid."""

    def sentence(self, tile: Tile | None) -> str:
        """Say what Enter does with the chosen tile while others play."""
        if self.queued:
            return _("{tile} will be played on your turn; Enter cancels that.", tile=str(self.queued))
        return _("Enter plays {tile} when it is your turn.", tile=str(tile)) if self.raised and tile else ""

    def press(self, tile: Tile | None) -> None:
        """Queue the chosen tile, or do so no longer."""
        self.queued = None if self.queued or not self.raised else tile

    def due(self, view: AnyView, names: tuple[str, ...]) -> tuple[Action | None, str]:
        """Return what is to be done now that it is the player's turn; or why it cannot be, in a sentence.

        Forgets what was chosen.
        """
        tile, self.queued, self.raised = self.queued, None, False
        if tile is None or tile not in view.hand:
            return None, ""
        plays = [action for action in view.legal if isinstance(action, Play | Lay) and action.tile == tile]
        if len(plays) == 1:
            return plays[0], ""
        if plays:
            return plays[0], _("{tile} fits in more than one place; choose one.", tile=str(tile))
        reason = why_not(view, tile)
        return None, spoken(reason, names) if reason else ""
