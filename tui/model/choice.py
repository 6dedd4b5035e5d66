"""The choice of a player in a layout game, as a value: a tile and, if there are several, an end.

Every choice comes from `view.legal`, so an illegal action cannot be built.
"""

from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Claim, Draw, Pass, Play, Shed, Silent, Tuck
from core.layout.state import LayoutView
from core.prompts import why_not
from core.tiles import Tile
from core.variant import AnyView
from core.words import Words, a_number, words


class AnyChoice:
    """The choice of a player, as a value; everything in it comes from `view.legal`.

    Families of games override the defaults.
    """

    __slots__ = ()

    @property
    def view(self) -> AnyView:
        """The player's view of the round."""
        raise NotImplementedError

    @property
    def tile(self) -> int:
        """Index of the chosen tile in the hand."""
        raise NotImplementedError

    @property
    def picked(self) -> tuple[int, ...]:
        """Indexes of the tiles picked to be laid together; empty in games where tiles are laid one at a time."""
        return ()

    @property
    def items(self) -> tuple[Action, ...]:
        """The list to choose from; empty while tiles are laid."""
        return ()

    @property
    def plays(self) -> tuple[Action, ...]:
        """All plays of the chosen tile."""
        raise NotImplementedError

    @property
    def playable(self) -> tuple[int, ...]:
        """Indexes of the tiles that can be played."""
        raise NotImplementedError

    @property
    def action(self) -> Action | None:
        """The action that Enter does."""
        raise NotImplementedError

    @property
    def can_draw(self) -> bool:
        """True if drawing is legal now."""
        return False

    @property
    def refusal(self) -> Action | None:
        """The action that declines, such as a pass; None if no such action is legal."""
        return None

    @property
    def hints(self) -> tuple[str, ...]:
        """Names of the table's keys that are useful now, the most useful first."""
        raise NotImplementedError

    def with_action(self, action: Action) -> "AnyChoice":
        """Return this choice with a legal action chosen, as if by the player; unchanged for any other action."""
        raise NotImplementedError

    def move(self, step: int) -> "AnyChoice":
        """Choose the next tile or item."""
        raise NotImplementedError

    def turn(self, step: int) -> "AnyChoice":
        """Choose the next play of the tile, or the next item."""
        raise NotImplementedError

    def question(self) -> "AnyChoice | None":
        """Return this choice with the question that must be answered first; None if there is none."""
        return None

    def back(self) -> "AnyChoice | None":
        """Return this choice with its question closed; None if no question is open."""
        return None

    def press(self, key: str) -> "KeyResult | None":
        """Return the result of a key; None if the key means nothing here."""
        raise NotImplementedError

    def click(self, at: int, side: int, /, *, in_hand: bool) -> "KeyResult":
        """Return the result of a click, on a tile of the hand or on the table."""
        raise NotImplementedError

    def choose_or_play(self, chosen: "AnyChoice") -> "KeyResult":
        """Choose `chosen`; choosing it a second time plays it."""
        return KeyResult(chosen, act=chosen == self and self.action is not None)


class KeyResult(NamedTuple):
    """The result of a key or a click; without values, it had no effect."""

    choice: AnyChoice | None = None
    """The new choice."""
    act: bool = False
    """True to play at once: `choice` was already chosen."""
    refusal: Words | None = None
    """Reason why the key or click cannot choose anything."""


TILE_KEYS = "1234567890"
"""Keys of the first tiles."""
END_KEYS = "abcdefgijklmno"
"""Keys of the ends, in the order of the view. Keys of the table screen avoid these."""


