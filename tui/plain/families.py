"""The differences between families of games in plain text; the numbered moves, and the meaning of a typed line."""

import re
from collections.abc import Callable, Iterator
from itertools import chain, count
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from core.actions import (
    Action,
    Bade,
    Beat,
    Bid,
    Bury,
    Claim,
    Draw,
    Fill,
    Hid,
    Hide,
    Lay,
    Lead,
    Matched,
    Name,
    Pass,
    Passed,
    Play,
    RoundOver,
    Shed,
    Silent,
    Take,
    Tuck,
)
from core.combos.state import ComboView, LaidCombo
from core.combos.state import tricks_taken as taken_by_each
from core.layout.state import NOBODY, End, LayoutView, end_at
from core.match import MatchView
from core.patience.rules import GRID_COLUMNS
from core.patience.state import PatienceView, orient_tiles
from core.prompts import bid_words, suit_words, tiles_text, trump_words, why_not
from core.tiles import STAR, WILD, Hand, Tile
from core.tricks.state import TRUMPS, TrickView, tricks_and_counts
from core.variant import AnyView, tag_of
from tui.draw.results import headline, score_words
from tui.i18n import _, several, translate, with_sign
from tui.model.choice import END_KEYS
from tui.plain.form import number_of
from tui.text.headlines import Subject, count_sentence, player_subject, score_sentence, side_subject, sum_of
from tui.text.names import tile_words
from tui.text.non_layout import (
    combo_event_sentence,
    end_words,
    game_end_sentence,
    hand_sum,
    tile_list,
    trick_event_sentence,
)

Names = tuple[str, ...]


def layout_ends(view: LayoutView, names: Names, _repeated: bool = False) -> list[str]:
    """Return the open ends with their letters in a sentence; trains in a sentence each."""
    if not view.ends or not view.layout:
        return []
    if view.shape == "lanes":
        return [_("End {end}.", end=_end_words(view, end, key, names)) for key, end in _ends_with_keys(view)]
    ends = ", ".join(_end_words(view, end, key, names) for key, end in _ends_with_keys(view))
    return [_("Ends: {ends}.", ends=ends)]


def _ends_with_keys(view: LayoutView) -> Iterator[tuple[str, End]]:
    """Return the ends, each with its letter, or with its number beyond the last letter."""
    return zip(chain(END_KEYS, map(str, count(len(END_KEYS) + 1))), view.ends, strict=False)


def _end_words(view: LayoutView, end: End, key: str, names: Names) -> str:
    number = str(end.pips) if end.pips >= 0 else _("any number")
    train = _train_words(view, end, names)
    words = (
        _("{end}, {train}, shows {number}", end=key, train=train, number=number)
        if train
        else _("{end} shows {number}", end=key, number=number)
    )
    if end.owner != NOBODY and end.owner in view.open:
        words += ", " + _("open to all")
    if end.at in view.owed:
        words += ", " + _("to be answered first")
    return words


def _train_words(view: LayoutView, end: End, names: Names) -> str:
    if end.owner == NOBODY:
        return _("the Mexican Train") if view.shape == "lanes" else ""
    return _("your train") if end.owner == view.seat else _("{name}'s train", name=names[end.owner])


def layout_action_sentence(action: Action, view: LayoutView, names: Names) -> str:
    """Return an action as a sentence."""
    match action:
        case Play(at=at) as play if at < 0:
            return _("Lead {tile}.", tile=tile_words(play.tile))
        case Play() as play:
            return _play_sentence(play, view, names)
        case Draw():
            return _("Draw.")
        case Shed(tile=tile):
            return _("Lay {tile} face down.", tile=str(tile))
        case Tuck(tile=tile):
            return _("Put {tile} at the end of your row.", tile=str(tile))
        case Claim():
            return several("Claim {count} point.", "Claim {count} points.", view.pending)
    return _("Claim nothing.") if view.pending else _("Pass.")


