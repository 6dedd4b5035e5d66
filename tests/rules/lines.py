"""Draw, Block, Matador, Cross and Gaple by the rule sheet (`docs/rules` §2.1, §2.2, §2.7, §4.2, §4.14)."""

from tests.rules.sheet import NOBODY, End, Game, Result, is_double, pips


class Line(Game):
    """§2.1: the leader, and the payments."""

    def hand(self) -> int:
        return {2: 7, 3: self.o["hand3"], 4: self.o["hand4"]}[self.n]

    def open(self) -> None:
        kind = self.o.get("opener", "highest_double")
        if kind == "winner" and self.winner != NOBODY:
            self.any_tile(self.winner)
        elif kind == "rotate":
            self.any_tile(self.lot if self.leader == NOBODY else (self.leader + 1) % self.n)
        elif kind == "lot":
            self.any_tile(self.lot)
        elif kind == "heaviest":
            self.heaviest_tile()
        else:
            self.highest_double()

    def any_tile(self, seat: int) -> None:
        self.turn = self.leader = seat
        self.leads = list(self.hands[seat])

    def this_tile(self, tile) -> None:
        self.any_tile(next(seat for seat in range(self.n) if tile in self.hands[seat]))
        self.leads = [tile]

    def highest_double(self) -> None:
        doubles = [tile for hand in self.hands for tile in hand if is_double(tile)]
        if doubles:
            self.this_tile(max(doubles))
        else:
            self.no_double()

    def no_double(self) -> None:
        if self.o.get("no_double") == "hand":
            self.any_tile(
                max(range(self.n), key=lambda seat: (pips(self.hands[seat]), max(map(weight, self.hands[seat]))))
            )
        else:
            self.heaviest_tile()

    def heaviest_tile(self) -> None:
        self.this_tile(max((tile for hand in self.hands for tile in hand), key=weight))

    # Paying

    def seats_of(self, side: int) -> list:
        return [seat for seat in range(self.n) if seat % self.sides == side]

    def held(self, side: int) -> int:
        return sum(pips(self.hands[seat]) for seat in self.seats_of(side))

    def last_laid_by(self, seats) -> int:
        """Return the seat of `seats` that laid a tile most recently; NOBODY if none did."""
        return next((laid.seat for laid in reversed(self.table) if laid.seat in seats), NOBODY)

    def winning_seat(self, side: int) -> int:
        """Return the winning seat of a side: §0: the lighter hand; if equal, the later to lay a tile; §9: if neither
        did, the first from the leader.
        """
        seats = self.seats_of(side)
        least = min(pips(self.hands[seat]) for seat in seats)
        light = [seat for seat in seats if pips(self.hands[seat]) == least]
        last = self.last_laid_by(light)
        return self.met_first(light, self.leader) if last == NOBODY else last

    def settle(self, how: str, seat: int) -> Result:
        others = [sum(self.held(other) for other in range(self.sides) if other != side) for side in range(self.sides)]
        nothing = (0,) * self.sides
        if how == "out":
            return Result("out", seat, self.to(seat % self.sides, others[seat % self.sides]))
        count_tiles = self.o["blocked_winner"] == "tiles"
        sizes = [
            sum(len(self.hands[seat]) for seat in self.seats_of(side)) if count_tiles else self.held(side)
            for side in range(self.sides)
        ]
        lightest = [side for side in range(self.sides) if sizes[side] == min(sizes)]
        if len(lightest) > 1:
            if count_tiles or self.o["tie"] == "last_player":
                last = self.last_laid_by([seat for side in lightest for seat in self.seats_of(side)])
                if last == NOBODY:
                    return Result("blocked", NOBODY, nothing)
                lightest = [last % self.sides]
            elif self.o["tie"] == "share":
                rest = sum(self.held(side) for side in range(self.sides) if side not in lightest)
                share = rest // len(lightest)
                return Result(
                    "blocked", NOBODY, tuple(share if side in lightest else 0 for side in range(self.sides))
                )
            else:
                return Result("blocked", NOBODY, nothing)
        side = lightest[0]
        score = others[side]
        if self.o["blocked_score"] == "net":
            score = max(0, score - self.held(side))
        if self.o["blocked_score"] == "boneyard":
            score += pips(self.yard)
        return Result("blocked", self.winning_seat(side), self.to(side, score))

    def to(self, side: int, points: int) -> tuple:
        return tuple(points if other == side else 0 for other in range(self.sides))

    def match_over(self) -> bool:
        return max(self.scores) >= self.o["target"]


class Branching(Line):
    """Doubles that branch: all of them, the first, or none."""

    spinner = "none"

    def spinners(self) -> list:
        """Return the placed doubles that branch."""
        doubles = [at for at, laid in enumerate(self.table) if is_double(laid.tile)]
        return {"none": [], "all": doubles}.get(self.spinner, doubles[:1])

    def sides_covered(self, at: int) -> int:
        """Count the long sides of a double that have a neighbour, including the tile it was laid on."""
        if at == 0:
            return (not self.free(0, 0)) + (not self.free(0, 1))
        return 1 + (not self.free(at, 1))

    def ends(self) -> list:
        short = [
            End(at, side, self.table[at].out)
            for at in self.spinners()
            if self.sides_covered(at) == 2
            for side in (2, 3)
            if self.free(at, side)
        ]
        return super().ends() + short


