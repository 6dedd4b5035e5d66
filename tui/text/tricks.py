"""Tells games of tricks in sentences: what happened, how a hand ended, and what Enter will do."""

from core.actions import (
    Action,
    Bade,
    Bid,
    Buried,
    Bury,
    Drew,
    Event,
    Laid,
    Lay,
    Name,
    Named,
    Pass,
    Passed,
    RoundOver,
    Term,
    Took,
)
from core.layout.state import NOBODY
from core.prompts import bid_words, suit_words, trump_words
from core.tricks.state import NO_SUIT, TRUMPS, TrickView
from core.variant import why_not
from core.words import Words, words
from tui.board.canvas import columns
from tui.i18n import _, several, signed, spoken
from tui.model.trick_choice import TrickChoice
from tui.text.headlines import round_headline


def told_in_tricks(event: Event, names: tuple[str, ...], you: int, sides: int) -> str:
    """Tell an event of the bidding, of a trick, or the end of a hand; empty for what no game of tricks knows."""
    match event:
        case Passed(seat=seat):
            return _("You passed.") if seat == you else _("{name} passed.", name=names[seat])
        case Bade(seat=seat, bid=bid):
            said = spoken(bid_words(bid))
            return (
                _("You bid {bid}.", bid=said) if seat == you else _("{name} bid {bid}.", name=names[seat], bid=said)
            )
        case Drew(seat=seat) | Buried(seat=seat):
            return _widow(event, names[seat], seat == you)
        case Named(seat=seat, trump=trump):
            return _named(trump, names[seat], seat == you)
        case Laid(seat=seat):
            return _laid(event, names[seat], seat == you)
        case Took(seat=seat):
            return _took(event, names[seat], seat == you)
        case RoundOver():
            return hand_headline(event, sides, names, you)
    return ""


def _widow(event: Drew | Buried, name: str, you: bool) -> str:
    """What became of the tile that was left over."""
    tiles = ", ".join(map(str, event.tiles))
    if isinstance(event, Drew):
        return _("You take the widow: {tiles}.", tiles=tiles) if you else _("{name} takes the widow.", name=name)
    return _("You put {tiles} away.", tiles=tiles) if you else _("{name} puts a tile away.", name=name)


def _named(trump: Name, name: str, you: bool) -> str:
    said = spoken(trump_words(trump))
    if trump.kind in TRUMPS:
        return (
            _("You name {trump} trumps.", trump=said)
            if you
            else _("{name} names {trump} trumps.", name=name, trump=said)
        )
    return _("You call {trump}.", trump=said) if you else _("{name} calls {trump}.", name=name, trump=said)


def _laid(event: Laid, name: str, you: bool) -> str:
    tile = str(event.tile)
    if event.asks == NO_SUIT:
        return _("You lay {tile}.", tile=tile) if you else _("{name} lays {tile}.", name=name, tile=tile)
    suit = spoken(suit_words(event.asks))
    if you:
        return _("You lead {tile}: {suit}.", tile=tile, suit=suit)
    return _("{name} leads {tile}: {suit}.", name=name, tile=tile, suit=suit)


def _took(event: Took, name: str, you: bool) -> str:
    counts = ", ".join(map(str, event.counts))
    if not counts:
        return _("You take the trick.") if you else _("{name} takes the trick.", name=name)
    if you:
        return _("You take the trick for {points}, with {counts}.", points=event.points, counts=counts)
    return _("{name} takes the trick for {points}, with {counts}.", name=name, points=event.points, counts=counts)


def hand_headline(result: RoundOver, sides: int, names: tuple[str, ...], you: int) -> str:
    """One sentence: whether the bid was made or set, and by whom."""
    match result.how:
        case "passed":
            return _("Everybody passed: the next player shakes.")
        case "made" | "set":
            won = " + ".join(names[result.winner % sides :: sides])
            yours = you >= 0 and you % sides == result.winner % sides
            if sides == len(names):
                return _alone(result, names, you)
            if result.how == "made":
                return _("Bid made: the hand is yours.") if yours else _("{names} made their bid.", names=won)
            return _("Bid set: the hand is yours.") if yours else _("{names} set the bid.", names=won)
    return round_headline(sides, result, names, you)


def _alone(result: RoundOver, names: tuple[str, ...], you: int) -> str:
    """Whether who bid alone took enough."""
    if result.how == "made":
        if result.winner == you:
            return _("You made your bid.")
        return _("{name} made the bid.", name=names[result.winner])
    bidder = next((term.seat for terms in result.sums for term in terms if term.what == "bid"), NOBODY)
    if bidder == you:
        return _("You missed your bid.")
    return _("{name} missed the bid.", name=names[bidder])


def trick_sentence(choice: TrickChoice, names: tuple[str, ...]) -> str:
    """What Enter will do."""
    view = choice.view
    match choice.action:
        case Pass():
            return _("Enter passes.")
        case Bid() as bid:
            return _("Enter bids {bid}.", bid=spoken(bid_words(bid)))
        case Name() as trump:
            return _("Enter names {trump}.", trump=spoken(trump_words(trump)))
        case Bury(tile=tile):
            return _("Enter puts {tile} away.", tile=str(tile))
        case Lay(tile=tile) as lay:
            return _lay_sentence(view, lay, str(tile), len(choice.plays) > 1)
    reason = why_not(view, view.hand[choice.tile]) if view.hand else None
    return spoken(reason, names) if reason else ""


def _lay_sentence(view: TrickView, lay: Lay, tile: str, either: bool) -> str:
    if view.trick:
        return _("Enter lays {tile}.", tile=tile)
    if not either:
        return _("Enter leads {tile}.", tile=tile)
    suit = spoken(suit_words(lay.tile.low if lay.small else lay.tile.high))
    return _("Enter leads {tile} for {suit}.", tile=tile, suit=suit)


def item_words(item: Action) -> Words:
    """A bid or a trump as it stands in the list."""
    match item:
        case Bid():
            return bid_words(item)
        case Name():
            return trump_words(item)
        case _:
            return words("pass")


def trump_line(view: TrickView) -> str:
    """The contract in a few words."""
    if view.trump is None:
        return ""
    said = spoken(trump_words(view.trump))
    return _("trumps: {trump}", trump=said) if view.trump.kind in TRUMPS else said


def hand_sum(terms: tuple[Term, ...], names: tuple[str, ...], width: int = 1000) -> str:
    """What a side scores, number by number; who bid, and then what the numbers are, is left out for want of room."""
    ways = [" + ".join(_term(term, of) for term in terms) for of in (names, ())]
    ways.append(" + ".join(signed(term.amount) for term in terms))
    return next((way for way in ways if columns(way) <= width), ways[-1])


def _term(term: Term, names: tuple[str, ...]) -> str:
    match term.what:
        case "marks" if not names:
            return several("{count} mark", "{count} marks", term.amount)
        case "marks":
            name = names[term.seat]
            return several("{count} mark, as {name} bid", "{count} marks, as {name} bid", term.amount, name=name)
        case "tricks":
            return several("{count} trick", "{count} tricks", term.amount)
        case "counts":
            return _("{points} in counts", points=term.amount)
        case _ if term.amount < 0:
            return _("{points} for the missed bid", points=signed(term.amount))
        case _ if not names:
            return _("{points} bid", points=term.amount)
        case _:
            return _("{points} bid by {name}", points=term.amount, name=names[term.seat])
