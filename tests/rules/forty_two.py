"""Forty-Two by the rule sheet (`docs/rules` §2.6)."""

from tests.rules.sheet import NOBODY, PASS, Game, Result, is_double

DOUBLES = "doubles"


def value(bid) -> int:
    """Return the worth of a bid: points, or 42 for each mark."""
    _, points, marks, _kind = bid
    return points if points < 42 else 42 * marks


def counts(tile) -> int:
    return {(5, 5): 10, (4, 6): 10, (0, 5): 5, (1, 4): 5, (2, 3): 5}.get(tile, 0)


class FortyTwo(Game):
    """Two pairs of partners bid, name trumps, and take seven tricks."""

    def teams(self) -> bool:
        return True

    def hand(self) -> int:
        return 7

    def contracts(self) -> list:
        return self.o["42.contracts"].split("+")

    def open(self) -> None:
        """Choose the shaker: random first, then the next seat; the seat on their left bids first."""
        self.leader = self.lot if self.leader == NOBODY else (self.leader + 1) % 4
        self.turn = (self.leader + 1) % 4
        self.bids, self.bid, self.bidder, self.trump = [], None, NOBODY, None
        self.trick, self.tricks, self.suit = [], [], None

    def fresh_turn(self) -> None:
        pass

    def legal(self) -> list:
        if self.result is not None:
            return []
        if self.bid is None:
            return self.calls()
        return self.names() if self.trump is None else self.lays()

    # Bidding

    def calls(self) -> list:
        standing = max((value(bid) for bid in self.bids if bid), default=0)
        bids = [("bid", points, 1, "") for points in range(30, 43) if points > standing]
        if standing < 84:
            bids.append(("bid", 42, 2, ""))
        else:
            bids.append(("bid", 42, standing // 42 + 1, ""))
        doubles = sum(map(is_double, self.hands[self.turn]))
        if "splash" in self.contracts() and doubles >= 3:
            bids += [("bid", 42, marks, "splash") for marks in (2, 3) if 42 * marks > standing]
        if "plunge" in self.contracts() and doubles >= 4:
            bids += [("bid", 42, 4, "plunge")] * (standing < 168) + [("bid", 42, 5, "plunge")] * (standing == 168)
        forced = self.o["42.all_pass"] == "dealer_30" and self.bids == [None] * 3
        return bids if forced else [*bids, PASS]

    def names(self) -> list:
        """Return the legal trumps: a number, doubles, follow-me; on a plain bid of marks also nello or sevens."""
        names = [("name", "number", number, "high") for number in range(7)]
        names += [("name", "doubles", -1, "high"), ("name", "follow_me", -1, self.o["42.follow_me_doubles"])]
        if self.bid[1] == 42 and not self.bid[3]:
            if "nello" in self.contracts():
                how = self.o["42.nello_doubles"]
                names += [
                    ("name", "nello", -1, form) for form in (("high", "low", "suit") if how == "bidder" else (how,))
                ]
            if "sevens" in self.contracts():
                names.append(("name", "sevens", -1, "high"))
        return names

    def call(self, bid) -> None:
        """Take a call: each player calls once, and the highest bid is played; in plunge and splash the partner names
        trumps.
        """
        seat = self.turn
        self.bids.append(bid)
        if bid and value(bid) == max(value(other) for other in self.bids if other):
            self.bidder = seat
        self.turn = (seat + 1) % 4
        if len(self.bids) < 4:
            return
        if self.bidder == NOBODY:
            self.result = Result("passed", NOBODY, (0, 0))
            return
        self.bid = next(bid for bid in reversed(self.bids) if bid)
        self.turn = (self.bidder + 2) % 4 if self.bid[3] else self.bidder

    # Tricks

    def kind(self) -> str:
        return self.trump[1]

    def doubles_apart(self) -> bool:
        return self.kind() == "doubles" or (self.kind() in ("follow_me", "nello") and self.trump[3] == "suit")

    def is_trump(self, tile) -> bool:
        if self.kind() == "number":
            return self.trump[2] in tile
        return self.kind() == "doubles" and is_double(tile)

    def belongs(self, tile, suit) -> bool:
        """Return True if a tile follows a suit: a number, the doubles, or trumps."""
        if suit == "trumps":
            return self.is_trump(tile)
        if self.is_trump(tile):
            return False
        if suit == DOUBLES:
            return is_double(tile)
        return suit in tile and not (is_double(tile) and self.doubles_apart())

    def suit_led(self, tile, small: bool):
        if self.is_trump(tile):
            return "trumps"
        if is_double(tile) and self.doubles_apart():
            return DOUBLES
        return tile[0] if small else tile[1]

    def lays(self) -> list:
        hand = self.hands[self.turn]
        if self.kind() == "sevens":
            nearest = min(abs(7 - sum(tile)) for tile in hand)
            return [("lay", tile, False) for tile in hand if abs(7 - sum(tile)) == nearest]
        if self.trick:
            return [("lay", tile, False) for tile in hand if self.belongs(tile, self.suit)] or [
                ("lay", tile, False) for tile in hand
            ]
        lays = [("lay", tile, False) for tile in hand]
        if self.o["42.small_end"] == "on" and not self.tricks and self.kind() != "nello":
            lays += [("lay", tile, True) for tile in hand if not is_double(tile) and not self.is_trump(tile)]
        return lays

    def beats(self, tile) -> tuple:
        """Return the rank of a tile: the greatest takes the trick, at a tie the first."""
        if self.kind() == "sevens":
            return (-abs(7 - sum(tile)),)
        for rank, suit in ((2, "trumps"), (1, self.suit)):
            if self.belongs(tile, suit):
                number = self.trump[2] if suit == "trumps" and self.kind() == "number" else suit
                if not is_double(tile):
                    return (rank, sum(tile) - number)
                if suit == DOUBLES or (suit == "trumps" and self.kind() == "doubles"):
                    return (rank, tile[0])
                return (rank, -1 if self.trump[3] == "low" else 7)
        return (0, 0)

    def do(self, move) -> None:
        if move[0] == "name":
            self.trump = move
        elif move[0] == "lay":
            self.lay(move[1], move[2])
        else:
            self.call(None if move == PASS else move)

    def sits_out(self, seat: int) -> bool:
        return self.kind() == "nello" and seat == (self.bidder + 2) % 4

    def lay(self, tile, small) -> None:
        if not self.trick:
            self.suit = self.suit_led(tile, small)
        self.hands[self.turn].remove(tile)
        self.trick.append((self.turn, tile))
        if len(self.trick) == (3 if self.kind() == "nello" else 4):
            winner = max(self.trick, key=lambda laid: self.beats(laid[1]))[0]
            self.tricks.append((winner, 1 + sum(counts(tile) for _, tile in self.trick)))
            self.trick, self.turn = [], winner
            self.settle_if_decided()
        else:
            self.turn = (self.turn + 1) % 4
            if self.sits_out(self.turn):
                self.turn = (self.turn + 1) % 4

    # The end of a hand

    def took(self, side: int) -> int:
        return sum(points for seat, points in self.tricks if seat % 2 == side)

    def settle_if_decided(self) -> None:
        side, other = self.bidder % 2, 1 - self.bidder % 2
        ended = len(self.tricks) == 7
        if self.kind() == "nello":
            lost = any(seat == self.bidder for seat, _ in self.tricks)
            made = ended and not lost
        else:
            lost = self.took(other) > 42 - self.bid[1]
            made = self.took(side) >= self.bid[1]
        marks = self.o["42.score"] == "marks"
        stops = self.o["42.play_out"] == "off" and (marks or self.kind() == "nello")
        if not ended and not (stops and (made or lost)):
            return
        points = [0, 0]
        if marks or self.kind() == "nello":
            points[side if made else other] = self.bid[2] * (1 if marks else 42)
        elif made:
            points = [self.took(0), self.took(1)]
        else:
            points[other] = self.took(other) + value(self.bid)
        winner = self.bidder if made else (self.bidder + 1) % 4
        self.finish(Result("made" if made else "set", winner, tuple(points)))

    def match_over(self) -> bool:
        return max(self.scores) >= self.o["42.target"]

    def decide(self) -> None:
        super().decide()
        if len(self.winners) > 1:
            self.winners = (self.bidder % 2,)
