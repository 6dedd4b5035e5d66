"""Moon by the rule sheet (`docs/rules` §C.11)."""

from tests.rules.forty_two import FortyTwo
from tests.rules.sheet import NOBODY, PASS, Result

LADDER = (4, 5, 6, 7, 21)


class Moon(FortyTwo):
    """Three players bid tricks; the bidder takes one more tile and puts one away; all seven tricks are played."""

    def teams(self) -> bool:
        return False

    def open(self) -> None:
        self.leader = self.lot if self.leader == NOBODY else (self.leader + 1) % 3
        self.turn = (self.leader + 1) % 3
        self.bids, self.bid, self.bidder, self.trump = [], None, NOBODY, None
        self.trick, self.tricks, self.suit = [], [], None
        self.widow = self.yard.pop()

    def legal(self) -> list:
        if self.result is None and self.bid is not None and len(self.hands[self.turn]) == 8:
            return [("bury", tile) for tile in self.hands[self.turn]]
        return super().legal()

    def calls(self) -> list:
        standing = max((bid[1] for bid in self.bids if bid), default=0)
        return [PASS, *(("bid", points, 0, "") for points in LADDER if points > standing)]

    def names(self) -> list:
        return [("name", "number", number, "high") for number in range(7)] + [("name", "none", -1, "high")]

    def call(self, bid) -> None:
        self.bids.append(bid)
        if bid:
            self.bid_so_far, self.bidder = bid, self.turn
        self.turn = (self.turn + 1) % 3
        if len(self.bids) < 3 and not (bid and bid[1] == 21):
            return
        if self.bidder == NOBODY:
            self.result = Result("passed", NOBODY, (0, 0, 0))
            return
        self.bid, self.turn = self.bid_so_far, self.bidder
        self.hands[self.turn] = sorted([*self.hands[self.turn], self.widow])

    def do(self, move) -> None:
        if move[0] == "bury":
            self.hands[self.turn].remove(move[1])
        else:
            super().do(move)

    def lays(self) -> list:
        following = [tile for tile in self.hands[self.turn] if self.trick and self.belongs(tile, self.suit)]
        return [("lay", tile, False) for tile in following or self.hands[self.turn]]

    def lay(self, tile, small) -> None:
        if not self.trick:
            self.suit = self.suit_led(tile, small)
        self.hands[self.turn].remove(tile)
        self.trick.append((self.turn, tile))
        self.turn = (self.turn + 1) % 3
        if len(self.trick) == 3:
            self.turn = max(self.trick, key=lambda laid: self.beats(laid[1]))[0]
            self.tricks.append(self.turn)
            self.trick = []
        if len(self.tricks) == 7:
            self.settle_hand()

    def settle_hand(self) -> None:
        points = [self.tricks.count(seat) for seat in range(3)]
        made = points[self.bidder] >= min(7, self.bid[1])
        if not made:
            points[self.bidder] = -self.bid[1]
        elif self.bid[1] == 21:
            points[self.bidder] = 21
        self.finish(Result("made" if made else "set", self.bidder if made else NOBODY, tuple(points)))

    def match_over(self) -> bool:
        return max(self.scores) >= self.o["target"]

    def decide(self) -> None:
        """Let the bidder win if they have the target, else the player with the highest score."""
        self.over = True
        best = max(self.scores)
        self.winners = tuple(side for side, score in enumerate(self.scores) if score == best)
        if self.scores[self.bidder] >= self.o["target"]:
            self.winners = (self.bidder,)
