"""How the last tile of a line was laid, and who wins a line that is blocked (`docs/rules` §C.1, §C.2, §C.7)."""

from typing import Literal, NamedTuple

from core.layout.line import leader_of
from core.layout.state import NOBODY, State
from core.tiles import Tile, pips

BlockWinner = Literal["team", "single", "duel", "void"]
"""Who wins a blocked round: the side with the lighter sum, that of the lightest hand, the lighter of the seat that
laid last and the next one, or nobody."""


class LastTile(NamedTuple):
    """The tile with which somebody went out, and what the line showed before it."""

    tile: Tile
    on: int
    """The number that it was laid on."""
    other: int
    """The number at the other end."""

    @property
    def fits_both(self) -> bool:
        """Whether it might as well have been laid at the other end."""
        return self.other in self.tile


def last_tile(state: State) -> LastTile:
    """Return the last tile of a line of two tiles or more."""
    at = len(state.layout) - 1
    tile, out = state.layout[at].tile, state.layout[at].out
    return LastTile(tile, tile.other(out), next(end.pips for end in state.ends if end.at != at))


def winner_of(state: State, sides: int, block: BlockWinner = "single") -> tuple[int, tuple[int, ...]]:
    """Return the seat that wins a round that is over, by going out or by its hand; -1 and the sides that tie."""
    hands, last = state.hands, state.layout[-1].seat
    if not hands[last]:
        return last, ()
    weights = [pips(hand) for hand in hands]
    if block == "void":
        return NOBODY, ()
    if block == "duel":
        following = (last + 1) % len(hands)
        if weights[last] == weights[following]:
            return NOBODY, tuple(sorted({last % sides, following % sides}))
        return min(last, following, key=weights.__getitem__), ()
    of_side = [weights[side::sides] for side in range(sides)]
    sums = [sum(each) if block == "team" else min(each) for each in of_side]
    tied = tuple(side for side in range(sides) if sums[side] == min(sums))
    return (leader_of(state, sides, tied[0]), ()) if len(tied) == 1 else (NOBODY, tied)


def passes_in(state: State) -> int:
    """How often somebody has passed in a round without drawing."""
    return max(0, state.turns - len(state.layout) + 1)
