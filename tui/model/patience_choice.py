"""What a player of a game for one has chosen so far, as a value: a move.

Everything is chosen from `view.legal`, so an illegal action cannot be built.
"""

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Fill, Play, Take
from core.patience.state import PatienceView
from core.tiles import Tile
from tui.model.choice import END_KEYS, AnyChoice, Pressed

ON_TABLE = 1
"""The side of a click on a tile of the table; one on an item of the list has 0."""


class PatienceChoice(AnyChoice, Struct, frozen=True):
    """A move by its index among all that may be done."""

    view: PatienceView
    item: int = 0
    clicked: int = -1
    """The tile of the table that was clicked last, by its index; -1 for none."""

    @property
    def items(self) -> tuple[Action, ...]:
        """All that may be done."""
        return self.view.legal

    @property
    def action(self) -> Action | None:
        """What Enter does: the chosen move; None when there is none."""
        return self.items[self.item % len(self.items)] if self.items else None

    @property
    def tile(self) -> int:
        """The tile of the hand that the chosen move lays, by its index; one more than the last for none."""
        action, hand = self.action, self.view.hand
        return hand.index(action.tile) if isinstance(action, Play) else len(hand)

    @property
    def plays(self) -> tuple[Play, ...]:
        return tuple(self.items[index] for index in self._laying(self.tile))  # type: ignore[misc]

    @property
    def playable(self) -> tuple[int, ...]:
        return tuple(index for index in range(len(self.view.hand)) if self._laying(index))

    def _laying(self, tile: int) -> list[int]:
        """The moves that lay a tile of the hand, by their index."""
        wanted = self.view.hand[tile : tile + 1]
        return [n for n, action in enumerate(self.items) if isinstance(action, Play) and (action.tile,) == wanted]

    @property
    def lit(self) -> tuple[Tile, ...]:
        """The tiles of the table with which the chosen move has to do."""
        return tiles_of(self.action)

    @property
    def hints(self) -> tuple[str, ...]:
        return ("end(1)",) * (len(self.items) > 1)

    def on(self, view: PatienceView) -> "PatienceChoice":
        """Carry the choice over to a newer view, if nothing else may be done there; else choose the first move."""
        same = view.legal == self.view.legal and view.turn == self.view.turn
        return replace(self, view=view) if same else PatienceChoice(view)

    def choosing(self, action: Action) -> "PatienceChoice":
        """Choose a move."""
        return self.at(self.items.index(action)) if action in self.items else self

    def at(self, item: int) -> "PatienceChoice":
        """Choose a move by its index; out of range nothing changes."""
        return replace(self, item=item, clicked=-1) if 0 <= item < len(self.items) else self

    def pick(self, tile: int) -> "PatienceChoice":
        """Choose a tile of the hand by its index; what cannot be laid changes nothing."""
        ways = self._laying(tile)
        return self if self.item in ways else self.at(next(iter(ways), -1))

    def move(self, step: int) -> "PatienceChoice":
        """Choose the next move."""
        return self.at((self.item + step) % len(self.items)) if self.items else self

    def turn(self, step: int) -> "PatienceChoice":
        """Choose the next move."""
        return self.move(step)

    def press(self, key: str) -> Pressed | None:
        """A letter means a move, a digit a tile of the hand. What is chosen again is done."""
        place = END_KEYS.find(key)
        chosen: PatienceChoice | None = None
        if 0 <= place < len(self.items):
            chosen = self.at(place)
        elif self.view.hand and key.isascii() and key.isdecimal():
            chosen = self.pick((int(key) - 1) % 10)
        return self.again(chosen) if chosen else None

    def click(self, at: int, side: int, /, *, in_hand: bool) -> Pressed:
        """A click means a tile of the hand, a move of the list, or a tile of the table.

        What is chosen again is done, and so is what takes just the two tiles of the table that were clicked.
        """
        if side == ON_TABLE and not in_hand:
            return self._clicked(at)
        return self.again(self.pick(at) if in_hand else self.at(at))

    def _clicked(self, at: int) -> Pressed:
        """Choose the next move with a tile of the table; and with the one before, if there is such a move."""
        table = [tile for pile in self.view.piles for tile in pile]
        if not 0 <= at < len(table):
            return Pressed(self)
        tile, before = table[at], table[self.clicked] if 0 <= self.clicked < len(table) else None
        with_it = [index for index, action in enumerate(self.items) if tile in tiles_of(action)]
        both = [index for index in with_it if before != tile and before in tiles_of(self.items[index])]
        if both:
            return Pressed(replace(self, item=both[0], clicked=at), act=True)
        later = [index for index in with_it if before == tile and index > self.item]
        chosen = next(iter(later or with_it), -1)
        if chosen < 0:
            return Pressed(replace(self, clicked=at))
        return Pressed(replace(self, item=chosen, clicked=at), act=before == tile and chosen == self.item)


def tiles_of(action: Action | None) -> tuple[Tile, ...]:
    """The tiles of the table that a move takes or moves."""
    match action:
        case Take(tiles=tiles):
            return tiles
        case Fill(tile=tile):
            return (tile,)
    return ()


def patience_choice(view: PatienceView, before: object) -> PatienceChoice:
    """Carry a choice over to a newer view; or choose what can be done first."""
    return (before if isinstance(before, PatienceChoice) else PatienceChoice(replace(view, legal=()))).on(view)