def _play_sentence(play: Play, view: LayoutView, names: Names) -> str:
    end = end_at(view.ends, play.at, play.side)
    key = next(key for key, other_end in _ends_with_keys(view) if other_end == end)
    train = _train_words(view, end, names)
    number = _("the {number}", number=end.pips) if end.pips >= 0 else _("the wild end")
    place = ", ".join(filter(None, (train, number)))
    sentence = _("Play {tile} at {end}, on {place}.", tile=tile_words(play.tile), end=key, place=place)
    points = dict(zip(view.legal, view.worth, strict=False)).get(play, 0)
    return f"{sentence} " + _("It scores {points}.", points=points) if points else sentence


def layout_table(_match: MatchView, view: LayoutView, names: Names) -> list[str]:
    """Return the table: the tiles from the first tile to each end, the ends, and the number of tiles to draw."""
    if not view.layout:
        return [_("No tile is on the table yet."), *_rest_lines(view, names)]
    lines = [_("The first tile is {tile}.", tile=tile_words(view.layout[0].tile))]
    for key, end in _ends_with_keys(view):
        tiles = _tiles_to_end(view, end)
        if tiles:
            lines.append(_("From there to end {end}: {tiles}.", end=key, tiles=", ".join(tiles)))
    last = view.layout[-1]
    if last.seat != NOBODY:
        player = player_subject(last.seat, names, view.seat)
        lines.append(
            player.fill_in(
                "The last tile is {tile}, by you.", "The last tile is {tile}, by {name}.", tile=tile_words(last.tile)
            )
        )
    return [*lines, *layout_ends(view, names), *_rest_lines(view, names)]


def _tiles_to_end(view: LayoutView, end: End) -> list[str]:
    """Return the tiles from the second to an end, each with its inward number first."""
    tiles: list[str] = []
    index = end.at
    while index > 0:
        placed = view.layout[index]
        tile = placed.tile
        inward = tile.low if placed.out == tile.high else tile.high
        tiles.append(tile_words(tile) if tile == STAR else f"{inward if inward >= 0 else '*'}|{placed.out}")
        index = placed.on
    return tiles[::-1]


def _face_down_lines(view: LayoutView, names: Names) -> list[str]:
    """Return sentences about the tiles laid face down: the player's own by name, those of others by their number."""
    lines = []
    for seat, number in enumerate(view.shed):
        if number and seat == view.seat:
            tiles = ", ".join(map(str, view.own_shed))
            lines.append(_("You have laid face down: {tiles}.", tiles=tiles))
        elif number:
            tiles = several("{count} tile", "{count} tiles", number)
            lines.append(_("{name} has laid face down: {tiles}.", name=names[seat], tiles=tiles))
    return lines


def _row_sentence(row: Hand, player: Subject) -> str:
    """Return the number of tiles in a row, and those face up."""
    up = ", ".join(str(tile) for tile in row if tile != STAR)
    tile_count = several("{count} tile", "{count} tiles", len(row))
    if up:
        return player.fill_in(
            "Your row has {tiles}; face up: {up}.",
            "The row of {name} has {tiles}; face up: {up}.",
            tiles=tile_count,
            up=up,
        )
    return player.fill_in(
        "Your row has {tiles}, all face down.", "The row of {name} has {tiles}, all face down.", tiles=tile_count
    )


def _rest_lines(view: LayoutView, names: Names) -> list[str]:
    lines = [_("The ends add up to {total}.", total=sum(view.count))] if view.count else []
    lines += _face_down_lines(view, names)
    lines += [_row_sentence(row, player_subject(seat, names, view.seat)) for seat, row in enumerate(view.rows)]
    if view.boneyard:
        lines.append(several("{count} tile is in the boneyard.", "{count} tiles are in the boneyard.", view.boneyard))
    if view.reserve:
        lines.append(several("{count} of them stays there.", "{count} of them stay there.", view.reserve))
    return lines