class Choice(AnyChoice, Struct, frozen=True, dict=True):
    """A tile of the hand, an end that it fits, and the number that lies outward, each by its index."""

    view: LayoutView
    tile: int = 0
    end_index: int = 0
    outward_index: int = 0
    asks_outward: bool = False
    """True while the player is asked which number shall lie outward."""

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        return self.plays_of(self.tile) if self.view.hand else ()

    def plays_of(self, tile: int) -> tuple[Play, ...]:
        """Return all plays of a tile of the hand, given by its index."""
        return tuple(self.plays_by_tile.get(self.view.hand[tile], ()))

    @cached_property
    def plays_by_tile(self) -> dict[Tile, list[Play]]:
        """All plays by tile, for the tiles that can be played."""
        plays: dict[Tile, list[Play]] = {}
        for action in self.view.legal:
            if isinstance(action, Play):
                plays.setdefault(action.tile, []).append(action)
        return plays

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The ends that the chosen tile fits, each as tile and side."""
        return tuple(dict.fromkeys((play.at, play.side) for play in self.plays))

    @cached_property
    def outward_plays(self) -> tuple[Play, ...]:
        """The plays at the chosen end: more than one if the player may choose the number that lies outward."""
        if not self.plays:
            return ()
        place = self.places[self.end_index % len(self.places)]
        return tuple(play for play in self.plays if (play.at, play.side) == place)

    @cached_property
    def play(self) -> Play | None:
        """The chosen play; None if the chosen tile cannot be played."""
        return self.outward_plays[self.outward_index % len(self.outward_plays)] if self.outward_plays else None

    @cached_property
    def playable(self) -> tuple[int, ...]:
        hand, legal = self.view.hand, self.view.legal
        return tuple(index for index in range(len(hand)) if self.plays_of(index) or Shed(hand[index]) in legal)

    @property
    def shed(self) -> Shed | None:
        """The action that lays the chosen tile face down; None if it is not legal."""
        shed = Shed(self.view.hand[self.tile]) if self.view.hand else None
        return shed if shed in self.view.legal else None

    @property
    def action(self) -> Action | None:
        """The action that Enter does: the chosen play, a claim, or the only legal action; else None."""
        if self.play or self.shed:
            return self.play or self.shed
        if Claim() in self.view.legal:
            return Claim()
        return self.view.legal[0] if len(self.view.legal) == 1 and not self.plays and not self.playable else None

    @property
    def can_draw(self) -> bool:
        return Draw() in self.view.legal

    @property
    def refusal(self) -> Action | None:
        """The action that declines: a pass, the end of the row, or silence about points; None if none is legal."""
        return next((action for action in self.view.legal if isinstance(action, Pass | Tuck | Silent)), None)

    @property
    def hints(self) -> tuple[str, ...]:
        if not self.playable:
            return ()
        return (
            ("tile(1)",) * (len(self.playable) > 1) + ("end(1)",) * (len(self.places) > 1) + ("draw",) * self.can_draw
        )

    def carry_to(self, view: LayoutView) -> "Choice":
        """Carry the choice over to a newer view: keep the tile if it is still playable, else choose another."""
        held_tile = self.view.hand[self.tile] if self.tile < len(self.view.hand) else None
        new_choice = Choice(view)
        if held_tile in view.hand and (view.hand.index(held_tile) in new_choice.playable or not new_choice.playable):
            return Choice(view, view.hand.index(held_tile))
        return replace(new_choice, tile=next(iter(new_choice.playable), 0))

    def with_action(self, action: Action) -> "Choice":
        """Choose the tile, end and number of a play, or the tile to lay face down; ignore other actions."""
        if isinstance(action, Shed) and action in self.view.legal:
            return Choice(self.view, self.view.hand.index(action.tile))
        if not isinstance(action, Play) or action.tile not in self.view.hand:
            return self
        chosen = Choice(self.view, self.view.hand.index(action.tile)).choose_end(action.at, action.side)
        return (chosen and chosen.with_outward(action.out)) or self

    def pick(self, tile: int) -> "Choice":
        """Choose a tile by its index; ignore an index out of range."""
        if not 0 <= tile < len(self.view.hand):
            return self
        picked = Choice(self.view, tile)
        vars(picked).update(plays_by_tile=self.plays_by_tile, playable=self.playable)  # both depend on the view alone
        return picked

    def move(self, step: int) -> "Choice":
        """Choose the next tile to the right or left, wrapping around; or the next number."""
        if self.asks_outward:
            return self.turn_outward(step)
        count = len(self.view.hand)
        return self.pick((self.tile + step) % count) if count else self

    def turn(self, step: int) -> "Choice":
        """Choose the next end for the tile, or the next number."""
        if self.asks_outward:
            return self.turn_outward(step)
        return Choice(self.view, self.tile, (self.end_index + step) % len(self.places)) if self.plays else self

    def choose_end(self, at: int, side: int) -> "Choice | None":
        """Choose the end at a side of a placed tile; None if the chosen tile does not fit there."""
        if (at, side) not in self.places:
            return None
        return Choice(self.view, self.tile, self.places.index((at, side)))

    def ask_outward(self) -> "Choice":
        """Ask which number shall lie outward."""
        return replace(self, asks_outward=True)

    def question(self) -> "Choice | None":
        """Ask which number shall lie outward; return None if only one can, or if the question is already open."""
        return self.ask_outward() if len(self.outward_plays) > 1 and not self.asks_outward else None

    def back(self) -> "Choice | None":
        """Close the question; return None if it is not open."""
        return Choice(self.view, self.tile) if self.asks_outward else None

    def turn_outward(self, step: int) -> "Choice":
        """Turn outward the next number that may lie there."""
        return (
            replace(self, outward_index=(self.outward_index + step) % len(self.outward_plays))
            if self.outward_plays
            else self
        )

    def with_outward(self, pips: int) -> "Choice | None":
        """Turn the number `pips` outward; return None if it cannot lie outward here."""
        return next(
            (replace(self, outward_index=n) for n, play in enumerate(self.outward_plays) if play.out == pips), None
        )

    def press(self, key: str) -> KeyResult | None:
        """Choose a tile, or the number asked for, by a digit, an end by a letter; the same key again plays it."""
        if self.asks_outward and key.isdecimal() and key.isascii():
            return self._face_pips(int(key))
        if key in TILE_KEYS:
            return self._choose_tile(TILE_KEYS.index(key))
        if key in END_KEYS and END_KEYS.index(key) < len(self.view.ends):
            end = self.view.ends[END_KEYS.index(key)]
            return self._choose_end(end.at, end.side)
        return None

    def click(self, index: int, side: int, /, *, in_hand: bool) -> KeyResult:
        """Choose a tile of the hand, or an end; a second click plays it."""
        if in_hand:
            return self._choose_tile(index)
        return self._choose_end(index, side) if side >= 0 else KeyResult()

    def _face_pips(self, pips: int) -> KeyResult:
        turned_choice = self.with_outward(pips)
        if turned_choice is None:
            tile = str(self.view.hand[self.tile])
            return KeyResult(refusal=words("{tile} cannot show {number}.", tile=tile, number=a_number(pips)))
        return KeyResult(turned_choice, act=True)

    def _choose_tile(self, tile: int) -> KeyResult:
        if tile == self.tile and (self.play or self.shed):
            return KeyResult(self, act=True)
        return KeyResult(self.pick(tile))

    def _choose_end(self, at: int, side: int) -> KeyResult:
        chosen = self.choose_end(at, side)
        if chosen is not None:
            return KeyResult(chosen, act=chosen == self)
        if not self.view.hand:
            return KeyResult()
        tile = self.view.hand[self.tile]
        if not self.plays:
            return KeyResult(refusal=why_not(self.view, tile))
        end_pips = next((end.pips for end in self.view.ends if (end.at, end.side) == (at, side)), None)
        if end_pips is None:  # it was an end when it was clicked, and has been covered since
            return KeyResult()
        return KeyResult(refusal=words("{tile} does not fit the {on}.", tile=str(tile), on=end_pips))


def layout_choice(view: LayoutView, choice: object) -> Choice:
    """Carry a choice over to a newer view; or choose the first playable tile."""
    return (choice if isinstance(choice, Choice) else Choice(view)).carry_to(view)
