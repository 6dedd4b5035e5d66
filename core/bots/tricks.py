"""How the greedy bot plays a trick game from its view; it looks ahead only to the end of the trick."""

from core.actions import Action, Bid, Lay, Name, Pass
from core.bots.alone import alone_in_tricks
from core.family import Rules
from core.tiles import Hand, Tile, full_set
from core.tricks.state import MARK, TrickView, unseen_in, winning, worth
from core.tricks.suits import NO_TRUMPS, count, follows, strength, suit_of, trump_suit

PARTNER_HELPS = 0.5
"""The share of a hand's losing tricks that the bidders lose; the partner takes the others. Found by experiment."""
USUAL_TRICK = 6.0
"""What a lost trick costs: one, and a seventh of the counts."""
OUTBID, OUTBID_PARTNER = 4, 5
"""Points by which the bot bids more than its hand is worth to outbid opponents, or less to outbid its partner."""
SURE = 3
"""The bot bids two marks if it expects to lose fewer points than these."""
TWO_MARKS = Bid(MARK, 2)


def greedy_with(rules: Rules, view: TrickView) -> Action:
    """Play as partners do, or alone where there are none."""
    return greedy_in_tricks(view) if rules.sides < rules.seats else alone_in_tricks(view, rules.tiles)


def greedy_in_tricks(view: TrickView) -> Action:
    """Bid what the hand is worth with its best trump, draw trumps, win cheaply, and throw counts to the partner."""
    if view.bid is None:
        return _bid(view)
    if view.trump is None:
        names = [action for action in view.legal if isinstance(action, Name)]
        return min(names, key=lambda name: _cost(view.hand, name))
    tiles = [action.tile for action in view.legal if isinstance(action, Lay) and not action.small]
    if view.trump.kind == "nello":
        return Lay(_nello(view, view.trump, tiles))
    if view.trick:
        return Lay(_follow(view, view.trump, tiles))
    return Lay(_lead(view, view.trump, tiles))


def _bid(view: TrickView) -> Action:
    """The lowest bid that is not above what the hand is worth, since a higher one of one mark pays no more.

    The bid of the opponents would cost a mark too, so it is raised with less; the partner's with more. Two marks
    are for a hand that is nearly sure of every trick.
    """
    names = [Name("number", number) for number in range(view.highest + 1)]
    names += [Name("doubles"), Name("follow_me")]
    most = MARK - min(_cost(view.hand, name) for name in names)
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


def _cost(hand: Hand, trump: Name) -> float:
    """The points that a hand may expect to lose with this trump."""
    if trump.kind in NO_TRUMPS:
        return MARK
    suit = trump_suit(trump)
    trumps = [tile for tile in hand if follows(tile, suit, trump)]
    lost = 0.0
    if trump.kind != "follow_me":
        if len(trumps) < 3:
            return MARK
        lost += _trumps_lost(trumps, suit, trump)
    for tile in hand:
        if tile in trumps or tile.is_double:
            continue
        double = Tile(tile.high, tile.high)
        covered = double in hand and tile.low >= tile.high - 1
        # Without trumps, another player can lead one suit to the end of the hand.
        lost += (0.5 if covered else 1.0) * (1.0 if trumps else 1.25) * (USUAL_TRICK + count(tile)) * PARTNER_HELPS
    return lost


def _trumps_lost(trumps: list[Tile], suit: int, trump: Name) -> float:
    """Each missing trump above the best one costs a trick, each above the second best half a trick."""
    others = [tile for tile in full_set(6) if follows(tile, suit, trump) and tile not in trumps]
    best, second = sorted((strength(tile, suit, trump) for tile in trumps), reverse=True)[:2]
    above = sum(strength(tile, suit, trump) > best for tile in others)
    between = sum(strength(tile, suit, trump) > second for tile in others) - above
    short = max(0, len(others) - len(trumps))
    return USUAL_TRICK * (0.7 * above + 0.3 * between + 0.4 * short)


