"""Blind Hughie by the rule sheet (`docs/rules` §C.17)."""

from tests.rules.lines import Line
from tests.rules.sheet import NOBODY, Laid, Result, pips


class BlindHughie(Line):
    """Rows in the order dealt: turn over the first tile, go on while it fits, else it goes to the end."""

    draws = False

    def hand(self) -> int:
        return 28 // self.n

    def deal(self, order, lot: int) -> None:
        self.round += 1
        self.lot, self.result, self.yard, self.table = lot, None, [], []
        tiles = [tuple(tile) for tile in order]
        size = self.hand()
        self.hands = [tiles[seat * size : (seat + 1) * size] for seat in range(self.n)]
        for tile in tiles[self.n * size :]:
            self.table.append(Laid(tile, -1, 0, tile[1], NOBODY))
        self.turn = self.leader = lot if self.leader == NOBODY else (self.leader + 1) % self.n
        self.look()

    def legal(self) -> list:
        if self.result is not None:
            return []
        first = self.hands[self.turn][0]
        if not self.table:
            return [("play", first, -1, 0, first[1])]
        by_number = {}
        for end in sorted(self.ends(), key=lambda end: (end.at, end.side)):
            for out in self.fits(first, end):
                by_number.setdefault(end.number, ("play", first, end.at, end.side, out))
        return list(by_number.values()) or [("tuck", first)]

    def led(self) -> None:
        """Give the same player the next turn."""

    def played(self) -> None:
        """Give the same player the next turn."""

    def answer(self, move) -> None:
        row = self.hands[self.turn]
        row.append(row.pop(0))
        self.turn = (self.turn + 1) % self.n

    def settle(self, how: str, seat: int) -> Result:
        held = [pips(row) for row in self.hands]
        if how == "blocked":
            lightest = [other for other in range(self.n) if held[other] == min(held)]
            if len(lightest) > 1:
                return Result(how, NOBODY, (0,) * self.n)
            seat = lightest[0]
        own = 2 * held[seat]
        return Result(how, seat, tuple(max(0, sum(held) - own) if number == seat else 0 for number in range(self.n)))

    def match_over(self) -> bool:
        return max(self.scores) >= self.o["target"]
