"""Tells layout games in whole sentences: the ends, the table, what a player may do, and how a round ended."""

from collections.abc import Iterator
from itertools import chain, count

from core.actions import Action, Claim, Draw, Play, RoundOver, Shed, Tuck
from core.layout.state import NOBODY, End, LayoutView, end_at
from core.match import MatchView
from core.tiles import STAR, Hand, Tile
from tui.draw.results import headline, score_words
from tui.i18n import _, several, signed
from tui.model.choice import END_KEYS
from tui.text.headlines import counted_words, side_name, sum_of

Names = tuple[str, ...]


def tile_words(tile: Tile) -> str:
    """A tile as it is read: its two numbers, or that it is a wildstar."""
    return _("a wildstar") if tile == STAR else str(tile)


def layout_ends(view: LayoutView, names: Names, _repeated: bool = False) -> list[str]:
    """The open ends with their letters; each train in a line of its own."""
    if not view.ends or not view.layout:
        return []
    if view.shape == "lanes":
        return [_("End {end}.", end=_end(view, end, key, names)) for key, end in _lettered(view)]
    shown = ", ".join(_end(view, end, key, names) for key, end in _lettered(view))
    return [_("Ends: {ends}.", ends=shown)]


def _lettered(view: LayoutView) -> Iterator[tuple[str, End]]:
    """The ends, each with its letter; where the letters end, with its number."""
    return zip(chain(END_KEYS, map(str, count(len(END_KEYS) + 1))), view.ends, strict=False)


def _end(view: LayoutView, end: End, key: str, names: Names) -> str:
    number = str(end.pips) if end.pips >= 0 else _("any number")
    train = _train(view, end, names)
    told = (
        _("{end}, {train}, shows {number}", end=key, train=train, number=number)
        if train
        else _("{end} shows {number}", end=key, number=number)
    )
    if end.owner != NOBODY and end.owner in view.open:
        told += ", " + _("open to all")
    if end.at in view.owed:
        told += ", " + _("to be answered first")
    return told


def _train(view: LayoutView, end: End, names: Names) -> str:
    if end.owner == NOBODY:
        return _("the Mexican Train") if view.shape == "lanes" else ""
    return _("your train") if end.owner == view.seat else _("{name}'s train", name=names[end.owner])


def layout_offer(action: Action, view: LayoutView, names: Names) -> str:
    """What a player may do, in a sentence."""
    match action:
        case Play(at=at) as play if at < 0:
            return _("Lead {tile}.", tile=tile_words(play.tile))
        case Play() as play:
            return _play(play, view, names)
        case Draw():
            return _("Draw.")
        case Shed(tile=tile):
            return _("Lay {tile} face down.", tile=str(tile))
        case Tuck(tile=tile):
            return _("Put {tile} to the end of your row.", tile=str(tile))
        case Claim():
            return several("Claim {count} point.", "Claim {count} points.", view.pending)
    return _("Claim nothing.") if view.pending else _("Pass.")


def _play(play: Play, view: LayoutView, names: Names) -> str:
    end = end_at(view.ends, play.at, play.side)
    key = next(key for key, each in _lettered(view) if each == end)
    train = _train(view, end, names)
    number = _("the {number}", number=end.pips) if end.pips >= 0 else _("the wild end")
    place = ", ".join(filter(None, (train, number)))
    told = _("Play {tile} at {end}, on {place}.", tile=tile_words(play.tile), end=key, place=place)
    points = dict(zip(view.legal, view.worth, strict=False)).get(play, 0)
    return f"{told} " + _("It scores {points}.", points=points) if points else told


