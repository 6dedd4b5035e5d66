"""The engine of all games for one player. They differ in the fields of `PatienceRules` only (`docs/rules` §C.8).

It also searches for a solution with every tile known, and can choose deals that have one.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from core.actions import (
    Action,
    Draw,
    Drew,
    Event,
    Fill,
    GiveUp,
    Moved,
    Play,
    Played,
    Removed,
    RoundOver,
    Take,
    Term,
    Turned,
)
from core.fair import deal_order
from core.layout.state import NOBODY, Goal, RoundContext
from core.patience.state import PatienceState, PatienceView, Piles, Tableau, ends_of
from core.tiles import Tile
from core.words import Illegal, Spread, words

GOAL = Goal(rounds=1, lowest=True, zero_wins=True)
"""A single deal; the number of tiles left is the score, and only 0 wins."""


class PatienceRules(Struct, frozen=True):
    """A game for one player as a value."""

    tiles: tuple[Tile, ...]
    """The set, ascending."""
    lay_out: Callable[[tuple[Tile, ...]], Tableau]
    """Returns the tableau that a shuffled set becomes."""
    moves: Callable[[Tableau], tuple[Action, ...]]
    """Returns the legal moves, apart from giving up; none at the end."""
    count_refill: Callable[[Tableau], int]
    """Returns the number of tiles that come from the boneyard after a move: to the hand if there is one, else to the
    table.
    """
    spread: Spread
    aside: int = 0
    """Number of the last piles that lie beside the columns."""
    spare: int = 0
    """Number of tiles that may be left without counting."""
    sift: Callable[["PatienceRules", tuple[Tile, ...]], tuple[Tile, ...]] = lambda _rules, order: order
    """Returns the order in which the tiles are dealt, from the shuffled one."""
    has_hand: bool = False
    """True if tiles are played from a hand."""
    seats: int = 1
    sides: int = 1
    goal: Goal = GOAL

    def deal(self, order: tuple[Tile, ...], _context: RoundContext) -> PatienceState:
        """Start a game from the shuffled set; nothing depends on earlier rounds."""
        return self.complete(self.lay_out(self.sift(self, order)))

    def legal(self, state: PatienceState) -> tuple[Action, ...]:
        """List the legal actions; empty once the game is over."""
        return state.legal

    def apply(self, state: PatienceState, action: Action) -> tuple[PatienceState, tuple[Event, ...]]:
        if action not in state.legal:
            raise Illegal(words("That is not possible now."))
        if action == GiveUp():
            over = self._round_over(state.laid, "given_up")
            return replace(state, legal=(), result=over), (over,)
        laid = self.after(state.laid, action)
        after = self.complete(laid)
        drawn = state.laid.boneyard[: len(state.laid.boneyard) - len(laid.boneyard)]
        return after, (*self._action_events(state.laid, action, drawn), *((after.result,) if after.result else ()))

    def complete(self, laid: Tableau) -> PatienceState:
        """Add the legal actions to a position, or the result if there are none."""
        moves = self.moves(laid)
        if moves:
            return PatienceState(laid, (*moves, GiveUp()))
        return PatienceState(laid, result=self._round_over(laid, "stuck" if self.score(laid) else "solved"))

    def tiles_left(self, laid: Tableau) -> int:
        """Return the number of tiles left: in the hand and the boneyard; without a hand, also on the table."""
        return len(laid.boneyard) + len(laid.hand) + (0 if self.has_hand else sum(map(len, laid.piles)))

    def score(self, laid: Tableau) -> int:
        """Return the number of tiles left; 0 if no more than `spare` are."""
        count = self.tiles_left(laid)
        return count if count > self.spare else 0

    def view(self, state: PatienceState, seat: int) -> PatienceView:
        return PatienceView(
            seat=seat,
            hand=state.laid.hand if seat != NOBODY else (),
            counts=(self.tiles_left(state.laid),),
            turn=NOBODY if state.result else state.turn,
            piles=state.laid.piles,
            boneyard=len(state.laid.boneyard),
            spread=self.spread,
            legal=state.legal if seat == state.turn else (),
            result=state.result,
            aside=self.aside,
            highest=self.tiles[-1].high,
        )

    def after(self, laid: Tableau, action: Action) -> Tableau:
        """Return the tableau after a move, refilled with tiles from the boneyard."""
        match action:
            case Take(tiles=tiles):
                laid = replace(laid, piles=_remove_from_piles(laid.piles, tiles))
            case Fill(tile=tile):
                piles = list(_remove_from_piles(laid.piles, (tile,)))
                piles[laid.piles.index(())] = (tile,)
                laid = replace(laid, piles=tuple(piles))
            case Play(tile=tile, side=side):
                line = (*laid.line, tile) if side else (tile, *laid.line)
                laid = replace(laid, piles=(line,), hand=_remove_from_pile(laid.hand, (tile,)))
        count = 1 if action == Draw() else min(self.count_refill(laid), len(laid.boneyard))
        if not count:
            return laid
        drawn, rest = laid.boneyard[:count], laid.boneyard[count:]
        if self.has_hand:
            return Tableau(laid.piles, rest, tuple(sorted((*laid.hand, *drawn))))
        return Tableau(((*laid.line, *drawn),), rest)

    def _action_events(self, laid: Tableau, action: Action, drawn: tuple[Tile, ...]) -> tuple[Event, ...]:
        """Return the events of an action, including the tiles that came from the boneyard."""
        turned: tuple[Event, ...] = ()
        if drawn:
            turned = (Drew(0, len(drawn), tuple(sorted(drawn))),) if self.has_hand else (Turned(0, drawn),)
        match action:
            case Take(tiles=tiles):
                return Removed(0, tiles), *turned
            case Fill(tile=tile):
                return Moved(0, tile), *turned
            case Play(tile=tile, side=side, out=out):
                return Played(0, tile, ends_of(laid.line)[side], out), *turned
        return turned

    def _round_over(self, laid: Tableau, reason: str) -> RoundOver:
        table_tiles = () if self.has_hand else tuple(tile for pile in laid.piles for tile in pile)
        remaining_tiles = tuple(sorted((*table_tiles, *laid.boneyard, *laid.hand)))
        score = self.score(laid)
        sums = ((Term("left", 0, score),),) if score else ((),)
        return RoundOver(reason, NOBODY if score else 0, (remaining_tiles,), sums)  # type: ignore[arg-type]


def _remove_from_piles(piles: Piles, tiles: tuple[Tile, ...]) -> Piles:
    return tuple(_remove_from_pile(pile, tiles) for pile in piles)


def _remove_from_pile(pile: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return tuple([tile for tile in pile if tile not in tiles])


PAIR_PIPS = 12
"""Pips of a pair of tiles in Luzon."""
GRID_COLUMNS = 4
"""Tiles in a row of the grid."""


def pairs_of_twelve(laid: Tableau, aside: int) -> tuple[Action, ...]:
    """Return pairs of free tiles with twelve pips, at most one from aside, and the tiles that may fill an empty
    column.
    """
    columns = len(laid.piles) - aside
    free = [(number >= columns, pile[-1]) for number, pile in enumerate(laid.piles) if pile]
    pairs = [
        Take((first, second))
        for (is_aside, first), (other_is_aside, second) in combinations(free, 2)
        if first.pips + second.pips == PAIR_PIPS and not (is_aside and other_is_aside)
    ]
    column_piles = laid.piles[:columns]
    fills = [Fill(pile[-1]) for pile in column_piles if len(pile) > 1] if () in column_piles else []
    return (*pairs, *fills)


def captures(laid: Tableau) -> tuple[Action, ...]:
    """Return the captures: a tile between two that share a number, or all three tiles if the middle one has that
    number too. Without captures, return `Draw`, or nothing if the boneyard is empty.
    """
    takes = []
    for left, tile, right in zip(laid.line, laid.line[1:], laid.line[2:], strict=False):
        shared = set(left) & set(right)
        if shared:
            takes.append(Take((tile,)))
            if shared & set(tile):
                takes.append(Take((left, tile, right)))
    if takes or not laid.boneyard:
        return tuple(takes)
    return (Draw(),)


def neighbour_pairs(laid: Tableau) -> tuple[Action, ...]:
    """Return pairs of tiles of the grid that touch, also at corners, and share a number."""
    places = [(divmod(number, GRID_COLUMNS), tile) for number, tile in enumerate(laid.line)]
    return tuple(
        Take((first, second))
        for ((y, x), first), ((other_y, other_x), second) in combinations(places, 2)
        if abs(y - other_y) <= 1 and abs(x - other_x) <= 1 and set(first) & set(second)
    )


def fitting_plays(laid: Tableau) -> tuple[Action, ...]:
    """Return each tile of the hand at each end that it fits; at one end only if both show the same number."""
    left, right = ends_of(laid.line)
    return tuple(
        Play(tile, 0, side, tile.other(end))
        for tile in laid.hand
        for side, end in enumerate((left, right))
        if end in tile and not (side and left == right)
    )


MAX_POSITIONS = 300
"""Number of positions that a search visits before it gives up: a few hundredths of a second."""

MOST_ORDERS = 40
"""Orders of the tiles that are tried to find a deal with a solution; in the rarest game one in three has one."""


def find_solution(
    rules: PatienceRules, laid: Tableau, max_positions: int = MAX_POSITIONS
) -> tuple[Action, ...] | None:
    """Return the moves to a score of zero; None if `max_positions` positions did not contain a solution.

    The search tries the moves that take most tiles first, and visits no position twice.
    """
    seen: set[object] = set()
    moves: list[Action] = []
    branches = [iter(moves_best_first(rules, laid))]
    while branches:
        action, after = next(branches[-1], (None, laid))
        if action is None:
            branches.pop()
            if moves:
                moves.pop()
            continue
        position_key = _position_key(rules, after)
        if position_key in seen:
            continue
        if len(seen) >= max_positions:
            return None
        seen.add(position_key)
        moves.append(action)
        if not rules.score(after) and not rules.moves(after):
            return tuple(moves)
        branches.append(iter(moves_best_first(rules, after)))
    return None


def solvable_first(rules: PatienceRules, order: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the first order with a known solution: the shuffled one, or one derived from it alone.

    Anyone can check from it that the deal is honest. Return the shuffled order if none of MOST_ORDERS is solved.
    """
    for candidate in orders(rules, order):
        if find_solution(rules, rules.lay_out(candidate)) is not None:
            return candidate
    return order


def orders(rules: PatienceRules, order: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
    """Yield an order, and then the orders that its halves, one byte each, give as a seed of `core.fair`."""
    yield order
    seed = bytes(half for tile in order for half in tile)
    for number in range(1, MOST_ORDERS):
        yield deal_order(rules.tiles, rules.seats, seed, number)[0]


def moves_best_first(rules: PatienceRules, laid: Tableau) -> list[tuple[Action | None, Tableau]]:
    """Return every move with its tableau: first those that leave fewest tiles, then those that leave most moves."""
    moves = [(action, rules.after(laid, action)) for action in rules.moves(laid)]
    return sorted(moves, key=lambda move: (rules.tiles_left(move[1]), -len(rules.moves(move[1]))))


def _position_key(rules: PatienceRules, laid: Tableau) -> object:
    """Return a key of a position: equal keys have equal futures, because the order of the columns does not matter."""
    columns = len(laid.piles) - rules.aside
    piles = frozenset(laid.piles[:columns]), frozenset(laid.piles[columns:])
    return piles, laid.hand, len(laid.boneyard)
