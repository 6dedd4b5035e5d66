"""How the greedy bot plays a trick game.

With a partner it bids better than the baseline, and plays its tiles as that does; alone it has rules of its own.
"""

from core.actions import Action, Bid, Bury, Lay, Name, Pass
from core.bots.baseline import baseline_in_tricks, cost
from core.tiles import Hand, Tile
from core.tricks.state import (
    MARK,
    NO_SUIT,
    TrickView,
    follows,
    strength,
    suit_of,
    trump_suit,
    unseen_in,
    winning,
    worth,
)
from core.variant import Rules

TOP, SECOND, LOWER = 0.85, 0.4, 0.1
"""How likely a trump takes a trick that none, one or two of the others' trumps beat."""
DOUBLE, HIGH, COVERED, POOR = 0.7, 0.4, 0.2, 0.05
"""How likely another tile does: a double, one that nothing else beats, one that one tile beats, and any other."""
NO_TRUMPS_MORE = 0.15
"""How much likelier that is where nothing is trump, for who leads."""
WIDOW = 1.3
"""Tricks that the widow is worth to who takes it."""
LONG = 4
"""Trumps from which on those that are left at the end take tricks too."""


def alone_in_tricks(view: TrickView, tiles: tuple[Tile, ...]) -> Action:
    """Bid what the hand should take, put away what helps least, draw trumps, and win as cheaply as possible.

    `tiles` is the set.
    """
    if view.bid is None:
        return _bid_alone(view, tiles)
    names = [action for action in view.legal if isinstance(action, Name)]
    if names:
        return max(names, key=lambda name: expected(view.hand, name, tiles))
    away = [action for action in view.legal if isinstance(action, Bury)]
    if away:
        return max(away, key=lambda bury: best_of(_without(view.hand, bury.tile), tiles))
    lays = [action.tile for action in view.legal if isinstance(action, Lay)]
    trump = view.trump or Name("none")
    unseen = unseen_in(view, tiles)
    return Lay(_follow(view, trump, lays, unseen) if view.trick else _lead(view, trump, lays, unseen))


def _bid_alone(view: TrickView, tiles: tuple[Tile, ...]) -> Action:
    """The lowest bid, if the hand should make it: what it takes above that counts as much."""
    bids = sorted((action for action in view.legal if isinstance(action, Bid)), key=worth)
    most = best_of(view.hand, tiles) + WIDOW * bool(view.widow)
    if bids and (Pass() not in view.legal or min(worth(bids[0]), len(view.hand)) <= most):
        return bids[0]
    return Pass()


def best_of(hand: Hand, tiles: tuple[Tile, ...]) -> float:
    """The tricks that a hand should take with its best trump, or with none."""
    numbers = {number for tile in hand for number in tile}
    return max(expected(hand, name, tiles) for name in (*(Name("number", n) for n in numbers), Name("none")))


