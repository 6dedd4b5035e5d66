"""Dominó as Brazil plays it, by the rule sheet (`docs/rules` §C.2)."""

from tests.rules.partners import Pairs
from tests.rules.sheet import NOBODY, Result, is_double


class Brazilian(Pairs):
    """§C.2."""

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.unwon = 0
        self.again = "doubles"

    def hand(self) -> int:
        return self.o["br.hand"]

    def open(self) -> None:
        limit = self.o["br.redeal"]
        self.fresh_round()
        if limit and max(sum(map(is_double, hand)) for hand in self.hands) >= limit:
            return
        if self.winner == NOBODY:
            self.highest_double()
        else:
            self.any_tile(self.winner)

    def settle(self, how: str, seat: int) -> Result:
        if how == "blocked":
            seat, _ = self.won_by(self.o["br.block"])
        if seat == NOBODY:
            self.unwon += 1
            return Result("blocked", NOBODY, (0, 0))
        points = 1 if how == "blocked" else self.by_the_last_tile()
        if self.unwon and self.o["br.tie"] == "double":
            points *= 2
        if self.o["br.tie"] == "plus_one":
            points += self.unwon
        self.unwon = 0
        return Result(how, seat, self.to(seat % 2, points))

    def by_the_last_tile(self) -> int:
        tile, (on, other) = self.table[-1].tile, self.ends_before
        if is_double(tile):
            return self.o["br.cross"] if on == other else 2
        return 3 if self.at_both_ends() else 1
