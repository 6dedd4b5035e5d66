"""Spinner by the rule sheet (`docs/rules` §C.14)."""

from tests.rules.chickenfoot import Chickenfoot
from tests.rules.sheet import is_double

STAR = (-1, -1)


class Spinner(Chickenfoot):
    """Chickenfoot with eleven tiles of wild halves, and a wildstar that may be the centre."""

    def hand(self) -> int:
        return 14 if self.n == 2 else 7

    def most(self) -> int:
        return 1

    def aside(self):
        return None

    def centre(self) -> tuple:
        return (10 - self.round, 10 - self.round)

    def open(self) -> None:
        """Let the holder of the centre lead, else of the wildstar; else draw for both."""
        self.leader = self.lot if self.winner == -1 else self.winner
        for tile in (self.centre(), STAR):
            for seat in range(self.n):
                if tile in self.hands[seat]:
                    self.turn, self.wanted = seat, tile
                    return
        self.turn, self.wanted = self.leader, self.centre()

    def found(self):
        return next((tile for tile in (self.centre(), STAR) if tile in self.hands[self.turn]), None)

    def legal(self) -> list:
        if self.result is None and not self.table and self.found():
            return [("play", self.found(), -1, 0, self.centre()[0])]
        return super().legal()

    def search(self) -> None:
        self.hands[self.turn] = sorted([*self.hands[self.turn], self.yard.pop(0)])
        if self.found():
            self.lay(self.found(), -1, 0, self.centre()[0])
        else:
            self.next_turn()

    def toes(self, at: int) -> tuple:
        return tuple(range(self.o["sp.centre"])) if at == 0 else super().toes(at)

    def is_foot(self, at: int) -> bool:
        return at == 0 or is_double(self.table[at].tile)

    def finished_short(self, at: int) -> bool:
        """Return True if no tile is left for the end at `at` but its double: none with its number, none wild."""
        number = self.table[at].out
        left = [(low, high) for low in range(10) for high in range(low + 1, 10) if number in (low, high)]
        left += [STAR, *((-1, wild) for wild in range(10))]
        return set(left) <= {laid.tile for laid in self.table}

    def ends(self) -> list:
        return [
            end._replace(number=self.table[end.at].out)
            for end in super().ends()
            if not (self.is_foot(end.at) and self.finished_short(end.at))
        ]

    def in_force(self) -> list:
        return [end for end in self.ends() if self.is_foot(end.at)] or self.ends()

    def allowed(self, tile, end) -> bool:
        return not (self.is_foot(end.at) and is_double(tile))

    def fits(self, tile, end) -> list:
        if tile[0] >= 0:
            return super().fits(tile, end)
        return list(range(10)) if tile[1] in (-1, end.number) else [tile[1]]

    def blocked(self) -> bool:
        return not self.yard and not any(
            self.fits(tile, end) and self.allowed(tile, end)
            for hand in self.hands
            for tile in hand
            for end in self.in_force()
        )

    def worth(self, tile) -> int:
        return sum(10 if half < 0 else half for half in tile)

    def match_over(self) -> bool:
        return self.round == self.o["sp.rounds"]
