"""Bergen by the rule sheet (`docs/rules` §C.12)."""

from tests.rules.lines import Line
from tests.rules.sheet import NOBODY, Result, is_double, pips


class Bergen(Line):
    """Both ends alike score 2, with a double among them 3."""

    def hand(self) -> int:
        return 5 if self.n == 4 else 6

    def open(self) -> None:
        doubles = sorted(tile for hand in self.hands for tile in hand if is_double(tile))
        if self.o["bg.lead"] == "lot":
            self.any_tile(self.lot if self.leader == NOBODY else (self.leader + 1) % self.n)
        elif doubles:
            self.this_tile(doubles[0 if self.o["bg.lead"] == "lowest" else -1])

    def led(self) -> None:
        self.count(2 if is_double(self.table[0].tile) else 0)

    def played(self) -> None:
        left, right = self.ends()
        if left.number != right.number:
            self.count(0)
        else:
            self.count(3 if any(is_double(self.table[end.at].tile) for end in (left, right)) else 2)

    def count(self, points: int) -> None:
        if self.o["bg.near"] == "on":
            missing = self.o["target"] - self.scores[self.turn]
            points = min(points, 1 if missing <= 2 else 2 if missing == 3 else 3)
        self.scores[self.turn] += points
        self.next_turn()

    def settle(self, how: str, seat: int) -> Result:
        best = seat if how == "out" else self.best_hand()
        return Result(how, best, (0,) * self.n if best == NOBODY else self.to(best, self.o["bg.out"]))

    def best_hand(self) -> int:
        seats = list(range(self.n))
        doubles = [[tile[0] for tile in hand if is_double(tile)] for hand in self.hands]
        if self.o["bg.block"] == "american":
            clean = [seat for seat in seats if not doubles[seat]]
            if not clean:
                return min(seats, key=lambda seat: min(doubles[seat]))
            fewest = min(len(self.hands[seat]) for seat in clean)
            seats = [seat for seat in clean if len(self.hands[seat]) == fewest]
        elif self.o["bg.block"] == "german":
            seats = [seat for seat in seats if len(doubles[seat]) == min(map(len, doubles))]
        least = min(pips(self.hands[seat]) for seat in seats)
        light = [seat for seat in seats if pips(self.hands[seat]) == least]
        return light[0] if len(light) == 1 else NOBODY
