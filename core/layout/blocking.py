"""The end of a round: the blocker and the assistant, the last tile, and the winner (`docs/rules` §2.9, §C)."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from core.actions import Action, Play
from core.layout.policies import leader_of
from core.layout.state import NOBODY, State
from core.tiles import Tile, pips

Moment = tuple[State, Action]
Window = Literal["closing", "lap", "unlimited"]
"""Maximum distance of the sealing play before the closing play."""
Neighbour = Literal["before", "next"]
"""The neighbour of the blocker that may be the assistant."""


class Blame(NamedTuple):
    """The seat that made the sealing play, and the seat that fed it; -1 if there is none."""

    blocker: int = NOBODY
    assistant: int = NOBODY


def blame(past: Sequence[Moment], last: State, *, window: Window, assistant: Neighbour) -> Blame:
    """Find the blocker of a blocked round from its moments and its last state.

    The result is empty if the sealing play lies outside the window.
    """
    seats = len(last.hands)
    play_indices = [index for index, (_, action) in enumerate(past) if isinstance(action, Play)]
    states = [*(state for state, _ in past), last]
    closing_play = next(number for number, index in enumerate(play_indices) if _is_closed(states[index + 1]))
    max_distance = {"closing": 0, "lap": seats - 1, "unlimited": closing_play}[window]
    search = _BlockSearch(states[0].boneyard)
    for number in range(closing_play, max(-1, closing_play - max_distance - 1), -1):
        index = play_indices[number]
        if not search.ends_blocked(states[index]):
            return Blame(states[index].turn, _assistant(past, index, seats, assistant))
    return Blame()


def _is_closed(state: State) -> bool:
    """Return True if the two end numbers can no longer change because only doubles still fit."""
    numbers = {end.pips for end in state.ends}
    unplayed = (*state.boneyard, *(tile for hand in state.hands for tile in hand))
    return not any(tile.low != tile.high and (tile.low in numbers or tile.high in numbers) for tile in unplayed)


def _assistant(past: Sequence[Moment], sealing_index: int, seats: int, neighbour: Neighbour) -> int:
    """Return the neighbour if it chose a tile to play in its turn next to the sealing play, `past[sealing_index]`."""
    blocker = past[sealing_index][0].turn
    if neighbour == "next":
        turn = _turn_of(past, range(sealing_index + 1, len(past)), (blocker + 1) % seats)
    else:
        index = sealing_index - 1
        while index >= 0 and past[index][0].turn == blocker:
            index -= 1
        turn = _turn_of(past, range(index, -1, -1), (blocker - 1) % seats)[::-1]
    if not turn or not isinstance(turn[-1][1], Play):
        return NOBODY
    earliest = turn[0][0]
    choices = {action.tile for action in earliest.legal if isinstance(action, Play)}
    return earliest.turn if len(choices) > 1 else NOBODY


def _turn_of(past: Sequence[Moment], indices: range, seat: int) -> list[Moment]:
    """Return the moments of one turn of a seat, along `indices`; none if it is another seat's turn there."""
    turn: list[Moment] = []
    for index in indices:
        if past[index][0].turn != seat:
            break
        turn.append(past[index])
    return turn


Ends = tuple[int, int]
"""The two open numbers, the lower first; two lines with swapped ends are the same."""
_NO_TILE_YET = (-1, -1)


class _Position(NamedTuple):
    """The facts that decide how a round can still end."""

    hands: tuple[frozenset[Tile], ...]
    drawn: int
    """Tiles taken from the boneyard since the deal."""
    ends: Ends
    turn: int