def _sure(tile: Tile, suit: int, trump: Name, unseen: list[Tile]) -> bool:
    """Whether nothing that others may hold beats a tile in a trick of this suit."""
    own = strength(tile, suit, trump)
    return all(strength(other, suit, trump) <= own for other in unseen)


def _lead(view: TrickView, trump: Name, tiles: list[Tile]) -> Tile:
    unseen, trumps = unseen_in(view, full_set(view.highest)), trump_suit(trump)
    held = [tile for tile in tiles if follows(tile, trumps, trump)]
    out = [tile for tile in unseen if follows(tile, trumps, trump)]
    bidding = view.seat % 2 == view.bidder % 2
    best = max(held, key=lambda tile: strength(tile, trumps, trump), default=None)
    if bidding and out and best and _sure(best, trumps, trump, unseen):
        return best
    walking = [tile for tile in tiles if tile not in held and _tops(tile, trump, unseen)]
    if bidding and view.seat == view.bidder and len(held) >= 3 and out:
        return min(held, key=lambda tile: (count(tile), strength(tile, trumps, trump)))
    if walking:
        return max(walking, key=lambda tile: (count(tile) if not out else -count(tile), tile.is_double, tile.pips))
    return _cheapest(tiles, trump)


def _tops(tile: Tile, trump: Name, unseen: list[Tile]) -> bool:
    """Whether a tile that is led wins unless it is trumped."""
    suit = suit_of(tile, trump)
    return _sure(tile, suit, trump, [other for other in unseen if follows(other, suit, trump)])


def _follow(view: TrickView, trump: Name, tiles: list[Tile]) -> Tile:
    unseen, suit = unseen_in(view, full_set(view.highest)), view.suit
    leading = winning(view.trick, suit, trump)
    last = len(view.trick) == 3
    if leading.seat % 2 == view.seat % 2 and (last or _sure(leading.tile, suit, trump, unseen)):
        return max(tiles, key=lambda tile: (count(tile), *_dear(tile, trump, sign=-1)))
    beating = [tile for tile in tiles if strength(tile, suit, trump) > strength(leading.tile, suit, trump)]
    sure = beating if last else [tile for tile in beating if _sure(tile, suit, trump, unseen)]
    if sure:
        # Win with a count tile, unless it is a trump, which can win later.
        trumps = trump_suit(trump)
        return min(
            sure,
            key=lambda tile: (
                0 if follows(tile, trumps, trump) else -count(tile),
                *_dear(tile, trump),
                strength(tile, suit, trump),
            ),
        )
    if len(view.trick) == 2 and beating and leading.seat % 2 != view.seat % 2:
        # Third hand plays high: the last opponent has to beat it.
        return max(beating, key=lambda tile: (-count(tile), strength(tile, suit, trump)))
    return _cheapest(tiles, trump)


def _dear(tile: Tile, trump: Name, sign: int = 1) -> tuple[int, int, int]:
    """How much a tile is worth keeping: trumps most, then doubles, then high tiles."""
    is_trump = follows(tile, trump_suit(trump), trump)
    return sign * is_trump, sign * tile.is_double, sign * tile.pips


def _cheapest(tiles: list[Tile], trump: Name) -> Tile:
    return min(tiles, key=lambda tile: (count(tile), *_dear(tile, trump)))


def _nello(view: TrickView, trump: Name, tiles: list[Tile]) -> Tile:
    """Stay low; once the trick cannot be won, discard the highest tile."""
    if not view.trick:
        return min(tiles, key=lambda tile: strength(tile, suit_of(tile, trump), trump))
    suit = view.suit
    top = strength(winning(view.trick, suit, trump).tile, suit, trump)
    under = [tile for tile in tiles if strength(tile, suit, trump) < top]
    if under:
        return max(under, key=lambda tile: (*strength(tile, suit, trump), tile.pips))
    if len(view.trick) == 2 and view.seat == view.bidder:
        return max(tiles, key=lambda tile: strength(tile, suit, trump))
    return min(tiles, key=lambda tile: strength(tile, suit, trump))
