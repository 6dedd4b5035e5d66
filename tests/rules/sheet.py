"""The second implementation: rules that all layout games share, plain and slow, and not copied from `core`.

A tile is a pair of numbers, the lower first. Moves and places are written as in `docs/records.md`. Each game's own
file adds the rules of its sheet; a number in a comment is the sheet's section in `docs/rules`.
"""

from typing import NamedTuple

NOBODY = -1
DRAW, PASS = ("draw",), ("pass",)


class Laid(NamedTuple):
    """A tile on the table: the tile and side it was laid on, the number it shows outward, and its seat."""

    tile: tuple
    on: int
    side: int
    out: int
    seat: int


class End(NamedTuple):
    """A place where a tile may go; `owner` only for trains."""

    at: int
    side: int
    number: int
    owner: int = NOBODY


class Result(NamedTuple):
    """The end of a round: its way, its winner, and the points of each side."""

    how: str
    winner: int
    points: tuple


def pips(tiles) -> int:
    return sum(low + high for low, high in tiles)


def is_double(tile) -> bool:
    return tile[0] == tile[1] >= 0


def round5(number: int) -> int:
    return (number + 2) // 5 * 5


def round3(number: int) -> int:
    return (number + 1) // 3 * 3


class Game:
    """A match by the sheet. Tests drive it with `legal` and `do`, and compare all other values with `core`."""

    draws = True
    """True if the game has drawing at all."""
    lowest_wins = False

    def __init__(self, players: int, options: dict) -> None:
        self.n, self.o = players, options
        self.sides = 2 if self.teams() else players
        self.scores = [0] * self.sides
        self.rounds_without_points = [0] * self.sides
        self.round = 0
        self.leader = NOBODY
        self.winner = NOBODY
        self.result = None
        self.again = "redeal"
        self.over = False
        self.winners = ()

    # Rules that some sheets replace

    def teams(self) -> bool:
        return self.o.get("partners") == "yes"

    def hand(self) -> int:
        raise NotImplementedError

    def aside(self):
        """Return the tile that lies on the table from the start."""

    def open(self) -> None:
        """Begin a round: set `turn`, `leads` or `wanted`, and `leader`."""
        raise NotImplementedError

    def fits(self, tile, end) -> list:
        """Return the numbers that a tile may turn outward on an end."""
        low, high = tile
        return [high] if low == end.number else [low] if high == end.number else []

    def ends(self) -> list:
        """Return the open ends: a line has two."""
        return [
            End(at, side, self.shown(at, side))
            for at in range(len(self.table))
            for side in ((0, 1) if at == 0 else (1,))
            if self.free(at, side)
        ]

    def in_force(self) -> list:
        """Return the ends where the seat on turn may play now."""
        return self.ends()

    def allowed(self, tile, end) -> bool:
        return True

    def reserve(self) -> int:
        return int(self.o.get("draw.reserve", 0))

    def most(self) -> int:
        """Return the number of tiles that may be drawn in one turn."""
        most = self.o.get("draw.max", "∞")
        return 10**9 if most == "∞" else most

    def spares(self, plays) -> bool:
        """Return True if a player with these plays only may do something else instead (with a matador)."""
        return False

    def settle(self, how: str, seat: int) -> Result:
        """Return the result of a round in which a seat went out, or that is blocked."""
        raise NotImplementedError

    # A round

    def deal(self, order, lot: int) -> None:
        if self.result is None or self.result.how != self.again:  # §9: a redeal is the same round
            self.round += 1
        self.lot, self.result = lot, None
        self.table, self.yard = [], [tuple(tile) for tile in order]
        start = self.aside()
        if start is not None:
            self.yard.remove(start)
            self.table.append(Laid(start, -1, 0, start[1], NOBODY))
        size = self.hand()
        self.hands = [sorted(self.yard[seat * size : (seat + 1) * size]) for seat in range(self.n)]
        del self.yard[: self.n * size]
        self.turn, self.leads, self.wanted = NOBODY, [], None
        self.fresh_turn()
        self.open()
        if self.turn == NOBODY:
            self.result = Result(self.again, NOBODY, (0,) * self.sides)

    def fresh_turn(self) -> None:
        self.drawn, self.stuck = 0, False

    def next_turn(self) -> None:
        self.turn = self.after(self.turn)
        self.fresh_turn()

    def after(self, seat: int) -> int:
        return (seat + 1) % self.n

    def legal(self) -> list:
        if self.result is not None:
            return []
        if not self.table:
            if self.wanted is not None and self.wanted not in self.hands[self.turn]:
                return [DRAW]
            return [("play", tile, -1, 0, tile[1]) for tile in self.leads or [self.wanted]]
        plays = self.plays()
        if plays:
            return plays + self.instead(plays)
        return [DRAW] if self.may_draw() else [PASS]

    def plays(self) -> list:
        places = self.places()
        return [
            ("play", tile, end.at, end.side, out)
            for tile in dict.fromkeys(self.hands[self.turn])
            for end in places
            if self.allowed(tile, end)
            for out in self.fits(tile, end)
        ]

    def places(self) -> list:
        """Return the legal places; mirror places on one tile count as one, with the lower side (§0)."""
        places = {}
        for end in sorted(self.in_force()):
            places.setdefault((end.at, end.number, end.owner), end)
        return list(places.values())

    def instead(self, plays) -> list:
        """Return the other actions of a player who can play (§2.1, §2.7)."""
        may_keep = self.o.get("draw.drawn") == "may" and self.stuck
        may_draw = self.spares(plays) or (self.o.get("draw.voluntary") == "yes" and not may_keep)
        return [DRAW] * (may_draw and self.may_draw() > 0) + [PASS] * may_keep

    def may_draw(self) -> int:
        """Return the number of tiles that the seat on turn may still draw."""
        if not self.draws:
            return 0
        return max(0, min(self.most() - self.drawn, len(self.yard) - self.reserve()))

    def free(self, at: int, side: int) -> bool:
        return not any(laid.on == at and laid.side == side for laid in self.table)

    def shown(self, at: int, side: int) -> int:
        return self.table[at].tile[side] if at == 0 and side < 2 else self.table[at].out

    def do(self, move) -> None:
        match move[0]:
            case "play":
                self.lay(*move[1:])
            case "draw":
                self.draw() if self.table else self.search()
            case "pass":
                self.passed()
            case _:
                self.answer(move)
        self.look()

    def answer(self, move) -> None:
        raise NotImplementedError

    def lay(self, tile, at, side, out) -> None:
        self.hands[self.turn].remove(tile)
        self.table.append(Laid(tile, at, side, out, self.turn))
        self.led() if at == -1 else self.played()

    def led(self) -> None:
        self.next_turn()

    def played(self) -> None:
        self.next_turn()

    def passed(self) -> None:
        self.next_turn()

    def draw(self) -> None:
        """Draw: a stuck player takes all that the turn forces; a player who may play takes one (§0)."""
        plays = self.plays()
        count, ends = 1 if plays else self.may_draw(), self.in_force()
        for _ in range(count):
            tile = self.yard.pop(0)
            self.hands[self.turn].append(tile)
            self.drawn += 1
            if any(self.fits(tile, end) and self.allowed(tile, end) for end in ends):
                break
        self.hands[self.turn].sort()
        self.stuck = self.stuck or not plays or self.spares(plays)

    def search(self) -> None:
        """Draw a tile: lay it at once if it is the wanted centre, else keep it and end the turn. (§2.4, 2.5, 2.8)"""
        tile = self.yard.pop(0)
        self.hands[self.turn].append(tile)
        self.hands[self.turn].sort()
        if tile == self.wanted:
            self.lay(tile, -1, 0, tile[1])
        else:
            self.next_turn()

    # The end of a round, and of the match

    def look(self) -> None:
        """End the round once a player is out, or it is blocked (§0)."""
        if self.result is not None:
            return
        out = self.gone_out()
        if out != NOBODY:
            self.finish(self.settle("out", out))
        elif self.table and self.blocked():
            self.finish(self.settle("blocked", NOBODY))

    def gone_out(self) -> int:
        return next((seat for seat in range(self.n) if not self.hands[seat]), NOBODY)

    def blocked(self) -> bool:
        """Return True if no player holds a placeable tile or may draw."""
        if self.draws and len(self.yard) > self.reserve():
            return False
        ends = self.in_force()
        return not any(self.fits(tile, end) for hand in self.hands for tile in hand for end in ends)

    def finish(self, result: Result) -> None:
        self.result, self.winner = result, result.winner
        for side, points in enumerate(result.points):
            self.scores[side] += points
            self.rounds_without_points[side] += points == 0
        if self.match_over():
            self.decide()

    def match_over(self) -> bool:
        raise NotImplementedError

    def decide(self) -> None:
        """Let the best score win; equal ones share (§0)."""
        best = min(self.scores) if self.lowest_wins else max(self.scores)
        self.over = True
        self.winners = tuple(side for side, score in enumerate(self.scores) if score == best)

    def zeros_decide(self) -> None:
        """Let the player with most rounds of 0 win a tie; else they share (§2.4, §2.5)."""
        most = max(self.rounds_without_points[side] for side in self.winners)
        self.winners = tuple(side for side in self.winners if self.rounds_without_points[side] == most)

    def met_first(self, seats, start: int) -> int:
        """Return the first of `seats` when the turn goes round from `start`."""
        return min(seats, key=lambda seat: (seat - start) % self.n)
