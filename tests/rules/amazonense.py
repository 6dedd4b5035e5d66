"""Dominó amazonense by the rule sheet (`docs/rules` §C.10)."""

from tests.rules.fives import Counting
from tests.rules.sheet import NOBODY, PASS, Result, is_double


class Amazonense(Counting):
    """A led double with four ends, passes that pay, and a match that plays on at a tie."""

    draws = False
    spinner = "first"
    after_block = False
    passes = 0
    """Number of consecutive passes."""

    def teams(self) -> bool:
        return True

    def hand(self) -> int:
        return 7

    def open(self) -> None:
        self.passes = 0
        doubles = [sum(map(is_double, hand)) for hand in self.hands]
        if max(doubles) >= 5 and self.o["am.doubles"] == "redeal":
            self.again = "doubles"
            return
        if max(doubles) >= 5 and self.o["am.doubles"] == "bonus":
            self.scores[doubles.index(max(doubles)) % 2] += 50
        if self.winner == NOBODY or self.after_block:
            self.highest_double()
        else:
            self.leader = self.turn = self.winner

    def legal(self) -> list:
        if self.result is None and not self.table and not self.leads:
            doubles = [tile for tile in self.hands[self.turn] if is_double(tile)]
            return [("play", tile, -1, 0, tile[1]) for tile in doubles] or [PASS]
        return super().legal()

    def points(self) -> int:
        return self.count() if self.count() % 5 == 0 else 0

    def lay(self, tile, at, side, out) -> None:
        self.passes = 0
        super().lay(tile, at, side, out)

    def passed(self) -> None:
        self.passes += 1
        if self.passes == 1:
            self.scores[(self.turn + 1) % 2] += 20
        elif self.passes == 3 and self.table:
            self.scores[self.table[-1].seat % 2] += 30
        self.next_turn()

    def settle(self, how: str, seat: int) -> Result:
        self.after_block = how == "blocked"
        winner = self.round_winner(how, seat)
        if winner == NOBODY:
            return Result(how, NOBODY, (0, 0))
        if how == "out" and is_double(self.table[-1].tile):
            return Result(how, winner, self.to(winner % 2, 20))
        return Result(how, winner, self.to(winner % 2, self.held(1 - winner % 2) // 5 * 5))

    def match_over(self) -> bool:
        return max(self.scores) >= self.o["target"] and self.scores[0] != self.scores[1]
