"""What a player of a game of tricks has chosen so far, as a value: a bid or a trump from a list, or a tile to lay.

Everything is chosen from `view.legal`, so an illegal action cannot be built.
"""

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Bid, Bury, Lay, Name, Pass
from core.tricks.state import TrickView
from tui.model.choice import AnyChoice, Pressed

LIST_KEYS = "abcdefgijklmnorsuv"
"""Keys of what there is to choose from a list. While there is one, the last four mean nothing else at the table."""


class TrickChoice(AnyChoice, Struct, frozen=True):
    """An item of the list by its index; or a tile of the hand by its index, and whether its small end is led."""

    view: TrickView
    tile: int = 0
    way: int = 0
    item: int = 0

    @property
    def items(self) -> tuple[Action, ...]:
        """The bids or trumps to choose from; none while tiles are laid."""
        return tuple(action for action in self.view.legal if isinstance(action, Bid | Name | Pass))

    @property
    def plays(self) -> tuple[Lay | Bury, ...]:
        return self.plays_of(self.tile) if self.view.hand else ()

    def plays_of(self, tile: int) -> tuple[Lay | Bury, ...]:
        """All the ways in which a tile of the hand, by its index, can be laid, or put away."""
        wanted = self.view.hand[tile]
        return tuple(a for a in self.view.legal if isinstance(a, Lay | Bury) and a.tile == wanted)

    @property
    def play(self) -> Lay | Bury | None:
        """The play that is chosen; None when the chosen tile cannot be laid."""
        return self.plays[self.way % len(self.plays)] if self.plays else None

    @property
    def playable(self) -> tuple[int, ...]:
        return tuple(index for index in range(len(self.view.hand)) if self.plays_of(index))

    @property
    def action(self) -> Action | None:
        """What Enter does: the chosen item or play; None when there is neither."""
        return self.items[self.item % len(self.items)] if self.items else self.play

    @property
    def refusal(self) -> Action | None:
        """A pass, where that is legal."""
        return Pass() if Pass() in self.view.legal else None

    @property
    def hints(self) -> tuple[str, ...]:
        ends = ("end(1)",) * (bool(self.items) or len(self.plays) > 1)
        return ("tile(1)",) * (len(self.playable) > 1 and not self.items) + ends

    def on(self, view: TrickView) -> "TrickChoice":
        """Carry the choice over to a newer view: the same tile if it is still held and can be laid."""
        fresh = TrickChoice(view)
        if view.turn == self.view.turn and view.legal == self.view.legal:
            return replace(self, view=view)
        held = self.view.hand[self.tile] if self.tile < len(self.view.hand) else None
        if held in view.hand and (fresh.plays_of(view.hand.index(held)) or not fresh.playable):
            return TrickChoice(view, view.hand.index(held))
        return TrickChoice(view, next(iter(fresh.playable), 0))

    def choosing(self, action: Action) -> "TrickChoice":
        """Choose an item, or a tile and which of its ends is led."""
        if action in self.items:
            return self.at(self.items.index(action))
        if not isinstance(action, Lay | Bury) or action.tile not in self.view.hand:
            return self
        chosen = self.pick(self.view.hand.index(action.tile))
        return replace(chosen, way=chosen.plays.index(action)) if action in chosen.plays else self

    def pick(self, tile: int) -> "TrickChoice":
        """Choose a tile by its index; out of range, or while something else is asked, nothing changes."""
        if self.items or not 0 <= tile < len(self.view.hand):
            return self
        return TrickChoice(self.view, tile)

    def move(self, step: int) -> "TrickChoice":
        """Choose the next tile to the right, or to the left; or the next item."""
        if self.items:
            return self.turn(step)
        count = len(self.view.hand)
        return TrickChoice(self.view, (self.tile + step) % count) if count else self

    def turn(self, step: int) -> "TrickChoice":
        """Choose the next item, or the other end of the tile."""
        if self.items:
            return replace(self, item=(self.item + step) % len(self.items))
        return replace(self, way=(self.way + step) % len(self.plays)) if self.plays else self

    def at(self, item: int) -> "TrickChoice":
        """Choose an item by its index; out of range nothing changes."""
        return replace(self, item=item) if 0 <= item < len(self.items) else self

    def keyed(self, key: str) -> "TrickChoice | None":
        """Choose what a key stands for, an item or a tile; None when it stands for nothing."""
        if self.items:
            place = LIST_KEYS.find(key)
            return self.at(place) if 0 <= place < len(self.items) else None
        return self.pick((int(key) - 1) % 10) if key.isascii() and key.isdecimal() else None

    def press(self, key: str) -> Pressed | None:
        """A letter means an item, a digit a tile. What is chosen again is done."""
        chosen = self.keyed(key)
        return self.again(chosen) if chosen else None

    def click(self, at: int, _side: int, /, *, in_hand: bool) -> Pressed:
        """A click means a tile of the hand, or an item. What is chosen again is done."""
        return self.again(self.pick(at) if in_hand else self.at(at))


def first_choice(view: TrickView) -> TrickChoice:
    """What is chosen to begin with."""
    fresh = TrickChoice(view)
    return replace(fresh, tile=next(iter(fresh.playable), 0))


def trick_choice(view: TrickView, before: object) -> TrickChoice:
    """Carry a choice over to a newer view; or choose what can be laid first."""
    return before.on(view) if isinstance(before, TrickChoice) else first_choice(view)
