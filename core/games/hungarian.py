"""Hungarian: a turn is a whole run at one end, and a round outlives an empty hand (`docs/rules` §C.16)."""

from core.layout.policies import all_write, equal_halves, in_rotation, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import Drawing, End, Ending, Goal, Start, State, Turns
from core.tiles import Tile, full_set
from core.variant import Option, Options, Variant
from core.words import Going, phrase

HANDS = (12, 8, 6)
"""Tiles in a hand, for two players and more; four tiles are left."""


def turn_continues(_before: State, _after: State) -> Going:
    """After laying a tile, a player goes on until nothing fits."""
    return "fits"


def at_the_same_end(state: State, _tile: Tile, end: End) -> bool:
    """A run goes on at the end that it chose; the leader's first run may use both."""
    return not state.going or not state.turns or end.at == len(state.layout) - 1


def _build(players: int, options: Options) -> LayoutRules:
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=players,
        start=Start(hand=HANDS[players - 2], opener=in_rotation),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(all_write, until="block"),
        goal=Goal(target=int(options["target"]), lowest=True),
        drawing=Drawing(max_per_turn=0),
        turns=Turns(allows=at_the_same_end, continues=turn_continues),
    )


HUNGARIAN = Variant(
    id="hungarian",
    name=phrase("Hungarian"),
    pitch=phrase("In a turn, choose an end and go on there until nothing fits."),
    brief=phrase("long turns"),
    seats=(2, 4),
    options=(Option("target", (100, 61), "points that end the match"),),
    build=_build,
)
