"""Prompts: the player's task in each family of games, and the reason why a tile cannot be played, from a view."""

from functools import singledispatch

from core.actions import Beat, Bid, Bury, Draw, Fill, Hide, Lay, Lead, Name, Pass, Play, Shed, Take, Tuck
from core.combos.state import ComboView, best_of, size_of
from core.layout.state import LayoutView
from core.patience.state import PatienceView, ends_of
from core.tiles import Tile
from core.tricks.state import DOUBLES, MARK, NO_SUIT, TrickView, belongs_to_suit, trump_suit, worth
from core.words import ShownLead, Spread, Words, several_words, words


@singledispatch
def ask(view: object) -> Words:
    """Return the task of the view's seat, or the seat that it waits for. The round must not be over."""
    raise NotImplementedError(type(view))


@singledispatch
def why_not(view: object, _tile: Tile) -> Words | None:
    """Return the reason why a tile in the hand of the view's seat cannot be played now; None if it can."""
    raise NotImplementedError(type(view))


@ask.register
def _ask_in_layout(view: LayoutView) -> Words:
    if view.turn != view.seat:
        return words("{seat} is to play.", seat=view.turn)
    plays = [action for action in view.legal if isinstance(action, Play)]
    if view.pending:
        return several_words("{count} point can be claimed.", "{count} points can be claimed.", view.pending)
    if not view.layout:
        return _lead_words(view, plays)
    if not plays:
        return _stuck_words(view)
    if view.rows:
        return words("You turn over {tile}: lay it.", tile=str(plays[0].tile))
    if view.says:
        return view.says
    if view.going == "may":
        return words("You may play on, or pass.")
    if view.going == "fits":
        return words("You go on as long as something fits: play a tile.")
    if Pass() in view.legal:
        return words("Play the tile that you drew, or keep it and pass.")
    if Draw() in view.legal:
        return words("Play a tile, or draw one first.")
    if view.drawn:
        return several_words("You drew {count} tile: now play.", "You drew {count} tiles: now play.", view.drawn)
    return words("Play a tile.")


@why_not.register
def _why_not_in_layout(view: LayoutView, tile: Tile) -> Words | None:
    if view.turn != view.seat:
        return ask(view)
    if any(isinstance(action, Play | Shed) and action.tile == tile for action in view.legal):
        return None
    if view.pending:
        return ask(view)
    if not view.layout:
        return _lead_words(view, [action for action in view.legal if isinstance(action, Play)])
    if view.owed and view.says:
        return view.says
    if view.going == "fits":
        number = next((end.pips for end in view.ends if end.at == len(view.layout) - 1), -1)
        return words("{tile} does not fit the end where you go on: {number}.", tile=str(tile), number=number)
    return words("{tile} fits nowhere: {ends}.", tile=str(tile), ends=_ends_words(view))


def _lead_words(view: LayoutView, plays: list[Play]) -> Words:
    if Pass() in view.legal:
        return words("You have no double to lead: pass.")
    if not plays:
        return words("Nobody holds the centre: draw one tile for it.")
    tile = str(plays[0].tile)
    if view.rows:
        return words("You turn over {tile}: lead it.", tile=tile)
    centre = words("You hold the centre: lay {tile}.", tile=tile)
    reasons: dict[ShownLead, Words] = {
        "centre": centre,
        "found": centre,
        "double": words("You lead {tile}: the highest double in any hand.", tile=tile),
        "lowest_double": words("You lead {tile}: the lowest double in any hand.", tile=tile),
        "first_tile": words("You lead {tile}: nobody holds a tile that must lead before it.", tile=tile),
        "lightest": words("You lead {tile}: the lightest tile in any hand.", tile=tile),
        "heaviest": words("You lead {tile}: the heaviest tile in any hand.", tile=tile),
        "heaviest_hand": words("You lead any tile: nobody has a double, and your hand is the heaviest."),
        "own_double": words("You lead any of your doubles."),
        "lot": words("You lead any tile: you were chosen by lot."),
        "winner": words("You lead any tile: you won the last round."),
    }
    return reasons.get(view.opening) or words("You lead any tile: it is your turn to lead.")


