"""Hands of Forty-Two in the words of its rules: biddings, tricks, and legal tiles."""

from msgspec.structs import replace

from core.actions import Bid, Laid, Lay, Name, Pass
from core.layout.state import NOBODY, RoundContext
from core.tiles import full_set, hand, tile
from core.tricks.state import Call, Trick, TrickState
from tests.core.positions import rules

PASS = Pass()
DOUBLES, FOLLOW, SEVENS = Name("doubles"), Name("follow_me"), Name("sevens")
NELLO = Name("nello", doubles="suit")
ALL = "nello+plunge+splash+sevens"


def number(pips):
    return Name("number", pips)


def game(**options):
    return rules("forty-two", 4, **{f"42__{key}": value for key, value in options.items()})


def dealt(*, lot=3, order=None, **options):
    return game(**options).deal(order or full_set(6), RoundContext(lot=lot))


def holding(text, **options):
    """Return a bidding that seat 0 opens with a given hand; the other tiles are dealt in order."""
    held = hand(text)
    rest = tuple(t for t in full_set(6) if t not in held)
    return dealt(order=held + rest, **options)


def playing(trump, *hands, bid=Bid(30, 1), bidder=0, turn=None, tricks=(), contracts="none", **options):  # noqa: B008
    """Return the rules and the position of a hand after the bidding."""
    table = game(contracts=contracts, **options)
    out = (bidder + 2) % 4 if trump.kind == "nello" else NOBODY
    held = tuple(hand(text) for text in hands)
    calls = tuple(Call(seat, bid if seat == bidder else None) for seat in range(4))
    turn = bidder if turn is None else turn
    return table, table.complete(TrickState(held, 3, turn, calls, bidder, bid, trump, tricks=tricks, out=out))


def do(table, state, *actions):
    events = ()
    for action in actions:
        state, events = table.apply(state, action)
    return state, events


def lay(table, state, text):
    """Lay some tiles, one after the other."""
    return do(table, state, *(Lay(tile(word)) for word in text.split()))


def layable(state):
    return " ".join(str(action.tile) for action in state.legal)


def bids(state):
    return [action for action in state.legal if isinstance(action, Bid)]


LOWS = (
    "6|6 6|5 6|4 6|3 6|2 6|1 5|5",
    "5|4 5|3 5|2 5|1 5|0 4|4 4|3",
    "6|0 4|2 4|1 4|0 3|3 3|2 3|1",
    "3|0 2|2 2|1 2|0 1|1 1|0 0|0",
)
"""Seat 0 holds six trumps and the double five."""


def fake_trick(points, side):
    """Return a trick with `points` points, made of one tile."""
    return Trick((Laid(side, tile({1: "1|1", 6: "5|0", 11: "5|5"}[points])),), side, points)


def after_tricks(bid, *points, **options):
    """Return a hand after tricks with `points`; positive ones are the bidders'."""
    table, state = playing(FOLLOW, *LOWS, bid=bid, **options)
    tricks = tuple(fake_trick(abs(value), 0 if value > 0 else 1) for value in points)
    return table.complete(replace(state, tricks=tricks))
