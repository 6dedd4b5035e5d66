"""Checks the messages of an untrusted host: cleans text, and raises WireError for what no honest host sends.

Screens trust what they get: that every seat number exists, that a layout is a tree. This file ensures it, for hosts
that are other people's programs. The type of a number says how large it may be (`core.bounds`), and decoding checks
that; here are the checks of one field against another.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from core.actions import (
    Action,
    Bade,
    Buried,
    Bury,
    Drew,
    Event,
    Laid,
    Lay,
    Led,
    MatchOver,
    Named,
    Passed,
    Play,
    Played,
    PutDown,
    RoundOver,
    Scored,
    Shed,
    TakenBack,
    Took,
    Tuck,
    Tucked,
)
from core.bounds import HIGHEST, MOST_SEATS, MOST_TILES
from core.combos.actions import Beat, Hid, Hide, Lead, Matched
from core.combos.lays import MOST
from core.combos.state import ComboView
from core.family import tag_of
from core.games import GAMES
from core.layout.placed import NOBODY
from core.layout.state import LayoutView
from core.match import MatchView
from core.options import resolve
from core.tiles import Tile
from core.tricks.state import TrickView
from core.words import BadOption, Words
from net.limits import MAX_TABLES
from net.players.text import clean
from net.wire.codec import WireError, unpack
from net.wire.messages import Bye, Greeting, Left, Refused, Tables, ToClient, Update
from net.wire.tables import TableInfo

LONGEST = 1000
"""Characters of one text; the longest of ours is a sentence."""
MOST_EVENTS = 4000
"""Events of one round; the longest random one of ours had some hundreds."""
MOST_WATCHERS = 4_000
"""Spectators of one table: more than the connections that any operator allows."""
MOST_HOLES = 8
"""Values that are filled into one sentence."""
_HOLE = re.compile(r"\{[a-z_]+\}")


def decode_untrusted(payload: bytes) -> ToClient:
    """Return a host's message. Raises WireError if no honest host would send it."""
    message: ToClient = unpack(payload, ToClient, text=_shown)
    match message:
        case Update():
            _update(message)
        case Tables(tables=tables):
            _holds(len(tables) <= MAX_TABLES)
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
    """A text that may be shown: one line without control characters."""
    return text[:LONGEST] if text.isascii() and text.isprintable() else clean(text, LONGEST)


def _known(name: str, rules: dict[str, str | int]) -> bool:
    """Whether this version knows these house rules; the form for a new table cannot offer others."""
    try:
        return name in GAMES and bool(resolve(GAMES[name].options, rules))
    except BadOption:
        return False


def _holds(condition: bool) -> None:
    if not condition:
        raise WireError("No honest host says that.")


def _within(low: int, high: int, *numbers: float) -> None:
    """Every number lies between these two; one that is no number does not."""
    _holds(all(low <= number <= high for number in numbers))


def _seats(count: int, seats: Iterable[int]) -> None:
    """Each is a seat, or nobody's."""
    _within(NOBODY, count - 1, *seats)


def _sentence(sentence: Words, depth: int = 0) -> None:
    """Only names may be filled into a sentence: a width or an attribute could fill the memory, or read it."""
    _holds(depth < 3)
    for template in (sentence.text, sentence.plural):
        _holds(len(_HOLE.findall(template)) <= MOST_HOLES)
        _holds(not set("{}") & set(_HOLE.sub("", template)))
    for value in sentence.values.values():
        if isinstance(value, Words):
            _sentence(value, depth + 1)


def _table(table: TableInfo) -> None:
    _within(1, MOST_SEATS, len(table.seats))


def _update(update: Update) -> None:
    _table(update.table)
    count = len(update.table.seats)
    _seats(count, (update.seat, update.timed_out, *update.ready))
    _within(0, MOST_WATCHERS, len(update.watching))
    if update.fair is not None:
        _holds(len(update.fair.shares) == count)
    if update.times is not None:
        _holds(len(update.times.match) == count)
    if update.wanted is not None:
        _within(0, count - 1, update.wanted.seat, *update.wanted.agreed)
        if update.wanted.action is not None:
            _action(update.wanted.action)
    _within(0, MOST_TILES, len(update.events))
    sides = update.match.sides if update.match else 1
    for event in update.events:
        _event(event, count, sides)
    if update.match is not None:
        _match(update.match, count, update.seat)


def _match(match: MatchView, count: int, seat: int) -> None:
    _holds(match.players == count)
    _within(1, count, match.sides)
    _holds(len(match.scores) == match.sides)
    _within(0, match.sides - 1, *match.winners)
    _seats(count, (match.leader, match.winner))
    _within(0, MOST_EVENTS, len(match.history))
    _within(0, MOST_TILES, len(match.carry))
    for event in match.history:
        _event(event, count, match.sides)
    play = match.play
    if play is None:
        return
    _holds(play.seat == seat and len(play.counts) == count)
    _within(0, MOST_TILES, len(play.hand), len(play.legal))
    _holds(play.highest >= 0)
    _seats(count, (play.turn,))
    _tiles(play.hand, play.highest)
    _holds(play.turn == seat != NOBODY or not play.legal)
    if play.result is not None:
        _result(play.result, count, match.sides)
    else:
        _holds(play.turn != NOBODY)
    VIEWS[tag_of(play)](play, count)


def _tiles(tiles: Iterable[Tile], highest: int = HIGHEST) -> None:
    for tile in tiles:
        _holds(-1 <= tile.low <= tile.high <= highest)


