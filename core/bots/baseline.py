"""The baseline bot, level `greedy-1`: never change it, because every other level is measured against it.

Greedy, `easy` and play-outs import the parts that they share with it, and copy the parts that they change.
"""

from collections import Counter
from collections.abc import Callable

from core.actions import Action, Beat, Bid, Hide, Lay, Lead, Name, Pass, Play, Silent
from core.combos.state import RANKS, ComboView
from core.layout.state import LayoutView
from core.tiles import Hand, Tile, full_set
from core.tricks.state import (
    MARK,
    NO_TRUMPS,
    TrickView,
    belongs_to_suit,
    strength,
    suit_of,
    tile_points,
    trump_suit,
    winning_tile,
    worth,
)

PARTNER_HELPS = 0.5
"""Share of a hand's losing tricks that the bidders lose; the partner takes the others. Found by experiment."""
LOST_TRICK_POINTS = 6.0
"""Points of a lost trick: one, and a seventh of the counts."""


def baseline_in_layout(view: LayoutView, tie_breaker: Callable[[], float]) -> Action:
    """Score if possible, lay the heaviest tile that fits, and keep answers and the bot's own train in hand.

    Never draw or pass while a play is possible; claim whatever can be claimed.
    """
    plays = [action for action in view.legal if isinstance(action, Play)]
    if not plays:
        return next((action for action in view.legal if not isinstance(action, Pass | Silent)), view.legal[0])
    points_by_play = dict(zip(plays, view.worth, strict=True)) if view.worth else {}
    place_counts = Counter(tile for tile, _ in {(action.tile, (action.at, action.side)) for action in plays})
    return max(
        plays,
        key=lambda action: (
            3 * points_by_play.get(action, 0) + _value(view, action) - place_counts[action.tile],
            tie_breaker(),
        ),
    )


def _value(view: LayoutView, play: Play) -> float:
    """Return the value of a play: the tile's pips, 2 for a double, 3 for each remaining tile that then fits, and 5
    for each tile that can then follow on the bot's own train.
    """
    ends = [end for end in view.ends if (end.at, end.side) != (play.at, play.side)]
    numbers = {end.pips for end in ends} | {play.out}
    if play.at < 0:
        numbers = {play.tile.low, play.tile.high}
    remaining = list(view.hand)
    remaining.remove(play.tile)
    answers = sum(1 for tile in remaining if tile.low in numbers or tile.high in numbers)
    owners = {(end.at, end.side): end.owner for end in view.ends}
    is_own_train = owners.get((play.at, play.side)) == view.seat
    train = [play.out] if is_own_train else [end.pips for end in ends if end.owner == view.seat]
    train_length = max((longest(pips, remaining) for pips in train), default=0)
    return _weight(play.tile) + 2 * play.tile.is_double + 3 * answers + 5 * train_length


def _weight(tile: Tile) -> int:
    """Return the value of getting rid of a tile: its pips; for a wild tile 8, as it is worth keeping for a while."""
    return tile.pips if tile.low >= 0 else 8


def longest(pips: int, tiles: list[Tile], depth: int = 5) -> int:
    """Return the length of the longest train from a number, looking `depth` tiles ahead."""
    if not depth:
        return 0
    best_length = 0
    for number, tile in enumerate(tiles):
        if pips in tile:
            best_length = max(
                best_length, 1 + longest(tile.other(pips), tiles[:number] + tiles[number + 1 :], depth - 1)
            )
            if best_length == depth:
                break
    return best_length


# Trick games


def baseline_in_tricks(view: TrickView) -> Action:
    """Bid what the hand is worth with its best trump, draw trumps, win cheaply, and throw counts to the partner."""
    if view.bid is None:
        return bid_up_to(view, most_worth(view))
    if view.trump is None:
        names = [action for action in view.legal if isinstance(action, Name)]
        return min(names, key=lambda name: cost(view.hand, name))
    tiles = [action.tile for action in view.legal if isinstance(action, Lay) and not action.small]
    if view.trump.kind == "nello":
        return Lay(_nello(view, view.trump, tiles))
    if view.trick:
        return Lay(_follow(view, view.trump, tiles))
    return Lay(_lead(view, view.trump, tiles))


