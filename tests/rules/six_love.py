"""Six Love by the rule sheet (`docs/rules` §C.7)."""

from tests.rules.partners import Pairs
from tests.rules.sheet import NOBODY, Result


class SixLove(Pairs):
    """§C.7."""

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.draws = players == 2 and options["sl.two"] == 7

    def teams(self) -> bool:
        return self.n == 4 and self.o["partners"] == "yes"

    def hand(self) -> int:
        return {2: self.o["sl.two"], 3: 9, 4: 7}[self.n]

    def open(self) -> None:
        self.fresh_round()
        if self.winner == NOBODY or set(self.scores) == {0}:
            self.highest_double()
        else:
            self.any_tile(self.winner)

    def settle(self, how: str, seat: int) -> Result:
        if how == "blocked":
            seat, _ = self.won_by("single")
        if seat == NOBODY:
            return Result(how, NOBODY, (0,) * self.sides)
        side, after = seat % self.sides, list(self.scores)
        others = [score for other, score in enumerate(self.scores) if other != side]
        if self.o["sl.match"] == "first" or max(others) == 0:
            after[side] += self.o["sl.key"] if how == "out" and self.key() else 1
        elif self.o["sl.one_all"] == "yes" and sorted(others)[-2:] in ([1], [0, 1]) and after[side] in (0, 1):
            after = [0] * self.sides if after[side] else after
            after[side] = self.scores[side] + 1
        else:
            after = [0] * self.sides
        return Result(how, seat, tuple(new - old for new, old in zip(after, self.scores, strict=True)))

    def key(self) -> bool:
        rest = [half for hand in self.hands for tile in hand for half in tile]
        return self.at_both_ends() and not set(self.ends_before) & set(rest)

    def match_over(self) -> bool:
        return max(self.scores) >= 6