class Draw(Branching):
    """§2.1."""

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.spinner = "all" if options["draw.spinners"] == "yes" else "none"


class Block(Line):
    """§2.2: no drawing."""

    draws = False


class Matador(Line):
    """§2.7: touching halves add up; a matador goes anywhere, either way round."""

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.draws = options["mat.draw"] == "yes"

    def hand(self) -> int:
        return {"7": [7, 7, 7], "5": [5, 5, 5], "7/6/5": [7, 6, 5]}[self.o["mat.hand"]][self.n - 2]

    def matador(self, tile) -> bool:
        return tile == (0, 0) or sum(tile) == self.o["mat.sum"]

    def fits(self, tile, end) -> list:
        if self.matador(tile):
            return sorted(set(tile))
        return [tile[1 - half] for half in (0, 1) if tile[half] + end.number == self.o["mat.sum"]][:1]

    def spares(self, plays) -> bool:
        """Allow other actions in place of a matador while tiles remain to be drawn."""
        return self.o["mat.matador_forced"] == "no" and all(self.matador(play[1]) for play in plays)


class Cross(Line):
    """§4.14: four arms on the first double before anything else, with one draw a turn until then."""

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.draws = options["draw.max"] != 0

    def hand(self) -> int:
        """Return the number of tiles dealt, by §C.13 and its ruling on five players and more."""
        if self.o["cross.hand"] != "usual":
            return [9, 8, 7, 7, 6][self.n - 4]
        return super().hand() if self.n < 5 else [5, 4, 3, 3][self.n - 5]

    def open(self) -> None:
        if self.o["cross.lead"] == "top":
            leader = self.lot if self.leader == NOBODY else self.leader if self.winner == NOBODY else self.winner
            self.before, self.leader, self.wanted = self.leader, leader, (self.o["cross.set"],) * 2
            self.turn = next((seat for seat in range(self.n) if self.wanted in self.hands[seat]), leader)
        else:
            super().open()

    def search(self) -> None:
        """Draw for the centre; if it is the tile that may not be drawn, deal again, led as before (§C.13)."""
        super().search()
        if not self.table and len(self.yard) <= self.reserve():
            self.leader = self.before
            self.result = Result(self.again, NOBODY, (0,) * self.sides)

    def no_double(self) -> None:
        self.turn = NOBODY

    def bare_arms(self) -> list:
        """Return the first tiles of arms that lack their double."""
        if self.o["cross.second"] == "none":
            return []
        return [at for at, laid in enumerate(self.table) if at and laid.on == 0 and self.free(at, 1)]

    def fits(self, tile, end) -> list:
        waiting = not self.building() and self.bare_arms()
        return [] if waiting and (end.at not in waiting or not is_double(tile)) else super().fits(tile, end)

    def building(self) -> bool:
        return any(self.free(0, arm) for arm in range(self.o["cross.arms"]))

    def ends(self) -> list:
        arms = [End(0, side, self.table[0].out) for side in range(self.o["cross.arms"]) if self.free(0, side)]
        outer = [End(at, 1, laid.out) for at, laid in enumerate(self.table) if at > 0 and self.free(at, 1)]
        return arms + outer

    def in_force(self) -> list:
        return [end for end in self.ends() if end.at == 0] or self.ends()

    def most(self) -> int:
        return min(1, super().most()) if self.building() or self.bare_arms() else super().most()


class Gaple(Line):
    """§4.2: own pips are written, and the lowest total wins."""

    lowest_wins = True

    def __init__(self, players: int, options: dict) -> None:
        super().__init__(players, options)
        self.draws = options["ga.draw"] == "until"

    def hand(self) -> int:
        return self.o["ga.two"] if self.n == 2 else 7

    def open(self) -> None:
        if self.o["ga.redeal"] and max(sum(map(is_double, hand)) for hand in self.hands) >= self.o["ga.redeal"]:
            self.again = "doubles"
        elif self.winner == NOBODY:
            self.highest_double()
        else:
            self.any_tile(self.winner)

    def settle(self, how: str, seat: int) -> Result:
        held = [pips(hand) for hand in self.hands]
        won = [seat] if how == "out" else [other for other in range(self.n) if held[other] == min(held)]
        leads = self.last_laid_by(won)
        if leads == NOBODY:
            leads = self.met_first(won, self.leader)
        points = tuple(0 if other in won else held[other] for other in range(self.n))
        return Result("out" if how == "out" else "gaple", leads, points)


def weight(tile) -> tuple:
    """Return the sort key of a tile: its pips, then its higher half (§0)."""
    return (sum(tile), tile[1])
