"""Looks for a way to the end of a game for one, with every tile known, and sifts deals by whether there is one."""

from collections.abc import Iterator

from core.actions import Action
from core.fair import deal_order
from core.patience.rules import PatienceRules
from core.patience.state import Laid
from core.tiles import Tile

LOOKS = 300
"""Positions that a search looks at before it gives up: a few hundredths of a second."""

MOST_ORDERS = 40
"""Orders of the tiles that are tried to find one with a solution; the rarest game has one in three."""


def solution(rules: PatienceRules, laid: Laid, looks: int = LOOKS) -> tuple[Action, ...] | None:
    """The moves that leave nothing which counts; None where none were found among so many positions.

    It tries what takes most tiles first, and looks at no position twice.
    """
    seen: set[object] = set()
    way: list[Action] = []
    branches = [iter(best_first(rules, laid))]
    while branches:
        action, after = next(branches[-1], (None, laid))
        if action is None:
            branches.pop()
            if way:
                way.pop()
            continue
        key = _key(rules, after)
        if key in seen:
            continue
        if len(seen) >= looks:
            return None
        seen.add(key)
        way.append(action)
        if not rules.score(after) and not rules.moves(after):
            return tuple(way)
        branches.append(iter(best_first(rules, after)))
    return None


def solvable_first(rules: PatienceRules, order: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The first order for which the search finds a solution: the shuffled one, or one that follows from it alone.

    So anybody can check that the deal is honest. It is the shuffled order itself if no order of so many is solved.
    """
    for turned in orders(rules, order):
        if solution(rules, rules.lays(turned)) is not None:
            return turned
    return order


def orders(rules: PatienceRules, order: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
    """An order, and then those into which its halves, one byte each, shuffle the set as a seed (`core.fair`)."""
    yield order
    seed = bytes(half for tile in order for half in tile)
    for number in range(1, MOST_ORDERS):
        yield deal_order(rules.tiles, rules.seats, seed, number)[0]


def best_first(rules: PatienceRules, laid: Laid) -> list[tuple[Action | None, Laid]]:
    """Every move with what comes of it: first what leaves fewest tiles, and of those what leaves most to do."""
    after = [(action, rules.after(laid, action)) for action in rules.moves(laid)]
    return sorted(after, key=lambda each: (rules.left(each[1]), -len(rules.moves(each[1]))))


def _key(rules: PatienceRules, laid: Laid) -> object:
    """Positions with equal keys go on alike: it does not matter which column is which."""
    columns = len(laid.piles) - rules.aside
    piles = frozenset(laid.piles[:columns]), frozenset(laid.piles[columns:])
    return piles, laid.hand, len(laid.boneyard)
