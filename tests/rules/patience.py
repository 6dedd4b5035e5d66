"""Patience by the rule sheet (`docs/rules` §C.8): separate from the engine, with lists that are changed in place."""

from tests.rules.sheet import DRAW, NOBODY, Result

GIVE_UP = ("give_up",)


class Patience:
    """A deal of one of the four games, for the only player."""

    def __init__(self, _players: int, options: dict) -> None:
        self.kind, self.refill, self.sifted = options["pa.game"], options["pa.refill"], options["pa.deals"]
        self.scores, self.round, self.turn = [0], 0, 0
        self.result, self.over, self.winners = None, False, ()
        self.hands, self.yard, self.columns, self.aside, self.row = [[]], [], [], [], []

    def deal(self, order, _lot) -> None:
        self.round += 1
        order = list(order)
        if self.sifted == "solvable":
            order = next((turned for turned in self.turns(order) if self.solvable(turned)), order)
        self.lay_out(order)
        self.end()

    def turns(self, order):
        """Yield the order itself, and those to which its halves shuffle the set as a seed."""
        from core.fair import deal_order  # noqa: PLC0415

        yield order
        for number in range(1, 40):
            seed = b"".join(bytes(tile) for tile in order)
            yield list(deal_order(tuple(sorted(order)), 1, seed, number)[0])

    def solvable(self, order) -> bool:
        """Return True if the engine's search solves a deal: only the use of its result is a rule."""
        from msgspec.structs import replace  # noqa: PLC0415

        from core.games.patience import KINDS, REFILLS  # noqa: PLC0415
        from core.patience.rules import find_solution  # noqa: PLC0415

        rules = KINDS[self.kind]
        rules = replace(rules, count_refill=REFILLS[self.refill]) if self.kind == "draw-five" else rules
        return find_solution(rules, rules.lay_out(tuple(order))) is not None

    def lay_out(self, order) -> None:
        match self.kind:
            case "luzon":
                self.columns = [[order[5 * row + column] for row in range(5)] for column in range(5)]
                self.aside = order[25:]
            case "draw-five":
                self.hands, self.row = [sorted(order[1:6])], [order[0]]
                self.ends = [order[0][1], order[0][0]]
                self.yard = order[6:]
            case "castle-rock":
                self.row, self.yard = order[:3], order[3:]
            case _:
                self.row, self.yard = order[:12], order[12:]

    def legal(self) -> list:
        if self.result:
            return []
        return [*getattr(self, self.kind.replace("-", "_"))(), GIVE_UP]

    def luzon(self) -> list:
        bottoms = [column[-1] for column in self.columns if column]
        free = [(tile, False) for tile in bottoms] + [(tile, True) for tile in self.aside]
        moves = []
        for first, (first_tile, far) in enumerate(free):
            for other, too_far in free[first + 1 :]:
                if sum(first_tile) + sum(other) == 12 and not (far and too_far):
                    moves.append(("take", (first_tile, other)))
        if [] in self.columns:
            moves += [("fill", column[-1]) for column in self.columns if len(column) >= 2]
        return moves

    def draw_five(self) -> list:
        moves = []
        for tile in self.hands[0]:
            for side in (0, 1) if self.ends[0] != self.ends[1] else (0,):
                if self.ends[side] in tile:
                    out = sum(tile) - self.ends[side]
                    moves.append(("play", tile, 0, side, out))
        return moves

    def castle_rock(self) -> list:
        moves = []
        for place in range(1, len(self.row) - 1):
            left, tile, right = self.row[place - 1 : place + 2]
            for number in range(7):
                if number in left and number in right:
                    moves.append(("take", (tile,)))
                    if number in tile:
                        moves.append(("take", (left, tile, right)))
        return moves or ([DRAW] if self.yard else [])

    def good_neighbors(self) -> list:
        moves = []
        for first in range(len(self.row)):
            for other in range(first + 1, len(self.row)):
                rows, columns = abs(first // 4 - other // 4), abs(first % 4 - other % 4)
                pair = (self.row[first], self.row[other])
                if max(rows, columns) == 1 and any(number in pair[1] for number in pair[0]):
                    moves.append(("take", pair))
        return moves

    def do(self, move) -> None:
        if move == GIVE_UP:
            self.settle("given_up")
            return
        if move == DRAW:
            self.row.append(self.yard.pop(0))
        elif move[0] == "take":
            for pile in (*self.columns, self.aside, self.row):
                pile[:] = [tile for tile in pile if tile not in move[1]]
        elif move[0] == "fill":
            column = next(column for column in self.columns if column[-1:] == [move[1]])
            self.columns[self.columns.index([])].append(column.pop())
        else:
            self.lay(move)
        while self.kind == "good-neighbors" and self.yard and len(self.row) < 12:
            self.row.append(self.yard.pop(0))
        self.end()

    def lay(self, move) -> None:
        _, tile, _, side, out = move
        self.hands[0].remove(tile)
        self.row.insert(len(self.row) * side, tile)
        self.ends[side] = out
        stuck = not any(number in tile for tile in self.hands[0] for number in self.ends)
        if {"keep": True, "stuck": stuck, "empty": not self.hands[0]}[self.refill]:
            while self.yard and len(self.hands[0]) < 5:
                self.hands[0].append(self.yard.pop(0))
            self.hands[0].sort()

    def left(self) -> int:
        held = len(self.hands[0]) + len(self.yard)
        if self.kind == "draw-five":
            return held
        table = held + len(self.row) + len(self.aside) + sum(map(len, self.columns))
        return 0 if table == 1 and self.kind == "good-neighbors" else table

    def end(self) -> None:
        if self.legal() == [GIVE_UP]:
            self.settle("stuck" if self.left() else "solved")

    def settle(self, how: str) -> None:
        left = self.left()
        self.result = Result(how, NOBODY if left else 0, (left,))
        self.scores, self.over, self.winners = [left], True, () if left else (0,)
