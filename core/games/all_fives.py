"""All Fives, Fives and Threes, and Five-Up: a line that scores in play (`docs/rules` §2.3, §4.6, §4.9)."""

from functools import partial

from core.games.line_games import DRAWING, OPENER, drawing_of, sides_of
from core.layout.policies import (
    AfterTie,
    Spinners,
    bonus,
    branching_ends,
    equal_halves,
    fives_and_threes,
    going_out,
    multiples,
    opener,
    subtract,
)
from core.layout.rules import LayoutRules
from core.layout.state import Drawing, Ending, Goal, Scoring, Start
from core.tiles import full_set
from core.variant import Option, Options, Variant, version_of
from core.words import BadOption, phrase, words

_OPENER_WINNER_OPTION = Option("opener", ("winner", "highest_double", "heaviest", "lot", "rotate"), OPENER.words)
_PARTNERS = DRAWING[0]
_AFTER_TIE_OPTION: Option[AfterTie] = Option(
    "af.after_tie", ("highest_double", "lot"), "who leads after a tied block", since=2, before="highest_double"
)
_SPINNERS_OPTION: Option[Spinners] = Option("af.spinner", ("first", "none", "all", "sniff"), "doubles that branch")


def _hand_size(text: object, players: int) -> int:
    """Return the hand of 2, 3 or 4 players in a choice like `7/5/5`."""
    return int(str(text).split("/")[players - 2])


def _all_fives(players: int, options: Options) -> LayoutRules:
    sides = sides_of(players, options)
    spinners = _SPINNERS_OPTION.of(options)
    subtracts_own, factor = options["af.bonus"] == "own", int(options["af.by"])
    version_1 = version_of(options) == 1
    opener_kind, after_tie = OPENER.of(options), _AFTER_TIE_OPTION.of(options)
    if after_tie == "lot" and opener_kind != "winner":
        raise BadOption(words("af.after_tie=lot needs opener=winner."))
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=sides,
        start=Start(hand=_hand_size(options["af.hand"], players), opener=opener(opener_kind, after_tie=after_tie)),
        meets=equal_halves,
        opens=partial(branching_ends, spinners=spinners),
        ending=Ending(
            partial(subtract, sides=sides, factor=factor, version_1=version_1)
            if subtracts_own
            else partial(
                bonus,
                sides=sides,
                round_each_hand=options["af.round"] == "each_hand",
                factor=factor,
                version_1=version_1,
            )
        ),
        goal=Goal(target=int(options["target"]), at_once=options["af.stop"] == "at_once"),
        drawing=drawing_of(options),
        scoring=Scoring(partial(multiples, spinners=spinners, factor=factor), claims=options["af.claim"] == "manual"),
        shape="line" if spinners == "none" else "cross",
    )


ALL_FIVES = Variant(
    id="all-fives",
    name=phrase("All Fives"),
    pitch=phrase("Make the open ends add up to a multiple of five, and score at once."),
    brief=phrase("ends add up to 5s"),
    seats=(2, 4),
    options=(
        *DRAWING,
        _OPENER_WINNER_OPTION,
        _AFTER_TIE_OPTION,
        _SPINNERS_OPTION,
        Option("af.by", (5, 3), "what scores", since=2, before=5),
        Option("af.round", ("total", "each_hand"), "rounded at the end of a round"),
        Option("af.bonus", ("winner", "own"), "pips left at the end of a round"),
        Option("af.stop", ("at_once", "round_end"), "the match ends"),
        Option("af.hand", ("7/5/5", "9/7/5", "7/6/5", "7/7/7"), "tiles for two, three, four players"),
        Option("af.claim", ("auto", "manual"), "points count"),
        Option("target", (150, 100, 200, 250, 500), "points that end the match"),
    ),
    build=_all_fives,
    changed=2,
)


def _fives_and_threes(players: int, options: Options) -> LayoutRules:
    sides = sides_of(players, options)
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=sides,
        start=Start(hand=_hand_size(options["f3.hand"], players), opener=opener(OPENER.of(options))),
        meets=equal_halves,
        opens=partial(branching_ends, spinners="none"),
        ending=Ending(
            partial(going_out, sides=sides, version_1=version_of(options) == 1),
            until="side" if sides < players else "hand",
        ),
        goal=Goal(target=int(options["target"]), at_once=True, exact=True),
        drawing=Drawing(max_per_turn=0),
        scoring=Scoring(fives_and_threes),
    )


FIVES_AND_THREES = Variant(
    id="fives-and-threes",
    name=phrase("Fives and Threes"),
    pitch=phrase("The pub game: score fives and threes at the ends; exactly 61 wins."),
    brief=phrase("the pub game"),
    seats=(2, 4),
    options=(
        _PARTNERS,
        Option("opener", ("rotate", "winner", "highest_double", "heaviest", "lot"), OPENER.words),
        Option("f3.hand", ("7/5/5", "9/5/6"), "tiles for two, three, four players"),
        Option("target", (61, 31, 121), "points that win, exactly"),
    ),
    build=_fives_and_threes,
    changed=2,
)


def _five_up(players: int, options: Options) -> LayoutRules:
    sides = sides_of(players, options)
    return LayoutRules(
        tiles=full_set(6),
        seats=players,
        sides=sides,
        start=Start(
            hand=5,
            opener=opener("lot_winner" if OPENER.of(options) == "winner" else OPENER.of(options)),
        ),
        meets=equal_halves,
        opens=partial(branching_ends, spinners="all"),
        ending=Ending(partial(subtract, sides=sides, unit=5, version_1=version_of(options) == 1)),
        goal=Goal(target=int(options["target"])),
        drawing=drawing_of(options),
        scoring=Scoring(partial(multiples, spinners="all", unit=5)),
        shape="cross",
    )


FIVE_UP = Variant(
    id="five-up",
    name=phrase("Five-Up"),
    pitch=phrase("All doubles branch, the table grows like a tree, and every five is a point."),
    brief=phrase("grows like a tree"),
    seats=(2, 4),
    options=(
        *DRAWING,
        _OPENER_WINNER_OPTION,
        Option("target", (61, 31, 100), "points that end the match"),
    ),
    build=_five_up,
    changed=2,
)