def layout_result(match: MatchView, view: LayoutView, result: RoundOver, names: Names) -> list[str]:
    """Return the end of a round: the winner, all hands, and the points of each side."""
    lines = [headline(match, result, names, view.seat)]
    for seat, hand in enumerate(result.hands[: len(names)]):
        player = player_subject(seat, names, view.seat)
        if hand:
            tiles, pips = ", ".join(map(tile_words, hand)), sum(max(0, tile.pips) for tile in hand)
            pips_words = several("{count} pip", "{count} pips", pips)
            lines.append(
                player.fill_in(
                    "You hold {tiles}: {pips}.", "{name} holds {tiles}: {pips}.", tiles=tiles, pips=pips_words
                )
            )
        else:
            lines.append(player.fill_in("You hold nothing.", "{name} holds nothing."))
    for side in range(match.sides):
        score = score_words(match, result, side)
        terms = result.sums[side] if side < len(result.sums) else ()
        if terms:
            total = with_sign(sum(term.amount for term in terms))
            too_many = ", " + _("too many") if side in result.void else ""
            unnamed_seats = (side,) if match.sides == len(names) else ()
            sum_words = f"{sum_of(terms, names, result.hands, unnamed_seats, view.seat)} = {total}{too_many}"
            lines.append(count_sentence(side, names, match.sides, sum_words, view.seat))
        lines.append(score_sentence(side, names, match.sides, score, view.seat))
    return lines


def trick_action_sentence(action: Action, view: TrickView, _names: Names) -> str:
    """Return an action as a sentence."""
    match action:
        case Bid() as bid:
            return _("Bid {bid}.", bid=translate(bid_words(bid)))
        case Name(kind=kind) as trump if kind in TRUMPS:
            return _("Name {trump} trumps.", trump=translate(trump_words(trump)))
        case Name() as trump:
            return _("Call {trump}.", trump=translate(trump_words(trump)))
        case Bury(tile=tile):
            return _("Put {tile} away.", tile=str(tile))
        case Lay(tile=tile) as lay:
            if view.trick:
                return _("Lay {tile}.", tile=str(tile))
            if sum(isinstance(option, Lay) and option.tile == tile for option in view.legal) == 1:
                return _("Lead {tile}.", tile=str(tile))
            suit = translate(suit_words(tile.low if lay.small else tile.high))
            return _("Lead {tile} for {suit}.", tile=str(tile), suit=suit)
    return _("Pass.")


def trick_so_far_lines(view: TrickView, names: Names, repeated: bool = True) -> list[str]:
    """Return the trick so far; empty unless `repeated`, as its tiles have just been reported."""
    return [] if not repeated else [trick_event_sentence(laid, view, names, view.seat, 0) for laid in view.trick]


def trick_table(match: MatchView, view: TrickView, names: Names) -> list[str]:
    """Return the bidding, the contract, the trick so far, and the tricks of each side."""
    sides = match.sides
    calls = [Bade(call.seat, call.bid) if call.bid else Passed(call.seat, "bidding") for call in view.calls]
    lines = [trick_event_sentence(call, view, names, view.seat, sides) for call in calls]
    lines += _contract_lines(view, names)
    lines += trick_so_far_lines(view, names)
    return lines + (_tricks_lines(match, view, names) if view.trump else [])


def _contract_lines(view: TrickView, names: Names) -> list[str]:
    if view.bid is None:
        return []
    bidder, bid = player_subject(view.bidder, names, view.seat), translate(bid_words(view.bid))
    lines = [bidder.fill_in("The bid is {bid}, by you.", "The bid is {bid}, by {name}.", bid=bid)]
    if view.trump is None:
        return lines
    trump_text = translate(trump_words(view.trump))
    trumps = (
        _("Trumps are {trump}.", trump=trump_text)
        if view.trump.kind in TRUMPS
        else _("Called: {trump}.", trump=trump_text)
    )
    return [*lines, trumps]


def _tricks_lines(match: MatchView, view: TrickView, names: Names) -> list[str]:
    lines = []
    sides = match.sides
    for side in range(sides):
        tricks, counts = tricks_and_counts(view.tricks, side, sides)
        tricks_words, subject = (
            several("{count} trick", "{count} tricks", tricks),
            side_subject(side, names, sides, view.seat),
        )
        points = several("{count} point", "{count} points", tricks + counts)
        if view.bid and not view.bid.marks:
            lines.append(subject.fill_in("You took {tricks}.", "{name} took {tricks}.", tricks=tricks_words))
        else:
            lines.append(
                subject.fill_in(
                    "You took {tricks}, {points}.",
                    "{name} took {tricks}, {points}.",
                    tricks=tricks_words,
                    points=points,
                )
            )
    return lines


