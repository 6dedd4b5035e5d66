"""Gaple: the game of Indonesia, in which everybody writes their own pips and 101 loses (`docs/rules` §4.2)."""

from functools import partial

from core.layout.policies import equal_halves, loser_scores, opener, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import Drawing, Ending, Goal, Start, fair_hands
from core.tiles import full_set
from core.variant import Option, Options, Variant
from core.words import phrase


def _build(players: int, options: Options) -> LayoutRules:
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=players,
        start=Start(
            hand=int(options["ga.two"]) if players == 2 else 7,
            opener=partial(fair_hands, opener=opener("winner"), doubles=int(options["ga.redeal"])),
        ),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(partial(loser_scores, block="gaple")),
        goal=Goal(target=int(options["target"]), lowest=True),
        drawing=Drawing() if options["ga.draw"] == "until" else Drawing(max_per_turn=0),
    )


GAPLE = Variant(
    id="gaple",
    name=phrase("Gaple"),
    pitch=phrase("The game of Indonesia: whoever loses a round writes down their own pips; 101 loses the match."),
    brief=phrase("lose at 101"),
    seats=(2, 4),
    options=(
        Option("ga.draw", ("until", "none"), "drawing, for two or three players"),
        Option("ga.two", (7, 14), "tiles for each of two players"),
        Option("ga.redeal", (6, 5, 0), "doubles in a hand that is dealt again"),
        Option("target", (101, 100, 150), "points that end the match"),
    ),
    build=_build,
)
