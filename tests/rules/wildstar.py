"""Wildstar by the rule sheet (`docs/rules` §2.8)."""

from tests.rules.centred import Centred
from tests.rules.sheet import NOBODY, PASS, End, Result

STAR = (-1, -1)
ANYTHING = -1
ARMS = 5


class Wildstar(Centred):
    """Five arms, five wild stars."""

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.lowest_wins = options["ws.score"] == "penalty"

    def teams(self) -> bool:
        return self.o["ws.teams"] == "on"

    def hand(self) -> int:
        return 20 if self.n == 2 else 10 if self.n <= 5 else 7

    def most(self) -> int:
        return 1 if self.o["ws.draw"] == "one" else 10**9

    def centre(self) -> tuple:
        return (10 - self.round, 10 - self.round)

    def open(self) -> None:
        self.held_or_searched(self.lot if self.winner == NOBODY else self.winner)

    def led(self) -> None:
        """End the holder's turn with the centre, or let the shuffler make the first play on the star (C2)."""
        self.next_turn()
        if self.o["ws.opener"] == "previous_winner":
            self.turn = self.leader

    def fits(self, tile, end) -> list:
        if tile == STAR:
            if end.at == 0:
                return []
            return {"declared": list(range(10)), "open": [ANYTHING], "same": [end.number]}[self.o["ws.wild_end"]]
        if end.number == ANYTHING:
            return sorted(set(tile))
        return super().fits(tile, end)

    def ends(self) -> list:
        arms = [End(0, arm, self.table[0].out) for arm in range(ARMS) if self.free(0, arm)]
        return arms + [End(at, 1, laid.out) for at, laid in enumerate(self.table) if at and self.free(at, 1)]

    def in_force(self) -> list:
        """Return the ends in force: the first five plays go on the centre."""
        return [end for end in self.ends() if end.at == 0] or self.ends()

    def instead(self, plays) -> list:
        """Return the alternatives to a play: a drawn tile that fits may be kept (C4)."""
        return [PASS] if self.stuck and self.o["ws.drawn"] == "may" else []

    def worth(self, tile) -> int:
        return 20 if tile == STAR else 30 if tile == (0, 0) else sum(tile)

    def settle(self, how: str, seat: int) -> Result:
        counts = self.counts()
        winner = seat if how == "out" else self.lightest()
        totals = [sum(counts[s] for s in range(self.n) if s % self.sides == side) for side in range(self.sides)]
        if self.o["ws.score"] == "penalty":
            spared = winner % self.sides if how == "out" else NOBODY
            return Result(how, winner, tuple(0 if side == spared else totals[side] for side in range(self.sides)))
        side = winner % self.sides if how == "out" else totals.index(min(totals))
        if how == "blocked" and totals.count(min(totals)) > 1:
            return Result(how, winner, (0,) * self.sides)
        return Result(how, winner, tuple(sum(totals) - totals[side] if s == side else 0 for s in range(self.sides)))

    def match_over(self) -> bool:
        return self.round == self.o["ws.rounds"]
