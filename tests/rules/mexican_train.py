"""Mexican Train by the rule sheet (`docs/rules` §2.4, §9)."""

from tests.rules.centred import Centred
from tests.rules.sheet import DRAW, NOBODY, PASS, End, is_double

HANDS = {"15/12/10": (15, 15, 15, 12, 12, 10, 10), "15/12/11": (15, 15, 15, 12, 12, 11, 11)}


class MexicanTrain(Centred):
    """A train for every player from the engine, and one for all.

    A turn has these stages, by `goal`: "" for its one tile, "cover" for its doubles, "bonus" for the tile that a
    double has earned, "train" for any tiles along its own train.
    """

    def hand(self) -> int:
        tiles = (self.o["set"] + 1) * (self.o["set"] + 2) // 2
        return min(HANDS[self.o["mt.hand"]][self.n - 2], (tiles - 1) // self.n)

    def centre(self) -> tuple:
        step = 1 if self.o["mt.rounds"] == 13 else 2
        number = self.o["set"] - step * (self.round - 1)
        return (number, number)

    def aside(self):
        return self.centre() if self.o["mt.engine"] == "aside" else None

    def open(self) -> None:
        self.marked, self.doubles, self.turns = set(), [], [0] * self.n
        leader = self.lot if self.leader == NOBODY else (self.leader + 1) % self.n
        if self.o["mt.engine"] == "held":
            self.held_or_searched(leader)
        else:
            self.turn = self.leader = leader

    def most(self) -> int:
        return 1

    def fresh_turn(self) -> None:
        super().fresh_turn()
        self.goal, self.first_tile_on_own, self.chaining = "", None, False

    # The layout

    def train_of(self, at: int) -> int:
        """Return the side of the engine where a tile's train starts: a seat's number, or the next one for the Mexican
        Train.
        """
        laid = self.table[at]
        return laid.side if laid.on == 0 else self.train_of(laid.on)

    def ends(self) -> list:
        last = {self.train_of(at): at for at in range(1, len(self.table))}
        ends = []
        for train in range(self.n + 1):
            at = last.get(train, 0)
            owner = train if train < self.n else NOBODY
            ends.append(End(at, 1 if at else train, self.table[at].out, owner))
        return ends

    def started(self, train: int) -> bool:
        return not self.free(0, train)

    def open_doubles(self) -> list:
        """Return the doubles that must be covered, the oldest first; a dead one counts as covered."""
        if self.o["mt.double"] == "bonus":
            return []
        return [at for at in self.doubles if self.free(at, 1) and not self.dead(at)]

    def dead(self, at: int) -> bool:
        number = self.table[at].out
        return sum(number in laid.tile for laid in self.table) == self.o["set"] + 1

    # Legal places

    def open_to(self, seat: int, end: End) -> bool:
        """Return True for the seat's own train, the Mexican Train, and trains that carry their owner's marker."""
        if end.owner == NOBODY and not self.started(self.n):
            if self.o["mt.start"] == "own_first":
                return self.started(seat)
            if self.o["mt.start"] == "not_first":
                return self.turns[seat] > 0
        return end.owner in (NOBODY, seat) or end.owner in self.marked

    def allowed(self, tile, end) -> bool:
        owed = self.open_doubles()
        if self.goal == "train":
            return end.owner == self.turn
        if not owed:
            return self.open_to(self.turn, end)
        if end.at == owed[0]:
            return True
        # A chain: further doubles elsewhere before covering begins; drawing begins it.
        further = self.chaining and not self.drawn and is_double(tile) and end.at not in owed
        return further and self.open_to(self.turn, end)

    def in_force(self) -> list:
        return self.ends()

    def instead(self, plays) -> list:
        if self.goal == "train":
            return [PASS]
        owed = self.open_doubles()
        if self.chaining and owed and not any(play[2] == owed[0] for play in plays):
            return [DRAW] if self.may_draw() else [PASS]
        return []

    # Turns

    def led(self) -> None:
        """Make laying the engine a whole turn, and count turns from it (§9)."""
        self.next_turn()
        self.turns = [0] * self.n

    def played(self) -> None:
        at, seat, double = len(self.table) - 1, self.turn, is_double(self.table[-1].tile)
        own = self.train_of(at) == seat
        if own:
            self.marked.discard(seat)
        if self.first_tile_on_own is None:
            self.first_tile_on_own = own
        covering = self.goal == "cover"
        self.drawn, self.stuck, self.goal, self.chaining = 0, False, "", False
        if double:
            self.doubles.append(at)
        owed = self.open_doubles()
        if double and self.o["mt.double"] == "bonus":
            self.goal = "bonus"
        elif (double and at in owed) or (covering and owed and self.o["mt.double"] == "chain"):
            self.goal, self.chaining = "cover", double and self.o["mt.double"] == "chain"
        elif self.o["mt.first_turn"] == "train" and self.turns[seat] == 0 and self.first_tile_on_own:
            self.goal = "train"
            if not self.plays() and self.hands[seat]:
                self.next_turn()  # it cannot go on, and ends by itself
        else:
            self.next_turn()

    def passed(self) -> None:
        if self.goal != "train":
            self.marked.add(self.turn)
        self.next_turn()

    def next_turn(self) -> None:
        self.turns[self.turn] += 1
        super().next_turn()

    def blocked(self) -> bool:
        """Return True if the boneyard is empty and nothing fits any train, every train counted as marked."""
        ends = self.ends()
        return not self.yard and not any(self.fits(tile, end) for hand in self.hands for tile in hand for end in ends)

    def match_over(self) -> bool:
        return self.round == self.o["set"] // (1 if self.o["mt.rounds"] == 13 else 2) + 1

    def decide(self) -> None:
        super().decide()
        self.zeros_decide()
