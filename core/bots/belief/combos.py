"""What may be where in a game of combinations: any hidden tile in any hand, or in any heap that lies face down."""

from collections.abc import Iterator
from random import Random

from core.bots.rules import before_of
from core.combos.rules import ComboRules
from core.combos.state import ComboState, ComboTrick, ComboView, Put, unseen_in
from core.match import MatchView
from core.tiles import Tile


class ComboBelief:
    """Nobody has to beat, so nothing that was laid says what somebody lacks: all arrangements are equally likely."""

    def __init__(self, rules: ComboRules, match: MatchView, view: ComboView) -> None:
        """`view` is the round of the match, as the seat that wants to know sees it."""
        self.match, self.view = match, view
        self.tiles = unseen_in(view, rules.tiles)

    @property
    def certain(self) -> bool:
        return not any(count for seat, count in enumerate(self.view.counts) if seat != self.view.seat)

    def positions(self, rng: Random) -> Iterator[ComboState]:
        view = self.view
        while True:
            tiles = self.tiles.copy()
            rng.shuffle(tiles)
            hands = tuple(
                view.hand if seat == view.seat else _some(tiles, count) for seat, count in enumerate(view.counts)
            )
            yield ComboState(
                hands,
                view.banker,
                view.turn,
                before_of(self.match),
                view.in_a_row,
                _filled(view.trick, tiles),
                tuple(ComboTrick(_filled(trick.puts, tiles), trick.winner) for trick in view.tricks),
                view.legal,
            )


def _some(tiles: list[Tile], count: int) -> tuple[Tile, ...]:
    """Take so many tiles off the list."""
    return tuple(sorted(tiles.pop() for _ in range(count)))


def _filled(puts: tuple[Put, ...], tiles: list[Tile]) -> tuple[Put, ...]:
    """The same lays, with tiles off the list where nobody else knows them."""
    return tuple(put if put.tiles else Put(put.seat, _some(tiles, len(puts[0].tiles)), False) for put in puts)
