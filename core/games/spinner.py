"""Spinner: three toes on every double, and eleven tiles with wild halves (`docs/rules` §C.14)."""

from functools import partial

from core.games.chickenfoot import centre, feet, owed_tiles
from core.layout.policies import equal_halves, holder_or_search, own_pips, round_leader
from core.layout.rules import LayoutRules
from core.layout.state import Drawing, Duty, End, Ending, Goal, Layout, Opening, RoundContext, Start, State, Turns
from core.tiles import STAR, WILD, Hand, Tile, full_set
from core.variant import Option, Options, Variant
from core.words import Words, a_number, phrase, several_words

HIGHEST = 9
HALF_STAR = 10
"""Points of a wild half at the end of a round."""
ANY = tuple(range(HIGHEST + 1))
WILDS = (STAR, *(Tile(WILD, number) for number in ANY))
"""The tile of two wild halves, and for each number a tile with a wild half."""
ANSWERS = HIGHEST + len(WILDS)
"""Number of tiles that can be toes of a number: nine with it that are no doubles, and all wild ones."""


def fits(tile: Tile, number: int) -> tuple[int, ...]:
    """Equal halves meet, and a wild half meets every number; the player names the number of an outward wild half."""
    if tile.low != WILD:
        return equal_halves(tile, number)
    return ANY if tile.high in (WILD, number) else (tile.high,)


def is_finished(layout: Layout, index: int) -> bool:
    """Return True if no tile is left that could be a toe of a placed tile: none of its number, and no wild one."""
    number = layout[index].out
    return sum(_may_answer(placed.tile, number) for placed in layout) == ANSWERS


def _may_answer(tile: Tile, number: int) -> bool:
    return tile.low == WILD or (number in tile and not tile.is_double)


def no_double_as_toe(state: State, tile: Tile, _end: End) -> bool:
    """While toes are owed, no double may be laid."""
    return not (state.owed and tile.is_double)


def duty_text(state: State) -> Words:
    """Say which tiles the centre or a foot still needs."""
    index = state.owed[0]
    owed_count, number = state.owed.count(index), a_number(state.layout[index].out)
    if index == 0:
        return several_words(
            "The centre needs {count} more tile: {number} or a star.",
            "The centre needs {count} more tiles: {number} or a star.",
            owed_count,
            number=number,
        )
    return several_words(
        "The foot on {tile} needs {count} more toe: {number} or a star.",
        "The foot on {tile} needs {count} more toes: {number} or a star.",
        owed_count,
        tile=str(state.layout[index].tile),
        number=number,
    )


def _opener(hands: tuple[Hand, ...], context: RoundContext) -> Opening:
    """The holder of the centre lays it; if none holds it, the holder of the wildstar lays that instead."""
    leader = round_leader(len(hands), context, "winner")
    return holder_or_search(hands, centre(context, HIGHEST), leader, substitutes=(STAR,))


def _build(players: int, options: Options) -> LayoutRules:
    arms = int(options["sp.centre"])
    return LayoutRules(
        tiles=(*WILDS, *full_set(HIGHEST)),
        seats=players,
        sides=players,
        start=Start(hand=14 if players == 2 else 7, opener=_opener),
        meets=fits,
        opens=partial(feet, arms=arms, is_finished=is_finished),
        ending=Ending(partial(own_pips, zero_zero=0, star=HALF_STAR)),
        goal=Goal(rounds=int(options["sp.rounds"]), lowest=True, tie="zeros"),
        drawing=Drawing(max_per_turn=1),
        turns=Turns(allows=no_double_as_toe),
        duty=Duty(partial(owed_tiles, arms=arms), duty_text, is_finished),
        shape="feet",
    )


SPINNER = Variant(
    id="spinner",
    name=phrase("Spinner"),
    pitch=phrase("Every double needs three toes, and eleven tiles have wild halves that are any number."),
    brief=phrase("wild halves, toes"),
    seats=(2, 8),
    options=(
        Option("sp.centre", (2, 3), "tiles that the centre needs first"),
        Option("sp.rounds", (10, 5), "rounds in a match"),
    ),
    build=_build,
)
