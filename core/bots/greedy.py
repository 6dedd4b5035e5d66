"""The level `greedy`: a few simple rules for each family of games, each working from a view.

In a layout game it looks ahead only along its own train, in a game of combinations only within the current trick. In
a trick game with partners it bids better than the baseline and plays its tiles in the same way; a seat that plays
alone has rules of its own.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple, cast

from core.actions import Action, Beat, Bid, Bury, GiveUp, Hide, Lay, Lead, Name, Pass, Play, Shed, Silent
from core.bots.baseline import baseline_in_tricks, bid_up_to, longest, most_worth
from core.bots.observations import Fits, fits_of, round_of, rules_of
from core.combos.rules import ComboRules
from core.combos.state import (
    FAMILIES,
    RANKS,
    ComboView,
    is_supreme,
    leads,
    tricks_taken,
    unseen_in_combos,
    winning_combos,
)
from core.layout.rules import LayoutRules
from core.layout.state import LayoutView, unseen_tiles
from core.match import MatchView
from core.patience.rules import PatienceRules, find_solution, moves_best_first
from core.patience.state import PatienceView, Tableau
from core.tiles import CIVIL, Hand, Tile, pips
from core.tricks.state import (
    MARK,
    NO_SUIT,
    TrickView,
    belongs_to_suit,
    strength,
    suit_of,
    trump_suit,
    unseen_in_tricks,
    winning_tile,
    worth,
)
from core.variant import Rules, tag_of

TOP_TRUMP, SECOND_TRUMP, LOWER_TRUMP = 0.85, 0.4, 0.1
"""Probability that a trump takes a trick if no, one or two trumps of the others beat it."""
DOUBLE, HIGH, COVERED, POOR = 0.7, 0.4, 0.2, 0.05
"""Probability for other tiles: a double, a tile that nothing else beats, a tile that one other beats, any other."""
NO_TRUMPS_BONUS = 0.15
"""Added to these for the leader if there are no trumps."""
WIDOW_TRICKS = 1.3
"""Tricks that the widow is worth to the seat that takes it."""
LONG_TRUMPS = 4
"""Number of trumps from which the last ones take tricks too."""


def alone_in_tricks(view: TrickView, tiles: tuple[Tile, ...]) -> Action:
    """Bid the expected tricks, put away the least useful tile, draw trumps, and win as cheaply as possible.

    `tiles` is the set.
    """
    if view.bid is None:
        return _bid_alone(view, tiles)
    names = [action for action in view.legal if isinstance(action, Name)]
    if names:
        return max(names, key=lambda name: expected_tricks(view.hand, name, tiles))
    buries = [action for action in view.legal if isinstance(action, Bury)]
    if buries:
        return max(
            buries,
            key=lambda bury: expected_best_tricks(tuple(tile for tile in view.hand if tile != bury.tile), tiles),
        )
    lays = [action.tile for action in view.legal if isinstance(action, Lay)]
    trump = view.trump or Name("none")
    unseen = unseen_in_tricks(view, tiles)
    return Lay(_follow(view, trump, lays, unseen) if view.trick else _lead(view, trump, lays, unseen))


def _bid_alone(view: TrickView, tiles: tuple[Tile, ...]) -> Action:
    """Return the lowest bid if the hand should make it, else a pass: tricks above the bid count as much."""
    bids = sorted((action for action in view.legal if isinstance(action, Bid)), key=worth)
    expected = expected_best_tricks(view.hand, tiles) + WIDOW_TRICKS * bool(view.widow)
    if bids and (Pass() not in view.legal or min(worth(bids[0]), len(view.hand)) <= expected):
        return bids[0]
    return Pass()


def expected_best_tricks(hand: Hand, tiles: tuple[Tile, ...]) -> float:
    """Return the tricks that a hand should take with its best trump, or without trumps."""
    numbers = {number for tile in hand for number in tile}
    return max(
        expected_tricks(hand, name, tiles) for name in (*(Name("number", number) for number in numbers), Name("none"))
    )


def expected_tricks(hand: Hand, trump: Name, tiles: tuple[Tile, ...]) -> float:
    """Return the tricks that a hand should take with this trump."""
    suit = trump_suit(trump)
    others = [tile for tile in tiles if tile not in hand]
    trumps = sorted(
        (tile for tile in hand if belongs_to_suit(tile, suit, trump)), key=lambda tile: strength(tile, suit, trump)
    )
    opposing_trumps = [tile for tile in others if belongs_to_suit(tile, suit, trump)]
    tricks = 0.0
    for higher_count, tile in enumerate(reversed(trumps)):
        beating_count = sum(strength(other, suit, trump) > strength(tile, suit, trump) for other in opposing_trumps)
        tricks += (
            (TOP_TRUMP, SECOND_TRUMP, LOWER_TRUMP)[min(2, max(0, beating_count - higher_count // 2))]
            if higher_count < LONG_TRUMPS - 1
            else TOP_TRUMP
        )
    for tile in hand:
        if tile not in trumps:
            tricks += _plain_tile_chance(tile, trump, others) + (NO_TRUMPS_BONUS if suit == NO_SUIT else 0)
    return tricks


def _plain_tile_chance(tile: Tile, trump: Name, others: list[Tile]) -> float:
    """Return the probability that a tile other than a trump takes a trick."""
    if tile.is_double:
        return DOUBLE
    suit = suit_of(tile, trump)
    own_strength = strength(tile, suit, trump)
    beating_count = sum(
        belongs_to_suit(other, suit, trump) and strength(other, suit, trump) > own_strength for other in others
    )
    return (HIGH, COVERED)[beating_count] if beating_count < 2 else POOR


def _lead(view: TrickView, trump: Name, tiles: list[Tile], unseen: list[Tile]) -> Tile:
    """Draw trumps as the bidder while others have any; else lead a tile that wins, or the poorest."""
    suit = trump_suit(trump)
    held_trumps = [tile for tile in tiles if belongs_to_suit(tile, suit, trump)]
    outstanding_trumps = [tile for tile in unseen if belongs_to_suit(tile, suit, trump)]
    best_trump = max(held_trumps, key=lambda tile: strength(tile, suit, trump), default=None)
    if (
        best_trump
        and outstanding_trumps
        and (
            _beats_all(best_trump, suit, trump, outstanding_trumps)
            or (view.seat == view.bidder and len(held_trumps) > 2)
        )
    ):
        return best_trump
    sure_leads = [tile for tile in tiles if tile not in held_trumps and _is_sure_lead(tile, trump, unseen)]
    if sure_leads:
        return max(sure_leads, key=lambda tile: (tile.is_double, tile.pips))
    return best_trump if best_trump and not outstanding_trumps else _poorest(tiles, trump)


def _follow(view: TrickView, trump: Name, tiles: list[Tile], unseen: list[Tile]) -> Tile:
    """Win with the cheapest tile that nothing can beat any more; else throw the poorest."""
    suit, leading = view.suit, winning_tile(view.trick, view.suit, trump)
    beating_tiles = [tile for tile in tiles if strength(tile, suit, trump) > strength(leading.tile, suit, trump)]
    is_last = len(view.trick) + 1 == len(view.counts)
    sure_winners = (
        beating_tiles if is_last else [tile for tile in beating_tiles if _beats_all(tile, suit, trump, unseen)]
    )
    if sure_winners:
        return min(sure_winners, key=lambda tile: (strength(tile, suit, trump), tile.pips))
    if beating_tiles and not belongs_to_suit(beating_tiles[0], trump_suit(trump), trump):
        return max(beating_tiles, key=lambda tile: strength(tile, suit, trump))
    return _poorest(tiles, trump)


def _beats_all(tile: Tile, suit: int, trump: Name, others: list[Tile]) -> bool:
    """Return True if `tile` beats all of `others` in a trick of this suit."""
    own_strength = strength(tile, suit, trump)
    return all(strength(other, suit, trump) < own_strength for other in others)


def _is_sure_lead(tile: Tile, trump: Name, unseen: list[Tile]) -> bool:
    """Return True if a tile that is led wins unless it is trumped."""
    suit = suit_of(tile, trump)
    return _beats_all(tile, suit, trump, [other for other in unseen if belongs_to_suit(other, suit, trump)])


def _poorest(tiles: list[Tile], trump: Name) -> Tile:
    """Return the tile that is least worth keeping: no trump, no double, few pips."""
    return min(tiles, key=lambda tile: (belongs_to_suit(tile, trump_suit(trump), trump), tile.is_double, tile.pips))


OUTBID, OUTBID_PARTNER = 4, 5
"""Points added to the hand's worth to outbid opponents, and subtracted to outbid the partner."""
TWO_MARKS_LOSS = 3
"""Bid two marks if the hand should lose fewer points than this."""
TWO_MARKS = Bid(MARK, 2)