def layout_table(_match: MatchView, view: LayoutView, names: Names) -> list[str]:
    """The whole table: every line of tiles from the first tile to its end, the ends, and what is left to draw."""
    if not view.layout:
        return [_("No tile is on the table yet."), *_left(view, names)]
    lines = [_("The first tile is {tile}.", tile=tile_words(view.layout[0].tile))]
    for key, end in _lettered(view):
        steps = _way_to(view, end)
        if steps:
            lines.append(_("From there to end {end}: {tiles}.", end=key, tiles=", ".join(steps)))
    last = view.layout[-1]
    if last.seat != NOBODY:
        tile, who = tile_words(last.tile), names[last.seat]
        lines.append(_("The last tile is {tile}, by {name}.", tile=tile, name=who))
    return [*lines, *layout_ends(view, names), *_left(view, names)]


def _way_to(view: LayoutView, end: End) -> list[str]:
    """The tiles from the first one to an end, each with the number that looks inward before the other."""
    steps: list[str] = []
    index = end.at
    while index > 0:
        placed = view.layout[index]
        tile = placed.tile
        inward = tile.low if placed.out == tile.high else tile.high
        steps.append(tile_words(tile) if tile == STAR else f"{inward if inward >= 0 else '*'}|{placed.out}")
        index = placed.on
    return steps[::-1]


def _face_down(view: LayoutView, names: Names) -> list[str]:
    """What everybody has laid face down; of others only how many."""
    lines = []
    for seat, number in enumerate(view.shed):
        if number and seat == view.seat:
            tiles = ", ".join(map(str, view.own_shed))
            lines.append(_("You have laid face down: {tiles}.", tiles=tiles))
        elif number:
            told = several("{count} tile", "{count} tiles", number)
            lines.append(_("{name} has laid face down: {tiles}.", name=names[seat], tiles=told))
    return lines


def _row(row: Hand, name: str, you: bool) -> str:
    """How many tiles a row has, and which of them lie face up."""
    up = ", ".join(str(tile) for tile in row if tile != STAR)
    many = several("{count} tile", "{count} tiles", len(row))
    if you and up:
        return _("Your row has {tiles}; face up: {up}.", tiles=many, up=up)
    if you:
        return _("Your row has {tiles}, all face down.", tiles=many)
    if up:
        return _("The row of {name} has {tiles}; face up: {up}.", name=name, tiles=many, up=up)
    return _("The row of {name} has {tiles}, all face down.", name=name, tiles=many)


def _left(view: LayoutView, names: Names) -> list[str]:
    lines = [_("The ends add up to {total}.", total=sum(view.count))] if view.count else []
    lines += _face_down(view, names)
    lines += [_row(row, names[seat], seat == view.seat) for seat, row in enumerate(view.rows)]
    if view.boneyard:
        lines.append(several("{count} tile is in the boneyard.", "{count} tiles are in the boneyard.", view.boneyard))
    if view.reserve:
        lines.append(several("{count} of them stays there.", "{count} of them stay there.", view.reserve))
    return lines


def layout_result(match: MatchView, view: LayoutView, result: RoundOver, names: Names) -> list[str]:
    """How a round ended: who won, what everybody holds, and what each side scores."""
    lines = [headline(match, result, names, view.seat)]
    for name, hand in zip(names, result.hands, strict=False):
        if hand:
            tiles, pips = ", ".join(map(tile_words, hand)), sum(max(0, tile.pips) for tile in hand)
            counted = several("{count} pip", "{count} pips", pips)
            lines.append(_("{name} holds {tiles}: {pips}.", name=name, tiles=tiles, pips=counted))
        else:
            lines.append(_("{name} holds nothing.", name=name))
    for side in range(match.sides):
        name, score = side_name(side, names, match.sides), score_words(match, result, side)
        terms = result.sums[side] if side < len(result.sums) else ()
        if terms:
            total = signed(sum(term.amount for term in terms))
            many = ", " + _("too many") if side in result.void else ""
            alone = (side,) if match.sides == len(names) else ()
            summed = f"{sum_of(terms, names, result.hands, alone, view.seat)} = {total}{many}"
            lines.append(counted_words(side, names, match.sides, summed))
        lines.append(_("Score of {name}: {score}.", name=name, score=score))
    return lines
