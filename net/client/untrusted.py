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
from core.combos.state import MAX_COMBO, ComboView
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

MAX_TEXT_LENGTH = 1000
"""Maximum characters of a text; our longest is a sentence."""
MAX_EVENTS = 4000
"""Maximum events of a round; our longest random one had some hundreds."""
MAX_WATCHERS = 4_000
"""Maximum spectators of a table: more than the connections that any operator allows."""
MAX_PLACEHOLDERS = 8
"""Maximum number of values in a sentence."""
SPREADS = ("columns", "row", "grid", "line")
"""Arrangements of the tiles of a game for one player: the only word that decides which drawing code runs."""
_LINK = re.compile(r"https?://[a-z0-9.:\[\]-]{1,260}", re.IGNORECASE)
"""URL of a host's pages, without a path, and perhaps without an address."""
_PLACEHOLDER = re.compile(r"\{[a-z_]+\}")


def decode_untrusted(payload: bytes) -> ToClient:
    """Return a host's message. Raises WireError if no honest host would send it."""
    message: ToClient = unpack(payload, ToClient, map_text=_displayable)
    match message:
        case Update():
            _check_update(message)
        case Tables(tables=tables, page=page, total=total):
            require(len(tables) <= TABLES_PER_PAGE)
            require(page * TABLES_PER_PAGE + len(tables) <= total <= message.open)
            require(len(message.names) <= min(PEOPLE_NAMED, message.people))
            require(len(message.reserved) <= TABLES_PER_PAGE)
            for table in tables:
                _check_table(table)
        case Greeting(house_rules=rules, link=link):
            message = replace(
                message,
                house_rules={name: options for name, options in rules.items() if _is_known_variant(name, options)},
                link=link if _LINK.fullmatch(link) else "",
            )
        case Refused(reason=reason):
            _check_sentence(reason)
        case Left(reason=reason) | Bye(reason=reason) if reason is not None:
            _check_sentence(reason)
    return message


def _displayable(text: str) -> str:
    """Return a text that can be displayed: one line without control characters."""
    return text[:MAX_TEXT_LENGTH] if text.isascii() and text.isprintable() else clean(text, MAX_TEXT_LENGTH)


def _is_known_variant(name: str, rules: dict[str, str | int]) -> bool:
    """Return True if this version knows these house rules; the form for a new table cannot offer others."""
    try:
        return name in GAMES and bool(resolve(GAMES[name].options, rules))
    except BadOption:
        return False


def _check_seats(count: int, seats: Iterable[int]) -> None:
    """Check that each of `seats` is a seat of a table with `count`, or NOBODY."""
    require_within(NOBODY, count - 1, *seats)


def _check_sentence(sentence: Words, depth: int = 0) -> None:
    """Check that a sentence has names only as placeholders: a width or an attribute could fill the memory, or read
    it.
    """
    require(depth < 3)
    for template in (sentence.text, sentence.plural):
        require(len(_PLACEHOLDER.findall(template)) <= MAX_PLACEHOLDERS)
        require(not set("{}") & set(_PLACEHOLDER.sub("", template)))
    for value in sentence.values.values():
        if isinstance(value, Words):
            _check_sentence(value, depth + 1)


def _check_table(table: TableInfo) -> None:
    require_within(1, MOST_SEATS, len(table.seats))


def _check_update(update: Update) -> None:
    _check_table(update.table)
    count = len(update.table.seats)
    _check_seats(count, (update.seat, update.timed_out, *update.ready))
    require_within(0, MAX_WATCHERS, len(update.watching))
    if update.fair is not None:
        require(len(update.fair.shares) == count)
    if update.times is not None:
        require(len(update.times.match) == count)
    require(len(update.grace) in (0, count))
    if update.wanted is not None:
        require_within(0, count - 1, update.wanted.seat, *update.wanted.agreed)
        if update.wanted.action is not None:
            _check_action(update.wanted.action)
    require_within(0, MOST_TILES, len(update.events))
    sides = update.match.sides if update.match else 1
    for event in update.events:
        _check_event(event, count, sides)
    if update.match is not None:
        _check_match(update.match, count, update.seat)