def greedy_with(rules: Rules, view: TrickView) -> Action:
    """Return the greedy bot's action in a trick game, with a partner or, in games without partners, alone."""
    return greedy_in_tricks(view) if rules.sides < rules.seats else alone_in_tricks(view, rules.tiles)


def greedy_in_tricks(view: TrickView) -> Action:
    """Bid the worth of the hand with its best trump; play tiles as `core.bots.baseline` does."""
    return _bid_in_partnership(view) if view.bid is None else baseline_in_tricks(view)


def _bid_in_partnership(view: TrickView) -> Action:
    """Return the lowest bid up to the worth of the hand: within one mark a higher bid pays no more.

    Against a bid of the opponents, which would cost a mark too, the hand may be worth less; against the partner's it
    must be worth more. Two marks need a hand that is nearly sure of every trick.
    """
    limit = most_worth(view)
    highest_call = max(view.calls, key=lambda call: worth(call.bid), default=None)
    if highest_call and highest_call.bid:
        limit += -OUTBID_PARTNER if highest_call.seat % 2 == view.seat % 2 else OUTBID
    elif limit > MARK - TWO_MARKS_LOSS and TWO_MARKS in view.legal:
        return TWO_MARKS
    return bid_up_to(view, limit)


POINTS = 3
"""Pips that a point in play is worth."""
ANSWER = 3
"""Pips that a tile which can be laid next is worth."""
FLEXIBLE = 2
"""Pips for each number on which a tile fits, beyond the usual two."""
BLOCK = 3
"""Pips that an end costs for each unseen tile that fits it. Found by experiment."""
SHUT = 20
"""Pips gained by shutting the layout with the lightest hand, or lost with another."""
PARTNERS = 5
"""Pips for an end with a number that the partner prefers."""


