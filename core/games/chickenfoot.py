"""Chickenfoot: four arms from the centre, and three toes on every double (`docs/rules` §2.5)."""

from functools import partial

from core.layout.policies import all_copies_laid, equal_halves, holder_or_search, own_pips, round_leader
from core.layout.rules import LayoutRules
from core.layout.state import (
    UNLIMITED,
    Answered,
    Drawing,
    Duty,
    End,
    Ending,
    Goal,
    Layout,
    Opening,
    RoundContext,
    Start,
    State,
)
from core.tiles import Hand, Tile, full_set
from core.variant import Option, Options, Variant
from core.words import BadOption, Words, a_number, phrase, several_words, words

TOES = (1, 4, 5)
"""The sides of a double where its toes go."""
_HANDS = (21, 14, 11, 8, 7, 6, 5)
"""Tiles of a hand by number of players, from two."""
_SMALL, _SMALL_SEATS, _SMALL_HAND = 6, 3, 5
"""The double-six set, its most players, and their hand."""


def centre(context: RoundContext, highest: int) -> Tile:
    """The centre of a round: the highest double down to 0-0."""
    number = highest - (context.round - 1)
    return Tile(number, number)


def feet(
    layout: Layout, ends: tuple[End, ...], target: End | None, *, arms: int, is_finished: Answered | None
) -> tuple[End, ...]:
    """The centre opens its arms, a double three toes, any other tile its outer half.

    A foot that is finished, as no tile is left for it, has no more toes.
    """
    index = len(layout) - 1
    placed = layout[-1]
    sides = range(arms) if target is None else TOES if placed.tile.is_double else (1,)
    new_ends = tuple(End(index, side, placed.out) for side in sides)
    ends = tuple([end for end in ends if end is not target]) + new_ends
    if is_finished is None:
        return ends
    return tuple([end for end in ends if not (_is_foot(layout, end.at) and is_finished(layout, end.at))])


def _is_foot(layout: Layout, index: int) -> bool:
    return index == 0 or layout[index].tile.is_double


def owed_tiles(layout: Layout, *, arms: int) -> int:
    """The centre is owed all its arms, every other double three toes."""
    if len(layout) == 1:
        return arms
    return len(TOES) if layout[-1].tile.is_double else 0


def duty_text(state: State) -> Words:
    """Say which tiles the centre or a foot still needs."""
    tile = state.layout[state.owed[0]].tile
    owed_count = state.owed.count(state.owed[0])
    if state.owed[0] == 0:
        return several_words(
            "The centre needs {count} more tile: play {number}.",
            "The centre needs {count} more tiles: play {number}.",
            owed_count,
            number=a_number(tile.low),
        )
    return several_words(
        "The foot on {tile} needs {count} more toe: play {number}.",
        "The foot on {tile} needs {count} more toes: play {number}.",
        owed_count,
        tile=str(tile),
        number=a_number(tile.low),
    )


def _opener(hands: tuple[Hand, ...], context: RoundContext, *, is_centre_held: bool, highest: int) -> Opening:
    leader = round_leader(len(hands), context, "winner" if is_centre_held else "rotate")
    if is_centre_held:
        return holder_or_search(hands, centre(context, highest), leader)
    return Opening(leader, (), "rotation")


def _build(players: int, options: Options) -> LayoutRules:
    arms = int(options["cf.arms"])
    highest = int(options["set"])
    is_small_set = highest == _SMALL
    if is_small_set and players > _SMALL_SEATS:
        raise BadOption(words("The double-six set is for two or three players; choose a larger one."))
    tiles = full_set(highest)
    is_centre_held = options["cf.center"] == "held"
    is_finished = partial(all_copies_laid, copies=highest + 1) if options["cf.short_foot"] == "finish" else None
    return LayoutRules(
        tiles=tiles,
        seats=players,
        sides=players,
        start=Start(
            hand=_SMALL_HAND if is_small_set else _HANDS[players - 2],
            opener=partial(_opener, is_centre_held=is_centre_held, highest=highest),
            aside=None if is_centre_held else lambda _order, context: centre(context, highest),
        ),
        meets=equal_halves,
        opens=partial(feet, arms=arms, is_finished=is_finished),
        ending=Ending(
            partial(own_pips, zero_zero=int(options["zero_zero"]), blank_half=int(options["cf.blank_half"]))
        ),
        goal=Goal(rounds=highest + 1, lowest=True, tie="zeros"),
        drawing=Drawing(
            max_per_turn=1 if options["cf.draw"] == "one" else UNLIMITED,
            ends="turn" if options["cf.yard_empty"] == "end_round" else "",
        ),
        duty=Duty(partial(owed_tiles, arms=arms), duty_text, is_finished),
        shape="feet",
    )


CHICKENFOOT = Variant(
    id="chickenfoot",
    name=phrase("Chickenfoot"),
    pitch=phrase("Every double needs three toes before anybody may play elsewhere."),
    brief=phrase("doubles grow toes"),
    seats=(2, 8),
    options=(
        Option("cf.arms", (4, 6, 8), "arms of the centre"),
        Option("cf.center", ("held", "aside"), "the centre"),
        Option("cf.draw", ("one", "until"), "what a stuck player draws"),
        Option("cf.short_foot", ("finish", "block"), "a foot that no tile is left for"),
        Option("cf.yard_empty", ("pass", "end_round"), "stuck with the boneyard empty"),
        Option("zero_zero", (50, 25, 0), "what the double blank counts"),
        Option("cf.blank_half", (0, 25), "what a blank half counts in addition", since=2, before=0),
        Option("set", (9, 6, 12, 15, 18), "the set of tiles"),
    ),
    build=_build,
)