def _check_match(match: MatchView, player_count: int, seat: int) -> None:
    require(match.players == player_count)
    require_within(1, player_count, match.sides)
    require(len(match.scores) == match.sides)
    require_within(0, match.sides - 1, *match.winners)
    require_within(0, match.players - 1, *match.agreed)
    _check_seats(player_count, (match.leader, match.winner))
    require_within(0, MAX_EVENTS, len(match.history))
    require_within(0, MOST_TILES, len(match.carry))
    for event in match.history:
        _check_event(event, player_count, match.sides)
    play = match.play
    if play is None:
        return
    require(play.seat == seat and len(play.counts) == player_count)
    require_within(0, MOST_TILES, len(play.hand), len(play.legal))
    require(play.highest >= 0)
    _check_seats(player_count, (play.turn,))
    require_tiles(play.hand, play.highest)
    require(play.turn == seat != NOBODY or not play.legal)
    if play.result is not None:
        _check_result(play.result, player_count, match.sides)
    else:
        require(play.turn != NOBODY)
    VIEWS[tag_of(play)](play, player_count)


def _check_result(result: RoundOver, count: int, sides: int) -> None:
    require(len(result.hands) == count and len(result.sums) == sides)
    _check_seats(count, (result.winner, result.blocker, result.assistant))
    require_within(0, sides - 1, *result.tied, *result.void)
    require_within(0, MOST_TILES, len(result.carry))
    for hand in result.hands:
        require_within(0, MOST_TILES, len(hand))
        require_tiles(hand)
    for terms in result.sums:
        require_within(0, MOST_TILES, len(terms))
        for term in terms:
            _check_seats(count, (term.seat,))


def _check_layout(view: LayoutView, count: int) -> None:
    size = len(view.layout)
    require_within(0, MOST_TILES, size, len(view.ends), len(view.owed))
    for index, placed in enumerate(view.layout):
        require_tiles((placed.tile,), view.highest)
        require(placed.on == -1 if index == 0 else 0 <= placed.on < index)
        require(placed.out <= view.highest)
        _check_seats(count, (placed.seat,))
    require(len({(placed.on, placed.side) for placed in view.layout}) == size)
    for end in view.ends:
        require_within(-1, size - 1, end.at)
        require(end.pips <= view.highest)
        _check_seats(count, (end.owner,))
    require_within(0, size - 1, *view.owed)
    require_within(0, count - 1, *view.open)
    require_within(0, MOST_TILES, len(view.worth), len(view.count))
    places = {(end.at, end.side) for end in view.ends}
    for action in view.legal:
        require(not isinstance(action, Lay | Bury | ComboAction | ActionForOne))
        require(not isinstance(action, Shed | Tuck) or action.tile in view.hand)
        if isinstance(action, Play):
            require(action.tile in view.hand)
            require((action.at, action.side) in places or (action.at < 0 and not places))
            require(action.out <= view.highest)
    require(len(view.shed) in (0, count))
    require_within(0, MOST_TILES, len(view.own_shed))
    require_tiles(view.own_shed, view.highest)
    require(len(view.rows) in (0, count))
    for row, hand_size in zip(view.rows, view.counts, strict=False):
        require(len(row) == hand_size)
        require_tiles(row, view.highest)
    if view.says is not None:
        _check_sentence(view.says)


def _check_tricks(view: TrickView, count: int) -> None:
    require_within(0, MOST_TILES, len(view.calls), len(view.trick), len(view.tricks))
    _check_seats(count, (view.shaker, view.bidder, view.out))
    require_within(1, count, view.sides)
    require_within(0, MOST_TILES, len(view.buried), view.widow)
    require_tiles(view.buried, view.highest)
    for call in view.calls:
        require_within(0, count - 1, call.seat)
    for trick in (view.trick, *(trick.tiles for trick in view.tricks)):
        require_within(0, count, len(trick))
        for laid in trick:
            _check_event(laid, count, 1)
    for finished_trick in view.tricks:
        require_within(0, count - 1, finished_trick.winner)
        require(bool(finished_trick.tiles))
    for action in view.legal:
        require(not isinstance(action, Play | Shed | Tuck | ComboAction | ActionForOne))
        if isinstance(action, Lay | Bury):
            require(action.tile in view.hand)


