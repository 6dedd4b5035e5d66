"""Matador: touching halves add up, and matadors go anywhere (`docs/rules` §2.7)."""

from functools import cache, partial

from core.games.line_games import (
    BLOCKED_SCORE,
    BLOCKED_WINNER,
    DRAWING,
    OPENER,
    TARGET,
    TIE,
    collecting,
    drawing_of,
    sides_of,
)
from core.layout.policies import opener, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import Drawing, Ending, Goal, Meets, Start
from core.tiles import Tile, full_set
from core.variant import Option, Options, Variant
from core.words import phrase


def is_matador(tile: Tile, total: int) -> bool:
    """Return True for the double blank, and for every tile whose own pips are the total."""
    return tile.pips in (0, total)


def complete_sum(tile: Tile, number: int, *, total: int) -> tuple[int, ...]:
    """Touching halves add up to the total; a matador fits any end, either way round."""
    low, high = tile
    if is_matador(tile, total):
        return (low,) if low == high else (low, high)
    other_half = total - number
    if low == other_half:
        return (high,)
    return (low,) if high == other_half else ()


@cache
def _adding_up(total: int) -> Meets:
    """Return one function for each total, so that matches share its lookup tables (`core.layout.state`)."""
    return partial(complete_sum, total=total)


def _hand_size(option: object, players: int) -> int:
    return int(str(option).split("/")[players - 2]) if "/" in str(option) else int(str(option))


def _build(players: int, options: Options) -> LayoutRules:
    total = int(options["mat.sum"])
    tiles = full_set(total - 1)
    sides = sides_of(players, options)
    drawing = drawing_of(options) if options["mat.draw"] == "yes" else Drawing(max_per_turn=0)
    spares = tuple(tile for tile in tiles if is_matador(tile, total)) if options["mat.matador_forced"] == "no" else ()
    return LayoutRules(
        tiles=tiles,
        seats=players,
        sides=sides,
        start=Start(hand=_hand_size(options["mat.hand"], players), opener=opener(OPENER.of(options))),
        meets=_adding_up(total),
        opens=two_ends,
        ending=Ending(collecting(options, sides)),
        goal=Goal(target=int(options["target"])),
        drawing=Drawing(drawing.max_per_turn, drawing.reserve, drawing.voluntary, drawing.keep, spares=spares),
        shape="inline",
    )


MATADOR = Variant(
    id="matador",
    name=phrase("Matador"),
    pitch=phrase("Touching ends add up to seven; a matador fits any end."),
    brief=phrase("ends add up to 7"),
    seats=(2, 4),
    options=(
        Option("mat.sum", (7, 10, 13), "what touching ends add up to"),
        Option("mat.matador_forced", ("no", "yes"), "a matador must be played if no other fits"),
        Option("mat.hand", ("7/6/5", "7", "5"), "tiles for two, three, four players"),
        Option("mat.draw", ("yes", "none"), "drawing"),
        *DRAWING,
        OPENER,
        BLOCKED_WINNER,
        BLOCKED_SCORE,
        TIE,
        TARGET,
    ),
    build=_build,
    changed=2,
)
