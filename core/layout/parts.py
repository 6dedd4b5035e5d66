"""The parts of layout rules: a small value for each aspect of a game; and what fits, and which deals are void."""

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal

from msgspec import Struct

from core.actions import RoundOver, Scored
from core.bounds import HIGHEST
from core.layout.state import NOBODY, Before, End, Layout, Opening, State
from core.tiles import WILD, Hand, Tile
from core.vocabulary import Going, ScoreReason
from core.words import Words

Meets = Callable[[Tile, int], tuple[int, ...]]
"""The numbers that a tile can turn outward when laid on an end that shows a number; none when it does not fit."""
Fitting = dict[Tile, tuple[int, ...]]
"""The tiles that fit on an end, with the numbers that each can turn outward there."""
Ways = dict[Tile, tuple[tuple[int, int], ...]]
"""The tiles that fit on one of two ends, with every way to lay each: on which of them, and what it turns outward."""


class Fits(Struct, frozen=True, eq=False):
    """What fits, to be looked up. It is equal only to itself."""

    on_end: dict[int, Fitting]
    """By the number that an end shows."""
    on_line: Callable[[int, int], Ways]
    """By the numbers that both ends of a line show: one look for a tile instead of two."""
    equals: bool
    """Whether some tiles of the set are equal."""


UNKNOWN = Fits({}, lambda _left, _right: {}, equals=False)
"""Stands for what is not worked out yet."""
KEPT = 32
"""Tables kept at a time: more than our games need, and few should a game make its `meets` anew for each match. A
table fills up to 0.3 MiB for double-six, and to about 4 for double-eighteen."""


@lru_cache(KEPT)
def fits_of(meets: Meets, tiles: tuple[Tile, ...]) -> Fits:
    """Return the tables for a set, which all matches share whose games have the same `meets`."""
    numbers = range(WILD, HIGHEST + 1)
    on_end = {shown: {tile: outs for tile in tiles if (outs := meets(tile, shown))} for shown in numbers}

    @cache
    def on_line(left: int, right: int) -> Ways:
        on = (on_end[left], on_end[right])
        tiles = on[0] | on[1]
        return {tile: tuple([(at, out) for at in (0, 1) for out in on[at].get(tile, ())]) for tile in tiles}

    return Fits(on_end, on_line, len(set(tiles)) < len(tiles))


UNLIMITED = 10**6
"""More draws than any set has tiles."""

Opens = Callable[[Layout, tuple[End, ...], End | None], tuple[End, ...]]
"""The open ends once the last tile of a layout was laid, from those before and the one of these that it was laid on;
None for a first tile."""
Earns = Callable[[State], tuple[int, tuple[int, ...]]]
Allows = Callable[[State, Tile, End], bool]
Awards = Callable[[State], tuple[Scored, ...]]
Answered = Callable[[Layout, int], bool]
Until = Literal["hand", "side", "block"]
"""What ends a round: the first empty hand, the empty hands of a whole side, or nothing but that nobody can play.
Seats without tiles are skipped where others play on."""
StuckEnds = Literal["", "turn", "always"]
"""When a seat that cannot play and may not draw ends the round, whatever others hold: never, in a turn in which it
has not drawn, or always."""


class Start(Struct, frozen=True):
    """How a round starts."""

    hand: int
    """Tiles dealt to each seat."""
    opener: Callable[[tuple[Hand, ...], Before], Opening]
    """Who begins, and with what."""
    aside: Callable[[tuple[Tile, ...], Before], Tile | None] | None = None
    """The tile that lies on the table from the start; taken out of the shuffled set before the hands."""
    brings: Callable[[tuple[Hand, ...]], tuple[Scored, ...]] | None = None
    """The points that the hands bring as soon as they are dealt, to whom and why; most bring none."""


