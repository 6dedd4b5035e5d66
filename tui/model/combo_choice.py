"""What a player of a game of combinations has picked so far, as a value: some tiles of the hand, laid together.

Everything is done from `view.legal`, so an illegal action cannot be built.
"""

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Beat, Hide, Lead
from core.combos.state import ComboView, size_of
from core.tiles import Hand
from tui.model.choice import AnyChoice, Pressed


class ComboChoice(AnyChoice, Struct, frozen=True, dict=True):
    """The tile where the player is, and those that are picked, by their index in the hand."""

    view: ComboView
    tile: int = 0
    picked: tuple[int, ...] = ()
    """In the order in which they were picked."""
    proposed: bool = False
    """Whether nobody picked them yet: the first tile that the player picks replaces them all."""

    @property
    def tiles(self) -> Hand:
        """What would be laid: the tiles picked, or the one where the player is."""
        indexes = self.picked or (self.tile,)
        return tuple(sorted(self.view.hand[index] for index in indexes if index < len(self.view.hand)))

    @cached_property
    def plays(self) -> tuple[Action, ...]:
        """What may be done with these tiles: lead them; or beat with them, or hide them."""
        return tuple(a for a in self.view.legal if isinstance(a, Lead | Beat | Hide) and a.tiles == self.tiles)

    @cached_property
    def playable(self) -> tuple[int, ...]:
        may = {tile for a in self.view.legal if isinstance(a, Lead | Beat | Hide) for tile in a.tiles}
        return tuple(index for index, tile in enumerate(self.view.hand) if tile in may)

    @property
    def action(self) -> Action | None:
        """What Enter does: lead, or beat if that is possible, else hide; None where the tiles are not enough."""
        return self.plays[0] if self.plays else None

    @property
    def refusal(self) -> Action | None:
        """Hide these tiles although they could beat; None when that is not legal."""
        return next((action for action in self.plays if isinstance(action, Hide)), None)

    @property
    def hints(self) -> tuple[str, ...]:
        return ("tile(1)",) * (len(self.view.hand) > 1)

    def on(self, view: ComboView) -> "ComboChoice":
        """Carry the choice over to a newer view: the same while nothing has changed for this player."""
        if view.legal == self.view.legal and view.hand == self.view.hand:
            return replace(self, view=view)
        return first_combo(view)

    def choosing(self, action: Action) -> "ComboChoice":
        """Pick the tiles of an action."""
        if not isinstance(action, Lead | Beat | Hide):
            return self
        left, indexes = list(action.tiles), []
        for index, tile in enumerate(self.view.hand):
            if tile in left:
                left.remove(tile)
                indexes.append(index)
        return self if left or not indexes else ComboChoice(self.view, indexes[0], tuple(indexes))

    def toggle(self, tile: int) -> "ComboChoice":
        """Pick a tile by its index, or put it back; what is one too many puts the oldest back."""
        if not 0 <= tile < len(self.view.hand):
            return self
        before = () if self.proposed else self.picked
        if tile in before:
            return ComboChoice(self.view, tile, tuple(index for index in before if index != tile))
        most = size_of(self.view) or len(self.view.hand)
        return ComboChoice(self.view, tile, (*before, tile)[-most:])

    def move(self, step: int) -> "ComboChoice":
        """Go to the next tile to the right, or to the left, round the end of the hand."""
        count = len(self.view.hand)
        return replace(self, tile=(self.tile + step) % count) if count else self

    def turn(self, _step: int) -> "ComboChoice":
        """Pick the tile where the player is, or put it back."""
        return self.toggle(self.tile)

    def back(self) -> "ComboChoice | None":
        """Put all tiles back."""
        return ComboChoice(self.view, self.tile) if self.picked and not self.proposed else None

    def press(self, key: str) -> Pressed | None:
        """A digit picks a tile, or puts it back."""
        return Pressed(self.toggle((int(key) - 1) % 10)) if key.isascii() and key.isdecimal() else None

    def click(self, at: int, _side: int, /, *, in_hand: bool) -> Pressed:
        """A click on a tile of the hand picks it, or puts it back."""
        return Pressed(self.toggle(at)) if in_hand else Pressed()


def first_combo(view: ComboView) -> ComboChoice:
    """What is proposed to begin with: the first thing that may be done."""
    fresh = ComboChoice(view)
    return replace(fresh.choosing(view.legal[0]), proposed=True) if view.legal else fresh


def combo_choice(view: ComboView, before: object) -> ComboChoice:
    """Carry a choice over to a newer view; or propose one."""
    return before.on(view) if isinstance(before, ComboChoice) else first_combo(view)
