"""Stakes by the rule sheet (`docs/rules` §2.9): the intentional blocker, and all payments."""

from typing import NamedTuple

from tests.rules.lines import Line
from tests.rules.sheet import NOBODY, Result, is_double, pips


class Turn(NamedTuple):
    """The facts of a turn that matter for blame."""

    seat: int
    hands: tuple
    """All hands before it."""
    yard: tuple
    ends: tuple
    """The two numbers before it; empty before the lead."""
    bones: int
    """Number of different bones that could be played, before any draw."""
    played: bool


class Stakes(Line):
    """Draw until one fits; every dot is money."""

    def hand(self) -> int:
        return 7

    def open(self) -> None:
        """Let the winner of the last round start, else a random seat."""
        self.turns = []
        self.any_tile(self.lot if self.winner == NOBODY else self.winner)
        self.note()

    def numbers(self) -> tuple:
        return tuple(sorted(end.number for end in self.ends()))

    def note(self) -> None:
        """Record the moment in which a turn begins."""
        bones = {play[1] for play in self.legal() if play[0] == "play"}
        self.turns.append(
            Turn(self.turn, tuple(map(tuple, self.hands)), tuple(self.yard), self.numbers(), len(bones), False)
        )

    def next_turn(self) -> None:
        played = self.table[-1].seat == self.turn and len(self.table) > sum(turn.played for turn in self.turns)
        self.turns[-1] = self.turns[-1]._replace(played=played)
        super().next_turn()
        self.note()

    # Blame

    def closed(self, turn: Turn) -> bool:
        """Return True if all fitting tiles off the table are doubles, so that the two ends cannot change."""
        off = [tile for hand in turn.hands for tile in hand] + list(turn.yard)
        return not any(not is_double(tile) and set(tile) & set(turn.ends) for tile in off)

    def blame(self) -> tuple:
        """Return the blocker and their assistant; NOBODY if the block was not intended."""
        turns = self.turns  # the last of them has not been played: the round is over
        closing = next(t for t in range(len(turns) - 1) if turns[t].played and self.closed(turns[t + 1]))
        window = {"closing": 0, "lap": self.n - 1, "unlimited": 10**9}[self.o["sm.window"]]
        known = {}
        later = 0
        for sealing in range(closing, -1, -1):
            if not turns[sealing].played:
                continue
            if later > window:
                return NOBODY, NOBODY
            if not doomed(turns[sealing], known):
                return turns[sealing].seat, self.helper(sealing)
            later += 1
        return NOBODY, NOBODY

    def helper(self, sealing: int) -> int:
        at = sealing - 1 if self.o["sm.assistant"] == "before" else sealing + 1
        if not 0 <= at < len(self.turns) - 1:
            return NOBODY
        turn = self.turns[at]
        return turn.seat if turn.played and turn.bones >= 2 else NOBODY

    # Money

    def settle(self, how: str, seat: int) -> Result:
        dots = [pips(hand) for hand in self.hands]
        last = self.table[-1].seat
        order = [(last + step) % self.n for step in range(1, self.n + 1)]
        self.blocker = self.assistant = NOBODY
        if how == "out":
            winner, payments = seat, [(other, seat, dots[other]) for other in range(self.n) if other != seat]
        else:
            lowest = [s for s in range(self.n) if dots[s] == min(dots)]
            winner = lowest[0] if len(lowest) == 1 else NOBODY
            self.blocker, self.assistant = self.blame()
            payments = self.for_a_block(dots, lowest, order)
        paid = payments if self.o["sm.debts"] == "on" else self.affordable(payments, order)
        gains = [0] * self.n
        for payer, payee, amount in paid:
            gains[payer] -= amount
            gains[payee] += amount
        return Result(how, winner, tuple(gains))

    def for_a_block(self, dots, lowest, order) -> list:
        b, a = self.blocker, self.assistant
        if b == NOBODY:
            return [
                payment for s in range(self.n) if s not in lowest for payment in equally(s, dots[s], lowest, order)
            ]
        others = [s for s in range(self.n) if s != b]
        total = sum(dots[s] for s in others)
        least = min(dots[s] for s in others)
        if dots[b] < least or (dots[b] == least and self.o["sm.tie"] == "wins"):
            if a == NOBODY:
                return [(s, b, 2 * dots[s]) for s in others]
            return [(a, b, 2 * (total if self.o["sm.assist_pays"] == "all" else dots[a]))]
        k = self.o["sm.k"]
        if a != NOBODY:
            return [(b, a, k * total)]
        match self.o["sm.share"]:
            case "own_dots":
                return [(b, s, k * dots[s]) for s in others]
            case "lowest_only":
                return equally(b, k * total, [s for s in others if dots[s] == least], order)
        if len(others) == 1:
            return [(b, others[0], k * total)]
        return in_proportion(b, k * total, {s: total - dots[s] for s in others}, order)

    def affordable(self, payments, order) -> list:
        """Limit payments: a payer with too little pays their money before the round, in proportion to their debts."""
        paid = []
        for payer in range(self.n):
            debts = [payment for payment in payments if payment[0] == payer]
            purse = self.o["sm.purse"] + self.scores[payer]
            if sum(amount for _, _, amount in debts) > purse:
                debts = in_proportion(payer, purse, {payee: amount for _, payee, amount in debts}, order)
            paid += debts
        return paid

    def match_over(self) -> bool:
        return self.round == self.o["sm.rounds"]