def trick_result(match: MatchView, view: TrickView, result: RoundOver, names: Names) -> list[str]:
    """Return the end of a hand: the bid made or set, the tricks of each side, and their points."""
    lines = [headline(match, result, names, view.seat), *_contract_lines(view, names)]
    lines += _tricks_lines(match, view, names) if view.trump else []
    for side in range(match.sides):
        score = score_words(match, result, side)
        if result.sums[side]:
            lines.append(
                count_sentence(side, names, match.sides, hand_sum(result.sums[side], names, view.seat), view.seat)
            )
        lines.append(score_sentence(side, names, match.sides, score, view.seat))
    return lines


def patience_action_sentence(action: Action, _view: PatienceView, _names: Names) -> str:
    """Return an action as a sentence."""
    match action:
        case Take(tiles=tiles):
            return _("Take {tiles}.", tiles=tile_list(tiles))
        case Fill(tile=tile):
            return _("Move {tile} to the empty column.", tile=str(tile))
        case Draw():
            return _("Turn over the next tile.")
        case Play(tile=tile) as play:
            return _("Lay {tile} {where}.", tile=str(tile), where=end_words(play))
    return _("Give up.")


def patience_open_lines(view: PatienceView, _names: Names = (), _repeated: bool = True) -> list[str]:
    """Return the open tiles on the table."""
    if view.spread == "columns":
        column_count = len(view.piles) - view.aside
        lines = [
            _("Column {number}, from the top: {tiles}.", number=number, tiles=tile_list(pile))
            if pile
            else _("Column {number} is empty.", number=number)
            for number, pile in enumerate(view.piles[:column_count], 1)
        ]
        aside = tuple(tile for pile in view.piles[column_count:] for tile in pile)
        return [*lines, _("Aside: {tiles}.", tiles=tile_list(aside))] if aside else lines
    pile = view.piles[0]
    if view.spread == "grid":
        rows = [pile[start : start + GRID_COLUMNS] for start in range(0, len(pile), GRID_COLUMNS)]
        return [_("Row {number}: {tiles}.", number=n, tiles=tile_list(row)) for n, row in enumerate(rows, 1)]
    if view.spread == "line":
        return [_("The line: {tiles}.", tiles=", ".join(f"{left}|{right}" for left, right in orient_tiles(pile)))]
    return [_("The row: {tiles}.", tiles=tile_list(pile))]


def patience_table(_match: MatchView, view: PatienceView, _names: Names) -> list[str]:
    """Return everything on the table, and the number of tiles still to come."""
    lines = patience_open_lines(view)
    if view.boneyard:
        lines.append(several("{count} tile is in the boneyard.", "{count} tiles are in the boneyard.", view.boneyard))
    return lines


def patience_result(match: MatchView, view: PatienceView, result: RoundOver, names: Names) -> list[str]:
    """Return the end of a game: solved or not, and the tiles left."""
    lines = [game_end_sentence(result)]
    if result.points[0]:
        lines.append(_("Left: {tiles}.", tiles=tile_list(result.hands[0])))
    return [*lines, score_sentence(0, names, match.sides, with_sign(match.scores[0]), view.seat)]


MAX_LISTED_HIDES = 8
"""Maximum number of ways to hide that are listed one by one; beyond it the first, and a hint how to name others."""


def combo_action_sentence(action: Action, view: ComboView, _names: Names) -> str:
    """Return an action as a sentence."""
    match action:
        case Lead(tiles=tiles):
            return _("Lead {tiles}.", tiles=tiles_text(tiles))
        case Beat(tiles=tiles):
            return _("Beat it with {tiles}.", tiles=tiles_text(tiles))
        case Hide(tiles=tiles) if sum(isinstance(option, Hide) for option in view.legal) > MAX_LISTED_HIDES:
            return _("Hide {tiles}; or type “hide” and other tiles.", tiles=tiles_text(tiles))
        case Hide(tiles=tiles):
            return _("Hide {tiles}.", tiles=tiles_text(tiles))
    return ""


def combo_so_far_lines(view: ComboView, names: Names, repeated: bool = True) -> list[str]:
    """Return the trick so far; empty unless `repeated`, as its tiles have just been reported."""
    return (
        [_put_sentence(put, view, names, is_lead=not number) for number, put in enumerate(view.trick)]
        if repeated
        else []
    )


