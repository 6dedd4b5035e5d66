"""Chickenfoot by the rule sheet (`docs/rules` §2.5)."""

from tests.rules.centred import Centred
from tests.rules.sheet import NOBODY, End, is_double

TOES = (1, 4, 5)


class Chickenfoot(Centred):
    """Four plays on the centre first, and three on every double."""

    def hand(self) -> int:
        return 5 if self.o["set"] == 6 else (21, 14, 11, 8, 7, 6, 5)[self.n - 2]

    def most(self) -> int:
        return 1 if self.o["cf.draw"] == "one" else 10**9

    def aside(self):
        return self.centre() if self.o["cf.center"] == "aside" else None

    def open(self) -> None:
        """Let the winner of the last round lead; with the centre aside the lead moves on by one seat."""
        if self.o["cf.center"] == "aside":
            self.turn = self.leader = self.lot if self.leader == NOBODY else (self.leader + 1) % self.n
        else:
            self.held_or_searched(self.lot if self.winner == NOBODY else self.winner)

    def toes(self, at: int) -> tuple:
        """Return the sides of a placed tile where another tile may go."""
        if at == 0:
            return tuple(range(self.o["cf.arms"]))
        return TOES if is_double(self.table[at].tile) else (1,)

    def finished_short(self, at: int) -> bool:
        """Return True if every tile with a double's number is on the table, so that its foot can get no more toes."""
        number = self.table[at].out
        bearing = sum(number in laid.tile for laid in self.table)
        return self.o["cf.short_foot"] == "finish" and bearing == self.o["set"] + 1

    def ends(self) -> list:
        return [
            End(at, side, laid.out)
            for at, laid in enumerate(self.table)
            if not (is_double(laid.tile) and self.finished_short(at))
            for side in self.toes(at)
            if self.free(at, side)
        ]

    def in_force(self) -> list:
        """Return the ends in force: an unfinished foot, the centre too, needs its toes before anything else."""
        return [end for end in self.ends() if is_double(self.table[end.at].tile)] or self.ends()

    def blocked(self) -> bool:
        if self.o["cf.yard_empty"] == "end_round" and not self.yard and not self.drawn and not self.plays():
            return True
        return super().blocked()

    def match_over(self) -> bool:
        return self.round == self.o["set"] + 1

    def decide(self) -> None:
        super().decide()
        self.zeros_decide()
