"""All Fives and related games by the rule sheet (`docs/rules` §2.3, §4.6, §4.7, §4.9, §4.12)."""

from tests.rules.lines import Branching
from tests.rules.sheet import NOBODY, Result, is_double, pips, round3, round5


class Counting(Branching):
    """A line that scores during play."""

    def hand(self) -> int:
        return int(str(self.o[self.hand_option]).split("/")[self.n - 2])

    def count(self) -> int:
        """Return the sum of all open ends."""
        total = 0
        for at in {end.at for end in self.ends()}:
            tile = self.table[at].tile
            if not is_double(tile):
                total += sum(end.number for end in self.ends() if end.at == at)
            elif at not in self.spinners():
                total += sum(tile)
            elif self.spinner == "sniff":
                covered = self.sides_covered(at) + (not self.free(at, 2)) + (not self.free(at, 3))
                total += sum(tile) if covered <= 2 else tile[0]
            elif self.sides_covered(at) < 2:
                total += sum(tile)
        return total

    def points(self) -> int:
        """Return the points of the play just made."""
        raise NotImplementedError

    # Scoring in play

    def fresh_turn(self) -> None:
        super().fresh_turn()
        self.claim = None

    def led(self) -> None:
        self.played()

    def played(self) -> None:
        maker, points = self.turn, self.points()
        if points and self.o.get("af.claim") == "manual":
            others = [(maker + step) % self.n for step in range(1, self.n)]
            asked = [seat for seat in others if seat % self.sides != maker % self.sides]
            self.claim = (points, maker, [maker, *asked])
        else:
            self.score(maker, points)
            self.next_turn()

    def legal(self) -> list:
        return [("claim",), ("silent",)] if self.claim and self.result is None else super().legal()

    def answer(self, move) -> None:
        """Let the maker claim (§2.3), then each opponent in turn; unclaimed points are lost."""
        points, maker, asked = self.claim
        if move == ("silent",) and len(asked) > 1:
            self.turn = asked[1]
            self.claim = (points, maker, asked[1:])
            return
        claimer = asked[0]
        self.turn = maker
        self.next_turn()
        if move == ("claim",):
            self.score(claimer, points)

    def look(self) -> None:
        if not self.claim:
            super().look()

    def score(self, seat: int, points: int) -> None:
        if not points or not self.counts(seat % self.sides, points):
            return
        self.scores[seat % self.sides] += points
        if self.at_once() and max(self.scores) >= self.o["target"]:
            self.result = Result("target", seat, (0,) * self.sides)
            self.decide()

    def counts(self, side: int, points: int) -> bool:
        return True

    def at_once(self) -> bool:
        return False

    # The end of a round

    def lightest_side(self) -> int:
        held = [self.held(side) for side in range(self.sides)]
        return held.index(min(held)) if held.count(min(held)) == 1 else NOBODY

    def round_winner(self, how: str, seat: int) -> int:
        if how == "out":
            return seat
        side = self.lightest_side()
        return NOBODY if side == NOBODY else self.winning_seat(side)

    def rounded(self, number: int) -> int:
        return round3(number) if self.o.get("af.by") == 3 else round5(number)

    def rounded_losses(self, unit: int) -> tuple:
        """Return the loss of each side: the pips of its hands, each rounded."""
        return tuple(
            -sum(self.rounded(pips(self.hands[seat])) // unit for seat in self.seats_of(side))
            for side in range(self.sides)
        )


class AllFives(Counting):
    """§2.3."""

    hand_option = "af.hand"

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.spinner = options["af.spinner"]

    def open(self) -> None:
        tied = self.winner == NOBODY and self.leader != NOBODY
        if tied and self.o["af.after_tie"] == "lot":
            self.any_tile(self.lot)
        else:
            super().open()

    def points(self) -> int:
        return self.count() if self.count() % self.o["af.by"] == 0 else 0

    def at_once(self) -> bool:
        return self.o["af.stop"] == "at_once"

    def settle(self, how: str, seat: int) -> Result:
        winner = self.round_winner(how, seat)
        if self.o["af.bonus"] == "own":
            return Result(how, winner, self.rounded_losses(1))
        if winner == NOBODY:
            return Result(how, NOBODY, (0,) * self.sides)
        others = [pips(self.hands[s]) for s in range(self.n) if s % self.sides != winner % self.sides]
        own = [pips(self.hands[s]) for s in self.seats_of(winner % self.sides)] if how == "blocked" else []
        if self.o["af.round"] == "each_hand":
            bonus = sum(map(self.rounded, others)) - sum(map(self.rounded, own))
        else:
            bonus = self.rounded(sum(others) - sum(own))
        return Result(how, winner, self.to(winner % self.sides, max(0, bonus)))


class FiveUp(Counting):
    """§4.9."""

    spinner = "all"

    def hand(self) -> int:
        return 5

    def open(self) -> None:
        """Choose the leader by lot, then the winner of the last round; after a drawn round by lot again."""
        if self.o["opener"] == "winner" and self.winner == NOBODY:
            self.any_tile(self.lot)
        else:
            super().open()

    def points(self) -> int:
        return self.count() // 5 if self.count() % 5 == 0 else 0

    def settle(self, how: str, seat: int) -> Result:
        return Result(how, self.round_winner(how, seat), self.rounded_losses(5))


class FivesAndThrees(Counting):
    """§4.6: no drawing, no spinner, exactly 61; partners play on until both are out."""

    draws = False
    hand_option = "f3.hand"

    def points(self) -> int:
        return sum(self.count() // number for number in (3, 5) if self.count() % number == 0)

    def counts(self, side: int, points: int) -> bool:
        return self.scores[side] + points <= self.o["target"]

    def at_once(self) -> bool:
        return True

    def after(self, seat: int) -> int:
        """Skip players with an empty hand."""
        seats = [(seat + step) % self.n for step in range(1, self.n + 1)]
        return next((other for other in seats if self.hands[other]), seats[0])

    def gone_out(self) -> int:
        """Return the seat that laid its side's last tile; a side is out when all its hands are empty."""
        for side in range(self.sides):
            if not any(self.hands[seat] for seat in self.seats_of(side)):
                return self.table[-1].seat
        return NOBODY

    def settle(self, how: str, seat: int) -> Result:
        winner = self.round_winner(how, seat)
        gone_out = how == "out" and self.counts(winner % self.sides, 1)
        return Result(how, winner, self.to(winner % self.sides, 1) if gone_out else (0,) * self.sides)

    def match_over(self) -> bool:
        return max(self.scores) == self.o["target"]


class Telefon(Counting):
    """§4.7: the first enclosed double branches, the lead is silent, and a wall keeps points back."""

    LIST = ((2, 3), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (0, 0))
    enclosed = NOBODY

    def hand(self) -> int:
        return 7

    def wall(self) -> int:
        return 10**9 if self.o["tel.wall"] == "none" else self.o["tel.wall"]

    def open(self) -> None:
        self.enclosed = NOBODY
        held = [tile for tile in self.LIST if any(tile in hand for hand in self.hands)]
        if self.winner != NOBODY:
            self.any_tile(self.winner)
        elif held:
            self.this_tile(held[0])
        else:
            self.this_tile(min((tile for hand in self.hands for tile in hand), key=lambda tile: (sum(tile), tile[1])))

    def spinners(self) -> list:
        return [] if self.enclosed == NOBODY else [self.enclosed]

    def lay(self, tile, at, side, out) -> None:
        """Lay a tile; the play that covers the second side of the first double makes it the spinner."""
        if self.enclosed == NOBODY and at >= 0 and is_double(self.table[at].tile):
            self.enclosed = at if self.sides_covered(at) == 1 else NOBODY
        super().lay(tile, at, side, out)

    def points(self) -> int:
        fives = self.count() if self.count() % 5 == 0 else 0
        if len(self.table) > 1:
            return fives
        below = self.scores[self.turn % self.sides] < self.wall()
        return fives if self.table[0].tile == (5, 5) and self.round > 1 and below else 0

    def settle(self, how: str, seat: int) -> Result:
        winner = self.round_winner(how, seat)
        if winner == NOBODY:
            return Result(how, NOBODY, (0,) * self.sides)
        side = winner % self.sides
        bonus = sum(self.held(other) for other in range(self.sides) if other != side)
        if self.o["tel.round"] == "up":
            while bonus % 5:
                bonus += 1
        else:
            bonus = round5(bonus)
        return Result(how, winner, self.to(side, max(0, min(bonus, self.wall() - self.scores[side]))))