def equally(payer, amount, payees, order) -> list:
    """Share equally; all odd units go to the first to act after the last bone."""
    first = next(seat for seat in order if seat in payees)
    share, odd = amount // len(payees), amount % len(payees)
    return [(payer, seat, share + (odd if seat == first else 0)) for seat in payees]


def in_proportion(payer, amount, shares, order) -> list:
    """Share in proportion, rounded down; left-over units go out singly in the order of play."""
    total = sum(shares.values())
    parts = {seat: amount * share // total if total else 0 for seat, share in shares.items()}
    left = amount - sum(parts.values())
    for seat in [seat for seat in order if seat in shares][:left]:
        parts[seat] += 1
    return [(payer, seat, part) for seat, part in parts.items()]


def moves(hand, ends) -> list:
    """Return every bone that can be laid, with the two numbers after it."""
    if not ends:
        return [(tile, tuple(tile)) for tile in hand]
    playable = []
    for tile in hand:
        for here, there in {(ends[0], ends[1]), (ends[1], ends[0])}:
            if here in tile:
                playable.append((tile, tuple(sorted((sum(tile) - here, there)))))
    return playable


def doomed(turn: Turn, known: dict) -> bool:
    """Return True if every line of legal play from the beginning of a turn ends blocked."""
    return _doomed(turn.hands, turn.yard, turn.ends, turn.seat, known)


def _doomed(hands, yard, ends, seat, known) -> bool:
    key = (hands, len(yard), ends, seat)
    if key not in known:
        known[key] = _look(hands, yard, ends, seat, known)
    return known[key]


def _look(hands, yard, ends, seat, known) -> bool:
    hand = list(hands[seat])
    while not moves(hand, ends) and yard:
        hand, yard = [*hand, yard[0]], yard[1:]
    after = (seat + 1) % len(hands)

    def with_hand(left):
        return tuple(tuple(sorted(left)) if s == seat else other for s, other in enumerate(hands))

    choices = moves(hand, ends)
    if not choices:
        if not any(moves(other, ends) for other in hands):
            return True
        return _doomed(with_hand(hand), yard, ends, after, known)
    if len(hand) == 1:
        return False
    return all(
        _doomed(with_hand([t for t in hand if t != tile]), yard, after_lay, after, known)
        for tile, after_lay in choices
    )
