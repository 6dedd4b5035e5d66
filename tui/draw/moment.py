"""A moment of a table: all that decides what the screen shows of it."""

from msgspec import Struct

from core.family import AnyView
from core.games import GAMES
from net.wire.messages import Update
from tui.i18n import _
from tui.model.chosen import AnyChoice


class Moment(Struct, frozen=True):
    """Everything that decides what the table looks like now, except the size of the window."""

    update: Update
    choice: AnyChoice | None = None
    """What this player has chosen; None between rounds, and for a spectator."""
    story: tuple[str, ...] = ()
    """What happened and what was said, in the order of both."""
    warning: str = ""
    """A refusal, or why a tile will not go; it takes the place of the sentence."""
    shows_result: bool = False
    left: int | None = None
    """Seconds that are left to whoever is on turn; None where nothing is limited."""
    hints: tuple[tuple[str, str], ...] = ()
    live: bool = True
    """Whether the person who looks has the seat; in a replay they do not."""
    told: tuple[str, ...] = ()
    """What happened alone."""
    talk: tuple[str, ...] = ()
    """What was said alone."""
    back: int = 0
    """How many lines of the story the player has leafed back."""
    scored: bool = False
    """Whether lanes carry the scores of their players, who then stand nowhere else."""
    lesson: str = ""
    """What the player is told in a lesson; empty outside of one."""
    ways: tuple[str, ...] = ()
    """What friends type to come here; empty in a game alone."""
    ahead: str = ""
    """What Enter does with the tile that was chosen while others play; empty if none was. In a replay, whose hand it
    is."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names on the seats."""
        return tuple(seat.name or _("free seat") for seat in self.update.table.seats)

    @property
    def counter_clockwise(self) -> bool:
        """Whether the turn goes round the table to the right."""
        game = GAMES.get(self.update.table.game)  # a host may have games that are not known here
        return game is not None and game.counter_clockwise

    @property
    def view(self) -> AnyView | None:
        """The round, if there is one."""
        return self.update.match.play if self.update.match else None
