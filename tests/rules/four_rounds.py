"""Four Rounds by the rule sheet (`docs/rules` §2.10)."""

from tests.rules.sheet import NOBODY, Game, Result, is_double, pips


class FourRounds(Game):
    """Two players, an open start tile, at most three draws, and two tiles that are never drawn."""

    lowest_wins = True

    def hand(self) -> int:
        return 7

    def aside(self):
        return next(tile for tile in self.yard if not is_double(tile))

    def open(self) -> None:
        """Let White, seat 0, start rounds 1 and 3."""
        self.turn = self.leader = (self.round + 1) % 2

    def reserve(self) -> int:
        return 2

    def most(self) -> int:
        return 10**9 if self.o["bn.max_draw"] == "∞" else self.o["bn.max_draw"]

    def blocked(self) -> bool:
        """Return True if the boneyard has two tiles and the player on move cannot play, whatever the other holds."""
        return len(self.yard) == 2 and not self.plays()

    def settle(self, how: str, seat: int) -> Result:
        penalties = [pips(hand) for hand in self.hands]
        if how == "out" and self.o["bn.bonus"] == "winner_minus_5":
            penalties[seat] -= 5
        elif how == "out":
            penalties[1 - seat] += 5
        return Result("out" if how == "out" else "stuck", seat if how == "out" else NOBODY, tuple(penalties))

    def match_over(self) -> bool:
        return self.round == 4

    def decide(self) -> None:
        super().decide()
        if len(self.winners) > 1:
            self.winners = ()
