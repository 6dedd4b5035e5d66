"""Tien Gow by the rule sheet (`docs/rules` §C.6)."""

from itertools import combinations

from tests.rules.sheet import NOBODY, Game, Result

CIVIL = [(6, 6), (1, 1), (4, 4), (1, 3), (5, 5), (3, 3), (2, 2), (5, 6), (4, 6), (1, 6), (1, 5)]
KIN = {(6, 6): 9, (1, 1): 8, (4, 4): 7, (1, 3): 5}


def kind_and_rank(tiles, mixed):
    """Return the name and the numeric rank of tiles laid together; None if they do not belong together."""
    civil = [tile for tile in tiles if tile in CIVIL]
    military = [sum(tile) for tile in tiles if tile not in CIVIL]
    if sorted(tiles) == [(1, 2), (2, 4)]:
        return ("supreme", 0)
    if len(set(civil)) > 1 or len(set(military)) > 1 or len(civil) > 2 or len(military) > 2:
        return None
    if civil and military and not (mixed and KIN.get(civil[0]) == military[0]):
        return None
    rank = -CIVIL.index(civil[0]) if civil else military[0]
    return (len(civil), len(military)), rank


class TienGow(Game):
    """Tricks of one to four tiles; only the last one wins."""

    in_a_row = 1

    def teams(self) -> bool:
        return False

    def hand(self) -> int:
        return 8

    def open(self) -> None:
        self.turn = self.lot if self.winner == NOBODY else self.winner
        self.in_a_row = self.in_a_row + 1 if self.turn == self.leader else 1
        self.leader = self.turn
        self.trick, self.taken = [], [0] * 4

    def classed(self, tiles):
        return kind_and_rank(list(tiles), self.o["tg.mixed"] == "yes")

    def legal(self) -> list:
        if self.result is not None:
            return []
        hand = self.hands[self.turn]
        if not self.trick:
            return [("lead", part) for n in range(1, 5) for part in set(combinations(hand, n)) if self.classed(part)]
        best = [tiles for _, tiles, up in self.trick if up][-1]
        parts = set(combinations(hand, len(best)))
        moves = [("hide", part) for part in parts]
        last_single = len(best) == 1 and not self.hands[self.trick[0][0]]
        if last_single and self.o["tg.early_death"] == "yes" and not self.taken[self.turn]:
            return moves
        (kind, rank) = self.classed(best)
        for part in parts:
            mine = self.classed(part)
            if mine and kind != "supreme" and mine[0] == kind and mine[1] > rank:
                moves.append(("beat", part))
        return moves

    def do(self, move) -> None:
        what, tiles = move[0], tuple(map(tuple, move[1]))
        seat = self.turn
        for tile in tiles:
            self.hands[seat].remove(tile)
        if what == "lead" and sorted(tiles) == [(1, 2), (2, 4)] and self.hands[seat]:
            self.at_once(seat, 2)
        self.trick.append((seat, tiles, what != "hide"))
        self.turn = (seat + 1) % 4
        if len(self.trick) < 4:
            return
        winner, won, _ = [lay for lay in self.trick if lay[2]][-1]
        self.taken[winner] += len(won)
        self.trick, self.turn = [], winner
        if any(self.hands):
            if len(won) == 4:
                self.at_once(winner, 4)
        else:
            self.finish(self.settle_last(winner, won))

    def factor(self, seat, other, *, lost_but_paid=False) -> int:
        if self.leader not in (seat, other):
            return 1
        if self.o["tg.banker"] == "fixed":
            return 2
        return 1 if lost_but_paid else self.in_a_row + 1

    def at_once(self, payee: int, amount: int) -> None:
        if self.o["tg.bonus"] == "on":
            for seat in range(4):
                if seat != payee:
                    paid = amount * self.factor(seat, payee)
                    self.scores[seat] -= paid
                    self.scores[payee] += paid

    def settle_last(self, winner: int, won) -> Result:
        times = 1
        if self.o["tg.bonus"] == "on":
            times = 4 if len(won) == 4 else 2 if sorted(won) in ([(1, 2), (2, 4)], [(1, 2)]) else 1
        points = [0] * 4
        for seat in range(4):
            if seat == winner:
                continue
            due = 4 - self.taken[seat] if self.taken[seat] else 5
            due *= self.factor(seat, winner, lost_but_paid=due < 0 and seat == self.leader)
            due *= times if due > 0 else 1
            points[seat] -= due
            points[winner] += due
        return Result("last_trick", winner, tuple(points))

    def match_over(self) -> bool:
        return self.round >= self.o["tg.rounds"]
