"""Checks the messages of an untrusted host: cleans text, and raises WireError if no honest host would send them.

Screens rely on valid messages: every seat number exists, a layout is a tree. This module ensures it for hosts that
run other programs. The type of a number bounds its value (`core.tiles`), which decoding checks; this module checks
fields against each other.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from core.actions import (
    Action,
    ActionForOne,
    Beat,
    Buried,
    Bury,
    ComboAction,
    Dealt,
    Draw,
    Drew,
    Event,
    Fill,
    GiveUp,
    Hid,
    Hide,
    Laid,
    Lay,
    Lead,
    Led,
    Matched,
    MatchOver,
    Moved,
    Play,
    Played,
    PutDown,
    Removed,
    RoundOver,
    Scored,
    Shed,
    Take,
    TakenBack,
    Took,
    Tuck,
    Tucked,
    Turned,
)
from core.combos.state import MOST, ComboView
from core.games import GAMES
from core.layout.state import NOBODY, LayoutView
from core.match import MatchView
from core.patience.state import PatienceView
from core.tiles import HIGHEST, MOST_SEATS, MOST_TILES, Tile
from core.tricks.state import TrickView
from core.variant import resolve, tag_of
from core.words import BadOption, Words
from net.limits import PEOPLE_NAMED, TABLES_PER_PAGE
from net.players.text import clean
from net.wire.link import WireError, unpack
from net.wire.messages import Bye, Greeting, Left, Refused, TableInfo, Tables, ToClient, Update

LONGEST = 1000
"""Maximum characters of a text; our longest is a sentence."""
MOST_EVENTS = 4000
"""Maximum events of a round; our longest random one had some hundreds."""
MOST_WATCHERS = 4_000
"""Maximum spectators of a table: more than the connections that any operator allows."""
MOST_HOLES = 8
"""Maximum number of values in a sentence."""
SPREADS = ("columns", "row", "grid", "line")
"""Arrangements of the tiles of a game for one player: the only word that decides which drawing code runs."""
_HOLE = re.compile(r"\{[a-z_]+\}")


def decode_untrusted(payload: bytes) -> ToClient:
    """Return a host's message. Raises WireError if no honest host would send it."""
    message: ToClient = unpack(payload, ToClient, text=_shown)
    match message:
        case Update():
            _update(message)
        case Tables(tables=tables, page=page, total=total):
            holds(len(tables) <= TABLES_PER_PAGE)
            holds(page * TABLES_PER_PAGE + len(tables) <= total <= message.open)
            holds(len(message.names) <= min(PEOPLE_NAMED, message.people))
            for table in tables:
                _table(table)
        case Greeting(house_rules=rules):
            message = replace(message, house_rules={name: own for name, own in rules.items() if _known(name, own)})
        case Refused(reason=reason):
            _sentence(reason)
        case Left(reason=reason) | Bye(reason=reason) if reason is not None:
            _sentence(reason)
    return message


def _shown(text: str) -> str:
    """Return a text that can be displayed: one line without control characters."""
    return text[:LONGEST] if text.isascii() and text.isprintable() else clean(text, LONGEST)


def _known(name: str, rules: dict[str, str | int]) -> bool:
    """Return True if this version knows these house rules; the form for a new table cannot offer others."""
    try:
        return name in GAMES and bool(resolve(GAMES[name].options, rules))
    except BadOption:
        return False


def _seats(count: int, seats: Iterable[int]) -> None:
    """Check that each is a seat, or NOBODY."""
    within(NOBODY, count - 1, *seats)


def _sentence(sentence: Words, depth: int = 0) -> None:
    """Check that a sentence has names only as placeholders: a width or an attribute could fill the memory, or read
    it.
    """
    holds(depth < 3)
    for template in (sentence.text, sentence.plural):
        holds(len(_HOLE.findall(template)) <= MOST_HOLES)
        holds(not set("{}") & set(_HOLE.sub("", template)))
    for value in sentence.values.values():
        if isinstance(value, Words):
            _sentence(value, depth + 1)


def _table(table: TableInfo) -> None:
    within(1, MOST_SEATS, len(table.seats))


