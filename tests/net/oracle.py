"""An oracle for leaks: from the whole state of a table it derives the facts that each byte sent to a guest may
contain.

It does not use the code that cuts views and events. A payload is decoded as plain MessagePack and compared with the
shapes of `tests/net/shapes.py`, field by field; a field that is not listed there fails, so that no new one is missed.
"""

import json
import re
from collections import Counter

import msgpack
from msgspec import Struct

from core.combos.state import ComboState
from core.layout.state import State
from core.patience.state import PatienceState
from core.tiles import Tile
from net.host.lobby import Lobby
from net.table.table import Table
from tests.net.shapes import INT, MESSAGE, TEXT, VALUE, WORDS, Free, Maybe, OneOf

_TILE_TEXT = re.compile(r"(?<![\d/-])(\d{1,2})\s*[|-]\s*(\d{1,2})(?![\d/-])")


class Leak(AssertionError):  # noqa: N818 - it is one
    """A guest was sent a fact that they may not know."""


class Known(Struct):
    """The facts that one connection may know of the match at its table."""

    tiles: set[tuple[int, int]] = set()
    """Every tile that the guest may know: those that are open to all in this round, and their own."""
    hand: list[tuple[int, int]] = []
    """The guest's own hand, in order; empty for spectators."""
    down: list[tuple[int, int]] = []
    """The tiles that the guest has laid face down, in order."""
    seat: int = -1
    open_hands: bool = False
    """True once the round is over, so that all hands are open."""
    over: bool = False
    """True once the match is over, so that its record is open."""
    code: str = ""
    """The code of the private table at which the guest is."""


def known_to(lobby: Lobby, connection: int) -> Known:
    """Return the facts that a connection may know now, from the real state of the host."""
    presence = lobby.present.get(connection)
    table = lobby.tables.get(presence.table) if presence else None
    if table is None:
        return Known()
    seat = next((n for n, chair in enumerate(table.seats.chairs) if chair.guest == connection), -1)
    if table.match is None or table.match.state is None:
        return Known(seat=seat, code=table.terms.code)
    state = table.match.state
    hand = sorted(map(tuple, visible_hand(table, seat))) if seat >= 0 else []
    open_hands = state.result is not None
    down = list(map(tuple, face_down(state)[seat])) if seat >= 0 else []
    tiles = (
        laid_tiles(state)
        | face_up_tiles(table)
        | {*hand, *down}
        | (held_tiles(state) if open_hands else set())
        | tiles_laid_since_deal(table.recorded.lines)
    )
    return Known(tiles, hand, down, seat, open_hands, table.match.over, table.terms.code)


def is_blind(table: Table) -> bool:
    """Return True if players do not see their own tiles."""
    return isinstance(table.match.state, State) and table.match.rules.turns.blind


def visible_hand(table: Table, seat: int) -> tuple[Tile, ...]:
    """Return the tiles that a seat sees of its hand: all, or in a blind game the first one in its turn."""
    state = table.match.state
    if not is_blind(table):
        return state.hands[seat]
    return state.hands[seat][:1] if seat == state.turn and not state.result else ()


def face_up_tiles(table: Table) -> set[tuple[int, int]]:
    """Return the tiles that all see in a blind game: the first of the seat on turn, and doubles that did not fit."""
    if not is_blind(table):
        return set()
    state = table.match.state
    return {tuple(state.hands[state.turn][0]), *map(tuple, state.up)} if not state.result else set()


def face_down(state) -> tuple[tuple[Tile, ...], ...]:
    """Return the tiles that each seat has laid face down, or put away for a widow."""
    if isinstance(state, ComboState):
        return state.down
    buried = getattr(state, "buried", ())
    return getattr(state, "shed", ()) or tuple(
        buried if buried and seat == state.bidder else () for seat in range(len(state.hands))
    )


def laid_tiles(state) -> set[tuple[int, int]]:
    """Return the tiles on the table, in the tricks taken and in the current one."""
    if isinstance(state, State):
        return {tuple(placed.tile) for placed in state.layout}
    if isinstance(state, PatienceState):
        return {tuple(tile) for pile in state.laid.piles for tile in pile}
    if isinstance(state, ComboState):
        puts = [*state.trick, *(put for trick in state.tricks for put in trick.puts)]
        return {tuple(tile) for put in puts if put.up for tile in put.tiles}
    return {tuple(laid.tile) for trick in (state.trick, *(trick.tiles for trick in state.tricks)) for laid in trick}


def tiles_laid_since_deal(lines: tuple[str, ...]) -> set[tuple[int, int]]:
    """Return the tiles laid since the last deal by the record, also those taken back: all have seen them."""
    tiles = set()
    for line in map(json.loads, reversed(lines)):
        if line["type"] == "deal":
            break
        if line["type"] == "action" and line["action"][0] in ("play", "lay", "tuck"):
            tiles.add(tuple(line["action"][1]))
        if line["type"] == "action" and line["action"][0] in ("lead", "beat", "take"):
            tiles |= set(map(tuple, line["action"][1]))
    return tiles


def held_tiles(state) -> set[tuple[int, int]]:
    """Return all tiles in hands, and those that lie face down."""
    return {tuple(tile) for hand in (*state.hands, *face_down(state)) for tile in hand}


