"""Moon: three bid for seven tricks, each alone, and the bidder takes the widow (`docs/rules` §C.11)."""

from core.actions import Bid, Name
from core.layout.state import Goal
from core.tiles import full_set
from core.tricks.rules import TrickRules
from core.variant import Option, Options, Variant
from core.words import phrase

LADDER = tuple(Bid(points, 0) for points in (4, 5, 6, 7, 21))
"""Tricks that may be bid; 21 stands for all seven tricks and 21 points."""


def _build(players: int, options: Options) -> TrickRules:
    return TrickRules(
        tiles=tuple(tile for tile in full_set(6) if tile.low or tile.is_double),
        goal=Goal(target=int(options["target"]), winner_first=True),
        trumps=(*(Name("number", number) for number in reversed(range(7))), Name("none")),
        seats=players,
        sides=players,
        pays="own",
        ladder=LADDER,
        counts=False,
        play_out=True,
    )


MOON = Variant(
    id="moon",
    name=phrase("Moon"),
    pitch=phrase("Three alone bid for seven tricks; the bidder takes one tile more, and 21 shoots the moon."),
    brief=phrase("three bid tricks"),
    seats=(3, 3),
    options=(Option("target", (21, 15, 31), "points that end the match"),),
    build=_build,
)