def _update(update: Update) -> None:
    _table(update.table)
    count = len(update.table.seats)
    _seats(count, (update.seat, update.timed_out, *update.ready))
    within(0, MOST_WATCHERS, len(update.watching))
    if update.fair is not None:
        holds(len(update.fair.shares) == count)
    if update.times is not None:
        holds(len(update.times.match) == count)
    if update.wanted is not None:
        within(0, count - 1, update.wanted.seat, *update.wanted.agreed)
        if update.wanted.action is not None:
            _action(update.wanted.action)
    within(0, MOST_TILES, len(update.events))
    sides = update.match.sides if update.match else 1
    for event in update.events:
        _event(event, count, sides)
    if update.match is not None:
        _match(update.match, count, update.seat)


def _match(match: MatchView, count: int, seat: int) -> None:
    holds(match.players == count)
    within(1, count, match.sides)
    holds(len(match.scores) == match.sides)
    within(0, match.sides - 1, *match.winners)
    _seats(count, (match.leader, match.winner))
    within(0, MOST_EVENTS, len(match.history))
    within(0, MOST_TILES, len(match.carry))
    for event in match.history:
        _event(event, count, match.sides)
    play = match.play
    if play is None:
        return
    holds(play.seat == seat and len(play.counts) == count)
    within(0, MOST_TILES, len(play.hand), len(play.legal))
    holds(play.highest >= 0)
    _seats(count, (play.turn,))
    are_tiles(play.hand, play.highest)
    holds(play.turn == seat != NOBODY or not play.legal)
    if play.result is not None:
        _result(play.result, count, match.sides)
    else:
        holds(play.turn != NOBODY)
    VIEWS[tag_of(play)](play, count)


def _result(result: RoundOver, count: int, sides: int) -> None:
    holds(len(result.hands) == count and len(result.sums) == sides)
    _seats(count, (result.winner, result.blocker, result.assistant))
    within(0, sides - 1, *result.tied, *result.void)
    within(0, MOST_TILES, len(result.carry))
    for hand in result.hands:
        within(0, MOST_TILES, len(hand))
        are_tiles(hand)
    for terms in result.sums:
        within(0, MOST_TILES, len(terms))
        for term in terms:
            _seats(count, (term.seat,))


def _layout(view: LayoutView, count: int) -> None:
    size = len(view.layout)
    within(0, MOST_TILES, size, len(view.ends), len(view.owed))
    for index, placed in enumerate(view.layout):
        are_tiles((placed.tile,), view.highest)
        holds(placed.on == -1 if index == 0 else 0 <= placed.on < index)
        holds(placed.out <= view.highest)
        _seats(count, (placed.seat,))
    holds(len({(placed.on, placed.side) for placed in view.layout}) == size)
    for end in view.ends:
        within(-1, size - 1, end.at)
        holds(end.pips <= view.highest)
        _seats(count, (end.owner,))
    within(0, size - 1, *view.owed)
    within(0, count - 1, *view.open)
    within(0, MOST_TILES, len(view.worth), len(view.count))
    places = {(end.at, end.side) for end in view.ends}
    for action in view.legal:
        holds(not isinstance(action, Lay | Bury | ComboAction | ActionForOne))
        holds(not isinstance(action, Shed | Tuck) or action.tile in view.hand)
        if isinstance(action, Play):
            holds(action.tile in view.hand)
            holds((action.at, action.side) in places or (action.at < 0 and not places))
            holds(action.out <= view.highest)
    holds(len(view.shed) in (0, count))
    within(0, MOST_TILES, len(view.own_shed))
    are_tiles(view.own_shed, view.highest)
    holds(len(view.rows) in (0, count))
    for row, held in zip(view.rows, view.counts, strict=False):
        holds(len(row) == held)
        are_tiles(row, view.highest)
    if view.says is not None:
        _sentence(view.says)


def _tricks(view: TrickView, count: int) -> None:
    within(0, MOST_TILES, len(view.calls), len(view.trick), len(view.tricks))
    _seats(count, (view.shaker, view.bidder, view.out))
    within(1, count, view.sides)
    within(0, MOST_TILES, len(view.buried), view.widow)
    are_tiles(view.buried, view.highest)
    for call in view.calls:
        within(0, count - 1, call.seat)
    for trick in (view.trick, *(trick.tiles for trick in view.tricks)):
        within(0, count, len(trick))
        for laid in trick:
            _event(laid, count, 1)
    for done in view.tricks:
        within(0, count - 1, done.winner)
        holds(bool(done.tiles))
    for action in view.legal:
        holds(not isinstance(action, Play | Shed | Tuck | ComboAction | ActionForOne))
        if isinstance(action, Lay | Bury):
            holds(action.tile in view.hand)


