"""Hungarian by the rule sheet (`docs/rules` §C.16)."""

from tests.rules.lines import Line
from tests.rules.sheet import NOBODY, Result, pips


class Hungarian(Line):
    """A turn is a run at one end, the leader's at both; the round ends when no player can play."""

    draws = False
    lowest_wins = True
    running = NOBODY
    """The tile at whose outer end the run goes on."""
    leading = False

    def hand(self) -> int:
        return [12, 8, 6][self.n - 2]

    def open(self) -> None:
        self.running, self.leading = NOBODY, True
        self.any_tile(self.lot if self.leader == NOBODY else (self.leader + 1) % self.n)

    def in_force(self) -> list:
        return self.ends() if self.leading or self.running == NOBODY else [self.ends_at(self.running)]

    def ends_at(self, at: int):
        return next(end for end in self.ends() if end.at == at)

    def led(self) -> None:
        self.go_on()

    def played(self) -> None:
        self.go_on()

    def passed(self) -> None:
        self.over_to_next()

    def go_on(self) -> None:
        self.running = len(self.table) - 1
        if not self.plays():
            self.over_to_next()

    def over_to_next(self) -> None:
        self.running, self.leading = NOBODY, False
        for _ in range(self.n):
            self.turn = (self.turn + 1) % self.n
            if self.hands[self.turn]:
                return

    def gone_out(self) -> int:
        return NOBODY

    def blocked(self) -> bool:
        return not any(self.fits(tile, end) for hand in self.hands for tile in hand for end in self.ends())

    def settle(self, how: str, seat: int) -> Result:
        held = tuple(map(pips, self.hands))
        return Result("blocked", held.index(min(held)) if held.count(min(held)) == 1 else NOBODY, held)
