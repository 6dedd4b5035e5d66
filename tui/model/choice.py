"""What a player has chosen so far, as a value: a tile of his hand and, where there are several, an end.

Everything is chosen from `view.legal`, so an illegal action cannot be built.
"""

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Claim, Draw, Pass, Play, Silent
from core.layout.state import LayoutView
from core.tiles import Tile

END_KEYS = "abcdefghijklmno"
"""Keys of the ends, in the order in which the view lists them. Keys of the table screen avoid these."""


class Choice(Struct, frozen=True, dict=True):
    """A tile of the hand, one of the ends it goes to, and which of its numbers lies outward, each by its index."""

    view: LayoutView
    tile: int = 0
    way: int = 0
    out: int = 0
    naming: bool = False
    """Whether the player is asked which number shall lie outward."""

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """All the ways in which the chosen tile can be played."""
        return self.plays_of(self.tile) if self.view.hand else ()

    def plays_of(self, tile: int) -> tuple[Play, ...]:
        """All the ways in which a tile of the hand, by its index, can be played."""
        return tuple(self._plays.get(self.view.hand[tile], ()))

    @cached_property
    def _plays(self) -> dict[Tile, list[Play]]:
        plays: dict[Tile, list[Play]] = {}
        for action in self.view.legal:
            if isinstance(action, Play):
                plays.setdefault(action.tile, []).append(action)
        return plays

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The ends to which the chosen tile goes, each as tile and side."""
        return tuple(dict.fromkeys((play.at, play.side) for play in self.plays))

    @property
    def outs(self) -> tuple[Play, ...]:
        """The plays at the chosen end: more than one where the number that lies outward is free."""
        if not self.plays:
            return ()
        place = self.places[self.way % len(self.places)]
        return tuple(play for play in self.plays if (play.at, play.side) == place)

    @property
    def play(self) -> Play | None:
        """The play that is chosen; None when the chosen tile cannot be played."""
        return self.outs[self.out % len(self.outs)] if self.outs else None

    @cached_property
    def playable(self) -> tuple[int, ...]:
        """The tiles that can be played, by their index."""
        return tuple(index for index in range(len(self.view.hand)) if self.plays_of(index))

    @property
    def action(self) -> Action | None:
        """What Enter does: the chosen play, a claim, or the only thing left to do; None when there is neither."""
        if self.play:
            return self.play
        if Claim() in self.view.legal:
            return Claim()
        return self.view.legal[0] if len(self.view.legal) == 1 and not self.plays and not self.playable else None

    @property
    def can_draw(self) -> bool:
        """Whether drawing is legal now."""
        return Draw() in self.view.legal

    @property
    def refusal(self) -> Action | None:
        """How to let it be: a pass, or silence about points; None when that is not legal."""
        return next((action for action in self.view.legal if isinstance(action, Pass | Silent)), None)

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
        """Choose the next end for the tile."""
        return Choice(self.view, self.tile, (self.way + step) % len(self.places)) if self.plays else self

    def at(self, at: int, side: int) -> "Choice | None":
        """Choose the end at a side of a placed tile; None when the chosen tile does not go there."""
        if (at, side) not in self.places:
            return None
        return Choice(self.view, self.tile, self.places.index((at, side)))

    def name(self) -> "Choice":
        """Ask which number shall lie outward."""
        return replace(self, naming=True)

    def face(self, step: int) -> "Choice":
        """Turn the next number outward."""
        return replace(self, out=(self.out + step) % len(self.outs)) if self.outs else self

    def facing(self, pips: int) -> "Choice | None":
        """Turn this number outward; None when the tile cannot."""
        return next((replace(self, out=n) for n, play in enumerate(self.outs) if play.out == pips), None)