def _stuck_words(view: LayoutView) -> Words:
    if view.owed and view.says and Draw() in view.legal:
        return words("{task} You have none: draw.", task=view.says)
    if view.owed and view.says:
        return words("{task} You have none: pass.", task=view.says)
    if Draw() in view.legal:
        return words("Nothing fits, {ends}: draw.", ends=_ends_words(view))
    for action in view.legal:
        if isinstance(action, Tuck):
            return words(
                "{tile} does not fit, {ends}: it goes to the end of your row.",
                tile=str(action.tile),
                ends=_ends_words(view),
            )
    if any(isinstance(action, Shed) for action in view.legal):
        return words("Nothing fits, {ends}: lay a tile face down.", ends=_ends_words(view))
    if view.reserve < view.boneyard:
        return words("Nothing fits, {ends}, and you have drawn all you may: pass.", ends=_ends_words(view))
    if view.boneyard:
        return words("Nothing fits, {ends}, and nothing may be drawn: pass.", ends=_ends_words(view))
    return words("Nothing fits, {ends}, and the boneyard is empty: pass.", ends=_ends_words(view))


def _ends_words(view: LayoutView) -> Words:
    numbers = sorted({end.pips for end in view.ends}, reverse=True)
    if len(view.ends) == 1:
        return words("the open end is {number}", number=numbers[0])
    if len(numbers) == 1:
        return words("all ends {number}", number=numbers[0])
    return words("ends {numbers}", numbers=", ".join(map(str, numbers)))


@ask.register
def _ask_in_tricks(view: TrickView) -> Words:
    if view.bid is None:
        return _ask_bid(view)
    if view.trump is None:
        if view.turn != view.seat:
            if view.counts[view.turn] > min(view.counts):
                return words("{seat} is to put a tile away.", seat=view.turn)
            return words("{seat} is to name trumps.", seat=view.turn)
        if any(isinstance(action, Bury) for action in view.legal):
            return words("Put one tile away, then you name trumps.")
        return words("Name trumps, then you lead.")
    if view.turn != view.seat:
        return words("{seat} is to play.", seat=view.turn)
    if view.trump.kind == "sevens":
        return words("Play your tile nearest to seven.")
    if view.suit == NO_SUIT:
        return words("You lead: play any tile.")
    if not any(belongs_to_suit(tile, view.suit, view.trump) for tile in view.hand):
        return words("You have no {suit}: play any tile.", suit=suit_words(view.suit))
    if view.suit == trump_suit(view.trump):
        return words("Follow the trump led: {suit}.", suit=suit_words(view.suit))
    return words("Follow the suit led: {suit}.", suit=suit_words(view.suit))


@why_not.register
def _why_not_in_tricks(view: TrickView, tile: Tile) -> Words | None:
    if any(isinstance(action, Lay | Bury) and action.tile == tile for action in view.legal):
        return None
    if view.turn != view.seat or view.trump is None:
        return ask(view)
    if view.trump.kind == "sevens":
        return words("{tile} is not your tile nearest to seven.", tile=str(tile))
    if view.trump.kind == "number" and view.trump.number in tile and view.suit in tile:
        return words(
            "{tile} is a trump; you must follow the suit led: {suit}.", tile=str(tile), suit=suit_words(view.suit)
        )
    if view.suit in tile:
        return words(
            "{tile} is a double, and doubles are a suit of their own; follow the {suit}.",
            tile=str(tile),
            suit=suit_words(view.suit),
        )
    return words(
        "{tile} does not follow; you must play one of the {suit}.", tile=str(tile), suit=suit_words(view.suit)
    )


def suit_words(suit: int) -> Words:
    """Return the players' name of a suit."""
    return {
        0: words("blanks"),
        1: words("ones"),
        2: words("twos"),
        3: words("threes"),
        4: words("fours"),
        5: words("fives"),
        6: words("sixes"),
        DOUBLES: words("doubles"),
    }.get(suit) or words("{number}s", number=suit)


