"""Mexican Train: a train for each player from one engine, and one for all (`docs/rules` §2.4)."""

from functools import partial
from typing import Literal

from msgspec.structs import replace

from core.layout.policies import all_copies_laid, equal_halves, holder_or_search, own_pips, round_leader
from core.layout.rules import LayoutRules
from core.layout.state import (
    NOBODY,
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
    Turns,
    replace_end,
)
from core.tiles import Hand, Tile, full_set
from core.variant import RULES, Option, Options, Variant, version_of
from core.words import BadOption, Going, Words, a_number, phrase, words

DoubleRule = Literal["cover", "bonus", "chain"]
FirstTurn = Literal["one", "train"]
MexicanStart = Literal["any", "own_first", "not_first"]
"""Earliest start of the Mexican Train: at any time, after the seat's own train, or after the first turn."""


def engine(context: RoundContext, highest: int, step: int) -> Tile:
    """The engine of a round: the highest double down to 0-0, or in a short match every other."""
    number = highest - (context.round - 1) * step
    return Tile(number, number)


def train_ends(layout: Layout, ends: tuple[End, ...], target: End | None, *, seats: int) -> tuple[End, ...]:
    """The engine opens a train for every seat and the Mexican Train; each tile continues its train."""
    if target is None:
        number = layout[0].out
        own_ends = tuple(End(0, seat, number, seat) for seat in range(seats))
        return (*own_ends, End(0, seats, number, NOBODY))
    return replace_end(layout, ends, target)


def owed_tiles(layout: Layout) -> int:
    """A double must be covered; the engine need not be."""
    return int(len(layout) > 1 and layout[-1].tile.is_double)


def may_lay(state: State, _tile: Tile, end: End, *, start: MexicanStart = "any") -> bool:
    """A seat may play on its own train, the Mexican Train and marked trains; on an open double of any train."""
    if state.owed:
        return True
    seat = state.turn
    if state.going == "may":
        return end.owner == seat
    if end.owner == NOBODY and end.at == 0 and start != "any":
        if start == "not_first":
            return state.turns >= len(state.hands)
        return any(placed.on == 0 and placed.side == seat for placed in state.layout)
    return end.owner in (NOBODY, seat) or end.owner in state.open


def may_chain(state: State, tile: Tile, end: End, *, start: MexicanStart, rules: int = RULES) -> bool:
    """With `mt.double=chain`, the oldest double is answered; before covering begins, a further double may be laid.

    A draw begins the covering: nothing is laid elsewhere after it (`docs/rules` §9), except by rules of version 1.
    """
    if end.at == state.owed[0]:
        return True
    last_placed = state.layout[-1]
    is_chaining = state.going == "must" and last_placed.tile.is_double and last_placed.seat == state.turn
    if not is_chaining or (state.drawn and rules > 1) or not tile.is_double or end.at in state.owed:
        return False
    return may_lay(replace(state, owed=(), going=""), tile, end, start=start)


def turn_continues(
    before: State, after: State, *, double: DoubleRule, first_turn: FirstTurn, rules: int = RULES
) -> Going:
    """The seat that lays a double covers it; in a first turn of `train` a seat may go on along its own train.

    Laying the engine is a whole turn. By rules of version 1 it was none, and every tile of a first turn decided.
    """
    if rules > 1 and not before.layout:
        return ""
    placed = after.layout[-1]
    seat = placed.seat
    if double == "bonus" and placed.tile.is_double:
        return "must"
    if placed.tile.is_double and after.owed:
        return "must"
    if double == "chain" and before.going == "must" and after.owed:
        return "must"
    if first_turn == "train" and before.turns < len(after.hands):
        # The first tile of the turn decides; a bonus tile or a chained double elsewhere does not end it (`docs/rules`
        # §9).
        own_indexes = [index for index, laid in enumerate(after.layout) if laid.seat == seat and laid.on >= 0]
        if all(_owner(after.layout, index) == seat for index in (own_indexes if rules == 1 else own_indexes[:1])):
            return "may"
    return ""


def _owner(layout: Layout, index: int) -> int:
    """Return the owner of a placed tile's train, by the side of the engine where the train begins."""
    while layout[index].on > 0:
        index = layout[index].on
    return layout[index].side


