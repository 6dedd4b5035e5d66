"""Cross: the first double gets four arms before anything else (`docs/rules` §4.14)."""

from functools import partial

from core.games.line_games import (
    BLOCKED_SCORE,
    BLOCKED_WINNER,
    HANDS,
    TARGET,
    TIE,
    collecting,
    drawing_of,
    hand_of,
    sides_of,
)
from core.games.line_games import DRAWING as LINE_DRAWING
from core.layout.hub import arms_of, owes_arms
from core.layout.line import equal_halves, opener
from core.layout.parts import Duty, Ending, Start
from core.layout.rules import LayoutRules
from core.layout.state import Goal, State
from core.options import Option, Options
from core.tiles import full_set
from core.variant import Variant
from core.words import Words, a_number, phrase, several_words

ARMS = 4


def says(state: State) -> Words:
    """What the cross still needs."""
    number = a_number(state.layout[0].out)
    return several_words(
        "The cross needs {count} more arm: play {number}.",
        "The cross needs {count} more arms: play {number}.",
        len(state.owed),
        number=number,
    )


def _build(players: int, options: Options) -> LayoutRules:
    sides = sides_of(players, options)
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=sides,
        start=Start(hand=hand_of(players, options), opener=opener("double_or_redeal")),
        meets=equal_halves,
        opens=partial(arms_of, arms=ARMS),
        ending=Ending(collecting(options, sides)),
        goal=Goal(target=int(options["target"])),
        drawing=drawing_of(options, while_owed=1),
        duty=Duty(partial(owes_arms, arms=ARMS), says),
        shape="star",
    )


_RESERVE = Option("draw.reserve", (2, 0, 1), "tiles that stay in the boneyard")

CROSS = Variant(
    id="cross",
    name="Cross",
    pitch=phrase("The highest double needs its four arms before anybody may play elsewhere."),
    brief=phrase("four arms first"),
    seats=(2, 4),
    options=(
        *(_RESERVE if option.key == "draw.reserve" else option for option in LINE_DRAWING),
        *HANDS,
        BLOCKED_WINNER,
        BLOCKED_SCORE,
        TIE,
        TARGET,
    ),
    build=_build,
)
