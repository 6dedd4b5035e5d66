"""The knowledge that every bot starts from: the rules of the match, its round, and the public course of the round."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from msgspec.structs import replace

from core.actions import Drew, Event, Led, Passed, Play, Played, PutDown, Tucked
from core.games import GAMES
from core.layout.rules import LayoutRules, legal_plays
from core.layout.state import NOBODY, LayoutView, Opening, PlacedTile, RoundContext, State
from core.match import MatchView
from core.tiles import Tile
from core.variant import AnyView, Rules, Value

Fits = dict[Tile, frozenset[int]]
"""The numbers that each tile of a set may be laid on."""
_Match = tuple[str, int, tuple[tuple[str, Value], ...]]


def round_of(view: MatchView) -> AnyView:
    """Return the current round of a view. Raises ValueError before the first deal."""
    if view.play is None:
        raise ValueError("A bot was asked although nothing was dealt.")
    return view.play


def rules_of(view: MatchView) -> Rules:
    """Return the rules of the match that a seat sees."""
    return _rules(_match(view))


def round_context_of(view: MatchView) -> RoundContext:
    """Return the context in which the round began, as far as a view shows it.

    The lot is not known, the leader is that of the round itself, and the scores are the present ones.
    """
    return RoundContext(NOBODY, view.leader, view.winner, view.round, view.scores, view.carry)


def fits_of(view: MatchView) -> Fits:
    """Return the numbers on which each tile fits in a layout game, apart from the first tile, whose ends may be
    special.
    """
    return _fits(_match(view))


def _match(view: MatchView) -> _Match:
    return view.game, view.players, tuple(view.options.items())


@lru_cache(maxsize=64)
def _rules(match: _Match) -> Rules:
    game, players, options = match
    return GAMES[game].rules(players, dict(options))[1]


@lru_cache(maxsize=64)
def _fits(match: _Match) -> Fits:
    rules = cast("LayoutRules", _rules(match))
    fitting_by_number = {pips: rules.fits.on_end[pips] for pips in range(rules.tiles[-1].high + 1)}
    return {
        tile: frozenset([pips for pips, fitting in fitting_by_number.items() if tile in fitting])
        for tile in set(rules.tiles)
    }


class ObservedEvent(NamedTuple):
    """An event of a round, and the table just before it."""

    event: Event
    table: State
    """The seat of the event is on turn. The hands are not the true ones: every hand holds the whole set."""


def playable_tiles(rules: LayoutRules, table: State) -> frozenset[Tile]:
    """Return the tiles of the set that the seat on turn could lay if it held them."""
    return frozenset(play.tile for play in legal_plays(rules, table))


def observed_events(
    rules: LayoutRules, view: LayoutView, history: tuple[Event, ...], context: RoundContext
) -> Iterator[ObservedEvent]:
    """Yield the events since the deal in which a seat acted, from `history`.

    A turn that ended by itself because nothing fitted is a pass here. `context` is that at the start of the round.
    """
    hands = (rules.tiles,) * rules.seats
    layout = iter(view.layout)
    drawn = sum(event.count for event in history if isinstance(event, Drew))
    opening = Opening(context.leader, (), "rotation")
    table = State(hands, rules.tiles[: view.boneyard + drawn], (), (), NOBODY, opening, context)
    if view.layout and view.layout[0].seat == NOBODY:
        start_layout = (next(layout),)
        owed = (0,) * rules.duty.owed(start_layout) if rules.duty else ()
        table = replace(table, layout=start_layout, ends=rules.opens(start_layout, (), None), owed=owed)
    for event in history:
        if isinstance(event, Led | Played | Drew | Passed | PutDown | Tucked):
            if table.turn != event.seat or _has_ended_by_itself(rules, table, event):
                if table.going in ("may", "fits"):
                    pass_event = Passed(table.turn, "no_drawing")
                    yield ObservedEvent(pass_event, table)
                    table = _table_after(rules, table, pass_event, layout)
                table = replace(table, turn=event.seat, drawn=0, stuck=False, going="")
            yield ObservedEvent(event, table)
            table = replace(_table_after(rules, table, event, layout), hands=hands, pending=None)


def _has_ended_by_itself(rules: LayoutRules, table: State, event: Event) -> bool:
    """True if a play ended the turn because nothing else fitted, and the same seat is on turn again because no other
    seat has tiles.
    """
    return table.going == "fits" and isinstance(event, Played) and event.tile not in playable_tiles(rules, table)


def _table_after(
    rules: LayoutRules,
    table: State,
    event: Led | Played | Drew | Passed | PutDown | Tucked,
    layout: Iterator[PlacedTile],
) -> State:
    match event:
        case Led() | Played():
            placed = next(layout)
            after, _ = rules.apply_play(table, Play(placed.tile, placed.on, placed.side, placed.out))
            return after
        case Drew(count=count):
            stuck = table.stuck or event.forced
            return replace(table, boneyard=table.boneyard[count:], drawn=table.drawn + count, stuck=stuck)
        case PutDown() | Tucked():
            return replace(table, turns=table.turns + 1, turn=NOBODY)
        case Passed(opened=opened):
            open_trains = {*table.open, event.seat} if opened else table.open
            return replace(table, open=tuple(sorted(open_trains)), turns=table.turns + 1, turn=NOBODY)