def _put_sentence(put: LaidCombo, view: ComboView, names: Names, *, is_lead: bool) -> str:
    event = (
        Matched(put.seat, put.tiles, not is_lead) if put.up else Hid(put.seat, len(view.trick[0].tiles), put.tiles)
    )
    return combo_event_sentence(event, names, view.seat, len(names))


def combo_table(_match: MatchView, view: ComboView, names: Names) -> list[str]:
    """Return the banker, the trick so far, and the number of tricks of each seat."""
    banker = player_subject(view.banker, names, view.seat)
    lines = [banker.fill_in("You are the banker.", "The banker is {name}."), *combo_so_far_lines(view, names)]
    for seat, tricks in enumerate(taken_by_each(view.tricks, len(names))):
        tricks_words = several("{count} trick", "{count} tricks", tricks)
        lines.append(
            player_subject(seat, names, view.seat).fill_in(
                "You took {tricks}.", "{name} took {tricks}.", tricks=tricks_words
            )
        )
    return lines


def combo_result(match: MatchView, view: ComboView, result: RoundOver, names: Names) -> list[str]:
    """Return the end of a round: the last trick, the payments, and the tiles that lay face down."""
    lines = [headline(match, result, names, view.seat), *combo_table(match, view, names)[1:]]
    for seat in range(len(names)):
        if result.hands[seat]:
            hidden_tiles = tiles_text(result.hands[seat])
            player = player_subject(seat, names, view.seat)
            lines.append(player.fill_in("You had hidden {tiles}.", "{name} had hidden {tiles}.", tiles=hidden_tiles))
        if result.sums[seat]:
            total = with_sign(sum(term.amount for term in result.sums[seat]))
            sum_words = f"{sum_of(result.sums[seat], names, reader_seat=view.seat)} = {total}"
            lines.append(count_sentence(seat, names, match.sides, sum_words, view.seat))
        lines.append(score_sentence(seat, names, match.sides, score_words(match, result, seat), view.seat))
    return lines


V = TypeVar("V")


class Narrator(Struct, Generic[V], frozen=True):
    """Describes a family of games in sentences; `V` is its view of a round."""

    choice_facts: Callable[[V, Names, bool], list[str]]
    """Returns the facts needed for a choice; the last argument is True if the question is repeated without the moves
    before it.
    """
    action_sentence: Callable[[Action, V, Names], str]
    """Returns an action as a sentence."""
    table: Callable[[MatchView, V, Names], list[str]]
    """Returns everything on the table."""
    result: Callable[[MatchView, V, RoundOver, Names], list[str]]
    """Returns the end of the round."""


NARRATORS: dict[str, Narrator[Any]] = {
    "layout": Narrator[LayoutView](layout_ends, layout_action_sentence, layout_table, layout_result),
    "tricks": Narrator[TrickView](trick_so_far_lines, trick_action_sentence, trick_table, trick_result),
    "patience": Narrator[PatienceView](
        patience_open_lines, patience_action_sentence, patience_table, patience_result
    ),
    "combos": Narrator[ComboView](combo_so_far_lines, combo_action_sentence, combo_table, combo_result),
}
"""Narrators by the tag of their views."""


def narrator_of(view: AnyView) -> Narrator[Any]:
    """Return the narrator of a view's family."""
    return NARRATORS[tag_of(view)]


_TILE = re.compile(r"(\d{1,2})\s*[|/:-]\s*(\d{1,2}|\*)|(\d)([\d*])|(wildstar|wild|w|\*)", re.IGNORECASE)

_ANSWERS = ("hide", "draw", "x", "pass", "p", "claim", "hint", "h")


class MoveOption(NamedTuple):
    """A line of the numbered moves; its actions differ only in the number that faces outward."""

    text: str
    actions: tuple[Action, ...]

    @property
    def outward_actions(self) -> dict[int, Action]:
        """Actions by the number that faces outward; empty if there is only one."""
        if len(self.actions) == 1:
            return {}
        return {action.out: action for action in self.actions if isinstance(action, Play)}