def expected(hand: Hand, trump: Name, tiles: tuple[Tile, ...]) -> float:
    """The tricks that a hand should take with this trump."""
    suit = trump_suit(trump)
    others = [tile for tile in tiles if tile not in hand]
    trumps = sorted((tile for tile in hand if follows(tile, suit, trump)), key=lambda t: strength(t, suit, trump))
    against = [tile for tile in others if follows(tile, suit, trump)]
    tricks = 0.0
    for drawn, tile in enumerate(reversed(trumps)):
        above = sum(strength(other, suit, trump) > strength(tile, suit, trump) for other in against)
        tricks += (TOP, SECOND, LOWER)[min(2, max(0, above - drawn // 2))] if drawn < LONG - 1 else TOP
    for tile in hand:
        if tile not in trumps:
            tricks += _plain(tile, trump, others) + (NO_TRUMPS_MORE if suit == NO_SUIT else 0)
    return tricks


def _plain(tile: Tile, trump: Name, others: list[Tile]) -> float:
    """How likely a tile that is no trump takes a trick."""
    if tile.is_double:
        return DOUBLE
    suit = suit_of(tile, trump)
    own = strength(tile, suit, trump)
    above = sum(follows(other, suit, trump) and strength(other, suit, trump) > own for other in others)
    return (HIGH, COVERED)[above] if above < 2 else POOR


def _lead(view: TrickView, trump: Name, tiles: list[Tile], unseen: list[Tile]) -> Tile:
    """The bidder draws trumps while there are any; else a tile that wins, or the poorest."""
    trumps = trump_suit(trump)
    held = [tile for tile in tiles if follows(tile, trumps, trump)]
    out = [tile for tile in unseen if follows(tile, trumps, trump)]
    best = max(held, key=lambda tile: strength(tile, trumps, trump), default=None)
    if best and out and (_beats(best, trumps, trump, out) or (view.seat == view.bidder and len(held) > 2)):
        return best
    sure = [tile for tile in tiles if tile not in held and _tops(tile, trump, unseen)]
    if sure:
        return max(sure, key=lambda tile: (tile.is_double, tile.pips))
    return best if best and not out else _poorest(tiles, trump)


def _follow(view: TrickView, trump: Name, tiles: list[Tile], unseen: list[Tile]) -> Tile:
    """Win with the cheapest tile that nothing can beat any more; else throw the poorest."""
    suit, leading = view.suit, winning(view.trick, view.suit, trump)
    over = [t for t in tiles if strength(t, suit, trump) > strength(leading.tile, suit, trump)]
    last = len(view.trick) + 1 == len(view.counts)
    sure = over if last else [tile for tile in over if _beats(tile, suit, trump, unseen)]
    if sure:
        return min(sure, key=lambda tile: (strength(tile, suit, trump), tile.pips))
    if over and not follows(over[0], trump_suit(trump), trump):
        return max(over, key=lambda tile: strength(tile, suit, trump))
    return _poorest(tiles, trump)


def _beats(tile: Tile, suit: int, trump: Name, others: list[Tile]) -> bool:
    """Whether none of these tiles beats one in a trick of a suit."""
    own = strength(tile, suit, trump)
    return all(strength(other, suit, trump) < own for other in others)


def _tops(tile: Tile, trump: Name, unseen: list[Tile]) -> bool:
    """Whether a tile that is led wins unless it is trumped."""
    suit = suit_of(tile, trump)
    return _beats(tile, suit, trump, [other for other in unseen if follows(other, suit, trump)])


def _poorest(tiles: list[Tile], trump: Name) -> Tile:
    """The tile that is least worth keeping: no trump, no double, few pips."""
    return min(tiles, key=lambda tile: (follows(tile, trump_suit(trump), trump), tile.is_double, tile.pips))


def _without(hand: Hand, tile: Tile) -> Hand:
    return tuple(held for held in hand if held != tile)


OUTBID, OUTBID_PARTNER = 4, 5
"""Points by which the bot bids more than its hand is worth to outbid opponents, or less to outbid its partner."""
SURE = 3
"""The bot bids two marks if it expects to lose fewer points than these."""
TWO_MARKS = Bid(MARK, 2)


def greedy_with(rules: Rules, view: TrickView) -> Action:
    """Play as partners do, or alone where there are none."""
    return greedy_in_tricks(view) if rules.sides < rules.seats else alone_in_tricks(view, rules.tiles)


def greedy_in_tricks(view: TrickView) -> Action:
    """Bid what the hand is worth with its best trump; the rest as `core.bots.baseline`."""
    return _bid_in_partnership(view) if view.bid is None else baseline_in_tricks(view)


def _bid_in_partnership(view: TrickView) -> Action:
    """The lowest bid that is not above what the hand is worth, since a higher one of one mark pays no more.

    The bid of the opponents would cost a mark too, so it is raised with less; the partner's with more. Two marks
    are for a hand that is nearly sure of every trick.
    """
    names = [Name("number", number) for number in range(view.highest + 1)]
    names += [Name("doubles"), Name("follow_me")]
    most = MARK - min(cost(view.hand, name) for name in names)
    bids = [action for action in view.legal if isinstance(action, Bid) and not action.kind]
    lowest = min(bids, key=worth)
    standing = max(view.calls, key=lambda call: worth(call.bid), default=None)
    if standing and standing.bid:
        most += -OUTBID_PARTNER if standing.seat % 2 == view.seat % 2 else OUTBID
    elif most > MARK - SURE and TWO_MARKS in bids:
        return TWO_MARKS
    if worth(lowest) <= most or Pass() not in view.legal:
        return lowest
    return Pass()
