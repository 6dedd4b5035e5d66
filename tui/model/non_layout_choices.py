"""The choice of a player in games of tricks, of combinations and for one player, each as a value.

Every choice comes from `view.legal`, so an illegal action cannot be built.
"""

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Beat, Bid, Bury, Fill, Hide, Lay, Lead, Name, Pass, Play, Take
from core.combos.state import ComboView, size_of
from core.patience.state import PatienceView
from core.tiles import Hand, Tile
from core.tricks.state import TrickView
from tui.model.choice import END_KEYS, AnyChoice, KeyResult

LIST_KEYS = "abcdefgijklmnorsuv"
"""Keys of the items of a list. While there is one, the last four have no other meaning at the table."""


class TrickChoice(AnyChoice, Struct, frozen=True):
    """An item of the list; or a tile of the hand and one of its plays, each by its index."""

    view: TrickView
    tile: int = 0
    play_index: int = 0
    item: int = 0

    @property
    def items(self) -> tuple[Action, ...]:
        """The bids or trumps to choose from; empty while tiles are laid."""
        return tuple(action for action in self.view.legal if isinstance(action, Bid | Name | Pass))

    @property
    def plays(self) -> tuple[Lay | Bury, ...]:
        return self.plays_of(self.tile) if self.view.hand else ()

    def plays_of(self, tile: int) -> tuple[Lay | Bury, ...]:
        """Return all ways to lay or bury a tile of the hand, given by its index."""
        chosen_tile = self.view.hand[tile]
        return tuple(a for a in self.view.legal if isinstance(a, Lay | Bury) and a.tile == chosen_tile)

    @property
    def play(self) -> Lay | Bury | None:
        """The chosen play; None if the chosen tile cannot be laid."""
        return self.plays[self.play_index % len(self.plays)] if self.plays else None

    @property
    def playable(self) -> tuple[int, ...]:
        return tuple(index for index in range(len(self.view.hand)) if self.plays_of(index))

    @property
    def action(self) -> Action | None:
        """The action that Enter does: the chosen item or play; None if there is neither."""
        return self.items[self.item % len(self.items)] if self.items else self.play

    @property
    def refusal(self) -> Action | None:
        """A pass; None if it is not legal."""
        return Pass() if Pass() in self.view.legal else None

    @property
    def hints(self) -> tuple[str, ...]:
        ends = ("end(1)",) * (bool(self.items) or len(self.plays) > 1)
        return ("tile(1)",) * (len(self.playable) > 1 and not self.items) + ends

    def carry_to(self, view: TrickView) -> "TrickChoice":
        """Carry the choice over to a newer view: keep the tile if it is still held and can be laid."""
        new_choice = TrickChoice(view)
        if view.turn == self.view.turn and view.legal == self.view.legal:
            return replace(self, view=view)
        if new_choice.items:
            return first_choice(view)
        held_tile = self.view.hand[self.tile] if self.tile < len(self.view.hand) else None
        if held_tile in view.hand and (new_choice.plays_of(view.hand.index(held_tile)) or not new_choice.playable):
            return TrickChoice(view, view.hand.index(held_tile))
        return TrickChoice(view, next(iter(new_choice.playable), 0))

    def with_action(self, action: Action) -> "TrickChoice":
        """Choose an item, or a tile and the end that leads."""
        if action in self.items:
            return self.choose_item(self.items.index(action))
        if not isinstance(action, Lay | Bury) or action.tile not in self.view.hand:
            return self
        chosen = self.pick(self.view.hand.index(action.tile))
        return replace(chosen, play_index=chosen.plays.index(action)) if action in chosen.plays else self

    def pick(self, tile: int) -> "TrickChoice":
        """Choose a tile by its index; ignore an index out of range, and any tile while there are items to choose."""
        if self.items or not 0 <= tile < len(self.view.hand):
            return self
        return TrickChoice(self.view, tile)

    def move(self, step: int) -> "TrickChoice":
        """Choose the next tile to the right or left; or the next item."""
        if self.items:
            return self.turn(step)
        count = len(self.view.hand)
        return TrickChoice(self.view, (self.tile + step) % count) if count else self

    def turn(self, step: int) -> "TrickChoice":
        """Choose the next item, or the other end of the tile."""
        if self.items:
            return replace(self, item=(self.item + step) % len(self.items))
        return replace(self, play_index=(self.play_index + step) % len(self.plays)) if self.plays else self

    def choose_item(self, item: int) -> "TrickChoice":
        """Choose an item by its index; ignore an index out of range."""
        return replace(self, item=item) if 0 <= item < len(self.items) else self

    def item_of_key(self, key: str) -> "TrickChoice | None":
        """Choose the item or tile of a key; None if the key has none."""
        if self.items:
            place = LIST_KEYS.find(key)
            return self.choose_item(place) if 0 <= place < len(self.items) else None
        return self.pick((int(key) - 1) % 10) if key.isascii() and key.isdecimal() else None

    def press(self, key: str) -> KeyResult | None:
        """Choose an item by a letter, a tile by a digit; a second time plays it."""
        chosen = self.item_of_key(key)
        return self.choose_or_play(chosen) if chosen else None

    def click(self, at: int, _side: int, /, *, in_hand: bool) -> KeyResult:
        """Choose a tile of the hand, or an item; a second click plays it."""
        return self.choose_or_play(self.pick(at) if in_hand else self.choose_item(at))