CHANCE = 0.8
"""Pips for each unseen tile that may lead to a tile in hand. Found by experiment."""


class Sight(NamedTuple):
    """Values computed once for a decision."""

    view: LayoutView
    sides: int
    fits: Fits
    unseen: tuple[Tile, ...]
    """Tiles in the other hands and in the boneyard."""
    partner_numbers: frozenset[int]
    """Numbers that the partner turned outward first, so that it may hold more of them."""
    one_ended: bool = False
    """True if a led tile is open at one half only."""
    blind: bool = False
    """True in games in which no player sees their own tiles and the next one is turned over at once."""


def greedy_in_layout(match: MatchView, view: LayoutView, tie_breaker: Callable[[], float]) -> Action:
    """Score if possible, get rid of pips, keep answers and the bot's own train, and leave the others few ends.

    Never draw or pass while a play is possible; claim whatever can be claimed. Lay tiles face down that are light and
    unlikely to be played.
    """
    sheds = [action for action in view.legal if isinstance(action, Shed)]
    if sheds:
        return min(sheds, key=lambda shed: (_shed_cost(match, view, shed.tile), tie_breaker()))
    plays = [action for action in view.legal if isinstance(action, Play)]
    if not plays:
        return next((action for action in view.legal if not isinstance(action, Pass | Silent)), view.legal[0])
    values = preferences(match, view, plays)
    return max(zip(values, plays, strict=True), key=lambda pair: (pair[0], tie_breaker()))[1]


def _shed_cost(match: MatchView, view: LayoutView, tile: Tile) -> float:
    """Return the cost of laying a tile face down: its pips, and the chance that others lead to one of its halves."""
    unseen = Counter(number for other in unseen_tiles(view, rules_of(match).tiles) for number in set(other))
    return tile.pips + CHANCE * sum(unseen[number] for number in set(tile))


def preferences(match: MatchView, view: LayoutView, plays: list[Play]) -> list[float]:
    """Return the bot's preference for each of these plays, in pips."""
    points_by_play = dict(
        zip((action for action in view.legal if isinstance(action, Play)), view.worth, strict=False)
    )
    rules = cast("LayoutRules", rules_of(match))
    unseen, partner_numbers = unseen_tiles(view, rules.tiles), _partner_numbers(match, view)
    sight = Sight(view, match.sides, fits_of(match), unseen, partner_numbers, rules.one_ended, rules.turns.blind)
    place_counts = Counter(tile for tile, _ in {(play.tile, (play.at, play.side)) for play in plays})
    return [POINTS * points_by_play.get(play, 0) + _value(sight, play) - place_counts[play.tile] for play in plays]


def _partner_numbers(match: MatchView, view: LayoutView) -> frozenset[int]:
    """Return the numbers that a partner led or laid in its first two turns."""
    partners = range(view.seat % match.sides, match.players, match.sides)
    laid = [placed for placed in view.layout if placed.seat in partners and placed.seat != view.seat][:2]
    return frozenset(number for placed in laid for number in {placed.out, *(placed.tile if placed.on < 0 else ())})


