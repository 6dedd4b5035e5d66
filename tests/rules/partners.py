"""Partners by the rule sheet (`docs/rules` §C.1), and rules that related games share with it."""

from tests.rules.lines import Line
from tests.rules.sheet import NOBODY, Result, is_double, pips


class Pairs(Line):
    """A line without drawing; it remembers the ends before the last tile, and the passes since."""

    draws = False

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.passes_in_match = 0

    def teams(self) -> bool:
        return True

    def fresh_round(self) -> None:
        self.ends_before, self.passes_since = [], 0

    def open(self) -> None:
        self.fresh_round()
        self.first_lead() if self.leader == NOBODY else self.later_lead()

    def first_lead(self) -> None:
        self.highest_double()

    def later_lead(self) -> None:
        raise NotImplementedError

    def lay(self, tile, at, side, out) -> None:
        if at >= 0:
            on = self.shown_at(at, side)
            self.ends_before = [on, *[end.number for end in self.ends() if (end.at, end.side) != (at, side)]]
        self.passes_since = 0
        super().lay(tile, at, side, out)

    def shown_at(self, at: int, side: int) -> int:
        return next(end.number for end in self.ends() if (end.at, end.side) == (at, side))

    def passed(self) -> None:
        self.passes_since += 1
        self.passes_in_match += 1
        super().passed()

    # The last tile, `ends_before` being the number it was laid on and the other one

    def at_both_ends(self) -> bool:
        """Return True for a single tile whose halves are the numbers of two different ends."""
        return sorted(self.table[-1].tile) == sorted(self.ends_before) and not is_double(self.table[-1].tile)

    # Blocks

    def won_by(self, block: str) -> tuple:
        """Return the seat that wins a block, or NOBODY, and True at a tie."""
        weights = [pips(hand) for hand in self.hands]
        last = self.table[-1].seat
        if block == "void":
            return NOBODY, False
        if block == "duel":
            other = (last + 1) % self.n
            if weights[last] == weights[other]:
                return NOBODY, True
            return (last if weights[last] < weights[other] else other), False
        sizes = []
        for side in range(self.sides):
            own = [weights[seat] for seat in self.seats_of(side)]
            sizes.append(sum(own) if block == "team" else sorted(own)[0])
        lightest = [side for side in range(self.sides) if sizes[side] == min(sizes)]
        return (self.winning_seat(lightest[0]), False) if len(lightest) == 1 else (NOBODY, True)


class Partners(Pairs):
    """§C.1."""

    def hand(self) -> int:
        return {6: 7, 9: 10}[self.o["set"]]

    def first_lead(self) -> None:
        if self.o["pt.first"] == "lot" and self.o["pt.lead"] != "double":
            self.any_tile(self.lot)
        else:
            self.highest_double()

    def later_lead(self) -> None:
        how = self.o["pt.lead"]
        if how == "double":
            self.highest_double()
        elif how == "winner" and self.winner != NOBODY:
            self.any_tile(self.winner)
        else:
            self.any_tile((self.leader + 1) % 4)

    def passed(self) -> None:
        """Pay the pass bonus, by the score of a side before the pass (§C.1)."""
        seat, maker, lead = self.turn, self.table[-1].seat, self.table[0]
        before = list(self.scores)
        if len(self.table) == 1 and self.passes_since == 0:
            self.bonus(maker, self.o["pt.pass_first"] * (1 if is_double(lead.tile) else 2), before)
        if self.passes_since == 2:
            self.bonus(maker, self.o["pt.pass_all"], before)
        if self.passes_in_match == 0:
            self.bonus(seat + 1, self.o["pt.first_pass"], before)
        super().passed()

    def bonus(self, seat: int, points: int, before: list) -> None:
        stop = self.o["pt.pass_stop"]
        if stop == 0 or before[seat % 2] < self.o["target"] - stop:
            self.scores[seat % 2] += points

    def settle(self, how: str, seat: int) -> Result:
        if how == "blocked":
            seat, tie = self.won_by(self.o["pt.block"])
            if tie:
                last = self.table[-1].seat
                seat = {"none": NOBODY, "leader": self.leader, "blocker": last, "others": (last + 1) % 4}[
                    self.o["pt.tie"]
                ]
        if seat == NOBODY:
            return Result(how, NOBODY, (0, 0))
        side = seat % 2
        points = self.held(1 - side) + (self.held(side) if self.o["pt.count"] == "all" else 0)
        if self.o["pt.pay"] == "tens":
            points = 0 if points < 3 else max(2, (points + 9) // 10)
        if how == "out":
            points += self.last_tile_bonus(points)
        if self.o["pt.hand_bonus"] == "yes" and self.round in (1, 2, 3, 4):
            points += {1: 100, 2: 75, 3: 50, 4: 25}[self.round]
        return Result(how, seat, self.to(side, points))

    def last_tile_bonus(self, points: int) -> int:
        tile, (on, other) = self.table[-1].tile, self.ends_before
        equal = on == other and not is_double(tile) and self.o["pt.capicua_ends"] == "any"
        if (on != other and self.at_both_ends()) or equal:
            capicua = self.o["pt.capicua"]
            return points if capicua == "double" else capicua
        if tile == (0, 0) and [on, other].count(0) == 1:
            return self.o["pt.chuchazo"]
        return 0

    def decide(self) -> None:
        """Let the higher score win; at a tie, the side that won the hand (§C.1)."""
        super().decide()
        if len(self.winners) > 1 and self.winner != NOBODY:
            self.winners = (self.winner % 2,)