def first_choice(view: TrickView) -> TrickChoice:
    """Return the choice at the start of a turn; of trumps, the number of which the hand has the most tiles."""
    new_choice = TrickChoice(view)
    item = max(
        range(len(new_choice.items)), key=lambda item: _tiles_of_trump(new_choice.items[item], view.hand), default=0
    )
    return replace(new_choice, tile=next(iter(new_choice.playable), 0), item=item)


def _tiles_of_trump(action: Action, hand: Hand) -> tuple[int, bool]:
    """Return the tiles of a hand that would be trumps by number, and whether the double is among them."""
    if not isinstance(action, Name) or action.kind != "number":
        return 0, False
    return sum(action.number in tile for tile in hand), Tile(action.number, action.number) in hand


def trick_choice(view: TrickView, choice: object) -> TrickChoice:
    """Carry a choice over to a newer view; or choose the first tile that can be laid."""
    return choice.carry_to(view) if isinstance(choice, TrickChoice) else first_choice(view)


class ComboChoice(AnyChoice, Struct, frozen=True, dict=True):
    """The tile under the cursor, and the picked tiles, by their index in the hand."""

    view: ComboView
    tile: int = 0
    picked: tuple[int, ...] = ()
    """In the order of picking."""
    proposed: bool = False
    """True until the player picks: their first tile replaces the proposed ones."""

    @property
    def tiles(self) -> Hand:
        """The tiles to be laid: those picked, or the one under the cursor."""
        indexes = self.picked or (self.tile,)
        return tuple(sorted(self.view.hand[index] for index in indexes if index < len(self.view.hand)))

    @cached_property
    def plays(self) -> tuple[Action, ...]:
        """The legal actions with these tiles: lead them; or beat with them, or hide them."""
        return tuple(a for a in self.view.legal if isinstance(a, Lead | Beat | Hide) and a.tiles == self.tiles)

    @cached_property
    def playable(self) -> tuple[int, ...]:
        playable_tiles = {tile for a in self.view.legal if isinstance(a, Lead | Beat | Hide) for tile in a.tiles}
        return tuple(index for index, tile in enumerate(self.view.hand) if tile in playable_tiles)

    @property
    def action(self) -> Action | None:
        """The action that Enter does: lead, or beat if possible, else hide; None if the tiles do not suffice."""
        return self.plays[0] if self.plays else None

    @property
    def refusal(self) -> Action | None:
        """The action that hides these tiles although they could beat; None if it is not legal."""
        return next((action for action in self.plays if isinstance(action, Hide)), None)

    @property
    def hints(self) -> tuple[str, ...]:
        return ("tile(1)",) * (len(self.view.hand) > 1)

    def carry_to(self, view: ComboView) -> "ComboChoice":
        """Carry the choice over to a newer view; if the legal actions or the hand have changed, propose anew."""
        if view.legal == self.view.legal and view.hand == self.view.hand:
            return replace(self, view=view)
        return propose_combo(view)

    def with_action(self, action: Action) -> "ComboChoice":
        """Pick the tiles of an action."""
        if not isinstance(action, Lead | Beat | Hide):
            return self
        missing, indexes = list(action.tiles), []
        for index, tile in enumerate(self.view.hand):
            if tile in missing:
                missing.remove(tile)
                indexes.append(index)
        return self if missing or not indexes else ComboChoice(self.view, indexes[0], tuple(indexes))

    def toggle(self, tile: int) -> "ComboChoice":
        """Pick a tile by its index, or unpick it; if more tiles are picked than can be laid, unpick the oldest."""
        if not 0 <= tile < len(self.view.hand):
            return self
        picked = () if self.proposed else self.picked
        if tile in picked:
            return ComboChoice(self.view, tile, tuple(index for index in picked if index != tile))
        max_picked = size_of(self.view) or len(self.view.hand)
        return ComboChoice(self.view, tile, (*picked, tile)[-max_picked:])

    def move(self, step: int) -> "ComboChoice":
        """Move the cursor to the next tile to the right or left, wrapping around."""
        count = len(self.view.hand)
        return replace(self, tile=(self.tile + step) % count) if count else self

    def turn(self, _step: int) -> "ComboChoice":
        """Pick the tile under the cursor, or unpick it."""
        return self.toggle(self.tile)

    def back(self) -> "ComboChoice | None":
        """Unpick all tiles; return None if the player has picked none."""
        return ComboChoice(self.view, self.tile) if self.picked and not self.proposed else None

    def press(self, key: str) -> KeyResult | None:
        """Pick a tile by a digit, or unpick it."""
        return KeyResult(self.toggle((int(key) - 1) % 10)) if key.isascii() and key.isdecimal() else None

    def click(self, at: int, _side: int, /, *, in_hand: bool) -> KeyResult:
        """Pick a clicked tile of the hand, or unpick it."""
        return KeyResult(self.toggle(at)) if in_hand else KeyResult()