def duty_text(state: State) -> Words:
    """Say how the double must be covered or answered."""
    tile = state.layout[state.owed[0]].tile
    if state.going:
        return words("Cover your double: play {number} on {tile}.", number=a_number(tile.low), tile=str(tile))
    return words("Answer the double first: play {number} on {tile}.", number=a_number(tile.low), tile=str(tile))


def _opener(
    hands: tuple[Hand, ...], context: RoundContext, *, is_engine_held: bool, highest: int, step: int
) -> Opening:
    leader = round_leader(len(hands), context, "rotate")
    if is_engine_held:
        return holder_or_search(hands, engine(context, highest, step), leader)
    return Opening(leader, (), "rotation")


def _hand_size(players: int, option: str, tile_count: int) -> int:
    """Return the tiles of a hand: the option's number for `players`, or fewer if the set is too small."""
    hand_up_to_4, hand_up_to_6, hand_up_to_8 = map(int, option.split("/"))
    return min(
        hand_up_to_4 if players <= 4 else hand_up_to_6 if players <= 6 else hand_up_to_8, tile_count // players
    )


def _build(players: int, options: Options) -> LayoutRules:
    highest = int(options["set"])
    step = 1 if options["mt.rounds"] == 13 else 2
    tiles = full_set(highest)
    double = _DOUBLE_OPTION.of(options)
    start = _START_OPTION.of(options)
    is_engine_held = options["mt.engine"] == "held"
    hand = _hand_size(players, str(options["mt.hand"]), len(tiles) - 1)
    rules = version_of(options)
    if rules > 1 and players * hand == len(tiles) - 1:
        raise BadOption(
            words(
                "The double-{highest} set leaves {players} players no boneyard;"
                " choose a larger set or another number of players.",
                highest=highest,
                players=players,
            )
        )
    cover = Duty(
        owed_tiles,
        duty_text,
        answered=partial(all_copies_laid, copies=highest + 1),
        allows=partial(may_chain, start=start, rules=rules) if double == "chain" else None,
    )
    return LayoutRules(
        tiles=tiles,
        seats=players,
        sides=players,
        start=Start(
            hand=hand,
            opener=partial(_opener, is_engine_held=is_engine_held, highest=highest, step=step),
            aside=None if is_engine_held else lambda _order, context: engine(context, highest, step),
        ),
        meets=equal_halves,
        opens=partial(train_ends, seats=players),
        ending=Ending(partial(own_pips, zero_zero=int(options["zero_zero"]))),
        goal=Goal(rounds=highest // step + 1, lowest=True, tie="zeros"),
        drawing=Drawing(max_per_turn=1),
        turns=Turns(
            allows=partial(may_lay, start=start),
            continues=partial(turn_continues, double=double, first_turn=_FIRST_TURN_OPTION.of(options), rules=rules),
            marks=True,
        ),
        duty=None if double == "bonus" else cover,
        shape="lanes",
    )


_DOUBLE_OPTION: Option[DoubleRule] = Option("mt.double", ("cover", "bonus", "chain"), "after a double")
_FIRST_TURN_OPTION: Option[FirstTurn] = Option("mt.first_turn", ("one", "train"), "the first turn")
_START_OPTION: Option[MexicanStart] = Option(
    "mt.start", ("any", "own_first", "not_first"), "when the Mexican Train may be started"
)

MEXICAN_TRAIN = Variant(
    id="mexican-train",
    name=phrase("Mexican Train"),
    pitch=phrase("A train each and one for all; if you cannot move, others may ride yours."),
    brief=phrase("trains for all"),
    seats=(2, 8),
    options=(
        _DOUBLE_OPTION,
        _FIRST_TURN_OPTION,
        Option("mt.hand", ("15/12/10", "15/12/11"), "tiles for up to four, six, eight players"),
        Option("mt.engine", ("aside", "held"), "the engine"),
        _START_OPTION,
        Option("mt.rounds", (13, 7), "rounds in a match"),
        Option("set", (12, 9, 15, 18), "the set of tiles"),
        Option("zero_zero", (0, 25, 50), "what the double blank counts"),
    ),
    build=_build,
    changed=2,
)
