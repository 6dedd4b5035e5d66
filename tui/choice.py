"""What a player has chosen so far, as a value: a tile of his hand and, where there are several, an end.

Everything is chosen from `view.legal`, so an illegal action cannot be built.
"""

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Draw, Pass, Play
from core.state import LayoutView

END_KEYS = "abcdefghijklmno"
"""Keys of the ends, in the order in which the view lists them. Keys of the table screen avoid these."""


class Choice(Struct, frozen=True):
    """A tile of the hand by its index, and which of the ways to play it, by its index among them."""

    view: LayoutView
    tile: int = 0
    way: int = 0

    @property
    def plays(self) -> tuple[Play, ...]:
        """All the ways in which the chosen tile can be played."""
        if not self.view.hand:
            return ()
        return self.plays_of(self.tile)

    def plays_of(self, tile: int) -> tuple[Play, ...]:
        """All the ways in which a tile of the hand, by its index, can be played."""
        wanted = self.view.hand[tile]
        return tuple(a for a in self.view.legal if isinstance(a, Play) and a.tile == wanted)

    @property
    def play(self) -> Play | None:
        """The play that is chosen; None when the chosen tile cannot be played."""
        return self.plays[self.way % len(self.plays)] if self.plays else None

    @property
    def playable(self) -> tuple[int, ...]:
        """The tiles that can be played, by their index."""
        return tuple(index for index in range(len(self.view.hand)) if self.plays_of(index))

    @property
    def action(self) -> Action | None:
        """What Enter does: the chosen play, or the only thing left to do; None when there is neither."""
        if self.play:
            return self.play
        rest = [action for action in self.view.legal if not isinstance(action, Play)]
        return rest[0] if len(rest) == 1 and len(self.view.legal) == 1 else None

    @property
    def can_draw(self) -> bool:
        """Whether drawing is legal now."""
        return Draw() in self.view.legal

    @property
    def can_pass(self) -> bool:
        """Whether passing is legal now."""
        return Pass() in self.view.legal

    def on(self, view: LayoutView) -> "Choice":
        """Carry the choice over to a newer view: the same tile if it is still held and playable."""
        held = self.view.hand[self.tile] if self.tile < len(self.view.hand) else None
        fresh = Choice(view)
        if held in view.hand and (fresh.plays_of(view.hand.index(held)) or not fresh.playable):
            return Choice(view, view.hand.index(held))
        return replace(fresh, tile=next(iter(fresh.playable), 0))

    def pick(self, tile: int) -> "Choice":
        """Choose a tile by its index; out of range nothing changes."""
        return Choice(self.view, tile) if 0 <= tile < len(self.view.hand) else self

    def move(self, step: int) -> "Choice":
        """Choose the next tile to the right, or to the left, round the end of the hand."""
        count = len(self.view.hand)
        return Choice(self.view, (self.tile + step) % count) if count else self

    def turn(self, step: int) -> "Choice":
        """Choose the next of the ways to play the tile."""
        return replace(self, way=(self.way + step) % len(self.plays)) if self.plays else self

    def at(self, at: int, side: int) -> "Choice | None":
        """Choose the end at a side of a placed tile; None when the chosen tile does not go there."""
        for way, play in enumerate(self.plays):
            if (play.at, play.side) == (at, side):
                return replace(self, way=way)
        return None