def _value(sight: Sight, play: Play) -> float:
    """Return a play's value: the pips laid, a little for a double, and the effect on the next plays of all seats.

    A blind sight values only the number of unseen tiles that fit the ends of others.
    """
    view, fits = sight.view, sight.fits
    ends = [end for end in view.ends if (end.at, end.side) != (play.at, play.side)]
    is_own_train = any(end.owner == view.seat for end in view.ends if (end.at, end.side) == (play.at, play.side))
    remaining = list(view.hand)
    remaining.remove(play.tile)
    new_numbers = {play.out} if play.at >= 0 or sight.one_ended else {play.tile.low, play.tile.high}
    numbers = new_numbers.union(end.pips for end in ends)
    others_numbers = (set() if is_own_train else new_numbers).union(
        end.pips for end in ends if end.owner != view.seat
    )
    answers = sum(not fits[tile].isdisjoint(numbers) for tile in remaining)
    unseen_fits = sum(not fits[tile].isdisjoint(others_numbers) for tile in sight.unseen)
    train = [play.out] if is_own_train else [end.pips for end in ends if end.owner == view.seat]
    train_length = max((longest(number, remaining) for number in train), default=0)
    if sight.blind:  # the next tile is still unseen
        return unseen_fits
    value = (
        _weight(play.tile, fits) + 2 * play.tile.is_double + ANSWER * answers + 5 * train_length - BLOCK * unseen_fits
    )
    value += PARTNERS * len(sight.partner_numbers & numbers)
    return value if answers or unseen_fits else value + _shut_value(sight, remaining)


def _weight(tile: Tile, fits: Fits) -> int:
    """Return the value of getting rid of a tile: its pips, less for a tile that fits more than two numbers."""
    return tile.pips - FLEXIBLE * max(0, len(fits[tile]) - 2) if tile.low >= 0 else 8


def _shut_value(sight: Sight, remaining: list[Tile]) -> int:
    """Return the value of shutting the layout: `SHUT` if this side probably has the fewest pips, else `-SHUT`."""
    view, sides = sight.view, sight.sides
    average_pips = pips(sight.unseen) / max(1, len(sight.unseen))
    hand_pips = [average_pips * count for count in view.counts]
    hand_pips[view.seat] = pips(tuple(remaining))
    hand_pips[(view.seat + 1) % len(hand_pips)] += average_pips * (
        view.boneyard - view.reserve
    )  # the next seat must draw all of it
    sums = [sum(hand_pips[side::sides]) for side in range(sides)]
    own_pips = sums.pop(view.seat % sides)
    return SHUT if own_pips < min(sums) else -SHUT


EQUAL_TILE, SAME_FAMILY = 0.4, 0.3
"""Keeping value added for an equal tile, and for one of its family."""
SURE_LEAD, LAST_SURE_TILE = 2.0, 3.0
"""Value of each tile of a lead that nobody can beat, and the cost of giving up the last such single tile."""
EXPENSIVE = 1.6
"""Keeping value from which a tile is not spent on a trick that is not needed. Found by experiment."""


class ComboSight(NamedTuple):
    """Values computed once for a decision."""

    hand: Hand
    unseen: Hand
    """Tiles that the others may hold."""
    mixed: bool
    has_no_trick: bool
    """True if the seat has taken no trick."""


def greedy_in_combos(rules: Rules, view: ComboView) -> Action:
    """Lead unbeatable tiles, else those worth least; beat cheaply; hide the rest, and keep a last winner."""
    sight = sight_of(rules, view)
    if not view.trick:
        return max(view.legal, key=lambda lead: lead_value(sight, tiles_of(lead)))
    beats = [action for action in view.legal if isinstance(action, Beat)]
    if beats:
        beat = min(beats, key=lambda beat: cost_of(sight, beat.tiles))
        if _worth_beating(sight, beat.tiles):
            return beat
    return min(
        (action for action in view.legal if isinstance(action, Hide)), key=lambda hide: cost_of(sight, hide.tiles)
    )


def sight_of(rules: Rules, view: ComboView) -> ComboSight:
    """Return the values that depend on the view only."""
    mixed = rules.mixed if isinstance(rules, ComboRules) else True
    has_no_trick = not tricks_taken(view.tricks, len(view.counts))[view.seat]
    return ComboSight(view.hand, tuple(unseen_in_combos(view, rules.tiles)), mixed, has_no_trick)