class _BlockSearch:
    """Decides whether every line of legal play from a position ends blocked; memoizes positions."""

    def __init__(self, boneyard: tuple[Tile, ...]) -> None:
        self._boneyard = boneyard
        self._verdicts: dict[_Position, bool] = {}

    def ends_blocked(self, state: State) -> bool:
        """Return True if every line of legal play from this moment of the round ends blocked."""
        left, right = sorted(end.pips for end in state.ends) if state.ends else _NO_TILE_YET
        drawn = len(self._boneyard) - len(state.boneyard)
        return self._is_doomed(_Position(tuple(map(frozenset, state.hands)), drawn, (left, right), state.turn))

    def _is_doomed(self, position: _Position) -> bool:
        if position not in self._verdicts:
            self._verdicts[position] = self._search_block(position)
        return self._verdicts[position]

    def _search_block(self, position: _Position) -> bool:
        """Return True if every line of play from this position ends blocked, whatever the next seats lay."""
        hands, drawn, ends, seat = position
        hand = hands[seat]
        while not (moves := _moves(hand, ends)) and drawn < len(self._boneyard):
            hand |= {self._boneyard[drawn]}
            drawn += 1
        hands_before, hands_after = hands[:seat], hands[seat + 1 :]
        next_seat = (seat + 1) % len(hands)
        if not moves:
            if not any(_moves(other, ends) for other in hands):
                return True
            return self._is_doomed(_Position((*hands_before, hand, *hands_after), drawn, ends, next_seat))
        if len(hand) == 1:
            return False
        return all(
            self._is_doomed(_Position((*hands_before, hand - {tile}, *hands_after), drawn, new_ends, next_seat))
            for tile, new_ends in moves
        )


def _moves(hand: frozenset[Tile], ends: Ends) -> list[tuple[Tile, Ends]]:
    """Return the tiles that fit, each with the ends after it."""
    if ends == _NO_TILE_YET:
        return [(tile, (tile.low, tile.high)) for tile in hand]
    left, right = ends
    moves = []
    for tile in hand:
        low, high = tile
        for matched_end, other in ((left, right),) if left == right else ((left, right), (right, left)):
            if matched_end in (low, high):
                new_end = low + high - matched_end
                moves.append((tile, (new_end, other) if new_end <= other else (other, new_end)))
    return moves


BlockWinner = Literal["team", "single", "duel", "void"]
"""The winner of a blocked round: the side with the lighter sum, the side of the lightest hand, the lighter of the
seat that laid last and the next one, or none.
"""


class LastTile(NamedTuple):
    """The tile with which a seat went out, and the ends of the line before that tile was laid."""

    tile: Tile
    matched_end: int
    """The number on which it was laid."""
    other_end: int
    """The number at the other end."""

    @property
    def also_fitted_other_end(self) -> bool:
        """True if the tile also fitted the other end."""
        return self.other_end in self.tile


def last_tile(state: State) -> LastTile:
    """Return the last tile of a line of two tiles or more."""
    last = len(state.layout) - 1
    tile, out = state.layout[last].tile, state.layout[last].out
    return LastTile(tile, tile.other(out), next(end.pips for end in state.ends if end.at != last))


def winner_of(state: State, sides: int, block: BlockWinner = "single") -> tuple[int, tuple[int, ...]]:
    """Return the winner of a finished round, out of tiles or by the rule `block`; or -1 and the tied sides."""
    hands, last_seat = state.hands, state.layout[-1].seat
    if not hands[last_seat]:
        return last_seat, ()
    weights = [pips(hand) for hand in hands]
    if block == "void":
        return NOBODY, ()
    if block == "duel":
        next_seat = (last_seat + 1) % len(hands)
        if weights[last_seat] == weights[next_seat]:
            return NOBODY, tuple(sorted({last_seat % sides, next_seat % sides}))
        return min(last_seat, next_seat, key=weights.__getitem__), ()
    side_weights = [weights[side::sides] for side in range(sides)]
    sums = [sum(weights) if block == "team" else min(weights) for weights in side_weights]
    tied = tuple(side for side in range(sides) if sums[side] == min(sums))
    return (leader_of(state, sides, tied[0]), ()) if len(tied) == 1 else (NOBODY, tied)


def count_passes(state: State) -> int:
    """Return the number of passes without drawing in a round."""
    return max(0, state.turns - len(state.layout) + 1)
