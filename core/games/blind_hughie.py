"""Blind Hughie: nobody sees their own tiles, which are turned over one by one (`docs/rules` §C.17)."""

from functools import partial

from core.layout.policies import collect, equal_halves, in_rotation, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import Drawing, Ending, Goal, RoundContext, Start, State, Turns
from core.tiles import Tile, full_set
from core.variant import Option, Options, Variant
from core.words import Going, phrase

HANDS = (14, 9, 7)
"""Tiles in a row, for two players and more; of three players' 28 tiles one is left, which starts the line."""


def first_tile(order: tuple[Tile, ...], _context: RoundContext) -> Tile:
    """Return the first tile of the layout: the one that was not dealt."""
    return order[-1]


def must_turn_over(_before: State, _after: State) -> Going:
    """After laying a tile, a player turns over the next."""
    return "must"


def _build(players: int, options: Options) -> LayoutRules:
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=players,
        start=Start(hand=HANDS[players - 2], opener=in_rotation, aside=first_tile if players == 3 else None),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(
            partial(collect, sides=players, blocked_winner="pips", blocked_score="net", tie="none"),
        ),
        goal=Goal(target=int(options["target"])),
        drawing=Drawing(max_per_turn=0),
        turns=Turns(blind=True, continues=must_turn_over),
    )


BLIND_HUGHIE = Variant(
    id="blind-hughie",
    name=phrase("Blind Hughie"),
    pitch=phrase("Nobody sees their own tiles: turn over the first, and go on as long as they fit."),
    brief=phrase("unseen hands"),
    seats=(2, 4),
    options=(Option("target", (100, 50), "points that end the match"),),
    build=_build,
)
