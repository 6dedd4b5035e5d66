"""Rules shared by Chickenfoot, Mexican Train and Wildstar (`docs/rules` §2.4, §2.5, §2.8)."""

from tests.rules.sheet import Game, Result


class Centred(Game):
    """A centre that is held or searched for, and a count of penalty points for each player."""

    lowest_wins = True

    def centre(self) -> tuple:
        number = self.o["set"] - (self.round - 1)
        return (number, number)

    def held_or_searched(self, leader: int) -> None:
        """Let the holder lay the centre; else the leader and then each seat in turn draws for it."""
        self.leader, self.wanted = leader, self.centre()
        self.turn = next((seat for seat in range(self.n) if self.wanted in self.hands[seat]), leader)

    def worth(self, tile) -> int:
        if tile == (0, 0):
            return self.o["zero_zero"]
        return sum(tile) + (self.o.get("cf.blank_half", 0) if 0 in tile else 0)

    def counts(self) -> list:
        return [sum(map(self.worth, hand)) for hand in self.hands]

    def lightest(self) -> int:
        """Return the seat with the lowest count; at a tie the first clockwise after the round's leader."""
        counts = self.counts()
        return self.met_first([s for s in range(self.n) if counts[s] == min(counts)], self.leader + 1)

    def settle(self, how: str, seat: int) -> Result:
        return Result(how, seat if how == "out" else self.lightest(), tuple(self.counts()))