def hidden_from(table: Table, seat: int) -> list[Tile]:
    """Return the tiles that a seat cannot see: in other hands, face down before others, and in the boneyard."""
    state = table.match.state
    if is_blind(table):
        return [tile for row in state.hands for tile in row if tuple(tile) not in face_up_tiles(table)]
    hidden_hands = [
        hand for hands in (state.hands, face_down(state)) for hand_seat, hand in enumerate(hands) if hand_seat != seat
    ]
    hidden_tiles = [tile for hand in hidden_hands for tile in hand]
    return [*hidden_tiles, *getattr(getattr(state, "laid", state), "boneyard", ()), *getattr(state, "widow", ())]


def examine(payload: bytes, may: Known) -> None:
    """Raise Leak if a payload contains a fact that its receiver may not know, or has an unknown shape."""
    value = msgpack.unpackb(payload)
    _check_shape(MESSAGE, value, may, "")
    if value["type"] == "update":
        _check_update(value, may)


def tiles_named(text: str) -> set[tuple[int, int]]:
    """Return the tiles that a text names, as players write them."""
    halves = (map(int, match) for match in _TILE_TEXT.findall(text))
    return {tuple(sorted(pair)) for pair in halves}


def _check_update(update: dict, may: Known) -> None:
    """Check the facts that depend on the whole message."""
    if update["seat"] != may.seat:
        raise Leak(f"an update as for seat {update['seat']} goes to seat {may.seat}")
    for event in update["events"]:
        match event:
            case [("drew" | "hid"), seat, _, [_, *_], *_] | ["buried", seat, [_, *_]] if seat != may.seat:
                raise Leak(f"the tiles that seat {seat} drew or put away go to seat {may.seat}")
            case ["put_down", seat, [_, *_]] if seat != may.seat:
                raise Leak(f"the tile that seat {seat} laid face down goes to seat {may.seat}")
        if event[0] == "round_over" and not may.open_hands:
            raise Leak("a result is told while the round is played")
    play = update["match"] and update["match"]["play"]
    if not play:
        return
    if play["seat"] != may.seat:
        raise Leak(f"the view of seat {play['seat']} goes to seat {may.seat}")
    if play["legal"] and play["turn"] != may.seat:
        raise Leak("what another seat may do is told")
    if play.get("worth") and play["turn"] != may.seat:
        raise Leak("what another seat's plays are worth is told")
    if play["result"] and not may.open_hands:
        raise Leak("a result is told while the round is played")


def _check_shape(shape, value, may: Known, path: str) -> None:  # noqa: PLR0912 - one for each kind of shape
    match shape:
        case str():
            _check_leaf(shape, value, may, path)
        case dict():
            if not isinstance(value, dict) or value.keys() != shape.keys():
                raise Leak(f"{path}: not the fields {sorted(shape)}: {value!r:.200}")
            for key, of in shape.items():
                _check_shape(of, value[key], may, f"{path}.{key}")
        case tuple():
            if not isinstance(value, list) or len(value) != len(shape):
                raise Leak(f"{path}: not {len(shape)} items: {value!r:.200}")
            for number, of in enumerate(shape):
                _check_shape(of, value[number], may, f"{path}[{number}]")
        case list():
            if not isinstance(value, list):
                raise Leak(f"{path}: not a list: {value!r:.200}")
            for item in value:
                _check_shape(shape[0], item, may, f"{path}[]")
        case Free(of=of):
            if not isinstance(value, dict):
                raise Leak(f"{path}: not a map: {value!r:.200}")
            for key, item in value.items():
                _check_shape(TEXT, key, may, f"{path}.*")
                _check_shape(of, item, may, f"{path}.*")
        case Maybe(of=of):
            if value is not None:
                _check_shape(of, value, may, path)
        case OneOf(of=of):
            tag = value["type"] if isinstance(value, dict) else value[0] if isinstance(value, list) else None
            if tag not in of:
                raise Leak(f"{path}: an unknown kind of thing: {value!r:.200}")
            _check_shape(of[tag], value, may, f"{path}<{tag}>")


def _check_leaf(shape: str, value, may: Known, path: str) -> None:  # noqa: PLR0912 - one for each kind of leaf
    if shape == VALUE:
        shape = INT if isinstance(value, int) else TEXT if isinstance(value, str) else "words"
    match shape:
        case "words":
            return _check_shape(WORDS, value, may, path)
        case "tile":
            fits = isinstance(value, list) and len(value) == 2 and tuple(value) in may.tiles
        case "hand":
            fits = isinstance(value, list) and Counter(map(tuple, value)) == Counter(may.hand)
        case "down":
            fits = isinstance(value, list) and list(map(tuple, value)) == may.down
        case "shed":
            fits = isinstance(value, list) and (value == [-1, -1] or tuple(value) in may.tiles)
        case "int":
            fits = type(value) is int
        case "num":
            fits = type(value) in (int, float)
        case "bool":
            fits = type(value) is bool
        case "line":
            fits = isinstance(value, str) and may.over
        case "chain":
            fits = isinstance(value, str) and (may.over or not value)
        case "code":
            fits = value in ("", may.code)
        case "chat":
            fits = isinstance(value, str)
        case _:
            fits = isinstance(value, str) and tiles_named(value) <= may.tiles
    if not fits:
        raise Leak(f"{path}: {value!r:.200} is not for seat {may.seat}, who may know {sorted(may.tiles)}")
    return None