def _patience(view: PatienceView, count: int) -> None:
    """Check the view of a game for one player."""
    holds(count == 1 and bool(view.piles))
    within(0, len(view.piles) - 1, view.aside)
    within(0, MOST_TILES, len(view.piles), sum(map(len, view.piles)))
    holds(view.spread in SPREADS)
    holds(view.spread == "columns" or len(view.piles) == 1)
    open_tiles = {tile for pile in view.piles for tile in pile}
    are_tiles(open_tiles, view.highest)
    if view.spread == "line":
        line = view.piles[0]
        holds(bool(line) and all(set(tile) & set(after) for tile, after in pairwise(line)))
    for action in view.legal:
        match action:
            case Play(tile=tile, side=side):
                holds(tile in view.hand and side in {0, 1} and view.spread == "line")
            case Take(tiles=tiles):
                holds(0 < len(tiles) <= len(open_tiles) and open_tiles.issuperset(tiles))
            case Fill(tile=tile):
                holds(tile in open_tiles and view.spread == "columns")
            case _:
                holds(isinstance(action, Draw | GiveUp))


def _combos(view: ComboView, count: int) -> None:
    """Check the view of a game of combinations."""
    within(0, MOST_TILES, len(view.trick), len(view.tricks), view.in_a_row)
    within(0, count - 1, view.banker)
    for puts in (view.trick, *(trick.puts for trick in view.tricks)):
        within(0, count, len(puts))
        size = len(puts[0].tiles) if puts else 0
        holds(not puts or (puts[0].up and 1 <= size <= MOST))
        for put in puts:
            within(0, count - 1, put.seat)
            holds(len(put.tiles) == size or (not put.up and not put.tiles))
            are_tiles(put.tiles, view.highest)
    for trick in view.tricks:
        within(0, count - 1, trick.winner)
        holds(len(trick.puts) == count)
    for action in view.legal:
        holds(isinstance(action, ComboAction) and 1 <= len(action.tiles) <= MOST)
        holds(isinstance(action, ComboAction) and not Counter(action.tiles) - Counter(view.hand))


VIEWS: dict[str, Callable[[Any, int], None]] = {
    "layout": _layout,
    "tricks": _tricks,
    "combos": _combos,
    "patience": _patience,
}
"""Checks of a view at a table with `count` seats, by family."""


def _event(event: Event, count: int, sides: int) -> None:
    match event:
        case MatchOver(winners=winners, losers=losers):
            within(0, sides - 1, *winners, *losers)
            return
        case RoundOver():
            _result(event, count, sides)
            return
        case Dealt():
            return
    within(0, count - 1, event.seat)
    match event:
        case Led(tile=tile) | Played(tile=tile) | Tucked(tile=tile) | Laid(tile=tile) | Moved(tile=tile):
            are_tiles((tile,))
        case (
            Drew(tiles=tiles)
            | Buried(tiles=tiles)
            | Took(counts=tiles)
            | Removed(tiles=tiles)
            | Turned(tiles=tiles)
            | Matched(tiles=tiles)
            | Hid(tiles=tiles)
        ):
            within(0, MOST_TILES, len(tiles))
            are_tiles(tiles)
        case PutDown(tile=Tile() as tile):
            are_tiles((tile,))
        case Scored(terms=terms):
            within(0, MOST_TILES, len(terms))
        case TakenBack(action=action):
            _action(action)


def _action(action: Action) -> None:
    """Check the tiles of an action."""
    match action:
        case Play() | Lay() | Shed() | Tuck() | Bury() | Fill():
            are_tiles((action.tile,))
        case Take(tiles=tiles):
            within(0, MOST_TILES, len(tiles))
            are_tiles(tiles)
        case Lead(tiles=tiles) | Beat(tiles=tiles) | Hide(tiles=tiles):
            within(0, MOST, len(tiles))
            are_tiles(tiles)


def holds(condition: bool) -> None:
    """Raise WireError unless `condition` holds."""
    if not condition:
        raise WireError("No honest host says that.")


def within(low: int, high: int, *numbers: float) -> None:
    """Check that every number lies between `low` and `high`; NaN does not."""
    holds(all(low <= number <= high for number in numbers))


def are_tiles(tiles: Iterable[Tile], highest: int = HIGHEST) -> None:
    """Check that each tile's numbers are within those of its set, or stand for a hidden tile."""
    for tile in tiles:
        holds(-1 <= tile.low <= tile.high <= highest)
