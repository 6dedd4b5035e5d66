"""What a player of a trick game is asked to do, and why a tile cannot be laid, from the player's view."""

from core.actions import Bid, Bury, Lay, Name, Pass
from core.tiles import Tile
from core.tricks.state import MARK, TrickView, worth
from core.tricks.suits import DOUBLES, NO_SUIT, follows, trump_suit
from core.words import Words, several_words, words


def ask_in_tricks(view: TrickView) -> Words:
    """Return what the view's seat is asked to do, or whom it waits for. The hand must not be over."""
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
    if not any(follows(tile, view.suit, view.trump) for tile in view.hand):
        return words("You have no {suit}: play any tile.", suit=suit_words(view.suit))
    if view.suit == trump_suit(view.trump):
        return words("Follow the trump led: {suit}.", suit=suit_words(view.suit))
    return words("Follow the suit led: {suit}.", suit=suit_words(view.suit))


def why_not_in_tricks(view: TrickView, tile: Tile) -> Words | None:
    """Return why a tile in the hand of the view's seat cannot be laid now; None if it can."""
    if any(isinstance(action, Lay | Bury) and action.tile == tile for action in view.legal):
        return None
    if view.turn != view.seat or view.trump is None:
        return ask_in_tricks(view)
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
    """The name that players use for a suit."""
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
    """What was named, in a few words."""
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
    """A bid in the words of players."""
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