def most_worth(view: TrickView) -> float:
    """Return the points that the hand is worth with its best trump."""
    names = [Name("number", number) for number in range(view.highest + 1)]
    names += [Name("doubles"), Name("follow_me")]
    return MARK - min(cost(view.hand, name) for name in names)


def bid_up_to(view: TrickView, limit: float) -> Action:
    """Return the lowest bid up to `limit`, else a pass: within one mark a higher bid pays no more."""
    lowest = min((action for action in view.legal if isinstance(action, Bid) and not action.kind), key=worth)
    return lowest if worth(lowest) <= limit or Pass() not in view.legal else Pass()


def cost(hand: Hand, trump: Name) -> float:
    """Return the points that a hand may expect to lose with this trump."""
    if trump.kind in NO_TRUMPS:
        return MARK
    suit = trump_suit(trump)
    trumps = [tile for tile in hand if belongs_to_suit(tile, suit, trump)]
    lost_points = 0.0
    if trump.kind != "follow_me":
        if len(trumps) < 3:
            return MARK
        lost_points += _trumps_lost(trumps, suit, trump)
    for tile in hand:
        if tile in trumps or tile.is_double:
            continue
        double = Tile(tile.high, tile.high)
        is_covered = double in hand and tile.low >= tile.high - 1
        # Without trumps, another player can lead one suit to the end of the hand.
        lost_points += (
            (0.5 if is_covered else 1.0)
            * (1.0 if trumps else 1.25)
            * (LOST_TRICK_POINTS + tile_points(tile))
            * PARTNER_HELPS
        )
    return lost_points


def _trumps_lost(trumps: list[Tile], suit: int, trump: Name) -> float:
    """Count a trick for each missing trump above the best one, and half a trick for each above the second best."""
    missing_trumps = [tile for tile in full_set(6) if belongs_to_suit(tile, suit, trump) and tile not in trumps]
    best_strength, second_strength = sorted((strength(tile, suit, trump) for tile in trumps), reverse=True)[:2]
    above_best = sum(strength(tile, suit, trump) > best_strength for tile in missing_trumps)
    above_second = sum(strength(tile, suit, trump) > second_strength for tile in missing_trumps) - above_best
    shortfall = max(0, len(missing_trumps) - len(trumps))
    return LOST_TRICK_POINTS * (0.7 * above_best + 0.3 * above_second + 0.4 * shortfall)


def _unseen_tiles(view: TrickView) -> list[Tile]:
    played_tiles = {laid.tile for trick in view.tricks for laid in trick.tiles} | {laid.tile for laid in view.trick}
    return [tile for tile in full_set(view.highest) if tile not in played_tiles and tile not in view.hand]


def _is_unbeatable(tile: Tile, suit: int, trump: Name, unseen: list[Tile]) -> bool:
    """Return True if no unseen tile beats `tile` in a trick of this suit."""
    own_strength = strength(tile, suit, trump)
    return all(strength(other, suit, trump) <= own_strength for other in unseen)


def _lead(view: TrickView, trump: Name, tiles: list[Tile]) -> Tile:
    unseen, suit = _unseen_tiles(view), trump_suit(trump)
    held_trumps = [tile for tile in tiles if belongs_to_suit(tile, suit, trump)]
    outstanding_trumps = [tile for tile in unseen if belongs_to_suit(tile, suit, trump)]
    is_bidding_side = view.seat % 2 == view.bidder % 2
    best_trump = max(held_trumps, key=lambda tile: strength(tile, suit, trump), default=None)
    if is_bidding_side and outstanding_trumps and best_trump and _is_unbeatable(best_trump, suit, trump, unseen):
        return best_trump
    sure_leads = [tile for tile in tiles if tile not in held_trumps and _is_sure_lead(tile, trump, unseen)]
    if is_bidding_side and view.seat == view.bidder and len(held_trumps) >= 3 and outstanding_trumps:
        return min(held_trumps, key=lambda tile: (tile_points(tile), strength(tile, suit, trump)))
    if sure_leads:
        return max(
            sure_leads,
            key=lambda tile: (
                tile_points(tile) if not outstanding_trumps else -tile_points(tile),
                tile.is_double,
                tile.pips,
            ),
        )
    return _cheapest(tiles, trump)


