"""One engine for the games for one: the fields of `PatienceRules` are what they can differ in (`docs/rules` §C.8)."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from core.actions import Action, Draw, Drew, Event, Play, Played, RoundOver, Term
from core.for_one import Fill, GiveUp, Moved, Removed, Take, Turned
from core.layout.placed import NOBODY
from core.layout.state import Before, Goal
from core.patience.state import Laid, PatienceState, PatienceView, Piles, ends_of
from core.tiles import Tile
from core.vocabulary import Spread
from core.words import Illegal, words

GOAL = Goal(rounds=1, lowest=True, nought=True)
"""One deal; the tiles that are left are the score, and only none of them wins."""


class PatienceRules(Struct, frozen=True):
    """A game for one as a value."""

    tiles: tuple[Tile, ...]
    """The set, ascending."""
    lays: Callable[[tuple[Tile, ...]], Laid]
    """What the shuffled set becomes."""
    moves: Callable[[Laid], tuple[Action, ...]]
    """What may be done, apart from giving up; nothing at the end."""
    refills: Callable[[Laid], int]
    """How many tiles come from the boneyard now, after a move: to the hand if there is one, else to the table."""
    spread: Spread
    aside: int = 0
    """How many of the last piles lie beside the columns."""
    spare: int = 0
    """How many tiles may be left without counting."""
    sift: Callable[["PatienceRules", tuple[Tile, ...]], tuple[Tile, ...]] = lambda _rules, order: order
    """Which order of the tiles is dealt, for the shuffled one."""
    held: bool = False
    """Whether tiles are played from a hand."""
    seats: int = 1
    sides: int = 1
    goal: Goal = GOAL

    def deal(self, order: tuple[Tile, ...], _before: Before) -> PatienceState:
        """Start a game from the shuffled set; nothing depends on what was before."""
        return self.settled(self.lays(self.sift(self, order)))

    def legal(self, state: PatienceState) -> tuple[Action, ...]:
        """List what may be done; empty once the game is over."""
        return state.legal

    def apply(self, state: PatienceState, action: Action) -> tuple[PatienceState, tuple[Event, ...]]:
        """Return the next state and what happened. Raises Illegal for what `legal` does not list."""
        if action not in state.legal:
            raise Illegal(words("That is not possible now."))
        if action == GiveUp():
            over = self._over(state.laid, "given_up")
            return replace(state, legal=(), result=over), (over,)
        laid = self.after(state.laid, action)
        after = self.settled(laid)
        came = state.laid.boneyard[: len(state.laid.boneyard) - len(laid.boneyard)]
        return after, (*self._told(state.laid, action, came), *((after.result,) if after.result else ()))

    def settled(self, laid: Laid) -> PatienceState:
        """Add to a position what may be done, or the result if nothing may."""
        moves = self.moves(laid)
        if moves:
            return PatienceState(laid, (*moves, GiveUp()))
        return PatienceState(laid, result=self._over(laid, "stuck" if self.score(laid) else "solved"))

    def left(self, laid: Laid) -> int:
        """How many tiles are left: those in the hand and in the boneyard; without a hand, those on the table too."""
        return len(laid.boneyard) + len(laid.hand) + (0 if self.held else sum(map(len, laid.piles)))

    def score(self, laid: Laid) -> int:
        """The tiles that are left, unless so few may be."""
        left = self.left(laid)
        return left if left > self.spare else 0

    def view(self, state: PatienceState, seat: int) -> PatienceView:
        """Return what `seat` may know; -1 is a spectator."""
        return PatienceView(
            seat=seat,
            hand=state.laid.hand if seat != NOBODY else (),
            counts=(self.left(state.laid),),
            turn=NOBODY if state.result else state.turn,
            piles=state.laid.piles,
            boneyard=len(state.laid.boneyard),
            spread=self.spread,
            legal=state.legal if seat == state.turn else (),
            result=state.result,
            aside=self.aside,
            highest=self.tiles[-1].high,
        )

    def after(self, laid: Laid, action: Action) -> Laid:
        """What lies where after a move, and what comes from the boneyard then."""
        match action:
            case Take(tiles=tiles):
                laid = replace(laid, piles=_without(laid.piles, tiles))
            case Fill(tile=tile):
                piles = list(_without(laid.piles, (tile,)))
                piles[laid.piles.index(())] = (tile,)
                laid = replace(laid, piles=tuple(piles))
            case Play(tile=tile, side=side):
                line = (*laid.line, tile) if side else (tile, *laid.line)
                laid = replace(laid, piles=(line,), hand=_less(laid.hand, (tile,)))
        count = 1 if action == Draw() else min(self.refills(laid), len(laid.boneyard))
        if not count:
            return laid
        came, rest = laid.boneyard[:count], laid.boneyard[count:]
        if self.held:
            return Laid(laid.piles, rest, tuple(sorted((*laid.hand, *came))))
        return Laid(((*laid.line, *came),), rest)

    def _told(self, laid: Laid, action: Action, came: tuple[Tile, ...]) -> tuple[Event, ...]:
        """What happened, and which tiles came from the boneyard."""
        turned: tuple[Event, ...] = ()
        if came:
            turned = (Drew(0, len(came), tuple(sorted(came))),) if self.held else (Turned(0, came),)
        match action:
            case Take(tiles=tiles):
                return Removed(0, tiles), *turned
            case Fill(tile=tile):
                return Moved(0, tile), *turned
            case Play(tile=tile, side=side, out=out):
                return Played(0, tile, ends_of(laid.line)[side], out), *turned
        return turned

    def _over(self, laid: Laid, how: str) -> RoundOver:
        table = () if self.held else tuple(tile for pile in laid.piles for tile in pile)
        left = tuple(sorted((*table, *laid.boneyard, *laid.hand)))
        score = self.score(laid)
        sums = ((Term("left", 0, score),),) if score else ((),)
        return RoundOver(how, NOBODY if score else 0, (left,), sums)  # type: ignore[arg-type]


def _without(piles: Piles, tiles: tuple[Tile, ...]) -> Piles:
    return tuple(_less(pile, tiles) for pile in piles)


def _less(pile: tuple[Tile, ...], tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return tuple([tile for tile in pile if tile not in tiles])