def _check_patience(view: PatienceView, count: int) -> None:
    """Check the view of a game for one player."""
    require(count == 1 and bool(view.piles))
    require_within(0, len(view.piles) - 1, view.aside)
    require_within(0, MOST_TILES, len(view.piles), sum(map(len, view.piles)))
    require(view.spread in SPREADS)
    require(view.spread == "columns" or len(view.piles) == 1)
    open_tiles = {tile for pile in view.piles for tile in pile}
    require_tiles(open_tiles, view.highest)
    if view.spread == "line":
        line = view.piles[0]
        require(bool(line) and all(set(tile) & set(after) for tile, after in pairwise(line)))
    for action in view.legal:
        match action:
            case Play(tile=tile, side=side):
                require(tile in view.hand and side in {0, 1} and view.spread == "line")
            case Take(tiles=tiles):
                require(0 < len(tiles) <= len(open_tiles) and open_tiles.issuperset(tiles))
            case Fill(tile=tile):
                require(tile in open_tiles and view.spread == "columns")
            case _:
                require(isinstance(action, Draw | GiveUp))


def _check_combos(view: ComboView, count: int) -> None:
    """Check the view of a game of combinations."""
    require_within(0, MOST_TILES, len(view.trick), len(view.tricks), view.in_a_row)
    require_within(0, count - 1, view.banker)
    for combos in (view.trick, *(trick.puts for trick in view.tricks)):
        require_within(0, count, len(combos))
        size = len(combos[0].tiles) if combos else 0
        require(not combos or (combos[0].up and 1 <= size <= MAX_COMBO))
        for combo in combos:
            require_within(0, count - 1, combo.seat)
            require(len(combo.tiles) == size or (not combo.up and not combo.tiles))
            require_tiles(combo.tiles, view.highest)
    for trick in view.tricks:
        require_within(0, count - 1, trick.winner)
        require(len(trick.puts) == count)
    for action in view.legal:
        require(isinstance(action, ComboAction) and 1 <= len(action.tiles) <= MAX_COMBO)
        require(isinstance(action, ComboAction) and not Counter(action.tiles) - Counter(view.hand))


VIEWS: dict[str, Callable[[Any, int], None]] = {
    "layout": _check_layout,
    "tricks": _check_tricks,
    "combos": _check_combos,
    "patience": _check_patience,
}
"""Checks of a view at a table with `count` seats, by family."""


def _check_event(event: Event, count: int, sides: int) -> None:
    match event:
        case MatchOver(winners=winners, losers=losers):
            require_within(0, sides - 1, *winners, *losers)
            require_within(0, count - 1, *event.agreed)
            return
        case RoundOver():
            _check_result(event, count, sides)
            return
        case Dealt():
            return
    require_within(0, count - 1, event.seat)
    match event:
        case Led(tile=tile) | Played(tile=tile) | Tucked(tile=tile) | Laid(tile=tile) | Moved(tile=tile):
            require_tiles((tile,))
        case (
            Drew(tiles=tiles)
            | Buried(tiles=tiles)
            | Took(counts=tiles)
            | Removed(tiles=tiles)
            | Turned(tiles=tiles)
            | Matched(tiles=tiles)
            | Hid(tiles=tiles)
        ):
            require_within(0, MOST_TILES, len(tiles))
            require_tiles(tiles)
        case PutDown(tile=Tile() as tile):
            require_tiles((tile,))
        case Scored(terms=terms):
            require_within(0, MOST_TILES, len(terms))
        case TakenBack(action=action):
            _check_action(action)


def _check_action(action: Action) -> None:
    """Check the tiles of an action."""
    match action:
        case Play() | Lay() | Shed() | Tuck() | Bury() | Fill():
            require_tiles((action.tile,))
        case Take(tiles=tiles):
            require_within(0, MOST_TILES, len(tiles))
            require_tiles(tiles)
        case Lead(tiles=tiles) | Beat(tiles=tiles) | Hide(tiles=tiles):
            require_within(0, MAX_COMBO, len(tiles))
            require_tiles(tiles)


def require(condition: bool) -> None:
    """Raise WireError unless `condition` holds."""
    if not condition:
        raise WireError("No honest host says that.")


def require_within(low: int, high: int, *numbers: float) -> None:
    """Check that every number lies between `low` and `high`; NaN does not."""
    require(all(low <= number <= high for number in numbers))


def require_tiles(tiles: Iterable[Tile], highest: int = HIGHEST) -> None:
    """Check that each tile's numbers are within those of its set, or stand for a hidden tile."""
    for tile in tiles:
        require(-1 <= tile.low <= tile.high <= highest)
