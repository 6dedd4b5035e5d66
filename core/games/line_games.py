"""Draw and Block, and the house rules that other line games share with them (`docs/rules` §2.1, §2.2)."""

from collections.abc import Callable
from functools import partial

from core.actions import RoundOver
from core.layout.policies import (
    BlockedScore,
    BlockedTie,
    Fewest,
    NoDouble,
    OpenerKind,
    branching_ends,
    collect,
    equal_halves,
    opener,
    two_ends,
)
from core.layout.rules import LayoutRules
from core.layout.state import UNLIMITED, Drawing, Ending, Goal, Start, State
from core.tiles import full_set
from core.variant import Option, Options, Variant, version_of
from core.words import BadOption, phrase, words

HANDS = (
    Option("hand3", (5, 6, 7), "tiles for each of three players"),
    Option("hand4", (5, 7), "tiles for each of four players"),
)
OPENER: Option[OpenerKind] = Option(
    "opener", ("highest_double", "heaviest", "lot", "winner", "rotate"), "who leads a round, and with what"
)
NO_DOUBLE: Option[NoDouble] = Option("no_double", ("tile", "hand"), "what leads if nobody has a double")
SET = Option("set", (6, 9, 12, 15, 18), "the set of tiles")
BLOCKED_WINNER: Option[Fewest] = Option("blocked_winner", ("pips", "tiles"), "who wins a blocked round")
BLOCKED_SCORE: Option[BlockedScore] = Option(
    "blocked_score",
    ("net", "gross", "boneyard"),
    "what a blocked round scores",
    unless=("blocked_winner", "tiles", "gross"),
)
TIE: Option[BlockedTie] = Option(
    "tie", ("none", "last_player", "share"), "who wins a block when the lightest are equal"
)
TARGET = Option("target", (100, 50, 61, 150, 200, 250, 500), "points that end the match")
NINE_EACH = 9
"""Tiles in a hand of three players who leave out 0-0, so that all others are dealt."""

DRAWING = (
    Option("partners", ("no", "yes"), "four players as two pairs"),
    Option("draw.reserve", (0, 1, 2), "tiles that stay in the boneyard"),
    Option("draw.max", ("∞", 1, 3), "tiles drawn in one turn, at most"),
    Option("draw.voluntary", ("no", "yes"), "drawing while able to play"),
    Option("draw.drawn", ("must", "may"), "a drawn tile that fits"),
)


def sides_of(players: int, options: Options) -> int:
    """Return 2 for partners, else a side for each player. Raises BadOption for partners who are not four."""
    if options["partners"] != "yes":
        return players
    if players != 4:
        raise BadOption(words("partners=yes needs four players, not {players}.", players=players))
    return 2


def hand_of(players: int, options: Options) -> int:
    """Return the hand: seven tiles for two players, the option's number for three or four."""
    return {2: 7, 3: int(options["hand3"]), 4: int(options["hand4"])}[players]


def collecting(options: Options, sides: int) -> Callable[[State], RoundOver]:
    """Return the settlement by the options for blocked rounds."""
    return partial(
        collect,
        sides=sides,
        blocked_winner=BLOCKED_WINNER.of(options),
        blocked_score=BLOCKED_SCORE.of(options),
        tie=TIE.of(options),
        version_1=version_of(options) == 1,
    )


def drawing_of(options: Options, while_owed: int = UNLIMITED) -> Drawing:
    """Return the drawing rules of the options `draw.…`."""
    max_draw = options["draw.max"]
    return Drawing(
        max_per_turn=max_draw if isinstance(max_draw, int) else UNLIMITED,
        reserve=int(options["draw.reserve"]),
        voluntary=options["draw.voluntary"] == "yes",
        keep=options["draw.drawn"] == "may",
        while_owed=while_owed,
    )


def _line(players: int, options: Options, drawing: Drawing, sides: int, *, branching: bool = False) -> LayoutRules:
    """Return the rules of a plain line, or of a line on which all doubles branch."""
    tiles, hand = full_set(int(options["set"])), hand_of(players, options)
    return LayoutRules(
        tiles=tiles[1:] if players * hand == len(tiles) - 1 else tiles,
        seats=players,
        sides=sides,
        start=Start(
            hand=hand,
            opener=opener(OPENER.of(options), NO_DOUBLE.of(options)),
        ),
        meets=equal_halves,
        opens=partial(branching_ends, spinners="all") if branching else two_ends,
        ending=Ending(collecting(options, sides)),
        goal=Goal(target=int(options["target"])),
        drawing=drawing,
        shape="cross" if branching else "line",
    )


DRAW = Variant(
    id="draw",
    name=phrase("Draw"),
    pitch=phrase("Match the ends; when nothing fits, draw until something does."),
    brief=phrase("begin here"),
    seats=(2, 4),
    options=(
        *DRAWING,
        Option("draw.spinners", ("no", "yes"), "doubles that branch", since=2, before="no"),
        SET,
        Option("hand3", (5, 6, 7, NINE_EACH), HANDS[0].words),
        HANDS[1],
        OPENER,
        NO_DOUBLE,
        BLOCKED_WINNER,
        BLOCKED_SCORE,
        TIE,
        Option("target", (100, 50, 61, 101, 150, 200, 250, 500), TARGET.words),
    ),
    build=lambda players, options: _line(
        players,
        options,
        drawing_of(options),
        sides_of(players, options),
        branching=options["draw.spinners"] == "yes",
    ),
    changed=2,
)

BLOCK = Variant(
    id="block",
    name=phrase("Block"),
    pitch=phrase("No drawing: if you cannot play, you pass; a blocked round goes to the hand with fewest tiles."),
    brief=phrase("no drawing"),
    seats=(2, 4),
    options=(
        SET,
        *HANDS,
        OPENER,
        NO_DOUBLE,
        Option("blocked_winner", ("tiles", "pips"), "who wins a blocked round"),
        Option(
            "blocked_score",
            ("gross", "net", "boneyard"),
            "what a blocked round scores",
            unless=("blocked_winner", "pips", "net"),
        ),
        TIE,
        TARGET,
    ),
    build=lambda players, options: _line(players, options, Drawing(max_per_turn=0), players),
)