def propose_combo(view: ComboView) -> ComboChoice:
    """Return a proposal: the first legal action."""
    new_choice = ComboChoice(view)
    return replace(new_choice.with_action(view.legal[0]), proposed=True) if view.legal else new_choice


def combo_choice(view: ComboView, choice: object) -> ComboChoice:
    """Carry a choice over to a newer view; or propose one."""
    return choice.carry_to(view) if isinstance(choice, ComboChoice) else propose_combo(view)


ON_TABLE = 1
"""`side` of a click on a tile of the table; a click on an item of the list has 0."""


class PatienceChoice(AnyChoice, Struct, frozen=True):
    """A move by its index among the legal ones."""

    view: PatienceView
    item: int = 0
    last_clicked: int = -1
    """Index of the tile of the table that was clicked last; -1 for none."""

    @property
    def items(self) -> tuple[Action, ...]:
        """All legal moves."""
        return self.view.legal

    @property
    def action(self) -> Action | None:
        """The action that Enter does: the chosen move; None if there is none."""
        return self.items[self.item % len(self.items)] if self.items else None

    @property
    def tile(self) -> int:
        """Index of the tile of the hand that the chosen move lays; the length of the hand if it lays none."""
        action, hand = self.action, self.view.hand
        return hand.index(action.tile) if isinstance(action, Play) else len(hand)

    @property
    def plays(self) -> tuple[Play, ...]:
        return tuple(self.items[index] for index in self._indexes_laying(self.tile))  # type: ignore[misc]

    @property
    def playable(self) -> tuple[int, ...]:
        return tuple(index for index in range(len(self.view.hand)) if self._indexes_laying(index))

    def _indexes_laying(self, tile: int) -> list[int]:
        """Return the indexes of the moves that lay a tile of the hand."""
        laid_tile = self.view.hand[tile : tile + 1]
        return [
            index
            for index, action in enumerate(self.items)
            if isinstance(action, Play) and (action.tile,) == laid_tile
        ]

    @property
    def glowing_tiles(self) -> tuple[Tile, ...]:
        """The tiles of the table that the chosen move takes or moves."""
        return tiles_of(self.action)

    @property
    def hints(self) -> tuple[str, ...]:
        return ("end(1)",) * (len(self.items) > 1)

    def carry_to(self, view: PatienceView) -> "PatienceChoice":
        """Carry the choice over to a newer view with the same legal moves; else choose the first move."""
        same = view.legal == self.view.legal and view.turn == self.view.turn
        return replace(self, view=view) if same else PatienceChoice(view)

    def with_action(self, action: Action) -> "PatienceChoice":
        """Choose a move."""
        return self.choose_item(self.items.index(action)) if action in self.items else self

    def choose_item(self, item: int) -> "PatienceChoice":
        """Choose a move by its index; ignore an index out of range."""
        return replace(self, item=item, last_clicked=-1) if 0 <= item < len(self.items) else self

    def pick(self, tile: int) -> "PatienceChoice":
        """Choose a tile of the hand by its index; ignore one that cannot be laid."""
        indexes = self._indexes_laying(tile)
        return self if self.item in indexes else self.choose_item(next(iter(indexes), -1))

    def move(self, step: int) -> "PatienceChoice":
        """Choose the next move."""
        return self.choose_item((self.item + step) % len(self.items)) if self.items else self

    def turn(self, step: int) -> "PatienceChoice":
        """Choose the next move."""
        return self.move(step)

    def press(self, key: str) -> KeyResult | None:
        """Choose a move by a letter, a tile of the hand by a digit; a second time plays it."""
        item = END_KEYS.find(key)
        chosen: PatienceChoice | None = None
        if 0 <= item < len(self.items):
            chosen = self.choose_item(item)
        elif self.view.hand and key.isascii() and key.isdecimal():
            chosen = self.pick((int(key) - 1) % 10)
        return self.choose_or_play(chosen) if chosen else None

    def click(self, at: int, side: int, /, *, in_hand: bool) -> KeyResult:
        """Choose a tile of the hand, a move of the list, or a tile of the table.

        A second click plays it. A move that takes just the two tiles clicked is played at once.
        """
        if side == ON_TABLE and not in_hand:
            return self._click_tile(at)
        return self.choose_or_play(self.pick(at) if in_hand else self.choose_item(at))

    def _click_tile(self, at: int) -> KeyResult:
        """Choose the next move with a tile of the table; play a move that takes it and the tile clicked before it."""
        table_tiles = [tile for pile in self.view.piles for tile in pile]
        if not 0 <= at < len(table_tiles):
            return KeyResult(self)
        tile, previous_tile = (
            table_tiles[at],
            table_tiles[self.last_clicked] if 0 <= self.last_clicked < len(table_tiles) else None,
        )
        matching = [index for index, action in enumerate(self.items) if tile in tiles_of(action)]
        matching_both = [
            index for index in matching if previous_tile != tile and previous_tile in tiles_of(self.items[index])
        ]
        if matching_both:
            return KeyResult(replace(self, item=matching_both[0], last_clicked=at), act=True)
        later = [index for index in matching if previous_tile == tile and index > self.item]
        chosen = next(iter(later or matching), -1)
        if chosen < 0:
            return KeyResult(replace(self, last_clicked=at))
        return KeyResult(
            replace(self, item=chosen, last_clicked=at), act=previous_tile == tile and chosen == self.item
        )


def tiles_of(action: Action | None) -> tuple[Tile, ...]:
    """Return the tiles of the table that a move takes or moves."""
    match action:
        case Take(tiles=tiles):
            return tiles
        case Fill(tile=tile):
            return (tile,)
    return ()


def patience_choice(view: PatienceView, choice: object) -> PatienceChoice:
    """Carry a choice over to a newer view; or choose the first move."""
    return (choice if isinstance(choice, PatienceChoice) else PatienceChoice(replace(view, legal=()))).carry_to(view)