def trump_words(trump: Name) -> Words:
    """Return a named trump in a few words."""
    match trump.kind, trump.doubles:
        case "number", _:
            return suit_words(trump.number)
        case "doubles", _:
            return words("doubles")
        case "none", _:
            return words("no trumps")
        case "follow_me", "high":
            return words("follow me")
        case "follow_me", "low":
            return words("follow me, doubles low")
        case "follow_me", _:
            return words("follow me, doubles a suit")
        case "nello", "high":
            return words("nello, doubles high")
        case "nello", "low":
            return words("nello, doubles low")
        case "nello", _:
            return words("nello, doubles a suit")
        case _:
            return words("sevens")


def bid_words(bid: Bid) -> Words:
    """Return a bid in the words of players."""
    if bid.kind == "plunge":
        return several_words("plunge, {count} mark", "plunge, {count} marks", bid.marks)
    if bid.kind == "splash":
        return several_words("splash, {count} mark", "splash, {count} marks", bid.marks)
    if bid.points < MARK:
        return words("{points}", points=bid.points)
    return several_words("{count} mark", "{count} marks", bid.marks)


def _ask_bid(view: TrickView) -> Words:
    standing = max((call.bid for call in view.calls if call.bid), key=worth, default=None)
    if view.turn != view.seat:
        return words("{seat} is to bid.", seat=view.turn)
    if Pass() not in view.legal:
        return words("Everybody else passed: you must bid.")
    if standing is None:
        lowest = min((action for action in view.legal if isinstance(action, Bid)), key=worth)
        return words("Bid {bid} or more, or pass.", bid=bid_words(lowest))
    return words("Bid more than {bid}, or pass.", bid=bid_words(standing))


@ask.register
def _ask_in_combos(view: ComboView) -> Words:
    if view.turn != view.seat:
        return words("{seat} is to play.", seat=view.turn)
    if not view.trick:
        return words("You lead: one tile, or several laid together.")
    best = tiles_text(best_of(view.trick).tiles)
    if view.bound:
        return words("You have taken nothing: lay your last tile face down.")
    if any(isinstance(action, Beat) for action in view.legal):
        return words("Beat {tiles}, or hide as many.", tiles=best)
    return several_words(
        "You cannot beat {tiles}: hide {count} tile.",
        "You cannot beat {tiles}: hide {count} tiles.",
        size_of(view),
        tiles=best,
    )


@why_not.register
def _why_not_in_combos(view: ComboView, tile: Tile) -> Words | None:
    return None if any(isinstance(a, Lead | Beat | Hide) and tile in a.tiles for a in view.legal) else ask(view)


def tiles_text(tiles: tuple[Tile, ...]) -> str:
    """Return tiles as they are written, separated by blanks."""
    return " ".join(map(str, tiles))


@ask.register
def _ask_in_patience(view: PatienceView) -> Words:
    if view.turn != view.seat:
        return words("{seat} is to play.", seat=view.turn)
    if Draw() in view.legal:
        return words("No tile can be captured: turn over the next one.")
    if view.spread == "columns" and not any(isinstance(action, Take) for action in view.legal):
        return words("No two free tiles make 12: fill the empty column, or give up.")
    if view.spread == "columns" and any(isinstance(action, Fill) for action in view.legal):
        return words("Take two free tiles that make 12, or fill the empty column.")
    if view.spread == "line":
        left, right = ends_of(view.piles[0])
        return words("Lay a tile at an end of the line: {left} or {right}.", left=left, right=right)
    return _TAKE_TASKS[view.spread]


_TAKE_TASKS: dict[Spread, Words] = {
    "columns": words("Take two free tiles that make 12."),
    "row": words("Capture a tile between two that share a number."),
    "grid": words("Take two tiles that touch and share a number."),
}


@why_not.register
def _why_not_in_patience(view: PatienceView, tile: Tile) -> Words | None:
    if any(isinstance(action, Play) and action.tile == tile for action in view.legal):
        return None
    if view.turn != view.seat:
        return ask(view)
    left, right = ends_of(view.piles[0])
    return words("{tile} fits neither end: {left} or {right}.", tile=str(tile), left=left, right=right)