def _result(result: RoundOver, count: int, sides: int) -> None:
    _holds(len(result.hands) == count and len(result.sums) == sides)
    _seats(count, (result.winner, result.blocker, result.assistant))
    _within(0, sides - 1, *result.tied, *result.void)
    _within(0, MOST_TILES, len(result.carry))
    for hand in result.hands:
        _within(0, MOST_TILES, len(hand))
        _tiles(hand)
    for terms in result.sums:
        _within(0, MOST_TILES, len(terms))
        for term in terms:
            _seats(count, (term.seat,))


def _layout(view: LayoutView, count: int) -> None:
    size = len(view.layout)
    _within(0, MOST_TILES, size, len(view.ends), len(view.owed))
    for index, placed in enumerate(view.layout):
        _tiles((placed.tile,), view.highest)
        _holds(placed.on == -1 if index == 0 else 0 <= placed.on < index)
        _holds(placed.out <= view.highest)
        _seats(count, (placed.seat,))
    _holds(len({(placed.on, placed.side) for placed in view.layout}) == size)
    for end in view.ends:
        _within(-1, size - 1, end.at)
        _holds(end.pips <= view.highest)
        _seats(count, (end.owner,))
    _within(0, size - 1, *view.owed)
    _within(0, count - 1, *view.open)
    _within(0, MOST_TILES, len(view.worth), len(view.count))
    places = {(end.at, end.side) for end in view.ends}
    for action in view.legal:
        _holds(not isinstance(action, Lay | Bury | Lead | Beat | Hide))
        _holds(not isinstance(action, Shed | Tuck) or action.tile in view.hand)
        if isinstance(action, Play):
            _holds(action.tile in view.hand)
            _holds((action.at, action.side) in places or (action.at < 0 and not places))
            _holds(action.out <= view.highest)
    _holds(len(view.shed) in (0, count))
    _within(0, MOST_TILES, len(view.own_shed))
    _tiles(view.own_shed, view.highest)
    _holds(len(view.rows) in (0, count))
    for row, held in zip(view.rows, view.counts, strict=False):
        _holds(len(row) == held)
        _tiles(row, view.highest)
    if view.says is not None:
        _sentence(view.says)


def _tricks(view: TrickView, count: int) -> None:
    _within(0, MOST_TILES, len(view.calls), len(view.trick), len(view.tricks))
    _seats(count, (view.shaker, view.bidder, view.out))
    _within(1, count, view.sides)
    _within(0, MOST_TILES, len(view.buried), view.widow)
    _tiles(view.buried, view.highest)
    for call in view.calls:
        _within(0, count - 1, call.seat)
    for trick in (view.trick, *(trick.tiles for trick in view.tricks)):
        _within(0, count, len(trick))
        for laid in trick:
            _event(laid, count, 1)
    for done in view.tricks:
        _within(0, count - 1, done.winner)
        _holds(bool(done.tiles))
    for action in view.legal:
        _holds(not isinstance(action, Play | Shed | Tuck | Lead | Beat | Hide))
        if isinstance(action, Lay | Bury):
            _holds(action.tile in view.hand)


def _combos(view: ComboView, count: int) -> None:
    _within(0, MOST_TILES, len(view.trick), len(view.tricks), view.in_a_row)
    _within(0, count - 1, view.banker)
    for puts in (view.trick, *(trick.puts for trick in view.tricks)):
        _within(0, count, len(puts))
        size = len(puts[0].tiles) if puts else 0
        _holds(not puts or (puts[0].up and 1 <= size <= MOST))
        for put in puts:
            _within(0, count - 1, put.seat)
            _holds(len(put.tiles) == size or (not put.up and not put.tiles))
            _tiles(put.tiles, view.highest)
    for trick in view.tricks:
        _within(0, count - 1, trick.winner)
        _holds(len(trick.puts) == count)
    for action in view.legal:
        _holds(isinstance(action, Lead | Beat | Hide) and 1 <= len(action.tiles) <= MOST)
        _holds(isinstance(action, Lead | Beat | Hide) and not Counter(action.tiles) - Counter(view.hand))


VIEWS: dict[str, Callable[[Any, int], None]] = {"layout": _layout, "tricks": _tricks, "combos": _combos}
"""By family, what checks a view at a table with that many seats."""


def _event(event: Event, count: int, sides: int) -> None:
    match event:
        case MatchOver(winners=winners, losers=losers):
            _within(0, sides - 1, *winners, *losers)
            return
        case RoundOver():
            _result(event, count, sides)
            return
        case (
            Led()
            | Played()
            | Drew()
            | Passed()
            | PutDown()
            | Tucked()
            | Scored()
            | Bade()
            | Named()
            | Buried()
            | Laid()
        ):
            _within(0, count - 1, event.seat)
        case Took() | TakenBack() | Matched() | Hid():
            _within(0, count - 1, event.seat)
    match event:
        case Led(tile=tile) | Played(tile=tile) | Tucked(tile=tile) | Laid(tile=tile):
            _tiles((tile,))
        case Drew(tiles=tiles) | Buried(tiles=tiles) | Took(counts=tiles) | Matched(tiles=tiles) | Hid(tiles=tiles):
            _within(0, MOST_TILES, len(tiles))
            _tiles(tiles)
        case PutDown(tile=Tile() as tile):
            _tiles((tile,))
        case Scored(terms=terms):
            _within(0, MOST_TILES, len(terms))
        case TakenBack(action=action):
            _action(action)


def _action(action: Action) -> None:
    """What somebody did may be told: its tile is one."""
    if isinstance(action, Play | Lay | Shed | Tuck | Bury):
        _tiles((action.tile,))
    if isinstance(action, Lead | Beat | Hide):
        _within(0, MOST, len(action.tiles))
        _tiles(action.tiles)