class Drawing(Struct, frozen=True):
    """When and how much a seat may draw."""

    most: int = UNLIMITED
    """Tiles in one turn; 0 if there is no drawing."""
    reserve: int = 0
    """Tiles that always stay in the boneyard."""
    voluntary: bool = False
    """Whether a seat that can play may draw first, one tile at a time."""
    keep: bool = False
    """Whether a seat that was stuck and drew a fitting tile may keep it and pass."""
    while_owed: int = UNLIMITED
    """Tiles in one turn while something must be answered first."""
    spares: tuple[Tile, ...] = ()
    """Tiles that need never be played while one may draw: a matador's choice."""
    ends: StuckEnds = ""


class Turns(Struct, frozen=True):
    """What a seat may do in its turn besides matching an end, and whether its turn goes on."""

    allows: Allows | None = None
    """Whether the seat on turn may lay a tile on an end that it fits: whose train it is, and the like."""
    again: Callable[[State, State], Going] | None = None
    """From the moments before and after a play, whether the same seat goes on: `must`, `may`, `fits` (it must, as
    long as something fits), or empty for no."""
    marks: bool = False
    """Whether a pass opens one's own train, and a play there closes it again."""
    sheds: bool = False
    """Whether a seat that cannot play lays a tile of its hand face down instead of passing."""
    blind: bool = False
    """Whether nobody sees their own tiles: a hand is a row in the order dealt, of which the first tile is turned over
    in its seat's turn, and laid, or put to the end of the row instead of passing."""
    awards: Awards | None = None
    """From the moment before a pass, the points that it brings, to whom and why; most passes bring none."""


class Duty(Struct, frozen=True):
    """What must be laid before anything else: the cover of a double, the toes of a foot, the arms of a centre."""

    owes: Callable[[Layout], int]
    """How many tiles must be laid on the last tile of the layout before all else."""
    says: Callable[[State], Words]
    """What is asked for while something is owed."""
    answered: Answered | None = None
    """Whether nothing that is still off the table could answer the tile at an index."""
    any_order: bool = False
    """Whether what is owed may be answered in any order; else the oldest debt comes first."""
    allows: Allows | None = None
    """Replaces `Turns.allows` while something is owed, if plays other than answers may be allowed then."""
    meets: Meets | None = None
    """Replaces `LayoutRules.meets` while something is owed, if not all that fits is an answer."""


class Scoring(Struct, frozen=True):
    """Points in play."""

    earns: Earns
    """Points that the last play makes, and the numbers that they come from. It is asked about the table, what was
    scored, and what was before the round; hands and turn may still be those before the play."""
    claims: bool = False
    """Whether points must be claimed, and can be snatched by the other side."""
    call: ScoreReason = ""
    """What is called out when a play makes points; empty for nothing."""


class Ending(Struct, frozen=True):
    """When a round is over, and what it is worth."""

    pays: Callable[[State], RoundOver]
    """Settles a round from its last state."""
    until: Until = "hand"
    looks_back: bool = False
    """Whether `pays` needs every earlier moment of the round."""


Opener = Callable[[tuple[Hand, ...], Before], Opening]


def fair_hands(
    hands: tuple[Hand, ...], before: Before, *, opener: Opener, doubles: int = 0, alike: int = 0
) -> Opening:
    """Deal again if a hand has so many doubles, or so many tiles with one number; else `opener` says who leads.

    Nought is for any number.
    """
    if doubles and any(doubles_in(hand) >= doubles for hand in hands):
        return Opening(NOBODY, (), "doubles")
    if alike and any(commonest(hand)[1] >= alike for hand in hands):
        return Opening(NOBODY, (), "alike")
    return opener(hands, before)


def doubles_in(hand: Hand) -> int:
    """How many doubles a hand has."""
    return sum(tile.is_double for tile in hand)


def commonest(hand: Hand) -> tuple[int, int]:
    """The number that is on most tiles of a hand, the highest of several, and on how many."""
    on = Counter(number for tile in hand for number in set(tile))
    number = max(on, key=lambda number: (on[number], number), default=0)
    return number, on[number]
