"""Patience: four games for one player, each a value of one house rule (`docs/rules` §C.8)."""

from collections.abc import Callable

from msgspec.structs import replace

from core.patience.rules import (
    PatienceRules,
    captures,
    fitting_plays,
    neighbour_pairs,
    pairs_of_twelve,
    solvable_first,
)
from core.patience.state import Tableau
from core.tiles import Tile, full_set
from core.variant import Option, Options, Variant
from core.words import BadOption, phrase, words

COLUMNS, ROWS, ASIDE = 5, 5, 3
"""Of Luzon."""
HAND_SIZE = 5
ROW_SIZE, GRID_SIZE = 3, 12


def _in_columns(order: tuple[Tile, ...]) -> Tableau:
    """Deal five columns row by row from the top; the rest lies aside."""
    columns = tuple(order[column : COLUMNS * ROWS : COLUMNS] for column in range(COLUMNS))
    return Tableau((*columns, *((tile,) for tile in order[COLUMNS * ROWS :])))


def _in_hand(order: tuple[Tile, ...]) -> Tableau:
    """Start the line with the first tile, and hold five."""
    return Tableau((order[:1],), order[1 + HAND_SIZE :], tuple(sorted(order[1 : 1 + HAND_SIZE])))


def _deal_open(count: int) -> Callable[[tuple[Tile, ...]], Tableau]:
    """Return a deal of `count` tiles face up in a row or a grid."""
    return lambda order: Tableau((order[:count],), order[count:])


def _no_score(_laid: Tableau) -> int:
    return 0


REFILLS: dict[str, Callable[[Tableau], int]] = {
    "keep": lambda laid: HAND_SIZE - len(laid.hand),
    "stuck": lambda laid: 0 if fitting_plays(laid) else HAND_SIZE - len(laid.hand),
    "empty": lambda laid: 0 if laid.hand else HAND_SIZE,
}
"""Number of tiles that refill the hand of draw-five after a play, by option."""
LUZON = PatienceRules(
    full_set(6), _in_columns, lambda laid: pairs_of_twelve(laid, ASIDE), _no_score, "columns", aside=ASIDE
)
DRAW_FIVE = PatienceRules(full_set(6), _in_hand, fitting_plays, REFILLS["keep"], "line", has_hand=True)
CASTLE_ROCK = PatienceRules(full_set(6), _deal_open(ROW_SIZE), captures, _no_score, "row")
GOOD_NEIGHBORS = PatienceRules(
    full_set(12), _deal_open(GRID_SIZE), neighbour_pairs, lambda laid: GRID_SIZE - len(laid.line), "grid", spare=1
)
KINDS = {"luzon": LUZON, "draw-five": DRAW_FIVE, "castle-rock": CASTLE_ROCK, "good-neighbors": GOOD_NEIGHBORS}


def _build(_players: int, options: Options) -> PatienceRules:
    if options["pa.deals"] == "solvable" and (options["pa.game"], options["pa.refill"]) == ("draw-five", "empty"):
        raise BadOption(words("pa.deals=solvable is not possible with pa.refill=empty: hardly a deal can be solved."))
    rules = KINDS[str(options["pa.game"])]
    if rules.has_hand:
        rules = replace(rules, count_refill=REFILLS[str(options["pa.refill"])])
    return replace(rules, sift=solvable_first) if options["pa.deals"] == "solvable" else rules


PATIENCE = Variant(
    id="patience",
    name=phrase("Patience"),
    pitch=phrase(
        "Four games for one: take tiles away by twos, by captures or by neighbours, or lay them all in a line."
    ),
    brief=phrase("for one player"),
    seats=(1, 1),
    options=(
        Option("pa.game", tuple(KINDS), phrase("which of the games for one")),
        Option("pa.refill", tuple(REFILLS), phrase("when the hand of draw-five is filled up")),
        Option("pa.deals", ("any", "solvable"), phrase("which deals are dealt")),
    ),
    build=_build,
)