def move_options(view: AnyView, names: Names) -> list[MoveOption]:
    """Return all moves of a seat, in the order of its view."""
    narrator, groups = narrator_of(view), dict[object, list[Action]]()
    are_hidden_together = sum(isinstance(action, Hide) for action in view.legal) > MAX_LISTED_HIDES
    for action in view.legal:
        group_key: object = (action.tile, action.at, action.side) if isinstance(action, Play) else action
        if isinstance(action, Hide) and are_hidden_together:
            group_key = "hide"
        groups.setdefault(group_key, []).append(action)
    return [
        MoveOption(
            narrator.action_sentence(actions[0], view, names),
            tuple(actions[: 1 if isinstance(actions[0], Hide) else None]),
        )
        for actions in groups.values()
    ]


def is_answer(line: str) -> bool:
    """Return True if a line makes sense only as an answer to a question, or asks for a hint."""
    word = line.strip().lower().partition(" ")[0]
    return not word or word[0].isdigit() or word in _ANSWERS or bool(_TILE.fullmatch(word))


def find_option(line: str, options: list[MoveOption], view: AnyView, names: Names) -> MoveOption | str:
    """Return the option that a line means, or a sentence that says why there is none."""
    word = line.strip().lower()
    if word in ("draw", "x"):
        return _option_of_kind(options, (Draw,)) or _("You cannot draw now.")
    if word in ("pass", "p"):
        return _option_of_kind(options, (Pass, Tuck, Silent)) or _("You cannot pass now.")
    if word == "claim":
        return _option_of_kind(options, (Claim,)) or _("Nothing can be claimed now.")
    number = number_of(word, len(options))
    if number is not None:
        return options[number - 1]
    if isinstance(view, ComboView) and (word.startswith("hide") or _TILE.match(word)):
        return _option_of_tiles(word, view)
    typed_tile, end = _TILE.match(word), ""
    if typed_tile:
        end = word[typed_tile.end() :].strip()
    number_too_high = typed_tile is not None and word.isdecimal() and _parse_tile(typed_tile) not in view.hand
    if typed_tile is None or len(end) > 1 or number_too_high:
        return _("Type a number from 1 to {most}, or “help”.", most=len(options))
    return _option_of_tile(_parse_tile(typed_tile), end, options, view, names)


def _option_of_tiles(word: str, view: AnyView) -> MoveOption | str:
    """Return an option that leads, beats with or hides exactly these tiles; a sentence if there is none."""
    tiles = tuple(sorted(_parse_tile(typed_tile) for typed_tile in _TILE.finditer(word.removeprefix("hide"))))
    kinds = (Hide,) if word.startswith("hide") else (Lead, Beat, Hide)
    for action in view.legal:
        if isinstance(action, kinds) and action.tiles == tiles:
            return MoveOption("", (action,))
    return _("You cannot lay these tiles together now.")


def _option_of_kind(options: list[MoveOption], kinds: tuple[type, ...]) -> MoveOption | None:
    return next((option for option in options if isinstance(option.actions[0], kinds)), None)


def _parse_tile(typed_tile: re.Match[str]) -> Tile:
    if typed_tile[5]:
        return STAR
    first, second = typed_tile[1] or typed_tile[3], typed_tile[2] or typed_tile[4]
    low, high = sorted((int(first), WILD if second == "*" else int(second)))
    return Tile(low, high)


def _option_of_tile(tile: Tile, end: str, options: list[MoveOption], view: AnyView, names: Names) -> MoveOption | str:
    matching = [
        option
        for option in options
        if isinstance(option.actions[0], Play | Lay | Shed | Tuck | Bury) and option.actions[0].tile == tile
    ]
    if end and isinstance(view, LayoutView):
        matching = [option for option in matching if _is_at_end(option.actions[0], end, view)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        numbers = ", ".join(str(options.index(option) + 1) for option in matching)
        return _("There are several ways to do that: type one of {numbers}.", numbers=numbers)
    if tile not in view.hand:
        return _("You do not hold {tile}.", tile=tile_words(tile))
    reason = why_not(view, tile)
    return translate(reason, names) if reason else _("That tile does not go there.")


def _is_at_end(action: Action, key: str, view: LayoutView) -> bool:
    place = END_KEYS.find(key)
    if not isinstance(action, Play) or not 0 <= place < len(view.ends):
        return False
    return (view.ends[place].at, view.ends[place].side) == (action.at, action.side)
