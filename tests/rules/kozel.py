"""Goat and Sea Goat by the rule sheet (`docs/rules` §4.3)."""

from tests.rules.lines import Line
from tests.rules.sheet import NOBODY, PASS, Result, is_double, pips


class Kozel(Line):
    """Penalties that may hang, eggs, and one loser."""

    lowest_wins = True

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.eggs, self.before_eggs, self.waiting = 0, NOBODY, [0] * self.sides
        self.sea = options["koz.kind"] == "sea"
        self.second = False

    def teams(self) -> bool:
        return self.n == 4 and self.o["partners"] == "yes"

    def hand(self) -> int:
        return 7

    def open(self) -> None:
        self.second = False
        numbers = [[sum(number in tile for tile in hand) for number in range(7)] for hand in self.hands]
        if self.o["koz.redeal"] == "yes" and any(sum(map(is_double, hand)) >= 5 for hand in self.hands):
            self.again = "doubles"
        elif self.o["koz.redeal"] == "yes" and max(map(max, numbers)) >= 6:
            self.again = "alike"
        elif self.winner != NOBODY or self.before_eggs != NOBODY:
            self.any_tile(self.before_eggs if self.winner == NOBODY else self.winner)
        else:
            held = [tile for hand in self.hands for tile in hand if is_double(tile)]
            if held:
                self.this_tile(min(held, key=lambda tile: tile[0] or 7))
            else:
                self.heaviest_tile()

    # Two doubles in a turn

    def plays(self) -> list:
        return [play for play in super().plays() if not self.second or self.may_follow(play)]

    def may_follow(self, play) -> bool:
        return is_double(play[1]) and play[2] != len(self.table) - 1

    def legal(self) -> list:
        return super().legal() + [PASS] * (self.second and self.result is None)

    def lay(self, tile, at, side, out) -> None:
        seat, first = self.turn, at >= 0 and is_double(tile) and not self.second
        super().lay(tile, at, side, out)
        if self.o["koz.two_doubles"] == "yes" and first:
            following, self.turn, self.second = self.turn, seat, True
            if not self.plays():
                self.turn, self.second = following, False
        else:
            self.second = False

    def passed(self) -> None:
        self.second = False
        super().passed()

    # Writing

    def settle(self, how: str, seat: int) -> Result:
        held = [self.held(side) for side in range(self.sides)]
        won = [seat % self.sides] if how == "out" else [s for s in range(self.sides) if held[s] == min(held)]
        nothing = [0] * self.sides
        if self.sides == len(won) == 2 and self.o["koz.eggs"] == "yes":
            self.eggs += sum(held)
            if self.winner != NOBODY:
                self.before_eggs = self.winner
            return Result("eggs", NOBODY, tuple(nothing))
        for side in range(self.sides):
            if side not in won:
                nothing[side] = self.write(side, self.penalty(side) + self.eggs + self.waiting[side])
        self.eggs = 0
        if how == "out":
            return Result("out", seat, tuple(nothing))
        if len(won) == 1:
            return Result("fish", self.winning_seat(won[0]), tuple(nothing))
        seats = [s for s in range(self.n) if s % self.sides in won]
        last = self.last_laid_by(seats)
        return Result("fish", self.met_first(seats, self.leader) if last == NOBODY else last, tuple(nothing))

    def penalty(self, side: int) -> int:
        hands = [self.hands[seat] for seat in self.seats_of(side)]
        return sum(self.o["koz.zero"] if hand == [(0, 0)] else pips(hand) for hand in hands)

    def write(self, side: int, total: int) -> int:
        """Return the written part of a sum: 0 for a small one, which then waits unless it is lost."""
        entry, least = self.o["koz.entry"], 25 if self.sea else 13
        if total >= least or (entry != "always" and self.scores[side] > 0):
            self.waiting[side] = 0
            return total
        self.waiting[side] = 0 if entry == "lost" else total
        return 0

    def match_over(self) -> bool:
        return max(self.scores) >= (125 if self.sea else 101)