def _is_sure_lead(tile: Tile, trump: Name, unseen: list[Tile]) -> bool:
    """Return True if a tile that is led wins unless it is trumped."""
    suit = suit_of(tile, trump)
    return _is_unbeatable(tile, suit, trump, [other for other in unseen if belongs_to_suit(other, suit, trump)])


def _follow(view: TrickView, trump: Name, tiles: list[Tile]) -> Tile:
    unseen, suit = _unseen_tiles(view), view.suit
    leading = winning_tile(view.trick, suit, trump)
    is_last = len(view.trick) == 3
    if leading.seat % 2 == view.seat % 2 and (is_last or _is_unbeatable(leading.tile, suit, trump, unseen)):
        return max(tiles, key=lambda tile: (tile_points(tile), *_keep_key(tile, trump, sign=-1)))
    beating_tiles = [tile for tile in tiles if strength(tile, suit, trump) > strength(leading.tile, suit, trump)]
    sure_winners = (
        beating_tiles if is_last else [tile for tile in beating_tiles if _is_unbeatable(tile, suit, trump, unseen)]
    )
    if sure_winners:
        # Win with a count tile, unless it is a trump, which can win later.
        trumps = trump_suit(trump)
        return min(
            sure_winners,
            key=lambda tile: (
                0 if belongs_to_suit(tile, trumps, trump) else -tile_points(tile),
                *_keep_key(tile, trump),
                strength(tile, suit, trump),
            ),
        )
    if len(view.trick) == 2 and beating_tiles and leading.seat % 2 != view.seat % 2:
        # Third hand plays high: the last opponent has to beat it.
        return max(beating_tiles, key=lambda tile: (-tile_points(tile), strength(tile, suit, trump)))
    return _cheapest(tiles, trump)


def _keep_key(tile: Tile, trump: Name, sign: int = 1) -> tuple[int, int, int]:
    """Sort key by the value of keeping a tile: trumps are last, before them doubles, then high tiles."""
    is_trump = belongs_to_suit(tile, trump_suit(trump), trump)
    return sign * is_trump, sign * tile.is_double, sign * tile.pips


def _cheapest(tiles: list[Tile], trump: Name) -> Tile:
    return min(tiles, key=lambda tile: (tile_points(tile), *_keep_key(tile, trump)))


def _nello(view: TrickView, trump: Name, tiles: list[Tile]) -> Tile:
    """Stay low; once the trick cannot be won, discard the highest tile."""
    if not view.trick:
        return min(tiles, key=lambda tile: strength(tile, suit_of(tile, trump), trump))
    suit = view.suit
    best_strength = strength(winning_tile(view.trick, suit, trump).tile, suit, trump)
    losing_tiles = [tile for tile in tiles if strength(tile, suit, trump) < best_strength]
    if losing_tiles:
        return max(losing_tiles, key=lambda tile: (*strength(tile, suit, trump), tile.pips))
    if len(view.trick) == 2 and view.seat == view.bidder:
        return max(tiles, key=lambda tile: strength(tile, suit, trump))
    return min(tiles, key=lambda tile: strength(tile, suit, trump))


# Combinations


def baseline_in_combos(view: ComboView) -> Action:
    """Lead the most tiles, then the highest; beat with the lowest that does; hide the lowest."""
    leads = [action for action in view.legal if isinstance(action, Lead)]
    if leads:
        return max(leads, key=lambda lead: (len(lead.tiles), _rank(lead.tiles)))
    beats = [action for action in view.legal if isinstance(action, Beat)]
    if beats:
        return min(beats, key=lambda beat: _rank(beat.tiles))
    return min((action for action in view.legal if isinstance(action, Hide)), key=lambda hide: _rank(hide.tiles))


def _rank(tiles: Hand) -> float:
    """Return the sum of the ranks of tiles; civil and military tiles are ranked separately."""
    return sum(RANKS[tile] / 10 if tile in RANKS else (tile.pips - 3) / 6 for tile in tiles)
