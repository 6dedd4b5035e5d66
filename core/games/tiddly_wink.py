"""Tiddly-Wink: few tiles, one open end, and one more tile after a double (`docs/rules` §C.15)."""

from functools import partial

from core.layout.policies import collect, equal_halves, highest_double, one_end
from core.layout.rules import LayoutRules
from core.layout.state import Drawing, Ending, Goal, Start, State, Turns
from core.tiles import full_set
from core.variant import Option, Options, Variant
from core.words import Going, phrase


def after_a_double(before: State, after: State, *, leads: bool) -> Going:
    """A double may be followed by one more tile; a double that leads only if `leads`."""
    return "may" if after.layout[-1].tile.is_double and (before.layout or leads) else ""


def _build(players: int, options: Options) -> LayoutRules:
    tiles = full_set(6)
    return LayoutRules(
        tiles=tiles,
        seats=players,
        sides=players,
        start=Start(hand=len(tiles) // players if options["tw.deal"] == "all" else 3, opener=highest_double),
        meets=equal_halves,
        opens=one_end,
        ending=Ending(partial(collect, sides=players, blocked_winner="pips", blocked_score="net", tie="none")),
        goal=Goal(target=int(options["target"])),
        drawing=Drawing() if options["tw.draw"] == "until" else Drawing(max_per_turn=0),
        turns=Turns(continues=partial(after_a_double, leads=options["tw.lead_again"] == "yes")),
    )


TIDDLY_WINK = Variant(
    id="tiddly-wink",
    name=phrase("Tiddly-Wink"),
    pitch=phrase("Three tiles each and one open end: whoever lays a double may lay one tile more."),
    brief=phrase("three tiles each"),
    seats=(4, 8),
    options=(
        Option("tw.deal", (3, "all"), "tiles in each hand"),
        Option("tw.draw", ("none", "until"), "drawing from the tiles that are left"),
        Option("tw.lead_again", ("yes", "no"), "one more tile after a double that leads"),
        Option("target", (100, 50), "points that end the match"),
    ),
    build=_build,
)