def tiles_of(action: Action) -> Hand:
    """Return the tiles of an action in a game of combinations."""
    return action.tiles if isinstance(action, Lead | Beat | Hide) else ()


def is_unbeatable(sight: ComboSight, tiles: Hand) -> bool:
    """Return True if no unseen tiles beat `tiles`, even if one player held all of them."""
    return not winning_combos(sight.unseen, tiles, mixed=sight.mixed)


def lead_value(sight: ComboSight, tiles: Hand) -> float:
    """Return the value of leading `tiles`: high for many that nobody can beat, else for those worth least."""
    if not is_unbeatable(sight, tiles):
        return -cost_of(sight, tiles) / len(tiles)
    remaining = tuple((Counter(sight.hand) - Counter(tiles)).elements())
    gives_up = bool(remaining) and not any(is_unbeatable(sight, (tile,)) for tile in set(remaining))
    return SURE_LEAD * len(tiles) - LAST_SURE_TILE * gives_up - 0.1 * cost_of(sight, tiles)


def keep_value(tile: Tile, hand: Hand) -> float:
    """Return the value of keeping a tile: its rank, and more beside tiles with which it can be laid."""
    if tile in CIVIL:
        equal_tiles, rank = hand.count(tile) - 1, RANKS[tile] / (len(RANKS) - 1)
        relatives = sum(other not in CIVIL and other.pips == FAMILIES.get(tile) for other in hand)
    else:
        equal_tiles = sum(other not in CIVIL and other.pips == tile.pips for other in hand) - 1
        rank = (tile.pips - 3) / 6
        relatives = sum(FAMILIES.get(other) == tile.pips for other in hand)
    is_part_of_supreme = is_supreme((tile,)) or any(is_supreme((tile, other)) for other in hand)
    return rank + EQUAL_TILE * equal_tiles + SAME_FAMILY * relatives + is_part_of_supreme


def cost_of(sight: ComboSight, tiles: Hand) -> float:
    """Return the cost of giving `tiles` away."""
    return sum(keep_value(tile, sight.hand) for tile in tiles)


def _worth_beating(sight: ComboSight, tiles: Hand) -> bool:
    """Return True if a trick is worth its tiles: it has several, it is the first, it wins the lead for a sure hand,
    or is cheap.
    """
    if len(tiles) > 1 or sight.has_no_trick or len(sight.hand) <= len(tiles):
        return True
    remaining = tuple((Counter(sight.hand) - Counter(tiles)).elements())
    return cost_of(sight, tiles) < EXPENSIVE or any(
        is_unbeatable(sight, lead) for lead in leads(remaining, mixed=sight.mixed)
    )


def greedy_in_patience(match: MatchView, view: PatienceView) -> Action:
    """Return the first move of a visible solution; else the move that leaves fewest tiles and most to do."""
    return next(iter(visible_solution(match, view)), None) or _best_looking_move(match, view)


def visible_solution(match: MatchView, view: PatienceView) -> tuple[Action, ...]:
    """Return the moves that end the game with nothing left, if no tile is hidden and a search finds them."""
    if view.boneyard or len(view.legal) < 2:
        return ()
    return find_solution(_rules(match), _tableau_of(view)) or ()


def _best_looking_move(match: MatchView, view: PatienceView) -> Action:
    """Return the move that leaves fewest tiles, then most to do, whatever is drawn."""
    moves = [action for action, _ in moves_best_first(_rules(match), _tableau_of(view)) if action in view.legal]
    return moves[0] if moves else next((action for action in view.legal if action != GiveUp()), view.legal[0])


def _rules(match: MatchView) -> PatienceRules:
    return cast("PatienceRules", rules_of(match))


def _tableau_of(view: PatienceView) -> Tableau:
    return Tableau(view.piles, (), view.hand)


GREEDY: dict[str, Callable[[MatchView, Any, Callable[[], float]], Action]] = {
    "layout": greedy_in_layout,
    "tricks": lambda match, view, _chance: greedy_with(rules_of(match), view),
    "patience": lambda match, view, _chance: greedy_in_patience(match, view),
    "combos": lambda match, view, _chance: greedy_in_combos(rules_of(match), view),
}
"""By family; a number from 0 to 1 may decide between equal moves."""


def greedy_bot(view: MatchView, rng: Random) -> Action:
    """Play by the simple rules of the game's family; see `GREEDY`."""
    play = round_of(view)
    return GREEDY[tag_of(play)](view, play, rng.random)
