"""Jie Long with related games, and Tiddly-Wink, by the rule sheet: lines with one open end (`docs/rules` §C.5,
§C.15).
"""

from tests.rules.lines import Line
from tests.rules.sheet import NOBODY, PASS, End, Result, is_double, pips


class OneEnd(Line):
    """The leader chooses the open half; then the line goes on at its last tile alone."""

    one_end = True

    def legal(self) -> list:
        if self.table or self.result is not None or not self.one_end:
            return list(dict.fromkeys(super().legal()))
        return [("play", tile, -1, 0, out) for tile in dict.fromkeys(self.leads) for out in dict.fromkeys(tile)]

    def ends(self) -> list:
        if not self.one_end:
            return super().ends()
        last = self.table[-1]
        at_its_low_half = last.on == -1 and last.out == last.tile[0] and not is_double(last.tile)
        return [End(len(self.table) - 1, 0 if at_its_low_half else 1, last.out)]


class JieLong(OneEnd):
    """§C.5."""

    draws = False

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.game, self.pay = options["jl.game"], options["jl.pay"]
        self.one_end = self.game != "ding-niu"
        self.lowest_wins = self.pay == "own"

    def hand(self) -> int:
        return 6 if self.game == "ding-niu" else {2: 16, 3: 10, 4: 8}[self.n]

    def open(self) -> None:
        self.down = [[] for _ in range(self.n)]
        if self.game == "ce-deng" and max(sum(map(is_double, hand)) for hand in self.hands) >= 7:
            self.again = "doubles"
        else:
            self.any_tile(self.lot if self.winner == NOBODY else self.winner)

    def legal(self) -> list:
        legal = super().legal()
        return [("shed", tile) for tile in dict.fromkeys(self.hands[self.turn])] if legal == [PASS] else legal

    def answer(self, move) -> None:
        self.hands[self.turn].remove(move[1])
        self.down[self.turn].append(move[1])
        self.next_turn()

    def gone_out(self) -> int:
        return NOBODY

    def blocked(self) -> bool:
        return not any(self.hands) or super().blocked()

    def settle(self, how: str, seat: int) -> Result:
        all_laid = not any(self.hands)
        count = [pips(self.hands[seat]) + pips(self.down[seat]) for seat in range(self.n)]
        order = [(self.leader + step) % self.n for step in range(self.n)]
        winner = min(order, key=lambda seat: count[seat])
        score = count[:] if self.pay == "own" else [0] * self.n
        payments = []
        if self.pay == "difference":
            payments = [(a, b, count[a] - count[b]) for a in order for b in order if count[a] > count[b]]
        elif self.pay == "chip":
            payments = [(seat, winner, 1) for seat in order if seat != winner]
        elif self.pay == "places":
            # Sorting keeps the order of equals: the later seats first.
            losers = sorted([seat for seat in reversed(order) if seat != winner], key=lambda seat: count[seat])
            payments = [(seat, winner, place) for place, seat in enumerate(losers, 1)]
        for payer, payee, amount in payments:
            if self.game == "ce-deng":
                amount *= 2 if self.unplayed(payee) == 0 else 1  # noqa: PLW2901
                amount *= 2 if self.unplayed(payer) == (7 if payer == self.leader else 8) else 1  # noqa: PLW2901
            score[payer] -= amount
            score[payee] += amount
        return Result("all_laid" if all_laid else "blocked", winner, tuple(score))

    def unplayed(self, seat: int) -> int:
        return len(self.hands[seat]) + len(self.down[seat])

    def match_over(self) -> bool:
        return max(self.scores) >= 100 if self.pay == "own" else self.round >= self.o["jl.rounds"]


class TiddlyWink(OneEnd):
    """§C.15."""

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.draws = options["tw.draw"] == "until"
        self.goes_on = False

    def hand(self) -> int:
        return 28 // self.n if self.o["tw.deal"] == "all" else 3

    def open(self) -> None:
        self.goes_on = False
        self.highest_double()

    def led(self) -> None:
        self.after_a_tile(double_replays=self.o["tw.lead_again"] == "yes")

    def played(self) -> None:
        self.after_a_tile(double_replays=True)

    def after_a_tile(self, double_replays: bool) -> None:
        """Let the player of a double play again if `double_replays`, another tile fits and they are not out."""
        self.goes_on = (
            double_replays and is_double(self.table[-1].tile) and bool(self.hands[self.turn]) and bool(self.plays())
        )
        if not self.goes_on:
            self.next_turn()

    def instead(self, plays) -> list:
        return [PASS] * self.goes_on

    def passed(self) -> None:
        self.goes_on = False
        self.next_turn()

    def settle(self, how: str, seat: int) -> Result:
        held = [pips(hand) for hand in self.hands]
        if how == "out":
            return Result("out", seat, self.to(seat, sum(held)))
        least = [other for other in range(self.n) if held[other] == min(held)]
        if len(least) > 1:
            return Result("blocked", NOBODY, (0,) * self.n)
        return Result("blocked", least[0], self.to(least[0], max(0, sum(held) - 2 * min(held))))
